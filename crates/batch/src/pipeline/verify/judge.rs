//! What a record is: right, faulty or unanswered.
//!
//! A record is right if its solution field holds a solution of its puzzle. A status word in that field (`none`,
//! `multiple`, `limit`, `malformed`) or a grid of blanks is not a claim of a solution. Such records are counted as
//! unanswered; what the word says is proved only if uniqueness is. `limit` is then right only if the engine gives up,
//! too.

use crate::grid::{self, Grid, Rules, Verifier};
use crate::input::answer::{AnswerContent, AnswerField};
use crate::input::format::Format;
use crate::input::records::{Puzzle, Record};
use crate::input::{AnswerFault, LineError, LineErrorKind};
use crate::puzzle::Status;

/// What a record turns out to be, if it has no fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It has a right solution.
    Right,
    /// It claims no solution.
    Unanswered,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// The puzzle is malformed.
    #[error("{0}")]
    Puzzle(LineError),
    /// The puzzle stands alone, without a solution field, and an engine solves it.
    #[error("{}", alone(*found, clash.as_deref().map(grid::Fault::to_string)))]
    Alone {
        /// The column of the puzzle, from 1.
        column: u32,
        /// What the engine found; unanswered until the puzzle is solved.
        found: Status,
        /// Two clues that clash, if the puzzle has no solution because of them.
        clash: Option<Box<grid::Fault>>,
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
    pub(super) fn column(&self) -> u32 {
        match self {
            Fault::Puzzle(error) | Fault::Solution(error) => error.column,
            Fault::Alone { column, .. }
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
    pub(super) fn in_short(&self) -> &'static str {
        match self {
            Fault::Puzzle(_) => "malformed puzzle",
            Fault::Alone { found, .. } => found.word(),
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
    pub(super) fn in_words(&self, written: impl Fn(u8) -> String) -> String {
        match self {
            Fault::Wrong { violation, .. } => format!("wrong solution: {}", violation.in_words(written)),
            Fault::Alone { found, clash: Some(clash), .. } => alone(*found, Some(clash.in_words(written))),
            _ => self.to_string(),
        }
    }

    /// Finds the place of the fault in a record of several lines. Returns how many lines of the record come before it.
    pub(super) fn find_line(&mut self, record: &Record<'_>, format: &Format) -> u64 {
        let column = match self {
            // The place of a malformed puzzle is in its own line already.
            Fault::Puzzle(_) => return 0,
            Fault::Solution(LineError { column, .. })
            | Fault::Alone { column, .. }
            | Fault::Readable { column }
            | Fault::Wrong { column, .. }
            | Fault::Count { column, .. } => column,
        };
        let (lines, in_line) = format.place_in(record.text, *column as usize - 1);
        *column = in_line;
        lines
    }
}

/// Gives a verdict on one record after the other. Each thread has one.
pub(super) struct Judge {
    verifier: Verifier,
    grid: Grid,
    buffer: Vec<u8>,
}

impl Judge {
    pub(super) fn new(rules: &Rules) -> Judge {
        Judge { verifier: Verifier::new(rules), grid: rules.grid().clone(), buffer: Vec::new() }
    }

    /// The verdict on `record`, or its fault. `proved` says how many solutions its puzzle has, if they are counted.
    #[inline(always)]
    pub(super) fn judge(
        &mut self,
        record: &Record<'_>,
        format: &Format,
        proved: Option<Status>,
    ) -> Result<Verdict, Fault> {
        match &record.puzzle {
            // galop's own output for a line that it could not read.
            Err(_) if is_malformed_word(record.text, format) => Ok(Verdict::Unanswered),
            Err(error) => Err(Fault::Puzzle(*error)),
            Ok(puzzle) => self.judge_solution(record.text, puzzle, format, proved),
        }
    }

    /// Two clues of `puzzle` that clash, which is why it has no solution.
    pub(super) fn clash(&self, puzzle: &[u8]) -> Option<Box<grid::Fault>> {
        self.grid.check_clues(puzzle).err().map(Box::new)
    }

    /// The verdict on a record with a puzzle.
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
            let (column, found) = (puzzle.at.start as u32 + 1, proved.unwrap_or(Status::Unanswered));
            let clash = (found == Status::None).then(|| self.clash(puzzle.cells)).flatten();
            return Err(Fault::Alone { column, found, clash });
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

/// What an engine found for a puzzle that stands alone, with the reason for `none` if it is known.
fn alone(found: Status, reason: Option<String>) -> String {
    let word = found.word();
    match (found, reason) {
        (Status::None, Some(reason)) => format!("{word}: {reason}"),
        (Status::None, None) => format!("{word}: the puzzle has no solution"),
        (Status::Multiple, _) => format!("{word}: the puzzle has several solutions"),
        (Status::Stuck, _) => format!("{word}: the engine never guesses and cannot finish the puzzle"),
        _ => format!("{word}: the engine gave up at the limit on guesses"),
    }
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
