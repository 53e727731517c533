//! What a worker does with a chunk.

use std::mem::take;

use super::answers::{Comparison, WrongAnswer};
use super::header::{Kept, row};
use super::options::SolveOptions;
use super::outcome::{SolveOutcome, sum};
use crate::engine::{Engine, Entry, Timed};
use crate::error::{Error, ErrorKind};
use crate::figures::{Point, Slow, Slowest, Tally};
use crate::grid::{Alphabet, Rules, Verifier, Violation, WrongSolution};
use crate::input::LineError;
use crate::input::format::Format;
use crate::input::records::{MALFORMED_KEPT, Puzzle, Record};
use crate::output::{self, Extras, FormatEntry, Layout};
use crate::pipeline::crosscheck::CrossChecker;
use crate::pipeline::{ChunkJob, Failure, Unanswered};
use crate::puzzle::{Answer, Effort, Limits, Status};

/// Points that a chunk gives to the outcome at most.
const MAX_POINTS: usize = 1024;

/// What one chunk becomes. Lines count from 0 in the chunk.
#[derive(Default)]
pub(super) struct Page {
    /// The bytes of the output.
    pub(super) out: Vec<u8>,
    pub(super) malformed: Vec<(u64, LineError)>,
    /// The first wrong answers that the input gives.
    pub(super) wrong_answers: Vec<WrongAnswer>,
    pub(super) slowest: Slowest,
    pub(super) points: Vec<Point>,
}

/// What one thread keeps between chunks.
pub(super) struct SolveWorker {
    name: &'static str,
    engine: Box<dyn Engine>,
    limits: Limits,
    verifier: Verifier,
    crosschecker: Option<CrossChecker>,
    alphabet: Alphabet,
    /// How many of the slowest puzzles of a chunk are kept.
    slowest: usize,
    /// The solutions of the chunk, flat cells.
    solutions: Vec<u8>,
    /// The answers of the chunk. Each is cleared as soon as it is printed, so that all are unanswered before the next
    /// chunk. (Clearing all of them before a chunk takes puzzles and solutions out of the second-level cache.)
    answers: Vec<Answer>,
    tally: Tally,
    comparison: Comparison,
    first: FirstGuesses,
    printer: Printer,
}

/// Guesses before the first solution of each puzzle of a chunk.
struct FirstGuesses {
    /// Whether they are wanted.
    is_wanted: bool,
    /// The answers of searches for one solution, if those of the run look for more.
    answers: Vec<Answer>,
    solutions: Vec<u8>,
}

/// How records are printed.
struct Printer {
    format: &'static FormatEntry,
    layout: Layout,
    /// The names of the columns behind the fields of the input.
    names_behind: Vec<&'static str>,
    /// Where the records of the chunk come from.
    place: output::Place,
    extras: Extras,
    times: bool,
    /// The solution being printed, as text: one character a cell.
    text: Vec<u8>,
    /// Room for a puzzle that was not read as one character a cell.
    puzzle: Vec<u8>,
    rules: Rules,
}

impl SolveWorker {
    pub(super) fn new(
        rules: &Rules,
        engine: &Entry,
        (layout, extras): (&Layout, Extras),
        options: &SolveOptions<'_>,
    ) -> Result<SolveWorker, Error> {
        let made = (engine.make)(rules, options.isa).map_err(ErrorKind::from)?;
        let crosschecker = options.crosscheck.map(|sample| CrossChecker::new(sample, engine, rules));
        Ok(SolveWorker {
            name: engine.name,
            engine: if options.times { Box::new(Timed(made)) } else { made },
            limits: options.limits,
            verifier: Verifier::new(rules),
            crosschecker: crosschecker.transpose().map_err(ErrorKind::from)?,
            alphabet: rules.alphabet().clone(),
            slowest: options.slowest,
            solutions: Vec::new(),
            answers: Vec::new(),
            tally: Tally::default(),
            comparison: Comparison::new(rules.alphabet().clone()),
            first: FirstGuesses {
                is_wanted: layout.has("guesses_first"),
                answers: Vec::new(),
                solutions: Vec::new(),
            },
            printer: Printer {
                format: options.format,
                layout: layout.clone(),
                names_behind: layout.names_behind().collect(),
                place: output::Place::default(),
                extras,
                times: options.times,
                text: vec![0; rules.grid().cells()],
                puzzle: Vec::new(),
                rules: rules.clone(),
            },
        })
    }

