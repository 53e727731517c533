//! The figures of a comparison: of each engine and each puzzle over the runs, and of pairs of engines.

use std::cmp::Ordering;

use super::child;
use super::clock::gives_processor_time;
use super::contest::Record;
use super::contestant::By;
use super::figures::{Difference, EngineFigures, NotablePuzzle, Ratio};
use super::pass::{Measured, Pass, Ran};
use super::plan::Plan;
use super::puzzles::Set;
use super::statistics::{median, ratio, spread};
use galop_batch::figures::{Counts, Distribution, Histogram, Point, Points};

/// Notable puzzles kept for each pair of engines, at most: two rows on the page of a report.
const NOTABLE_KEPT: usize = 8;

/// Time and guesses of every puzzle with one engine: the medians over the runs that answered it.
pub(super) struct Medians {
    /// NaN if no run answered the puzzle, or its time is not known.
    nanos: Vec<f32>,
    guesses: Vec<f32>,
}

impl Medians {
    /// Nanoseconds and guesses of the puzzle `index`, if they are known.
    pub(super) fn of(&self, index: usize) -> Option<(f64, f64)> {
        let nanos = self.nanos.get(index).copied().filter(|nanos| !nanos.is_nan())?;
        Some((f64::from(nanos), f64::from(*self.guesses.get(index)?)))
    }
}

/// The medians of every contestant.
pub(super) fn medians(record: &Record) -> Vec<Medians> {
    record.measured.iter().map(|measured| medians_of(&measured.runs, &record.orders)).collect()
}

/// The medians over an engine's `runs`, whose puzzles had these `orders`.
fn medians_of(runs: &[Pass], orders: &[Vec<u32>]) -> Medians {
    let puzzles = orders.first().map_or(0, Vec::len);
    let gather = |of: &dyn Fn(&Pass, usize) -> f32| {
        let mut by_puzzle = vec![f32::NAN; puzzles * runs.len()];
        for (run, (pass, order)) in runs.iter().zip(orders).enumerate().filter(|(_, (pass, _))| pass.has_each)
        {
            for (place, &puzzle) in order[..pass.done].iter().enumerate() {
                by_puzzle[puzzle as usize * runs.len() + run] = of(pass, place);
            }
        }
        by_puzzle.chunks_mut(runs.len().max(1)).map(middle).collect()
    };
    Medians {
        nanos: gather(&|pass, place| pass.nanos[place]),
        guesses: gather(&|pass, place| pass.guesses[place] as f32),
    }
}

/// The median of the values that are not NaN; NaN if all are.
fn middle(values: &mut [f32]) -> f32 {
    // This order puts NaN last.
    values.sort_unstable_by(f32::total_cmp);
    let count = values.iter().take_while(|value| !value.is_nan()).count();
    match count {
        0 => f32::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => f32::midpoint(values[count / 2 - 1], values[count / 2]),
    }
}

