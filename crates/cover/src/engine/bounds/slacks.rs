//! Slacks bit-sliced, of any number of items: plane k holds bit k of all slacks.
//!
//! ```text
//! item       0 1 2 3 ..  63 | 64 ..            slacks 5, 0, 3, 1
//! plane 0    1 0 1 1                           their ones
//! plane 1    0 0 1 0                           their twos
//! plane 2    1 0 0 0                           their fours
//! open       1 1 1 1
//! ```
//! A choice eliminates hundreds of options where items have many. They are not subtracted one after the other. For all
//! options with the same [window](super::windows) carry-save adders count how many of them cover each item, sixteen
//! options at a time, and the numbers are subtracted at once. This is Harley and Seal's way to count bits (Warren,
//! "Hacker's Delight", section 5-1). The counts stay in registers.

use super::numbers::members;
use super::windows::{NEAR, OPTIONS, Place, Row, WIDTH, Windows, words_of};
use galop_simd::{Kernel, Lanes, Simd, Vector};
use std::marker::PhantomData;

/// Options added by a single adder.
const FEW: usize = 3;

/// Options added at a time.
const BATCH: usize = 16;

/// Options counted together are fewer than this; bits of a count.
const COUNTED: usize = 1 << (BITS - 2);
const BITS: usize = 10;

/// The slacks of all items.
#[derive(Debug)]
pub(super) struct Slacks {
    planes: Vec<u64>,
    open: Vec<u64>,
    /// An open item whose slack is negative, if there is one.
    short: Option<u32>,
}

impl Clone for Slacks {
    fn clone(&self) -> Slacks {
        Slacks { planes: self.planes.clone(), open: self.open.clone(), short: self.short }
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &Slacks) {
        self.planes.clone_from(&other.planes);
        self.open.clone_from(&other.open);
        self.short = other.short;
    }
}

impl Slacks {
    /// The bytes of these slacks.
    pub(super) fn bytes(slacks: &[u32]) -> usize {
        let greatest = slacks.iter().copied().max().unwrap_or(0);
        // A plane for each bit, and the open items.
        8 * words_of(slacks.len()) * ((u32::BITS - greatest.leading_zeros()).max(1) as usize + 1)
    }

    /// These slacks, none of them negative. All items are open.
    pub(super) fn new(slacks: &[u32]) -> Slacks {
        let words = words_of(slacks.len());
        let greatest = slacks.iter().copied().max().unwrap_or(0);
        let count = ((u32::BITS - greatest.leading_zeros()) as usize).max(1);
        let mut planes = vec![0; count * words];
        let mut open = vec![0; words];
        for (item, &slack) in slacks.iter().enumerate() {
            open[item / 64] |= 1 << (item % 64);
            for bit in 0..count {
                planes[bit * words + item / 64] |= u64::from(slack >> bit & 1) << (item % 64);
            }
        }
        Slacks { planes, open, short: None }
    }

    /// Words of a set of items.
    pub(super) fn words(&self) -> usize {
        self.open.len()
    }

    /// Takes options off the slacks of their items: those whose bits are set in `eliminated`, of the words of options
    /// from `first` on.
    #[inline(always)]
    pub(super) fn subtract<S: Simd>(&mut self, windows: &Windows, eliminated: &[u64], first: usize) {
        S::run(Subtract { slacks: self, windows, eliminated, first, compiled_for: PhantomData::<S> });
    }

    /// An open item whose slack is negative, if there is one. Then not all options were taken off.
    #[inline(always)]
    pub(super) fn short(&self) -> Option<usize> {
        self.short.map(|item| item as usize)
    }

    /// Takes one option off the slack of an item, which is not 0.
    pub(super) fn decrease(&mut self, item: usize) {
        let mut borrow = 1 << (item % 64);
        for plane in self.planes.chunks_exact_mut(self.open.len()) {
            let had = plane[item / 64];
            plane[item / 64] = had ^ borrow;
            borrow &= !had;
        }
    }

    /// Closes an item. From then on its slack says nothing.
    pub(super) fn close(&mut self, item: usize) {
        self.open[item / 64] &= !(1 << (item % 64));
    }

    /// Whether an item is open.
    pub(super) fn is_open(&self, item: usize) -> bool {
        self.open[item / 64] >> (item % 64) & 1 == 1
    }

    /// The open item with the least slack, the first of several, and its slack. `None` if no item is open. If the slack
    /// is 0, all items with this slack are added to `settled`. `found` is room for a set.
    ///
    /// From the highest plane down it keeps the items without the bit, if there are any.
    #[inline(always)]
    pub(super) fn least(&self, found: &mut [u64], settled: &mut Vec<u32>) -> Option<(usize, u32)> {
        found.copy_from_slice(&self.open);
        let mut slack = 0;
        for plane in self.planes.chunks_exact(self.open.len()).rev() {
            let mut all = 0;
            for (found, plane) in found.iter().zip(plane) {
                all |= found & !plane;
            }
            slack = 2 * slack + u32::from(all == 0);
            if all != 0 {
                for (found, plane) in found.iter_mut().zip(plane) {
                    *found &= !plane;
                }
            }
        }
        if slack == 0 {
            settled.extend(members(found).map(|item| item as u32));
        }
        members(found).next().map(|item| (item, slack))
    }

    /// The slack of an open item.
    #[inline(always)]
    pub(super) fn get(&self, item: usize) -> u32 {
        let bits = self.planes.chunks_exact(self.open.len()).enumerate();
        bits.map(|(bit, plane)| ((plane[item / 64] >> (item % 64) & 1) as u32) << bit).sum()
    }
}

/// See [`Slacks::subtract`].
struct Subtract<'a, S> {
    slacks: &'a mut Slacks,
    windows: &'a Windows,
    eliminated: &'a [u64],
    first: usize,
    compiled_for: PhantomData<S>,
}

