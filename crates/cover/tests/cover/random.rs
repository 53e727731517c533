//! Small random problems and the smallest problems of the book: every engine, on one to four threads, under assumptions.
//! (The unit tests compare every engine with brute force on one thread.)

use std::num::NonZero;

use galop_cover::engine::by_name;
use galop_cover::{Choice, ExactCover, OptionId, Solver, text};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{list, suitable};

/// All solutions under assumptions, each ascending, in ascending order.
fn listed(
    problem: &ExactCover,
    choice: Choice,
    threads: usize,
    [chosen, forbidden]: [&[OptionId]; 2],
) -> Vec<Vec<OptionId>> {
    let mut solver = Solver::new(problem, choice).unwrap();
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.assume(chosen, forbidden).unwrap();
    let mut found = list(&mut solver);
    found.sort();
    found
}

/// Knuth's smallest problem with colours, (49) in section 7.2.2.1, and a problem with multiplicities.
#[test]
fn the_smallest_problems_with_colours_and_with_multiplicities() {
    let colours = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n";
    let multiplicities = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n";
    for (text, solution) in [(colours, &[1, 3][..]), (multiplicities, &[1, 3, 4])] {
        let problem = text::read(text.as_bytes()).unwrap().problem;
        for choice in suitable(&problem).chain([Choice::Auto]) {
            assert_eq!(listed(&problem, choice, 1, [&[], &[]]), [solution], "{choice:?}");
        }
    }
}

/// An item that must be covered by `low` to `high` of six options has one solution for each set of `low` to `high`
/// options.
#[test]
fn binomial_coefficients() {
    let binomials = [1, 6, 15, 20, 15, 6, 1];
    for low in 0..=6 {
        for high in low.max(1)..=8 {
            let mut builder = ExactCover::builder();
            builder.primary_with_bounds("A", low as u32, high as u32);
            (0..6).for_each(|_| {
                builder.option(["A"]);
            });
            let problem = builder.finish().unwrap();
            let expected: usize = binomials[low..=high.min(6)].iter().sum();
            for choice in suitable(&problem) {
                assert_eq!(
                    listed(&problem, choice, 2, [&[], &[]]).len(),
                    expected,
                    "{choice:?} {low}:{high}"
                );
            }
        }
    }
}

/// Problems of up to six primary items, three secondary ones in three colours, and sixteen options. In one half of
/// them the primary items have bounds.
pub(crate) fn problems() -> impl Strategy<Value = ExactCover> {
    let bounds = prop_oneof![vec(Just((1, 1)), 1..=6), vec((0_u32..=2, 1_u32..=4), 1..=6),];
    // What an option does with a secondary item: 0 takes it, 1 to 3 take it in a colour.
    let option = (0_usize..6, vec(0_u32..=3, 6), vec(0_u32..=6, 3));
    (bounds, vec(option, 0..=16)).prop_map(|(bounds, options)| {
        let mut builder = ExactCover::builder();
        for (item, &(low, high)) in bounds.iter().enumerate() {
            builder.primary_with_bounds(&format!("p{item}"), low.min(high), high);
        }
        for item in 0..3 {
            builder.secondary(&format!("s{item}"));
        }
        for (certain, first, second) in options {
            let is_in = |item: &usize| *item == certain % bounds.len() || first[*item] == 0;
            let mut items: Vec<String> =
                (0..bounds.len()).filter(is_in).map(|item| format!("p{item}")).collect();
            for (item, taken) in second.into_iter().enumerate() {
                match taken {
                    0 => items.push(format!("s{item}")),
                    1..=3 => items.push(format!("s{item}:c{taken}")),
                    _ => {}
                }
            }
            builder.option(&items);
        }
        builder.finish().unwrap()
    })
}

proptest! {
    #[test]
    fn every_engine_finds_what_links_find(problem in problems(), draws in any::<[u32; 3]>()) {
        let count = problem.option_count().max(1) as u32;
        let [one, two, three] = draws.map(|draw| draw % count);
        let assumptions = [[&[][..], &[][..]], [&[one], &[two]], [&[one, three], &[]], [&[], &[two, three]]];
        let possible = if problem.option_count() == 0 { 1 } else { 4 };
        for assumption in &assumptions[..possible] {
            let links = Choice::Engine(by_name("links").unwrap());
            let expected = listed(&problem, links, 1, *assumption);
            for choice in suitable(&problem) {
                for threads in 1..=4 {
                    let found = listed(&problem, choice, threads, *assumption);
                    prop_assert_eq!(&found, &expected, "{:?}, {} threads", choice, threads);
                }
            }
        }
    }
}
