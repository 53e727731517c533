//! Verifies files of puzzles with their solutions: rules, clues and, on request, uniqueness.
//!
//! A record is right if its solution field holds a solution of its puzzle. A status word in that field (`none`,
//! `multiple`, `limit`, `malformed`) or a grid of blanks is not a claim of a solution. Such records are counted as
//! unanswered; what the word says is proved only if uniqueness is. `limit` is then right only if the prover gives up,
//! too.

use super::CHUNK_BYTES;
use super::inspect::{self, FaultyRecord, InspectOptions, InspectOutcome, Judge, inspect, written};
use crate::engine::Entry;
use crate::error::Error;
use crate::grid::{self, Rules, Verifier};
use crate::input::answer::{AnswerContent, AnswerField};
use crate::input::format::Format;
use crate::input::records::{Puzzle, Record};
use crate::input::source::Source;
use crate::input::{AnswerFault, LineError, LineErrorKind};
use crate::puzzle::Status;

/// What a record turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It has a right solution.
    Right,
    /// It has a fault.
    Faulty,
    /// It claims no solution.
    Unanswered,
}

impl inspect::Verdict for Verdict {
    const ALL: [Verdict; 3] = [Verdict::Right, Verdict::Faulty, Verdict::Unanswered];

    fn index(self) -> usize {
        self as usize
    }

    fn words(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Faulty => "faulty",
            Verdict::Unanswered => "without a solution",
        }
    }

    fn is_fault(self) -> bool {
        self == Verdict::Faulty
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Fault {
    /// The puzzle is malformed.
    #[error("{0}")]
    Puzzle(LineError),
    /// There is no solution field.
    #[error("no solution beside the puzzle (expected puzzle,solution)")]
    Missing {
        /// The column where it should begin, from 1.
        column: u32,
    },
    /// The solution is malformed.
    #[error("in the solution: {0}")]
    Solution(LineError),
    /// The solution is wrong.
    #[error("wrong solution: {violation}")]
    Wrong {
        /// The column of the cell to blame, from 1; of the solution if its length is wrong.
        column: u32,
        /// What is wrong. (In its place, it would make the verdict on every record larger: `verify` was 5 % slower.)
        violation: Box<grid::Fault>,
    },
    /// The record says that its puzzle is malformed, but it is not.
    #[error("given as malformed, but the puzzle can be read")]
    Readable {
        /// The column of the claim, from 1.
        column: u32,
    },
    /// The puzzle has another number of solutions than the record says.
    #[error("{claim}, but the puzzle has {found}")]
    Count {
        /// The column of the claim, from 1.
        column: u32,
        /// What the record says.
        claim: &'static str,
        /// What was found.
        found: &'static str,
    },
}

impl Fault {
    /// The column of the fault, from 1.
    fn column(&self) -> u32 {
        match self {
            Fault::Puzzle(error) | Fault::Solution(error) => error.column,
            Fault::Missing { column }
            | Fault::Readable { column }
            | Fault::Wrong { column, .. }
            | Fault::Count { column, .. } => *column,
        }
    }

    /// The fault of an answer; `column` is the column of the byte to blame.
    fn of_answer(column: u32, fault: AnswerFault) -> Fault {
        match fault {
            AnswerFault::Malformed(kind) => Fault::Solution(LineError { column, kind }),
            AnswerFault::Wrong(violation) => Fault::Wrong { column, violation: Box::new(violation) },
        }
    }

    /// The fault in a few words.
    fn in_short(&self) -> &'static str {
        match self {
            Fault::Puzzle(_) => "malformed puzzle",
            Fault::Missing { .. } => "no solution field",
            Fault::Solution(LineError { kind: LineErrorKind::Blank(_), .. }) => "blank in the solution",
            Fault::Solution(_) => "malformed solution",
            Fault::Wrong { violation, .. } => match **violation {
                grid::Fault::Clue { .. } => "clue not kept",
                grid::Fault::Cover(_) => "not an exact cover",
                _ => "symbol twice in a unit",
            },
            Fault::Readable { .. } => "puzzle is not malformed",
            Fault::Count { .. } => "other number of solutions",
        }
    }

    /// The fault in words, with symbols as they are `written`.
    fn in_words(&self, written: impl Fn(u8) -> String) -> String {
        match self {
            Fault::Wrong { violation, .. } => format!("wrong solution: {}", violation.in_words(written)),
            _ => self.to_string(),
        }
    }
}

