//! Writes generated puzzles in any format of records. The columns are `puzzle`, `solution` and `clues`; for puzzles
//! without a unique solution also `change`; then the chosen [`MADE_COLUMNS`].

use std::io::Write;

use crate::columns::{Value, Values, push_number};
use crate::generate::{Details, MadePage, Negative};
use crate::grid::Rules;
use crate::input::{Field, Notation};
use crate::output::{FormatEntry, RecordWriter};
use crate::symmetry::push_key;

/// The names of the columns that are always there.
const NAMES: [&str; 3] = ["puzzle", "solution", "clues"];

/// The place of the number of clues among them.
const CLUES: usize = 2;

/// The column of what was changed.
const CHANGE: &str = "change";

/// A column that can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct MadeColumn {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// One line: what it holds.
    pub about: &'static str,
    /// The details of puzzles that it needs.
    pub needs: Details,
    /// Appends the value of puzzle `i` of a page as text.
    push: fn(&MadePage, usize, &mut Vec<u8>) -> Value,
}

/// Details of puzzles: their ratings, their keys, their weights.
const RATINGS: Details = Details { ratings: true, keys: false, weights: false };
const KEYS: Details = Details { keys: true, ..NOTHING };
const WEIGHTS: Details = Details { weights: true, ..NOTHING };
const NOTHING: Details = Details { ratings: false, ..RATINGS };

/// Every column that can be chosen.
pub static MADE_COLUMNS: &[MadeColumn] = &[
    MadeColumn {
        name: "tier",
        about: "singles, no-guess or guesses, as in `galop rate`",
        needs: RATINGS,
        push: |page, index, out| {
            let rating = page.ratings.get(index);
            out.extend_from_slice(rating.map_or("", |rating| rating.tier.name()).as_bytes());
            Value::Text
        },
    },
    MadeColumn {
        name: "blanks",
        about: "cells that singles leave blank",
        needs: RATINGS,
        push: |page, index, out| push_number(page.ratings.get(index).map(|rating| rating.blanks.into()), out),
    },
    MadeColumn {
        name: "guesses",
        about: "guesses of the fastest engine, as in `galop rate`",
        needs: RATINGS,
        push: |page, index, out| push_number(page.ratings.get(index).map(|rating| rating.guesses), out),
    },
    MadeColumn {
        name: "key",
        about: "a key of 128 bits that only equivalent puzzles have in common, as in `galop canon`",
        needs: KEYS,
        push: |page, index, out| {
            page.keys.get(index).into_iter().for_each(|&key| push_key(key, out));
            Value::Text
        },
    },
    MadeColumn {
        name: "weight",
        about: "how much a minimal puzzle counts in an exact sample of all of them: see --unbiased",
        needs: WEIGHTS,
        push: |page, index, out| {
            let Some(weight) = page.weights.get(index) else { return Value::Missing };
            let _ = write!(out, "{weight:.6e}");
            Value::Number
        },
    },
];

/// Writes puzzles that were made.
#[derive(Debug)]
pub struct MadeWriter {
    records: RecordWriter,
    notation: Notation,
    /// Whether the solution is written beside the puzzle in a format without columns.
    with_solutions: bool,
    /// What the puzzles lack if they have not exactly one solution.
    negative: Option<Negative>,
    /// The chosen columns.
    columns: Vec<&'static MadeColumn>,
    cells: Vec<u8>,
    values: Values,
}

impl MadeWriter {
    /// A writer of records of `format`, with `columns` behind the others; `None` if such records cannot be made, or if
    /// the format has no place for the columns. `with_solutions` is for formats without columns: those with columns
    /// always have solutions. Puzzles that are `negative` have a column that says what was changed, and the status word
    /// in the place of the solution.
    pub fn new(
        format: &FormatEntry,
        rules: &Rules,
        with_solutions: bool,
        negative: Option<Negative>,
        columns: Vec<&'static MadeColumn>,
    ) -> Option<MadeWriter> {
        let change = negative.map(|_| CHANGE);
        let chosen = || columns.iter().map(|column| column.name);
        let names: Vec<&'static str> = NAMES.into_iter().chain(change).chain(chosen()).collect();
        // The change of a puzzle has no place among the added columns: it has any length.
        let added = [NAMES[CLUES]].into_iter().chain(chosen()).collect();
        let records = RecordWriter::new(format, rules, &names, added)?;
        if !columns.is_empty() && !records.has_columns() {
            return None;
        }
        Some(MadeWriter {
            records,
            notation: rules.into(),
            with_solutions: with_solutions || format.is_of_arrays(),
            negative,
            columns,
            cells: Vec::new(),
            values: Values::default(),
        })
    }

    /// The columns behind puzzle and solution that a file of arrays needs.
    pub fn added_columns(&self) -> impl Iterator<Item = &'static str> {
        self.records.added_columns()
    }

    /// Appends the header, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        self.records.header(out);
    }

    /// Appends a record for each puzzle of a page, as [`generate::run_described`](crate::generate::run_described())
    /// makes them. The page has the details that the columns need.
    pub fn write(&mut self, page: &MadePage, out: &mut Vec<u8>) {
        let MadeWriter { records, notation, with_solutions, negative, columns, cells, values } = self;
        let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
        let pairs = lines(&page.puzzles).zip(lines(&page.solutions));
        for (index, (puzzle, solution)) in
            pairs.filter(|(puzzle, _): &(&[u8], &[u8])| !puzzle.is_empty()).enumerate()
        {
            // (The generator wrote the line.)
            notation.read_answer(puzzle, cells);
            let clues = cells.iter().filter(|&&cell| cell != 0).count().to_string();
            let clues = Field::Literal(clues.as_bytes());
            let mut fields = vec![Field::Text(puzzle)];
            let answer = match negative {
                None => {
                    fields.extend([Field::Text(solution), clues]);
                    solution
                }
                Some(negative) => {
                    fields.extend([Field::Missing, clues, Field::Text(solution)]);
                    negative.status().word().as_bytes()
                }
            };
            values.clear();
            columns.iter().for_each(|column| values.push(|text| (column.push)(page, index, text)));
            let mut added = vec![clues];
            added.extend(values.iter());
            fields.extend(&added[1..]);
            let answer = Some(answer).filter(|_| *with_solutions);
            records.write(puzzle, cells, answer, &fields, &added, out);
        }
    }
}
