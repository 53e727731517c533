//! The ways to fill a block beside a full one, for [`nine`](super::nine): what is the same for all grids.
//!
//! ```text
//!   0 1 2 | . . . | . . .     digits are named by their places in the first block of the band
//!   3 4 5 | . . . | . . .
//!   6 7 8 | . . . | . . .
//! ```
//! A *way* says which digits are in which row of the second block: no digit is in its row of the first block. There are
//! 56 ways. The rows of the third block get the digits that are left, and these are a way as well. A block of a stack
//! is a block of a band with rows and columns exchanged.

use std::array::from_fn;
use std::sync::OnceLock;

/// Ways to divide the digits of a block among the rows of the next one.
pub(super) const WAYS: usize = 56;

/// Orders of the digits within the rows of a block, if the digits of row 0 ascend.
pub(super) const ORDERS: usize = 36;

/// The orders of three things, ascending.
pub(super) const THREE: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A set of places or digits, both from 0: bit `p` for `p`.
pub(super) type Set = u16;

/// A set of ways: bit `w` for way `w`.
pub(super) type Ways = u64;

const ALL_WAYS: Ways = (1 << WAYS) - 1;

/// The tables. Their blocks are bytes by place; the last seven bytes are not used.
pub(super) struct Tables {
    /// The digits of each row in each way.
    pub(super) rows: [[Set; 3]; WAYS],
    /// The way of the third block.
    pub(super) third: [u8; WAYS],
    /// By `way * ORDERS + orders`: the digits of a block.
    pub(super) blocks: Vec<[u8; 16]>,
    /// The same blocks in a stack, with rows and columns exchanged in both blocks.
    pub(super) turned: Vec<[u8; 16]>,
    /// The inverse of `blocks`: the place of each digit, rows and columns exchanged.
    pub(super) places: Vec<[u8; 16]>,
    /// For each way, the pairs of digits that are in one row: three of each row.
    pairs: [[(u8, u8); 9]; WAYS],
    /// By a pair of digits, `16 * one + other`: the ways in which both are in one row, ...
    together: Box<[Ways; 256]>,
    /// ... and the ways in which both are in one row of the third block.
    third_together: Box<[Ways; 256]>,
}

/// The tables; they are made when they are first asked for, in less than a millisecond.
pub(super) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::new)
}

/// A place of a block with rows and columns exchanged.
pub(super) const fn turn(place: u8) -> u8 {
    place % 3 * 3 + place / 3
}

/// The members of a set, ascending.
pub(super) fn members(set: Set) -> impl Iterator<Item = u8> {
    (0..9).filter(move |member| set >> member & 1 == 1)
}

impl Tables {
    fn new() -> Tables {
        let rows = ways();
        let third = rows.map(|way| {
            let rest = from_fn(|row| 0o777 & !(way[row] | 0o7 << (3 * row)));
            rows.iter().position(|&other| other == rest).unwrap_or(0) as u8
        });
        let blocks: Vec<[u8; 16]> =
            (0..WAYS * ORDERS).map(|number| block(&rows[number / ORDERS], number % ORDERS)).collect();
        let turned = blocks.iter().map(|block| nine(|place| turn(block[usize::from(turn(place))])));
        let turned = turned.collect();
        let place_of = |block: &[u8; 16], digit| block[..9].iter().position(|&other| other == digit);
        let places = blocks.iter().map(|block| nine(|digit| turn(place_of(block, digit).unwrap_or(0) as u8)));
        let places = places.collect();
        let (mut together, mut third_together) = (Box::new([0; 256]), Box::new([0; 256]));
        for (number, (way, &third)) in rows.iter().zip(&third).enumerate() {
            let pairs_of = |way: [Set; 3]| way.into_iter().flat_map(pairs);
            for (table, way) in [(&mut together, *way), (&mut third_together, rows[usize::from(third)])] {
                for (one, other) in pairs_of(way) {
                    table[usize::from(16 * one + other)] |= 1 << number;
                    table[usize::from(16 * other + one)] |= 1 << number;
                }
            }
        }
        let pairs = rows.map(|way| {
            let [first, second, third] = way.map(pairs);
            from_fn(|at| [first, second, third][at / 3][at % 3])
        });
        Tables { rows, third, blocks, turned, places, pairs, together, third_together }
    }

    /// The columns that a block may have beside a block above and a block to the left, as ways of the block above;
    /// `way` fixes its rows.
    ///
    /// `left` are the digits of the block to the left, `above` the place of each digit in the block above, with rows
    /// and columns exchanged. A way does not fit if two digits of a row are in one column.
    #[inline(always)]
    pub(super) fn fitting(&self, way: usize, left: &[u8; 16], above: &[u8; 16]) -> Ways {
        self.fitting_in(&self.together, way, left, above)
    }

    /// As [`fitting`](Self::fitting), for the third block of the stack: it has the ways of the second one.
    #[inline(always)]
    pub(super) fn fitting_third(&self, way: usize, left: &[u8; 16], above: &[u8; 16]) -> Ways {
        self.fitting_in(&self.third_together, way, left, above)
    }

    #[inline(always)]
    fn fitting_in(&self, together: &[Ways; 256], way: usize, left: &[u8; 16], above: &[u8; 16]) -> Ways {
        let place = |at: u8| above[usize::from(left[usize::from(at & 15)] & 15)];
        let clashing = self.pairs[way].iter().fold(0, |clashing, &(one, other)| {
            clashing | together[usize::from(place(one) << 4 | place(other))]
        });
        ALL_WAYS & !clashing
    }
}

/// A block of nine bytes.
fn nine(byte: impl Fn(u8) -> u8) -> [u8; 16] {
    from_fn(|at| if at < 9 { byte(at as u8) } else { 0 })
}

/// The three pairs of three digits.
fn pairs(row: Set) -> [(u8, u8); 3] {
    let digits: Vec<u8> = members(row).collect();
    [(0, 1), (0, 2), (1, 2)].map(|(one, other)| (digits[one], digits[other]))
}

/// All ways, in ascending order of their rows.
fn ways() -> [[Set; 3]; WAYS] {
    let sets =
        |row: Set| (0..512).filter(move |set: &Set| set.count_ones() == 3 && set & 0o7 << (3 * row) == 0);
    let mut ways = [[0; 3]; WAYS];
    let mut next = ways.iter_mut();
    for first in sets(0) {
        for second in sets(1).filter(|second| first & second == 0) {
            let third = 0o777 & !(first | second);
            if third & 0o700 == 0
                && let Some(way) = next.next()
            {
                *way = [first, second, third];
            }
        }
    }
    ways
}

/// The block whose rows hold the digits of `way`. Row 0 ascends; `orders` are the orders of rows 1 and 2.
fn block(way: &[Set; 3], orders: usize) -> [u8; 16] {
    let rows: [Vec<u8>; 3] = way.map(|row| members(row).collect());
    let orders = [THREE[0], THREE[orders / 6], THREE[orders % 6]];
    nine(|place| {
        let (row, column) = (usize::from(place / 3), usize::from(place % 3));
        rows[row][orders[row][column]]
    })
}
