//! The least image of a 9x9 solution grid: form A.
//!
//! The least image begins with the least band of all six chutes' classes. So it can be found without trying all
//! 3,359,232 symmetries that move cells:
//! 1. The class of each chute (three bands, and three stacks transposed) by one look-up in the tables of [`bands`](super::bands).
//!    Only chutes of the least class go on.
//! 2. The map to the least band, and each automorphism of it, fix the columns, the names of the digits and the rows of this
//!    chute.
//! 3. The rows of each other band follow in the order of their first cells, and so do the bands.
//! 4. The least of these images, 1.5 of them in the mean, is the answer. Equal ones are counted: each is one automorphism.
//!
//! Tricks:
//! 1. The three blocks of the diagonal are the first blocks of the six chutes, one of a band and of a stack each. So three
//!    inverse permutations suffice, not six.
//! 2. Digits are looked up sixteen at a time; the comparisons that find the index of a chute are three instructions.
//! 3. Inverse permutations are made in registers ([`inverse`]): nine stores of a byte and a load of the vector took 170
//!    instead of 115 ns a grid (Zen 5), because the load waits until all nine are in the cache.
//!
//! The idea of classes by look-up comes from several programs of the Sudoku Players' Forum ("Canonical Sudoku
//! Algorithm").

#![allow(
    clippy::needless_range_loop,
    reason = "kernels loop over indices: closures over vectors are not inlined"
)]

use std::cmp::Ordering;

use galop_simd::Bytes;

use super::bands::{Bands, CODES, LINES, THREE, sorting};
use super::board::{self, FLIP, NOTHING, Table};
use super::shape::unchanged;
use super::transformation::Symmetry;

/// The columns of a chute in normal order, by its place and the comparisons of its first row.
static SORTED: [[Table; 64]; 3] = {
    let mut sorted = [[NOTHING; 64]; 3];
    let mut at = 0;
    while at < 192 {
        sorted[at / 64][at % 64] = sorting(at / 64, at % 64);
        at += 1;
    }
    sorted
};

/// [`CODES`] by places from 1.
const CODE: Table = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 9 {
        table[at + 1] = CODES[at];
        at += 1;
    }
    table
};

/// [`FLIP`] by places from 1, and of places from 1.
const FLIP_PLACES: Table = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 9 {
        table[at + 1] = FLIP[at] + 1;
        at += 1;
    }
    table
};

/// The next cell of each row of a block, the first one after the last.
const NEXT: Table = [1, 2, 0, 4, 5, 3, 7, 8, 6, 128, 128, 128, 128, 128, 128, 128];

/// The place, from 1, of each of the digits 1 to 9 in the first nine bytes; 0 has 0, and 10 to 15 have themselves.
///
/// It works in registers: a vector cannot be loaded at once from bytes just stored. The names of 1 to 8 are bytes of a
/// word, and each place is shifted to its byte. The place of 9 is added to the place of 1, found by a comparison, and
/// taken off again.
#[inline(always)]
fn inverse<B: Bytes>(digits: B) -> B {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let [first, last] = digits.words();
    // Eight times one less than the digit.
    let shifts = first.wrapping_sub(ONES) << 3;
    let mut places = 9_u64 << (last.wrapping_sub(1) << 3 & 63);
    for place in 0..8 {
        places += (place + 1) << (shifts >> (8 * place) & 63);
    }
    let nine = u64::from((digits.equal(B::splat(9)).tops() | 1 << 9).trailing_zeros()) + 1;
    places = places.wrapping_sub(nine);
    B::from_words([places << 8, places >> 56 | nine << 8 | 0x0f0e_0d0c_0b0a_0000])
}

/// The index of a chute in the tables, and the comparisons of its first row. `places` are the places of the digits in
/// its first block; the other two are its other blocks.
#[inline(always)]
fn index<B: Bytes>(bands: &Bands, places: B, second: B, third: B) -> (usize, usize) {
    let (second, third) = (places.look_up(second), places.look_up(third));
    let (of_second, of_third) = (comparisons(second), comparisons(third));
    let codes = B::load(&CODE).look_up(second).words()[0];
    let rows = codes | codes >> 8 | codes >> 16;
    let way = bands.ways[(rows as usize & 63) << 6 | (rows >> 24) as usize & 63];
    let orders = |bits: usize| usize::from(bands.orders[bits]);
    let index = (usize::from(way) * 36 + orders(of_second)) * 36 + orders(of_third);
    (index, (of_second & 7) | (of_third & 7) << 3)
}

