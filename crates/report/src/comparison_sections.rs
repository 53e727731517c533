//! The sections of a comparison's report.

use super::names::{input_name, name_inputs};
use super::problem_sections::{all_problems, one_problem, problem_ranking, refusals};
use super::section::{
    Fact, Kind, PERCENTILES, Place, Plots, Readers, Section, Table, UNKNOWN, Words, checksum, number,
    or_none, percentiles, ratio,
};
use galop_batch::figures::{
    Distribution, duration, fraction_percent, group_digits, percent, pluralize, rounded,
};
use galop_compare::{Comparison, EngineFigures, Input, MEDIAN_RUNS, Spread};

/// What the columns of a comparison of puzzles are.
const PUZZLE_COLUMNS: &str = "Puzzles a second, mean, p50, p99 and max are over all puzzles in all runs. Then follow \
     guesses per puzzle, the share of the puzzles that were solved without a guess, and puzzles by status.";

/// What the columns of a comparison of problems are.
const PROBLEM_COLUMNS: &str = "A time is the median of the runs; after ± is the median distance from it. PAR2 is the \
     mean over all problems, with twice the budget for a problem not finished. A ratio over several problems is, in \
     each run, the geometric mean over the problems that both engines finished.";

/// What the columns of the table of runs are.
const RUN_COLUMNS: &str = "CPU per puzzle: the median of the runs ± their median distance from it, then the least and the \
     most. Elapsed: the time a puzzle by a wall clock, interruptions by other programs included. Answered: the share of \
     the puzzles that every run reached within the budget.";

/// Engines up to which the page shows everything. Of more, what each engine has for itself is folded.
const UNFOLDED: usize = 5;

/// Whether the page folds what each engine has for itself.
pub(super) fn is_folded(comparison: &Comparison) -> bool {
    comparison.engines.len() > UNFOLDED
}

/// How `what`, the ratio to the reference, was computed.
fn interval(what: &str, comparison: &Comparison) -> String {
    match comparison.options.runs {
        1 => format!("{what} is the ratio of a single run, so it has no interval."),
        2..MEDIAN_RUNS => format!(
            "{what} is the geometric mean of the runs' ratios, with a 95 % interval by Student's t on their \
             logarithms (the interval of a median needs {MEDIAN_RUNS} runs)."
        ),
        _ => {
            format!("{what} is the median of the runs' ratios, with a 95 % interval by the sign test.")
        }
    }
}

/// Which clock the times are of.
fn clocks(comparison: &Comparison) -> String {
    let is_elapsed = |engine: &&EngineFigures| engine.clock != "processor";
    let elapsed: Vec<&str> =
        comparison.engines.iter().filter(is_elapsed).map(|engine| &*engine.name).collect();
    let mut text = match elapsed.len() {
        0 => "All times are processor time.".to_owned(),
        count if count == comparison.engines.len() => {
            "All times are elapsed time, because this system does not give processor time.".to_owned()
        }
        _ => format!(
            "All times are processor time, except that the times of {} are elapsed time, because this system does not give the \
             processor time of a program.",
            elapsed.join(", ")
        ),
    };
    if comparison.is_read.is_some() {
        text += " They include the set-up of the engine";
        text +=
            if comparison.is_read == Some(true) { " and the reading of the problem's text." } else { "." };
    }
    if comparison.rules.is_some() {
        let step = duration(comparison.clock_step_nanos as f64);
        text += &format!(" The time of a puzzle is at least the clock's step, {step}.");
    }
    if comparison.engines.iter().any(|engine| engine.is_program) {
        text += match comparison.rules {
            Some(_) => {
                " The time of another program is the time of whole runs, with all processes that it waited for, less the time of \
                 an empty input; its times and guesses for single puzzles are not known."
            }
            None => {
                " The time of another program is the time of its process, with all processes that it waited for, less the time of \
                 a problem with one option."
            }
        };
    }
    text
}

