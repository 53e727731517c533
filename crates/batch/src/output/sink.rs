//! The interface of everything that a run writes its records to.

use super::Complete;
use super::OutputFile;
use crate::checksum::OutputSum;
use crate::error::{Error, ErrorKind};
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
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
}

impl Outlet for Vec<u8> {}
impl Outlet for File {}
impl Outlet for Stdout {}
impl Outlet for OutputFile {}
impl Outlet for io::Sink {}
impl<W: Write> Outlet for BufWriter<W> {}

impl<W: Outlet + ?Sized> Outlet for &mut W {
    fn is_due(&self) -> bool {
        (**self).is_due()
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        (**self).keep(state)
    }
}

impl<W: Outlet + ?Sized> Outlet for Box<W> {
    fn is_due(&self) -> bool {
        (**self).is_due()
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        (**self).keep(state)
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

    /// Writes what comes behind the records, flushes them, and gives a file its name.
    ///
    /// # Errors
    /// [`ErrorKind::Write`], or a fact about records that this destination cannot hold.
    fn finish(self: Box<Self>, end: End<'_>) -> Result<Completion, Error>;
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

    fn finish(self: Box<Self>, _: End<'_>) -> Result<Completion, Error> {
        OutputFile::finish(*self)
    }
}

impl Sink for Stdout {
    fn is_unnamed(&self) -> bool {
        false
    }

    fn finish(mut self: Box<Self>, _: End<'_>) -> Result<Completion, Error> {
        self.flush().map_err(ErrorKind::Write)?;
        Ok(Completion::default())
    }
}

/// Records in memory.
impl Sink for Vec<u8> {
    fn is_unnamed(&self) -> bool {
        false
    }

    fn finish(self: Box<Self>, _: End<'_>) -> Result<Completion, Error> {
        Ok(Completion::default())
    }
}
