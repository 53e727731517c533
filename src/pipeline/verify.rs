//! Checks files of puzzles with their solutions: rules, clues kept and, if wished, uniqueness.
//!
//! A record is right if its solution field holds a solution of its puzzle. A status word in that field
//! (`none`, `multiple`, `limit`, `malformed`) is no claim of a solution: such records are counted as
//! unanswered, and `none` and `multiple` are put to the proof only where uniqueness is.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::engine::{Engine, Entry, Isa};
use crate::error::{Error, ErrorKind};
use crate::grid::{Alphabet, Rules, Verifier, Violation};
use crate::input::format::{Record, Records, Shape};
use crate::input::source::Source;
use crate::input::{LineError, LineErrorKind};
use crate::pipeline::{CHUNK_BYTES, Crew, Piece};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// How a file is checked.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Worker threads; 0 for one a core.
    pub threads: usize,
    /// The engine that proves each solution the only one, if that is wished.
    pub unique: Option<&'static Entry>,
    /// Once this is true the check ends with [`ErrorKind::Stopped`].
    pub stop: &'a AtomicBool,
}

/// What a check found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Lines read.
    pub lines: u64,
    /// Records with a right solution.
    pub right: u64,
    /// Records that claim no solution.
    pub unanswered: u64,
    /// Records with a fault.
    pub faulty: u64,
}

impl Verified {
    /// All records.
    pub fn records(&self) -> u64 {
        self.right + self.unanswered + self.faulty
    }
}

impl std::ops::AddAssign for Verified {
    fn add_assign(&mut self, other: Verified) {
        self.lines += other.lines;
        self.right += other.right;
        self.unanswered += other.unanswered;
        self.faulty += other.faulty;
    }
}

/// A faulty record and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulty {
    /// The source.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

impl std::fmt::Display for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path.display(), self.line, self.fault.column(), self.fault)
    }
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The puzzle cannot be read.
    #[error("{0}")]
    Puzzle(LineError),
    /// There is no solution field.
    #[error("no solution beside the puzzle (expected puzzle,solution)")]
    Missing {
        /// Where it should begin, from 1.
        column: u32,
    },
    /// The solution cannot be read.
    #[error("in the solution: {0}")]
    Solution(LineError),
    /// It is none.
    #[error("wrong solution: {violation}")]
    Wrong {
        /// Where the solution begins, from 1.
        column: u32,
        /// What is wrong.
        violation: Violation,
    },
    /// What the record says of the number of solutions is not so.
    #[error("{claim}, but the puzzle has {found}")]
    Count {
        /// Where the claim stands, from 1.
        column: u32,
        /// What the record says.
        claim: &'static str,
        /// What was found.
        found: &'static str,
    },
}

impl Fault {
    /// The column it is found at, from 1.
    pub fn column(&self) -> u32 {
        match self {
            Fault::Puzzle(error) | Fault::Solution(error) => error.column,
            Fault::Missing { column } | Fault::Wrong { column, .. } | Fault::Count { column, .. } => *column,
        }
    }
}

/// Checks every record of `source`; `faulty` hears of each faulty one, in order.
///
/// # Errors
/// [`ErrorKind::Read`], [`ErrorKind::Input`], [`ErrorKind::Stopped`], [`ErrorKind::Unsupported`], and
/// whatever `faulty` fails with.
pub fn verify(
    rules: &Rules,
    source: &mut Source,
    options: &Options<'_>,
    faulty: &mut dyn FnMut(&Faulty) -> Result<(), Error>,
) -> Result<Verified, Error> {
    let path = source.name().to_owned();
    let mut verified = Verified::default();
    let worker = || Worker::new(rules, options.unique);
    // Larger chunks than for solving: a record takes a tenth of the time, waking a thread as much as ever.
    let mut crew: Crew<Worker, Page> = Crew::new(options.threads, worker, Page::default)?;
    crew.run(
        source,
        (8 * CHUNK_BYTES, rules.into()),
        options.stop,
        |_, _| Ok(()),
        Worker::check,
        |page, _| {
            for (line, fault) in page.faults.drain(..) {
                faulty(&Faulty { path: path.clone(), line: verified.lines + line + 1, fault })?;
            }
            verified += page.verified;
            Ok(())
        },
    )?;
    source.check_unchanged()?;
    Ok(verified)
}

/// What one chunk becomes. Lines count from 0 in the chunk.
#[derive(Default)]
struct Page {
    verified: Verified,
    faults: Vec<(u64, Fault)>,
}

