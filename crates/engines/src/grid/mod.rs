//! The rules of grids: units, symbols and how they are written, and what follows from them without a search.
//!
//! A puzzle is an exact cover problem in which some options are already chosen. [`Rules`] hold the problem twice: as a
//! [`Grid`] (cells, units, peers) and as an [`ExactCover`] (items, options). A kind of puzzle is one file that lists
//! its units, and one row in [`KINDS`].
//!
//! [`Verifier`] checks solutions, [`Checker`] finds out why a puzzle is impossible, [`candidates`] are pencil marks.

mod alphabet;
mod candidates;
mod characters;
mod clues;
mod cover;
mod diagonal;
mod error;
mod impossible;
pub mod inference;
mod jigsaw;
mod latin;
mod leftovers;
mod names;
mod sudoku;
mod units;
mod verifier;
mod windoku;

pub use alphabet::{Alphabet, AlphabetName};
pub use candidates::candidates;
pub use characters::Characters;
pub use error::{GridError, Impossible, RegionsError, UnclearAlphabet, Violation, WrongSolution};
pub use galop_cover::{ExactCover, ItemId, OptionId};
pub use impossible::Checker;
pub use jigsaw::Regions;
pub(crate) use leftovers::Leftovers;
pub use names::{Cell, UnitName};
pub use units::Grid;
pub use verifier::Verifier;
pub(crate) use windoku::{WINDOW_LINES, second_block, without_windows};

/// A kind of puzzle, by name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line for a list of kinds.
    pub about: &'static str,
    /// The possible sizes, ascending.
    pub sizes: &'static [Size],
    /// Builds the grid of this side length; `None` if the kind needs a map of regions of that size and none was given.
    pub grid: fn(usize, Option<&Regions>) -> Option<Grid>,
}

/// A size of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Cells of a row, which is also the number of symbols.
    pub side: usize,
    /// The name of the rules: the kind and the size, `sudoku 16x16`.
    pub name: &'static str,
}

/// The sizes of a kind, with their names.
macro_rules! sizes {
    ($kind:literal: $($side:literal)+) => {
        &[$($crate::grid::Size { side: $side, name: concat!($kind, " ", $side, "x", $side) }),+]
    };
}
use sizes;

/// Every kind of puzzle.
pub static KINDS: &[Kind] = &[sudoku::KIND, diagonal::KIND, windoku::KIND, latin::KIND, jigsaw::KIND];

/// The row `sudoku` of [`KINDS`].
pub static SUDOKU: &Kind = &KINDS[0];
/// The row `diagonal` of [`KINDS`].
pub static DIAGONAL: &Kind = &KINDS[1];
/// The row `windoku` of [`KINDS`].
pub static WINDOKU: &Kind = &KINDS[2];
/// The row `latin` of [`KINDS`].
pub static LATIN: &Kind = &KINDS[3];
/// The row `jigsaw` of [`KINDS`].
pub static JIGSAW: &Kind = &KINDS[4];

/// The kind of that name, or `None`.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The rules of a puzzle: its grid, the same grid as an exact cover problem, and the alphabet of its symbols.
#[derive(Clone, Debug)]
pub struct Rules {
    name: &'static str,
    grid: Grid,
    cover: ExactCover,
    alphabet: Alphabet,
}

impl Default for Rules {
    /// The rules of the 9x9 sudoku: 81 cells, 27 units, 324 items, 729 options.
    fn default() -> Rules {
        Rules::of_grid(sudoku::KIND.name, Grid::nine())
    }
}

impl Rules {
    /// The rules of the sudoku with `side` rows, columns and blocks: 4, 6 (blocks of 2x3), 9, 12 (3x4), 16 or 25.
    ///
    /// ```
    /// use galop::{Rules, grid::GridError};
    ///
    /// assert_eq!(Rules::sudoku(16)?.grid().cells(), 256);
    /// assert!(matches!(Rules::sudoku(10), Err(GridError::Size { side: 10, .. })));
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::Size`] for another side.
    pub fn sudoku(side: usize) -> Result<Rules, GridError> {
        Rules::new(SUDOKU, side, None)
    }

    /// The rules of `kind` for grids of `side` x `side` cells. Only jigsaws need `regions`.
    ///
    /// # Errors
    /// [`GridError::Size`] if the kind does not have this size; [`GridError::NoRegions`] if it needs a map of regions
    /// of this size.
    pub fn new(kind: &Kind, side: usize, regions: Option<&Regions>) -> Result<Rules, GridError> {
        let Some(size) = kind.sizes.iter().find(|size| size.side == side) else {
            let sides: Vec<String> = kind.sizes.iter().map(|size| size.side.to_string()).collect();
            return Err(GridError::Size { kind: kind.name, side, known: sides.join(", ") });
        };
        let grid = (kind.grid)(side, regions).ok_or(GridError::NoRegions { rules: size.name })?;
        // The size of 9x9 is left out.
        let name = if side == 9 { kind.name } else { size.name };
        Ok(Rules::of_grid(name, grid))
    }

    fn of_grid(name: &'static str, grid: Grid) -> Rules {
        let (cover, alphabet) = (cover::of_grid(&grid), Alphabet::of_symbols(grid.symbols()));
        Rules { name, grid, cover, alphabet }
    }

    /// The same rules, with the symbols written in `alphabet`.
    ///
    /// # Errors
    /// [`GridError::Alphabet`] if the alphabet has more or fewer symbols than the rules.
    pub fn written_in(self, alphabet: Alphabet) -> Result<Rules, GridError> {
        let (symbols, found) = (self.grid.symbols(), alphabet.symbols());
        if found != symbols {
            return Err(GridError::Alphabet { name: alphabet.name(), found, symbols });
        }
        Ok(Rules { alphabet, ..self })
    }

    /// The name of the kind, and the size unless it is 9x9: `sudoku`, `sudoku 16x16`.
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

    /// The characters of the symbols.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}
