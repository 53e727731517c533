//! The kind of puzzles to make, and how far a puzzle is from it.

use std::ops::RangeInclusive;

use super::{Filter, GenerateError, PLAIN_PART, pattern};
use crate::chance::Chance;
use crate::grid::Rules;

/// The kind of puzzles to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Minimal puzzles: without any one of the clues there is a second solution.
    Minimal,
    /// Puzzles with a number of clues drawn from this range, which includes both ends. Each number is equally likely.
    ///
    /// A 9x9 sudoku takes a millisecond or less down to 22 clues, about 20 ms for 20, and a second or two for 19. For
    /// fewer clues the run may end with [`GenerateError::NoPuzzle`] after minutes.
    Clues(RangeInclusive<usize>),
    /// Minimal puzzles whose number of clues is in this range, which includes both ends.
    ///
    /// Each number is as frequent as it is among the minimal puzzles made from the top down. Almost all of these have
    /// 21 to 28 clues. Outside of it clues are exchanged, and the run may end with [`GenerateError::NoMinimal`].
    MinimalClues(RangeInclusive<usize>),
    /// Puzzles with clues in exactly the cells that are true: [`read_pattern`](super::read_pattern) reads a pattern
    /// from text.
    ///
    /// Grids are drawn until the clues in these cells leave one solution. The fewer clues, the more grids: 1,000,000
    /// grids of 9x9 may be drawn, fewer of larger ones. Then the run ends with [`GenerateError::NoPattern`].
    Pattern(Vec<bool>),
}

impl Wish {
    /// Clues at which thinning ends; 0 if it ends with a minimal puzzle.
    pub(super) fn target(&self, chance: &mut Chance) -> usize {
        match self {
            Wish::Minimal | Wish::MinimalClues(_) => 0,
            Wish::Pattern(pattern) => pattern::count(pattern),
            Wish::Clues(range) => {
                range.start() + chance.below((range.end() - range.start()) as u32 + 1) as usize
            }
        }
    }

    /// By how many clues a puzzle misses the wish.
    pub(super) fn distance(&self, clues: usize, target: usize) -> usize {
        match self {
            Wish::Minimal => 0,
            Wish::Clues(_) | Wish::Pattern(_) => clues.abs_diff(target),
            Wish::MinimalClues(range) => {
                range.start().saturating_sub(clues).max(clues.saturating_sub(*range.end()))
            }
        }
    }

    /// Whether the clues of grid `tries` of a puzzle, from 1, may be exchanged.
    pub(super) fn exchanges(&self, tries: u64, max_tries: u64) -> bool {
        match self {
            Wish::Minimal | Wish::Pattern(_) => false,
            Wish::Clues(_) => true,
            Wish::MinimalClues(_) => tries > max_tries / PLAIN_PART,
        }
    }

    /// The error if no puzzle of `filter` is found. `found` says which puzzles were found meanwhile.
    pub(super) fn no_puzzle(
        &self,
        filter: &Filter,
        target: usize,
        found: &Misses,
        tries: u64,
    ) -> GenerateError {
        if let Some(level) = filter.level {
            return GenerateError::NoLevel { level: level.name(), tries };
        }
        if let Some((fewest, most)) = found.guesses {
            return GenerateError::NoGuesses { fewest, most, tries };
        }
        match self {
            Wish::MinimalClues(range) => {
                let (&from, &to, &Misses { fewest, most, .. }) = (range.start(), range.end(), found);
                GenerateError::NoMinimal { from, to, fewest, most, tries }
            }
            Wish::Pattern(_) => GenerateError::NoPattern { clues: target, tries },
            _ => GenerateError::NoPuzzle { clues: target, tries },
        }
    }

    /// Numbers of clues to which almost every grid of `rules` can be thinned quickly: 28 to 36 for 9x9 sudokus.
    ///
    /// For other rules they begin a few clues above the number of top-down minimal puzzles. That is 27 % of the cells
    /// of a 4x4 sudoku, 33 % of 12x12, 37 % of 16x16, 44 % of 25x25, and 3 to 14 % more for a Latin square. Nothing is
    /// known of problems: their puzzles are minimal.
    pub fn usual(rules: &Rules) -> Wish {
        if rules.choices().is_some() {
            return Wish::Minimal;
        }
        let (cells, side) = (rules.grid().cells(), usize::from(rules.grid().symbols()));
        let are_lines_all = rules.grid().units().len() == 2 * side;
        let percent = 32 + 7 * side / 10 + if are_lines_all { 10 } else { 0 };
        let is_nine = cells == 81 && !are_lines_all;
        Wish::Clues(if is_nine { 28..=36 } else { cells * percent / 100..=cells * (percent + 10) / 100 })
    }
}

/// What the puzzles have that were found but missed the wish.
#[derive(Clone, Copy)]
pub(super) struct Misses {
    pub(super) fewest: usize,
    pub(super) most: usize,
    /// The fewest and the most guesses, of those that were rated.
    pub(super) guesses: Option<(u64, u64)>,
}

impl Misses {
    pub(super) const NONE: Misses = Misses { fewest: usize::MAX, most: 0, guesses: None };

    pub(super) fn add(&mut self, clues: usize) {
        *self = Misses { fewest: self.fewest.min(clues), most: self.most.max(clues), ..*self };
    }

    pub(super) fn add_guesses(&mut self, guesses: u64) {
        let (fewest, most) = self.guesses.unwrap_or((guesses, guesses));
        self.guesses = Some((fewest.min(guesses), most.max(guesses)));
    }
}

/// How far a puzzle is from the wish: in clues, and if these are right by the filter. The least is the nearest.
pub(super) type Distance = (usize, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Level;

    #[test]
    fn a_level_that_is_not_found_is_named() {
        let of = |filter: &Filter| Wish::Minimal.no_puzzle(filter, 0, &Misses::NONE, 7).to_string();
        let level = Some(Level::VeryHard);
        assert_eq!(
            of(&Filter { level, ..Filter::default() }),
            "found no puzzle of the level very hard in 7 tries"
        );
        assert!(!of(&Filter::default()).contains("level"));
    }
}
