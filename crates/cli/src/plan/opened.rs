//! What a run over records reads and writes, opened in one order, and the run itself.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use galop_batch::Error;
use galop_batch::input::Source;
use galop_batch::output::{
    Complete, Completion, Earlier, End, FORMATS, FormatEntry, Outlet, OutputSum, RunFact, Whole,
};
use galop_batch::pipeline::{Part, SourceRun};
use galop_engines::Rules;
use galop_report::Figures;

use super::target::Target;
use super::{Report, open_inputs, open_inputs_twice, open_reports, read_files, report_writers};
use crate::args::{InputArgs, LongRunArgs, PartArgs, RunArgs};
use crate::output::{self, Content, Destination, Sink, Writing, name_sink};
use crate::progress::Progress;
use crate::{input, resume, rules, signals};

/// What was typed.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) input: &'a InputArgs,
    pub(crate) problem: Option<&'a Path>,
    pub(crate) part: &'a PartArgs,
    pub(crate) long_run: &'a LongRunArgs,
    pub(crate) run: &'a RunArgs,
    pub(crate) output: Option<&'a Path>,
    pub(crate) format: &'static FormatEntry,
    /// Whether an option names the format.
    pub(crate) is_format_named: bool,
    pub(crate) reports: &'a [PathBuf],
    pub(crate) is_read_twice: bool,
}

impl<'a> Request<'a> {
    /// A run over all records, which writes lines to standard output.
    pub(crate) fn new(input: &'a InputArgs, run: &'a RunArgs, reports: &'a [PathBuf]) -> Request<'a> {
        Request {
            input,
            problem: None,
            part: &PartArgs::WHOLE,
            long_run: &LongRunArgs::WHOLE,
            run,
            output: None,
            format: &FORMATS[0],
            is_format_named: false,
            reports,
            is_read_twice: false,
        }
    }
}

/// A run that is about to begin.
pub(crate) struct Opened<'a, R> {
    pub(crate) sources: Vec<Source>,
    /// The same sources for a second reading.
    again: Vec<Source>,
    /// The number of the first source of the last name that was typed.
    pub(crate) last_from: usize,
    pub(crate) rules: Rules,
    pub(crate) reports: Vec<Report<'a, R>>,
    pub(crate) progress: Progress,
    pub(crate) request: Request<'a>,
    /// The files that are read or written, whose names no other file may have.
    names: Vec<PathBuf>,
    pub(crate) started: Instant,
    /// What an earlier run left, which this one continues.
    earlier: Option<Earlier>,
}

/// What a run has done.
pub(crate) struct Done<O> {
    pub(crate) outcome: O,
    pub(crate) threads: usize,
    /// The outputs, which are complete and have no names yet.
    pub(crate) outputs: Vec<Whole>,
}

/// The end of a run whose outputs have their names.
pub(crate) struct Published {
    pub(crate) elapsed: Duration,
    /// The sum of the output, for the reports.
    pub(crate) sum: Option<OutputSum>,
    /// The progress of a run that could go on later, which is still there.
    pub(crate) progress: Option<Complete>,
}

impl<'a, R: Figures> Opened<'a, R> {
    /// Opens the inputs, the output and the reports, and finds the rules. `decide` says what follows from them, also for
    /// a run that goes on; `sink` makes the output of the opened file.
    pub(crate) fn open<T>(
        request: Request<'a>,
        decide: impl FnOnce(&Rules) -> anyhow::Result<(T, Vec<RunFact>)>,
        sink: impl FnOnce(Destination, &Rules, &T) -> anyhow::Result<Sink>,
    ) -> anyhow::Result<(Opened<'a, R>, Sink, T)> {
        let Request { input, problem, run, output, format, is_format_named, .. } = request;
        let (threads, is_quiet, is_resumed) = (run.threads(), run.quiet, request.long_run.resume);
        let groups = input::groups(&input.grids.files)?;
        let files = groups.concat();
        let mut read = read_files(&files, input);
        read.extend(problem);
        let reports = report_writers(request.reports, None, &read)?;
        let choice = rules::choice_or_problem(&input.grids.kind, problem)?;
        let ([mut sources, mut again], mut last_from) = ([Vec::new(), Vec::new()], 0);
        for group in &groups {
            last_from = sources.len();
            if request.is_read_twice {
                let [first, second] = open_inputs_twice(group, input, &choice)?;
                sources.extend(first);
                again.extend(second);
            } else {
                sources.extend(open_inputs(group, input, &choice)?);
            }
        }
        [&mut sources, &mut again].into_iter().for_each(|sources| request.part.apply(sources));
        let others: Vec<&Path> = read.into_iter().chain(reports.iter().map(|(path, _)| *path)).collect();
        let is_summed = !reports.is_empty();
        let target =
            Target { path: output, format, is_format_named, is_resumed, threads, is_quiet, is_summed };
        let prepared = target.prepare(&others)?;
        let names = others.into_iter().chain(output).map(Path::to_owned).collect();
        // The reports of a run that goes on later are opened when no other run writes the output.
        let (kept, reports) = if is_resumed { (reports, Vec::new()) } else { (Vec::new(), reports) };
        let mut reports = open_reports(reports, None, is_quiet)?;
        // Last, because it may wait for the input.
        let rules = rules::of_choice(&choice, &mut sources)?;
        let (decided, own_facts) = decide(&rules)?;
        let facts = || resume::facts(format, &input.grids.kind, problem, &sources, own_facts);
        let (sink, earlier) = target.open(prepared, |file| sink(file, &rules, &decided), facts)?;
        reports.extend(open_reports(kept, output, is_quiet)?);
        let total = sources.iter().chain(&again).map(Source::size).sum::<Option<u64>>();
        let progress = Progress::new(run.bar.progress, total, is_quiet || output::is_terminal(output));
        let started = Instant::now();
        let opened =
            Opened { sources, again, last_from, rules, reports, progress, request, names, started, earlier };
        Ok((opened, sink, decided))
    }

