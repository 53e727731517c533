//! Sinai's grid of candidates: placing symbols, and finding symbols with few places in a unit.
//!
//! ```text
//! candidates[cell]   bit symbol - 1; 0 in a filled cell
//! orders[cell]       how the set was made, which decides the order in which it iterates (order.rs)
//! stale[unit]        bit UNIQUE, bit POINTING: the unit changed since the last search for these
//! ```
//! His program searches the row, column and block of every changed cell again, often the same units. The result of a
//! search depends only on the unit's candidates, and changes only these (pointing pairs eliminate symbols elsewhere,
//! which cannot come back). So a unit that has not changed since its last search is skipped, with the same result.

use super::order::Order;
use crate::grid::Grid;

/// Units changed since their singles, pairs and triples were looked for.
const UNIQUE: u8 = 1;
/// Units changed since their pointing pairs were.
const POINTING: u8 = 2;

/// The grid, and what is derived from it.
pub(super) struct Plan {
    pub(super) grid: Grid,
    /// The peers of a cell in the order in which he erases a placed symbol: its units one after the other.
    erased_from: Vec<Vec<usize>>,
    /// For each unit the earlier ones that share several cells with it, the rows and columns of a block: there its
    /// symbols can point.
    crossings: Vec<Vec<Crossing>>,
}

struct Crossing {
    /// The shared places of the unit, as bits.
    shared: u64,
    /// The cells of the other unit that are not shared.
    rest: Vec<usize>,
}

/// The most symbols that the masks have bits for.
pub(super) const MOST_SYMBOLS: u32 = u64::BITS;

impl Plan {
    pub(super) fn new(grid: &Grid) -> Plan {
        let erased_from = |cell: usize| {
            let mut peers: Vec<usize> = Vec::new();
            for peer in grid.units_of(cell).iter().flat_map(|&unit| &grid.units()[unit]) {
                if *peer != cell && !peers.contains(peer) {
                    peers.push(*peer);
                }
            }
            peers
        };
        let crossing = |unit: &[usize], other: &[usize]| Crossing {
            shared: bits_where(unit, |cell| other.contains(cell)),
            rest: other.iter().copied().filter(|cell| !unit.contains(cell)).collect(),
        };
        let crossings = |unit: usize| {
            let (earlier, cells) = (&grid.units()[..unit], &grid.units()[unit]);
            let crossings = earlier.iter().map(|other| crossing(cells, other));
            crossings.filter(|crossing| crossing.shared.count_ones() > 1).collect()
        };
        Plan {
            grid: grid.clone(),
            erased_from: (0..grid.cells()).map(erased_from).collect(),
            crossings: (0..grid.units().len()).map(crossings).collect(),
        }
    }

    /// The bits of all symbols.
    pub(super) fn all(&self) -> u64 {
        u64::MAX >> (MOST_SYMBOLS - u32::from(self.grid.symbols()).min(MOST_SYMBOLS))
    }
}

/// Bit `i` for every member `i` that `is_one`.
fn bits_where(members: &[usize], is_one: impl Fn(&usize) -> bool) -> u64 {
    members
        .iter()
        .enumerate()
        .filter(|(_, member)| is_one(member))
        .fold(0, |bits, (at, _)| bits | 1_u64.checked_shl(at as u32).unwrap_or(0))
}

/// One position of the search.
#[derive(Clone, Default)]
pub(super) struct Board {
    /// The cells as filled so far, 0 for none.
    pub(super) cells: Vec<u8>,
    pub(super) candidates: Vec<u64>,
    pub(super) orders: Vec<Order>,
    stale: Vec<u8>,
    /// Scratch: the places of symbols in a unit.
    pub(super) places: Vec<u64>,
}

impl Board {
    /// Starts with a puzzle's clues, which must be symbols of the grid: every blank has the symbols that none of its
    /// units holds.
    pub(super) fn start(&mut self, plan: &Plan, puzzle: &[u8]) {
        self.cells.clear();
        self.cells.extend_from_slice(puzzle);
        self.candidates.clear();
        self.orders.clear();
        for (cell, &clue) in puzzle.iter().enumerate() {
            let held = plan.erased_from[cell].iter().fold(0, |held, &peer| held | bit(puzzle[peer]));
            self.candidates.push(if clue == 0 { plan.all() & !held } else { 0 });
            self.orders.push(Order::rising(self.candidates[cell]));
        }
        self.mark_all_stale(plan);
    }

    /// Makes every unit due for a search.
    pub(super) fn mark_all_stale(&mut self, plan: &Plan) {
        self.stale.clear();
        self.stale.resize(plan.grid.units().len(), UNIQUE | POINTING);
    }