struct Worker {
    verifier: Verifier,
    records: Records,
    prover: Option<Prover>,
    cells: usize,
    alphabet: Alphabet,
}

impl Worker {
    fn new(rules: &Rules, unique: Option<&Entry>) -> Result<Worker, Error> {
        let cells = rules.grid().cells();
        Ok(Worker {
            verifier: Verifier::new(rules),
            records: Records::default(),
            prover: unique.map(|entry| Prover::new(entry, rules)).transpose()?,
            cells,
            alphabet: rules.alphabet().clone(),
        })
    }

    fn check(&mut self, page: &mut Page, piece: Piece<'_>) {
        page.verified = Verified::default();
        self.records.read(piece.shape, piece.bytes, piece.is_first);
        page.verified.lines = self.records.lines;
        let records = std::mem::take(&mut self.records);
        let mut puzzles = Puzzles::new(&records.puzzles, self.cells).iter();
        for record in records.iter() {
            if piece.is_stopped() {
                break;
            }
            let puzzle = record.puzzle.is_ok().then(|| puzzles.next()).flatten();
            match self.judge(&record, &piece.bytes[record.text.clone()], puzzle, piece.shape) {
                Ok(true) => page.verified.right += 1,
                Ok(false) => page.verified.unanswered += 1,
                Err(fault) => {
                    page.verified.faulty += 1;
                    page.faults.push((record.line, fault));
                }
            }
        }
        self.records = records;
    }

    /// Whether the record holds a right solution, or none at all.
    fn judge(
        &mut self,
        record: &Record,
        text: &[u8],
        puzzle: Option<&[u8]>,
        shape: &dyn Shape,
    ) -> Result<bool, Fault> {
        let at = match &record.puzzle {
            // What galop says of a line that it could not read.
            Err(_) if is_said_malformed(text, shape) => return Ok(false),
            Err(error) => return Err(Fault::Puzzle(*error)),
            Ok(at) => at.start - record.text.start..at.end - record.text.start,
        };
        // A grid of several lines has no room for one.
        let is_grid = at.len() > self.cells;
        let missing = Fault::Missing { column: if is_grid { 1 } else { at.end as u32 + 1 } };
        let puzzle = puzzle.ok_or(missing)?;
        let found = shape.solution(text, at).filter(|field| !field.is_empty()).ok_or(missing)?;
        let column = found.start as u32 + 1;
        let field = &text[found.clone()];
        if let Some(status) = Status::ALL.into_iter().find(|status| status.word().as_bytes() == field) {
            return match &mut self.prover {
                Some(prover) => prover.status(status, puzzle, column).map(|()| false),
                None => Ok(false),
            };
        }
        if self.verifier.check_text(puzzle, field).is_err() {
            self.explain(puzzle, field, column)?;
        }
        match &mut self.prover {
            Some(prover) => prover.only_one(puzzle, column).map(|()| true),
            None => Ok(true),
        }
    }

    /// What is wrong with a solution that did not pass.
    #[cold]
    fn explain(&self, puzzle: &[u8], field: &[u8], column: u32) -> Result<(), Fault> {
        let is_symbol = |&byte: &u8| self.alphabet.cell(byte).is_some_and(|cell| cell != 0);
        if let Some(at) = field.iter().position(|byte| !is_symbol(byte)) {
            let kind = match self.alphabet.is_nine() {
                true => LineErrorKind::Character(field[at]),
                false => LineErrorKind::Symbol { byte: field[at], alphabet: self.alphabet.name() },
            };
            return Err(Fault::Solution(LineError { column: column + at as u32, kind }));
        }
        if field.len() != self.cells {
            let kind = LineErrorKind::Length { found: field.len() as u32, expected: self.cells as u32 };
            return Err(Fault::Solution(LineError { column, kind }));
        }
        self.verifier.check_text(puzzle, field).map_err(|violation| Fault::Wrong { column, violation })
    }
}

fn is_said_malformed(text: &[u8], shape: &dyn Shape) -> bool {
    let is_said_in_field =
        || shape.has_header() && shape.solution(text, 0..0).is_some_and(|at| text[at] == *b"malformed");
    text.ends_with(b",malformed") || text == b"malformed" || is_said_in_field()
}

/// Counts solutions up to two.
struct Prover {
    engine: Box<dyn Engine>,
    limits: Limits,
    scratch: Vec<u8>,
}

