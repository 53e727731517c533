//! How hard a puzzle is: for people by its techniques, for an engine by its guesses.
//!
//! The guesses are counted in the search that proves the solution unique. That search visits the whole tree, so it is
//! not luck on which side of a guess the solution is; and only a puzzle with one solution has a rating. Engines that
//! adapt to the other puzzles of a batch rate with rounds that are all alike, so a rating depends on the puzzle alone.
//!
//! ```
//! use galop_corpora::rating::Rater;
//! use galop_engines::{Rules, engine};
//! use galop_engines::puzzle::{Puzzles, Status};
//!
//! let puzzle: Vec<u8> = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!     .bytes().map(|byte| byte.saturating_sub(b'0') % 10).collect();
//! let rules = Rules::default();
//! let mut rater = Rater::new(&rules, engine::default_for(&rules))?;
//! let ratings = rater.rate(Puzzles::new(&puzzle, 81)?, &|| false)?;
//! assert_eq!((ratings[0].status, ratings[0].guesses), (Status::Solved, 0));
//! # Ok::<(), galop_batch::Error>(())
//! ```
//! [`rate`](crate::rate()) rates by techniques.

mod images;
mod techniques;

pub use self::images::{ImageGuesses, ImageRater};
pub(crate) use self::techniques::{TechniqueRater, TechniqueRating};

use crate::engine::{Engine, Entry, Isa, Unanswered};
use crate::error::{Error, ErrorKind};
use crate::grid::{Alphabet, Rules, Verifier, WrongSolution};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// The guesses of an engine for a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// [`Status::Solved`] if the puzzle has one solution. Only then the guesses have a meaning.
    pub status: Status,
    /// Guesses up to the proof that there is no second solution.
    pub guesses: u64,
}

impl Rating {
    /// The guesses of a puzzle with one solution.
    pub fn guesses(&self) -> Option<u64> {
        (self.status == Status::Solved).then_some(self.guesses)
    }
}

/// Counts the guesses of an engine for batches of puzzles.
pub struct Rater {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    limits: Limits,
    verifier: Verifier,
    alphabet: Alphabet,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

impl std::fmt::Debug for Rater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rater").field("engine", &self.entry.name).finish_non_exhaustive()
    }
}

impl Rater {
    /// For puzzles of `rules`, with the guesses of the engine `entry`.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported).
    pub fn new(rules: &Rules, entry: &'static Entry) -> Result<Rater, Error> {
        Ok(Rater {
            entry,
            engine: entry.make_steady(rules, Isa::best())?,
            limits: Limits::UNIQUE.with_guesses(entry.max_guesses),
            verifier: Verifier::new(rules),
            alphabet: rules.alphabet().clone(),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// The ratings of `puzzles`. Every solution is verified.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`] soon after `is_stopped` returns true, [`WrongSolution`], [`Unanswered`].
    pub fn rate(
        &mut self,
        puzzles: Puzzles<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<Rating>, Error> {
        let Rater { entry, engine, limits, verifier, alphabet, solutions, answers } = self;
        let cells = puzzles.stride();
        solutions.resize(puzzles.len() * cells, 0);
        answers.clear();
        answers.resize(puzzles.len(), Answer::default());
        engine.solve_until(puzzles, *limits, &mut Answers::new(solutions, answers, cells)?, is_stopped)?;
        if is_stopped() {
            return Err(ErrorKind::Stopped.into());
        }
        let answered = puzzles.iter().zip(solutions.chunks_exact(cells)).zip(answers);
        let rating = |((puzzle, solution), answer): ((&[u8], &[u8]), &mut Answer)| {
            let status = answer.status(*limits);
            match status {
                Status::Unanswered => return Err(Unanswered { engine: entry.name }.into()),
                Status::Solved => verifier.check(puzzle, solution).map_err(|violation| {
                    WrongSolution::new(entry.name, puzzle, solution, violation, alphabet)
                })?,
                _ => {}
            }
            Ok(Rating { status, guesses: answer.effort.guesses })
        };
        answered.map(rating).collect()
    }

    /// Whether the engine solves many puzzles at once.
    pub(crate) fn is_batched(&self) -> bool {
        self.engine.is_batched()
    }
}
