//! Diagrams against brute force, and samples against the chi-square distribution.

use proptest::prelude::*;

use super::*;
use crate::engine::sweep::{self, SweepPlan};
use crate::engine::tests::{meter, sorted};
use crate::engine::{Unsuitable, bitset};
use crate::tests::{beside, brute_force, brute_force_with, drawn, made};
use crate::{Bounds, CoverLimits, Natural, OptionId, text};
use galop_simd::Isa;
use galop_testing::exact_cover::{SMALL, Sizes, side_by_side};

/// Problems without bounds.
fn problems() -> BoxedStrategy<ExactCover> {
    drawn(Sizes { has_bounds: false, ..SMALL })
}

/// The diagram of a problem, without limits.
fn built(problem: &ExactCover) -> Diagram {
    Diagram::build(problem, &CoverLimits::NONE, None).unwrap()
}

proptest! {
    #[test]
    fn counts_marginals_solutions_and_samples_are_those_of_brute_force(problem in problems(), seed in any::<u64>()) {
        let expected = brute_force(&problem);
        let diagram = built(&problem);
        prop_assert_eq!(diagram.count(), expected.len() as u128);
        let marginals: Vec<Natural> = (0..problem.option_count() as u32).map(OptionId)
            .map(|option| expected.iter().filter(|solution| solution.contains(&option)).count())
            .map(|count| Natural::from(count as u128))
            .collect();
        prop_assert_eq!(diagram.marginals(), marginals);
        // Each solution has its rank.
        for (rank, solution) in diagram.solutions().enumerate() {
            prop_assert_eq!(diagram.nth(&Natural::from(rank as u128)), Some(solution));
        }
        prop_assert_eq!(diagram.nth(&diagram.count()), None);
        let samples: Vec<_> = diagram.sample(seed).take(20).collect();
        prop_assert_eq!(samples.is_empty(), expected.is_empty());
        prop_assert!(samples.iter().all(|sample| expected.contains(&sorted(sample))));
        prop_assert_eq!(diagram.sample(seed).take(20).collect::<Vec<_>>(), samples);
        let mut solutions: Vec<_> = diagram.solutions().collect();
        solutions.sort();
        prop_assert_eq!(&solutions, &expected);
        let plan = SweepPlan::new(&problem, f64::INFINITY, f64::INFINITY).unwrap();
        let swept = sweep::record(&plan, &mut meter(), usize::MAX).unwrap();
        let filtered = bitset::record(&problem, Isa::best(), &mut meter(), 1 << 24).unwrap().unwrap();
        for (builder, root) in [swept, filtered] {
            let diagram = builder.finish(&problem, root);
            let mut solutions: Vec<_> = diagram.solutions().map(|solution| sorted(&solution)).collect();
            solutions.sort();
            prop_assert_eq!(&solutions, &expected);
        }
    }

    #[test]
    fn restrictions_pick_among_the_solutions(problem in problems(), draws in any::<[u32; 3]>()) {
        let count = problem.option_count().max(1) as u32;
        let [one, two, three] = draws.map(|draw| OptionId(draw % count));
        let diagram = built(&problem);
        for (chosen, forbidden) in
            [
                (&[][..], &[][..]),
                (&[one], &[two]),
                (&[one, two], &[]),
                (&[one, two, two], &[three]),
                (&[], &[one, three]),
            ]
        {
            let unknown = chosen.iter().chain(forbidden).any(|&option| option.index() >= problem.option_count());
            let restricted = diagram.with(chosen, forbidden);
            prop_assert_eq!(restricted.is_err(), unknown);
            if let Ok(restricted) = restricted {
                let mut solutions: Vec<_> = restricted.solutions().collect();
                solutions.sort();
                prop_assert_eq!(restricted.count(), solutions.len() as u128);
                prop_assert_eq!(solutions, brute_force_with(&problem, chosen, forbidden));
            }
        }
    }

}

#[test]
fn counts_of_the_literature() {
    for (words, count) in [("dominoes 8x8", 12_988_816), ("queens 8", 92), ("langford 8", 300)] {
        assert_eq!(built(&made(words)).count(), count, "{words:?}");
    }
    // Beyond 128 bits: 101 copies of a board with 36 tilings each.
    let board = text::to_text(&made("dominoes 4x4"));
    let diagram = built(&side_by_side(&[&board; 101]).parse().unwrap());
    let power = (0..101).fold(Natural::ONE, |power, _| &power * &Natural::from(36));
    assert_eq!(diagram.count(), power);
    assert_eq!(diagram.nth(&power), None);
    let last = power.checked_sub(&Natural::ONE).unwrap();
    for rank in [Natural::ZERO, last.div_rem(&Natural::from(7)).unwrap().0, last.clone()] {
        assert_eq!(diagram.nth(&rank).map(|solution| solution.len()), Some(8 * 101));
    }
    assert_eq!(diagram.solutions().next(), diagram.nth(&Natural::ZERO));
    let third = power.div_rem(&Natural::from(36)).unwrap().0;
    assert!(diagram.marginals().iter().all(|marginal| marginal > &third && *marginal < power));
}

