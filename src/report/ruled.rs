//! The rules of the puzzles: how reports name them, and what they need to draw a grid.

use serde::Serialize;

use super::counted;
use crate::grid::{Alphabet, Rules};

/// The kind and size of the puzzles, and how they are written.
#[derive(Clone, Debug, Serialize)]
pub struct Ruled {
    /// The kind, a word of [`KINDS`](crate::grid::KINDS); with the size, if that is not 9x9: `sudoku 16x16`.
    pub name: &'static str,
    /// Cells of a row.
    pub side: usize,
    /// The symbols: `1-9`, `1-9A-G`.
    pub symbols: String,
    /// The block or region of each cell.
    #[serde(skip)]
    pub(super) parts: Vec<usize>,
    #[serde(skip)]
    pub(super) alphabet: Alphabet,
}

impl Ruled {
    /// What there is to say of `rules`.
    pub fn by(rules: &Rules) -> Ruled {
        let grid = rules.grid();
        Ruled {
            name: rules.name(),
            side: grid.side(),
            symbols: rules.alphabet().name().to_string(),
            parts: (0..grid.cells()).map(|cell| grid.part(cell)).collect(),
            alphabet: rules.alphabet().clone(),
        }
    }

    /// Whether a drawn grid needs more room than one of 9x9.
    pub(super) fn is_large(&self) -> bool {
        self.side > 12
    }

    /// `10 puzzles of sudoku 16x16`; the 9x9 sudoku is what puzzles are unless something else is said.
    pub(super) fn counted(&self, puzzles: u64) -> String {
        let puzzles = counted(puzzles, "puzzle", "puzzles");
        if (self.name, self.side) == ("sudoku", 9) { puzzles } else { format!("{puzzles} of {}", self.name) }
    }

    /// `sudoku 16x16, symbols 1-9A-G`.
    pub(super) fn in_words(&self) -> String {
        let size = if self.side == 9 { " 9x9" } else { "" };
        format!("{}{size}, symbols {}", self.name, self.symbols)
    }
}
