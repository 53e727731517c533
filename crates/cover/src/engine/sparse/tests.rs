//! The sets, and that a search leaves no trace for the next one.

use proptest::prelude::*;

use super::*;
use crate::engine::Seeker;
use crate::engine::tests::{Drive, drive, meter};
use crate::tests::problems;

fn sparse(problem: &ExactCover) -> Sparse {
    Sparse::new(problem).unwrap()
}

fn read(text: &str) -> ExactCover {
    text.parse().unwrap()
}

/// The number of solutions, and the meter.
fn count(engine: &mut Sparse, assumptions: &Assumptions) -> (usize, Meter<'static>) {
    let driven = drive(engine, assumptions, Drive::list(u64::MAX));
    (driven.solutions.len(), driven.meter)
}

/// The same engine with large sizes.
fn enlarge(sparse: &Sparse) -> Sparse {
    let mut large = sparse.clone();
    large.sets.enlarge(&large.table);
    large
}

/// Matchings of four items: the root and three options are nodes; the other options are forced.
#[test]
fn nodes_are_the_root_and_every_branch() {
    let mut engine = sparse(&read("a b c d\na b\na c\na d\nb c\nb d\nc d\n"));
    for _ in 0..3 {
        let (count, meter) = count(&mut engine, &Assumptions::default());
        assert_eq!((count, meter.nodes, meter.depths), (3, 4, vec![1, 3]));
    }
}

#[test]
fn bounds_are_unsuitable() {
    assert!(Sparse::new(&read("a 2|b\na b\nb\n")).is_err());
}

/// Items that have some options of their own each.
fn separate_items(items: u32, options: u32) -> ExactCover {
    ExactCover::from_options(items as usize, 0, (0..items * options).map(|option| [option / options]))
        .unwrap()
}

/// Saved sizes of a search with 100,000 levels would fill the memory; the journal takes less than the terms.
#[test]
fn the_memory_of_a_deep_search_is_linear() {
    let mut sparse = sparse(&separate_items(100_000, 2));
    let mut meter = Meter::new(100_001, None, None);
    sparse.start(&Assumptions::default());
    assert_eq!(sparse.next(&mut meter), Event::Solution);
    assert_eq!((sparse.solution().len(), meter.nodes), (100_000, 100_001));
    let bytes = sparse.sets.allocated();
    assert!(bytes < 32 << 20, "{bytes}");
    // The options of a level cover two items each, so there are half as many levels.
    assert_eq!(most_levels(&read("a b c d e\na b\nb c\nc d\nd e\na e\n")), 2);
}

/// 16 bits do not count the options of such an item, primary or secondary. (To count all solutions would take a square
/// of that number of steps.)
#[test]
fn an_item_may_have_many_options() {
    let many = 43_264;
    let mut meter = meter();
    let mut engine = sparse(&separate_items(1, many));
    engine.start(&Assumptions::default());
    assert_eq!([engine.next(&mut meter), engine.next(&mut meter)], [Event::Solution; 2]);
    let options = |item: char, count| format!("{item}\n{}", format!("{item} s\n").repeat(count));
    let problem = read(&format!("a b | s\n{}{}", options('a', 2), options('b', many as usize)));
    let mut engine = sparse(&problem);
    engine.start(&Assumptions { chosen: vec![OptionId(1)], forbidden: Vec::new() });
    assert_eq!([engine.next(&mut meter), engine.next(&mut meter)], [Event::Solution, Event::End]);
    let mut seek = Restarting::new(engine.clone());
    seek.start(&Assumptions::default(), 0);
    meter.begin(u64::MAX);
    assert_eq!(seek.next(&mut meter), Event::Solution);
}

proptest! {
    /// Large sizes change nothing: node by node the search is the same, in order and with restarts.
    #[test]
    fn both_kinds_of_sizes_search_alike(problem in problems(), seed in any::<u64>(), forbidden in any::<u32>()) {
        prop_assume!(problem.is_simple());
        let forbidden = vec![OptionId(forbidden % problem.option_count().max(1) as u32)];
        let without = Assumptions { chosen: Vec::new(), forbidden };
        let small = sparse(&problem);
        let large = enlarge(&small);
        let [first, second] = [small, large].map(|mut sparse| {
            let mut results = Vec::new();
            for assumptions in [&Assumptions::default(), &without] {
                let (found, counted) = count(&mut sparse, assumptions);
                results.push((found, counted.nodes, counted.ticks));
                let (mut seek, mut meter, mut found) = (Restarting::new(sparse.clone()), meter(), 0);
                seek.start(assumptions, seed);
                while seek.next(&mut meter) == Event::Solution {
                    found += 1;
                }
                results.push((found, meter.nodes, meter.ticks));
            }
            results
        });
        prop_assert_eq!(first, second);
    }
}
