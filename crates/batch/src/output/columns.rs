//! The columns of `csv`, which are also the keys of `json`.
//!
//! [`COLUMNS`] is the table of them: one row adds one. [`Layout`] is the choice and order of those that a run prints.

use super::{Extras, FormatEntry, Record};
use crate::puzzle::Status;
use galop_cover::Assumptions;

/// What comes before the name of an added column that the input has already.
const PREFIX: &str = "galop_";

/// The name of an added column: `name`, with as many prefixes as make it a new one.
pub(crate) fn new_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.insert_str(0, PREFIX);
    }
    name
}

/// Which names of added keys the objects of the input have already: for each added key a bit for its name, then one for
/// the name with one prefix, with two, ... This is for keys that may differ from object to object: no name is built.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenKeys(pub(crate) Vec<u32>);

impl TakenKeys {
    /// Marks `key` if it is one of `added` with any number of prefixes.
    pub(crate) fn mark(&mut self, added: &[&str], key: &[u8]) {
        let (mut name, mut prefixes) = (key, 0);
        loop {
            if let Some(at) = added.iter().position(|added| added.as_bytes() == name) {
                self.0.resize(added.len().max(self.0.len()), 0);
                self.0[at] |= 1u32.checked_shl(prefixes).unwrap_or(0);
            }
            let Some(rest) = name.strip_prefix(PREFIX.as_bytes()) else { return };
            (name, prefixes) = (rest, prefixes + 1);
        }
    }
}

/// Appends the prefixes that make the name of an added key a new one. `taken` is its entry in [`TakenKeys`].
pub(super) fn push_prefixes(taken: u32, out: &mut Vec<u8>) {
    for _ in 0..taken.trailing_ones() {
        out.extend_from_slice(PREFIX.as_bytes());
    }
}

/// A column of the output.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// One line: what it holds.
    pub about: &'static str,
    pub(super) value: for<'a> fn(&Record<'a>) -> Value<'a>,
}

/// What a record has in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// The puzzle, or the echo of a malformed record.
    Puzzle,
    /// Text of characters that no format must quote.
    Word(&'a [u8]),
    /// Any text.
    Text(&'a str),
    /// A number.
    Number(u64),
    /// A number of thousandths.
    Thousandths(u64),
    /// Nothing.
    Missing,
}

impl Value<'_> {
    fn number(number: Option<u64>) -> Value<'static> {
        number.map_or(Value::Missing, Value::Number)
    }

    /// A puzzle or a solution as text, which is plain if it is a character a cell.
    fn of_puzzle<'a>(record: &Record<'a>, text: Option<&'a [u8]>) -> Value<'a> {
        match record.rules.choices() {
            Some(_) => text.and_then(|text| str::from_utf8(text).ok()).map_or(Value::Missing, Value::Text),
            None => Value::word(text),
        }
    }

    fn word(text: Option<&[u8]>) -> Value<'_> {
        text.filter(|text| !text.is_empty()).map_or(Value::Missing, Value::Word)
    }
}

/// The costs of the options of a solution of a problem.
fn cost_of(record: &Record<'_>) -> Option<u64> {
    let (choices, solution) = (record.rules.choices()?, record.solution?);
    let mut assumptions = Assumptions::default();
    choices.read(solution, &mut assumptions).ok()?;
    Some(assumptions.chosen.iter().map(|&option| choices.problem().cost(option)).sum())
}

