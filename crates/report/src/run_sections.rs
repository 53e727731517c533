//! The sections of a run's report.

use super::names::{input_name, name_inputs};
use super::run::Report;
use super::section::{
    Bar, Effort, Fact, Kind, PERCENTILES, Place, Plots, Readers, Section, Table, Words, checksum, number,
    or_none, percentiles,
};
use galop_batch::figures::{Distribution, duration, group_digits, percent, pluralize};
use galop_batch::input::OFFSET_NAME;

/// The place of the figures in the JSON report.
const TOP: Place = Place(String::new());

/// The sections, in order.
pub(super) fn sections(report: &Report) -> Vec<Section<'_>> {
    let counts = &report.counts;
    let mut sections = vec![title(report), headline(report), Section::Facts(facts(report), inputs(report))];
    let statuses = counts.by_status().into_iter().filter(|&(_, count)| count > 0).map(|(word, count)| {
        vec![word.into(), number(&TOP.at("counts"), word, count), percent(count, counts.records).into()]
    });
    let statuses = Table::new("Answers", ["status", "records", "share"], statuses.collect());
    sections.push(Section::Statuses(statuses));
    if counts.puzzles == 0 {
        sections.push(Section::Notes(written(report)));
        sections.push(Section::Malformed(&report.malformed, counts.malformed));
        return sections;
    }
    let work = report.work.iter().map(|work| (report.engine, work.describe().into()));
    sections.push(Section::Notes(work.chain(notes(report)).collect()));
    sections.extend(times(report));
    sections.extend(guesses(report));
    sections.push(Section::PageTable(efforts(report)));
    if report.times().is_some() && report.has_shared_times() {
        sections.push(Section::PageNote(SHARED_TIMES.to_owned()));
    }
    sections.push(Section::Plots(Plots::Run(report)));
    sections.extend(calls(report));
    let puzzles = |title, list, about, puzzles| Section::Puzzles {
        title,
        about,
        place: TOP.at(list),
        rules: &report.rules,
        puzzles,
    };
    let alone = match report.nanos {
        Some(_) => " (each measured again alone, if time allowed: not the times of the run)",
        None => "",
    };
    sections.push(puzzles("slowest", "slowest", alone, &report.slowest));
    sections.push(puzzles("most guesses", "most_guesses", "", &report.most_guesses));
    sections.push(Section::Malformed(&report.malformed, counts.malformed));
    sections
}

/// What the time of a puzzle is if many are solved at once.
pub(super) const SHARED_TIMES: &str = "Many puzzles are solved at once: a puzzle's time is its share of its lanes' \
     rounds, and the times add up to the times of the batches.";

fn headline(report: &Report) -> Section<'_> {
    let (solved, records) = (report.counts.solved, report.counts.records);
    let of_all = if records == 0 { "–".to_owned() } else { percent(solved, records) };
    Section::Headline(vec![
        ("puzzles a second", TOP.figure("puzzles_per_second", report.puzzles_per_second, report.rate())),
        ("elapsed", TOP.figure("elapsed_seconds", report.elapsed_seconds, report.elapsed())),
        ("solved", TOP.figure("counts.solved", solved, of_all)),
        ("threads", number(&TOP, "options.threads", report.options.threads as u64)),
    ])
}

/// What puzzles cost.
fn efforts(report: &Report) -> Table {
    let whole = |value: f64| group_digits(value as u64);
    let mut rows = Vec::new();
    let mut row = |name: &str, path: &str, cost: Option<&Distribution>, mean: fn(f64) -> String, shown| {
        let cost = cost.filter(|cost| cost.count > 0);
        let row = cost
            .map(|cost| [vec![name.into()], percentiles(&TOP.at(path), cost, mean, shown).into()].concat());
        rows.extend(row);
    };
    let mean = |mean: f64| format!("{mean:.3}");
    row("time", "nanos", report.times(), duration, duration);
    row("guesses", "guesses", Some(&report.guesses), mean, whole);
    row("calls", "calls", report.calls.as_ref(), mean, whole);
    row("depth", "depth", report.depth.as_ref(), mean, whole);
    Table::new("Effort per puzzle", PERCENTILES, rows)
}

/// The inputs.
fn inputs(report: &Report) -> Table {
    let row = |(index, input): (usize, &super::run::InputFigures)| {
        let place = TOP.at(format!("inputs.{index}"));
        vec![
            input.name.as_str().into(),
            place.figure("shape", input.shape, input.shape),
            number(&place, "bytes", input.bytes),
            number(&place, "lines", input.lines),
            number(&place, "records", input.records),
            checksum(&place, input.sha256.as_ref()),
        ]
    };
    let header = ["file", "read as", "bytes", "lines", "records", "SHA-256"];
    Table::new("Data", header, report.inputs.iter().enumerate().map(row).collect())
}

