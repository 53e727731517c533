//! The formats of puzzle files, and the table of them.
//!
//! The first lines of a source show its format: [`recognise`] is the only function that decides it. `FORMATS` lists
//! the formats in the order in which they are tried.
//! One file and one row add one. (The formats found in the wild are collected in the tests of formats and grids.)

mod choices;
mod columns;
mod csv;
mod every;
mod fields;
mod fit;
mod frame;
pub(super) mod grids;
mod json;
mod labels;
mod lines;
#[doc(hidden)] // For reports and comparisons, which are in `galop`.
pub(crate) mod npy;
pub(super) mod npz;
mod open;
pub(super) mod pasted;
mod row;
pub(super) mod spaced;

use std::ops::{Deref, Range};

use memchr::{memchr_iter, memrchr};

use columns::ColumnPlaces;
pub(crate) use columns::status_of;

use super::line::{first_line, is_record, is_separator, line_and_column, line_at, line_end};
use super::records::{MissingCells, Records};
use crate::input::error::{InputError, LineError};

pub(crate) use super::notation::Notation;
pub use columns::{ColumnChoice, TakenColumns};
pub(crate) use every::EveryColumn;
pub use every::Field;
pub(crate) use fit::Fit;

pub(crate) use fields::{field_end, push_in_quotes};
pub(super) use frame::is_drawn;

/// A row of the table of formats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatEntry {
    /// Its name in reports.
    pub(crate) name: &'static str,
    /// Returns the reader if the source has this format.
    recognise: fn(&Head<'_>) -> Option<Format>,
}

/// What is known of a source before its format is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    /// The first line that is neither blank nor a comment.
    first_line: &'a [u8],
    /// The whole lines at the start of the source, from that line on.
    text: &'a [u8],
    /// The same with the lines of spaces before it, which may be rows of a grid without clues.
    drawn: &'a [u8],
    /// Whether `text` reaches to the end of the source. Its last line may then lack its end.
    is_all: bool,
    notation: &'a Notation,
    choice: &'a ColumnChoice,
}

/// Bytes of a source that are searched for its format and its columns, from its first line that is neither blank nor a
/// comment. That line is searched whole, whatever its length. (To split 64 KiB into fields takes 3 million instructions.)
pub(crate) const FIRST_BYTES: usize = 8192;

/// Bytes of a source that are read to see how well a format fits.
pub(crate) const HEAD_BYTES: usize = 65_536;

/// Every format, in the order in which they are tried. The last one accepts everything.
pub(crate) static FORMATS: &[FormatEntry] =
    &[json::ENTRY, csv::ENTRY, choices::ENTRY, grids::ENTRY, lines::ENTRY];

/// The names of the formats of text, as outcomes have them.
pub fn text_formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|entry| entry.name)
}

/// The head of a source that begins with `text`: its whole lines in `bytes` from the first record on. `None` without a
/// record.
fn head_of<'a>(
    text: &'a [u8],
    bytes: usize,
    notation: &'a Notation,
    choice: &'a ColumnChoice,
) -> Option<Head<'a>> {
    let first_line = first_line(text)?;
    let end = match text.len() - first_line.start <= bytes {
        true => text.len(),
        false => memrchr(b'\n', &text[first_line.start..][..bytes])
            .map_or(first_line.start, |at| first_line.start + at + 1),
    };
    Some(Head {
        first_line: &text[first_line.clone()],
        text: &text[first_line.start..end],
        drawn: &text[..end],
        is_all: end == text.len(),
        notation,
        choice,
    })
}

/// The formats in which the first lines of a source may be, in the order of the table.
fn candidates<'a>(head: &'a Head<'_>) -> impl Iterator<Item = Format> + 'a {
    FORMATS.iter().filter_map(|entry| (entry.recognise)(head))
}

/// The format of a source without records.
pub(crate) fn plain(notation: &Notation) -> Format {
    match notation.choices {
        Some(_) => choices::format(notation),
        None => lines::format(notation.clone()),
    }
}

/// The first format in which the first lines of `text` may be. (How well it fits says little before the number of cells
/// is known, which may be given as the notation: 81 means nine by nine digits.)
pub(crate) fn recognise_first(text: &[u8], notation: impl Into<Notation>, choice: &ColumnChoice) -> Format {
    let notation = notation.into();
    let head = head_of(text, FIRST_BYTES, &notation, choice);
    head.and_then(|head| candidates(&head).next()).unwrap_or_else(|| plain(&notation))
}

