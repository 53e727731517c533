//! What commands share that write records in another way: what they open, the run over the sources, what they say at
//! the end.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use galop_batch::figures::{Histogram, group_digits, pluralize};
use galop_batch::input::Source;
use galop_batch::output::{
    Complete, Completion, Earlier, End, FormatEntry, Heading, Outlet, OutputSum, Whole,
};
use galop_batch::pipeline::{Part, RewriteOptions, RewriteOutcome, RewriteRun};
use galop_batch::{Error, ErrorKind, printable};
use galop_engines::Rules;
use galop_engines::engine::Entry;
use galop_report::{Survey, SurveyRun};

use super::args::{InputArgs, PartArgs, RewriteArgs};
use super::output::{self, Content, Destination, Sink, Writing, name_sink};
use super::plan::{self, Report};
use super::progress::Progress;
use super::rules::{self, KindChoice};
use super::{command, input, messages, resume, signals};

/// A run that is about to begin.
pub(super) struct Rewriting<'a> {
    sources: Vec<Source>,
    /// The same sources for a second reading.
    again: Vec<Source>,
    pub(super) rules: Rules,
    pub(super) options: RewriteOptions<'static>,
    pub(super) reports: Vec<Report<'a, Survey>>,
    /// The files that are read or written, whose names no other file may have.
    names: Vec<PathBuf>,
    /// Whether all records of the inputs are read.
    is_whole: bool,
    args: &'a RewriteArgs,
    progress: Progress,
    started: Instant,
    /// What an earlier run left, which this one continues.
    earlier: Option<Earlier>,
}

/// What a run has done.
pub(super) struct Done<C> {
    pub(super) outcome: RewriteOutcome,
    /// What it counted beside the records.
    pub(super) counts: C,
    threads: usize,
    /// The outputs, which are complete and have no names yet.
    pub(super) outputs: Vec<Whole>,
}

/// What is said of a run that has ended, and written to its reports.
#[derive(Default)]
pub(super) struct Summary<'e> {
    /// The engine that it used, if any.
    pub(super) engine: Option<&'e Entry>,
    /// The figures of the reports.
    pub(super) figures: &'e [(&'static str, u64)],
    pub(super) guesses: Option<&'e Histogram>,
    /// What is said behind the number of records.
    pub(super) text: &'e str,
}

/// Bytes of input whose records are written at once to a terminal: some dozens of puzzles, because a rating by
/// techniques may take a millisecond, and a screen that stays empty looks like a program that hangs.
const WATCHED_CHUNK_BYTES: usize = 4 << 10;

impl<'a> Rewriting<'a> {
    /// Opens the inputs, the reports, and the output.
    pub(super) fn open(
        typed: &InputArgs,
        part: &PartArgs,
        args: &'a RewriteArgs,
        reports: &'a [PathBuf],
    ) -> anyhow::Result<(Rewriting<'a>, Sink)> {
        Rewriting::open_with(typed, part, args, reports, None, &[])
    }

    /// The same. The output has the format `usual` if nothing names another one, and the columns `added`.
    pub(super) fn open_with(
        typed: &InputArgs,
        part: &PartArgs,
        args: &'a RewriteArgs,
        reports: &'a [PathBuf],
        usual: Option<&'static FormatEntry>,
        added: &[Heading],
    ) -> anyhow::Result<(Rewriting<'a>, Sink)> {
        Rewriting::open_by(typed, part, args, reports, (args.format_or(usual), added), open_once(typed))
    }

    /// The same, and the inputs once more, for a second reading.
    pub(super) fn open_twice(
        typed: &InputArgs,
        part: &PartArgs,
        args: &'a RewriteArgs,
        reports: &'a [PathBuf],
    ) -> anyhow::Result<(Rewriting<'a>, Sink)> {
        Rewriting::open_by(typed, part, args, reports, (args.format_or(None), &[]), |files, choice| {
            plan::open_inputs_twice(files, typed, choice)
        })
    }

