//! The three bands of a grid side by side: 27 bits each, two of them in one machine word.
//!
//! ```text
//!         63   59 ... 32   31   26 ... 0
//! pair  |     | band 1   |     | band 0 |
//! last  |                      | band 2 |
//! ```
//!
//! So two operations serve three bands. A shift towards bit 0 moves bits of band 1 into the top of the half of band 0,
//! at bit `32 - BITS` and above. The caller must mask the result to fewer bits than that.
//!
//! Tried and lost: four 32-bit words that the compiler should keep in one vector register (`17_clue` at 0.87 of the
//! speed of crate `sudoku`, against 1.08 with three separate words). The compiler takes them apart at every test for
//! zero.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor};

/// A word for each band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bands {
    pair: u64,
    last: u64,
}

impl Bands {
    /// No bit in any band.
    pub(super) const NONE: Bands = Bands::all(0);

    /// The same word in every band.
    pub(super) const fn all(word: u32) -> Bands {
        Bands::new([word; 3])
    }

    /// Packs the words of the bands.
    #[inline(always)]
    pub(super) const fn new([first, second, third]: [u32; 3]) -> Bands {
        Bands { pair: first as u64 | (second as u64) << 32, last: third as u64 }
    }

    /// The words of the bands.
    #[inline(always)]
    pub(super) const fn words(self) -> [u32; 3] {
        [self.pair as u32, (self.pair >> 32) as u32, self.last as u32]
    }

    /// The word of band 0.
    #[inline(always)]
    pub(super) const fn first(self) -> u32 {
        self.pair as u32
    }

    /// Every word shifted towards bit 0. The caller must mask the result to fewer than `32 - BITS` bits.
    #[inline(always)]
    pub(super) const fn down<const BITS: u32>(self) -> Bands {
        Bands { pair: self.pair >> BITS, last: self.last >> BITS }
    }

    /// Every word times `factor`. No product may have more than 32 bits.
    #[inline(always)]
    pub(super) const fn times(self, factor: u32) -> Bands {
        Bands { pair: self.pair.wrapping_mul(factor as u64), last: self.last.wrapping_mul(factor as u64) }
    }

    /// The number of bits that are set.
    #[inline(always)]
    pub(super) const fn count(self) -> u32 {
        self.pair.count_ones() + self.last.count_ones()
    }

    /// The lowest bit of the first band that is not empty.
    #[inline(always)]
    pub(super) const fn lowest(self) -> Bands {
        match self.pair {
            0 => Bands { pair: 0, last: self.last & self.last.wrapping_neg() },
            pair => Bands { pair: pair & pair.wrapping_neg(), last: 0 },
        }
    }

    /// The bits of `self` that are not in `other`.
    #[inline(always)]
    pub(super) const fn without(self, other: Bands) -> Bands {
        Bands { pair: self.pair & !other.pair, last: self.last & !other.last }
    }

    /// Whether no bit is set in any band.
    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.pair | self.last == 0
    }
}

impl BitAnd for Bands {
    type Output = Bands;
    #[inline(always)]
    fn bitand(self, other: Bands) -> Bands {
        Bands { pair: self.pair & other.pair, last: self.last & other.last }
    }
}

impl BitOr for Bands {
    type Output = Bands;
    #[inline(always)]
    fn bitor(self, other: Bands) -> Bands {
        Bands { pair: self.pair | other.pair, last: self.last | other.last }
    }
}

impl BitXor for Bands {
    type Output = Bands;
    #[inline(always)]
    fn bitxor(self, other: Bands) -> Bands {
        Bands { pair: self.pair ^ other.pair, last: self.last ^ other.last }
    }
}

impl BitOrAssign for Bands {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bands) {
        *self = *self | other;
    }
}
