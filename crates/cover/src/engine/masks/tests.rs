//! Both engines on every instruction set of this machine: known counts, sizes, the same tree.

use proptest::prelude::*;

use super::{Shape, make};
use crate::engine::{CoverEngine, Event, LINKS, Meter};
use crate::tests::made;
use crate::{Assumptions, Bounds, ExactCover, OptionId, Term};
use galop_simd::Isa;
use galop_testing::available::{isas, large_set_text};

/// An option as (item, colour).
type Terms = Vec<(u32, u32)>;

/// The problem of these options.
pub(super) fn problem(primary_count: usize, secondary_count: usize, options: &[Terms]) -> ExactCover {
    let mut problem =
        ExactCover { primary_count, item_count: primary_count + secondary_count, ..ExactCover::default() };
    for option in options {
        problem.terms.extend(option.iter().map(|&(item, colour)| Term { item, colour }));
        problem.starts.push(problem.terms.len() as u32);
    }
    problem
}

fn plain(items: impl IntoIterator<Item = u32>) -> Terms {
    items.into_iter().map(|item| (item, 0)).collect()
}

/// Both engines on every instruction set, where they take the problem.
fn engines(problem: &ExactCover) -> impl Iterator<Item = (Shape, Isa, Box<dyn CoverEngine>)> {
    let kinds = isas().into_iter().flat_map(|isa| [(Shape::Narrow, isa), (Shape::Wide, isa)]);
    kinds.filter_map(|(shape, isa)| Some((shape, isa, make(problem, isa.into(), shape).ok()?)))
}

fn count(engine: &mut dyn CoverEngine, assumptions: &Assumptions) -> usize {
    let (mut meter, mut count) = (Meter::new(u64::MAX, None, None), 0);
    engine.start(assumptions);
    while engine.next(&mut meter) == Event::Solution {
        count += 1;
    }
    count
}

/// All solutions, each sorted, in the order they are found.
fn solutions(engine: &mut dyn CoverEngine, assumptions: &Assumptions) -> Vec<Vec<OptionId>> {
    let (mut meter, mut found) = (Meter::new(u64::MAX, None, None), Vec::new());
    engine.start(assumptions);
    while engine.next(&mut meter) == Event::Solution {
        assert!(engine.solution().starts_with(&assumptions.chosen));
        found.push(sorted(engine.solution()));
    }
    assert_eq!(engine.next(&mut meter), Event::End);
    found
}

fn sorted(options: &[OptionId]) -> Vec<OptionId> {
    let mut options = options.to_vec();
    options.sort_unstable();
    options
}

#[test]
fn counts_are_known() {
    let known = [
        ("no items", problem(0, 2, &[]), 1),
        ("an item without options", problem(2, 0, &[plain([0])]), 0),
        ("queens 4", made("queens 4"), 2),
        ("queens 5", made("queens 5"), 10),
        ("queens 6", made("queens 6"), 4),
        ("queens 7", made("queens 7"), 40),
        ("queens 8", made("queens 8"), 92),
        ("queens 9", made("queens 9"), 352),
        ("langford 3", made("langford 3"), 2),
        ("langford 4", made("langford 4"), 2),
        ("langford 5", made("langford 5"), 0),
        ("langford 7", made("langford 7"), 52),
        ("langford 8", made("langford 8"), 300),
        ("latin 4", made("latin 4"), 576),
        ("dominoes 4x4", made("dominoes 4x4"), 36),
        ("dominoes 6x6", made("dominoes 6x6"), 6728),
    ];
    for (name, problem, expected) in known {
        let mut made = 0;
        for (shape, isa, mut engine) in engines(&problem) {
            made += 1;
            let found = count(engine.as_mut(), &Assumptions::default());
            assert_eq!(found, expected, "{name} {shape:?} {isa:?}");
        }
        assert!(made >= 4, "{name}");
    }
}

/// An item has more options than a byte can count, so sums of bytes overflow.
#[test]
fn an_item_may_have_thousands_of_options() {
    let mut options = vec![plain([0]); 2100];
    options.extend(vec![plain([1]); 3]);
    for (shape, isa, mut engine) in engines(&problem(2, 0, &options)) {
        assert_eq!(shape, Shape::Wide);
        assert_eq!(count(engine.as_mut(), &Assumptions::default()), 6300, "{isa:?}");
    }
}

