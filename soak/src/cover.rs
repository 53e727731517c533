//! Small exact cover problems: every engine against brute force, or against dancing links.

use std::ops::ControlFlow;

use galop_cover::engine::{ENGINES, LINKS};
use galop_cover::{Choice, CoverLimits, End, ExactCover, OptionId, Rank, Setup, Solver};
use galop_testing::chance::Chance;
use galop_testing::exact_cover::{SMALL, brute_force, problems};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::Disagreement;
use crate::families::FAMILIES;

/// Problems of a round that brute force solves.
const PROBLEMS: usize = 200;

/// A problem of a family is left out if dancing links take more nodes or find more solutions.
const MOST_NODES: u64 = 20_000;
const MOST_SOLUTIONS: u64 = 2_000;

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
    for family in FAMILIES {
        let (least, most) = (*family.small.start(), *family.small.end());
        let (size, seed) = (least + chance.below(most - least + 1), chance.number());
        let text = family.make(size, seed).expect("a size of the family");
        solves += agree_with_links(&text)
            .map_err(|why| Disagreement(format!("{} {size} {seed}: {why}\n{text}", family.name)))?;
    }
    Ok(solves)
}

/// Whether every engine counts and lists the solutions that brute force finds; the number of solves.
fn agree(text: &str) -> Result<u64, String> {
    let problem = text.parse().map_err(|error| format!("{error}"))?;
    let expected = brute_force(text).into_iter().map(|options| options.into_iter().map(OptionId).collect());
    agree_with(&problem, &expected.collect::<Vec<_>>())
}

/// The same for the solutions that dancing links find within the limits.
fn agree_with_links(text: &str) -> Result<u64, String> {
    let problem = text.parse().map_err(|error| format!("{error}"))?;
    let mut solver = Solver::new(&problem, Choice::Engine(&LINKS)).map_err(|error| error.to_string())?;
    let mut expected = Vec::new();
    let listed =
        solver.search(&CoverLimits::first(MOST_SOLUTIONS).with_nodes(MOST_NODES)).for_each(|options| {
            expected.push(options.to_vec());
            ControlFlow::Continue(())
        });
    expected.sort();
    match listed {
        Err(error) => Err(error.to_string()),
        Ok(outcome) if outcome.end != End::Complete => Ok(0),
        Ok(_) => agree_with(&problem, &expected),
    }
}

/// Whether every engine counts and lists the solutions `expected`, and finds one of them first.
fn agree_with(problem: &ExactCover, expected: &[Vec<OptionId>]) -> Result<u64, String> {
    let mut solves = 1;
    let cost = |options: &Vec<OptionId>| options.iter().map(|&option| u128::from(problem.cost(option))).sum();
    if problem.has_costs() {
        let ranking = problem.rank(Rank::Cheapest, 1).search(&CoverLimits::NONE);
        let best = ranking.map(|ranking| ranking.covers.first().map(|cover| cover.cost));
        let least: Option<u128> = expected.iter().map(cost).min();
        if !matches!(best, Ok(best) if best == least) {
            return Err(format!("the best solution costs {best:?}, not {least:?}"));
        }
        solves += 1;
    }
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
                return Err(format!("{choice:?} lists {found:?}, not {expected:?}"));
            }
            let setup = Setup::from(choice).seed(1);
            let first =
                Solver::new(problem, setup).and_then(|mut solver| solver.search(&CoverLimits::NONE).first());
            let is_expected = match &first {
                Ok(Some(options)) => expected.binary_search(options).is_ok(),
                Ok(None) => expected.is_empty(),
                Err(_) => false,
            };
            if !is_expected {
                return Err(format!("{choice:?} finds {first:?} first, of {expected:?}"));
            }
            solves += 2;
        }
        let Ok(mut solver) = Solver::new(problem, choice) else { continue };
        let count = solver.search(&CoverLimits::NONE).count().map(|outcome| outcome.solutions.to_u128());
        if !matches!(count, Ok(Some(count)) if count == expected.len() as u128) {
            return Err(format!("{choice:?} counts {count:?}, not {}", expected.len()));
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