    /// Whether the engine solves many puzzles at once.
    pub(super) fn is_batched(&self) -> bool {
        self.engine.is_batched()
    }

    /// Adds what it counted.
    pub(super) fn add_to(self, outcome: &mut SolveOutcome) {
        outcome.tally += &self.tally;
        outcome.answers += self.comparison.counts;
        outcome.work = sum(outcome.work, self.engine.work());
        outcome.crosscheck = sum(outcome.crosscheck, self.crosschecker.map(|checker| checker.counts()));
    }

    /// Answers every record of `chunk`, and prints what is `kept` of it, too.
    pub(super) fn answer(
        &mut self,
        chunk: &ChunkJob<'_>,
        kept: Kept,
        page: &mut Page,
    ) -> Result<(), Failure> {
        chunk.solve(&mut *self.engine, self.limits, &mut self.solutions, &mut self.answers)?;
        if self.first.is_wanted {
            self.search_first(chunk)?;
        }
        self.start(chunk, page);
        let has_answers = chunk.format.has_answers();
        let columns = chunk.format.columns().filter(|_| kept.fields);
        let (solutions, mut answers) = (take(&mut self.solutions), take(&mut self.answers));
        // The puzzles of the records are in the order of their places.
        let mut solved = solutions.chunks_exact(chunk.puzzles().stride()).zip(&mut answers);
        for record in chunk.records() {
            let row = match columns {
                Some(columns) => Some(row(record.text, columns, record.missing_fields)),
                None if kept.fields => Some(self.printer.object(chunk.format, kept, &record)),
                None => None,
            };
            match &record.puzzle {
                Ok(puzzle) => {
                    let Some((solution, answer)) = solved.next() else {
                        return Err(self.unanswered(record.line));
                    };
                    let format = has_answers.then_some(chunk.format);
                    self.print_answer((&record, puzzle), (solution, answer), row, format, page)?;
                    self.crosscheck(chunk, &record, puzzle, (solution, answer))?;
                    answer.clear();
                }
                Err(error) => self.print_malformed(&record, *error, row, page),
            }
        }
        (self.solutions, self.answers) = (solutions, answers);
        Ok(())
    }

    /// Finds the guesses before the first solution of each puzzle. A search for one solution ends with it. The engines do
    /// not keep these guesses in a longer search, so that each puzzle is then searched again.
    #[cold]
    fn search_first(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        let first = &mut self.first;
        if self.limits.solutions() == Some(1) {
            first.answers.clone_from(&self.answers);
            return Ok(());
        }
        let mut limits = Limits::ANY;
        if let Some(guesses) = self.limits.guesses() {
            limits = limits.with_guesses(guesses);
        }
        first.answers.clear();
        chunk.solve(&mut *self.engine, limits, &mut first.solutions, &mut first.answers)
    }

    /// Starts the page of a chunk that was solved.
    fn start(&mut self, chunk: &ChunkJob<'_>, page: &mut Page) {
        page.out.clear();
        page.out.reserve(chunk.len() * 2 * (self.printer.text.len() + 1));
        page.malformed.clear();
        page.wrong_answers.clear();
        let place = &mut self.printer.place;
        place.lines_before = chunk.lines_before;
        place.source.clear();
        place.source.push_str(&chunk.source.to_string_lossy());
        page.slowest = Slowest::new(self.slowest);
        page.points.clear();
        let step = self.answers.len().div_ceil(MAX_POINTS).max(1);
        page.points.extend(self.answers.iter().step_by(step).map(|answer| Point::of(answer.effort)));
    }