/// What a user must know to trust the run: a second opinion, how the input was read, what was written.
pub(super) fn notes(report: &Report) -> Vec<(&'static str, Words)> {
    let crosscheck = report.crosscheck.iter().map(|crosscheck| ("crosscheck", crosscheck.describe().into()));
    let columns = report.inputs.iter().filter_map(|input| input.columns.as_ref()).take(1);
    let columns = columns.map(|columns| ("columns", columns.to_string().into()));
    let answers = report.answers.iter().map(|answers| ("answers", answers.describe().into()));
    crosscheck.chain(columns).chain(arrays(report)).chain(answers).chain(written(report)).collect()
}

/// What was written, if that is not a record for each record of the input, or if its bytes were summed up.
fn written(report: &Report) -> Vec<(&'static str, Words)> {
    let selection = report.selection.iter().map(|selection| ("selection", selection.describe().into()));
    let listing = report.listing.iter().map(|listing| ("solutions", listing.describe().into()));
    let output = report.output.iter();
    let output =
        output.map(|output| ("output", TOP.figure("output.sha256", &output.sha256, output.describe())));
    selection.chain(listing).chain(output).collect()
}

/// Which inputs are arrays in which 1 is a blank.
fn arrays(report: &Report) -> Option<(&'static str, Words)> {
    let names =
        report.inputs.iter().filter(|input| input.shape == OFFSET_NAME).map(|input| input.name.as_str());
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| {
        let names = name_inputs(names.into_iter());
        ("numbers", format!("a blank is 1, and a symbol n is n + 1, in {names}").into())
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
    let threads = pluralize(report.options.threads as u64, "thread", "threads");
    Section::Title {
        what: report.rules.count_puzzles(report.counts.puzzles),
        rest: vec![
            (false, format!(" from {inputs} in {}: ", report.elapsed())),
            (true, format!("{} a second", report.rate())),
            (false, format!(" ({}, {threads})", report.describe_engine())),
        ],
    }
}

fn facts(report: &Report) -> Vec<Fact> {
    let (options, rules) = (TOP.at("options"), &report.rules);
    let mut facts = vec![Fact::new("rules", TOP.figure("rules.name", &*rules.name, rules.describe()))];
    facts.extend(report.inputs.iter().map(|input| {
        let (bytes, lines) =
            (pluralize(input.bytes, "byte", "bytes"), pluralize(input.lines, "line", "lines"));
        let columns = input.columns.as_ref();
        let columns =
            columns.map(|columns| Words::from("; ").and(Words::of(Kind::Foreign, columns.to_string())));
        let name = Words::of(Kind::Foreign, input_name(&input.name)).and(format!(" ({bytes}, {lines}"));
        let is_in_table = columns.is_none();
        let fact = Fact::new("input", name.and(columns.unwrap_or_default()).and(")"));
        if is_in_table { fact.for_readers(Readers::Markdown) } else { fact }
    }));
    facts.extend(report.answers.iter().map(|answers| Fact::new("answers", answers.describe())));
    facts.extend(written(report).into_iter().map(|(name, words)| Fact::new(name, words.kind(Kind::Foreign))));
    facts.push(Fact::new("engine", report.describe_engine()));
    let has_puzzles = report.counts.puzzles > 0;
    let work = report.work.iter().filter(|_| has_puzzles);
    facts.extend(work.map(|work| Fact::new("work", work.describe())));
    facts.extend(report.crosscheck.iter().map(|crosscheck| Fact::new("crosscheck", crosscheck.describe())));
    let (solutions, guesses) = (report.options.solutions, report.options.max_guesses);
    let format = report.options.format;
    facts.extend([
        Fact::new("limit on solutions", options.figure("solutions", solutions, or_none(solutions))),
        Fact::new("limit on guesses", options.figure("max_guesses", guesses, or_none(guesses))),
        Fact::new("printed as", options.figure("format", format, format)).for_readers(Readers::Page),
        Fact::new(
            "threads",
            options.figure("threads", report.options.threads, report.options.threads.to_string()),
        ),
        Fact::new("elapsed", TOP.figure("elapsed_seconds", report.elapsed_seconds, report.elapsed())),
    ]);
    let shown = || TOP.figure("puzzles_per_second", report.puzzles_per_second, report.rate());
    facts.extend(has_puzzles.then(|| Fact::new("puzzles a second", shown())));
    facts.push(Fact::new(
        "version",
        Words::from("galop ").and(TOP.figure("galop", report.version, report.version)),
    ));
    facts.extend(Fact::command(&TOP, report.command.as_ref()));
    facts.push(Fact::machine(&TOP, &report.machine));
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
