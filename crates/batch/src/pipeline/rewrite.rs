//! Records in, records out: sources through an [`Editor`], which decides what is written of each record, in any format
//! that records are converted to.
//!
//! [`convert`](super::convert) writes every record as it came. The editors of data sets are in the package
//! `galop-corpora`: images, canonical forms, samples and ratings.
//!
//! A worker edits a chunk: its editor may look at all puzzles of the chunk at once ([`Editor::begin`]), and then gets
//! one record after the other. What it writes goes to the outputs in the order of the input. An editor whose decisions
//! depend on earlier chunks gives notes with the bytes of its records. On the caller's thread, in the order of the
//! input, each note decides to which output the bytes go, if to any.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::fields::{FieldCounts, FieldWriter, OutputHeader, SourcePlan};
use super::malformed::MalformedLines;
use super::run::{Delivery, LineNumbers, Run, SourceRun, Task, Totals};
use super::watch::Watch;
use super::{BATCH_CHUNK_BYTES, ChunkJob, Failure, NotConverted, SourceHead};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::records::{MalformedRecord, Record};
use crate::input::source::Source;
use crate::options::NEVER;
use crate::output::{FORMATS, FormatEntry, Heading, Holds, Outlet};
use crate::parts::{Part, Shard, SolvedInput};

pub use super::fields::{AnswerContent, Content};

crate::options! {
    /// How records are read and written.
    #[derive(Clone, Copy, Debug)]
    RewriteOptions<'a> {
        /// Worker threads; `None` for one a core.
        threads: Option<NonZero<usize>> = None,
        /// The format of the output, one that has [`about_converted`](FormatEntry::about_converted).
        format: &'static FormatEntry = &FORMATS[0],
        /// Bytes of input a chunk; `None` for the usual number.
        chunk_bytes: Option<NonZero<usize>> = None,
        /// Once this is true the run ends with [`ErrorKind::Stopped`](crate::ErrorKind::Stopped).
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
    /// Records of plain lines that were written without their other fields, which have no names.
    pub crowded_lines: u64,
}

/// Records that are edited before they are counted. Most take 25 ns each, and some are images by the thousand.
const RECORDS_COUNTED: usize = 64;

/// What an editor counts. The counts of all pages add up, and a run that goes on starts with the earlier run's counts.
pub trait Counts: Default + Serialize + DeserializeOwned + Send + 'static {
    /// Adds the counts of a page.
    fn add(&mut self, other: Self);
}

impl Counts for () {
    fn add(&mut self, (): ()) {}
}

/// Decides what is written of each record. Each thread has one.
pub trait Editor: Send + 'static {
    /// What decides, in the order of the input, where bytes go. `()` if all go to the first output.
    type Note: Copy + Send + 'static;

    /// What it counts.
    type Counts: Counts;

    /// Whether it needs the [lines](EditorPage::line) of records, which take time to count.
    const NUMBERS_LINES: bool = false;

    /// Looks at all puzzles of a chunk at once, before its first record is edited.
    fn begin(&mut self, _chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Writes what becomes of `record`, which may be malformed: nothing, or one record or several of them.
    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, Self::Note>) -> Result<(), Failure>;

    /// Takes what was counted since the last chunk.
    fn take_counts(&mut self) -> Self::Counts {
        Self::Counts::default()
    }
}

/// Decides to which output the bytes of a record go, by its note; `None`: to none. It may count, too.
pub type Select<'s, E> = dyn FnMut(<E as Editor>::Note, &RecordPlace<'_>, &mut <E as Editor>::Counts) -> Result<Option<usize>, Error>
    + 's;

/// Checks the sources that were read and what was counted, at the end of a run.
pub type Check<'s, E> = dyn Fn(&[SolvedInput], &<E as Editor>::Counts) -> Result<(), Error> + 's;

/// The place of a record in the input.
#[derive(Clone, Copy, Debug)]
pub struct RecordPlace<'a> {
    /// The source.
    pub path: &'a Path,
    /// The line, from 1.
    pub line: u64,
    /// Lines of all earlier sources.
    pub lines_before: u64,
    /// Records before it, over all sources, if each record has one note.
    pub records_before: u64,
}

/// A run with an editor on each thread: it takes one source after the other.
pub struct Rewrite<'a, E: Editor> {
    options: RewriteOptions<'a>,
    run: Run<'a, RewriteWorker<E>, Page<E>>,
    /// Whether the editor adds columns.
    has_added: bool,
    header: OutputHeader,
    /// Columns that have no place in the format.
    left_out: BTreeSet<String>,
    field_counts: FieldCounts,
    counts: E::Counts,
    select: Box<Select<'a, E>>,
    check: Box<Check<'a, E>>,
}

