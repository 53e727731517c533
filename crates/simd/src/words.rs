//! Plain words as vectors: every machine, and the twin that the others are tested against.
#![allow(unsafe_code)]

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::vector::{Lane, Lanes, Quad, Vector};

/// `N` plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Words<const N: usize>([u64; N]);

impl<const N: usize> Vector for Words<N> {
    const WORDS: usize = N;
    const ZERO: Self = Words([0; N]);
    const ONES: Self = Words([!0; N]);

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    #[inline(always)]
    fn word(self, index: usize) -> u64 {
        self.0[index]
    }

    #[inline(always)]
    fn set_word(&mut self, index: usize, word: u64) {
        self.0[index] = word;
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $in_place_trait:ident $in_place:ident, $operator:tt) => {
        impl<const N: usize> $trait for Words<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                let mut word = 0;
                while word < N {
                    self.0[word] $operator other.0[word];
                    word += 1;
                }
                self
            }
        }

        impl<const N: usize> $in_place_trait for Words<N> {
            #[inline(always)]
            fn $in_place(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

operator!(BitAnd bitand, BitAndAssign bitand_assign, &=);
operator!(BitOr bitor, BitOrAssign bitor_assign, |=);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^=);

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::ONES
    }
}

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

/// Lanes are kept apart by their top bits: one is taken from, or added to, all lanes of a word at once where no
/// lane borrows from the next.
impl Lanes for Words<4> {
    /// Top bits of 64-bit words, or of the lanes.
    type Hits = Words<4>;
    const HAS_BITS: bool = false;
    const PARTS: usize = 1 << 16;

    #[inline(always)]
    fn splat<const L: usize>(value: u64) -> Self {
        Words([(value & !0 >> (64 - L)) * lowest_of(L); 4])
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// One is taken from every lane. The top bit is set before, so that no lane borrows from the next.
    #[inline(always)]
    fn peel<const L: usize>(self) -> Self {
        each!(i => self.0[i] & ((self.0[i] | tops_of(L)) - lowest_of(L)))
    }

    /// A lane is found if it is zero once its top bit is flipped. Adding the largest number below a top bit to the
    /// other bits sets the top bit unless they are all zero.
    #[inline(always)]
    fn tops<const L: usize>(self) -> Words<4> {
        each!(i => {
            let flipped = self.0[i] ^ tops_of(L);
            let rest = (flipped & !tops_of(L)) + !tops_of(L);
            !(rest | flipped) & tops_of(L)
        })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Words<4> {
        each!(i => u64::from(self.0[i] == other.0[i]) << 63)
    }

    #[inline(always)]
    fn no_hits() -> Words<4> {
        Words([0; 4])
    }

    #[inline(always)]
    fn either(one: Words<4>, other: Words<4>) -> Words<4> {
        one | other
    }

    #[inline(always)]
    fn is_any(hits: Words<4>) -> bool {
        !hits.is_zero()
    }

    #[inline(always)]
    fn bits<const L: usize>(hits: Words<4>) -> u32 {
        hits.signs::<L>()
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
    fn add(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_add(other.0[i]))
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_sub(other.0[i]))
    }

    #[inline(always)]
    fn shift_left(self, count: u32) -> Self {
        each!(i => self.0[i] << (count & 63))
    }

    #[inline(always)]
    fn min_low_halves(self, other: Self) -> Self {
        each!(i => u64::from((self.0[i] as u32).min(other.0[i] as u32)))
    }
}

/// The lanes as an array, and back.
macro_rules! array {
    ($to:ident, $from:ident, $lane:ty, $bits:literal) => {
        #[inline(always)]
        fn $to(self) -> [$lane; 256 / $bits] {
            let mut lanes = [0; 256 / $bits];
            let mut lane = 0;
            while lane < 256 / $bits {
                lanes[lane] = (self.0[lane * $bits / 64] >> (lane * $bits % 64)) as $lane;
                lane += 1;
            }
            lanes
        }

        #[inline(always)]
        fn $from(lanes: [$lane; 256 / $bits]) -> Self {
            let mut words = [0; 4];
            let mut lane = 0;
            while lane < 256 / $bits {
                words[lane * $bits / 64] |= u64::from(lanes[lane]) << (lane * $bits % 64);
                lane += 1;
            }
            Words(words)
        }
    };
}

impl Words<4> {
    array!(bytes, from_bytes, u8, 8);
    array!(lanes16, from_lanes16, u16, 16);
    array!(lanes32, from_lanes32, u32, 32);
}

impl Quad for Words<4> {
    #[inline(always)]
    fn load<W: Lane>(lanes: &[W]) -> Self {
        let (count, bits) = (32 / size_of::<W>(), 8 * size_of::<W>());
        let (lanes, mut words) = (&lanes[..count], [0; 4]);
        let mut lane = 0;
        while lane < count {
            words[lane * bits / 64] |= lanes[lane].bits() << (lane * bits % 64);
            lane += 1;
        }
        Words(words)
    }

