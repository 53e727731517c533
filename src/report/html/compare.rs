//! The sections of a comparison's page.

use std::fmt::{self, Write};

use super::escape::{Figure, Text};
use super::page::{close_table, facts, open_table, or_none, row, swatch, whereabouts};
use super::solve::percentiles;
use super::{grid, plots};
use crate::compare::{Comparison, Difference, EngineFigures, Spread, Told};
use crate::report::comparison::{factor, number};
use crate::report::{Counts, Distribution, Ruled, counted, duration, share, thousands};

/// Who is fastest, and by how much.
pub(super) fn headline(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let engines = counted(comparison.engines.len() as u64, "engine", "engines");
    let puzzles = comparison.rules.counted(comparison.puzzles);
    writeln!(out, "<h1>{engines} on {puzzles}</h1>")?;
    let inputs: Vec<&str> = comparison.inputs.iter().map(|input| input.name.as_str()).collect();
    writeln!(out, "<p class=\"soft path\">{}</p>", Text(&inputs.join(", ")))?;
    let Some(first) = comparison.engines.first() else { return Ok(()) };
    let rate = thousands(first.puzzles_per_second.round() as u64);
    let (runs, threads) =
        (thousands(comparison.options.runs as u64), thousands(comparison.options.threads as u64));
    facts(
        &[
            ("fastest", Figure::new("dd", "engines.0.name", first.name, first.name)),
            (
                "its puzzles a second",
                Figure::new("dd", "engines.0.puzzles_per_second", first.puzzles_per_second, &rate),
            ),
            ("runs", Figure::new("dd", "options.runs", comparison.options.runs, &runs)),
            ("threads", Figure::new("dd", "options.threads", comparison.options.threads, &threads)),
        ],
        out,
    )
}

/// What makes the figures doubtful.
pub(super) fn warnings(comparison: &Comparison, out: &mut String) -> fmt::Result {
    if comparison.warnings.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"warnings\">\n<p><b>Doubtful</b></p>\n<ul>")?;
    for (index, warning) in comparison.warnings.iter().enumerate() {
        writeln!(out, "{}", Figure::new("li", &format!("warnings.{index}"), warning, warning))?;
    }
    writeln!(out, "</ul>\n</section>")
}

/// The engines, fastest first.
pub(super) fn ranking(comparison: &Comparison, out: &mut String) -> fmt::Result {
    if comparison.engines.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"numbers\">\n<h2>Ranking</h2>")?;
    let ratio = format!("× time of {}", comparison.reference);
    let columns = [
        "engine",
        "puzzles a second",
        &ratio,
        "CPU a puzzle",
        "elapsed a puzzle",
        "answered",
        "solved",
        "no guess",
    ];
    open_table("Ranking", &columns, out)?;
    for (index, engine) in comparison.engines.iter().enumerate() {
        ranked(index, engine, comparison.reference, out)?;
    }
    close_table(out)?;
    writeln!(
        out,
        "<p class=\"soft\">Processor time of one thread: the median of the runs ± their median distance from it, below it \
         the least and the most. Times of {}: above 1 an engine is slower; below it an interval that holds the ratio in \
         95 of 100 cases. Answered: the part of the puzzles that every run came to within the budget.</p>\n</section>",
        Text(comparison.reference)
    )
}

