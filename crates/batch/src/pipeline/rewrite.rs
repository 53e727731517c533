//! Records in, records out: sources through an [`Editor`], which decides what is written of each record, in any format that
//! has a `Copier`.
//!
//! [`ConvertRun`](super::ConvertRun) writes every record as it came. The editors of data sets are in the package
//! `galop-corpora`: images, canonical forms, samples and ratings.
//!
//! A worker edits a chunk: its editor may look at all puzzles of the chunk at once ([`Editor::begin`]), and then gets one
//! record after the other. What it writes goes to the outputs in the order of the input. An editor whose decisions depend
//! on earlier chunks gives notes with the bytes of its records: on the caller's thread, in the order of the input, each
//! note decides to which output the bytes go, if to any.

use std::any::Any;
use std::collections::BTreeSet;
use std::io::Write;
use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::fields::{FieldPlan, FieldWriter, NAMES};
use super::malformed::MalformedLines;
use super::solve::{SolvedInput, Watch};
use super::{
    BATCH_CHUNK_BYTES, ChunkJob, Failure, NotConverted, PagePlace, Part, Pipeline, Reading, SourceHead,
    Station,
};
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::input::format::Notation;
use crate::input::records::{MalformedRecord, Record};
use crate::input::source::Source;
use crate::options::{NEVER, options};
use crate::output::copied::{Copier, Holds};
use crate::output::{FORMATS, FormatEntry};

pub use super::fields::{AnswerContent, Content};

options! {
    /// How records are read and written.
    RewriteOptions<'a> {
        /// Worker threads; `None` for one a core.
        threads: Option<NonZero<usize>> = None,
        /// The format of the output, one that has [`about_converted`](FormatEntry::about_converted).
        format: &'static FormatEntry = &FORMATS[0],
        /// Bytes of input a chunk; `None` for the usual number.
        chunk_bytes: Option<NonZero<usize>> = None,
        /// Once this is true the run ends with [`ErrorKind::Stopped`].
        stop: &'a AtomicBool = &NEVER,
    }
}

/// What was read and written.
#[derive(Clone, Debug, Default)]
pub struct RewriteOutcome {
    /// The sources in order.
    pub inputs: Vec<SolvedInput>,
    /// Records of all sources.
    pub records: u64,
    /// Those that are no puzzles.
    pub malformed_count: u64,
    /// The first of them.
    pub malformed: Vec<MalformedRecord>,
    /// Records that were written with an answer, or the status word in its place.
    pub answers: u64,
    /// Whether answers have a place in the format.
    pub keeps_answers: bool,
    /// Columns that have no place in the format.
    pub left_out: BTreeSet<String>,
    /// Fields that have no column, because the first records lack it.
    pub lost_fields: u64,
    /// Answers that are no grids and have no place in the format.
    pub damaged_answers: u64,
}

/// Records that are edited before they are counted. Most take 25 ns each, and some are images by the thousand.
const RECORDS_COUNTED: usize = 64;

/// Decides what is written of each record. Each thread has one.
pub trait Editor: Send + 'static {
    /// What decides, in the order of the input, where bytes go. `()` if all go to the first output.
    type Note: Copy + Send + 'static;

    /// Whether it needs the [lines](Edited::line) of records, which take time to count.
    const NUMBERS_LINES: bool = false;

    /// The editor without its type: `BoxedEditor::new(self)`. Each `impl` has it, so that the loop over a chunk is compiled
    /// in the editor's package and not in the program that names the type of the output.
    fn boxed(self) -> BoxedEditor;

    /// Looks at all puzzles of a chunk at once, before its first record is edited.
    fn begin(&mut self, _chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Writes what becomes of `record`, which may be malformed: nothing, or one record or several of them.
    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, Self::Note>) -> Result<(), Failure>;
}

/// Decides to which output the bytes of a record go, by its note; `None`: to none.
pub type Select<'s, N> = dyn FnMut(N, &RecordPlace<'_>) -> Result<Option<usize>, Error> + 's;

