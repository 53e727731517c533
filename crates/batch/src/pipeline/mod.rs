//! Sources through a task on all cores, and the results back in order.
//!
//! A run cuts a source into chunks and sends them through the [`workers`]. A task (`run.rs`) says what is done to a
//! chunk: it is solved ([`SolveRun`]), rewritten ([`rewrite`]) or verified ([`verify`]).

mod answerer;
mod convert;
mod crosscheck;
mod error;
mod fields;
mod malformed;
pub mod rewrite;
mod run;
mod solve;
mod verify;
mod watch;
pub mod workers;

use std::cell::Cell;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::grid::Verifier;
use crate::input::InputError;
use crate::input::answer::AnswerField;
use crate::input::format::{Format, Header};
use crate::input::records::{MissingCells, Puzzle, Record, Records};
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

pub use crate::engine::Unanswered;
pub use crate::parts::{Part, Shard, ShardError, SolvedInput, facts_of};
pub use convert::convert;
pub use crosscheck::{CrosscheckCounts, Sample, agree, claim, digits, in_words, opinion};
pub use error::{ColumnsDiffer, Disagreement, NotConverted, Opinion};
pub use rewrite::{RewriteOptions, RewriteOutcome, RewriteRun};
pub use run::{SourceRun, UnknownState};
pub use solve::{AnswerCounts, CHOICES, Choice, Selection, SolveOptions, SolveOutcome, SolveRun, choice};
pub use verify::{
    Faults, FaultyRecord, ReasonFaults, Verdicts, VerifyOptions, VerifyOutcome, VerifyRun, verify,
};
pub use watch::{Watch, WrongAnswer};

/// Bytes of a chunk: 400 puzzles. Small enough to give all cores work on a small file, large enough that handing it
/// over (microseconds) does not count.
pub const CHUNK_BYTES: usize = 32 * 1024;

/// Bytes of a chunk for engines that solve many puzzles at once: 6,000 puzzles, so that their lanes are full
/// nearly all of the time. With half of it such an engine is 4 % slower, with a quarter 10 %; with the double it is no
/// faster and takes twice the memory. The rest of the pipeline is as fast with any of them.
///
/// Greatest memory of the process itself (RssAnon): one thread 6 MiB, two 11; 12 and 19 if the input is not mapped.
pub const BATCH_CHUNK_BYTES: usize = 512 * 1024;

/// Time of a piece of a chunk above which the next one is smaller.
const PIECE: Duration = Duration::from_millis(20);

/// Puzzles that an engine for single puzzles solves before they are counted, at most. To count takes as long as a tenth
/// of a puzzle.
const PIECE_PUZZLES: usize = 64;

/// How far the workers are with a source: what is delivered, and what they have done of later chunks.
#[derive(Debug, Default)]
struct WorkProgress {
    /// Bytes of the file, as it lies on the disk.
    bytes: AtomicU64,
    records: AtomicU64,
}

/// What the head of a source shows.
pub(crate) struct SourceHead<'a> {
    /// Its format.
    pub(crate) format: &'a Format,
    /// The header, if it is a table.
    pub(crate) header: Option<Header<'a>>,
    /// The first line that is neither blank nor a comment.
    pub(crate) first_record: &'a [u8],
}

/// A chunk as a worker sees it, its records read.
pub struct ChunkJob<'a> {
    bytes: &'a [u8],
    records: &'a Records,
    /// How its records are written.
    pub(crate) format: &'a Format,
    /// The name of the source.
    pub(crate) source: &'a Path,
    /// Lines of the source before the chunk, if the task numbers lines; else 0.
    pub(crate) lines_before: u64,
    stops: [&'a AtomicBool; 2],
    worked: &'a WorkProgress,
    /// Bytes of the file that the chunk takes.
    file_bytes: u64,
    /// Records of the chunk that are counted in `worked`, and the bytes that are counted for them.
    counted: Cell<(u64, u64)>,
}

impl<'a> ChunkJob<'a> {
    /// Counts the first `records` records as done, as far as they are not counted.
    pub fn advance_to(&self, records: usize) {
        let (records, all) = (records as u64, self.len() as u64);
        let (before, bytes_before) = self.counted.get();
        if records <= before || records > all {
            return;
        }
        let bytes = (u128::from(self.file_bytes) * u128::from(records) / u128::from(all)) as u64;
        self.count(records - before, bytes - bytes_before);
    }

    /// Counts the whole chunk, which may have no records.
    fn end(&self) {
        let (records, bytes) = self.counted.get();
        self.count(self.len() as u64 - records, self.file_bytes - bytes);
    }

