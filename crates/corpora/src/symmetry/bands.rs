//! The 416 classes of bands: the class of any band by one look-up, and the way to the least band of the class.
//!
//! Felgenhauer and Jarvis ("Mathematics of Sudoku I", 2006) found that the bands of a 9x9 grid are 416 classes under
//! the orders of rows, blocks, columns within blocks, and digits. These are 6 * 6 * 6^3 = 7,776 maps without the names
//! of digits.
//!
//! # The index of a band
//! ```text
//!   0 1 2 | a b c | . . .     digits are named by their places 0..9 in the first block
//!   3 4 5 | d e f | . . .
//!   6 7 8 | g h i | . . .
//! ```
//! 1. *Way*: which digits are in which row of the second block. Row 0 takes three of 3..9, row 1 three of 0, 1, 2, 6,
//!    7, 8; there are 56 ways. The third block's sets follow.
//! 2. *Orders* of the second and of the third block: the columns are taken in ascending order of row 0, so that only
//!    the orders of rows 1 and 2 count: 36 for each block.
//!
//! `index = (way * 36 + orders of block 2) * 36 + orders of block 3`, below 72,576. A band whose row 0 ascends in both
//! blocks is *normal*: there is one for each index.

use std::sync::OnceLock;

use super::board::Table;
use super::shape::unchanged;

/// The orders of three things, ascending.
pub(super) const THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The number of an order of [`THREE`].
fn order_of(order: [u8; 3]) -> usize {
    2 * usize::from(order[0]) + usize::from(order[1] > order[2])
}

/// Normal bands.
const BANDS: usize = 56 * 36 * 36;

/// The orders of nine columns: the order of the stacks times 216, plus the orders within the new stacks.
pub(super) static LINES: [Table; 1296] = {
    let mut lines = [unchanged(); 1296];
    let mut number = 0;
    while number < 1296 {
        let within = [number / 36 % 6, number / 6 % 6, number % 6];
        let mut place = 0;
        while place < 9 {
            lines[number][place] = 3 * THREE[number / 216][place / 3] + THREE[within[place / 3]][place % 3];
            place += 1;
        }
        number += 1;
    }
    lines
};

/// A bit for each digit that the sets of rows 0 and 1 of the second block may have: six digits each.
pub(super) const CODES: [u8; 9] = [1, 2, 4, 1, 2, 4, 8, 16, 32];

/// Three comparisons of three values, as bits: is the first above the second, the second above the third, the third
/// above the first.
const fn comparisons(values: [u8; 3]) -> usize {
    (values[0] > values[1]) as usize
        | ((values[1] > values[2]) as usize) << 1
        | ((values[2] > values[0]) as usize) << 2
}

/// By three comparisons: the places of the values in ascending order.
pub(super) const ASCENDING: [[u8; 3]; 8] = {
    let mut orders = [[0, 1, 2]; 8];
    let mut number = 0;
    while number < 6 {
        let values = THREE[number];
        let mut place = 0;
        while place < 3 {
            orders[comparisons(values)][values[place] as usize] = place as u8;
            place += 1;
        }
        number += 1;
    }
    orders
};

/// A band, row by row.
type Band = [[u8; 9]; 3];

/// A map of bands: row `i` of the image is row `rows[i]`, and column `j` is column `columns[j]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Map {
    pub(super) rows: [u8; 3],
    pub(super) columns: Table,
}

impl Map {
    /// This map, and `next` after it.
    fn then(&self, next: &Map) -> Map {
        Map {
            rows: next.rows.map(|row| self.rows[usize::from(row)]),
            columns: next.columns.map(|column| self.columns[usize::from(column)]),
        }
    }

    fn inverse(&self) -> Map {
        let mut inverse = *self;
        (0..3).for_each(|row| inverse.rows[usize::from(self.rows[row])] = row as u8);
        (0..9).for_each(|column| inverse.columns[usize::from(self.columns[column])] = column as u8);
        inverse
    }

    fn apply(&self, band: &Band) -> Band {
        self.rows.map(|row| std::array::from_fn(|j| band[usize::from(row)][usize::from(self.columns[j])]))
    }

    /// The number of the map: the number of its rows times 1,296, plus the number of its columns.
    fn number(&self) -> u16 {
        let within = |stack: usize| order_of(std::array::from_fn(|at| self.columns[3 * stack + at] % 3));
        let stacks = order_of(std::array::from_fn(|stack| self.columns[3 * stack] / 3));
        (order_of(self.rows) * 1296 + stacks * 216 + within(0) * 36 + within(1) * 6 + within(2)) as u16
    }
}

