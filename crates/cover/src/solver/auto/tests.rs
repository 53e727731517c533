//! For every length of the try: each solution is found once, in the same order, and the progress never falls.

use proptest::prelude::*;

use super::engines::make;
use super::*;
use crate::engine::planes;
use crate::engine::sparse::{self, Sparse};
use crate::engine::tests::{Drive, drive};
use crate::tests::{brute_force_with, made, problems};
use crate::text;

/// A search with a try of `budget` nodes (1 at least), within some bytes of memory.
pub(super) fn auto_within(problem: &ExactCover, budget: u64, memory: u64) -> Option<Auto> {
    let memory = Memory::new(Some(memory));
    let build = Build::from(Isa::Portable);
    let entry = if problem.is_simple() { &sparse::ENTRY } else { &planes::ENTRY };
    let base = make(problem, build, (entry, "")).ok()?;
    let mut auto = Auto::new(problem, Isa::best(), base, &memory, false);
    Arc::get_mut(&mut auto.order.shared)?.try_ticks = [budget.max(1); 2];
    Some(auto)
}

fn auto(problem: &ExactCover, budget: u64) -> Option<Auto> {
    auto_within(problem, budget, 1 << 28).filter(|_| problem.is_simple())
}

/// All solutions in the order found, searched in slices of `slice` nodes.
fn solutions(engine: &mut dyn CoverEngine, assumptions: &Assumptions, slice: u64) -> Vec<Vec<OptionId>> {
    drive(engine, assumptions, Drive::list(slice)).solutions
}

/// The 105 perfect matchings of 8 vertices, and `more` options that clash with all options: with 70 of them item 0 has
/// more options than a narrow lane holds.
fn matchings(more: usize) -> ExactCover {
    let text = text::to_text(&made("matching 8")).replacen('\n', " | x\n", 1);
    (text + &"v0 v1 v2 v3 v4 v5 v6\n".repeat(more)).parse().unwrap()
}

/// The same matchings, and an item with 70 options, of which 69 are in no solution: they leave five vertices, which do
/// not match. Preprocessing does not see that, so the masks are wide.
fn wide_matchings() -> ExactCover {
    let text = text::to_text(&made("matching 8")).replacen('\n', " more\n", 1);
    (text + "more\n" + &"more v0 v1 v2\n".repeat(69)).parse().unwrap()
}

/// Preprocessing removes the 70 options, and narrow masks have room for the rest. The options keep their numbers, also
/// in assumptions. Without colours, and where the search is short, the masks are wide.
#[test]
fn coloured_problems_for_wide_masks_are_preprocessed() {
    let coloured = |vertices: usize| -> ExactCover {
        let all: Vec<String> = (0..vertices - 1).map(|vertex| format!("v{vertex}")).collect();
        let text = text::to_text(&made(&format!("matching {vertices}"))).replacen('\n', " | x\n", 1);
        (text + &format!("{}\n", all.join(" ")).repeat(69) + &all.join(" ") + " x:1\n").parse().unwrap()
    };
    let (short, problem) = (coloured(8), coloured(12));
    let mut sparse = Sparse::new(&problem).unwrap();
    for assumed in [
        Assumptions::default(),
        Assumptions { chosen: vec![OptionId(13)], forbidden: vec![OptionId(0), OptionId(40)] },
    ] {
        let mut expected = solutions(&mut sparse, &assumed, u64::MAX / 2);
        expected.sort();
        for budget in [0, 1, 3, 10, 30, 99] {
            let mut engine = auto(&problem, budget).unwrap();
            let mut found = solutions(&mut engine, &assumed, 7);
            found.sort();
            assert_eq!(found, expected, "{budget}");
            // With a chosen option the search may be short.
            let is_wide = engine.delegate().is_some_and(|selection| selection.name == "wide");
            assert!(!is_wide || !assumed.chosen.is_empty(), "{budget}");
        }
    }
    for (problem, budget, name) in
        [(&problem, 1, "masks"), (&short, 1000, "wide"), (&matchings(70), 1, "wide")]
    {
        let mut engine = auto(problem, budget).unwrap();
        solutions(&mut engine, &Assumptions::default(), 7);
        let delegate = engine.delegate().map(|selection| selection.name);
        assert!([Some("sparse"), Some(name)].contains(&delegate), "{delegate:?}");
        assert_eq!(
            engine.order.row.map(|row| row.name),
            Some(if name == "masks" { "preprocess" } else { name })
        );
    }
    let mut engine = auto(&problem, 1).unwrap();
    let impossible = Assumptions { chosen: vec![OptionId(70)], forbidden: Vec::new() };
    assert_eq!(solutions(&mut engine, &impossible, 7).len(), 0);
}

#[test]
fn what_the_stages_take_adds_up() {
    let problem = matchings(0);
    for (seed, runner) in [(None, "masks"), (Some(1), "restarts")] {
        let mut engine = auto(&problem, 1).unwrap();
        if let Some(seed) = seed {
            Arc::get_mut(&mut engine.order.shared).unwrap().turns = Turns::RESTARTS;
            engine.set_restarts(Restarts::Race(seed));
        }
        engine.start(&Assumptions::default());
        let mut meter = Meter::new(u64::MAX, None, None);
        while engine.next(&mut meter) != Event::End {}
        let stages = engine.stages();
        assert_eq!(stages.iter().map(|stage| stage.nodes).sum::<u64>(), meter.nodes, "{stages:?}");
        assert_eq!(stages.iter().map(|stage| stage.ticks).sum::<u64>(), meter.ticks, "{stages:?}");
        assert!(stages.iter().any(|stage| stage.name == runner && stage.nodes > 0), "{stages:?}");
    }
}

