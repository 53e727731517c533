//! What the program writes: one record for each record of the input, and the file it goes to.
//!
//! [`FORMATS`] is the table of output formats: one file and one row add one. The first fields of a format never change
//! their meaning.
//!
//! For people, [`framed`] draws grids, and [`display`] the candidates of their cells.

pub(crate) mod columns;
mod csv;
mod display;
mod file;
mod framed;
mod grid;
mod json;
mod npy;
mod npz;
mod pair;
pub(crate) mod record;
mod resumable;
mod sink;
mod solution;
mod whole;

pub use crate::checksum::OutputSum;
pub use columns::{AnswerColumn, AnswerPush, COLUMNS, Column, Heading, Kind, NoWidth, Use, column};
pub(crate) use columns::{Answered, Extras, Layout};
pub use display::display;
pub use file::OutputFile;
pub use framed::framed;
pub use npy::NoPlaceForCount;
pub use record::RecordWriter;
pub use resumable::{Complete, Earlier, ResumableFile, ResumeError, RunFact};
pub use sink::{Completion, End, Outlet, Sink};
pub use whole::Whole;

use std::ffi::OsStr;
use std::path::Path;

use crate::compressed;
use crate::error::{Error, Fact};
use crate::grid::Rules;
use crate::input::format::Notation;
use crate::puzzle::Status;
use columns::Usual;
use record::{Copied, Kept, KeptText, Written};

/// A row of the table of output formats.
#[derive(Clone, Copy, Debug)]
pub struct FormatEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// One line: what a record looks like.
    pub about: &'static str,
    /// Appends the first line, which names the columns, if the format has one: the header of the input as it is, or else
    /// the names of the fields that are kept; behind them the added columns, each with its number of prefixes.
    pub(crate) header: Option<PrintHeader>,
    /// Which columns answers have if none is chosen; [`Usual::NONE`] for formats without columns.
    pub(crate) usual: Usual,
    /// The input format whose records stay as they are, with added fields behind them.
    pub(crate) keeps: Option<&'static str>,
    /// How an answer is written.
    pub(crate) printer: Printer,
    /// The last parts of the names of such files, without the dot, in lowercase.
    pub(crate) endings: &'static [&'static str],
    /// How records are written that are not solved; `None` if they are not.
    pub(crate) converted: Option<Converted>,
    /// Makes a file for records that have these columns, puzzles of these rules.
    open: fn(OutputFile, &[Heading], &Rules) -> Result<Box<dyn Sink>, Error>,
    /// Whether the records are rows of arrays: see [`is_of_arrays`](Self::is_of_arrays).
    is_of_arrays: bool,
    /// Whether it has the cells of grids, so that records of problems have no place in it.
    has_cells: bool,
}

/// A format has no place for records of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the format `{format}` holds cells of grids, and a problem has none (pair, solution, csv, tsv, json and npy hold its choices)"
)]
pub struct NoGrid {
    /// The name of the format.
    pub format: &'static str,
}

impl Fact for NoGrid {}