/// The tables of bands.
pub(super) struct Bands {
    /// The way, by the codes of rows 0 and 1 of the second block: `codes of row 0 * 64 + codes of row 1`.
    pub(super) ways: [u8; 4096],
    /// The orders of rows 1 and 2 of a block, by three comparisons of each row: row 0 has the lowest bits.
    pub(super) orders: [u8; 512],
    /// For each normal band: its class, from 0, in the order of their least bands; and the number of a [`Map`] from it
    /// to the least band.
    ///
    /// ```text
    /// 31      16 | 15        0
    ///   class    |  map            one load finds both: the map does not wait for the class
    /// ```
    pub(super) classes: Vec<u32>,
    /// The least band of each class, digits from 1.
    pub(super) least: Vec<[Table; 3]>,
    /// The maps that keep the least band of each class but for the names of digits; the identity is among them.
    pub(super) automorphisms: Vec<Vec<Map>>,
}

/// The tables; they are made when they are first asked for, in about 10 ms.
pub(super) fn bands() -> &'static Bands {
    static BANDS: OnceLock<Bands> = OnceLock::new();
    BANDS.get_or_init(Bands::new)
}

/// A class while the tables are made.
struct Class {
    least: Band,
    automorphisms: Vec<Map>,
    /// The index of each of its normal bands, and the map to the least band.
    members: Vec<(usize, Map)>,
}

impl Bands {
    fn new() -> Bands {
        let mut bands = Bands {
            ways: [0; 4096],
            orders: [0; 512],
            classes: vec![u32::MAX; BANDS],
            least: Vec::new(),
            automorphisms: Vec::new(),
        };
        bands.fill_orders();
        let ways = bands.fill_ways();
        let mut classes: Vec<Class> = Vec::new();
        for index in 0..BANDS {
            if bands.classes[index] == u32::MAX {
                let band = normal(&ways[index / 1296], index / 36 % 36, index % 36);
                classes.push(bands.class_of(&band));
            }
        }
        classes.sort_by_key(|class| class.least);
        for (number, class) in classes.into_iter().enumerate() {
            for (index, map) in class.members {
                bands.classes[index] = (number as u32) << 16 | u32::from(map.number());
            }
            let row = |row: [u8; 9]| std::array::from_fn(|at| row.get(at).copied().unwrap_or(0));
            bands.least.push(class.least.map(row));
            bands.automorphisms.push(class.automorphisms);
        }
        bands
    }

    fn fill_orders(&mut self) {
        for (first, second, third) in every_three() {
            let ascending = ASCENDING[comparisons(first)];
            let of = |row: [u8; 3]| order_of(ascending.map(|place| row[usize::from(place)]));
            let bits = comparisons(first) | comparisons(second) << 3 | comparisons(third) << 6;
            self.orders[bits] = (6 * of(second) + of(third)) as u8;
        }
    }

    /// Fills the table of ways. Gives the digits of the rows of the second block for each way, as bits.
    fn fill_ways(&mut self) -> Vec<[u16; 3]> {
        let digits = |set: u16| (0..9).filter(move |digit| set >> digit & 1 == 1);
        let code = |set: u16| digits(set).fold(0, |code, digit| code | usize::from(CODES[digit as usize]));
        let sets =
            |row: u16| (0..512_u16).filter(move |set| set.count_ones() == 3 && set & 7 << (3 * row) == 0);
        let mut ways = Vec::new();
        for first in sets(0) {
            for second in sets(1).filter(|second| first & second == 0) {
                let third = 511 & !(first | second);
                if third & 0o700 == 0 {
                    self.ways[code(first) << 6 | code(second)] = ways.len() as u8;
                    ways.push([first, second, third]);
                }
            }
        }
        ways
    }