/// Every column.
pub static COLUMNS: &[Column] = &[
    Column {
        name: "puzzle",
        about: "the puzzle as it was read",
        value: |record| match record.rules.choices() {
            Some(_) if record.status != Status::Malformed => Value::of_puzzle(record, Some(record.puzzle)),
            _ => Value::Puzzle,
        },
    },
    Column {
        name: "solution",
        about: "the solution; empty if the requested solution was not found",
        value: |record| Value::of_puzzle(record, record.solution),
    },
    Column {
        name: "status",
        about: "solved, none, multiple, limit, stuck, malformed; differs if the input gives another answer, which is wrong",
        value: |record| Value::Word(status_of(record).as_bytes()),
    },
    Column {
        name: "count",
        about: "solutions found, at most as many as the search looks for; csv has it under this name",
        value: |record| Value::Number(record.solutions),
    },
    Column {
        name: "solutions",
        about: "the same number as count; json has it under this name",
        value: |record| Value::Number(record.solutions),
    },
    Column {
        name: "guesses",
        about: "guesses of the whole search",
        value: |record| Value::Number(record.guesses),
    },
    Column {
        name: "guesses_first",
        about: "guesses of a search that ends at the first solution; a run that looks for more solutions searches twice",
        value: |record| Value::number(record.guesses_first),
    },
    Column {
        name: "clues",
        about: "cells of the puzzle that are not blank",
        value: |record| match record.status {
            Status::Malformed => Value::Missing,
            _ => Value::Number(record.cells.iter().filter(|&&cell| cell != 0).count() as u64),
        },
    },
    Column {
        name: "nanos",
        about: "time in nanoseconds; with engines that solve many puzzles at once, its share",
        value: |record| Value::number(record.nanos),
    },
    Column {
        name: "micros",
        about: "the same time in microseconds, with three decimals",
        value: |record| record.nanos.map_or(Value::Missing, Value::Thousandths),
    },
    Column {
        name: "calls",
        about: "calls of the search, if the engine counts them",
        value: |record| Value::number(record.calls.map(|(calls, _)| calls)),
    },
    Column {
        name: "depth",
        about: "the greatest depth of the calls",
        value: |record| Value::number(record.calls.map(|(_, depth)| depth.into())),
    },
    Column {
        name: "partial",
        about: "the grid as far as an engine that never guesses filled it",
        value: |record| Value::word(record.partial),
    },
    Column {
        name: "solution_number",
        about: "the number of the solution within its puzzle, from 1; only if all solutions are requested",
        value: |record| Value::number(record.solution_number),
    },
    Column {
        name: "line",
        about: "the line of the input, from 1",
        value: |record| Value::Number(record.place.lines_before + record.line + 1),
    },
    Column {
        name: "cost",
        about: "the cost of the solution, in a problem with costs",
        value: |record| Value::number(cost_of(record)),
    },
    Column {
        name: "source",
        about: "the name of the input",
        value: |record| Value::Text(&record.place.source),
    },
];

/// The column of that name, or `None`.
pub fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.name == name)
}

fn status_of(record: &Record<'_>) -> &'static str {
    match record.status {
        Status::Solved if record.differs => "differs",
        status => status.word(),
    }
}

/// The columns that are printed, in order.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Where the fields of the input are not kept.
    alone: Vec<&'static Column>,
    /// Behind the fields of the input.
    behind: Vec<&'static Column>,
}

impl Layout {
    /// The `chosen` columns, or else the usual ones of `format` and those that only some runs fill.
    pub(crate) fn new(format: &FormatEntry, chosen: Option<&[&'static Column]>, extras: Extras) -> Layout {
        let has = |name: &str| match name {
            "calls" | "depth" => extras.calls,
            "partial" => extras.partial,
            "solution_number" => extras.solution_number,
            "line" => extras.line,
            _ => true,
        };
        let usual =
            || format.columns.iter().filter(|name| has(name)).filter_map(|name| column(name)).collect();
        let mut alone: Vec<&Column> = chosen.map_or_else(usual, <[_]>::to_vec);
        // A name is there only once.
        let mut names = Vec::new();
        alone.retain(|column| {
            !names.contains(&column.name) && {
                names.push(column.name);
                true
            }
        });
        let is_kept = |column: &&&Column| chosen.is_none() && column.name == "puzzle";
        Layout { behind: alone.iter().filter(|column| !is_kept(column)).copied().collect(), alone }
    }

    /// The columns of a record. `is_kept`: behind the fields of the input.
    pub(super) fn columns(&self, is_kept: bool) -> &[&'static Column] {
        if is_kept { &self.behind } else { &self.alone }
    }

    /// The names of the columns behind the fields of the input.
    pub(crate) fn names_behind(&self) -> impl Iterator<Item = &'static str> {
        self.behind.iter().map(|column| column.name)
    }

    /// Whether a column of that name is printed.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.alone.iter().any(|column| column.name == name)
    }
}