/// Verifies every record of `source`. `prover`, if given, proves that each solution is the only one. `report` gets each
/// faulty record, in order.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read), [`InputError`](crate::input::InputError),
/// [`ErrorKind::Stopped`](crate::ErrorKind::Stopped), [`Unsupported`](crate::engine::Unsupported),
/// [`Unanswered`](crate::engine::Unanswered), and what `report` fails with.
pub fn verify(
    rules: &Rules,
    prover: Option<&'static Entry>,
    source: &mut Source,
    options: &InspectOptions<'_>,
    report: &mut dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error>,
) -> Result<InspectOutcome, Error> {
    let path = source.name().to_owned();
    let cells = rules.stride();
    let judge = || SolutionJudge { verifier: Verifier::new(rules), cells, buffer: Vec::new() };
    inspect(source, rules, prover, options, judge, &mut |line, fault| {
        let malformed = match &fault {
            Fault::Puzzle(error) | Fault::Solution(error) => Some(error),
            _ => None,
        };
        let (column, reason, message) =
            (Some(fault.column()), fault.in_short(), fault.in_words(written(rules)));
        let lacks_answer = matches!(fault, Fault::Missing { .. });
        report(&FaultyRecord {
            path: &path,
            line,
            column,
            malformed,
            reason,
            message: &message,
            lacks_answer,
        })
    })
}

struct SolutionJudge {
    verifier: Verifier,
    /// Cells of a puzzle.
    cells: usize,
    buffer: Vec<u8>,
}

impl Judge for SolutionJudge {
    type Verdict = Verdict;
    type Fault = Fault;

    /// Larger chunks than for solving: a record takes a tenth of the time, and waking a thread takes the same. Of a
    /// chunk of pairs, half is puzzles.
    const CHUNK_BYTES: usize = 8 * CHUNK_BYTES;

    #[inline(always)]
    fn judge(
        &mut self,
        record: &Record<'_>,
        format: &Format,
        proved: Option<Status>,
    ) -> Result<Verdict, (Verdict, Fault)> {
        let judged = match &record.puzzle {
            // galop's own output for a line that it could not read.
            Err(_) if is_malformed_word(record.text, format) => Ok(Verdict::Unanswered),
            Err(error) => Err(Fault::Puzzle(*error)),
            Ok(puzzle) => self.judge_solution(record.text, puzzle, format, proved),
        };
        judged.map_err(|fault| (Verdict::Faulty, fault))
    }

    fn find_line(fault: &mut Fault, record: &Record<'_>, format: &Format) -> u64 {
        let column = match fault {
            // The place of a malformed puzzle is in its own line already.
            Fault::Puzzle(_) => return 0,
            Fault::Solution(LineError { column, .. })
            | Fault::Missing { column }
            | Fault::Readable { column }
            | Fault::Wrong { column, .. }
            | Fault::Count { column, .. } => column,
        };
        let (lines, in_line) = format.place_in(record.text, *column as usize - 1);
        *column = in_line;
        lines
    }
}

impl SolutionJudge {
    /// Whether the record has a right solution, or none at all.
    #[inline(always)]
    fn judge_solution(
        &mut self,
        text: &[u8],
        puzzle: &Puzzle<'_>,
        format: &Format,
        proved: Option<Status>,
    ) -> Result<Verdict, Fault> {
        // A right solution has no separators: it is one field. (So most records need no search for its end: 7 % fewer
        // instructions.)
        if let Some(rest) = format.rest(text, &puzzle.at)
            && self.verifier.check_text(puzzle.cells, rest).is_ok()
        {
            return judge_right(proved, puzzle.at.end as u32 + 2);
        }
        let Some(field) = AnswerField::read(format, text, &puzzle.at, &mut self.buffer) else {
            // A grid of several lines has no room for a solution.
            let is_grid = format.notation.choices.is_none() && puzzle.text.len() > self.cells;
            return Err(Fault::Missing { column: if is_grid { 1 } else { puzzle.at.end as u32 + 1 } });
        };
        let column = field.at.start as u32 + 1;
        match field.content {
            AnswerContent::Word(claimed) => judge_word(claimed, proved, column),
            AnswerContent::Blank => Ok(Verdict::Unanswered),
            AnswerContent::Answer => match field.check(&self.verifier, puzzle.cells, (format, text)) {
                Ok(()) => judge_right(proved, column),
                Err((at, fault)) => Err(Fault::of_answer(at as u32 + 1, fault)),
            },
        }
    }
}

