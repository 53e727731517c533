//! The error of a run: a place, and what went wrong there.
//!
//! This file imports no folder of the package. Each folder defines its own error types and makes each of them a
//! [`Fact`], so that `?` turns it into an [`Error`]; the errors of `galop-engines` become facts here. Facts say what is
//! wrong and what would be right; [`Error`] adds the file, line and column. Unsolvable puzzles, several solutions and
//! reached limits are answers, not errors, and a malformed line is a [`LineError`](crate::input::LineError) of its
//! record.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use galop_cover::threads::ThreadsError;
use galop_engines::engine::{Unanswered, Unsupported, WrongLength};
use galop_engines::grid::{GridError, RegionsError, WrongSolution};

use crate::printable::printable;

/// An error that ends a run: what went wrong, and in which file, line and column. One pointer wide.
#[derive(Debug)]
pub struct Error(Box<Place>);

#[derive(Debug)]
struct Place {
    path: Option<PathBuf>,
    line: Option<u64>,
    column: Option<u64>,
    kind: ErrorKind,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing failed, possibly at the last flush.
    #[error("cannot write: {0} (the output is not complete)")]
    Write(#[source] io::Error),
    /// The caller stopped the run.
    #[error("stopped before the end; the output is not complete")]
    Stopped,
    /// The worker threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// An error of one of the folders, of a type that the folder defines: [`Error::fact`] gives it.
    #[error(transparent)]
    Fact(Box<dyn std::error::Error + Send + Sync>),
}

/// The error type of a folder. It converts into [`ErrorKind::Fact`] and into an [`Error`] without a place.
pub trait Fact: std::error::Error + Send + Sync + 'static {}

impl Fact for GridError {}
impl Fact for WrongSolution {}
impl Fact for Unsupported {}
impl Fact for WrongLength {}
impl Fact for Unanswered {}

impl From<RegionsError> for Error {
    fn from(error: RegionsError) -> Error {
        Error::from(GridError::from(error)).in_line(error.line).in_column(error.column)
    }
}

impl Error {
    /// The error `kind` in the file `path`.
    pub fn at(path: impl Into<PathBuf>, kind: impl Into<ErrorKind>) -> Error {
        Error::from(kind.into()).in_file(path)
    }

    /// The same error in the file `path`.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<PathBuf>) -> Error {
        self.0.path = Some(path.into());
        self
    }

    /// The same error in line `line`, from 1.
    #[must_use]
    pub fn in_line(mut self, line: u64) -> Error {
        self.0.line = Some(line);
        self
    }

    /// The same error in column `column` of its line, from 1, in bytes.
    #[must_use]
    pub(crate) fn in_column(mut self, column: u64) -> Error {
        self.0.column = Some(column);
        self
    }

    /// What went wrong, without the place.
    pub(crate) fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The fact behind the error, if its type is `T`.
    ///
    /// ```
    /// use galop_batch::Error;
    /// use galop_engines::engine::Unanswered;
    /// use galop_engines::grid::WrongSolution;
    ///
    /// let error = Error::from(Unanswered { engine: "lanes" }).in_file("puzzles.txt");
    /// assert!(matches!(error.fact(), Some(Unanswered { engine: "lanes" })));
    /// assert!(error.fact::<WrongSolution>().is_none());
    /// ```
    pub fn fact<T: std::error::Error + 'static>(&self) -> Option<&T> {
        match self.kind() {
            ErrorKind::Fact(fact) => fact.downcast_ref(),
            _ => None,
        }
    }

    /// The file in which it happened, if any.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error(Box::new(Place { path: None, line: None, column: None, kind }))
    }
}

impl From<ThreadsError> for Error {
    fn from(error: ThreadsError) -> Error {
        ErrorKind::from(error).into()
    }
}

impl<F: Fact> From<F> for ErrorKind {
    fn from(fact: F) -> ErrorKind {
        ErrorKind::Fact(Box::new(fact))
    }
}

impl<F: Fact> From<F> for Error {
    fn from(fact: F) -> Error {
        ErrorKind::from(fact).into()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.0.path {
            write!(f, "{}:", printable(path))?;
            if let Some(line) = self.0.line {
                write!(f, "{line}:")?;
            }
            if let Some(column) = self.0.column {
                write!(f, "{column}:")?;
            }
            f.write_str(" ")?;
        }
        write!(f, "{}", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The message above contains the message of the kind, so the chain continues below the kind.
        std::error::Error::source(&self.0.kind).and_then(std::error::Error::source)
    }
}
