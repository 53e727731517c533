//! Slacks bit-sliced, of any number of items: plane k holds bit k of all slacks.
//!
//! ```text
//! item       0 1 2 3 ..  63 | 64 ..            slacks 5, 0, 3, 1
//! plane 0    1 0 1 1                           their ones
//! plane 1    0 0 1 0                           their twos
//! plane 2    1 0 0 0                           their fours
//! open       1 1 1 1
//!            column 0       | column 1 ..      a column is a vector
//! ```
//! A choice eliminates hundreds of options where items have many. They are not subtracted one after the other: in each
//! column carry-save adders count how many of them cover each item, in registers (Harley and Seal's way to count bits,
//! Warren, "Hacker's Delight", section 5-1), sixteen options at a time, and the numbers are subtracted at once.

use super::slacks::Slacks;
use crate::engine::Contradiction;
use crate::{ExactCover, OptionId};
use galop_simd::{Isa, Job, Simd, Vector};

/// Words of items: a multiple of those of any vector.
const WORDS: usize = 8;

/// Planes that the adders hold in registers. There are more in all.
const COUNTED: usize = 4;

/// Options added at a time.
const BATCH: usize = 16;

/// The items of every option as a row of bits, and an empty row.
#[derive(Debug)]
pub(super) struct Rows {
    rows: Vec<u64>,
    /// Words of a row.
    words: usize,
    isa: Isa,
    /// The option without items.
    empty: OptionId,
}

/// Words of a row of items.
pub(super) fn words_of(primary_count: usize) -> usize {
    primary_count.div_ceil(64).max(1).next_multiple_of(WORDS)
}

/// The slacks of all items.
#[derive(Clone, Debug)]
pub(super) struct Sliced {
    planes: Vec<u64>,
    open: Vec<u64>,
    /// Whether the slack of an open item is negative.
    is_short: bool,
    /// The candidates for the least slack.
    found: Vec<u64>,
    isa: Isa,
}

impl Slacks for Sliced {
    type Options = Rows;

    fn new(problem: &ExactCover, slacks: &[u32], isa: Isa) -> (Rows, Sliced) {
        let words = words_of(slacks.len());
        let mut rows = vec![0; words * (problem.option_count() + 1)];
        for (row, terms) in rows.chunks_exact_mut(words).zip(problem.options()) {
            for item in terms.iter().map(|term| term.item as usize).filter(|&item| item < slacks.len()) {
                row[item / 64] |= 1 << (item % 64);
            }
        }
        let greatest = slacks.iter().copied().max().unwrap_or(0);
        let count = ((u32::BITS - greatest.leading_zeros()) as usize).max(COUNTED + 1);
        let mut planes = vec![0; count * words];
        let mut open = vec![0; words];
        for (item, &slack) in slacks.iter().enumerate() {
            open[item / 64] |= 1 << (item % 64);
            for bit in 0..count {
                planes[bit * words + item / 64] |= u64::from(slack >> bit & 1) << (item % 64);
            }
        }
        let rows = Rows { rows, words, isa, empty: problem.option_count() as OptionId };
        (rows, Sliced { planes, found: open.clone(), open, is_short: false, isa })
    }

    #[inline]
    fn copy_from(&mut self, other: &Sliced) {
        self.planes.clone_from(&other.planes);
        self.open.clone_from(&other.open);
        self.found.resize(self.open.len(), 0);
        self.is_short = other.is_short;
    }

    fn subtract(&mut self, rows: &Rows, eliminated: &mut Vec<OptionId>) {
        eliminated.resize(eliminated.len().next_multiple_of(BATCH), rows.empty);
        let Sliced { planes, open, .. } = self;
        let is_short = rows.isa.run(Subtract { rows, eliminated, planes, open });
        self.is_short |= is_short.unwrap_or(true);
    }

    fn decrease(&mut self, item: usize) {
        let mut borrow = 1 << (item % 64);
        for plane in self.planes.chunks_exact_mut(self.open.len()) {
            let had = plane[item / 64];
            plane[item / 64] = had ^ borrow;
            borrow &= !had;
        }
    }

    fn close(&mut self, item: usize) {
        self.open[item / 64] &= !(1 << (item % 64));
    }

    fn least(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        if self.is_short {
            return Err(Contradiction);
        }
        let Sliced { planes, open, found, isa, .. } = self;
        let slack = isa.run(Least { planes, open, found }).unwrap_or(0);
        let first = found.iter().position(|&word| word != 0);
        Ok(first.map(|word| (64 * word + found[word].trailing_zeros() as usize, slack)))
    }
}

