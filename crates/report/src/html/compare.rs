//! The page of a comparison.

use std::fmt::{self, Write};

use super::escape::{Text, figure, number_cell};
use super::page::{
    self, InputRow, RunSection, close_table, facts, input_number, open_table, or_none, row, swatch,
};
use super::solve::percentiles;
use super::{grid, plots};
use crate::comparison_sections::{clocks, interval};
use crate::contest_sections::{self, law};
use crate::problem_sections::{digits, time};
use crate::section::UNKNOWN;
use galop_batch::figures::{
    Distribution, RulesInfo, duration, fraction_percent, group_digits, percent, pluralize, rounded,
    three_digits,
};
use galop_compare::{Comparison, Contest, Curve, Difference, EngineFigures, NotablePuzzle, Ratio, Spread};

/// Writes the page.
pub(super) fn page(contest: &Contest, out: &mut String) -> fmt::Result {
    page::open("galop compare", out)?;
    for (index, comparison) in contest.comparisons.iter().enumerate() {
        let mut part = String::new();
        written(comparison, &mut part)?;
        // A comparison writes the paths of its figures as if it were alone. (No text from outside has a quote.)
        out.push_str(&part.replace("data-figure=\"", &format!("data-figure=\"comparisons.{index}.")));
    }
    growth(&contest.growth, out)?;
    page::close(env!("CARGO_PKG_VERSION"), out)
}

fn written(comparison: &Comparison, out: &mut String) -> fmt::Result {
    headline(comparison, out)?;
    warnings(comparison, out)?;
    if comparison.problems.is_empty() {
        ranking(comparison, out)?;
        distributions(comparison, out)?;
        efforts(comparison, out)?;
        differences(comparison, out)?;
    } else {
        problems(comparison, out)?;
    }
    run(comparison).write(out)
}

/// How times grow: a plot and a table for each thing that grows.
fn growth(curves: &[Curve], out: &mut String) -> fmt::Result {
    for same in contest_sections::plots(curves) {
        writeln!(out, "<section>\n<h2>Growth by {}</h2>\n<ul class=\"legend\">", Text(&same[0].1.over))?;
        for (place, (_, curve)) in same.iter().enumerate() {
            writeln!(out, "<li>{}{}</li>", swatch(place), Text(&curve.engine))?;
        }
        writeln!(out, "</ul>\n<div class=\"figures\">")?;
        let drawn: Vec<&Curve> = same.iter().map(|&(_, curve)| curve).collect();
        plots::growth(&drawn, out)?;
        writeln!(out, "</div>")?;
        if same.iter().all(|(_, curve)| curve.fit.is_none()) {
            writeln!(out, "</section>")?;
            continue;
        }
        open_table("Growth", &["engine", "time", "95 %", "explained"], out)?;
        for (place, curve) in same {
            let Some(fit) = curve.fit else { continue };
            let path = |name: &str| format!("growth.{place}.fit.{name}");
            let slope = figure("td", &path("slope"), fit.slope, &law(fit.law, fit.slope));
            let [low, high] = [("low", fit.low), ("high", fit.high)]
                .map(|(name, value)| figure("span", &path(name), value, &three_digits(value)));
            let explained = figure("td", &path("explained"), fit.explained, &fraction_percent(fit.explained));
            row(&curve.engine, &format!("{slope}<td>{low} – {high}</td>{explained}"), out)?;
        }
        close_table(out)?;
        writeln!(
            out,
            "<p class=\"soft\">The least-squares line through the logarithms of the finished times: of two \
             laws, the one that fits better. A step is 1 on the axis of growth.</p>\n</section>"
        )?;
    }
    Ok(())
}

