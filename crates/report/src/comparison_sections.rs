//! The sections of a comparison's report.

use super::names::{escaped, input_name, name_inputs};
use super::problem_sections::{all_problems, one_problem, problem_ranking, refusals};
use super::section::{Fact, Section, Table, UNKNOWN, ratio};
use galop_batch::figures::{CpuInfo, Distribution, duration, group_digits, percent, pluralize, rounded};
use galop_compare::{Comparison, EngineFigures, MEDIAN_RUNS};

/// What the columns of a comparison of puzzles are.
const PUZZLE_COLUMNS: &str = "Puzzles a second, mean, p50, p99 and max are over all puzzles in all runs. Then follow \
     guesses per puzzle, the share of the puzzles that were solved without a guess, and puzzles by status.";

/// What the columns of a comparison of problems are.
const PROBLEM_COLUMNS: &str = "A time is the median of the runs; after ± is the median distance from it. PAR2 is the \
     mean over all problems, with twice the budget for a problem not finished. A ratio over several problems is, in \
     each run, the geometric mean over the problems that both engines finished.";

/// How `what`, the ratio to the reference, was computed.
pub(super) fn interval(what: &str, comparison: &Comparison) -> String {
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
pub(super) fn clocks(comparison: &Comparison) -> String {
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

/// The sections of a comparison, with at most `notable` puzzles for each pair of engines.
pub(super) fn sections_of(comparison: &Comparison, notable: usize) -> Vec<Section<'_>> {
    let rest = vec![(false, format!(": {}", method(comparison)))];
    let mut sections = vec![Section::Title { what: subject(comparison), rest }];
    let columns = if comparison.rules.is_some() { PUZZLE_COLUMNS } else { PROBLEM_COLUMNS };
    match &comparison.problems[..] {
        [] => sections.push(Section::Ranking(ranking(comparison))),
        [problem] => sections.push(Section::Ranking(one_problem(comparison, problem))),
        problems => {
            sections.push(Section::Ranking(problem_ranking(comparison)));
            sections.push(Section::Ranking(all_problems(comparison, problems)));
        }
    }
    sections.extend(refusals(comparison).map(Section::Indented));
    sections.extend([
        Section::Explanation(format!(
            "{} {columns} {}",
            clocks(comparison),
            interval("The last column", comparison)
        )),
        Section::Warnings(&comparison.warnings),
        Section::Facts(facts(comparison)),
    ]);
    sections.extend(comparison.differences.iter().map(|difference| Section::Notable {
        engine: &difference.engine,
        reference: &comparison.reference,
        puzzles: &difference.puzzles[..notable.min(difference.puzzles.len())],
    }));
    sections
}

/// The version of galop and its commit.
fn version(comparison: &Comparison) -> String {
    match &comparison.commit {
        Some(commit) => format!("galop {} ({commit})", comparison.version),
        None => format!("galop {}", comparison.version),
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
fn ranking(comparison: &Comparison) -> Table {
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
    let row = |engine: &EngineFigures| {
        let or_unknown = |figure: Option<String>| figure.unwrap_or_else(|| UNKNOWN.to_owned());
        let time = |of: fn(&Distribution) -> u64| {
            or_unknown(engine.nanos.as_ref().map(|nanos| duration(of(nanos) as f64)))
        };
        let unguessed = engine
            .without_guess
            .zip(engine.guesses.as_ref())
            .map(|(share, guesses)| percent((share * guesses.count as f64).round() as u64, guesses.count));
        let rate = engine.puzzles_per_second.map(|rate| group_digits(rate.round() as u64));
        let mut row = vec![
            engine.name.clone(),
            or_unknown(rate),
            duration(engine.mean_nanos),
            time(|nanos| nanos.p50),
            time(|nanos| nanos.p99),
            time(|nanos| nanos.max),
            or_unknown(engine.mean_guesses.map(rounded)),
            or_unknown(unguessed),
        ];
        row.extend(has_threads.then(|| engine.threads.to_string()));
        let elapsed = engine.wall_nanos.median / engine.threads as f64;
        row.extend(has_threads.then(|| group_digits((1e9 / elapsed.max(1e-9)).round() as u64)));
        let calls = || engine.calls.as_ref().map_or(String::new(), |calls| rounded(calls.mean));
        row.extend(has_calls.then(calls));
        row.extend(is_cut.then(|| percent(engine.puzzles, comparison.puzzles)));
        let counts = engine.counts.by_status();
        row.extend(statuses.iter().map(|&(_, place)| group_digits(counts[place].1)));
        row.push(ratio(engine, &comparison.reference));
        row
    };
    Table { header, rows: engines.iter().map(row).collect() }
}

fn facts(comparison: &Comparison) -> Vec<Fact> {
    let options = &comparison.options;
    let mut facts = Vec::new();
    facts.extend(Fact::command(comparison.command.as_ref()));
    facts.extend(comparison.inputs.iter().map(|input| {
        let sum = input.sha256.as_ref().map_or(String::new(), |sum| format!(", SHA-256 `{sum}`"));
        let malformed = match input.malformed {
            0 => String::new(),
            malformed => {
                format!(", {} left out", pluralize(malformed, "malformed record", "malformed records"))
            }
        };
        let (name, bytes) = (escaped(&input_name(&input.name)), pluralize(input.bytes, "byte", "bytes"));
        let puzzles = match comparison.rules {
            Some(_) => format!(", {}", pluralize(input.puzzles, "puzzle", "puzzles")),
            None => String::new(),
        };
        Fact::new("input", format!("{name} ({bytes}{puzzles}{malformed}{sum})"))
    }));
    facts.extend(options.sample.map(|sample| {
        let puzzles = pluralize(sample, "puzzle", "puzzles");
        Fact::new("sample", format!("{puzzles}, seed {}", options.seed))
    }));
    facts.extend(comparison.rules.as_ref().map(|rules| Fact::new("rules", rules.describe())));
    let budget = options.budget_seconds.map_or("none".to_owned(), |seconds| duration(seconds * 1e9));
    let CpuInfo { cpu, cores, os, arch } = &comparison.machine;
    facts.extend([
        Fact::new("method", method(comparison)),
        Fact::new(
            if comparison.rules.is_some() { "budget an engine and run" } else { "budget a problem" },
            budget,
        ),
        Fact::new("machine", format!("{cpu}, {cores} cores, {os} {arch}")),
        Fact::new("version", version(comparison)),
    ]);
    facts.extend(comparison.date.as_ref().map(|date| Fact::new("date", date)));
    facts
}