/// The sections of the comparison at `place`, with at most `notable` puzzles for each pair of engines.
pub(super) fn sections_of<'a>(place: &Place, comparison: &'a Comparison, notable: usize) -> Vec<Section<'a>> {
    let rest = vec![(false, format!(": {}", method(comparison)))];
    let mut sections = vec![Section::Title { what: subject(comparison), rest }, headline(place, comparison)];
    let columns = if comparison.rules.is_some() { PUZZLE_COLUMNS } else { PROBLEM_COLUMNS };
    match &comparison.problems[..] {
        [] => sections.push(Section::Table(ranking(place, comparison))),
        [problem] => {
            sections.push(Section::PageTable(problem_ranking(place, comparison)));
            sections.push(Section::Table(one_problem(place, comparison, problem)));
        }
        problems => {
            sections.push(Section::Table(problem_ranking(place, comparison)));
            sections.push(Section::Table(all_problems(place, comparison, problems)));
        }
    }
    sections.extend(refusals(comparison).map(Section::Indented));
    sections.extend([
        Section::Explanation(format!(
            "{} {columns} {}",
            clocks(comparison),
            interval("The last column", comparison)
        )),
        Section::Warnings(place.at("warnings"), &comparison.warnings),
        Section::Facts(facts(place, comparison), inputs(place, comparison)),
    ]);
    if comparison.problems.is_empty() {
        sections.push(Section::PageTable(runs(place, comparison)));
        sections.push(Section::PageNote(RUN_COLUMNS.to_owned()));
        sections.push(Section::Plots(Plots::Puzzles(comparison)));
        sections.extend(efforts(place, comparison).map(Section::PageTable));
    } else {
        sections.push(Section::Plots(Plots::Problems(comparison)));
    }
    sections.extend(comparison.differences.iter().enumerate().map(|(index, difference)| Section::Notable {
        engine: &difference.engine,
        reference: &comparison.reference,
        place: place.at(format!("differences.{index}.puzzles")),
        rules: comparison.rules.as_ref(),
        is_folded: is_folded(comparison),
        puzzles: &difference.puzzles[..notable.min(difference.puzzles.len())],
    }));
    sections
}

/// The fastest engine and its speed.
fn headline<'a>(place: &Place, comparison: &Comparison) -> Section<'a> {
    let options = &comparison.options;
    let mut figures = Vec::new();
    if let Some(first) = comparison.engines.first() {
        let rate = |rate: f64| group_digits(rate.round() as u64);
        let speed = if comparison.rules.is_some() { "its puzzles a second" } else { "its problems a second" };
        figures.push(("fastest", place.figure("engines.0.name", &first.name, &first.name)));
        figures.push((speed, place.known("engines.0.puzzles_per_second", first.puzzles_per_second, rate)));
    }
    figures.push(("runs", number(place, "options.runs", options.runs as u64)));
    figures.push(("threads", number(place, "options.threads", options.threads as u64)));
    Section::Headline(figures)
}

/// The engines with their times by run.
fn runs(place: &Place, comparison: &Comparison) -> Table {
    let row = |(index, engine): (usize, &EngineFigures)| {
        let place = place.at(format!("engines.{index}"));
        let time = |name, nanos| place.figure(name, nanos, duration(nanos));
        let Spread { median, min, max, deviation } = engine.cpu_nanos;
        let (solved, puzzles) = (engine.counts.solved, engine.counts.puzzles);
        let (least, most) = (time("cpu_nanos.min", min), time("cpu_nanos.max", max));
        vec![
            Words::of(Kind::Series(index), &engine.name),
            time("cpu_nanos.median", median).and(" ± ").and(time("cpu_nanos.deviation", deviation)),
            least.and(" – ").and(most),
            time("wall_nanos.median", engine.wall_nanos.median),
            place.figure("share", engine.share, fraction_percent(engine.share)),
            place.figure("counts.solved", solved, percent(solved, puzzles)),
        ]
    };
    let header = ["engine", "CPU per puzzle", "by run", "elapsed", "answered", "solved, of answered"];
    Table::new("Runs", header, comparison.engines.iter().enumerate().map(row).collect())
}

