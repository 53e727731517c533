//! A run: one source after the other through the pipeline, and everything that all runs do alike.
//!
//! A [`Task`] says what a worker makes of a chunk, and what becomes of the page. The [`Run`] names the sources, writes
//! the header of the output, accounts for malformed records, counts what was read, and makes the checkpoints from which
//! a later run goes on. There are three tasks: to solve, to rewrite and to verify records.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::malformed::MalformedLines;
use super::watch::Watch;
use super::{ChunkJob, Failure, PagePlace, Pipeline, Reading, SourceHead, Station};
use crate::error::{Error, ErrorKind, Fact};
use crate::input::LineError;
use crate::input::format::Notation;
use crate::input::records::{MALFORMED_KEPT, MalformedRecord};
use crate::input::source::Source;
use crate::output::Outlet;
use crate::parts::{Behind, Checkpoint, Part, Progress, Shard, SolvedInput};

/// What is done to the records of all sources.
pub(super) trait Task {
    /// What a thread keeps between chunks.
    type Worker: Send;
    /// What the head of a source decides for all of its chunks.
    type Plan: Clone + Default + Send;
    /// What a chunk becomes. Pages are used again: `work` gets an old one.
    type Page: Default + Send;

    /// Which lines the chunks count.
    fn line_numbers(&self) -> LineNumbers {
        LineNumbers::None
    }

    /// Whether no source has decided yet which header the output has.
    fn needs_head(&self) -> bool;

    /// Called once a source, before its first chunk with a record. Appends the header of the output to `header`, if it
    /// follows from this source. `before` are the sources that were read before.
    fn recognised(
        &mut self,
        head: &SourceHead<'_>,
        before: &[SolvedInput],
        input: &mut SolvedInput,
        header: &mut Vec<u8>,
    ) -> Result<Self::Plan, Error>;

    /// Makes a page of `chunk`, and adds its malformed records to `malformed`.
    fn work(
        worker: &mut Self::Worker,
        plan: Self::Plan,
        chunk: &ChunkJob<'_>,
        page: &mut Self::Page,
        malformed: &mut MalformedLines,
    ) -> Result<(), Failure>;

    /// Writes a page, and adds up what it counted.
    fn deliver(&mut self, page: &mut Self::Page, delivery: Delivery<'_, '_>) -> Result<(), Error>;

    /// What the delivered pages add up to. A run that goes on gets it from [`Run::restore`].
    fn sums(&self, totals: &Totals) -> impl Serialize;
}

/// Which lines are counted before a chunk. To count them takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineNumbers {
    None,
    /// The lines of the source.
    OfSource,
    /// The lines of the source and of all sources before it.
    OfAllSources,
}

/// Where a page is in its source, and where its bytes go.
pub(super) struct Delivery<'d, 'o> {
    pub(super) at: &'d PagePlace,
    pub(super) input: &'d SolvedInput,
    /// The number of the source, from 0.
    pub(super) index: usize,
    pub(super) outs: &'d mut [&'o mut dyn Outlet],
    pub(super) watch: &'d mut dyn Watch,
}

/// The state belongs to another kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the progress is not from this command")]
pub struct UnknownState;

impl Fact for UnknownState {}

/// What was read of all sources.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// The sources in order.
    pub(super) inputs: Vec<SolvedInput>,
    /// Records of all sources.
    pub(super) records: u64,
    /// Those that are no puzzles.
    pub(super) malformed_count: u64,
    /// The first of them.
    pub(super) malformed: Vec<MalformedRecord>,
}

/// The state of a run: a line of JSON.
#[derive(Serialize, Deserialize)]
struct RunState<S> {
    at: Checkpoint,
    /// Whether the output has its header.
    has_header: bool,
    malformed_count: u64,
    /// Indices of sources, lines, errors.
    malformed: Vec<(usize, u64, LineError)>,
    sums: S,
}

/// What a chunk becomes.
#[derive(Default)]
pub(super) struct RunPage<P> {
    own: P,
    malformed: MalformedLines,
}

/// A run: its threads are started. It takes one source after the other.
pub(super) struct Run<'a, W, P> {
    pub(super) pipeline: Pipeline<W, RunPage<P>>,
    notation: Notation,
    /// Bytes of a chunk.
    chunk_bytes: usize,
    stop: &'a AtomicBool,
    pub(super) totals: Totals,
    /// Whether the header of the output is written.
    pub(super) prints_header: bool,
    /// Where an earlier run was.
    continued: Checkpoint,
}

/// Bytes of the largest chunk: a worker has a byte an option of all its puzzles, and the shortest record of a problem has
/// two bytes with its line end.
fn most_chunk_bytes(notation: &Notation) -> usize {
    /// Bytes of the puzzles of a chunk.
    const PUZZLES: usize = 1 << 26;
    match notation.choices {
        Some(_) => (2 * PUZZLES / notation.cells).max(2),
        None => usize::MAX,
    }
}

