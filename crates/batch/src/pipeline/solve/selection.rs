//! Which of the answered records are printed.
//!
//! [`CHOICES`] is the table of what a record may be chosen by: one row adds one. All records are counted, whether they
//! are printed or not.

use std::ops::RangeInclusive;

use crate::figures::pluralize;
use crate::puzzle::Status;

/// What is known of a record that may be printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordFacts {
    pub(super) status: Status,
    /// Solutions found.
    pub(super) solutions: u64,
    /// Whether the input gives an answer that is wrong.
    pub(super) differs: bool,
    /// Guesses; `None` if it is not a puzzle.
    pub(super) guesses: Option<u64>,
}

/// A row of the table of choices.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The word for it.
    pub name: &'static str,
    /// One line: which records are chosen.
    pub about: &'static str,
    /// Whether only a search for two solutions or more can tell.
    pub counts_solutions: bool,
    is_chosen: fn(&RecordFacts) -> bool,
}

/// Every choice.
pub static CHOICES: &[Choice] = &[
    Choice {
        name: "solved",
        about: "a solution was found, and the input gives no other answer",
        counts_solutions: false,
        is_chosen: |found| found.status == Status::Solved && !found.differs,
    },
    Choice {
        name: "unique",
        about: "the solution is the only one",
        counts_solutions: true,
        is_chosen: |found| found.status == Status::Solved && found.solutions == 1,
    },
    Choice {
        name: "none",
        about: "there is no solution",
        counts_solutions: false,
        is_chosen: |found| found.status == Status::None,
    },
    Choice {
        name: "multiple",
        about: "there are two solutions or more",
        counts_solutions: true,
        is_chosen: |found| found.solutions >= 2,
    },
    Choice {
        name: "limit",
        about: "the search reached a limit",
        counts_solutions: false,
        is_chosen: |found| found.status == Status::Limit,
    },
    Choice {
        name: "stuck",
        about: "an engine that never guesses could not finish",
        counts_solutions: false,
        is_chosen: |found| found.status == Status::Stuck,
    },
    Choice {
        name: "malformed",
        about: "the record is not a puzzle",
        counts_solutions: false,
        is_chosen: |found| found.status == Status::Malformed,
    },
    Choice {
        name: "differs",
        about: "the input gives an answer that is wrong",
        counts_solutions: false,
        is_chosen: |found| found.differs,
    },
];

/// The choice of that name, or `None`.
pub fn choice(name: &str) -> Option<&'static Choice> {
    CHOICES.iter().find(|choice| choice.name == name)
}

/// Which records are printed: records of any of the choices whose guesses are in the range.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// One of these; empty for all records.
    pub only: Vec<&'static Choice>,
    /// Guesses of the search. A record that is not a puzzle has none.
    pub guesses: Option<RangeInclusive<u64>>,
}

impl Selection {
    /// Whether every record is printed.
    pub fn is_all(&self) -> bool {
        self.only.is_empty() && self.guesses.is_none()
    }

    pub(super) fn has(&self, found: &RecordFacts) -> bool {
        let in_range =
            |range: &RangeInclusive<u64>| found.guesses.is_some_and(|guesses| range.contains(&guesses));
        self.guesses.as_ref().is_none_or(in_range)
            && (self.only.is_empty() || self.only.iter().any(|choice| (choice.is_chosen)(found)))
    }
}

/// Selects records, and counts those that it selects.
pub(super) struct Selector {
    /// `None`: all records.
    selection: Option<Selection>,
    printed: u64,
}

impl Selector {
    pub(super) fn new(selection: Option<&Selection>) -> Selector {
        Selector { selection: selection.cloned(), printed: 0 }
    }

    /// Whether the record is printed.
    #[inline(always)]
    pub(super) fn selects(&mut self, found: &RecordFacts) -> bool {
        let Some(selection) = &self.selection else { return true };
        let is_selected = selection.has(found);
        self.printed += u64::from(is_selected);
        is_selected
    }

    /// Takes the number of records that were printed, if not all of them are.
    pub(super) fn take_printed(&mut self) -> Option<u64> {
        self.selection.as_ref().map(|_| std::mem::take(&mut self.printed))
    }
}

impl std::fmt::Display for Selection {
    /// In words: `solved or unique, 5 guesses or more`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.only.iter().map(|choice| choice.name).collect();
        f.write_str(&names.join(" or "))?;
        let Some(guesses) = &self.guesses else { return Ok(()) };
        f.write_str(if names.is_empty() { "" } else { ", " })?;
        match (*guesses.start(), *guesses.end()) {
            (0, u64::MAX) => f.write_str("any number of guesses"),
            (from, u64::MAX) => write!(f, "{} or more", pluralize(from, "guess", "guesses")),
            (from, to) if from == to => f.write_str(&pluralize(from, "guess", "guesses")),
            (from, to) => write!(f, "{from} to {to} guesses"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(found: RecordFacts) -> Vec<&'static str> {
        let has = |choice: &&'static Choice| Selection { only: vec![*choice], guesses: None }.has(&found);
        CHOICES.iter().filter(has).map(|choice| choice.name).collect()
    }

    #[test]
    fn a_record_is_chosen_by_its_status_and_its_solutions() {
        let found = RecordFacts { status: Status::Solved, solutions: 1, differs: false, guesses: Some(5) };
        assert_eq!(names(found), ["solved", "unique"]);
        assert_eq!(names(RecordFacts { differs: true, ..found }), ["unique", "differs"]);
        assert_eq!(names(RecordFacts { solutions: 2, ..found }), ["solved", "multiple"]);
        assert_eq!(names(RecordFacts { solutions: 2, status: Status::Multiple, ..found }), ["multiple"]);
        for status in [Status::None, Status::Limit, Status::Stuck, Status::Malformed] {
            assert_eq!(names(RecordFacts { solutions: 0, status, ..found }), [status.word()]);
        }
    }

    #[test]
    fn guesses_are_those_of_puzzles() {
        let has = |range: RangeInclusive<u64>, guesses| {
            let found = RecordFacts { status: Status::None, solutions: 0, differs: false, guesses };
            Selection { only: Vec::new(), guesses: Some(range) }.has(&found)
        };
        assert!(
            has(5..=7, Some(5)) && has(5..=7, Some(7)) && !has(5..=7, Some(8)) && !has(0..=u64::MAX, None)
        );
    }

    #[test]
    fn a_selection_is_said_in_words() {
        let only = ["none", "limit"].map(|name| choice(name).unwrap()).to_vec();
        let say = |only: &[&'static Choice], guesses| Selection { only: only.to_vec(), guesses }.to_string();
        assert_eq!(say(&only, None), "none or limit");
        assert_eq!(say(&only[..1], Some(5..=9)), "none, 5 to 9 guesses");
        assert_eq!(say(&[], Some(5..=u64::MAX)), "5 guesses or more");
        assert_eq!(say(&[], Some(5..=5)), "5 guesses");
    }
}