/// What a puzzle cost each engine.
fn efforts(place: &Place, comparison: &Comparison) -> impl Iterator<Item = Table> {
    type Cost = fn(&EngineFigures) -> Option<&Distribution>;
    let costs: [(&str, &str, Cost, fn(f64) -> String); 3] = [
        ("Time per puzzle", "nanos", |engine| engine.nanos.as_ref(), duration),
        ("Guesses per puzzle", "guesses", |engine| engine.guesses.as_ref(), rounded),
        ("Calls per puzzle", "calls", |engine| engine.calls.as_ref(), rounded),
    ];
    costs.into_iter().filter_map(move |(title, name, cost, shown)| {
        let row = |(index, engine): (usize, &EngineFigures)| {
            let (place, words) = (place.at(format!("engines.{index}")), Words::from(&engine.name));
            let cells: Vec<Words> = match cost(engine).filter(|cost| cost.count > 0) {
                Some(cost) => percentiles(&place.at(name), cost, shown, shown).into(),
                // Of another program only the mean is known.
                None if name == "nanos" && engine.is_program && engine.puzzles > 0 => {
                    let mean = place.figure("mean_nanos", engine.mean_nanos, duration(engine.mean_nanos));
                    [vec![mean], vec![UNKNOWN.into(); PERCENTILES.len() - 2]].concat()
                }
                None => return None,
            };
            Some([vec![words], cells].concat())
        };
        let rows: Vec<Vec<Words>> = comparison.engines.iter().enumerate().filter_map(row).collect();
        (!rows.is_empty()).then(|| Table::new(title, PERCENTILES, rows))
    })
}

/// The inputs.
fn inputs(place: &Place, comparison: &Comparison) -> Table {
    let mut header = vec!["file", "bytes", "puzzles", "left out", "SHA-256"];
    if comparison.rules.is_none() {
        header.drain(2..4);
    }
    let row = |(index, input): (usize, &Input)| {
        let place = place.at(format!("inputs.{index}"));
        let mut row = vec![input.name.as_str().into(), number(&place, "bytes", input.bytes)];
        if comparison.rules.is_some() {
            row.push(number(&place, "puzzles", input.puzzles));
            row.push(number(&place, "malformed", input.malformed));
        }
        row.push(checksum(&place, input.sha256.as_ref()));
        row
    };
    Table::new("Data", header, comparison.inputs.iter().enumerate().map(row).collect())
}

/// The version of galop and its commit.
fn version(place: &Place, comparison: &Comparison) -> Words {
    let version = Words::from("galop ").and(place.figure("galop", &comparison.version, &comparison.version));
    match &comparison.commit {
        Some(commit) => version.and(" (").and(place.figure("commit", commit, commit)).and(")"),
        None => version,
    }
}

/// The puzzles that the engines were compared on.
pub(super) fn subject(comparison: &Comparison) -> String {
    let inputs = name_inputs(comparison.inputs.iter().map(|input| input.name.as_str()));
    let drawn = if comparison.options.sample.is_some() { "drawn from " } else { "from " };
    match (&comparison.rules, &comparison.problems[..]) {
        (Some(rules), _) => format!("{} {drawn}{inputs}", rules.count_puzzles(comparison.puzzles)),
        (None, [problem]) => {
            let items = pluralize(problem.items, "item", "items");
            format!("{inputs} ({items}, {})", pluralize(problem.options, "option", "options"))
        }
        (None, problems) => format!("{} exact cover problems", problems.len()),
    }
}

/// The way in which they were compared.
fn method(comparison: &Comparison) -> String {
    let options = &comparison.options;
    let limit = match options.solutions {
        None => "all solutions".to_owned(),
        Some(1) => "first solution".to_owned(),
        Some(2) => "proved the only solution".to_owned(),
        Some(solutions) => format!("up to {} solutions", group_digits(solutions)),
    };
    let limit = if options.cheapest { "cheapest cover".to_owned() } else { limit };
    let permuted = if options.permuted && comparison.rules.is_none() {
        format!("options shuffled again for each (seed {})", options.seed)
    } else if options.permuted {
        format!("permuted again for each (seed {})", options.seed)
    } else {
        "unchanged".to_owned()
    };
    let runs = pluralize(options.runs as u64, "run", "runs");
    let threads = pluralize(options.threads as u64, "thread", "threads");
    format!("{limit}, {runs}, {permuted}, {threads}")
}

