//! Grids of every kind and size: singles and locked candidates to a fixed point, naked pairs, then guesses.
//!
//! The candidates of a cell are a word, bit `symbol - 1`; a grid is words in slots, and is copied for every guess.
//! What follows from them is found in one of two ways, behind one interface ([`infer`]):
//!
//! | file | for | way |
//! |---|---|---|
//! | [`sweep`] | grids of square blocks, 2x3 and 3x4, with more units perhaps | all cells at once, by vectors |
//! | [`lists`] | all other grids: Latin squares, jigsaws, pairs of cells | one cell and one unit after the other |
//!
//! The rest is the same for both:
//! - [`search`]: guesses, and the way back;
//! - [`restart`]: when the search begins again;
//! - [`hand_over`]: a puzzle that takes thousands of guesses continues as exact cover;
//! - [`choose`]: where to guess, by the [`pairs`] of candidates; on the way there [`naked`] pairs;
//! - [`plan`]: units and their slots;
//! - [`blocks`]: vectors with a lane for each block.
//!
//! With the choice of an earlier version, sweeps answered 17-clue puzzles of 9x9 6.8 times as fast as lists. On 16x16
//! inference took a tenth of the time, and the choice three quarters of all. That is what [`pairs`] are for.
//!
//! Tried and lost:
//! - The whole search compiled as one kernel, with four copies of the sweep for each size and instruction set: as
//!   fast, but two minutes to compile instead of a quarter of one.
//! - What the first propagation leaves given to exact cover: option masks take 1.2 to 3 ms for the proof of a 16x16
//!   puzzle of `16x16.txt`, 0.1 ms here. For 25x25 and 300 clues, wide masks took 0.1 s, 0.2 s, 1.6 s and over a
//!   minute; here 0.05 s per puzzle.

mod blocks;
mod choose;
mod hand_over;
mod infer;
mod lists;
mod naked;
mod pairs;
mod plan;
mod restart;
mod search;
mod sweep;
#[cfg(test)]
mod tests;
mod word;

use super::{Each, Engine, Entry, Isa, Unsupported};
use crate::grid::{Grid, Rules};
use blocks::{Blocks, Large, Small};
use galop_simd::{Job, Simd};
use hand_over::HandOver;
use infer::Infer;
use lists::Lists;
use plan::Plan;
use search::Solver;
use sweep::Sweeps;
use word::Word;

pub(super) const ENTRY: Entry = Entry {
    about: "grids of every kind and size: singles, locked candidates, naked pairs, then guesses in cells of two",
    max_guesses: 10_000_000,
    accepts: accept,
    ..Entry::new("grid", make)
};

/// Accepts the rules if a [`Plan`] can hold their grid.
fn accept(rules: &Rules) -> Result<(), Unsupported> {
    if rules.grid().cells() > 0 && Plan::fits(rules.grid()) { Ok(()) } else { Err(too_large(rules)) }
}

fn too_large(rules: &Rules) -> Unsupported {
    Unsupported::Rules {
        accepts: "grids of at most 32 symbols and 128 units",
        rules: rules.name().to_owned(),
    }
}

fn make(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    accept(rules)?;
    isa.run(Make { rules, isa })?.ok_or(too_large(rules))
}

/// Makes the engine for the instruction set that was found; `None` if the grid is too large.
struct Make<'a> {
    rules: &'a Rules,
    isa: Isa,
}

impl Job for Make<'_> {
    type Output = Option<Box<dyn Engine>>;

    fn run<S: Simd>(self) -> Self::Output {
        make_for::<S>(self.rules, HandOver::new(self.rules, self.isa))
    }
}

fn make_for<S: Simd>(rules: &Rules, hand_over: HandOver) -> Option<Box<dyn Engine>> {
    let grid = rules.grid();
    let side = usize::from(grid.symbols());
    let block = grid.block().filter(|_| grid.parts() > 0 && grid.has_only_units());
    let extra = grid.units().get(3 * side..).unwrap_or_default();
    match block {
        Some((2, 2)) => sweeps::<S, Small<S::Quad>, 2, 2, 4>(grid, extra, hand_over),
        Some((2, 3)) => sweeps::<S, Small<S::Quad>, 3, 2, 6>(grid, extra, hand_over),
        Some((3, 3)) => sweeps::<S, Small<S::Quad>, 3, 3, 9>(grid, extra, hand_over),
        Some((3, 4)) => sweeps::<S, Small<S::Quad>, 4, 3, 12>(grid, extra, hand_over),
        Some((4, 4)) => sweeps::<S, Small<S::Quad>, 4, 4, 16>(grid, extra, hand_over),
        Some((5, 5)) => sweeps::<S, Large<S::Quad>, 5, 5, 25>(grid, extra, hand_over),
        _ => {
            let cells: Vec<u16> = (0..grid.cells()).map(|cell| cell as u16).collect();
            let plan = Plan::new(grid, cells, grid.cells())?;
            Some(solver(plan, Box::new(Lists::<S>::new(grid)), hand_over))
        }
    }
}

fn sweeps<S: Simd, B: Blocks, const W: usize, const H: usize, const N: usize>(
    grid: &Grid,
    extra: &[Vec<usize>],
    hand_over: HandOver,
) -> Option<Box<dyn Engine>> {
    let (cells, slots) = (Sweeps::<S, B, W, H, N>::cells(), Sweeps::<S, B, W, H, N>::SLOTS);
    let plan = Plan::new(grid, cells, slots)?;
    Some(solver(plan, Box::new(Sweeps::<S, B, W, H, N>::new(extra)), hand_over))
}

fn solver<W: Word>(plan: Plan, infer: Box<dyn Infer<W>>, hand_over: HandOver) -> Box<dyn Engine> {
    Box::new(Each(Solver::new(plan, infer, hand_over)))
}
