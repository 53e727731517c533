//! What a worker does with a chunk.

use std::mem::take;
use std::time::Duration;

use super::all::{Fault, Listing, PAGE_BYTES, Rest, Wanted};
use super::alone::Alone;
use super::answers::{Comparison, WrongAnswer};
use super::counted::Counted;
use super::header::{Kept, row, row_of};
use super::options::SolveOptions;
use super::outcome::{SolveOutcome, sum};
use super::selection::{Found, Selection};
use crate::engine::{Engine, Entry, Timed, Work};
use crate::error::{Error, ErrorKind};
use crate::figures::{Point, Slow, Slowest, Tally};
use crate::grid::{Alphabet, Rules, Verifier, Violation, WrongSolution};
use crate::input::LineError;
use crate::input::format::Format;
use crate::input::records::{MALFORMED_KEPT, Puzzle, Record};
use crate::output::{self, Extras, FormatEntry, Layout, TakenKeys};
use crate::pipeline::crosscheck::{CrossChecker, CrosscheckCounts};
use crate::pipeline::fields::{FieldPlan, FieldWriter};
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
    /// Solutions that are written when the page is delivered.
    pub(super) rests: Vec<Rest>,
    /// The counts of the chunk, if the run can be ended after it.
    pub(super) counted: Option<Box<Counted>>,
}

