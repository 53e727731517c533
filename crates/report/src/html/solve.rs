//! The page of a run.

use std::fmt::{self, Write};

use super::escape::{Text, figure, number_cell};
use super::page::{self, InputRow, RunSection, close_table, facts, input_number, open_table, or_none, row};
use super::{grid, plots};
use crate::names::name_inputs;
use crate::run::{OutputFigures, Report, SlowPuzzle};
use galop_batch::figures::{Counts, Distribution, duration, group_digits, percent, pluralize};

/// Writes the page.
pub(super) fn page(report: &Report, out: &mut String) -> fmt::Result {
    page::open("galop solve", out)?;
    headline(report, out)?;
    malformed(report, out)?;
    tables(report, out)?;
    distributions(report, out)?;
    let alone =
        "Each was measured again alone after the run, if a fiftieth of the time of the run allowed it.";
    drawn("Slowest", "slowest", alone, report, &report.slowest, out)?;
    drawn("Most guesses", "most_guesses", "", report, &report.most_guesses, out)?;
    run(report).write(out)?;
    page::close(report.version, out)
}

/// What was solved, and how fast.
fn headline(report: &Report, out: &mut String) -> fmt::Result {
    let puzzles = report.rules.count_puzzles(report.counts.puzzles);
    let inputs = name_inputs(report.inputs.iter().map(|input| input.name.as_str()));
    writeln!(out, "<h1>{puzzles}, solved by {}</h1>", Text(&report.describe_engine()))?;
    writeln!(out, "<p class=\"soft path\">{}</p>", Text(&inputs))?;
    let rate = group_digits(report.puzzles_per_second.round() as u64);
    let elapsed = duration(report.elapsed_seconds * 1e9);
    let (solved, records) = (report.counts.solved, report.counts.records);
    let threads = group_digits(report.options.threads as u64);
    let of_all = if records == 0 { "–".to_owned() } else { percent(solved, records) };
    facts(
        &[
            ("puzzles a second", figure("dd", "puzzles_per_second", report.puzzles_per_second, &rate)),
            ("elapsed", figure("dd", "elapsed_seconds", report.elapsed_seconds, &elapsed)),
            ("solved", figure("dd", "counts.solved", solved, &of_all)),
            ("threads", figure("dd", "options.threads", report.options.threads, &threads)),
        ],
        out,
    )
}

/// The first malformed records.
fn malformed(report: &Report, out: &mut String) -> fmt::Result {
    let count = report.counts.malformed;
    if count == 0 {
        return Ok(());
    }
    let shown = if count > report.malformed.len() as u64 { ", the first of them" } else { "" };
    let records = pluralize(count, "malformed record", "malformed records");
    writeln!(out, "<section class=\"warnings\">\n<p><b>{records}</b>{shown}:</p>\n<ul>")?;
    for (index, malformed) in report.malformed.iter().enumerate() {
        writeln!(out, "{}", figure("li", &format!("malformed.{index}"), malformed, malformed))?;
    }
    writeln!(out, "</ul>\n</section>")
}

/// Statuses, and what puzzles cost.
fn tables(report: &Report, out: &mut String) -> fmt::Result {
    writeln!(out, "<div class=\"tables\">\n<section class=\"numbers\">\n<h2>Answers</h2>")?;
    open_table("Answers", &["status", "records", "share"], out)?;
    statuses(&report.counts, out)?;
    close_table(out)?;
    if report.guesses.count == 0 {
        return writeln!(out, "</section>\n</div>");
    }
    writeln!(out, "</section>\n<section class=\"numbers\">\n<h2>Effort per puzzle</h2>")?;
    open_table("Effort per puzzle", &["", "mean", "p50", "p90", "p99", "p99.9", "max"], out)?;
    if let Some(nanos) = report.times() {
        row("time", &percentiles("nanos", nanos, duration, duration), out)?;
    }
    let counts = [
        ("guesses", "guesses", Some(&report.guesses)),
        ("calls", "calls", report.calls.as_ref()),
        ("depth", "depth", report.depth.as_ref()),
    ];
    for (name, path, counted) in counts {
        if let Some(counted) = counted.filter(|counted| counted.count > 0) {
            row(name, &percentiles(path, counted, |mean| format!("{mean:.3}"), whole_number), out)?;
        }
    }
    close_table(out)?;
    if report.times().is_some() && report.has_shared_times() {
        writeln!(
            out,
            "<p class=\"soft\">Many puzzles are solved at once: a puzzle's time is its share of its lanes' rounds, and \
             the times add up to the times of the batches.</p>"
        )?;
    }
    writeln!(out, "</section>\n</div>")
}

/// A row for each status that occurred, and for `solved`.
fn statuses(counts: &Counts, out: &mut String) -> fmt::Result {
    let shown = counts.by_status().into_iter().filter(|&(word, count)| count > 0 || word == "solved");
    for (word, count) in shown {
        let cell = number_cell(&format!("counts.{word}"), count);
        row(word, &format!("{cell}<td>{}</td>", Text(&percent(count, counts.records))), out)?;
    }
    Ok(())
}

