//! The command-line tool, for the console script of the wheel.

use std::ffi::OsString;
use std::process::{ExitCode, exit};

use pyo3::prelude::*;

/// Runs the tool with the command line `words`, the first of which is the name of the program, and ends the process
/// with its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, words: Vec<OsString>) {
    let code = py.detach(|| galop_cli::run(words));
    // An exit code does not show its number.
    let number = (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(2);
    exit(number.into())
}
