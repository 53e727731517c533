//! `galop convert`.

use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use galop::figures::group_digits;
use galop::input::Source;
use galop::pipeline::{ConvertOptions, ConvertOutcome, ConvertRun};
use galop::printable;

use super::args::ConvertArgs;
use super::output::{Sink, Writing, name_sink};
use super::progress::Progress;
use super::{input, messages, plan, rules, signals};

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let files = input::expanded(&args.input.files)?;
    let choice = rules::choice(&args.input.kind)?;
    let mut sources = plan::open_files(&files, &args.input, &choice)?;
    args.part.apply(&mut sources);
    let stdin = files.is_empty().then_some(Path::new("-"));
    let others: Vec<&Path> =
        stdin.into_iter().chain(files.iter().chain(&args.input.kind.regions).map(AsRef::as_ref)).collect();
    let (format, threads) = (args.format(), NonZero::new(args.threads));
    let writing = Writing { threads, is_quiet: args.quiet, is_summed: false };
    let sink = Sink::open(args.output.as_deref(), &others, writing)?;
    sink.check_format(format)?;
    // Last, because it may wait for the input.
    let rules = rules::of_choice(&choice, &mut sources)?;
    let sink = sink.for_converted(format, &rules)?;

    let total = sources.iter().map(Source::size).sum::<Option<u64>>();
    let mut progress = Progress::new(args.progress, total, args.quiet || sink.is_terminal());
    let started = Instant::now();
    let named = |error| name_sink(error, args.output.as_deref());
    let options = ConvertOptions { threads, format, chunk_bytes: None, stop: &signals::STOP };
    let mut run = ConvertRun::open(&rules, options, sink).map_err(named)?;
    for source in &mut sources {
        let converted = run.convert(source, &mut progress);
        if converted.is_err() {
            progress.finish();
        }
        converted.map_err(named)?;
        progress.next_source(source.size().unwrap_or(0));
    }
    let (mut sink, outcome) = run.finish().map_err(named)?;
    if let Sink::Arrays(arrays) = &mut sink
        && outcome.answers == 0
    {
        arrays.without_answers();
    }
    sink.finish()?;
    progress.finish();
    if !args.quiet {
        for source in &outcome.inputs {
            if let Some(columns) = &source.columns {
                messages::say(format_args!("{}: {columns}", printable(&source.name)));
            }
        }
        messages::say(messages::records_in(outcome.records, started.elapsed()));
        say_left_out(&outcome, format.name);
    }
    messages::warn_malformed(outcome.malformed_count, "");
    messages::warn_lost_fields(outcome.lost_fields);
    let is_faulty = outcome.malformed_count > 0 || outcome.lost_fields > 0;
    Ok(ExitCode::from(u8::from(is_faulty && !args.allow_malformed)))
}

/// Columns that are named.
const MAX_NAMES: usize = 20;

/// Names what has no place in the format.
fn say_left_out(outcome: &ConvertOutcome, format: &str) {
    if outcome.answers > 0 && !outcome.keeps_answers {
        let answers = group_digits(outcome.answers);
        messages::say(format_args!("left out: {answers} answers, because {format} holds only puzzles"));
    }
    if !outcome.left_out.is_empty() {
        let names: Vec<String> = outcome
            .left_out
            .iter()
            .take(MAX_NAMES)
            .map(|name| format!("`{}`", name.escape_debug()))
            .collect();
        let more = match outcome.left_out.len().saturating_sub(MAX_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = names.join(", ");
        messages::say(format_args!("left out: {names}{more}, because {format} has no columns for them"));
    }
}