/// The cells of a distribution's usual figures.
pub(super) fn percentiles(
    path: &str,
    distribution: &Distribution,
    mean_shown: fn(f64) -> String,
    shown: fn(f64) -> String,
) -> String {
    let Distribution { mean, p50, p90, p99, p99_9, max, .. } = *distribution;
    let mut cells = figure("td", &format!("{path}.mean"), mean, &mean_shown(mean));
    for (name, value) in [("p50", p50), ("p90", p90), ("p99", p99), ("p99_9", p99_9), ("max", max)] {
        cells += &figure("td", &format!("{path}.{name}"), value, &shown(value as f64));
    }
    cells
}

fn whole_number(value: f64) -> String {
    group_digits(value as u64)
}

/// Histograms, curve and points.
fn distributions(report: &Report, out: &mut String) -> fmt::Result {
    if report.guesses.count == 0 {
        return Ok(());
    }
    let series = [plots::Series {
        name: report.engine,
        nanos: report.nanos.as_ref(),
        guesses: Some(&report.guesses),
        points: &report.points,
        share: 1.0,
    }];
    writeln!(out, "<section>\n<h2>Distributions</h2>")?;
    if report.times().is_none() {
        writeln!(out, "<p class=\"soft\">Times were not taken.</p>")?;
    }
    writeln!(out, "<div class=\"figures\">")?;
    plots::times(&series, out)?;
    plots::guesses(&series, out)?;
    plots::cumulative(&series, out)?;
    plots::scatter(&series, out)?;
    writeln!(out, "</div>\n</section>")
}

/// Draws the puzzles of the list `name` of the report.
fn drawn(
    title: &str,
    name: &str,
    about: &str,
    report: &Report,
    puzzles: &[SlowPuzzle],
    out: &mut String,
) -> fmt::Result {
    if puzzles.is_empty() {
        return Ok(());
    }
    let class = if report.rules.is_large() { "puzzles large" } else { "puzzles" };
    writeln!(out, "<section>\n<h2>{title}</h2>")?;
    if !about.is_empty() && report.nanos.is_some() {
        writeln!(out, "<p class=\"soft\">{about}</p>")?;
    }
    writeln!(out, "<div class=\"{class}\">")?;
    for (index, slow) in puzzles.iter().enumerate() {
        writeln!(out, "<div class=\"puzzle\">")?;
        let guesses = pluralize(slow.guesses, "guess", "guesses");
        let guesses = figure("span", &format!("{name}.{index}.guesses"), slow.guesses, &guesses);
        let path = format!("{name}.{index}.nanos");
        let time =
            slow.nanos.map(|nanos| format!("{}, ", figure("b", &path, nanos, &duration(nanos as f64))));
        writeln!(out, "<p>{}{guesses}</p>", time.unwrap_or_default())?;
        grid::draw(&report.rules, &slow.puzzle, slow.solution.as_deref(), out)?;
        writeln!(out, "<p class=\"soft\">{}:{}</p>\n</div>", Text(&slow.input), slow.line)?;
    }
    writeln!(out, "</div>\n</section>")
}

/// Everything that is needed to repeat the run.
fn run(report: &Report) -> RunSection<'_> {
    let (options, rules) = (&report.options, &report.rules);
    let words = |words: &str| format!("<td>{}</td>", Text(words));
    let (solutions, guesses) = (or_none(options.solutions), or_none(options.max_guesses));
    let mut rows = vec![
        ("engine", words(&report.describe_engine())),
        ("rules", figure("td", "rules.name", &*rules.name, &rules.describe())),
    ];
    rows.extend(report.work.iter().map(|work| ("work", words(&work.describe()))));
    rows.extend(report.crosscheck.iter().map(|crosscheck| ("crosscheck", words(&crosscheck.describe()))));
    rows.extend([
        ("limit on solutions", figure("td", "options.solutions", options.solutions, &solutions)),
        ("limit on guesses", figure("td", "options.max_guesses", options.max_guesses, &guesses)),
        ("printed as", figure("td", "options.format", options.format, options.format)),
    ]);
    rows.extend(report.selection.iter().map(|selection| ("selection", words(&selection.describe()))));
    rows.extend(report.listing.iter().map(|listing| ("solutions", words(&listing.describe()))));
    let output = |output: &OutputFigures| figure("td", "output.sha256", &output.sha256, &output.describe());
    rows.extend(report.output.iter().map(|file| ("output", output(file))));
    let inputs = report.inputs.iter().enumerate().map(|(index, input)| {
        let path = |name: &str| format!("inputs.{index}.{name}");
        let cells = [
            figure("td", &path("shape"), input.shape, input.shape),
            input_number(&path("bytes"), input.bytes),
            input_number(&path("lines"), input.lines),
            input_number(&path("records"), input.records),
        ];
        InputRow { name: &input.name, cells: cells.concat(), sha256: &input.sha256 }
    });
    RunSection {
        version: report.version,
        command: report.command.as_deref(),
        machine: &report.machine,
        rows,
        columns: &["read as", "bytes", "lines", "records"],
        inputs: inputs.collect(),
    }
}