/// The place of a record in the input.
#[derive(Clone, Copy, Debug)]
pub struct RecordPlace<'a> {
    /// The source.
    pub path: &'a Path,
    /// The line, from 1.
    pub line: u64,
}

/// A run: it takes one source after the other.
pub struct Rewrite<'a, E, W, const OUTS: usize = 1> {
    run: Run<'a>,
    /// The outputs. Each gets the header, if there is one.
    outs: [W; OUTS],
    editor: PhantomData<E>,
}

impl<'a, E: Editor, W: Write, const OUTS: usize> Rewrite<'a, E, W, OUTS> {
    /// Starts the threads, each with an editor that `editor` makes. `added` are the names of the columns that it adds.
    ///
    /// # Errors
    /// [`NotConverted`], [`ErrorKind::Threads`], and what `editor` fails with.
    pub fn open(
        rules: &Rules,
        options: RewriteOptions<'a>,
        added: &[&'static str],
        outs: [W; OUTS],
        editor: impl Fn() -> Result<E, Error>,
    ) -> Result<Self, Error> {
        let run = Run::open(rules, options, added, &|| Ok(editor()?.boxed()))?;
        Ok(Rewrite { run, outs, editor: PhantomData })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.run.pipeline.threads()
    }

    /// Edits every record of `source`, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`](super::ColumnsDiffer), and those of the editor.
    pub fn run(
        &mut self,
        source: &mut Source,
        watch: &mut dyn Watch,
        select: &mut Select<'_, E::Note>,
    ) -> Result<(), Error> {
        let mut outs = self.outs.each_mut().map(|out| out as &mut dyn Write);
        let mut select = |notes: &dyn Any, at: usize, place: &RecordPlace<'_>| match notes
            .downcast_ref::<Vec<E::Note>>()
            .and_then(|notes| notes.get(at))
        {
            Some(note) => select(*note, place),
            None => Ok(None),
        };
        self.run.take(source, watch, E::NUMBERS_LINES, &mut outs, &mut select)
    }

    /// The last source that was read.
    pub fn last_input(&self) -> Option<&SolvedInput> {
        self.run.outcome.inputs.last()
    }

    /// Flushes the outputs and sums up. Returns the outputs, the sum, and the editors of the threads.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn finish(self) -> Result<([W; OUTS], RewriteOutcome, Vec<E>), Error> {
        let Rewrite { run, mut outs, .. } = self;
        let (outcome, editors) = run.finish(&mut outs.each_mut().map(|out| out as &mut dyn Write))?;
        let typed = |editor: BoxedEditor| (editor.0 as Box<dyn Any>).downcast().ok().map(|editor| *editor);
        Ok((outs, outcome, editors.into_iter().filter_map(typed).collect()))
    }
}

impl<E, W, const OUTS: usize> std::fmt::Debug for Rewrite<'_, E, W, OUTS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rewrite").field("options", &self.run.options).finish_non_exhaustive()
    }
}

/// What of a run does not depend on the types of its editor and outputs. So the pipeline is compiled once for all editors,
/// and not again in each program that uses the library: that took a tenth of the time of a build.
struct Run<'a> {
    options: RewriteOptions<'a>,
    copier: &'static Copier,
    notation: Notation,
    /// The names of the columns behind those of the input.
    added: Vec<&'static str>,
    pipeline: Pipeline<RewriteWorker, Page>,
    outcome: RewriteOutcome,
    /// The names in the header, once it is written.
    header: Option<FieldPlan>,
}

/// [`Select`] by the notes of a page and the number of the record among them.
type SelectAny<'s> = dyn FnMut(&dyn Any, usize, &RecordPlace<'_>) -> Result<Option<usize>, Error> + 's;

impl<'a> Run<'a> {
    fn open(
        rules: &Rules,
        options: RewriteOptions<'a>,
        added: &[&'static str],
        editor: &dyn Fn() -> Result<BoxedEditor, Error>,
    ) -> Result<Run<'a>, Error> {
        let copier = options.format.copier.ok_or(NotConverted { format: options.format.name })?;
        let pipeline = Pipeline::new(options.threads, || {
            let (editor, writer) = (editor()?, FieldWriter::new(copier, rules));
            Ok(RewriteWorker { editor, writer, malformed: 0, answers: 0 })
        })?;
        let keeps_answers = copier.holds >= Holds::Answer;
        let outcome = RewriteOutcome { keeps_answers, ..RewriteOutcome::default() };
        let (notation, added) = (rules.into(), added.to_vec());
        Ok(Run { options, copier, notation, added, pipeline, outcome, header: None })
    }

