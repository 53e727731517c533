//! Text: what a user sees in the terminal when a run is over.

use std::fmt::{self, Write};

use super::figures::{bar, counted, duration, guess_label, share, thousands, time_label};
use super::{Distribution, Format, Report};
use crate::tally::Bucket;

pub(super) const FORMAT: Format = Format {
    ending: "txt",
    about: "what the terminal shows",
    write: Some(|report| text(report, &Style::default())),
    compare: None,
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
        counted(counts.puzzles, "puzzle", "puzzles"),
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
