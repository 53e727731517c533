//! A random full grid of any rules: the item with the fewest ways first, with random choices.
//!
//! An item is a cell, or a symbol in a unit. Its ways are the symbols left for the cell, or the cells left for the
//! symbol. Take a random one of the items with the fewest ways. Try its ways in random order. Backtrack if an item has
//! none. (Knuth's rule for Algorithm X, TAOCP 4B, 7.2.2.1. An item with one way is a naked or hidden single.) With
//! cells only, as in `nine`, the search almost never fills 25x25.
//!
//! ```text
//! level 0  | values: a word per cell | places: a byte per symbol of a unit |
//!            bit symbol - 1: the         number of cells left for it;
//!            symbol is possible;         PLACED once it has its cell
//!            DONE: it is placed
//! level 1  | ...                                                           copied at each choice
//! ```
//! 1. *Forced moves use no random number.* An item with one way is taken as soon as it is seen, and costs no copy.
//! 2. *Restarts.* Few searches of this kind go wrong, but those rarely recover (Gomes, Selman, Crato and Kautz,
//!    "Heavy-tailed phenomena in satisfiability and constraint satisfaction problems", J. of Automated Reasoning 24,
//!    2000). After too many choices the search starts again from the empty grid.
//!
//! As in `nine`, cells, units and symbols that the rules treat alike are treated alike.

use crate::chance::Chance;
use crate::grid::Grid;

/// Bit of a cell whose symbol is placed.
const DONE: u32 = 1 << 31;

/// Value of a symbol of a unit that is placed.
const PLACED: u8 = u8::MAX;

/// Choices per cell of the grid after which a search restarts. A search that never backtracks makes half a choice per
/// cell.
const CHOICES_PER_CELL: usize = 2;

/// Searches after which filling is given up.
const TRIES: usize = 500;

pub(in crate::generate) struct Items {
    cells: usize,
    symbols: usize,
    units: Vec<Vec<u16>>,
    units_of: Vec<Vec<u16>>,
    peers: Vec<Vec<u16>>,
    /// The levels one after the other.
    values: Vec<u32>,
    places: Vec<u8>,
    /// The items with the fewest ways.
    ties: Vec<u16>,
    choices: usize,
}

/// How a search ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Full,
    /// An item has no way.
    Dead,
    /// The choices of this search are used up.
    Spent,
}

/// The next step of a search.
enum Step {
    Nothing,
    Dead,
    /// The only way of an item: a cell and its symbol.
    Forced(usize, usize),
    /// The number of an item with several ways: numbers below `cells` are cells, the others symbols of units.
    Choice(usize),
}

impl Items {
    pub(super) fn new(grid: &Grid) -> Items {
        let (cells, symbols) = (grid.cells(), usize::from(grid.symbols()));
        let short = |list: &[usize]| list.iter().map(|&index| index as u16).collect();
        Items {
            cells,
            symbols,
            units: grid.units().iter().map(|unit| short(unit)).collect(),
            units_of: (0..cells).map(|cell| short(grid.units_of(cell))).collect(),
            peers: (0..cells).map(|cell| short(grid.peers(cell))).collect(),
            values: Vec::new(),
            places: Vec::new(),
            ties: Vec::new(),
            choices: 0,
        }
    }

    /// Overwrites `grid` with a random full grid. Returns false if the rules have no full grid, or if the search gave
    /// up.
    pub(super) fn fill(&mut self, grid: &mut [u8], chance: &mut Chance) -> bool {
        for _ in 0..TRIES {
            self.choices = CHOICES_PER_CELL * self.cells;
            self.values.clear();
            self.values.resize(self.cells, (1 << self.symbols) - 1);
            self.places.clear();
            self.places.resize(self.units.len() * self.symbols, self.symbols as u8);
            match self.search(0, chance) {
                (End::Full, level) => {
                    let values = &self.values[level * self.cells..][..self.cells];
                    for (cell, values) in grid.iter_mut().zip(values) {
                        *cell = values.trailing_zeros() as u8 + 1;
                    }
                    return true;
                }
                (End::Dead, _) => return false,
                (End::Spent, _) => {}
            }
        }
        false
    }

    /// Searches from `level`. Returns how the search ended, and at which level.
    fn search(&mut self, level: usize, chance: &mut Chance) -> (End, usize) {
        let item = loop {
            match self.step(level, chance) {
                Step::Nothing => return (End::Full, level),
                Step::Dead => return (End::Dead, level),
                Step::Forced(cell, symbol) => self.assign(level, cell, symbol),
                Step::Choice(item) => break item,
            }
        };
        let mut ways = self.ways(level, item);
        chance.shuffle(&mut ways);
        for (cell, symbol) in ways {
            if self.choices == 0 {
                return (End::Spent, level);
            }
            self.choices -= 1;
            self.copy(level);
            self.assign(level + 1, cell, symbol);
            let end = self.search(level + 1, chance);
            if end.0 != End::Dead {
                return end;
            }
        }
        (End::Dead, level)
    }

