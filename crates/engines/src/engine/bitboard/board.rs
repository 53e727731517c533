//! The state of one puzzle: the places of each digit, and the open cells.
//!
//! ```text
//! places[digit][band], 27 bits: bit 9 * column in block + 3 * row in band + stack
//!
//!                 column 2        column 1        column 0      of each block
//!             | ....2 1 0 |   | ....2 1 0 |   | ....2 1 0 |     row in the band: an octal digit
//!              \          \                         \ \ \_
//!               \          \                         \ stacks 0, 1, 2 are its bits 0, 1, 2
//!
//! so that       w | w >> 9 | w >> 18   has one bit per minirow         (bit 3 * row + stack)
//!               w | w >> 3 | w >> 6    has one bit per minicolumn      (bit 9 * column + stack)
//!               0o111_111_111 << stack is a block
//! open[band]    the cells that have no digit yet, same numbering
//! dirty         the digits whose places changed since they were last settled
//! ```
//!
//! Sub-bands (27 bits per digit and band) are Zhou Yundong's idea; this numbering of their bits is ours. Because nine
//! bits hold one *column of every block*, two shifts find the minirows and two the minicolumns; row-major bits would
//! need tables.

use super::bands::Bands;
use super::tables::{BAND, CELLS, PLACED, mates};
use crate::engine::Contradiction;

/// The state of one puzzle: 176 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Board {
    pub(super) places: [Bands; 9],
    pub(super) open: Bands,
    pub(super) dirty: u32,
}

/// The cells in which digits were placed since the last call of `clear`: all of them, and the cells of each digit.
pub(super) struct Placements {
    pub(super) cells: Bands,
    pub(super) own: [Bands; 9],
}

impl Placements {
    pub(super) const NONE: Placements = Placements { cells: Bands::NONE, own: [Bands::NONE; 9] };
}

impl Board {
    /// No digit placed, every candidate possible.
    pub(super) const EMPTY: Board =
        Board { places: [Bands::all(BAND); 9], open: Bands::all(BAND), dirty: 0o777 };

    /// The state of `puzzle` with its clues placed, not yet propagated. Cells are 0 (blank) or 1..=9; any other value
    /// is a contradiction.
    pub(in crate::engine) fn new(puzzle: &[u8; 81]) -> Result<Board, Contradiction> {
        let (mut board, mut taken) = (Board::EMPTY, Placements::NONE);
        // Visit the clues by the bits of a mask: its one branch per clue is mispredicted only at the end.
        let clues = clues(puzzle);
        let mut left = clues;
        while left != 0 {
            let cell = left.trailing_zeros() as usize;
            left &= left - 1;
            let digit = usize::from(puzzle[cell]).wrapping_sub(1);
            let (places, own) = match (board.places.get_mut(digit), taken.own.get_mut(digit)) {
                (Some(places), Some(own)) => (places, own),
                _ => return Err(Contradiction),
            };
            let (bit, cleared) = PLACED[cell];
            *places = places.without(cleared);
            *own |= bit;
            taken.cells |= bit;
        }
        board.open = board.open.without(taken.cells);
        board.clear(&taken)?;
        Ok(board)
    }

    /// Propagates to a fixed point: settles every digit by itself, then compares the digits cell by cell, until
    /// nothing changes. Then `open` is empty if and only if the puzzle is solved.
    ///
    /// Why no open cell means solved: each cell holds one digit. `settle` found a place for each digit in every row,
    /// column and block, so each digit has nine places or more. With 81 cells, each digit has exactly nine.
    pub(in crate::engine) fn propagate(&mut self) -> Result<(), Contradiction> {
        while self.dirty != 0 {
            let mut taken = Placements::NONE;
            let mut dirty = std::mem::take(&mut self.dirty);
            while dirty != 0 {
                let digit = dirty.trailing_zeros() as usize;
                dirty &= dirty - 1;
                self.settle(digit, &mut taken)?;
            }
            self.clear(&taken)?;
        }
        Ok(())
    }

    /// Eliminates all other digits from the cells in `taken`, and places the naked singles that result.
    fn clear(&mut self, taken: &Placements) -> Result<(), Contradiction> {
        // Bit-sliced counting over the digits: cells with at least one candidate, and with at least two.
        let (mut once, mut twice) = (Bands::NONE, Bands::NONE);
        for (digit, (places, own)) in self.places.iter_mut().zip(&taken.own).enumerate() {
            let lost = *places & (taken.cells ^ *own);
            *places = *places ^ lost;
            self.dirty |= u32::from(!lost.is_none()) << digit;
            twice |= once & *places;
            once |= *places;
        }
        if once != Bands::all(BAND) {
            return Err(Contradiction);
        }
        let singles = self.open.without(twice);
        if !singles.is_none() {
            self.place_singles(singles);
        }
        Ok(())
    }

    /// Places the digits of the cells in `singles`, each of which has one candidate.
    fn place_singles(&mut self, singles: Bands) {
        self.open = self.open.without(singles);
        for (digit, places) in self.places.iter_mut().enumerate() {
            let own = *places & singles;
            self.dirty |= u32::from(!own.is_none()) << digit;
            *places = places.without(mates(own));
        }
    }

    /// Whether every cell has a digit.
    pub(in crate::engine) fn is_solved(&self) -> bool {
        self.open.is_none()
    }

    /// Writes the digits of a solved board, 1..=9, row by row.
    pub(in crate::engine) fn write(&self, solution: &mut [u8]) {
        let Ok(solution) = <&mut [u8; 81]>::try_from(solution) else { return };
        for (digit, places) in (1..).zip(&self.places) {
            for (band, places) in places.words().into_iter().enumerate() {
                let mut left = places;
                // Three places per band: a loop of fixed length, which the processor need not predict.
                for _ in 0..3 {
                    let cell = CELLS[left.trailing_zeros() as usize % 27];
                    solution[27 * band + usize::from(cell)] = digit;
                    left &= left.wrapping_sub(1);
                }
            }
        }
    }

    /// Calls `each` with the [number](candidate) of every placed digit.
    pub(in crate::engine) fn placed(&self, each: impl FnMut(u32)) {
        let placed = Bands::all(BAND).without(self.open);
        numbers(self.places.map(|places| places & placed), each);
    }

    /// Calls `each` with the [number](candidate) of every eliminated candidate.
    pub(in crate::engine) fn eliminated(&self, each: impl FnMut(u32)) {
        numbers(self.places.map(|places| Bands::all(BAND).without(places)), each);
    }
}

/// The cell and the digit, 1..=9, of the candidate `81 * (digit - 1) + 27 * band + bit`.
pub(in crate::engine) fn candidate(number: u32) -> (usize, u8) {
    let (digit, band, bit) = (number / 81, number / 27 % 3, number % 27);
    (27 * band as usize + usize::from(CELLS[bit as usize]), digit as u8 + 1)
}

/// Calls `each` with the number of every candidate in `places`.
fn numbers(places: [Bands; 9], mut each: impl FnMut(u32)) {
    for (first, word) in (0..).step_by(27).zip(places.iter().flat_map(|places| places.words())) {
        let mut left = word;
        while left != 0 {
            each(first + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// The cells that are not blank: bit `cell` of 81.
fn clues(puzzle: &[u8; 81]) -> u128 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (words, _) = puzzle.as_chunks::<8>();
    let mut clues = u128::from(puzzle[80] != 0) << 80;
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // Take the top bit of every byte that is not 0, then move the eight top bits side by side.
        let filled = (((word & LOW) + LOW) | word) & !LOW;
        let bits = (filled >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        clues |= u128::from(bits) << (8 * place);
    }
    clues
}
