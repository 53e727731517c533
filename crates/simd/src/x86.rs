//! Instruction sets and vectors of x86-64.
//!
//! All types here are private to the crate. [`Isa::run`] alone hands them out, after it found their instruction set
//! on this machine; the unsafe blocks below rest on that.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Isa;
use crate::bytes::Bytes;
use crate::simd::{Kernel, Simd, sealed};
use crate::vector::{Lane, Lanes, Quad, Vector};
use crate::wide_bytes::{PlainWideBytes, WideBytes};

/// AVX2: 16 vectors of 256 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Avx2 {}

/// AVX-512: 32 vectors of 256 or 512 bits, operations of three operands, comparisons into masks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Avx512 {}

/// Implements [`Simd`] with a function compiled for the features in front.
macro_rules! machine {
    ([$($feature:literal)*] $machine:ident, $base:ty, $wide_bytes:ty, $quad:ty, $widest:ty) => {
        impl sealed::Sealed for $machine {}

        impl Simd for $machine {
            const ISA: Isa = Isa::$machine;
            // The features of AVX-512 include the features of AVX2.
            type Base = $base;
            type Bytes = Xmm;
            type WideBytes = $wide_bytes;
            type Quad = $quad;
            type Widest = $widest;

            #[inline(always)]
            fn run<K: Kernel>(kernel: K) -> K::Output {
                // A kernel that is inlined into another one makes both slower: see `Portable::run` for the build time.
                #[inline(never)]
                #[target_feature($(enable = $feature),*)]
                fn compiled<K: Kernel>(kernel: K) -> K::Output {
                    kernel.run()
                }
                // SAFETY: only `Isa::run` hands out this type, after it found these features on this machine.
                unsafe { compiled(kernel) }
            }
        }
    };
}

crate::avx2_features! { machine { Avx2, Avx2, PlainWideBytes, Ymm<16>, Ymm<16> } }
crate::avx512_features! { machine { Avx512, Avx2, Zmm, Ymm<32>, Zmm } }

/// 256 bits, of which the machine holds `REGISTERS` in registers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Ymm<const REGISTERS: usize>(__m256i);

/// 128 bits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Xmm(__m128i);

/// 512 bits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Zmm(__m512i);

/// An expression of intrinsics of the vector's instruction set.
macro_rules! x86 {
    ($intrinsics:expr) => {
        // SAFETY: the intrinsics have no precondition but their instruction set, which this machine has where the
        // type of the vector was handed out.
        unsafe { $intrinsics }
    };
}

/// What both vectors have in common.
macro_rules! vector {
    ([$($generics:tt)*] $vector:ty, $make:ident, $raw:ty, $words:literal, $registers:expr, $and:ident, $or:ident, $xor:ident) => {
        impl<$($generics)*> Vector for $vector {
            const WORDS: usize = $words;
            const REGISTERS: usize = $registers;
            // SAFETY: both have the same size, and any bits are a value of either.
            const ZERO: Self = $make(unsafe { std::mem::transmute::<[u64; $words], $raw>([0; $words]) });
            // SAFETY: both have the same size, and any bits are a value of either.
            const ONES: Self = $make(unsafe { std::mem::transmute::<[u64; $words], $raw>([!0; $words]) });

            #[inline(always)]
            fn words(&self) -> &[u64] {
                // SAFETY: the words have the size of the vector and no stricter alignment, and any bits are a value
                // of either.
                unsafe { &*(&raw const self.0).cast::<[u64; $words]>() }
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                // SAFETY: the words have the size of the vector and no stricter alignment, and any bits are a value
                // of either.
                unsafe { &mut *(&raw mut self.0).cast::<[u64; $words]>() }
            }

            #[inline(always)]
            fn word(self, index: usize) -> u64 {
                // SAFETY: both have the same size, and any bits are a value of either.
                let words = unsafe { std::mem::transmute::<$raw, [u64; $words]>(self.0) };
                words[index]
            }

            #[inline(always)]
            fn set_word(&mut self, index: usize, word: u64) {
                // SAFETY: both have the same size, and any bits are a value of either.
                let mut words = unsafe { std::mem::transmute::<$raw, [u64; $words]>(self.0) };
                words[index] = word;
                // SAFETY: both have the same size, and any bits are a value of either.
                self.0 = unsafe { std::mem::transmute::<[u64; $words], $raw>(words) };
            }
        }

        vector!(@operator [$($generics)*] $vector, $make, BitAnd bitand, BitAndAssign bitand_assign, $and);
        vector!(@operator [$($generics)*] $vector, $make, BitOr bitor, BitOrAssign bitor_assign, $or);
        vector!(@operator [$($generics)*] $vector, $make, BitXor bitxor, BitXorAssign bitxor_assign, $xor);

        impl<$($generics)*> Not for $vector {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self::ONES
            }
        }
    };
    (@operator [$($generics:tt)*] $vector:ty, $make:ident, $trait:ident $method:ident,
     $in_place_trait:ident $in_place:ident, $operation:ident) => {
        impl<$($generics)*> $trait for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $make(x86!($operation(self.0, other.0)))
            }
        }

        impl<$($generics)*> $in_place_trait for $vector {
            #[inline(always)]
            fn $in_place(&mut self, other: Self) {
                self.0 = x86!($operation(self.0, other.0));
            }
        }
    };
}

