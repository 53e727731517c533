//! How hard puzzles are for people: the hardest technique that an explanation needs.
//!
//! Sudokus of 9x9 that need locked candidates at most are rated 256 at once: the lanes go as far as one technique, and
//! the puzzles that are not solved go on to the next. The engine finds out which of the others have one solution, and
//! an [`Explainer`] rates these.

use super::Rater;
use crate::engine::{Entry, Isa, Reach, Remainder, SinglesPass};
use crate::error::Error;
use crate::explain::{self, End, Explainer, Level, Options, TECHNIQUES, Technique};
use crate::grid::Rules;
use crate::puzzle::{Puzzles, Status};

/// The rating of a puzzle by techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TechniqueRating {
    /// [`Status::Solved`] if the puzzle has one solution and the techniques find it. Only then the rest has a meaning.
    pub(crate) status: Status,
    /// The technique of the hardest step; `None` for a full grid.
    pub(crate) hardest: Option<&'static Technique>,
    /// The highest score of a step, in tenths.
    pub(crate) score: u16,
}

impl TechniqueRating {
    /// The level of the score. `None` unless the puzzle has one solution.
    pub(crate) fn level(&self) -> Option<Level> {
        (self.status == Status::Solved).then(|| Level::of(self.score))
    }
}

/// Rates batches of puzzles by the techniques that they need.
pub(crate) struct TechniqueRater {
    /// The lanes, and the technique that is the hardest if they solve a puzzle.
    passes: Vec<(SinglesPass, &'static Technique)>,
    left: Vec<Remainder>,
    rater: Rater,
    explainer: Explainer,
    options: Options,
    ratings: Vec<TechniqueRating>,
    /// The puzzles that are not rated yet, flat, and their places.
    open: Vec<u8>,
    places: Vec<usize>,
}

/// What the techniques may cost for one puzzle: about a second.
const MAX_WORK: u64 = 200_000_000;

/// Blanks of a puzzle that full houses may solve: each fills a unit, and there are 27.
const MOST_FULL_HOUSES: usize = 27;

impl TechniqueRater {
    /// For puzzles of `rules`. The engine `entry` decides whether a puzzle has one solution. `unique`: techniques that
    /// rely on that are used.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported).
    pub(crate) fn new(rules: &Rules, entry: &'static Entry, unique: bool) -> Result<TechniqueRater, Error> {
        let passes = [
            (Reach::HiddenSingles, "hidden single"),
            (Reach::Singles, "naked single"),
            (Reach::Pointing, "pointing"),
            (Reach::Claiming, "claiming"),
        ];
        let pass = |(reach, name)| SinglesPass::new(rules, Isa::best(), reach).zip(explain::named(name));
        Ok(TechniqueRater {
            passes: passes.into_iter().filter_map(pass).collect(),
            left: Vec::new(),
            rater: Rater::new(rules, entry)?,
            explainer: Explainer::new(rules),
            options: Options::rating().unique(unique).max_work(MAX_WORK),
            ratings: Vec::new(),
            open: Vec::new(),
            places: Vec::new(),
        })
    }

    /// The same without the techniques of levels above `level`: puzzles that need one have no rating, and are given up soon.
    pub(crate) fn up_to(self, level: Level) -> TechniqueRater {
        let hardest = TECHNIQUES.iter().rfind(|technique| technique.level() <= level);
        let options = hardest.map_or(self.options, |hardest| self.options.hardest(hardest));
        TechniqueRater { options, ..self }
    }

    /// The ratings of `puzzles`. The solutions that the engine finds are verified. `advanced` gets the number of
    /// puzzles that are rated so far: those that singles solve at once, and each of the others, whose explanation may
    /// take long.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped) soon after `is_stopped` returns true,
    /// [`WrongSolution`](crate::grid::WrongSolution), [`Unanswered`](crate::engine::Unanswered).
    pub(crate) fn rate(
        &mut self,
        puzzles: Puzzles<'_>,
        advanced: &dyn Fn(usize),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<&[TechniqueRating], Error> {
        let TechniqueRater { passes, left, rater, explainer, options, ratings, open, places } = self;
        let stride = puzzles.stride();
        ratings.clear();
        ratings
            .resize(puzzles.len(), TechniqueRating { status: Status::Unanswered, hardest: None, score: 0 });
        open.clear();
        places.clear();
        for (place, puzzle) in puzzles.iter().enumerate() {
            let blanks = puzzle.iter().filter(|&&cell| cell == 0).count();
            // An explanation tells which of them full houses solve, and it is short.
            if blanks <= MOST_FULL_HOUSES && !passes.is_empty() {
                ratings[place] = explained(explainer, puzzle, options);
            }
            if ratings[place].status != Status::Solved {
                open.extend_from_slice(puzzle);
                places.push(place);
            }
        }
        for (pass, technique) in passes {
            pass.run(Puzzles::new(open, stride)?, left);
            let mut kept = 0;
            for (at, left) in left.iter().enumerate() {
                let rating = &mut ratings[places[at]];
                match left {
                    Remainder::Nothing => {
                        let (hardest, score) = (Some(*technique), technique.score);
                        *rating = TechniqueRating { status: Status::Solved, hardest, score };
                    }
                    Remainder::Contradiction => rating.status = Status::None,
                    Remainder::Blanks => {
                        open.copy_within(at * stride..(at + 1) * stride, kept * stride);
                        places[kept] = places[at];
                        kept += 1;
                    }
                }
            }
            open.truncate(kept * stride);
            places.truncate(kept);
        }
        let answers = rater.rate(Puzzles::new(open, stride)?, is_stopped)?;
        let rated = puzzles.len() - places.len();
        for (((&place, answer), puzzle), done) in
            places.iter().zip(answers).zip(open.chunks_exact(stride)).zip(rated..)
        {
            advanced(done);
            if is_stopped() {
                return Err(crate::error::ErrorKind::Stopped.into());
            }
            ratings[place] = match answer.status {
                Status::Solved => explained(explainer, puzzle, options),
                status => TechniqueRating { status, hardest: None, score: 0 },
            };
        }
        Ok(ratings)
    }
}

/// The rating of a puzzle by its explanation.
fn explained(explainer: &Explainer, puzzle: &[u8], options: &Options) -> TechniqueRating {
    match explainer.difficulty(puzzle, options) {
        Ok(explain::Difficulty { hardest, score, end: End::Solved }) => {
            TechniqueRating { status: Status::Solved, hardest, score }
        }
        Ok(explain::Difficulty { end: End::Limit, .. }) => {
            TechniqueRating { status: Status::Limit, hardest: None, score: 0 }
        }
        _ => TechniqueRating { status: Status::Unanswered, hardest: None, score: 0 },
    }
}
