//! Some solutions in any order: found, checked, distinct, reproducible, and complete.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use galop_cover::{CoverLimits, End, ExactCover, Progress, Setup, Solver};
use galop_testing::exact_cover::pigeons;
use proptest::prelude::*;

use crate::{choose, list_within, make, solver_on};

/// A solver that restarts, if there is a seed.
fn seeded(threads: usize, problem: &ExactCover, seed: impl Into<Option<u64>>) -> Solver<'_> {
    solver_on(threads, problem, Setup::new().seed(seed.into()))
}

/// The order of the file leads nowhere: the searches in order reach their limit.
#[test]
fn restarts_find_queens_where_the_order_is_hopeless() {
    let queens = make("queens 64");
    let limits = CoverLimits::first(1).with_nodes(200_000);
    for seed in 0..20 {
        let mut solver = seeded(1, &queens, seed);
        assert!(solver.search(&limits.with_solutions(None)).first().unwrap().is_some(), "seed {seed}");
        assert!(solver.outcome().nodes < 100_000);
        for threads in [1, 4] {
            solver.set_threads(NonZero::new(threads)).unwrap();
            let (found, outcome) = list_within(&mut solver, &limits);
            assert_eq!((found.len(), outcome.end), (1, End::Solutions), "seed {seed}, {threads} threads");
        }
    }
    // The engine `sparse` searches in order, whatever the seed.
    for setup in [Setup::new().seed(None), Setup::from(choose("sparse")).seed(Some(0))] {
        let outcome = list_within(&mut solver_on(1, &queens, setup), &limits).1;
        assert_eq!(outcome.end, End::Nodes, "without restarts");
    }
    let mut solver = seeded(1, &queens, 0);
    solver.set_ordered(true);
    assert_eq!(solver.search(&limits).first().unwrap(), None, "in order");
}

/// A roster of two weeks: every day each of some people is free or has an early, a late or a night shift, no early one
/// after a night. A shift has about a quarter of the people, and nobody has more than four nights.
fn roster(people: usize) -> ExactCover {
    let mut builder = ExactCover::builder();
    let (low, high) = (people as u32 / 5, people as u32 / 3);
    let shifts: Vec<_> = (0..3 * 14)
        .map(|shift| {
            builder.primary_with_bounds(&format!("day {} shift {}", shift / 3, shift % 3), low, high)
        })
        .collect();
    // Primary items come before secondary ones.
    let people: Vec<_> = (0..people)
        .map(|person| {
            let nights = builder.primary_with_bounds(&format!("nights of {person}"), 1, 4);
            let days = (0..14).map(|day| builder.primary(&format!("{person} on day {day}")));
            (nights, days.collect::<Vec<_>>())
        })
        .collect();
    for (person, (nights, days)) in people.into_iter().enumerate() {
        let rests: Vec<_> =
            (0..14).map(|day| builder.secondary(&format!("{person} rests after day {day}"))).collect();
        for (day, today) in days.into_iter().enumerate() {
            builder.option([today]);
            let before = (day > 0).then(|| rests[day - 1]);
            builder.option([today, shifts[3 * day]].into_iter().chain(before));
            builder.option([today, shifts[3 * day + 1]]);
            builder.option([today, shifts[3 * day + 2], nights, rests[day]]);
        }
    }
    builder.finish().unwrap()
}

#[test]
fn restarts_find_rosters_where_the_order_is_hopeless() {
    let problem = roster(16);
    let limits = CoverLimits::first(1).with_nodes(60_000);
    for threads in [1, 4] {
        let mut solver = seeded(threads, &problem, 0);
        let (found, outcome) = list_within(&mut solver, &limits.with_nodes(None));
        assert_eq!((found.len(), outcome.end), (1, End::Solutions));
        // The clause learner may be the first.
        assert!(["planes", "clauses"].contains(&solver.engine()), "{}", solver.engine());
        assert!(threads > 1 || outcome.nodes < 60_000, "{outcome:?}");
    }
    assert_eq!(list_within(&mut seeded(1, &problem, None), &limits).1.end, End::Nodes, "without restarts");
    // Two queens cannot dominate the board, which any search sees soon.
    let outcome = list_within(&mut seeded(1, &make("queen-domination 5 2"), 0), &CoverLimits::first(1)).1;
    assert_eq!(outcome.end, End::Complete);
}

#[test]
fn the_same_seed_gives_the_same_solutions_and_another_seed_others() {
    let problem = make("langford 40");
    let found = |seed: u64| {
        let limits = CoverLimits::first(5);
        let by_callback = list_within(&mut seeded(1, &problem, seed), &limits).0;
        let mut solver = seeded(1, &problem, seed);
        let by_iterator: Vec<_> = solver.search(&limits).into_iter().map(Result::unwrap).collect();
        assert_eq!(by_callback, by_iterator);
        by_callback
    };
    let sevens = found(7);
    assert_eq!((sevens.len(), found(7)), (5, sevens.clone()));
    assert_ne!(found(8), sevens);
}

