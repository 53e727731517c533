//! Both engines on every instruction set of this machine: known counts, sizes.

use galop_testing::available::isas;
use galop_testing::exact_cover::Sizes;
use proptest::prelude::*;

use super::{Shape, TABLE_BYTES, make};
use crate::engine::tests::{Drive, drive};
use crate::engine::{CoverEngine, LINKS, Unsuitable};
use crate::tests::drawn;
use crate::{Assumptions, Bounds, ExactCover, OptionId};
use galop_simd::Isa;

/// The problem of these options.
fn problem(primary_count: usize, options: impl IntoIterator<Item = Vec<u32>>) -> ExactCover {
    ExactCover::from_options(primary_count, 0, options).unwrap()
}

/// Both engines on every instruction set, where they take the problem.
fn engines(problem: &ExactCover) -> impl Iterator<Item = (Shape, Isa, Box<dyn CoverEngine>)> {
    let kinds = isas().into_iter().flat_map(|isa| [(Shape::Narrow, isa), (Shape::Wide, isa)]);
    kinds.filter_map(|(shape, isa)| Some((shape, isa, make(problem, isa.into(), shape).ok()?)))
}

/// All solutions, each sorted, in ascending order.
fn solutions(engine: &mut dyn CoverEngine) -> Vec<Vec<OptionId>> {
    let mut found = drive(engine, &Assumptions::default(), Drive::list(u64::MAX)).solutions;
    found.sort();
    found
}

/// An item has more options than a byte can count, so sums of bytes overflow.
#[test]
fn an_item_may_have_thousands_of_options() {
    let options = (0..2103).map(|option| vec![u32::from(option >= 2100)]);
    for (shape, isa, mut engine) in engines(&problem(2, options)) {
        assert_eq!(shape, Shape::Wide);
        assert_eq!(solutions(engine.as_mut()).len(), 6300, "{isa:?}");
    }
}

#[test]
fn what_does_not_fit_is_not_made() {
    let twice = ExactCover { bounds: vec![Bounds { low: 1, high: 2 }], ..problem(1, [vec![0]]) };
    assert_eq!(engines(&twice).count(), 0);
    let narrow = |problem: &ExactCover| engines(problem).filter(|made| made.0 == Shape::Narrow).count();
    let items = |count: u32, options: usize| problem(count as usize, vec![(0..count).collect(); options]);
    for (count, options) in [(1, 31), (64, 31), (64, 16), (1024, 15)] {
        assert_eq!(narrow(&items(count, options)), isas().len(), "{count} items of {options} options");
    }
    for (count, options) in [(1, 32), (65, 16), (1025, 15)] {
        assert_eq!(narrow(&items(count, options)), 0, "{count} items of {options} options");
    }
    assert!(engines(&items(1025, 1)).count() > 0, "wide");
    // A table of 64 MB.
    assert_eq!(engines(&problem(1, vec![vec![0]; 130_000])).count(), 0);
}

/// Seven items of one option and one of 7,000: in vectors of eight words the table would have twice the bytes of the
/// table in vectors of four, 50 MB instead of 25. Every machine refuses it.
#[test]
fn a_table_is_judged_as_on_the_machine_that_pads_most() {
    let options = (0..7).map(|item| vec![item]).chain((0..7_000).map(|_| vec![7]));
    let found = problem(8, options);
    for isa in isas() {
        let most = TABLE_BYTES;
        let why = make(&found, isa.into(), Shape::Wide).err();
        assert_eq!(why, Some(Unsuitable::TooLarge { what: "bytes of table", found: 7_008 * 64 * 112, most }));
    }
}

/// Problems whose items have options for several words.
const MANY_OPTIONS: Sizes = Sizes { primary: 1..=5, secondary: 3..=3, options: 0..=239, has_bounds: false };

proptest! {
    #[test]
    fn problems_of_many_options_have_the_solutions_of_links(problem in drawn(MANY_OPTIONS)) {
        let expected = solutions((LINKS.make)(&problem, Isa::best().into()).unwrap().as_mut());
        for (shape, isa, mut engine) in engines(&problem) {
            prop_assert!(solutions(engine.as_mut()) == expected, "{:?} {:?}", shape, isa);
        }
    }
}
