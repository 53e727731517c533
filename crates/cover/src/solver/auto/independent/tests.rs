//! Counts, lists and branches of independent parts agree with brute force, and take few nodes.

use proptest::prelude::*;

use super::*;
use crate::engine::tests::{Drive, drive};
use crate::tests::{beside, brute_force_with, made, problems};
use crate::{CoverLimits, End, Solver};

fn independent(problem: &ExactCover) -> Option<Independent> {
    let split = Split::of(problem, Isa::best(), &Memory::new(Some(1 << 28)))?;
    Some(Independent::new(&Arc::new(split)))
}

proptest! {
    /// Wherever a search is split or given away, each solution is found once, and the progress never falls.
    #[test]
    fn each_solution_is_found_once(
        [one, other] in [problems(), problems()],
        is_counted: bool,
        slice in 1_u64..9,
        pattern: u64,
        given_away in prop_oneof![1 => Just(u64::MAX), 1 => 0_u64..30],
        is_assumed: bool,
    ) {
        let problem = beside(&beside(&one, &other), &"0:1|a\na\na\n".parse().unwrap());
        prop_assume!(problem.option_count() <= 18);
        let Some(mut engine) = independent(&problem) else { return Ok(()) };
        let assumptions = match problem.option_count() as u32 {
            count @ 3.. if is_assumed => Assumptions {
                chosen: vec![OptionId(count - 1)],
                forbidden: vec![OptionId(0), OptionId(count - 2)],
            },
            _ => Assumptions::default(),
        };
        let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
        let is_split = |turn: u64| pattern >> (turn % 64) & 1 == 1;
        let course = Drive { is_split: &is_split, given_away, is_counted, ..Drive::count(slice) };
        let driven = drive(&mut engine, &assumptions, course);
        let mut found = driven.solutions;
        prop_assert!(found.iter().all(|solution| expected.binary_search(solution).is_ok()));
        prop_assert_eq!(driven.count.to_u128(), Some(expected.len() as u128));
        if !is_counted {
            found.sort();
            prop_assert_eq!(found, expected);
        }
    }
}

/// `count` items with two options each, in the text of a problem with these bounds and more lines.
fn pairs(count: usize, bounds: &str, items: &str, options: &str) -> ExactCover {
    let names: Vec<String> = (0..count).map(|item| format!("{bounds}i{item}")).collect();
    let lines: String = (0..count).map(|item| format!("i{item}\ni{item}\n")).collect();
    format!("{} {items}\n{lines}{options}", names.join(" ")).parse().unwrap()
}

/// A search that went through all solutions would not end.
#[test]
fn thousands_of_parts_are_counted_and_listed() {
    let limits = CoverLimits { nodes: Some(200_000), ..CoverLimits::NONE };
    let power = |base: u64, exponent: usize| {
        (0..exponent).fold(Natural::from(1), |product, _| &product * &Natural::from(u128::from(base)))
    };
    for (problem, expected) in
        [(pairs(17_000, "", "", ""), power(2, 17_000)), (pairs(300, "1:2|", "", ""), power(3, 300))]
    {
        for threads in [1, 2] {
            let mut solver = problem.solver().unwrap();
            assert_eq!(solver.engine(), "parts");
            solver.set_threads(std::num::NonZero::new(threads)).unwrap();
            let outcome = solver.search(&limits).count().unwrap();
            assert!((outcome.end, &outcome.solutions) == (End::Complete, &expected), "{threads}");
            assert!(solver.search(&limits).first().unwrap().is_some());
            let mut found: Vec<_> =
                solver.search(&limits).into_iter().take(100).map(Result::unwrap).collect();
            found.sort();
            found.dedup();
            assert_eq!(found.len(), 100);
        }
    }
    // The last part has no solution.
    let problem = pairs(17_000, "", "x y z", "x y\ny z\nx z\n");
    let mut solver = Solver::new(&problem, crate::Choice::Auto).unwrap();
    assert_eq!(solver.search(&limits).first().unwrap(), None);
    assert_eq!(
        (solver.outcome().end, solver.search(&limits).count().unwrap().solutions),
        (End::Complete, Natural::ZERO)
    );
}

/// A branch of the last part that was split off is not counted again by what is given away later.
#[test]
fn what_was_split_off_is_not_given_away_again() {
    let problem = beside(&made("queens 4"), &made("queens 9"));
    let mut engine = independent(&problem).unwrap();
    engine.start(&Assumptions::default());
    let (mut meter, mut count) = (Meter::new(1, None, None), Natural::ZERO);
    let mut tasks = Vec::new();
    while tasks.is_empty() {
        assert!(matches!(engine.count(&mut meter, &mut count), Some(Event::Stopped(_))), "it ended unsplit");
        tasks.extend(engine.split());
        meter.set_max_nodes(meter.nodes + 1);
    }
    engine.give_away();
    loop {
        tasks.extend(std::iter::from_fn(|| engine.split()));
        match engine.count(&mut meter, &mut count) {
            Some(Event::Stopped(_)) => meter.set_max_nodes(meter.nodes + 1),
            Some(Event::Solution) => {}
            _ => break,
        }
    }
    meter.set_max_nodes(u64::MAX);
    for task in tasks {
        engine.start(&task);
        while engine.count(&mut meter, &mut count) == Some(Event::Solution) {}
    }
    assert_eq!(count, 2 * 352);
}

/// Of three equal boards one is counted: three would take three times the nodes.
#[test]
fn equal_parts_are_counted_once() {
    let board = made("queens 7");
    let small: ExactCover = "x y\nx\ny\nx y\n".parse().unwrap();
    let nodes = |problem: &ExactCover, expected: u128| {
        let mut engine = independent(problem).unwrap();
        engine.start(&Assumptions::default());
        let (mut meter, mut count) = (Meter::new(u64::MAX, None, None), Natural::ZERO);
        assert_eq!(engine.count(&mut meter, &mut count), Some(Event::Solution));
        assert_eq!(count, expected);
        crate::problem::CoverChecker::new(problem).check(engine.solution(), &Assumptions::default()).unwrap();
        meter.nodes
    };
    let three = nodes(&beside(&beside(&board, &board), &board), 64_000);
    assert!(three < nodes(&beside(&small, &board), 80));
}

/// Items without a choice are one part, however many they are.
#[test]
fn parts_without_a_choice_are_one() {
    let parts = |text: &str| -> Vec<Vec<OptionId>> {
        components(&text.parse().unwrap()).into_iter().map(|part| part.options).collect()
    };
    let bounded = "a b 2|c d e f\na\nb\nc\nc\nd e\nd\ne\n";
    assert_eq!(parts(&format!("{bounded}f\nf\n")), [&[7, 8][..], &[4, 5, 6], &[0, 1, 2, 3]]);
    assert!(parts(&format!("{bounded}f\n")).is_empty());
    assert_eq!(parts("a b d e\na\nb\nd e\nd\ne\n"), [&[0, 1][..], &[2, 3, 4]]);
    assert!(parts("a b c\na\nb\nc\n").is_empty());
}
