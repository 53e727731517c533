//! The sets, and that a search leaves no trace for the next one.

use proptest::prelude::*;

use super::*;
use crate::engine::Seeker;
use crate::engine::tests::assert_continues_where_interrupted;
use crate::random::problems;
use crate::text;
use galop_simd::Isa;

fn sparse(text: &str) -> Sparse {
    Sparse::new(&text::read(text.as_bytes()).unwrap().problem, Isa::Portable.into()).unwrap()
}

fn count(engine: &mut Sparse, assumptions: &Assumptions) -> (u64, Meter<'static>) {
    let mut meter = Meter::new(u64::MAX, None, None);
    engine.start(assumptions);
    let mut count = 0;
    while engine.next(&mut meter) == Event::Solution {
        count += 1;
    }
    (count, meter)
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
    let mut engine = sparse("a b c d\na b\na c\na d\nb c\nb d\nc d\n");
    for _ in 0..3 {
        let (count, meter) = count(&mut engine, &Assumptions::default());
        assert_eq!((count, meter.nodes, meter.depths), (3, 4, vec![1, 3]));
    }
}

#[test]
fn colours_agree_or_clash() {
    // The book's (49): one solution, options 1 and 3.
    let mut engine = sparse("p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n");
    assert_eq!(count(&mut engine, &Assumptions::default()).0, 1);
    let mut solution = engine.solution().to_vec();
    solution.sort_unstable();
    assert_eq!(solution, [1, 3]);
    let assume = |chosen: &[OptionId], forbidden: &[OptionId]| Assumptions {
        chosen: chosen.to_vec(),
        forbidden: forbidden.to_vec(),
    };
    for (chosen, forbidden, expected) in
        [(&[1][..], &[][..], 1), (&[3, 1, 3], &[0, 0], 1), (&[2], &[], 0), (&[1], &[3], 0), (&[3], &[3], 0)]
    {
        assert_eq!(count(&mut engine, &assume(chosen, forbidden)).0, expected, "{chosen:?} {forbidden:?}");
    }
    assert_eq!(count(&mut engine, &Assumptions::default()).0, 1, "traces of the assumptions");
}

#[test]
fn an_item_without_options_has_no_solution_and_bounds_are_unsuitable() {
    assert_eq!(count(&mut sparse("a b\na\n"), &Assumptions::default()).0, 0);
    let bounded = text::read(b"a 2|b\na b\nb\n").unwrap().problem;
    assert!(Sparse::new(&bounded, Isa::Portable.into()).is_err());
    assert!(
        Sparse::new(&ExactCover::default(), Isa::Portable.into())
            .is_ok_and(|mut engine| { count(&mut engine, &Assumptions::default()).0 == 1 })
    );
}

/// A problem of so many items, each with an option or more of its own.
fn separate_items(items: usize, options: usize) -> ExactCover {
    let mut builder = ExactCover::builder();
    for item in 0..items {
        let item = builder.primary(&format!("i{item}"));
        for _ in 0..options {
            builder.option([item]);
        }
    }
    builder.finish().unwrap()
}

/// Saved sizes of a search with 100,000 levels would fill the memory; the journal takes less than the terms.
#[test]
fn the_memory_of_a_deep_search_is_linear() {
    let mut sparse = Sparse::new(&separate_items(100_000, 2), Isa::Portable.into()).unwrap();
    let mut meter = Meter::new(100_001, None, None);
    sparse.start(&Assumptions::default());
    assert_eq!(sparse.next(&mut meter), Event::Solution);
    assert_eq!((sparse.solution().len(), meter.nodes), (100_000, 100_001));
    assert!(sparse.own_bytes() < 32 << 20, "{}", sparse.own_bytes());
    // The options of a level cover two items each, so there are half as many levels.
    assert_eq!(most_levels(&text::read(b"a b c d e\na b\nb c\nc d\nd e\na e\n").unwrap().problem), 2);
}

