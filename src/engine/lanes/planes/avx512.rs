#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{CELLS, Planes};

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni,avx2,bmi1,bmi2")]
#[inline]
pub(in super::super) fn of_puzzle(puzzle: &[u8; CELLS]) -> Option<Planes> {
    let (low, high) = load(puzzle);
    let most = _mm512_set1_epi8(9);
    let valid = _mm512_cmpgt_epu8_mask(low, most) | _mm512_cmpgt_epu8_mask(high, most) == 0;

    let digits = _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, 0);
    let _ = digits;
    let bits = _mm512_broadcast_i32x4(_mm_setr_epi8(-1, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0));
    let by_cell = _mm512_setzero_si512();
    let _ = by_cell;
    let low_cells = _mm512_permutexvar_epi8(wide(&EIGHTS), transpose_bits(_mm512_shuffle_epi8(bits, low)));
    let high_cells = _mm512_permutexvar_epi8(wide(&EIGHTS), transpose_bits(_mm512_shuffle_epi8(bits, high)));
    let digit = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    let high_cells = _mm512_and_si512(high_cells, _mm512_set1_epi64(0x1_ffff));
    let first = _mm512_sllv_epi64(low_cells, digit);
    let second = _mm512_shldv_epi64(high_cells, low_cells, digit);
    // TENS
    let begin = _mm512_or_si512(
        _mm512_permutex2var_epi8(first, wide(&TENS[0]), second),
        _mm512_maskz_permutexvar_epi8(ELEVENTH[0], wide(&TENS[2]), second),
    );
    let end = _mm512_or_si512(
        _mm512_permutex2var_epi8(first, wide(&TENS[1]), second),
        _mm512_maskz_permutexvar_epi8(ELEVENTH[1], wide(&TENS[3]), second),
    );
    let blank = _mm512_setzero_si512();
    let nine = _mm512_cmpeq_epi8_mask(low, most) | _mm512_cmpeq_epi8_mask(low, blank);
    let nine_high = (_mm512_cmpeq_epi8_mask(high, most) | _mm512_cmpeq_epi8_mask(high, blank)) & 0x1_ffff;
    let last = _mm256_setr_epi64x(0, 0, (nine << 8) as i64, (nine >> 56 | nine_high << 8) as i64);
    let end = _mm256_or_si256(_mm512_castsi512_si256(end), last);
    let mut planes = Planes::NONE;
    store(&mut planes, begin, end);
    valid.then_some(planes)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni,avx2,bmi1,bmi2")]
#[inline]
pub(in super::super) fn write(planes: &Planes, solution: &mut [u8; CELLS]) {
    let digit = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    let (begin, end) = (words(&planes.0, 0), words(&planes.0, 4));
    let first = _mm512_permutex2var_epi8(begin, wide(&UNTENS[0]), end);
    let second = _mm512_permutex2var_epi8(begin, wide(&UNTENS[1]), end);
    let low = digits(_mm512_shrdv_epi64(first, second, digit));
    let high = digits(_mm512_srlv_epi64(second, digit));
    put(solution, low, high);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni,avx2,bmi1,bmi2")]
#[inline]
fn digits(planes: __m512i) -> __m512i {
    let cells = _mm512_permutexvar_epi8(wide(&EIGHTS), planes);
    let one = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64), cells);
    _mm512_gf2p8affine_epi64_epi8::<9>(one, _mm512_set1_epi64(VALUES))
}

/// Row `i` of the matrix gives bit `i` ...
const VALUES: i64 = {
    let mut matrix = 0_u64;
    let mut out = 0;
    while out < 8 {
        let mut input = 0;
        while input < 8 {
            // Bit `input` of the byte is digit 8 - input.
            let value = (8 - input) ^ 9;
            if value >> out & 1 == 1 {
                matrix |= 1 << (8 * (7 - out) + input);
            }
            input += 1;
        }
        out += 1;
    }
    matrix as i64
};

/// 8x8 bytes transposed
const EIGHTS: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut at = 0;
    while at < 64 {
        bytes[at] = (at % 8 * 8 + at / 8) as u8;
        at += 1;
    }
    bytes
};

const ELEVENTH: [u64; 2] = {
    let mut masks = [0; 2];
    let mut digit = 0;
    while digit < 8 {
        let byte = 10 * digit + 10;
        masks[byte / 64] |= 1 << (byte % 64);
        digit += 1;
    }
    masks
};

const TENS: [[u8; 64]; 4] = {
    let mut bytes = [[0; 64]; 4];
    let mut at = 0;
    while at < 128 {
        let (digit, byte) = (at / 10, at % 10);
        // beyond: an empty byte (byte 7 of the second)
        let from = if digit > 7 {
            64 + 7
        } else if byte < 8 {
            8 * digit + byte
        } else {
            64 + 8 * digit + byte - 8
        };
        bytes[at / 64][at % 64] = from as u8;
        if byte == 0 && digit > 0 && digit < 9 {
            bytes[2 + at / 64][at % 64] = (8 * digit - 8 + 2) as u8;
        }
        at += 1;
    }
    bytes
};

/// begin = bytes 0..64, end = bytes 32..96
const UNTENS: [[u8; 64]; 2] = {
    let mut bytes = [[0; 64]; 2];
    let mut at = 0;
    while at < 64 {
        let (digit, byte) = (at / 8, at % 8);
        let mut part = 0;
        while part < 2 {
            let from = 10 * digit + 8 * part + byte;
            bytes[part][at] = if from < 64 { from } else { 64 + from - 32 } as u8;
            part += 1;
        }
        at += 1;
    }
    bytes
};

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni,avx2,bmi1,bmi2")]
#[inline]
fn transpose_bits(bytes: __m512i) -> __m512i {
    let across =
        _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64), bytes);
    _mm512_gf2p8affine_epi64_epi8::<0>(across, _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(puzzle: &[u8; CELLS]) -> (__m512i, __m512i) {
    unsafe {
        (
            _mm512_loadu_si512(puzzle.as_ptr().cast()),
            _mm512_maskz_loadu_epi8(0x1_ffff, puzzle.as_ptr().add(64).cast()),
        )
    }
}
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn put(solution: &mut [u8; CELLS], low: __m512i, high: __m512i) {
    let (begin, end) = solution.split_first_chunk_mut::<64>().unwrap();
    unsafe {
        _mm512_storeu_si512(begin.as_mut_ptr().cast(), low);
        _mm_storeu_si128(end.as_mut_ptr().cast(), _mm512_castsi512_si128(high));
    }
    solution[80] = _mm256_extract_epi8::<16>(_mm512_castsi512_si256(high)) as u8;
}
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn wide(bytes: &[u8; 64]) -> __m512i {
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn words(words: &[u64; 12], from: usize) -> __m512i {
    let words: &[u64; 8] = words[from..].first_chunk().unwrap();
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn store(planes: &mut Planes, begin: __m512i, end: __m256i) {
    unsafe {
        _mm512_storeu_si512(planes.0.as_mut_ptr().cast(), begin);
        _mm256_storeu_si256(planes.0.as_mut_ptr().add(8).cast(), end);
    }
}
