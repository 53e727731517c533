//! The book's examples, the drawing, and that everything is taken back.

use proptest::prelude::*;

use super::*;
use crate::engine::tests::{assert_continues_where_interrupted, meter, solutions};
use crate::random::problems;
use crate::text;
use galop_simd::Isa;

fn full(text: &str) -> Full {
    Full::new(&text::read(text.as_bytes()).unwrap().problem, Isa::best().into()).unwrap()
}

/// Section 7.2.2.1, (6): options ce, adg, bcf, adf, bg, deg.
const EXAMPLE_X: &str = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n";
/// Section 7.2.2.1, (49): one solution.
const EXAMPLE_C: &str = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n";
const EXAMPLE_M: &str = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n";

#[test]
fn the_examples_of_the_book_have_one_solution() {
    for (text, solution) in [(EXAMPLE_X, &[0, 3, 4][..]), (EXAMPLE_C, &[1, 3]), (EXAMPLE_M, &[1, 3, 4])] {
        let mut links = full(text);
        links.start(&Assumptions::default());
        assert_eq!(solutions(&mut links, &mut meter()), [solution]);
        assert_eq!(links.next(&mut meter()), Event::End, "and no more");
    }
}

#[test]
fn the_state_is_that_of_the_drawing() {
    let links = full("A B C | X Y\nA B Y:c\nA C X\n");
    assert_eq!(links.nodes.len(), 15);
    assert_eq!(links.nodes[1], Node { top: 2, up: 11, down: 7, colour: 0 });
    assert_eq!(links.nodes[9], Node { top: 5, up: 5, down: 5, colour: 1 });
    assert_eq!(links.nodes[10], Node { top: SPACER, up: 7, down: 13, colour: 0 });
    assert_eq!((links.items[0].right, links.items[3].right, links.items[4].right), (1, 0, 4));
}

#[test]
fn nodes_are_the_root_and_every_option_tried() {
    // Three matchings of four items: the root, three options, and the forced one below each.
    let mut links = full("a b c d\na b\na c\na d\nb c\nb d\nc d\n");
    links.start(&Assumptions::default());
    let mut meter = meter();
    assert_eq!(solutions(&mut links, &mut meter).len(), 3);
    assert_eq!((meter.nodes, &meter.depths[..]), (7, &[1, 6][..]));
    assert!(meter.updates > 0);
}

#[test]
fn assumptions_that_clash_leave_nothing() {
    let mut links = full(EXAMPLE_C);
    for (chosen, forbidden, expected) in [
        (&[1][..], &[][..], 1),
        (&[1, 3, 1], &[0, 2, 4, 0], 1),
        (&[1, 2], &[], 0),
        (&[0], &[], 0),
        (&[1], &[1], 0),
        (&[], &[3], 0),
        (&[5], &[], 0),
        (&[], &[5], 1),
    ] {
        links.start(&Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() });
        assert_eq!(solutions(&mut links, &mut meter()).len(), expected, "{chosen:?} {forbidden:?}");
    }
}

proptest! {
    /// Whatever was searched, and wherever it was left, the links go back to what they were.
    #[test]
    fn everything_is_taken_back(problem in problems(), nodes in 0_u64..30, chosen in any::<u32>()) {
        let fresh = Full::new(&problem, Isa::best().into()).unwrap();
        let mut links = fresh.clone();
        let count = problem.option_count().max(1) as u32;
        let assumptions = Assumptions { chosen: vec![chosen % count], forbidden: vec![chosen / 7 % count] };
        links.start(&assumptions);
        solutions(&mut links, &mut Meter::new(nodes, None, None));
        links.withdraw();
        prop_assert_eq!(links.nodes, fresh.nodes);
        prop_assert_eq!(links.items, fresh.items);
        prop_assert_eq!(links.moves.len(), 0);
    }

    #[test]
    fn a_search_continues_where_it_was_interrupted(problem in problems()) {
        assert_continues_where_interrupted(&mut Full::new(&problem, Isa::best().into()).unwrap());
    }
}
