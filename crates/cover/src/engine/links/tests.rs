//! The short path against the full one, and that both take everything back.

use proptest::prelude::*;

use super::full::Full;
use super::minima::Minima;
use super::short::Short;
use crate::engine::tests::{assert_continues_where_interrupted, meter, solutions};
use crate::engine::{CoverEngine, Event};
use crate::random::problems;
use crate::{Assumptions, ExactCover, OptionId, text};
use galop_simd::Isa;

/// The solutions in ascending order.
fn sorted(engine: &mut impl CoverEngine, assumptions: &Assumptions) -> Vec<Vec<OptionId>> {
    engine.start(assumptions);
    let mut found = solutions(engine, &mut meter());
    found.sort();
    found
}

/// The short path, for problems that it takes.
fn short(problem: &ExactCover) -> Option<Short> {
    (problem.is_simple() && !problem.has_colours()).then(|| Short::new(problem, Isa::best().into()).unwrap())
}

/// Section 7.2.2.1, (6): options ce, adg, bcf, adf, bg, deg.
const EXAMPLE_X: &str = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n";

fn example() -> Short {
    Short::new(&text::read(EXAMPLE_X.as_bytes()).unwrap().problem, Isa::best().into()).unwrap()
}

#[test]
fn the_example_of_the_book_has_one_solution() {
    let mut links = example();
    links.start(&Assumptions::default());
    assert_eq!(solutions(&mut links, &mut meter()), [[0, 3, 4]]);
    assert_eq!(links.next(&mut meter()), Event::End, "and no more");
}

#[test]
fn the_last_alternative_is_not_a_guess() {
    // Three matchings of four items: the root, three options, and the forced one below each.
    let problem = text::read(b"a b c d\na b\na c\na d\nb c\nb d\nc d\n").unwrap().problem;
    let mut links = Short::new(&problem, Isa::best().into()).unwrap();
    links.start(&Assumptions::default());
    let mut whole = meter();
    assert_eq!(solutions(&mut links, &mut whole).len(), 3);
    assert_eq!((whole.nodes, &whole.depths[..], whole.guesses), (7, &[1, 6][..], 2));
    assert!(whole.updates > 0);
    links.start(&Assumptions::default());
    whole.begin(1);
    assert_eq!(solutions(&mut links, &mut whole).len(), 1);
    assert_eq!(whole.guesses, 1);
}

#[test]
fn chosen_options_must_not_clash() {
    let mut links = example();
    for (chosen, forbidden, expected) in [
        (&[0, 0, 3][..], &[][..], 1),
        (&[0, 0, 3], &[1, 9], 1),
        (&[0, 2], &[], 0),
        (&[0, 2], &[1], 0),
        (&[0], &[0], 0),
        (&[], &[0], 0),
        (&[6], &[], 0),
        (&[6], &[1], 0),
    ] {
        let assumptions = Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() };
        assert_eq!(sorted(&mut links, &assumptions).len(), expected, "{chosen:?} {forbidden:?}");
    }
}

/// `count` items with one or two options each. All options of a problem have one item, or a few have two.
fn many_items(count: usize, options: usize, has_pairs: bool) -> ExactCover {
    let mut builder = ExactCover::builder();
    let items: Vec<u32> = (0..count).map(|item| builder.primary(&format!("i{item}"))).collect();
    for (index, &item) in items.iter().enumerate() {
        for _ in 0..options {
            builder.option([item]);
        }
        if has_pairs && index % 3 == 0 && index + 1 < count {
            builder.option([item, item + 1]);
        }
    }
    builder.finish().unwrap()
}

/// Nodes and numbers read to find the smallest item are linear in the items.
#[test]
fn the_first_solution_for_a_million_items_takes_linear_work() {
    for count in [30_000, 100_000, 1_000_000] {
        for (options, has_pairs) in [(1, false), (2, false), (1, true)] {
            let mut links = Short::new(&many_items(count, options, has_pairs), Isa::best().into()).unwrap();
            links.start(&Assumptions::default());
            let mut meter = meter();
            assert_eq!(links.next(&mut meter), Event::Solution);
            let reads = links.minima.as_ref().unwrap().reads;
            assert!(
                meter.nodes <= count as u64 + 1 && reads <= 1_000 * count as u64,
                "{count}: {reads} reads"
            );
        }
    }
}

proptest! {
    /// With minima the search is the same, node by node.
    #[test]
    fn minima_change_nothing(problem in problems(), draw in any::<u32>()) {
        let (Some(mut with), Some(mut without)) = (short(&problem), short(&problem)) else { return Ok(()) };
        with.minima = Some(Minima::default());
        let forbidden = vec![draw % problem.option_count().max(1) as u32];
        for assumptions in [Assumptions::default(), Assumptions { chosen: Vec::new(), forbidden }] {
            let [first, second] = [&mut with, &mut without].map(|links| {
                let mut meter = meter();
                links.start(&assumptions);
                (solutions(links, &mut meter), meter.nodes, meter.updates, meter.depths)
            });
            prop_assert_eq!(first, second);
        }
    }

    #[test]
    fn the_short_path_finds_what_the_full_one_finds(problem in problems(), draws in any::<[u32; 4]>()) {
        let Some(mut short) = short(&problem) else { return Ok(()) };
        let mut full = Full::new(&problem, Isa::best().into()).unwrap();
        let count = problem.option_count().max(1) as u32;
        let draws = draws.map(|draw| draw % count);
        for chosen in [&[][..], &draws[..1], &draws[..2]] {
            for forbidden in [&[][..], &draws[2..3], &draws[2..]] {
                let assumptions = Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() };
                let expected = sorted(&mut full, &assumptions);
                prop_assert_eq!(&sorted(&mut short, &assumptions), &expected);
                short.set_ascending(false);
                prop_assert_eq!(&sorted(&mut short, &assumptions), &expected);
                short.set_ascending(true);
            }
        }
    }

    #[test]
    fn the_short_path_takes_everything_back(problem in problems()) {
        let Some(mut links) = short(&problem) else { return Ok(()) };
        let fresh = links.lists.clone();
        links.start(&Assumptions::default());
        solutions(&mut links, &mut meter());
        // The options chosen before the first branch stay chosen at the end.
        links.withdraw(0, 0);
        prop_assert_eq!(links.lists.links, fresh.links);
        prop_assert_eq!(links.lists.sizes, fresh.sizes);
    }

    #[test]
    fn the_short_path_continues_where_it_was_interrupted(problem in problems()) {
        let Some(mut links) = short(&problem) else { return Ok(()) };
        assert_continues_where_interrupted(&mut links);
    }
}