/// The verdict on a record with a right solution, whose text begins at this column.
#[inline(always)]
fn judge_right(proved: Option<Status>, column: u32) -> Result<Verdict, Fault> {
    match proved {
        None | Some(Status::Solved) => Ok(Verdict::Right),
        Some(status) => {
            Err(Fault::Count { column, claim: "given as the only solution", found: words(status) })
        }
    }
}

/// The verdict on a record with the status word `claimed` at this column.
fn judge_word(claimed: Status, proved: Option<Status>, column: u32) -> Result<Verdict, Fault> {
    let Some(found) = proved else { return Ok(Verdict::Unanswered) };
    let claim = match claimed {
        Status::None => "given as having no solution",
        Status::Multiple => "given as having several solutions",
        Status::Limit => "given up at a limit",
        Status::Malformed => return Err(Fault::Readable { column }),
        _ => return Ok(Verdict::Unanswered),
    };
    if found == claimed {
        Ok(Verdict::Unanswered)
    } else {
        Err(Fault::Count { column, claim, found: words(found) })
    }
}

/// Whether a malformed record has the status word `malformed`.
fn is_malformed_word(text: &[u8], format: &Format) -> bool {
    let is_in_field =
        || format.taken.is_some() && format.solution(text, 0..0).is_some_and(|at| text[at] == *b"malformed");
    text.ends_with(b",malformed") || text.ends_with(b"\tmalformed") || text == b"malformed" || is_in_field()
}