fn ranked(index: usize, engine: &EngineFigures, reference: &str, out: &mut String) -> fmt::Result {
    let path = |name: &str| format!("engines.{index}.{name}");
    let rate = thousands(engine.puzzles_per_second.round() as u64);
    write!(out, "<tr><th scope=\"row\">{}{}", swatch(index), Text(engine.name))?;
    if let Some(isa) = engine.isa {
        write!(out, " <span class=\"range\">{}</span>", Text(isa))?;
    }
    write!(out, "</th>")?;
    write!(out, "{}", Figure::new("td", &path("puzzles_per_second"), engine.puzzles_per_second, &rate))?;
    match engine.ratio {
        None if engine.name != reference => write!(out, "<td>unknown</td>")?,
        None => write!(out, "<td>1<span class=\"range under\">reference</span></td>")?,
        Some(ratio) => {
            let (median, low, high) = (factor(ratio.median), factor(ratio.low), factor(ratio.high));
            let median = Figure::new("span", &path("ratio.median"), ratio.median, &median).to_string();
            let low = Figure::new("span", &path("ratio.low"), ratio.low, &low).to_string();
            let high = Figure::new("span", &path("ratio.high"), ratio.high, &high).to_string();
            write!(out, "<td>{median}<span class=\"range under\">{low} – {high}</span></td>")?;
        }
    }
    let Spread { median, min, max, deviation } = engine.cpu_nanos;
    let median = Figure::new("span", &path("cpu_nanos.median"), median, &duration(median)).to_string();
    let deviation =
        Figure::new("span", &path("cpu_nanos.deviation"), deviation, &duration(deviation)).to_string();
    let min = Figure::new("span", &path("cpu_nanos.min"), min, &duration(min)).to_string();
    let max = Figure::new("span", &path("cpu_nanos.max"), max, &duration(max)).to_string();
    write!(out, "<td>{median} <span class=\"range\">± {deviation}</span>")?;
    write!(out, "<span class=\"range under\">{min} – {max}</span></td>")?;
    let wall = engine.wall_nanos.median;
    write!(out, "{}", Figure::new("td", &path("wall_nanos.median"), wall, &duration(wall)))?;
    write!(out, "{}", Figure::new("td", &path("share"), engine.share, &percent(engine.share)))?;
    let Counts { solved, puzzles, .. } = engine.counts;
    write!(out, "{}", Figure::new("td", &path("counts.solved"), solved, &share(solved, puzzles)))?;
    let without = percent(engine.without_guess);
    writeln!(out, "{}</tr>", Figure::new("td", &path("without_guess"), engine.without_guess, &without))
}

/// Ratios, histograms, curves and points.
pub(super) fn figures(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let engines = &comparison.engines;
    let series: Vec<plots::Series<'_>> = engines
        .iter()
        .map(|engine| plots::Series {
            name: engine.name,
            nanos: Some(&engine.nanos),
            guesses: &engine.guesses,
            points: &engine.points,
            share: engine.share,
        })
        .collect();
    if series.iter().all(|series| series.guesses.count == 0) {
        return Ok(());
    }
    let interval = |engine: &EngineFigures| plots::Interval {
        name: engine.name,
        ends: match engine.ratio {
            Some(ratio) => [ratio.low, ratio.median, ratio.high],
            None if engine.name == comparison.reference => [1.0; 3],
            None => [f64::NAN; 3],
        },
    };
    let intervals: Vec<plots::Interval<'_>> = engines.iter().map(interval).collect();
    writeln!(out, "<section>\n<h2>Distributions</h2>\n<ul class=\"legend\">")?;
    for (index, engine) in engines.iter().enumerate() {
        writeln!(out, "<li>{}{}</li>", swatch(index), Text(engine.name))?;
    }
    writeln!(out, "</ul>\n<div class=\"figures\">")?;
    plots::cumulative(&series, out)?;
    plots::ratios(comparison.reference, &intervals, out)?;
    plots::times(&series, out)?;
    plots::guesses(&series, out)?;
    plots::scatter(&series, out)?;
    writeln!(out, "</div>\n</section>")
}

/// What a puzzle cost each engine.
pub(super) fn efforts(comparison: &Comparison, out: &mut String) -> fmt::Result {
    writeln!(out, "<div class=\"tables\">")?;
    let columns = ["engine", "mean", "p50", "p90", "p99", "p99.9", "max"];
    let what = [("Time a puzzle", "nanos"), ("Guesses a puzzle", "guesses"), ("Calls a puzzle", "calls")];
    for (title, name) in what {
        if comparison.engines.iter().all(|engine| cost(engine, name).is_none()) {
            continue;
        }
        writeln!(out, "<section class=\"numbers\">\n<h2>{title}</h2>")?;
        open_table(title, &columns, out)?;
        for (index, engine) in comparison.engines.iter().enumerate() {
            let Some(distribution) = cost(engine, name) else { continue };
            let shown = if name == "nanos" { duration } else { number };
            let path = format!("engines.{index}.{name}");
            row(engine.name, percentiles(&path, distribution, shown, shown), out)?;
        }
        close_table(out)?;
        writeln!(out, "</section>")?;
    }
    answers(comparison, out)?;
    writeln!(out, "</div>")
}

