//! The rules of grids: units, symbols and how they are written, and what follows from them without a search.
//!
//! A puzzle is an exact cover problem in which some options are already chosen. [`Rules`] hold the problem twice: as a
//! [`Grid`] (cells, units, peers) and as an [`ExactCover`] (items, options). A kind of puzzle is one file that lists
//! its units and pairs, and one row in [`KINDS`]. A [`Variant`] is one kind or several, with maps and blocks.
//!
//! [`Verifier`] checks solutions, [`Grid::check_clues`] finds clues that clash, [`candidates`] are pencil marks.

mod alphabet;
mod anti_king;
mod anti_knight;
mod candidates;
mod characters;
mod clues;
mod constraints;
mod cover;
mod diagonal;
mod error;
mod impossible;
pub mod inference;
mod jigsaw;
mod latin;
mod leftovers;
mod names;
mod nine_pairs;
mod nine_verifier;
mod non_consecutive;
mod problem_verifier;
mod regions;
mod sudoku;
mod units;
mod variant;
mod verifier;
mod windoku;

pub use alphabet::{Alphabet, AlphabetName};
pub use candidates::candidates;
pub use characters::Characters;
pub use error::{Fault, GridError, RegionsError, UnclearAlphabet, WrongSolution};
pub use galop_cover::{ExactCover, ItemId, OptionId};
pub(crate) use leftovers::Leftovers;
pub use names::{Cell, UnitName};
pub use regions::{ExtraRegions, Regions};
pub use units::Grid;
pub use variant::Variant;
pub use verifier::Verifier;
pub(crate) use windoku::{WINDOW_LINES, second_block, without_windows};

use std::sync::{Arc, OnceLock};

use galop_cover::Assumptions;
use galop_cover::text::{ChoiceFault, ChoiceText};

use constraints::Constraints;

/// A kind of puzzle, by name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line for a list of kinds.
    pub about: &'static str,
    /// The side lengths for which it has grids, ascending.
    sides: &'static [usize],
    /// How it divides the grid. It has blocks, or what another kind asks for, if it says nothing.
    division: Option<Division>,
    /// What its grids of this side length satisfy besides.
    constraints: fn(usize) -> Constraints,
}

/// How a grid is divided besides rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Division {
    /// Into rectangular blocks.
    Blocks,
    /// Not at all.
    Lines,
    /// Into the regions of a map.
    Regions,
}

impl Kind {
    /// The possible side lengths, ascending.
    pub fn sides(&'static self) -> Vec<usize> {
        Variant::from(self).sides()
    }
}

/// All side lengths that grids have, ascending.
pub static SIDES: &[usize] = latin::SIDES;

/// Every kind of puzzle.
pub static KINDS: &[Kind] = &[
    sudoku::KIND,
    diagonal::KIND,
    windoku::KIND,
    latin::KIND,
    jigsaw::KIND,
    anti_knight::KIND,
    anti_king::KIND,
    non_consecutive::KIND,
];

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
/// The row `anti-knight` of [`KINDS`].
pub static ANTI_KNIGHT: &Kind = &KINDS[5];
/// The row `anti-king` of [`KINDS`].
pub static ANTI_KING: &Kind = &KINDS[6];
/// The row `non-consecutive` of [`KINDS`].
pub static NON_CONSECUTIVE: &Kind = &KINDS[7];

/// The kind of that name, or `None`.
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The rules of a puzzle: its grid, the same grid as an exact cover problem, and the alphabet of its symbols. Or any
/// exact cover problem, of which a puzzle names some options.
#[derive(Clone, Debug)]
pub struct Rules {
    name: Arc<str>,
    /// Without cells if the rules are a problem.
    grid: Arc<Grid>,
    /// The grid as a problem, made when it is first asked for: of a 9x9 sudoku that takes 60 µs of 80.
    cover: Arc<OnceLock<ExactCover>>,
    alphabet: Alphabet,
    /// How puzzles are written if the rules are a problem.
    choices: Option<Arc<ChoiceText>>,
}

impl Default for Rules {
    /// The rules of the 9x9 sudoku: 81 cells, 27 units, 324 items, 729 options.
    fn default() -> Rules {
        Rules::of_grid(SUDOKU.name.into(), Grid::nine())
    }
}

