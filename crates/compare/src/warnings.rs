//! Reasons to doubt the figures, in words, modelled on the warnings of hyperfine (`src/output/warnings.rs`).

use std::time::Duration;

use super::child;
use super::statistics::{median, outliers};
use super::{pass::Measured, pass::Pass, plan::Plan};
use galop_batch::figures::{duration, percent, pluralize};

/// Processor time of a run. In shorter runs, starting and ending counts too much.
const SHORT: Duration = Duration::from_millis(5);

/// Elapsed time divided by processor time. Above this, the machine was busy with something else.
const BUSY: f64 = 1.1;

/// Words for what is answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    /// What makes a run longer.
    pub(super) more: &'static str,
    /// The smallest task, on which the start of a program is measured.
    pub(super) smallest: &'static str,
}

pub(super) const PUZZLES: Words = Words { more: "more puzzles", smallest: "an empty input" };
pub(super) const PROBLEMS: Words = Words { more: "larger problems", smallest: "a problem with one option" };

/// Runs. Fewer than this say little about their spread.
const FEW_RUNS: usize = 5;

/// The warnings about what was measured of `tasks` puzzles or problems. `own` are more warnings about the
/// contestant of that place.
pub(super) fn warnings(
    plan: &Plan<'_>,
    tasks: usize,
    words: Words,
    measured: &[Measured],
    own: impl Fn(usize) -> Vec<String>,
) -> Vec<String> {
    let mut warnings = Vec::new();
    if plan.runs < FEW_RUNS {
        let runs = pluralize(plan.runs as u64, "run", "runs");
        warnings.push(format!("{runs} of each engine: too few for meaningful intervals (10 are enough)"));
    }
    for (index, (contestant, measured)) in plan.contestants.iter().zip(measured).enumerate() {
        let (name, is_program) = (&contestant.name, contestant.is_program());
        let mut of_one = Vec::new();
        if is_program {
            of_one.extend(program_warnings(measured, child::GIVES_TIME, words));
        }
        of_one.extend(own(index));
        let done =
            measured.runs.iter().map(|pass| pass.done).chain([measured.warm_up.done]).min().unwrap_or(0);
        let cpu: Vec<f64> = measured.runs.iter().map(|pass| pass.spent.cpu.as_nanos() as f64).collect();
        let wall: Vec<f64> = measured.runs.iter().map(|pass| pass.spent.wall.as_nanos() as f64).collect();
        let a_puzzle = |(pass, nanos): (&Pass, &f64)| nanos / pass.done.max(1) as f64;
        let each: Vec<f64> = measured.runs.iter().zip(&cpu).map(a_puzzle).collect();
        // A program that waits for a disk, or for its start, has not found the machine busy.
        let wall = if is_program { cpu.clone() } else { wall };
        // The runs of one that can take no problem measure nothing.
        let measures = |pass: &Pass| !pass.has_each || pass.nanos.iter().any(|nanos| !nanos.is_nan());
        if measured.runs.iter().any(measures) {
            of_one.extend(engine_warnings(plan, (tasks, words.more), done, &cpu, &wall, &each));
        }
        warnings.extend(of_one.into_iter().map(|warning| format!("{name}: {warning}")));
    }
    warnings
}

/// What the times of another program are.
fn program_warnings(measured: &Measured, gives_time: bool, words: Words) -> Vec<String> {
    let Words { more, smallest } = words;
    let clock = match gives_time {
        true => "the processor time of a whole run",
        false => "the elapsed time of a whole run, because this system does not give its processor time,",
    };
    let starts = measured.starts();
    let start = match &starts[..] {
        [] => format!("its start included, because it fails on {smallest}"),
        starts => format!("less {} for its start, measured on {smallest}", duration(median(starts))),
    };
    let has_each = measured.runs.iter().all(|pass| pass.has_each);
    let mut warnings = vec![format!(
        "another program: its time is {clock} {start}{}",
        if has_each { "" } else { "; times and guesses of single puzzles are not known" }
    )];
    let far = |by: fn(f64, f64) -> f64| starts.iter().copied().reduce(by).unwrap_or(0.0);
    let (least, most) = (far(f64::min), far(f64::max));
    let answered = measured.runs.iter().filter(|pass| pass.done > 0);
    let nanos = answered.map(|pass| pass.spent.cpu.as_nanos() as f64);
    if let Some(nanos) = nanos.min_by(f64::total_cmp).filter(|&nanos| nanos <= most - least) {
        warnings.push(format!(
            "a run took {} more than {smallest}, which is within the noise of its starts ({} to {}): too short to \
             be trusted; use {more}",
            duration(nanos),
            duration(least),
            duration(most),
        ));
    }
    warnings
}