/// Exact cover problems: ranking, plots, and the time of every engine on every problem.
fn problems(comparison: &Comparison, out: &mut String) -> fmt::Result {
    writeln!(out, "<section class=\"numbers\">\n<h2>Ranking</h2>")?;
    let ratio = format!("× time of {}", comparison.reference);
    open_table("Ranking", &["engine", &ratio, "finished", "PAR2", "mean", "nodes per problem"], out)?;
    for (index, engine) in comparison.engines.iter().enumerate() {
        let path = |name: &str| format!("engines.{index}.{name}");
        write!(out, "<tr><th scope=\"row\">{}{}</th>", swatch(index), Text(&engine.name))?;
        ratio_cell(&path("ratio"), engine.ratio, engine.name == comparison.reference, out)?;
        let finished = format!("{} of {}", engine.puzzles, comparison.puzzles);
        write!(out, "{}", figure("td", &path("puzzles"), engine.puzzles, &finished))?;
        let (score, nodes) = (shown(engine.par2_nanos, duration), shown(engine.mean_guesses, rounded));
        write!(out, "{}", figure("td", &path("par2_nanos"), engine.par2_nanos, &score))?;
        write!(
            out,
            "{}",
            figure("td", &path("mean_nanos"), engine.mean_nanos, &duration(engine.mean_nanos))
        )?;
        writeln!(out, "{}</tr>", figure("td", &path("mean_guesses"), engine.mean_guesses, &nodes))?;
    }
    close_table(out)?;
    writeln!(
        out,
        "<p class=\"soft\">{} {} PAR2: the mean over all problems, with twice the budget for a problem not \
         finished.</p>\n</section>",
        Text(&clocks(comparison)),
        Text(&interval("The ratio", comparison))
    )?;
    writeln!(out, "<section class=\"numbers\">\n<h2>Problems</h2>\n<div class=\"figures\">")?;
    plots::cactus(comparison, out)?;
    plots::ratios(&comparison.reference, &intervals(comparison), out)?;
    writeln!(out, "</div>")?;
    let mut columns = vec!["problem", if comparison.options.cheapest { "cost" } else { "solutions" }];
    columns.extend(comparison.engines.iter().map(|engine| &*engine.name));
    open_table("Problems", &columns, out)?;
    for (index, problem) in comparison.problems.iter().enumerate() {
        let answer = problem.answer.as_deref().map_or_else(|| UNKNOWN.to_owned(), digits);
        let mut cells = figure("td", &format!("problems.{index}.answer"), &problem.answer, &answer);
        for (place, answer) in problem.engines.iter().enumerate() {
            let path = format!("problems.{index}.engines.{place}.nanos.median");
            cells += &match answer.nanos {
                Some(spread) => figure("td", &path, spread.median, &time(answer)),
                None => format!("<td>{UNKNOWN}</td>"),
            };
        }
        row(&problem.name, &cells, out)?;
    }
    close_table(out)?;
    writeln!(out, "</section>")
}

/// The fastest engine and its speed.
fn headline(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let engines = pluralize(comparison.engines.len() as u64, "engine", "engines");
    let tasks = match &comparison.rules {
        Some(rules) => rules.count_puzzles(comparison.puzzles),
        None => pluralize(comparison.puzzles, "exact cover problem", "exact cover problems"),
    };
    writeln!(out, "<h1>{engines} on {}</h1>", Text(&tasks))?;
    let inputs: Vec<&str> = comparison.inputs.iter().map(|input| input.name.as_str()).collect();
    writeln!(out, "<p class=\"soft path\">{}</p>", Text(&inputs.join(", ")))?;
    let Some(first) = comparison.engines.first() else { return Ok(()) };
    let (rate, options) = (first.puzzles_per_second, &comparison.options);
    let number = |path, value: usize| figure("dd", path, value, &group_digits(value as u64));
    let shown_rate = shown(rate, |rate| group_digits(rate.round() as u64));
    facts(
        &[
            ("fastest", figure("dd", "engines.0.name", &*first.name, &first.name)),
            (
                if comparison.rules.is_some() { "its puzzles a second" } else { "its problems a second" },
                figure("dd", "engines.0.puzzles_per_second", rate, &shown_rate),
            ),
            ("runs", number("options.runs", options.runs)),
            ("threads", number("options.threads", options.threads)),
        ],
        out,
    )
}

/// Reasons to doubt the figures.
fn warnings(comparison: &Comparison, out: &mut String) -> fmt::Result {
    if comparison.warnings.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"warnings\">\n<p><b>Doubtful</b></p>\n<ul>")?;
    for (index, warning) in comparison.warnings.iter().enumerate() {
        writeln!(out, "{}", figure("li", &format!("warnings.{index}"), warning, warning))?;
    }
    writeln!(out, "</ul>\n</section>")
}

/// The engines, fastest first.
fn ranking(comparison: &Comparison, out: &mut String) -> fmt::Result {
    if comparison.engines.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"numbers\">\n<h2>Ranking</h2>")?;
    let ratio = format!("× time of {}", comparison.reference);
    let columns = [
        "engine",
        "puzzles a second",
        &ratio,
        "CPU per puzzle, by run",
        "elapsed",
        "answered",
        "solved",
        "solved, no guess",
    ];
    open_table("Ranking", &columns, out)?;
    for (index, engine) in comparison.engines.iter().enumerate() {
        ranked(index, engine, &comparison.reference, out)?;
    }
    close_table(out)?;
    writeln!(
        out,
        "<p class=\"soft\">{} CPU per puzzle: the median of the runs ± their median distance from it, and below it \
         the least and the most. × time of {}: above 1, an engine is slower; below it is an interval that holds the ratio \
         in 95 of 100 cases. {} Answered: the share of the puzzles that every run reached within the budget. Puzzles a \
         second, and the times of single puzzles further down, are over all runs. Elapsed: the time a puzzle by a \
         wall clock, interruptions by other programs included.</p>\n</section>",
        Text(&clocks(comparison)),
        Text(&comparison.reference),
        Text(&interval("The ratio", comparison))
    )
}