    /// `open` opens the inputs for one reading or for two.
    fn open_by(
        typed: &InputArgs,
        part: &PartArgs,
        args: &'a RewriteArgs,
        reports: &'a [PathBuf],
        (format, added): (&'static FormatEntry, &[Heading]),
        open: impl Fn(&[PathBuf], &KindChoice) -> anyhow::Result<[Vec<Source>; 2]>,
    ) -> anyhow::Result<(Rewriting<'a>, Sink)> {
        let files = input::expanded(&typed.grids.files)?;
        let read = plan::read_files(&files, typed);
        let reports = plan::report_writers(reports, None, &read)?;
        let choice = rules::choice(&typed.grids.kind)?;
        let [mut sources, mut again] = open(&files, &choice)?;
        [&mut sources, &mut again].into_iter().for_each(|sources| part.apply(sources));
        let others: Vec<&Path> = read.into_iter().chain(reports.iter().map(|(path, _)| *path)).collect();
        let threads = NonZero::new(args.threads);
        let content = Content::of(format, args.names_format());
        let writing = Writing { content, threads, is_quiet: args.quiet, is_summed: !reports.is_empty() };
        let is_resumed = args.long_run.resume;
        let opened = if is_resumed {
            resume::check(args.output.as_deref(), format, &others, content)?;
            None
        } else {
            let opened = Destination::new(args.output.as_deref(), &others, writing)?;
            opened.check_format(format)?;
            Some(opened)
        };
        let names = others.iter().copied().chain(args.output.as_deref()).map(Path::to_owned).collect();
        // The reports of a run that goes on later are opened when no other run writes the output.
        let (kept, reports) = if is_resumed { (reports, Vec::new()) } else { (Vec::new(), reports) };
        let mut reports = plan::open_reports(reports, None, args.quiet)?;
        // Last, because it may wait for the input.
        let rules = rules::of_choice(&choice, &mut sources)?;
        let (sink, earlier) = match opened {
            Some(opened) => (opened.for_converted(format, added, &rules)?, None),
            None => {
                let facts = resume::facts(format, &typed.grids.kind, &sources)?;
                resume::open_file(args.output.as_deref(), threads, facts, args.quiet)?
            }
        };
        reports.extend(plan::open_reports(kept, args.output.as_deref(), args.quiet)?);
        let total = sources.iter().chain(&again).map(Source::size).sum::<Option<u64>>();
        let is_watched = output::is_terminal(args.output.as_deref());
        let progress = Progress::new(args.bar.progress, total, args.quiet || is_watched);
        let options =
            RewriteOptions::default().threads(threads).format(format).stop(&signals::STOP).chunk_bytes(
                NonZero::new(WATCHED_CHUNK_BYTES).filter(|_| is_watched && args.long_run.shard.is_none()),
            );
        let started = Instant::now();
        let is_whole = part.is_whole() && args.long_run.shard.is_none();
        let rewriting = Rewriting {
            sources,
            again,
            rules,
            options,
            reports,
            names,
            is_whole,
            args,
            progress,
            started,
            earlier,
        };
        Ok((rewriting, sink))
    }

    /// Opens another output. No other file may have its name.
    pub(super) fn open_other(&mut self, path: &Path, content: Content) -> anyhow::Result<Destination> {
        let names: Vec<&Path> = self.names.iter().map(AsRef::as_ref).collect();
        let writing = Writing { threads: self.options.threads, ..Writing::of(content, self.args.quiet) };
        let opened = Destination::new(Some(path), &names, writing)?;
        self.names.push(path.to_owned());
        Ok(opened)
    }

    /// The format of the output.
    pub(super) fn format(&self) -> &'static FormatEntry {
        self.options.format
    }

    /// An error with the name of the output, if it has none.
    pub(super) fn named(&self, error: Error) -> anyhow::Error {
        name_sink(error, self.args.output.as_deref())
    }

    /// An error of the rules, with the name of the input that they were found in.
    pub(super) fn named_input(&self, error: Error) -> anyhow::Error {
        name_input(error, self.sources.first())
    }

    /// Refuses to go on, and shards, if a seed is drawn: every run would draw another one.
    pub(super) fn check_seed(args: &RewriteArgs, seed: Option<u64>) -> anyhow::Result<()> {
        let option = if args.long_run.resume { "--resume" } else { "--shard" };
        match (args.long_run.resume || args.long_run.shard.is_some(), seed) {
            (true, None) => bail!("{option} needs --seed N, so that every run draws the same"),
            _ => Ok(()),
        }
    }

    /// Has `read` take one source after the other, for a first reading.
    pub(super) fn read_first(
        &mut self,
        mut read: impl FnMut(&mut Source, &mut Progress) -> Result<(), Error>,
    ) -> anyhow::Result<()> {
        for source in &mut self.sources {
            read(source, &mut self.progress).map_err(|error| {
                self.progress.finish();
                name_sink(error, self.args.output.as_deref())
            })?;
            self.progress.next_source(source.size().unwrap_or(0));
        }
        Ok(())
    }

