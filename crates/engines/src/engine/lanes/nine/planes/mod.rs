//! One puzzle's state outside the slice: nine planes of 81 candidates.
//!
//! ```text
//! bit   0 ......... 80 | 81 ........ 161 | ... | 648 ....... 728 | 729 ... 767
//!       digit 1, cells |  digit 2, cells | ... |  digit 9, cells |   unused
//! ```
//! Bit `81 * d + cell` says that digit `d + 1` is still possible in `cell` (row-major). Plane `d` begins at bit `d`
//! of byte `10 * d`, so that the 16 bytes from there hold all of it. 96 bytes are three loads of a vector.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use std::slice::{from_raw_parts, from_raw_parts_mut};

#[cfg(target_arch = "x86_64")]
use galop_simd::Isa;
use galop_simd::Simd;

use super::state::Chunk;

/// Bits of a plane.
pub(super) const CELLS: usize = 81;
/// All cells.
pub(super) const ALL: u128 = (1 << CELLS) - 1;

/// The candidates of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Planes(pub(super) [u8; 96]);

/// Chunks of a state.
pub(super) const CHUNKS: usize = size_of::<Planes>() / size_of::<Chunk>();

impl Planes {
    /// No candidate anywhere: the contradiction that stands for an empty lane in a sweep.
    pub(super) const NONE: Planes = Planes([0; 96]);

    /// The planes in the chunks of a state; planes without candidates if there are too few chunks.
    #[inline(always)]
    pub(super) fn of(state: &[Chunk]) -> &Planes {
        match state.first_chunk::<CHUNKS>() {
            // SAFETY: both types have the same size and alignment, and any bytes are planes.
            Some(state) => unsafe { &*state.as_ptr().cast() },
            None => &Planes::NONE,
        }
    }

    /// The same, to be changed; `None` if there are too few chunks.
    #[inline(always)]
    pub(super) fn of_mut(state: &mut [Chunk]) -> Option<&mut Planes> {
        let state = state.first_chunk_mut::<CHUNKS>()?;
        // SAFETY: both types have the same size and alignment, and any bytes are planes or chunks.
        Some(unsafe { &mut *state.as_mut_ptr().cast() })
    }

