//! Columns of records: their names, what they hold, and how a value is appended.
//!
//! A table of columns belongs to each command that adds some: [`COLUMNS`] has the columns of answers, the package
//! `galop-corpora` the columns of canonical forms, ratings and generated puzzles. A format asks for the [`Kind`] of a
//! column.

use super::{Place, push_number, push_puzzle, push_text, push_thousandths};
use crate::error::Fact;
use crate::grid::Rules;
use crate::puzzle::Status;
use galop_cover::Assumptions;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A grid, a character a cell; of a problem its choices.
    Grid,
    /// A whole number.
    Whole,
    /// A real number.
    Real,
    /// ASCII text of at most this many characters, none of which a format must quote.
    Word(usize),
    /// Any text.
    Text,
}

/// Characters of the longest status, level or form.
const WORD: usize = 10;

impl Kind {
    /// A status, a level or the kind of a form.
    pub const STATUS: Kind = Kind::Word(WORD);
    /// A key of 128 bits in hexadecimal digits.
    pub const KEY: Kind = Kind::Word(32);
}

/// The name and the kind of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
}

impl Heading {
    /// The column of puzzles.
    pub(crate) const PUZZLE: Heading = Heading { name: "puzzle", kind: Kind::Grid };
    /// The column of answers.
    pub(crate) const ANSWER: Heading = Heading { name: "solution", kind: Kind::Grid };
}

/// A column that a command adds: a row of a table. `P` is how a value is appended to a record, which is nothing if the
/// record has none; `N` is what the command must know of the column.
#[derive(Clone, Copy, Debug)]
pub struct Column<P, N = ()> {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// One line: what it holds.
    pub about: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// Appends a value as text.
    pub push: P,
    /// What else the command must know.
    pub needs: N,
}

impl<P, N> Column<P, N> {
    /// What a format must know of it.
    pub fn heading(&self) -> Heading {
        Heading { name: self.name, kind: self.kind }
    }
}

/// A table of columns, declared by rows: the name, the [`Kind`], what the command must know, and what it holds; behind
/// the arrow how a value is appended. `$push` makes a [`Column::push`] of it.
#[macro_export]
macro_rules! columns {
    ($push:path; $($name:ident: $kind:expr, $needs:expr, $about:expr => $value:expr;)*) => {
        &[$($crate::output::Column {
            name: stringify!($name),
            about: $about,
            kind: $kind,
            push: $push($value),
            needs: $needs,
        }),*]
    };
}

/// What comes before the name of an added column that the input has already.
pub(super) const PREFIX: &str = "galop_";

/// How many prefixes make the name of an added column a new one.
pub(crate) fn prefixes(name: &str, is_taken: impl Fn(&str) -> bool) -> u32 {
    let (mut name, mut count) = (name.to_owned(), 0);
    while is_taken(&name) {
        name.insert_str(0, PREFIX);
        count += 1;
    }
    count
}

/// Which names of added keys the objects of the input have already: for each added key a bit for its name, then one for
/// the name with one prefix, with two, ... This is for keys that may differ from object to object: no name is built.
/// The name of an added key gets as many prefixes as its entry has trailing ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenKeys(pub(crate) Vec<u32>);

impl TakenKeys {
    /// Marks `key` if it is one of `added` with any number of prefixes.
    pub(crate) fn mark(&mut self, added: &[Heading], key: &[u8]) {
        let (mut name, mut prefixes) = (key, 0);
        loop {
            if let Some(at) = added.iter().position(|added| added.name.as_bytes() == name) {
                self.0.resize(added.len().max(self.0.len()), 0);
                self.0[at] |= 1u32.checked_shl(prefixes).unwrap_or(0);
            }
            let Some(rest) = name.strip_prefix(PREFIX.as_bytes()) else { return };
            (name, prefixes) = (rest, prefixes + 1);
        }
    }

    /// The prefixes of the added key at this index.
    pub(crate) fn prefixes(&self, index: usize) -> u32 {
        self.0.get(index).map_or(0, |taken| taken.trailing_ones())
    }
}

/// A column has values of any length, but all values of an array have one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the column `{column}` has text of any length, which a numpy array cannot hold")]
pub struct NoWidth {
    /// The name of the column.
    pub column: &'static str,
}

impl Fact for NoWidth {}

