//! How a puzzle is answered: the interface of the engines, and the table of them.
//!
//! An engine holds no clock, no lock and does no I/O. Each worker has an engine of its own, which keeps its scratch
//! memory between calls.
//!
//! | file | holds |
//! |---|---|
//! | this one | [`Engine`], [`Search`], [`Each`], which makes a search an engine |
//! | `table` | [`ENGINES`], and which engine suits given rules |
//! | `account` | guesses, solutions and limits of one search |
//! | `lanes`, `bitboard`, `grid` | the fast engines |
//! | `cover` | any engine of exact cover, the bitboard in front of it or not |
//! | `coding` | how the bytes of a puzzle are options of an exact cover |
//! | `list` | all solutions of a puzzle, one after the other |
//! | `singles_pass` | how far naked and hidden singles lead |
//! | `backtrack` | the obvious search, the oracle of the others |
//! | `timed` | the time of each puzzle |

mod account;
mod backtrack;
mod bitboard;
mod coding;
mod cover;
mod error;
mod grid;
mod lanes;
mod list;
mod singles_pass;
mod table;
mod timed;

use std::ops::{AddAssign, ControlFlow};

use crate::puzzle::{Answer, Answers, Limits, Puzzles};

pub use crate::puzzle::WrongLength;
pub use account::{Account, Visit};
pub use error::{Unanswered, Unsupported};
pub use galop_simd::Isa;
pub use lanes::LanesEngine;
pub use list::{Lister, NextSolution};
pub use singles_pass::SinglesPass;
pub use table::{
    BACKTRACK, BITBOARD, DLX, ENGINES, Entry, GRID, HYBRID, HYBRID_LINKS, LANES, PROBLEM_ENGINES,
    compared_for, default_for, named, named_in, prover_for, second_for,
};
pub use timed::Stopwatch;

/// Solves batches.
pub trait Engine: Send {
    /// Answers `puzzles`: place `i` of `answers` belongs to puzzle `i`.
    ///
    /// Each puzzle is flat cells: 0 for a blank, 1..=n for a symbol. The solution bytes of a puzzle with a solution
    /// hold the first one that was found; the bytes of a puzzle without one may hold anything. Answers do not depend on
    /// earlier calls. If there are more puzzles than places, the engine solves the first ones only.
    ///
    /// # Errors
    /// If the puzzles or the solutions have not as many cells as the rules that the engine was made with. No answer
    /// is written then.
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength>;

    /// As [`solve`](Engine::solve), but it ends early once `is_stopped` returns true. Answers that it did not reach
    /// are then [`Status::Unanswered`](crate::puzzle::Status::Unanswered).
    ///
    /// This default checks between a few puzzles; an engine that solves many at once must check by itself.
    ///
    /// # Errors
    /// The errors of `solve`.
    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), WrongLength> {
        let at_once = match self.is_batched() {
            true => puzzles.len().max(1),
            false if self.is_slow() => 1,
            false => PUZZLES_BETWEEN_CHECKS,
        };
        for start in (0..puzzles.len()).step_by(at_once) {
            if is_stopped() {
                answers.slice(start..usize::MAX).clear();
                break;
            }
            let places = start..start + at_once;
            self.solve(puzzles.slice(places.clone()), limits, &mut answers.slice(places))?;
        }
        Ok(())
    }

    /// Passes every solution of `puzzle` to `visit`, in the order in which the engine finds them, until a limit is
    /// reached or `visit` breaks. Returns whether the engine can do so; it does if [`Entry::lists`] says so.
    fn list(
        &mut self,
        _puzzle: &[u8],
        _limits: Limits,
        _visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        false
    }

    /// Whether the engine solves many puzzles at once, so that batches should have thousands of them. It then fills
    /// [`Effort::cost`](crate::puzzle::Effort::cost), by which the time of a batch is shared out to its puzzles.
    fn is_batched(&self) -> bool {
        false
    }

    /// Whether a single puzzle may take seconds, so that a stop is looked for between any two.
    fn is_slow(&self) -> bool {
        false
    }

    /// What the engine has done since it was made, if it solves many puzzles at once.
    fn work(&self) -> Option<Work> {
        None
    }
}

/// A cell without candidates, or a unit without a place for a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;

/// What a pass leaves of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// The puzzle is solved, and has no other solution.
    Nothing,
    /// Cells with several candidates.
    Blanks,
    /// A cell without candidates, or a unit with no place for a symbol or the same symbol twice: no solution.
    Contradiction,
}

