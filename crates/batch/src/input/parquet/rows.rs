//! The rows of a table of any schema, a row of fields at a time: lists and groups in a row are written as text.

use std::io;

use parquet::file::reader::FileReader;
use parquet::record::Row;
use parquet::record::reader::{ReaderIter, TreeBuilder};

use super::{RowRange, behind, caught, end_row, value};

/// The rows of a row group that are still to come.
pub(super) struct RowReader {
    rows: ReaderIter,
    /// Rows of the table before the next one.
    before: u64,
}

impl RowReader {
    /// The rows of `part`, which is a whole row group.
    pub(super) fn open(file: &dyn FileReader, part: RowRange) -> io::Result<RowReader> {
        let group = file.get_row_group(part.group).map_err(io::Error::other)?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let rows = caught(|| TreeBuilder::new().as_iter(schema, &*group)).map_err(io::Error::other)?;
        Ok(RowReader { rows, before: part.before })
    }

    /// Appends rows until there are `len` bytes of text; none at the end.
    pub(super) fn fill(&mut self, len: usize, text: &mut Vec<u8>) -> io::Result<()> {
        while text.len() < len
            && let Some(row) = caught(|| self.rows.next().transpose()).transpose()
        {
            let start = text.len();
            let pushed = row
                .map_err(|error| behind(self.before, error))
                .and_then(|row| push_row(&row, text).map_err(|error| behind(self.before, error)));
            if let Err(error) = pushed {
                text.truncate(start);
                return Err(error);
            }
            end_row(start, text);
            self.before += 1;
        }
        Ok(())
    }
}

fn push_row(row: &Row, text: &mut Vec<u8>) -> io::Result<()> {
    for (_, field) in row.get_column_iter() {
        value::push(field, text)?;
        text.push(b',');
    }
    Ok(())
}
