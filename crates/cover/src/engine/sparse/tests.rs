//! The sets, and that a search leaves no trace for the next one.

use proptest::prelude::*;

use super::*;
use crate::engine::Seeker;
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

/// The saved sizes of a deep search would fill the memory. Forced options need no level, so they need no memory either.
#[test]
fn problems_that_could_need_too_much_memory_are_refused() {
    let with_options = |options: usize| {
        let mut builder = ExactCover::builder();
        for item in 0..100_000 {
            let item = builder.primary(&format!("i{item}"));
            for _ in 0..options {
                builder.option([item]);
            }
        }
        Sparse::new(&builder.finish().unwrap(), Isa::Portable.into()).map(|_| ())
    };
    assert_eq!(with_options(1), Ok(()));
    let refused = with_options(2).unwrap_err();
    assert_eq!(
        refused,
        Unsuitable::TooLarge { what: "bytes of saved sizes", found: 20_000_000_000, most: MAX_SAVED_BYTES }
    );
    // The options of a level cover two items each, so there are half as many levels.
    assert_eq!(most_levels(&text::read(b"a b c d e\na b\nb c\nc d\nd e\na e\n").unwrap().problem), 2);
}

proptest! {
    /// The lists of a search, in order and with restarts, never take more than its own bytes.
    #[test]
    fn lists_take_what_is_reserved(problem in problems(), is_coloured in any::<bool>()) {
        prop_assume!(problem.is_simple() && problem.has_colours() == is_coloured);
        let mut sparse = Sparse::new(&problem, Isa::Portable.into()).unwrap();
        count(&mut sparse, &Assumptions::default());
        let lists = 2 * sparse.saved.capacity()
            + 4 * (sparse.branches.capacity() + sparse.trail.capacity() + sparse.solution.capacity())
            + size_of::<Level>() * sparse.levels.capacity();
        prop_assert!(lists + sparse.sets.allocated() <= sparse.own_bytes() + SMALLEST_LISTS);
        let mut seek = Seek::new(&sparse);
        seek.start(&Assumptions::default(), 0);
        let mut meter = Meter::new(u64::MAX, None, None);
        while seek.next(&mut meter) != Event::End {}
        prop_assert!(seek.allocated() <= sparse.own_bytes() + SMALLEST_LISTS);
    }
}

/// Bytes of lists that hold anything: a list that begins has room for four elements.
const SMALLEST_LISTS: usize = 4 * (size_of::<Level>() + 16 * 2 + 3 * 4);
