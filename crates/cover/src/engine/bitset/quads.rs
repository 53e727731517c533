//! The inner loops over vectors of 256 bits, four rows at a time.
//!
//! 1. The filter ANDs and ORs the words and compares with 0; the four signs of the result are a number. A permutation
//!    from a table of sixteen moves the rows kept to the front, all four are stored, and the end moves by the number
//!    kept.
//! 2. Up to two words are counted in the same pass, with counters in registers; more are counted after it, over the
//!    rows kept, two rows by one carry-save step.
//! 3. The counters of the four places of a vector are added at the end, two words at a time: an unpack puts the
//!    halves of both next to each other.
//!
//! Speed of counts of 200,000 nodes at most, in relation to the loops of [`Plain`](super::kernel::Plain) compiled for
//! AVX2 (Zen 3, 2026-11-28; medians of seven pairs of processor time with the start, instructions without it; machines
//! with AVX-512 run the same code):
//!
//! | | time | instructions |
//! |---|---|---|
//! | dominoes 8x8 | 1.1 | |
//! | Langford 12 | 1.4 | 2.2 |
//! | Latin squares 5x5 | 1.8 | 3.2 |
//! | dominoes 16x16 | 2.7 | 3.8 |
//! | edge matching 6x5 | 3.5 | 8.6 |
//! | pentominoes 6x10 | 3.6 | 5.9 |
//! | hexominoes around a hole | 4.2 | 8.7 |
//! | Costas arrays 9x9 | 6.3 | 10 |
//!
//! Tried and lost: loads and stores by slices, which need no unsafe code: 1.11 to 1.28 times the instructions, 0.98 to
//! 1.14 times the time.

#![allow(unsafe_code)]

use std::marker::PhantomData;

use galop_simd::Quad;

use super::kernel::{Counters, RowKernel, Rows, pad};

/// Four rows at a time.
pub(super) struct Quads<V>(PhantomData<V>);

/// For every set of kept words of 64 bits, the permutation of words of 32 bits that moves them to the front.
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

/// Masks of the first 0, 1, 2, 3 words.
static FIRST: [[u64; 4]; 4] = [[0, 0, 0, 0], [!0, 0, 0, 0], [!0, !0, 0, 0], [!0, !0, !0, 0]];

/// A vector of counters: bits 0, 1, 2, and "8 or more".
type Planes<V> = [V; 4];

/// The words of a row in vectors, four times each.
#[inline(always)]
fn splats<V: Quad, const W: usize>(words: &[u64; W]) -> [V; W] {
    let (mut vectors, mut word) = ([V::ZERO; W], 0);
    while word < W {
        vectors[word] = V::splat::<64>(words[word]);
        word += 1;
    }
    vectors
}

/// Pointers to the planes. Panics unless each has four words after `end`.
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

/// The bits that the rows `at` to `at + 3` have in common with `mask`, with all words combined by OR.
///
/// # Safety
/// These rows must lie within all planes.
#[inline(always)]
unsafe fn common_at<V: Quad, const W: usize>(
    planes: &[*const u64; W],
    at: usize,
    mask: &[V; W],
    words: usize,
) -> V {
    let (mut common, mut word) = (V::ZERO, 0);
    while word < W {
        if word < words {
            // SAFETY: the caller promises that rows `at` to `at + 3` lie within all planes.
            common |= unsafe { V::load_from(planes[word].add(at)) } & mask[word];
        }
        word += 1;
    }
    common
}

/// Adds a row to each place.
#[inline(always)]
fn add_row<V: Quad>(counters: &mut Planes<V>, row: V) {
    let twos = counters[0] & row;
    counters[0] ^= row;
    let fours = counters[1] & twos;
    counters[1] ^= twos;
    counters[3] |= counters[2] & fours;
    counters[2] ^= fours;
}

/// Adds two rows to each place.
#[inline(always)]
fn add_two_rows<V: Quad>(counters: &mut Planes<V>, one: V, other: V) {
    let either = one ^ other;
    let twos = (one & other) | (either & counters[0]);
    counters[0] ^= either;
    let fours = counters[1] & twos;
    counters[1] ^= twos;
    counters[3] |= counters[2] & fours;
    counters[2] ^= fours;
}

/// The sums of two vectors of counters.
#[inline(always)]
fn add_counters<V: Quad>(one: Planes<V>, other: Planes<V>) -> Planes<V> {
    let twos = one[0] & other[0];
    let either = one[1] ^ other[1];
    let fours = (one[1] & other[1]) | (either & twos);
    let either_four = one[2] ^ other[2];
    let eights = (one[2] & other[2]) | (either_four & fours);
    [one[0] ^ other[0], either ^ twos, either_four ^ fours, one[3] | other[3] | eights]
}

/// Adds up the four places: the sum of `one` goes to word `word`, the sum of `other` to the next word if there is one.
#[inline(always)]
fn add_places<V: Quad, const W: usize>(
    counters: &mut Counters<W>,
    word: usize,
    one: Planes<V>,
    other: Planes<V>,
) {
    let (mut low, mut high) = ([V::ZERO; 4], [V::ZERO; 4]);
    let mut bit = 0;
    while bit < 4 {
        low[bit] = one[bit].unpack_low(other[bit]);
        high[bit] = one[bit].unpack_high(other[bit]);
        bit += 1;
    }
    let halves = add_counters(low, high);
    let mut uppers = [V::ZERO; 4];
    bit = 0;
    while bit < 4 {
        // The upper half, in both halves.
        uppers[bit] = halves[bit].permute64::<0b11_10_11_10>();
        bit += 1;
    }
    let sums = add_counters(halves, uppers);
    bit = 0;
    while bit < 4 {
        counters[bit][word] = sums[bit].word(0);
        if word + 1 < W {
            counters[bit][word + 1] = sums[bit].word(1);
        }
        bit += 1;
    }
}