    fn take(
        &mut self,
        source: &mut Source,
        watch: &mut dyn Watch,
        numbers_lines: bool,
        outs: &mut [&mut dyn Write],
        select: &mut SelectAny<'_>,
    ) -> Result<(), Error> {
        let name = source.name().to_owned();
        let input = SolvedInput { name, mapped: source.is_mapped(), ..SolvedInput::default() };
        let Run { options, copier, notation, added, pipeline, outcome, header } = self;
        let chunk_bytes = options.chunk_bytes.map_or(BATCH_CHUNK_BYTES, NonZero::get);
        let reading =
            Reading { notation: notation.clone(), chunk_bytes, part: Part::WHOLE, stop: options.stop };
        let first = Vec::new();
        let mut station = RewriteStation {
            copier,
            added,
            numbers_lines,
            outs,
            outcome,
            header,
            watch,
            select,
            input,
            first,
        };
        let result = pipeline.run(source, reading, &mut station);
        let input = station.input;
        self.outcome.inputs.push(input);
        result
    }

    fn finish(self, outs: &mut [&mut dyn Write]) -> Result<(RewriteOutcome, Vec<BoxedEditor>), Error> {
        let Run { copier, added, pipeline, mut outcome, header, .. } = self;
        let mut first = Vec::new();
        if let Some(print) = copier.header.filter(|_| header.is_none()) {
            print(&NAMES.iter().chain(&added).map(|&name| name.to_owned()).collect::<Vec<_>>(), &mut first);
        }
        for out in outs {
            out.write_all(&first).and_then(|()| out.flush()).map_err(ErrorKind::Write)?;
        }
        let mut editors = Vec::new();
        for worker in pipeline.into_workers() {
            outcome.malformed_count += worker.malformed;
            outcome.answers += worker.answers;
            outcome.lost_fields += worker.writer.lost;
            outcome.damaged_answers += worker.writer.damaged;
            editors.push(worker.editor);
        }
        Ok((outcome, editors))
    }
}

/// What becomes of the records of a source.
#[derive(Debug, Default)]
struct RewritePlan {
    fields: FieldPlan,
    /// Whether the text of a record is what is written if the record is kept.
    is_unchanged: bool,
    /// Lines of all earlier sources.
    lines_before: u64,
}

struct RewriteStation<'r, 'o, 's> {
    copier: &'static Copier,
    added: &'r [&'static str],
    numbers_lines: bool,
    outs: &'r mut [&'o mut dyn Write],
    outcome: &'r mut RewriteOutcome,
    header: &'r mut Option<FieldPlan>,
    watch: &'r mut dyn Watch,
    select: &'r mut SelectAny<'s>,
    input: SolvedInput,
    /// Bytes of the header that are not written yet.
    first: Vec<u8>,
}