    /// Opens another output. No other file may have its name.
    pub(crate) fn open_other(&mut self, path: &Path, content: Content) -> anyhow::Result<Destination> {
        let names: Vec<&Path> = self.names.iter().map(AsRef::as_ref).collect();
        let Request { run, .. } = self.request;
        let writing = Writing { threads: run.threads(), ..Writing::of(content, run.quiet) };
        let opened = Destination::new(Some(path), &names, writing)?;
        self.names.push(path.to_owned());
        Ok(opened)
    }

    /// Whether all records of the inputs are read.
    pub(crate) fn is_whole(&self) -> bool {
        self.request.part.is_whole() && self.request.long_run.shard.is_none()
    }

    /// An error with the name of the output, if it has none.
    pub(crate) fn named(&self, error: Error) -> anyhow::Error {
        name_sink(error, self.request.output)
    }

    /// Has `read` take one source after the other, for a first reading.
    pub(crate) fn read_first(
        &mut self,
        read: impl FnMut(&mut Source, &mut Progress) -> Result<(), Error>,
    ) -> anyhow::Result<()> {
        let done = self.progress.each(&mut self.sources, read);
        done.map_err(|error| self.named(error))
    }

    /// The same for a second reading.
    pub(crate) fn read_again(
        &mut self,
        read: impl FnMut(&mut Source, &mut Progress) -> Result<(), Error>,
    ) -> anyhow::Result<()> {
        self.progress.read_again();
        let done = self.progress.each(&mut self.again, read);
        done.map_err(|error| self.named(error))
    }

    /// Has `run` take the part of each source that was asked for, and completes the outputs, which have no names yet.
    /// `has_answers` says whether any record has an answer.
    pub(crate) fn run<O>(
        &mut self,
        mut run: Box<dyn SourceRun<Outcome = O> + '_>,
        mut sinks: Vec<Sink>,
        has_answers: impl Fn(&O) -> bool,
    ) -> anyhow::Result<Done<O>> {
        let Opened { sources, again, progress, request, earlier, .. } = self;
        let sources = match again.is_empty() {
            true => sources,
            false => {
                progress.read_again();
                again
            }
        };
        let named = |error| name_sink(error, request.output);
        let parts = match request.long_run.shard {
            Some(shard) => {
                let parts = run.cut(shard, sources)?;
                let bytes = |(source, part): (&Source, &Part)| part.bytes_of(source.size().unwrap_or(0));
                progress.set_total(sources.iter().zip(&parts).map(bytes).sum());
                parts
            }
            None => vec![Part::WHOLE; sources.len()],
        };
        let is_resumed = request.long_run.resume;
        match earlier.take() {
            Some(earlier) => {
                run.restore(&earlier.state, sources, progress)?;
                progress.go_on_after(run.records());
            }
            // The first checkpoint is made at once, before a full disk can prevent it.
            None if is_resumed => sinks.iter_mut().try_for_each(|sink| sink.keep(&run.state()))?,
            None => {}
        }
        let mut outs: Vec<&mut dyn Outlet> = sinks.iter_mut().map(|sink| sink as &mut dyn Outlet).collect();
        for (source, part) in sources.iter_mut().zip(parts) {
            progress.start_at(part.from);
            let done = run.read(source, part, &mut outs, progress);
            if done.is_err() {
                progress.finish();
            }
            done.map_err(named)?;
            progress.next_source(part.bytes_of(source.size().unwrap_or(0)));
        }
        let threads = run.threads();
        // A state may have every point of the charts: it takes as long as thousands of puzzles.
        let state = if is_resumed { run.state() } else { String::new() };
        let outcome = run.finish(&mut outs).map_err(named)?;
        let end = End { state: &state, has_answers: has_answers(&outcome) };
        let outputs = sinks.into_iter().map(|sink| sink.complete(end)).collect::<Result<_, _>>();
        let outputs = outputs.map_err(named)?;
        progress.finish();
        Ok(Done { outcome, threads, outputs })
    }

    /// Gives the outputs their names, all or none.
    pub(crate) fn publish(&self, mut outputs: Vec<Whole>) -> anyhow::Result<Published> {
        // The first output is the last to get its name.
        outputs.reverse();
        let held = signals::hold_end();
        let completion = Whole::publish_all(outputs).map_err(|error| self.named(error))?.pop();
        drop(held);
        let Completion { mut sum, elapsed, progress, .. } = completion.unwrap_or_default();
        let is_read_again = self.request.long_run.resume && !self.reports.is_empty();
        if let Some(path) = self.request.output.filter(|_| is_read_again) {
            sum = Some(OutputSum::of_file(path)?);
        }
        Ok(Published { elapsed: elapsed.unwrap_or_else(|| self.started.elapsed()), sum, progress })
    }
}
