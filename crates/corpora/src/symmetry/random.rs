//! Random symmetries, each exactly as likely as any other, by seed, record and image.

use std::collections::HashSet;

use super::canonizer::Canonizer;
use super::key::key;
use super::shape::{LINES, NotSupported, Shape, factorial, unchanged};
use super::transformation::{Symmetry, WrongSize};
use crate::chance::{SPLIT_MIX, mix};
use crate::grid::Rules;
use crate::puzzle::Puzzles;

/// The random symmetries of a seed.
///
/// A symmetry has an address: the record and the number of the image. So it is the same in whatever order, and on
/// however many threads, symmetries are drawn. All symmetries of a size are equally likely; two of them may be equal,
/// and a puzzle may have the same image under two that differ. [`distinct`](Symmetries::distinct) gives different
/// images.
///
/// ```
/// use galop_corpora::symmetry::Symmetries;
/// use galop_engines::Rules;
///
/// let symmetries = Symmetries::new(&Rules::default(), 42)?;
/// let mut image = [0; 81];
/// let puzzle: Vec<u8> = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
///     .bytes().map(|byte| byte.saturating_sub(b'0')).collect();
/// symmetries.get(0, 0).apply(&puzzle, &mut image)?;
/// let distinct: Vec<_> = symmetries.distinct(0, &puzzle)?.take(10).collect();
/// assert_eq!(distinct.len(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Symmetries {
    shape: Shape,
    /// The seed, mixed.
    seed: u64,
    /// Symmetries in all: 3,072, 2,488,320 or 1,218,998,108,160.
    count: u64,
    rows: Vec<[u8; LINES]>,
    columns: Vec<[u8; LINES]>,
}

impl Symmetries {
    /// The random symmetries of grids of these rules.
    ///
    /// # Errors
    /// [`NotSupported`] unless they are the rules of the sudoku of 4x4, 6x6 or 9x9.
    pub fn new(rules: &Rules, seed: u64) -> Result<Symmetries, NotSupported> {
        Shape::of(rules).map(|shape| Symmetries::of(shape, seed))
    }

    pub(super) fn of(shape: Shape, seed: u64) -> Symmetries {
        let count = shape.places() * shape.names();
        let (rows, columns) = (shape.row_orders(), shape.column_orders());
        Symmetries { shape, seed: mix(seed), count, rows, columns }
    }

    /// The symmetry of image `image` of record `record`.
    ///
    /// A random number of 64 bits is multiplied by the number of symmetries; the upper half of the product is the
    /// number of the symmetry. Products whose lower halves would make some numbers likelier are rejected (Lemire, "Fast
    /// random integer generation in an interval", ACM TOMACS 29, 2019). `SplitMix64` makes the random numbers.
    #[inline]
    pub fn get(&self, record: u64, image: u64) -> Symmetry {
        let mut state = mix(mix(self.seed ^ record) ^ image);
        let mut product = u128::from(mix(state)) * u128::from(self.count);
        // The remainder of 2^64 / count, which the division finds, is less than `count`.
        while (product as u64) < self.count && (product as u64) < self.count.wrapping_neg() % self.count {
            state = state.wrapping_add(SPLIT_MIX);
            product = u128::from(mix(state)) * u128::from(self.count);
        }
        self.numbered((product >> 64) as u64)
    }

    /// Replaces `symmetries` by the symmetries of the images `images` of record `record`.
    pub fn fill(&self, record: u64, images: std::ops::Range<u64>, symmetries: &mut Vec<Symmetry>) {
        symmetries.clear();
        symmetries.extend(images.map(|image| self.get(record, image)));
    }

    /// Symmetries under which `puzzle` has different images, in random order: of record `record`, the first images that
    /// are not equal to one before. The iterator ends when there is no other image.
    ///
    /// It keeps 16 bytes for each image.
    ///
    /// # Errors
    /// [`WrongSize`] if the puzzle has another number of cells than the rules.
    pub fn distinct<'a>(&'a self, record: u64, puzzle: &'a [u8]) -> Result<Distinct<'a>, WrongSize> {
        let (found, expected) = (puzzle.len(), self.shape.cells());
        if found != expected {
            return Err(WrongSize { found, expected });
        }
        // Under the names of digits alone, a puzzle has this many images.
        let missing = (1..=self.shape.side).filter(|digit| !puzzle.contains(&(*digit as u8))).count();
        let sure = self.shape.names() / factorial(missing);
        let image = vec![0; expected];
        Ok(Distinct {
            symmetries: self,
            puzzle,
            record,
            next: 0,
            seen: HashSet::new(),
            sure,
            count: None,
            image,
        })
    }