impl Station for RewriteStation<'_, '_, '_> {
    type Worker = RewriteWorker;
    type Page = Page;
    type Decision = Arc<RewritePlan>;

    fn numbers_lines(&self) -> bool {
        self.numbers_lines
    }

    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<Arc<RewritePlan>, Error> {
        let RewriteStation { copier, outcome, header, input, first, .. } = self;
        input.format = head.format.name;
        input.columns = head.format.taken.clone();
        let mut fields = FieldPlan::new(head, copier.header.is_some());
        if copier.holds < Holds::Fields {
            let is_kept = |column| {
                column == fields.puzzle || Some(column) == fields.answer && copier.holds >= Holds::Answer
            };
            let all = head.format.every.as_ref().map_or(&[][..], |every| &every.names);
            let names = all.iter().enumerate().filter(|(column, _)| !is_kept(*column));
            outcome.left_out.extend(names.map(|(_, name)| name.clone()));
        }
        input.left_out = head.format.left_out.clone();
        fields.add(self.added);
        if let Some(print) = copier.header {
            match header.as_ref() {
                Some(before) => {
                    fields = fields.below(before).map_err(|error| Error::at(&input.name, error))?;
                }
                None => print(&fields.names, first),
            }
        }
        header.get_or_insert_with(|| fields.clone());
        let is_unchanged = copier.unchanged == Some(head.format.name) && self.added.is_empty();
        let lines_before = outcome.inputs.iter().map(|input| input.lines).sum();
        Ok(Arc::new(RewritePlan { fields, is_unchanged, lines_before }))
    }

    fn work(
        worker: &mut RewriteWorker,
        plan: Arc<RewritePlan>,
        chunk: &ChunkJob<'_>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        page.out.clear();
        page.noted.clear();
        page.malformed.clear();
        let RewriteWorker { editor, writer, malformed, answers } = worker;
        editor.0.edit_chunk(chunk, &plan, Counted { writer, malformed, answers }, page)?;
        if chunk.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    fn deliver(&mut self, page: &mut Page, at: &PagePlace) -> Result<(), Error> {
        let RewriteStation { outs, outcome, watch, select, input, first, .. } = self;
        let first = std::mem::take(first);
        if !first.is_empty() {
            outs.iter_mut().try_for_each(|out| out.write_all(&first)).map_err(ErrorKind::Write)?;
        }
        let mut write = |to: Option<usize>, bytes: Range<usize>| match to.and_then(|to| outs.get_mut(to)) {
            Some(out) if !bytes.is_empty() => out.write_all(&page.out[bytes]).map_err(ErrorKind::Write),
            _ => Ok(()),
        };
        // Bytes that go to the same output are written together.
        let (mut start, mut end, mut to) = (0, 0, Some(0));
        for (number, Noted { end: behind, line }) in page.noted.drain(..).enumerate() {
            let place = RecordPlace { path: &input.name, line: at.lines_before + line + 1 };
            let selected = select(&*page.notes, number, &place)?;
            if selected != to {
                write(to, start..end)?;
                (start, to) = (end, selected);
            }
            end = behind;
        }
        write(to, start..end)?;
        write(Some(0), end..page.out.len())?;
        page.malformed.move_to(&mut outcome.malformed, (input, at), &mut **watch);
        input.add(at);
        outcome.records += at.records;
        watch.advanced(at.position, outcome.records);
        Ok(())
    }

    fn working(&mut self, position: u64, records: u64) {
        self.watch.working(position, self.outcome.records + records);
    }
}

/// What one chunk becomes. Lines count from 0 in the chunk.
struct Page {
    out: Vec<u8>,
    /// Where the bytes of the notes are, in order.
    noted: Vec<Noted>,
    /// The notes: a vector of what the editor notes.
    notes: Box<dyn Any + Send>,
    malformed: MalformedLines,
}

impl Default for Page {
    fn default() -> Self {
        let malformed = MalformedLines::default();
        Page { out: Vec::new(), noted: Vec::new(), notes: Box::new(()), malformed }
    }
}

/// The place of a note: on the bytes behind those of the note before.
struct Noted {
    /// Where the bytes end.
    end: usize,
    /// The line of the record.
    line: u64,
}

/// What one thread keeps between chunks.
struct RewriteWorker {
    editor: BoxedEditor,
    writer: FieldWriter,
    malformed: u64,
    answers: u64,
}

/// What a worker counts, and its writer.
struct Counted<'w> {
    writer: &'w mut FieldWriter,
    malformed: &'w mut u64,
    answers: &'w mut u64,
}

/// An editor of any type.
pub struct BoxedEditor(Box<dyn AnyEditor>);

impl BoxedEditor {
    /// Forgets the type of `editor`.
    pub fn new(editor: impl Editor) -> BoxedEditor {
        BoxedEditor(Box::new(editor))
    }
}