    /// The chunks of states.
    #[inline(always)]
    pub(super) fn chunks(states: &[Planes]) -> &[Chunk] {
        // SAFETY: planes are that many chunks, aligned as chunks are.
        unsafe { from_raw_parts(states.as_ptr().cast(), CHUNKS * states.len()) }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn chunks_mut(states: &mut [Planes]) -> &mut [Chunk] {
        // SAFETY: planes are that many chunks, aligned as chunks are, and any bytes are planes.
        unsafe { from_raw_parts_mut(states.as_mut_ptr().cast(), CHUNKS * states.len()) }
    }

    /// The candidates that the clues leave: one in a cell with a clue, nine in a blank. `None` if a cell is not
    /// 0..=9.
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

    /// Sets `planes` to the candidates that the clues leave, and returns true; `false` if a cell is not 0..=9.
    pub(super) fn read(puzzle: &[u8; CELLS], planes: &mut Planes) -> bool {
        Planes::of_puzzle(puzzle).inspect(|of| *planes = *of).is_some()
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
        self.around(digit) >> digit & ALL
    }

    /// Eliminates `digit` (0..=8) from all cells outside `cells`.
    #[inline(always)]
    pub(super) fn keep(&mut self, digit: usize, cells: u128) {
        self.set_around(digit, self.around(digit) & !((!cells & ALL) << digit));
    }

    /// Sets the cells where `digit` (0..=8) is possible; the plane was empty before.
    ///
    /// It writes words, because planes share bytes: each of nine planes written one after the other would wait for
    /// the one before.
    #[inline(always)]
    fn set(&mut self, digit: usize, cells: u128) {
        let (word, shift) = (CELLS * digit / 64, CELLS * digit % 64);
        self.set_word(word, self.word(word) | (cells << shift) as u64);
        self.set_word(word + 1, self.word(word + 1) | (cells >> (64 - shift)) as u64);
        if shift + CELLS > 128 {
            self.set_word(word + 2, self.word(word + 2) | (cells >> (128 - shift)) as u64);
        }
    }

    /// The 16 bytes that hold plane `digit`, from bit `digit` on.
    #[inline(always)]
    fn around(&self, digit: usize) -> u128 {
        self.0[10 * digit..].first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
    }

    #[inline(always)]
    fn set_around(&mut self, digit: usize, bits: u128) {
        if let Some(bytes) = self.0[10 * digit..].first_chunk_mut() {
            *bytes = bits.to_le_bytes();
        }
    }

    /// The eight bytes from `byte` on.
    #[inline(always)]
    pub(super) fn eight(&self, byte: usize) -> u64 {
        self.0[byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Replaces the eight bytes from `byte` on.
    #[inline(always)]
    pub(super) fn set_eight(&mut self, byte: usize, bits: u64) {
        if let Some(bytes) = self.0[byte..].first_chunk_mut() {
            *bytes = bits.to_le_bytes();
        }
    }

    /// Bits `64 * index ..`.
    #[inline(always)]
    pub(super) fn word(&self, index: usize) -> u64 {
        self.eight(8 * index)
    }

    /// Replaces the bits `64 * index ..`.
    #[inline(always)]
    pub(super) fn set_word(&mut self, index: usize, word: u64) {
        self.set_eight(8 * index, word);
    }
}

/// As [`Planes::read`], by the conversion for `S`.
#[inline(always)]
pub(super) fn read<S: Simd>(puzzle: &[u8; CELLS], planes: &mut Planes) -> bool {
    match S::ISA {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX-512.
        Isa::Avx512 => unsafe { avx512::read(puzzle, planes) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX2.
        Isa::Avx2 => unsafe { avx2::read(puzzle, planes) },
        _ => Planes::read(puzzle, planes),
    }
}

/// As [`Planes::write`], by the conversion for `S`.
#[inline(always)]
pub(super) fn write<S: Simd>(planes: &Planes, solution: &mut [u8; CELLS]) {
    match S::ISA {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX-512.
        Isa::Avx512 => unsafe { avx512::write(planes, solution) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX2.
        Isa::Avx2 => unsafe { avx2::write(planes, solution) },
        _ => planes.write(solution),
    }
}

#[cfg(test)]
mod tests {
    use galop_simd::Vector;
    use galop_testing::chance::Chance;

    use super::super::kernels;
    use super::super::on_every_isa::on_every_isa;
    use super::*;

    /// Compares the conversions for `S` with the plain ones.
    fn converts_as_plain_does<S: Simd, V: Vector>() {
        let of_puzzle = |puzzle: &[u8; CELLS]| {
            let mut planes = Planes::NONE;
            kernels::read::<S, V>(puzzle, &mut planes).then_some(planes)
        };
        let mut chance = Chance::new(1);
        for _ in 0..1000 {
            let mut puzzle = [0; CELLS];
            let mut solution = [0; CELLS];
            for (clue, digit) in puzzle.iter_mut().zip(&mut solution) {
                *clue = chance.below(27).saturating_sub(17) as u8;
                *digit = chance.below(9) as u8 + 1;
            }
            for cells in [&mut puzzle, &mut solution] {
                assert_eq!(of_puzzle(cells), Planes::of_puzzle(cells), "{cells:?}");
                let cell = chance.below(81);
                let was = cells[cell];
                cells[cell] = chance.below(256) as u8;
                assert_eq!(of_puzzle(cells), Planes::of_puzzle(cells), "{cells:?}");
                cells[cell] = was;
            }
            if let Some(planes) = Planes::of_puzzle(&solution) {
                let mut written = [0; CELLS];
                kernels::write::<S, V>(&planes, &mut written);
                assert_eq!(written, solution);
            }
        }
        for cell in 0..CELLS {
            for byte in 0..=255 {
                let mut puzzle = [0; CELLS];
                puzzle[cell] = byte;
                assert_eq!(of_puzzle(&puzzle), Planes::of_puzzle(&puzzle), "{byte} in cell {cell}");
            }
        }
    }

    #[test]
    fn every_instruction_set_converts_as_plain_does() {
        on_every_isa!(converts_as_plain_does);
    }
}
