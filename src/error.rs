//! The error of a run: a place, and the error of the folder where it happened.
//!
//! Each folder defines its own errors; [`ErrorKind`] unites them. Errors state facts: which file, line and column,
//! what is wrong, what would be right. Unsolvable puzzles, several solutions and reached limits are answers, not
//! errors, and a malformed line is a [`LineError`](crate::input::LineError) of its record.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use galop_cover::threads::ThreadsError;

#[cfg(feature = "report")]
use crate::compare::PlanError;
use crate::engine::{Unsupported, WrongStride};
use crate::generate::GenerateError;
use crate::grid::{GridError, RegionsError, WrongSolution};
#[cfg(feature = "files")]
use crate::input::InputError;
#[cfg(feature = "files")]
use crate::pipeline::{ColumnsDiffer, Disagreement, Unanswered};
#[cfg(feature = "report")]
use crate::report::ReportEnding;

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
    /// An input cannot be read to its end.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Input(#[from] InputError),
    /// The rules cannot be built.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The engine does not accept the rules.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A batch does not have the cells of the engine's rules.
    #[error(transparent)]
    WrongStride(#[from] WrongStride),
    /// An engine left a puzzle unanswered: a bug in the engine.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// A solution is wrong: a bug in an engine.
    #[error(transparent)]
    WrongSolution(#[from] Box<WrongSolution>),
    /// Two engines contradict each other: a bug in one of them.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Disagreement(#[from] Box<Disagreement>),
    /// Tables with different columns cannot go into one output.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Columns(#[from] ColumnsDiffer),
    /// A report has an unknown ending.
    #[cfg(feature = "report")]
    #[error(transparent)]
    ReportEnding(#[from] ReportEnding),
    /// A comparison cannot be made.
    #[cfg(feature = "report")]
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A puzzle cannot be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
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
    pub(crate) fn in_line(mut self, line: u64) -> Error {
        self.0.line = Some(line);
        self
    }

    /// The same error in column `column` of its line, from 1, in bytes.
    #[must_use]
    pub(crate) fn in_column(mut self, column: u64) -> Error {
        self.0.column = Some(column);
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
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

/// `?` turns the errors of the folders into an [`Error`] without a place.
macro_rules! from {
    ($($kind:ty),+ $(,)?) => {
        $(impl From<$kind> for Error {
            fn from(kind: $kind) -> Error {
                ErrorKind::from(kind).into()
            }
        })+
    };
}
from!(ThreadsError, GridError, Unsupported, Box<WrongSolution>, GenerateError);
#[cfg(feature = "files")]
from!(InputError, Box<Disagreement>, ColumnsDiffer);
#[cfg(feature = "report")]
from!(ReportEnding, PlanError);

impl From<RegionsError> for Error {
    fn from(error: RegionsError) -> Error {
        Error::from(GridError::from(error)).in_line(error.line).in_column(error.column)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.0.path {
            write!(f, "{}:", path.display())?;
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
        // The message above contains that of the kind, so the chain continues below the kind.
        std::error::Error::source(&self.0.kind).and_then(std::error::Error::source)
    }
}
