//! Why a report cannot be written.

/// A report's file name has an ending that no report format has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown ending of a report; known endings: {known}")]
pub struct ReportEnding {
    /// The known endings, as text: `.json, .md`.
    pub known: String,
}
