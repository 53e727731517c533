//! Errors as exceptions, with the words of the library.

use std::fmt::Display;
use std::io;

use galop::SolveError;
use galop_batch::pipeline::Disagreement;
use galop_batch::{Error, ErrorKind};
use galop_engines::grid::WrongSolution;
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileExistsError, PyFileNotFoundError, PyKeyboardInterrupt, PyOSError, PyPermissionError,
    PyRuntimeError, PyValueError,
};

/// What was given is wrong.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A name is none of `names`.
pub(crate) fn unknown<'n>(what: &str, name: &str, names: impl Iterator<Item = &'n str>) -> PyErr {
    value_error(format_args!("unknown {what} `{name}` (one of {})", names.collect::<Vec<_>>().join(", ")))
}

/// The exception for an error of a run.
pub(crate) fn of_run(error: Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        ErrorKind::Read(reason) | ErrorKind::Write(reason) => of_system(reason, text),
        ErrorKind::Threads(_) => PyOSError::new_err(text),
        ErrorKind::Stopped => PyKeyboardInterrupt::new_err(text),
        _ if error.fact::<WrongSolution>().is_some() || error.fact::<Disagreement>().is_some() => {
            PyRuntimeError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}

/// The exception for an error of a batch.
pub(crate) fn of_batch(error: SolveError) -> PyErr {
    match error {
        SolveError::Threads(_) => PyOSError::new_err(error.to_string()),
        SolveError::Stopped => PyKeyboardInterrupt::new_err(error.to_string()),
        SolveError::Unanswered | SolveError::WrongSolution { .. } => {
            PyRuntimeError::new_err(error.to_string())
        }
        _ => value_error(error),
    }
}

/// The exception for an error of the operating system, of the class that Python gives it.
fn of_system(reason: &io::Error, text: String) -> PyErr {
    match reason.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        io::ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
        io::ErrorKind::AlreadyExists => PyFileExistsError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}
