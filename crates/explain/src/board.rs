//! The grid while it is being solved: the cells filled so far and the candidates of the others.
//!
//! ```text
//! marks     a word per cell, bit symbol - 1: the candidates of a blank cell; none in a filled one
//! places    a word per unit and symbol, bit i: the symbol is a candidate of cell i of the unit
//! filled    a word per unit, bit symbol - 1: the symbol has its cell
//! ```

use galop_engines::grid::{Cell, Fault};

use crate::cells::Cells;
use crate::geometry::{Candidate, Geometry, Symbols, bit, each};

/// The state of a grid.
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) values: Vec<u8>,
    pub(crate) marks: Vec<Symbols>,
    places: Vec<u32>,
    filled: Vec<Symbols>,
    /// For each symbol, the blank cells of which it is a candidate.
    pub(crate) cells_of: Vec<Cells>,
    pub(crate) blanks: usize,
}

impl Board {
    /// The clues, which exclude no other one, and the candidates that they leave.
    pub(crate) fn new(geometry: &Geometry, clues: &[u8]) -> Board {
        let symbols = usize::from(geometry.symbols);
        let mut board = Board {
            values: vec![0; geometry.cells()],
            marks: vec![geometry.all(); geometry.cells()],
            places: vec![geometry.all(); geometry.units.len() * symbols],
            filled: vec![0; geometry.units.len()],
            cells_of: vec![Cells::of(0..geometry.cells() as u16); symbols],
            blanks: geometry.cells(),
        };
        for (cell, &clue) in clues.iter().enumerate().filter(|(_, clue)| **clue != 0) {
            board.place(geometry, cell as u16, clue);
        }
        board
    }

    /// The candidates of `cell`.
    pub(crate) fn marks(&self, cell: u16) -> Symbols {
        self.marks[usize::from(cell)]
    }

    pub(crate) fn has(&self, candidate: Candidate) -> bool {
        self.marks(candidate.cell) & bit(candidate.symbol) != 0
    }

    /// The blank cells of which `symbol` is a candidate.
    pub(crate) fn cells_of(&self, symbol: u8) -> Cells {
        self.cells_of[usize::from(symbol) - 1]
    }

    /// The places of `symbol` in `unit`.
    pub(crate) fn places(&self, unit: usize, symbol: u8) -> u32 {
        self.places[unit * self.cells_of.len() + usize::from(symbol) - 1]
    }

    /// The places of every symbol in every unit, unit by unit.
    pub(crate) fn all_places(&self) -> &Vec<u32> {
        &self.places
    }

    /// The symbols that have no cell in `unit` yet.
    pub(crate) fn open(&self, geometry: &Geometry, unit: usize) -> Symbols {
        geometry.all() & !self.filled[unit]
    }

    /// Fills `cell`, and eliminates what it excludes.
    pub(crate) fn place(&mut self, geometry: &Geometry, cell: u16, symbol: u8) {
        for other in each(self.marks(cell)) {
            self.eliminate(geometry, Candidate { cell, symbol: other });
        }
        self.values[usize::from(cell)] = symbol;
        self.blanks -= 1;
        for &(unit, _) in &geometry.units_of[usize::from(cell)] {
            self.filled[usize::from(unit)] |= bit(symbol);
        }
        for peer in (geometry.peers(cell) & self.cells_of(symbol)).iter() {
            self.eliminate(geometry, Candidate { cell: peer, symbol });
        }
        for paired in geometry.paired_with(Candidate { cell, symbol }) {
            if self.has(paired) {
                self.eliminate(geometry, paired);
            }
        }
    }

    /// The first filled cell that excludes `candidate`.
    pub(crate) fn excluder(&self, geometry: &Geometry, candidate: Candidate) -> Option<Candidate> {
        geometry.excluded_by(candidate).find(|other| self.values[usize::from(other.cell)] == other.symbol)
    }

    /// Places the naked and hidden singles that there are. Returns whether there were any.
    pub(crate) fn place_singles(&mut self, geometry: &Geometry) -> bool {
        let before = self.blanks;
        for cell in 0..self.marks.len() as u16 {
            if self.marks(cell).is_power_of_two() {
                self.place(geometry, cell, self.marks(cell).trailing_zeros() as u8 + 1);
            }
        }
        for (number, unit) in geometry.units.iter().enumerate() {
            for symbol in each(self.open(geometry, number)) {
                let places = self.places(number, symbol);
                if places.is_power_of_two() {
                    self.place(geometry, unit.cells[places.trailing_zeros() as usize], symbol);
                }
            }
        }
        self.blanks < before
    }

    /// Eliminates a candidate, which may be gone already.
    pub(crate) fn eliminate(&mut self, geometry: &Geometry, candidate: Candidate) {
        let Candidate { cell, symbol } = candidate;
        self.marks[usize::from(cell)] &= !bit(symbol);
        self.cells_of[usize::from(symbol) - 1].remove(cell);
        let symbols = self.cells_of.len();
        for &(unit, place) in &geometry.units_of[usize::from(cell)] {
            self.places[usize::from(unit) * symbols + usize::from(symbol) - 1] &= !(1 << place);
        }
    }

    /// A blank cell without candidates, or a symbol without a place in a unit.
    pub(crate) fn contradictions<'a>(&'a self, geometry: &'a Geometry) -> impl Iterator<Item = Dead> + 'a {
        let cells = (0..self.marks.len() as u16)
            .filter(|&cell| self.marks(cell) == 0 && self.values[usize::from(cell)] == 0)
            .map(Dead::Cell);
        let units = (0..geometry.units.len()).flat_map(move |unit| {
            each(self.open(geometry, unit))
                .filter(move |&symbol| self.places(unit, symbol) == 0)
                .map(move |symbol| Dead::Unit { unit: unit as u16, symbol })
        });
        units.chain(cells)
    }
}

/// What has nothing left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dead {
    /// A blank cell has no candidate.
    Cell(u16),
    /// A symbol has no place in a unit.
    Unit { unit: u16, symbol: u8 },
}

impl Dead {
    /// The contradiction for people.
    pub(crate) fn impossible(self, geometry: &Geometry) -> Fault {
        match self {
            Dead::Cell(cell) => Fault::NoCandidate { cell: cell_name(geometry, cell) },
            Dead::Unit { unit, symbol } => {
                let unit = geometry.units[usize::from(unit)].name;
                Fault::NoPlace { symbol, unit }
            }
        }
    }
}

/// The row and column of `cell`.
pub(crate) fn cell_name(geometry: &Geometry, cell: u16) -> Cell {
    let side = geometry.side.max(1);
    Cell { row: usize::from(cell) / side + 1, column: usize::from(cell) % side + 1 }
}
