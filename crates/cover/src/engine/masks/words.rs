//! Plain words as vectors: 256 bits in four words, on any machine.
//!
//! Lanes are kept apart by their top bits: one is taken from, or added to, all lanes of a word at once where no
//! lane borrows from the next.

use super::vector::{Quad, Vector};

/// Plain words, four at a time: any machine, and the twin that the others are held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Words([u64; 4]);

/// The top bit of every lane.
const fn tops_of(bits: usize) -> u64 {
    match bits {
        16 => 0x8000_8000_8000_8000,
        32 => 0x8000_0000_8000_0000,
        _ => 0x8000_0000_0000_0000,
    }
}

/// The lowest bit of every lane.
const fn lowest_of(bits: usize) -> u64 {
    tops_of(bits) >> (bits - 1)
}

/// Word by word, in a loop that compilers turn into vectors.
macro_rules! each {
    ($at:ident => $word:expr) => {{
        let mut result = [0; 4];
        let mut $at = 0;
        while $at < 4 {
            result[$at] = $word;
            $at += 1;
        }
        Words(result)
    }};
}

impl Vector for Words {
    type Block = Quad;
    /// Top bits.
    type Hits = Words;
    const HAS_BITS: bool = false;
    const PARTS: usize = 1 << 16;

    #[inline(always)]
    fn load(block: &Quad) -> Self {
        Words(block.0)
    }

    #[inline(always)]
    fn store(self, block: &mut Quad) {
        block.0 = self.0;
    }

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Words([value; 4])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        each!(i => self.0[i] & other.0[i])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        each!(i => self.0[i] | other.0[i])
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// One is taken from every lane; the top bit that empty ones borrow keeps it from the next.
    #[inline(always)]
    fn peel<const L: usize>(self) -> Self {
        each!(i => self.0[i] & ((self.0[i] | tops_of(L)) - lowest_of(L)))
    }

    /// Lanes that are zero once their top bit is flipped: adding the largest number below a top bit to the rest
    /// of them makes none.
    #[inline(always)]
    fn tops<const L: usize>(self) -> Words {
        each!(i => {
            let flipped = self.0[i] ^ tops_of(L);
            let rest = (flipped & !tops_of(L)) + !tops_of(L);
            !(rest | flipped) & tops_of(L)
        })
    }

    #[inline(always)]
    fn no_hits() -> Words {
        Words([0; 4])
    }

    #[inline(always)]
    fn either(one: Words, other: Words) -> Words {
        one.or(other)
    }

    #[inline(always)]
    fn is_any(hits: Words) -> bool {
        !hits.is_zero()
    }

    #[inline(always)]
    fn bits<const L: usize>(hits: Words) -> u32 {
        let mut bits = 0;
        for lane in 0..256 / L {
            bits |= ((hits.0[lane * L / 64] >> (lane * L % 64 + L - 1)) as u32 & 1) << lane;
        }
        bits
    }

    #[inline(always)]
    fn lane_of<const L: usize>(bit: u32) -> usize {
        bit as usize
    }

    #[inline(always)]
    fn count_parts(self) -> Self {
        each!(i => u64::from(self.0[i].count_ones()))
    }

    #[inline(always)]
    fn add_parts(self, other: Self) -> Self {
        each!(i => self.0[i] + other.0[i])
    }

    #[inline(always)]
    fn sum(parts: Self) -> Self {
        parts
    }

    #[inline(always)]
    fn add_counts(self, other: Self) -> Self {
        self.add_parts(other)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Words {
        each!(i => u64::from(self.0[i] == other.0[i]) << 63)
    }

    #[inline(always)]
    fn key(self, group: u32) -> Self {
        each!(i => self.0[i].wrapping_sub(1) << 16 | u64::from(group))
    }

    #[inline(always)]
    fn min_keys(self, other: Self) -> Self {
        each!(i => u64::from((self.0[i] as u32).min(other.0[i] as u32)))
    }
}