    fn count(&self, records: u64, bytes: u64) {
        let (records_before, bytes_before) = self.counted.get();
        self.counted.set((records_before + records, bytes_before + bytes));
        self.worked.records.fetch_add(records, Ordering::Relaxed);
        self.worked.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Has `work` take the `puzzles` in pieces of `most` at most, and counts them. Slow puzzles come in small pieces.
    ///
    /// # Errors
    /// The errors of `work`.
    pub fn each_piece(
        &self,
        puzzles: usize,
        most: usize,
        mut work: impl FnMut(Range<usize>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (mut done, mut at_once) = (0, 1);
        while done < puzzles {
            let started = Instant::now();
            let end = puzzles.min(done + at_once);
            work(done..end)?;
            self.advance_to(end);
            done = end;
            at_once = if started.elapsed() < PIECE { most.min(4 * at_once) } else { at_once.div_ceil(4) };
        }
        Ok(())
    }

    /// Every record with its puzzle, in order.
    pub fn records(&self) -> impl Iterator<Item = Record<'a>> {
        self.records.iter(self.bytes)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The well-formed puzzles.
    pub fn puzzles(&self) -> Puzzles<'a> {
        self.records.puzzles()
    }

    /// Reads the answer beside the `puzzle` of `record`, a grid, into `cells` if `verifier` finds that it is a solution.
    /// Returns whether it is one; `None` if there is no answer.
    pub fn read_solution(
        &self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        verifier: &Verifier,
        cells: &mut [u8],
    ) -> Option<bool> {
        let mut buffer = Vec::new();
        let field = AnswerField::read(self.format, record.text, &puzzle.at, &mut buffer)?;
        let is_solution = verifier.check_text(puzzle.cells, field.text).is_ok();
        Some(is_solution && self.format.notation.alphabet.read(field.text, cells))
    }

    /// Has `engine` answer the puzzles. `solutions` gets their cells, flat, and `answers` their answers, which must be
    /// unanswered before.
    fn solve(
        &self,
        engine: &mut dyn Engine,
        limits: Limits,
        solutions: &mut Vec<u8>,
        answers: &mut Vec<Answer>,
    ) -> Result<(), Failure> {
        let puzzles = self.puzzles();
        if engine.is_batched() {
            return self.solve_batch(engine, puzzles, limits, solutions, answers);
        }
        let cells = puzzles.stride();
        solutions.resize(puzzles.len() * cells, 0);
        answers.resize(puzzles.len(), Answer::default());
        let mut places = Answers::new(solutions, answers, cells).map_err(ErrorKind::from)?;
        // An engine for single puzzles gives the same answers for any pieces.
        self.each_piece(puzzles.len(), PIECE_PUZZLES, |piece| {
            let mut places = places.slice(piece.clone());
            let solved = engine.solve_until(puzzles.slice(piece), limits, &mut places, &|| self.is_stopped());
            solved.map_err(ErrorKind::from)?;
            if self.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
        })
    }

    /// The same in one batch for other puzzles: some of the chunk, or what is made of them.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`], and [`WrongLength`](crate::engine::WrongLength).
    pub fn solve_batch(
        &self,
        engine: &mut dyn Engine,
        puzzles: Puzzles<'_>,
        limits: Limits,
        solutions: &mut Vec<u8>,
        answers: &mut Vec<Answer>,
    ) -> Result<(), Failure> {
        let cells = puzzles.stride();
        solutions.resize(puzzles.len() * cells, 0);
        answers.resize(puzzles.len(), Answer::default());
        let mut places = Answers::new(solutions, answers, cells).map_err(ErrorKind::from)?;
        let solved = engine.solve_until(puzzles, limits, &mut places, &|| self.is_stopped());
        solved.map_err(ErrorKind::from)?;
        if self.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    /// Whether the run was stopped or has failed, so that the page is not needed any more.
    pub fn is_stopped(&self) -> bool {
        self.stops.iter().any(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The place of a page in its source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PagePlace {
    /// Lines of all earlier chunks.
    pub(crate) lines_before: u64,
    /// Lines of the chunk.
    pub(crate) lines: u64,
    /// Records among them.
    pub(crate) records: u64,
    /// Offset in the source behind the chunk.
    pub(crate) end: u64,
    /// Bytes of the chunk.
    pub(crate) bytes: u64,
    /// Bytes of the file that were read for it: of a compressed file not the same as `end`.
    pub(crate) position: u64,
}

impl PagePlace {
    /// The line of the source, from 1, of a line of the chunk, from 0.
    pub(crate) fn line(&self, line: u64) -> u64 {
        self.lines_before + line + 1
    }

    /// Counts the chunk as read.
    fn count_in(&self, input: &mut SolvedInput) {
        input.lines = self.lines_before + self.lines;
        input.records += self.records;
        input.bytes += self.bytes;
    }
}

/// Why no page was made of a chunk.
#[derive(Debug)]
pub struct Failure {
    /// The line in the chunk, from 0, if one is to blame.
    line: Option<u64>,
    kind: ErrorKind,
}

impl Failure {
    /// The failure `kind` of a record in this line of the chunk, from 0.
    pub(crate) fn in_line(line: u64, kind: impl Into<ErrorKind>) -> Failure {
        Failure { line: Some(line), kind: kind.into() }
    }

    /// The run was stopped before the page was finished.
    pub fn stopped() -> Failure {
        ErrorKind::Stopped.into()
    }

    fn at(self, path: &Path, lines_before: u64) -> Error {
        let error = Error::at(path, self.kind);
        match self.line {
            Some(line) => error.in_line(lines_before + line + 1),
            None => error,
        }
    }
}

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Failure {
        Failure { line: None, kind }
    }
}

impl From<Error> for Failure {
    /// Of an error that names no place.
    fn from(error: Error) -> Failure {
        error.into_kind().into()
    }
}

impl From<MissingCells> for Failure {
    fn from(missing: MissingCells) -> Failure {
        Failure::in_line(missing.line, InputError::MissingCells { format: missing.format })
    }
}