    /// The number of different images of a puzzle.
    fn images(&self, puzzle: &[u8]) -> u64 {
        let missing = (1..=self.shape.side).filter(|digit| !puzzle.contains(&(*digit as u8))).count();
        let mut canonizer = Canonizer::of(self.shape);
        let mut forms = super::Forms::default();
        let direct = canonizer.direct(Puzzles::one(puzzle), &mut forms);
        let automorphisms = match (direct, forms.get(0)) {
            (Ok(()), Some(Ok(form))) => u64::from(form.automorphisms),
            _ => self.count,
        };
        self.count / (automorphisms * factorial(missing)).max(1)
    }

    /// The symmetry of this number, below the count.
    #[inline(always)]
    fn numbered(&self, number: u64) -> Symmetry {
        match self.shape.side {
            // Divisions by constants.
            9 => self.split::<9>(number, 1296, 1296, 2),
            6 => self.split::<6>(number, 48, 72, 1),
            _ => self.split::<4>(number, 8, 8, 2),
        }
    }

    #[inline(always)]
    fn split<const SIDE: usize>(&self, number: u64, rows: u64, columns: u64, transposed: u64) -> Symmetry {
        let (number, row) = (number / rows, number % rows);
        let (number, column) = (number / columns, number % columns);
        let (number, is_transposed) = (number / transposed, number % transposed == 1);
        let order = |orders: &[[u8; LINES]], number: u64| match orders.get(number as usize) {
            Some(order) => *order,
            None => unchanged(),
        };
        Symmetry {
            rows: order(&self.rows, row),
            columns: order(&self.columns, column),
            digits: names::<SIDE>(number as u32),
            side: SIDE as u8,
            is_transposed,
        }
    }
}

/// The names of digits of this number, below the factorial of `SIDE`: each digit takes one of the names that are left.
///
/// The names are kept in words, not in arrays of bytes: a vector cannot be loaded at once from bytes just stored. The
/// loop is written out: compilers do not unroll it, and then divide by variables (45 ns instead of 10).
#[inline(always)]
fn names<const SIDE: usize>(number: u32) -> [u8; LINES] {
    let mut picks = Picks::<SIDE> {
        number,
        before: 1,
        left: 0x9_8765_4321,
        names: u128::from_le_bytes(unchanged()) >> (8 * (SIDE + 1)) << (8 * (SIDE + 1)),
    };
    picks.pick::<1>();
    picks.pick::<2>();
    picks.pick::<3>();
    picks.pick::<4>();
    picks.pick::<5>();
    picks.pick::<6>();
    picks.pick::<7>();
    picks.pick::<8>();
    picks.pick::<9>();
    picks.names.to_le_bytes()
}

/// The names of the first digits.
struct Picks<const SIDE: usize> {
    number: u32,
    /// The product of the choices so far: no choice waits for another.
    before: u32,
    /// The names that are left, four bits each, the first one lowest.
    left: u64,
    /// The names, a byte for each digit.
    names: u128,
}

impl<const SIDE: usize> Picks<SIDE> {
    /// Picks the name of a digit.
    #[inline(always)]
    fn pick<const DIGIT: usize>(&mut self) {
        if DIGIT <= SIDE {
            let open = (SIDE + 1 - DIGIT) as u32;
            let at = 4 * (self.number / self.before % open);
            self.before *= open;
            self.names |= u128::from(self.left >> at & 15) << (8 * DIGIT);
            // The names above move down.
            let below = (1 << at) - 1;
            self.left = (self.left & below) | (self.left >> 4 & !below);
        }
    }
}

/// Symmetries with different images; made by [`Symmetries::distinct`].
#[derive(Clone, Debug)]
pub struct Distinct<'a> {
    symmetries: &'a Symmetries,
    puzzle: &'a [u8],
    record: u64,
    next: u64,
    /// The keys of the images so far.
    seen: HashSet<u128>,
    /// Images that the puzzle has at least.
    sure: u64,
    /// Images that it has, once counted.
    count: Option<u64>,
    image: Vec<u8>,
}