/// The figures of every contestant, in the order of the plan.
pub(super) fn engines(
    plan: &Plan<'_>,
    record: &Record,
    medians: &[Medians],
    ran: &[Ran],
) -> Vec<EngineFigures> {
    let reference = &record.measured[plan.reference];
    let figures = plan.contestants.iter().zip(&record.measured).zip(medians.iter().zip(ran)).enumerate();
    let figures = figures.map(|(index, ((contestant, own), (medians, ran)))| {
        let (all, limits) = (own.warm_up.statuses.len() as u64, plan.limits(contestant));
        let done = own.runs.iter().map(|pass| pass.done).min().unwrap_or(0) as u64;
        let each = |nanos: fn(&Pass) -> u128| -> Vec<f64> {
            let answered = own.runs.iter().filter(|pass| pass.done > 0);
            answered.map(|pass| nanos(pass) as f64 / pass.done as f64).collect()
        };
        let is_program = contestant.is_program();
        let counts_calls = matches!(contestant.by, By::Engine(entry) if entry.counts_calls);
        let has_each = own.runs.iter().all(|pass| pass.has_each);
        let has_guesses = own.runs.iter().all(|pass| pass.has_guesses);
        let (mut nanos, mut guesses, mut calls) = <(Histogram, Histogram, Histogram)>::default();
        for pass in own.runs.iter().filter(|pass| pass.has_each) {
            let known =
                pass.nanos[..pass.done].iter().zip(&pass.guesses).filter(|(nanos, _)| !nanos.is_nan());
            for (&time, &guessed) in known {
                nanos.add(time as u64);
                guesses.add(u64::from(guessed));
            }
            calls += &pass.calls;
        }
        let mean_nanos = if has_each { nanos.mean() } else { mean_of_runs(&own.runs) };
        let unguessed: u64 = own.runs.iter().map(|pass| pass.unguessed).sum();
        let starts = own.starts();
        let has_processor_time = if is_program { child::GIVES_TIME } else { gives_processor_time() };
        EngineFigures {
            name: contestant.name.clone(),
            isa: ran.isa.map(str::to_owned),
            threads: ran.threads,
            is_program,
            program: contestant.program.clone(),
            clock: if has_processor_time { "processor" } else { "elapsed" }.to_owned(),
            start_nanos: (!starts.is_empty()).then(|| spread(&starts)),
            max_guesses: limits.guesses().filter(|_| !is_program),
            puzzles: done,
            share: done as f64 / all.max(1) as f64,
            puzzles_per_second: match mean_nanos {
                mean if mean > 0.0 => Some(1e9 / mean),
                _ if is_program => None,
                _ => Some(0.0),
            },
            mean_nanos,
            mean_guesses: if has_guesses { Some(guesses.mean()) } else { mean_guesses(&own.runs) },
            par2_nanos: None,
            cpu_nanos: spread(&each(|pass| pass.spent.cpu.as_nanos())),
            wall_nanos: spread(&each(|pass| pass.spent.wall.as_nanos())),
            ratio: if index == plan.reference { None } else { ratio_to(reference, own) },
            counts: Counts::new(|status| {
                let answered = &own.warm_up.statuses[..own.warm_up.done];
                answered.iter().filter(|&&found| found == status).count() as u64
            }),
            without_guess: (!is_program).then(|| unguessed as f64 / guesses.count().max(1) as f64),
            nanos: has_each.then(|| Distribution::of(&nanos)),
            guesses: has_guesses.then(|| Distribution::of(&guesses)),
            calls: counts_calls.then(|| Distribution::of(&calls)),
            points: if has_guesses { points(medians) } else { Vec::new() },
        }
    });
    figures.collect()
}

/// Guesses per puzzle, over all runs, of a program that prints their sum.
fn mean_guesses(runs: &[Pass]) -> Option<f64> {
    let answered = || runs.iter().filter(|pass| pass.done > 0);
    let guesses = answered().map(|pass| pass.guesses_of_all).sum::<Option<u64>>()?;
    let done: usize = answered().map(|pass| pass.done).sum();
    (done > 0).then(|| guesses as f64 / done as f64)
}

/// Nanoseconds of processor time per puzzle, over all runs.
fn mean_of_runs(runs: &[Pass]) -> f64 {
    let done: usize = runs.iter().map(|pass| pass.done).sum();
    let cpu: u128 = runs.iter().filter(|pass| pass.done > 0).map(|pass| pass.spent.cpu.as_nanos()).sum();
    cpu as f64 / done.max(1) as f64
}

/// The ratio of processor times, run by run, on the puzzles that both answered. `None` if it is not known.
fn ratio_to(reference: &Measured, own: &Measured) -> Option<Ratio> {
    let pairs = reference.runs.iter().zip(&own.runs);
    let ratios = pairs.filter_map(|(reference, own)| {
        let both = reference.done.min(own.done);
        let (time, of_reference) = (cpu_of_first(own, both)?, cpu_of_first(reference, both)?);
        (both > 0 && of_reference > 0.0 && time > 0.0).then(|| time / of_reference)
    });
    ratio(&ratios.collect::<Vec<_>>())
}