    /// The index of a band, and the comparisons of row 0 of its second block, and of its third in the next three bits.
    fn index(&self, band: &Band) -> (usize, usize) {
        let mut places = [0; 10];
        for place in 0..9 {
            places[usize::from(band[place / 3][place % 3])] = place as u8;
        }
        let row = |block: usize, row: usize| -> [u8; 3] {
            std::array::from_fn(|at| places[usize::from(band[row][3 * block + at])])
        };
        let codes =
            |row: [u8; 3]| row.iter().fold(0, |codes, &at| codes | usize::from(CODES[usize::from(at)]));
        let bits = |block| (0..3).fold(0, |bits, at| bits | comparisons(row(block, at)) << (3 * at));
        let way = usize::from(self.ways[codes(row(1, 0)) << 6 | codes(row(1, 1))]);
        let (second, third) = (bits(1), bits(2));
        let orders = |bits: usize| usize::from(self.orders[bits]);
        ((way * 36 + orders(second)) * 36 + orders(third), (second & 7) | (third & 7) << 3)
    }

    /// The class of a normal band; its normal bands are marked.
    fn class_of(&mut self, band: &Band) -> Class {
        let (least, ways) = least_of(band);
        let mut class = Class { least, automorphisms: Vec::new(), members: Vec::new() };
        let back = ways[0].inverse();
        class.automorphisms.extend(ways.iter().map(|way| back.then(way)));
        // The columns of the second and third stack are sorted anyway.
        for rows in THREE {
            for line in LINES.iter().step_by(36) {
                let map = Map { rows, columns: *line };
                let (index, bits) = self.index(&map.apply(band));
                if self.classes[index] == u32::MAX {
                    self.classes[index] = 0;
                    let sort = Map { rows: THREE[0], columns: sorting(0, bits) };
                    class.members.push((index, map.then(&sort).inverse().then(&ways[0])));
                }
            }
        }
        class
    }
}

/// The columns of a band in normal order, by the comparisons of its rows 0. The first block is `first`; the others
/// follow in the order of the stacks, from the first one again after the last.
pub(super) const fn sorting(first: usize, bits: usize) -> Table {
    let mut columns = unchanged();
    let orders = [[0, 1, 2], ASCENDING[bits & 7], ASCENDING[bits >> 3 & 7]];
    let mut place = 0;
    while place < 9 {
        columns[place] = 3 * ((first + place / 3) % 3) as u8 + orders[place / 3][place % 3];
        place += 1;
    }
    columns
}

/// Every three orders of three things.
fn every_three() -> impl Iterator<Item = ([u8; 3], [u8; 3], [u8; 3])> {
    (0..216).map(|number| (THREE[number / 36], THREE[number / 6 % 6], THREE[number % 6]))
}

/// The normal band of this way and these orders.
fn normal(way: &[u16; 3], second: usize, third: usize) -> Band {
    std::array::from_fn(|row| {
        let has = |digit: &u8| way[row] >> digit & 1 == 1;
        let own: Vec<u8> = (0..9).filter(has).collect();
        let rest: Vec<u8> = (0..9).filter(|digit| !has(digit) && usize::from(*digit) / 3 != row).collect();
        let order = |orders: usize| THREE[[0, orders / 6, orders % 6][row]].map(usize::from);
        let (second, third) = (order(second), order(third));
        std::array::from_fn(|at| match at / 3 {
            0 => (3 * row + at) as u8,
            1 => own[second[at % 3]],
            _ => rest[third[at % 3]],
        })
    })
}

