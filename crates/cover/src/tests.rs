//! Every engine on one thread and on several: the same solutions, limits, progress.

use std::num::NonZero;
use std::ops::ControlFlow;

use proptest::prelude::*;

use crate::engine::{CoverEntry, ENGINES};
use crate::random::{brute_force_with, problems};
use crate::{
    Assumptions, Choice, CoverLimits, End, ExactCover, Observer, OptionId, Progress, Solver, models,
};
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
    list(&mut solver)
}

/// All solutions in the order of delivery, on the threads of the solver.
fn list(solver: &mut Solver<'_>) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    let outcome = solver.search(&CoverLimits::NONE).for_each(|options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap().clone();
    assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(found.len() as u128), End::Complete));
    assert_eq!(solver.depths().iter().sum::<u64>(), outcome.nodes);
    found
}

/// The problem that `galop make` makes of these words: `queens 8`.
pub(crate) fn made(words: &str) -> ExactCover {
    models::make(words).unwrap()
}

/// Assumptions by two draws: an option is chosen in a third of them, and one is forbidden.
pub(crate) fn assumptions(problem: &ExactCover, draws: [u32; 2]) -> Assumptions {
    let count = problem.option_count() as u32;
    let [chosen, forbidden] =
        draws.map(|draw| if draw % 3 > 0 || count == 0 { Vec::new() } else { vec![draw / 3 % count] });
    Assumptions { chosen, forbidden }
}

fn suitable(problem: &ExactCover) -> impl Iterator<Item = &'static CoverEntry> {
    ENGINES.iter().filter(|entry| (entry.make)(problem, Isa::best().into()).is_ok())
}

proptest! {
    #[test]
    fn every_engine_finds_what_brute_force_finds(problem in problems(), draws in any::<[u32; 3]>()) {
        let count = problem.option_count().max(1) as u32;
        let [one, two, three] = draws.map(|draw| draw % count);
        let assumptions: &[(&[OptionId], &[OptionId])] =
            &[(&[], &[]), (&[one], &[two]), (&[one, two], &[]), (&[], &[one, three]), (&[], &[])];
        let possible = if problem.option_count() == 0 { 1 } else { assumptions.len() };
        for entry in suitable(&problem) {
            let mut solver = Solver::new(&problem, Choice::Engine(entry)).unwrap();
            for (threads, &(chosen, forbidden)) in
                (1..=4).flat_map(|threads| assumptions[..possible].iter().map(move |assumed| (threads, assumed)))
            {
                solver.set_threads(NonZero::new(threads)).unwrap();
                solver.assume(chosen, forbidden).unwrap();
                let mut found = list(&mut solver);
                found.sort();
                let expected = brute_force_with(&problem, chosen, forbidden);
                prop_assert_eq!(found, expected, "{} {} {:?} {:?}", entry.name, threads, chosen, forbidden);
            }
        }
    }
}

/// These problems are large enough for many splits.
#[test]
fn threads_find_the_same_solutions_and_in_order_if_requested() {
    for (problem, count) in [(made("matching 12"), 10_395), (made("queen-domination 7 4"), 86)] {
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
    let problem = made("matching 14");
    for threads in 1..=3 {
        let mut solver = Solver::new(&problem, Choice::Engine(&ENGINES[0])).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        let mut seen = Growing(Vec::new());
        solver.search(&CoverLimits::NONE).observe(&mut seen).list().unwrap();
        assert!(seen.0.is_sorted(), "{:?}", seen.0);
        assert_eq!(seen.0.last(), Some(&1.0));
    }
}