/// Appends a header: see [`FormatEntry::header`].
pub(crate) type PrintHeader = fn(Option<KeptText<'_>>, &[String], &[(Heading, u32)], &mut Vec<u8>);

/// Appends one record to the output, with its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Printer {
    /// A line of the solution or the status word, behind the text of the puzzle and a [separator](pair_separator) if it
    /// has the puzzle: see [`push_line`]. To make an [`Answered`] takes as long as to print one.
    Line { has_puzzle: bool },
    /// Prints the cells of the solution, if there is one, of a puzzle of these rules.
    Cells(fn(Option<&[u8]>, &Rules, &mut Vec<u8>)),
    /// Draws an answer.
    Drawing(fn(&Answered<'_>, &mut Vec<u8>)),
    /// Prints fields and added columns, of solved records and of others.
    Fields(fn(&Written<'_>, &mut Vec<u8>)),
}

/// How a format writes records that are not solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Converted {
    /// One line: what a record looks like.
    pub(crate) about: &'static str,
    /// What of a record has a place.
    pub(crate) holds: Holds,
    /// Prints a record, in a format without columns.
    pub(crate) print: Option<fn(&Copied<'_>, &mut Vec<u8>)>,
}

/// What of a record has a place in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Holds {
    /// The puzzle.
    Puzzle,
    /// The puzzle and the answer, and behind them the values of added columns, without names.
    Line,
    /// The puzzle, the answer, and added columns.
    Columns,
    /// All fields, and added columns.
    Fields,
}

/// Every output format; the first is the default.
pub static FORMATS: &[FormatEntry] =
    &[pair::ENTRY, solution::ENTRY, csv::ENTRY, csv::TABS, json::ENTRY, grid::ENTRY, npy::ENTRY, npz::ENTRY];

/// The row `pair` of [`FORMATS`].
pub static PAIR: &FormatEntry = &FORMATS[0];
/// The row `solution` of [`FORMATS`].
pub static SOLUTION: &FormatEntry = &FORMATS[1];
/// The row `csv` of [`FORMATS`].
pub static CSV: &FormatEntry = &FORMATS[2];
/// The row `json` of [`FORMATS`].
pub static JSON: &FormatEntry = &FORMATS[4];

impl FormatEntry {
    /// Appends the answer `record` behind what is `kept` of the record that was read, with its line end.
    #[inline]
    pub(crate) fn print(
        &self,
        record: &Answered<'_>,
        kept: Option<Kept<'_>>,
        layout: &Layout,
        out: &mut Vec<u8>,
    ) {
        let rules = record.rules;
        match self.printer {
            Printer::Fields(print) => {
                let added = if kept.is_some() { &layout.behind } else { &layout.alone };
                let push = |index: usize, out: &mut Vec<u8>| (added.columns[index].push.0)(record, out);
                let (kept, headings) = (kept.unwrap_or(Kept::NOTHING), &*added.headings);
                let is_malformed = record.status == Status::Malformed;
                print(&Written { kept, headings, push: &push, is_malformed, rules }, out);
            }
            Printer::Line { has_puzzle } => {
                let mut echo = Vec::new();
                let puzzle = match record.status {
                    Status::Malformed => {
                        push_escaped(record.puzzle, &mut echo);
                        &*echo
                    }
                    _ => record.puzzle,
                };
                push_line(has_puzzle.then_some(puzzle), record.word(), pair_separator(rules), out);
            }
            Printer::Cells(print) => print(solution_cells(record).as_deref(), rules, out),
            Printer::Drawing(print) => print(record, out),
        }
    }

    /// Appends a record that is not solved, behind what is `kept` of it if the format has columns, with its line end.
    #[inline(always)]
    pub(crate) fn print_copied(
        &self,
        kept: Kept<'_>,
        copied: &Copied<'_>,
        headings: &[Heading],
        out: &mut Vec<u8>,
    ) {
        let Copied { push, rules, .. } = *copied;
        match (self.converted.and_then(|converted| converted.print), self.printer) {
            (Some(print), _) => print(copied, out),
            (None, Printer::Fields(print)) => {
                print(&Written { kept, headings, push, is_malformed: copied.cells.is_none(), rules }, out);
            }
            _ => {}
        }
    }

    /// Checks that records of these rules have a place in it.
    ///
    /// # Errors
    /// [`NoGrid`] if the rules are a problem and the format has the cells of grids.
    pub fn check(&self, rules: &Rules) -> Result<(), Error> {
        if self.has_cells && rules.choices().is_some() {
            return Err(NoGrid { format: self.name }.into());
        }
        Ok(())
    }

    /// Whether its records have columns that can be chosen.
    pub fn has_columns(&self) -> bool {
        self.usual != Usual::NONE
    }

    /// The endings of the names of such files, without the dot, in lowercase.
    pub fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    /// Whether the records are rows of arrays. They need a regular file, which [`sink`](Self::sink) makes whole.
    pub fn is_of_arrays(&self) -> bool {
        self.is_of_arrays
    }

    /// The destination of records with these columns (`None`: the usual ones) in `file`.
    ///
    /// # Errors
    /// [`NoPlaceForCount`], [`NoWidth`], [`ErrorKind::Write`](crate::ErrorKind::Write).
    pub fn sink(
        &self,
        file: OutputFile,
        columns: Option<&[&'static AnswerColumn]>,
        rules: &Rules,
    ) -> Result<Box<dyn Sink>, Error> {
        let layout = Layout::new(self.usual, columns, Extras::default());
        self.open(file, &layout.alone.headings, rules)
    }

    /// The destination in `file` of records that are converted: their puzzles, their answers, and the columns `added`
    /// behind them.
    ///
    /// # Errors
    /// As [`sink`](Self::sink).
    pub fn converted_sink(
        &self,
        file: OutputFile,
        added: &[Heading],
        rules: &Rules,
    ) -> Result<Box<dyn Sink>, Error> {
        self.open(file, &[&[Heading::PUZZLE, Heading::ANSWER], added].concat(), rules)
    }

    fn open(&self, file: OutputFile, headings: &[Heading], rules: &Rules) -> Result<Box<dyn Sink>, Error> {
        self.check(rules)?;
        if self.is_of_arrays && !file.can_be_rewritten() {
            return Err(Error::from(NoPlaceForCount).in_file(file.name()));
        }
        (self.open)(file, headings, rules)
    }

    /// What a record looks like that is converted to this format; `None` if none is.
    pub fn about_converted(&self) -> Option<&'static str> {
        self.converted.map(|converted| converted.about)
    }

    /// Whether values of added columns have a place in records that are converted: in columns, or behind a line.
    pub fn has_added_fields(&self) -> bool {
        self.holds(Holds::Line)
    }

    /// Whether records that are converted have named columns behind the puzzle and the answer.
    pub fn has_named_columns(&self) -> bool {
        self.holds(Holds::Columns)
    }

    /// Whether fields are strings of Unicode, not bytes: where each record names its fields, it is JSON.
    pub(crate) fn is_unicode(&self) -> bool {
        self.holds(Holds::Fields) && self.header.is_none()
    }

    /// Whether so much of records that are converted has a place.
    pub(crate) fn holds(&self, what: Holds) -> bool {
        self.converted.is_some_and(|converted| converted.holds >= what)
    }

    /// What most formats of text have.
    const TEXT: FormatEntry = FormatEntry {
        name: "",
        about: "",
        header: None,
        usual: Usual::NONE,
        keeps: None,
        printer: Printer::Drawing(|_, _| ()),
        endings: &[],
        converted: None,
        open: |file, _, _| Ok(Box::new(file)),
        is_of_arrays: false,
        has_cells: false,
    };
}

/// The byte between a puzzle and its answer on a line. (The names of items may have commas.)
pub(crate) fn pair_separator(rules: &Rules) -> u8 {
    if rules.choices().is_some() { b'\t' } else { b',' }
}

/// The format of that name, or `None`.
pub fn format(name: &str) -> Option<&'static FormatEntry> {
    FORMATS.iter().find(|format| format.name == name)
}

/// The format of a file of that name, by its ending: `csv` of `a.csv` and of `a.csv.gz`. `None` if no format has it.
pub fn format_of(path: &Path) -> Option<&'static FormatEntry> {
    let ending = ending_of(path)?;
    FORMATS.iter().find(|format| format.endings.contains(&&*ending))
}

/// The endings of names that choose a format, without the dot.
pub fn endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.endings.iter().copied())
}

