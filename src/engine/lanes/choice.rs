//! What a choice comes to: a digit in a band, lane by lane.

use super::vector::{Vector, select};

/// The choices of all lanes, sliced.
pub(super) struct Choices<V> {
    digit: [V; 4],
    /// 0 to 2 are bands, 3 to 5 stacks.
    band: [V; 3],
    swap: V,
    /// Lanes with a choice.
    pub(super) some: V,
}

/// One lane's choice.
///
/// ```text
/// bit   7      6 5 4    3 2 1 0
///      swap     band     digit       digit 15: none
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice(pub(super) u8);

impl Choice {
    /// The digit, 0 to 8; more where there is no choice.
    #[inline(always)]
    pub(super) fn digit(self) -> usize {
        usize::from(self.0 & 15)
    }

    /// The band, 0 to 2, or stack, 3 to 5.
    #[inline(always)]
    pub(super) fn band(self) -> usize {
        usize::from(self.0 >> 4 & 7)
    }

    /// Whether the second side goes first.
    #[inline(always)]
    pub(super) fn is_swapped(self) -> bool {
        self.0 >> 7 == 1
    }
}

impl<V: Vector> Choices<V> {
    pub(super) const NONE: Self =
        Choices { digit: [V::ZERO; 4], band: [V::ZERO; 3], swap: V::ZERO, some: V::ZERO };

    /// Takes this choice in the `better` lanes.
    #[inline(always)]
    pub(super) fn take(&mut self, better: V, band: usize, digit: [V; 4], swap: V) {
        for bit in 0..4 {
            self.digit[bit] = select(better, digit[bit], self.digit[bit]);
        }
        for bit in 0..3 {
            self.band[bit] =
                if band >> bit & 1 == 1 { self.band[bit] | better } else { self.band[bit] & !better };
        }
        self.swap = select(better, swap, self.swap);
        self.some |= better;
    }

    /// Writes lane by lane into `choices`, one a lane.
    #[inline(always)]
    pub(super) fn write(&self, choices: &mut [Choice]) {
        let none = !self.some;
        let bits = [
            self.digit[0] | none,
            self.digit[1] | none,
            self.digit[2] | none,
            self.digit[3] | none,
            self.band[0],
            self.band[1],
            self.band[2],
            self.swap,
        ];
        for (index, choices) in choices.chunks_exact_mut(8).enumerate() {
            let (word, shift) = (index / 8, index % 8 * 8);
            let mut block = 0;
            for (bit, bits) in bits.iter().enumerate() {
                block |= (bits.word(word) >> shift & 0xff) << (8 * bit);
            }
            for (choice, byte) in choices.iter_mut().zip(transpose(block).to_le_bytes()) {
                *choice = Choice(byte);
            }
        }
    }
}

/// Bit `c` of byte `r` becomes bit `r` of byte `c` (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
fn transpose(mut block: u64) -> u64 {
    let swap = (block ^ block >> 7) & 0x00aa_00aa_00aa_00aa;
    block ^= swap ^ swap << 7;
    let swap = (block ^ block >> 14) & 0x0000_cccc_0000_cccc;
    block ^= swap ^ swap << 14;
    let swap = (block ^ block >> 28) & 0x0000_0000_f0f0_f0f0;
    block ^ swap ^ swap << 28
}
