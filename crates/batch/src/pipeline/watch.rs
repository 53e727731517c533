//! What a run tells while it goes on.

use std::path::PathBuf;

use crate::input::AnswerFault;
use crate::input::records::MalformedRecord;
use crate::printable::printable;

/// Is informed of the progress of a run.
pub trait Watch {
    /// A record was malformed. Called for the first [`MALFORMED_KEPT`](crate::input::MALFORMED_KEPT) of a run.
    fn malformed(&mut self, _malformed: &MalformedRecord) {}
    /// The input gives a wrong answer. Called for the first [`MALFORMED_KEPT`](crate::input::MALFORMED_KEPT) of a run.
    fn wrong_answer(&mut self, _wrong: &WrongAnswer) {}
    /// Everything up to byte `position` of the current source, as it lies on the disk, was answered and written. The
    /// run has answered `records` records so far. Of compressed data, the position is the end of a block of text.
    fn advanced(&mut self, _position: u64, _records: u64) {}
    /// Called several times a second while nothing else happens. The workers have read up to byte `position` of the
    /// current source, as it lies on the disk, and the run has answered `records` records, of which the last ones are
    /// not written yet. It is an estimate.
    fn working(&mut self, _position: u64, _records: u64) {}
}

/// Ignores the progress.
impl Watch for () {}

/// A wrong or damaged answer that the input gives, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The source.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// What is wrong with it.
    pub fault: AnswerFault,
}

impl std::fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let WrongAnswer { path, line, column, fault } = self;
        write!(f, "{}:{line}:{column}: the given answer is wrong: {fault}", printable(path))
    }
}