impl<S: Simd> Kernel for Subtract<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Subtract { slacks, windows, eliminated, first, .. } = self;
        let Slacks { planes, open, short } = slacks;
        let mut current = Place { far: 0, first: 0 };
        let mut rows = [&Row::EMPTY; COUNTED];
        let mut used = 0;
        for (word, &bits) in (first..).zip(eliminated) {
            if bits == 0 {
                continue;
            }
            for window in windows.of(word) {
                let count = bits.count_ones() as usize;
                if window.place != current || used + count > COUNTED - BATCH {
                    *short = subtract::<S>(planes, open, current, &mut rows, used);
                    if short.is_some() {
                        return;
                    }
                    (current, used) = (window.place, 0);
                }
                let block = windows.rows(window);
                let mut left = bits;
                for row in &mut rows[used..used + count] {
                    *row = &block[left.trailing_zeros() as usize % OPTIONS];
                    left &= left.wrapping_sub(1);
                }
                used += count;
            }
        }
        *short = subtract::<S>(planes, open, current, &mut rows, used);
    }
}

/// Subtracts the first `used` options, which have the same window; returns an open item whose slack was too small.
#[inline(always)]
fn subtract<S: Simd>(
    planes: &mut [u64],
    open: &[u64],
    place: Place,
    rows: &mut [&Row],
    used: usize,
) -> Option<u32> {
    if used == 0 {
        return None;
    }
    let batched = if used <= FEW { FEW } else { used.next_multiple_of(BATCH) };
    rows[used..batched].fill(&Row::EMPTY);
    let rows = &rows[..batched];
    let mut found = None;
    let width = <S::Widest as Vector>::WORDS;
    for column in (0..WIDTH).step_by(width) {
        let (counts, count) = count::<S>(rows, column);
        let mut borrow = <S::Widest as Vector>::ZERO;
        let mut bit = 0;
        for plane in planes.chunks_exact_mut(open.len()) {
            if bit >= count && borrow.is_zero() {
                break;
            }
            let had = gather::<S>(plane, place, column);
            let other = if bit < BITS { counts[bit] } else { <S::Widest as Vector>::ZERO };
            let less = borrow ^ other;
            scatter::<S>(plane, place, column, had ^ less);
            borrow = borrow & other | less & !had;
            bit += 1;
        }
        // A count may have more bits than any slack.
        for &other in &counts[bit.min(count)..count] {
            borrow |= other;
        }
        let short = borrow & gather::<S>(open, place, column);
        if !short.is_zero() {
            let at = members(short.words()).next().unwrap_or(0);
            found = Some(64 * place.word(column + at / 64) + (at % 64) as u32);
        }
    }
    found
}

/// The words of a column of a place. Its first word is the far one.
#[inline(always)]
fn gather<S: Simd>(from: &[u64], Place { far, first }: Place, column: usize) -> S::Widest {
    let start = first as usize - 1 + column;
    let mut words = <S::Widest as Vector>::from_words(&from[start..start + <S::Widest as Vector>::WORDS]);
    if column == 0 {
        words.set_word(0, from[far as usize]);
    }
    words
}

/// Writes the words of a column of a place.
#[inline(always)]
fn scatter<S: Simd>(to: &mut [u64], Place { far, first }: Place, column: usize, words: S::Widest) {
    let start = first as usize - 1 + column;
    let before = to[start];
    to[start..start + <S::Widest as Vector>::WORDS].copy_from_slice(words.words());
    if column == 0 {
        to[start] = before;
        if far.wrapping_sub(first) >= NEAR as u32 {
            to[far as usize] = words.word(0);
        }
    }
}

/// The vector of a column of a row.
#[inline(always)]
fn load<S: Simd>(words: &[u64; WIDTH], column: usize) -> S::Widest {
    <S::Widest as Vector>::from_words(&words[column..column + <S::Widest as Vector>::WORDS])
}

/// In a column, how many of these options cover each item: the bits of the numbers, and how many bits there are. The
/// options are a multiple of [`BATCH`].
#[inline(always)]
fn count<S: Simd>(rows: &[&Row], column: usize) -> ([S::Widest; BITS], usize) {
    let zero = <S::Widest as Vector>::ZERO;
    if let [one, two, three] = rows {
        let (ones, twos) =
            add(load::<S>(&one.0, column), load::<S>(&two.0, column), load::<S>(&three.0, column));
        let mut bits = [zero; BITS];
        bits[..2].copy_from_slice(&[ones, twos]);
        return (bits, 2);
    }
    let mut counts = Counts { ones: zero, twos: zero, fours: zero };
    let mut eights = zero;
    let mut bits = [zero; BITS];
    let mut count = 4;
    for batch in rows.as_chunks::<BATCH>().0 {
        let row = |at: usize| load::<S>(&batch[at].0, column);
        let first = counts.add_eight(row);
        let second = counts.add_eight(|at| row(BATCH / 2 + at));
        let (sum, mut carry) = add(eights, first, second);
        eights = sum;
        let mut bit = 4;
        while bit < BITS && !carry.is_zero() {
            let had = bits[bit];
            bits[bit] = had ^ carry;
            carry &= had;
            bit += 1;
        }
        count = count.max(bit);
    }
    bits[..4].copy_from_slice(&[counts.ones, counts.twos, counts.fours, eights]);
    (bits, count)
}

/// Adds three bits: their sum, and the carry.
#[inline(always)]
fn add<V: Vector>(one: V, two: V, three: V) -> (V, V) {
    let either = one ^ two;
    (either ^ three, one ^ either & (one ^ three))
}

/// Ones, twos and fours.
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