/// What one thread keeps between chunks.
pub(super) struct SolveWorker {
    name: &'static str,
    engine: Box<dyn Engine>,
    limits: Limits,
    /// Solutions of a puzzle that are printed at most; a puzzle with more gets the status [`Status::Limit`].
    most: u64,
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
    /// Which records are printed, if not all of them are.
    selection: Option<Selection>,
    /// Records that were printed.
    printed: u64,
    /// Solutions that were printed, or left to be printed when the page is delivered.
    listed: u64,
    /// Prints all solutions, if that is wanted.
    listing: Option<Listing>,
    printer: Printer,
    /// Writes the fields of records of another format, if the output has a place for them.
    fields: Option<FieldWriter>,
    /// The fields of the record that is printed.
    fields_text: Vec<u8>,
    /// The added keys that the object that is printed has already.
    keys: TakenKeys,
    /// The counts of the engine and the cross-check that were given to earlier pages, if every page gets its own.
    given: Option<(Option<Work>, Option<CrosscheckCounts>)>,
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
    /// Prints the text of a puzzle and its solution, if every record is printed and nothing else.
    print_pair: Option<fn(&[u8], &[u8], &mut Vec<u8>)>,
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
            // One more shows that there are more.
            limits: if options.all { options.limits.one_more() } else { options.limits },
            most: if options.all { options.limits.max_solutions() } else { u64::MAX },
            verifier: Verifier::new(rules),
            crosschecker: crosschecker.transpose().map_err(ErrorKind::from)?,
            alphabet: rules.alphabet().clone(),
            slowest: options.slowest,
            solutions: Vec::new(),
            answers: Vec::new(),
            tally: Tally::default(),
            comparison: Comparison::default(),
            first: FirstGuesses {
                is_wanted: layout.has("guesses_first"),
                answers: Vec::new(),
                solutions: Vec::new(),
            },
            selection: options.selection.cloned(),
            printed: 0,
            listed: 0,
            listing: options
                .all
                .then(|| Listing::new(rules, engine, options.format, layout))
                .transpose()
                .map_err(ErrorKind::from)?,
            printer: Printer {
                format: options.format,
                print_pair: match options.format.printer {
                    output::Printer::Pair(print) if options.selection.is_none() && !options.all => {
                        Some(print)
                    }
                    _ => None,
                },
                layout: layout.clone(),
                names_behind: layout.names_behind().collect(),
                place: output::Place::default(),
                extras,
                times: options.times,
                text: vec![0; rules.grid().cells()],
                puzzle: Vec::new(),
                rules: rules.clone(),
            },
            fields: options.format.copier.map(|copier| FieldWriter::new(copier, rules)),
            fields_text: Vec::new(),
            keys: TakenKeys::default(),
            given: None,
        })
    }

    /// Whether the engine solves many puzzles at once.
    pub(super) fn is_batched(&self) -> bool {
        self.engine.is_batched()
    }

    /// From now on every page gets the counts of its chunk.
    #[cfg(feature = "resume")]
    pub(super) fn count_each_chunk(&mut self) {
        self.given = Some(self.totals());
    }

    /// What the engine and the cross-check have done.
    pub(super) fn totals(&self) -> (Option<Work>, Option<CrosscheckCounts>) {
        (self.engine.work(), self.crosschecker.as_ref().map(CrossChecker::counts))
    }

    /// Gives the counts since the last page to this one.
    #[cold]
    fn give_counts(&mut self, page: &mut Page) {
        let (work, crosscheck) = self.totals();
        let Some((work_before, crosscheck_before)) = self.given.replace((work, crosscheck)) else { return };
        let counted = page.counted.get_or_insert_default();
        self.tally.take(&mut counted.tally);
        counted.answers = take(&mut self.comparison.counts);
        counted.printed = self.selection.as_ref().map(|_| take(&mut self.printed));
        counted.lost_fields = self.fields.as_mut().map_or(0, |fields| take(&mut fields.lost));
        counted.listed = self.listing.as_ref().map(|_| take(&mut self.listed));
        counted.work = work.map(|work| work_before.map_or(work, |before| work.since(before)));
        counted.crosscheck =
            crosscheck.map(|counts| crosscheck_before.map_or(counts, |before| counts.since(before)));
    }

    /// Adds what it counted and gave to no page. Returns the engine, to measure single puzzles of the run with, which took
    /// `elapsed`.
    pub(super) fn add_to(self, outcome: &mut SolveOutcome, elapsed: Duration) -> Alone {
        outcome.tally += &self.tally;
        outcome.answers += self.comparison.counts;
        outcome.printed = sum(outcome.printed, self.selection.as_ref().map(|_| self.printed));
        outcome.lost_fields += self.fields.as_ref().map_or(0, |fields| fields.lost);
        outcome.listed = sum(outcome.listed, self.listing.as_ref().map(|_| self.listed));
        if self.given.is_none() {
            let (work, crosscheck) = self.totals();
            outcome.work = sum(outcome.work, work);
            outcome.crosscheck = sum(outcome.crosscheck, crosscheck);
        }
        Alone::new(self.engine, self.limits, self.alphabet, elapsed)
    }

    /// Answers every record of `chunk`, and prints what is `kept` of it, too.
    pub(super) fn answer(
        &mut self,
        chunk: &ChunkJob<'_>,
        kept: &Kept,
        page: &mut Page,
    ) -> Result<(), Failure> {
        chunk.solve(&mut *self.engine, self.limits, &mut self.solutions, &mut self.answers)?;
        if self.first.is_wanted {
            self.search_first(chunk)?;
        }
        self.start(chunk, page);
        let has_answers = chunk.format.has_answers();
        let columns = chunk.format.columns();
        let (mut fields_text, mut keys) = (take(&mut self.fields_text), take(&mut self.keys));
        let (solutions, mut answers) = (take(&mut self.solutions), take(&mut self.answers));
        // The puzzles of the records are in the order of their places.
        let mut solved = solutions.chunks_exact(chunk.puzzles().stride()).zip(&mut answers);
        for record in chunk.records() {
            let row = match kept {
                Kept::Puzzle => None,
                Kept::Text { taken } => Some(match columns {
                    Some(columns) => row(record.text, columns, record.missing_fields),
                    None => object(chunk.format, (&self.printer.names_behind, taken), &record, &mut keys),
                }),
                Kept::Fields { plan, taken } => {
                    self.write_fields(&record, chunk.format, plan, &mut fields_text);
                    Some(row_of(self.printer.format, &fields_text, plan, &taken.0))
                }
            };
            match &record.puzzle {
                Ok(puzzle) => {
                    let Some((solution, answer)) = solved.next() else {
                        return Err(self.unanswered(record.line));
                    };
                    let format = has_answers.then_some(chunk.format);
                    self.print_answer(chunk, (&record, puzzle), (solution, answer), row, format, page)?;
                    self.crosscheck(chunk, &record, puzzle, (solution, answer))?;
                    answer.clear();
                }
                Err(error) => self.print_malformed(&record, *error, row, page),
            }
        }
        (self.solutions, self.answers) = (solutions, answers);
        (self.fields_text, self.keys) = (fields_text, keys);
        if self.given.is_some() {
            self.give_counts(page);
        }
        Ok(())
    }

    /// Writes all fields of `record` to `out`, in the format of the output. (Inlined, it would be in the way of runs that
    /// keep the text of records, or nothing.)
    #[inline(never)]
    fn write_fields(
        &mut self,
        record: &Record<'_>,
        format: &dyn Format,
        plan: &FieldPlan,
        out: &mut Vec<u8>,
    ) {
        out.clear();
        let Some(writer) = &mut self.fields else { return };
        match &record.puzzle {
            Ok(puzzle) => _ = writer.write(record, puzzle, format, plan, out),
            Err(_) => writer.write_malformed(record.text, plan, out),
        }
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
        page.rests.clear();
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
        chunk: &ChunkJob<'_>,
        (record, puzzle): (&Record<'_>, &Puzzle<'_>),
        (solution, answer): (&[u8], &Answer),
        row: Option<output::Row<'_>>,
        with_answers: Option<&dyn Format>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        let (mut status, effort) = (answer.status(self.limits), answer.effort);
        if answer.solutions > self.most {
            status = Status::Limit;
        }
        if status == Status::Unanswered {
            return Err(self.unanswered(record.line));
        }
        let Printer {
            format,
            print_pair,
            layout,
            place,
            extras,
            times,
            text,
            puzzle: puzzle_text,
            rules,
            ..
        } = &mut self.printer;
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
        if let Some(print) = *print_pair {
            let puzzle_text = puzzle.on_one_line(&self.alphabet, puzzle_text);
            let solution = if status == Status::Solved { &*text } else { status.word().as_bytes() };
            print(puzzle_text, solution, &mut page.out);
            return Ok(());
        }
        if let Some(selection) = &self.selection {
            let (solutions, guesses) = (answer.solutions, Some(effort.guesses));
            if !selection.has(&Found { status, solutions, differs, guesses }) {
                return Ok(());
            }
            self.printed += 1;
        }
        if let output::Printer::Cells(print) = format.printer {
            let cells = (status == Status::Solved).then_some(solution);
            print(cells, solution.len(), &mut page.out);
            return Ok(());
        }
        let printed = output::Record {
            puzzle: puzzle.on_one_line(&self.alphabet, puzzle_text),
            row,
            status,
            solution: (status == Status::Solved).then_some(text),
            solution_number: (self.listing.is_some() && status == Status::Solved).then_some(1),
            solutions: answer.solutions.min(self.most),
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
        if let Some(listing) = &mut self.listing {
            self.listed += printed.solutions;
            if printed.solutions > 1 || has_solution && status == Status::Limit {
                let count = printed.solutions;
                let wanted = Wanted { record: printed, engine: self.name, printed: 0, count };
                return print_all(listing, wanted, chunk, page);
            }
        }
        format.print(&printed, layout, &mut page.out);
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
        if let Some(selection) = &self.selection {
            let found = Found { status: Status::Malformed, solutions: 0, differs: false, guesses: None };
            if !selection.has(&found) {
                return;
            }
            self.printed += 1;
        }
        let printed = output::Record {
            puzzle: record.text,
            row,
            status: Status::Malformed,
            solution: None,
            solution_number: None,
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
        self.printer.format.print(&printed, &self.printer.layout, &mut page.out);
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
        let wrong = WrongSolution::new(self.name, puzzle, solution, violation, &self.alphabet);
        Failure::in_line(line, wrong)
    }
}

/// The object of `record`, to be printed with all its members. `first` are the added keys that the first object has, and
/// `keys` room for those of this one.
fn object<'a>(
    format: &'a dyn Format,
    (added, first): (&[&str], &TakenKeys),
    record: &Record<'a>,
    keys: &'a mut TakenKeys,
) -> output::Row<'a> {
    keys.0.clone_from(&first.0);
    format.for_each_key(record.text, &mut |key| keys.mark(added, key));
    let name = format.taken().map_or("puzzle", |taken| &taken.puzzle);
    output::Row { text: record.text, name, taken: &keys.0, ..output::Row::default() }
}

/// Prints all solutions of a puzzle that has several, as far as the page has room.
#[cold]
fn print_all(
    listing: &mut Listing,
    wanted: Wanted<'_>,
    chunk: &ChunkJob<'_>,
    page: &mut Page,
) -> Result<(), Failure> {
    let fail = |fault| match fault {
        Fault::Wrong(kind) => Failure::in_line(wanted.record.line, kind),
        Fault::Stopped | Fault::Write(_) => Failure::stopped(),
    };
    let mut is_full = |out: &mut Vec<u8>| Ok(out.len() >= PAGE_BYTES);
    let (printed, is_whole) = match page.out.len() < PAGE_BYTES {
        true => listing.print(&wanted, &mut page.out, &|| chunk.is_stopped(), &mut is_full).map_err(fail)?,
        false => (0, false),
    };
    if !is_whole {
        page.rests.push(Rest::new(page.out.len(), &Wanted { printed, ..wanted }));
    }
    Ok(())
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