/// 16 bits do not count the options of such an item, primary or secondary. (To count all solutions would take a square of
/// that number of steps.)
#[test]
fn an_item_may_have_many_options() {
    let many = 43_264;
    let mut meter = Meter::new(u64::MAX, None, None);
    let mut engine = Sparse::new(&separate_items(1, many), Isa::Portable.into()).unwrap();
    engine.start(&Assumptions::default());
    assert_eq!([engine.next(&mut meter), engine.next(&mut meter)], [Event::Solution; 2]);
    let mut builder = ExactCover::builder();
    let (a, b, shared) = (builder.primary("a"), builder.primary("b"), builder.secondary("s"));
    for (item, count) in [(a, 2), (b, many)] {
        builder.option([item]);
        for _ in 0..count {
            builder.option([item, shared]);
        }
    }
    let mut engine = Sparse::new(&builder.finish().unwrap(), Isa::Portable.into()).unwrap();
    engine.start(&Assumptions { chosen: vec![1], forbidden: Vec::new() });
    assert_eq!([engine.next(&mut meter), engine.next(&mut meter)], [Event::Solution, Event::End]);
    let mut seek = Seek::new(&engine);
    seek.start(&Assumptions::default(), 0);
    assert_eq!(seek.next(&mut Meter::new(u64::MAX, None, None)), Event::Solution);
}

proptest! {
    /// Large sizes change nothing: node by node the search is the same, in order and with restarts.
    #[test]
    fn both_kinds_of_sizes_search_alike(problem in problems(), seed in any::<u64>(), forbidden in any::<u32>()) {
        prop_assume!(problem.is_simple());
        let forbidden = vec![forbidden % problem.option_count().max(1) as u32];
        let small = Sparse::new(&problem, Isa::Portable.into()).unwrap();
        let large = enlarge(&small);
        let [first, second] = [small, large].map(|mut sparse| {
            let mut results = Vec::new();
            for assumptions in [Assumptions::default(), Assumptions { chosen: Vec::new(), forbidden: forbidden.clone() }] {
                let (found, meter) = count(&mut sparse, &assumptions);
                results.push((found, meter.nodes, meter.updates));
                let (mut seek, mut meter, mut found) = (Seek::new(&sparse), Meter::new(u64::MAX, None, None), 0);
                seek.start(&assumptions, seed);
                while seek.next(&mut meter) == Event::Solution {
                    found += 1;
                }
                results.push((found, meter.nodes, meter.updates));
            }
            results
        });
        prop_assert_eq!(first, second);
    }

    #[test]
    fn a_search_continues_where_it_was_interrupted(problem in problems(), is_large in any::<bool>()) {
        prop_assume!(problem.is_simple());
        let small = Sparse::new(&problem, Isa::Portable.into()).unwrap();
        let mut sparse = if is_large { enlarge(&small) } else { small };
        assert_continues_where_interrupted(&mut sparse);
    }

    /// The lists of a search, in order and with restarts, never take more than its own bytes.
    #[test]
    fn lists_take_what_is_reserved(problem in problems(), is_coloured in any::<bool>()) {
        prop_assume!(problem.is_simple() && problem.has_colours() == is_coloured);
        let mut sparse = Sparse::new(&problem, Isa::Portable.into()).unwrap();
        count(&mut sparse, &Assumptions::default());
        let lists = sparse.branches.allocated() + 4 * (sparse.trail.capacity() + sparse.solution.capacity());
        prop_assert!(lists + sparse.sets.allocated() <= sparse.own_bytes() + SMALLEST_LISTS);
        let mut seek = Seek::new(&sparse);
        seek.start(&Assumptions::default(), 0);
        let mut meter = Meter::new(u64::MAX, None, None);
        while seek.next(&mut meter) != Event::End {}
        prop_assert!(seek.allocated() <= sparse.own_bytes() + SMALLEST_LISTS);
    }
}

/// Bytes of lists that hold anything: a list that begins has room for four elements.
const SMALLEST_LISTS: usize = 4 * (40 + 16 * 2 + 3 * 4 + 16);
