//! The engine against the planes: the same tree, whatever the bounds.

use proptest::prelude::*;

use super::{Numbers, Quotas, Sliced};
use crate::engine::tests::{assert_continues_where_interrupted, meter, solutions};
use crate::engine::{CoverEngine, planes};
use crate::random::problems;
use crate::{Assumptions, ExactCover};
use galop_simd::Isa;

/// An item that need not be covered has a branch for each option and one without any.
#[test]
fn choosing_no_option_is_a_branch() {
    let problem: ExactCover = "0:2|A\nA\nA\nA\n".parse().unwrap();
    let mut engine = Quotas::<Sliced>::new(&problem, Isa::best().into()).unwrap();
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

/// The engine with each kind of slacks, and each instruction set of this machine.
fn engines(problem: &ExactCover) -> Vec<Box<dyn CoverEngine>> {
    let isas = Isa::ALL.into_iter().filter(|isa| isa.is_available());
    let mut engines: Vec<Box<dyn CoverEngine>> = Vec::new();
    for isa in isas {
        engines.push(Box::new(Quotas::<Sliced>::new(problem, isa.into()).unwrap()));
    }
    engines.push(Box::new(Quotas::<Numbers>::new(problem, Isa::best().into()).unwrap()));
    engines
}

proptest! {
    #[test]
    fn the_tree_is_that_of_the_planes(problem in problems()) {
        let mut planes = (planes::ENTRY.make)(&problem, Isa::best().into()).unwrap();
        planes.start(&Assumptions::default());
        let mut expected = meter();
        let solved = solutions(planes.as_mut(), &mut expected);
        for mut engine in engines(&problem) {
            engine.start(&Assumptions::default());
            let mut found = meter();
            prop_assert_eq!(&solutions(engine.as_mut(), &mut found), &solved);
        }
    }

    #[test]
    fn a_search_continues_where_it_was_interrupted(problem in problems()) {
        for mut engine in engines(&problem) {
            assert_continues_where_interrupted(engine.as_mut());
        }
    }
}
