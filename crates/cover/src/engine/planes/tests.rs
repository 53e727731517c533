//! The numbers of a state against plain counting, and the sizes.

use proptest::prelude::*;

use super::*;
use crate::engine::tests::{assert_continues_where_interrupted, meter, solutions};
use crate::random::problems;
use crate::text;
use galop_simd::Isa;

fn read(text: &str) -> ExactCover {
    text::read(text.as_bytes()).unwrap().problem
}

#[test]
fn the_smallest_problem_with_multiplicities() {
    let problem = read("A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n");
    let mut engine = (ENTRY.make)(&problem, Isa::best().into()).unwrap();
    engine.start(&Assumptions::default());
    assert_eq!(solutions(engine.as_mut(), &mut meter()), [[1, 3, 4]]);
    assert_eq!(engine.next(&mut meter()), Event::End, "there is only one");
}

/// An item that need not be covered has a branch for each option and one without any.
#[test]
fn choosing_no_option_is_a_branch() {
    let problem = read("0:2|A\nA\nA\nA\n");
    let mut engine = (ENTRY.make)(&problem, Isa::best().into()).unwrap();
    engine.start(&Assumptions::default());
    let found = solutions(engine.as_mut(), &mut meter());
    assert_eq!(found, [&[0, 1][..], &[0, 2], &[0], &[1, 2], &[1], &[2], &[]]);
}

#[test]
fn problems_get_the_size_they_need() {
    let size = |problem: &ExactCover| {
        Size::of(problem).ok().map(|Size { words, slack, bound }| (words, slack, bound))
    };
    assert_eq!(size(&ExactCover::default()), Some((1, 1, 1)));
    // Three options and one of them needed: the slack is 2. A high bound that cannot be reached does not count.
    assert_eq!(size(&read("A\nA\nA\nA\n")), Some((1, 2, 1)));
    assert_eq!(size(&read("0:9|A\nA\nA\nA\nA\n")), Some((1, 3, 3)));
    let wide = |primary: u32, options: u32| {
        let mut builder = ExactCover::builder();
        (0..primary).for_each(|item| {
            builder.primary(&item.to_string());
        });
        (0..options).for_each(|option| {
            builder.option([option % primary]);
        });
        builder.finish().unwrap()
    };
    assert_eq!(size(&wide(65, 65)), Some((2, 1, 1)));
    for (primary, options, fits) in
        [(1_024, 2_000, true), (1_025, 2_000, false), (1, 16_384, true), (1, 16_385, false)]
    {
        assert_eq!(
            (ENTRY.make)(&wide(primary, options), Isa::best().into()).is_ok(),
            fits,
            "{primary} {options}"
        );
    }
}

#[test]
fn a_bound_above_the_number_of_options_has_no_solution() {
    let mut engine = (ENTRY.make)(&read("3|A B\nA\nA B\n"), Isa::best().into()).unwrap();
    engine.start(&Assumptions::default());
    assert_eq!(engine.next(&mut meter()), Event::End);
    assert_eq!(engine.progress(), 1.0);
}

proptest! {
    /// Whatever is chosen and eliminated, the numbers equal those counted from the options.
    #[test]
    fn the_state_agrees_with_counting(problem in problems(), moves in any::<[u8; 8]>()) {
        let mut planes = Planes::<1, 4, 4>::new(&problem, Isa::Portable.into()).unwrap();
        planes.start(&Assumptions::default());
        let count = problem.option_count() as u32;
        let mut is_possible = planes.levels.step == Step::Enter;
        for a_move in moves.map(u32::from) {
            let mut position = if is_possible { planes.position() } else { break };
            let option = a_move / 3 % count.max(1);
            is_possible = match a_move % 3 {
                _ if !position.is_live(option) => continue,
                0 => position.choose(option),
                1 => position.forbid(option),
                _ => position.propagate(),
            }
            .is_ok();
            if !is_possible {
                break;
            }
            let live: Vec<u32> = (0..count).filter(|&option| position.is_live(option)).collect();
            let covers = |option: u32, item: u32| problem.option(option).iter().any(|term| term.item == item);
            for item in 0..problem.primary_count() as u32 {
                let taken = position.chosen.iter().filter(|&&option| covers(option, item)).count() as u32;
                let left = live.iter().filter(|&&option| covers(option, item)).count() as u32;
                let bounds = problem.bounds(item);
                let low = bounds.low.saturating_sub(taken);
                prop_assert_eq!(position.state.low.get(item as usize), low);
                prop_assert_eq!(position.state.slack.get(item as usize) + low, left);
                prop_assert!(taken <= bounds.high && (taken < bounds.high || left == 0));
            }
            for option in live {
                prop_assert!(!position.chosen.iter().any(|&taken| problem.clash(option, taken)));
            }
        }
    }

    #[test]
    fn a_search_continues_where_it_was_interrupted(problem in problems()) {
        assert_continues_where_interrupted((ENTRY.make)(&problem, Isa::best().into()).unwrap().as_mut());
    }
}
