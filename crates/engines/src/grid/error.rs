//! What can be wrong with rules, with a map of regions, with a solution, and with a puzzle before the search.

use super::alphabet::{Alphabet, AlphabetName};
use super::names::{Cell, UnitName};
use galop_cover::problem::CoverViolation;
use galop_cover::text::ChoiceFault;

/// Why rules cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// No kind has this name.
    #[error("there is no kind `{name}`; the kinds are {known}")]
    Kind {
        /// The name.
        name: String,
        /// The names of the kinds, as text: `sudoku, diagonal`.
        known: String,
    },
    /// A kind is named twice.
    #[error("`{kind}` is named twice")]
    Twice {
        /// The kind's name.
        kind: &'static str,
    },
    /// Two kinds, or a kind and blocks or regions, divide the grid in different ways.
    #[error("`{kind}` cannot have {other}: each divides the grid in its own way")]
    Division {
        /// The kind's name.
        kind: &'static str,
        /// The other kind, or `blocks`, or `regions`.
        other: &'static str,
    },
    /// Blocks of one row or column, or of too many cells or too few.
    #[error("blocks of {rows}x{columns} (they have two rows and columns or more, and 4 to 25 cells)")]
    Blocks {
        /// Rows of a block.
        rows: usize,
        /// Columns of a block.
        columns: usize,
    },
    /// No size fits the kinds, the blocks and the maps.
    #[error("`{rules}` has no size: its kinds, blocks and maps have none in common")]
    NoSize {
        /// The name of the rules.
        rules: String,
    },
    /// The rules have no grid of this side length.
    #[error("`{kind}` has no size {side}x{side}; its sides are {known}")]
    Size {
        /// The name of the rules.
        kind: String,
        /// The requested side length, in cells.
        side: usize,
        /// The side lengths of the rules, as text: `4, 6, 9`.
        known: String,
    },
    /// The kind needs a map of regions of that size.
    #[error("`{rules}` needs a map that names the region of each cell")]
    NoRegions {
        /// The name of the rules.
        rules: String,
    },
    /// The map of regions is wrong.
    #[error(transparent)]
    Regions(#[from] RegionsError),
    /// The alphabet has too few or too many symbols for the rules.
    #[error("the alphabet {name} has {found} symbols; the rules have {symbols}")]
    Alphabet {
        /// The alphabet's name.
        name: AlphabetName,
        /// Symbols of the alphabet.
        found: u8,
        /// Symbols of the rules.
        symbols: u8,
    },
}

/// The symbols of the puzzles fit several alphabets, or none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} ({known})")]
pub struct UnclearAlphabet {
    /// What the puzzles look like.
    pub reason: &'static str,
    /// The possible alphabets, as text: `0-9A-F or A-P`.
    pub known: String,
}

/// What is wrong with a map of regions, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct RegionsError {
    /// The line of the map, from 1.
    pub line: u64,
    /// The column in that line, from 1, in bytes.
    pub column: u64,
    /// What is wrong there.
    pub fault: RegionsFault,
}

/// What is wrong with a map of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegionsFault {
    /// A byte that cannot name a region.
    #[error("unexpected `{}` in a map of regions (one character per cell, the same for all cells of a region)", .0.escape_ascii())]
    Character(u8),
    /// The number of cells is not the square of a side length from 4 to 25.
    #[error(
        "a map of {found} cells (a map has one character per cell of a square, 4x4 to 25x25: 81 for 9x9)"
    )]
    Cells {
        /// Cells of the map.
        found: usize,
    },
    /// A region is too large or too small.
    #[error("region `{name}` has {found} cells (each has {expected}, as many as a row)")]
    Region {
        /// The region's character.
        name: char,
        /// Cells of the region.
        found: usize,
        /// Cells of a row.
        expected: usize,
    },
}