/// Filters, and counts the first `P` words in the same pass.
#[inline(always)]
fn filter_and_count<V: Quad, const W: usize, const P: usize>(
    planes: &mut [Vec<u64>; W],
    rows: Rows,
    forbidden: &[u64; W],
) -> (usize, [Planes<V>; P]) {
    let (to, forbidden) = (rows.next(), splats::<V, W>(forbidden));
    let mut pointers = [std::ptr::null_mut::<u64>(); W];
    let mut word = 0;
    while word < W {
        assert!(rows.end() <= to && rows.room() <= planes[word].len());
        pointers[word] = planes[word].as_mut_ptr();
        word += 1;
    }
    let (mut kept, mut counters, mut at) = (0, [[V::ZERO; 4]; P], rows.start);
    while at < rows.end() {
        let (mut words, mut common) = ([V::ZERO; W], V::ZERO);
        let mut word = 0;
        while word < W {
            // SAFETY: `at` is below the end of the rows, and there are more than 4 places behind it: `room`.
            words[word] = unsafe { V::load_from(pointers[word].add(at)) };
            common |= words[word] & forbidden[word];
            word += 1;
        }
        let is_free = common.equal_lanes::<64>(V::ZERO);
        let set = is_free.signs::<64>() as usize;
        // SAFETY: four signs are a number below 16.
        let order = unsafe { PACK.get_unchecked(set) };
        word = 0;
        while word < W {
            // SAFETY: `kept` is at most `at - rows.start`, and `to` has room for `rows.len` rows and 4 more:
            // `room`. The place is behind what is read here.
            unsafe { words[word].permute32(order).store_to(pointers[word].add(to + kept)) };
            if word < P {
                add_row(&mut counters[word], words[word] & is_free);
            }
            word += 1;
        }
        kept += set.count_ones() as usize;
        at += 4;
    }
    pad(planes, to + kept);
    (kept, counters)
}

/// Counts a word of `len` rows.
#[inline(always)]
fn count_word<V: Quad>(plane: &[u64], start: usize, len: usize) -> Planes<V> {
    let rows = &plane[start..start + len];
    let mut counters = [V::ZERO; 4];
    let (eights, rest) = rows.as_chunks::<8>();
    for eight in eights {
        let (fours, _) = eight.as_chunks::<4>();
        add_two_rows(&mut counters, V::load(&fours[0]), V::load(&fours[1]));
    }
    let (fours, rest) = rest.as_chunks::<4>();
    for four in fours {
        add_row(&mut counters, V::load(four));
    }
    if !rest.is_empty() {
        let mut four = [0; 4];
        four[..rest.len()].copy_from_slice(rest);
        add_row(&mut counters, V::load(&four));
    }
    counters
}

impl<V: Quad> RowKernel for Quads<V> {
    #[inline(always)]
    fn filter<const W: usize>(
        planes: &mut [Vec<u64>; W],
        rows: Rows,
        forbidden: &[u64; W],
        counted: usize,
    ) -> (usize, Counters<W>) {
        let mut sums = [[0; W]; 4];
        if W <= 2 && counted == 1 {
            let (kept, [one]) = filter_and_count::<V, W, 1>(planes, rows, forbidden);
            add_places(&mut sums, 0, one, [V::ZERO; 4]);
            return (kept, sums);
        }
        if W == 2 {
            let (kept, [one, other]) = filter_and_count::<V, W, 2>(planes, rows, forbidden);
            add_places(&mut sums, 0, one, other);
            return (kept, sums);
        }
        let (kept, []) = filter_and_count::<V, W, 0>(planes, rows, forbidden);
        let mut word = 0;
        while word < counted {
            let one = count_word::<V>(&planes[word], rows.next(), kept);
            let other = if word + 1 < counted {
                count_word(&planes[word + 1], rows.next(), kept)
            } else {
                [V::ZERO; 4]
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
        let (planes, wanted) = (pointers(planes, end), splats::<V, W>(wanted));
        let mut at = from;
        while at < end {
            // SAFETY: `at` is below the end, and the planes have four places more.
            let common = unsafe { common_at(&planes, at, &wanted, words) };
            let hits = common.equal_lanes::<64>(V::ZERO).signs::<64>() ^ 15;
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
        let mut at = from;
        while at < end {
            // SAFETY: `at` is below the end, and the planes have four places more.
            let words = unsafe { V::load_from(plane.as_ptr().add(at)) };
            let hits = words.shift_left(63 - bit).signs::<64>();
            if hits != 0 {
                return (at + hits.trailing_zeros() as usize).min(end);
            }
            at += 4;
        }
        end
    }

    #[inline(always)]
    fn count_free<const W: usize>(planes: &[Vec<u64>; W], rows: Rows, forbidden: &[u64; W]) -> u64 {
        let end = rows.end();
        let (planes, forbidden) = (pointers(planes, end), splats::<V, W>(forbidden));
        let (mut counts, mut at) = (V::ZERO, rows.start);
        while at < end {
            // SAFETY: `at` is below the end, and the planes have four places more.
            let common = unsafe { common_at(&planes, at, &forbidden, W) };
            let mut is_free = common.equal_lanes::<64>(V::ZERO);
            if end - at < 4 {
                is_free &= V::load(&FIRST[end - at]);
            }
            counts = counts.subtract(is_free);
            at += 4;
        }
        counts.words().iter().sum()
    }
}
