//! How hard a puzzle is: what singles leave of it, and the guesses of an engine.
//!
//! The guesses are counted in the search that proves the solution unique. That search visits the whole tree, so it is
//! not luck on which side of a guess the solution is; and only a puzzle with one solution has a rating. Engines that
//! adapt to the other puzzles of a batch rate with rounds that are all alike, so a rating depends on the puzzle alone.
//!
//! ```
//! use galop_corpora::rating::{Rater, Tier};
//! use galop_engines::{Rules, engine};
//! use galop_engines::puzzle::Puzzles;
//!
//! let puzzle: Vec<u8> = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!     .bytes().map(|byte| byte.saturating_sub(b'0') % 10).collect();
//! let rules = Rules::default();
//! let mut rater = Rater::new(&rules, engine::default_for(&rules))?;
//! let ratings = rater.rate(Puzzles::new(&puzzle, 81)?, &|| false)?;
//! assert_eq!((ratings[0].tier, ratings[0].guesses), (Tier::Singles, 0));
//! # Ok::<(), galop_batch::Error>(())
//! ```
//! [`RateOptions::by_techniques`](crate::RateOptions::by_techniques) rates by the techniques of people instead.

mod images;
mod techniques;

pub use self::images::{ImageGuesses, ImageRater};
pub(crate) use self::techniques::{TechniqueRater, TechniqueRating};

use crate::engine::{Engine, Entry, Isa, Remainder, SinglesPass, Unanswered};
use crate::error::{Error, ErrorKind};
use crate::grid::{Alphabet, Rules, Verifier, WrongSolution};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// The coarsest rating of a puzzle: what suffices to solve it, or why it has no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Naked and hidden singles solve it.
    Singles,
    /// The engine solves it without a guess.
    NoGuess,
    /// The engine guesses.
    Guesses,
    /// There is no single solution, or the engine gave up.
    Unrated(Status),
}

impl Tier {
    /// The tiers of puzzles with one solution, the easiest first.
    pub const ALL: [Tier; 3] = [Tier::Singles, Tier::NoGuess, Tier::Guesses];

    /// One line: what it means.
    pub fn about(self) -> &'static str {
        match self {
            Tier::Singles => "naked and hidden singles solve it",
            Tier::NoGuess => "the engine needs no guess",
            Tier::Guesses => "the engine guesses",
            Tier::Unrated(_) => "it has no solution or several, or the engine gave up",
        }
    }

    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Singles => "singles",
            Tier::NoGuess => "no-guess",
            Tier::Guesses => "guesses",
            Tier::Unrated(status) => status.word(),
        }
    }
}

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// What suffices to solve it.
    pub tier: Tier,
    /// Cells that singles leave blank. Of no meaning unless the puzzle has one solution.
    pub blanks: u16,
    /// Guesses of the engine. Of no meaning unless the puzzle has one solution.
    pub guesses: u64,
}

impl Rating {
    /// Whether the puzzle is known to have one solution.
    pub fn is_single(&self) -> bool {
        !matches!(self.tier, Tier::Unrated(_))
    }
}

impl From<Remainder> for Rating {
    /// The rating as far as singles know it: they do not tell [`Tier::NoGuess`] from [`Tier::Guesses`].
    fn from(left: Remainder) -> Rating {
        match left {
            Remainder::Blanks(0) => Rating { tier: Tier::Singles, blanks: 0, guesses: 0 },
            Remainder::Blanks(blanks) => Rating { tier: Tier::Guesses, blanks, guesses: 0 },
            Remainder::Contradiction => Rating { tier: Tier::Unrated(Status::None), blanks: 0, guesses: 0 },
        }
    }
}

/// Rates batches of puzzles.
pub struct Rater {
    pass: SinglesPass,
    left: Vec<Remainder>,
    ratings: Vec<Rating>,
    /// The puzzles that the engine solves, flat, and their places.
    unsolved: Vec<u8>,
    places: Vec<usize>,
    counter: Counter,
}

impl std::fmt::Debug for Rater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rater").field("engine", &self.counter.entry.name).finish_non_exhaustive()
    }
}

impl Rater {
    /// For puzzles of `rules`, with the guesses of the engine `entry`.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported).
    pub fn new(rules: &Rules, entry: &'static Entry) -> Result<Rater, Error> {
        Ok(Rater {
            pass: SinglesPass::new(rules, Isa::best()),
            left: Vec::new(),
            ratings: Vec::new(),
            unsolved: Vec::new(),
            places: Vec::new(),
            counter: Counter::new(rules, entry)?,
        })
    }

