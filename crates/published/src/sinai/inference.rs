//! What a unit's candidates imply: hidden singles, pairs and triples, and pointing pairs and triples.
//!
//! ```text
//! candidates  a word per cell, bit symbol - 1; no bit in a filled cell
//! places      a word per symbol, bit i: the symbol is a candidate in cell i of the unit
//! ```

use galop_engines::grid::Grid;
use galop_engines::grid::inference::{bit, symbols};

/// The symbols that are candidates in exactly one, two and three cells of a unit.
pub(super) struct Counts {
    /// The symbols with one cell, as bits.
    pub(super) once: u64,
    /// The symbols with two cells, as bits.
    pub(super) twice: u64,
    /// The symbols with three cells, as bits.
    pub(super) thrice: u64,
}

impl Counts {
    /// Counts the candidates of the cells `unit`.
    #[inline]
    pub(super) fn new(candidates: &[u64], unit: &[usize]) -> Counts {
        let [mut one, mut two, mut three, mut four] = [0; 4];
        for &cell in unit {
            let here = candidates[cell];
            // Symbols in at least one, two, three and four cells.
            [one, two, three, four] = [one | here, two | one & here, three | two & here, four | three & here];
        }
        Counts { once: one & !two, twice: two & !three, thrice: three & !four }
    }

    /// Calls `found` with each hidden single, then with each hidden pair, then with each hidden triple if `triples`. It
    /// gets the places of the cells (bit i: cell i of the unit) and the symbols.
    ///
    /// `places` holds the places of the counted symbols. Pairs are sought among symbols with two places, in ascending
    /// order; triples among symbols with three places, then symbols with two.
    #[inline]
    pub(super) fn hidden(&self, places: &Places, triples: bool, mut found: impl FnMut(u64, &[u8])) {
        let Counts { once, twice, thrice } = *self;
        for symbol in symbols(once) {
            found(places.of(symbol), &[symbol]);
        }
        for first in symbols(twice) {
            for second in symbols(twice & !(bit(first) | (bit(first) - 1))) {
                if places.of(first) == places.of(second) {
                    found(places.of(first), &[first, second]);
                }
            }
        }
        if !triples {
            return;
        }
        let (mut listed, mut len) = ([0; u64::BITS as usize], 0);
        for symbol in symbols(thrice).chain(symbols(twice)) {
            listed[len] = symbol;
            len += 1;
        }
        for (at, &first) in listed[..len].iter().enumerate() {
            for (at, &second) in listed[..len].iter().enumerate().skip(at + 1) {
                let of_two = places.of(first) | places.of(second);
                if of_two.count_ones() > 3 {
                    continue;
                }
                for &third in &listed[at + 1..len] {
                    let of_three = of_two | places.of(third);
                    if of_three.count_ones() == 3 {
                        found(of_three, &[first, second, third]);
                    }
                }
            }
        }
    }
}

/// The places of symbols in a unit. Keeps its memory.
#[derive(Clone, Default)]
pub(super) struct Places(Vec<u64>);

impl Places {
    /// Becomes the places of the symbols `wanted` in the cells `unit`.
    #[inline]
    pub(super) fn find(&mut self, candidates: &[u64], unit: &[usize], wanted: u64) {
        self.0.clear();
        self.0.resize((u64::BITS - wanted.leading_zeros()) as usize, 0);
        for (place, &cell) in unit.iter().enumerate() {
            for symbol in symbols(candidates[cell] & wanted) {
                self.0[usize::from(symbol) - 1] |= 1 << place;
            }
        }
    }

    /// The places found for `symbol`.
    #[inline]
    pub(super) fn of(&self, symbol: u8) -> u64 {
        self.0[usize::from(symbol) - 1]
    }
}

/// Two or more cells that a unit shares with another unit: where its symbols can point along the other one.
pub(super) struct Crossing {
    /// The places of the shared cells in the unit.
    shared: u64,
    /// The cells of the other unit that are not shared.
    rest: Vec<usize>,
}

impl Crossing {
    /// For each unit of `grid`, its crossings with the units before it: a block's with rows and columns.
    pub(super) fn all(grid: &Grid) -> Vec<Vec<Crossing>> {
        let crossing = |unit: &[usize], other: &[usize]| Crossing {
            shared: (unit.iter().enumerate())
                .filter(|(_, cell)| other.contains(cell))
                .fold(0, |shared, (place, _)| shared | 1 << place),
            rest: other.iter().copied().filter(|cell| !unit.contains(cell)).collect(),
        };
        let crossings = |unit: usize| {
            let (earlier, cells) = (&grid.units()[..unit], &grid.units()[unit]);
            let crossings = earlier.iter().map(|other| crossing(cells, other));
            crossings.filter(|crossing| crossing.shared.count_ones() > 1).collect()
        };
        (0..grid.units().len()).map(crossings).collect()
    }

    /// Pointing: if all of the `places` of a symbol are shared, the cells of the other unit that are not shared. The
    /// symbol can be eliminated from them.
    pub(super) fn pointed_at(&self, places: u64) -> &[usize] {
        if places & !self.shared == 0 { &self.rest } else { &[] }
    }
}
