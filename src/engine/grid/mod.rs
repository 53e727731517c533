//! Grids of every kind and size: singles and locked candidates to a fixed point, naked pairs, then guesses.
//!
//! The candidates of a cell are a word, bit `symbol - 1`; a grid is words in slots, and is copied for every guess.
//! What follows is found in one of two ways behind one interface ([`infer`]):
//!
//! | file | for | way |
//! |---|---|---|
//! | [`sweep`] | grids that hold the units of a sudoku, and perhaps more | all cells at once, by vectors |
//! | [`lists`] | all others: Latin squares, jigsaws | one cell and one unit after the other |
//!
//! The rest is the same for both:
//! - [`search`]: guesses, and the way back;
//! - [`choose`]: where to guess, by the [`pairs`] of candidates; on the way there [`naked`] pairs;
//! - [`plan`]: units and their slots;
//! - [`machine`]: what is compiled for an instruction set.
//!
//! With the choice that was there before, sweeps answered 17-clue puzzles of 9x9 6.8 times as fast as lists; on 16x16
//! what is inferred took a tenth of the time. The choice then took three quarters of all, which [`pairs`] are for.
//!
//! Tried and lost:
//! - the whole search compiled behind one door, where the kernel stands four times for each size and instruction
//!   set: as fast, but two minutes to compile in place of a quarter of one;
//! - to hand what the first propagation leaves to exact cover: option masks take 1.2 to 3 ms for the proof of a 16x16
//!   puzzle of `16x16.txt`, 0.1 ms here; of 25x25 and 300 clues wide masks took 0.1 s, 0.2 s, 1.6 s and over a minute,
//!   0.05 s a puzzle here.

mod choose;
mod infer;
mod lists;
mod machine;
mod naked;
mod pairs;
mod plan;
mod search;
mod sweep;
#[cfg(test)]
mod tests;
mod word;

use super::{Each, Engine, Entry, Isa, Unsupported};
use crate::grid::{Grid, Rules, kind};
use infer::Infer;
use lists::Lists;
use machine::{Machine, Portable};
use plan::Plan;
use search::Solver;
use sweep::{Sweeps, Vector};

pub(super) const ENTRY: Entry = Entry {
    name: "grid",
    about: "grids of every kind and size: singles, locked candidates, naked pairs, then guesses in cells of two",
    max_guesses: 10_000_000,
    make,
    ..Entry::PLAIN
};

fn make(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    let isa = isa.or_best();
    let engine = match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => machine::Avx512::find().and_then(|machine| make_for(machine, rules)),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => machine::Avx2::find().and_then(|machine| make_for(machine, rules)),
        _ => Portable::find().and_then(|machine| make_for(machine, rules)),
    };
    engine.ok_or(Unsupported { accepts: "grids of at most 32 symbols and 128 units", rules: rules.name() })
}

fn make_for<M: Machine>(machine: M, rules: &Rules) -> Option<Box<dyn Engine>> {
    let grid = rules.grid();
    let side = usize::from(grid.symbols());
    let sudoku = kind("sudoku").and_then(|kind| (kind.grid)(side, None));
    let extra = sudoku
        .filter(|sudoku| sudoku.cells() == grid.cells())
        .and_then(|sudoku| grid.units().strip_prefix(sudoku.units()));
    match (side, extra) {
        (4, Some(extra)) => sweeps::<M, M::Small, 2, 2, 4>(machine, grid, extra),
        (6, Some(extra)) => sweeps::<M, M::Small, 3, 2, 6>(machine, grid, extra),
        (9, Some(extra)) => sweeps::<M, M::Small, 3, 3, 9>(machine, grid, extra),
        (12, Some(extra)) => sweeps::<M, M::Small, 4, 3, 12>(machine, grid, extra),
        (16, Some(extra)) => sweeps::<M, M::Small, 4, 4, 16>(machine, grid, extra),
        (25, Some(extra)) => sweeps::<M, M::Large, 5, 5, 25>(machine, grid, extra),
        _ => {
            let cells: Vec<u16> = (0..grid.cells()).map(|cell| cell as u16).collect();
            let plan = Plan::new(grid, cells, grid.cells())?;
            Some(solver(machine, plan, Lists::<M>::new(grid)))
        }
    }
}

fn sweeps<M: Machine, V: Vector, const W: usize, const H: usize, const N: usize>(
    machine: M,
    grid: &Grid,
    extra: &[Vec<usize>],
) -> Option<Box<dyn Engine>> {
    let (cells, slots) = (Sweeps::<M, V, W, H, N>::cells(), Sweeps::<M, V, W, H, N>::SLOTS);
    let plan = Plan::new(grid, cells, slots)?;
    Some(solver(machine, plan, Sweeps::<M, V, W, H, N>::new(machine, extra)))
}

fn solver<M: Machine, I: Infer>(machine: M, plan: Plan, infer: I) -> Box<dyn Engine> {
    Box::new(Each(Solver::new(machine, plan, infer)))
}
