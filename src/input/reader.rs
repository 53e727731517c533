//! Chunks of a source together with the shape of its records, which the first ones tell.
//!
//! Chunks of comments and blank lines may come before the first record: until then the shape is that of one
//! puzzle a line, in which those have no record either. Where records reach over several lines, the chunk with the
//! first one is cut again, to end where a record does; all later ones follow.

use std::sync::Arc;

use super::chunk::{Chunk, Chunks};
use super::format::{self, HEAD_BYTES, Header, Shape, Spelling};
use super::source::Source;
use crate::error::Error;

/// The chunks of a source whose shape is found on the way.
pub struct Reader<'a> {
    chunks: Chunks<'a>,
    spelling: Spelling,
    shape: Arc<dyn Shape>,
    /// The name of the shape, once it is known.
    name: Option<&'static str>,
}

/// A chunk, and how its records are read.
pub struct Piece<'a> {
    /// Whole records.
    pub chunk: Chunk<'a>,
    /// Whether the first record of the source, or the header of its table, is here.
    pub is_first: bool,
    /// Reads them.
    pub shape: Arc<dyn Shape>,
}

impl<'a> Reader<'a> {
    /// The chunks of `source`, cut every `size` bytes. How its puzzles are written may be given as a number of
    /// cells: 81 are nine by nine digits.
    pub fn new(source: &'a mut Source, size: usize, spelling: impl Into<Spelling>) -> Reader<'a> {
        let spelling = spelling.into();
        let shape = format::recognise(b"", spelling.clone()).1.into();
        Reader { chunks: Chunks::new(source, size), spelling, shape, name: None }
    }

    /// The next chunk, or `None` at the end. `spare` is a buffer to use again if one is needed.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read) if the source cannot be read.
    pub fn next(&mut self, spare: Vec<u8>) -> Result<Option<Piece<'a>>, Error> {
        let Some(mut chunk) = self.chunks.next(spare)? else { return Ok(None) };
        let mut is_first = false;
        if self.name.is_none()
            && let Some(line) = format::first_line(&chunk.bytes)
        {
            is_first = true;
            // One byte more than is looked at shows that there are more.
            let head = self.chunks.ahead(&chunk, line.start, (HEAD_BYTES + 1).max(line.len() + 2))?;
            let (name, shape) = format::recognise(&head, self.spelling.clone());
            drop(head);
            if let Some(record_end) = shape.record_end() {
                chunk = self.chunks.extend(chunk, record_end)?;
            }
            (self.name, self.shape) = (Some(name), shape.into());
        }
        Ok(Some(Piece { chunk, is_first, shape: Arc::clone(&self.shape) }))
    }

    /// The name of the shape, a word of [`FORMATS`](format::FORMATS), once the first record was read.
    pub fn shape(&self) -> Option<&'static str> {
        self.name
    }
}

impl Piece<'_> {
    /// The line that names the columns of a table, if this is where it stands.
    pub fn header(&self) -> Option<Header<'_>> {
        let columns = self.shape.columns().filter(|_| self.is_first)?;
        let line = format::first_line(&self.chunk.bytes)?;
        Some(Header { line: &self.chunk.bytes[line], columns })
    }
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("chunks", &self.chunks)
            .field("shape", &self.name)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Piece")
            .field("chunk", &self.chunk)
            .field("is_first", &self.is_first)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::format::Records;

    /// Comments that fill chunks, then a table, then a grid over several lines: each is read from its first record.
    #[test]
    fn the_first_record_tells_however_late_it_comes() {
        let comments = "# nothing yet\n".repeat(50);
        let row = "4.....8.5\n.3.......\n...7.....\n";
        let texts = [
            (format!("{comments}id,puzzle\n1,{}\n", ".".repeat(81)), "csv", 1),
            (format!("{comments}{}\n\n", row.repeat(3)).repeat(2), "grids", 2),
            (format!("{comments}{}\n", ".".repeat(81)), "lines", 1),
            (comments.clone(), "", 0),
        ];
        for (text, name, count) in texts {
            let mut source = Source::stream("s", std::io::Cursor::new(text.clone().into_bytes()));
            let mut reader = Reader::new(&mut source, 64, 81);
            let (mut records, mut found, mut firsts, mut headers) = (Records::default(), 0, 0, 0);
            while let Some(piece) = reader.next(Vec::new()).unwrap() {
                records.read(piece.shape.as_ref(), &piece.chunk.bytes, piece.is_first);
                found += records.iter().filter(|record| record.puzzle.is_ok()).count();
                firsts += usize::from(piece.is_first);
                headers += usize::from(piece.header().is_some_and(|header| header.line == b"id,puzzle"));
            }
            assert_eq!((reader.shape().unwrap_or_default(), found), (name, count), "{text}");
            assert_eq!((firsts, headers), (usize::from(count > 0), usize::from(name == "csv")));
        }
    }
}
