//! The result of a choice, a digit in a chute: for all lanes, and for one.

use super::adders::select;
use galop_simd::Vector;

/// The two kinds of chutes. Code is written for bands; for stacks it takes rows for columns and columns for rows.
pub(super) trait Chutes {
    /// Whether the chutes are stacks.
    const ARE_STACKS: bool;
}

/// Chutes 0 to 2.
pub(super) enum Bands {}

/// Chutes 3 to 5.
pub(super) enum Stacks {}

impl Chutes for Bands {
    const ARE_STACKS: bool = false;
}

impl Chutes for Stacks {
    const ARE_STACKS: bool = true;
}

/// The choices of all lanes, bit-sliced.
pub(super) struct Choices<V> {
    digit: [V; 4],
    /// Bands are 0 to 2, stacks 3 to 5.
    chute: [V; 3],
    swap: V,
    /// Lanes with a choice.
    pub(super) some: V,
}

/// The choice of one lane.
///
/// ```text
/// bit   7      6 5 4    3 2 1 0
///      swap     chute    digit       digit 15: no choice
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice(pub(super) u8);

impl Choice {
    /// The digit, 0 to 8; greater if there is no choice.
    #[inline(always)]
    pub(super) fn digit(self) -> usize {
        usize::from(self.0 & 15)
    }

    /// The chute: bands are 0 to 2, stacks 3 to 5.
    #[inline(always)]
    pub(super) fn chute(self) -> usize {
        usize::from(self.0 >> 4 & 7)
    }

    /// Whether the digit is split in a stack.
    #[inline(always)]
    pub(super) fn is_stack(self) -> bool {
        self.chute() >= 3
    }

    /// Whether the second side goes first.
    #[inline(always)]
    pub(super) fn is_swapped(self) -> bool {
        self.0 >> 7 == 1
    }
}

impl<V: Vector> Choices<V> {
    pub(super) const NONE: Self =
        Choices { digit: [V::ZERO; 4], chute: [V::ZERO; 3], swap: V::ZERO, some: V::ZERO };

    /// Replaces the choice in the lanes of `better`.
    #[inline(always)]
    pub(super) fn take(&mut self, better: V, chute: usize, digit: [V; 4], swap: V) {
        for bit in 0..4 {
            self.digit[bit] = select(better, digit[bit], self.digit[bit]);
        }
        for bit in 0..3 {
            self.chute[bit] =
                if chute >> bit & 1 == 1 { self.chute[bit] | better } else { self.chute[bit] & !better };
        }
        self.swap = select(better, swap, self.swap);
        self.some |= better;
    }

    /// Writes the choice of each lane to `choices`, in the order of the lanes.
    #[inline(always)]
    pub(super) fn write(&self, choices: &mut [Choice]) {
        let none = !self.some;
        let bits = [
            self.digit[0] | none,
            self.digit[1] | none,
            self.digit[2] | none,
            self.digit[3] | none,
            self.chute[0],
            self.chute[1],
            self.chute[2],
            self.swap,
        ];
        // Four words at a time, as one vector.
        for (index, choices) in choices.chunks_mut(256).enumerate() {
            let mut rows = [[0; 4]; 8];
            for (row, bits) in rows.iter_mut().zip(&bits) {
                for (word, row) in row.iter_mut().enumerate() {
                    if 4 * index + word < V::WORDS {
                        *row = bits.word(4 * index + word);
                    }
                }
            }
            transpose(&mut rows);
            for (place, choices) in choices.chunks_exact_mut(8).enumerate() {
                for (choice, byte) in choices.iter_mut().zip(rows[place % 8][place / 8 % 4].to_le_bytes()) {
                    *choice = Choice(byte);
                }
            }
        }
    }
}

/// For each of the four columns: bit `i` of word `r` becomes bit `r` of byte `i % 8` of word `i / 8`. It transposes
/// first the bits within bytes, then the bytes (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
fn transpose(rows: &mut [[u64; 4]; 8]) {
    const MASKS: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (round, mask) in MASKS.into_iter().enumerate() {
        let (shift, distance) = (1 << round, 1 << (round % 3));
        for at in 0..4 {
            let one = (at & !(distance - 1)) * 2 + (at & (distance - 1));
            for word in 0..4 {
                let swap = (rows[one][word] >> shift ^ rows[one + distance][word]) & mask;
                rows[one + distance][word] ^= swap;
                rows[one][word] ^= swap << shift;
            }
        }
    }
}
