//! CSV: one row for each engine of a comparison, for further analysis.

use super::format::Format;
use galop_batch::figures::Distribution;
use galop_compare::{Comparison, EngineFigures, Ratio};

pub(super) const FORMAT: Format = Format {
    ending: "csv",
    about: "of a comparison: one row an engine",
    run: None,
    comparison: Some(write),
    survey: None,
};

const HEADER: &str = "engine,isa,puzzles,share,puzzles_per_second,cpu_nanos_median,cpu_nanos_min,cpu_nanos_max,\
    cpu_nanos_deviation,wall_nanos_median,ratio,ratio_low,ratio_high,nanos_mean,nanos_p50,nanos_p90,nanos_p99,\
    nanos_p99_9,nanos_max,without_guess,guesses_mean,guesses_p50,guesses_p99,guesses_max,calls_mean,calls_max,\
    solved,none,multiple,limit,stuck\n";

/// The engines, fastest first. Unknown values are empty, and so is the ratio of the reference.
fn write(comparison: &Comparison) -> String {
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    let row = |engine: &EngineFigures| {
        let (cpu, counts) = (&engine.cpu_nanos, &engine.counts);
        let of = |distribution: &Option<Distribution>, figure: fn(&Distribution) -> u64| {
            or_empty(distribution.as_ref().map(|all| figure(all).to_string()))
        };
        let nanos = |figure: fn(&Distribution) -> u64| of(&engine.nanos, figure);
        let guesses = |figure: fn(&Distribution) -> u64| of(&engine.guesses, figure);
        let ratio = |of: fn(&Ratio) -> f64| or_empty(engine.ratio.as_ref().map(|it| of(it).to_string()));
        let fields = [
            engine.name.clone(),
            engine.isa.unwrap_or_default().to_owned(),
            engine.puzzles.to_string(),
            engine.share.to_string(),
            or_empty(engine.puzzles_per_second.map(|rate| rate.to_string())),
            cpu.median.to_string(),
            cpu.min.to_string(),
            cpu.max.to_string(),
            cpu.deviation.to_string(),
            engine.wall_nanos.median.to_string(),
            ratio(|ratio| ratio.median),
            ratio(|ratio| ratio.low),
            ratio(|ratio| ratio.high),
            engine.mean_nanos.to_string(),
            nanos(|nanos| nanos.p50),
            nanos(|nanos| nanos.p90),
            nanos(|nanos| nanos.p99),
            nanos(|nanos| nanos.p99_9),
            nanos(|nanos| nanos.max),
            or_empty(engine.without_guess.map(|share| share.to_string())),
            or_empty(engine.guesses.as_ref().map(|guesses| guesses.mean.to_string())),
            guesses(|guesses| guesses.p50),
            guesses(|guesses| guesses.p99),
            guesses(|guesses| guesses.max),
            or_empty(engine.calls.as_ref().map(|calls| calls.mean.to_string())),
            or_empty(engine.calls.as_ref().map(|calls| calls.max.to_string())),
            counts.solved.to_string(),
            counts.none.to_string(),
            counts.multiple.to_string(),
            counts.limit.to_string(),
            counts.stuck.to_string(),
        ];
        fields.join(",") + "\n"
    };
    HEADER.to_owned() + &comparison.engines.iter().map(row).collect::<String>()
}
