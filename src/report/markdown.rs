//! Markdown: the same for people, in a document.

use std::fmt::{self, Write};

use super::figures::{bar, counted, duration, guess_label, share, thousands, time_label};
use super::{Distribution, Format, Report};
use crate::tally::Bucket;

pub(super) const FORMAT: Format = Format {
    ending: "md",
    about: "the same for people, as Markdown tables",
    write: Some(|report| {
        let mut text = String::new();
        // Writing to a String cannot fail.
        write_markdown(report, &mut text).ok();
        text
    }),
    compare: None,
};

fn write_markdown(report: &Report, out: &mut String) -> fmt::Result {
    let or_none = |limit: Option<u64>| limit.map_or("none".to_owned(), thousands);
    writeln!(out, "# galop: {}\n", counted(report.counts.puzzles, "puzzle", "puzzles"))?;
    writeln!(out, "| | |\n|---|---|")?;
    for input in &report.inputs {
        let (bytes, lines) = (thousands(input.bytes), thousands(input.lines));
        writeln!(out, "| input | {} ({bytes} bytes, {lines} lines) |", cell(&input.name))?;
    }
    writeln!(out, "| engine | {} |", report.engine_in_words())?;
    if let Some(work) = &report.work {
        writeln!(out, "| work | {} |", work.in_words())?;
    }
    if let Some(crosscheck) = &report.crosscheck {
        writeln!(out, "| crosscheck | {} |", crosscheck.in_words())?;
    }
    writeln!(out, "| limit on solutions | {} |", or_none(report.options.solutions))?;
    writeln!(out, "| limit on guesses | {} |", or_none(report.options.max_guesses))?;
    writeln!(out, "| threads | {} |", report.options.threads)?;
    writeln!(out, "| elapsed | {} |", duration(report.elapsed_seconds * 1e9))?;
    writeln!(out, "| puzzles a second | {} |", thousands(report.puzzles_per_second.round() as u64))?;
    writeln!(out, "| version | galop {} |", report.galop)?;

    writeln!(out, "\n## Answers\n\n| status | records | share |\n|---|---:|---:|")?;
    for (word, count) in report.statuses() {
        writeln!(out, "| {word} | {} | {} |", thousands(count), share(count, report.counts.records))?;
    }
    if let Some(nanos) = &report.nanos
        && nanos.count > 0
    {
        writeln!(
            out,
            "\n## Time a puzzle\n\n| mean | p50 | p90 | p99 | p99.9 | max |\n|---:|---:|---:|---:|---:|---:|"
        )?;
        write!(out, "| {} |", duration(nanos.mean))?;
        for value in [nanos.p50, nanos.p90, nanos.p99, nanos.p99_9, nanos.max] {
            write!(out, " {} |", duration(value as f64))?;
        }
        writeln!(out, "\n")?;
        if report.work.is_some() {
            writeln!(
                out,
                "Many puzzles are solved at once: a puzzle's time is its share of its lanes' rounds, and the sum \
                 of the times is that of the batches.\n"
            )?;
        }
        histogram(nanos, "time", time_label, out)?;
    }
    if report.guesses.count > 0 {
        let (mean, max) = (report.guesses.mean, thousands(report.guesses.max));
        writeln!(out, "\n## Guesses a puzzle\n\nMean {mean:.3}, largest {max}.\n")?;
        histogram(&report.guesses, "guesses", guess_label, out)?;
    }
    if !report.slowest.is_empty() {
        writeln!(out, "\n## Slowest\n\n| time | guesses | place | puzzle |\n|---:|---:|---|---|")?;
        for slow in &report.slowest {
            let time = slow.nanos.map_or(String::new(), |nanos| duration(nanos as f64));
            let guesses = thousands(slow.guesses);
            writeln!(
                out,
                "| {time} | {guesses} | {}:{} | `{}` |",
                cell(&slow.input),
                slow.line,
                slow.puzzle
            )?;
        }
    }
    if !report.malformed.is_empty() {
        writeln!(out, "\n## Malformed\n")?;
        for malformed in &report.malformed {
            writeln!(out, "- {malformed}")?;
        }
    }
    Ok(())
}

/// Text that cannot end a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn histogram(
    distribution: &Distribution,
    name: &str,
    label: fn(&Bucket) -> String,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, "| {name} | puzzles | share | |\n|---:|---:|---:|:---|")?;
    let largest = distribution.bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    for bucket in &distribution.bars {
        let (count, of_all) = (thousands(bucket.count), share(bucket.count, distribution.count));
        writeln!(out, "| {} | {count} | {of_all} | {} |", label(bucket), bar(bucket.count, largest, 30))?;
    }
    Ok(())
}
