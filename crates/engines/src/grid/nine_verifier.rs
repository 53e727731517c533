//! The check of a solution of the 9x9 sudoku in vectors of 64 bytes.
//!
//! Each digit of 1 to 8 has a bit, 9 has none. A vector has a byte for each of the 27 units. Ten times, a cell of every
//! unit is picked, and its bit is or-ed to the byte of the unit:
//!
//! ```text
//! byte     0  1  2  3  4  5  6  7  8 | 9 .. 17 | 18 .. 26 | 27 .. 31        32 .. 63
//! unit     the nine rows             | columns | blocks   | the last block   the same units, of the next cell
//! ```
//! In the end all bits must be set: each unit holds each of 1 to 8, so it holds nothing of them twice, and one cell is
//! left. If there are nine 9 in the grid, this cell is a 9 in each of the nine rows, and so in each column and block:
//! all other cells hold something else.
//!
//! A solution that fails is checked again, cell by cell, to find what is wrong with it.
//!
//! Nanoseconds per solution, clues included, for 8,192 different ones (Zen 4): 4.9; the tables of
//! [`Verifier`](super::Verifier) take 23. AVX2 has no instruction that picks from more than 16 bytes: it has a check of
//! [its own](super::nine_pairs).

use std::marker::PhantomData;

use galop_simd::{Isa, Job, Kernel, Simd, WideBytes};

use super::nine_pairs::Pairs;

/// Whether each of the second slice is a solution of its puzzle in the first one, which is as long.
pub(super) type Check = fn(&[[u8; 81]], &[[u8; 81]]) -> bool;

/// The check of solutions in which digit `d` is byte `ZERO + d`; `None` if this machine has no vectors for it. `ZERO` is
/// a multiple of 16.
pub(super) fn in_vectors<const ZERO: u8>() -> Option<Check> {
    Isa::best().run(Choose::<ZERO>).ok().flatten()
}

struct Choose<const ZERO: u8>;

impl<const ZERO: u8> Job for Choose<ZERO> {
    type Output = Option<Check>;

    fn run<S: Simd>(self) -> Option<Check> {
        match S::HAS_WIDE_BYTES {
            true => Some(are_right::<S, Wide, ZERO>),
            false => (!S::IS_PORTABLE).then_some(are_right::<S, Pairs, ZERO>),
        }
    }
}

/// A check in vectors of one size.
pub(super) trait InVectors {
    /// Whether `solution`, in which digit `d` is byte `ZERO + d`, is one of `puzzle`.
    fn is_right<S: Simd, const ZERO: u8>(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool;
}

fn are_right<S: Simd, C: InVectors, const ZERO: u8>(puzzles: &[[u8; 81]], solutions: &[[u8; 81]]) -> bool {
    S::run(Solutions::<S, C, ZERO> { puzzles, solutions, of: PhantomData })
}

struct Solutions<'a, S, C, const ZERO: u8> {
    puzzles: &'a [[u8; 81]],
    solutions: &'a [[u8; 81]],
    of: PhantomData<(S, C)>,
}

impl<S: Simd, C: InVectors, const ZERO: u8> Kernel for Solutions<'_, S, C, ZERO> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let mut are_right = self.puzzles.len() == self.solutions.len();
        for (puzzle, solution) in self.puzzles.iter().zip(self.solutions) {
            are_right &= C::is_right::<S, ZERO>(puzzle, solution);
        }
        are_right
    }
}

/// The check of this file.
struct Wide;

