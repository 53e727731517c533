//! CSV: one row for each engine of a comparison, for further analysis.

use super::comparison_sections::subject;
use super::format::Format;
use galop_batch::figures::Distribution;
use galop_compare::{Comparison, Contest, EngineFigures, Ratio, quoted};

pub(super) const FORMAT: Format = Format {
    ending: "csv",
    about: "only of a comparison: one row per engine",
    run: None,
    comparison: Some(write),
    survey: None,
};

const HEADER: &str = "engine,isa,puzzles,share,puzzles_per_second,cpu_nanos_median,cpu_nanos_min,cpu_nanos_max,\
    cpu_nanos_deviation,wall_nanos_median,ratio,ratio_low,ratio_high,nanos_mean,nanos_p50,nanos_p90,nanos_p99,\
    nanos_p99_9,nanos_max,without_guess,guesses_mean,guesses_p50,guesses_p99,guesses_max,calls_mean,calls_max,\
    solved,none,multiple,limit,stuck,par2_nanos,tasks,machine,date,commit\n";

/// The engines, fastest first. Unknown values are empty, and so is the ratio of the reference.
fn write(contest: &Contest) -> String {
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    let row = |comparison: &Comparison, engine: &EngineFigures| {
        let (cpu, counts) = (&engine.cpu_nanos, &engine.counts);
        let of = |distribution: &Option<Distribution>, figure: fn(&Distribution) -> u64| {
            or_empty(distribution.as_ref().map(|all| figure(all).to_string()))
        };
        let nanos = |figure: fn(&Distribution) -> u64| of(&engine.nanos, figure);
        let guesses = |figure: fn(&Distribution) -> u64| of(&engine.guesses, figure);
        let ratio = |of: fn(&Ratio) -> Option<f64>| {
            or_empty(engine.ratio.as_ref().and_then(of).map(|it| it.to_string()))
        };
        let fields = [
            quoted(&engine.name),
            engine.isa.clone().unwrap_or_default(),
            engine.puzzles.to_string(),
            engine.share.to_string(),
            or_empty(engine.puzzles_per_second.map(|rate| rate.to_string())),
            cpu.median.to_string(),
            cpu.min.to_string(),
            cpu.max.to_string(),
            cpu.deviation.to_string(),
            engine.wall_nanos.median.to_string(),
            ratio(|ratio| Some(ratio.middle)),
            ratio(|ratio| ratio.low),
            ratio(|ratio| ratio.high),
            engine.mean_nanos.to_string(),
            nanos(|nanos| nanos.p50),
            nanos(|nanos| nanos.p90),
            nanos(|nanos| nanos.p99),
            nanos(|nanos| nanos.p99_9),
            nanos(|nanos| nanos.max),
            or_empty(engine.without_guess.map(|share| share.to_string())),
            or_empty(engine.mean_guesses.map(|guesses| guesses.to_string())),
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
            or_empty(engine.par2_nanos.map(|nanos| nanos.to_string())),
            quoted(&subject(comparison)),
            quoted(&comparison.machine.cpu),
            or_empty(comparison.date.clone()),
            or_empty(comparison.commit.clone()),
        ];
        fields.join(",") + "\n"
    };
    let rows = contest
        .comparisons
        .iter()
        .flat_map(|comparison| comparison.engines.iter().map(move |engine| row(comparison, engine)));
    HEADER.to_owned() + &rows.collect::<String>()
}
