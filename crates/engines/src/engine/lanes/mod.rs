//! Lanes: solves many puzzles at once, one bit of a vector each.
//!
//! # The idea
//! Other solvers use vectors within a puzzle. A batch allows something better, because it has as many puzzles as a
//! vector has bits. *Bit-slicing* (Biham, "A Fast New DES Implementation in Software", FSE 1997) gives every puzzle a
//! lane. One vector holds one candidate (a digit in a cell) of all puzzles:
//!
//! ```text
//!            lane 0  lane 1  lane 2  ...  lane 255
//! 1 in cell 0   1       0       1             1       a row is a vector: a candidate of 256 puzzles
//! 2 in cell 0   0       0       1             1
//! ...
//! 9 in cell 80  1       1       0             0       729 rows, 23 KiB
//!               a column is a puzzle
//! ```
//! Propagation is then logic of whole vectors: it needs no shifts, tables or branches, and no bit of a vector is
//! idle. A sweep over all cells takes 4.7 ns per puzzle with AVX-512. (A prototype with eight puzzles in a vector, 32
//! bits each, took 76 cycles per puzzle for a part of the sweep; bit-sliced, the whole sweep took 21.)
//!
//! # Kinds
//! The [`pool`] knows nothing of a grid. A [`kind`] does: what a state is, how the lanes are swept, how a stuck state
//! is split. There are two:
//!
//! * [`nine`]: 9x9 sudoku. The inference and the splits follow Dillon's tdoku: six configurations of a digit in a band,
//!   triads, and splits of two configurations. In tdoku they work on the vectors of one puzzle; here they are formulas,
//!   the same for all lanes.
//! * [`any`]: all other grids of 4 to 15 symbols, by tables: blocks, regions, extra units. Larger
//!   grids stay with the engine `grid`, which is twice as fast on hard 16x16.
//!
//! # The way of a state
//! ```text
//! puzzle -- read --> planes -- load --> slice: start, sweeps, last sweep with triads -- store --> planes
//!                      ^                                                                            |
//!                      |      next side of the puzzle <- contradictory, solved (first is written) --+
//!                      |                                                                            |
//!                      +------------- two sides <-- split <-- choice <-- stuck ---------------------+
//! ```
//! A *round* is a load, three to five sweeps of all lanes, and a store. The [`pool`] decides which states are in the
//! lanes. It gives a free lane to another side of the same puzzle, to a new puzzle, or to a side of another puzzle. A
//! *choice* is a digit in a band or stack, or a cell; a split has two *sides*.
//!
//! | file | what |
//! |---|---|
//! | [`adders`] | logic of several vectors: one bit of every lane each |
//! | [`filter`] | the six configurations of a symbol in a band of three blocks |
//! | [`kind`] | what the pool asks of a kind of grids |
//! | [`nine`], [`any`] | the two kinds |
//! | [`state`] | the state of one puzzle outside the lanes |
//! | [`transpose`] | states to vectors and back |
//! | [`pool`] | which state is in which lane; stealing |
//! | [`sides`], [`waiting`] | the stacks of sides not yet tried; the states ready or queued |
//! | [`mod@batch`] | the puzzles of a call, and what is asked of them |
//! | [`calls`] | the call that other engines do not have: solutions other than a known one |
//! | [`trend`] | which choice and how many sweeps the next round gets |
//! | [`compiled`] | functions by name, compiled for each instruction set |
//!
//! Puzzles a second and core, to two solutions, beside the engine `grid` (AVX2 of a shared AMD EPYC of 2021, 2026-11-26,
//! 10,000 puzzles each, 2,000 of jigsaws and 12x12, best of five runs):
//!
//! | | minimal, lanes | grid | easy, lanes | grid |
//! |---|---|---|---|---|
//! | diagonal | 129,500 | 16,900 | 2,370,000 | 684,200 |
//! | windoku | 503,500 | 16,400 | 2,010,000 | 551,500 |
//! | Latin 9x9 | 841,700 | 84,600 | 2,330,000 | 126,200 |
//! | jigsaw | 114,100 | 5,500 | 2,720,000 | 113,800 |
//! | 4x4 | 20,580,000 | 5,540,000 | 19,620,000 | 5,140,000 |
//! | 6x6 | 8,250,000 | 1,900,000 | 8,480,000 | 2,270,000 |
//! | 12x12 | 99,900 | 58,500 | 842,800 | 422,300 |
//!
//! Nanoseconds for 256 lanes of 9x9 sudoku (Zen 4, 3.65 GHz):
//!
//! | | AVX-512 | AVX2 |
//! |---|---|---|
//! | sweep | 1,200 | 1,400 |
//! | last sweep, with triads | 1,900 | 2,230 |
//! | start, new puzzles among the states | 580 | 740 |
//! | load | 810 | 1,150 |
//! | store | 910 | 1,270 |
//! | strong choice | 2,100 | 3,300 |
//! | cheap choice | 80 | 100 |
//!
//! The start of a round without new puzzles takes 110.
//!
//! # Widths
//! AVX2 has 256 lanes. AVX-512 has 256 as well: it gives 32 registers and operations of three operands. No wider
//! vectors are used, because with 512 bits a sweep took the same time per lane, and the cells of 512 lanes no longer
//! fit the first-level cache. Any other machine gets the same kernels over four words of 64 bits, and the plain
//! transposition. One or two words would be 2 to 15 % faster there, but another number of lanes makes other guesses,
//! and the same input must give the same bytes on every machine. Batches of a few puzzles leave nearly all lanes empty:
//! calls in memory give them to another engine.
//!
//! # Time
//! One of 256 puzzles has no time of its own. But a round costs about the same for any states, so the busy lanes
//! share its cost equally. A clock adds up these shares. A puzzle pays what the clock advances while a state of it is
//! in a lane, for each such state. [`Stopwatch`](super::Stopwatch) divides the time of the batch in proportion to these
//! costs: the sum is the time that passed, and stragglers are visible.
//!
//! # Determinism
//! The status and the count of an answer never depend on the other puzzles of the batch. Which of many solutions comes
//! first, and the number of guesses, may depend on them, because lanes steal and the batch decides between the two
//! choices. The bytes are the same for any number of threads. For this, nothing depends on time, each batch is answered
//! as if it were the first, the pipeline cuts its chunks at fixed offsets of the input, and every instruction set has
//! 256 lanes.
//!
//! # Tried and lost
//! * Vectors of 512 bits: 4.6 ns per lane and sweep, as with 256, when everything is in the first-level cache, and
//!   5.3 in place. To fill them by two pools of 256 lanes, each with half of a batch, every machine would have to halve
//!   its batches. That alone makes 0.99 of the speed on the hardest puzzles, 0.93 to 0.94 on minimal ones and 17 clues,
//!   0.85 to 0.92 where puzzles have no solution or several.
//! * Plain arrays of words instead of vector registers: compilers do not always find the vectors. 6.0 to 7.2 ns per
//!   lane and sweep with AVX2, 9 to 10 with AVX-512, against 5.2 and 4.7.
//! * Closures (`array::from_fn`) over vectors in kernels: 15 times slower, because they are not inlined with the
//!   instruction set.
//! * Cells between the filters not stored but computed again in each pass: fewer stores, 4 to 15 % slower.
//! * The result of the filter and hidden singles in one pass: 13 % slower.
//! * Loops of nine left rolled: the same speed. Adders spelled out in operations of three operands, which compilers
//!   do not find: 2 % of the last sweep, no effect elsewhere.
//! * Five sweeps per round on easy puzzles: 3 % slower than four. Four if a third of the lanes is contradictory: 2 to
//!   6 % slower than three ([`trend`] decides by what it observes). Always three on all hard puzzles: 1 to 5 %
//!   slower.
//! * Never more than four sweeps per round for other kinds: 0.90 to 1.04 of the speed, by set.
//! * Lanes that become single in the last sweep swept once more to be sure, like all others: 2 to 7 % slower than a
//!   separate proof.
//! * Longer batches lose less at their ends, but more of the puzzles and answers leaves the second-level cache:
//!   relative to 16,384 easy puzzles, batches of 4,096 reach 0.92 of the speed, 8,192 reach 0.98, all 100,000 at once
//!   0.85.
//! * Rounds at the end of a batch, when more than half of the lanes are empty, with six or eight sweeps and always a last
//!   one with triads: half a round fewer of the six that the end of a batch costs, and the same time. Numbers of stuck
//!   and contradictory lanes relative to the busy ones, not to all: two rounds more.
//! * Bands and stacks split in the order of their lanes, with a jump that is mispredicted: 1 % slower.
//! * The two configurations of a digit from a table, not from the bits of its open ones: 0.1 % fewer to 0.1 % more
//!   instructions; the same time.
//! * Stealing from a list without the puzzles that are finished: on puzzles with several solutions 1.5 % fewer
//!   instructions to the second solution, 0.4 % more to the thousandth.
//! * 9x9 sudoku by the kind of all grids: 0.74 of the speed on puzzles with several solutions, 0.67 on minimal ones, 0.65
//!   on 17 clues, 0.52 on easy ones, 0.27 on the hardest.
//! * For 9x9 sudoku both sides of a split from two more stores, as for all grids (not built): all splits are 4.8 % of the
//!   instructions on puzzles with several solutions, so no more can be gained. The stores alone, added: 0.96 to 1.03
//!   of the speed.
//! * For 9x9 sudoku rows by digit and cell, so that load and store need no table of places (not built, but for these
//!   two): they take 0.94 to 0.96 of their time, about 1 % of a round.
//! * States that stay in the slice, are split there and are put aside in slices, so that nothing is transposed
//!   (prototype, `forum_hardest_1106`): 148,000 to 155,000 puzzles per second instead of 190,000 to 199,000. Putting
//!   a slice aside touches all of it; transposing costs less.

