//! A report format: what can be written, and how.

use super::audit::Audit;
use super::corpus::Corpus;
use super::run::Report;
use galop_compare::Comparison;

/// A report format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The ending of file names, without the dot.
    pub ending: &'static str,
    /// One line for the help: what the format is for.
    pub about: &'static str,
    /// Writes the report of a run; `None` if the format cannot.
    pub write: Option<fn(&Report) -> String>,
    /// Writes the report of a comparison; `None` if the format cannot.
    pub compare: Option<fn(&Comparison) -> String>,
    /// Writes the report of an audit; `None` if the format cannot.
    pub audit: Option<fn(&Audit) -> String>,
    /// Writes the report of a run over a corpus; `None` if the format cannot.
    pub corpus: Option<fn(&Corpus) -> String>,
}