impl<'a, W: Send, P: Default + Send> Run<'a, W, P> {
    /// A run for puzzles written in this notation. Once `stop` is true it ends with [`ErrorKind::Stopped`].
    pub(super) fn new(
        pipeline: Pipeline<W, RunPage<P>>,
        notation: Notation,
        chunk_bytes: usize,
        stop: &'a AtomicBool,
    ) -> Run<'a, W, P> {
        let (totals, continued) = (Totals::default(), Checkpoint::default());
        let chunk_bytes = chunk_bytes.min(most_chunk_bytes(&notation));
        Run { pipeline, notation, chunk_bytes, stop, totals, prints_header: true, continued }
    }

    /// The part of each of `sources` that belongs to `shard`, for [`read`](Self::read). Only the first shard has a
    /// header. `usual` are the bytes of a chunk, of which a small input may have fewer; `None` if the answers depend on
    /// it.
    ///
    /// # Errors
    /// A [`ShardError`](crate::parts::ShardError) if one of the sources is not a regular file of text.
    pub(super) fn cut(
        &mut self,
        shard: Shard,
        sources: &[Source],
        lines: LineNumbers,
        usual: Option<usize>,
    ) -> Result<Vec<Part>, Error> {
        let (parts, bytes) = shard.parts(sources, lines == LineNumbers::OfAllSources)?;
        if let Some(usual) = usual {
            self.chunk_bytes = shard.small_chunk_bytes(bytes, usual).min(most_chunk_bytes(&self.notation));
        }
        self.prints_header &= shard.is_first();
        Ok(parts)
    }

    /// Whether the next source was finished by the run that this one continues.
    pub(super) fn is_passing(&self) -> bool {
        self.continued.has_finished(self.totals.inputs.len())
    }

    /// The state between two sources, with these `sums`. `needs_head`: no source has decided yet which header the
    /// output has.
    pub(super) fn state(&self, needs_head: bool, sums: impl Serialize) -> String {
        self.totals.state(None, !self.prints_header || !needs_head, sums)
    }

    /// Goes on where an earlier run had `state`, to the output of that run. Both runs have the same `sources`; all of
    /// them must be [`read`](Self::read). `watch` is informed of its malformed records. Returns the sums of its task.
    ///
    /// # Errors
    /// [`UnknownState`].
    pub(super) fn restore<S: DeserializeOwned>(
        &mut self,
        state: &str,
        sources: &[Source],
        watch: &mut dyn Watch,
    ) -> Result<S, Error> {
        let state: RunState<S> = serde_json::from_str(state).map_err(|_| UnknownState)?;
        for (index, line, error) in state.malformed {
            let malformed = MalformedRecord { path: name_of(sources, index), line, error };
            watch.malformed(&malformed);
            self.totals.malformed.push(malformed);
        }
        self.totals.malformed_count = state.malformed_count;
        self.totals.records = state.at.records();
        self.prints_header &= !state.has_header;
        self.continued = state.at;
        Ok(state.sums)
    }

    /// Reads `part` of `source`, and has `task` write each page to `outs`, in order. What an earlier run has read is
    /// left out. A part that is empty may still show the columns of the output.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`], and
    /// the errors of the task.
    pub(super) fn read<T: Task<Worker = W, Page = P>>(
        &mut self,
        task: &mut T,
        source: &mut Source,
        part: Part,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        let is_passed = self.is_passing();
        let (part, at) = self.continued.rest_of(self.totals.inputs.len(), part);
        let mut input = SolvedInput::of(source);
        at.inspect(|at| at.read.give_to(&mut input));
        let Run { pipeline, notation, chunk_bytes, stop, totals, prints_header, .. } = self;
        let reading = Reading { notation: notation.clone(), chunk_bytes: *chunk_bytes, part, stop };
        let mut station = RunStation {
            task,
            totals,
            prints_header: *prints_header,
            input,
            outs,
            watch,
            header: Vec::new(),
            is_within_page: false,
            is_passed,
            at,
        };
        let done = pipeline.run(source, reading, &mut station);
        if let Err(error) = &done {
            station.keep_last(error);
        }
        let done = done.and_then(|lines| {
            if station.task.line_numbers() == LineNumbers::OfAllSources {
                station.input.lines = station.input.lines.max(lines);
            }
            station.write_header()
        });
        let input = station.input;
        self.totals.inputs.push(input);
        done
    }
}

/// The name of the source `index`.
pub(super) fn name_of(sources: &[Source], index: usize) -> PathBuf {
    sources.get(index).map(|source| source.name().to_owned()).unwrap_or_default()
}

