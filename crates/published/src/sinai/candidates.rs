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

use super::inference::{Counts, Crossing, Places};
use super::order::Order;
use galop_engines::grid::Grid;
use galop_engines::grid::inference::{all_symbols, bit, symbols};

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
        Plan {
            grid: grid.clone(),
            erased_from: (0..grid.cells()).map(erased_from).collect(),
            crossings: Crossing::all(grid),
        }
    }
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
    pub(super) places: Places,
}

impl Board {
    /// Starts with a puzzle's clues, which must be symbols of the grid: every blank has the symbols that none of its
    /// units holds.
    pub(super) fn start(&mut self, plan: &Plan, puzzle: &[u8]) {
        self.cells.clear();
        self.cells.extend_from_slice(puzzle);
        self.candidates.clear();
        self.orders.clear();
        let all = all_symbols(&plan.grid);
        for (cell, &clue) in puzzle.iter().enumerate() {
            let held = plan.erased_from[cell].iter().fold(0, |held, &peer| held | bit(puzzle[peer]));
            self.candidates.push(if clue == 0 { all & !held } else { 0 });
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
        let Counts { twice, thrice, .. } = Counts::new(&self.candidates, cells);
        let mut places = std::mem::take(&mut self.places);
        places.find(&self.candidates, cells, twice | thrice);
        for symbol in symbols(twice | thrice) {
            for crossing in &plan.crossings[unit] {
                self.eliminate(plan, crossing.pointed_at(places.of(symbol)), symbol, changed);
            }
        }
        self.places = places;
    }

    /// Whether no solution follows from this position: a unit holds a symbol twice or has no place for it, or a blank
    /// has no candidates.
    pub(super) fn has_fault(&self, plan: &Plan) -> bool {
        let is_faulty = |unit: &Vec<usize>| {
            let filled = unit.iter().filter(|&&cell| self.cells[cell] != 0);
            let held = filled.clone().fold(0, |held, &cell| held | bit(self.cells[cell]));
            let placed = unit.iter().fold(held, |placed, &cell| placed | self.candidates[cell]);
            filled.count() != held.count_ones() as usize || placed != all_symbols(&plan.grid)
        };
        let mut cells = self.cells.iter().zip(&self.candidates);
        plan.grid.units().iter().any(is_faulty) || cells.any(|cell| cell == (&0, &0))
    }
}
