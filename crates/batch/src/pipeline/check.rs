//! Finds the puzzles of files that cannot have a solution, without solving them.
//!
//! Each puzzle goes through a [`Checker`]; a malformed record is reported as such. The other fields of a record, maybe
//! a solution, are not looked at: [`verify`](crate::pipeline::verify) does that.

use super::inspect::{self, FaultyRecord, InspectOptions, InspectOutcome, Judge, inspect, written};
use crate::error::Error;
use crate::grid::{Checker, Fault, Rules};
use crate::input::LineError;
use crate::input::format::Format;
use crate::input::records::Record;
use crate::input::source::Source;
use crate::puzzle::Status;

/// What a record turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The checker finds nothing wrong with the puzzle. It may have a solution, or none.
    Possible,
    /// The puzzle cannot have a solution.
    Impossible,
    /// The record is not a puzzle.
    Malformed,
}

impl inspect::Verdict for Verdict {
    const ALL: [Verdict; 3] = [Verdict::Possible, Verdict::Impossible, Verdict::Malformed];

    fn index(self) -> usize {
        self as usize
    }

    fn words(self) -> &'static str {
        match self {
            Verdict::Possible => "possible",
            Verdict::Impossible => "impossible",
            Verdict::Malformed => "malformed",
        }
    }

    fn is_fault(self) -> bool {
        self != Verdict::Possible
    }
}

/// Why a record has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It is not a puzzle.
    Malformed(LineError),
    /// The puzzle cannot have a solution.
    Impossible(Fault),
}

/// Checks every record of `source`. `report` gets each record that cannot have a solution, in order.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read), [`InputError`](crate::input::InputError),
/// [`ErrorKind::Stopped`](crate::ErrorKind::Stopped), and what `report` fails with.
pub fn check_source(
    rules: &Rules,
    source: &mut Source,
    options: &InspectOptions<'_>,
    report: &mut dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error>,
) -> Result<InspectOutcome, Error> {
    let path = source.name().to_owned();
    let judge = || PuzzleJudge { checker: Checker::new(rules) };
    inspect(source, rules, None, options, judge, &mut |line, fault| {
        let (malformed, message) = match &fault {
            Reason::Malformed(error) => (Some(error), error.to_string()),
            Reason::Impossible(reason) => (None, reason.in_words(written(rules))),
        };
        let (column, reason) = (malformed.map(|error| error.column), fault.in_short());
        report(&FaultyRecord {
            path: &path,
            line,
            column,
            malformed,
            reason,
            message: &message,
            lacks_answer: false,
        })
    })
}

impl Reason {
    /// The reason in a few words.
    fn in_short(&self) -> &'static str {
        match self {
            Reason::Malformed(_) => "malformed",
            Reason::Impossible(reason) => reason.in_short(),
        }
    }
}

struct PuzzleJudge {
    checker: Checker,
}

impl Judge for PuzzleJudge {
    type Verdict = Verdict;
    type Fault = Reason;

    fn judge(
        &mut self,
        record: &Record<'_>,
        _format: &Format,
        _proved: Option<Status>,
    ) -> Result<Verdict, (Verdict, Reason)> {
        let puzzle =
            record.puzzle.as_ref().map_err(|error| (Verdict::Malformed, Reason::Malformed(*error)))?;
        let checked = self.checker.check(puzzle.cells);
        checked.map_err(|reason| (Verdict::Impossible, Reason::Impossible(reason)))?;
        Ok(Verdict::Possible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZero;
    use std::sync::atomic::AtomicBool;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn check(text: String, threads: usize) -> (InspectOutcome, Vec<String>) {
        let stop = AtomicBool::new(false);
        let mut source = Source::stream("file", std::io::Cursor::new(text.into_bytes()));
        let mut reasons = Vec::new();
        let options = InspectOptions::default().threads(NonZero::new(threads)).stop(&stop);
        let checked = check_source(&Rules::default(), &mut source, &options, &mut |impossible| {
            reasons.push(impossible.to_string());
            Ok(())
        });
        (checked.unwrap(), reasons)
    }

    #[test]
    fn impossible_records_are_reported_and_the_others_counted() {
        let twice = PUZZLE.replacen("4..", "44.", 1);
        let text = format!("# comment\n{PUZZLE}\n\n{twice},{PUZZLE}\nrubbish\n{PUZZLE},none\n{twice}");
        let (checked, reasons) = check(text, 2);
        let InspectOutcome { input, verdicts } = checked;
        assert_eq!(verdicts.counts, [("possible", 2), ("impossible", 2), ("malformed", 1)]);
        assert_eq!((verdicts.records, verdicts.faults), (5, 3));
        assert_eq!((input.format, input.lines, input.records), ("lines", 7, 5));
        let twice = "4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2";
        assert_eq!(reasons[0], format!("file:4: {twice}"));
        assert!(reasons[1].starts_with("file:5:1: unexpected `r`"), "{reasons:?}");
        assert_eq!(reasons[2], format!("file:7: {twice}"));
    }

    /// Lines count on from chunk to chunk, for any number of threads.
    #[test]
    fn lines_are_those_of_the_file() {
        let twice = PUZZLE.replacen("4..", "44.", 1);
        let text: String =
            (0..3_000).map(|line| if line % 700 == 0 { &twice } else { PUZZLE }.to_owned() + "\n").collect();
        for threads in [1, 3] {
            let (checked, reasons) = check(text.clone(), threads);
            assert_eq!((checked.verdicts.records, checked.verdicts.counts[1].1), (3_000, 5));
            let lines: Vec<&str> = reasons.iter().filter_map(|reason| reason.split(':').nth(1)).collect();
            assert_eq!(lines, ["1", "701", "1401", "2101", "2801"]);
        }
    }
}
