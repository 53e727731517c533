//! Parts of a problem: together they have every solution once, and they take about equally long.

use std::num::NonZero;

use galop_cover::{Assumptions, Choice, CoverError, CoverLimits, End, ExactCover, Natural, OptionId};
use galop_testing::available::is_soaking;
use galop_testing::exact_cover::{SMALL, brute_force_with, problems};
use proptest::prelude::*;

use crate::{choose, list, listing, make, solver_on, suitable};

fn parts(problem: &ExactCover, count: usize, assumptions: &Assumptions) -> Vec<Vec<Assumptions>> {
    problem.parts(NonZero::new(count).unwrap(), assumptions).unwrap()
}

/// All solutions of all parts, each ascending, in ascending order.
fn listed(
    problem: &ExactCover,
    choice: Choice,
    threads: usize,
    parts: &[Vec<Assumptions>],
) -> Vec<Vec<OptionId>> {
    let mut solver = solver_on(threads, problem, choice);
    let mut found = Vec::new();
    for part in parts {
        solver.assume_any(part).unwrap();
        let listed = list(&mut solver);
        assert_eq!(solver.search(&CoverLimits::NONE).count().unwrap().solutions, listed.len() as u128);
        let iterated: Result<Vec<_>, _> = solver.search(&CoverLimits::NONE).into_iter().collect();
        assert_eq!(iterated.unwrap().len(), listed.len());
        found.extend(listed);
    }
    found.sort();
    found
}

proptest! {
    #[test]
    fn parts_divide_the_solutions(text in problems(SMALL), count in 1_usize..5, draws in any::<[u32; 2]>()) {
        let problem: ExactCover = text.parse().unwrap();
        let options = problem.option_count().max(1) as u32;
        let [one, two] = draws.map(|draw| draw % options);
        let assumed = Assumptions { chosen: vec![OptionId(one)], forbidden: vec![OptionId(two)] };
        for assumptions in [Assumptions::default(), assumed] {
            if problem.option_count() == 0 && assumptions != Assumptions::default() {
                let unknown = problem.parts(NonZero::new(count).unwrap(), &assumptions);
                prop_assert!(matches!(unknown, Err(CoverError::UnknownOption { .. })), "{unknown:?}");
                continue;
            }
            let numbers = |options: &[OptionId]| options.iter().map(|option| option.0).collect::<Vec<u32>>();
            let expected = brute_force_with(&text, &numbers(&assumptions.chosen), &numbers(&assumptions.forbidden));
            let parts = parts(&problem, count, &assumptions);
            prop_assert_eq!(parts.len(), count);
            for choice in listing(&problem).chain([Choice::Auto]) {
                prop_assert_eq!(&listed(&problem, choice, 1 + count % 2, &parts), &expected, "{:?}", choice);
            }
        }
    }
}

/// The nodes of every part, searched by dancing links.
fn nodes(problem: &ExactCover, count: usize) -> Vec<u64> {
    let mut solver = solver_on(1, problem, choose("links"));
    let mut nodes = Vec::new();
    for part in parts(problem, count, &Assumptions::default()) {
        solver.assume_any(&part).unwrap();
        nodes.push(solver.search(&CoverLimits::NONE).count().unwrap().nodes);
    }
    nodes
}

#[test]
fn parts_are_even() {
    let large = is_soaking().then_some(("pentominoes 5x12", 8));
    let small = [("queens 10", 8), ("langford 8", 4), ("queen-domination 6 4", 4)];
    for (words, count) in small.into_iter().chain(large) {
        let nodes = nodes(&make(words), count);
        let (largest, sum) = (nodes.iter().max().unwrap(), nodes.iter().sum::<u64>());
        assert!(largest * count as u64 <= sum * 3 / 2, "{words}: {nodes:?}");
    }
}

