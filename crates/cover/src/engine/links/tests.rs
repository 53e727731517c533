//! The short path against the full one, and that both take everything back.

use proptest::prelude::*;

use super::full::Full;
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

proptest! {
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
