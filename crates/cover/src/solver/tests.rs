//! What a search may take: another engine, fewer threads or an error where there is too little memory.

use std::num::NonZero;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::engine::{CoverEntry, ENGINES, Event};
use crate::tests::made;
use crate::tests::{brute_force, problems};

fn within(choice: Choice, bytes: u64) -> Setup {
    Setup { memory: Some(bytes), ..choice.into() }
}

/// The bytes that a solver lacks, if it needs more than `bytes`.
fn lacking(problem: &ExactCover, choice: Choice, bytes: u64) -> Option<u64> {
    match Solver::new(problem, within(choice, bytes)) {
        Err(CoverError::Unsuitable { why: Unsuitable::Memory { bytes: needed, most }, .. }) => {
            assert!(most as u64 <= bytes && needed > most, "{needed} {most} {bytes}");
            Some(needed as u64)
        }
        Err(error) => panic!("{error}"),
        Ok(_) => None,
    }
}

/// A ring of `count` items, in which each option covers two neighbours. It has two solutions.
fn ring(count: u32) -> ExactCover {
    ExactCover::from_options(count as usize, 0, (0..count).map(|item| [item, (item + 1) % count])).unwrap()
}

/// Sparse sets would store 2,000 sizes at each of 1,000 levels. Links store nothing at a level.
#[test]
fn an_engine_that_fits_answers_in_place_of_sparse_sets() {
    let problem = ring(2000);
    let mut plenty = problem.solver().unwrap();
    assert_eq!(
        (plenty.engine(), plenty.search(&CoverLimits::NONE).count().unwrap().solutions),
        ("sparse", 2.into())
    );
    for threads in [1, 3] {
        let mut solver = Solver::new(&problem, within(Choice::Auto, 2 << 20)).unwrap();
        assert_eq!(solver.engine(), "links");
        solver.set_threads(NonZero::new(threads)).unwrap();
        assert_eq!(solver.search(&CoverLimits::NONE).count().unwrap().solutions, 2);
        assert_eq!(
            solver.search(&CoverLimits::NONE).first().unwrap().map(|options| options.len()),
            Some(1000)
        );
        assert!(solver.memory.reserved() <= 2 << 20);
    }
    let needed = lacking(&problem, Choice::Auto, 10_000).unwrap();
    assert!((100_000..2 << 20).contains(&needed), "{needed}");
    assert_eq!(lacking(&problem, Choice::Auto, needed), None);
    let sparse = Choice::Engine(crate::engine::by_name("sparse").unwrap());
    assert!(lacking(&problem, sparse, 2 << 20).is_some_and(|needed| needed > 8_000_000));
}

/// As many threads search as there is memory for; the others find no work. Nothing is ever reserved beyond the limit.
#[test]
fn threads_share_the_memory() {
    let problem = made("langford 8");
    for choice in [Choice::Auto, Choice::Engine(&crate::engine::MASKS), Choice::Engine(&crate::engine::LINKS)]
    {
        let plenty = 64 << 20;
        let solver = Solver::new(&problem, within(choice, plenty)).unwrap();
        let (first, own) = (solver.memory.reserved() as u64, solver.first.engine.own_bytes() as u64);
        assert!(first > own && own > 0);
        for threads in 1..=4 {
            // Not enough for another one.
            let most = first + threads * own - 1;
            let mut solver = Solver::new(&problem, within(choice, most)).unwrap();
            solver.set_threads(NonZero::new(4)).unwrap();
            solver.set_ordered(true);
            let memory = solver.memory.clone();
            let mut found = Vec::new();
            solver
                .search(&CoverLimits::NONE)
                .for_each(|options| {
                    assert!(memory.reserved() as u64 <= most);
                    found.push(options.to_vec());
                    ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!((found.len(), solver.others.len() as u64), (300, threads - 1), "{choice:?}");
            solver.set_threads(NonZero::new(1)).unwrap();
            assert!(memory.reserved() as u64 <= first);
            drop(solver);
            assert_eq!(memory.reserved(), 0);
        }
    }
}

/// A limit that follows from the memory of the machine refuses no engine, so that it is the same one on every machine.
#[test]
fn without_a_limit_no_engine_is_refused() {
    let problem = made("queens 8");
    let memory = Memory::new(None);
    let _all = memory.take(usize::MAX / 2);
    let build = Build::from(galop_simd::Isa::best()).within(&memory);
    for entry in ENGINES {
        assert!((entry.make)(&problem, build).is_ok(), "{}", entry.name);
    }
    assert_eq!(auto::begin(&problem, build, &memory).unwrap().0.name, "sparse");
    assert!(memory.reserve(1).is_none());
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
        let needed = lacking(&problem, choice, 0).unwrap();
        for (most, is_forgetting) in
            [(needed, None), (needed + (5 << 10), Some(true)), (64 << 20, Some(false))]
        {
            let mut solver = Solver::new(&problem, within(choice, most)).unwrap();
            for _ in 0..2 {
                let counted = solver.search(&CoverLimits::NONE).count().unwrap().solutions;
                assert_eq!(counted, u128::from(solutions), "{words} {most}");
                assert!(solver.memory.reserved() as u64 <= most);
            }
            assert!(most == 64 << 20 || solver.engine() != "sweep", "{words} {most}");
            let has_forgotten = solver.first.engine.is_forgetting();
            assert!(words != "dominoes 8x6" || is_forgetting.is_none_or(|it| it == has_forgotten), "{most}");
        }
    }
}

proptest! {
    /// Every engine says what it lacks, and answers rightly with exactly that; `auto` with whatever suffices for some
    /// engine.
    #[test]
    fn little_memory_changes_no_answer(problem in problems(), bits in 8_u32..20, threads in 1_usize..4) {
        let expected = brute_force(&problem);
        for choice in ENGINES.iter().map(Choice::Engine).chain([Choice::Auto]) {
            if Solver::new(&problem, choice).is_err() {
                continue;
            }
            let needed = lacking(&problem, choice, 1).unwrap_or(1);
            let most = needed.max(1 << bits);
            let mut solver = Solver::new(&problem, within(choice, most)).unwrap();
            solver.set_threads(NonZero::new(threads)).unwrap();
            for _ in 0..2 {
                let count = solver.search(&CoverLimits::NONE).count().unwrap().solutions;
                prop_assert_eq!(count, expected.len() as u128);
                prop_assert!(solver.memory.reserved() as u64 <= most);
            }
            let mut found: Vec<_> = solver.search(&CoverLimits::NONE).into_iter().map(Result::unwrap).collect();
            found.sort();
            prop_assert_eq!(&found, &expected);
            let first = solver.search(&CoverLimits::NONE).first().unwrap();
            prop_assert_eq!(first.is_some(), !expected.is_empty());
            prop_assert!(first.is_none_or(|first| expected.contains(&first)));
            prop_assert!(solver.memory.reserved() as u64 <= most);
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

    fn own_bytes(&self) -> usize {
        0
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Wrong(true))
    }
}

#[test]
fn a_wrong_solution_is_an_error_and_does_not_reach_the_caller() {
    static WRONG: CoverEntry =
        CoverEntry { name: "wrong", about: "", lists: true, make: |_, _| Ok(Box::new(Wrong(true))) };
    static NONE: CoverEntry =
        CoverEntry { name: "none", about: "", lists: true, make: |_, _| Err(Unsuitable::Bounds) };
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
