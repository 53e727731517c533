//! Why a report cannot be written.

use galop_batch::error::Fact;

impl Fact for ReportEnding {}

/// A report's file name has an ending that no report format has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown ending of a report; known endings: {known}")]
pub(crate) struct ReportEnding {
    /// The known endings, as text: `.json, .md`.
    pub(crate) known: String,
}
