//! The sections of a run's page.

use std::fmt::{self, Write};

use super::escape::{Figure, Text};
use super::page::{close_table, facts, open_table, or_none, row, whereabouts};
use super::{grid, plots};
use crate::report::{Counts, Distribution, Report, counted, duration, share, thousands};

/// What was solved, and how fast.
pub(super) fn headline(report: &Report, out: &mut String) -> fmt::Result {
    let puzzles = report.rules.counted(report.counts.puzzles);
    writeln!(out, "<h1>{puzzles}, solved by {}</h1>", Text(&report.engine_in_words()))?;
    writeln!(out, "<p class=\"soft path\">{}</p>", Text(&report.inputs_in_words()))?;
    let rate = thousands(report.puzzles_per_second.round() as u64);
    let elapsed = duration(report.elapsed_seconds * 1e9);
    let (solved, records) = (report.counts.solved, report.counts.records);
    let threads = thousands(report.options.threads as u64);
    let of_all = if records == 0 { "–".to_owned() } else { share(solved, records) };
    facts(
        &[
            ("puzzles a second", Figure::new("dd", "puzzles_per_second", report.puzzles_per_second, &rate)),
            ("elapsed", Figure::new("dd", "elapsed_seconds", report.elapsed_seconds, &elapsed)),
            ("solved", Figure::new("dd", "counts.solved", solved, &of_all)),
            ("threads", Figure::new("dd", "options.threads", report.options.threads, &threads)),
        ],
        out,
    )
}

/// The first malformed records.
pub(super) fn malformed(report: &Report, out: &mut String) -> fmt::Result {
    let count = report.counts.malformed;
    if count == 0 {
        return Ok(());
    }
    let shown = if count > report.malformed.len() as u64 { ", the first of them" } else { "" };
    let records = counted(count, "malformed record", "malformed records");
    writeln!(out, "<section class=\"warnings\">\n<p><b>{records}</b>{shown}:</p>\n<ul>")?;
    for (index, malformed) in report.malformed.iter().enumerate() {
        writeln!(out, "{}", Figure::new("li", &format!("malformed.{index}"), malformed, malformed))?;
    }
    writeln!(out, "</ul>\n</section>")
}

/// Statuses, and what a puzzle cost.
pub(super) fn tables(report: &Report, out: &mut String) -> fmt::Result {
    writeln!(out, "<div class=\"tables\">\n<section class=\"numbers\">\n<h2>Answers</h2>")?;
    open_table("Answers", &["status", "records", "share"], out)?;
    statuses("", &report.counts, out)?;
    close_table(out)?;
    if report.guesses.count == 0 {
        return writeln!(out, "</section>\n</div>");
    }
    writeln!(out, "</section>\n<section class=\"numbers\">\n<h2>Effort a puzzle</h2>")?;
    open_table("Effort a puzzle", &["", "mean", "p50", "p90", "p99", "p99.9", "max"], out)?;
    let timed = report.nanos.as_ref().filter(|nanos| nanos.count > 0);
    if let Some(nanos) = timed {
        effort("time", "nanos", nanos, duration, out)?;
    }
    effort("guesses", "guesses", &report.guesses, number, out)?;
    if let Some(calls) = report.calls.as_ref().filter(|calls| calls.count > 0) {
        effort("calls", "calls", calls, number, out)?;
    }
    if let Some(depth) = report.depth.as_ref().filter(|depth| depth.count > 0) {
        effort("depth", "depth", depth, number, out)?;
    }
    close_table(out)?;
    if timed.is_some() && report.work.is_some() {
        writeln!(
            out,
            "<p class=\"soft\">Many puzzles are solved at once: a puzzle's time is its share of its lanes' rounds, and \
             the sum of the times is that of the batches.</p>"
        )?;
    }
    writeln!(out, "</section>\n</div>")
}

/// A row for each status that occurred.
fn statuses(path: &str, counts: &Counts, out: &mut String) -> fmt::Result {
    let Counts { records, solved, none, multiple, limit, stuck, malformed, .. } = *counts;
    let all = [
        ("solved", solved),
        ("none", none),
        ("multiple", multiple),
        ("limit", limit),
        ("stuck", stuck),
        ("malformed", malformed),
    ];
    for (word, count) in all.into_iter().filter(|&(word, count)| count > 0 || word == "solved") {
        let place = format!("{path}counts.{word}");
        let figure = Figure::new("td", &place, count, &thousands(count)).to_string();
        let part = share(count, records);
        row(word, format!("{figure}<td>{}</td>", Text(&part)), out)?;
    }
    Ok(())
}

/// A row of a distribution's usual figures.
fn effort(
    name: &str,
    path: &str,
    distribution: &Distribution,
    shown: fn(f64) -> String,
    out: &mut String,
) -> fmt::Result {
    let mean = if path == "nanos" { shown } else { |mean| format!("{mean:.3}") };
    row(name, percentiles(path, distribution, mean, shown), out)
}

