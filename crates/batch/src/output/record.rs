//! A record to write: the fields that are kept of the input, and the values of added columns.

use std::ops::Range;

use super::FormatEntry;
use super::columns::{Heading, TakenKeys};
use crate::grid::Rules;
use crate::input::format::Field;

/// What is kept of a record that was read, beside its puzzle.
#[derive(Clone, Copy)]
pub(crate) struct Kept<'a> {
    /// The text of the record, if it has the format of the output and is kept as it is.
    pub(crate) text: Option<KeptText<'a>>,
    /// The fields that are kept, if they are not in the text.
    pub(crate) fields: &'a Fields,
    /// Their names.
    pub(crate) names: &'a [String],
    /// The names of added keys that are there already.
    pub(crate) taken: &'a TakenKeys,
}

/// A row of a table, or an object.
#[derive(Clone, Copy)]
pub(crate) struct KeptText<'a> {
    pub(crate) text: &'a [u8],
    /// The byte between its columns, which may be another one in the output.
    pub(crate) delimiter: u8,
    /// How many of the last columns it lacks.
    pub(crate) missing: usize,
}

static NO_FIELDS: Fields = Fields { text: Vec::new(), at: Vec::new() };
static NO_KEYS: TakenKeys = TakenKeys(Vec::new());

impl Kept<'_> {
    /// Nothing is kept.
    pub(crate) const NOTHING: Kept<'static> =
        Kept { text: None, fields: &NO_FIELDS, names: &[], taken: &NO_KEYS };
}

/// A record to write, in any format with columns.
pub(crate) struct Written<'a> {
    /// What is kept of the record that was read.
    pub(crate) kept: Kept<'a>,
    /// The columns behind it.
    pub(crate) headings: &'a [Heading],
    /// Appends the value in one of these columns, or nothing if there is none.
    pub(crate) push: &'a dyn Fn(usize, &mut Vec<u8>),
    /// Whether the puzzle is the echo of a record that is none.
    pub(crate) is_malformed: bool,
    /// The rules of the puzzle.
    pub(crate) rules: &'a Rules,
}

/// A record that is not solved, in a format without columns.
pub(crate) struct Copied<'a> {
    /// The puzzle on one line; of a malformed record its text.
    pub(crate) puzzle: &'a [u8],
    /// The cells of the puzzle; `None` if the record is malformed.
    pub(crate) cells: Option<&'a [u8]>,
    /// The answer beside it, or the status word in its place.
    pub(crate) answer: Option<&'a [u8]>,
    /// How many values are added.
    pub(crate) added: usize,
    /// Appends one of these values, or nothing if there is none.
    pub(crate) push: &'a dyn Fn(usize, &mut Vec<u8>),
    /// The rules of the puzzle.
    pub(crate) rules: &'a Rules,
}

/// Added values of a record that has none.
pub(crate) fn push_nothing(_: usize, _: &mut Vec<u8>) {}

/// The fields of a record. Filled again for every record.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    text: Vec<u8>,
    /// The place of each field in the text, and how it is written.
    at: Vec<(Form, Range<usize>)>,
}

/// How a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Missing,
    /// Any text.
    Text,
    /// A number, or another value of JSON that is no text, as it is written.
    Literal,
    /// The echo of a malformed record, which a table always quotes.
    Echo,
}

impl Fields {
    /// Empties it, for this many columns.
    pub(crate) fn clear(&mut self, columns: usize) {
        self.text.clear();
        self.at.clear();
        self.at.resize(columns, (Form::Missing, 0..0));
    }

    /// Sets the field of a column.
    pub(crate) fn set(&mut self, column: usize, form: Form, text: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.at[column] = (form, start..self.text.len());
    }

    /// Sets the field of a column as it was read.
    pub(crate) fn set_field(&mut self, column: usize, field: Field<'_>) {
        match field {
            Field::Text(text) => self.set(column, Form::Text, text),
            Field::Literal(text) => self.set(column, Form::Literal, text),
            Field::Missing => self.at[column] = (Form::Missing, 0..0),
        }
    }

    /// How the field of a column is written.
    pub(crate) fn form(&self, column: usize) -> Form {
        self.at[column].0
    }

    /// All fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Form, &[u8])> {
        self.at.iter().map(|(form, at)| (*form, &self.text[at.clone()]))
    }
}

/// Writes records that were not read but made, in any format that records are converted to.
#[derive(Debug)]
pub struct RecordWriter {
    format: FormatEntry,
    rules: Rules,
    names: [String; 2],
    added: Vec<Heading>,
    fields: Fields,
}

impl RecordWriter {
    /// A writer of records of `format` with the columns `added` behind the puzzle and the answer, if the format has
    /// columns. `None` if no records are converted to it.
    pub fn new(format: &FormatEntry, rules: &Rules, added: Vec<Heading>) -> Option<RecordWriter> {
        format.converted?;
        let names = [Heading::PUZZLE, Heading::ANSWER].map(|heading| heading.name.to_owned());
        let added = if format.has_named_columns() { added } else { Vec::new() };
        Some(RecordWriter { format: *format, rules: rules.clone(), names, added, fields: Fields::default() })
    }

    /// The columns behind puzzle and answer, for [`FormatEntry::converted_sink`].
    pub fn added(&self) -> &[Heading] {
        &self.added
    }

    /// Appends the header, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        let added: Vec<_> = self.added.iter().map(|&heading| (heading, 0)).collect();
        self.format.header.into_iter().for_each(|print| print(None, &self.names, &added, out));
    }

    /// Appends a record: the text of its puzzle, its cells, and the text in the place of the answer; `push` appends the
    /// value in one of the added columns.
    pub fn write(
        &mut self,
        (puzzle, cells): (&[u8], &[u8]),
        answer: Option<&[u8]>,
        push: &dyn Fn(usize, &mut Vec<u8>),
        out: &mut Vec<u8>,
    ) {
        let RecordWriter { format, rules, names, added, fields } = self;
        fields.clear(names.len());
        fields.set(0, Form::Text, puzzle);
        answer.into_iter().for_each(|answer| fields.set(1, Form::Text, answer));
        let kept = Kept { fields, names, ..Kept::NOTHING };
        let copied = Copied { puzzle, cells: Some(cells), answer, added: added.len(), push, rules };
        format.print_copied(kept, &copied, added, out);
    }
}
