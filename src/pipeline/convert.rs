//! Converts sources to another format, without solving: puzzles, the answers beside them, and all other columns where the
//! format has columns. Nothing is checked but that the records are puzzles.

use std::collections::BTreeSet;
use std::io::Write;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::fields::{FieldPlan, FieldWriter, NAMES};
use super::solve::{SolvedInput, Watch};
use super::{
    BATCH_CHUNK_BYTES, ChunkJob, Failure, NotConverted, PagePlace, Part, Pipeline, Reading, SourceHead,
    Station,
};
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::input::LineError;
use crate::input::format::{Format, Notation};
use crate::input::records::{MALFORMED_KEPT, MalformedRecord, Record};
use crate::input::source::Source;
use crate::output::FormatEntry;
use crate::output::copied::{Copier, Holds};

/// How sources are converted.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions<'a> {
    /// Worker threads; `None` for one a core.
    pub threads: Option<NonZero<usize>>,
    /// The format of the output, one that has [`about_converted`](FormatEntry::about_converted).
    pub format: &'static FormatEntry,
    /// Bytes of input a chunk; `None` for the usual number.
    pub chunk_bytes: Option<NonZero<usize>>,
    /// Once this is true the run ends with [`ErrorKind::Stopped`].
    pub stop: &'a AtomicBool,
}

/// What was converted.
#[derive(Clone, Debug, Default)]
pub struct ConvertOutcome {
    /// The sources in order.
    pub inputs: Vec<SolvedInput>,
    /// Records of all sources.
    pub records: u64,
    /// Those that are no puzzles.
    pub malformed_count: u64,
    /// The first of them.
    pub malformed: Vec<MalformedRecord>,
    /// Records with an answer, or the status word in its place.
    pub answers: u64,
    /// Whether answers have a place in the format.
    pub keeps_answers: bool,
    /// Columns that have no place in the format.
    pub left_out: BTreeSet<String>,
    /// Fields that have no column, because the first records lack it.
    pub lost_fields: u64,
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{ConvertOptions, ConvertRun};
/// use galop::{Rules, output};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let format = output::format("json").expect("a row of FORMATS");
/// let stop = false.into();
/// let options = ConvertOptions { threads: None, format, chunk_bytes: None, stop: &stop };
/// let mut run = ConvertRun::open(&Rules::sudoku(), options, Vec::new())?;
/// run.convert(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert!(bytes.starts_with(b"{\"puzzle\":\"4.....8.5.3") && outcome.records == 1);
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was converted"]
pub struct ConvertRun<'a, W> {
    options: ConvertOptions<'a>,
    copier: &'static Copier,
    notation: Notation,
    pipeline: Pipeline<ConvertWorker, Page>,
    out: W,
    outcome: ConvertOutcome,
    /// The names in the header, once it is written.
    header: Option<FieldPlan>,
}

impl<'a, W: Write> ConvertRun<'a, W> {
    /// Starts the threads. The records will be written to `out`.
    ///
    /// # Errors
    /// [`NotConverted`] or [`ErrorKind::Threads`].
    pub fn open(rules: &Rules, options: ConvertOptions<'a>, out: W) -> Result<Self, Error> {
        let copier = options.format.copier.ok_or(NotConverted { format: options.format.name })?;
        let pipeline = Pipeline::new(options.threads, || {
            Ok(ConvertWorker { writer: FieldWriter::new(copier, rules), malformed: 0, answers: 0 })
        })?;
        let outcome =
            ConvertOutcome { keeps_answers: copier.holds >= Holds::Answer, ..ConvertOutcome::default() };
        Ok(ConvertRun { options, copier, notation: rules.into(), pipeline, out, outcome, header: None })
    }

    /// Converts every record of `source`, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`](super::ColumnsDiffer).
    pub fn convert(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let name = source.name().to_owned();
        let input = SolvedInput { name, mapped: source.is_mapped(), ..SolvedInput::default() };
        let ConvertRun { options, copier, notation, pipeline, out, outcome, header } = self;
        let chunk_bytes = options.chunk_bytes.map_or(BATCH_CHUNK_BYTES, NonZero::get);
        let reading =
            Reading { notation: notation.clone(), chunk_bytes, part: Part::WHOLE, stop: options.stop };
        let mut station = ConvertStation { copier, out, outcome, header, watch, input, first: Vec::new() };
        let result = pipeline.run(source, reading, &mut station);
        let input = station.input;
        self.outcome.inputs.push(input);
        result
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn finish(self) -> Result<(W, ConvertOutcome), Error> {
        let ConvertRun { copier, pipeline, mut out, mut outcome, header, .. } = self;
        if let Some(print) = copier.header.filter(|_| header.is_none()) {
            let mut first = Vec::new();
            print(&NAMES.map(str::to_owned), &mut first);
            out.write_all(&first).map_err(ErrorKind::Write)?;
        }
        out.flush().map_err(ErrorKind::Write)?;
        for worker in pipeline.into_workers() {
            outcome.malformed_count += worker.malformed;
            outcome.answers += worker.answers;
            outcome.lost_fields += worker.writer.lost;
        }
        Ok((out, outcome))
    }
}

impl<W> std::fmt::Debug for ConvertRun<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConvertRun").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What becomes of the records of a source.
#[derive(Debug, Default)]
struct ConvertPlan {
    fields: FieldPlan,
    /// Whether they stay as they are.
    is_unchanged: bool,
}

struct ConvertStation<'r, W> {
    copier: &'static Copier,
    out: &'r mut W,
    outcome: &'r mut ConvertOutcome,
    header: &'r mut Option<FieldPlan>,
    watch: &'r mut dyn Watch,
    input: SolvedInput,
    /// Bytes of the header that are not written yet.
    first: Vec<u8>,
}

