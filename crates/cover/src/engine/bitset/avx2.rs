//! The inner loops for AVX2, four rows at a time, and the door into the search compiled for it.
//!
//! 1. To filter: AND and OR of the words, a comparison with 0, its four signs as a number; a permutation from a table
//!    of sixteen moves the rows kept to the front, all four are stored, and the end moves by as many as were kept.
//! 2. Up to two words are counted in the same pass, with counters in registers; more are counted after it, over the
//!    rows kept, two rows by one carry-save step.
//! 3. Counters of the four places of a vector are added at the end, those of two words together: the halves of one
//!    and of the other stand beside each other after an unpack.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::kernel::{Counters, Kernel, Rows, pad};
use super::search::Search;
use crate::engine::{Event, Meter};
use galop_simd::Isa;

/// The door: [`Search::run`] compiled for AVX2.
pub(super) fn run<const W: usize>(
    search: &mut Search<W>,
    meter: &mut Meter<'_>,
    is_counted: bool,
) -> Option<Event> {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn compiled<const W: usize>(
        search: &mut Search<W>,
        meter: &mut Meter<'_>,
        is_counted: bool,
    ) -> Option<Event> {
        search.run::<Avx2>(meter, is_counted)
    }
    assert!(Isa::Avx2.is_available());
    // SAFETY: the machine has these features; that was just asked.
    unsafe { compiled(search, meter, is_counted) }
}

/// Four rows at a time.
///
/// Its functions must run only where [`Isa::Avx2`] is available; they are called from behind the door, and from tests
/// that ask.
pub(super) struct Avx2;

/// Words of 32 bits that bring the kept words of 64 to the front, for every set of kept ones.
static PACK: [[u32; 8]; 16] = {
    let (mut pack, mut set) = ([[0; 8]; 16], 0);
    while set < 16 {
        let (mut place, mut word) = (0, 0);
        while word < 4 {
            if set >> word & 1 == 1 {
                pack[set][place] = 2 * word as u32;
                pack[set][place + 1] = 2 * word as u32 + 1;
                place += 2;
            }
            word += 1;
        }
        set += 1;
    }
    pack
};

/// The first 0, 1, 2, 3 words.
static FIRST: [[u64; 4]; 4] = [[0, 0, 0, 0], [!0, 0, 0, 0], [!0, !0, 0, 0], [!0, !0, !0, 0]];

/// A vector of counters: bits 0, 1, 2, and "8 or more".
type Planes = [__m256i; 4];

#[inline(always)]
fn load(words: &[u64; 4]) -> __m256i {
    // SAFETY: it reads the four words of the reference; the instruction is one of those that are there.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Four words from `at` on.
///
/// # Safety
/// They must lie within `plane`.
#[inline(always)]
unsafe fn load_at(plane: *const u64, at: usize) -> __m256i {
    // SAFETY: as promised; the load asks for no alignment.
    unsafe { _mm256_loadu_si256(plane.add(at).cast()) }
}

macro_rules! operations {
    ($($name:ident($($operand:ident),*) = $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name($($operand: __m256i),*) -> __m256i {
            // SAFETY: an instruction on registers, of a set that is there (see `Avx2`).
            unsafe { $intrinsic($($operand),*) }
        }
    )* };
}

operations! {
    zero() = _mm256_setzero_si256;
    and(one, other) = _mm256_and_si256;
    or(one, other) = _mm256_or_si256;
    xor(one, other) = _mm256_xor_si256;
    equal(one, other) = _mm256_cmpeq_epi64;
    subtract(one, other) = _mm256_sub_epi64;
    unpack_low(one, other) = _mm256_unpacklo_epi64;
    unpack_high(one, other) = _mm256_unpackhi_epi64;
    permute(one, places) = _mm256_permutevar8x32_epi32;
}

#[inline(always)]
fn splat(word: u64) -> __m256i {
    // SAFETY: as for the operations.
    unsafe { _mm256_set1_epi64x(word as i64) }
}

/// The signs of the four words.
#[inline(always)]
fn signs(vector: __m256i) -> usize {
    // SAFETY: as for the operations.
    unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(vector)) as usize }
}

/// The upper half, in both halves.
#[inline(always)]
fn upper(vector: __m256i) -> __m256i {
    // SAFETY: as for the operations.
    unsafe { _mm256_permute4x64_epi64::<0b11_10_11_10>(vector) }
}

/// `forbidden` in vectors, each of one word.
#[inline(always)]
fn splats<const W: usize>(words: &[u64; W]) -> [__m256i; W] {
    let (mut vectors, mut word) = ([zero(); W], 0);
    while word < W {
        vectors[word] = splat(words[word]);
        word += 1;
    }
    vectors
}

/// The planes, each of which has four words more than `end`.
#[inline(always)]
fn pointers<const W: usize>(planes: &[Vec<u64>; W], end: usize) -> [*const u64; W] {
    let (mut pointers, mut word) = ([std::ptr::null(); W], 0);
    while word < W {
        assert!(end.checked_add(4).is_some_and(|end| end <= planes[word].len()));
        pointers[word] = planes[word].as_ptr();
        word += 1;
    }
    pointers
}

