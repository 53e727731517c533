//! One puzzle's state outside the slice: nine planes of 81 candidates.
//!
//! ```text
//! bit   0 ......... 80 | 81 ........ 161 | ... | 648 ....... 728 | 729 ... 767
//!       digit 1, cells |  digit 2, cells | ... |  digit 9, cells |   unused
//! ```
//! Bit `81 * d + cell` says that digit `d + 1` is still possible in `cell` (row-major). Plane `d` begins at bit
//! `d` of byte `10 * d`, so that 16 bytes from there hold the whole of it. 96 bytes: three loads of a vector.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;

/// Bits of a plane.
pub(super) const CELLS: usize = 81;
/// All cells.
pub(super) const ALL: u128 = (1 << CELLS) - 1;

/// The candidates of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Planes(pub(super) [u64; 12]);

impl Planes {
    /// No candidate anywhere: a contradiction, which a sweep of empty lanes can do no harm to.
    pub(super) const NONE: Planes = Planes([0; 12]);

    /// The candidates that the clues leave: one in a cell with a clue, nine in a blank. `None` if a cell holds
    /// what is no digit.
    pub(super) fn of_puzzle(puzzle: &[u8; CELLS]) -> Option<Planes> {
        let mut cells_of = [0_u128; 16];
        let mut all = 0;
        for (cell, &digit) in puzzle.iter().enumerate() {
            all |= digit;
            cells_of[usize::from(digit & 15)] |= 1 << cell;
        }
        let blank = cells_of[0];
        let mut planes = Planes::NONE;
        for digit in 0..9 {
            planes.set(digit, cells_of[digit + 1] | blank);
        }
        let known = cells_of[..10].iter().fold(0, |known, cells| known | cells);
        (all < 16 && known == ALL).then_some(planes)
    }

    /// Writes the digits 1..=9 of a state with one candidate a cell.
    pub(super) fn write(&self, solution: &mut [u8; CELLS]) {
        for digit in 0..9 {
            let mut cells = self.get(digit);
            while cells != 0 {
                solution[cells.trailing_zeros() as usize % CELLS] = digit as u8 + 1;
                cells &= cells - 1;
            }
        }
    }

    /// The cells where `digit` (0..=8) is possible.
    #[inline(always)]
    pub(super) fn get(&self, digit: usize) -> u128 {
        let (word, shift) = (CELLS * digit / 64, CELLS * digit % 64);
        let low = u128::from(self.0[word]) | u128::from(self.0[word + 1]) << 64;
        let high = self.0.get(word + 2).map_or(0, |&high| u128::from(high));
        let above = if shift == 0 { 0 } else { high << (128 - shift) };
        (low >> shift | above) & ALL
    }

    /// Takes `digit` (0..=8) out of all cells but those of `cells`.
    #[inline(always)]
    pub(super) fn keep(&mut self, digit: usize, cells: u128) {
        let gone = !cells & ALL;
        let (word, shift) = (CELLS * digit / 64, CELLS * digit % 64);
        self.0[word] &= !((gone << shift) as u64);
        self.0[word + 1] &= !((gone >> (64 - shift)) as u64);
        if shift + CELLS > 128 {
            self.0[word + 2] &= !((gone >> (128 - shift)) as u64);
        }
    }

    /// Sets the cells where `digit` (0..=8) is possible; the plane was empty before.
    #[inline(always)]
    fn set(&mut self, digit: usize, cells: u128) {
        let (word, shift) = (CELLS * digit / 64, CELLS * digit % 64);
        self.0[word] |= (cells << shift) as u64;
        self.0[word + 1] |= (cells >> (64 - shift)) as u64;
        if shift + CELLS > 128 {
            self.0[word + 2] |= (cells >> (128 - shift)) as u64;
        }
    }
}