impl InVectors for Wide {
    #[inline(always)]
    fn is_right<S: Simd, const ZERO: u8>(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
        let zero = S::WideBytes::splat(0);
        let [clues, more_clues] = halves::<S>(puzzle);
        let [cells, more_cells] = halves::<S>(solution);
        // The low four bits of `ZERO` are 0, so this is a subtraction for the digits, and no other byte becomes one.
        let (cells, more_cells) = (cells ^ S::WideBytes::splat(ZERO), more_cells ^ S::WideBytes::splat(ZERO));

        let is_kept = clues.equal(zero) | clues.equal(cells);
        let is_more_kept = more_clues.equal(zero) | more_clues.equal(more_cells);
        // A table has 16 places.
        let is_small = ((cells | more_cells) & S::WideBytes::splat(0xf0)).equal(zero);

        let nine = S::WideBytes::splat(9);
        let nines = cells.equal(nine).count_ones() + (more_cells.equal(nine) >> SHARED).count_ones();

        let (bits, more_bits) = (cells.look_up(&BITS), more_cells.look_up(&BITS));
        let mut seen = zero;
        let mut at = 0;
        while at < PICKS.0.len() {
            seen = seen | bits.pick(more_bits, &PICKS.0[at]);
            at += 1;
        }
        let seen = seen | seen.pick(seen, &EXCHANGED);
        let is_full = seen.equal(S::WideBytes::splat(0xff));
        (is_kept & is_more_kept & is_small & is_full) == !0 && nines == 9
    }
}

/// The first 64 cells and the last 64. They share [`SHARED`].
#[inline(always)]
fn halves<S: Simd>(cells: &[u8; 81]) -> [S::WideBytes; 2] {
    let (Some(first), Some(last)) = (cells.first_chunk(), cells.last_chunk()) else {
        return [S::WideBytes::splat(0); 2];
    };
    [S::WideBytes::load(first), S::WideBytes::load(last)]
}

/// Cells that are in both halves.
const SHARED: usize = 2 * 64 - 81;

/// The bit of each digit of 1 to 8.
const BITS: [u8; 16] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0];

/// The two halves of a vector exchanged.
const EXCHANGED: [u8; 64] = {
    let mut from = [0; 64];
    let mut byte = 0;
    while byte < 64 {
        from[byte] = (byte as u8 + 32) % 64;
        byte += 1;
    }
    from
};

/// For each step, where the cell of each byte's unit is: 0 to 63 in the first half of the cells, from 64 in the last. The
/// tenth cell of a unit is its ninth again.
static PICKS: Picks = {
    let mut picks = [[0; 64]; 5];
    let mut at = 0;
    while at < 320 {
        let (step, byte) = (at / 64, at % 64);
        let (unit, place) = (byte % 32, 2 * step + byte / 32);
        let cell = cell(if unit < 27 { unit } else { 26 }, if place < 9 { place } else { 8 });
        picks[step][byte] = if cell < 64 { cell as u8 } else { (cell - (81 - 64) + 64) as u8 };
        at += 1;
    }
    Picks(picks)
};

/// Each vector in a line of the cache.
#[repr(align(64))]
struct Picks([[u8; 64]; 5]);

/// The cell at a place of a unit: rows, columns, blocks.
const fn cell(unit: usize, place: usize) -> usize {
    let at = unit % 9;
    let (row, column) = match unit / 9 {
        0 => (at, place),
        1 => (place, at),
        _ => (at / 3 * 3 + place / 3, at % 3 * 3 + place % 3),
    };
    9 * row + column
}

/// The check of every instruction set of this machine, also of those that production does not use.
#[cfg(test)]
pub(super) fn checks<const ZERO: u8>() -> Vec<Check> {
    struct Any<const ZERO: u8>;

    impl<const ZERO: u8> Job for Any<ZERO> {
        type Output = [Check; 2];

        fn run<S: Simd>(self) -> [Check; 2] {
            [are_right::<S, Wide, ZERO>, are_right::<S, Pairs, ZERO>]
        }
    }

    Isa::ALL.into_iter().filter_map(|isa| isa.run(Any::<ZERO>).ok()).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;

    /// The units are those of the rules.
    #[test]
    fn every_unit_is_picked_whole() {
        let rules = Rules::default();
        let units = rules.grid().units();
        assert_eq!(units.len(), 27);
        for unit in 0..27 {
            let from = PICKS.0.iter().flat_map(|pick| [pick[unit], pick[unit + 32]]);
            let cells = from.map(|from| if from < 64 { from } else { from - 64 + 17 });
            let mut cells: Vec<usize> = cells.map(usize::from).collect();
            cells.sort_unstable();
            cells.dedup();
            assert!(units.iter().any(|unit| unit.iter().copied().eq(cells.iter().copied())), "{cells:?}");
        }
    }
}
