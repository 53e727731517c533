//! Every engine on one thread and on several: the same solutions, limits, progress.

use std::num::NonZero;
use std::ops::ControlFlow;

use crate::engine::{CoverEntry, ENGINES};
use crate::{Choice, CoverLimits, End, ExactCover, Observer, OptionId, Progress, Solver};
use galop_simd::Isa;

/// All solutions in the order of delivery.
fn listed(
    problem: &ExactCover,
    entry: &'static CoverEntry,
    threads: usize,
    is_ordered: bool,
) -> Vec<Vec<OptionId>> {
    let mut solver = Solver::new(problem, Choice::Engine(entry)).unwrap();
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.set_ordered(is_ordered);
    let mut found = Vec::new();
    let outcome = solver.for_each(&CoverLimits::NONE, |options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap().clone();
    assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(found.len() as u128), End::Complete));
    assert_eq!(solver.depths().iter().sum::<u64>(), outcome.nodes);
    found
}

fn suitable(problem: &ExactCover) -> impl Iterator<Item = &'static CoverEntry> {
    ENGINES.iter().filter(|entry| (entry.make)(problem, Isa::best().into()).is_ok())
}

/// Perfect matchings of a complete graph: 10,395 for 12 vertices.
fn matchings(vertices: u32) -> ExactCover {
    let mut builder = ExactCover::builder();
    for vertex in 0..vertices {
        builder.primary(&vertex.to_string());
    }
    for one in 0..vertices {
        for other in one + 1..vertices {
            builder.option([one, other]);
        }
    }
    builder.finish().unwrap()
}

/// `queens` queens attack or occupy every square of an n x n board.
fn domination(n: u32, queens: u32) -> ExactCover {
    let mut builder = ExactCover::builder();
    builder.primary_with_bounds("queens", queens, queens);
    for square in 0..n * n {
        builder.primary_with_bounds(&square.to_string(), 1, queens);
    }
    for square in 0..n * n {
        let (row, column) = (square / n, square % n);
        let attacks = |&other: &u32| {
            let (rows, columns) = ((other / n).abs_diff(row), (other % n).abs_diff(column));
            rows == 0 || columns == 0 || rows == columns
        };
        builder.option(std::iter::once(0).chain((0..n * n).filter(attacks).map(|other| other + 1)));
    }
    builder.finish().unwrap()
}

/// These problems are large enough for many splits.
#[test]
fn threads_find_the_same_solutions_and_in_order_if_requested() {
    for (problem, count) in [(matchings(12), 10_395), (domination(7, 4), 86)] {
        for entry in suitable(&problem) {
            let expected = listed(&problem, entry, 1, true);
            assert_eq!(expected.len(), count);
            for threads in 2..=4 {
                assert_eq!(listed(&problem, entry, threads, true), expected, "{} {threads}", entry.name);
                let mut found = listed(&problem, entry, threads, false);
                let mut expected = expected.clone();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{} {threads}", entry.name);
            }
        }
    }
}

#[test]
fn limits_on_solutions_are_exact_on_any_number_of_threads() {
    let problem = matchings(10);
    for entry in suitable(&problem) {
        let mut solver = Solver::new(&problem, Choice::Engine(entry)).unwrap();
        for threads in 1..=4 {
            solver.set_threads(NonZero::new(threads)).unwrap();
            for is_ordered in [false, true] {
                solver.set_ordered(is_ordered);
                for limit in [0, 1, 2, 944, 945, 946] {
                    let limits = CoverLimits::first(limit);
                    let expected = (Some(u128::from(limit.min(945))), limit <= 945);
                    let mut listed = 0;
                    let outcome = solver.for_each(&limits, |_| {
                        listed += 1;
                        ControlFlow::Continue(())
                    });
                    let outcome = outcome.unwrap();
                    assert_eq!((outcome.solutions.to_u128(), outcome.end == End::Solutions), expected);
                    assert_eq!(outcome.solutions, listed);
                    let outcome = solver.count(&limits).unwrap();
                    assert_eq!((outcome.solutions.to_u128(), outcome.end == End::Solutions), expected);
                }
            }
        }
    }
}

#[test]
fn the_fraction_never_falls_and_ends_at_1() {
    struct Growing(Vec<f64>);
    impl Observer for Growing {
        fn solution(&mut self, _: &[OptionId]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn progress(&mut self, progress: &Progress) {
            self.0.push(progress.fraction);
        }
    }
    let problem = matchings(14);
    for threads in 1..=3 {
        let mut solver = Solver::new(&problem, Choice::Engine(&ENGINES[0])).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        let mut seen = Growing(Vec::new());
        solver.watch(&CoverLimits::NONE, &mut seen).unwrap();
        assert!(seen.0.is_sorted(), "{:?}", seen.0);
        assert_eq!(seen.0.last(), Some(&1.0));
    }
}
