//! Records that are written as they were read, without solving: what `convert` prints.

use std::ops::Range;

use super::FormatEntry;
use crate::grid::Rules;
use crate::input::format::Field;

/// A record that is converted.
#[derive(Clone, Copy)]
pub(crate) struct CopiedRecord<'a> {
    /// The puzzle on one line; of a malformed record its text.
    pub(crate) puzzle: &'a [u8],
    /// The cells of the puzzle; `None` if the record is malformed.
    pub(crate) cells: Option<&'a [u8]>,
    /// The answer beside it, or the status word in its place.
    pub(crate) answer: Option<&'a [u8]>,
    /// The names of its fields.
    pub(crate) names: &'a [String],
    /// All fields, the puzzle and the answer included, in the order of the names.
    pub(crate) fields: &'a Fields,
    /// The added columns. In `names`, which they end, one may have a prefix.
    pub(crate) added_names: &'a [&'static str],
    /// The fields of the added columns, which are the last; none of a malformed record. Formats without columns may
    /// write them, too.
    pub(crate) added: &'a [Field<'a>],
    /// The rules of the puzzle.
    pub(crate) rules: &'a Rules,
}

/// How a format writes records that are not solved.
#[derive(Debug)]
pub(crate) struct Copier {
    /// One line: what a record looks like.
    pub(crate) about: &'static str,
    /// What of a record has a place.
    pub(crate) holds: Holds,
    /// The format of the input whose records stay as they are.
    pub(crate) unchanged: Option<&'static str>,
    /// Appends the first line, which names the fields of all records, if the format has one.
    pub(crate) header: Option<fn(&[String], &mut Vec<u8>)>,
    /// Appends one record.
    pub(crate) print: fn(&CopiedRecord<'_>, &mut Vec<u8>),
}

impl Copier {
    /// Whether fields are strings of Unicode, not bytes: where each record names its fields, it is JSON.
    pub(crate) fn is_unicode(&self) -> bool {
        self.holds == Holds::Fields && self.header.is_none()
    }

    /// Whether fields of added columns have a place: in columns, or behind a line.
    pub(crate) fn has_added(&self) -> bool {
        self.holds >= Holds::Added || self.unchanged == Some("lines")
    }
}

/// What of a record has a place in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Holds {
    /// The puzzle.
    Puzzle,
    /// The puzzle and the answer.
    Answer,
    /// The puzzle, the answer, and the fields of added columns.
    Added,
    /// All fields.
    Fields,
}

/// The fields of a record. Filled again for every record.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    text: Vec<u8>,
    /// The place of each field in the text, and whether it is a literal.
    at: Vec<Option<(bool, Range<usize>)>>,
}

impl Fields {
    /// Empties it, for this many columns.
    pub(crate) fn clear(&mut self, columns: usize) {
        self.text.clear();
        self.at.clear();
        self.at.resize(columns, None);
    }

    /// Sets the field of a column.
    pub(crate) fn set(&mut self, column: usize, field: Field<'_>) {
        let (is_literal, text) = match field {
            Field::Text(text) => (false, text),
            Field::Literal(text) => (true, text),
            Field::Missing => return self.at[column] = None,
        };
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.at[column] = Some((is_literal, start..self.text.len()));
    }

    /// The field of a column.
    pub(crate) fn get(&self, column: usize) -> Field<'_> {
        match &self.at[column] {
            Some((false, at)) => Field::Text(&self.text[at.clone()]),
            Some((true, at)) => Field::Literal(&self.text[at.clone()]),
            None => Field::Missing,
        }
    }

    /// All fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Field<'_>> {
        (0..self.at.len()).map(|column| self.get(column))
    }
}

/// Writes records that were not read but made, in any format that records are converted to.
#[derive(Debug)]
pub struct RecordWriter {
    copier: &'static Copier,
    rules: Rules,
    names: Vec<String>,
    added_names: Vec<&'static str>,
    fields: Fields,
}

impl RecordWriter {
    /// A writer of records of `format`; `None` if no records are converted to it. Formats that keep all fields have the
    /// columns `names`, which begin with the puzzle and the answer. A format with added columns has `added_names`
    /// behind both.
    pub fn new(
        format: &FormatEntry,
        rules: &Rules,
        names: &[&'static str],
        added_names: Vec<&'static str>,
    ) -> Option<RecordWriter> {
        let copier = format.copier?;
        Some(RecordWriter {
            copier,
            rules: rules.clone(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            added_names: if copier.holds == Holds::Added { added_names } else { Vec::new() },
            fields: Fields::default(),
        })
    }

    /// Whether the format has columns behind the puzzle and the answer.
    pub fn has_columns(&self) -> bool {
        self.copier.holds >= Holds::Added
    }

    /// The columns behind puzzle and answer that a [file of arrays](FormatEntry::converted_sink) needs.
    pub fn added_columns(&self) -> impl Iterator<Item = &'static str> {
        self.added_names.iter().copied()
    }

    /// Appends the header, if the format has one.
    pub fn header(&self, out: &mut Vec<u8>) {
        if let Some(print) = self.copier.header {
            print(&self.names, out);
        }
    }

    /// Appends a record: the text of its puzzle, its cells, and the text in the place of the answer; `fields` has a
    /// field for each name, `added` a field for each added name.
    pub fn write(
        &mut self,
        puzzle: &[u8],
        cells: &[u8],
        answer: Option<&[u8]>,
        fields: &[Field<'_>],
        added: &[Field<'_>],
        out: &mut Vec<u8>,
    ) {
        let RecordWriter { copier, rules, names, added_names, fields: all } = self;
        all.clear(names.len());
        for (column, &field) in fields.iter().enumerate().take(names.len()) {
            all.set(column, field);
        }
        let added = added.get(..added_names.len()).unwrap_or_default();
        let cells = Some(cells);
        (copier.print)(
            &CopiedRecord { puzzle, cells, answer, names, fields: all, added_names, added, rules },
            out,
        );
    }
}
