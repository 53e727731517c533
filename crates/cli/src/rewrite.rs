//! What commands share that write records in another way: what they open, the run over the sources, what they say at
//! the end.

use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use galop_batch::figures::{Histogram, group_digits, pluralize};
use galop_batch::input::Source;
use galop_batch::output::{Complete, FormatEntry, Heading};
use galop_batch::pipeline::{RewriteOptions, RewriteOutcome, RewriteRun, SolvedInput};
use galop_batch::{Error, ErrorKind, printable};
use galop_engines::engine::Entry;
use galop_report::{Survey, SurveyRun};

use super::args::{InputArgs, PartArgs, RewriteArgs};
use super::output::{self, Sink};
use super::plan::{self, Done, Opened, Published, Request};
use super::{command, messages, signals};

/// A run that is about to begin.
pub(super) struct Rewriting<'a> {
    pub(super) opened: Opened<'a, Survey>,
    pub(super) options: RewriteOptions<'static>,
    args: &'a RewriteArgs,
}

/// What is typed for such a run, and what follows from the command.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) input: &'a InputArgs,
    pub(super) part: &'a PartArgs,
    pub(super) rewrite: &'a RewriteArgs,
    pub(super) reports: &'a [PathBuf],
    /// The format of the output if nothing names another one.
    pub(super) usual: Option<&'static FormatEntry>,
    /// The columns that are added.
    pub(super) added: &'a [Heading],
    pub(super) is_read_twice: bool,
}

/// What a run has done, and what it counted beside the records.
type Rewritten<C> = Done<(RewriteOutcome, C)>;

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

impl<'a> Wanted<'a> {
    pub(super) fn new(
        input: &'a InputArgs,
        part: &'a PartArgs,
        rewrite: &'a RewriteArgs,
        reports: &'a [PathBuf],
    ) -> Wanted<'a> {
        Wanted { input, part, rewrite, reports, usual: None, added: &[], is_read_twice: false }
    }
}

impl<'a> Rewriting<'a> {
    /// Opens the inputs, the reports, and the output.
    pub(super) fn open(wanted: Wanted<'a>) -> anyhow::Result<(Rewriting<'a>, Sink)> {
        let Wanted { input, part, rewrite: args, reports, usual, added, is_read_twice } = wanted;
        let format = args.format_or(usual);
        let request = Request {
            part,
            long_run: &args.long_run,
            output: args.output.as_deref(),
            format,
            is_format_named: args.names_format(),
            is_read_twice,
            ..Request::new(input, &args.run, reports)
        };
        let (opened, sink, ()) = Opened::open(
            request,
            |_| Ok(((), Vec::new())),
            |file, rules, ()| file.for_converted(format, added, rules),
        )?;
        let is_watched = output::is_terminal(args.output.as_deref()) && args.long_run.shard.is_none();
        let chunk_bytes = NonZero::new(WATCHED_CHUNK_BYTES).filter(|_| is_watched);
        let options = RewriteOptions::default().threads(args.run.threads()).format(format);
        let options = options.stop(&signals::STOP).chunk_bytes(chunk_bytes);
        Ok((Rewriting { opened, options, args }, sink))
    }

    /// The format of the output.
    pub(super) fn format(&self) -> &'static FormatEntry {
        self.options.format
    }

    /// An error of the rules, with the name of the input that they were found in.
    pub(super) fn named_input(&self, error: Error) -> anyhow::Error {
        name_input(error, self.opened.sources.first())
    }

    /// Refuses to go on, and shards, if a seed is drawn: every run would draw another one.
    pub(super) fn check_seed(args: &RewriteArgs, seed: Option<u64>) -> anyhow::Result<()> {
        let option = if args.long_run.resume { "--resume" } else { "--shard" };
        match (args.long_run.resume || args.long_run.shard.is_some(), seed) {
            (true, None) => bail!("{option} needs --seed N, so that every run draws the same"),
            _ => Ok(()),
        }
    }

    /// Has `run` write to the outputs, which have no names yet.
    pub(super) fn rewrite<C>(
        &mut self,
        run: RewriteRun<'_, C>,
        sinks: Vec<Sink>,
    ) -> anyhow::Result<Rewritten<C>> {
        self.opened.run(run, sinks, |(outcome, _)| outcome.answers > 0)
    }

    /// Says what was read and written, with `summary` behind the number of records. Returns whether there was a fault.
    fn say(&self, outcome: &RewriteOutcome, elapsed: Duration, summary: &str) -> bool {
        if self.opened.is_whole() {
            messages::warn_empty(&outcome.inputs);
        }
        if !self.args.run.quiet {
            say_columns(&outcome.inputs);
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
    pub(super) fn close<C>(&mut self, done: Rewritten<C>, summary: &Summary<'_>) -> anyhow::Result<ExitCode> {
        let Done { outcome: (outcome, _), threads, outputs } = done;
        let Published { elapsed, sum, progress } = self.opened.publish(outputs)?;
        let typed = command::typed();
        let run =
            SurveyRun { rules: &self.opened.rules, engine: summary.engine, elapsed, command: Some(&typed) };
        let mut survey = Survey::of_puzzles(&run, threads, &outcome, summary.figures, summary.guesses);
        if let Some((path, sum)) = self.args.output.as_deref().zip(sum) {
            survey.add_output(path, sum);
        }
        let Opened { reports, sources, .. } = &mut self.opened;
        let are_reports_written = plan::write_surveys(reports, survey, sources);
        progress.map_or(Ok(()), Complete::settle)?;
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
pub(super) fn say_columns<'i>(inputs: impl IntoIterator<Item = &'i SolvedInput>) {
    for source in inputs {
        if let Some(columns) = &source.columns {
            messages::say(format_args!("{}: {columns}", printable(&source.name)));
        }
    }
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