/// Whether `text` may begin with grids over several lines in this notation.
pub(crate) fn may_be_grids(text: &[u8], notation: &Notation) -> bool {
    let choice = ColumnChoice::default();
    head_of(text, FIRST_BYTES, notation, &choice)
        .is_some_and(|head| (grids::ENTRY.recognise)(&head).is_some())
}

/// The format of a source that begins with `text`, and how well it fits. Bytes more than [`HEAD_BYTES`] behind the start
/// of the first record are not looked at.
///
/// Of the formats in which the first lines may be, the first one counts that is certain ([`Format::is_certain`]) or fits
/// ([`Fit::is_good`]). If no format does, the one counts that reads most puzzles.
pub(crate) fn recognise(text: &[u8], notation: impl Into<Notation>, choice: &ColumnChoice) -> (Format, Fit) {
    let notation = notation.into();
    let heads =
        head_of(text, FIRST_BYTES, &notation, choice).zip(head_of(text, HEAD_BYTES, &notation, choice));
    let Some((first, head)) = heads else { return (plain(&notation), Fit::default()) };
    let mut best = None::<(Format, Fit)>;
    for format in candidates(&first) {
        if format.is_certain {
            return (format, Fit::default());
        }
        let fit = Fit::of(&format, &head);
        if fit.is_good() {
            return (format, fit);
        }
        if best.as_ref().is_none_or(|(_, other)| fit.puzzles > other.puzzles) {
            best = Some((format, fit));
        }
    }
    best.unwrap_or_else(|| (plain(&notation), Fit::default()))
}

/// The same without columns that a user chose.
#[cfg(test)]
pub(crate) fn recognised(text: &[u8], notation: impl Into<Notation>) -> Format {
    recognise(text, notation, &ColumnChoice::default()).0
}

/// The columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The byte between them.
    pub(crate) delimiter: u8,
    /// How many there are.
    pub(crate) count: usize,
    /// The column of the puzzle, from 0.
    pub(crate) puzzle: usize,
}

/// The line that names the columns of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    /// The line, without its end; made up if the table lacks it.
    pub(crate) line: &'a [u8],
    /// The columns it names.
    pub(crate) columns: Columns,
}

/// What comes behind the puzzle in a regular line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Regular {
    /// The line end, or one of these bytes and then anything.
    Ends(&'static [u8]),
    /// The other fields of a row of a table: exactly the fields of the header, without quotes. They may come before
    /// the puzzle, too.
    Fields(Columns),
}

/// The format of a source: what is known of all of its records, and how each is read.
pub(crate) struct Format {
    /// Its name in the table.
    pub(crate) name: &'static str,
    /// How puzzles are written.
    pub(crate) notation: Notation,
    /// The columns of a table. The first line that is neither blank nor a comment then names them and is not a record,
    /// unless there is a `made_header`.
    pub(crate) columns: Option<Columns>,
    /// The line that names the columns of a table whose source lacks it.
    pub(crate) made_header: Option<Vec<u8>>,
    /// The names of the columns of a table, or the keys of objects, that are read.
    pub(crate) taken: Option<TakenColumns>,
    /// All columns of a table, or the keys of the first objects.
    pub(crate) every: Option<EveryColumn>,
    /// Whether no other format is asked for, because the columns of a table or the keys of objects are known.
    pub(crate) is_certain: bool,
    /// Bytes before the first record or the header, from the first line on that is neither blank nor a comment.
    pub(crate) before_records: usize,
    /// Whether records may share a line.
    pub(crate) shares_lines: bool,
    /// What is wrong with the source. Its records are then not read.
    pub(crate) fault: Option<InputError>,
    /// The names of arrays in an archive that are neither read nor columns.
    pub(crate) left_out: Vec<String>,
    /// Whether records have a field of their own for answers, which were given with the puzzles.
    pub(crate) has_answers: bool,
    /// Whether lines have a field of eliminations, which are not used.
    pub(crate) has_eliminations: bool,
    /// Whether a record may have several lines.
    pub(crate) has_many_lines: bool,
    /// `Some` if most lines are regular: they begin with the puzzle. Regular lines are read without
    /// [`row`](FieldPlaces::row), which must find the same in them.
    pub(crate) regular: Option<Regular>,
    records: Box<dyn RecordFormat>,
}