impl<'a, E: Editor> Rewrite<'a, E> {
    /// Starts the threads, each with an editor that `editor` makes. `added` are the columns that it adds. All records go
    /// to the first output.
    ///
    /// # Errors
    /// [`NotConverted`], [`ErrorKind::Threads`](crate::ErrorKind::Threads), and what `editor` fails with.
    pub fn open(
        rules: &Rules,
        options: RewriteOptions<'a>,
        added: &[Heading],
        editor: impl Fn() -> Result<E, Error>,
    ) -> Result<Self, Error> {
        let format = options.format;
        format.converted.ok_or(NotConverted { format: format.name })?;
        format.check(rules)?;
        let writer = || FieldWriter::new(format, rules, added.to_vec());
        let worker = || Ok(RewriteWorker { editor: editor()?, writer: writer() });
        let chunk_bytes = |_: &_| options.chunk_bytes.map_or(BATCH_CHUNK_BYTES, NonZero::get);
        Ok(Rewrite {
            options,
            run: Run::start(options.threads, worker, rules.into(), chunk_bytes, options.stop)?,
            has_added: !added.is_empty(),
            header: OutputHeader::new(format, added.to_vec(), None),
            left_out: BTreeSet::new(),
            field_counts: FieldCounts::default(),
            counts: E::Counts::default(),
            select: Box::new(|_, _, _| Ok(Some(0))),
            check: Box::new(|_, _| Ok(())),
        })
    }

    /// The same run in which `select` decides to which output a record goes.
    pub fn by(
        self,
        select: impl FnMut(E::Note, &RecordPlace<'_>, &mut E::Counts) -> Result<Option<usize>, Error> + 'a,
    ) -> Self {
        Rewrite { select: Box::new(select), ..self }
    }

    /// The same run that ends with `check`.
    pub fn checked(self, check: impl Fn(&[SolvedInput], &E::Counts) -> Result<(), Error> + 'a) -> Self {
        Rewrite { check: Box::new(check), ..self }
    }

    /// As [`SourceRun::read`], with another way to select.
    ///
    /// # Errors
    /// As [`SourceRun::read`], and what `select` fails with.
    pub fn read_by(
        &mut self,
        source: &mut Source,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
        select: &mut Select<'_, E>,
    ) -> Result<(), Error> {
        self.read_part(source, Part::WHOLE, outs, watch, Some(select))
    }

    fn read_part(
        &mut self,
        source: &mut Source,
        part: Part,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
        select: Option<&mut Select<'_, E>>,
    ) -> Result<(), Error> {
        let Rewrite { options, run, has_added, header, left_out, field_counts, counts, select: own, .. } =
            self;
        let (format, has_added) = (options.format, *has_added);
        let select: &mut Select<'_, E> = match select {
            Some(select) => select,
            None => &mut **own,
        };
        let mut task = RewriteTask { format, has_added, header, left_out, field_counts, counts, select };
        run.read(&mut task, source, part, outs, watch)
    }

    /// The sources that were read, in order.
    pub fn inputs(&self) -> &[SolvedInput] {
        &self.run.totals.inputs
    }

    /// What the editors and `select` have counted.
    pub fn counts(&self) -> &E::Counts {
        &self.counts
    }
}

impl<E: Editor> SourceRun for Rewrite<'_, E> {
    type Outcome = (RewriteOutcome, E::Counts);

    fn threads(&self) -> usize {
        self.run.threads()
    }

    fn records(&self) -> u64 {
        self.run.totals.records
    }

    fn cut(&mut self, shard: Shard, sources: &[Source]) -> Result<Vec<Part>, Error> {
        self.run.cut(shard, sources, line_numbers::<E>(), None)
    }

    fn state(&self) -> String {
        self.run.state(!self.header.is_known(), (&self.field_counts, &self.counts))
    }

    fn restore(&mut self, state: &str, sources: &[Source], watch: &mut dyn Watch) -> Result<(), Error> {
        (self.field_counts, self.counts) = self.run.restore(state, sources, watch)?;
        Ok(())
    }

    fn read(
        &mut self,
        source: &mut Source,
        part: Part,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        self.read_part(source, part, outs, watch, None)
    }

    fn finish(self: Box<Self>, outs: &mut [&mut dyn Outlet]) -> Result<(RewriteOutcome, E::Counts), Error> {
        let Rewrite { options, run, header, left_out, field_counts, counts, check, .. } = *self;
        check(&run.totals.inputs, &counts)?;
        run.flush(&header, outs)?;
        let (Totals { inputs, records, malformed_count, malformed, .. }, _) = run.end();
        let FieldCounts { answers, lost: lost_fields, damaged: damaged_answers, crowded: crowded_lines } =
            field_counts;
        let keeps_answers = options.format.holds(Holds::Line);
        let outcome = RewriteOutcome {
            inputs,
            records,
            malformed_count,
            malformed,
            answers,
            keeps_answers,
            left_out,
            lost_fields,
            damaged_answers,
            crowded_lines,
        };
        Ok((outcome, counts))
    }
}

