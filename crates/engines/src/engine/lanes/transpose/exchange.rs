//! Exchanges of bits of the address by instructions of AVX2, loads and stores.
//!
//! The address of a bit: which vector, and where in it.
//! ```text
//! v .. v | h q3 q2 q1 q0 b2 b1 b0        h: half of the vector, q: byte of the half, b: bit of the byte
//! ```
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use galop_simd::Vector;

use super::super::state::Chunk;

/// Vectors between the two passes: 8 KiB.
pub(super) type Scratch = [[MaybeUninit<__m256i>; 16]; 16];

/// Nothing yet.
pub(super) const SCRATCH: Scratch = [[MaybeUninit::uninit(); 16]; 16];

galop_simd::avx2! {
    /// Three exchanges. Each takes the highest bit of the vector's number for q0, and puts q3 in as the lowest.
    #[inline]
    pub(super) fn interleave8(vectors: &mut [__m256i; 8]) {
        for _ in 0..3 {
            let from = *vectors;
            for k in 0..4 {
                vectors[2 * k] = _mm256_unpacklo_epi8(from[k], from[k + 4]);
                vectors[2 * k + 1] = _mm256_unpackhi_epi8(from[k], from[k + 4]);
            }
        }
    }

    /// Four exchanges of the same kind.
    #[inline]
    pub(super) fn interleave16(vectors: &mut [__m256i; 16]) {
        for _ in 0..4 {
            let from = *vectors;
            for k in 0..8 {
                vectors[2 * k] = _mm256_unpacklo_epi8(from[k], from[k + 8]);
                vectors[2 * k + 1] = _mm256_unpackhi_epi8(from[k], from[k + 8]);
            }
        }
    }

    /// Exchanges h for the number of the array; the lower halves come first.
    #[inline]
    pub(super) fn exchange_halves(zero: &[__m256i; 8], one: &[__m256i; 8]) -> [__m256i; 16] {
        let mut vectors = [_mm256_setzero_si256(); 16];
        for k in 0..8 {
            vectors[k] = _mm256_permute2x128_si256::<0x20>(zero[k], one[k]);
            vectors[8 + k] = _mm256_permute2x128_si256::<0x31>(zero[k], one[k]);
        }
        vectors
    }

    /// A chunk of a state.
    #[inline]
    pub(super) fn read(chunk: &Chunk) -> __m256i {
        // SAFETY: 32 bytes that the reference allows to read.
        unsafe { _mm256_loadu_si256(chunk.0.as_ptr().cast()) }
    }

    /// Replaces a chunk of a state.
    #[inline]
    pub(super) fn write(chunk: &mut Chunk, row: __m256i) {
        // SAFETY: 32 bytes that the reference allows to write.
        unsafe { _mm256_storeu_si256(chunk.0.as_mut_ptr().cast(), row) }
    }

    /// A vector of the slice, which has 256 lanes.
    #[inline]
    pub(super) fn get<V: Vector>(vector: &V) -> __m256i {
        let words: &[u64; 4] = vector.words().first_chunk().expect("256 lanes are four words");
        // SAFETY: 32 bytes that the reference allows to read.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    /// Replaces a vector of the slice, which has 256 lanes.
    #[inline]
    pub(super) fn put<V: Vector>(vector: &mut V, bits: __m256i) {
        let words: &mut [u64; 4] = vector.words_mut().first_chunk_mut().expect("256 lanes are four words");
        // SAFETY: 32 bytes that the reference allows to write.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), bits) }
    }

    /// Sixteen vectors of the scratch.
    ///
    /// # Safety
    /// All of them have been written.
    #[inline]
    pub(super) unsafe fn recall(scratch: &[MaybeUninit<__m256i>; 16]) -> [__m256i; 16] {
        let mut vectors = [_mm256_setzero_si256(); 16];
        for (vector, written) in vectors.iter_mut().zip(scratch) {
            // SAFETY: the caller has written it.
            *vector = unsafe { written.assume_init() };
        }
        vectors
    }
}