/// Subtracts options; returns whether the slack of an open item was too small.
struct Subtract<'a> {
    rows: &'a Rows,
    /// A multiple of [`BATCH`] options.
    eliminated: &'a [OptionId],
    planes: &'a mut [u64],
    open: &'a [u64],
}

/// Adds three bits: their sum, and the carry.
#[inline(always)]
fn add<V: Vector>(one: V, two: V, three: V) -> (V, V) {
    let either = one ^ two;
    (either ^ three, one & two | either & three)
}

/// Ones, twos and fours in registers.
struct Counts<V> {
    ones: V,
    twos: V,
    fours: V,
}

impl<V: Vector> Counts<V> {
    /// Adds two bits; returns the carry, a two.
    #[inline(always)]
    fn add_two(&mut self, bits: [V; 2]) -> V {
        let (ones, carry) = add(self.ones, bits[0], bits[1]);
        self.ones = ones;
        carry
    }

    /// Adds four bits; returns the carry, a four.
    #[inline(always)]
    fn add_four(&mut self, [one, two, three, four]: [V; 4]) -> V {
        let carries = [self.add_two([one, two]), self.add_two([three, four])];
        let (twos, carry) = add(self.twos, carries[0], carries[1]);
        self.twos = twos;
        carry
    }

    /// Adds eight bits, which `next` gives; returns the carry, an eight.
    #[inline(always)]
    fn add_eight(&mut self, next: impl Fn(usize) -> V) -> V {
        let first = self.add_four([next(0), next(1), next(2), next(3)]);
        let second = self.add_four([next(4), next(5), next(6), next(7)]);
        let (fours, carry) = add(self.fours, first, second);
        self.fours = fours;
        carry
    }
}

impl Job for Subtract<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self) -> bool {
        let Subtract { rows: Rows { rows, words, .. }, eliminated, planes, open } = self;
        let (words, width) = (*words, <S::Widest as Vector>::WORDS);
        let mut short = <S::Widest as Vector>::ZERO;
        for column in (0..words).step_by(width) {
            let zero = <S::Widest as Vector>::ZERO;
            let mut counts = Counts { ones: zero, twos: zero, fours: zero };
            let mut eights = zero;
            let mut missing = zero;
            for batch in eliminated.chunks_exact(BATCH) {
                let row = |at: usize| load::<S>(rows, words * batch[at] as usize + column);
                let first = counts.add_eight(row);
                let second = counts.add_eight(|at| row(BATCH / 2 + at));
                let (sum, mut borrow) = add(eights, first, second);
                eights = sum;
                for plane in planes.chunks_exact_mut(words).skip(COUNTED) {
                    let plane = &mut plane[column..column + width];
                    let had = load::<S>(plane, 0);
                    plane.copy_from_slice((had ^ borrow).words());
                    borrow &= !had;
                }
                missing |= borrow;
            }
            let mut borrow = zero;
            let counted = [counts.ones, counts.twos, counts.fours, eights];
            for (bit, plane) in planes.chunks_exact_mut(words).enumerate() {
                let plane = &mut plane[column..column + width];
                let had = load::<S>(plane, 0);
                let other = counted.get(bit).copied().unwrap_or(zero);
                let less = borrow ^ other;
                plane.copy_from_slice((had ^ less).words());
                borrow = borrow & other | less & !had;
            }
            short |= (missing | borrow) & load::<S>(open, column);
        }
        short.words().iter().any(|&word| word != 0)
    }
}

/// The vector at a place among some words.
#[inline(always)]
fn load<S: Simd>(words: &[u64], at: usize) -> S::Widest {
    <S::Widest as Vector>::from_words(&words[at..at + <S::Widest as Vector>::WORDS])
}

/// Keeps the open items with the least slack; returns the slack. From the highest plane down it keeps the items without
/// the bit, if there are any.
struct Least<'a> {
    planes: &'a [u64],
    open: &'a [u64],
    found: &'a mut [u64],
}

impl Job for Least<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let Least { planes, open, found } = self;
        let width = <S::Widest as Vector>::WORDS;
        let words = open.len();
        found.copy_from_slice(open);
        let mut slack = 0;
        for plane in planes.chunks_exact(words).rev() {
            let mut any = <S::Widest as Vector>::ZERO;
            for column in (0..words).step_by(width) {
                any |= load::<S>(found, column) & !load::<S>(plane, column);
            }
            slack *= 2;
            if any.words().iter().all(|&word| word == 0) {
                slack += 1;
                continue;
            }
            for column in (0..words).step_by(width) {
                let kept = load::<S>(found, column) & !load::<S>(plane, column);
                found[column..column + width].copy_from_slice(kept.words());
            }
        }
        slack
    }
}