impl<E: Editor> std::fmt::Debug for Rewrite<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rewrite").field("options", &self.options).finish_non_exhaustive()
    }
}

/// A run that rewrites records. `C` is what it counts beside them.
pub type RewriteRun<'a, C> = Box<dyn SourceRun<Outcome = (RewriteOutcome, C)> + 'a>;

fn line_numbers<E: Editor>() -> LineNumbers {
    if E::NUMBERS_LINES { LineNumbers::OfAllSources } else { LineNumbers::None }
}

/// What becomes of the records of a source.
#[derive(Debug, Default)]
struct RewritePlan {
    fields: Arc<SourcePlan>,
    /// Whether the text of a record is what is written if the record is kept.
    is_unchanged: bool,
    /// Lines of all earlier sources.
    lines_before: u64,
}

struct RewriteTask<'r, 's, E: Editor> {
    format: &'static FormatEntry,
    has_added: bool,
    header: &'r mut OutputHeader,
    left_out: &'r mut BTreeSet<String>,
    field_counts: &'r mut FieldCounts,
    counts: &'r mut E::Counts,
    select: &'r mut Select<'s, E>,
}

impl<E: Editor> Task for RewriteTask<'_, '_, E> {
    type Worker = RewriteWorker<E>;
    type Plan = Arc<RewritePlan>;
    type Page = Page<E>;

    fn line_numbers(&self) -> LineNumbers {
        line_numbers::<E>()
    }

    fn needs_head(&self) -> bool {
        !self.header.is_known()
    }

    fn recognised(
        &mut self,
        head: &SourceHead<'_>,
        lines_before: u64,
        input: &mut SolvedInput,
        first: &mut Vec<u8>,
    ) -> Result<Arc<RewritePlan>, Error> {
        let RewriteTask { format, left_out, header, .. } = self;
        if let Some(every) = head.format.every.as_ref().filter(|_| !format.holds(Holds::Fields)) {
            let is_kept =
                |column| column == every.puzzle || Some(column) == every.answer && format.holds(Holds::Line);
            let names = every.names.iter().enumerate().filter(|(column, _)| !is_kept(*column));
            left_out.extend(names.map(|(_, name)| name.clone()));
        }
        input.left_out = head.format.left_out.clone();
        let fields = header.keep(head, first).map_err(|error| Error::at(&input.name, error))?;
        let is_unchanged =
            format.keeps == Some(head.format.name) && format.header.is_none() && !self.has_added;
        Ok(Arc::new(RewritePlan { fields, is_unchanged, lines_before }))
    }