/// The engines, fastest first. Columns without information are left out.
fn ranking(place: &Place, comparison: &Comparison) -> Table {
    let engines = &comparison.engines;
    // With other numbers of threads, processor time does not show what more threads are good for.
    let has_threads = engines.iter().any(|engine| engine.threads != comparison.options.threads);
    let has_calls = engines.iter().any(|engine| engine.calls.is_some());
    let is_cut = engines.iter().any(|engine| engine.puzzles < comparison.puzzles);
    let statuses = comparison.statuses();
    let mut header: Vec<String> =
        ["engine", "puzzles/s", "mean", "p50", "p99", "max", "guesses", "solved, no guess"]
            .map(String::from)
            .into();
    header.extend(has_threads.then(|| "threads".to_owned()));
    header.extend(has_threads.then(|| "puzzles/s elapsed".to_owned()));
    header.extend(has_calls.then(|| "calls".to_owned()));
    header.extend(is_cut.then(|| "answered".to_owned()));
    header.extend(statuses.iter().map(|&(word, _)| word.to_owned()));
    header.push(format!("× {}", comparison.reference));
    let row = |(index, engine): (usize, &EngineFigures)| {
        let place = place.at(format!("engines.{index}"));
        let time = |name, of: fn(&Distribution) -> u64| {
            place.known(name, engine.nanos.as_ref().map(of), |nanos| duration(nanos as f64))
        };
        let unguessed = |share: f64| {
            let count = engine.guesses.as_ref().map_or(0, |guesses| guesses.count);
            percent((share * count as f64).round() as u64, count)
        };
        let rate = |rate: f64| group_digits(rate.round() as u64);
        let name = Words::of(Kind::Series(index), &engine.name);
        let mut row = vec![
            engine.isa.iter().fold(name, |name, isa| name.and(Words::of(Kind::Aside, format!(" {isa}")))),
            place.known("puzzles_per_second", engine.puzzles_per_second, rate),
            place.figure("mean_nanos", engine.mean_nanos, duration(engine.mean_nanos)),
            time("nanos.p50", |nanos| nanos.p50),
            time("nanos.p99", |nanos| nanos.p99),
            time("nanos.max", |nanos| nanos.max),
            place.known("mean_guesses", engine.mean_guesses, rounded),
            place.known(
                "without_guess",
                engine.without_guess.filter(|_| engine.guesses.is_some()),
                unguessed,
            ),
        ];
        row.extend(has_threads.then(|| place.figure("threads", engine.threads, engine.threads.to_string())));
        let elapsed = engine.wall_nanos.median / engine.threads as f64;
        row.extend(has_threads.then(|| group_digits((1e9 / elapsed.max(1e-9)).round() as u64).into()));
        let calls = || {
            let mean = engine.calls.as_ref().map(|calls| calls.mean);
            mean.map_or_else(Words::default, |mean| place.figure("calls.mean", mean, rounded(mean)))
        };
        row.extend(has_calls.then(calls));
        row.extend(
            is_cut.then(|| {
                place.figure("puzzles", engine.puzzles, percent(engine.puzzles, comparison.puzzles))
            }),
        );
        let counts = engine.counts.by_status();
        row.extend(statuses.iter().map(|&(word, at)| number(&place.at("counts"), word, counts[at].1)));
        row.push(ratio(&place, engine.ratio, engine.name == comparison.reference));
        row
    };
    Table { title: "Ranking", header, rows: engines.iter().enumerate().map(row).collect() }
}

