//! The figures of a run or a comparison written out, for people and for programs.
//!
//! [`FORMATS`] is the table of report formats. The ending of a file's name chooses one. One file and one row add a
//! format.
//!
//! ```text
//! Report, Comparison  --> sections: what is shown, in which order  --> text, markdown
//!                     --> json, csv: all figures, for programs
//!                     --> html: a page with plots
//! ```

mod audit;
mod comparison_sections;
mod corpus;
mod csv;
mod error;
mod format;
mod html;
mod json;
mod markdown;
mod names;
mod run;
mod run_sections;
mod section;
mod text;
mod written_at;

use std::path::Path;

use error::ReportEnding;
use galop_batch::error::Error;

pub use audit::{Audit, AuditRun};
pub use corpus::{Corpus, CorpusRun};
pub use format::Format;

pub use html::STYLE;
pub use run::{Report, Run};
pub use text::{Style, comparison_text, text};

/// Every report format.
pub static FORMATS: &[Format] = &[json::FORMAT, markdown::FORMAT, html::FORMAT, csv::FORMAT, text::FORMAT];

/// The format for the report of a run in the file `path`, chosen by the ending of its name.
///
/// # Errors
/// If no such format has that ending.
pub fn format_of(path: &Path) -> Result<&'static Format, Error> {
    find(path, |format| format.write.is_some())
}

/// The format for the report of a comparison in the file `path`, chosen by the ending of its name.
///
/// # Errors
/// If no such format has that ending.
pub fn comparison_format_of(path: &Path) -> Result<&'static Format, Error> {
    find(path, |format| format.compare.is_some())
}

/// The format for the report of an audit in the file `path`, chosen by the ending of its name.
///
/// # Errors
/// If no such format has that ending.
pub fn audit_format_of(path: &Path) -> Result<&'static Format, Error> {
    find(path, |format| format.audit.is_some())
}

/// The format for the report of a run over a corpus in the file `path`, chosen by the ending of its name.
///
/// # Errors
/// If no such format has that ending.
pub fn corpus_format_of(path: &Path) -> Result<&'static Format, Error> {
    find(path, |format| format.corpus.is_some())
}

/// The format with the ending of `path` among those that are `suitable`.
fn find(path: &Path, suitable: fn(&Format) -> bool) -> Result<&'static Format, Error> {
    let ending = path.extension().unwrap_or_default();
    let formats = || FORMATS.iter().filter(|format| suitable(format));
    formats().find(|format| ending.eq_ignore_ascii_case(format.ending)).ok_or_else(|| {
        let known: Vec<String> = formats().map(|format| format!(".{}", format.ending)).collect();
        Error::at(path, ReportEnding { known: known.join(", ") })
    })
}

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