#![allow(clippy::needless_range_loop, reason = "kernels loop over indices: see `adders`")]

mod adders;
mod any;
mod batch;
mod calls;
mod compiled;
mod filter;
mod kind;
mod nine;
#[cfg(test)]
mod on_every_isa;
mod pool;
mod sides;
mod state;
mod transpose;
mod trend;
mod waiting;

use any::Any;
use batch::Batch;
use galop_simd::{Job, Simd, Vector};
use kind::Kind;
use nine::Nine;
pub(super) use nine::rating_pass;
use pool::Pool;

use super::{Engine, Entry, Isa, Unsupported, Work, WrongLength};
use crate::grid::Rules;
use crate::puzzle::{Answers, Limits, Puzzles};

use calls::Calls;
pub use calls::LanesEngine;

pub(super) const ENTRY: Entry = Entry {
    about: "256 puzzles at once, a bit of a vector each; fastest for many puzzles",
    max_guesses: 1_000_000,
    accepts: accept,
    steady: Some(make_steady),
    ..Entry::new("lanes", make)
};

/// Accepts grids that have a kind. (All of them fit the kind of all grids, 9x9 sudoku as well.)
fn accept(rules: &Rules) -> Result<(), Unsupported> {
    if any::fits(rules.grid()) { Ok(()) } else { Err(unfit(rules)) }
}

