//! The grid as the techniques see it: units with their names, cells with their units and peers.

use galop_engines::Rules;
use galop_engines::grid::{Grid, UnitName};

use crate::cells::Cells;

/// A bit for each symbol: bit `symbol - 1`.
pub(crate) type Symbols = u32;

/// A symbol in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The cell, row by row from 0.
    pub cell: u16,
    /// The symbol, from 1.
    pub symbol: u8,
}

/// A row, column, block or other unit.
pub(crate) struct Unit {
    /// Its cells, in the order of their places.
    pub(crate) cells: Vec<u16>,
    pub(crate) set: Cells,
    pub(crate) name: UnitName,
}

/// What the techniques ask of the rules.
pub(crate) struct Geometry {
    pub(crate) symbols: u8,
    /// Cells of a row.
    pub(crate) side: usize,
    /// Rows, then columns, then blocks or regions, then extra units.
    pub(crate) units: Vec<Unit>,
    /// For each cell: its units, and its place in each.
    pub(crate) units_of: Vec<Vec<(u16, u8)>>,
    /// The cells that differ from each.
    pub(crate) peers: Vec<Cells>,
    /// For each candidate, cell by cell: those that it excludes besides its symbol in peers. Empty if no pair does.
    excluded: Vec<Vec<Candidate>>,
    pub(crate) grid: Grid,
    /// For each unit: the other units with which it shares two cells or more, and the places of these cells.
    pub(crate) crossings: Vec<Vec<(u16, u32)>>,
}

impl Geometry {
    pub(crate) fn new(rules: &Rules) -> Geometry {
        let grid = rules.grid();
        let cells = |list: &[usize]| list.iter().map(|&cell| cell as u16).collect::<Vec<u16>>();
        let units: Vec<Unit> = (0..grid.units().len())
            .map(|number| {
                let cells = cells(&grid.units()[number]);
                Unit { set: Cells::of(cells.iter().copied()), cells, name: grid.unit_name(number) }
            })
            .collect();
        let mut units_of = vec![Vec::new(); grid.cells()];
        for (number, unit) in units.iter().enumerate() {
            for (place, &cell) in unit.cells.iter().enumerate() {
                units_of[usize::from(cell)].push((number as u16, place as u8));
            }
        }
        let peers = (0..grid.cells()).map(|cell| Cells::of(cells(grid.peers(cell)))).collect();
        let crossings = (0..units.len())
            .map(|unit| {
                let shared = |other: &Unit| {
                    let places = units[unit].cells.iter().enumerate();
                    places.fold(0_u32, |shared, (at, &cell)| shared | u32::from(other.set.has(cell)) << at)
                };
                let others = units.iter().enumerate().filter(|(other, _)| *other != unit);
                let crossings = others.map(|(number, other)| (number as u16, shared(other)));
                crossings.filter(|(_, shared)| shared.count_ones() > 1).collect()
            })
            .collect();
        let mut excluded = Vec::new();
        if !grid.exclusive().is_empty() {
            excluded.extend((0..grid.cells() * usize::from(grid.symbols())).map(|candidate| {
                let others = grid.excluded_by(candidate).iter().map(|&other| grid.cell_and_symbol(other));
                others.map(|(cell, symbol)| Candidate { cell: cell as u16, symbol }).collect()
            }));
        }
        Geometry {
            symbols: grid.symbols(),
            side: grid.side(),
            units,
            units_of,
            peers,
            excluded,
            crossings,
            grid: grid.clone(),
        }
    }

    /// The candidates that `candidate` excludes: its symbol in its peers, and those of its pairs.
    pub(crate) fn excluded_by(&self, candidate: Candidate) -> impl Iterator<Item = Candidate> + '_ {
        let Candidate { cell, symbol } = candidate;
        self.peers(cell).iter().map(move |cell| Candidate { cell, symbol }).chain(self.paired_with(candidate))
    }

    /// The candidates of the pairs of candidates that `candidate` is in.
    pub(crate) fn paired_with(
        &self,
        Candidate { cell, symbol }: Candidate,
    ) -> impl Iterator<Item = Candidate> + '_ {
        let node = usize::from(cell) * usize::from(self.symbols) + usize::from(symbol) - 1;
        self.excluded.get(node).into_iter().flatten().copied()
    }

    /// Whether two candidates of different cells exclude each other.
    pub(crate) fn excludes(&self, one: Candidate, other: Candidate) -> bool {
        let is_same = one.symbol == other.symbol;
        (is_same && self.peers(one.cell).has(other.cell))
            || self.paired_with(one).any(|paired| paired == other)
    }

    pub(crate) fn cells(&self) -> usize {
        self.peers.len()
    }

    /// The bits of all symbols.
    pub(crate) fn all(&self) -> Symbols {
        (1 << self.symbols) - 1
    }

    pub(crate) fn peers(&self, cell: u16) -> Cells {
        self.peers[usize::from(cell)]
    }

    /// The cells that see all of `cells`.
    pub(crate) fn see_all(&self, cells: impl IntoIterator<Item = u16>) -> Cells {
        cells.into_iter().fold(!Cells::NONE, |common, cell| common & self.peers(cell))
    }

    /// The rows, then the columns, by their numbers as units.
    pub(crate) fn lines(&self) -> [std::ops::Range<usize>; 2] {
        [0..self.side, self.side..2 * self.side]
    }

    /// The units that hold all of `cells`.
    pub(crate) fn units_with<'a>(&'a self, cells: &'a [u16]) -> impl Iterator<Item = u16> + 'a {
        let first = cells.first().map_or(&[][..], |&cell| &self.units_of[usize::from(cell)]);
        let has_all = |unit: &u16| cells.iter().all(|&cell| self.units[usize::from(*unit)].set.has(cell));
        first.iter().map(|&(unit, _)| unit).filter(has_all)
    }
}

/// The bit of `symbol`, which is not 0.
pub(crate) fn bit(symbol: u8) -> Symbols {
    1 << (symbol - 1)
}

/// The symbols of `symbols`, ascending.
pub(crate) fn each(mut symbols: Symbols) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let symbol = symbols.trailing_zeros() as u8 + 1;
        let is_some = symbols != 0;
        symbols &= symbols.wrapping_sub(1);
        is_some.then_some(symbol)
    })
}

/// The places of a word of places, ascending.
pub(crate) fn places(places: u32) -> impl Iterator<Item = usize> {
    each(places).map(|symbol| usize::from(symbol) - 1)
}
