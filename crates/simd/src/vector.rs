//! What vectors can do: three traits, each with more than the one before.
//!
//! A vector is a row of 64-bit words, and a row of lanes of `L` = 16, 32 or 64 bits; lane 0 is the lowest of word 0:
//! ```text
//! bit    63        48 47        32 31        16 15         0
//! L = 16 |   lane 3   |   lane 2   |   lane 1   |   lane 0  |   of word 0; word 1 goes on with lane 4
//! ```
//! All functions are small and always inlined, so that they are compiled for the instruction set of the code around
//! them.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A row of bits.
///
/// No operation of a vector can execute an instruction that the machine lacks: the crate's documentation says why.
pub trait Vector:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
{
    /// 64-bit words of a vector.
    const WORDS: usize;
    /// Bits of a vector.
    const BITS: usize = 64 * Self::WORDS;
    /// Vectors that the machine holds in registers. A kernel with more accumulators should work in parts.
    const REGISTERS: usize = 16;
    /// No bit.
    const ZERO: Self;
    /// Every bit.
    const ONES: Self;

    /// Its words, [`WORDS`](Vector::WORDS) of them.
    fn words(&self) -> &[u64];

    /// Its words, to be changed.
    fn words_mut(&mut self) -> &mut [u64];

    /// Word `index`.
    fn word(self, index: usize) -> u64;

    /// Replaces word `index`.
    fn set_word(&mut self, index: usize, word: u64);

    /// The vector of these words. Panics unless there are [`WORDS`](Vector::WORDS) of them.
    #[inline(always)]
    fn from_words(words: &[u64]) -> Self {
        let mut vector = Self::ZERO;
        vector.words_mut().copy_from_slice(words);
        vector
    }
}

/// A row of lanes of `L` bits: 16, 32 or 64.
pub trait Lanes: Vector {
    /// The lanes that a comparison found, in the form that suits the machine: a vector or a bit mask.
    type Hits: Copy;

    /// Whether [`bits`](Lanes::bits) is one instruction. Where it is not, a caller should ask
    /// [`is_any`](Lanes::is_any) first.
    const HAS_BITS: bool;

    /// Vectors whose [`count_parts`](Lanes::count_parts) may be added up before [`sum`](Lanes::sum).
    const PARTS: usize;

    /// The low `L` bits of `value` in every lane.
    fn splat<const L: usize>(value: u64) -> Self;

    /// Whether no bit is set.
    fn is_zero(self) -> bool;

    /// Every lane without its lowest bit; empty lanes stay empty.
    fn peel<const L: usize>(self) -> Self;

    /// The lanes that have their top bit and no other.
    fn tops<const L: usize>(self) -> Self::Hits;

    /// The 64-bit lanes in which both are equal.
    fn equal(self, other: Self) -> Self::Hits;

    /// No lane.
    fn no_hits() -> Self::Hits;

    /// The lanes found by either comparison.
    fn either(one: Self::Hits, other: Self::Hits) -> Self::Hits;

    /// Whether any lane was found.
    fn is_any(hits: Self::Hits) -> bool;

    /// A bit for each lane that was found, the lowest lane first. [`lane_of`](Lanes::lane_of) gives the lane of a
    /// bit.
    fn bits<const L: usize>(hits: Self::Hits) -> u32;

    /// The lane that belongs to bit `bit` of [`bits`](Lanes::bits).
    fn lane_of<const L: usize>(bit: u32) -> usize;

    /// The numbers of bits set, in parts of a lane; [`sum`](Lanes::sum) adds the parts of each 64-bit lane.
    fn count_parts(self) -> Self;

    /// Adds up parts, of [`PARTS`](Lanes::PARTS) vectors at most.
    fn add_parts(self, other: Self) -> Self;

    /// How many bits every 64-bit lane had.
    fn sum(parts: Self) -> Self;

    /// Sums of 64-bit lanes, wrapping.
    fn add(self, other: Self) -> Self;

    /// Differences of 64-bit lanes, wrapping.
    fn subtract(self, other: Self) -> Self;

    /// Every 64-bit lane shifted left; `count` is at most 63.
    fn shift_left(self, count: u32) -> Self;

    /// The smaller of the low halves of every 64-bit lane. The high halves hold anything.
    fn min_low_halves(self, other: Self) -> Self;
}

/// A number that fills a lane in memory: `u8`, `u16`, `u32` or `u64`.
pub trait Lane: sealed::Bits + Copy + 'static {}

pub(crate) mod sealed {
    pub trait Bits {
        fn bits(self) -> u64;
        fn of(bits: u64) -> Self;
    }
}

macro_rules! lane {
    ($($lane:ty)*) => { $(
        impl Lane for $lane {}

        impl sealed::Bits for $lane {
            #[inline(always)]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $lane
            }
        }
    )* };
}
lane!(u8 u16 u32 u64);

/// 256 bits, in lanes of `L` = 16, 32 or 64.
pub trait Quad: Lanes {
    /// The first 32 bytes of `lanes`. Panics if there are fewer.
    fn load<W: Lane>(lanes: &[W]) -> Self;

    /// Replaces the first 32 bytes of `lanes`. Panics if there are fewer.
    fn store<W: Lane>(self, lanes: &mut [W]);

    /// As [`load`](Quad::load), of the four words from `words` on.
    ///
    /// # Safety
    /// All four must be readable. No alignment is needed beyond the alignment of a word.
    #[allow(unsafe_code)]
    unsafe fn load_from(words: *const u64) -> Self;

    /// As [`store`](Quad::store), to the four words from `words` on.
    ///
    /// # Safety
    /// All four must be writable. No alignment is needed beyond the alignment of a word.
    #[allow(unsafe_code)]
    unsafe fn store_to(self, words: *mut u64);

    /// All bits in the lanes that are equal, none in the others.
    fn equal_lanes<const L: usize>(self, other: Self) -> Self;

    /// The top bits of all lanes, the lowest lane first.
    fn signs<const L: usize>(self) -> u32;

    /// In each half of 16 bytes, byte `i` becomes the byte of the same half with number `from[i]`, or 0 if that is
    /// 128 or more. Other numbers are at most 15.
    fn shuffle_bytes(self, from: &[u8; 32]) -> Self;

    /// Lane `i` of 32 bits becomes lane `from[i]`, at most 7.
    fn permute32(self, from: &[u32; 8]) -> Self;

    /// Word `i` becomes word `ORDER >> 2 * i & 3`.
    fn permute64<const ORDER: i32>(self) -> Self;

    /// Words 0 of both, then words 2 of both.
    fn unpack_low(self, other: Self) -> Self;

    /// Words 1 of both, then words 3 of both.
    fn unpack_high(self, other: Self) -> Self;
}
