//! Finds the puzzles of files that cannot have a solution, without solving them.
//!
//! Each puzzle goes through a [`Checker`]; a line that is no puzzle is named as such. What else stands in a
//! record, a solution maybe, is not looked at: that is what [`verify`](crate::pipeline::verify) is for.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::grid::Impossible;
use crate::grid::{Alphabet, Checker, Rules};
use crate::input::LineError;
use crate::input::format::Records;
use crate::input::source::Source;
use crate::pipeline::{CHUNK_BYTES, Crew, Piece};
use crate::puzzle::Puzzles;

/// How a file is checked.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Worker threads; 0 for one a core.
    pub threads: usize,
    /// Once this is true the check ends with [`ErrorKind::Stopped`](crate::ErrorKind::Stopped).
    pub stop: &'a AtomicBool,
}

/// What a check found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Lines read.
    pub lines: u64,
    /// Puzzles in which nothing was found. They may have a solution, or none.
    pub possible: u64,
    /// Puzzles that cannot have one.
    pub impossible: u64,
    /// Records that are no puzzle.
    pub malformed: u64,
}

impl Checked {
    /// All records.
    pub fn records(&self) -> u64 {
        self.possible + self.impossible + self.malformed
    }
}

impl std::ops::AddAssign for Checked {
    fn add_assign(&mut self, other: Checked) {
        self.lines += other.lines;
        self.possible += other.possible;
        self.impossible += other.impossible;
        self.malformed += other.malformed;
    }
}

/// A record without a solution, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hopeless {
    /// The source.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// Why it has none.
    pub reason: Reason,
    /// How the symbols of its puzzle are written.
    pub alphabet: Alphabet,
}

impl std::fmt::Display for Hopeless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, line) = (self.path.display(), self.line);
        match self.reason {
            Reason::Malformed(error) => write!(f, "{path}:{line}:{}: {error}", error.column),
            Reason::Impossible(reason) => {
                let written = |symbol| char::from(self.alphabet.character(symbol)).to_string();
                write!(f, "{path}:{line}: {}", reason.in_words(written))
            }
        }
    }
}

/// Why a record has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is no puzzle.
    Malformed(LineError),
    /// The puzzle cannot have one.
    Impossible(Impossible),
}

/// Checks every record of `source`; `hopeless` hears of each one that cannot have a solution, in order.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read), [`ErrorKind::Input`](crate::ErrorKind::Input),
/// [`ErrorKind::Stopped`](crate::ErrorKind::Stopped), and whatever `hopeless` fails with.
pub fn check_source(
    rules: &Rules,
    source: &mut Source,
    options: &Options<'_>,
    hopeless: &mut dyn FnMut(&Hopeless) -> Result<(), Error>,
) -> Result<Checked, Error> {
    let path = source.name().to_owned();
    let mut checked = Checked::default();
    let cells = rules.grid().cells();
    let worker = || Ok(Worker { checker: Checker::new(rules), records: Records::default(), cells });
    let mut crew: Crew<Worker, Page> = Crew::new(options.threads, worker, Page::default)?;
    crew.run(
        source,
        (CHUNK_BYTES, rules.into()),
        options.stop,
        |_, _| Ok(()),
        Worker::check,
        |page, _| {
            for (line, reason) in page.reasons.drain(..) {
                let alphabet = rules.alphabet().clone();
                hopeless(&Hopeless { path: path.clone(), line: checked.lines + line + 1, reason, alphabet })?;
            }
            checked += page.checked;
            Ok(())
        },
    )?;
    source.check_unchanged()?;
    Ok(checked)
}

/// What one chunk becomes. Lines count from 0 in the chunk.
#[derive(Default)]
struct Page {
    checked: Checked,
    reasons: Vec<(u64, Reason)>,
}

struct Worker {
    checker: Checker,
    records: Records,
    cells: usize,
}

impl Worker {
    fn check(&mut self, page: &mut Page, piece: Piece<'_>) {
        let Worker { checker, records, cells } = self;
        records.read(piece.shape, piece.bytes, piece.is_first);
        page.checked = Checked { lines: records.lines, ..Checked::default() };
        let mut puzzles = Puzzles::new(&records.puzzles, *cells).iter();
        for record in records.iter() {
            if piece.is_stopped() {
                break;
            }
            let reason = match record.puzzle {
                Err(error) => Err(Reason::Malformed(error)),
                Ok(_) => checker.check(puzzles.next().unwrap_or_default()).map_err(Reason::Impossible),
            };
            match reason {
                Ok(()) => page.checked.possible += 1,
                Err(Reason::Malformed(_)) => page.checked.malformed += 1,
                Err(Reason::Impossible(_)) => page.checked.impossible += 1,
            }
            page.reasons.extend(reason.err().map(|reason| (record.line, reason)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn check(text: String, threads: usize) -> (Checked, Vec<String>) {
        let stop = AtomicBool::new(false);
        let mut source = Source::stream("file", std::io::Cursor::new(text.into_bytes()));
        let mut reasons = Vec::new();
        let checked =
            check_source(&Rules::sudoku(), &mut source, &Options { threads, stop: &stop }, &mut |hopeless| {
                reasons.push(hopeless.to_string());
                Ok(())
            });
        (checked.unwrap(), reasons)
    }

    #[test]
    fn hopeless_records_are_named_and_the_others_counted() {
        let twice = PUZZLE.replacen("4..", "44.", 1);
        let text = format!("# comment\n{PUZZLE}\n\n{twice},{PUZZLE}\nrubbish\n{PUZZLE},none\n{twice}");
        let (checked, reasons) = check(text, 2);
        assert_eq!(checked, Checked { lines: 7, possible: 2, impossible: 2, malformed: 1 });
        assert_eq!(checked.records(), 5);
        let twice = "4 stands twice in row 1: in row 1, column 1 and in row 1, column 2";
        assert_eq!(reasons[0], format!("file:4: {twice}"));
        assert!(reasons[1].starts_with("file:5:1: unexpected `r`"), "{reasons:?}");
        assert_eq!(reasons[2], format!("file:7: {twice}"));
    }

    /// Lines count on over chunks, whatever the threads.
    #[test]
    fn lines_are_those_of_the_file() {
        let twice = PUZZLE.replacen("4..", "44.", 1);
        let text: String =
            (0..3_000).map(|line| if line % 700 == 0 { &twice } else { PUZZLE }.to_owned() + "\n").collect();
        for threads in [1, 3] {
            let (checked, reasons) = check(text.clone(), threads);
            assert_eq!((checked.records(), checked.impossible), (3_000, 5));
            let lines: Vec<&str> = reasons.iter().filter_map(|reason| reason.split(':').nth(1)).collect();
            assert_eq!(lines, ["1", "701", "1401", "2101", "2801"]);
        }
    }
}
