//! The state of all lanes: a vector for each candidate.
//!
//! ```text
//!                  lane 0  lane 1  ...  lane 255
//! 1 in cell 0         1       0             1       the rows are in the order of the bits of a state:
//! 1 in cell 1         0       0             1       all cells of symbol 1, all cells of symbol 2, ...
//! ...
//! ```
//! In this order a state is turned without a table of places, and a symbol's cells are one behind the other.

use std::ops::{Index, IndexMut};

use galop_simd::Vector;

use super::adders::count_up;
use super::tables::Tables;
use super::transpose::Rows;

/// `N` vectors, a power of two.
///
/// An index is a sum of two numbers, each taken modulo `N / 2`. So no check is needed, and a kernel that computes the
/// first number outside of its loops and has constants for the second one pays nothing for it. (With one number modulo
/// `N`, the sweep of windokus took 1.8 times as long.)
#[derive(Clone)]
pub(crate) struct Vectors<V, const N: usize>(Box<[V; N]>);

impl<V: Vector, const N: usize> Vectors<V, N> {
    /// No bit.
    pub(crate) fn new() -> Self {
        const { assert!(N.is_power_of_two()) }
        let boxed: Result<Box<[V; N]>, _> = vec![V::ZERO; N].into_boxed_slice().try_into();
        Vectors(boxed.unwrap_or_else(|_| Box::new([V::ZERO; N])))
    }
}

impl<V, const N: usize> Index<[usize; 2]> for Vectors<V, N> {
    type Output = V;

    #[inline(always)]
    fn index(&self, [base, offset]: [usize; 2]) -> &V {
        &self.0[base % (N / 2) + offset % (N / 2)]
    }
}

impl<V, const N: usize> IndexMut<[usize; 2]> for Vectors<V, N> {
    #[inline(always)]
    fn index_mut(&mut self, [base, offset]: [usize; 2]) -> &mut V {
        &mut self.0[base % (N / 2) + offset % (N / 2)]
    }
}

/// The candidates of all lanes, by symbol and cell.
#[derive(Clone)]
pub(crate) struct Candidates<V> {
    vectors: Vectors<V, 8192>,
    bits: usize,
}

impl<V: Vector> Candidates<V> {
    /// No candidates in states of that many bits, 4,096 at most.
    pub(crate) fn new(bits: usize) -> Self {
        Candidates { vectors: Vectors::new(), bits }
    }
}

impl<V> Index<[usize; 2]> for Candidates<V> {
    type Output = V;

    #[inline(always)]
    fn index(&self, bit: [usize; 2]) -> &V {
        &self.vectors[bit]
    }
}

impl<V> IndexMut<[usize; 2]> for Candidates<V> {
    #[inline(always)]
    fn index_mut(&mut self, bit: [usize; 2]) -> &mut V {
        &mut self.vectors[bit]
    }
}

impl<V: Vector> Rows<V> for Candidates<V> {
    #[inline(always)]
    fn bits(&self) -> usize {
        self.bits
    }

    #[inline(always)]
    fn row(&self, first: usize, offset: usize) -> &V {
        &self.vectors[[first, offset]]
    }

    #[inline(always)]
    fn row_mut(&mut self, first: usize, offset: usize) -> &mut V {
        &mut self.vectors[[first, offset]]
    }
}

/// All lanes.
pub(crate) struct Slice<V> {
    pub(super) cells: Candidates<V>,
    /// By cell: lanes in which it has one candidate.
    pub(super) single: Vectors<V, 512>,
    /// By symbol and block, of both systems of blocks: lanes in which the symbol has two cells or more.
    pub(super) open: [Vectors<V, 512>; 2],
    /// By unit and symbol: lanes in which the symbol has one cell.
    pub(super) once: Vectors<V, 4096>,
    pub(super) contradictory: V,
    /// Lanes in which every cell has one candidate.
    pub(super) all: V,
    /// Lanes that the last sweep changed, or may have changed if it did not check.
    pub(super) moving: V,
}

impl<V: Vector> Slice<V> {
    /// No candidates in states of that many bits.
    pub(super) fn new(bits: usize) -> Self {
        Slice {
            cells: Candidates::new(bits),
            single: Vectors::new(),
            open: [Vectors::new(), Vectors::new()],
            once: Vectors::new(),
            contradictory: V::ZERO,
            all: V::ZERO,
            moving: V::ZERO,
        }
    }

    /// Prepares the first sweep of a round, after states were loaded. `is_fresh`: there are puzzles among them, whose
    /// clues may contradict each other. What the sweeps do not find of that is found here.
    #[inline(always)]
    pub(super) fn start(&mut self, tables: &Tables, is_fresh: bool) {
        let (side, cells) = (tables.side, tables.cells());
        (self.contradictory, self.all) = (V::ZERO, V::ZERO);
        if !is_fresh && !tables.needs_single() {
            return;
        }
        for cell in 0..cells {
            let mut at_least = [V::ZERO; 2];
            for symbol in 0..side {
                count_up(&mut at_least, self.cells[[symbol * cells, cell]]);
            }
            self.single[[cell, 0]] = at_least[0] & !at_least[1];
        }
        if is_fresh {
            for symbol in 0..side {
                for unit in &tables.units[tables.checked..] {
                    let mut clue = V::ZERO;
                    for &cell in &unit[..side] {
                        let cell = usize::from(cell);
                        let here = self.cells[[symbol * cells, cell]] & self.single[[cell, 0]];
                        self.contradictory |= clue & here;
                        clue |= here;
                    }
                }
            }
        }
    }

    /// Notes what a sweep has found.
    #[inline(always)]
    pub(super) fn end_sweep<const LAST: bool>(&mut self, contradictory: V, all: V, moved: V) {
        let is_new = all & !self.all;
        self.contradictory = contradictory;
        self.moving = if LAST { (moved & !all) | is_new } else { !all | is_new };
        self.all = all;
    }
}