impl Format {
    /// A source without columns, whose records have a line each and are read by `records`.
    pub(crate) fn new(
        name: &'static str,
        notation: &Notation,
        records: impl RecordFormat + 'static,
    ) -> Format {
        Format {
            name,
            notation: notation.clone(),
            columns: None,
            made_header: None,
            taken: None,
            every: None,
            is_certain: false,
            before_records: 0,
            shares_lines: false,
            fault: None,
            left_out: Vec::new(),
            has_answers: false,
            has_eliminations: false,
            has_many_lines: false,
            regular: None,
            records: Box::new(records),
        }
    }

    /// The same with these columns or keys, of which `places` are read.
    fn with_columns(self, names: &[String], places: ColumnPlaces) -> Format {
        let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
        let name = |column: usize| names.get(column).cloned().unwrap_or_default();
        let taken = TakenColumns { puzzle: name(places.puzzle), answer: places.answer.map(name) };
        let answer = places.answer.filter(|&answer| answer != places.puzzle);
        let every = EveryColumn { names, puzzle: places.puzzle, answer };
        let has_answers = places.answer.is_some();
        Format { taken: Some(taken), every: Some(every), has_answers, ..self }
    }

    /// Whether a record may have [`MAX_RECORD_BYTES`] instead of [`MAX_LINE_BYTES`].
    pub(crate) fn has_long_records(&self) -> bool {
        self.taken.is_some() || self.shares_lines
    }

    /// Whether the first line that is neither blank nor a comment names the columns.
    pub(crate) fn has_header(&self) -> bool {
        self.columns.is_some() && self.made_header.is_none()
    }

    /// Where the puzzle is in `line`: see [`FieldPlaces::row`].
    ///
    /// # Errors
    /// A [`LineError`] with the first wrong column.
    pub(crate) fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        Ok(self.row(line, puzzles)?.0)
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Format").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Deref for Format {
    type Target = dyn RecordFormat;

    fn deref(&self) -> &Self::Target {
        &*self.records
    }
}

/// How the records of a source are read: where they are, where the fields of a record are, and how cells are written in
/// a field.
pub(crate) trait RecordFormat: RecordPlaces + FieldPlaces + CellText + Send + Sync {}

impl<T: RecordPlaces + FieldPlaces + CellText + Send + Sync> RecordFormat for T {}

/// Where the records of a source are.
pub(crate) trait RecordPlaces {
    /// Counts the lines of `bytes`, which are whole records except for the last one; a last line without its end is not
    /// counted. An array has rows instead of lines.
    fn lines(&self, bytes: &[u8]) -> u64 {
        memchr_iter(b'\n', bytes).count() as u64
    }

    /// Where line `index` of `bytes` begins, from 0; their end if they have fewer lines.
    fn line_start(&self, bytes: &[u8], index: u64) -> usize {
        let Some(before) = index.checked_sub(1) else { return 0 };
        memchr_iter(b'\n', bytes).nth(before as usize).map_or(bytes.len(), |line_end| line_end + 1)
    }

    /// The record, or what may be one, that begins at byte `start`: its place without the line end, and the start of
    /// the next one.
    fn record_at(&self, bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
        line_at(bytes, start)
    }

    /// Whether `line` is a record. In a table only the lines behind the header are asked about.
    fn is_record(&self, line: &[u8]) -> bool {
        is_record(line)
    }

    /// The place of byte `at` of a record: its line, from 0, and its column there, from 1.
    fn place_in(&self, record: &[u8], at: usize) -> (u64, u32) {
        line_and_column(record, at)
    }

    /// Where a chunk may end: the offset behind the first line end at or after `from` at which no record is open.
    /// `bytes` begin where a record may begin. `None` if the bytes hold no such end.
    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        line_end(bytes, from)
    }

    /// Reads all records of `chunk` if they are not read one by one, each as [`record_at`](Self::record_at) finds it.
    ///
    /// # Errors
    /// [`MissingCells`] if a record lacks its cells.
    fn read_all(&self, _chunk: &[u8], _records: &mut Records) -> Option<Result<(), MissingCells>> {
        None
    }
}

