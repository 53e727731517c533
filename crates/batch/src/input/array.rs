//! The rows of an array of numpy (`.npy`), in chunks.
//!
//! The header says how many rows there are. What is wrong with the end of the file is an error behind the last complete
//! row.

use std::borrow::Cow;
use std::sync::Arc;

use super::chunk::{Chunks, RawChunk};
use super::error::{InputError, NpyFault};
use super::format::npy::{self, SEARCHED_BYTES};
use super::format::{Format, Notation};
use crate::error::Error;

/// The rows of an array that are still to come.
#[derive(Debug)]
pub(super) struct Array {
    pub(super) format: Arc<Format>,
    rows: u64,
    rows_left: u64,
    /// Bytes of a row.
    stride: u64,
    /// Where the next row begins.
    offset: u64,
    /// Bytes behind the rows that were read last.
    unread: u64,
}

impl Array {
    /// Reads the header; `None` if `chunks`, of which nothing was read yet, are no array.
    ///
    /// # Errors
    /// An [`NpyFault`] if the rows are no puzzles in `notation`.
    pub(super) fn start(chunks: &mut Chunks<'_>, notation: &Notation) -> Result<Option<Array>, Error> {
        let name = chunks.name.clone();
        let at = |fault: NpyFault| Error::at(&name, InputError::from(fault));
        let facts = chunks.array.clone();
        let header =
            facts.header(notation.options(), |len| chunks.head(len).iter().copied().take(len).collect());
        let Some(header) = header.map_err(at)? else { return Ok(None) };
        if notation.choices.is_none() && header.cells != notation.cells {
            return Err(at(NpyFault::Cells { found: header.cells, expected: notation.cells }));
        }
        let rows = chunks.head(header.len + SEARCHED_BYTES).get(header.len..).unwrap_or_default();
        let len = (header.rows as usize).saturating_mul(header.stride()).min(SEARCHED_BYTES);
        let rows = &rows[..rows.len().min(len)];
        if notation.choices.is_none() && header.may_have_channels_first(rows) {
            return Err(at(NpyFault::ChannelsFirst(header.cube())));
        }
        let blank = facts.blank.unwrap_or_else(|| header.blank(rows));
        let format = Arc::new(npy::format(&header, notation, blank));
        let rows = Arc::clone(&format);
        chunks.start_behind(header.len, Arc::new(move |bytes, from| rows.record_end(bytes, from)))?;
        Ok(Some(Array {
            format,
            rows: header.rows,
            rows_left: header.rows,
            stride: header.stride() as u64,
            offset: header.len as u64,
            unread: 0,
        }))
    }

    /// The next chunk, and whether it is the first one.
    ///
    /// # Errors
    /// The errors of [`Chunks::next`]; an [`NpyFault`] if the file has fewer bytes than its header says, or more.
    pub(super) fn next<'a>(
        &mut self,
        chunks: &mut Chunks<'a>,
        spare: Vec<u8>,
    ) -> Result<Option<(RawChunk<'a>, bool)>, Error> {
        let chunk = chunks.next(spare)?;
        let found = chunk.as_ref().map_or(0, |chunk| chunk.bytes.len() as u64);
        let count = (found / self.stride).min(self.rows_left);
        if let Some(RawChunk { bytes, position, .. }) = chunk.filter(|_| count > 0) {
            let is_first = self.rows_left == self.rows;
            self.rows_left -= count;
            self.offset += count * self.stride;
            self.unread = found - count * self.stride;
            let len = (count * self.stride) as usize;
            let bytes = match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..len]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(len);
                    Cow::Owned(bytes)
                }
            };
            return Ok(Some((RawChunk { bytes, end: self.offset, position }, is_first)));
        }
        let unread = self.unread + found;
        let Array { rows, rows_left, offset, .. } = *self;
        let fault = match rows_left {
            0 if unread == 0 => return Ok(None),
            0 => NpyFault::Continues { offset, rows },
            _ => NpyFault::Ends { offset: offset + unread, row: rows - rows_left + 1, rows },
        };
        Err(Error::at(&chunks.name, InputError::from(fault)))
    }
}
