//! 256 lanes with AVX2: 1,150 ns in, 1,270 ns out (3.65 GHz Zen 4; plain words 13,800 each).
//!
//! As in [`avx512`](super::avx512), but bits are exchanged with vectors, by shift and mask:
//! ```text
//! load:   r3-r0 [r7 r6 r5 r4] | c7  c6 c5 c4 c3  c2 c1 c0      rows as read
//!         r3-r0 [r7 c6 c5 c4] | c7  c3 r6 r5 r4  c2 c1 c0      interleave8
//!         r3-r0 [c7 c6 c5 c4] | r7  c3 r6 r5 r4  c2 c1 c0      exchange_halves; through memory
//!         c7-c4 [c3 r2 r1 r0] | r7  r6 r5 r4 r3  c2 c1 c0      one interleaving
//!         c7-c4 [c3 c2 c1 c0] | r7  r6 r5 r4 r3  r2 r1 r0      exchange_bits
//!
//! store:  c6-c3 [c7 c2 c1 c0] | r7  r6 r5 r4 r3  r2 r1 r0      vectors of the slice
//!         c6-c3 [c7 r2 r1 r0] | r7  r6 r5 r4 r3  c2 c1 c0      exchange_bits
//!         c6-c3 [r7 r2 r1 r0] | c7  r6 r5 r4 r3  c2 c1 c0      exchange_halves; through memory
//!         r7 r2-r0 [r6 .. r3] | c7  c6 c5 c4 c3  c2 c1 c0      interleave16
//! ```
//! An exchange of bits takes three operations per vector, any other exchange one: fourteen in all.
//!
//! Tried and lost, in ns: halves exchanged by 128-bit loads, of the scratch in load 1,220, of the slice in store
//! 1,560 (every vector is looked up twice). Places by minirow, with three copies of the loop: load 1,220, store
//! 1,240. An iterator over the words instead of indices: load slower by 170.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use galop_simd::Vector;

use super::super::state::Chunk;
use super::Rows;
use super::exchange::{SCRATCH, exchange_halves, get, interleave8, interleave16, put, read, recall, write};

galop_simd::avx2! {
    /// As [`plain::load`](super::plain::load).
    pub(super) fn load<V: Vector, R: Rows<V>>(lanes: &[Chunk], rows: &mut R) {
        let (bits, chunks) = (rows.bits(), rows.chunks());
        let mut scratch = SCRATCH;
        for chunk in 0..chunks {
            for group in 0..16 {
                let (mut zero, mut one) = ([_mm256_setzero_si256(); 8], [_mm256_setzero_si256(); 8]);
                for k in 0..8 {
                    zero[k] = read(&lanes[chunks * (16 * k + group) + chunk]);
                    one[k] = read(&lanes[chunks * (16 * k + group + 128) + chunk]);
                }
                interleave8(&mut zero);
                interleave8(&mut one);
                let words = exchange_halves(&zero, &one);
                for w in 0..16 {
                    scratch[w][group].write(words[w]);
                }
            }
            for w in 0..(bits - Chunk::BITS * chunk).div_ceil(16).min(16) {
                // SAFETY: the loop above has written every vector.
                let groups = unsafe { recall(&scratch[w]) };
                let (mut zero, mut one) = ([_mm256_setzero_si256(); 8], [_mm256_setzero_si256(); 8]);
                for g in 0..8 {
                    zero[g] = _mm256_unpacklo_epi8(groups[g], groups[8 + g]);
                    one[g] = _mm256_unpackhi_epi8(groups[g], groups[8 + g]);
                }
                exchange_bits(&mut zero);
                exchange_bits(&mut one);
                let bit = Chunk::BITS * chunk + 16 * w;
                for c in (0..8).rev() {
                    put(rows.row_mut(bit, 8 + c), one[c]);
                }
                for c in (0..8).rev() {
                    put(rows.row_mut(bit, c), zero[c]);
                }
            }
        }
    }

    /// As [`plain::store`](super::plain::store).
    pub(super) fn store<V: Vector, R: Rows<V>>(rows: &R, lanes: &mut [Chunk]) {
        let chunks = rows.chunks();
        let mut scratch = SCRATCH;
        for chunk in 0..chunks {
            for byte in 0..16 {
                let bit = Chunk::BITS * chunk + 8 * byte;
                let (mut zero, mut one) = ([_mm256_setzero_si256(); 8], [_mm256_setzero_si256(); 8]);
                for c in 0..8 {
                    zero[c] = get(rows.row(bit, c));
                }
                exchange_bits(&mut zero);
                for c in 0..8 {
                    one[c] = get(rows.row(bit, 128 + c));
                }
                exchange_bits(&mut one);
                let groups = exchange_halves(&zero, &one);
                for g in 0..16 {
                    scratch[g][byte].write(groups[g]);
                }
            }
            for g in 0..16 {
                // SAFETY: the loop above has written every vector.
                let mut turned = unsafe { recall(&scratch[g]) };
                interleave16(&mut turned);
                for k in 0..16 {
                    write(&mut lanes[chunks * (g / 8 * 128 + 8 * k + g % 8) + chunk], turned[k]);
                }
            }
        }
    }

    /// Exchanges b2 b1 b0 with the three bits of the vector's number.
    #[inline]
    fn exchange_bits(vectors: &mut [__m256i; 8]) {
        for k in [0, 1, 2, 3] {
            exchange_bit::<4>(vectors, k, 0x0f);
        }
        for k in [0, 1, 4, 5] {
            exchange_bit::<2>(vectors, k, 0x33);
        }
        for k in [0, 2, 4, 6] {
            exchange_bit::<1>(vectors, k, 0x55);
        }
    }

    /// Swaps the bits of vector `at` outside `mask` with the bits of vector `at + BY` inside it.
    #[inline]
    fn exchange_bit<const BY: i32>(vectors: &mut [__m256i; 8], at: usize, mask: i8) {
        let (one, other) = (vectors[at], vectors[at + BY as usize]);
        let moved = _mm256_xor_si256(_mm256_srli_epi16::<BY>(one), other);
        let moved = _mm256_and_si256(moved, _mm256_set1_epi8(mask));
        vectors[at] = _mm256_xor_si256(one, _mm256_slli_epi16::<BY>(moved));
        vectors[at + BY as usize] = _mm256_xor_si256(other, moved);
    }
}
