//! The sections of a run's report.

use super::names::{escaped, input_name, name_inputs};
use super::run::Report;
use super::section::{Bar, Effort, Fact, Section};
use galop_batch::figures::{CpuInfo, duration, group_digits, pluralize};
use galop_batch::input::OFFSET_NAME;

/// The sections, in order.
pub(super) fn sections(report: &Report) -> Vec<Section<'_>> {
    let mut sections = vec![title(report), Section::Facts(facts(report))];
    let statuses = report.counts.by_status().into_iter().filter(|&(_, count)| count > 0).collect();
    sections.push(Section::Statuses(statuses, report.counts.records));
    if report.counts.puzzles == 0 {
        sections.push(Section::Notes(written(report)));
        sections.push(Section::Malformed(&report.malformed));
        return sections;
    }
    let work = report.work.iter().map(|work| (report.engine, work.describe()));
    sections.push(Section::Notes(work.chain(notes(report)).collect()));
    sections.extend(times(report));
    sections.extend(guesses(report));
    sections.extend(calls(report));
    let alone = if report.nanos.is_some() { " (each measured again alone, if time allowed)" } else { "" };
    sections.push(Section::Puzzles("slowest", alone, &report.slowest));
    sections.push(Section::Puzzles("most guesses", "", &report.most_guesses));
    sections.push(Section::Malformed(&report.malformed));
    sections
}

/// What a user must know to trust the run: a second opinion, how the input was read, what was written.
pub(super) fn notes(report: &Report) -> Vec<(&'static str, String)> {
    let crosscheck = report.crosscheck.iter().map(|crosscheck| ("crosscheck", crosscheck.describe()));
    let columns = report.inputs.iter().filter_map(|input| input.columns.as_ref()).take(1);
    let columns = columns.map(|columns| ("columns", columns.to_string()));
    let answers = report.answers.iter().map(|answers| ("answers", answers.describe()));
    crosscheck.chain(columns).chain(arrays(report)).chain(answers).chain(written(report)).collect()
}

/// What was written, if that is not a record for each record of the input, or if its bytes were summed up.
fn written(report: &Report) -> Vec<(&'static str, String)> {
    let selection = report.selection.iter().map(|selection| ("selection", selection.describe()));
    let listing = report.listing.iter().map(|listing| ("solutions", listing.describe()));
    let output = report.output.iter().map(|output| ("output", output.describe()));
    selection.chain(listing).chain(output).collect()
}

/// Which inputs are arrays in which 1 is a blank.
fn arrays(report: &Report) -> Option<(&'static str, String)> {
    let names =
        report.inputs.iter().filter(|input| input.shape == OFFSET_NAME).map(|input| input.name.as_str());
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| {
        ("numbers", format!("a blank is 1, and a symbol n is n + 1, in {}", name_inputs(names.into_iter())))
    })
}

fn title(report: &Report) -> Section<'_> {
    let inputs = name_inputs(report.inputs.iter().map(|input| input.name.as_str()));
    if report.counts.puzzles == 0 {
        return Section::Title {
            what: "no puzzles".to_owned(),
            rest: vec![(false, format!(" in {inputs}"))],
        };
    }
    let elapsed = duration(report.elapsed_seconds * 1e9);
    let rate = group_digits(report.puzzles_per_second.round() as u64);
    let threads = pluralize(report.options.threads as u64, "thread", "threads");
    Section::Title {
        what: report.rules.count_puzzles(report.counts.puzzles),
        rest: vec![
            (false, format!(" from {inputs} in {elapsed}: ")),
            (true, format!("{rate} a second")),
            (false, format!(" ({}, {threads})", report.describe_engine())),
        ],
    }
}

fn facts(report: &Report) -> Vec<Fact> {
    let or_none = |limit: Option<u64>| limit.map_or("none".to_owned(), group_digits);
    let mut facts = vec![Fact::new("rules", report.rules.describe())];
    facts.extend(report.inputs.iter().map(|input| {
        let (bytes, lines) =
            (pluralize(input.bytes, "byte", "bytes"), pluralize(input.lines, "line", "lines"));
        let columns = input.columns.as_ref();
        let columns = columns.map_or(String::new(), |columns| format!("; {}", escaped(&columns.to_string())));
        let name = escaped(&input_name(&input.name));
        Fact::new("input", format!("{name} ({bytes}, {lines}{columns})"))
    }));
    facts.extend(report.answers.iter().map(|answers| Fact::new("answers", answers.describe())));
    facts.extend(written(report).into_iter().map(|(name, words)| Fact::new(name, escaped(&words))));
    facts.push(Fact::new("engine", report.describe_engine()));
    let has_puzzles = report.counts.puzzles > 0;
    let work = report.work.iter().filter(|_| has_puzzles);
    facts.extend(work.map(|work| Fact::new("work", work.describe())));
    facts.extend(report.crosscheck.iter().map(|crosscheck| Fact::new("crosscheck", crosscheck.describe())));
    facts.extend([
        Fact::new("limit on solutions", or_none(report.options.solutions)),
        Fact::new("limit on guesses", or_none(report.options.max_guesses)),
        Fact::new("threads", report.options.threads),
        Fact::new("elapsed", duration(report.elapsed_seconds * 1e9)),
    ]);
    let rate = || Fact::new("puzzles a second", group_digits(report.puzzles_per_second.round() as u64));
    facts.extend(has_puzzles.then(rate));
    facts.push(Fact::new("version", format!("galop {}", report.version)));
    facts.extend(Fact::command(report.command.as_ref()));
    let CpuInfo { cpu, cores, os, arch } = &report.machine;
    let cores = pluralize(*cores as u64, "core", "cores");
    facts.push(Fact::new("machine", format!("{cpu}, {cores}, {os} {arch}")));
    facts
}

fn times(report: &Report) -> Option<Section<'_>> {
    let nanos = report.times()?;
    let percentiles = [("p50", nanos.p50), ("p90", nanos.p90), ("p99", nanos.p99), ("p99.9", nanos.p99_9)];
    let mut figures = vec![("mean", duration(nanos.mean))];
    figures.extend(percentiles.into_iter().chain([("max", nanos.max)]).map(|(name, value)| {
        let value = duration(value as f64);
        (name, value)
    }));
    let bars = Bar::of(nanos.time_bars(), nanos.count);
    Some(Section::Effort(Effort { of: "time", figures, is_shared: report.has_shared_times(), bars }))
}

fn guesses(report: &Report) -> Option<Section<'_>> {
    let guesses = Some(&report.guesses).filter(|guesses| guesses.count > 0)?;
    let figures = vec![("mean", format!("{:.3}", guesses.mean)), ("max", group_digits(guesses.max))];
    let bars = Bar::of(guesses.count_bars(), guesses.count);
    Some(Section::Effort(Effort { of: "guesses", figures, is_shared: false, bars }))
}

fn calls(report: &Report) -> Option<Section<'_>> {
    let (calls, depth) = report.calls.as_ref().zip(report.depth.as_ref())?;
    let (most, deepest) = (group_digits(calls.max), group_digits(depth.max));
    let words = format!("mean {:.3}  max {most}  deepest {deepest}", calls.mean);
    (calls.count > 0).then_some(Section::Line("calls of the search", words))
}
