//! Conversions with AVX-512: 5 ns in, 2.5 ns out (3.65 GHz Zen 4; AVX2 18 and 13, plain 125 each).
//!
//! A cell is a byte, and a digit of its planes a bit. So eight cells and the digits 1..=8 are eight bytes of eight
//! bits, which one `vgf2p8affineqb` transposes: the data is the matrix, and it is applied to the unit vectors. The
//! digit 9 is apart: masks of comparisons on the way in, no bit at all on the way out.
//!
//! ```text
//! 64 cells and 17 | table: byte of bits | transpose: 8 bytes of a digit | gather: 8 bytes a digit, 3 more
//!                 | shift by the digit, 89 bits | gather: ten bytes a digit, and the eleventh OR-ed in
//! ```
//! and back. The ten gathers are `vpermb` and `vpermi2b`, 64 bytes from 64 or 128.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{CELLS, Planes};

galop_simd::avx512! {
    /// As [`Planes::read`].
    #[inline]
    pub(super) fn read(puzzle: &[u8; CELLS], planes: &mut Planes) -> bool {
        let (low, high) = read_cells(puzzle);
        let nine = _mm512_set1_epi8(9);
        let is_known = _mm512_cmpgt_epu8_mask(low, nine) | _mm512_cmpgt_epu8_mask(high, nine) == 0;

        let of_digit = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        let (low_cells, high_cells) = (planes_of(low), planes_of(high));
        let high_cells = _mm512_and_si512(high_cells, _mm512_set1_epi64(LAST_CELLS as i64));
        let eight = _mm512_sllv_epi64(low_cells, of_digit);
        let three = _mm512_shldv_epi64(high_cells, low_cells, of_digit);
        let begin = _mm512_or_si512(
            _mm512_permutex2var_epi8(eight, bytes(&TENS[0]), three),
            _mm512_maskz_permutexvar_epi8(ELEVENTHS.0, bytes(&ELEVENTHS.1), three),
        );
        let end = _mm512_or_si512(
            _mm512_permutex2var_epi8(eight, bytes(&TENS[1]), three),
            _mm512_maskz_permutexvar_epi8(LAST_ELEVENTHS.0, bytes(&LAST_ELEVENTHS.1), three),
        );

        let blank = _mm512_setzero_si512();
        let low_nines = _mm512_cmpeq_epi8_mask(low, nine) | _mm512_cmpeq_epi8_mask(low, blank);
        let high_nines = _mm512_cmpeq_epi8_mask(high, nine) | _mm512_cmpeq_epi8_mask(high, blank);
        let nines = u128::from(low_nines) | u128::from(high_nines & LAST_CELLS) << 64;
        let nines = nines << (81 * 8 % 64);
        let nines = _mm256_setr_epi64x(0, 0, nines as i64, (nines >> 64) as i64);
        let end = _mm256_or_si256(_mm512_castsi512_si256(end), nines);
        write_planes(planes, begin, end);
        is_known
    }

    /// As [`Planes::write`].
    #[inline]
    pub(super) fn write(planes: &Planes, solution: &mut [u8; CELLS]) {
        let of_digit = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        let (begin, end) = read_planes(planes);
        let eight = _mm512_permutex2var_epi8(begin, bytes(&BACK[0]), end);
        let more = _mm512_permutex2var_epi8(begin, bytes(&BACK[1]), end);
        let low = digits_of(_mm512_shrdv_epi64(eight, more, of_digit));
        let high = digits_of(_mm512_srlv_epi64(more, of_digit));
        write_cells(solution, low, high);
    }
}

/// The cells 64..81, as a mask.
const LAST_CELLS: u64 = 0x1_ffff;
/// The unit vectors: bit `i` of byte `i`. As a matrix, bits in reverse.
const UNITS: i64 = 0x8040_2010_0804_0201_u64.cast_signed();

galop_simd::avx512! {
    /// Per digit 1..=8, 64 bits: the cells that may hold it.
    #[inline]
    fn planes_of(cells: __m512i) -> __m512i {
        let table = _mm_setr_epi8(-1, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0);
        let candidates = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), cells);
        // The transposition leaves the eight cells in reverse.
        let reversed = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(UNITS), candidates);
        let planes = _mm512_gf2p8affine_epi64_epi8::<0>(reversed, _mm512_set1_epi64(UNITS));
        _mm512_permutexvar_epi8(bytes(&EIGHTS), planes)
    }

    /// The digits of 64 cells with one candidate each.
    #[inline]
    fn digits_of(planes: __m512i) -> __m512i {
        let cells = _mm512_permutexvar_epi8(bytes(&EIGHTS), planes);
        let candidates = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(UNITS), cells);
        _mm512_gf2p8affine_epi64_epi8::<9>(candidates, _mm512_set1_epi64(DIGITS))
    }
}

