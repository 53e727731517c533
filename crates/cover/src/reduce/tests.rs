//! The solutions stay the same, and exactly the expected options are removed.

use galop_testing::exact_cover::EXAMPLE_M;
use proptest::prelude::*;

use super::*;
use crate::engine::{CoverEngine, Event, Meter};
use crate::tests::{brute_force, made, numbered, problems};
use crate::{Assumptions, ItemId, text};

fn read(text: &str) -> ExactCover {
    text::read(text.as_bytes()).unwrap().problem
}

/// The solutions of the original problem, found through the reduced one.
fn solutions(reduction: &Reduction) -> Vec<Vec<OptionId>> {
    let restore = |solution: Vec<OptionId>| {
        let left = solution.into_iter().map(|option| reduction.original(option).unwrap());
        let mut all: Vec<OptionId> = left.chain(reduction.forced().iter().copied()).collect();
        all.sort_unstable();
        all
    };
    let mut found: Vec<_> = brute_force(reduction.problem()).into_iter().map(restore).collect();
    found.sort();
    found
}

/// Every option has a primary item, the bounds are valid, and a text can express the problem.
fn assert_is_problem(problem: &ExactCover) {
    if problem.primary_count() > 0 {
        assert_eq!(read(&text::to_text(problem)), *problem);
    } else {
        assert_eq!((problem.item_count(), problem.option_count()), (0, 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_solutions_are_the_same(problem in problems()) {
        let reduction = problem.reduce();
        prop_assert_eq!(solutions(&reduction), brute_force(&problem));
        assert_is_problem(reduction.problem());
        prop_assert!(reduction.is_finished());
        prop_assert!(reduction.original.is_sorted() && reduction.forced().is_sorted());
        // Engines are also built for problems without names.
        prop_assert_eq!(problem.without_names().reduce().original, reduction.original);
    }

    /// The problem has the same solutions whenever the steps run out.
    #[test]
    fn it_can_stop_at_any_step(problem in problems(), steps in 0_u64..200) {
        let reduction = run(Work::new(&problem, steps, Isa::best().into()), &problem);
        assert_is_problem(reduction.problem());
        prop_assert_eq!(solutions(&reduction), brute_force(&problem));
    }
}

/// Rule 1 taken literally: option by option, to a fixed point. For problems whose items are all covered once.
fn plain(problem: &ExactCover) -> Vec<OptionId> {
    let count = problem.option_count() as u32;
    let has = |option: OptionId, item| problem.option(option).iter().any(|term| term.item == item);
    let mut live: Vec<OptionId> = (0..count).map(OptionId).collect();
    loop {
        let is_excluded = |&option: &OptionId| {
            let is_left = |other: OptionId| other == option || !problem.clash(option, other);
            (0..problem.primary_count() as u32).map(ItemId).any(|item| {
                !has(option, item) && !live.iter().any(|&other| has(other, item) && is_left(other))
            })
        };
        let excluded: Vec<OptionId> = live.iter().copied().filter(is_excluded).collect();
        if excluded.is_empty() {
            return live;
        }
        live.retain(|option| !excluded.contains(option));
    }
}

proptest! {
    #[test]
    fn rule_1_removes_every_excluded_option(problem in problems()) {
        prop_assume!(problem.is_simple());
        let reduction = problem.reduce();
        let mut live: Vec<OptionId> = reduction.original.iter().chain(reduction.forced()).copied().collect();
        live.sort_unstable();
        let is_hopeless = reduction.problem().option_count() == 0 && reduction.problem().item_count() > 0;
        if is_hopeless {
            prop_assert_eq!(brute_force(&problem).len(), 0);
        } else {
            prop_assert_eq!(live, plain(&problem));
        }
    }
}

/// Pieces that cut off a corner are removed, and others after them.
#[test]
fn pentominoes_lose_options_and_no_solutions() {
    for (words, before, after) in [
        ("pentominoes 3x20", 1_236, 1_086),
        ("pentominoes 5x12", 1_936, 1_792),
        ("pentominoes 6x10", 2_056, 1_912),
        ("pentominoes 8x8", 1_568, 1_416),
        ("pentominoes 2x5x6", 2_084, 2_084),
        ("soma", 688, 688),
    ] {
        let problem = made(words);
        let reduction = problem.reduce();
        assert!(reduction.is_finished() && reduction.forced().is_empty());
        assert_eq!(problem.option_count(), before);
        assert_eq!(
            (reduction.problem().option_count(), reduction.problem().item_count()),
            (after, 72.min(problem.item_count()))
        );
    }
    let problem = made("pentominoes 3x20");
    assert_eq!(problem.reduce().original, plain(&problem));
}

/// MacMahon's edges of the border have one colour, so no options clash over them.
#[test]
fn redundant_secondary_items_are_removed() {
    let reduction = made("macmahon").reduce();
    assert_eq!((reduction.problem().item_count(), reduction.problem().option_count()), (106 - 20, 1_008));
    let say = |text: &str| text::to_text(read(text).reduce().problem());
    // x is implied by a, y has one colour, z has one option; w is needed.
    let text = "a b | w x y z\na w x y:1\na x\nb w y:1\nb y:1 z\n";
    assert_eq!(say(text), "a b | w\na w\na\nb w\nb\n");
    // One of two equal items stays. An item that may be covered twice does not imply another.
    assert_eq!(say("a b | x y\na\na x y\nb x y\nb\n"), "a b | y\na\na y\nb y\nb\n");
    let text = "1:2|a b | x\na x\na b x\na\nb\n";
    assert_eq!(say(text), text);
}

#[test]
fn options_of_all_solutions_are_removed() {
    // One solution: the reduced problem is empty.
    let reduction = read(EXAMPLE_M).reduce();
    assert_eq!((reduction.forced(), reduction.problem()), (&numbered([1, 3, 4])[..], &ExactCover::default()));
    assert!(reduction.is_finished() && reduction.original(OptionId(0)).is_none());
    // No solution: one item without options stays.
    for text in ["a b\na\n", "a b\na\nb\n", "3|a\na\na\n", "a b | x\na x\nb x\n"] {
        let problem = read(text);
        let reduction = problem.reduce();
        let is_hopeless = brute_force(&problem).is_empty();
        assert_eq!(reduction.problem().item_count(), usize::from(is_hopeless), "{text}");
        assert_eq!(
            (reduction.problem().option_count(), reduction.forced().len()),
            (0, if is_hopeless { 0 } else { 2 })
        );
    }
    // Equal items become one, with the tighter bounds of both.
    let reduction = read("1:3|a 2:4|b c\na b c\na b\na b\na b\nc\n").reduce();
    assert_eq!(text::to_text(reduction.problem()), "2:3|b c\nb c\nb\nb\nb\nc\n");
    assert_eq!(read("1|a 2|b\na b\na b\na b\n").reduce().problem().option_count(), 0);
}

/// Chains of forced options, and a colour and a count that all options share. A quadratic step would take minutes.
#[test]
fn large_problems_take_linear_time() {
    let count = 200_000;
    let mut builder = ExactCover::builder();
    builder.primary_with_bounds("all", count, count);
    for item in 0..count {
        builder.primary(&item.to_string());
    }
    builder.secondary("x");
    let colour = (ItemId(count + 1), "red");
    for item in 0..count {
        builder.option([crate::problem::TermRef::from(ItemId(0)), ItemId(item + 1).into(), colour.into()]);
    }
    let reduction = builder.finish().unwrap().reduce();
    assert_eq!((reduction.forced().len(), reduction.problem().item_count()), (count as usize, 0));
    // Dominoes in a row: the last one is forced, then the one before it, and so on.
    let dominoes = (0..count).map(|item| (item.saturating_sub(1)..=item).collect::<Vec<_>>());
    let reduction = ExactCover::from_options(count as usize, 0, dominoes).unwrap().reduce();
    assert_eq!((reduction.forced().len(), reduction.problem().option_count()), (count as usize / 2, 0));
}

proptest! {
    /// Rows of bits and lists of items find the same clashes.
    #[test]
    fn rows_of_bits_remove_the_same_options(problem in problems()) {
        // Rows are for problems without bounds and colours.
        let rows = rows::ItemRows::of(&problem);
        prop_assert_eq!(rows.is_some(), problem.is_simple() && !problem.has_colours());
        let reduced = |rows| {
            let mut work = Work::new(&problem, u64::MAX, Isa::best().into());
            work.rows = rows;
            work.run().map(|()| work.finish().original)
        };
        prop_assert_eq!(reduced(rows).ok(), reduced(None).ok());
    }
}

/// A search of independent parts drops the assumed options from the start of each part's solution, so they must come
/// first, also before options that the reduction forces.
#[test]
fn assumed_options_come_first() {
    let problem = read("a b c\na\nb\nb\nc\n");
    let reduction = problem.reduce();
    assert_eq!(reduction.forced(), numbered([0, 3]));
    let entry = crate::engine::by_name("links").unwrap();
    let inner = (entry.make)(reduction.problem(), Isa::best().into()).unwrap();
    let mut engine = ReducedEngine::new(&reduction, problem.option_count(), inner);
    for (chosen, expected) in [
        (vec![2], vec![2, 0, 3]),
        (vec![3, 2], vec![3, 2, 0]),
        (vec![2, 3, 2], vec![2, 3, 0]),
        (vec![], vec![0, 3, 1]),
    ] {
        engine.start(&Assumptions { chosen: numbered(chosen), forbidden: Vec::new() });
        assert_eq!(engine.next(&mut Meter::new(u64::MAX, None, None)), Event::Solution);
        assert_eq!(engine.solution(), numbered(expected));
    }
}
