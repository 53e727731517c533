//! Writes generated puzzles in any format of records. The columns are `puzzle`, `solution` and `clues`; for puzzles
//! without a unique solution also `change`; then the chosen [`MADE_COLUMNS`].

use std::io::Write;

use crate::generate::{Details, MadePage, Negative};
use crate::grid::Rules;
use crate::input::Notation;
use crate::output::{Column, FormatEntry, Heading, Kind, RecordWriter};
use crate::symmetry::push_key;

/// A column that can be chosen.
pub type MadeColumn = Column<MadePush, Details>;

/// Appends the value of a puzzle of a page.
#[derive(Clone, Copy, Debug)]
pub struct MadePush(fn(&MadePage, usize, &mut Vec<u8>));

/// Details of puzzles: their guesses, their keys, their weights.
const GUESSES: Details = Details { guesses: true, keys: false, weights: false };
const KEYS: Details = Details { keys: true, ..NOTHING };
const WEIGHTS: Details = Details { weights: true, ..NOTHING };
const NOTHING: Details = Details { guesses: false, ..GUESSES };

/// Every column that can be chosen.
pub static MADE_COLUMNS: &[MadeColumn] = galop_batch::columns! { MadePush;
    guesses: Kind::Whole, GUESSES, "guesses of the fastest engine, as in `galop rate --by guesses`" =>
        |page, index, out| push_number(page.guesses.get(index).copied(), out);
    key: Kind::KEY, KEYS, "a key of 128 bits that only equivalent puzzles have in common, as in `galop canon`" =>
        |page, index, out| page.keys.get(index).into_iter().for_each(|&key| push_key(key, out));
    weight: Kind::Real, WEIGHTS, "how much a minimal puzzle counts in an exact sample of all of them: see --unbiased" =>
        |page, index, out| {
            // Vectors of bytes take all that is written.
            let _ = page.weights.get(index).map(|weight| write!(out, "{weight:.6e}"));
        };
};

fn push_number(number: Option<u64>, out: &mut Vec<u8>) {
    let _ = number.map(|number| write!(out, "{number}"));
}

/// The column of what was changed in a grid, or removed from it. It has room for all cells.
fn change(rules: &Rules, negative: Negative) -> Heading {
    let digits = if rules.grid().side() < 10 { 1 } else { 2 };
    let kind = match negative {
        _ if rules.choices().is_some() => Kind::Text,
        // r3c5=7 was 2
        Negative::NoSolution => Kind::Word("rc= was ".len() + 4 * digits),
        // r3c5 r8c1 removed
        Negative::Several => Kind::Word(rules.grid().cells() * ("rc ".len() + 2 * digits) + "removed".len()),
    };
    Heading { name: "change", kind }
}

/// Writes puzzles that were made.
#[derive(Debug)]
pub struct MadeWriter {
    records: RecordWriter,
    notation: Notation,
    /// Whether the solution is written beside the puzzle.
    with_solutions: bool,
    /// Whether the format has named columns.
    has_columns: bool,
    /// What the puzzles lack if they have not exactly one solution.
    negative: Option<Negative>,
    /// The chosen columns.
    columns: Vec<&'static MadeColumn>,
    cells: Vec<u8>,
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
        let clues = Heading { name: "clues", kind: Kind::Whole };
        let change = negative.map(|negative| change(rules, negative));
        let chosen = columns.iter().map(|column| column.heading());
        let records =
            RecordWriter::new(format, rules, [clues].into_iter().chain(change).chain(chosen).collect())?;
        let has_columns = format.has_named_columns();
        if !columns.is_empty() && !has_columns {
            return None;
        }
        let (notation, with_solutions) = (rules.into(), with_solutions || has_columns);
        Some(MadeWriter {
            records,
            notation,
            with_solutions,
            has_columns,
            negative,
            columns,
            cells: Vec::new(),
        })
    }

    /// The columns behind puzzle and solution that the file needs.
    pub fn added(&self) -> &[Heading] {
        self.records.added()
    }

    /// Appends the header, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        self.records.header(out);
    }

    /// Appends a record for each puzzle of a page, as [`generate::run_described`](crate::generate::run_described())
    /// makes them. The page has the details that the columns need.
    pub fn write(&mut self, page: &MadePage, out: &mut Vec<u8>) {
        let MadeWriter { records, notation, with_solutions, has_columns, negative, columns, cells } = self;
        let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n');
        let pairs = lines(&page.puzzles).zip(lines(&page.solutions));
        for (index, (puzzle, solution)) in
            pairs.filter(|(puzzle, _): &(&[u8], &[u8])| !puzzle.is_empty()).enumerate()
        {
            // (The generator wrote the line.)
            notation.read_answer(puzzle, cells);
            let clues = cells.iter().filter(|&&cell| cell != 0).count() as u64;
            let answer = match negative {
                None => Some(solution),
                Some(_) if *has_columns => None,
                Some(negative) => Some(negative.status().word().as_bytes()),
            };
            let first = 1 + usize::from(negative.is_some());
            let push = |column: usize, out: &mut Vec<u8>| match column {
                0 => push_number(Some(clues), out),
                1 if first == 2 => out.extend_from_slice(solution),
                _ => (columns[column - first].push.0)(page, index, out),
            };
            records.write((puzzle, cells), answer.filter(|_| *with_solutions), &push, out);
        }
    }
}