    /// The next step: the way of an item with one way, or a random one of the items with the fewest ways.
    fn step(&mut self, level: usize, chance: &mut Chance) -> Step {
        let values = &self.values[level * self.cells..][..self.cells];
        let places =
            &self.places[level * self.units.len() * self.symbols..][..self.units.len() * self.symbols];
        let mut fewest = u32::MAX;
        self.ties.clear();
        let open_cells = values.iter().enumerate().filter(|(_, values)| **values & DONE == 0);
        let open_places = places.iter().enumerate().filter(|(_, count)| **count != PLACED);
        let counts = (open_cells.map(|(cell, values)| (cell, values.count_ones())))
            .chain(open_places.map(|(place, &count)| (self.cells + place, u32::from(count))));
        for (item, count) in counts {
            if count < fewest {
                fewest = count;
                self.ties.clear();
            }
            if count == fewest {
                self.ties.push(item as u16);
            }
            if count == 0 {
                return Step::Dead;
            }
        }
        match (fewest, &self.ties[..]) {
            (_, []) => Step::Nothing,
            (1, &[item, ..]) => match self.ways(level, usize::from(item))[..] {
                [(cell, symbol), ..] => Step::Forced(cell, symbol),
                [] => Step::Dead,
            },
            (_, ties) => Step::Choice(usize::from(ties[chance.below(ties.len() as u32) as usize])),
        }
    }

    /// The ways of an item: cells and their symbols, which count from 0.
    fn ways(&self, level: usize, item: usize) -> Vec<(usize, usize)> {
        let values = &self.values[level * self.cells..][..self.cells];
        if item < self.cells {
            return (0..self.symbols)
                .filter(|symbol| values[item] >> symbol & 1 == 1)
                .map(|symbol| (item, symbol))
                .collect();
        }
        let (unit, symbol) = ((item - self.cells) / self.symbols, (item - self.cells) % self.symbols);
        let cells = self.units[unit].iter().map(|&cell| usize::from(cell));
        let is_open = |cell: &usize| values[*cell] & DONE == 0 && values[*cell] >> symbol & 1 == 1;
        cells.filter(is_open).map(|cell| (cell, symbol)).collect()
    }

    /// Copies `level` to the next level.
    fn copy(&mut self, level: usize) {
        let (cells, places) = (self.cells, self.units.len() * self.symbols);
        self.values.truncate((level + 1) * cells);
        self.values.extend_from_within(level * cells..);
        self.places.truncate((level + 1) * places);
        self.places.extend_from_within(level * places..);
    }

    /// Places `symbol` (from 0) in `cell`, and eliminates it from the peers of the cell.
    fn assign(&mut self, level: usize, cell: usize, symbol: usize) {
        let (cells, places) = (self.cells, self.units.len() * self.symbols);
        let values = &mut self.values[level * cells..][..cells];
        let places = &mut self.places[level * places..][..places];
        let symbols = self.symbols;
        let mut leave = |cell: usize, symbol: usize| {
            for &unit in &self.units_of[cell] {
                let count = &mut places[usize::from(unit) * symbols + symbol];
                *count -= u8::from(*count != PLACED);
            }
        };
        (0..symbols)
            .filter(|&other| other != symbol && values[cell] >> other & 1 == 1)
            .for_each(|other| leave(cell, other));
        values[cell] = 1 << symbol | DONE;
        for &peer in &self.peers[cell] {
            let peer = usize::from(peer);
            if values[peer] & DONE == 0 && values[peer] >> symbol & 1 == 1 {
                values[peer] ^= 1 << symbol;
                leave(peer, symbol);
            }
        }
        for &unit in &self.units_of[cell] {
            places[usize::from(unit) * symbols + symbol] = PLACED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Filler;
    use super::*;
    use crate::grid::{KINDS, Regions, Rules, Verifier};

    fn rules(kind: &'static crate::grid::Kind, side: usize) -> Rules {
        let rows: String =
            (0..side).map(|row| char::from(b'a' + row as u8).to_string().repeat(side)).collect();
        Rules::new(kind, side, Some(&Regions::read(rows.as_bytes()).unwrap())).unwrap()
    }

    #[test]
    fn every_kind_and_size_is_filled_and_grids_differ() {
        for kind in KINDS {
            for side in kind.sides() {
                let rules = rules(kind, side);
                let (verifier, cells) = (Verifier::new(&rules), rules.grid().cells());
                let (mut items, mut one, mut other) =
                    (Filler::of_grids(&rules).unwrap(), vec![0; cells], vec![0; cells]);
                assert!(items.fill(&mut one, &mut Chance::new(1, 1)), "{}", rules.name());
                assert_eq!(verifier.check(&vec![0; cells], &one), Ok(()), "{}", rules.name());
                assert!(items.fill(&mut other, &mut Chance::new(1, 2)) && one != other, "{}", rules.name());
                assert!(items.fill(&mut other, &mut Chance::new(1, 1)) && one == other, "{}", rules.name());
            }
        }
    }

    /// There are 288 grids of 4x4; grids that are symmetric to each other are equally likely. Every grid occurs.
    #[test]
    fn all_small_grids_are_drawn() {
        let rules = rules(&KINDS[0], 4);
        let (mut items, mut grid) = (Items::new(rules.grid()), vec![0; 16]);
        let mut seen = std::collections::HashMap::new();
        for place in 0..20_000 {
            assert!(items.fill(&mut grid, &mut Chance::new(2, place)));
            *seen.entry(grid.clone()).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 288);
        assert!(seen.values().all(|&count| (25..200).contains(&count)), "69 in the mean");
    }

    /// Row 1 and region a differ in one cell each, so these two cells must hold the same symbol. But they are in the
    /// same column.
    #[test]
    fn what_cannot_be_filled_is_given_up() {
        let regions = Regions::read(b"aaab bbba cccc dddd").unwrap();
        let rules = Rules::new(crate::grid::kind("jigsaw").unwrap(), 4, Some(&regions)).unwrap();
        assert!(!Items::new(rules.grid()).fill(&mut [0; 16], &mut Chance::new(3, 3)));
    }
}
