//! Why puzzles cannot be generated.

use crate::error::Fact;

impl Fact for GenerateError {}

/// Why a generator has no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No puzzle with that few clues was found.
    #[error(
        "found no puzzle with one solution and {clues} clues in {tries} tries; puzzles with more clues are easier to find"
    )]
    NoPuzzle {
        /// The requested number of clues.
        clues: usize,
        /// Grids tried.
        tries: u64,
    },
    /// No minimal puzzle with a number of clues in the range was found.
    #[error(
        "found no minimal puzzle with {from}..{to} clues in {tries} tries; the minimal puzzles found have {fewest}..{most}"
    )]
    NoMinimal {
        /// The fewest clues requested.
        from: usize,
        /// The most clues requested.
        to: usize,
        /// The fewest clues of the minimal puzzles that were found.
        fewest: usize,
        /// The most clues of these.
        most: usize,
        /// Grids tried.
        tries: u64,
    },
    /// The choices of a problem are not in cells, so they have neither a pattern nor a symmetry.
    #[error("the choices of `{rules}` are not in cells, so they have no pattern and no symmetry of cells")]
    NoCells {
        /// The name of the rules.
        rules: String,
    },
    /// Puzzles of this kind have no weights.
    #[error("only minimal 9x9 sudokus made from the top down have weights")]
    NoWeights,
    /// No puzzle with such a number of guesses was found.
    #[error(
        "found no puzzle with that number of guesses in {tries} tries; those found take {fewest} to {most}"
    )]
    NoGuesses {
        /// The fewest guesses of the puzzles that were found.
        fewest: u64,
        /// The most guesses of these.
        most: u64,
        /// Grids tried.
        tries: u64,
    },
    /// No puzzle of the level was found.
    #[error("found no puzzle of the level {level} in {tries} tries")]
    NoLevel {
        /// The name of the level.
        level: &'static str,
        /// Grids tried.
        tries: u64,
    },
    /// No number of clues in the range can be placed with the symmetry.
    #[error("clues {from}..{to}: no number of clues in this range is symmetric by {symmetry}")]
    Asymmetric {
        /// The fewest clues requested.
        from: usize,
        /// The most clues requested.
        to: usize,
        /// The name of the symmetry.
        symmetry: &'static str,
    },
    /// No puzzle with clues in the given cells was found.
    #[error(
        "found no puzzle with one solution and {clues} clues in the cells of the pattern in {tries} tries"
    )]
    NoPattern {
        /// The clues of the pattern.
        clues: usize,
        /// Grids tried.
        tries: u64,
    },
    /// A pattern of another size.
    #[error("the pattern has {found} characters, where the grid has {cells} cells")]
    PatternCells {
        /// Cells of the pattern.
        found: usize,
        /// Cells of the grid.
        cells: usize,
    },
    /// A pattern with which no puzzle has one solution.
    #[error("the pattern has {clues} clues, where one solution takes at least {fewest}")]
    PatternClues {
        /// The clues of the pattern.
        clues: usize,
        /// The fewest clues possible.
        fewest: usize,
    },
    /// No change of a puzzle leads to the status.
    #[error("puzzle {place}, from 0: found no change after which its status is `{status}`")]
    NoChange {
        /// The place of the puzzle in the run.
        place: u64,
        /// The word for the status.
        status: &'static str,
    },
    /// The rules have no full grid, or it takes too long to find one.
    #[error("found no solution of `{rules}` to begin with; there may be none (regions may allow no grid)")]
    NoGrid {
        /// The name of the rules.
        rules: String,
    },
    /// The run goes beyond the last place.
    #[error("{count} puzzles from number {first} on: the last number is 18446744073709551614")]
    Places {
        /// The first place.
        first: u64,
        /// The puzzles requested.
        count: u64,
    },
    /// The range of clues is empty, or contains numbers with which no one-solution puzzle exists.
    #[error("clues {from}..{to}: the range must lie within {fewest}..{most}, the smaller number first")]
    Clues {
        /// The fewest clues requested.
        from: usize,
        /// The most clues requested.
        to: usize,
        /// The fewest clues possible.
        fewest: usize,
        /// The most clues possible.
        most: usize,
    },
}
