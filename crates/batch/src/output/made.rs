//! Puzzles that were made, in any format of records: columns `puzzle`, `solution` and `clues`, `change` of those that have
//! not one solution, and those of [`MADE_COLUMNS`] that are chosen.

use std::io::Write;

use super::FormatEntry;
use super::copied::{Copied, Copier, Fields, Holds};
use crate::generate::{Details, MadePage, Negative};
use crate::grid::Rules;
use crate::input::format::Field;
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
    push: fn(&MadePage, usize, &mut Vec<u8>),
    is_number: bool,
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
        about: "singles, no-guess or guesses, as of `galop rate`",
        needs: RATINGS,
        push: |page, index, out| {
            let rating = page.ratings.get(index);
            out.extend_from_slice(rating.map_or("", |rating| rating.tier.name()).as_bytes());
        },
        is_number: false,
    },
    MadeColumn {
        name: "blanks",
        about: "cells that singles leave blank",
        needs: RATINGS,
        push: |page, index, out| {
            push_number(page.ratings.get(index).map(|rating| rating.blanks.into()), out);
        },
        is_number: true,
    },
    MadeColumn {
        name: "guesses",
        about: "guesses of the fastest engine, as of `galop rate`",
        needs: RATINGS,
        push: |page, index, out| push_number(page.ratings.get(index).map(|rating| rating.guesses), out),
        is_number: true,
    },
    MadeColumn {
        name: "key",
        about: "a key of 128 bits that only equivalent puzzles have in common, as of `galop canon`",
        needs: KEYS,
        push: |page, index, out| page.keys.get(index).into_iter().for_each(|&key| push_key(key, out)),
        is_number: false,
    },
    MadeColumn {
        name: "weight",
        about: "how much a minimal puzzle counts in an exact sample of all of them: see --unbiased",
        needs: WEIGHTS,
        push: |page, index, out| {
            if let Some(weight) = page.weights.get(index) {
                let _ = write!(out, "{weight:.6e}");
            }
        },
        is_number: true,
    },
];

/// The column of that name, or `None`.
pub fn made_column(name: &str) -> Option<&'static MadeColumn> {
    MADE_COLUMNS.iter().find(|column| column.name == name)
}

fn push_number(number: Option<u64>, out: &mut Vec<u8>) {
    if let Some(number) = number {
        // Vectors of bytes take all that is written.
        let _ = write!(out, "{number}");
    }
}

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
    /// The chosen columns.
    columns: Vec<&'static MadeColumn>,
    /// Of a format that has a place for added columns only: those behind puzzle and solution.
    added: Vec<&'static str>,
    value: Vec<u8>,
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
            columns: Vec::new(),
            added: if copier.holds == Holds::Added { vec![NAMES[CLUES]] } else { Vec::new() },
            value: Vec::new(),
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

    /// The same with these columns behind the others. `None` if the format has no place for them.
    #[must_use]
    pub fn with_columns(mut self, columns: Vec<&'static MadeColumn>) -> Option<MadeWriter> {
        if !columns.is_empty() && self.copier.holds < Holds::Added {
            return None;
        }
        if self.copier.holds == Holds::Added {
            self.added.extend(columns.iter().map(|column| column.name));
        }
        self.names.extend(columns.iter().map(|column| column.name.to_owned()));
        self.columns = columns;
        Some(self)
    }

    /// The columns behind puzzle and solution that a file of arrays needs.
    pub fn added_columns(&self) -> impl Iterator<Item = &'static str> {
        self.added.iter().copied()
    }

    /// Appends the header, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        if let Some(print) = self.copier.header {
            print(&self.names, out);
        }
    }

    /// Appends a record for each puzzle of a page, as [`generate::run_described`](crate::generate::run_described()) makes them. The
    /// page has the details that the columns need.
    pub fn write(&mut self, page: &MadePage, out: &mut Vec<u8>) {
        let MadeWriter {
            copier,
            rules,
            names,
            fields,
            cells,
            with_solutions,
            negative,
            columns,
            added: added_names,
            value,
        } = self;
        let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
        let alphabet = rules.alphabet();
        let records = lines(&page.puzzles).zip(lines(&page.solutions));
        for (index, (puzzle, solution)) in
            records.filter(|(puzzle, _): &(&[u8], &[u8])| !puzzle.is_empty()).enumerate()
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
            fields.set(CLUES, Field::Literal(clues.as_bytes()));
            let first = names.len() - columns.len();
            for (place, column) in columns.iter().enumerate() {
                value.clear();
                (column.push)(page, index, value);
                let field = if column.is_number { Field::Literal(value) } else { Field::Text(value) };
                fields.set(first + place, field);
            }
            let answer = Some(solution).filter(|_| *with_solutions);
            let cells = Some(&**cells);
            // The change of a puzzle has no place there: it has any length.
            let places = [CLUES].into_iter().chain(first..names.len()).take(added_names.len());
            let added: Vec<Field<'_>> = places.map(|place| fields.get(place)).collect();
            let added = &*added;
            (copier.print)(&Copied { puzzle, cells, answer, names, fields, added_names, added, rules }, out);
        }
    }
}
