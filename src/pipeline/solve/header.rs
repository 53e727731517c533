//! The first line of the output, and what is kept of the inputs.

use crate::input::format::{Columns, Header};
use crate::output::{FormatEntry, Layout, Row};
use crate::pipeline::{ColumnsDiffer, SourceHead};

/// The header of the output. The first source decides it.
pub(super) struct OutputHeader {
    format: &'static FormatEntry,
    layout: Layout,
    /// Whether it was decided.
    is_known: bool,
    /// Whether it is printed.
    is_printed: bool,
    /// The header of the first source, if it is a table whose columns are kept.
    table: Option<Vec<u8>>,
}

/// What is kept of the records of a source.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    /// Whether the fields beside the puzzle are kept.
    pub(super) fields: bool,
    /// The added keys that the first object has already, a bit each.
    pub(super) taken: u32,
}

impl OutputHeader {
    pub(super) fn new(format: &'static FormatEntry, layout: Layout) -> OutputHeader {
        OutputHeader { format, layout, is_known: false, is_printed: true, table: None }
    }

    /// It will not be printed.
    pub(super) fn leave_out(&mut self) {
        self.is_printed = false;
    }

    /// Whether nothing more will be printed.
    #[cfg(feature = "resume")]
    pub(super) fn is_done(&self) -> bool {
        self.is_known || !self.is_printed
    }

    /// Whether a source has decided it.
    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }

    /// Takes the head of the next source. The first one decides the header of the output, which is appended to `out`.
    /// Returns what is kept of this source.
    pub(super) fn keep(&mut self, head: &SourceHead<'_>, out: &mut Vec<u8>) -> Result<Kept, ColumnsDiffer> {
        let fields = self.format.keeps == Some(head.format.name());
        let header = head.header.filter(|_| fields);
        let names: Vec<&str> = self.layout.names_behind().collect();
        let taken = if fields { head.format.keys_among(head.first_record, &names) } else { 0 };
        if !self.is_known {
            let table = header.as_ref().map(|header| row(header.line, header.columns, 0));
            if self.is_printed {
                (self.format.header)(table.as_ref(), &self.layout, out);
            }
            self.is_known = true;
            self.table = header.map(|header: Header<'_>| header.line.to_vec());
            return Ok(Kept { fields, taken });
        }
        match &self.table {
            // The columns of a later table have no place in the header.
            None => Ok(Kept { fields: fields && header.is_none(), taken }),
            Some(table) if header.is_some_and(|header| header.line == table) => Ok(Kept { fields, taken }),
            Some(_) => Err(ColumnsDiffer),
        }
    }

    /// The header of an output without records; empty if it was written before or is left out.
    pub(super) fn without_sources(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.is_known && self.is_printed {
            (self.format.header)(None, &self.layout, &mut out);
        }
        out
    }
}

/// A row of a table that lacks `missing` of its columns, to be printed with all of them.
pub(super) fn row(text: &[u8], columns: Columns, missing: usize) -> Row<'_> {
    let Columns { delimiter, count, puzzle } = columns;
    Row { text, delimiter, columns: count, puzzle, missing, ..Row::default() }
}
