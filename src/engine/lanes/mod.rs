//! Lanes: many puzzles at once, one bit of a vector each.
//!
//! # The idea
//! Other solvers use vectors within a puzzle. A batch has something better: as many puzzles as a vector has bits.
//! *Bit-slicing* (Biham, "A Fast New DES Implementation in Software", FSE 1997) gives every puzzle a lane, and one
//! vector holds one candidate, a digit in a cell, of all of them:
//!
//! ```text
//!            lane 0  lane 1  lane 2  ...  lane 255
//! 1 in cell 0   1       0       1             1       a row is a vector: a candidate of 256 puzzles
//! 2 in cell 0   0       0       1             1
//! ...
//! 9 in cell 80  1       1       0             0       729 rows, 23 KiB
//!               a column is a puzzle
//! ```
//! Propagation is then logic of whole vectors: no shifts, no tables, no branches, and no bit of a vector is idle.
//! A sweep over all cells takes 4.7 ns a puzzle with AVX-512. (A prototype with eight puzzles a vector, 32 bits
//! each, took 76 cycles a puzzle for a part of the sweep; sliced, the whole of it took 21.)
//!
//! What is inferred, and how states are split, is of the school of Dillon's tdoku: a digit's six configurations
//! in a band ([`filter`]), triads ([`triads`]), splits of two configurations. There they work on the vectors of one
//! puzzle; here they are formulas, the same for all lanes.
//!
//! # The road of a state
//! ```text
//! puzzle -- read --> planes -- load --> slice: start, sweeps, last sweep with triads -- store --> planes
//!                      ^                                                                            |
//!                      |      next side of the puzzle <--- bad, solved (the first one is written) --+
//!                      |                                                                            |
//!                      +------------- two sides <-- split <-- choice <-- stuck ---------------------+
//! ```
//! A *round* is a load, three to five sweeps of all lanes, and a store. The [`pool`] says which states are in the
//! lanes, and hands the places that become free to sides, new puzzles, or sides of other puzzles. A choice is a
//! digit in a band or stack; each of the two sides gets one of its configurations.
//!
//! | file | what |
//! |---|---|
//! | [`vector`] | one bit of every lane: AND, OR, XOR, NOT, and adders of them |
//! | [`mod@slice`] | the state of all lanes: cells, minirows, minicolumns, flags |
//! | [`planes`] | the state of one puzzle outside the slice; to and from its 81 cells |
//! | [`transpose`] | planes to slice and back |
//! | [`filter`] | the six configurations of a digit in a band |
//! | [`sweep`] | one step of propagation; the start of a round, its last sweep, the proof of solved lanes |
//! | [`singles`] | naked and hidden singles of a block |
//! | [`triads`] | three digits in three cells |
//! | [`tally`] | configurations counted, numbers compared |
//! | [`choice`] | a choice, sliced, and lane by lane |
//! | [`strong`] | the choice that looks ahead |
//! | [`cheap`] | tdoku's choice, for puzzles of many solutions |
//! | [`split`] | one state becomes two |
//! | [`pool`] | which state is in which lane; stealing |
//! | [`sides`], [`waiting`] | the stacks of sides not yet tried; the states ready or queued |
//! | [`trend`] | which choice and how many sweeps the next round gets |
//! | [`machine`] | the kernels compiled for each instruction set |
//! | `oracle`, `states` | the obvious version, and states to test with |
//!
//! Nanoseconds for 256 lanes (Zen 4, 3.65 GHz):
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
//! AVX2 has 256 lanes. So has AVX-512, which gives 32 registers and operations of three operands, but no wider
//! vectors: with 512 bits a sweep took the same time a lane, and the cells of 512 lanes no longer fit the
//! first-level cache. Any other machine gets the same kernels over one or two words of 64 bits, and the plain
//! transposition. Batches of fewer than 32 puzzles would leave nearly all lanes empty: `bitboard` answers them.
//!
//! # Time
//! One of 256 puzzles has no time of its own. But a round costs much the same whatever is in it, so the lanes
//! that are busy share its cost: a clock of such shares runs along, and a puzzle's cost is what passes while its
//! states are in lanes, counted for each of them. [`Timed`](super::Timed) shares out the batch's time by these
//! costs: the sum is the time that passed, and stragglers show as what they are.
//!
//! # Determinism
//! Status and count of an answer never depend on company. Which of many solutions is found first, and the number
//! of guesses, may: lanes steal, and the choice goes by the batch. So nothing depends on time, each batch is
//! answered as if it were the first, and the road cuts its chunks at fixed offsets of the input: the same bytes
//! for any number of threads. Another number of lanes may make other guesses.
//!
//! # Tried and lost
//! * Vectors of 512 bits: 4.6 ns a lane and sweep, as with 256, where everything is in the first-level cache, and
//!   5.3 in place.
//! * Plain arrays of words in place of vector registers: compilers do not always find the vectors. 6.0 to 7.2 ns a
//!   lane and sweep with AVX2, 9 to 10 with AVX-512, against 5.2 and 4.7.
//! * Closures (`array::from_fn`) over vectors in kernels: 15 times slower, as they are not inlined with the
//!   instruction set.
//! * Cells between the filters not stored but computed again in each pass: fewer stores, 4 to 15 % slower.
//! * The filter's result and hidden singles in one pass: 13 % slower.
//! * Loops of nine left rolled: the same speed. Adders spelled out in operations of three operands, which
//!   compilers do not find: 2 % of the last sweep, nothing elsewhere.
//! * Five sweeps a round on easy puzzles, 3 % slower than four; four where a third of the lanes is bad, 2 to 6 % slower
//!   than three ([`trend`] goes by what it sees); three always on all hard ones, 1 to 5 % slower.
//! * Lanes that become single in the last sweep swept once more to be sure, as all others: 2 to 7 % slower than a
//!   proof of their own.
//! * The longer a batch, the less is lost at its ends, but also the less of puzzles and answers is still in the
//!   second-level cache: 4,096 puzzles 0.92, 8,192 0.98, all 100,000 0.85 of the speed at 16,384 on easy ones.
//! * Bands and stacks split from one list, with a jump: 1 % slower.
//! * States that stay in the slice, split there and put aside in slices, so that nothing is transposed
//!   (prototype, `forum_hardest_1106`): 148,000 to 155,000 puzzles a second instead of 190,000 to 199,000. To put
//!   a slice aside touches all of it; transposing costs less.