    /// Verifies, counts, keeps and prints the answer to `puzzle`. It is compared with that of a record `with_answers`.
    #[inline(always)]
    fn print_answer(
        &mut self,
        (record, puzzle): (&Record<'_>, &Puzzle<'_>),
        (solution, answer): (&[u8], &Answer),
        row: Option<output::Row<'_>>,
        with_answers: Option<&dyn Format>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        let (status, effort) = (answer.status(self.limits), answer.effort);
        if status == Status::Unanswered {
            return Err(self.unanswered(record.line));
        }
        let Printer { format, layout, place, extras, times, text, puzzle: puzzle_text, rules, .. } =
            &mut self.printer;
        let text = text.as_mut_slice();
        let has_solution = answer.solutions > 0;
        if has_solution || answer.is_stuck() {
            write_cells(solution, &self.alphabet, answer.is_stuck(), text);
        }
        // The bytes that are written are verified.
        if has_solution && let Err(violation) = self.verifier.check_text(puzzle.cells, text) {
            return Err(self.wrong(record.line, puzzle.cells, solution, violation));
        }
        let mut differs = false;
        if let Some(format) = with_answers {
            let found = has_solution.then_some(&*text);
            let wrong = self.comparison.compare(format, &self.verifier, (record, puzzle), found);
            differs = wrong.is_some();
            page.wrong_answers.extend(wrong.filter(|_| page.wrong_answers.len() < MALFORMED_KEPT));
        }
        count(&mut self.tally, status, effort, *times, *extras);
        if page.slowest.wants(effort) {
            let puzzle = puzzle.on_one_line(&self.alphabet, puzzle_text);
            keep(&mut page.slowest, record.line, effort, puzzle, has_solution.then_some(text));
        }
        if let Some(print) = format.print_pair {
            let puzzle_text = puzzle.on_one_line(&self.alphabet, puzzle_text);
            let solution = if status == Status::Solved { &*text } else { status.word().as_bytes() };
            print(puzzle_text, solution, &mut page.out);
            return Ok(());
        }
        if let Some(print) = format.print_cells {
            let cells = (status == Status::Solved).then_some(solution);
            print(cells, solution.len(), &mut page.out);
            return Ok(());
        }
        let printed = output::Record {
            puzzle: puzzle.on_one_line(&self.alphabet, puzzle_text),
            row,
            status,
            solution: (status == Status::Solved).then_some(text),
            solutions: answer.solutions,
            guesses: effort.guesses,
            nanos: times.then_some(effort.nanos),
            calls: extras.calls.then_some((effort.calls, effort.depth)),
            partial: extras.partial.then_some(if answer.is_stuck() { text } else { b"" }),
            cells: puzzle.cells,
            guesses_first: self.first.answers.get(puzzle.place).and_then(guesses_of_first),
            differs,
            line: record.line,
            place,
            rules: Some(rules),
        };
        (format.print)(&printed, layout, &mut page.out);
        Ok(())
    }

    /// Counts and prints a record that is not a puzzle.
    fn print_malformed(
        &mut self,
        record: &Record<'_>,
        error: LineError,
        row: Option<output::Row<'_>>,
        page: &mut Page,
    ) {
        if page.malformed.len() < MALFORMED_KEPT {
            page.malformed.push((record.line, error));
        }
        self.tally.count(Status::Malformed);
        let printed = output::Record {
            puzzle: record.text,
            row,
            status: Status::Malformed,
            solution: None,
            solutions: 0,
            guesses: 0,
            nanos: None,
            calls: self.printer.extras.calls.then_some((0, 0)),
            partial: self.printer.extras.partial.then_some(b""),
            cells: &[],
            guesses_first: None,
            differs: false,
            line: record.line,
            place: &self.printer.place,
            rules: Some(&self.printer.rules),
        };
        (self.printer.format.print)(&printed, &self.printer.layout, &mut page.out);
    }

