//! Vectors of x86-64 with AVX2.
//!
//! Without its instruction set such a vector must not be touched: values are made only by kernels behind the
//! doors of [`machine`](super::super::machine), which open only where the instruction set was found.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::vector::Vector;

/// Up to 4 x 4 blocks: 16 lanes of 16 bits, a band in each quarter.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Small(__m256i);

/// Up to 5 x 5 blocks: a register of 8 lanes of 32 bits for each band.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Large([__m256i; BANDS]);

const BANDS: usize = 5;

/// An expression of intrinsics of the vector's instruction set.
macro_rules! x86 {
    ($intrinsics:expr) => {
        // SAFETY: instructions without preconditions but their instruction set; the code runs only where that was
        // found.
        unsafe { $intrinsics }
    };
}

impl Vector for Small {
    type Word = u16;
    const LANES: usize = 16;
    const GROUP: usize = 4;

    #[inline(always)]
    fn load(words: &[u16]) -> Self {
        let words = &words[..Self::LANES];
        // SAFETY: the slice has 32 bytes.
        Small(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u16]) {
        let words = &mut words[..Self::LANES];
        // SAFETY: the slice has 32 bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn zero() -> Self {
        Small(x86!(_mm256_setzero_si256()))
    }

    #[inline(always)]
    fn splat(word: u16) -> Self {
        Small(x86!(_mm256_set1_epi16(word.cast_signed())))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Small(x86!(_mm256_cmpeq_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Small(x86!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Small(x86!(_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Small(x86!(_mm256_andnot_si256(other.0, self.0)))
    }

    #[inline(always)]
    fn peel(self) -> Self {
        Small(x86!(_mm256_and_si256(self.0, _mm256_add_epi16(self.0, _mm256_set1_epi16(-1)))))
    }

    #[inline(always)]
    fn empty(self) -> Self {
        Small(x86!(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256())))
    }

    #[inline(always)]
    fn tops(self) -> u64 {
        // Words become bytes: saturation keeps the sign.
        let bytes =
            x86!(_mm_packs_epi16(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)));
        u64::from(x86!(_mm_movemask_epi8(bytes)).cast_unsigned())
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        x86!(_mm256_testz_si256(self.0, self.0)) == 1
    }

    #[inline(always)]
    fn turn_stacks(self, stacks: usize, steps: usize) -> Self {
        /// The byte that each byte of half a vector gets.
        const FROM: [[[i8; 32]; 4]; 5] = {
            let mut from = [[[0; 32]; 4]; 5];
            let mut at = 0;
            while at < 5 * 4 * 32 {
                let (stacks, steps, byte) = (at / 128, at / 32 % 4, at % 32);
                let (group, stack) = (byte % 16 / 8, byte % 8 / 2);
                from[stacks][steps][byte] = if stack < stacks {
                    (group * 8 + (stack + steps) % stacks * 2 + byte % 2) as i8
                } else {
                    -1
                };
                at += 1;
            }
            from
        };
        let from = &FROM[stacks][steps];
        // SAFETY: the array has 32 bytes; the code runs only where AVX2 was found.
        Small(unsafe { _mm256_shuffle_epi8(self.0, _mm256_loadu_si256(from.as_ptr().cast())) })
    }

    #[inline(always)]
    fn turn_bands(self, bands: usize, steps: usize) -> Self {
        x86!(Small(match (bands, steps) {
            (2, 1) => _mm256_permute4x64_epi64::<0b_11_10_00_01>(self.0),
            (3, 1) => _mm256_permute4x64_epi64::<0b_11_00_10_01>(self.0),
            (3, 2) => _mm256_permute4x64_epi64::<0b_11_01_00_10>(self.0),
            (4, 1) => _mm256_permute4x64_epi64::<0b_00_11_10_01>(self.0),
            (4, 2) => _mm256_permute4x64_epi64::<0b_01_00_11_10>(self.0),
            (4, 3) => _mm256_permute4x64_epi64::<0b_10_01_00_11>(self.0),
            _ => self.0,
        }))
    }
}

impl Vector for Large {
    type Word = u32;
    const LANES: usize = 8 * BANDS;
    const GROUP: usize = 8;

    #[inline(always)]
    fn load(words: &[u32]) -> Self {
        let words = &words[..Self::LANES];
        let mut large = Self::zero();
        for band in 0..BANDS {
            // SAFETY: the slice has 32 bytes for each band.
            large.0[band] = unsafe { _mm256_loadu_si256(words.as_ptr().add(8 * band).cast()) };
        }
        large
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words = &mut words[..Self::LANES];
        for band in 0..BANDS {
            // SAFETY: the slice has 32 bytes for each band.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().add(8 * band).cast(), self.0[band]) }
        }
    }

    #[inline(always)]
    fn zero() -> Self {
        Large([x86!(_mm256_setzero_si256()); BANDS])
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Large([x86!(_mm256_set1_epi32(word.cast_signed())); BANDS])
    }

    #[inline(always)]
    fn equal(mut self, other: Self) -> Self {
        for band in 0..BANDS {
            self.0[band] = x86!(_mm256_cmpeq_epi32(self.0[band], other.0[band]));
        }
        self
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for band in 0..BANDS {
            self.0[band] = x86!(_mm256_and_si256(self.0[band], other.0[band]));
        }
        self
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for band in 0..BANDS {
            self.0[band] = x86!(_mm256_or_si256(self.0[band], other.0[band]));
        }
        self
    }

    #[inline(always)]
    fn without(mut self, other: Self) -> Self {
        for band in 0..BANDS {
            self.0[band] = x86!(_mm256_andnot_si256(other.0[band], self.0[band]));
        }
        self
    }

    #[inline(always)]
    fn peel(mut self) -> Self {
        for band in 0..BANDS {
            let lanes = self.0[band];
            self.0[band] = x86!(_mm256_and_si256(lanes, _mm256_add_epi32(lanes, _mm256_set1_epi32(-1))));
        }
        self
    }

    #[inline(always)]
    fn empty(mut self) -> Self {
        for band in 0..BANDS {
            self.0[band] = x86!(_mm256_cmpeq_epi32(self.0[band], _mm256_setzero_si256()));
        }
        self
    }

    #[inline(always)]
    fn tops(self) -> u64 {
        let mut tops = 0;
        for band in 0..BANDS {
            let mask = x86!(_mm256_movemask_ps(_mm256_castsi256_ps(self.0[band]))).cast_unsigned();
            tops |= u64::from(mask) << (8 * band);
        }
        tops
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let mut any = self.0[0];
        for band in 1..BANDS {
            any = x86!(_mm256_or_si256(any, self.0[band]));
        }
        x86!(_mm256_testz_si256(any, any)) == 1
    }

    #[inline(always)]
    fn turn_stacks(mut self, stacks: usize, steps: usize) -> Self {
        /// The lane that each lane gets, where there are as many stacks as bands.
        const FROM: [[u32; 8]; BANDS] = {
            let mut from = [[0; 8]; BANDS];
            let mut at = 0;
            while at < BANDS * 8 {
                let (steps, lane) = (at / 8, at % 8);
                from[steps][lane] = (if lane < BANDS { (lane + steps) % BANDS } else { lane }) as u32;
                at += 1;
            }
            from
        };
        debug_assert_eq!(stacks, BANDS);
        let from = &FROM[steps];
        for band in 0..BANDS {
            // SAFETY: the array has 32 bytes; the code runs only where AVX2 was found.
            self.0[band] = unsafe {
                _mm256_permutevar8x32_epi32(self.0[band], _mm256_loadu_si256(from.as_ptr().cast()))
            };
        }
        self
    }

    #[inline(always)]
    fn turn_bands(self, bands: usize, steps: usize) -> Self {
        debug_assert_eq!(bands, BANDS);
        let mut turned = self;
        for band in 0..BANDS {
            turned.0[band] = self.0[(band + steps) % BANDS];
        }
        turned
    }
}
