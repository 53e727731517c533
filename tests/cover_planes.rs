//! Multiplicity planes from outside: counts of the literature, and small problems at random against dancing links.

#![allow(clippy::unwrap_used)]

mod listing;
mod problems;
mod small;

use std::num::NonZero;

use galop_cover::engine::CoverEntry;
use galop_cover::{self as cover, Choice, ExactCover, OptionId, Solver, text};
use listing::list;
use problems::make;
use proptest::prelude::*;

fn planes() -> &'static CoverEntry {
    cover::engine::by_name("planes").unwrap()
}

/// All solutions that fit the assumptions, each ascending, in ascending order.
fn listed(
    problem: &ExactCover,
    entry: &'static CoverEntry,
    threads: usize,
    [chosen, forbidden]: [&[OptionId]; 2],
) -> Vec<Vec<OptionId>> {
    let mut solver = Solver::new(problem, Choice::Engine(entry)).unwrap();
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.assume(chosen, forbidden).unwrap();
    let mut found = list(&mut solver);
    found.sort();
    found
}

#[track_caller]
fn counts(problem: &ExactCover, solutions: usize) {
    for threads in 1..=4 {
        let found = listed(problem, planes(), threads, [&[], &[]]);
        assert_eq!(found.len(), solutions, "{threads} threads");
        assert!(found.is_sorted_by(|one, next| one < next), "every one once");
    }
}

#[test]
fn the_smallest_problem_with_multiplicities() {
    let text = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n";
    let problem = text::read(text.as_bytes()).unwrap().problem;
    assert_eq!(listed(&problem, planes(), 1, [&[], &[]]), [[1, 3, 4]]);
}

#[test]
fn queens_dominate() {
    counts(&make("queen-domination 5 3"), 186);
    counts(&make("queen-domination 6 3"), 4);
    counts(&make("queen-domination 6 4"), 2_744);
    counts(&make("queen-domination 7 4"), 86);
    counts(&make("queen-domination 8 5"), 4_860);
}

#[test]
fn dominoes_and_trominoes_mixed() {
    counts(&make("mixed 6x4 6"), 2_498);
    counts(&make("mixed 6x5 6"), 18_245);
}

/// Without bounds it is an engine like any other.
#[test]
fn problems_without_multiplicities() {
    counts(&make("queens 9"), 352);
    counts(&make("langford 7"), 52);
    counts(&make("soma"), 11_520);
}

/// So often is an item of `options` covered: by 2 of 5 options there are 10 ways, and so on.
#[test]
fn binomials() {
    let ways = |low, high| {
        let mut builder = ExactCover::builder();
        builder.primary_with_bounds("A", low, high);
        (0..6).for_each(|_| {
            builder.option(["A"]);
        });
        listed(&builder.finish().unwrap(), planes(), 2, [&[], &[]]).len()
    };
    let binomials = [1, 6, 15, 20, 15, 6, 1];
    for low in 0..=6 {
        for high in low.max(1)..=8 {
            let expected: usize = binomials[low..=high.min(6)].iter().sum();
            assert_eq!(ways(low as u32, high as u32), expected, "{low}:{high}");
        }
    }
}

/// Problems of up to six primary items with bounds 0 to 2 and up to 4, two secondary ones, and sixteen options.
fn bounded() -> impl Strategy<Value = ExactCover> {
    small::problems((0_u32..=2, 1_u32..=4), 2, 16)
}

proptest! {
    #[test]
    fn planes_find_what_links_find(problem in bounded(), draws in any::<[u32; 3]>()) {
        let links = cover::engine::by_name("links").unwrap();
        let count = problem.option_count().max(1) as u32;
        let [one, two, three] = draws.map(|draw| draw % count);
        let assumptions = [[&[][..], &[][..]], [&[one], &[two]], [&[one, three], &[]], [&[], &[two, three]]];
        let possible = if problem.option_count() == 0 { 1 } else { 4 };
        for assumption in &assumptions[..possible] {
            let expected = listed(&problem, links, 1, *assumption);
            for threads in 1..=4 {
                prop_assert_eq!(&listed(&problem, planes(), threads, *assumption), &expected);
            }
        }
    }
}