/// The least band of the class, digits from 1 and named by row 0, and all maps that lead there.
///
/// Row 1 of the least band begins with 4 and 5: two of the three digits below a block are in the same other block of row
/// 0. So its first two columns decide the columns of the first two stacks. (To try all 1,296 orders of the columns takes
/// five times as long.)
fn least_of(band: &Band) -> (Band, Vec<Map>) {
    let mut least = [[u8::MAX; 9]; 3];
    let mut ways: Vec<Map> = Vec::new();
    // The place of the third of three in a stack.
    let third_of = |one: usize, other: usize| 3 * (one / 3) + 3 - one % 3 - other % 3;
    for rows in THREE {
        // Where the first row has the digit of each cell of the other two.
        let [first, second, third] = rows.map(|row| &band[usize::from(row)]);
        let place = |digit: u8| first.iter().position(|&other| other == digit).unwrap_or(0);
        let [second, third] = [second.map(place), third.map(place)];
        let starts = (0..9).flat_map(|one| [(one, (one + 1) % 3), (one, (one + 2) % 3)]);
        for (one, other) in starts.map(|(one, other)| (one, 3 * (one / 3) + other)) {
            let (four, five) = (second[one], second[other]);
            if four / 3 != five / 3 {
                continue;
            }
            let last = 3 * (3 - one / 3 - four / 3);
            for order in THREE {
                let mut columns = unchanged();
                let begin = [one, other, third_of(one, other), four, five, third_of(four, five)];
                let end = order.map(|column| last + usize::from(column));
                let all = begin.into_iter().chain(end);
                let mut names = [0; 9];
                for (place, column) in all.enumerate() {
                    columns[place] = column as u8;
                    names[column] = place as u8 + 1;
                }
                let cells = |row: &[usize; 9]| -> [u8; 9] {
                    std::array::from_fn(|place| names[row[usize::from(columns[place])]])
                };
                let image = [[1, 2, 3, 4, 5, 6, 7, 8, 9], cells(&second), cells(&third)];
                if image < least {
                    least = image;
                    ways.clear();
                }
                if image == least {
                    ways.push(Map { rows, columns });
                }
            }
        }
    }
    // By the columns: a class keeps the first way.
    ways.sort_by_key(|way| (way.number() % 1296, way.number()));
    (least, ways)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of classes, of bands in all classes, and the first and last band are published: Felgenhauer and
    /// Jarvis (416 classes; 9! * 2,612,736 bands), and the catalogue of Fowler's `sudz` (the bands).
    #[test]
    fn classes_are_those_of_the_literature() {
        let bands = bands();
        assert_eq!((bands.least.len(), bands.automorphisms.iter().map(Vec::len).sum()), (416, 935));
        assert_eq!(bands.automorphisms.iter().map(|maps| 7_776 / maps.len()).sum::<usize>(), 2_612_736);
        let text = |class: usize| -> String {
            let cells = bands.least[class].iter().flat_map(|row| &row[..9]);
            cells.map(|digit| char::from(b'0' + digit)).collect()
        };
        assert_eq!(text(0), "123456789456789123789123456");
        assert_eq!(text(415), "123456789457893612986217354");
        assert!(bands.classes.iter().all(|&class| class >> 16 < 416));
        assert!(bands.least.is_sorted());
    }

    /// The least band and the ways to it are those of all orders of rows and columns.
    #[test]
    fn no_order_of_the_columns_gives_a_lesser_band() {
        let mut tables = Bands {
            ways: [0; 4096],
            orders: [0; 512],
            classes: Vec::new(),
            least: Vec::new(),
            automorphisms: Vec::new(),
        };
        let ways = tables.fill_ways();
        for (number, way) in ways.iter().enumerate() {
            let band = normal(way, (number * 7) % 36, (number * 11) % 36);
            let maps = LINES.iter().flat_map(|columns| THREE.map(|rows| Map { rows, columns: *columns }));
            let images: Vec<(Map, Band)> = maps
                .map(|map| {
                    let image = map.apply(&band);
                    let name = |digit| image[0].iter().position(|&other| other == digit).unwrap() as u8 + 1;
                    (map, image.map(|row| row.map(name)))
                })
                .collect();
            let least = images.iter().map(|(_, image)| *image).min().unwrap();
            let ways: Vec<Map> =
                images.iter().filter(|(_, image)| *image == least).map(|(map, _)| *map).collect();
            assert_eq!(least_of(&band), (least, ways));
        }
    }

    /// Every normal band is mapped to the least band of its class.
    #[test]
    fn maps_lead_to_the_least_band() {
        let bands = bands();
        let (classes, least, automorphisms) = (Vec::new(), Vec::new(), Vec::new());
        let mut tables = Bands { ways: [0; 4096], orders: [0; 512], classes, least, automorphisms };
        tables.fill_orders();
        let ways = tables.fill_ways();
        for (number, way) in ways.iter().enumerate() {
            for orders in (0..36 * 36).step_by(7) {
                let band = normal(way, orders / 36, orders % 36);
                let index = number * 1296 + orders;
                assert_eq!(tables.index(&band), (index, 0o44));
                let (class, map) =
                    (bands.classes[index] as usize >> 16, bands.classes[index] as usize & 0xffff);
                let map = Map { rows: THREE[map / 1296], columns: LINES[map % 1296] };
                for automorphism in &bands.automorphisms[class] {
                    assert_eq!(renamed(&map.then(automorphism).apply(&band)), bands.least[class]);
                }
            }
        }
    }

    /// The digits named by row 0, from 1.
    fn renamed(band: &Band) -> [Table; 3] {
        band.map(|row| {
            let name = |digit: &u8| band[0].iter().position(|other| other == digit).unwrap() as u8 + 1;
            std::array::from_fn(|at| row.get(at).map_or(0, name))
        })
    }
}