impl Iterator for Distinct<'_> {
    type Item = Symmetry;

    fn next(&mut self) -> Option<Symmetry> {
        let seen = self.seen.len() as u64;
        if seen >= self.sure && seen >= *self.count.get_or_insert_with(|| self.symmetries.images(self.puzzle))
        {
            return None;
        }
        loop {
            let symmetry = self.symmetries.get(self.record, self.next);
            self.next += 1;
            symmetry.apply(self.puzzle, &mut self.image).ok()?;
            if self.seen.insert(key(&self.image)) {
                return Some(symmetry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A separate program (in Python, from the descriptions of the algorithms) computed them.
    #[test]
    fn values_are_pinned() {
        let word = |side, seed, record, image| {
            let rules = Rules::sudoku(side).unwrap();
            Symmetries::new(&rules, seed).unwrap().get(record, image).to_string()
        };
        assert_eq!(word(9, 1, 0, 0), "t-r123987654-c213456879-d731456982");
        assert_eq!(word(9, 1, 0, 1), "r564123897-c546321897-d872463195");
        assert_eq!(word(9, 1, 1, 0), "r987465123-c897213564-d216597483");
        assert_eq!(word(9, 2, 0, 0), "r897231654-c132546789-d187643295");
        assert_eq!(word(6, 1, 0, 0), "r345612-c123564-d234651");
        assert_eq!(word(4, 1, 0, 0), "r4312-c2143-d2431");
        let mut symmetries = Vec::new();
        Symmetries::of(Shape::NINE, 1).fill(0, 0..2, &mut symmetries);
        assert_eq!(symmetries[1].to_string(), word(9, 1, 0, 1));
    }

    /// Each number is another symmetry.
    #[test]
    fn symmetries_are_numbered() {
        let four = Symmetries::of(Shape::ALL[0], 0);
        let all: HashSet<Symmetry> = (0..four.count).map(|number| four.numbered(number)).collect();
        assert_eq!((four.count, all.len()), (3_072, 3_072));
        let nine = Symmetries::of(Shape::NINE, 0);
        let names: HashSet<[u8; LINES]> = (0..362_880).map(names::<9>).collect();
        assert_eq!((nine.count, names.len()), (1_218_998_108_160, 362_880));
        let some: HashSet<Symmetry> = (0..1296 * 2).map(|number| nine.numbered(number * 1296)).collect();
        assert_eq!(some.len(), 1296 * 2);
        assert_eq!(nine.numbered(nine.count - 1).digits[1..10], [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    }

    /// 9,000 symmetries: each digit gets each name, and each line each place, about 1,000 times; five standard
    /// deviations are 150.
    #[test]
    fn symmetries_are_equally_likely() {
        let symmetries = Symmetries::of(Shape::NINE, 11);
        let (mut names, mut rows, mut columns, mut transposed) = ([[0; 9]; 9], [[0; 9]; 9], [[0; 9]; 9], 0);
        for record in 0..9_000 {
            let symmetry = symmetries.get(record, record % 3);
            transposed += usize::from(symmetry.is_transposed);
            for place in 0..9 {
                names[place][usize::from(symmetry.digits[place + 1]) - 1] += 1;
                rows[place][usize::from(symmetry.rows[place])] += 1;
                columns[place][usize::from(symmetry.columns[place])] += 1;
            }
        }
        let is_fair =
            |counts: &[[u32; 9]; 9]| counts.iter().flatten().all(|count| (850..1150).contains(count));
        assert!(is_fair(&names) && is_fair(&rows) && is_fair(&columns), "{names:?} {rows:?} {columns:?}");
        assert!((4_260..4_740).contains(&transposed), "{transposed}");
    }

    /// All 3,072 symmetries of 4x4 come up, as often as a fair draw would have it: chi-square with 3,071 degrees of
    /// freedom is within five standard deviations (of 78) of its mean.
    #[test]
    fn small_symmetries_are_equally_likely() {
        let symmetries = Symmetries::of(Shape::ALL[0], 12);
        let mut counts = std::collections::HashMap::new();
        for record in 0..61_440 {
            *counts.entry(symmetries.get(record, 0)).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 3_072);
        let chi_square = counts.values().map(|count| f64::from((count - 20).pow(2)) / 20.0).sum::<f64>();
        assert!((2_680.0..3_460.0).contains(&chi_square), "{chi_square}");
    }

    /// As many images as a puzzle has come, each once.
    #[test]
    fn images_are_distinct_until_there_is_no_other() {
        let images = |shape: Shape, puzzle: &[u8]| {
            let symmetries = Symmetries::of(shape, 9);
            let mut images = HashSet::new();
            for symmetry in symmetries.distinct(3, puzzle).unwrap().take(5_000) {
                let mut image = vec![0; puzzle.len()];
                symmetry.apply(puzzle, &mut image).unwrap();
                assert!(images.insert(image));
            }
            images.len()
        };
        let four = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        assert_eq!(images(Shape::ALL[0], &four), 96);
        assert_eq!(images(Shape::ALL[0], &[0; 16]), 1);
        let mut one = [0; 81];
        one[7] = 5;
        assert_eq!(images(Shape::NINE, &one), 729);
        one[70] = 4;
        assert_eq!(images(Shape::NINE, &one), 5_000);
        let symmetries = Symmetries::of(Shape::NINE, 1);
        assert!(symmetries.distinct(0, &four).is_err());
        // The other addresses give the first images of a record.
        let first = symmetries.distinct(4, &[1; 81]).unwrap().next();
        assert_eq!(first, Some(symmetries.get(4, 0)));
    }
}