    #[inline(always)]
    fn store<W: Lane>(self, lanes: &mut [W]) {
        let (count, bits) = (32 / size_of::<W>(), 8 * size_of::<W>());
        let lanes = &mut lanes[..count];
        let mut lane = 0;
        while lane < count {
            lanes[lane] = W::of(self.0[lane * bits / 64] >> (lane * bits % 64));
            lane += 1;
        }
    }

    #[inline(always)]
    unsafe fn load_from(words: *const u64) -> Self {
        // SAFETY: the caller promises that four words are readable; a read of an array of words needs their
        // alignment.
        Words(unsafe { words.cast::<[u64; 4]>().read() })
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut u64) {
        // SAFETY: the caller promises that four words are writable; a write of an array of words needs their
        // alignment.
        unsafe { words.cast::<[u64; 4]>().write(self.0) }
    }

    #[inline(always)]
    fn equal_lanes<const L: usize>(self, other: Self) -> Self {
        macro_rules! equal {
            ($to:ident, $from:ident, $bits:literal) => {{
                let (mut lanes, others) = (self.$to(), other.$to());
                let mut lane = 0;
                while lane < 256 / $bits {
                    lanes[lane] = if lanes[lane] == others[lane] { !0 } else { 0 };
                    lane += 1;
                }
                Words::$from(lanes)
            }};
        }
        match L {
            16 => equal!(lanes16, from_lanes16, 16),
            32 => equal!(lanes32, from_lanes32, 32),
            _ => each!(i => u64::from(self.0[i] == other.0[i]).wrapping_neg()),
        }
    }

    #[inline(always)]
    fn signs<const L: usize>(self) -> u32 {
        let (mut signs, mut lane) = (0, 0);
        while lane < 256 / L {
            signs |= ((self.0[lane * L / 64] >> (lane * L % 64 + L - 1)) as u32 & 1) << lane;
            lane += 1;
        }
        signs
    }

    #[inline(always)]
    fn shuffle_bytes(self, from: &[u8; 32]) -> Self {
        let (bytes, mut shuffled, mut at) = (self.bytes(), [0; 32], 0);
        while at < 32 {
            let byte = bytes[at / 16 * 16 + usize::from(from[at] % 16)];
            shuffled[at] = if from[at] < 128 { byte } else { 0 };
            at += 1;
        }
        Words::from_bytes(shuffled)
    }

    #[inline(always)]
    fn permute32(self, from: &[u32; 8]) -> Self {
        let (lanes, mut permuted, mut lane) = (self.lanes32(), [0; 8], 0);
        while lane < 8 {
            permuted[lane] = lanes[from[lane] as usize % 8];
            lane += 1;
        }
        Words::from_lanes32(permuted)
    }

    #[inline(always)]
    fn permute64<const ORDER: i32>(self) -> Self {
        each!(i => self.0[(ORDER >> (2 * i) & 3) as usize])
    }

    #[inline(always)]
    fn unpack_low(self, other: Self) -> Self {
        Words([self.0[0], other.0[0], self.0[2], other.0[2]])
    }

    #[inline(always)]
    fn unpack_high(self, other: Self) -> Self {
        Words([self.0[1], other.0[1], self.0[3], other.0[3]])
    }
}
