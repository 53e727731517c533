//! The summary of a run in three lines: the outcome, the speed, the guesses.

use std::fmt::{self, Write};

use galop_batch::figures::{Counts, duration, group_digits, pluralize};

use super::names::name_inputs;
use super::run::Report;
use super::run_sections::notes;
use super::text::Style;

/// The summary of a run, its emphasis written in `style`. Lines that a user needs to trust the run follow the three:
/// which columns were read, what a second engine said.
pub fn brief(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    write_lines(report, style, &mut out).ok();
    out
}

fn write_lines(report: &Report, style: &Style, out: &mut String) -> fmt::Result {
    let Style { heading, reset, .. } = style;
    let (counts, inputs) = (&report.counts, report.inputs.iter().map(|input| input.name.as_str()));
    let what = match counts.puzzles {
        0 => "no puzzles".to_owned(),
        puzzles => report.rules.count_puzzles(puzzles),
    };
    let place = if counts.puzzles == 0 { "in" } else { "from" };
    write!(out, "{heading}{what}{reset} {place} {}", name_inputs(inputs))?;
    writeln!(out, "{}", outcome(counts, report.options.solutions, style))?;
    if counts.puzzles > 0 {
        write_speed(report, style, out)?;
        write_guesses(report, out)?;
    }
    notes(report).iter().try_for_each(|(name, note)| writeln!(out, "{heading}{name}{reset}  {note}"))
}

/// The records of each status: `: 9,998 solved, 2 without a solution`.
fn outcome(counts: &Counts, limit: Option<u64>, style: &Style) -> String {
    let Style { warning, reset, .. } = style;
    let is_unique = limit == Some(2);
    if counts.solved == counts.records && counts.records > 0 {
        return match (counts.records, is_unique) {
            (1, false) => ": solved",
            (1, true) => ": solved, with one solution",
            (_, false) => ": all solved",
            (_, true) => ": all solved, each with one solution",
        }
        .to_owned();
    }
    let solved = if is_unique { "with one solution" } else { "solved" };
    let words = [
        (counts.solved, solved),
        (counts.none, "without a solution"),
        (counts.multiple, "with several solutions"),
        (counts.limit, "given up at a limit"),
        (counts.stuck, "stuck without a guess"),
        (counts.malformed, "malformed"),
    ];
    let occurring = words.into_iter().enumerate().filter(|(_, (count, _))| *count > 0);
    let parts = occurring.map(|(place, (count, words))| {
        let count = if counts.records == 1 { String::new() } else { group_digits(count) + " " };
        match place {
            0 => format!("{count}{words}"),
            _ => format!("{warning}{count}{words}{reset}"),
        }
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}

/// The elapsed time and rate, and beside them what the solving alone takes: reading, writing and the start of the
/// program weigh more the fewer puzzles there are.
fn write_speed(report: &Report, style: &Style, out: &mut String) -> fmt::Result {
    let Style { heading, reset, .. } = style;
    let elapsed = report.elapsed();
    let engine = report.describe_engine();
    let times = report.times();
    if report.counts.puzzles == 1 {
        let solving = times.map_or(String::new(), |times| format!("; solving: {}", duration(times.mean)));
        return writeln!(out, "{elapsed}{solving} ({engine})");
    }
    let threads = pluralize(report.options.threads as u64, "thread", "threads");
    write!(out, "{elapsed} on {threads}: {heading}{} a second{reset}", report.rate())?;
    if let Some(times) = times.filter(|times| times.mean > 0.0) {
        let rate = group_digits((1e9 / times.mean).round() as u64);
        write!(out, "; solving alone: {rate} a second per core")?;
    }
    writeln!(out, " ({engine})")
}

fn write_guesses(report: &Report, out: &mut String) -> fmt::Result {
    let guesses = &report.guesses;
    match (guesses.max, report.counts.puzzles) {
        (0, _) => write!(out, "no guesses"),
        (most, 1) => write!(out, "{}", pluralize(most, "guess", "guesses")),
        (most, _) => {
            write!(out, "{:.3} guesses per puzzle on average, at most {}", guesses.mean, group_digits(most))
        }
    }?;
    if let Some((calls, depth)) =
        report.calls.as_ref().zip(report.depth.as_ref()).filter(|(calls, _)| calls.count > 0)
    {
        let (most, deepest) = (pluralize(calls.max, "call", "calls"), group_digits(depth.max));
        match calls.count {
            1 => write!(out, "; {most}, {deepest} deep"),
            _ => write!(
                out,
                "; {:.3} calls on average, at most {}, {deepest} deep",
                calls.mean,
                group_digits(calls.max)
            ),
        }?;
    }
    writeln!(out)
}
