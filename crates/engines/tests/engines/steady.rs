//! Engines whose guesses are the same in any batch.

use galop_engines::Rules;
use galop_engines::engine::{ENGINES, Isa, Reach, Remainder, SinglesPass};
use galop_engines::puzzle::{Limits, Puzzles, Status};
use galop_testing::available::isas;
use galop_testing::puzzles::damaged;

use crate::solve;

/// Guesses do not depend on the batch, and are 0 where singles suffice.
#[test]
fn guesses_of_steady_engines_depend_on_the_puzzle_alone() {
    let rules = Rules::default();
    let (cells, limits) = (damaged(1_500), Limits::UNIQUE);
    let all = Puzzles::new(&cells, 81).unwrap();
    let mut left = Vec::new();
    SinglesPass::new(&rules, Isa::best(), Reach::Singles).unwrap().run(all, &mut left);
    for entry in ENGINES.iter().filter(|entry| entry.steady.is_some()) {
        for isa in isas() {
            let mut engine = entry.make_steady(&rules, isa).unwrap();
            let mut guesses = |sizes: &[usize]| {
                let (mut guesses, mut start, mut sizes) = (Vec::new(), 0, sizes.iter().cycle());
                while start < all.len() {
                    let end = all.len().min(start + sizes.next().unwrap());
                    let found = solve(&mut *engine, &cells[81 * start..81 * end], 81, limits);
                    guesses.extend(found.iter().map(|(answer, _)| {
                        (answer.status(limits) == Status::Solved).then_some(answer.effort.guesses)
                    }));
                    start = end;
                }
                guesses
            };
            let together = guesses(&[all.len()]);
            assert!(together.iter().flatten().sum::<u64>() > 100);
            assert!(guesses(&[1, 2, 3, 300, 5, 40, 31]) == together, "{} {isa:?}", entry.name);
            for (left, guesses) in left.iter().zip(&together) {
                assert!(*left != Remainder::Nothing || *guesses == Some(0));
                assert!(*left != Remainder::Contradiction || guesses.is_none());
            }
        }
    }
}