/// The cell of a ratio, with its interval below it.
fn ratio_cell(path: &str, ratio: Option<Ratio>, is_reference: bool, out: &mut String) -> fmt::Result {
    let part =
        |name: &str, value: f64| figure("span", &format!("{path}.{name}"), value, &three_digits(value));
    match ratio {
        None if is_reference => write!(out, "<td>1<span class=\"range under\">reference</span></td>"),
        None => write!(out, "<td>unknown</td>"),
        Some(Ratio { middle, low: Some(low), high: Some(high), .. }) => {
            let (middle, low, high) = (part("middle", middle), part("low", low), part("high", high));
            write!(out, "<td>{middle}<span class=\"range under\">{low} – {high}</span></td>")
        }
        Some(Ratio { middle, .. }) => write!(out, "<td>{}</td>", part("middle", middle)),
    }
}

fn ranked(index: usize, engine: &EngineFigures, reference: &str, out: &mut String) -> fmt::Result {
    let cell = |element: &str, name: &str, value: f64, shown: String| {
        figure(element, &format!("engines.{index}.{name}"), value, &shown)
    };
    let rate = engine.puzzles_per_second;
    write!(out, "<tr><th scope=\"row\">{}{}", swatch(index), Text(&engine.name))?;
    if let Some(isa) = &engine.isa {
        write!(out, " <span class=\"range\">{}</span>", Text(isa))?;
    }
    write!(out, "</th>")?;
    let path = |name: &str| format!("engines.{index}.{name}");
    let shown_rate = shown(rate, |rate| group_digits(rate.round() as u64));
    write!(out, "{}", figure("td", &path("puzzles_per_second"), rate, &shown_rate))?;
    ratio_cell(&path("ratio"), engine.ratio, engine.name == reference, out)?;
    let time = |element, name, value| cell(element, name, value, duration(value));
    let Spread { median, min, max, deviation } = engine.cpu_nanos;
    let median = time("span", "cpu_nanos.median", median);
    let deviation = time("span", "cpu_nanos.deviation", deviation);
    let (min, max) = (time("span", "cpu_nanos.min", min), time("span", "cpu_nanos.max", max));
    write!(out, "<td>{median} <span class=\"range\">± {deviation}</span>")?;
    write!(out, "<span class=\"range under\">{min} – {max}</span></td>")?;
    write!(out, "{}", time("td", "wall_nanos.median", engine.wall_nanos.median))?;
    write!(out, "{}", cell("td", "share", engine.share, fraction_percent(engine.share)))?;
    let (solved, puzzles) = (engine.counts.solved, engine.counts.puzzles);
    write!(out, "{}", figure("td", &path("counts.solved"), solved, &percent(solved, puzzles)))?;
    let without = engine.without_guess;
    let without = figure("td", &path("without_guess"), without, &shown(without, fraction_percent));
    writeln!(out, "{without}</tr>")
}

/// A figure in words, if it is known.
fn shown(figure: Option<f64>, words: impl Fn(f64) -> String) -> String {
    figure.map_or_else(|| UNKNOWN.to_owned(), words)
}

/// Ratios, histograms, curves and points.
fn distributions(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let engines = &comparison.engines;
    let series: Vec<plots::Series<'_>> = engines
        .iter()
        .map(|engine| plots::Series {
            name: &engine.name,
            nanos: engine.nanos.as_ref(),
            guesses: engine.guesses.as_ref(),
            points: &engine.points,
            share: engine.share,
        })
        .collect();
    if series.iter().all(|series| series.guesses.is_none_or(|guesses| guesses.count == 0)) {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>Distributions</h2>\n<ul class=\"legend\">")?;
    for (index, engine) in engines.iter().enumerate() {
        writeln!(out, "<li>{}{}</li>", swatch(index), Text(&engine.name))?;
    }
    writeln!(out, "</ul>\n<div class=\"figures\">")?;
    plots::cumulative(&series, out)?;
    plots::ratios(&comparison.reference, &intervals(comparison), out)?;
    if is_folded(comparison) {
        writeln!(out, "</div>\n<details>\n<summary>Histograms and points of each engine</summary>")?;
        writeln!(out, "<div class=\"figures\">")?;
    }
    plots::times(&series, out)?;
    plots::guesses(&series, out)?;
    plots::scatter(&series, out)?;
    writeln!(out, "</div>{}\n</section>", if is_folded(comparison) { "\n</details>" } else { "" })
}

