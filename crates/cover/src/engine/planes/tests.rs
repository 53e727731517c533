//! Planes against plain counting and against brute force.

use proptest::prelude::*;

use super::*;
use crate::engine::Event;
use crate::engine::tests::{assert_seeks_all, meter, solutions};
use crate::tests::problems;
use crate::{ItemId, Natural};
use galop_simd::Isa;

/// The engine of a problem.
fn engine(problem: &ExactCover) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    (ENTRY.make)(problem, Isa::best().into())
}

/// An item that need not be covered has a branch for each option and one without any.
#[test]
fn solutions_come_in_the_order_of_the_branches() {
    let mut engine = engine(&parsed("0:2|A\nA\nA\nA\n")).unwrap();
    engine.start(&Assumptions::default());
    let expected: [&[u32]; 7] = [&[0, 1], &[0, 2], &[0], &[1, 2], &[1], &[2], &[]];
    assert_eq!(solutions(engine.as_mut(), &mut meter()), expected);
}

#[test]
fn solutions_that_differ_in_their_last_option_are_counted_together() {
    let options = "A\n".repeat(30);
    let mut planes = engine(&parsed(&format!("2|A\n{options}"))).unwrap();
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
        assert_eq!(engine(&wide(primary, options)).is_ok(), fits, "{primary} {options}");
    }
}

fn parsed(text: &str) -> ExactCover {
    text.parse().unwrap()
}

proptest! {
    /// Whatever is chosen and eliminated, the numbers equal those counted from the options.
    #[test]
    fn the_state_agrees_with_counting(problem in problems(), choices in any::<[u8; 8]>()) {
        let mut planes = Planes::<1, 6, 3>::new(&problem);
        let count = problem.option_count() as u32;
        let mut is_possible = planes.assume(&Assumptions::default(), &mut Vec::new()).is_ok();
        for a_move in choices.map(u32::from) {
            let option = a_move / 3 % count.max(1);
            is_possible = is_possible && match a_move % 3 {
                _ if !planes.stack.is_live(option) => continue,
                0 => planes.choose(option).is_ok(),
                1 => planes.forbid(option).is_ok(),
                _ => planes.propagate().is_ok(),
            };
            if !is_possible {
                break;
            }
            let live: Vec<u32> = (0..count).filter(|&option| planes.stack.is_live(option)).collect();
            let chosen = planes.stack.chosen.clone();
            let State { low, slack, .. } = planes.stack.current();
            let covers = |option: u32, item: u32| problem.option(OptionId(option)).iter().any(|term| term.item == item);
            for item in 0..problem.primary_count() as u32 {
                let taken = chosen.iter().filter(|option| covers(option.0, item)).count() as u32;
                let left = live.iter().filter(|&&option| covers(option, item)).count() as u32;
                let bounds = problem.bounds(ItemId(item));
                let needed = bounds.low.saturating_sub(taken);
                prop_assert_eq!(low.get(item as usize), needed);
                prop_assert_eq!(slack.get(item as usize) + needed, left);
                prop_assert!(taken <= bounds.high && (taken < bounds.high || left == 0));
            }
            for option in live {
                prop_assert!(!chosen.iter().any(|&taken| problem.clash(OptionId(option), taken)));
            }
        }
    }

    #[test]
    fn a_search_with_restarts_is_complete(problem in problems(), draws in any::<[u32; 2]>(), seed in any::<u64>()) {
        let mut seek = Restarting::new(Planes::<1, 6, 3>::new(&problem));
        assert_seeks_all(&mut seek, |seek, unit| seek.unit = unit, &problem, draws, seed);
    }
}