fn words(status: Status) -> &'static str {
    match status {
        Status::Solved => "exactly one",
        Status::None => "none",
        Status::Multiple => "several",
        Status::Stuck => "no solution that the engine can find without guessing: not proved",
        _ => "a search that exceeds the limit on guesses: not proved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::named;
    use crate::pipeline::Verdicts;
    use std::num::NonZero;
    use std::sync::atomic::AtomicBool;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const SOLUTION: &str =
        "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

    fn check(text: String, unique: bool) -> (Verdicts, Vec<String>) {
        check_with(unique.then(|| named("dlx").unwrap()), text)
    }

    fn check_with(unique: Option<&'static Entry>, text: String) -> (Verdicts, Vec<String>) {
        let stop = AtomicBool::new(false);
        let options = InspectOptions::default().threads(NonZero::new(2)).stop(&stop);
        let mut source = Source::stream("file", std::io::Cursor::new(text.into_bytes()));
        let mut faults = Vec::new();
        let verified = verify(&Rules::default(), unique, &mut source, &options, &mut |faulty| {
            faults.push(faulty.to_string());
            Ok(())
        });
        (verified.unwrap().verdicts, faults)
    }

    #[test]
    fn right_wrong_and_unanswered_are_distinguished() {
        let swapped = SOLUTION.replacen("41", "14", 1);
        let text = format!(
            "# comment\n{PUZZLE},{SOLUTION}\n{PUZZLE},{swapped}\n{PUZZLE},none\nrubbish,malformed\n\
             rubbish\n{PUZZLE}\n{PUZZLE},123\n{PUZZLE},{}\n",
            SOLUTION.replace('9', ".")
        );
        let (verified, faults) = check(text, false);
        assert_eq!(verified.counts, [("right", 1), ("faulty", 5), ("without a solution", 2)]);
        assert_eq!((verified.records, verified.faults), (8, 5));
        assert_eq!(faults[0], "file:3:83: wrong solution: row 1, column 1 holds 1, but the clue is 4");
        let begins = [
            "file:6:1: ",
            "file:7:82: no solution",
            "file:8:83: in the solution: 3 cells",
            "file:9:88: in the solution: `.` is a blank",
        ];
        for (fault, begin) in faults[1..].iter().zip(begins) {
            assert!(fault.starts_with(begin), "{fault}");
        }
    }

    /// The column belongs to the cell to blame.
    #[test]
    fn a_wrong_solution_is_described_in_the_symbols_of_the_file() {
        let blank = ".".repeat(81);
        let twice = SOLUTION.replacen("417", "414", 1);
        let (_, faults) = check(format!("{blank},{twice}\n"), false);
        let words = "4 occurs twice in row 1: in row 1, column 1 and in row 1, column 3";
        assert_eq!(faults, [format!("file:1:85: wrong solution: {words}")]);
        let rules = Rules::sudoku(16).unwrap();
        let symbol = |at: usize| rules.alphabet().character((at % 16) as u8 + 1);
        // The rows are right. 11 is written B.
        let solution: String = (0..256).map(|at| char::from(symbol(at + 10))).collect();
        let stop = AtomicBool::new(false);
        let options = InspectOptions::default().threads(NonZero::new(1)).stop(&stop);
        let text = format!("{},{solution}\n", ".".repeat(256)).into_bytes();
        let mut source = Source::stream("file", std::io::Cursor::new(text));
        let mut found = Vec::new();
        verify(&rules, None, &mut source, &options, &mut |faulty| {
            found.push((faulty.to_string(), faulty.reason));
            Ok(())
        })
        .unwrap();
        let words = "B occurs twice in column 1: in row 1, column 1 and in row 2, column 1";
        assert_eq!(found, [(format!("file:1:274: wrong solution: {words}"), "symbol twice in a unit")]);
    }

    /// Answers are found by place: malformed records have none, and chunks have many records.
    #[test]
    fn every_engine_proves_the_same_in_large_files() {
        let open = format!("{}{}", ".".repeat(30), &SOLUTION[30..]);
        let right = format!("{PUZZLE},{SOLUTION}");
        let lines = [&right, "rubbish,malformed", &right, &format!("{open},{SOLUTION}"), "rubbish"];
        let text: String = (0..20_000).map(|line| format!("{}\n", lines[line % 7 % 5])).collect();
        let [expected, others @ ..] =
            ["bitboard", "lanes", "grid"].map(|name| check_with(named(name), text.clone()));
        assert_eq!(expected.0.records, 20_000);
        assert!(
            expected
                .1
                .contains(&"file:19989:83: given as the only solution, but the puzzle has several".into())
        );
        assert!(others.iter().all(|other| *other == expected));
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = format!("id,solution,puzzle\r\n7,\"{SOLUTION}\",{PUZZLE}\r\n8,{PUZZLE},{PUZZLE}\r\n");
        let (verified, faults) = check(text, false);
        assert_eq!(verified.counts.map(|(_, count)| count), [1, 1, 0]);
        assert!(faults[0].starts_with("file:3:4: in the solution"), "{faults:?}");
    }

    /// Fields in quotes may hold line ends: the fault has the line and column of its byte.
    #[test]
    fn a_fault_behind_a_line_end_in_quotes_has_its_own_line() {
        let wrong = SOLUTION.replacen("41", "14", 1);
        let rows = format!(
            "\"a\nbc\",{PUZZLE},{wrong}\nd,{PUZZLE},{wrong}\n\"a\n\",{PUZZLE},x\n\"a\nb\",{PUZZLE}\n{PUZZLE},\"\nrubbish\",\n"
        );
        let (verified, faults) = check(format!("note,puzzle,solution\n{rows}"), false);
        assert_eq!(verified.counts.map(|(_, count)| count), [0, 5, 0]);
        let places: Vec<&str> = faults.iter().filter_map(|fault| fault.split(": ").next()).collect();
        assert_eq!(places, ["file:3:87", "file:4:85", "file:6:85", "file:8:85", "file:9:84"]);
    }

    #[test]
    fn uniqueness_is_proved_on_request() {
        let open = format!("{}{}", ".".repeat(30), &SOLUTION[30..]);
        let text = format!("{PUZZLE},{SOLUTION}\n{open},{SOLUTION}\n{open},none\n{open},multiple\n");
        assert_eq!(check(text.clone(), false).0.faults, 0);
        let (verified, faults) = check(text, true);
        assert_eq!(verified.counts.map(|(_, count)| count), [1, 2, 1]);
        assert_eq!(faults[0], "file:2:83: given as the only solution, but the puzzle has several");
        assert_eq!(faults[1], "file:3:83: given as having no solution, but the puzzle has several");
        let text = format!("{PUZZLE},malformed\n{PUZZLE},limit\nrubbish,malformed\n{PUZZLE},stuck\n");
        assert_eq!(check(text.clone(), false).0.faults, 0);
        let (verified, faults) = check(text, true);
        assert_eq!(verified.counts.map(|(_, count)| count), [0, 2, 2]);
        assert_eq!(faults[0], "file:1:83: given as malformed, but the puzzle can be read");
        assert_eq!(faults[1], "file:2:83: given up at a limit, but the puzzle has exactly one");
    }
}