/// Nanoseconds of processor time of the first `count` puzzles of a pass, if they are known.
fn cpu_of_first(pass: &Pass, count: usize) -> Option<f64> {
    let cpu = pass.spent.cpu.as_nanos() as f64;
    if count >= pass.done {
        return Some(cpu);
    }
    let sum = |some: &[f32]| some.iter().map(|&nanos| f64::from(nanos)).sum::<f64>();
    pass.has_each.then(|| cpu * sum(&pass.nanos[..count]) / sum(&pass.nanos[..pass.done]).max(1.0))
}

fn points(medians: &Medians) -> Vec<Point> {
    let mut points = Points::default();
    for (nanos, guesses) in (0..medians.nanos.len()).filter_map(|index| medians.of(index)) {
        points.add(Point { nanos: nanos as u64, guesses: guesses as u64 });
    }
    points.as_slice().to_vec()
}

/// For each contestant except the reference, in the `order` of their places, the puzzles whose ratio of times is
/// furthest from the pair's median ratio. Another program has no times of single puzzles, so it is in no pair.
pub(super) fn differences(
    plan: &Plan<'_>,
    puzzles: &Set,
    medians: &[Medians],
    order: &[usize],
) -> Vec<Difference> {
    let has_each = |index: usize| !plan.contestants[index].is_program();
    let others = order.iter().copied().filter(|&index| index != plan.reference);
    let others = others.filter(|&index| has_each(index) && has_each(plan.reference));
    let difference = |index: usize| Difference {
        engine: plan.contestants[index].name.clone(),
        puzzles: most_different(puzzles, &medians[index], &medians[plan.reference]),
    };
    others.map(difference).collect()
}

