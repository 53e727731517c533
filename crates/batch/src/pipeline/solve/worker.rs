//! What a worker does with a chunk: the list of steps.
//!
//! ```text
//! read -> answer -> verify -> judge the given answer -> count -> select -> print -> cross-check
//! ```

use super::alone::Alone;
use super::answers::Comparison;
use super::counter::{ChunkCounts, Counter, keep};
use super::options::SolveOptions;
use super::page::Page;
use super::printer::Printer;
use super::selection::{RecordFacts, Selector};
use super::solution_text::SolutionText;
use crate::engine::{Engine, Entry, Work};
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::input::records::{AlikePuzzles, MALFORMED_KEPT, Record};
use crate::output::{Extras, Layout};
use crate::pipeline::answerer::Answerer;
use crate::pipeline::crosscheck::{CrossChecker, CrosscheckCounts};
use crate::pipeline::fields::{FieldWriter, SourcePlan};
use crate::pipeline::malformed::MalformedLines;
use crate::pipeline::{ChunkJob, Failure};
use crate::puzzle::{Puzzles, Status};
use std::mem::take;
use std::time::Duration;

/// Puzzles for which a step is done at once. They stay in the first-level cache.
const MOST_AT_ONCE: usize = 64;

/// The steps of one thread.
pub(super) struct SolveWorker {
    answerer: Answerer,
    solution_text: SolutionText,
    comparison: Comparison,
    counter: Counter,
    selector: Selector,
    fields: FieldWriter,
    printer: Printer,
    crosschecker: Option<CrossChecker>,
    /// Room for puzzles that were not read as one character a cell.
    puzzle_texts: Vec<u8>,
    /// What the engine and the cross-check had done at the end of the last chunk.
    before: (Option<Work>, Option<CrosscheckCounts>),
}

impl SolveWorker {
    pub(super) fn new(
        rules: &Rules,
        engine: &Entry,
        (layout, extras): (&Layout, Extras),
        options: &SolveOptions<'_>,
    ) -> Result<SolveWorker, Error> {
        let crosschecker = options.crosscheck.map(|sample| CrossChecker::new(sample, engine, rules));
        let mut worker = SolveWorker {
            answerer: Answerer::new(rules, engine, layout.has_first_guesses(), options)?,
            solution_text: SolutionText::new(rules, engine.name),
            comparison: Comparison::default(),
            counter: Counter::new(extras.calls, options),
            selector: Selector::new(options.selection),
            fields: FieldWriter::new(options.format, rules, layout.behind.headings.clone()),
            printer: Printer::new(rules, engine, (layout, extras), options)?,
            crosschecker: crosschecker.transpose().map_err(ErrorKind::from)?,
            puzzle_texts: Vec::new(),
            before: (None, None),
        };
        worker.before = worker.totals();
        Ok(worker)
    }

    /// Whether the engine solves many puzzles at once.
    pub(super) fn is_batched(&self) -> bool {
        self.answerer.engine.is_batched()
    }

    /// What the engine and the cross-check have done.
    pub(super) fn totals(&self) -> (Option<Work>, Option<CrosscheckCounts>) {
        (self.answerer.work(), self.crosschecker.as_ref().map(CrossChecker::counts))
    }

    /// Measures single puzzles of the run, which took `elapsed`: with `single`, or else with its own engine.
    pub(super) fn into_alone(self, single: Option<Box<dyn Engine>>, elapsed: Duration) -> Alone {
        let Answerer { engine, limits, .. } = self.answerer;
        Alone::new(single.unwrap_or(engine), limits, self.solution_text.notation, elapsed)
    }

    /// Answers every record of `chunk`, and prints what is `kept` of it, too.
    pub(super) fn answer(
        &mut self,
        chunk: &ChunkJob<'_>,
        kept: &SourcePlan,
        page: &mut Page,
        malformed: &mut MalformedLines,
    ) -> Result<(), Failure> {
        self.answerer.answer(chunk)?;
        self.printer.start(chunk, page);
        page.wrong_answers.clear();
        page.slowest = self.counter.slowest();
        page.points.clear();
        page.points.extend(self.answerer.points());
        let has_lines = self.printer.has_puzzle.is_some() && kept.keeps_nothing();
        let is_grid = chunk.format.notation.choices.is_none();
        let is_usual = has_lines && is_grid && !chunk.format.has_answers && self.crosschecker.is_none();
        let mut records = chunk.records.iter(chunk.bytes);
        loop {
            let alike = if is_usual { records.alike(MOST_AT_ONCE) } else { None };
            let solved = alike.map_or(0, |alike| self.answer_alike(&alike, chunk.puzzles(), page));
            records.skip_alike(solved);
            if solved == 0 {
                let Some(record) = records.next() else { break };
                self.answer_record(&record, chunk, kept, page, malformed)?;
            }
        }
        if kept.has_fields() {
            self.fields.check(chunk, kept)?;
        }
        self.give_counts(&mut page.counts);
        Ok(())
    }