/// The distribution of that name, if it holds anything.
fn cost<'a>(engine: &'a EngineFigures, name: &str) -> Option<&'a Distribution> {
    let distribution = match name {
        "nanos" => Some(&engine.nanos),
        "guesses" => Some(&engine.guesses),
        _ => engine.calls.as_ref(),
    };
    distribution.filter(|distribution| distribution.count > 0)
}

/// Answers by status, where there are others than solutions.
fn answers(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let of = |counts: &Counts| {
        let Counts { solved, none, multiple, limit, stuck, .. } = *counts;
        [solved, none, multiple, limit, stuck]
    };
    let words = ["solved", "none", "multiple", "limit", "stuck"];
    let occurs = |place: usize| comparison.engines.iter().any(|engine| of(&engine.counts)[place] > 0);
    let shown: Vec<usize> = (0..words.len()).filter(|&place| occurs(place)).collect();
    if shown.iter().all(|&place| place == 0) {
        return Ok(());
    }
    writeln!(out, "<section class=\"numbers\">\n<h2>Answers</h2>")?;
    let columns: Vec<&str> = ["engine"].into_iter().chain(shown.iter().map(|&place| words[place])).collect();
    open_table("Answers", &columns, out)?;
    for (index, engine) in comparison.engines.iter().enumerate() {
        let cell = |&place: &usize| {
            let path = format!("engines.{index}.counts.{}", words[place]);
            let count = of(&engine.counts)[place];
            Figure::new("td", &path, count, &thousands(count)).to_string()
        };
        row(engine.name, shown.iter().map(cell).collect::<String>(), out)?;
    }
    close_table(out)?;
    writeln!(out, "</section>")
}

/// The puzzles on which engines differ most, drawn.
pub(super) fn differences(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let has_any = |difference: &&Difference| !difference.puzzles.is_empty();
    if !comparison.differences.iter().any(|difference| has_any(&difference)) {
        return Ok(());
    }
    let reference = comparison.reference;
    writeln!(out, "<section>\n<h2>Puzzles that differ most</h2>")?;
    writeln!(
        out,
        "<p class=\"soft\">Where an engine is furthest from {} beside what it is on the whole, the largest difference \
         first.</p>",
        Text(reference)
    )?;
    for (index, difference) in comparison.differences.iter().enumerate().filter(|(_, d)| has_any(d)) {
        let class = if comparison.rules.is_large() { "puzzles large" } else { "puzzles" };
        writeln!(out, "<h3>{}</h3>\n<div class=\"{class}\">", Text(difference.engine))?;
        for (place, told) in difference.puzzles.iter().enumerate() {
            let path = format!("differences.{index}.puzzles.{place}");
            tell(&path, [difference.engine, reference], &comparison.rules, told, out)?;
        }
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</section>")
}

fn tell(
    path: &str,
    [engine, reference]: [&str; 2],
    ruled: &Ruled,
    told: &Told,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "<div class=\"puzzle\">")?;
    let lines = [
        (engine, "nanos", told.nanos, "guesses", told.guesses),
        (reference, "reference_nanos", told.reference_nanos, "reference_guesses", told.reference_guesses),
    ];
    for (name, nanos_name, nanos, guesses_name, guesses) in lines {
        let nanos = Figure::new("b", &format!("{path}.{nanos_name}"), nanos, &duration(nanos)).to_string();
        let shown = match guesses {
            whole if whole.fract() == 0.0 => counted(whole as u64, "guess", "guesses"),
            other => format!("{} guesses", number(other)),
        };
        let guesses = Figure::new("span", &format!("{path}.{guesses_name}"), guesses, &shown).to_string();
        writeln!(out, "<p>{} {nanos}, {guesses}</p>", Text(name))?;
    }
    grid::draw(ruled, &told.puzzle, None, out)?;
    writeln!(out, "<p class=\"soft\">{}:{}</p>\n</div>", Text(&told.input), told.line)
}

