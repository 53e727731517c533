//! Text: what a user sees in the terminal when a run is over.

use std::fmt::{self, Write};

use super::comparison::{Table, told_row};
use super::figures::{bar, counted, duration, guess_label, share, thousands, time_label};
use super::{Distribution, Format, Report};
use crate::compare::Comparison;
use crate::figures::Bucket;

pub(super) const FORMAT: Format = Format {
    ending: "txt",
    about: "what the terminal shows",
    write: Some(|report| text(report, &Style::default())),
    compare: Some(|comparison| comparison_text(comparison, &Style::default(), usize::MAX)),
};

/// How emphasis is written: terminal codes, or nothing.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// Before a heading.
    pub heading: String,
    /// Before a bar.
    pub bar: String,
    /// Before a status that may need a look.
    pub warning: String,
    /// After each of them.
    pub reset: String,
}

const BAR_WIDTH: usize = 40;

/// The report as text, its emphasis written in `style`.
pub fn text(report: &Report, style: &Style) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    write_text(report, style, &mut text).ok();
    text
}

fn write_text(report: &Report, style: &Style, out: &mut String) -> fmt::Result {
    let Style { heading, warning, reset, .. } = style;
    let counts = &report.counts;
    writeln!(
        out,
        "{heading}{}{reset} from {} in {}: {heading}{} a second{reset} ({}, {})",
        report.rules.counted(counts.puzzles),
        report.inputs_in_words(),
        duration(report.elapsed_seconds * 1e9),
        thousands(report.puzzles_per_second.round() as u64),
        report.engine_in_words(),
        counted(report.options.threads as u64, "thread", "threads"),
    )?;
    for (word, count) in report.statuses() {
        let (on, off) = if word == "solved" { ("", "") } else { (warning.as_str(), reset.as_str()) };
        let share = share(count, counts.records);
        writeln!(out, "  {on}{word:<10}{off} {:>13}  {share:>7}", thousands(count))?;
    }
    if report.work.is_some() || report.crosscheck.is_some() {
        writeln!(out)?;
    }
    if let Some(work) = &report.work {
        writeln!(out, "{heading}{}{reset}  {}", report.engine, work.in_words())?;
    }
    if let Some(crosscheck) = &report.crosscheck {
        writeln!(out, "{heading}crosscheck{reset}  {}", crosscheck.in_words())?;
    }
    if let Some(nanos) = &report.nanos
        && nanos.count > 0
    {
        let whose = if report.work.is_some() { " (its share of its lanes' rounds)" } else { "" };
        let figures = [("p50", nanos.p50), ("p90", nanos.p90), ("p99", nanos.p99), ("p99.9", nanos.p99_9)];
        write!(out, "\n{heading}time a puzzle{reset}{whose}  mean {}", duration(nanos.mean))?;
        for (name, value) in figures.into_iter().chain([("max", nanos.max)]) {
            write!(out, "  {name} {}", duration(value as f64))?;
        }
        writeln!(out)?;
        bars(nanos, time_label, style, out)?;
    }
    if report.guesses.count > 0 {
        let (mean, max) = (report.guesses.mean, thousands(report.guesses.max));
        writeln!(out, "\n{heading}guesses a puzzle{reset}  mean {mean:.3}  max {max}")?;
        bars(&report.guesses, guess_label, style, out)?;
    }
    if let Some(calls) = report.calls_in_words() {
        writeln!(out, "\n{heading}calls of the search{reset}  {calls}")?;
    }
    if !report.slowest.is_empty() {
        writeln!(out, "\n{heading}slowest{reset}")?;
        for slow in &report.slowest {
            let time = slow.nanos.map_or(String::new(), |nanos| duration(nanos as f64));
            let guesses = counted(slow.guesses, "guess", "guesses");
            let place = format!("{}:{}", slow.input, slow.line);
            writeln!(out, "  {time:>9} {guesses:>16}  {place}  {}", slow.puzzle)?;
        }
    }
    Ok(())
}

fn bars(
    distribution: &Distribution,
    label: fn(&Bucket) -> String,
    style: &Style,
    out: &mut String,
) -> fmt::Result {
    let largest = distribution.bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    for bucket in &distribution.bars {
        writeln!(
            out,
            "  {:>15} {:>13}  {:>7}  {}{}{}",
            label(bucket),
            thousands(bucket.count),
            share(bucket.count, distribution.count),
            style.bar,
            bar(bucket.count, largest, BAR_WIDTH),
            style.reset
        )?;
    }
    Ok(())
}

/// A comparison as text, its emphasis written in `style`: the engines, and for each but the reference at most
/// `told` of the puzzles that tell it from the reference. Warnings are not among it: the terminal shows them
/// elsewhere.
pub fn comparison_text(comparison: &Comparison, style: &Style, told: usize) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    write_comparison(comparison, style, told, &mut text).ok();
    text
}

fn write_comparison(comparison: &Comparison, style: &Style, told: usize, out: &mut String) -> fmt::Result {
    let Style { heading, reset, .. } = style;
    writeln!(out, "{heading}{}{reset}: {}\n", comparison.in_words(), comparison.how_in_words())?;
    columns(&comparison.table(), style, out)?;
    let reference = comparison.reference;
    for difference in comparison.differences.iter().filter(|it| told > 0 && !it.puzzles.is_empty()) {
        let engine = difference.engine;
        writeln!(out, "\n{heading}where {engine} and {reference} differ most{reset}")?;
        let header =
            [format!("time {engine}"), reference.into(), "ratio".into(), "guesses".into(), reference.into()];
        let shown = &difference.puzzles[..told.min(difference.puzzles.len())];
        let widths: Vec<usize> = (0..header.len())
            .map(|at| shown.iter().map(|told| width(&told_row(told)[at])).chain([width(&header[at])]).max())
            .map(Option::unwrap_or_default)
            .collect();
        let line = |cells: &[String], rest: &str| {
            let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:>width$}"));
            format!("{}  {rest}", cells.collect::<String>())
        };
        writeln!(out, "{}", line(&header, "place"))?;
        for told in shown {
            let place = format!("{}:{}  {}", told.input, told.line, told.puzzle);
            writeln!(out, "{}", line(&told_row(told), &place))?;
        }
    }
    Ok(())
}

fn width(cell: &str) -> usize {
    cell.chars().count()
}

/// Words to the left, numbers to the right.
fn columns(table: &Table, style: &Style, out: &mut String) -> fmt::Result {
    let Style { heading, bar, reset, .. } = style;
    let rows = || std::iter::once(&table.header).chain(&table.rows);
    for (number, row) in rows().enumerate() {
        let on = match number {
            0 => heading,
            1 => bar,
            _ => "",
        };
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let width = rows().filter_map(|row| row.get(at)).map(|cell| width(cell)).max().unwrap_or(0);
            match at {
                0 => write!(line, "  {cell:<width$}")?,
                _ => write!(line, "  {cell:>width$}")?,
            }
        }
        writeln!(out, "{on}{line}{}", if on.is_empty() { "" } else { reset })?;
    }
    Ok(())
}
