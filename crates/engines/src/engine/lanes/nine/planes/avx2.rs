//! Conversions with AVX2: 18 ns in, 13 ns out (3.65 GHz Zen 4).
//!
//! In: `vpmovmskb` takes the four bits of a digit, 32 cells at a time; planes are ANDs of them. Out: from the planes
//! of ones, twos, fours and eights, each bit is spread over its byte (`vpshufb`, AND, compare) and added up. 81 bytes
//! are three vectors, of which the last two overlap: from 0, 32 and 49.
//!
//! Tried and lost: nine comparisons and 27 `vpmovmskb`, 22 ns in.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{CELLS, Planes};

galop_simd::avx2! {
    /// As [`Planes::read`].
    #[inline]
    pub(super) fn read(puzzle: &[u8; CELLS], planes: &mut Planes) -> bool {
        let cells = [load(puzzle, 0), load(puzzle, 32), load(puzzle, 49)];
        let most = _mm256_max_epu8(_mm256_max_epu8(cells[0], cells[1]), cells[2]);
        let above = _mm256_subs_epu8(most, _mm256_set1_epi8(9));
        let is_known = _mm256_testz_si256(above, above) == 1;

        let mut bits = [[0; 3]; 4];
        for part in 0..3 {
            let mut shifted = _mm256_slli_epi16::<4>(cells[part]);
            for bit in (0..4).rev() {
                bits[bit][part] = u64::from(_mm256_movemask_epi8(shifted).cast_unsigned());
                shifted = _mm256_add_epi8(shifted, shifted);
            }
        }
        // Without the black box, the compiler takes the masks for vectors of bools and shuffles them bit by bit: 95
        // ns.
        let [ones, twos, fours, eights] = std::hint::black_box(bits);
        let low = |part: [u64; 3]| part[0] | part[1] << 32;
        let low = planes_of([low(ones), low(twos), low(fours), low(eights)], !0);
        let high = planes_of([ones[2] >> 15, twos[2] >> 15, fours[2] >> 15, eights[2] >> 15], 0x1_ffff);

        let mut of = Planes::NONE;
        for digit in 0..9 {
            of.set(digit, u128::from(low[digit]) | u128::from(high[digit]) << 64);
        }
        *planes = of;
        is_known
    }
}

/// Per digit the cells that may hold it, from the bits of what they hold, of cells in `all`.
#[inline(always)]
fn planes_of([ones, twos, fours, eights]: [u64; 4], all: u64) -> [u64; 9] {
    let below_two = all & !(twos | fours | eights);
    let blank = below_two & !ones;
    let (two, four, six) = (twos & !fours, fours & !twos, twos & fours);
    [
        below_two,
        two & !ones | blank,
        two & ones | blank,
        four & !ones | blank,
        four & ones | blank,
        six & !ones | blank,
        six & ones | blank,
        eights & !ones | blank,
        eights & ones | blank,
    ]
}

galop_simd::avx2! {
    /// As [`Planes::write`].
    #[inline]
    pub(super) fn write(planes: &Planes, solution: &mut [u8; CELLS]) {
        let mut bits = [0; 4];
        for digit in 0..9 {
            let cells = planes.get(digit);
            for (bit, bits) in bits.iter_mut().enumerate() {
                if (digit + 1) >> bit & 1 == 1 {
                    *bits |= cells;
                }
            }
        }
        let [ones, twos, fours, eights] = bits;
        for from in [0, 32, 49] {
            let digits = digits_of([ones >> from, twos >> from, fours >> from, eights >> from]);
            let place: &mut [u8; 32] = solution[from..].first_chunk_mut().expect("81 are 49 and 32");
            // SAFETY: 32 bytes that the reference allows to write.
            unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), digits) }
        }
    }

    /// The digits of the first 32 cells, from their planes of ones, twos, fours and eights.
    #[inline]
    fn digits_of(bits: [u128; 4]) -> __m256i {
        let bytes = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
        let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        let mut digits = _mm256_setzero_si256();
        for bit in (0..4).rev() {
            let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits[bit] as i32), bytes);
            let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, own), own);
            digits = _mm256_sub_epi8(_mm256_add_epi8(digits, digits), is_set);
        }
        digits
    }

    /// 32 cells.
    #[inline]
    fn load(puzzle: &[u8; CELLS], from: usize) -> __m256i {
        let cells: &[u8; 32] = puzzle[from..].first_chunk().expect("81 are 49 and 32");
        // SAFETY: 32 bytes that the reference allows to read.
        unsafe { _mm256_loadu_si256(cells.as_ptr().cast()) }
    }
}
