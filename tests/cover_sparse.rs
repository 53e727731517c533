//! Sparse sets from outside: counts of the literature, small problems with colours against brute force and dancing
//! links, limits, and any number of threads.

#![allow(clippy::unwrap_used)]

mod listing;
mod problems;
mod small;

use std::num::NonZero;
use std::ops::ControlFlow;

use galop_cover::engine::CoverEntry;
use galop_cover::{self as cover, Choice, CoverLimits, End, ExactCover, OptionId, Solver, text};
use listing::list;
use problems::make;
use proptest::prelude::*;

fn sparse() -> &'static CoverEntry {
    cover::engine::by_name("sparse").unwrap()
}

/// All solutions that fit the assumptions, each ascending, in the order they are handed out.
fn listed(
    solver: &mut Solver<'_>,
    threads: usize,
    [chosen, forbidden]: [&[OptionId]; 2],
) -> Vec<Vec<OptionId>> {
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.assume(chosen, forbidden).unwrap();
    list(solver)
}

#[track_caller]
fn counts(words: &str, solutions: u128) {
    let problem = make(words);
    let mut solver = Solver::new(&problem, Choice::Engine(sparse())).unwrap();
    for threads in 1..=4 {
        solver.set_threads(NonZero::new(threads)).unwrap();
        let outcome = solver.count(&CoverLimits::NONE).unwrap();
        assert_eq!(
            (outcome.solutions.to_u128(), outcome.end),
            (Some(solutions), End::Complete),
            "{words}, {threads} threads"
        );
        assert_eq!(outcome.depths.iter().sum::<u64>(), outcome.nodes);
    }
}

#[test]
fn problems_of_the_books() {
    for (words, solutions) in [
        ("queens 1", 1),
        ("queens 3", 0),
        ("queens 8", 92),
        ("queens 10", 724),
        ("langford 5", 0),
        ("langford 8", 300),
        ("langford 11", 35_584),
        ("dominoes 3x3", 0),
        ("dominoes 6x6", 6_728),
        ("pentominoes 3x20", 8),
        ("pentominoes 8x8", 520),
        ("soma", 11_520),
        ("matching 12", 10_395),
        ("latin 4", 576),
        ("sudoku 2x2", 288),
    ] {
        counts(words, solutions);
    }
}

/// Knuth's smallest problem with colours, (49) in section 7.2.2.1.
#[test]
fn the_smallest_problem_with_colours() {
    let text = b"p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n";
    let problem = text::read(text).unwrap().problem;
    let mut solver = Solver::new(&problem, Choice::Engine(sparse())).unwrap();
    assert_eq!(listed(&mut solver, 1, [&[], &[]]), [[1, 3]]);
}

#[test]
fn bounds_are_refused() {
    let problem = make("queen-domination 5 3");
    assert!(Solver::new(&problem, Choice::Engine(sparse())).is_err());
}

#[test]
fn limits_and_order_hold_on_any_number_of_threads() {
    let problem = make("langford 8");
    let mut solver = Solver::new(&problem, Choice::Engine(sparse())).unwrap();
    let all = listed(&mut solver, 1, [&[], &[]]);
    assert_eq!(all.len(), 300);
    let nodes = solver.outcome().nodes;
    solver.set_ordered(true);
    for threads in 1..=4 {
        assert_eq!(listed(&mut solver, threads, [&[], &[]]), all);
        for solutions in [0, 1, 17, 299, 300, 301] {
            let mut found = Vec::new();
            let limits = CoverLimits::first(solutions);
            let outcome = solver.for_each(&limits, |options| {
                found.push(options.to_vec());
                ControlFlow::Continue(())
            });
            let end = if solutions <= 300 { End::Solutions } else { End::Complete };
            assert_eq!(outcome.unwrap().end, end);
            assert_eq!(found, all[..solutions.min(300) as usize]);
        }
        let outcome = solver.count(&CoverLimits { nodes: Some(nodes / 2), ..CoverLimits::NONE }).unwrap();
        assert!(outcome.end == End::Nodes && outcome.nodes <= nodes / 2);
    }
}

/// Problems of up to six primary items, three secondary ones in three colours, and fourteen options.
fn coloured() -> impl Strategy<Value = ExactCover> {
    small::problems(Just((1, 1)), 3, 14)
}

/// Of all sets of options those that cover as they should, ascending.
fn brute_force(problem: &ExactCover) -> Vec<Vec<OptionId>> {
    let count = problem.option_count() as OptionId;
    let is_solution = |chosen: &Vec<OptionId>| {
        let covers = |option: OptionId, item| problem.option(option).iter().any(|term| term.item == item);
        let once = |item| chosen.iter().filter(|&&option| covers(option, item)).count() == 1;
        let clash = |one: OptionId| chosen.iter().any(|&other| one < other && problem.clash(one, other));
        (0..problem.primary_count() as u32).all(once) && !chosen.iter().any(|&option| clash(option))
    };
    let sets = (0_u32..1 << count).map(|set| (0..count).filter(|option| set >> option & 1 == 1).collect());
    let mut found: Vec<Vec<OptionId>> = sets.filter(is_solution).collect();
    found.sort();
    found
}

proptest! {
    #[test]
    fn sparse_sets_find_what_brute_force_and_links_find(problem in coloured(), draws in any::<[u32; 3]>()) {
        let all = brute_force(&problem);
        let count = problem.option_count().max(1) as u32;
        let [one, two, three] = draws.map(|draw| draw % count);
        let assumptions = [[&[][..], &[][..]], [&[one], &[two]], [&[one, three], &[]], [&[], &[two, three]]];
        let possible = if problem.option_count() == 0 { 1 } else { 4 };
        let mut links = Solver::new(&problem, Choice::Engine(cover::engine::by_name("links").unwrap())).unwrap();
        let mut sparse = Solver::new(&problem, Choice::Engine(sparse())).unwrap();
        for assumption in &assumptions[..possible] {
            let [chosen, forbidden] = assumption;
            let mut expected = all.clone();
            expected.retain(|solution| {
                chosen.iter().all(|option| solution.contains(option))
                    && !forbidden.iter().any(|option| solution.contains(option))
            });
            let mut found = listed(&mut links, 1, *assumption);
            found.sort();
            prop_assert_eq!(&found, &expected);
            for threads in 1..=4 {
                let mut found = listed(&mut sparse, threads, *assumption);
                found.sort();
                prop_assert_eq!(&found, &expected, "{} threads", threads);
            }
        }
    }
}