/// The ratios as they are drawn.
fn intervals(comparison: &Comparison) -> Vec<plots::Interval<'_>> {
    let ends = |engine: &EngineFigures| match engine.ratio {
        Some(Ratio { middle, low, high, .. }) => [low.unwrap_or(middle), middle, high.unwrap_or(middle)],
        None if engine.name == comparison.reference => [1.0; 3],
        None => [f64::NAN; 3],
    };
    comparison
        .engines
        .iter()
        .map(|engine| plots::Interval { name: &engine.name, ends: ends(engine) })
        .collect()
}

/// What a puzzle cost each engine.
fn efforts(comparison: &Comparison, out: &mut String) -> fmt::Result {
    writeln!(out, "<div class=\"tables\">")?;
    let columns = ["engine", "mean", "p50", "p90", "p99", "p99.9", "max"];
    let what =
        [("Time per puzzle", "nanos"), ("Guesses per puzzle", "guesses"), ("Calls per puzzle", "calls")];
    for (title, name) in what {
        if comparison.engines.iter().all(|engine| cost(engine, name).is_none()) {
            continue;
        }
        writeln!(out, "<section class=\"numbers\">\n<h2>{title}</h2>")?;
        open_table(title, &columns, out)?;
        for (index, engine) in comparison.engines.iter().enumerate() {
            let shown = if name == "nanos" { duration } else { rounded };
            let path = format!("engines.{index}.{name}");
            match cost(engine, name) {
                Some(distribution) => {
                    row(&engine.name, &percentiles(&path, distribution, shown, shown), out)?;
                }
                // Of another program only the mean is known.
                None if name == "nanos" && engine.is_program && engine.puzzles > 0 => {
                    let (path, mean) = (format!("engines.{index}.mean_nanos"), engine.mean_nanos);
                    let unknown = format!("<td>{UNKNOWN}</td>").repeat(columns.len() - 2);
                    row(&engine.name, &(figure("td", &path, mean, &duration(mean)) + &unknown), out)?;
                }
                None => {}
            }
        }
        close_table(out)?;
        writeln!(out, "</section>")?;
    }
    answers(comparison, out)?;
    writeln!(out, "</div>")
}

/// The distribution of this name, if it is not empty.
fn cost<'a>(engine: &'a EngineFigures, name: &str) -> Option<&'a Distribution> {
    let distribution = match name {
        "nanos" => engine.nanos.as_ref(),
        "guesses" => engine.guesses.as_ref(),
        _ => engine.calls.as_ref(),
    };
    distribution.filter(|distribution| distribution.count > 0)
}

/// Answers by status, if some are not `solved`.
fn answers(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let statuses = comparison.statuses();
    if statuses.iter().all(|&(word, _)| word == "solved") {
        return Ok(());
    }
    writeln!(out, "<section class=\"numbers\">\n<h2>Answers</h2>")?;
    let columns: Vec<&str> = ["engine"].into_iter().chain(statuses.iter().map(|&(word, _)| word)).collect();
    open_table("Answers", &columns, out)?;
    for (index, engine) in comparison.engines.iter().enumerate() {
        let counts = engine.counts.by_status();
        let cell = |&(word, place): &(&str, usize)| {
            number_cell(&format!("engines.{index}.counts.{word}"), counts[place].1)
        };
        row(&engine.name, &statuses.iter().map(cell).collect::<String>(), out)?;
    }
    close_table(out)?;
    writeln!(out, "</section>")
}

/// Engines up to which the page shows everything. Of more, what each engine has for itself is folded.
const UNFOLDED: usize = 5;

fn is_folded(comparison: &Comparison) -> bool {
    comparison.engines.len() > UNFOLDED
}

