//! The sections of a comparison's report.

use super::names::{escaped, input_name, name_inputs};
use super::section::{Fact, Section, Table};
use galop_batch::figures::{
    CpuInfo, Distribution, duration, group_digits, percent, pluralize, rounded, three_digits,
};
use galop_compare::{
    Comparison, Contest, Curve, EngineFigures, Law, MEDIAN_RUNS, ProblemAnswer, ProblemFigures, Ratio,
};

/// What the columns of a comparison of puzzles are.
const PUZZLE_COLUMNS: &str = "Puzzles a second, mean, p50, p99 and max are of all puzzles in all runs. Then follow \
     guesses a puzzle, the share of the puzzles that were solved without a guess, and puzzles by status.";

/// What the columns of a comparison of problems are.
const PROBLEM_COLUMNS: &str = "A time is the median of the runs; behind ± is the median distance from it. PAR2 is the \
     mean over all problems, with twice the budget for one that was not finished. A ratio over several problems is, in \
     each run, the geometric mean over those that both engines finished.";

/// How the last column was computed.
pub(super) fn interval(comparison: &Comparison) -> String {
    match comparison.options.runs {
        1 => "The last column is the ratio of a single run, so it has no interval.".to_owned(),
        2..MEDIAN_RUNS => format!(
            "The last column is the geometric mean of the runs' ratios, with an interval of 95 % by Student's t on their \
             logarithms (the interval of a median needs {MEDIAN_RUNS} runs)."
        ),
        _ => "The last column is the median of the runs' ratios, with its interval of 95 % by the sign test."
            .to_owned(),
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
            "All times are processor time, but those of {} are elapsed time, because this system does not give the \
             processor time of a program.",
            elapsed.join(", ")
        ),
    };
    if comparison.is_read.is_some() {
        text += " They contain the set-up of the engine";
        text +=
            if comparison.is_read == Some(true) { " and the reading of the problem's text." } else { "." };
    }
    if comparison.engines.iter().any(|engine| engine.is_program) {
        text += match comparison.rules {
            Some(_) => {
                " The time of another program is that of whole runs, with all processes that it waited for, less that of \
                 an empty input; times and guesses of single puzzles are not known of it."
            }
            None => {
                " The time of another program is that of its process, with all processes that it waited for, less that of \
                 a problem with one option."
            }
        };
    }
    text
}

/// What stands for a figure that is not known.
pub(super) const UNKNOWN: &str = "-";

/// The sections, in order, with at most `notable` puzzles for each pair of engines.
pub(super) fn sections(contest: &Contest, notable: usize) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for comparison in &contest.comparisons {
        sections.extend(sections_of(comparison, notable));
    }
    sections.extend(side_by_side(&contest.comparisons));
    sections.extend(growth(&contest.growth));
    sections
}

fn sections_of(comparison: &Comparison, notable: usize) -> Vec<Section<'_>> {
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
        Section::Explanation(format!("{} {columns} {}", clocks(comparison), interval(comparison))),
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

/// Why engines do not take problems: each reason once, with the names of the problems if some are taken.
fn refusals(comparison: &Comparison) -> impl Iterator<Item = String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for problem in &comparison.problems {
        for reason in problem.engines.iter().filter_map(|answer| answer.refusal.as_deref()) {
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(&problem.name),
                None => reasons.push((reason, vec![&problem.name])),
            }
        }
    }
    let count = comparison.problems.len();
    let lines: Vec<String> = reasons
        .into_iter()
        .map(|(reason, names)| match names.len() {
            all if all == count => reason.to_owned(),
            1 => format!("{}: {reason}", names[0]),
            some => format!("{some} problems, such as {}: {reason}", names[0]),
        })
        .collect();
    lines.into_iter()
}

/// The engines on one problem.
fn one_problem(comparison: &Comparison, problem: &ProblemFigures) -> Table {
    let mut header = ["engine", "time", "nodes", answers_of(comparison)].map(String::from).to_vec();
    header.push(format!("× {}", comparison.reference));
    let row = |answer: &ProblemAnswer| {
        let said = answer.answer.as_deref().map_or_else(|| UNKNOWN.to_owned(), digits);
        let is_bound = !answer.finished && answer.answer.is_some();
        vec![
            answer.engine.clone(),
            time(answer),
            answer.nodes.map_or_else(|| UNKNOWN.to_owned(), |nodes| group_digits(nodes.round() as u64)),
            if is_bound { format!(">={said}") } else { said },
            ratio_in_words(answer.ratio, answer.engine == comparison.reference),
        ]
    };
    let taken = problem.engines.iter().filter(|answer| answer.refusal.is_none());
    Table { header, rows: taken.map(row).collect() }
}