/// Of the rows `at` to `at + 3`: the bits they have in common with `mask`, words one over the other.
///
/// # Safety
/// They must lie within all planes.
#[inline(always)]
unsafe fn common_at<const W: usize>(
    planes: &[*const u64; W],
    at: usize,
    mask: &[__m256i; W],
    words: usize,
) -> __m256i {
    let (mut common, mut word) = (zero(), 0);
    while word < W {
        if word < words {
            // SAFETY: as promised.
            common = or(common, and(unsafe { load_at(planes[word], at) }, mask[word]));
        }
        word += 1;
    }
    common
}

/// Adds a row to each place.
#[inline(always)]
fn add_row(counters: &mut Planes, row: __m256i) {
    let twos = and(counters[0], row);
    counters[0] = xor(counters[0], row);
    let fours = and(counters[1], twos);
    counters[1] = xor(counters[1], twos);
    counters[3] = or(counters[3], and(counters[2], fours));
    counters[2] = xor(counters[2], fours);
}

/// Adds two rows to each place.
#[inline(always)]
fn add_two_rows(counters: &mut Planes, one: __m256i, other: __m256i) {
    let either = xor(one, other);
    let twos = or(and(one, other), and(either, counters[0]));
    counters[0] = xor(counters[0], either);
    let fours = and(counters[1], twos);
    counters[1] = xor(counters[1], twos);
    counters[3] = or(counters[3], and(counters[2], fours));
    counters[2] = xor(counters[2], fours);
}

/// The sums of two vectors of counters.
#[inline(always)]
fn add_counters(one: Planes, other: Planes) -> Planes {
    let twos = and(one[0], other[0]);
    let either = xor(one[1], other[1]);
    let fours = or(and(one[1], other[1]), and(either, twos));
    let either_four = xor(one[2], other[2]);
    let eights = or(and(one[2], other[2]), and(either_four, fours));
    [xor(one[0], other[0]), xor(either, twos), xor(either_four, fours), or(or(one[3], other[3]), eights)]
}

/// Adds the four places up: those of `one` into word `word`, those of `other` into the next if it is there.
#[inline(always)]
fn add_places<const W: usize>(counters: &mut Counters<W>, word: usize, one: Planes, other: Planes) {
    let (mut low, mut high) = ([zero(); 4], [zero(); 4]);
    let mut bit = 0;
    while bit < 4 {
        low[bit] = unpack_low(one[bit], other[bit]);
        high[bit] = unpack_high(one[bit], other[bit]);
        bit += 1;
    }
    let halves = add_counters(low, high);
    let mut uppers = [zero(); 4];
    bit = 0;
    while bit < 4 {
        uppers[bit] = upper(halves[bit]);
        bit += 1;
    }
    let sums = add_counters(halves, uppers);
    bit = 0;
    while bit < 4 {
        // SAFETY: as for the operations.
        let pair = unsafe { _mm256_castsi256_si128(sums[bit]) };
        // SAFETY: as above.
        counters[bit][word] = unsafe { _mm_cvtsi128_si64(pair) } as u64;
        if word + 1 < W {
            // SAFETY: as above.
            counters[bit][word + 1] = unsafe { _mm_extract_epi64::<1>(pair) } as u64;
        }
        bit += 1;
    }
}

/// Filters, and counts the first `P` words in the same pass.
#[inline(always)]
fn filter_and_count<const W: usize, const P: usize>(
    planes: &mut [Vec<u64>; W],
    rows: Rows,
    forbidden: &[u64; W],
) -> (usize, [Planes; P]) {
    let (to, forbidden) = (rows.next(), splats(forbidden));
    let mut pointers = [std::ptr::null_mut::<u64>(); W];
    let mut word = 0;
    while word < W {
        assert!(rows.end() <= to && rows.room() <= planes[word].len());
        pointers[word] = planes[word].as_mut_ptr();
        word += 1;
    }
    let (mut kept, mut counters, mut at) = (0, [[zero(); 4]; P], rows.start);
    while at < rows.end() {
        let (mut words, mut common) = ([zero(); W], zero());
        let mut word = 0;
        while word < W {
            // SAFETY: `at` is below the end of the rows, and there are more than 4 places behind it: `room`.
            words[word] = unsafe { load_at(pointers[word], at) };
            common = or(common, and(words[word], forbidden[word]));
            word += 1;
        }
        let is_free = equal(common, zero());
        let set = signs(is_free);
        // SAFETY: four signs are a number below 16.
        let order = load_pack(unsafe { PACK.get_unchecked(set) });
        word = 0;
        while word < W {
            // SAFETY: `kept` is at most `at - rows.start`, and `to` has room for `rows.len` rows and 4 more:
            // `room`. The place is behind what is read here.
            unsafe {
                _mm256_storeu_si256(pointers[word].add(to + kept).cast(), permute(words[word], order));
            }
            if word < P {
                add_row(&mut counters[word], and(words[word], is_free));
            }
            word += 1;
        }
        kept += set.count_ones() as usize;
        at += 4;
    }
    pad(planes, to + kept);
    (kept, counters)
}