/// The puzzles on which engines differ most, drawn.
fn differences(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let has_any = |difference: &&Difference| !difference.puzzles.is_empty();
    if !comparison.differences.iter().any(|difference| has_any(&difference)) {
        return Ok(());
    }
    let (reference, Some(rules)) = (&*comparison.reference, &comparison.rules) else { return Ok(()) };
    writeln!(out, "<section>\n<h2>Puzzles that differ most</h2>")?;
    writeln!(
        out,
        "<p class=\"soft\">The puzzles on which the ratio of an engine to {} is furthest from its overall ratio, the largest difference \
         first.</p>",
        Text(reference)
    )?;
    for (index, difference) in comparison.differences.iter().enumerate().filter(|(_, d)| has_any(d)) {
        let class = if rules.is_large() { "puzzles large" } else { "puzzles" };
        let name = Text(&difference.engine);
        match is_folded(comparison) {
            true => writeln!(out, "<details>\n<summary>{name}</summary>\n<div class=\"{class}\">")?,
            false => writeln!(out, "<h3>{name}</h3>\n<div class=\"{class}\">")?,
        }
        for (place, puzzle) in difference.puzzles.iter().enumerate() {
            let path = format!("differences.{index}.puzzles.{place}");
            notable(&path, [&difference.engine, reference], rules, puzzle, out)?;
        }
        writeln!(out, "</div>{}", if is_folded(comparison) { "\n</details>" } else { "" })?;
    }
    writeln!(out, "</section>")
}

/// One of these puzzles, with the times and guesses of both engines.
fn notable(
    path: &str,
    [engine, reference]: [&str; 2],
    rules: &RulesInfo,
    puzzle: &NotablePuzzle,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<div class=\"puzzle\">")?;
    let lines = [
        (engine, "", puzzle.nanos, puzzle.guesses),
        (reference, "reference_", puzzle.reference_nanos, puzzle.reference_guesses),
    ];
    for (name, whose, nanos, guesses) in lines {
        let shown = match guesses {
            whole if whole.fract() == 0.0 => pluralize(whole as u64, "guess", "guesses"),
            other => format!("{} guesses", rounded(other)),
        };
        let nanos = figure("b", &format!("{path}.{whose}nanos"), nanos, &duration(nanos));
        let guesses = figure("span", &format!("{path}.{whose}guesses"), guesses, &shown);
        writeln!(out, "<p>{} {nanos}, {guesses}</p>", Text(name))?;
    }
    grid::draw(rules, &puzzle.puzzle, None, out)?;
    writeln!(out, "<p class=\"soft\">{}:{}</p>\n</div>", Text(&puzzle.input), puzzle.line)
}

/// Everything that is needed to repeat the comparison.
fn run(comparison: &Comparison) -> RunSection<'_> {
    let options = &comparison.options;
    let sample =
        options.sample.map_or("all puzzles".to_owned(), |count| pluralize(count, "puzzle", "puzzles"));
    let has_puzzles = comparison.rules.is_some();
    let permuted = match options.permuted {
        true if has_puzzles => "again for every run",
        true => "the options, again for every run",
        false => "no",
    };
    let budget = options.budget_seconds.map_or("none".to_owned(), |seconds| duration(seconds * 1e9));
    let mut rows = vec![
        (
            "limit on solutions",
            figure("td", "options.solutions", options.solutions, &or_none(options.solutions)),
        ),
        ("limit on guesses", format!("<td>{}</td>", Text(&limits(comparison)))),
        ("seed", figure("td", "options.seed", options.seed, &options.seed.to_string())),
        ("permuted", figure("td", "options.permuted", options.permuted, permuted)),
        (
            if has_puzzles { "budget a run" } else { "budget a problem" },
            figure("td", "options.budget_seconds", options.budget_seconds, &budget),
        ),
    ];
    if let Some(rules) = &comparison.rules {
        rows.insert(0, ("rules", figure("td", "rules.name", &*rules.name, &rules.describe())));
    }
    if let Some(commit) = &comparison.commit {
        rows.push(("commit", figure("td", "commit", commit, commit)));
    }
    if let Some(date) = &comparison.date {
        rows.push(("date", figure("td", "date", date, date)));
    }
    if has_puzzles {
        rows.push(("sample", figure("td", "options.sample", options.sample, &sample)));
    }
    let inputs = comparison.inputs.iter().enumerate().map(|(index, input)| {
        let path = |name: &str| format!("inputs.{index}.{name}");
        let mut cells = vec![input_number(&path("bytes"), input.bytes)];
        if has_puzzles {
            cells.push(input_number(&path("puzzles"), input.puzzles));
            cells.push(input_number(&path("malformed"), input.malformed));
        }
        InputRow { name: &input.name, cells: cells.concat(), sha256: &input.sha256 }
    });
    RunSection {
        version: &comparison.version,
        command: comparison.command.as_deref(),
        machine: &comparison.machine,
        rows,
        columns: if has_puzzles { &["bytes", "puzzles", "left out"] } else { &["bytes"] },
        inputs: inputs.collect(),
    }
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
