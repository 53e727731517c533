//! What a search may remember, and what becomes of a wrong solution.

use std::num::NonZero;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::engine::{CoverEntry, ENGINES, Event, LINKS};
use crate::tests::made;
use crate::tests::{brute_force, problems};

fn within(choice: Choice, bytes: u64) -> Setup {
    Setup { memory: Some(bytes), ..choice.into() }
}

/// A count remembers as many numbers as fit, and says if it forgot some. Without memory for a sweep, `auto` counts too.
#[test]
fn a_count_forgets_numbers_for_lack_of_memory() {
    let rows = Choice::Engine(crate::engine::by_name("rows").unwrap());
    for (words, choice, solutions) in [
        ("dominoes 8x6", rows, 167_089_u64),
        ("dominoes 6x6", Choice::Auto, 6_728),
        ("matching 10", Choice::Auto, 945),
        ("latin 4", Choice::Auto, 576),
    ] {
        let problem = made(words);
        for (most, is_forgetting) in [(0, None), (5 << 10, Some(true)), (64 << 20, Some(false))] {
            let mut solver = Solver::new(&problem, within(choice, most)).unwrap();
            for _ in 0..2 {
                let counted = solver.search(&CoverLimits::NONE).count().unwrap().solutions;
                assert_eq!(counted, u128::from(solutions), "{words} {most}");
            }
            assert!(most == 64 << 20 || solver.engine() != "sweep", "{words} {most}");
            let has_forgotten = solver.first.engine.as_driver().unwrap().is_forgetting();
            assert!(words != "dominoes 8x6" || is_forgetting.is_none_or(|it| it == has_forgotten), "{most}");
        }
    }
}

proptest! {
    /// However little a search may remember, it finds and counts the same.
    #[test]
    fn little_memory_changes_no_answer(problem in problems(), bits in 0_u32..20, threads in 1_usize..4) {
        let expected = brute_force(&problem);
        for choice in ENGINES.iter().map(Choice::Engine).chain([Choice::Auto]) {
            let Ok(mut solver) = Solver::new(&problem, within(choice, 1 << bits)) else { continue };
            solver.set_threads(NonZero::new(threads)).unwrap();
            for _ in 0..2 {
                let count = solver.search(&CoverLimits::NONE).count().unwrap().solutions;
                prop_assert_eq!(count, expected.len() as u128);
            }
            if !choice.lists() {
                continue;
            }
            let mut found: Vec<_> = solver.search(&CoverLimits::NONE).into_iter().map(Result::unwrap).collect();
            found.sort();
            prop_assert_eq!(&found, &expected);
            let first = solver.search(&CoverLimits::NONE).first().unwrap();
            prop_assert_eq!(first.is_some(), !expected.is_empty());
            prop_assert!(first.is_none_or(|first| expected.contains(&first)));
        }
    }
}

/// An engine that claims that option 0 alone is a solution of any problem.
struct Wrong(bool);

impl CoverEngine for Wrong {
    fn start(&mut self, _: &Assumptions) {
        self.0 = true;
    }

    fn next(&mut self, _: &mut Meter<'_>) -> Event {
        if std::mem::take(&mut self.0) { Event::Solution } else { Event::End }
    }

    fn solution(&self) -> &[OptionId] {
        &[OptionId(0)]
    }

    fn split(&mut self) -> Option<Assumptions> {
        None
    }

    fn progress(&self) -> f64 {
        0.0
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Wrong(true))
    }
}

#[test]
fn a_wrong_solution_is_an_error_and_does_not_reach_the_caller() {
    static WRONG: CoverEntry = CoverEntry { name: "wrong", make: |_, _| Ok(Box::new(Wrong(true))), ..LINKS };
    static NONE: CoverEntry = CoverEntry { name: "none", make: |_, _| Err(Unsuitable::Bounds), ..LINKS };
    let problem = made("queens 4");
    let is_wrong = |error: &CoverError| {
        let text = error.to_string();
        assert!(text.contains("independent check") && text.contains("`wrong`"), "{text}");
        matches!(error, CoverError::WrongCover { engine: "wrong", options, .. } if options[..] == [0])
    };
    let mut solver = Solver::new(&problem, Choice::Engine(&WRONG)).unwrap();
    assert!(is_wrong(&solver.search(&CoverLimits::NONE).first().unwrap_err()));
    let mut solutions = solver.search(&CoverLimits::NONE).into_iter();
    assert!(is_wrong(&solutions.next().unwrap().unwrap_err()));
    assert!(solutions.next().is_none());
    for threads in [1, 2] {
        solver.set_threads(NonZero::new(threads)).unwrap();
        assert!(is_wrong(&solver.search(&CoverLimits::NONE).count().unwrap_err()));
        let mut seen = 0;
        let refused = solver.search(&CoverLimits::NONE).for_each(|_| {
            seen += 1;
            ControlFlow::Continue(())
        });
        assert!(is_wrong(&refused.unwrap_err()));
        assert_eq!(seen, 0);
    }
    let refused = Solver::new(&problem, Choice::Engine(&NONE)).unwrap_err();
    assert!(matches!(refused, CoverError::Unsuitable { engine: "none", .. }));
}