    /// Solves the puzzle again if it belongs to the sample.
    #[inline(always)]
    fn crosscheck(
        &mut self,
        chunk: &ChunkJob<'_>,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        (solution, answer): (&[u8], &Answer),
    ) -> Result<(), Failure> {
        let Some(checker) = self.crosschecker.as_mut().filter(|checker| checker.wants(puzzle.cells)) else {
            return Ok(());
        };
        if chunk.is_stopped() {
            return Err(Failure::stopped());
        }
        let checked = checker.check(puzzle.cells, solution, *answer, self.limits);
        checked.map_err(|kind| Failure::in_line(record.line, kind))
    }

    #[cold]
    fn unanswered(&self, line: u64) -> Failure {
        Failure::in_line(line, Unanswered { engine: self.name })
    }

    #[cold]
    fn wrong(&self, line: u64, puzzle: &[u8], solution: &[u8], violation: Violation) -> Failure {
        // In digits, a blank is 0.
        let character = |&cell: &u8| match self.alphabet.character(cell) {
            b'.' if self.alphabet.is_digits() => '0',
            character => character.into(),
        };
        let text = |cells: &[u8]| cells.iter().map(character).collect();
        let (puzzle, solution) = (text(puzzle), text(solution));
        Failure::in_line(line, WrongSolution { engine: self.name, puzzle, solution, violation })
    }
}

impl Printer {
    /// The object of `record`, to be printed with all its members.
    fn object<'a>(&self, format: &'a dyn Format, kept: Kept, record: &Record<'a>) -> output::Row<'a> {
        let name = format.taken().map_or("puzzle", |taken| &taken.puzzle);
        let taken = kept.taken | format.keys_among(record.text, &self.names_behind);
        output::Row { text: record.text, name, taken, ..output::Row::default() }
    }
}

/// The guesses of a search that ended at the first solution, if it found one.
fn guesses_of_first(answer: &Answer) -> Option<u64> {
    (answer.solutions > 0).then_some(answer.effort.guesses)
}

/// Writes `cells` to `text` in the characters of `alphabet`. `is_partial`: a blank is written `.`, also in digits.
#[inline(always)]
fn write_cells(cells: &[u8], alphabet: &Alphabet, is_partial: bool, text: &mut [u8]) {
    if !alphabet.is_digits() {
        cells.iter().zip(text).for_each(|(&cell, byte)| *byte = alphabet.character(cell));
        return;
    }
    // A number of cells that the compiler knows becomes straight vector code.
    match (<&[u8; 81]>::try_from(cells), <&mut [u8; 81]>::try_from(&mut *text)) {
        (Ok(cells), Ok(text)) => {
            for at in 0..81 {
                text[at] = cells[at].wrapping_add(b'0');
            }
        }
        _ => cells.iter().zip(&mut *text).for_each(|(&cell, byte)| *byte = cell.wrapping_add(b'0')),
    }
    if is_partial {
        text.iter_mut().filter(|byte| **byte == b'0').for_each(|byte| *byte = b'.');
    }
}

/// Counts one answer.
#[inline(always)]
fn count(tally: &mut Tally, status: Status, effort: Effort, times: bool, extras: Extras) {
    tally.count(status);
    tally.add_effort(effort, times);
    if extras.calls {
        tally.add_calls(effort);
    }
}

/// Keeps one of the slowest puzzles.
#[cold]
fn keep(slowest: &mut Slowest, line: u64, effort: Effort, puzzle: &[u8], solution: Option<&[u8]>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    slowest.offer(Slow {
        nanos: effort.nanos,
        guesses: effort.guesses,
        input: 0,
        line,
        puzzle: text(puzzle),
        solution: solution.map(text),
    });
}
