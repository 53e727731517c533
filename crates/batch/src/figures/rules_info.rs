//! The rules of a run's puzzles: their names in reports, and what the drawing of a grid needs.

use serde::{Serialize, Serializer};

use super::numbers::pluralize;
use crate::grid::{Alphabet, Rules};

/// The kind and size of the puzzles, and how they are written.
#[derive(Clone, Debug, Serialize)]
pub struct RulesInfo {
    /// The [name](Rules::name) of the rules: `sudoku 16x16`, `diagonal+anti-knight`.
    pub name: String,
    /// Cells of a row.
    pub side: usize,
    /// The block or region of each cell.
    #[serde(skip)]
    pub parts: Vec<usize>,
    /// How symbols are written; in a report, the name of the alphabet.
    #[serde(rename = "symbols", serialize_with = "by_name")]
    pub alphabet: Alphabet,
    /// Items and options, if the rules are a problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<[usize; 2]>,
}

/// Writes an alphabet as its name: `1-9`, `1-9A-G`.
fn by_name<S: Serializer>(alphabet: &Alphabet, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&alphabet.name())
}

impl RulesInfo {
    /// Describes `rules`.
    pub fn new(rules: &Rules) -> RulesInfo {
        let grid = rules.grid();
        RulesInfo {
            name: rules.name().to_owned(),
            side: grid.side(),
            parts: (0..grid.cells()).map(|cell| grid.part(cell)).collect(),
            alphabet: rules.alphabet().clone(),
            problem: rules.choices().map(|choices| {
                let problem = choices.problem();
                [problem.item_count(), problem.option_count()]
            }),
        }
    }

    /// Whether a drawn grid needs more room than one of 9x9.
    pub fn is_large(&self) -> bool {
        self.side > 12
    }

    /// A number of puzzles and their rules: `10 puzzles of sudoku 16x16`. The rules are left out for the 9x9 sudoku.
    pub fn count_puzzles(&self, puzzles: u64) -> String {
        let puzzles = pluralize(puzzles, "puzzle", "puzzles");
        if (&*self.name, self.side) == ("sudoku", 9) {
            puzzles
        } else {
            format!("{puzzles} of {}", self.name)
        }
    }

    /// Kind, size and symbols: `sudoku 16x16, symbols 1-9A-G`; of a problem its items and options.
    pub fn describe(&self) -> String {
        if let Some([items, options]) = self.problem {
            let (items, options) = (items as u64, options as u64);
            let items = pluralize(items, "item", "items");
            return format!("{}, {items}, {}", self.name, pluralize(options, "option", "options"));
        }
        let size = if self.side == 9 { " 9x9" } else { "" };
        format!("{}{size}, symbols {}", self.name, self.alphabet.name())
    }
}