/// How far a pass goes: the hardest of the usual techniques that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Hidden singles: a symbol with one cell in a unit.
    HiddenSingles,
    /// Naked singles as well: a cell with one candidate.
    Singles,
    /// Pointing as well: the cells of a symbol in a block are in one line, and the rest of the line loses it.
    Pointing,
    /// Claiming as well: the cells of a symbol in a line are in one block, and the rest of the block loses it.
    Claiming,
}

/// Passes over batches of 9x9 sudokus.
trait Pass: Send {
    /// Fills `left`, which has a place for each puzzle.
    fn run(&mut self, puzzles: Puzzles<'_>, left: &mut [Remainder]);
}

/// Puzzles that an engine for single puzzles solves between two checks whether to stop.
const PUZZLES_BETWEEN_CHECKS: usize = 16;

/// What an engine that solves many puzzles at once has done. Adds up.
///
/// The engine works in rounds. A lane holds a state of one puzzle, or is empty; a round sweeps all lanes a few times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The instruction set that the engine was compiled for.
    pub isa: Isa,
    /// Places for puzzles.
    pub lanes: usize,
    /// Puzzles answered in lanes, without the puzzles of batches too small for lanes.
    pub puzzles: u64,
    /// Rounds.
    pub rounds: u64,
    /// Lanes that held a state, summed over the rounds.
    pub busy: u64,
    /// Sweeps of such lanes, summed.
    pub sweeps: u64,
}

impl Work {
    /// What was done since it was `before`.
    pub fn since(self, before: Work) -> Work {
        Work {
            puzzles: self.puzzles - before.puzzles,
            rounds: self.rounds - before.rounds,
            busy: self.busy - before.busy,
            sweeps: self.sweeps - before.sweeps,
            ..self
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.puzzles += other.puzzles;
        self.rounds += other.rounds;
        self.busy += other.busy;
        self.sweeps += other.sweeps;
    }
}

/// Solves one puzzle at a time; [`Each`] makes it an engine.
pub trait Search: Send {
    /// Cells of a puzzle.
    fn cells(&self) -> usize;

    /// See [`Engine::is_slow`].
    fn is_slow(&self) -> bool {
        false
    }

    /// Answers one `puzzle` (flat cells: 0 blank, 1..=n) and writes the first solution, if any, to `solution`. Both
    /// have [`cells`](Self::cells) bytes.
    ///
    /// A puzzle whose clues contradict each other, or with a symbol that the rules do not have, has no solution:
    /// that is an answer.
    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer;

    /// As [`search`](Self::search), but a long search asks `is_stopped` now and then. If that is true, the answer is
    /// [`Status::Unanswered`](crate::puzzle::Status::Unanswered). This default does not ask.
    fn search_until(
        &mut self,
        puzzle: &[u8],
        limits: Limits,
        solution: &mut [u8],
        _is_stopped: &dyn Fn() -> bool,
    ) -> Answer {
        self.search(puzzle, limits, solution)
    }

    /// As [`Engine::list`].
    fn list(
        &mut self,
        _puzzle: &[u8],
        _limits: Limits,
        _visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        false
    }
}

/// Makes a [`Search`] an [`Engine`], which solves the puzzles of a batch one by one.
///
/// (A blanket `impl Engine for S: Search` would clash with wrappers of engines such as `Stopwatch`: E0119.)
#[derive(Debug)]
pub struct Each<S>(pub S);

impl<S: Search> Engine for Each<S> {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        self.solve_until(puzzles, limits, answers, &|| false)
    }

    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), WrongLength> {
        WrongLength::check(&puzzles, answers, self.0.cells())?;
        let at_once = if self.0.is_slow() { 1 } else { PUZZLES_BETWEEN_CHECKS };
        let mut is_over = false;
        for (place, (puzzle, (solution, answer))) in puzzles.iter().zip(answers.iter_mut()).enumerate() {
            is_over |= place % at_once == 0 && is_stopped();
            *answer = match is_over {
                true => Answer::default(),
                false => self.0.search_until(puzzle, limits, solution, is_stopped),
            };
            is_over |= !answer.is_answered() && is_stopped();
        }
        Ok(())
    }

    fn list(
        &mut self,
        puzzle: &[u8],
        limits: Limits,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        self.0.list(puzzle, limits, visit)
    }

    fn is_slow(&self) -> bool {
        self.0.is_slow()
    }
}
