//! A report format: what can be written, and how.

use std::path::Path;

use super::FORMATS;
use super::error::ReportEnding;
use super::run::Report;
use super::survey::Survey;
use galop_batch::error::Error;
use galop_compare::Contest;

/// A report format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The ending of file names, without the dot.
    pub ending: &'static str,
    /// One line for the help: what the format is for.
    pub about: &'static str,
    /// Writes the report of a run; `None` if the format cannot.
    pub(super) run: Option<Writer<Report>>,
    /// Writes the report of a comparison; `None` if the format cannot.
    pub(super) comparison: Option<Writer<Contest>>,
    /// Writes the report of a run over a corpus; `None` if the format cannot.
    pub(super) survey: Option<Writer<Survey>>,
}

/// Writes figures in a format.
pub type Writer<T> = fn(&T) -> String;

/// Figures that reports are written of.
pub trait Figures {
    /// How `format` writes them; `None` if it cannot.
    fn writer(format: &Format) -> Option<Writer<Self>>;
}

impl Figures for Report {
    fn writer(format: &Format) -> Option<Writer<Report>> {
        format.run
    }
}

impl Figures for Contest {
    fn writer(format: &Format) -> Option<Writer<Contest>> {
        format.comparison
    }
}

impl Figures for Survey {
    fn writer(format: &Format) -> Option<Writer<Survey>> {
        format.survey
    }
}

/// How a report in the file `path` is written: its ending chooses the format.
///
/// # Errors
/// If no format of such reports has that ending.
pub fn writer_of<T: Figures>(path: &Path) -> Result<Writer<T>, Error> {
    let ending = path.extension().unwrap_or_default();
    let found = FORMATS.iter().find(|format| ending.eq_ignore_ascii_case(format.ending));
    found.and_then(T::writer).ok_or_else(|| {
        let known = FORMATS.iter().filter(|format| T::writer(format).is_some());
        let known: Vec<String> = known.map(|format| format!(".{}", format.ending)).collect();
        Error::at(path, ReportEnding { known: known.join(", ") })
    })
}