    fn work(
        worker: &mut RewriteWorker<E>,
        plan: Arc<RewritePlan>,
        chunk: &ChunkJob<'_>,
        page: &mut Page<E>,
        malformed: &mut MalformedLines,
    ) -> Result<(), Failure> {
        let RewriteWorker { editor, writer } = worker;
        let Page { out, noted, notes, field_counts, counts } = page;
        out.clear();
        noted.clear();
        notes.clear();
        editor.begin(chunk)?;
        let mut edited = EditorPage { chunk, plan: &plan, writer, out, noted, notes };
        let (mut counted, mut left) = (0, 0);
        for record in chunk.records() {
            if left == 0 {
                chunk.advance_to(counted);
                (counted, left) = (counted + RECORDS_COUNTED, RECORDS_COUNTED);
            }
            left -= 1;
            if let Err(error) = &record.puzzle {
                malformed.add(&record, *error);
            }
            editor.edit(&record, &mut edited)?;
        }
        writer.check(chunk, &plan.fields)?;
        *counts = editor.take_counts();
        *field_counts = std::mem::take(&mut writer.counts);
        if chunk.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    fn deliver(&mut self, page: &mut Page<E>, delivery: Delivery<'_, '_>) -> Result<(), Error> {
        let Delivery { at, lines_before_source, records_before, input, outs, .. } = delivery;
        let mut write = |to: Option<usize>, bytes: Range<usize>| match to.and_then(|to| outs.get_mut(to)) {
            Some(out) if !bytes.is_empty() => out.put(&page.out[bytes]),
            _ => Ok(()),
        };
        // Bytes that go to the same output are written together.
        let (mut start, mut end, mut to) = (0, 0, Some(0));
        let noted = page.noted.drain(..).zip(page.notes.drain(..));
        for ((NotePlace { end: behind, line }, note), records_before) in noted.zip(records_before..) {
            let (path, line, lines_before) = (&*input.name, at.line(line), lines_before_source);
            let place = RecordPlace { path, line, lines_before, records_before };
            let selected = (self.select)(note, &place, self.counts)?;
            if selected != to {
                write(to, start..end)?;
                (start, to) = (end, selected);
            }
            end = behind;
        }
        write(to, start..end)?;
        write(Some(0), end..page.out.len())?;
        self.counts.add(std::mem::take(&mut page.counts));
        *self.field_counts += page.field_counts;
        Ok(())
    }

    fn sums(&self, _totals: &Totals) -> impl Serialize {
        // (The columns that are left out follow from the heads of the sources.)
        (&*self.field_counts, &*self.counts)
    }
}

/// What one chunk becomes. Lines count from 0 in the chunk.
struct Page<E: Editor> {
    out: Vec<u8>,
    /// Where the bytes of the notes are, in order.
    noted: Vec<NotePlace>,
    /// The notes themselves.
    notes: Vec<E::Note>,
    field_counts: FieldCounts,
    counts: E::Counts,
}

impl<E: Editor> Default for Page<E> {
    fn default() -> Self {
        let (out, noted, notes, counts) = (Vec::new(), Vec::new(), Vec::new(), E::Counts::default());
        Page { out, noted, notes, field_counts: FieldCounts::default(), counts }
    }
}

/// The place of a note: on the bytes behind the bytes of the note before.
struct NotePlace {
    /// Where the bytes end.
    end: usize,
    /// The line of the record.
    line: u64,
}

/// What one thread keeps between chunks.
struct RewriteWorker<E> {
    editor: E,
    writer: FieldWriter,
}

/// What an editor has written of a chunk.
pub struct EditorPage<'p, N> {
    /// The chunk.
    pub chunk: &'p ChunkJob<'p>,
    plan: &'p RewritePlan,
    writer: &'p mut FieldWriter,
    out: &'p mut Vec<u8>,
    noted: &'p mut Vec<NotePlace>,
    notes: &'p mut Vec<N>,
}

impl<N> EditorPage<'_, N> {
    /// Whether the format has columns, so that the input's columns are kept.
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

    /// Writes `record` as it came. Of a malformed one, the text is in the place of the puzzle, and the status word in
    /// the place of the answer.
    #[inline(always)]
    pub fn keep(&mut self, record: &Record<'_>) {
        let EditorPage { chunk, plan, writer, out, .. } = self;
        let Ok(puzzle) = &record.puzzle else {
            return writer.write_malformed(record.text, chunk.format, &plan.fields, out);
        };
        // A pasted puzzle is written as galop writes puzzles.
        let is_plain = puzzle.text.len() == puzzle.cells.len() || chunk.format.taken.is_some();
        if plan.is_unchanged && is_plain {
            out.extend_from_slice(record.text);
            out.push(b'\n');
            writer.count_answer(record, puzzle, chunk.format);
        } else {
            writer.write(record, puzzle, chunk.format, &plan.fields, &Content::default(), out);
        }
    }

    /// Writes `record` with another puzzle or answer, or with fields of added columns. A malformed one is
    /// [kept](Self::keep).
    pub fn write(&mut self, record: &Record<'_>, content: &Content<'_>) {
        let EditorPage { chunk, plan, writer, out, .. } = self;
        let Ok(puzzle) = &record.puzzle else { return self.keep(record) };
        writer.write(record, puzzle, chunk.format, &plan.fields, content, out);
    }

    /// Puts a note of `record` on what was written since the last note.
    pub fn note(&mut self, record: &Record<'_>, note: N) {
        self.noted.push(NotePlace { end: self.out.len(), line: record.line });
        self.notes.push(note);
    }
}

#[cfg(test)]
#[path = "rewrite_tests.rs"]
mod tests;
