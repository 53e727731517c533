//! The records with a fault, and how many have each.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::input::LineError;
use crate::printable::printable;

/// A record with a fault. Prints as its place and what is wrong.
#[derive(Clone, Copy)]
pub struct FaultyRecord<'a> {
    /// The source.
    pub path: &'a Path,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, if the fault has one.
    pub column: Option<u32>,
    /// What is wrong with its text, if a field that was read is malformed.
    pub malformed: Option<&'a LineError>,
    /// What is wrong in a few words, the same for all records with such a fault: `clue not kept`.
    pub reason: &'static str,
    /// What is wrong, in words.
    pub message: &'a dyn fmt::Display,
}

impl fmt::Display for FaultyRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:", printable(self.path), self.line)?;
        if let Some(column) = self.column {
            write!(f, "{column}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl fmt::Debug for FaultyRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FaultyRecord({self})")
    }
}

/// Faults of an audit that are kept for each reason. All of them are counted.
const FIRST_KEPT: usize = 10;

/// The faults of one or several sources, by reason.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The reasons, in the order of their first fault.
    pub reasons: Vec<ReasonFaults>,
}

/// The faults that have the same reason.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonFaults {
    /// A few words: `clue not kept`.
    pub reason: &'static str,
    /// How many records have it.
    pub records: u64,
    /// The first of them: place and what is wrong.
    pub first: Vec<String>,
}

impl Faults {
    /// Counts a fault.
    pub fn add(&mut self, fault: &FaultyRecord<'_>) {
        let known = self.reasons.iter().position(|known| known.reason == fault.reason);
        let at = known.unwrap_or_else(|| {
            self.reasons.push(ReasonFaults { reason: fault.reason, records: 0, first: Vec::new() });
            self.reasons.len() - 1
        });
        let faults = &mut self.reasons[at];
        faults.records += 1;
        if faults.first.len() < FIRST_KEPT {
            faults.first.push(fault.to_string());
        }
    }
}
