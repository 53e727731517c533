//! Every engine on one thread and on several: the same solutions, limits, progress.

use std::num::NonZero;
use std::ops::ControlFlow;

use galop_testing::exact_cover::{self, SMALL, Sizes};
use proptest::prelude::*;

use crate::engine::ENGINES;
use crate::{
    Assumptions, Choice, CoverLimits, End, ExactCover, Observer, OptionId, Progress, Setup, Solver, models,
    text,
};

/// Random problems of these sizes. (Boxed, because each test would compile all parts of the strategy again.)
pub(crate) fn drawn(sizes: Sizes) -> BoxedStrategy<ExactCover> {
    exact_cover::problems(sizes).prop_map(|text| text.parse().unwrap()).boxed()
}

/// Problems of up to five primary items with bounds, three secondary ones in three colours, and eleven options.
pub(crate) fn problems() -> BoxedStrategy<ExactCover> {
    drawn(SMALL)
}

/// All solutions, each ascending, in ascending order.
pub(crate) fn brute_force(problem: &ExactCover) -> Vec<Vec<OptionId>> {
    brute_force_with(problem, &[], &[])
}

/// The solutions that contain all options of `chosen` and none of `forbidden`.
pub(crate) fn brute_force_with(
    problem: &ExactCover,
    chosen: &[OptionId],
    forbidden: &[OptionId],
) -> Vec<Vec<OptionId>> {
    let number = |options: &[OptionId]| options.iter().map(|option| option.0).collect::<Vec<u32>>();
    let solutions =
        exact_cover::brute_force_with(&text::to_text(problem), &number(chosen), &number(forbidden));
    solutions.into_iter().map(numbered).collect()
}

/// Options by their numbers.
pub(crate) fn numbered(numbers: impl IntoIterator<Item = u32>) -> Vec<OptionId> {
    numbers.into_iter().map(OptionId).collect()
}

/// The problem that `galop make` makes of these words: `queens 8`.
pub(crate) fn made(words: &str) -> ExactCover {
    models::make(words).unwrap()
}

/// Two problems side by side.
pub(crate) fn beside(one: &ExactCover, other: &ExactCover) -> ExactCover {
    exact_cover::side_by_side(&[one, other].map(text::to_text)).parse().unwrap()
}

/// Assumptions by two draws: an option is chosen in a third of them, and one is forbidden.
pub(crate) fn assumptions(problem: &ExactCover, draws: [u32; 2]) -> Assumptions {
    let count = problem.option_count() as u32;
    let [chosen, forbidden] = draws
        .map(|draw| if draw % 3 > 0 || count == 0 { Vec::new() } else { vec![OptionId(draw / 3 % count)] });
    Assumptions { chosen, forbidden }
}

/// All solutions in the order of delivery, on the threads of the solver.
fn list(solver: &mut Solver<'_>) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    let outcome = solver.search(&CoverLimits::NONE).for_each(|options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap().clone();
    assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(found.len() as u128), End::Complete));
    assert_eq!(solver.depths().iter().sum::<u64>(), outcome.nodes);
    found
}

proptest! {
    /// Plainly and after preprocessing, for any assumptions, on one to four threads in turn.
    #[test]
    fn every_engine_finds_what_brute_force_finds(problem in problems(), draws in any::<[u32; 3]>()) {
        let count = problem.option_count().max(1) as u32;
        let [one, two, three] = draws.map(|draw| OptionId(draw % count));
        // (The tests of engines repeat options.)
        let both = if one == two { vec![one] } else { vec![one, two] };
        let assumed: &[(&[OptionId], &[OptionId])] =
            &[(&[], &[]), (&[one], &[two]), (&both, &[]), (&[], &[one, three]), (&[], &[])];
        let assumed = if problem.option_count() == 0 { &assumed[..1] } else { assumed };
        let expected: Vec<_> =
            assumed.iter().map(|(chosen, forbidden)| brute_force_with(&problem, chosen, forbidden)).collect();
        let choices = ENGINES.iter().map(Choice::Engine).chain([Choice::Auto]);
        let setups = choices.flat_map(|choice| [choice.into(), Setup { has_preprocessing: true, ..choice.into() }]);
        for (setup, turn) in setups.zip(draws[0] % 4..) {
            let Ok(mut solver) = Solver::new(&problem, setup) else { continue };
            let threads = 1 + turn as usize % 4;
            solver.set_threads(NonZero::new(threads)).unwrap();
            for ((chosen, forbidden), expected) in assumed.iter().zip(&expected) {
                solver.assume(chosen, forbidden).unwrap();
                if setup.choice.lists() {
                    let mut found = list(&mut solver);
                    found.sort();
                    prop_assert_eq!(&found, expected, "{:?} {} {:?} {:?}", setup, threads, chosen, forbidden);
                }
                let counted = solver.search(&CoverLimits::NONE).count().unwrap().solutions;
                prop_assert_eq!(counted, expected.len() as u128, "{:?} {}", setup, threads);
            }
        }
    }
}

#[test]
fn the_fraction_never_falls_and_ends_at_1() {
    struct Growing(Vec<f64>);
    impl Observer for Growing {
        fn solution(&mut self, _: &[OptionId]) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn progress(&mut self, progress: &Progress) {
            self.0.push(progress.fraction);
        }
    }
    let problem = made("matching 14");
    for threads in 1..=3 {
        let mut solver = Solver::new(&problem, Choice::Engine(&ENGINES[0])).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        let mut seen = Growing(Vec::new());
        solver.search(&CoverLimits::NONE).observe(&mut seen).list().unwrap();
        assert!(seen.0.is_sorted(), "{:?}", seen.0);
        assert_eq!(seen.0.last(), Some(&1.0));
    }
}