/// The cells of a distribution's usual figures.
pub(super) fn percentiles(
    path: &str,
    distribution: &Distribution,
    mean_shown: fn(f64) -> String,
    shown: fn(f64) -> String,
) -> String {
    let Distribution { mean, p50, p90, p99, p99_9, max, .. } = *distribution;
    let mut cells = Figure::new("td", &format!("{path}.mean"), mean, &mean_shown(mean)).to_string();
    for (name, value) in [("p50", p50), ("p90", p90), ("p99", p99), ("p99_9", p99_9), ("max", max)] {
        let place = format!("{path}.{name}");
        cells += &Figure::new("td", &place, value, &shown(value as f64)).to_string();
    }
    cells
}

/// A whole number.
fn number(value: f64) -> String {
    thousands(value as u64)
}

/// Histograms, curve and points.
pub(super) fn figures(report: &Report, out: &mut String) -> fmt::Result {
    if report.guesses.count == 0 {
        return Ok(());
    }
    let series = [plots::Series {
        name: report.engine,
        nanos: report.nanos.as_ref(),
        guesses: &report.guesses,
        points: &report.points,
        share: 1.0,
    }];
    writeln!(out, "<section>\n<h2>Distributions</h2>")?;
    if report.nanos.as_ref().is_none_or(|nanos| nanos.count == 0) {
        writeln!(out, "<p class=\"soft\">Times were not taken.</p>")?;
    }
    writeln!(out, "<div class=\"figures\">")?;
    plots::times(&series, out)?;
    plots::guesses(&series, out)?;
    plots::cumulative(&series, out)?;
    plots::scatter(&series, out)?;
    writeln!(out, "</div>\n</section>")
}

/// The slowest puzzles, drawn.
pub(super) fn slowest(report: &Report, out: &mut String) -> fmt::Result {
    if report.slowest.is_empty() {
        return Ok(());
    }
    let class = if report.rules.is_large() { "puzzles large" } else { "puzzles" };
    writeln!(out, "<section>\n<h2>Slowest</h2>\n<div class=\"{class}\">")?;
    for (index, slow) in report.slowest.iter().enumerate() {
        writeln!(out, "<div class=\"puzzle\">")?;
        let guesses = counted(slow.guesses, "guess", "guesses");
        let path = format!("slowest.{index}.guesses");
        let guesses = Figure::new("span", &path, slow.guesses, &guesses).to_string();
        let path = format!("slowest.{index}.nanos");
        let time =
            slow.nanos.map(|nanos| format!("{}, ", Figure::new("b", &path, nanos, &duration(nanos as f64))));
        writeln!(out, "<p>{}{guesses}</p>", time.unwrap_or_default())?;
        grid::draw(&report.rules, &slow.puzzle, slow.solution.as_deref(), out)?;
        writeln!(out, "<p class=\"soft\">{}:{}</p>\n</div>", Text(&slow.input), slow.line)?;
    }
    writeln!(out, "</div>\n</section>")
}

/// Everything needed to do it again.
pub(super) fn run(report: &Report, out: &mut String) -> fmt::Result {
    let options = &report.options;
    writeln!(out, "<section>\n<h2>Run</h2>\n<div class=\"pairs\"><table>\n<tbody>")?;
    row("galop", Figure::new("td", "galop", report.galop, report.galop), out)?;
    whereabouts(report.command.as_deref(), &report.machine, out)?;
    let about = Text(&report.engine_in_words()).to_string();
    row("engine", format!("<td>{about}</td>"), out)?;
    let rules = &report.rules;
    row("rules", Figure::new("td", "rules.name", rules.name, &rules.in_words()), out)?;
    if let Some(work) = &report.work {
        row("work", format!("<td>{}</td>", Text(&work.in_words())), out)?;
    }
    if let Some(crosscheck) = &report.crosscheck {
        row("crosscheck", format!("<td>{}</td>", Text(&crosscheck.in_words())), out)?;
    }
    let (solutions, guesses) = (or_none(options.solutions), or_none(options.max_guesses));
    row("limit on solutions", Figure::new("td", "options.solutions", options.solutions, &solutions), out)?;
    row("limit on guesses", Figure::new("td", "options.max_guesses", options.max_guesses, &guesses), out)?;
    row("printed as", Figure::new("td", "options.format", options.format, options.format), out)?;
    writeln!(out, "</tbody>\n</table></div>")?;
    if !report.inputs.is_empty() {
        writeln!(out, "<h3>Data</h3>\n<div>")?;
        open_table("Data", &["file", "read as", "bytes", "lines", "records", "SHA-256"], out)?;
        for (index, input) in report.inputs.iter().enumerate() {
            let path = |name: &str| format!("inputs.{index}.{name}");
            let (bytes, lines, records) =
                (thousands(input.bytes), thousands(input.lines), thousands(input.records));
            let sum = input.sha256.as_deref().unwrap_or("–");
            let cells = [
                Figure::new("td", &path("shape"), input.shape, input.shape).to_string(),
                Figure::new("td class=\"n\"", &path("bytes"), input.bytes, &bytes).to_string(),
                Figure::new("td class=\"n\"", &path("lines"), input.lines, &lines).to_string(),
                Figure::new("td class=\"n\"", &path("records"), input.records, &records).to_string(),
                Figure::new("td class=\"code sum\"", &path("sha256"), &input.sha256, sum).to_string(),
            ];
            row(&input.name, cells.concat(), out)?;
        }
        close_table(out)?;
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</section>")
}