impl Rules {
    /// The rules of the sudoku with `side` rows, columns and blocks: 4, 6 (blocks of 2x3), 8 (2x4), 9, 10 (2x5), 12
    /// (3x4), 15 (3x5), 16 or 25.
    ///
    /// ```
    /// use galop::{Rules, grid::GridError};
    ///
    /// assert_eq!(Rules::sudoku(16)?.grid().cells(), 256);
    /// assert!(matches!(Rules::sudoku(11), Err(GridError::Size { side: 11, .. })));
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::Size`] for another side.
    pub fn sudoku(side: usize) -> Result<Rules, GridError> {
        Rules::new(SUDOKU, side, None)
    }

    /// The rules of `kind` for grids of `side` x `side` cells. Only jigsaws need `regions`; other kinds do without
    /// them. Further rules come from a [`Variant`].
    ///
    /// # Errors
    /// [`GridError::Size`] if the kind does not have this size, or the map has another one; [`GridError::NoRegions`] if
    /// it needs a map of regions.
    pub fn new(kind: &'static Kind, side: usize, regions: Option<&Regions>) -> Result<Rules, GridError> {
        let mut variant = Variant::from(kind);
        if let Some(regions) = regions.filter(|_| variant.needs_regions()) {
            variant = variant.with_regions(regions.clone())?;
        }
        variant.rules(side)
    }

    fn of_grid(name: Arc<str>, grid: Grid) -> Rules {
        let alphabet = Alphabet::of_symbols(grid.symbols());
        Rules { name, grid: Arc::new(grid), cover: Arc::default(), alphabet, choices: None }
    }

    /// The rules of any exact cover problem. A puzzle has a byte for each option: 0 open, 1 chosen, 2 forbidden. Its
    /// solutions have a 1 for each of their options. As text it is a list of choices
    /// ([`ChoiceText`]).
    ///
    /// ```
    /// use galop_cover::models;
    /// use galop_engines::Rules;
    ///
    /// let rules = Rules::problem(models::queens(8)?);
    /// assert_eq!((rules.stride(), rules.grid().cells()), (64, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn problem(problem: impl Into<Arc<ExactCover>>) -> Rules {
        Rules {
            name: "problem".into(),
            grid: Arc::new(Grid::new(0, 0, Constraints::default())),
            cover: Arc::default(),
            alphabet: Alphabet::of_symbols(0),
            choices: Some(Arc::new(ChoiceText::new(problem.into()))),
        }
    }

    /// The same rules by another name.
    #[must_use]
    pub fn named(self, name: &str) -> Rules {
        Rules { name: name.into(), ..self }
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

    /// The names of the kinds, and the size unless it is 9x9: `sudoku`, `sudoku 16x16`, `diagonal+anti-knight`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Cells, units, peers and pairs. The grid of a problem has no cells.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Bytes of a puzzle, and of a solution: one a cell of the grid, or one an option of the problem.
    pub fn stride(&self) -> usize {
        match &self.choices {
            // A problem without options has puzzles, too.
            Some(choices) => choices.problem().option_count().max(1),
            None => self.grid.cells(),
        }
    }

    /// The greatest number in a puzzle: the number of symbols; of a problem 2, the mark of a forbidden option.
    pub fn most(&self) -> u8 {
        if self.choices.is_some() { 2 } else { self.grid.symbols() }
    }

    /// What is wrong with the choices of a puzzle; `None` if nothing is, and of grids.
    pub fn clash(&self, puzzle: &[u8]) -> Option<ChoiceFault> {
        let choices = self.choices()?;
        let marks = (0..).map(OptionId).zip(puzzle).filter(|&(_, &mark)| mark > 0);
        let marks = marks.map(|(option, &mark)| (option, mark == 2));
        choices.choose(marks, &mut Assumptions::default()).err().map(|(_, fault)| fault)
    }

    /// How puzzles are written, if the rules are a problem; `None` for grids.
    pub fn choices(&self) -> Option<&Arc<ChoiceText>> {
        self.choices.as_ref()
    }

    /// Items and options. Of a grid, option `cell * symbols + symbol - 1` puts `symbol` into `cell`.
    pub fn cover(&self) -> &ExactCover {
        match &self.choices {
            Some(choices) => choices.problem(),
            None => self.cover.get_or_init(|| cover::of_grid(&self.grid)),
        }
    }

    /// The characters of the symbols.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }
}
