//! What a run fixes: the rules every puzzle of a file shares.
//!
//! A puzzle is an exact cover problem with some options already chosen. [`Rules`] hold the problem twice:
//! as a [`Grid`] (cells, units, peers), which grid engines read, and as an [`ExactCover`] (items, options),
//! which dancing links read. A kind of puzzle is one file that lists its units and one row in [`KINDS`].

mod clues;
mod cover;
mod grid;
mod sudoku;
mod verifier;

pub use crate::cover::{ExactCover, ItemId, OptionId};
pub use crate::error::Violation;
pub use grid::Grid;
pub use verifier::Verifier;

/// A kind of puzzle, by name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line for a list of kinds.
    pub about: &'static str,
    /// Makes its grid.
    pub grid: fn() -> Grid,
}

/// Every kind of puzzle: one row adds one.
pub const KINDS: &[Kind] = &[sudoku::KIND];

/// The rules of a run: a kind's grid, and the same as an exact cover problem.
#[derive(Clone, Debug)]
pub struct Rules {
    kind: Kind,
    grid: Grid,
    cover: ExactCover,
}

impl Rules {
    /// The rules of `kind`.
    pub fn new(kind: &Kind) -> Rules {
        let grid = (kind.grid)();
        let cover = cover::of_grid(&grid);
        Rules { kind: *kind, grid, cover }
    }

    /// The rules of the 9x9 sudoku: 81 cells, 27 units, 324 items, 729 options.
    pub fn sudoku() -> Rules {
        Rules::new(&sudoku::KIND)
    }

    /// The kind's name, a word of [`KINDS`].
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// Cells, units and peers.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Items and options: option `cell * symbols + symbol - 1` puts `symbol` into `cell`.
    pub fn cover(&self) -> &ExactCover {
        &self.cover
    }
}