/// The answer to a puzzle, to be printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered<'a> {
    /// The puzzle as it was read; for a malformed record the whole line.
    pub(crate) puzzle: &'a [u8],
    /// The result.
    pub(crate) status: Status,
    /// The solution as it is printed, a digit a cell, if the status is [`Status::Solved`].
    pub(crate) solution: Option<&'a [u8]>,
    /// The number of the solution, from 1, if all solutions are printed.
    pub(crate) solution_number: Option<u64>,
    /// Solutions found.
    pub(crate) solutions: u64,
    /// Guesses.
    pub(crate) guesses: u64,
    /// Time in nanoseconds, if it was measured.
    pub(crate) nanos: Option<u64>,
    /// Calls of the search and their greatest depth, if the engine counts them.
    pub(crate) calls: Option<(u64, u32)>,
    /// If the engine may be stuck: the cells that it filled, a digit a cell and `.` for a blank; empty if it was not
    /// stuck.
    pub(crate) partial: Option<&'a [u8]>,
    /// The cells of the puzzle: 0 blank, 1..=n.
    pub(crate) cells: &'a [u8],
    /// Guesses before the first solution, if there is one and if they are known.
    pub(crate) guesses_first: Option<u64>,
    /// Whether the input gives an answer that is wrong.
    pub(crate) differs: bool,
    /// Its line in the chunk, from 0.
    pub(crate) line: u64,
    /// Where the chunk comes from.
    pub(crate) place: &'a Place,
    /// The rules of the puzzle, for a format that draws grids or writes their cells.
    pub(crate) rules: &'a Rules,
}

impl Answered<'_> {
    /// The solution, or else the status word.
    pub(crate) fn word(&self) -> &[u8] {
        self.solution.unwrap_or(self.status.word().as_bytes())
    }

    /// The costs of the options of a solution of a problem.
    fn cost(&self) -> Option<u64> {
        let (choices, solution) = (self.rules.choices()?, self.solution?);
        let mut assumptions = Assumptions::default();
        choices.read(solution, &mut assumptions).ok()?;
        Some(assumptions.chosen.iter().map(|&option| choices.problem().cost(option)).sum())
    }
}

/// A column with something of an answer.
pub type AnswerColumn = Column<AnswerPush, Use>;

/// Appends a value of an answer.
#[derive(Clone, Copy, Debug)]
pub struct AnswerPush(pub(super) fn(&Answered<'_>, &mut Vec<u8>));

/// Which formats have a column of answers if none is chosen, and which runs fill it.
#[derive(Clone, Copy, Debug)]
pub struct Use(Usual, Of);

/// A group of formats, by the columns that they have if none is chosen; a column belongs to the groups of some bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usual(u8);

impl Usual {
    pub(super) const NONE: Usual = Usual(0);
    pub(super) const TEXT: Usual = Usual(1);
    pub(super) const ARRAYS: Usual = Usual(2);
    const ALL: Usual = Usual(3);

    fn has(self, other: Usual) -> bool {
        self.0 & other.0 != 0
    }
}

/// Which runs fill a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// All.
    AllRuns,
    /// All; it is the puzzle, which the fields of the input have already.
    Puzzle,
    /// Engines that count their calls.
    Calls,
    /// Engines that may be stuck.
    Stuck,
    /// Runs that print all solutions.
    AllSolutions,
    /// All; the lines must be counted. It is usual if not all records are printed, so that each has its line.
    Lines,
    /// Runs that search for the first solution alone.
    FirstGuesses,
}

fn push_some(number: Option<u64>, out: &mut Vec<u8>) {
    number.into_iter().for_each(|number| push_number(number, out));
}

/// Every column of answers.
pub static COLUMNS: &[AnswerColumn] = columns! { AnswerPush;
    puzzle: Kind::Grid, Use(Usual::ALL, Of::Puzzle), "the puzzle as it was read" =>
        push_puzzle;
    solution: Kind::Grid, Use(Usual::ALL, Of::AllRuns),
        "the solution; empty if the requested solution was not found" =>
        |record, out| record.solution.into_iter().for_each(|solution| push_text(solution, out));
    status: Kind::STATUS, Use(Usual::ALL, Of::AllRuns),
        "solved, none, multiple, limit, stuck, malformed; differs if the input gives another answer, which is wrong" =>
        |record, out| out.extend_from_slice(status_of(record).as_bytes());
    count: Kind::Whole, Use(Usual::TEXT, Of::AllRuns),
        "solutions found, at most as many as the search looks for" =>
        |record, out| push_number(record.solutions, out);
    guesses: Kind::Whole, Use(Usual::ALL, Of::AllRuns), "guesses of the whole search" =>
        |record, out| push_number(record.guesses, out);
    guesses_first: Kind::Whole, Use(Usual::NONE, Of::FirstGuesses),
        "guesses of a search that ends at the first solution; a run that looks for more solutions searches twice" =>
        |record, out| push_some(record.guesses_first, out);
    clues: Kind::Whole, Use(Usual::NONE, Of::AllRuns), "cells of the puzzle that are not blank" =>
        |record, out| {
            if record.status != Status::Malformed {
                push_number(record.cells.iter().filter(|&&cell| cell != 0).count() as u64, out);
            }
        };
    nanos: Kind::Whole, Use(Usual::TEXT, Of::AllRuns),
        "time in nanoseconds; with engines that solve many puzzles at once, its share" =>
        |record, out| push_some(record.nanos, out);
    micros: Kind::Real, Use(Usual::NONE, Of::AllRuns), "the same time in microseconds, with three decimals" =>
        |record, out| record.nanos.into_iter().for_each(|nanos| push_thousandths(nanos, out));
    calls: Kind::Whole, Use(Usual::TEXT, Of::Calls), "calls of the search, if the engine counts them" =>
        |record, out| push_some(record.calls.map(|(calls, _)| calls), out);
    depth: Kind::Whole, Use(Usual::TEXT, Of::Calls), "the greatest depth of the calls" =>
        |record, out| push_some(record.calls.map(|(_, depth)| depth.into()), out);
    partial: Kind::Grid, Use(Usual::TEXT, Of::Stuck),
        "the grid as far as an engine that never guesses filled it" =>
        |record, out| out.extend_from_slice(record.partial.unwrap_or_default());
    solution_number: Kind::Whole, Use(Usual::TEXT, Of::AllSolutions),
        "the number of the solution within its puzzle, from 1; only if all solutions are requested" =>
        |record, out| push_some(record.solution_number, out);
    line: Kind::Whole, Use(Usual::TEXT, Of::Lines), "the line of the input, from 1" =>
        |record, out| push_number(record.place.lines_before + record.line + 1, out);
    cost: Kind::Whole, Use(Usual::NONE, Of::AllRuns), "the cost of the solution, in a problem with costs" =>
        |record, out| push_some(record.cost(), out);
    source: Kind::Text, Use(Usual::NONE, Of::AllRuns), "the name of the input" =>
        |record, out| out.extend_from_slice(record.place.source.as_bytes());
};

/// The column of that name, or `None`.
pub fn column(name: &str) -> Option<&'static AnswerColumn> {
    COLUMNS.iter().find(|column| column.name == name)
}

