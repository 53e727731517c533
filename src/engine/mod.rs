//! How a puzzle is answered: the interface of the engines, and the table of them.
//!
//! An engine holds no clock, no lock and does no I/O; one value serves one worker and keeps its scratch
//! between calls. The table [`ENGINES`] is walked by the command line, its help, the tests and the benches:
//! one file and one row add an engine.

mod bitboard;
mod dlx;
mod grid;
mod hybrid;
mod lanes;
mod links;
mod published;
#[cfg(test)]
mod tests;
mod timed;

use std::ops::AddAssign;

use crate::grid::Rules;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

pub use crate::error::Unsupported;
pub use galop_simd::Isa;
pub use published::candidates;
pub use published::{Checker, check};
pub use timed::Timed;

/// Solves batches.
pub trait Engine: Send {
    /// Answers `puzzles`: place `i` of `answers` belongs to puzzle `i`, whenever it is filled.
    ///
    /// Each puzzle is flat cells (0 blank, 1..=n) of the stride of the rules the engine was made with. Where a
    /// solution was found, the first one stands in the solution bytes; where none was, they hold anything.
    /// Answers do not depend on earlier calls.
    fn solve(&mut self, puzzles: Puzzles<'_>, limits: Limits, answers: &mut Answers<'_>);

    /// As [`solve`](Engine::solve), but it may leave off once `is_stopped` says so; the answers are then unfinished.
    ///
    /// It looks between a few puzzles; an engine that solves many at once must see to it by itself.
    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) {
        in_pieces(self, puzzles, limits, answers, is_stopped);
    }

    /// Whether it solves many puzzles at once, and wants batches of thousands. It then fills
    /// [`Effort::cost`](crate::Effort::cost), from which [`Timed`] shares out the time of a batch.
    fn is_batched(&self) -> bool {
        false
    }

    /// What it has done since it was made, if it solves many puzzles at once.
    fn work(&self) -> Option<Work> {
        None
    }
}

/// Puzzles solved between two looks whether to stop, by engines that work on one at a time.
const AT_ONCE: usize = 16;

/// Has `engine` solve a few puzzles, looks whether to stop, and goes on; a batch for many at once is given whole.
fn in_pieces<E: Engine + ?Sized>(
    engine: &mut E,
    puzzles: Puzzles<'_>,
    limits: Limits,
    answers: &mut Answers<'_>,
    is_stopped: &dyn Fn() -> bool,
) {
    let at_once = if engine.is_batched() { puzzles.len().max(1) } else { AT_ONCE };
    for start in (0..puzzles.len()).step_by(at_once) {
        if is_stopped() {
            return;
        }
        let places = start..start + at_once;
        engine.solve(puzzles.slice(places.clone()), limits, &mut answers.slice(places));
    }
}

/// What an engine that solves many puzzles at once has done. Adds up.
///
/// It works in rounds: every lane holds a state of some puzzle, or none, and all of them are swept a few times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The instruction set it was compiled for.
    pub isa: Isa,
    /// Places for puzzles.
    pub lanes: usize,
    /// Puzzles answered in lanes; those of batches too small for that are not among them.
    pub puzzles: u64,
    /// Rounds.
    pub rounds: u64,
    /// Lanes that held a state, summed over the rounds.
    pub busy: u64,
    /// Sweeps of such lanes, summed.
    pub sweeps: u64,
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
    /// Answers one `puzzle` (flat cells: 0 blank, 1..=n) and writes the first solution, if any, to `solution`.
    ///
    /// A puzzle whose clues clash, or a symbol the rules do not have, has no solution: that is an answer.
    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer;
}

/// Makes a [`Search`] an [`Engine`]: the puzzles of a batch one by one.
///
/// (A blanket `impl Engine for S: Search` would clash with wrappers such as [`Timed`]: E0119.)
#[derive(Debug)]
pub struct Each<S>(pub S);

impl<S: Search> Engine for Each<S> {
    fn solve(&mut self, puzzles: Puzzles<'_>, limits: Limits, answers: &mut Answers<'_>) {
        for (puzzle, (solution, answer)) in puzzles.iter().zip(answers.iter_mut()) {
            *answer = self.0.search(puzzle, limits, solution);
        }
    }
}

/// A row of the table of engines.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// Another name it is known by, which the command line takes as well.
    pub alias: Option<&'static str>,
    /// One line: what it does.
    pub about: &'static str,
    /// The default limit on guesses: far above what any published one-solution puzzle needs with this engine
    /// (its source stands in the engine's file), low enough that one puzzle cannot stall a batch.
    pub max_guesses: u64,
    /// Whether it fills [`Effort::calls`](crate::Effort::calls) and [`Effort::depth`](crate::Effort::depth).
    pub counts_calls: bool,
    /// Whether it may leave a puzzle [stuck](crate::Status::Stuck).
    pub may_be_stuck: bool,
    /// Makes one, for one worker. An instruction set that is not
    /// [available](Isa::is_available) is taken for the [best](Isa::best).
    pub make: fn(&Rules, Isa) -> Result<Box<dyn Engine>, Unsupported>,
}

impl Entry {
    /// What rows of the table have in common, for them to start from: no alias, no calls counted, never stuck.
    pub const PLAIN: Entry = Entry {
        name: "",
        alias: None,
        about: "",
        max_guesses: 1_000_000,
        counts_calls: false,
        may_be_stuck: false,
        make: |rules, _| Err(Unsupported { accepts: "nothing", rules: rules.name() }),
    };
}

/// Every engine, fastest first: one row adds one.
pub const ENGINES: &[Entry] = &[
    lanes::ENTRY,
    bitboard::ENTRY,
    hybrid::MASKS,
    hybrid::LINKS,
    grid::ENTRY,
    dlx::ENTRY,
    published::LOGIC,
    published::REDUCE,
    published::NORVIG,
    published::STRATEGIES,
    published::SINGLES,
    published::BACKTRACK,
];

/// The engine of that name or alias, or `None`.
pub fn engine(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name || entry.alias == Some(name))
}