    /// Copies `other` as `copy.deepcopy` does: the same candidates in sets made anew.
    pub(super) fn copy(&mut self, other: &Board) {
        self.cells.clone_from(&other.cells);
        self.candidates.clone_from(&other.candidates);
        self.stale.clone_from(&other.stale);
        self.orders.clear();
        let sets = other.orders.iter().zip(&other.candidates);
        self.orders.extend(sets.map(|(order, &candidates)| order.copied(candidates)));
    }

    /// Places `symbol` in `cell` and eliminates it in the peers; appends the cells that changed to `changed`.
    pub(super) fn place(&mut self, plan: &Plan, cell: usize, symbol: u8, changed: &mut Vec<usize>) {
        self.cells[cell] = symbol;
        self.set(plan, cell, 0);
        changed.push(cell);
        self.eliminate(plan, &plan.erased_from[cell], symbol, changed);
    }

    fn eliminate(&mut self, plan: &Plan, from: &[usize], symbol: u8, changed: &mut Vec<usize>) {
        for &cell in from {
            if self.candidates[cell] & bit(symbol) != 0 {
                self.set(plan, cell, self.candidates[cell] & !bit(symbol));
                changed.push(cell);
            }
        }
    }

    /// Gives `cell` other candidates.
    pub(super) fn set(&mut self, plan: &Plan, cell: usize, candidates: u64) {
        self.candidates[cell] = candidates;
        plan.grid.units_of(cell).iter().for_each(|&unit| self.stale[unit] |= UNIQUE | POINTING);
    }

    /// Whether `unit` changed since the last search for singles, pairs and triples; the caller searches it then.
    pub(super) fn take_stale(&mut self, unit: usize) -> bool {
        let is_stale = self.stale[unit] & UNIQUE != 0;
        self.stale[unit] &= !UNIQUE;
        is_stale
    }

    /// The symbols that are candidates in exactly one, two and three of these cells.
    #[inline]
    pub(super) fn counted(&self, cells: &[usize]) -> [u64; 3] {
        let mut at_least = [0; 4];
        for &cell in cells {
            let [one, two, three, four] = at_least;
            let candidates = self.candidates[cell];
            at_least = [
                one | candidates,
                two | one & candidates,
                three | two & candidates,
                four | three & candidates,
            ];
        }
        let [one, two, three, four] = at_least;
        [one & !two, two & !three, three & !four]
    }

    /// The places among these cells (as bits) where each of `wanted` is a candidate, into `places[symbol - 1]`.
    pub(super) fn find_places(&self, cells: &[usize], wanted: u64, places: &mut Vec<u64>) {
        places.clear();
        places.resize((u64::BITS - wanted.leading_zeros()) as usize, 0);
        for (place, &cell) in cells.iter().enumerate() {
            for symbol in symbols(self.candidates[cell] & wanted) {
                places[at(symbol)] |= 1 << place;
            }
        }
    }

    /// Pointing pairs and triples: a symbol with two or three places in `unit`, all of them in another unit, is
    /// eliminated in the rest of that unit.
    ///
    /// In this way symbols of a block point along rows and columns. (His program has the other direction too, from line
    /// to block, but switched off.)
    pub(super) fn point(&mut self, plan: &Plan, unit: usize, changed: &mut Vec<usize>) {
        if self.stale[unit] & POINTING == 0 || plan.crossings[unit].is_empty() {
            return;
        }
        self.stale[unit] &= !POINTING;
        let cells = &plan.grid.units()[unit];
        let [_, twos, threes] = self.counted(cells);
        let mut places = std::mem::take(&mut self.places);
        self.find_places(cells, twos | threes, &mut places);
        for symbol in symbols(twos | threes) {
            let is_along = |crossing: &&Crossing| places[at(symbol)] & !crossing.shared == 0;
            for crossing in plan.crossings[unit].iter().filter(is_along) {
                self.eliminate(plan, &crossing.rest, symbol, changed);
            }
        }
        self.places = places;
    }
}

/// The index of a symbol in a list by symbol.
pub(super) fn at(symbol: u8) -> usize {
    usize::from(symbol) - 1
}

/// The bit of `symbol`; 0 for a blank.
pub(super) fn bit(symbol: u8) -> u64 {
    if symbol == 0 { 0 } else { 1 << (symbol - 1) }
}

/// The symbols of `candidates`, rising.
pub(super) fn symbols(mut candidates: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let symbol = candidates.trailing_zeros() as u8 + 1;
        let is_one = candidates != 0;
        candidates &= candidates.wrapping_sub(1);
        is_one.then_some(symbol)
    })
}