/// The warnings about one engine, which answered at least `done` puzzles in every run. `cpu` and `wall` are the
/// nanoseconds of each run, and `each` its nanoseconds of processor time per puzzle.
fn engine_warnings(
    plan: &Plan<'_>,
    (tasks, task): (usize, &str),
    done: usize,
    cpu: &[f64],
    wall: &[f64],
    each: &[f64],
) -> Vec<String> {
    let mut warnings = Vec::new();
    if done < tasks
        && let Some(budget) = plan.budget
    {
        warnings.push(format!(
            "{} of the puzzles ({}) were answered within {} of processor time a run; its figures and \
             its ratio are for these puzzles only (without a budget it answers all)",
            percent(done as u64, tasks as u64),
            pluralize(done as u64, "puzzle", "puzzles"),
            duration(budget.as_nanos() as f64),
        ));
    }
    let shortest = cpu.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    if shortest > 0.0 && shortest < SHORT.as_nanos() as f64 && done == tasks {
        warnings.push(format!("a run took {}: too short to be trusted; use {task}", duration(shortest)));
    }
    let busy = median(wall) / median(cpu).max(1.0);
    if busy > BUSY {
        warnings.push(format!(
            "elapsed time was {:.0} % more than processor time: the machine was busy with something else",
            100.0 * (busy - 1.0)
        ));
    }
    match &outliers(each)[..] {
        [] => {}
        [0, ..] if each[0] > median(each) => warnings.push(
            "the first run was much slower than the others: the processor may have been saving power, or other \
             work ended then"
                .to_owned(),
        ),
        some => warnings.push(format!(
            "{} far from the others: other work was running, or some permutations are much harder",
            pluralize(some.len() as u64, "run lies", "runs lie")
        )),
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::super::clock::spent;
    use super::*;

    fn plan() -> Plan<'static> {
        Plan::new(&[])
    }

    const LONG: [f64; 5] = [10e6, 10.1e6, 10e6, 10.2e6, 10.1e6];

    #[test]
    fn a_quiet_run_has_no_warnings() {
        assert_eq!(engine_warnings(&plan(), (9, "more puzzles"), 9, &LONG, &LONG, &LONG), [""; 0]);
    }

    /// Runs of another program that took these milliseconds more than the median of its starts.
    fn program(runs: &[(u64, Option<u64>)]) -> Measured {
        let time = |cpu| spent(cpu, 99);
        let pass = |&(cpu, start): &(u64, Option<u64>)| Pass {
            has_each: false,
            done: 9,
            spent: time(cpu),
            start: start.map(time),
            ..Pass::new(9)
        };
        Measured { warm_up: Pass::new(9), runs: runs.iter().map(pass).collect() }
    }

    #[test]
    fn the_start_of_a_program_is_named_and_so_is_its_noise() {
        let clear = program(&[(50, Some(2)), (51, Some(3)), (52, Some(6))]);
        for (program, gives_time, words) in [
            (&clear, true, "the processor time of a whole run less 3.00 ms for its start"),
            (&clear, false, "the elapsed time of a whole run, because this system"),
            (&program(&[(50, None)]), true, "its start included, because it fails"),
        ] {
            assert_one(&program_warnings(program, gives_time, PUZZLES), words);
        }
        let noisy = program_warnings(&program(&[(50, Some(2)), (4, Some(3)), (52, Some(6))]), true, PUZZLES);
        assert_one(&noisy[1..], "a run took 4.00 ms more than an empty input, which is within the noise");
        // Of a single start no spread is known, but a run cannot take no time.
        let nothing = program_warnings(&program(&[(0, Some(2))]), true, PUZZLES);
        assert_one(&nothing[1..], "within the noise of its starts (2.00 ms to 2.00 ms)");
    }

    #[track_caller]
    fn assert_one(warnings: &[String], words: &str) {
        assert!(warnings.len() == 1 && warnings[0].contains(words), "{warnings:?}");
    }

    #[test]
    fn each_reason_has_its_words() {
        let slow_first = [20e6, 10.1e6, 10e6, 10.2e6, 10.1e6];
        let slow_later = [10e6, 10.1e6, 20e6, 10.2e6, 10.1e6];
        let (busy, short) = (LONG.map(|nanos| 1.5 * nanos), LONG.map(|nanos| nanos / 10.0));
        for (done, [cpu, wall, each], words) in [
            (9, [LONG, LONG, slow_first], "the first run was much slower"),
            (9, [LONG, LONG, slow_later], "1 run lies far from the others"),
            (9, [LONG, busy, LONG], "elapsed time was 50 % more"),
            (9, [short; 3], "a run took 1.00 ms: too short"),
            (3, [LONG; 3], "33.3 % of the puzzles (3 puzzles)"),
        ] {
            assert_one(&engine_warnings(&plan(), (9, "more puzzles"), done, &cpu, &wall, &each), words);
        }
    }
}