/// Everything needed to do it again.
pub(super) fn run(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let options = &comparison.options;
    writeln!(out, "<section>\n<h2>Run</h2>\n<div class=\"pairs\"><table>\n<tbody>")?;
    row("galop", Figure::new("td", "galop", comparison.galop, comparison.galop), out)?;
    whereabouts(comparison.command.as_deref(), &comparison.machine, out)?;
    let rules = &comparison.rules;
    row("rules", Figure::new("td", "rules.name", rules.name, &rules.in_words()), out)?;
    let sample = options.sample.map_or("all puzzles".to_owned(), |drawn| counted(drawn, "puzzle", "puzzles"));
    let permuted = if options.permuted { "anew for every run" } else { "no" };
    let budget = options.budget_seconds.map_or("none".to_owned(), |seconds| duration(seconds * 1e9));
    let solutions = or_none(options.solutions);
    row("limit on solutions", Figure::new("td", "options.solutions", options.solutions, &solutions), out)?;
    row("limit on guesses", format!("<td>{}</td>", Text(&limits(comparison))), out)?;
    row("sample", Figure::new("td", "options.sample", options.sample, &sample), out)?;
    row("seed", Figure::new("td", "options.seed", options.seed, &options.seed.to_string()), out)?;
    row("permuted", Figure::new("td", "options.permuted", options.permuted, permuted), out)?;
    row("budget a run", Figure::new("td", "options.budget_seconds", options.budget_seconds, &budget), out)?;
    writeln!(out, "</tbody>\n</table></div>")?;
    if !comparison.inputs.is_empty() {
        writeln!(out, "<h3>Data</h3>\n<div>")?;
        open_table("Data", &["file", "bytes", "puzzles", "left out", "SHA-256"], out)?;
        for (index, input) in comparison.inputs.iter().enumerate() {
            let path = |name: &str| format!("inputs.{index}.{name}");
            let (bytes, puzzles, malformed) =
                (thousands(input.bytes), thousands(input.puzzles), thousands(input.malformed));
            let sum = input.sha256.as_deref().unwrap_or("–");
            let cells = [
                Figure::new("td class=\"n\"", &path("bytes"), input.bytes, &bytes).to_string(),
                Figure::new("td class=\"n\"", &path("puzzles"), input.puzzles, &puzzles).to_string(),
                Figure::new("td class=\"n\"", &path("malformed"), input.malformed, &malformed).to_string(),
                Figure::new("td class=\"code sum\"", &path("sha256"), &input.sha256, sum).to_string(),
            ];
            row(&input.name, cells.concat(), out)?;
        }
        close_table(out)?;
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</section>")
}

/// Where the engines gave up, those with the same limit together.
fn limits(comparison: &Comparison) -> String {
    let mut limits: Vec<(Option<u64>, Vec<&str>)> = Vec::new();
    for engine in &comparison.engines {
        match limits.iter_mut().find(|(limit, _)| *limit == engine.max_guesses) {
            Some((_, names)) => names.push(engine.name),
            None => limits.push((engine.max_guesses, vec![engine.name])),
        }
    }
    if let [(limit, _)] = limits[..] {
        return or_none(limit);
    }
    let words = limits.iter().map(|(limit, names)| format!("{} for {}", or_none(*limit), names.join(", ")));
    words.collect::<Vec<_>>().join("; ")
}

/// A part of 0 to 1 in percent; neither none nor all unless it is.
fn percent(part: f64) -> String {
    const WHOLE: f64 = 1e9;
    share((part * WHOLE).round() as u64, WHOLE as u64)
}