fn facts(place: &Place, comparison: &Comparison) -> Vec<Fact> {
    let (options, at) = (&comparison.options, place.at("options"));
    let has_puzzles = comparison.rules.is_some();
    let mut facts = Vec::new();
    facts.extend(Fact::command(place, comparison.command.as_ref()));
    facts.extend(comparison.inputs.iter().map(|input| {
        let malformed = match input.malformed {
            0 => String::new(),
            malformed => {
                format!(", {} left out", pluralize(malformed, "malformed record", "malformed records"))
            }
        };
        let bytes = pluralize(input.bytes, "byte", "bytes");
        let puzzles = if has_puzzles {
            ", ".to_owned() + &pluralize(input.puzzles, "puzzle", "puzzles")
        } else {
            String::new()
        };
        let name = Words::of(Kind::Foreign, input_name(&input.name));
        let known = name.and(format!(" ({bytes}{puzzles}{malformed}"));
        let sum = input.sha256.iter();
        let summed = sum.fold(known, |known, sum| known.and(", SHA-256 ").and(Words::of(Kind::Code, sum)));
        Fact::new("input", summed.and(")")).for_readers(Readers::Markdown)
    }));
    let sample =
        |readers, shown| Fact::new("sample", at.figure("sample", options.sample, shown)).for_readers(readers);
    match options.sample {
        Some(count) => {
            let puzzles = pluralize(count, "puzzle", "puzzles");
            facts.push(sample(Readers::All, format!("{puzzles}, seed {}", options.seed)));
        }
        None if has_puzzles => facts.push(sample(Readers::Page, "all puzzles".to_owned())),
        None => {}
    }
    let programs = comparison.engines.iter().enumerate();
    facts.extend(
        programs.filter_map(|(index, engine)| program(&place.at(format!("engines.{index}")), engine)),
    );
    let rules = comparison.rules.as_ref();
    facts.extend(
        rules.map(|rules| Fact::new("rules", place.figure("rules.name", &*rules.name, rules.describe()))),
    );
    let budget = options.budget_seconds.map_or("none".to_owned(), |seconds| duration(seconds * 1e9));
    let permuted = match options.permuted {
        true if has_puzzles => "again for every run",
        true => "the options, again for every run",
        false => "no",
    };
    let on_page = |name, words: Words| Fact::new(name, words).for_readers(Readers::Page);
    facts.extend([
        Fact::new("method", method(comparison)),
        on_page("limit on solutions", at.figure("solutions", options.solutions, or_none(options.solutions))),
        on_page("limit on guesses", limits(comparison).into()),
        on_page("seed", at.figure("seed", options.seed, options.seed.to_string())),
        on_page("permuted", at.figure("permuted", options.permuted, permuted)),
        Fact::new(
            if has_puzzles { "budget an engine and run" } else { "budget a problem" },
            at.figure("budget_seconds", options.budget_seconds, budget),
        ),
        Fact::machine(place, &comparison.machine),
        Fact::new("version", version(place, comparison)),
    ]);
    facts.extend(comparison.date.as_ref().map(|date| Fact::new("date", place.figure("date", date, date))));
    facts
}

/// What another program is: its file with the checksum, and its version.
fn program(place: &Place, engine: &EngineFigures) -> Option<Fact> {
    let (program, place) = (engine.program.as_ref()?, place.at("program"));
    let mut words = Words::from(&engine.name);
    if let Some(version) = &program.version {
        words = words.and(": ").and(place.figure("version", version, version).kind(Kind::Foreign));
    }
    if let Some((file, sum)) = program.file.as_ref().zip(program.sha256.as_ref()) {
        let file = place.figure("file", file, input_name(file)).kind(Kind::Foreign);
        words = words.and(" (").and(file).and(", SHA-256 ");
        words = words.and(place.figure("sha256", sum, sum).kind(Kind::Code)).and(")");
    }
    Some(Fact::new("program", words))
}

/// The engines' limits on guesses; engines with the same limit are named together.
fn limits(comparison: &Comparison) -> String {
    let mut limits: Vec<(Option<u64>, Vec<&str>)> = Vec::new();
    for engine in &comparison.engines {
        match limits.iter_mut().find(|(limit, _)| *limit == engine.max_guesses) {
            Some((_, names)) => names.push(&engine.name),
            None => limits.push((engine.max_guesses, vec![&*engine.name])),
        }
    }
    if let [(limit, _)] = limits[..] {
        return or_none(limit);
    }
    let words = limits.iter().map(|(limit, names)| format!("{} for {}", or_none(*limit), names.join(", ")));
    words.collect::<Vec<_>>().join("; ")
}