#[test]
fn what_does_not_fit_is_not_made() {
    let twice = ExactCover { bounds: vec![Bounds { low: 1, high: 2 }], ..problem(1, 0, &[plain([0])]) };
    assert_eq!(engines(&twice).count(), 0);
    let narrow = |problem: &ExactCover| engines(problem).filter(|made| made.0 == Shape::Narrow).count();
    let items = |count: u32, options: usize| problem(count as usize, 0, &vec![plain(0..count); options]);
    for (count, options) in [(1, 31), (64, 31), (64, 16), (1024, 15)] {
        assert_eq!(narrow(&items(count, options)), isas().len(), "{count} items of {options} options");
    }
    for (count, options) in [(1, 32), (65, 16), (1025, 15)] {
        assert_eq!(narrow(&items(count, options)), 0, "{count} items of {options} options");
    }
    assert!(engines(&items(1025, 1)).count() > 0, "wide");
    // A table of 64 MB.
    assert_eq!(engines(&problem(1, 0, &vec![plain([0]); 130_000])).count(), 0);
}

/// One engine for all: clues are assumed.
#[test]
fn one_matrix_serves_all_sudokus() {
    let Some(text) = large_set_text("17_clue.txt") else { return };
    for (shape, isa, mut engine) in engines(&made("sudoku 3x3")) {
        for line in text.lines().step_by(1000) {
            let clues = line.bytes().zip(0..).filter(|(byte, _)| (b'1'..=b'9').contains(byte));
            let chosen = clues.map(|(byte, cell)| 9 * cell + u32::from(byte - b'1')).collect();
            let assumptions = Assumptions { chosen, forbidden: Vec::new() };
            let found = solutions(engine.as_mut(), &assumptions);
            assert_eq!(found.len(), usize::from(line.len() == 81), "{shape:?} {isa:?} {line}");
            assert!(found.iter().all(|solution| solution.len() == 81));
        }
    }
}

/// All instruction sets search the same tree, and so do both shapes where they agree on ties.
#[test]
fn every_machine_searches_the_same_tree() {
    for problem in ["queens 8", "latin 4", "langford 8"].map(made) {
        let trees: Vec<(Shape, Vec<u64>)> = engines(&problem)
            .map(|(shape, _, mut engine)| {
                let mut meter = Meter::new(u64::MAX, None, None);
                while engine.next(&mut meter) == Event::Solution {}
                (shape, meter.depths)
            })
            .collect();
        for (shape, depths) in &trees {
            assert!(trees.iter().all(|(other, others)| other != shape || others == depths));
        }
    }
}

/// Up to five primary and three secondary items, three colours.
fn problems(options: usize) -> impl Strategy<Value = ExactCover> {
    let option = (1_usize..32, proptest::array::uniform3(0_u32..8));
    (1_usize..=5, proptest::collection::vec(option, 0..options)).prop_map(|(primary, options)| {
        let option = |(set, colours): (usize, [u32; 3])| {
            let items = (0..primary as u32).filter(|&item| set >> item & 1 == 1);
            let mut terms = plain(items);
            if terms.is_empty() {
                terms.push((set as u32 % primary as u32, 0));
            }
            // 0..=3: no colour and three colours; the rest leaves the item out.
            let secondary = (primary as u32..).zip(colours).filter(|&(_, colour)| colour < 4);
            terms.extend(secondary);
            terms
        };
        problem(primary, 3, &options.into_iter().map(option).collect::<Vec<_>>())
    })
}

proptest! {
    /// Items of several words, among others.
    #[test]
    fn problems_of_many_options_have_the_solutions_of_links(problem in problems(240)) {
        let mut links = (LINKS.make)(&problem, Isa::best().into()).unwrap();
        let mut expected = solutions(links.as_mut(), &Assumptions::default());
        expected.sort();
        for (shape, isa, mut engine) in engines(&problem) {
            let mut found = solutions(engine.as_mut(), &Assumptions::default());
            found.sort();
            prop_assert!(found == expected, "{:?} {:?}", shape, isa);
        }
    }
}
