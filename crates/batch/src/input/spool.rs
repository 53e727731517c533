//! Streams that are read twice.

use std::io::Write;
use std::sync::Arc;

use super::error::read_error;
use super::source::{Bytes, Source, SourceKind};
use super::stream::{PeekableStream, Section};
use crate::compressed::is_garbage;
use crate::error::{Error, ErrorKind};

/// Bytes that are copied at a time.
const STEP: usize = 1 << 20;

impl Source {
    /// Copies a stream, unpacked, to a temporary file, which both this source and the one that is returned then read.
    /// The file has no name and goes with them. `None` if this is a file, which can be opened again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] or [`InputError`](super::InputError) of the stream, [`ErrorKind::Write`] of the temporary
    /// file.
    pub fn spooled(&mut self) -> Result<Option<Source>, Error> {
        if self.kind() != SourceKind::Stream {
            return Ok(None);
        }
        let (name, pass_over) = (self.name().to_owned(), self.pass_over);
        let in_file = |error| Error::at(std::env::temp_dir(), ErrorKind::Write(error));
        let mut file = tempfile::tempfile().map_err(in_file)?;
        let Bytes::Stream(stream) = self.bytes() else { return Ok(None) };
        let mut step = Vec::new();
        loop {
            step.clear();
            let read = stream.read(STEP, &mut step);
            file.write_all(&step).map_err(in_file)?;
            match read {
                Ok(STEP) => {}
                Ok(_) => break,
                Err(error) => match pass_over.filter(|_| is_garbage(&error)) {
                    Some(say) => break say(read_error(&name, error)),
                    None => return Err(read_error(&name, error)),
                },
            }
        }
        let file = Arc::new(file);
        let again = || PeekableStream::new(Box::new(Section::new(Arc::clone(&file), 0, u64::MAX)));
        Ok(Some(self.reread(again(), again())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_twice() {
        let text: Vec<u8> = (0..3_000_000_u32).map(|at| b'0' + (at % 10) as u8).collect();
        for len in [0, 5, STEP, text.len()] {
            let mut first = Source::stream("s", std::io::Cursor::new(text[..len].to_vec()));
            assert!(first.bytes().peek(100).starts_with(&text[..len.min(100)]));
            let mut second = first.spooled().unwrap().unwrap();
            assert_eq!(second.name(), first.name());
            assert!(first.read_all().unwrap() == text[..len] && second.read_all().unwrap() == text[..len]);
        }
        let mut file = Source::open("Cargo.toml").unwrap();
        assert!(file.spooled().unwrap().is_none());
    }

    #[test]
    fn an_error_of_the_stream_is_named() {
        struct Failing;
        impl std::io::Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("no luck"))
            }
        }
        let error = Source::stream("s", Failing).spooled().unwrap_err();
        assert_eq!(error.to_string(), "s: cannot read: no luck");
    }
}