#[test]
fn a_stage_with_stages_of_its_own_is_not_counted_twice() {
    let mut engine = auto(&matchings(0), 1).unwrap();
    let mut inner: Box<dyn CoverEngine> = Box::new(auto(&matchings(0), 1).unwrap());
    inner.start(&Assumptions::default());
    let mut meter = Meter::new(u64::MAX, None, None);
    while inner.next(&mut meter) != Event::End {}
    engine.order.set_row("preprocess all", inner);
    engine.note(&meter);
    assert_eq!(engine.stages().iter().map(|stage| stage.nodes).sum::<u64>(), meter.nodes);
    assert_eq!(engine.stages().iter().map(|stage| stage.ticks).sum::<u64>(), meter.ticks);
}

#[test]
fn any_budget_gives_every_solution_once_and_in_the_same_order() {
    for (problem, name) in [(matchings(0), "masks"), (wide_matchings(), "wide")] {
        let is_narrow = name == "masks";
        let mut sparse = Sparse::new(&problem).unwrap();
        let expected = solutions(&mut sparse, &Assumptions::default(), u64::MAX / 2);
        assert_eq!(expected.len(), 105);
        let ticks = drive(&mut sparse, &Assumptions::default(), Drive::list(u64::MAX)).meter.ticks;
        for budget in (0..30).chain((30..ticks + 2000).step_by(97)) {
            let mut engine = auto(&problem, budget).unwrap();
            for slice in [1, 7, 1000] {
                assert_eq!(solutions(&mut engine, &Assumptions::default(), slice), expected, "{budget}");
            }
            let engine_after = engine.delegate().map(|selection| selection.name);
            // Narrow masks serve the second search anyway, wide masks only if the try did not finish.
            let is_short = budget < ticks / 2;
            assert!(!is_narrow && !is_short || engine_after == Some(name), "{budget}");
            assert!(is_narrow || budget < ticks + 1000 || engine_after.is_none(), "{budget}");
        }
    }
}

/// The number of solutions, counted in slices of `slice` nodes, and the name of the engine that counted.
fn counted(engine: &mut Auto, assumptions: &Assumptions, slice: u64) -> (Option<u128>, &'static str) {
    let driven = drive(engine, assumptions, Drive::count(slice));
    (driven.count.to_u128(), engine.delegate().map_or("sparse", |selection| selection.name))
}

#[test]
fn counting_is_handed_over_from_engine_to_engine() {
    // Boards are swept. The counter keeps problems whose subproblems repeat; the others are handed over to option
    // masks.
    let courses = [
        (matchings(0), 105, "rows"),
        (made("dominoes 6x6"), 6728, "sweep"),
        (made("queens 9"), 352, "masks"),
        (matchings(70), 105, "rows"),
    ];
    // After a try of few nodes nothing is known about the size of a search, and any problem may be swept.
    let is_memory = |name| name == "rows" || name == "sweep";
    for (problem, count, name) in courses {
        for budget in [0, 1, 1_000, 4_000, 20_000] {
            for slice in [1, 50, 100_000] {
                let mut engine = auto(&problem, budget).unwrap();
                for _ in 0..2 {
                    let (found, by) = counted(&mut engine, &Assumptions::default(), slice);
                    assert_eq!(found, Some(count), "{name} {budget} {slice}");
                    assert!(
                        budget < 4_000 || by == name || by == "sparse" || is_memory(by) && is_memory(name),
                        "{by} not {name}"
                    );
                }
                let mut listed = solutions(&mut engine, &Assumptions::default(), slice);
                listed.dedup();
                assert_eq!(listed.len() as u128, count);
            }
        }
    }
}

proptest! {
    #[test]
    fn parts_of_a_split_search_find_all_solutions(
        problem in problems(),
        budget in 0_u64..400,
        pattern in any::<u64>(),
        draws in any::<[u32; 2]>(),
    ) {
        let Some(mut engine) = auto(&problem, budget) else { return Ok(()) };
        let count = problem.option_count().max(1) as u32;
        let [one, two] = draws.map(|draw| OptionId(draw % count));
        for assumed in 0..3 {
            let (chosen, forbidden) = match assumed {
                _ if problem.option_count() == 0 => (vec![], vec![]),
                0 => (vec![], vec![]),
                1 => (vec![one], vec![two]),
                _ => (vec![], vec![one, two]),
            };
            let expected = brute_force_with(&problem, &chosen, &forbidden);
            let is_split = |turn: u64| pattern >> (turn % 64) & 1 == 1;
            let course = Drive { is_split: &is_split, ..Drive::list(1) };
            let mut found = drive(&mut engine, &Assumptions { chosen, forbidden }, course).solutions;
            found.sort();
            prop_assert_eq!(found, expected);
        }
    }
}

/// The try is longer where the table that it may save is large.
#[test]
fn the_try_of_a_large_coloured_problem_is_longer() {
    let ticks = |options: usize, colour: &str| {
        let mut text = String::from("a b | c\n");
        for option in 0..options {
            text += &format!("{} c{colour}\n", ["a", "b"][option % 2]);
        }
        let problem: ExactCover = text.parse().unwrap();
        ticks_of_table(&problem, words_of_wide_masks(&problem))[1]
    };
    assert_eq!(ticks(100, ":x"), ticks(100, ""));
    assert!(ticks(6_000, ":x") > ticks(6_000, "") && ticks(60_000, ":x") > ticks(6_000, ":x"));
}