/// Where the fields of a record are. A `line` has no line end, and is a record.
pub(crate) trait FieldPlaces {
    /// Where the puzzle is in `line`, and how many fields of the header of a table `line` lacks. The cells of the
    /// puzzle (0 blank, 1..=n) are appended to `puzzles`.
    ///
    /// # Errors
    /// A [`LineError`] with the first wrong column; `puzzles` is then unchanged.
    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError>;

    /// Where the field for the answer is in `line`, if there is one; if it is empty, the field of a status word in its
    /// place. `puzzle` is the place of the puzzle. ([`AnswerField`](crate::input::answer::AnswerField) says whether it
    /// holds an answer.)
    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>>;

    /// The bytes behind the puzzle to the end of `line`, if they are the field of [`solution`](Self::solution) whenever
    /// they are one field.
    fn rest<'a>(&self, _line: &'a [u8], _puzzle: &Range<usize>) -> Option<&'a [u8]> {
        None
    }

    /// Calls `found` with each field of `line`, a record that was read, and its column, from 0; `None` for a key that
    /// the first objects lack.
    fn for_each_field(&self, _line: &[u8], _found: &mut dyn FnMut(Option<usize>, Field<'_>)) {}

    /// Calls `found` with each key of the object `line`; other formats have no keys.
    fn for_each_key(&self, _line: &[u8], _found: &mut dyn FnMut(&[u8])) {}

    /// Calls `found` with the place and the cells of each grid in `line` behind the one at `puzzle`.
    fn for_each_later_grid(
        &self,
        _line: &[u8],
        _puzzle: &Range<usize>,
        _found: &mut dyn FnMut(usize, &[u8]),
    ) {
    }

    /// Calls `found` with each field of `line` that may be a puzzle or a solution. (The notation does not matter.)
    fn for_each_grid(&self, line: &[u8], found: &mut dyn FnMut(&[u8])) {
        line.split(|&byte| is_separator(byte) || byte == b'"')
            .filter(|field| !field.is_empty())
            .for_each(found);
    }
}

/// How cells are written in a field, the text of a puzzle or a solution. Most formats write a character a cell.
pub(crate) trait CellText {
    /// The characters of the grid in `field`: `field` itself, or what is written to `buffer` if the field holds them in
    /// another form.
    fn characters<'b>(&self, field: &'b [u8], _buffer: &'b mut Vec<u8>) -> &'b [u8] {
        field
    }

    /// The byte of `field`, a grid, that cell `index` begins with, from 0.
    fn offset_of_cell(&self, _field: &[u8], index: usize) -> usize {
        index
    }

    /// The first wrong number of `field`, an answer, and its column there, if the field holds numbers.
    fn wrong_number(&self, _field: &[u8]) -> Option<LineError> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::reader::Reader;
    use crate::input::source::Source;

    /// Puzzles on one line, and two rows of a grid. `last` begins so that its ninth byte is byte `FIRST_BYTES - 1`.
    fn two_rows_and(last: &str) -> String {
        let rows = ".".repeat(9) + "\n" + &".".repeat(9) + "\n";
        let before = FIRST_BYTES - 1 - rows.len() - 9;
        let line = |len: usize| format!("{} {}\n", ".".repeat(81), "x".repeat(len - 83));
        let text = line(before / 40).repeat(39) + &line(before / 40 + before % 40) + &rows + last;
        assert_eq!(text.len() - last.len(), FIRST_BYTES - 1 - 9);
        text
    }

    #[test]
    fn a_line_that_is_cut_at_the_end_of_the_head_does_not_show_the_format() {
        let found = |text: &str| recognised(text.as_bytes(), 81).name;
        let row = ".".repeat(9);
        let cut = two_rows_and(&format!("{row}  is no row\n")) + &".".repeat(1000);
        assert_eq!(found(&cut), "lines");
        let mut source = Source::stream("s", std::io::Cursor::new(cut.into_bytes()));
        let mut reader = Reader::new(&mut source, 64, 81);
        assert_eq!(reader.next(Vec::new()).unwrap().unwrap().format.name, "lines");

        let whole = two_rows_and(&format!("{row}\n")) + &".".repeat(1000);
        assert_eq!(found(&whole), "grids");
        let all = two_rows_and(&format!("{row} "));
        assert_eq!((all.len(), found(&all)), (FIRST_BYTES, "grids"));
    }
}