/// The word for the answers to problems.
fn answers_of(comparison: &Comparison) -> &'static str {
    if comparison.options.cheapest { "cost" } else { "solutions" }
}

/// The time on a problem: `1.20 ms ± 0.05 ms`, or `> 10.0 s` if it was ended.
pub(super) fn time(answer: &ProblemAnswer) -> String {
    match answer.nanos {
        None => UNKNOWN.to_owned(),
        Some(spread) if !answer.finished => format!("> {}", duration(spread.median)),
        Some(spread) => format!("{} ± {}", duration(spread.median), duration(spread.deviation)),
    }
}

/// A number of decimal digits in groups; a long one as `1.23e45`.
pub(super) fn digits(text: &str) -> String {
    match text.parse::<u64>() {
        Ok(number) => group_digits(number),
        Err(_) if text.len() > 3 => format!("{}.{}e{}", &text[..1], &text[1..3], text.len() - 1),
        Err(_) => text.to_owned(),
    }
}

/// The engines on several problems.
fn problem_ranking(comparison: &Comparison) -> Table {
    let has_score = comparison.engines.iter().any(|engine| engine.par2_nanos.is_some());
    let mut header: Vec<String> = ["engine", "finished", "mean", "max", "nodes"].map(String::from).into();
    header.extend(has_score.then(|| "PAR2".to_owned()));
    header.push(format!("× {}", comparison.reference));
    let row = |engine: &EngineFigures| {
        let mut row = vec![
            engine.name.clone(),
            format!("{} of {}", engine.puzzles, comparison.puzzles),
            duration(engine.mean_nanos),
            engine.nanos.as_ref().map_or_else(|| UNKNOWN.to_owned(), |nanos| duration(nanos.max as f64)),
            engine.mean_guesses.map_or_else(|| UNKNOWN.to_owned(), rounded),
        ];
        row.extend(has_score.then(|| engine.par2_nanos.map_or_else(|| UNKNOWN.to_owned(), duration)));
        row.push(ratio(engine, &comparison.reference));
        row
    };
    Table { header, rows: comparison.engines.iter().map(row).collect() }
}

/// The time of every engine on every problem.
fn all_problems(comparison: &Comparison, problems: &[ProblemFigures]) -> Table {
    let mut header = ["problem", answers_of(comparison)].map(String::from).to_vec();
    header.extend(comparison.engines.iter().map(|engine| engine.name.clone()));
    let row = |problem: &ProblemFigures| {
        let answer = problem.answer.as_deref().map_or_else(|| UNKNOWN.to_owned(), digits);
        let mut row = vec![input_name(&problem.name), answer];
        row.extend(problem.engines.iter().map(|answer| match answer.nanos {
            None => UNKNOWN.to_owned(),
            Some(spread) if answer.finished => duration(spread.median),
            Some(spread) => format!("> {}", duration(spread.median)),
        }));
        row
    };
    Table { header, rows: problems.iter().map(row).collect() }
}

/// Comparisons of the same tasks, perhaps on several machines: a row for each engine, a column for each comparison.
pub(super) fn side_by_side(comparisons: &[Comparison]) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for (index, first) in comparisons.iter().enumerate() {
        let is_same = |other: &&Comparison| has_same_tasks(first, other);
        if comparisons[..index].iter().any(|earlier| is_same(&earlier)) {
            continue;
        }
        let same: Vec<&Comparison> = comparisons.iter().filter(is_same).collect();
        if same.len() < 2 {
            continue;
        }
        let mut names: Vec<&str> = Vec::new();
        for engine in same.iter().flat_map(|comparison| &comparison.engines) {
            if !names.contains(&&*engine.name) {
                names.push(&engine.name);
            }
        }
        let number = |comparison: &&Comparison| {
            1 + comparisons.iter().position(|other| std::ptr::eq(other, *comparison)).unwrap_or(0)
        };
        let mut header = vec!["engine".to_owned()];
        header.extend(same.iter().flat_map(|comparison| {
            let number = number(comparison);
            [format!("({number}) mean"), format!("× {}", comparison.reference)]
        }));
        let row = |name: &&str| {
            let mut row = vec![(*name).to_owned()];
            for comparison in &same {
                let found = comparison.engines.iter().find(|engine| engine.name == *name);
                row.push(found.map_or_else(|| UNKNOWN.to_owned(), |engine| duration(engine.mean_nanos)));
                row.push(
                    found.map_or_else(|| UNKNOWN.to_owned(), |engine| ratio(engine, &comparison.reference)),
                );
            }
            row
        };
        let rows = names.iter().map(row).collect();
        sections.push(Section::Line("side by side", subject(first)));
        sections.push(Section::Ranking(Table { header, rows }));
        sections.extend(same.iter().map(|comparison| {
            let (machine, date) =
                (&comparison.machine.cpu, comparison.date.as_deref().unwrap_or("date unknown"));
            Section::Indented(format!("({}) {machine}, {date}, {}", number(comparison), version(comparison)))
        }));
    }
    sections
}

