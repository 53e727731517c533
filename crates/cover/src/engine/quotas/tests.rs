//! The engine against the planes: the same tree, whatever the bounds.

use proptest::prelude::*;

use super::*;
use crate::engine::planes;
use crate::engine::tests::{assert_continues_where_interrupted, meter, solutions};
use crate::random::problems;
use galop_simd::Isa;

/// An item that need not be covered has a branch for each option and one without any.
#[test]
fn choosing_no_option_is_a_branch() {
    let problem: ExactCover = "0:2|A\nA\nA\nA\n".parse().unwrap();
    let mut engine = Quotas::new(&problem, galop_simd::Isa::Portable.into()).unwrap();
    engine.start(&Assumptions::default());
    let found = solutions(&mut engine, &mut meter());
    assert_eq!(found, [&[0, 1][..], &[0, 2], &[0], &[1, 2], &[1], &[2], &[]]);
}

/// 600 pairs of items, each with an option of its own. Ten pairs have another one, which shares an item that is covered at
/// most once.
#[test]
fn there_may_be_more_items_than_planes_have_room_for() {
    let mut builder = ExactCover::builder();
    builder.primary_with_bounds("few", 0, 1);
    (0..1200).for_each(|item| {
        builder.primary(&item.to_string());
    });
    for item in (0..1200).step_by(2) {
        let pair = [item.to_string(), (item + 1).to_string()];
        builder.option([pair[0].as_str(), pair[1].as_str()]);
        if item < 20 {
            builder.option([pair[0].as_str(), pair[1].as_str(), "few"]);
        }
    }
    let problem = builder.finish().unwrap();
    assert!((planes::ENTRY.make)(&problem, Isa::best().into()).is_err());
    // At most one of the ten pairs uses the option with the shared item.
    assert_eq!(problem.count().unwrap(), 11_u128);
    let mut solver = problem.solver().unwrap();
    assert_eq!(solver.engine().name, "quotas");
    assert!(solver.first(&crate::CoverLimits::NONE).unwrap().is_some());
}

proptest! {
    #[test]
    fn the_tree_is_that_of_the_planes(problem in problems()) {
        let mut planes = (planes::ENTRY.make)(&problem, Isa::best().into()).unwrap();
        let mut quotas = Quotas::new(&problem, galop_simd::Isa::Portable.into()).unwrap();
        planes.start(&Assumptions::default());
        quotas.start(&Assumptions::default());
        let (mut expected, mut found) = (meter(), meter());
        prop_assert_eq!(solutions(&mut quotas, &mut found), solutions(planes.as_mut(), &mut expected));
    }

    #[test]
    fn a_search_continues_where_it_was_interrupted(problem in problems()) {
        assert_continues_where_interrupted(&mut Quotas::new(&problem, galop_simd::Isa::Portable.into()).unwrap());
    }
}
