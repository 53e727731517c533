//! What a run fixes: the rules every puzzle of a file shares.
//!
//! A puzzle is an exact cover problem with some options already chosen. [`Rules`] hold the problem twice:
//! as a [`Grid`] (cells, units, peers), which grid engines read, and as an [`ExactCover`] (items, options),
//! which dancing links read. A kind of puzzle is one file that lists its units and one row in [`KINDS`].

mod alphabet;
mod candidates;
mod characters;
mod clues;
mod cover;
mod diagonal;
mod error;
mod impossible;
pub(crate) mod inference;
mod jigsaw;
mod latin;
mod names;
mod sudoku;
mod units;
mod verifier;
mod windoku;

pub use alphabet::{Alphabet, AlphabetName};
pub use candidates::candidates;
pub(crate) use characters::Characters;
pub use error::{
    GridError, Impossible, RegionsError, RegionsFault, UnclearAlphabet, Violation, WrongSolution,
};
pub use galop_cover::{ExactCover, ItemId, OptionId};
pub use impossible::Checker;
pub use jigsaw::Regions;
pub use names::{Cell, UnitName};
pub use units::Grid;
pub use verifier::Verifier;

/// A kind of puzzle, by name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line for a list of kinds.
    pub about: &'static str,
    /// The sizes there are of it, ascending.
    pub sizes: &'static [Size],
    /// Makes the grid of one of its sides; `None` where that takes a map of regions, and there is none of this
    /// side.
    pub grid: fn(usize, Option<&Regions>) -> Option<Grid>,
}

/// A size of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Cells of a row, and symbols.
    pub side: usize,
    /// What the rules are called then: the kind, and the size.
    pub name: &'static str,
}

/// The sizes of a kind, of which each gets its name.
macro_rules! sizes {
    ($kind:literal: $($side:literal)+) => {
        &[$($crate::grid::Size { side: $side, name: concat!($kind, " ", $side, "x", $side) }),+]
    };
}
use sizes;

/// Every kind of puzzle: one row adds one.
pub const KINDS: &[Kind] = &[sudoku::KIND, diagonal::KIND, windoku::KIND, latin::KIND, jigsaw::KIND];

/// The kind of that name, or `None`.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The rules of a run: a kind's grid, the same as an exact cover problem, and how its symbols are written.
#[derive(Clone, Debug)]
pub struct Rules {
    name: &'static str,
    grid: Grid,
    cover: ExactCover,
    alphabet: Alphabet,
}

impl Rules {
    /// The rules of `kind` for grids of `side` x `side` cells; `regions` is for the kind that has a map of them.
    ///
    /// # Errors
    /// [`GridError::Size`] where the kind has no such size, [`GridError::NoRegions`] where it needs a map of that
    /// size.
    pub fn new(kind: &Kind, side: usize, regions: Option<&Regions>) -> Result<Rules, GridError> {
        let Some(size) = kind.sizes.iter().find(|size| size.side == side) else {
            let sides: Vec<String> = kind.sizes.iter().map(|size| size.side.to_string()).collect();
            return Err(GridError::Size { kind: kind.name, side, known: sides.join(", ") });
        };
        let grid = (kind.grid)(side, regions).ok_or(GridError::NoRegions { rules: size.name })?;
        // The grid of nine is what the name stands for.
        let name = if side == 9 { kind.name } else { size.name };
        Ok(Rules::of_grid(name, grid))
    }

    /// The rules of the 9x9 sudoku: 81 cells, 27 units, 324 items, 729 options.
    pub fn sudoku() -> Rules {
        Rules::of_grid(sudoku::KIND.name, Grid::nine())
    }

    fn of_grid(name: &'static str, grid: Grid) -> Rules {
        let (cover, alphabet) = (cover::of_grid(&grid), Alphabet::of_symbols(grid.symbols()));
        Rules { name, grid, cover, alphabet }
    }

    /// The same rules, the symbols written in `alphabet`.
    ///
    /// # Errors
    /// [`GridError::Alphabet`] where it has not as many symbols as these rules.
    pub fn written_in(self, alphabet: Alphabet) -> Result<Rules, GridError> {
        let (symbols, found) = (self.grid.symbols(), alphabet.symbols());
        if found != symbols {
            return Err(GridError::Alphabet { name: alphabet.name(), found, symbols });
        }
        Ok(Rules { alphabet, ..self })
    }

    /// The kind's name, a word of [`KINDS`]; with the size, if that is not 9x9.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Cells, units and peers.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Items and options: option `cell * symbols + symbol - 1` puts `symbol` into `cell`.
    pub fn cover(&self) -> &ExactCover {
        &self.cover
    }

    /// How the symbols are written.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}