/// 4 x 5 dominoes have 95 tilings, and two such boards 9,025: every one of the 95, on either board, is as likely as the
/// others. With 94 degrees of freedom, chi-square is above 140 with a probability of 0.0014, and below 60 with 0.003.
#[test]
fn samples_are_uniform() {
    let board = made("dominoes 4x5");
    let options = OptionId(board.option_count() as u32);
    let diagram = built(&beside(&board, &board));
    assert_eq!(diagram.count(), 95 * 95);
    let mut tilings: Vec<Vec<OptionId>> = built(&board).solutions().collect();
    tilings.sort();
    let mut times = [[0_u32; 95]; 2];
    const SAMPLES: usize = 9500;
    for sample in diagram.sample(1).take(SAMPLES) {
        let (first, second) = sample.split_at(10);
        let second: Vec<OptionId> = second.iter().map(|&option| OptionId(option.0 - options.0)).collect();
        times[0][tilings.binary_search(&first.to_vec()).unwrap()] += 1;
        times[1][tilings.binary_search(&second).unwrap()] += 1;
    }
    for times in times {
        let expected = SAMPLES as f64 / 95.0;
        let chi_square: f64 =
            times.iter().map(|&times| (f64::from(times) - expected).powi(2) / expected).sum();
        assert!((60.0..140.0).contains(&chi_square), "{chi_square}");
    }
}

#[test]
fn equal_nodes_are_stored_once() {
    let problem = made("dominoes 2x2");
    let mut builder = DiagramBuilder::default();
    let mut node = |branches: &[(&[u32], &[NodeId])]| {
        builder.begin();
        branches.iter().for_each(|&(options, children)| builder.branch(Branch { options, children }));
        builder.end().unwrap()
    };
    let leaf = node(&[(&[3], &[DONE])]);
    assert_eq!(node(&[(&[3], &[])]), leaf);
    assert_eq!(node(&[]), NONE);
    assert_eq!(node(&[(&[], &[])]), DONE);
    assert_eq!(node(&[(&[], &[DONE, leaf])]), leaf);
    assert_eq!(node(&[(&[1], &[leaf, NONE])]), NONE);
    let root = node(&[(&[2], &[leaf])]);
    assert_eq!(root, 1);
    let diagram = builder.clone().finish(&problem, root);
    assert_eq!(diagram.solutions().collect::<Vec<_>>(), [[2, 3]]);
    for (root, count) in [(NONE, 0), (DONE, 1)] {
        let diagram = builder.clone().finish(&problem, root);
        assert_eq!((diagram.count(), diagram.solutions().count()), (count.into(), count as usize));
        assert_eq!(diagram.sample(1).take(3).count(), 3 * count as usize);
    }
}

#[test]
fn problems_that_no_search_records_are_refused() {
    let refused = |problem: &ExactCover| Diagram::build(problem, &CoverLimits::NONE, None).unwrap_err();
    let bounded = refused(&"a 2:3|b c\na b\nb c\na c\n".parse().unwrap());
    assert_eq!(bounded, DiagramError::Bounds { name: "b".into(), bounds: Bounds { low: 2, high: 3 } });
    assert!(bounded.to_string().starts_with("item `b` has bounds, 2:3, and"), "{bounded}");
    // No border is short: every row of the board shares cells with every column.
    let wide = refused(&made("queens 100"));
    let DiagramError::TooWide { why: Unsuitable::TooLarge { what: "bits an option", most: 512, .. } } = wide
    else {
        panic!("{wide}");
    };
}

#[test]
fn limits_and_memory_end_the_search_with_an_error() {
    let problem = made("queens 9");
    let limits = CoverLimits { nodes: Some(100), ..CoverLimits::NONE };
    let stopped = Diagram::build(&problem, &limits, None).unwrap_err();
    assert_eq!(stopped, DiagramError::Stopped { end: crate::End::Nodes });
    let full = Diagram::build(&problem, &CoverLimits::NONE, Some(10_000)).unwrap_err();
    assert_eq!(full, DiagramError::Memory { bytes: 10_000 });
}

/// A search of 100,000 choices, one below the other.
#[test]
fn the_depth_of_a_problem_does_not_matter() {
    let options = (0..1999_u32).flat_map(|item| [vec![item, item + 1], vec![item]]);
    let diagram = built(&ExactCover::from_options(2000, 0, options).unwrap());
    assert_eq!(diagram.solutions().next().map(|solution| solution.len() >= 1000), Some(true));
    assert!(diagram.count().bit_length() > 1000);
}