impl Totals {
    /// The number of the source of that name, which may be the one that is being read. A source may be named twice:
    /// then its errors belong to the first of them, which has the same name.
    pub(super) fn index_of(&self, path: &Path) -> usize {
        self.inputs.iter().position(|input| input.name == path).unwrap_or(self.inputs.len())
    }

    /// The state at the place `current` of the source behind `inputs`.
    fn state(&self, current: Option<Behind>, has_header: bool, sums: impl Serialize) -> String {
        let malformed = self.malformed.iter();
        let state = RunState {
            at: Checkpoint::new(&self.inputs, current),
            has_header,
            malformed_count: self.malformed_count,
            malformed: malformed.map(|one| (self.index_of(&one.path), one.line, one.error)).collect(),
            sums,
        };
        // Names and numbers can be written as JSON.
        serde_json::to_string(&state).unwrap_or_default()
    }
}

/// Reads one source.
struct RunStation<'r, 'o, T> {
    task: &'r mut T,
    totals: &'r mut Totals,
    prints_header: bool,
    input: SolvedInput,
    outs: &'r mut [&'o mut dyn Outlet],
    watch: &'r mut dyn Watch,
    /// Bytes of the header that are not written yet.
    header: Vec<u8>,
    /// Whether a part of a page was written.
    is_within_page: bool,
    /// Whether an earlier run finished the source, whose state is then ahead of this place.
    is_passed: bool,
    /// The place behind the chunks that were delivered.
    at: Option<Behind>,
}

impl<T: Task> RunStation<'_, '_, T> {
    /// Writes the header of the output, if it was found and not written yet.
    fn write_header(&mut self) -> Result<(), Error> {
        let header = std::mem::take(&mut self.header);
        if !header.is_empty() && self.prints_header {
            self.outs.iter_mut().try_for_each(|out| out.write_all(&header)).map_err(ErrorKind::Write)?;
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), Error> {
        let has_header = !self.prints_header || !self.task.needs_head() && self.header.is_empty();
        let state = self.totals.state(self.at, has_header, self.task.sums(self.totals));
        self.outs.iter_mut().try_for_each(|out| out.keep(&state))
    }

    /// Keeps the last state before the end, if the run was stopped between two pages: then everything that was written
    /// is whole. Until the run has reached the place where an earlier one ended, the earlier state stays.
    fn keep_last(&mut self, error: &Error) {
        if matches!(error.kind(), ErrorKind::Stopped) && !self.is_within_page && !self.is_passed {
            // The one before is kept if this is not.
            self.keep().ok();
        }
    }
}

impl<T: Task> Station for RunStation<'_, '_, T> {
    type Worker = T::Worker;
    type Page = RunPage<T::Page>;
    type Decision = T::Plan;

    fn numbers_lines(&self) -> bool {
        self.task.line_numbers() != LineNumbers::None
    }

    fn needs_head(&self) -> bool {
        self.at.is_some_and(|at| at.read.is_recognised) || self.task.needs_head()
    }

    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<T::Plan, Error> {
        self.input.format = head.format.name;
        self.input.columns = head.format.taken.clone();
        self.input.has_eliminations = head.format.has_eliminations;
        self.task.recognised(head, &self.totals.inputs, &mut self.input, &mut self.header)
    }

    fn work(
        worker: &mut T::Worker,
        plan: T::Plan,
        chunk: &ChunkJob<'_>,
        page: &mut Self::Page,
    ) -> Result<(), Failure> {
        page.malformed.clear();
        T::work(worker, plan, chunk, &mut page.own, &mut page.malformed)
    }

    fn deliver(&mut self, page: &mut Self::Page, at: &PagePlace) -> Result<(), Error> {
        self.is_within_page = true;
        self.write_header()?;
        let RunStation { task, totals, input, outs, watch, .. } = self;
        let index = totals.inputs.len();
        task.deliver(&mut page.own, Delivery { at, input, index, outs, watch: &mut **watch })?;
        self.is_within_page = false;
        totals.malformed_count += page.malformed.count;
        let room = MALFORMED_KEPT.saturating_sub(totals.malformed.len());
        for (line, error) in page.malformed.first.drain(..).take(room) {
            let malformed = MalformedRecord { path: input.name.clone(), line: at.line(line), error };
            watch.malformed(&malformed);
            totals.malformed.push(malformed);
        }
        at.count_in(input);
        totals.records += at.records;
        watch.advanced(at.position, totals.records);
        self.at =
            Some(Behind { read: Progress::of(input), offset: at.end, lines: at.lines_before + at.lines });
        if !self.outs.is_empty() && self.outs.iter().all(|out| out.is_due()) { self.keep() } else { Ok(()) }
    }

    fn working(&mut self, position: u64, records: u64) {
        self.watch.working(position, self.totals.records + records);
    }
}