    /// The steps for puzzles in lines that are alike, if a line is printed for each and nothing else is wanted, as in
    /// most runs. Ends before the first one that is not solved. Returns how many there were; if the solution of one is
    /// wrong, 0.
    ///
    /// A step for all of them, and then the next step: in one loop, 250 instructions a puzzle instead of 70.
    #[inline(never)]
    fn answer_alike(&mut self, alike: &AlikePuzzles<'_>, puzzles: Puzzles<'_>, page: &mut Page) -> usize {
        let SolveWorker { answerer, solution_text, counter, printer, puzzle_texts, .. } = self;
        let (cells, start) = (puzzles.stride(), alike.places.start);
        let (solutions, answers) = answerer.solved(alike.places.clone(), cells);
        let puzzles = puzzles.slice(start..start + answers.len());
        if !solution_text.write_all(puzzles, solutions) {
            return 0;
        }
        let (puzzle_texts, stride) = alike.texts(&solution_text.notation, puzzles, puzzle_texts);
        let texts = solution_text.get();
        for (index, answer) in answers.iter_mut().enumerate() {
            counter.count(Status::Solved, answer.effort);
            if page.slowest.wants(answer.effort) {
                let text = texts.get(index * cells..(index + 1) * cells);
                let (line, puzzle) = (alike.line + index as u64, &puzzle_texts[index * stride..][..cells]);
                keep(&mut page.slowest, line, answer.effort, puzzle, text);
            }
            answer.clear();
        }
        printer.print_solved((puzzle_texts, stride), texts, cells, &mut page.out);
        answers.len()
    }

    /// All steps for a record.
    #[inline(never)]
    fn answer_record(
        &mut self,
        record: &Record<'_>,
        chunk: &ChunkJob<'_>,
        kept: &SourcePlan,
        page: &mut Page,
        malformed: &mut MalformedLines,
    ) -> Result<(), Failure> {
        let SolveWorker {
            answerer,
            solution_text,
            comparison,
            counter,
            selector,
            fields,
            printer,
            crosschecker,
            ..
        } = self;
        let (line, cells, limits) = (record.line, chunk.puzzles().stride(), answerer.limits);
        let row = fields.kept(record, chunk.format, kept);
        let puzzle = match &record.puzzle {
            Ok(puzzle) => puzzle,
            Err(error) => {
                malformed.add(record, *error);
                counter.tally.count(Status::Malformed);
                let found =
                    RecordFacts { status: Status::Malformed, solutions: 0, differs: false, guesses: None };
                if selector.selects(&found) {
                    printer.print_malformed(record, row, &mut page.out);
                }
                return Ok(());
            }
        };
        let answered = answerer.get(puzzle.place, cells, line)?;
        solution_text.write(puzzle.cells, &answered, line)?;
        let text = solution_text.get();
        let (status, answer, effort) = (answered.status, answered.answer, answered.answer.effort);
        let solution = (answer.solutions > 0).then_some(text);
        let mut differs = false;
        if chunk.format.has_answers {
            let wrong = comparison.compare(chunk.format, &solution_text.verifier, (record, puzzle), solution);
            differs = wrong.is_some();
            page.wrong_answers.extend(wrong.filter(|_| page.wrong_answers.len() < MALFORMED_KEPT));
        }
        counter.count(status, effort);
        if page.slowest.wants(effort) {
            keep(&mut page.slowest, line, effort, printer.on_one_line(puzzle), solution);
        }
        let (solutions, guesses) = (answer.solutions, Some(effort.guesses));
        if selector.selects(&RecordFacts { status, solutions, differs, guesses }) {
            printer.print(chunk, (record, puzzle), (&answered, text), (row, differs), page)?;
        }
        if let Some(checker) = crosschecker.as_mut().filter(|checker| checker.wants(puzzle.cells)) {
            if chunk.is_stopped() {
                return Err(Failure::stopped());
            }
            let checked = checker.check(puzzle.cells, answered.cells, *answer, limits);
            checked.map_err(|kind| Failure::in_line(line, kind))?;
        }
        answerer.clear(puzzle.place);
        Ok(())
    }

    /// Gives the counts since the last page to this one.
    fn give_counts(&mut self, counts: &mut ChunkCounts) {
        let (work, crosscheck) = self.totals();
        let (work_before, crosscheck_before) = std::mem::replace(&mut self.before, (work, crosscheck));
        self.counter.tally.take(&mut counts.tally);
        counts.answers = take(&mut self.comparison.counts);
        counts.printed = self.selector.take_printed();
        counts.lost_fields = take(&mut self.fields.counts).lost;
        counts.listed = self.printer.take_listed();
        counts.work = work.zip(work_before).map(|(work, before)| work.since(before));
        counts.crosscheck = crosscheck.zip(crosscheck_before).map(|(counts, before)| counts.since(before));
    }
}