/// Queens 24 are hopeless in order; among a few thousand solutions some are found again.
#[test]
fn many_solutions_are_distinct() {
    let problem = make("queens 24");
    for threads in [1, 4] {
        for seed in 0..3 {
            let (found, outcome) =
                list_within(&mut seeded(threads, &problem, seed), &CoverLimits::first(3000));
            assert_eq!((found.len(), outcome.end), (3000, End::Solutions));
            assert_eq!(found.iter().collect::<HashSet<_>>().len(), 3000);
        }
    }
}

/// Eight pigeons, each in one of seven holes.
#[test]
fn no_solution_is_proven() {
    let problem: ExactCover = pigeons(8, 7).parse().unwrap();
    for (threads, seed) in [(1, 0), (1, 1), (4, 0), (4, 1)] {
        let (found, outcome) = list_within(&mut seeded(threads, &problem, seed), &CoverLimits::first(1));
        assert_eq!((found.len(), outcome.end), (0, End::Complete));
    }
}

/// Random problems of some 20 items, with and without solutions: a third of them is hopeless at first.
fn problems() -> impl Strategy<Value = ExactCover> {
    (any::<u64>(), 8_usize..24, 2_usize..5).prop_map(|(seed, items, degree)| {
        let mut state = seed | 1;
        let mut draw = move |end: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % end
        };
        let mut builder = ExactCover::builder();
        let names: Vec<_> = (0..items).map(|item| builder.primary(&format!("i{item}"))).collect();
        let more: Vec<_> = (0..4).map(|item| builder.secondary(&format!("s{item}"))).collect();
        for at in 0..items * degree {
            let mut places = vec![at % items];
            for _ in 0..draw(3) {
                let item = draw(items);
                if !places.contains(&item) {
                    places.push(item);
                }
            }
            let mut option: Vec<_> = places.iter().map(|&item| names[item]).collect();
            if draw(4) == 0 {
                option.push(more[draw(4)]);
            }
            builder.option(option);
        }
        builder.finish().unwrap()
    })
}

proptest! {
    #[test]
    fn restarts_miss_no_solution(
        problem in problems(),
        seed in 0_u64..20,
        threads in prop_oneof![Just(1_usize), Just(4)],
    ) {
        let (mut expected, outcome) = list_within(&mut seeded(1, &problem, None), &CoverLimits::first(5000));
        prop_assume!(outcome.end == End::Complete);
        expected.sort();
        let all = expected.len() as u64;
        let mut solver = seeded(threads, &problem, seed);
        for limit in [1, 2, all / 2, all, all + 1] {
            let (mut found, outcome) = list_within(&mut solver, &CoverLimits::first(limit));
            found.sort();
            prop_assert_eq!(outcome.end, if limit > all { End::Complete } else { End::Solutions });
            prop_assert_eq!(found.len() as u64, limit.min(all));
            prop_assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "a solution twice");
            prop_assert!(found.iter().all(|solution| expected.binary_search(solution).is_ok()));
            let counted = solver.search(&CoverLimits::first(limit)).count().unwrap().solutions;
            prop_assert_eq!(counted, u128::from(limit.min(all)));
        }
    }
}

/// On one thread the progress changes nothing; on several any of them finds the solution.
#[test]
fn the_first_solution_is_the_same_with_its_progress_and_is_found_on_all_threads() {
    for words in ["queens 32", "langford 20", "langford 6", "dominoes 4x5"] {
        let problem = make(words);
        for seed in 0..5 {
            let mut solver = seeded(1, &problem, seed);
            let (mut calls, mut nodes) = (0, 0);
            let mut watch = |progress: &Progress| (calls, nodes) = (calls + 1, progress.nodes);
            let watched = solver.search(&CoverLimits::NONE).observe(&mut watch).first().unwrap();
            assert!(calls > 0 && nodes == solver.outcome().nodes, "{words}");
            let mut again = seeded(1, &problem, seed);
            assert_eq!(again.search(&CoverLimits::NONE).first().unwrap(), watched, "{words}, seed {seed}");
            assert_eq!(again.outcome().end, solver.outcome().end);
            again.set_threads(NonZero::new(4)).unwrap();
            let found = again.search(&CoverLimits::NONE).first().unwrap();
            assert_eq!(found.is_some(), watched.is_some(), "{words}, seed {seed}");
            again.set_ordered(true);
            let in_order = again.search(&CoverLimits::NONE).first().unwrap();
            again.set_threads(NonZero::new(1)).unwrap();
            assert_eq!(in_order, again.search(&CoverLimits::NONE).first().unwrap(), "{words}, seed {seed}");
        }
    }
}

/// A Langford sequence of 41 numbers does not exist, and to prove it takes for ever.
#[test]
fn restarts_show_their_progress() {
    let problem = make("langford 41");
    for threads in [1, 4] {
        let mut solver = seeded(threads, &problem, 1);
        let (mut nodes, cancel) = (Vec::new(), AtomicBool::new(false));
        let mut watch = |progress: &Progress| {
            nodes.push(progress.nodes);
            cancel.store(nodes.len() >= 4, Ordering::Relaxed);
        };
        let limits = CoverLimits::NONE.with_cancel(&cancel);
        assert!(solver.search(&limits).observe(&mut watch).first().unwrap().is_none());
        assert_eq!(solver.outcome().end, End::Cancelled);
        assert!(nodes.is_sorted() && nodes[0] < nodes[nodes.len() - 1], "{nodes:?}");
    }
}