vector!(
    [const REGISTERS: usize] Ymm<REGISTERS>, Ymm, __m256i, 4, REGISTERS,
    _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256
);
vector!([] Zmm, Zmm, __m512i, 8, 32, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512);

/// Hits are vectors: lanes of ones.
impl<const R: usize> Lanes for Ymm<R> {
    type Hits = Self;
    const HAS_BITS: bool = true;
    /// Bytes of at most 8 each.
    const PARTS: usize = 31;

    #[inline(always)]
    fn splat<const L: usize>(value: u64) -> Self {
        Ymm(x86!(match L {
            16 => _mm256_set1_epi16(value as i16),
            32 => _mm256_set1_epi32(value as i32),
            _ => _mm256_set1_epi64x(value.cast_signed()),
        }))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        x86!(_mm256_testz_si256(self.0, self.0)) != 0
    }

    #[inline(always)]
    fn peel<const L: usize>(self) -> Self {
        let minus_one = Self::ONES.0;
        self & Ymm(x86!(match L {
            16 => _mm256_add_epi16(self.0, minus_one),
            32 => _mm256_add_epi32(self.0, minus_one),
            _ => _mm256_add_epi64(self.0, minus_one),
        }))
    }

    #[inline(always)]
    fn tops<const L: usize>(self) -> Self {
        self.equal_lanes::<L>(Self::splat::<L>(1 << (L - 1)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        self.equal_lanes::<64>(other)
    }

    #[inline(always)]
    fn no_hits() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    fn either(one: Self, other: Self) -> Self {
        one | other
    }

    #[inline(always)]
    fn is_any(hits: Self) -> bool {
        !hits.is_zero()
    }

    #[inline(always)]
    fn bits<const L: usize>(hits: Self) -> u32 {
        match L {
            // Two bytes a lane: every other bit.
            16 => x86!(_mm256_movemask_epi8(hits.0)).cast_unsigned() & 0x5555_5555,
            _ => hits.signs::<L>(),
        }
    }

    #[inline(always)]
    fn lane_of<const L: usize>(bit: u32) -> usize {
        if L == 16 { bit as usize / 2 } else { bit as usize }
    }

    /// Half a byte is looked up in a table of sixteen, both halves of the vector at once.
    #[inline(always)]
    fn count_parts(self) -> Self {
        Ymm(x86!({
            let ones = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3,
                4,
            );
            let half = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(self.0, half));
            let high = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half));
            _mm256_add_epi8(low, high)
        }))
    }

    #[inline(always)]
    fn add_parts(self, other: Self) -> Self {
        Ymm(x86!(_mm256_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(parts: Self) -> Self {
        Ymm(x86!(_mm256_sad_epu8(parts.0, _mm256_setzero_si256())))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Ymm(x86!(_mm256_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        Ymm(x86!(_mm256_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn shift_left(self, count: u32) -> Self {
        Ymm(x86!(_mm256_sll_epi64(self.0, _mm_cvtsi32_si128(count.cast_signed()))))
    }

    #[inline(always)]
    fn min_low_halves(self, other: Self) -> Self {
        Ymm(x86!(_mm256_min_epu32(self.0, other.0)))
    }
}

impl<const R: usize> Quad for Ymm<R> {
    #[inline(always)]
    fn load<W: Lane>(lanes: &[W]) -> Self {
        let lanes = &lanes[..32 / size_of::<W>()];
        // SAFETY: the slice has 32 bytes; the load needs no alignment. This machine has AVX2: see the head of this
        // file.
        Ymm(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store<W: Lane>(self, lanes: &mut [W]) {
        let lanes = &mut lanes[..32 / size_of::<W>()];
        // SAFETY: the slice has 32 bytes, and any bits are numbers; the store needs no alignment. This machine has
        // AVX2: see the head of this file.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn load_from(words: *const u64) -> Self {
        // SAFETY: the caller promises that four words are readable; the load needs no alignment. This machine has
        // AVX2: see the head of this file.
        Ymm(unsafe { _mm256_loadu_si256(words.cast()) })
    }

    #[inline(always)]
    unsafe fn store_to(self, words: *mut u64) {
        // SAFETY: the caller promises that four words are writable; the store needs no alignment. This machine has
        // AVX2: see the head of this file.
        unsafe { _mm256_storeu_si256(words.cast(), self.0) }
    }

    #[inline(always)]
    fn equal_lanes<const L: usize>(self, other: Self) -> Self {
        Ymm(x86!(match L {
            16 => _mm256_cmpeq_epi16(self.0, other.0),
            32 => _mm256_cmpeq_epi32(self.0, other.0),
            _ => _mm256_cmpeq_epi64(self.0, other.0),
        }))
    }

    #[inline(always)]
    fn signs<const L: usize>(self) -> u32 {
        let signs = x86!(match L {
            16 => {
                // Words become bytes: saturation keeps the sign.
                let high = _mm256_extracti128_si256::<1>(self.0);
                _mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(self.0), high))
            }
            32 => _mm256_movemask_ps(_mm256_castsi256_ps(self.0)),
            _ => _mm256_movemask_pd(_mm256_castsi256_pd(self.0)),
        });
        signs.cast_unsigned()
    }

    #[inline(always)]
    fn shuffle_bytes(self, from: &[u8; 32]) -> Self {
        Ymm(x86!(_mm256_shuffle_epi8(self.0, Self::load(from).0)))
    }

    #[inline(always)]
    fn permute32(self, from: &[u32; 8]) -> Self {
        Ymm(x86!(_mm256_permutevar8x32_epi32(self.0, Self::load(from).0)))
    }

    #[inline(always)]
    fn permute64<const ORDER: i32>(self) -> Self {
        Ymm(x86!(_mm256_permute4x64_epi64::<ORDER>(self.0)))
    }

    #[inline(always)]
    fn unpack_low(self, other: Self) -> Self {
        Ymm(x86!(_mm256_unpacklo_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn unpack_high(self, other: Self) -> Self {
        Ymm(x86!(_mm256_unpackhi_epi64(self.0, other.0)))
    }
}

/// Hits are a bit a lane.
impl Lanes for Zmm {
    type Hits = u32;
    const HAS_BITS: bool = true;
    const PARTS: usize = 1 << 16;

    #[inline(always)]
    fn splat<const L: usize>(value: u64) -> Self {
        Zmm(x86!(match L {
            16 => _mm512_set1_epi16(value as i16),
            32 => _mm512_set1_epi32(value as i32),
            _ => _mm512_set1_epi64(value.cast_signed()),
        }))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        x86!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn peel<const L: usize>(self) -> Self {
        let minus_one = Self::ONES.0;
        self & Zmm(x86!(match L {
            16 => _mm512_add_epi16(self.0, minus_one),
            32 => _mm512_add_epi32(self.0, minus_one),
            _ => _mm512_add_epi64(self.0, minus_one),
        }))
    }

    #[inline(always)]
    fn tops<const L: usize>(self) -> u32 {
        let top = <Self as Lanes>::splat::<L>(1 << (L - 1)).0;
        x86!(match L {
            16 => _mm512_cmpeq_epi16_mask(self.0, top),
            32 => u32::from(_mm512_cmpeq_epi32_mask(self.0, top)),
            _ => u32::from(_mm512_cmpeq_epi64_mask(self.0, top)),
        })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        u32::from(x86!(_mm512_cmpeq_epi64_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn no_hits() -> u32 {
        0
    }

    #[inline(always)]
    fn either(one: u32, other: u32) -> u32 {
        one | other
    }

    #[inline(always)]
    fn is_any(hits: u32) -> bool {
        hits != 0
    }

    #[inline(always)]
    fn bits<const L: usize>(hits: u32) -> u32 {
        hits
    }

    #[inline(always)]
    fn lane_of<const L: usize>(bit: u32) -> usize {
        bit as usize
    }

    #[inline(always)]
    fn count_parts(self) -> Self {
        Zmm(x86!(_mm512_popcnt_epi64(self.0)))
    }

    #[inline(always)]
    fn add_parts(self, other: Self) -> Self {
        self.add(other)
    }

    #[inline(always)]
    fn sum(parts: Self) -> Self {
        parts
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Zmm(x86!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn subtract(self, other: Self) -> Self {
        Zmm(x86!(_mm512_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn shift_left(self, count: u32) -> Self {
        Zmm(x86!(_mm512_sll_epi64(self.0, _mm_cvtsi32_si128(count.cast_signed()))))
    }

    #[inline(always)]
    fn min_low_halves(self, other: Self) -> Self {
        Zmm(x86!(_mm512_min_epu32(self.0, other.0)))
    }
}

impl BitAnd for Xmm {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Xmm(x86!(_mm_and_si128(self.0, other.0)))
    }
}

impl BitOr for Xmm {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Xmm(x86!(_mm_or_si128(self.0, other.0)))
    }
}

impl BitXor for Xmm {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Xmm(x86!(_mm_xor_si128(self.0, other.0)))
    }
}

impl Bytes for Xmm {
    // SAFETY: both have the same size, and any bits are a value of either.
    const ZERO: Self = Xmm(unsafe { std::mem::transmute::<[u8; 16], __m128i>([0; 16]) });

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the array has 16 bytes; the load needs no alignment. Every x86-64 has SSE2.
        Xmm(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        // SAFETY: the array has 16 bytes; the store needs no alignment. Every x86-64 has SSE2.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Xmm(x86!(_mm_set1_epi8(byte.cast_signed())))
    }

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        // SAFETY: both have the same size, and any bits are a value of either.
        unsafe { std::mem::transmute::<__m128i, [u64; 2]>(self.0) }
    }

    #[inline(always)]
    fn from_words(words: [u64; 2]) -> Self {
        Xmm(x86!(_mm_set_epi64x(words[1].cast_signed(), words[0].cast_signed())))
    }

    #[inline(always)]
    fn look_up(self, at: Self) -> Self {
        Xmm(x86!(_mm_shuffle_epi8(self.0, at.0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Xmm(x86!(_mm_min_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Xmm(x86!(_mm_max_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Xmm(x86!(_mm_cmpeq_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Xmm(x86!(_mm_cmpgt_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn tops(self) -> u32 {
        x86!(_mm_movemask_epi8(self.0)).cast_unsigned()
    }
}

impl WideBytes for Zmm {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        // SAFETY: the array has 64 bytes; the load needs no alignment. Where this type was handed out, the machine has
        // AVX-512.
        Zmm(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        Zmm(x86!(_mm512_set1_epi8(byte.cast_signed())))
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        let table = <Xmm as Bytes>::load(table).0;
        Zmm(x86!(_mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), self.0)))
    }

    #[inline(always)]
    fn pick(self, other: Self, from: &[u8; 64]) -> Self {
        let from = <Zmm as WideBytes>::load(from).0;
        Zmm(x86!(_mm512_permutex2var_epi8(self.0, from, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u64 {
        x86!(_mm512_cmpeq_epi8_mask(self.0, other.0))
    }
}
