//! Puzzles that were made, in any format of records: columns `puzzle`, `solution` and `clues`, and `change` of those that have
//! not one solution.

use super::FormatEntry;
use super::copied::{Copied, Copier, Fields};
use crate::generate::Negative;
use crate::grid::Rules;
use crate::input::format::Field;

/// The names of the columns.
const NAMES: [&str; 3] = ["puzzle", "solution", "clues"];

/// The column of what was changed.
const CHANGE: &str = "change";

/// Writes puzzles that were made.
#[derive(Debug)]
pub struct MadeWriter {
    copier: &'static Copier,
    rules: Rules,
    names: Vec<String>,
    fields: Fields,
    cells: Vec<u8>,
    /// Whether the solution is written beside the puzzle in a format without columns.
    with_solutions: bool,
    /// The puzzles have not one solution.
    negative: Option<Negative>,
}

impl MadeWriter {
    /// A writer of records of `format`; `None` if such records cannot be made. `with_solutions` is for formats without columns:
    /// those with columns always have solutions.
    pub fn new(format: &FormatEntry, rules: &Rules, with_solutions: bool) -> Option<MadeWriter> {
        let (names, rules) = (NAMES.map(str::to_owned).to_vec(), rules.clone());
        let copier = format.copier?;
        Some(MadeWriter {
            copier,
            rules,
            names,
            fields: Fields::default(),
            cells: Vec::new(),
            with_solutions: with_solutions || format.is_of_arrays(),
            negative: None,
        })
    }

    /// The same for puzzles that have not one solution: a column says what was changed, the solution has no value, and in a format
    /// without columns the status is in its place.
    #[must_use]
    pub fn of_status(mut self, negative: Option<Negative>) -> MadeWriter {
        self.names.extend(negative.map(|_| CHANGE.to_owned()));
        self.negative = negative;
        self
    }

    /// Appends the header, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        if let Some(print) = self.copier.header {
            print(&self.names, out);
        }
    }

    /// Appends a record for each line of `puzzles`, whose solution is the same line of `solutions`. Lines as
    /// [`generate::run`](crate::generate::run()) makes them.
    pub fn write(&mut self, puzzles: &[u8], solutions: &[u8], out: &mut Vec<u8>) {
        let MadeWriter { copier, rules, names, fields, cells, with_solutions, negative } = self;
        let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
        let alphabet = rules.alphabet();
        for (puzzle, solution) in
            lines(puzzles).zip(lines(solutions)).filter(|(puzzle, _)| !puzzle.is_empty())
        {
            cells.clear();
            cells.extend(puzzle.iter().map(|&byte| alphabet.cell(byte).unwrap_or(0)));
            let clues = cells.iter().filter(|&&cell| cell != 0).count().to_string();
            fields.clear(names.len());
            fields.set(0, Field::Text(puzzle));
            let solution = match negative {
                None => {
                    fields.set(1, Field::Text(solution));
                    solution
                }
                Some(negative) => {
                    fields.set(NAMES.len(), Field::Text(solution));
                    negative.status().word().as_bytes()
                }
            };
            fields.set(2, Field::Literal(clues.as_bytes()));
            let answer = Some(solution).filter(|_| *with_solutions);
            let cells = Some(&**cells);
            (copier.print)(&Copied { puzzle, cells, answer, names, fields, added: &[], rules }, out);
        }
    }
}