/// Is each cell of a block above the next one of its row: nine bits.
#[inline(always)]
fn comparisons<B: Bytes>(block: B) -> usize {
    block.greater(block.look_up(B::load(&NEXT))).tops() as usize & 511
}

/// A way to the least image so far.
#[derive(Clone, Copy)]
struct Way<B> {
    /// The old row of each new row, a byte each.
    rows: u128,
    columns: B,
    digits: B,
    is_transposed: bool,
}

impl<B: Bytes> Way<B> {
    #[inline(always)]
    fn symmetry(&self) -> Symmetry {
        let (mut columns, mut digits) = ([0; 16], [0; 16]);
        self.columns.store(&mut columns);
        self.digits.store(&mut digits);
        Symmetry {
            rows: self.rows.to_le_bytes(),
            columns,
            digits,
            side: 9,
            is_transposed: self.is_transposed,
        }
    }
}

/// The six chutes of a grid, as [`least`] needs them.
///
/// This part has no branches, so that grids of a block overlap; finding the least image has some that are hard to
/// predict.
#[derive(Clone, Copy)]
pub(super) struct Chutes<B> {
    /// Rows, and columns.
    lines: [[B; 16]; 2],
    /// The class and the map of each chute: bands, then stacks.
    classes: [u32; 6],
    /// The comparisons of the first row of each chute.
    bits: [u8; 6],
    is_solved: bool,
}

impl<B: Bytes> Chutes<B> {
    /// What no solution grid gives.
    pub(super) const NONE: Chutes<B> =
        Chutes { lines: [[B::ZERO; 16]; 2], classes: [0; 6], bits: [0; 6], is_solved: false };

    #[inline(always)]
    pub(super) fn replace(&mut self, bands: &Bands, grid: &[u8; 81]) {
        let blocks = board::blocks::<B>(grid);
        board::rows(grid, &mut self.lines[0]);
        board::columns(&blocks, &mut self.lines[1]);
        self.is_solved = board::is_solved(&self.lines[0], &self.lines[1]);
        self.put_two::<0, 1, 2>(bands, &blocks);
        self.put_two::<1, 2, 0>(bands, &blocks);
        self.put_two::<2, 0, 1>(bands, &blocks);
    }

    /// Puts the class of band `PLACE`, and of the stack of the same place.
    #[inline(always)]
    fn put_two<const PLACE: usize, const NEXT: usize, const LAST: usize>(
        &mut self,
        bands: &Bands,
        blocks: &[B; 9],
    ) {
        let flip = B::load(&FLIP);
        let places = inverse(blocks[4 * PLACE]);
        self.put(bands, PLACE, index(bands, places, blocks[3 * PLACE + NEXT], blocks[3 * PLACE + LAST]));
        let places = B::load(&FLIP_PLACES).look_up(places);
        let (second, third) =
            (blocks[3 * NEXT + PLACE].look_up(flip), blocks[3 * LAST + PLACE].look_up(flip));
        self.put(bands, 3 + PLACE, index(bands, places, second, third));
    }

    #[inline(always)]
    fn put(&mut self, bands: &Bands, chute: usize, (index, bits): (usize, usize)) {
        self.classes[chute] = bands.classes.get(index).copied().unwrap_or(u32::MAX);
        self.bits[chute] = bits as u8;
    }
}