/// The ending of the name of an output, in lowercase, without the ending of a compressed file; `None` without an
/// ending.
pub fn ending_of(path: &Path) -> Option<String> {
    let inner = compressed::by_name(path).and_then(|_| path.file_stem()).map(Path::new);
    Some(inner.unwrap_or(path).extension().and_then(OsStr::to_str)?.to_ascii_lowercase())
}

/// Where the records of a chunk come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The name of the source.
    pub(crate) source: String,
    /// Lines of the source before the chunk, if lines are printed.
    pub(crate) lines_before: u64,
}

/// Bytes of a malformed line that are echoed. The echo of a longer one ends in `...`.
pub(crate) const MAX_ECHO_BYTES: usize = 256;

/// Appends the puzzle as it was read. A malformed line may hold any bytes: those that are not printable ASCII, commas
/// and backslashes are written `\xNN`, so that the number of fields stays the same.
#[inline(always)]
fn push_puzzle(record: &Answered<'_>, out: &mut Vec<u8>) {
    match record.status {
        Status::Malformed => push_malformed(record, out),
        _ => push_text(record.puzzle, out),
    }
}

#[cold]
fn push_malformed(record: &Answered<'_>, out: &mut Vec<u8>) {
    push_escaped(record.puzzle, out);
}

/// Appends the beginning of any text in printable bytes.
pub(crate) fn push_escaped(text: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    for &byte in text.iter().take(MAX_ECHO_BYTES) {
        if matches!(byte, b' '..=b'~') && byte != b',' && byte != b'\\' {
            out.push(byte);
        } else {
            out.extend_from_slice(&[b'\\', b'x', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
    if text.len() > MAX_ECHO_BYTES {
        out.extend_from_slice(b"...");
    }
}

/// Appends a line: an answer, behind the text of the puzzle if there is one.
#[inline(always)]
pub(crate) fn push_line(puzzle: Option<&[u8]>, answer: &[u8], separator: u8, out: &mut Vec<u8>) {
    if let Some(puzzle) = puzzle {
        push_text(puzzle, out);
        out.push(separator);
    }
    push_text(answer, out);
    out.push(b'\n');
}

/// Appends `text`. Nearly all texts are the 81 bytes of a grid. The compiler copies that known number with a few moves
/// instead of a call.
#[inline(always)]
fn push_text(text: &[u8], out: &mut Vec<u8>) {
    match <&[u8; 81]>::try_from(text) {
        Ok(text) => out.extend_from_slice(text),
        Err(_) => push_any_text(text, out),
    }
}

/// Appends text of any length. It is not inlined, because the compiler would then make one call of both cases.
#[inline(never)]
fn push_any_text(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(text);
}

/// The cells of the solution.
fn solution_cells(record: &Answered<'_>) -> Option<Vec<u8>> {
    let (solution, rules) = (record.solution?, record.rules);
    if rules.choices().is_some() {
        let mut cells = Vec::new();
        return Notation::from(rules).read_answer(solution, &mut cells).then_some(cells);
    }
    Some(solution.iter().map(|&byte| rules.alphabet().cell(byte).unwrap_or(0)).collect())
}

/// Appends a number in decimal digits.
fn push_number(mut number: u64, out: &mut Vec<u8>) {
    // Nearly all counts, and the guesses of most puzzles.
    if number < 10 {
        out.push(b'0' + number as u8);
        return;
    }
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

/// Appends a number of thousandths as a decimal number.
fn push_thousandths(number: u64, out: &mut Vec<u8>) {
    push_number(number / 1000, out);
    let digit = |unit: u64| b'0' + (number / unit % 10) as u8;
    out.extend_from_slice(&[b'.', digit(100), digit(10), digit(1)]);
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    fn print(name: &str, record: Answered<'_>) -> String {
        let mut out = Vec::new();
        let format = format(name).unwrap();
        let (calls, partial) = (record.calls.is_some(), record.partial.is_some());
        let extras = Extras { calls, partial, ..Extras::default() };
        format.print(&record, None, &Layout::new(format.usual, None, extras), &mut out);
        String::from_utf8(out).unwrap()
    }

    static PLACE: Place = Place { source: String::new(), lines_before: 10 };
    static RULES: LazyLock<Rules> = LazyLock::new(Rules::default);

    static SOLVED: LazyLock<Answered<'static>> = LazyLock::new(|| Answered {
        puzzle: b"1.3",
        status: Status::Solved,
        solution: Some(b"123"),
        solution_number: None,
        solutions: 1,
        guesses: 10,
        nanos: Some(18_446_744_073_709_551_615),
        calls: None,
        partial: None,
        cells: &[1, 0, 3],
        guesses_first: Some(7),
        differs: false,
        line: 4,
        place: &PLACE,
        rules: &RULES,
    });

    #[test]
    fn constants_are_the_rows_of_their_names() {
        let names = [PAIR, SOLUTION, CSV, JSON].map(|format| format.name);
        assert_eq!(names, ["pair", "solution", "csv", "json"]);
    }

    fn json(record: Answered<'_>) -> serde_json::Value {
        let line = print("json", record);
        assert!(line.ends_with("}\n"), "{line}");
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn each_format_prints_a_record_with_and_without_solution() {
        let none = Answered { status: Status::None, solution: None, solutions: 0, nanos: None, ..*SOLVED };
        for (format, solved, unsolved) in [
            ("pair", "1.3,123\n", "1.3,none\n"),
            ("solution", "123\n", "none\n"),
            ("csv", "1.3,123,solved,1,10,18446744073709551615\n", "1.3,,none,0,10,\n"),
        ] {
            assert_eq!([print(format, *SOLVED), print(format, none)], [solved, unsolved]);
        }
        let (solved, none) = (json(*SOLVED), json(none));
        assert_eq!((&solved["solution"], &solved["nanos"]), (&"123".into(), &u64::MAX.into()));
        assert!(none["solution"].is_null() && none["nanos"].is_null());
    }

    #[test]
    fn some_engines_have_more_fields() {
        let extras = Extras { calls: true, partial: true, ..Extras::default() };
        let names =
            Layout::new(Usual::TEXT, None, extras).alone.headings.into_iter().map(|heading| heading.name);
        let all = ["puzzle", "solution", "status", "count", "guesses", "nanos", "calls", "depth", "partial"];
        assert!(names.eq(all));
        let solved = Answered { nanos: None, calls: Some((39, 10)), partial: Some(b""), ..*SOLVED };
        assert_eq!(print("csv", solved), "1.3,123,solved,1,10,,39,10,\n");
        let stuck = Answered { status: Status::Stuck, solution: None, partial: Some(b"1.3"), ..solved };
        assert_eq!(print("csv", stuck), "1.3,,stuck,1,10,,39,10,1.3\n");
        assert_eq!((&json(stuck)["partial"], &json(stuck)["calls"]), (&"1.3".into(), &39.into()));
        assert!(json(solved)["partial"].is_null() && json(solved)["depth"] == 10);
        assert!(json(*SOLVED).get("calls").is_none() && json(*SOLVED).get("partial").is_none());
    }

    #[test]
    fn chosen_columns_are_printed_in_their_order() {
        let names = ["line", "micros", "clues", "guesses_first", "count", "status", "source", "puzzle"];
        let chosen = names.map(|name| column(name).unwrap());
        let print = |format: &FormatEntry, record: Answered<'_>| {
            let mut out = Vec::new();
            format.print(
                &record,
                None,
                &Layout::new(format.usual, Some(&chosen), Extras::default()),
                &mut out,
            );
            String::from_utf8(out).unwrap()
        };
        let place = Place { source: "a,\"b\"".to_owned(), lines_before: 10 };
        let record = Answered { nanos: Some(12_034), differs: true, place: &place, ..*SOLVED };
        assert_eq!(print(&csv::ENTRY, record), "15,12.034,2,7,1,differs,\"a,\"\"b\"\"\",1.3\n");
        let value: serde_json::Value = serde_json::from_str(&print(&json::ENTRY, record)).unwrap();
        assert_eq!((&value["source"], &value["micros"]), (&"a,\"b\"".into(), &12.034.into()));
        let malformed = Answered {
            status: Status::Malformed,
            puzzle: b"x\"",
            nanos: None,
            guesses_first: None,
            ..*SOLVED
        };
        assert_eq!(print(&csv::ENTRY, malformed), "15,,,,1,malformed,,\"x\"\"\"\n");
    }

    /// A line of any bytes stays one line with the same number of fields, and valid JSON.
    #[test]
    fn a_malformed_line_is_echoed_in_printable_bytes() {
        let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
        let record = Answered { puzzle: &bytes, status: Status::Malformed, solution: None, ..*SOLVED };
        let pair = print("pair", record);
        assert!(pair.starts_with("\\x00\\x01") && pair.ends_with("\\xff...,malformed\n"), "{pair}");
        assert_eq!((pair.matches(',').count(), pair.matches('\n').count()), (1, 1));
        let value = json(record);
        assert_eq!(value["status"], "malformed");
        assert!(value["puzzle"].as_str().unwrap().contains("\\x2c"));
        assert_eq!(print("csv", record).matches('\n').count(), 1);
    }
}