#[inline(always)]
fn load_pack(order: &[u32; 8]) -> __m256i {
    // SAFETY: it reads the eight words of the reference; the instruction is one of those that are there.
    unsafe { _mm256_loadu_si256(order.as_ptr().cast()) }
}

/// Counts a word of `len` rows.
#[inline(always)]
fn count_word(plane: &[u64], start: usize, len: usize) -> Planes {
    let rows = &plane[start..start + len];
    let mut counters = [zero(); 4];
    let (eights, rest) = rows.as_chunks::<8>();
    for eight in eights {
        let (fours, _) = eight.as_chunks::<4>();
        add_two_rows(&mut counters, load(&fours[0]), load(&fours[1]));
    }
    let (fours, rest) = rest.as_chunks::<4>();
    for four in fours {
        add_row(&mut counters, load(four));
    }
    if !rest.is_empty() {
        let mut four = [0; 4];
        four[..rest.len()].copy_from_slice(rest);
        add_row(&mut counters, load(&four));
    }
    counters
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn filter<const W: usize>(
        planes: &mut [Vec<u64>; W],
        rows: Rows,
        forbidden: &[u64; W],
        counted: usize,
    ) -> (usize, Counters<W>) {
        let mut sums = [[0; W]; 4];
        if W <= 2 && counted == 1 {
            let (kept, [one]) = filter_and_count::<W, 1>(planes, rows, forbidden);
            add_places(&mut sums, 0, one, [zero(); 4]);
            return (kept, sums);
        }
        if W == 2 {
            let (kept, [one, other]) = filter_and_count::<W, 2>(planes, rows, forbidden);
            add_places(&mut sums, 0, one, other);
            return (kept, sums);
        }
        let (kept, []) = filter_and_count::<W, 0>(planes, rows, forbidden);
        let mut word = 0;
        while word < counted {
            let one = count_word(&planes[word], rows.next(), kept);
            let other = match word + 1 < counted {
                true => count_word(&planes[word + 1], rows.next(), kept),
                false => [zero(); 4],
            };
            add_places(&mut sums, word, one, other);
            word += 2;
        }
        (kept, sums)
    }

    #[inline(always)]
    fn find_hit<const W: usize>(
        planes: &[Vec<u64>; W],
        from: usize,
        end: usize,
        wanted: &[u64; W],
        words: usize,
    ) -> usize {
        let (planes, wanted) = (pointers(planes, end), splats(wanted));
        let mut at = from;
        while at < end {
            // SAFETY: `at` is below the end, and four places more were asked for.
            let common = unsafe { common_at(&planes, at, &wanted, words) };
            let hits = signs(equal(common, zero())) ^ 15;
            if hits != 0 {
                return (at + hits.trailing_zeros() as usize).min(end);
            }
            at += 4;
        }
        end
    }

    #[inline(always)]
    fn find_bit(plane: &[u64], from: usize, end: usize, bit: u32) -> usize {
        assert!(end.checked_add(4).is_some_and(|end| end <= plane.len()));
        // SAFETY: as for the operations.
        let shift = unsafe { _mm_cvtsi32_si128(63 - bit as i32) };
        let mut at = from;
        while at < end {
            // SAFETY: `at` is below the end, and four places more were asked for.
            let words = unsafe { load_at(plane.as_ptr(), at) };
            // SAFETY: as for the operations.
            let hits = signs(unsafe { _mm256_sll_epi64(words, shift) });
            if hits != 0 {
                return (at + hits.trailing_zeros() as usize).min(end);
            }
            at += 4;
        }
        end
    }

    #[inline(always)]
    fn find_free<const W: usize>(
        planes: &[Vec<u64>; W],
        from: usize,
        end: usize,
        forbidden: &[u64; W],
    ) -> usize {
        let (planes, forbidden) = (pointers(planes, end), splats(forbidden));
        let mut at = from;
        while at < end {
            // SAFETY: `at` is below the end, and four places more were asked for.
            let common = unsafe { common_at(&planes, at, &forbidden, W) };
            let free = signs(equal(common, zero()));
            if free != 0 {
                return (at + free.trailing_zeros() as usize).min(end);
            }
            at += 4;
        }
        end
    }

    #[inline(always)]
    fn count_free<const W: usize>(planes: &[Vec<u64>; W], rows: Rows, forbidden: &[u64; W]) -> u64 {
        let end = rows.end();
        let (planes, forbidden) = (pointers(planes, end), splats(forbidden));
        let (mut counts, mut at) = (zero(), rows.start);
        while at < end {
            // SAFETY: `at` is below the end, and four places more were asked for.
            let common = unsafe { common_at(&planes, at, &forbidden, W) };
            let mut is_free = equal(common, zero());
            if end - at < 4 {
                is_free = and(is_free, load(&FIRST[end - at]));
            }
            counts = subtract(counts, is_free);
            at += 4;
        }
        let mut sums = [0_u64; 4];
        // SAFETY: it writes the four words; no alignment is asked for.
        unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), counts) };
        sums[0] + sums[1] + sums[2] + sums[3]
    }
}