#[test]
fn parts_are_the_same_again_and_in_order() {
    let problem = make("queens 8");
    let cut = || parts(&problem, 3, &Assumptions::default());
    assert_eq!(cut(), cut());
    assert!(cut().iter().all(|part| part.len() >= 20));
    // An ordered run delivers the same solutions in the same order, on any number of threads.
    let mut solver = problem.solver().unwrap();
    solver.set_ordered(true);
    solver.assume_any(&cut()[1]).unwrap();
    let expected = list(&mut solver);
    solver.set_threads(NonZero::new(3)).unwrap();
    assert_eq!(list(&mut solver), expected);
    // No parts, no solutions; the assumptions before and after are not mixed.
    solver.assume(&[OptionId(0)], &[]).unwrap();
    solver.assume_any(&[]).unwrap();
    assert!(list(&mut solver).is_empty() && solver.search(&CoverLimits::NONE).first().unwrap().is_none());
    solver.assume_any(&[Assumptions::default()]).unwrap();
    assert_eq!(list(&mut solver).len(), 92);
    solver.assume(&[], &[]).unwrap();
    assert_eq!(list(&mut solver).len(), 92);
    let unknown = Assumptions { chosen: vec![], forbidden: vec![OptionId(99_999)] };
    assert!(matches!(
        solver.assume_any(&[unknown]),
        Err(CoverError::UnknownOption { option: OptionId(99_999), .. })
    ));
}

/// Counts in steps of a few nodes, each of which takes what the last one left.
fn counted_in_steps(problem: &ExactCover, choice: Choice, threads: usize, nodes: u64) -> (Natural, usize) {
    let mut solver = solver_on(threads, problem, choice);
    let limits = CoverLimits::NONE.with_nodes(nodes);
    let (mut sum, mut steps) = (Natural::ZERO, 0);
    loop {
        let (outcome, open) = solver.search(&limits).count_and_keep().unwrap();
        assert_eq!(solver.depths().iter().sum::<u64>(), outcome.nodes);
        sum += &outcome.solutions;
        steps += 1;
        if outcome.end == End::Complete {
            assert_eq!(open, []);
            return (sum, steps);
        }
        solver.assume_any(&open).unwrap();
    }
}

proptest! {
    #[test]
    fn a_count_that_was_stopped_goes_on_where_it_was(text in problems(SMALL), nodes in 1_u64..6) {
        let problem: ExactCover = text.parse().unwrap();
        let expected = brute_force_with(&text, &[], &[]).len() as u128;
        for choice in suitable(&problem).chain([Choice::Auto]) {
            for threads in [1, 3] {
                let (sum, _) = counted_in_steps(&problem, choice, threads, nodes);
                prop_assert_eq!(&sum, &Natural::from(expected), "{:?}, {} threads", choice, threads);
            }
        }
    }
}

/// Counts that take hours are stopped at once, whatever counts them: a sweep, the search with memory, or any other.
#[test]
fn a_long_count_is_stopped_at_once() {
    for words in ["dominoes 20x20", "matching 40", "queens 20"] {
        for nodes in [1, 4000] {
            let problem = make(words);
            let mut solver = problem.solver().unwrap();
            let limits = CoverLimits::NONE.with_nodes(nodes);
            let (outcome, open) = solver.search(&limits).count_and_keep().unwrap();
            assert_eq!(outcome.end, End::Nodes, "{words} {nodes}");
            assert!(outcome.nodes < nodes + 2000 && !open.is_empty(), "{words} {nodes}: {outcome:?}");
        }
    }
}

#[test]
fn large_counts_go_on_where_they_were() {
    let small = [
        ("queens 10", 724, 1000),
        ("dominoes 6x6", 6_728, 100),
        ("dominoes 8x8", 12_988_816, 5000),
        ("langford 8", 300, 500),
        ("queen-domination 5 3", 186, 30),
    ];
    let large = is_soaking().then_some(("dominoes 8x8", 12_988_816, 100));
    for (words, count, nodes) in small.into_iter().chain(large) {
        let problem = make(words);
        for choice in suitable(&problem).chain([Choice::Auto]) {
            // Engines that count each tiling would take minutes.
            if words.starts_with("dominoes") && !matches!(choice, Choice::Auto) {
                continue;
            }
            for threads in [1, 2] {
                let (sum, steps) = counted_in_steps(&problem, choice, threads, nodes);
                assert_eq!(sum, count, "{words}, {choice:?}, {threads} threads");
                assert!(steps > 1 || words.starts_with("dominoes"), "{words}, {choice:?}");
            }
        }
    }
    // Independent parts.
    let problem: ExactCover = "0:1|a 0:1|b 0:1|c 0:1|d x\na\na\nb\nb\nc\nc\nd\nd\nx\n".parse().unwrap();
    assert_eq!(problem.solver().unwrap().engine(), "parts");
    let (sum, steps) = counted_in_steps(&problem, Choice::Auto, 1, 1);
    assert!(sum == 81 && steps > 1, "{sum} {steps}");
}
