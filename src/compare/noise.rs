//! What makes the figures doubtful, in words: after the warnings of Peter's hyperfine (`src/output/warnings.rs`).

use std::time::Duration;

use super::statistics::{median, outliers};
use super::{Measured, Plan};
use crate::report::{counted, duration, share};

/// A run shorter than this is made of start and end.
const SHORT: Duration = Duration::from_millis(5);

/// Elapsed time by processor time above which something else was running.
const BUSY: f64 = 1.1;

/// Fewer runs than this say little of their spread.
const FEW_RUNS: usize = 5;

/// The warnings for what was `measured` on `puzzles` puzzles.
pub(super) fn warnings(plan: &Plan<'_>, puzzles: usize, measured: &[Measured]) -> Vec<String> {
    let mut warnings = Vec::new();
    if plan.runs < FEW_RUNS {
        let runs = counted(plan.runs as u64, "run", "runs");
        warnings.push(format!("{runs} of each engine: too few for the intervals to mean much (--runs 10)"));
    }
    for (entry, measured) in plan.engines.iter().zip(measured) {
        let done =
            measured.runs.iter().map(|pass| pass.done).chain([measured.warm_up.done]).min().unwrap_or(0);
        let cpu: Vec<f64> = measured.runs.iter().map(|pass| pass.taken.cpu.as_nanos() as f64).collect();
        let wall: Vec<f64> = measured.runs.iter().map(|pass| pass.taken.wall.as_nanos() as f64).collect();
        let a_puzzle = |(pass, nanos): (&super::Pass, &f64)| nanos / pass.done.max(1) as f64;
        let each: Vec<f64> = measured.runs.iter().zip(&cpu).map(a_puzzle).collect();
        let told = told(plan, puzzles, done, &cpu, &wall, &each);
        warnings.extend(told.into_iter().map(|warning| format!("{}: {warning}", entry.name)));
    }
    warnings
}

/// The warnings for one engine: `done` puzzles at least, and nanoseconds of each run.
fn told(
    plan: &Plan<'_>,
    puzzles: usize,
    done: usize,
    cpu: &[f64],
    wall: &[f64],
    each: &[f64],
) -> Vec<String> {
    let mut told = Vec::new();
    if done < puzzles
        && let Some(budget) = plan.budget
    {
        told.push(format!(
            "{} of the puzzles ({}) were answered within {} of processor time a run; its figures are of those, and \
             so is its ratio (--budget 0 lets it end)",
            share(done as u64, puzzles as u64),
            counted(done as u64, "puzzle", "puzzles"),
            duration(budget.as_nanos() as f64),
        ));
    }
    let shortest = cpu.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    if shortest < SHORT.as_nanos() as f64 && done == puzzles {
        told.push(format!("a run took {}: too short to be trusted; give more puzzles", duration(shortest)));
    }
    let busy = median(wall) / median(cpu).max(1.0);
    if busy > BUSY {
        told.push(format!(
            "{:.0} % more time went by than it used the processor: the machine was busy with other things",
            100.0 * (busy - 1.0)
        ));
    }
    match &outliers(each)[..] {
        [] => {}
        [0, ..] if each[0] > median(each) => told.push(
            "the first run was much slower than the others: the machine may save power, or something ended then"
                .to_owned(),
        ),
        some => told.push(format!(
            "{} far from the others: something else was running, or some permutations are much harder",
            counted(some.len() as u64, "run lies", "runs lie")
        )),
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan<'static> {
        Plan::new(&[])
    }

    const LONG: [f64; 5] = [10e6, 10.1e6, 10e6, 10.2e6, 10.1e6];

    #[test]
    fn a_quiet_run_is_not_doubted() {
        assert_eq!(told(&plan(), 9, 9, &LONG, &LONG, &LONG), [""; 0]);
    }

    #[track_caller]
    fn assert_one(told: &[String], words: &str) {
        assert!(told.len() == 1 && told[0].contains(words), "{told:?}");
    }

    #[test]
    fn each_doubt_has_its_words() {
        let slow_first = [20e6, 10.1e6, 10e6, 10.2e6, 10.1e6];
        let slow_later = [10e6, 10.1e6, 20e6, 10.2e6, 10.1e6];
        assert_one(&told(&plan(), 9, 9, &LONG, &LONG, &slow_first), "the first run was much slower");
        assert_one(&told(&plan(), 9, 9, &LONG, &LONG, &slow_later), "1 run lies far from the others");
        let busy = LONG.map(|nanos| 1.5 * nanos);
        assert_one(&told(&plan(), 9, 9, &LONG, &busy, &LONG), "50 % more time");
        let short = LONG.map(|nanos| nanos / 10.0);
        assert_one(&told(&plan(), 9, 9, &short, &short, &short), "a run took 1.00 ms: too short");
        assert_one(&told(&plan(), 9, 3, &LONG, &LONG, &LONG), "33.3 % of the puzzles (3 puzzles)");
    }
}
