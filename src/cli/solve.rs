//! `galop solve`.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anstyle::{AnsiColor, Reset};
use anyhow::bail;
use galop::Status;
use galop::pipeline::solve::{Options, Outcome, Road};
use galop::report::{self, Report, Run, Style};

use super::args::SolveArgs;
use super::output::{Sink, is_same, name_sink, write_report};
use super::progress::Progress;
use super::rules::{engine_for, rules};
use super::{command, exit, input, messages};

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let reports = reports(args)?;
    let mut sources = input::open(&args.files, !args.no_mmap)?;
    let others: Vec<&Path> =
        args.files.iter().chain(&args.report).chain(&args.kind.regions).map(AsRef::as_ref).collect();
    let sink = Sink::open(args.output.as_deref(), &others)?;
    let rules = rules(&args.kind, &mut sources)?;
    let engine = engine_for(args.search.engine, galop::default_for, &rules)?;
    let options = Options {
        limits: args.search.limits_of(engine),
        threads: args.threads,
        format: args.format,
        chunk_bytes: 0,
        isa: args.search.isa(),
        crosscheck: args.second.sample(),
        times: !args.no_times,
        slowest: args.slowest,
        stop: &exit::STOP,
    };
    let total = sources.iter().map(galop::input::source::Source::size).sum::<Option<u64>>();
    let mut progress = Progress::new(args.progress, total, args.quiet || sink.is_terminal());

    let started = Instant::now();
    let named = |error| name_sink(error, args.output.as_deref());
    let mut road = Road::open(&rules, engine, options, sink).map_err(named)?;
    for source in &mut sources {
        let solved = road.solve(source, &mut progress);
        if solved.is_err() {
            progress.finish();
        }
        solved.map_err(named)?;
        progress.next_source(source.size().unwrap_or(0));
    }
    let threads = road.threads();
    let (sink, outcome) = road.close().map_err(named)?;
    sink.finish()?;
    progress.finish();
    let finished = Run { rules: &rules, engine, options: &options, threads, elapsed: started.elapsed() };
    let mut report = Report::new(&finished, &outcome);
    report.command = Some(command::typed());
    if !reports.is_empty() {
        // Not before: a sum takes longer than many a run.
        for (input, source) in report.inputs.iter_mut().zip(&sources) {
            input.sha256 = source.sha256()?;
        }
    }

    for (path, format) in reports {
        if let Some(write) = format.write {
            write_report(path, &write(&report))?;
        }
    }
    if !args.quiet {
        anstream::eprint!("{}", report::text(&report, &style()));
    }
    messages::warn_malformed(outcome.tally.of(Status::Malformed), "");
    Ok(ExitCode::from(u8::from(is_failure(args, &outcome))))
}

/// The reports asked for, each with its format; nothing is solved before their names are known to be good.
fn reports(args: &SolveArgs) -> anyhow::Result<Vec<(&Path, &'static report::Format)>> {
    for (index, path) in args.report.iter().enumerate() {
        let others = args.files.iter().chain(&args.kind.regions).chain(&args.report[..index]);
        if let Some(other) = others.into_iter().find(|other| is_same(path, other)) {
            bail!("{}: a report must not be written over {}", path.display(), other.display());
        }
    }
    let with_format = |path| Ok((path, report::format_of(path)?));
    args.report.iter().map(|path| with_format(path.as_path())).collect()
}

pub(super) fn style() -> Style {
    Style {
        heading: anstyle::Style::new().bold().to_string(),
        bar: AnsiColor::Green.on_default().to_string(),
        warning: AnsiColor::Yellow.on_default().to_string(),
        reset: Reset.to_string(),
    }
}

fn is_failure(args: &SolveArgs, outcome: &Outcome) -> bool {
    let tally = &outcome.tally;
    let is_malformed = tally.of(Status::Malformed) > 0 && !args.allow_malformed;
    is_malformed || args.strict && tally.of(Status::Solved) < tally.records()
}
