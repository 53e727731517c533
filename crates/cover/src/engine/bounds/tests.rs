//! Both layouts against each other, against plain counting and against brute force, on every instruction set.

use galop_testing::available::isas;
use galop_testing::exact_cover::squares;
use proptest::prelude::*;

use super::planes::Planes;
use super::tables::Size;
use super::tables::State;
use super::*;
use crate::engine::tests::{meter, solutions, sought};
use crate::engine::{CoverEngine, Event, Meter};
use crate::tests::assumptions;
use crate::tests::{brute_force_with, problems};
use crate::{ExactCover, ItemId, Natural};
use galop_simd::Isa;

/// Both layouts, and adders for each instruction set of this machine.
fn engines(problem: &ExactCover) -> Vec<Box<dyn CoverEngine>> {
    let adders = isas().into_iter().map(|isa| (ADDERS.make)(problem, isa.into()).unwrap());
    std::iter::once((PLANES.make)(problem, Isa::best().into()).unwrap()).chain(adders).collect()
}

/// What every engine finds, in this order.
#[track_caller]
fn assert_found(problem: &str, expected: &[&[OptionId]]) {
    for mut engine in engines(&problem.parse().unwrap()) {
        engine.start(&Assumptions::default());
        assert_eq!(solutions(engine.as_mut(), &mut meter()), expected);
        assert_eq!(engine.next(&mut meter()), Event::End);
        assert_eq!(engine.progress(), 1.0);
    }
}

#[test]
fn solutions_come_in_the_order_of_the_branches() {
    assert_found("3|A B\nA\nA B\n", &[]);
    // An item that need not be covered has a branch for each option and one without any.
    assert_found(
        "0:2|A\nA\nA\nA\n",
        &[
            &[OptionId(0), OptionId(1)],
            &[OptionId(0), OptionId(2)],
            &[OptionId(0)],
            &[OptionId(1), OptionId(2)],
            &[OptionId(1)],
            &[OptionId(2)],
            &[],
        ],
    );
}

#[test]
fn solutions_that_differ_in_their_last_option_are_counted_together() {
    let options = "A\n".repeat(30);
    let problem: ExactCover = format!("2|A\n{options}").parse().unwrap();
    let mut planes = (PLANES.make)(&problem, Isa::best().into()).unwrap();
    planes.start(&Assumptions::default());
    let (mut meter, mut found) = (meter(), Natural::ZERO);
    while planes.count(&mut meter, &mut found) != Some(Event::End) {}
    assert!(found == 435);
    assert!(meter.nodes < 60, "{} nodes", meter.nodes);
}

#[test]
fn problems_get_the_size_they_need() {
    let size = |problem: &ExactCover| {
        Size::of(problem).ok().map(|Size { words, slack, bound }| (words, slack, bound))
    };
    assert_eq!(size(&ExactCover::default()), Some((1, 1, 1)));
    // Three options and one of them needed: the slack is 2. A high bound that cannot be reached does not count.
    assert_eq!(size(&parsed("A\nA\nA\nA\n")), Some((1, 2, 1)));
    assert_eq!(size(&parsed("0:9|A\nA\nA\nA\nA\n")), Some((1, 3, 3)));
    let wide = |primary: u32, options: u32| {
        ExactCover::from_options(primary as usize, 0, (0..options).map(|option| [option % primary])).unwrap()
    };
    assert_eq!(size(&wide(65, 65)), Some((2, 1, 1)));
    for (primary, options, fits) in
        [(1_024, 2_000, true), (1_025, 2_000, false), (1, 16_384, true), (1, 16_385, false)]
    {
        assert_eq!(
            (PLANES.make)(&wide(primary, options), Isa::best().into()).is_ok(),
            fits,
            "{primary} {options}"
        );
    }
}

fn parsed(text: &str) -> ExactCover {
    text.parse().unwrap()
}

/// The items of 64 options do not fit one window, and the items of one option may not either.
#[test]
fn many_items_need_many_windows() {
    for (side, counts) in [(13, &[(1, 9), (4, 6), (8, 1)][..]), (26, &[(3, 12), (5, 8), (10, 2), (13, 1)])] {
        let problem: ExactCover = squares(side, counts).parse().unwrap();
        let found = engines(&problem).into_iter().map(|mut engine| {
            engine.start(&Assumptions::default());
            let mut meter = Meter::new(300, None, None);
            (solutions(engine.as_mut(), &mut meter), meter.nodes)
        });
        let found: Vec<_> = found.collect();
        assert!(found.iter().all(|other| *other == found[0]));
    }
}

/// Asserts that a search with restarts is complete, however short its runs are.
fn assert_sought<L: Layout>(layout: L, assumptions: &Assumptions, seed: u64, expected: &[Vec<OptionId>]) {
    let mut seek = Seek::new(layout);
    for (units, slice) in [([1, 1], 1), ([1, 1000], 1000), ([2, 1], 3), ([5, 2], 2), ([1000, 1000], 1000)] {
        seek.units = units;
        seek.start(assumptions, seed);
        let (found, is_twice) = sought(&mut seek, slice);
        assert!(found.iter().eq(expected), "{units:?}: {found:?} {expected:?}");
        assert!(!is_twice || units[0] < 1000, "a run finds a solution twice");
    }
}

proptest! {
    /// Whatever is chosen and eliminated, the numbers equal those counted from the options.
    #[test]
    fn the_state_agrees_with_counting(problem in problems(), choices in any::<[u8; 8]>()) {
        let mut planes = Planes::<1, 6, 3>::new(&problem);
        let count = problem.option_count() as u32;
        let mut is_possible = planes.reset().is_ok();
        for a_move in choices.map(u32::from) {
            let option = a_move / 3 % count.max(1);
            is_possible = is_possible && match a_move % 3 {
                _ if !planes.stack.is_live(option) => continue,
                0 => Layout::choose(&mut planes, option).is_ok(),
                1 => Layout::forbid(&mut planes, option).is_ok(),
                _ => Layout::propagate(&mut planes).is_ok(),
            };
            if !is_possible {
                break;
            }
            let live: Vec<u32> = (0..count).filter(|&option| planes.stack.is_live(option)).collect();
            let chosen = planes.stack.chosen.clone();
            let State { low, slack, .. } = planes.stack.current();
            let covers = |option: u32, item: u32| problem.option(OptionId(option)).iter().any(|term| term.item == item);
            for item in 0..problem.primary_count() as u32 {
                let taken = chosen.iter().filter(|&&option| covers(option, item)).count() as u32;
                let left = live.iter().filter(|&&option| covers(option, item)).count() as u32;
                let bounds = problem.bounds(ItemId(item));
                let needed = bounds.low.saturating_sub(taken);
                prop_assert_eq!(low.get(item as usize), needed);
                prop_assert_eq!(slack.get(item as usize) + needed, left);
                prop_assert!(taken <= bounds.high && (taken < bounds.high || left == 0));
            }
            for option in live {
                prop_assert!(!chosen.iter().any(|&taken| problem.clash(OptionId(option), OptionId(taken))));
            }
        }
    }

    /// However short the runs are, all solutions were found when the search ends, and nothing else.
    #[test]
    fn a_search_with_restarts_is_complete(
        problem in problems(),
        draws in any::<[u32; 2]>(),
        seed in any::<u64>(),
    ) {
        let assumptions = assumptions(&problem, draws);
        let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
        assert_sought(Planes::<1, 6, 3>::new(&problem), &assumptions, seed, &expected);
        assert_sought(adders::portable(&problem), &assumptions, seed, &expected);
    }
}