/// What is wrong with a solution, or why a puzzle has no solution, and where. Printed, it has numbers for symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("{}", self.in_words(|symbol| symbol.to_string()))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fault {
    /// The puzzle or its solution has another length than the rules.
    Length {
        /// Cells of the puzzle or the solution.
        found: usize,
        /// Cells of the rules.
        expected: usize,
    },
    /// A cell holds no symbol of the rules.
    Symbol {
        /// The byte that it holds.
        found: u8,
        /// The cell.
        cell: Cell,
    },
    /// A unit holds a symbol twice.
    Twice {
        /// The symbol.
        symbol: u8,
        /// The first unit that is wrong.
        unit: UnitName,
        /// The first two of its cells that are alike.
        cells: [Cell; 2],
    },
    /// Two cells that must differ hold the same symbol.
    Different {
        /// The symbol.
        symbol: u8,
        /// The two cells.
        cells: [Cell; 2],
    },
    /// Two cells hold symbols that exclude each other.
    Exclusive {
        /// The symbol of each cell.
        symbols: [u8; 2],
        /// The two cells.
        cells: [Cell; 2],
    },
    /// The solution differs from a clue.
    Clue {
        /// The cell.
        cell: Cell,
        /// The symbol of the clue.
        clue: u8,
        /// What the solution has there: a symbol, or another byte.
        found: u8,
    },
    /// A blank cell of a puzzle has no candidate.
    NoCandidate {
        /// The cell.
        cell: Cell,
    },
    /// A symbol has no cell in a unit of a puzzle.
    NoPlace {
        /// The symbol.
        symbol: u8,
        /// The unit.
        unit: UnitName,
    },
    /// The options of a solution of a problem do not cover its items, or not as the puzzle says.
    Cover(CoverViolation),
    /// The text of a solution of a problem is no list of choices.
    Choice(ChoiceFault),
    /// A byte of a puzzle of a problem has no meaning.
    Byte {
        /// The byte.
        found: u8,
        /// The option, from 0.
        option: u32,
    },
}

impl Fault {
    /// The fault as text. `written` gives the text of a symbol.
    pub fn in_words(&self, written: impl Fn(u8) -> String) -> String {
        match *self {
            Fault::Length { found, expected } => format!("{found} cells where the rules have {expected}"),
            Fault::Symbol { found, cell } => format!("{found} in {cell} is not a symbol of the rules"),
            Fault::Twice { symbol, unit, cells: [one, other] } => {
                format!("{} occurs twice in {unit}: in {one} and in {other}", written(symbol))
            }
            Fault::Different { symbol, cells: [one, other] } => {
                format!("{} is in {one} and in {other}, which must differ", written(symbol))
            }
            Fault::Exclusive { symbols, cells: [first, second] } => {
                let [one, other] = symbols.map(written);
                format!("{one} in {first} excludes {other} in {second}")
            }
            Fault::Clue { cell, clue, found } => {
                format!("{cell} holds {}, but the clue is {}", written(found), written(clue))
            }
            Fault::NoCandidate { cell } => format!("no candidate is left for {cell}"),
            Fault::NoPlace { symbol, unit } => {
                format!("no cell of {unit} is left for {}", written(symbol))
            }
            Fault::Cover(violation) => violation.to_string(),
            Fault::Choice(fault) => fault.to_string(),
            Fault::Byte { found, option } => {
                format!("byte {found} of option {} (0 is open, 1 chosen, 2 forbidden)", option + 1)
            }
        }
    }

    /// The cell to blame: of two cells the second. `None` if no single cell is wrong, and for problems.
    pub fn cell(&self) -> Option<Cell> {
        match *self {
            Fault::Clue { cell, .. } | Fault::Symbol { cell, .. } | Fault::NoCandidate { cell, .. } => {
                Some(cell)
            }
            Fault::Twice { cells: [_, second], .. }
            | Fault::Different { cells: [_, second], .. }
            | Fault::Exclusive { cells: [_, second], .. } => Some(second),
            _ => None,
        }
    }
}

/// A solution that the independent verifier refused: a bug in the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a solution failed the independent check: {violation}\n  puzzle   {puzzle}\n  solution {solution}\n\
     this is a bug in galop's engine `{engine}`"
)]
pub struct WrongSolution {
    /// The engine's name.
    pub engine: String,
    /// The puzzle as text, one character per cell.
    pub puzzle: String,
    /// The engine's solution as text, one character per cell.
    pub solution: String,
    /// What is wrong with it.
    pub violation: Fault,
}

impl WrongSolution {
    /// The error that `solution`, which the engine found of `puzzle`, is wrong. Both are cells.
    #[cold]
    pub fn new(
        engine: &str,
        puzzle: &[u8],
        solution: &[u8],
        violation: Fault,
        alphabet: &Alphabet,
    ) -> WrongSolution {
        // In digits, a blank is 0.
        let character = |&cell: &u8| match alphabet.character(cell) {
            b'.' if alphabet.is_digits() => '0',
            character => character.into(),
        };
        let text = |cells: &[u8]| cells.iter().map(character).collect();
        let engine = engine.to_owned();
        WrongSolution { engine, puzzle: text(puzzle), solution: text(solution), violation }
    }
}
