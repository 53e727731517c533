//! Some solutions in any order: found, checked, distinct, reproducible, and complete.

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::ControlFlow;

use galop_cover::{Choice, CoverLimits, CoverOutcome, End, ExactCover, OptionId, Setup, Solver};
use proptest::prelude::*;

use crate::make;

fn setup(seed: Option<u64>) -> Setup {
    Setup::new().seed(seed)
}

/// The solutions that a limited search lists, in order of delivery, and its outcome.
fn first(solver: &mut Solver<'_>, limits: &CoverLimits<'_>) -> (Vec<Vec<OptionId>>, CoverOutcome) {
    let mut found = Vec::new();
    let outcome = solver.search(limits).for_each(|options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    (found, outcome.unwrap())
}

/// The order of the file leads nowhere: the searches in order reach their limit.
#[test]
fn restarts_find_queens_where_the_order_is_hopeless() {
    let queens = make("queens 64");
    let limits = CoverLimits::first(1).with_nodes(200_000);
    for seed in 0..20 {
        let mut solver = Solver::new(&queens, setup(Some(seed))).unwrap();
        assert!(solver.search(&limits.with_solutions(None)).first().unwrap().is_some(), "seed {seed}");
        assert!(solver.outcome().nodes < 100_000);
        for threads in [1, 4] {
            solver.set_threads(NonZero::new(threads)).unwrap();
            let (found, outcome) = first(&mut solver, &limits);
            assert_eq!((found.len(), outcome.end), (1, End::Solutions), "seed {seed}, {threads} threads");
        }
    }
    for choice in [None, Some("sparse"), Some("masks")] {
        let seed = choice.map(|_| 0);
        let choice = choice.and_then(galop_cover::engine::by_name).map_or(Choice::Auto, Choice::Engine);
        let mut solver = Solver::new(&queens, Setup::from(choice).seed(seed)).unwrap_or_else(|_| {
            // Queens 64 have too many options for narrow masks.
            Solver::new(&queens, setup(None)).unwrap()
        });
        assert_eq!(first(&mut solver, &limits).1.end, End::Nodes, "without restarts");
    }
    let mut solver = Solver::new(&queens, setup(Some(0))).unwrap();
    solver.set_ordered(true);
    assert_eq!(solver.search(&limits).first().unwrap(), None, "in order");
}

/// The partridge puzzle: squares of 1x1, two of 2x2, .. packed into a square.
fn partridge(order: u32) -> ExactCover {
    let side = order * (order + 1) / 2;
    let mut builder = ExactCover::builder();
    let sizes: Vec<_> =
        (1..=order).map(|size| builder.primary_with_bounds(&format!("s{size}"), size, size)).collect();
    let cells: Vec<_> = (0..side * side).map(|cell| builder.primary(&cell.to_string())).collect();
    for (size, item) in (1..).zip(sizes) {
        let fits = |corner: &u32| corner / side + size <= side && corner % side + size <= side;
        for corner in (0..side * side).filter(fits) {
            let covered = (0..size * size).map(|at| cells[(corner + at / size * side + at % size) as usize]);
            builder.option(std::iter::once(item).chain(covered));
        }
    }
    builder.finish().unwrap()
}

#[test]
fn restarts_pack_squares_where_the_order_is_hopeless() {
    let problem = partridge(8);
    let limits = CoverLimits::first(1).with_nodes(60_000);
    for threads in [1, 4] {
        let mut solver = Solver::new(&problem, setup(Some(0))).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        let (found, outcome) = first(&mut solver, &limits.with_nodes(None));
        assert_eq!((found.len(), outcome.end, solver.engine().name), (1, End::Solutions, "adders"));
        assert_eq!(found[0].len(), 36);
        assert!(threads > 1 || outcome.nodes < 60_000, "{}", outcome.nodes);
    }
    let mut solver = Solver::new(&problem, setup(None)).unwrap();
    assert_eq!(first(&mut solver, &limits).1.end, End::Nodes, "without restarts");
    // Orders below 8 have no packing; in 5 the search in order sees that at once.
    let problem = partridge(5);
    let mut solver = Solver::new(&problem, setup(Some(0))).unwrap();
    assert_eq!(first(&mut solver, &CoverLimits::first(1)).1.end, End::Complete);
}

#[test]
fn the_same_seed_gives_the_same_solutions_and_another_seed_others() {
    let problem = make("langford 40");
    let found = |seed| {
        let mut solver = Solver::new(&problem, setup(Some(seed))).unwrap();
        let by_callback = first(&mut solver, &CoverLimits::first(5)).0;
        let mut solver = Solver::new(&problem, setup(Some(seed))).unwrap();
        let by_iterator: Vec<_> =
            solver.search(&CoverLimits::first(5)).into_iter().map(Result::unwrap).collect();
        assert_eq!(by_callback, by_iterator);
        by_callback
    };
    assert_eq!(found(7), found(7));
    assert_ne!(found(7), found(8));
    assert_eq!(found(7).len(), 5);
}

/// Queens 24 are hopeless in order; among a few thousand solutions some are found again.
#[test]
fn many_solutions_are_distinct() {
    let problem = make("queens 24");
    for threads in [1, 4] {
        for seed in 0..3 {
            let mut solver = Solver::new(&problem, setup(Some(seed))).unwrap();
            solver.set_threads(NonZero::new(threads)).unwrap();
            let (found, outcome) = first(&mut solver, &CoverLimits::first(3000));
            assert_eq!((found.len(), outcome.end), (3000, End::Solutions));
            assert_eq!(found.iter().collect::<HashSet<_>>().len(), 3000);
        }
    }
}

/// Eight pigeons, each in one of seven holes.
#[test]
fn no_solution_is_proven() {
    let mut builder = ExactCover::builder();
    let pigeons: Vec<_> = (0..8).map(|pigeon| builder.primary(&format!("p{pigeon}"))).collect();
    let holes: Vec<_> = (0..7).map(|hole| builder.secondary(&format!("h{hole}"))).collect();
    for &pigeon in &pigeons {
        for &hole in &holes {
            builder.option([pigeon, hole]);
        }
    }
    let problem = builder.finish().unwrap();
    for (threads, seed) in [(1, 0), (1, 1), (4, 0), (4, 1)] {
        let mut solver = Solver::new(&problem, setup(Some(seed))).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        let (found, outcome) = first(&mut solver, &CoverLimits::first(1));
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
    fn restarts_miss_no_solution(problem in problems(), seed in 0_u64..20, threads in prop_oneof![Just(1_usize), Just(4)]) {
        let mut plain = Solver::new(&problem, setup(None)).unwrap();
        let (mut expected, outcome) = first(&mut plain, &CoverLimits::first(5000));
        prop_assume!(outcome.end == End::Complete);
        expected.sort();
        let mut solver = Solver::new(&problem, setup(Some(seed))).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        for limit in [1, 2, expected.len() as u64 / 2, expected.len() as u64, expected.len() as u64 + 1] {
            let (mut found, outcome) = first(&mut solver, &CoverLimits::first(limit));
            found.sort();
            let is_complete = limit > expected.len() as u64;
            prop_assert_eq!(outcome.end, if is_complete { End::Complete } else { End::Solutions });
            prop_assert_eq!(found.len() as u64, limit.min(expected.len() as u64));
            prop_assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "a solution twice");
            prop_assert!(found.iter().all(|solution| expected.binary_search(solution).is_ok()));
            prop_assert_eq!(solver.search(&CoverLimits::first(limit)).count().unwrap().solutions, u128::from(limit.min(expected.len() as u64)));
        }
    }
}

/// On one thread the progress changes nothing; on several any of them finds the solution.
#[test]
fn the_first_solution_is_the_same_with_its_progress_and_is_found_on_all_threads() {
    for words in ["queens 32", "langford 20", "langford 6", "dominoes 4x5"] {
        let problem = make(words);
        for seed in 0..5 {
            let mut solver = Solver::new(&problem, setup(Some(seed))).unwrap();
            let (mut calls, mut nodes) = (0, 0);
            let mut watch = |progress: &galop_cover::Progress| (calls, nodes) = (calls + 1, progress.nodes);
            let watched = solver.search(&CoverLimits::NONE).observe(&mut watch).first().unwrap();
            assert!(calls > 0 && nodes == solver.outcome().nodes, "{words}");
            let mut again = Solver::new(&problem, setup(Some(seed))).unwrap();
            assert_eq!(again.search(&CoverLimits::NONE).first().unwrap(), watched, "{words}, seed {seed}");
            assert_eq!(
                (again.outcome().end, solver.outcome().end),
                (solver.outcome().end, again.outcome().end)
            );
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
        let mut solver = Solver::new(&problem, setup(Some(1))).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        let mut nodes = Vec::new();
        let limits = CoverLimits::NONE.within(std::time::Duration::from_millis(700));
        let found = solver
            .search(&limits)
            .observe(&mut |progress: &galop_cover::Progress| nodes.push(progress.nodes))
            .first()
            .unwrap();
        assert!(found.is_none() && solver.outcome().end == End::Deadline);
        assert!(nodes.len() >= 4 && nodes.is_sorted() && nodes[0] < nodes[nodes.len() - 1], "{nodes:?}");
    }
}
