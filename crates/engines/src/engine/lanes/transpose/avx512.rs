//! 256 lanes with AVX-512: 800 ns in, 910 ns out (3.65 GHz Zen 4; AVX2 on the same machine 1,150 and 1,270).
//!
//! States are loaded and stored a chunk at a time, 32 bytes of each lane. A lane has a number with the bits r7 .. r0, and
//! a bit has a number in its chunk with the bits c7 .. c0. Together they are the address of the bit. The vector is on the
//! left, the place in the vector on the right:
//! ```text
//! load:   r6-r3 [r7 r2 r1 r0] | c7  c6 c5 c4 c3  c2 c1 c0      rows as read
//!         r6-r3 [r7 c6 c5 c4] | c7  c3 r2 r1 r0  c2 c1 c0      interleave8
//!         r6-r3 [c7 c6 c5 c4] | r7  c3 r2 r1 r0  c2 c1 c0      exchange_halves
//!         r6-r3 [c7 c6 c5 c4] | r7  c3 c2 c1 c0  r2 r1 r0      transpose_bits; through memory
//!         c7-c4 [c3 c2 c1 c0] | r7  r6 r5 r4 r3  r2 r1 r0      interleave16
//!
//! store:  c6-c3 [c7 c2 c1 c0] | r7  r6 r5 r4 r3  r2 r1 r0      vectors of the slice
//!         c6-c3 [c7 r6 r5 r4] | r7  r3 c2 c1 c0  r2 r1 r0      interleave8
//!         c6-c3 [r7 r6 r5 r4] | c7  r3 c2 c1 c0  r2 r1 r0      exchange_halves
//!         c6-c3 [r7 r6 r5 r4] | c7  r3 r2 r1 r0  c2 c1 c0      transpose_bits; through memory
//!         r7-r4 [r3 r2 r1 r0] | c7  c6 c5 c4 c3  c2 c1 c0      interleave16
//! ```
//! 1. Bits are never exchanged with vectors, only with bytes of the same eight, by one `vgf2p8affineqb`: the data is
//!    the matrix, and it is applied to the unit vectors. Nine operations per vector, no masks.
//! 2. The bits of the product are reversed, so the rows are read in reverse order, at no cost.
//! 3. With a chunk at a time, the vectors between the passes are 8 KiB and stay in the first-level cache.
//!
//! Tried and lost, load in ns: the whole planes between the passes, 24 KiB: 960. Words of 16 bits for the first four
//! exchanges, then the bits of a word by a rotation, four selects by `vpternlog` and another rotation: 990. It has one
//! more operation, and a copy for most selects. Places by minirow, a third of the look-ups but three copies of the
//! loop: 830 (store 870). Look-ups without checks: 810 (store 830). The same passes without any exchange take 630
//! (store 680): memory is the limit.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use galop_simd::Vector;

use super::super::state::Chunk;
use super::Rows;
use super::exchange::{SCRATCH, exchange_halves, get, interleave8, interleave16, put, read, recall, write};

galop_simd::avx512! {
    /// As [`plain::load`](super::plain::load).
    pub(super) fn load<V: Vector, R: Rows<V>>(lanes: &[Chunk], rows: &mut R) {
        let (bits, chunks) = (rows.bits(), rows.chunks());
        let mut scratch = SCRATCH;
        for chunk in 0..chunks {
            for group in 0..16 {
                let (mut zero, mut one) = ([_mm256_setzero_si256(); 8], [_mm256_setzero_si256(); 8]);
                for k in 0..8 {
                    zero[7 - k] = read(&lanes[chunks * (8 * group + k) + chunk]);
                    one[7 - k] = read(&lanes[chunks * (8 * group + k + 128) + chunk]);
                }
                interleave8(&mut zero);
                interleave8(&mut one);
                let words = exchange_halves(&zero, &one);
                for w in 0..16 {
                    scratch[w][group].write(transpose_bits(words[w]));
                }
            }
            for w in 0..(bits - Chunk::BITS * chunk).div_ceil(16).min(16) {
                // SAFETY: the loop above has written every vector.
                let mut columns = unsafe { recall(&scratch[w]) };
                interleave16(&mut columns);
                let bit = Chunk::BITS * chunk + 16 * w;
                for c in (0..8).rev() {
                    put(rows.row_mut(bit, 8 + c), columns[8 + c]);
                }
                for c in (0..8).rev() {
                    put(rows.row_mut(bit, c), columns[c]);
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
                    zero[7 - c] = get(rows.row(bit, c));
                }
                interleave8(&mut zero);
                for c in 0..8 {
                    one[7 - c] = get(rows.row(bit, 128 + c));
                }
                interleave8(&mut one);
                let groups = exchange_halves(&zero, &one);
                for g in 0..16 {
                    scratch[g][byte].write(transpose_bits(groups[g]));
                }
            }
            for g in 0..16 {
                // SAFETY: the loop above has written every vector.
                let mut turned = unsafe { recall(&scratch[g]) };
                interleave16(&mut turned);
                for k in 0..16 {
                    write(&mut lanes[chunks * (16 * g + k) + chunk], turned[k]);
                }
            }
        }
    }

    /// Exchanges q2 q1 q0 with b2 b1 b0, the complement of the former for the latter.
    #[inline]
    fn transpose_bits(bytes: __m256i) -> __m256i {
        _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed()), bytes)
    }
}