impl Prover {
    fn new(entry: &Entry, rules: &Rules) -> Result<Prover, Error> {
        Ok(Prover {
            engine: (entry.make)(rules, Isa::best()).map_err(ErrorKind::Unsupported)?,
            limits: Limits::UNIQUE.with_guesses(entry.max_guesses),
            scratch: vec![0; rules.grid().cells()],
        })
    }

    fn count(&mut self, puzzle: &[u8]) -> Status {
        let mut answer = [Answer::default()];
        let mut answers = Answers::new(&mut self.scratch, &mut answer, puzzle.len());
        match self.engine.solve(Puzzles::new(puzzle, puzzle.len()), self.limits, &mut answers) {
            Ok(()) => answer[0].status(self.limits),
            Err(_) => Status::Unanswered,
        }
    }

    fn only_one(&mut self, puzzle: &[u8], column: u32) -> Result<(), Fault> {
        match self.count(puzzle) {
            Status::Solved => Ok(()),
            status => Err(Fault::Count { column, claim: "given as the only solution", found: words(status) }),
        }
    }

    fn status(&mut self, claimed: Status, puzzle: &[u8], column: u32) -> Result<(), Fault> {
        let claim = match claimed {
            Status::None => "given as without solution",
            Status::Multiple => "given as having several solutions",
            _ => return Ok(()),
        };
        match self.count(puzzle) {
            found if found == claimed => Ok(()),
            found => Err(Fault::Count { column, claim, found: words(found) }),
        }
    }
}

fn words(status: Status) -> &'static str {
    match status {
        Status::Solved => "exactly one",
        Status::None => "none",
        Status::Multiple => "several",
        Status::Stuck => "more to it than an engine that never guesses can settle: not proved",
        Status::Unanswered => "no answer from the engine: not proved",
        _ => "more guesses in it than the limit allows: not proved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::engine;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const SOLUTION: &str =
        "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

    fn check(text: String, unique: bool) -> (Verified, Vec<String>) {
        let stop = AtomicBool::new(false);
        let unique = unique.then(|| engine("dlx").or(engine("backtrack")).unwrap());
        let options = Options { threads: 2, unique, stop: &stop };
        let mut source = Source::stream("file", std::io::Cursor::new(text.into_bytes()));
        let mut faults = Vec::new();
        let verified = verify(&Rules::sudoku(), &mut source, &options, &mut |faulty| {
            faults.push(faulty.to_string());
            Ok(())
        });
        (verified.unwrap(), faults)
    }

    #[test]
    fn right_wrong_and_unanswered_are_told_apart() {
        let swapped = SOLUTION.replacen("41", "14", 1);
        let text = format!(
            "# comment\n{PUZZLE},{SOLUTION}\n{PUZZLE},{swapped}\n{PUZZLE},none\nrubbish,malformed\n\
             rubbish\n{PUZZLE}\n{PUZZLE},123\n{PUZZLE},{}\n",
            SOLUTION.replace('9', ".")
        );
        let (verified, faults) = check(text, false);
        assert_eq!(verified, Verified { lines: 9, right: 1, unanswered: 2, faulty: 5 });
        assert_eq!(faults[0], "file:3:83: wrong solution: the clue in cell 0 was not kept");
        let begins =
            ["file:6:1: ", "file:7:82: no solution", "file:8:83: in the solution: 3 cells", "file:9:88: "];
        for (fault, begin) in faults[1..].iter().zip(begins) {
            assert!(fault.starts_with(begin), "{fault}");
        }
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = format!("id,solution,puzzle\r\n7,\"{SOLUTION}\",{PUZZLE}\r\n8,{PUZZLE},{PUZZLE}\r\n");
        let (verified, faults) = check(text, false);
        assert_eq!((verified.right, verified.faulty), (1, 1));
        assert!(faults[0].starts_with("file:3:4: in the solution"), "{faults:?}");
    }

    #[test]
    fn uniqueness_is_proved_if_wished() {
        let open = format!("{}{}", ".".repeat(30), &SOLUTION[30..]);
        let text = format!("{PUZZLE},{SOLUTION}\n{open},{SOLUTION}\n{open},none\n{open},multiple\n");
        assert_eq!(check(text.clone(), false).0.faulty, 0);
        let (verified, faults) = check(text, true);
        assert_eq!((verified.right, verified.unanswered, verified.faulty), (1, 1, 2));
        assert_eq!(faults[0], "file:2:83: given as the only solution, but the puzzle has several");
        assert_eq!(faults[1], "file:3:83: given as without solution, but the puzzle has several");
    }
}