    /// The ratings of `puzzles`. Every solution is verified.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`] soon after `is_stopped` returns true, [`WrongSolution`], [`Unanswered`].
    pub fn rate(&mut self, puzzles: Puzzles<'_>, is_stopped: &dyn Fn() -> bool) -> Result<&[Rating], Error> {
        let Rater { pass, left, ratings, unsolved, places, counter } = self;
        pass.run(puzzles, left);
        ratings.clear();
        ratings.extend(left.iter().map(|&left| Rating::from(left)));
        unsolved.clear();
        places.clear();
        for (place, puzzle) in puzzles.iter().enumerate() {
            let is_solved = match left[place] {
                Remainder::Blanks(0) => counter.entry.solves_singles,
                Remainder::Blanks(_) => false,
                Remainder::Contradiction => true,
            };
            if !is_solved {
                unsolved.extend_from_slice(puzzle);
                places.push(place);
            }
        }
        counter.solve(Puzzles::new(unsolved, puzzles.stride())?, is_stopped)?;
        for (&place, (status, guesses)) in places.iter().zip(counter.answers()) {
            let rating = &mut ratings[place];
            rating.guesses = guesses;
            rating.tier = match (status, rating.tier) {
                // An engine that gives up on it knows less than singles do.
                (_, Tier::Singles) => Tier::Singles,
                (Status::Solved, _) if guesses == 0 => Tier::NoGuess,
                (Status::Solved, _) => Tier::Guesses,
                (status, _) => Tier::Unrated(status),
            };
        }
        Ok(ratings)
    }

    /// The ratings that [`rate`](Self::rate) returned last.
    pub fn ratings(&self) -> &[Rating] {
        &self.ratings
    }

    /// Whether the engine solves many puzzles at once.
    pub(crate) fn is_batched(&self) -> bool {
        self.counter.engine.is_batched()
    }

    /// Whether singles solve the puzzle at that place of the batch rated last, and the engine would not guess for it.
    fn is_solved_by_singles(&self, place: usize) -> bool {
        self.counter.entry.solves_singles && self.left.get(place) == Some(&Remainder::Blanks(0))
    }

    /// The status and the guesses of each of other puzzles; the ratings stay.
    ///
    /// # Errors
    /// Those of [`rate`](Self::rate).
    fn guesses(
        &mut self,
        puzzles: Puzzles<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<impl Iterator<Item = (Status, u64)>, Error> {
        self.counter.solve(puzzles, is_stopped)?;
        Ok(self.counter.answers())
    }
}

/// The engine, and room for what it answers.
struct Counter {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    limits: Limits,
    verifier: Verifier,
    alphabet: Alphabet,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

impl Counter {
    fn new(rules: &Rules, entry: &'static Entry) -> Result<Counter, Error> {
        Ok(Counter {
            entry,
            engine: entry.make_steady(rules, Isa::best())?,
            limits: Limits::UNIQUE.with_guesses(entry.max_guesses),
            verifier: Verifier::new(rules),
            alphabet: rules.alphabet().clone(),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    fn solve(&mut self, puzzles: Puzzles<'_>, is_stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        let Counter { entry, engine, limits, verifier, alphabet, solutions, answers } = self;
        let cells = puzzles.stride();
        solutions.resize(puzzles.len() * cells, 0);
        answers.clear();
        answers.resize(puzzles.len(), Answer::default());
        engine.solve_until(puzzles, *limits, &mut Answers::new(solutions, answers, cells)?, is_stopped)?;
        if is_stopped() {
            return Err(ErrorKind::Stopped.into());
        }
        for ((puzzle, solution), answer) in puzzles.iter().zip(solutions.chunks_exact(cells)).zip(answers) {
            match answer.status(*limits) {
                Status::Unanswered => return Err(Unanswered { engine: entry.name }.into()),
                Status::Solved => verifier.check(puzzle, solution).map_err(|violation| {
                    WrongSolution::new(entry.name, puzzle, solution, violation, alphabet)
                })?,
                _ => {}
            }
        }
        Ok(())
    }

    fn answers(&self) -> impl Iterator<Item = (Status, u64)> {
        self.answers.iter().map(|answer| (answer.status(self.limits), answer.effort.guesses))
    }
}
