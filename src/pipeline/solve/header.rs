//! The first line of the output, and whether the columns of the inputs are kept.

use crate::input::format::{Columns, Header};
use crate::output::{Extras, FormatEntry, Row};
use crate::pipeline::ColumnsDiffer;

/// The header of the output. The first source decides it.
pub(super) struct OutputHeader {
    format: &'static FormatEntry,
    extras: Extras,
    is_written: bool,
    /// The header of the first source, if it is a table whose columns are kept.
    table: Option<Vec<u8>>,
}

impl OutputHeader {
    pub(super) fn new(format: &'static FormatEntry, extras: Extras) -> OutputHeader {
        OutputHeader { format, extras, is_written: false, table: None }
    }

    /// Takes the header of the next source, if it is a table. The first one decides the header of the output, which is
    /// appended to `out`. Returns whether the columns of this source are kept.
    pub(super) fn keep(
        &mut self,
        header: Option<Header<'_>>,
        out: &mut Vec<u8>,
    ) -> Result<bool, ColumnsDiffer> {
        let header = header.filter(|_| self.format.keeps_columns);
        if !self.is_written {
            let table = header.as_ref().map(|header| row(header.line, header.columns, 0));
            (self.format.header)(table.as_ref(), self.extras, out);
            self.is_written = true;
            self.table = header.map(|header| header.line.to_vec());
            return Ok(self.table.is_some());
        }
        match &self.table {
            None => Ok(false),
            Some(table) if header.is_some_and(|header| header.line == table) => Ok(true),
            Some(_) => Err(ColumnsDiffer),
        }
    }

    /// The header of an output without records; empty if it was written before.
    pub(super) fn without_sources(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.is_written {
            (self.format.header)(None, self.extras, &mut out);
        }
        out
    }
}

/// A line of a table that lacks `missing` of its columns, to be printed with all of them.
pub(super) fn row(text: &[u8], columns: Columns, missing: usize) -> Row<'_> {
    Row { text, delimiter: columns.delimiter, columns: columns.count, puzzle: columns.puzzle, missing }
}
