#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{CELLS, Planes};

#[target_feature(enable = "avx2,bmi1,bmi2")]
#[inline]
pub(in super::super) fn of_puzzle(puzzle: &[u8; CELLS]) -> Option<Planes> {
    let cells = [load(puzzle, 0), load(puzzle, 32), load(puzzle, 49)];
    let most = _mm256_max_epu8(_mm256_max_epu8(cells[0], cells[1]), cells[2]);
    let above = _mm256_subs_epu8(most, _mm256_set1_epi8(9));
    let valid = _mm256_testz_si256(above, above) == 1;
    let (mut low, mut high) = ([0; 4], [0; 4]);
    let mut of = [[0_u32; 3]; 4];
    for part in 0..3 {
        let mut shifted = _mm256_slli_epi16::<4>(cells[part]);
        for bit in (0..4).rev() {
            of[bit][part] = _mm256_movemask_epi8(shifted) as u32;
            shifted = _mm256_add_epi8(shifted, shifted);
        }
    }
    for bit in 0..4 {
        low[bit] = u64::from(of[bit][0]) | u64::from(of[bit][1]) << 32;
        high[bit] = u64::from(of[bit][2] >> 15);
    }
    let low = planes_of(low, !0);
    let high = planes_of(high, 0x1_ffff);
    let mut planes = Planes::NONE;
    for digit in 0..9 {
        planes.set(digit, u128::from(low[digit]) | u128::from(high[digit]) << 64);
    }
    valid.then_some(planes)
}

#[inline(always)]
fn planes_of([ones, twos, fours, eights]: [u64; 4], all: u64) -> [u64; 9] {
    let first = all & !(twos | fours | eights);
    let blank = first & !ones;
    let (two, four, six) = (twos & !fours, fours & !twos, twos & fours);
    [
        first,
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

#[target_feature(enable = "avx2,bmi1,bmi2")]
#[inline]
pub(in super::super) fn write(planes: &Planes, solution: &mut [u8; CELLS]) {
    let mut of = [0_u128; 4];
    for digit in 0..9 {
        let cells = planes.get(digit);
        for bit in 0..4 {
            if (digit + 1) >> bit & 1 == 1 {
                of[bit] |= cells;
            }
        }
    }
    put(solution, 0, digits([of[0] as u32, of[1] as u32, of[2] as u32, of[3] as u32]));
    put(
        solution,
        32,
        digits([(of[0] >> 32) as u32, (of[1] >> 32) as u32, (of[2] >> 32) as u32, (of[3] >> 32) as u32]),
    );
    put(
        solution,
        49,
        digits([(of[0] >> 49) as u32, (of[1] >> 49) as u32, (of[2] >> 49) as u32, (of[3] >> 49) as u32]),
    );
}

#[target_feature(enable = "avx2")]
#[inline]
fn digits(bits: [u32; 4]) -> __m256i {
    let byte = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    );
    let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let mut digits = _mm256_setzero_si256();
    for bit in (0..4).rev() {
        let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits[bit] as i32), byte);
        let set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, own), own);
        digits = _mm256_sub_epi8(_mm256_add_epi8(digits, digits), set);
    }
    digits
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(puzzle: &[u8; CELLS], from: usize) -> __m256i {
    let bytes: &[u8; 32] = puzzle[from..].first_chunk().unwrap();
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
#[target_feature(enable = "avx2")]
#[inline]
fn put(solution: &mut [u8; CELLS], from: usize, digits: __m256i) {
    let bytes: &mut [u8; 32] = solution[from..].first_chunk_mut().unwrap();
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), digits) }
}