#![allow(clippy::needless_range_loop, reason = "kernels loop over indices: see `vector`")]

mod cheap;
mod choice;
mod filter;
mod machine;
#[cfg(test)]
mod oracle;
mod planes;
mod pool;
mod sides;
mod singles;
mod slice;
mod split;
#[cfg(test)]
mod states;
mod strong;
mod sweep;
mod tally;
mod transpose;
mod trend;
mod triads;
mod vector;
mod waiting;

use machine::{Machine, Portable};
use pool::Pool;

use super::{Engine, Entry, Isa, Unsupported, Work, bitboard};
use crate::grid::Rules;
use crate::puzzle::{Answers, Limits, Puzzles};

pub(super) const ENTRY: Entry = Entry {
    name: "lanes",
    about: "9x9 sudoku, up to 256 puzzles at once, a bit of a vector each; fastest for many puzzles",
    max_guesses: 1_000_000,
    make,
    ..Entry::PLAIN
};

/// Batches of fewer puzzles go to `bitboard`. Where lanes overtake it: at 30 easy puzzles, 46 of 17 clues, below 16
/// of the hardest.
const FEWEST: usize = 32;

fn make(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    bitboard::accept(rules)?;
    let isa = isa.or_best();
    let few = (bitboard::ENTRY.make)(rules, isa)?;
    Ok(match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => lanes(machine::Avx512::find(), few),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => lanes(machine::Avx2::find(), few),
        Isa::Portable128 => lanes(Portable::<2>::find(), few),
        _ => lanes(Portable::<1>::find(), few),
    })
}

/// The engine on `machine`; `few` alone if this computer is no such machine.
fn lanes<M: Machine>(machine: Option<M>, few: Box<dyn Engine>) -> Box<dyn Engine> {
    match machine {
        Some(machine) => Box::new(Lanes { pool: Pool::new(machine), few }),
        None => few,
    }
}

struct Lanes<M: Machine> {
    pool: Pool<M>,
    /// What answers batches too small for lanes.
    few: Box<dyn Engine>,
}

impl<M: Machine> Engine for Lanes<M> {
    fn solve(&mut self, puzzles: Puzzles<'_>, limits: Limits, answers: &mut Answers<'_>) {
        self.solve_until(puzzles, limits, answers, &|| false);
    }

    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) {
        let count = puzzles.len().min(answers.len());
        let puzzles = puzzles.slice(0..count);
        let is_wrong =
            puzzles.stride() != 81 || answers.get_mut(0).is_none_or(|(places, _)| places.len() != 81);
        if count < FEWEST || is_wrong {
            self.few.solve(puzzles, limits, answers);
            for (_, answer) in answers.iter_mut().filter(|_| !is_wrong) {
                answer.effort.cost = 1 + answer.effort.guesses;
            }
            return;
        }
        let machine = self.pool.machine();
        machine.run(&mut self.pool, puzzles, limits, &mut answers.slice(0..count), is_stopped);
    }

    fn is_batched(&self) -> bool {
        true
    }

    fn work(&self) -> Option<Work> {
        Some(self.pool.work)
    }
}
