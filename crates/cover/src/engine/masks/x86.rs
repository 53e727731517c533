//! Vectors of x86-64: 256 bits with AVX2, 512 with AVX-512.
//!
//! Without its instruction set such a vector must not be touched: values are made only by kernels behind the
//! doors of [`machine`](super::machine), which open only where the instruction set was found.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::vector::{Block, Oct, Quad, Vector};

/// 256 bits. Hits are vectors: lanes of ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ymm(__m256i);

/// 512 bits. Hits are a bit a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zmm(__m512i);

/// An expression of intrinsics of the vector's instruction set.
macro_rules! x86 {
    ($intrinsics:expr) => {
        // SAFETY: instructions without preconditions but their instruction set, and loads and stores of whole
        // blocks, which are as long and as aligned as the vector; the code runs only where the set was found.
        unsafe { $intrinsics }
    };
}

impl Vector for Ymm {
    type Block = Quad;
    type Hits = Ymm;
    const HAS_BITS: bool = true;
    /// Bytes of at most 8 each.
    const PARTS: usize = 31;

    #[inline(always)]
    fn load(block: &Quad) -> Self {
        Ymm(x86!(_mm256_load_si256((&raw const *block).cast())))
    }

    #[inline(always)]
    fn store(self, block: &mut Quad) {
        x86!(_mm256_store_si256((&raw mut *block).cast(), self.0));
    }

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Ymm(x86!(_mm256_set1_epi64x(value.cast_signed())))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Ymm(x86!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Ymm(x86!(_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        x86!(_mm256_testz_si256(self.0, self.0)) != 0
    }

    #[inline(always)]
    fn peel<const L: usize>(self) -> Self {
        let less = x86!({
            let minus_one = _mm256_set1_epi64x(-1);
            match L {
                16 => _mm256_add_epi16(self.0, minus_one),
                32 => _mm256_add_epi32(self.0, minus_one),
                _ => _mm256_add_epi64(self.0, minus_one),
            }
        });
        self.and(Ymm(less))
    }

    #[inline(always)]
    fn tops<const L: usize>(self) -> Ymm {
        Ymm(x86!(match L {
            16 => _mm256_cmpeq_epi16(self.0, _mm256_set1_epi16(i16::MIN)),
            32 => _mm256_cmpeq_epi32(self.0, _mm256_set1_epi32(i32::MIN)),
            _ => _mm256_cmpeq_epi64(self.0, _mm256_set1_epi64x(i64::MIN)),
        }))
    }

    #[inline(always)]
    fn no_hits() -> Ymm {
        Ymm(x86!(_mm256_setzero_si256()))
    }

    #[inline(always)]
    fn either(one: Ymm, other: Ymm) -> Ymm {
        one.or(other)
    }

    #[inline(always)]
    fn is_any(hits: Ymm) -> bool {
        !hits.is_zero()
    }

    #[inline(always)]
    fn bits<const L: usize>(hits: Ymm) -> u32 {
        let bits = x86!(match L {
            // Two bytes a lane: every other bit.
            16 => _mm256_movemask_epi8(hits.0) & 0x5555_5555,
            32 => _mm256_movemask_ps(_mm256_castsi256_ps(hits.0)),
            _ => _mm256_movemask_pd(_mm256_castsi256_pd(hits.0)),
        });
        bits.cast_unsigned()
    }

    #[inline(always)]
    fn lane_of<const L: usize>(bit: u32) -> usize {
        if L == 16 { bit as usize / 2 } else { bit as usize }
    }

    /// Half a byte is looked up in a table of sixteen, both at once.
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
    fn add_counts(self, other: Self) -> Self {
        Ymm(x86!(_mm256_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Ymm {
        Ymm(x86!(_mm256_cmpeq_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn key(self, group: u32) -> Self {
        Ymm(x86!({
            let less = _mm256_sub_epi64(self.0, _mm256_set1_epi64x(1));
            _mm256_or_si256(_mm256_slli_epi64::<16>(less), _mm256_set1_epi64x(i64::from(group)))
        }))
    }

    #[inline(always)]
    fn min_keys(self, other: Self) -> Self {
        Ymm(x86!(_mm256_min_epu32(self.0, other.0)))
    }
}

impl Vector for Zmm {
    type Block = Oct;
    type Hits = u32;
    const HAS_BITS: bool = true;
    const PARTS: usize = 1 << 16;

    #[inline(always)]
    fn load(block: &Oct) -> Self {
        Zmm(x86!(_mm512_load_si512((&raw const *block).cast())))
    }

    #[inline(always)]
    fn store(self, block: &mut Oct) {
        x86!(_mm512_store_si512((&raw mut *block).cast(), self.0));
    }

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Zmm(x86!(_mm512_set1_epi64(value.cast_signed())))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Zmm(x86!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Zmm(x86!(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        x86!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn peel<const L: usize>(self) -> Self {
        let less = x86!({
            let minus_one = _mm512_set1_epi64(-1);
            match L {
                16 => _mm512_add_epi16(self.0, minus_one),
                32 => _mm512_add_epi32(self.0, minus_one),
                _ => _mm512_add_epi64(self.0, minus_one),
            }
        });
        self.and(Zmm(less))
    }

    #[inline(always)]
    fn tops<const L: usize>(self) -> u32 {
        x86!(match L {
            16 => _mm512_cmpeq_epi16_mask(self.0, _mm512_set1_epi16(i16::MIN)),
            32 => u32::from(_mm512_cmpeq_epi32_mask(self.0, _mm512_set1_epi32(i32::MIN))),
            _ => u32::from(_mm512_cmpeq_epi64_mask(self.0, _mm512_set1_epi64(i64::MIN))),
        })
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
        Zmm(x86!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn sum(parts: Self) -> Self {
        parts
    }

    #[inline(always)]
    fn add_counts(self, other: Self) -> Self {
        Zmm(x86!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        u32::from(x86!(_mm512_cmpeq_epi64_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn key(self, group: u32) -> Self {
        Zmm(x86!({
            let less = _mm512_sub_epi64(self.0, _mm512_set1_epi64(1));
            _mm512_or_si512(_mm512_slli_epi64::<16>(less), _mm512_set1_epi64(i64::from(group)))
        }))
    }

    #[inline(always)]
    fn min_keys(self, other: Self) -> Self {
        Zmm(x86!(_mm512_min_epu32(self.0, other.0)))
    }
}

const _: () = assert!(size_of::<Ymm>() == 8 * Quad::WORDS && align_of::<Ymm>() == align_of::<Quad>());
const _: () = assert!(size_of::<Zmm>() == 8 * Oct::WORDS && align_of::<Zmm>() == align_of::<Oct>());
