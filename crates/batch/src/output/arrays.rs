//! Files of arrays of numpy: `npy` holds one array, `npz` a zip archive of several.
//!
//! An array begins with the number of its rows, which is known only when the last row was written. So the file gets
//! room for the header first, and the header itself at the end: it must be a regular file and not compressed.

use crate::error::Fact;
use crate::grid::Rules;

impl Fact for NoPlaceForCount {}
impl Fact for NoWidth {}

/// An array cannot be written to this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a numpy array begins with its number of rows, which is known only at the end; \
     a pipe, a device or a compressed file cannot be changed then"
)]
pub struct NoPlaceForCount;

/// A column has values of any length, but all values of an array have one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the column `{column}` has text of any length, which a numpy array cannot hold")]
pub struct NoWidth {
    /// The name of the column.
    pub column: &'static str,
}

/// What the values of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// The cells of a grid: 0 for a blank, 1..=n. Of a problem: 1 for a chosen option, 2 for a forbidden one.
    Grid { cells: usize },
    /// ASCII text of at most this many characters.
    Text { characters: usize },
    /// Numbers of options from 1, 0 behind them.
    Options { most: usize },
    /// A whole number; -1 for none.
    Whole,
    /// A real number; NaN for none.
    Real,
}

/// Characters of the longest word for a status, a tier or a form.
const WORD: usize = 10;

/// Characters of a key.
const KEY: usize = 32;

impl Element {
    /// The puzzles of these rules.
    pub(super) fn of_puzzles(rules: &Rules) -> Element {
        Element::Grid { cells: rules.stride() }
    }

    /// The solutions of these rules.
    pub(super) fn of_solutions(rules: &Rules) -> Element {
        match rules.choices() {
            Some(choices) => Element::Options { most: choices.problem().most_chosen().max(1) },
            None => Element::of_puzzles(rules),
        }
    }

    /// What is in the column of that name. `None` if its values have no width.
    pub(super) fn of(column: &str, cells: usize) -> Option<Element> {
        Some(match column {
            "puzzle" | "solution" | "partial" | "canonical" | "canonical_solution" => Element::Grid { cells },
            "status" | "tier" | "form" => Element::Text { characters: WORD },
            "key" | "solution_key" => Element::Text { characters: KEY },
            "micros" | "mean" | "geometric_mean" | "deviation" | "weight" => Element::Real,
            "source" => return None,
            _ => Element::Whole,
        })
    }

    /// Bytes of a row.
    pub(super) fn width(self) -> usize {
        match self {
            Element::Grid { cells } => cells,
            Element::Text { characters } => 4 * characters,
            Element::Options { most } => 4 * most,
            Element::Whole | Element::Real => 8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::COLUMNS;
    use crate::puzzle::Status;

    #[test]
    fn every_column_has_a_width_but_the_source() {
        let without: Vec<&str> =
            COLUMNS.iter().map(|column| column.name).filter(|name| Element::of(name, 81).is_none()).collect();
        assert_eq!(without, ["source"]);
        assert!(Status::ALL.iter().all(|status| status.word().len() <= WORD) && "differs".len() <= WORD);
    }
}
