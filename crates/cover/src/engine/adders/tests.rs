//! The engine against the planes: the same tree, whatever the bounds and the instruction set.

use proptest::prelude::*;

use super::Adders;
use crate::engine::tests::{assert_continues_where_interrupted, meter, solutions};
use crate::engine::{CoverEngine, Meter, planes};
use crate::random::problems;
use crate::{Assumptions, ExactCover, ItemId};
use galop_simd::Isa;

/// An item that need not be covered has a branch for each option and one without any.
#[test]
fn choosing_no_option_is_a_branch() {
    let problem: ExactCover = "0:2|A\nA\nA\nA\n".parse().unwrap();
    let mut engine = Adders::new(&problem, Isa::best().into()).unwrap();
    engine.start(&Assumptions::default());
    let found = solutions(&mut engine, &mut meter());
    assert_eq!(found, [&[0, 1][..], &[0, 2], &[0], &[1, 2], &[1], &[2], &[]]);
}

/// Squares packed into a square: sizes, and how many there are of each.
fn squares(side: u32, squares: &[(u32, u32)]) -> ExactCover {
    let mut builder = ExactCover::builder();
    let names =
        squares.iter().map(|(size, count)| builder.primary_with_bounds(&size.to_string(), *count, *count));
    let names: Vec<ItemId> = names.collect();
    let cells: Vec<ItemId> = (0..side * side).map(|cell| builder.primary(&format!("cell {cell}"))).collect();
    for (&(size, _), name) in squares.iter().zip(names) {
        for corner in
            (0..side * side).filter(|corner| corner / side + size <= side && corner % side + size <= side)
        {
            let covered = (0..size * size).map(|at| cells[(corner + at / size * side + at % size) as usize]);
            builder.option(std::iter::once(name).chain(covered));
        }
    }
    builder.finish().unwrap()
}

/// The items of 64 options do not fit one window, and the items of one option may not either.
#[test]
fn many_items_need_many_windows() {
    for (side, counts) in [(13, &[(1, 9), (4, 6), (8, 1)][..]), (26, &[(3, 12), (5, 8), (10, 2), (13, 1)])] {
        let problem = squares(side, counts);
        let mut engine = Adders::new(&problem, Isa::best().into()).unwrap();
        let mut expected = (planes::ENTRY.make)(&problem, Isa::best().into()).unwrap();
        engine.start(&Assumptions::default());
        expected.start(&Assumptions::default());
        let [mut found, mut wanted] = [0; 2].map(|_| Meter::new(2000, None, None));
        assert_eq!(solutions(&mut engine, &mut found), solutions(expected.as_mut(), &mut wanted));
        assert_eq!(found.nodes, wanted.nodes);
    }
}

/// The engine for each instruction set of this machine.
fn engines(problem: &ExactCover) -> impl Iterator<Item = Adders> {
    let isas = Isa::ALL.into_iter().filter(|isa| isa.is_available());
    isas.map(|isa| Adders::new(problem, isa.into()).unwrap())
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
            prop_assert_eq!(&solutions(&mut engine, &mut found), &solved);
        }
    }

    #[test]
    fn a_search_continues_where_it_was_interrupted(problem in problems()) {
        for mut engine in engines(&problem) {
            assert_continues_where_interrupted(&mut engine);
        }
    }
}
