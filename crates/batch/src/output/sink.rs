//! The interface of everything that a run writes its records to.

use super::{Complete, OutputFile, Whole};
use crate::checksum::OutputSum;
use crate::error::{Error, ErrorKind};
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;
use std::time::Duration;

/// Where a run writes: bytes, and checkpoints if a later run can go on writing there.
pub trait Outlet: Write {
    /// Whether it is time for a checkpoint. Never for a destination that a later run cannot go on writing.
    fn is_due(&self) -> bool {
        false
    }

    /// Makes a checkpoint: a later run may go on behind what was written so far, where the run had this state, one line
    /// of text. A destination that a later run cannot go on writing needs no state.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if this checkpoint, or an earlier one, could not be written.
    fn keep(&mut self, _state: &str) -> Result<(), Error> {
        Ok(())
    }

    /// The path of a file.
    fn name(&self) -> Option<&Path> {
        None
    }

    /// Writes `bytes`. An error names the file.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|error| {
            let error = Error::from(ErrorKind::Write(error));
            if let Some(path) = self.name() { error.in_file(path) } else { error }
        })
    }
}

impl Outlet for Vec<u8> {}
impl Outlet for File {}
impl Outlet for Stdout {}
impl Outlet for io::Sink {}
impl<W: Write> Outlet for BufWriter<W> {}

impl Outlet for OutputFile {
    fn name(&self) -> Option<&Path> {
        Some(OutputFile::name(self))
    }
}

impl<W: Outlet + ?Sized> Outlet for &mut W {
    fn is_due(&self) -> bool {
        (**self).is_due()
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        (**self).keep(state)
    }

    fn name(&self) -> Option<&Path> {
        (**self).name()
    }
}

impl<W: Outlet + ?Sized> Outlet for Box<W> {
    fn is_due(&self) -> bool {
        (**self).is_due()
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        (**self).keep(state)
    }

    fn name(&self) -> Option<&Path> {
        (**self).name()
    }
}

/// The destination of the records of a run: standard output, a file, or the files of a data set.
///
/// Records are written in the order of the output. A destination that is dropped before [`finish`](Self::finish) is not
/// complete: a file then has no name.
pub trait Sink: Outlet + Send {
    /// Whether the records are lost if this is dropped before [`finish`](Self::finish).
    fn is_unnamed(&self) -> bool {
        true
    }

    /// Writes what comes behind the records, and flushes all to the disk. A file has its name only when the result is
    /// [published](Whole::publish), but one that a later run can continue has it now.
    ///
    /// # Errors
    /// [`ErrorKind::Write`], or a fact about records that this destination cannot hold.
    fn complete(self: Box<Self>, end: End<'_>) -> Result<Whole, Error>;

    /// Completes the destination, and gives a file its name.
    ///
    /// # Errors
    /// As [`complete`](Self::complete).
    fn finish(self: Box<Self>, end: End<'_>) -> Result<Completion, Error> {
        self.complete(end)?.publish()
    }
}

/// What a run knows of its output when all records are written.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The state of the run, for a destination that makes checkpoints.
    pub state: &'a str,
    /// Whether any record has an answer. A column of answers is left out otherwise.
    pub has_answers: bool,
}

impl Default for End<'_> {
    fn default() -> Self {
        End { state: "", has_answers: true }
    }
}

/// What is known of a destination that is complete.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Completion {
    /// The sum of the bytes of a file that is [`summed`](OutputFile::summed) up.
    pub sum: Option<OutputSum>,
    /// Time that this run and the earlier ones took, if there may be earlier ones.
    pub elapsed: Option<Duration>,
    /// The progress of the run, which is still there.
    pub progress: Option<Complete>,
}

impl Sink for OutputFile {
    fn is_unnamed(&self) -> bool {
        self.is_temporary()
    }

    fn complete(self: Box<Self>, _: End<'_>) -> Result<Whole, Error> {
        OutputFile::complete(*self)
    }
}

impl Sink for Stdout {
    fn is_unnamed(&self) -> bool {
        false
    }

    fn complete(mut self: Box<Self>, _: End<'_>) -> Result<Whole, Error> {
        self.flush().map_err(ErrorKind::Write)?;
        Ok(Whole::default())
    }
}

/// Records in memory.
impl Sink for Vec<u8> {
    fn is_unnamed(&self) -> bool {
        false
    }

    fn complete(self: Box<Self>, _: End<'_>) -> Result<Whole, Error> {
        Ok(Whole::default())
    }
}
