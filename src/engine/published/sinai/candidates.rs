//! Sinai's grid of candidates: placing, and the units' numbers that have few places.
//!
//! ```text
//! candidates[cell]   bit symbol - 1; none in a filled cell
//! orders[cell]       how the set was made: in which order it iterates (order.rs)
//! stale[unit]        bit UNIQUE, bit POINTING: the unit changed since that was last looked for
//! ```
//! He looks at the row, column and block of every changed cell anew, the same units again and again. What he
//! finds in a unit depends on its candidates alone, and what a look changes is in the unit (pointing pairs
//! only take numbers from elsewhere, which have not come back): one that has not changed since the last look is
//! passed over, with the same result.

use super::order::Order;
use crate::grid::Grid;

/// Units changed since their singles, pairs and triples were looked for.
const UNIQUE: u8 = 1;
/// Units changed since their pointing pairs were.
const POINTING: u8 = 2;

/// What never changes: the grid, and what is read from it.
pub(super) struct Plan {
    pub(super) grid: Grid,
    /// The peers of a cell in the order in which a placed number is erased: its units one after the other.
    erased_from: Vec<Vec<usize>>,
    /// For each unit the earlier ones that share more than one cell with it, rows and columns of a block: where
    /// its numbers can point.
    crossings: Vec<Vec<Crossing>>,
}

struct Crossing {
    /// Places of the unit that are shared, as bits.
    shared: u64,
    /// The other unit's cells that are not.
    rest: Vec<usize>,
}

/// Symbols of the largest grid that has room in the masks.
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
    /// Starts anew with a puzzle's clues, symbols of the grid: every blank has the symbols that no unit of it
    /// holds.
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
        self.forget_looks(plan);
    }

    /// Every unit is to be looked at.
    pub(super) fn forget_looks(&mut self, plan: &Plan) {
        self.stale.clear();
        self.stale.resize(plan.grid.units().len(), UNIQUE | POINTING);
    }

    /// Becomes what `copy.deepcopy` makes of `other`: the same candidates in sets made anew.
    pub(super) fn copy(&mut self, other: &Board) {
        self.cells.clone_from(&other.cells);
        self.candidates.clone_from(&other.candidates);
        self.stale.clone_from(&other.stale);
        self.orders.clear();
        let sets = other.orders.iter().zip(&other.candidates);
        self.orders.extend(sets.map(|(order, &candidates)| order.copied(candidates)));
    }

    /// Puts `symbol` into `cell` and takes it from the peers; the cells that changed are appended to `changed`.
    pub(super) fn place(&mut self, plan: &Plan, cell: usize, symbol: u8, changed: &mut Vec<usize>) {
        self.cells[cell] = symbol;
        self.set(plan, cell, 0);
        changed.push(cell);
        self.erase(plan, &plan.erased_from[cell], symbol, changed);
    }

    fn erase(&mut self, plan: &Plan, from: &[usize], symbol: u8, changed: &mut Vec<usize>) {
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

    /// Whether the singles, pairs and triples of `unit` are worth a look, which is then taken.
    pub(super) fn is_worth_a_look(&mut self, unit: usize) -> bool {
        let is_stale = self.stale[unit] & UNIQUE != 0;
        self.stale[unit] &= !UNIQUE;
        is_stale
    }

    /// The symbols that are candidates in one, in two, in three of these cells.
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

    /// Pointing pairs and triples: a symbol with two or three places in `unit`, all of them in another one, is
    /// erased from the rest of that.
    ///
    /// So do numbers of a block point along rows and columns. (The other way about, from line to block, he has
    /// written too but switched off.)
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
                self.erase(plan, &crossing.rest, symbol, changed);
            }
        }
        self.places = places;
    }
}

/// Where a symbol's places stand in a list of them.
pub(super) fn at(symbol: u8) -> usize {
    usize::from(symbol) - 1
}

/// The bit of `symbol`; none for a blank.
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
