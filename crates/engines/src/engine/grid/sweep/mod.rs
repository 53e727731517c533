//! Sudokus: all blocks of a grid in the lanes of vectors, every inference swept over the whole grid at once.
//!
//! ```text
//! grid of 9      block 0       block 1                      vector 0  | b0 p0 | b1 p0 | b2 p0 | b3 p0 | ...
//!             | p0 p1 p2 | p0 p1 p2 | ...                   vector 1  | b0 p1 | b1 p1 | b2 p1 | b3 p1 | ...
//!             | p3 p4 p5 | p3 p4 p5 | ...                   ...
//!             | p6 p7 p8 | p6 p7 p8 | ...                   vector 8  | b0 p8 | b1 p8 | b2 p8 | b3 p8 | ...
//! ```
//! A vector holds the cells at one place of all blocks. Plain operations between vectors then find what the cells of a
//! block have in common, or the cells of a row within a block, for all blocks at once. Lanes change places only where a
//! row or a column goes on in the next block: once for each row of a block, not for each cell.
//!
//! - `kernel`: a sweep;
//! - `second`: the second system of blocks of a windoku;
//! - `extra`: units besides rows, columns and blocks.

mod extra;
mod kernel;
mod second;

use std::marker::PhantomData;

use galop_simd::{Kernel, Simd};

use super::blocks::Blocks;
use super::infer::{Contradiction, Infer};
use super::pairs::Pairs;
use super::plan::Plan;
use super::word::Word;
use crate::grid::without_windows;
use second::Second;

/// Grids of `N` symbols in blocks of `W` x `H` cells.
pub(super) struct Sweeps<S, B: Blocks, const W: usize, const H: usize, const N: usize> {
    /// All symbols in the lanes of blocks, no symbol in the others.
    all: Vec<B::Word>,
    /// Windokus have a second system of blocks.
    second: Option<Second<B::Word>>,
    /// The slots of the units that are not rows, columns, blocks or windows.
    extra: Vec<Vec<u16>>,
    /// The number of the first of these units.
    first_extra: usize,
    compiled_for: PhantomData<S>,
}

impl<S: Simd, B: Blocks, const W: usize, const H: usize, const N: usize> Sweeps<S, B, W, H, N> {
    /// `extra` are the cells of the units that are not rows, columns or blocks.
    pub(super) fn new(extra: &[Vec<usize>]) -> Self {
        let mut all = vec![B::Word::default(); B::LANES];
        let cells = Self::cells();
        let other = without_windows(N, extra);
        let second = other.map(|_| Second::new(&cells, Self::SLOTS));
        let (units, extra) = (3 * N + extra.len(), other.unwrap_or(extra));
        let first_extra = units - extra.len();
        let slots = extra.iter().map(|unit| unit.iter().map(|&cell| cells[cell]).collect()).collect();
        cells.iter().for_each(|&slot| {
            all[usize::from(slot) % B::LANES] = B::Word::of(u32::MAX >> (32 - N));
        });
        Sweeps { all, second, extra: slots, first_extra, compiled_for: PhantomData }
    }

    /// Words of a grid.
    pub(super) const SLOTS: usize = N * B::LANES;

    /// The slot of every cell.
    pub(super) fn cells() -> Vec<u16> {
        let slot = |cell| {
            let (row, column) = (cell / N, cell % N);
            let place = row % H * W + column % W;
            (place * B::LANES + row / H * B::GROUP + column / W) as u16
        };
        (0..N * N).map(slot).collect()
    }
}

impl<S: Simd, B: Blocks, const W: usize, const H: usize, const N: usize> Infer<B::Word>
    for Sweeps<S, B, W, H, N>
{
    fn start(&mut self, _words: &[B::Word]) {}

    fn clear(&mut self) {}

    fn keep(&mut self, words: &mut [B::Word], slot: usize, candidates: u32) {
        words[slot] = B::Word::of(words[slot].into() & candidates);
    }

    fn propagate(&mut self, words: &mut [B::Word]) -> Result<(), Contradiction> {
        let symbols = u32::MAX >> (32 - N);
        loop {
            let all = &self.all;
            S::run(Propagate::<B, W, H, N> { words, all })?;
            let sweep = |words: &mut [B::Word]| S::run(Propagate::<B, W, H, N> { words, all });
            let is_changed = match &mut self.second {
                Some(second) => second.propagate(words, sweep)?,
                None => false,
            };
            let is_done =
                self.extra.is_empty() || !extra::singles(words, &self.extra, symbols, self.first_extra)?;
            if is_done && !is_changed {
                return Ok(());
            }
        }
    }

    fn pairs(&self, words: &[B::Word], pairs: &mut Vec<u16>) -> bool {
        S::run(Find::<B, N> { words, pairs })
    }

    fn compare(&self, plan: &Plan, words: &[B::Word], pairs: &mut Pairs<B::Word>) {
        pairs.compare::<S, B>(plan, words);
    }
}

/// See [`kernel::propagate`].
struct Propagate<'p, B: Blocks, const W: usize, const H: usize, const N: usize> {
    words: &'p mut [B::Word],
    all: &'p [B::Word],
}

impl<B: Blocks, const W: usize, const H: usize, const N: usize> Kernel for Propagate<'_, B, W, H, N> {
    type Output = Result<(), Contradiction>;

    #[inline(always)]
    fn run(self) -> Result<(), Contradiction> {
        kernel::propagate::<B, W, H, N>(self.words, self.all)
    }
}

/// Finds the cells of two candidates.
struct Find<'p, B: Blocks, const N: usize> {
    words: &'p [B::Word],
    pairs: &'p mut Vec<u16>,
}

impl<B: Blocks, const N: usize> Kernel for Find<'_, B, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Find { words, pairs } = self;
        pairs.clear();
        let mut open = B::zero();
        for place in 0..N {
            let cell = B::load(&words[place * B::LANES..]);
            let peeled = cell.peel();
            open = open.or(peeled);
            let is_pair = peeled.peel().empty().without(peeled.empty());
            let mut lanes = is_pair.tops();
            while lanes != 0 {
                pairs.push((place * B::LANES) as u16 + lanes.trailing_zeros() as u16);
                lanes &= lanes - 1;
            }
        }
        open.is_zero()
    }
}
