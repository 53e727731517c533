//! CSV: one row for each engine of a comparison, for further analysis.

use super::comparison_sections::subject;
use super::format::Format;
use galop_compare::{Comparison, Contest, EngineFigures, quoted};

pub(super) const FORMAT: Format = Format {
    ending: "csv",
    about: "only of a comparison: one row per engine",
    run: None,
    comparison: Some(write),
    survey: None,
};

/// The value of a column, of an engine.
type Value = fn(&Comparison, &EngineFigures) -> String;

/// Names and values of the columns. Unknown values are empty, and so is the ratio of the reference.
const COLUMNS: &[(&str, Value)] = &[
    ("engine", |_, engine| quoted(&engine.name)),
    ("isa", |_, engine| or_empty(engine.isa.as_ref())),
    ("puzzles", |_, engine| engine.puzzles.to_string()),
    ("share", |_, engine| engine.share.to_string()),
    ("puzzles_per_second", |_, engine| or_empty(engine.puzzles_per_second)),
    ("cpu_nanos_median", |_, engine| engine.cpu_nanos.median.to_string()),
    ("cpu_nanos_min", |_, engine| engine.cpu_nanos.min.to_string()),
    ("cpu_nanos_max", |_, engine| engine.cpu_nanos.max.to_string()),
    ("cpu_nanos_deviation", |_, engine| engine.cpu_nanos.deviation.to_string()),
    ("wall_nanos_median", |_, engine| engine.wall_nanos.median.to_string()),
    ("ratio", |_, engine| or_empty(engine.ratio.map(|ratio| ratio.middle))),
    ("ratio_low", |_, engine| or_empty(engine.ratio.and_then(|ratio| ratio.low))),
    ("ratio_high", |_, engine| or_empty(engine.ratio.and_then(|ratio| ratio.high))),
    ("nanos_mean", |_, engine| engine.mean_nanos.to_string()),
    ("nanos_p50", |_, engine| or_empty(engine.nanos.as_ref().map(|nanos| nanos.p50))),
    ("nanos_p90", |_, engine| or_empty(engine.nanos.as_ref().map(|nanos| nanos.p90))),
    ("nanos_p99", |_, engine| or_empty(engine.nanos.as_ref().map(|nanos| nanos.p99))),
    ("nanos_p99_9", |_, engine| or_empty(engine.nanos.as_ref().map(|nanos| nanos.p99_9))),
    ("nanos_max", |_, engine| or_empty(engine.nanos.as_ref().map(|nanos| nanos.max))),
    ("without_guess", |_, engine| or_empty(engine.without_guess)),
    ("guesses_mean", |_, engine| or_empty(engine.mean_guesses)),
    ("guesses_p50", |_, engine| or_empty(engine.guesses.as_ref().map(|guesses| guesses.p50))),
    ("guesses_p99", |_, engine| or_empty(engine.guesses.as_ref().map(|guesses| guesses.p99))),
    ("guesses_max", |_, engine| or_empty(engine.guesses.as_ref().map(|guesses| guesses.max))),
    ("calls_mean", |_, engine| or_empty(engine.calls.as_ref().map(|calls| calls.mean))),
    ("calls_max", |_, engine| or_empty(engine.calls.as_ref().map(|calls| calls.max))),
    ("solved", |_, engine| engine.counts.solved.to_string()),
    ("none", |_, engine| engine.counts.none.to_string()),
    ("multiple", |_, engine| engine.counts.multiple.to_string()),
    ("limit", |_, engine| engine.counts.limit.to_string()),
    ("stuck", |_, engine| engine.counts.stuck.to_string()),
    ("par2_nanos", |_, engine| or_empty(engine.par2_nanos)),
    ("tasks", |comparison, _| quoted(&subject(comparison))),
    ("machine", |comparison, _| quoted(&comparison.machine.cpu)),
    ("date", |comparison, _| or_empty(comparison.date.as_ref())),
    ("commit", |comparison, _| or_empty(comparison.commit.as_ref())),
];

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The engines, fastest first.
fn write(contest: &Contest) -> String {
    let line = |fields: Vec<String>| fields.join(",") + "\n";
    let mut out = line(COLUMNS.iter().map(|(name, _)| (*name).to_owned()).collect());
    for comparison in &contest.comparisons {
        for engine in &comparison.engines {
            out += &line(COLUMNS.iter().map(|(_, value)| value(comparison, engine)).collect());
        }
    }
    out
}
