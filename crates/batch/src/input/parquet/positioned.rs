//! A file that threads read at positions of their own.
//!
//! The crate reads a [`File`] by seeking in a duplicate of it, and all duplicates share one position.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::input::stream::Section;

/// Bytes read at a time to find the header of a page.
const HEADER_BYTES: usize = 4096;

/// An open file and its length.
pub(super) struct PositionedFile {
    file: Arc<File>,
    len: u64,
}

impl PositionedFile {
    pub(super) fn new(file: &Arc<File>) -> io::Result<PositionedFile> {
        Ok(PositionedFile { len: file.metadata()?.len(), file: Arc::clone(file) })
    }

    fn section(&self, start: u64, end: u64) -> Section {
        Section::new(Arc::clone(&self.file), start, end.min(self.len))
    }
}

impl Length for PositionedFile {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for PositionedFile {
    type T = BufReader<Section>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(HEADER_BYTES, self.section(start, u64::MAX)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // What the file does not have takes no memory.
        let mut bytes = Vec::with_capacity(length.min(self.len as usize));
        self.section(start, start.saturating_add(length as u64)).read_to_end(&mut bytes)?;
        if bytes.len() < length {
            return Err(ParquetError::EOF("the file ends within a page or its metadata".to_owned()));
        }
        Ok(bytes.into())
    }
}
