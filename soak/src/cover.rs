//! Small exact cover problems: every engine against brute force.

use std::ops::ControlFlow;

use galop_cover::engine::ENGINES;
use galop_cover::{Choice, CoverLimits, ExactCover, OptionId, Solver};
use galop_testing::chance::Chance;
use galop_testing::exact_cover::{SMALL, brute_force, problems};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::Disagreement;

/// Problems of a round.
const PROBLEMS: usize = 200;

/// Solves small random problems. Returns the number of solves.
pub(crate) fn round(chance: &mut Chance) -> Result<u64, Disagreement> {
    let seed: Vec<u8> = (0..4).flat_map(|_| chance.number().to_le_bytes()).collect();
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let mut solves = 0;
    for _ in 0..PROBLEMS {
        let mut tree = problems(SMALL).new_tree(&mut runner).expect("a problem");
        let Err(mut why) = agree(&tree.current()).map(|more| solves += more) else { continue };
        // Simplify as proptest does.
        while tree.simplify() {
            loop {
                match agree(&tree.current()) {
                    Err(simpler) => {
                        why = simpler;
                        break;
                    }
                    Ok(_) if !tree.complicate() => break,
                    Ok(_) => {}
                }
            }
        }
        return Err(Disagreement(format!("{why}\n{}", tree.current())));
    }
    Ok(solves)
}

/// Whether every engine counts and lists the solutions that brute force finds; the number of solves.
fn agree(text: &str) -> Result<u64, String> {
    let expected = brute_force(text);
    let problem: &ExactCover = &text.parse().map_err(|error| format!("{error}"))?;
    let mut solves = 1;
    let choices = ENGINES.iter().map(Choice::Engine).chain([Choice::Auto]);
    for choice in choices {
        let Ok(mut solver) = Solver::new(problem, choice) else { continue };
        if choice.lists() {
            let mut found: Vec<Vec<OptionId>> = Vec::new();
            let listed = solver.search(&CoverLimits::NONE).for_each(|options| {
                let mut options = options.to_vec();
                options.sort_unstable();
                found.push(options);
                ControlFlow::Continue(())
            });
            if let Err(error) = listed {
                return Err(format!("{choice:?}: {error}"));
            }
            found.sort();
            if found != expected {
                return Err(format!("{choice:?} lists {found:?}, brute force {expected:?}"));
            }
            solves += 1;
        }
        let Ok(mut solver) = Solver::new(problem, choice) else { continue };
        let count = solver.search(&CoverLimits::NONE).count().map(|outcome| outcome.solutions.to_u128());
        if !matches!(count, Ok(Some(count)) if count == expected.len() as u128) {
            return Err(format!("{choice:?} counts {count:?}, brute force {}", expected.len()));
        }
        solves += 1;
    }
    Ok(solves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;

    #[test]
    fn rounds_agree() {
        assert!(round(&mut chance(1, 1)).unwrap() > 1_000);
    }
}