    /// Has `run` take the part of each source that was asked for, and completes the outputs, which have no names yet.
    pub(super) fn rewrite<C>(
        &mut self,
        mut run: RewriteRun<'_, C>,
        mut sinks: Vec<Sink>,
    ) -> anyhow::Result<Done<C>> {
        let Rewriting { sources, again, progress, args, .. } = self;
        let sources = if again.is_empty() { sources } else { again };
        let path = args.output.as_deref();
        let named = |error| name_sink(error, path);
        let parts = match args.long_run.shard {
            Some(shard) => run.cut(shard, sources)?,
            None => vec![Part::WHOLE; sources.len()],
        };
        if args.long_run.shard.is_some() {
            let bytes = |(source, part): (&Source, &Part)| part.bytes_of(source.size().unwrap_or(0));
            progress.set_total(sources.iter().zip(&parts).map(bytes).sum());
        }
        let is_resumed = args.long_run.resume;
        match self.earlier.take() {
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
        let state = if is_resumed { run.state() } else { String::new() };
        let (outcome, counts) = run.finish(&mut outs).map_err(named)?;
        let end = End { state: &state, has_answers: outcome.answers > 0 };
        let outputs = sinks.into_iter().map(|sink| sink.complete(end)).collect::<Result<_, _>>();
        let outputs = outputs.map_err(named)?;
        progress.finish();
        Ok(Done { outcome, counts, threads, outputs })
    }

    /// Says what was read and written, with `summary` behind the number of records. Returns whether there was a fault.
    fn say(&self, outcome: &RewriteOutcome, elapsed: Duration, summary: &str) -> bool {
        if self.is_whole {
            messages::warn_empty(&outcome.inputs);
        }
        if !self.args.quiet {
            say_columns(outcome);
            let records = messages::records_in(outcome.records, elapsed);
            messages::say(format_args!("{records}{summary}"));
            say_left_out(outcome, self.format().name);
            messages::say_left_out_arrays(&outcome.inputs);
        }
        messages::warn_eliminations(&outcome.inputs);
        messages::warn_malformed(outcome.malformed_count, "");
        messages::warn_lost_fields(outcome.lost_fields);
        messages::warn_damaged_answers(outcome.damaged_answers, self.format().name);
        let is_faulty = outcome.malformed_count + outcome.lost_fields + outcome.damaged_answers > 0;
        is_faulty && !self.args.allow_malformed
    }

    /// Gives the outputs of a run their names, all or none, writes its reports, and says what it did. Returns the exit
    /// code.
    pub(super) fn close<C>(&mut self, mut done: Done<C>, summary: &Summary<'_>) -> anyhow::Result<ExitCode> {
        // The first output is the last to get its name.
        done.outputs.reverse();
        let held = signals::hold_end();
        let completion = Whole::publish_all(done.outputs)?.pop().unwrap_or_default();
        drop(held);
        let Completion { mut sum, elapsed, progress, .. } = completion;
        let output = self.args.output.as_deref();
        if let Some(path) = output.filter(|_| self.args.long_run.resume && !self.reports.is_empty()) {
            sum = Some(OutputSum::of_file(path)?);
        }
        let elapsed = elapsed.unwrap_or_else(|| self.started.elapsed());
        let Done { outcome, threads, .. } = done;
        let typed = command::typed();
        let (rules, engine) = (&self.rules, summary.engine);
        let run = SurveyRun { rules, engine, elapsed, command: Some(&typed) };
        let mut survey = Survey::of_puzzles(&run, threads, &outcome, summary.figures, summary.guesses);
        if let Some((path, sum)) = output.zip(sum) {
            survey.add_output(path, sum);
        }
        let are_reports_written = plan::write_surveys(&mut self.reports, survey, &self.sources);
        progress.map_or(Ok(()), Complete::forget)?;
        let is_faulty = self.say(&outcome, elapsed, summary.text);
        Ok(ExitCode::from(if are_reports_written { u8::from(is_faulty) } else { 2 }))
    }
}

/// A seed for those who name none: the hasher of the standard library has a random one.
pub(super) fn draw_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// An error of the rules, with the name of the input that they were found in.
pub(super) fn name_input(error: Error, source: Option<&Source>) -> anyhow::Error {
    match (error.kind(), source) {
        (ErrorKind::Fact(_), Some(source)) if error.path().is_none() => error.in_file(source.name()).into(),
        _ => error.into(),
    }
}

/// Says which columns were read.
pub(super) fn say_columns(outcome: &RewriteOutcome) {
    for source in &outcome.inputs {
        if let Some(columns) = &source.columns {
            messages::say(format_args!("{}: {columns}", printable(&source.name)));
        }
    }
}

/// Opens the inputs for one reading.
fn open_once(typed: &InputArgs) -> impl Fn(&[PathBuf], &KindChoice) -> anyhow::Result<[Vec<Source>; 2]> {
    |files, choice| Ok([plan::open_inputs(files, typed, choice)?, Vec::new()])
}

/// Names what has no place in the format.
fn say_left_out(outcome: &RewriteOutcome, format: &str) {
    if outcome.answers > 0 && !outcome.keeps_answers {
        let answers = group_digits(outcome.answers);
        messages::say(format_args!("left out: {answers} answers, because {format} holds only puzzles"));
    }
    if !outcome.left_out.is_empty() {
        let names = messages::names_of(&outcome.left_out);
        messages::say(format_args!("left out: {names}, because {format} has no columns for them"));
    }
    if outcome.crowded_lines > 0 {
        let records = pluralize(outcome.crowded_lines, "record", "records");
        messages::say(format_args!(
            "left out: the other fields of {records}, because fields of plain lines have no names"
        ));
    }
}
