//! Markdown: the same for people, in a document.

use std::fmt::{self, Write};

use super::comparison::told_row;
use super::figures::{bar, counted, duration, guess_label, share, thousands, time_label};
use super::{Distribution, Format, Machine, Report};
use crate::compare::Comparison;
use crate::figures::Bucket;

pub(super) const FORMAT: Format = Format {
    ending: "md",
    about: "the same for people, as Markdown tables",
    write: Some(|report| {
        let mut text = String::new();
        // Writing to a String cannot fail.
        write_markdown(report, &mut text).ok();
        text
    }),
    compare: Some(|comparison| {
        let mut text = String::new();
        write_comparison(comparison, &mut text).ok();
        text
    }),
};

fn write_markdown(report: &Report, out: &mut String) -> fmt::Result {
    let or_none = |limit: Option<u64>| limit.map_or("none".to_owned(), thousands);
    writeln!(out, "# galop: {}\n", report.rules.counted(report.counts.puzzles))?;
    writeln!(out, "| | |\n|---|---|")?;
    writeln!(out, "| rules | {} |", report.rules.in_words())?;
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
    if let Some(command) = &report.command {
        writeln!(out, "| command | `{}` |", cell(command))?;
    }
    let Machine { cpu, cores, os, arch } = &report.machine;
    writeln!(out, "| machine | {}, {}, {os} {arch} |", cell(cpu), counted(*cores as u64, "core", "cores"))?;

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
    if let Some(calls) = report.calls_in_words() {
        writeln!(out, "\n## Calls of the search\n\n{calls}")?;
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

fn write_comparison(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let (asked, machine) = (&comparison.options, &comparison.machine);
    writeln!(out, "# galop: {}\n", comparison.in_words())?;
    let table = comparison.table();
    let numbers = "---:|".repeat(table.header.len() - 1);
    writeln!(out, "| {} |\n|---|{numbers}", table.header.join(" | "))?;
    for row in &table.rows {
        writeln!(out, "| {} |", row.join(" | "))?;
    }
    writeln!(
        out,
        "\nProcessor time a puzzle (mean: the median run's; p50, p99, max: of all puzzles and runs), guesses a \
         puzzle, the share of the puzzles solved without one, and puzzles by status. The last column is the median of the runs' ratios, with \
         a 95 % bootstrap interval.\n"
    )?;
    for warning in &comparison.warnings {
        writeln!(out, "- warning: {warning}")?;
    }
    writeln!(out, "\n| | |\n|---|---|")?;
    if let Some(command) = &comparison.command {
        writeln!(out, "| command | `{}` |", cell(command))?;
    }
    for input in &comparison.inputs {
        let sum = input.sha256.as_ref().map_or(String::new(), |sum| format!(", SHA-256 `{sum}`"));
        let (name, bytes, puzzles) = (cell(&input.name), thousands(input.bytes), thousands(input.puzzles));
        let malformed = match input.malformed {
            0 => String::new(),
            malformed => {
                format!(", {} left out", counted(malformed, "malformed record", "malformed records"))
            }
        };
        writeln!(out, "| input | {name} ({bytes} bytes, {puzzles} puzzles{malformed}{sum}) |")?;
    }
    if let Some(sample) = asked.sample {
        writeln!(out, "| sample | {}, seed {} |", counted(sample, "puzzle", "puzzles"), asked.seed)?;
    }
    writeln!(out, "| rules | {} |", comparison.rules.in_words())?;
    writeln!(out, "| method | {} |", comparison.how_in_words())?;
    let budget = asked.budget_seconds.map_or("none".to_owned(), |seconds| duration(seconds * 1e9));
    writeln!(out, "| budget an engine and run | {budget} |")?;
    writeln!(
        out,
        "| machine | {}, {} cores, {} {} |",
        cell(&machine.cpu),
        machine.cores,
        machine.os,
        machine.arch
    )?;
    writeln!(out, "| version | galop {} |", comparison.galop)?;
    for difference in &comparison.differences {
        let (engine, reference) = (difference.engine, comparison.reference);
        writeln!(out, "\n## Where {engine} and {reference} differ most\n")?;
        writeln!(out, "| {engine} | {reference} | ratio | guesses | {reference} | place | puzzle |")?;
        writeln!(out, "|---:|---:|---:|---:|---:|---|---|")?;
        for told in &difference.puzzles {
            let (numbers, input) = (told_row(told).join(" | "), cell(&told.input));
            writeln!(out, "| {numbers} | {input}:{} | `{}` |", told.line, told.puzzle)?;
        }
    }
    Ok(())
}