/// From one bit of a byte to a digit: bit `8 - d`, where the transposition leaves digit `d`, adds `d ^ 9` to the
/// 9 of a byte without one.
const DIGITS: i64 = {
    let mut matrix = 0_u64;
    let mut digit = 1;
    while digit <= 8 {
        let mut bit = 0;
        while bit < 4 {
            // Row 7 - i of the matrix is bit i of the product.
            matrix |= ((digit ^ 9) >> bit & 1) << (8 * (7 - bit) + (8 - digit));
            bit += 1;
        }
        digit += 1;
    }
    matrix.cast_signed()
};

/// Eight times eight bytes, transposed.
static EIGHTS: [u8; 64] = {
    let mut from = [0; 64];
    let mut at = 0;
    while at < 64 {
        from[at] = (at % 8 * 8 + at / 8) as u8;
        at += 1;
    }
    from
};

/// The bytes 0..64 and 64..128 of the planes, ten of each digit, from eight bytes per digit and, 64 further on, three
/// more. Where no digit begins: an empty byte.
static TENS: [[u8; 64]; 2] = {
    let mut from = [[64 + 7; 64]; 2];
    let mut at = 0;
    while at < 80 {
        let (digit, byte) = (at / 10, at % 10);
        from[at / 64][at % 64] = (8 * digit + if byte < 8 { byte } else { 64 + byte - 8 }) as u8;
        at += 1;
    }
    from
};

/// The eleventh bytes, which share their place with the first of the next digit: a mask of their places, and the
/// bytes they come from.
static ELEVENTHS: (u64, [u8; 64]) = elevenths(0);
static LAST_ELEVENTHS: (u64, [u8; 64]) = elevenths(64);

const fn elevenths(begin: usize) -> (u64, [u8; 64]) {
    let (mut places, mut from) = (0, [0; 64]);
    let mut digit = 0;
    while digit < 8 {
        let at = 10 * (digit + 1);
        if at / 64 == begin / 64 {
            places |= 1 << (at % 64);
            from[at % 64] = (8 * digit + 2) as u8;
        }
        digit += 1;
    }
    (places, from)
}

/// Per digit the bytes 0..8 and 8..16 of its plane, from the bytes 0..64 of the planes and, 64 further on, 32..96.
static BACK: [[u8; 64]; 2] = {
    let mut from = [[0; 64]; 2];
    let mut at = 0;
    while at < 128 {
        let byte = at % 64 / 8 * 10 + at / 64 * 8 + at % 8;
        from[at / 64][at % 64] = (if byte < 64 { byte } else { 64 + byte - 32 }) as u8;
        at += 1;
    }
    from
};

galop_simd::avx512! {
    /// Cells 0..64, and 64..81 with zeros behind.
    #[inline]
    fn read_cells(puzzle: &[u8; CELLS]) -> (__m512i, __m512i) {
        // SAFETY: 64 bytes of 81, and the 17 behind them: the mask reads no others.
        unsafe {
            let behind = puzzle.as_ptr().add(64).cast();
            (_mm512_loadu_si512(puzzle.as_ptr().cast()), _mm512_maskz_loadu_epi8(LAST_CELLS, behind))
        }
    }

    /// Writes them.
    #[inline]
    fn write_cells(solution: &mut [u8; CELLS], low: __m512i, high: __m512i) {
        // SAFETY: 64 bytes of 81, and 16 of the 17 behind them.
        unsafe {
            _mm512_storeu_si512(solution.as_mut_ptr().cast(), low);
            _mm_storeu_si128(solution.as_mut_ptr().add(64).cast(), _mm512_castsi512_si128(high));
        }
        solution[80] = _mm256_extract_epi8::<16>(_mm512_castsi512_si256(high)) as u8;
    }

    /// Bytes 0..64 and 32..96.
    #[inline]
    fn read_planes(planes: &Planes) -> (__m512i, __m512i) {
        // SAFETY: 64 bytes each, of 96.
        unsafe {
            let bytes = planes.0.as_ptr();
            (_mm512_loadu_si512(bytes.cast()), _mm512_loadu_si512(bytes.add(32).cast()))
        }
    }

    /// Bytes 0..64 and 64..96.
    #[inline]
    fn write_planes(planes: &mut Planes, begin: __m512i, end: __m256i) {
        // SAFETY: 64 bytes and the 32 behind them, of 96.
        unsafe {
            let bytes = planes.0.as_mut_ptr();
            _mm512_storeu_si512(bytes.cast(), begin);
            _mm256_storeu_si256(bytes.add(64).cast(), end);
        }
    }

    /// A table of bytes.
    #[inline]
    fn bytes(table: &[u8; 64]) -> __m512i {
        // SAFETY: 64 bytes that the reference allows to read.
        unsafe { _mm512_loadu_si512(table.as_ptr().cast()) }
    }
}