/// Whether two comparisons are of the same files with the same goal.
fn has_same_tasks(one: &Comparison, other: &Comparison) -> bool {
    let tasks = |comparison: &Comparison| {
        let sums = comparison.inputs.iter().map(|input| (input.name.clone(), input.sha256.clone()));
        let options = &comparison.options;
        (sums.collect::<Vec<_>>(), options.solutions, options.cheapest, options.sample, comparison.puzzles)
    };
    tasks(one) == tasks(other)
}

/// The version of galop and its commit.
pub(super) fn version(comparison: &Comparison) -> String {
    match &comparison.commit {
        Some(commit) => format!("galop {} ({commit})", comparison.version),
        None => format!("galop {}", comparison.version),
    }
}

/// How times grow.
fn growth(curves: &[Curve]) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for (index, first) in curves.iter().enumerate() {
        let is_same = |curve: &&Curve| (&curve.over, &curve.time_of) == (&first.over, &first.time_of);
        if curves[..index].iter().any(|earlier| is_same(&earlier)) {
            continue;
        }
        let same: Vec<&Curve> = curves.iter().filter(is_same).collect();
        let mut sizes: Vec<f64> =
            same.iter().flat_map(|curve| &curve.points).map(|point| point.size).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let mut header = vec!["engine".to_owned()];
        header.extend(sizes.iter().map(|&size| rounded(size)));
        header.extend(["growth", "95 %", "explained"].map(String::from));
        let row = |curve: &&Curve| {
            let mut row = vec![curve.engine.clone()];
            for size in &sizes {
                let point = curve.points.iter().find(|point| point.size == *size);
                row.push(point.map_or_else(
                    || UNKNOWN.to_owned(),
                    |point| {
                        let bound = if point.finished { "" } else { "> " };
                        format!("{bound}{}", duration(point.nanos))
                    },
                ));
            }
            row.extend(match curve.fit {
                None => [UNKNOWN, UNKNOWN, UNKNOWN].map(str::to_owned),
                Some(fit) => [
                    law(fit.law, fit.slope),
                    format!("{} – {}", three_digits(fit.low), three_digits(fit.high)),
                    format!("{:.1} %", 100.0 * fit.explained),
                ],
            });
            row
        };
        sections.push(Section::Line("growth", format!("{} by {}", first.time_of, first.over)));
        sections.push(Section::Ranking(Table { header, rows: same.iter().map(row).collect() }));
    }
    sections
}

/// A law with its slope: `× 5.1 a step`, `size^1.02`.
pub(super) fn law(law: Law, slope: f64) -> String {
    match law {
        Law::Exponential => format!("× {} a step", three_digits(slope)),
        Law::Power => format!("size^{slope:.2}"),
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
        format!("options shuffled anew for each (seed {})", options.seed)
    } else if options.permuted {
        format!("permuted anew for each (seed {})", options.seed)
    } else {
        "as they stand".to_owned()
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

fn ratio(engine: &EngineFigures, reference: &str) -> String {
    ratio_in_words(engine.ratio, engine.name == reference)
}

/// `2.35 (2.30–2.41)`; `1` for the reference.
fn ratio_in_words(ratio: Option<Ratio>, is_reference: bool) -> String {
    match ratio {
        Some(Ratio { middle, low: Some(low), high: Some(high), .. }) => {
            let [middle, low, high] = [middle, low, high].map(three_digits);
            format!("{middle} ({low}–{high})")
        }
        Some(Ratio { middle, .. }) => three_digits(middle),
        None if is_reference => "1".to_owned(),
        None => "unknown".to_owned(),
    }
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
        let (name, bytes, puzzles) =
            (escaped(&input_name(&input.name)), group_digits(input.bytes), group_digits(input.puzzles));
        Fact::new("input", format!("{name} ({bytes} bytes, {puzzles} puzzles{malformed}{sum})"))
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