fn unfit(rules: &Rules) -> Unsupported {
    Unsupported::Rules { accepts: "grids of 4 to 15 symbols", rules: rules.name().to_owned() }
}

fn make(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(make_calls(rules, isa, false)?)
}

/// An engine whose rounds are all alike.
///
/// Then a state that is swept and split becomes the same whatever is in the other lanes. If a puzzle has one solution,
/// the search for a second one ends only when nothing is left to search. Its guesses depend on the puzzle alone:
/// stealing changes their order, not their number.
fn make_steady(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(make_calls(rules, isa, true)?)
}

fn make_calls(rules: &Rules, isa: Isa, is_steady: bool) -> Result<Box<dyn Calls>, Unsupported> {
    isa.run(Make { rules, isa, is_steady })?.ok_or(unfit(rules))
}

/// Makes the engine for the instruction set that was found; `None` if the grid has no kind.
struct Make<'a> {
    rules: &'a Rules,
    isa: Isa,
    is_steady: bool,
}

impl Make<'_> {
    fn lanes<S: Simd, V: Vector, K: Kind<S, V> + 'static>(self, kind: K) -> Box<dyn Calls> {
        Box::new(Lanes { pool: Pool::<S, V, K>::new(kind, self.isa, self.is_steady) })
    }
}

impl Job for Make<'_> {
    type Output = Option<Box<dyn Calls>>;

    fn run<S: Simd>(self) -> Self::Output {
        if self.rules.grid().is_nine() {
            return Some(self.lanes::<S, S::Quad, _>(Nine::new()));
        }
        let kind = Any::new::<S>(self.rules.grid())?;
        Some(self.lanes::<S, S::Quad, _>(kind))
    }
}

/// The engine: kernels compiled for `S`, over vectors `V`.
struct Lanes<S: Simd, V: Vector, K: Kind<S, V>> {
    pool: Pool<S, V, K>,
}

impl<S: Simd, V: Vector, K: Kind<S, V>> Engine for Lanes<S, V, K> {
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
        WrongLength::check(&puzzles, answers, self.pool.kind.cells())?;
        let count = puzzles.len().min(answers.len());
        let batch = Batch::new(puzzles.slice(0..count), limits, answers.slice(0..count));
        pool::run(&mut self.pool, batch, is_stopped);
        Ok(())
    }

    fn is_batched(&self) -> bool {
        true
    }

    fn work(&self) -> Option<Work> {
        Some(self.pool.work)
    }
}