fn most_different(puzzles: &Set, own: &Medians, reference: &Medians) -> Vec<NotablePuzzle> {
    let ratios = (0..puzzles.len()).filter_map(|index| {
        let ((own, _), (reference, _)) = (own.of(index)?, reference.of(index)?);
        Some((index, (own.max(1.0) / reference.max(1.0)).ln()))
    });
    let mut ratios: Vec<(usize, f64)> = ratios.collect();
    let middle = median(&ratios.iter().map(|(_, ratio)| *ratio).collect::<Vec<_>>());
    let farther = |(at, one): &(usize, f64), (other_at, other): &(usize, f64)| -> Ordering {
        let (one, other) = ((one - middle).abs(), (other - middle).abs());
        other.total_cmp(&one).then(at.cmp(other_at))
    };
    if ratios.len() > NOTABLE_KEPT {
        ratios.select_nth_unstable_by(NOTABLE_KEPT - 1, farther);
        ratios.truncate(NOTABLE_KEPT);
    }
    ratios.sort_by(farther);
    let notable = ratios.into_iter().filter_map(|(index, _)| {
        let ((nanos, guesses), (reference_nanos, reference_guesses)) = (own.of(index)?, reference.of(index)?);
        let (input, line) = puzzles.source(index);
        let (input, puzzle) = (input.to_owned(), puzzles.text(index).into_owned());
        Some(NotablePuzzle { input, line, puzzle, nanos, reference_nanos, guesses, reference_guesses })
    });
    notable.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_engines::puzzle::Status;

    fn pass(nanos: &[f32], done: usize) -> Pass {
        Pass {
            nanos: nanos.to_vec(),
            guesses: nanos.iter().map(|&nanos| nanos as u32 / 10).collect(),
            statuses: vec![Status::Solved; nanos.len()],
            done,
            spent: super::super::clock::TimeSpent {
                cpu: std::time::Duration::from_nanos(2 * nanos[..done].iter().sum::<f32>() as u64),
                wall: std::time::Duration::ZERO,
            },
            ..Pass::new(nanos.len())
        }
    }

    /// Of another program only the time of all puzzles is known: it has no medians, and no ratio on some of the
    /// puzzles.
    #[test]
    fn nothing_is_made_up_for_single_puzzles() {
        let program = || Pass { has_each: false, ..pass(&[10.0, 20.0, 30.0], 3) };
        let medians = medians_of(&[program()], &[vec![0, 1, 2]]);
        assert_eq!([0, 1, 2].map(|index| medians.of(index)), [None; 3]);
        assert!(points(&medians).is_empty());
        let measured = |runs: Vec<Pass>| Measured { warm_up: pass(&[1.0], 1), runs };
        let program = measured(vec![program()]);
        let [whole, cut] = [3, 2].map(|done| measured(vec![pass(&[20.0, 40.0, 60.0], done)]));
        assert_eq!(ratio_to(&whole, &program).map(|ratio| ratio.middle), Some(0.5));
        assert_eq!([ratio_to(&program, &cut), ratio_to(&cut, &program)], [None, None]);
        assert_eq!(mean_of_runs(&program.runs), 40.0);
    }

    /// Runs in different orders, two of them cut short.
    #[test]
    fn medians_belong_to_puzzles() {
        let runs = [pass(&[10.0, 20.0, 30.0], 3), pass(&[50.0, 70.0, 0.0], 2), pass(&[60.0, 0.0, 0.0], 1)];
        let orders = [vec![0, 1, 2], vec![2, 0, 1], vec![2, 1, 0]];
        let medians = medians_of(&runs, &orders);
        assert_eq!(
            [0, 1, 2].map(|index| medians.of(index)),
            [Some((40.0, 4.0)), Some((20.0, 2.0)), Some((50.0, 5.0))]
        );
        let cut = medians_of(&runs[2..], &orders[2..]);
        assert_eq!([0, 1, 2].map(|index| cut.of(index)), [None, None, Some((60.0, 6.0))]);
        assert_eq!(cut.of(3), None);
    }

    /// The runs are paired: the ratios are 3 and 4, on the puzzles that both answered. Their geometric mean is √12.
    #[test]
    fn ratios_are_of_the_same_puzzles() {
        let measured = |runs: Vec<Pass>| Measured { warm_up: pass(&[1.0], 1), runs };
        let reference = measured(vec![pass(&[10.0, 20.0, 30.0], 3), pass(&[10.0, 10.0, 90.0], 3)]);
        let own = measured(vec![pass(&[30.0, 60.0, 90.0], 3), pass(&[40.0, 40.0, 0.0], 2)]);
        let ratio = ratio_to(&reference, &own).unwrap();
        assert!((ratio.middle - 12f64.sqrt()).abs() < 1e-6 && ratio.runs == 2, "{ratio:?}");
        let none = measured(vec![pass(&[1.0], 0), pass(&[1.0], 0)]);
        assert_eq!(ratio_to(&reference, &none), None);
    }

    /// One engine takes twice the time on all puzzles except two. These two are notable, the larger difference first.
    #[test]
    fn notable_puzzles_are_far_from_the_usual_ratio() {
        let rules = galop_engines::grid::Rules::default();
        let mut set = Set::new(&rules);
        let text = format!("{}\n", ".".repeat(81)).repeat(20);
        let mut source = galop_batch::input::Source::stream("file", std::io::Cursor::new(text));
        set.read(&mut source, &mut |_| panic!("they are puzzles")).unwrap();
        let of = |nanos: Vec<f32>| Medians { guesses: vec![0.0; nanos.len()], nanos };
        let reference = of(vec![100.0; 20]);
        let mut nanos = vec![200.0; 20];
        (nanos[3], nanos[7], nanos[8]) = (600.0, 50.0, f32::NAN);
        let notable = most_different(&set, &of(nanos), &reference);
        assert_eq!(notable.iter().map(|puzzle| puzzle.line).take(3).collect::<Vec<_>>(), [8, 4, 1]);
        assert_eq!((notable.len(), notable[0].nanos, notable[0].reference_nanos), (8, 50.0, 100.0));
    }
}