/// Writes the least image of `grid` to `image`. Gives one symmetry that leads there; `None`, and nothing of use in
/// `image`, if it is not a solution grid.
///
/// Replaces `ways` by all symmetries that lead there, if there are several: as many as the grid has automorphisms.
#[inline(always)]
pub(super) fn least<B: Bytes>(
    bands: &Bands,
    grid: &[u8; 81],
    chutes: &Chutes<B>,
    image: &mut [u8; 81],
    ways: &mut Vec<Symmetry>,
) -> Option<Symmetry> {
    ways.clear();
    if !chutes.is_solved {
        return None;
    }
    let class = chutes.classes.iter().fold(u32::MAX, |least, &class| least.min(class)) >> 16;
    let mut left = 0_u32;
    for chute in 0..6 {
        left |= u32::from(chutes.classes[chute] >> 16 == class) << chute;
    }
    let automorphisms = bands.automorphisms.get(class as usize)?;
    let mut best = [B::ZERO; 9];
    for (row, of_band) in best.iter_mut().zip(bands.least.get(class as usize)?) {
        *row = B::load(of_band);
    }
    let mut found: Option<Way<B>> = None;
    while left != 0 {
        let chute = left.trailing_zeros() as usize % 6;
        left &= left - 1;
        let (is_transposed, place) = (chute >= 3, chute % 3);
        let lines = &chutes.lines[usize::from(is_transposed)];
        let (map, bits) = (chutes.classes[chute] & 0xffff, usize::from(chutes.bits[chute] & 63));
        let map_rows = THREE[(map / 1296 % 6) as usize];
        let columns = B::load(&SORTED[place][bits]).look_up(B::load(&LINES[(map % 1296) as usize]));
        for automorphism in automorphisms {
            let columns = columns.look_up(B::load(&automorphism.columns));
            let row = |row: usize| 3 * place as u8 + map_rows[usize::from(automorphism.rows[row]) % 3];
            let top = [row(0), row(1), row(2)];
            let digits = inverse(lines[usize::from(top[0]) & 15].look_up(columns));
            let mut names = [0; 16];
            digits.store(&mut names);
            let first = columns.words()[0] as usize & 15;
            let (row, column) = if is_transposed { (1, 9 * first) } else { (9, first) };
            let rest = rest(place, |line: usize| names[usize::from(grid[(row * line + column) % 81] & 15)]);
            let mut made = best;
            for row in 0..6 {
                made[3 + row] = digits.look_up(lines[usize::from(rest[row]) & 15].look_up(columns));
            }
            let order = if found.is_some() { compare(&made, &best) } else { Ordering::Less };
            if order.is_gt() {
                continue;
            }
            let way = Way { rows: packed(&top, &rest), columns, digits, is_transposed };
            match found {
                Some(before) if order.is_eq() => {
                    if ways.is_empty() {
                        ways.push(before.symmetry());
                    }
                    ways.push(way.symmetry());
                }
                _ => {
                    ways.clear();
                    (found, best) = (Some(way), made);
                }
            }
        }
    }
    board::write(&best, image);
    found.map(|way| way.symmetry())
}

/// The nine rows, a byte each; the bytes behind them are as in [`unchanged`].
#[inline(always)]
fn packed(top: &[u8; 3], rest: &[u8; 6]) -> u128 {
    let mut rows = u128::from_le_bytes(unchanged()) >> 72 << 72;
    for at in 0..3 {
        rows |= u128::from(top[at]) << (8 * at);
    }
    for at in 0..6 {
        rows |= u128::from(rest[at]) << (8 * (3 + at));
    }
    rows
}

/// The six lines that are not in chute `place`, in the order of their first digits; the lines of a chute stay together.
#[inline(always)]
fn rest(place: usize, name: impl Fn(usize) -> u8) -> [u8; 6] {
    let chute = |chute: usize| {
        let key = |line: usize| u16::from(name(3 * chute + line)) << 8 | (3 * chute + line) as u16;
        let (one, two, three) = (key(0), key(1), key(2));
        let (low, high) = (one.min(two), one.max(two));
        [low.min(three), high.min(three).max(low), high.max(three)]
    };
    let (mut one, mut two) = (chute(usize::from(place == 0)), chute(2 - usize::from(place == 2)));
    if one[0] > two[0] {
        std::mem::swap(&mut one, &mut two);
    }
    [one[0] as u8, one[1] as u8, one[2] as u8, two[0] as u8, two[1] as u8, two[2] as u8]
}

/// Compares the last two bands.
#[inline(always)]
fn compare<B: Bytes>(one: &[B; 9], other: &[B; 9]) -> Ordering {
    for row in 3..9 {
        let differs = !one[row].equal(other[row]).tops() & 511;
        if differs != 0 {
            let greater = one[row].greater(other[row]).tops();
            let is_greater = greater >> differs.trailing_zeros() & 1 == 1;
            return if is_greater { Ordering::Greater } else { Ordering::Less };
        }
    }
    Ordering::Equal
}