/// What the pipeline asks of an editor.
trait AnyEditor: Any + Send {
    /// Edits the records of `chunk`.
    fn edit_chunk(
        &mut self,
        chunk: &ChunkJob<'_>,
        plan: &RewritePlan,
        counted: Counted<'_>,
        page: &mut Page,
    ) -> Result<(), Failure>;
}

impl<E: Editor> AnyEditor for E {
    fn edit_chunk(
        &mut self,
        chunk: &ChunkJob<'_>,
        plan: &RewritePlan,
        Counted { writer, malformed, answers }: Counted<'_>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        self.begin(chunk)?;
        if !page.notes.is::<Vec<E::Note>>() {
            page.notes = Box::new(Vec::<E::Note>::new());
        }
        let Page { out, noted, notes, malformed: first_malformed } = page;
        // They were just made, if they were others.
        let Some(notes) = notes.downcast_mut::<Vec<E::Note>>() else { return Err(Failure::stopped()) };
        notes.clear();
        let mut edited = Edited { chunk, plan, writer, out, noted, notes, answers };
        let (mut counted, mut left) = (0, 0);
        for record in chunk.records() {
            if left == 0 {
                chunk.advance_to(counted);
                (counted, left) = (counted + RECORDS_COUNTED, RECORDS_COUNTED);
            }
            left -= 1;
            if let Err(error) = &record.puzzle {
                *malformed += 1;
                first_malformed.add(&record, *error);
            }
            self.edit(&record, &mut edited)?;
        }
        Ok(())
    }
}

/// What an editor has written of a chunk.
pub struct Edited<'p, N> {
    /// The chunk.
    pub chunk: &'p ChunkJob<'p>,
    plan: &'p RewritePlan,
    writer: &'p mut FieldWriter,
    out: &'p mut Vec<u8>,
    noted: &'p mut Vec<Noted>,
    notes: &'p mut Vec<N>,
    answers: &'p mut u64,
}

impl<N> Edited<'_, N> {
    /// Whether the format has columns: those of the input are kept then.
    pub fn has_columns(&self) -> bool {
        self.writer.has_columns()
    }

    /// Whether fields of added columns have a place in the format.
    pub fn has_added(&self) -> bool {
        self.writer.has_added()
    }

    /// The line of `record` over all sources, from 1, if the editor [numbers lines](Editor::NUMBERS_LINES).
    pub fn line(&self, record: &Record<'_>) -> u64 {
        self.plan.lines_before + self.chunk.lines_before + record.line + 1
    }

    /// Writes `record` as it came. Of a malformed one, the text is in the place of the puzzle, and the status word in that
    /// of the answer.
    #[inline(always)]
    pub fn keep(&mut self, record: &Record<'_>) {
        let Edited { chunk, plan, writer, out, answers, .. } = self;
        let Ok(puzzle) = &record.puzzle else {
            return writer.write_malformed(record.text, &plan.fields, out);
        };
        // A pasted puzzle is written as galop writes puzzles.
        let is_plain = puzzle.text.len() == puzzle.cells.len() || chunk.format.taken.is_some();
        let has_answer = if plan.is_unchanged && is_plain {
            out.extend_from_slice(record.text);
            out.push(b'\n');
            writer.has_answer(record, puzzle, chunk.format)
        } else {
            writer.write(record, puzzle, chunk.format, &plan.fields, out)
        };
        **answers += u64::from(has_answer);
    }

    /// Writes `record` with another puzzle or answer, or with fields of added columns. A malformed one is
    /// [kept](Self::keep).
    pub fn write(&mut self, record: &Record<'_>, content: &Content<'_>) {
        let Edited { chunk, plan, writer, out, answers, .. } = self;
        let Ok(puzzle) = &record.puzzle else { return self.keep(record) };
        let has_answer = writer.write_content(record, puzzle, chunk.format, &plan.fields, content, out);
        **answers += u64::from(has_answer);
    }

    /// Puts a note on what was written since the last note: it is that of `record`.
    pub fn note(&mut self, record: &Record<'_>, note: N) {
        self.noted.push(Noted { end: self.out.len(), line: record.line });
        self.notes.push(note);
    }
}

#[cfg(test)]
#[path = "rewrite_tests.rs"]
mod tests;