fn status_of(record: &Answered<'_>) -> &'static str {
    match record.status {
        Status::Solved if record.differs => "differs",
        status => status.word(),
    }
}

/// Fields that only the records of some runs have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extras {
    /// They have [`Answered::calls`].
    pub(crate) calls: bool,
    /// They have [`Answered::partial`].
    pub(crate) partial: bool,
    /// They have [`Answered::solution_number`].
    pub(crate) solution_number: bool,
    /// Not all records are printed, so that each has its line.
    pub(crate) line: bool,
}

/// Some columns of answers, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerColumns {
    pub(crate) columns: Vec<&'static AnswerColumn>,
    pub(crate) headings: Vec<Heading>,
}

impl AnswerColumns {
    fn new(columns: Vec<&'static AnswerColumn>) -> AnswerColumns {
        AnswerColumns { headings: columns.iter().map(|column| column.heading()).collect(), columns }
    }

    fn needs(&self, of: Of) -> bool {
        self.columns.iter().any(|column| column.needs.1 == of)
    }
}

/// The columns of answers that are printed.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Where the fields of the input are not kept.
    pub(crate) alone: AnswerColumns,
    /// Behind the fields of the input.
    pub(crate) behind: AnswerColumns,
}

impl Layout {
    /// The `chosen` columns, or else the `usual` ones of a format and those that only some runs fill.
    pub(crate) fn new(usual: Usual, chosen: Option<&[&'static AnswerColumn]>, extras: Extras) -> Layout {
        let has = |column: &&AnswerColumn| {
            column.needs.0.has(usual)
                && match column.needs.1 {
                    Of::Calls => extras.calls,
                    Of::Stuck => extras.partial,
                    Of::AllSolutions => extras.solution_number,
                    Of::Lines => extras.line,
                    Of::AllRuns | Of::Puzzle | Of::FirstGuesses => true,
                }
        };
        let mut alone: Vec<&AnswerColumn> =
            chosen.map_or_else(|| COLUMNS.iter().filter(has).collect(), <[_]>::to_vec);
        // A column is there only once.
        let mut seen: Vec<&str> = Vec::new();
        alone.retain(|column| {
            let is_new = !seen.contains(&column.name);
            seen.push(column.name);
            is_new
        });
        let is_behind = |column: &&&AnswerColumn| chosen.is_some() || column.needs.1 != Of::Puzzle;
        let behind = alone.iter().filter(is_behind).copied().collect();
        Layout { alone: AnswerColumns::new(alone), behind: AnswerColumns::new(behind) }
    }

    /// Whether a column with the lines of records is printed.
    pub(crate) fn has_lines(&self) -> bool {
        self.alone.needs(Of::Lines)
    }

    /// Whether a column with the guesses of a search for the first solution is printed.
    pub(crate) fn has_first_guesses(&self) -> bool {
        self.alone.needs(Of::FirstGuesses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_column_have_its_width() {
        assert!(Status::ALL.iter().all(|status| status.word().len() <= WORD) && "differs".len() <= WORD);
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        assert!(names.iter().enumerate().all(|(index, name)| !names[..index].contains(name)));
    }
}
