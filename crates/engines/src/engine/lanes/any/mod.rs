//! The kinds of all other grids: singles of any units, filters of rectangular blocks, splits of a cell.
//!
//! | file | what |
//! |---|---|
//! | [`tables`] | what the sweeps know of a grid |
//! | [`cells`] | the state of all lanes: a vector for each symbol and cell |
//! | [`convert`] | the state of one puzzle, from its cells and back |
//! | [`shape`] | the measures of a grid, as constants or as numbers |
//! | [`blocks`] | the sweep of grids with rectangular blocks; windoku, which has two systems of them |
//! | [`lines`] | the sweep of Latin squares and jigsaws |
//! | [`listed`] | extra units and leftovers |
//! | [`choice`] | the choice, and the split by it |
//! | [`kernels`] | the kernels by name, compiled for each instruction set |

use galop_simd::{Simd, Vector};

use super::batch::Candidate;
use super::kind::{Flags, Kind};
use super::state::Chunk;
use super::trend::{LastSweep, Round};
use super::{adders, compiled, filter, state, transpose};
use crate::grid::Grid;

mod blocks;
pub(in super::super) mod cells;
mod choice;
mod convert;
mod kernels;
mod lines;
mod listed;
mod shape;
mod tables;
#[cfg(test)]
mod tests;

use cells::Slice;
use choice::Choices;
use kernels::Kernels;
use tables::{Layout, Tables};

/// Whether a grid has a kind here. This builds nothing.
pub(super) fn fits(grid: &Grid) -> bool {
    Layout::of(grid).is_some()
}

/// The lanes.
pub(super) struct Any<V> {
    tables: Tables,
    kernels: Kernels<V>,
    slice: Box<Slice<V>>,
    choices: Box<Choices<V>>,
    /// The two sides of each lane's state.
    sides: [Vec<Chunk>; 2],
}

impl<V: Vector> Any<V> {
    /// For a grid; `None` if it does not [fit](fits).
    pub(super) fn new<S: Simd>(grid: &Grid) -> Option<Self> {
        let tables = Tables::new(grid)?;
        let bits = tables.side * tables.cells();
        let size = bits.div_ceil(Chunk::BITS);
        Some(Any {
            kernels: Kernels::new::<S>(&tables),
            tables,
            slice: Box::new(Slice::new(bits)),
            choices: Box::new(Choices::new(bits)),
            sides: [(); 2].map(|()| vec![Chunk::NONE; size * V::BITS]),
        })
    }
}

impl<S: Simd, V: Vector> Kind<S, V> for Any<V> {
    const HAS_CHEAP: bool = false;

    #[inline(always)]
    fn cells(&self) -> usize {
        self.tables.cells()
    }

    #[inline(always)]
    fn size(&self) -> usize {
        self.sides[0].len() / V::BITS
    }

    #[inline(always)]
    fn read(&self, puzzle: &[u8], state: &mut [Chunk]) -> bool {
        (self.kernels.read)(&self.tables, puzzle, state)
    }

    #[inline(always)]
    fn write(&self, state: &[Chunk], solution: &mut [u8]) {
        (self.kernels.write)(&self.tables, state, solution);
    }

    fn eliminate(&self, state: &mut [Chunk], Candidate { cell, symbol }: Candidate) {
        let (side, cells) = (self.tables.side, self.tables.cells());
        if cell < cells && (1..=side).contains(&usize::from(symbol)) {
            let bit = cells * usize::from(symbol - 1) + cell;
            let chunk = &mut state[bit / Chunk::BITS];
            chunk.set_word(bit / 64, chunk.word(bit / 64) & !(1 << (bit % 64)));
        }
    }

    #[inline(always)]
    fn propagate(&mut self, lanes: &mut [Chunk], _empty: &[u64], is_fresh: bool, round: Round) {
        let (tables, slice) = (&self.tables, &mut *self.slice);
        kernels::load::<S, V>(lanes, &mut slice.cells);
        kernels::start::<S, V>(tables, slice, is_fresh);
        for _ in 1..round.sweeps {
            (self.kernels.plain)(tables, slice);
        }
        match round.last {
            LastSweep::Plain => (self.kernels.plain)(tables, slice),
            LastSweep::Strong | LastSweep::Cheap => (self.kernels.last)(tables, slice),
        }
        kernels::store::<S, V>(&slice.cells, lanes);
    }

    #[inline(always)]
    fn flags(&self) -> Flags<V> {
        let Slice { contradictory, all, moving, .. } = *self.slice;
        Flags { contradictory, single: all, moving }
    }

    #[inline(always)]
    fn choose(&mut self, states: &[Chunk], _count: usize) {
        kernels::load::<S, V>(states, &mut self.slice.cells);
        (self.kernels.choose)(&self.tables, &self.slice.cells, &mut self.choices);
        let [one, other] = &mut self.sides;
        kernels::store::<S, V>(&self.choices.one, one);
        kernels::store::<S, V>(&self.choices.other, other);
    }

    #[inline(always)]
    fn sides<'a>(&'a self, lane: usize, _state: &'a [Chunk]) -> [&'a [Chunk]; 2] {
        let size = self.sides[0].len() / V::BITS;
        [&self.sides[0], &self.sides[1]].map(|states| state::at(states, lane, size))
    }

    #[inline(always)]
    fn split(&self, _lane: usize, _one: &mut [Chunk], _other: &mut [Chunk]) {}
}