impl<W: Write> Station for ConvertStation<'_, W> {
    type Worker = ConvertWorker;
    type Page = Page;
    type Decision = Arc<ConvertPlan>;

    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<Arc<ConvertPlan>, Error> {
        let ConvertStation { copier, outcome, header, input, first, .. } = self;
        input.format = head.format.name();
        input.columns = head.format.taken().cloned();
        let mut fields = FieldPlan::new(head, copier.header.is_some());
        if copier.holds < Holds::Fields {
            let is_kept = |column| {
                column == fields.puzzle || Some(column) == fields.answer && copier.holds >= Holds::Answer
            };
            let all = head.format.every_column().map_or(&[][..], |every| &every.names);
            let names = all.iter().enumerate().filter(|(column, _)| !is_kept(*column));
            outcome.left_out.extend(names.map(|(_, name)| name.clone()));
        }
        if let Some(print) = copier.header {
            match header.as_ref() {
                Some(before) => {
                    fields = fields.below(before).map_err(|error| Error::at(&input.name, error))?;
                }
                None => print(&fields.names, first),
            }
        }
        header.get_or_insert_with(|| fields.clone());
        let is_unchanged = copier.unchanged == Some(head.format.name());
        Ok(Arc::new(ConvertPlan { fields, is_unchanged }))
    }

    fn work(
        worker: &mut ConvertWorker,
        plan: Arc<ConvertPlan>,
        chunk: &ChunkJob<'_>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        page.out.clear();
        page.malformed.clear();
        for record in chunk.records() {
            worker.copy(&record, chunk.format, &plan, page);
        }
        if chunk.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    fn deliver(&mut self, page: &mut Page, at: &PagePlace) -> Result<(), Error> {
        let ConvertStation { out, outcome, watch, input, first, .. } = self;
        out.write_all(&std::mem::take(first)).map_err(ErrorKind::Write)?;
        out.write_all(&page.out).map_err(ErrorKind::Write)?;
        for (line, error) in page.malformed.drain(..) {
            if outcome.malformed.len() < MALFORMED_KEPT {
                let (path, line) = (input.name.clone(), at.lines_before + line + 1);
                let malformed = MalformedRecord { path, line, error };
                watch.malformed(&malformed);
                outcome.malformed.push(malformed);
            }
        }
        input.add(at);
        outcome.records += at.records;
        watch.advanced(at.position, outcome.records);
        Ok(())
    }
}

/// What one chunk becomes. Lines count from 0 in the chunk.
#[derive(Default)]
struct Page {
    out: Vec<u8>,
    malformed: Vec<(u64, LineError)>,
}

/// What one thread keeps between chunks.
struct ConvertWorker {
    writer: FieldWriter,
    malformed: u64,
    answers: u64,
}

impl ConvertWorker {
    fn copy(&mut self, record: &Record<'_>, format: &dyn Format, plan: &ConvertPlan, page: &mut Page) {
        match &record.puzzle {
            Ok(puzzle) => {
                // A pasted puzzle is written as galop writes puzzles.
                let is_plain = puzzle.text.len() == puzzle.cells.len() || format.taken().is_some();
                let has_answer = if plan.is_unchanged && is_plain {
                    page.out.extend_from_slice(record.text);
                    page.out.push(b'\n');
                    self.writer.has_answer(record, puzzle, format)
                } else {
                    self.writer.write(record, puzzle, format, &plan.fields, &mut page.out)
                };
                self.answers += u64::from(has_answer);
            }
            Err(error) => {
                self.malformed += 1;
                if page.malformed.len() < MALFORMED_KEPT {
                    page.malformed.push((record.line, *error));
                }
                self.writer.write_malformed(record.text, &plan.fields, &mut page.out);
            }
        }
    }
}
