//! The independent check of solutions: it uses the problem alone, and nothing of the engines.
//!
//! Every count is marked with the number of the check, so that nothing needs to be reset: a check takes time for each
//! term of the solution once, whatever the size of the problem.

use std::ops::Deref;

use crate::problem::{CoverViolation, Excerpt};
use crate::{Assumptions, Bounds, ExactCover, ItemId, OptionId};

/// Checks solutions of a problem.
#[derive(Clone, Debug)]
pub struct CoverChecker<P> {
    /// A reference to the problem, or a share in it.
    problem: P,
    /// The number of the current check, from 1.
    round: u32,
    /// For each option the last check that found it chosen.
    chosen_in: Vec<u32>,
    /// How each item is covered.
    covered: Vec<Coverage>,
    /// Primary items whose low bound is not 0.
    needed: usize,
}

/// How a check found an item covered.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    /// The number of the check. If it is not the current one, the other fields are meaningless.
    round: u32,
    /// How often it is covered.
    times: u32,
    /// The colour of a secondary item; 0 for no colour.
    colour: u32,
}

impl<P: Deref<Target = ExactCover>> CoverChecker<P> {
    /// A checker for solutions of `problem`: of a reference to it, or of an `Arc`.
    pub fn new(problem: P) -> CoverChecker<P> {
        let needed = primary_items(&problem).filter(|&item| problem.bounds(item).low > 0).count();
        CoverChecker {
            round: 0,
            chosen_in: vec![0; problem.option_count()],
            covered: vec![Coverage::default(); problem.item_count()],
            problem,
            needed,
        }
    }

    /// Checks that `options`, in any order, are a solution that fits `assumptions`.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&mut self, options: &[OptionId], assumptions: &Assumptions) -> Result<(), CoverViolation> {
        self.begin();
        let missing = self.count(options)?;
        self.are_enough(missing)?;
        self.are_as_assumed(assumptions)
    }

    /// Starts a check with a new number. The marks are reset only after 2^32 - 1 checks.
    fn begin(&mut self) {
        if self.round == u32::MAX {
            self.chosen_in.fill(0);
            self.covered.fill(Coverage::default());
            self.round = 0;
        }
        self.round += 1;
    }

    /// Counts how `options` cover the items. Returns how many primary items are below their low bound.
    fn count(&mut self, options: &[OptionId]) -> Result<usize, CoverViolation> {
        // Slices and a local number: the loop keeps them in registers.
        let (problem, round, mut missing) = (&*self.problem, self.round, self.needed);
        let (chosen_in, covered) = (&mut self.chosen_in[..], &mut self.covered[..]);
        for &option in options {
            match chosen_in.get_mut(option.index()) {
                None => return Err(CoverViolation::Option { option }),
                Some(chosen_in) if *chosen_in == round => return Err(CoverViolation::Twice { option }),
                Some(chosen_in) => *chosen_in = round,
            }
            for term in problem.option(option) {
                let name = || Excerpt::from(problem.item_name(term.item));
                let item = &mut covered[term.item.index()];
                let times = if item.round == round { item.times + 1 } else { 1 };
                if term.item.index() < problem.primary_count() {
                    let Bounds { low, high } = problem.bounds(term.item);
                    if times > high {
                        return Err(CoverViolation::Above { item: name(), high });
                    }
                    missing -= usize::from(times == low);
                } else if times > 1 && (term.colour == 0 || term.colour != item.colour) {
                    return Err(CoverViolation::Clash { item: name() });
                }
                *item = Coverage { round, times, colour: term.colour };
            }
        }
        Ok(missing)
    }

    fn are_as_assumed(&self, assumptions: &Assumptions) -> Result<(), CoverViolation> {
        let is_chosen = |option: OptionId| self.chosen_in.get(option.index()) == Some(&self.round);
        let missing = assumptions.chosen.iter().find(|&&option| !is_chosen(option));
        match missing.or_else(|| assumptions.forbidden.iter().find(|&&option| is_chosen(option))) {
            Some(&option) => Err(CoverViolation::Assumption { option }),
            None => Ok(()),
        }
    }

    /// Names an item below its low bound, if any is `missing`.
    fn are_enough(&self, missing: usize) -> Result<(), CoverViolation> {
        if missing == 0 {
            return Ok(());
        }
        let low = |item| self.problem.bounds(item).low;
        let times = |item: ItemId| match self.covered[item.index()] {
            Coverage { round, times, .. } if round == self.round => times,
            _ => 0,
        };
        let below = primary_items(&self.problem).find(|&item| times(item) < low(item));
        let item = below.unwrap_or_default();
        Err(CoverViolation::Below { item: Excerpt::from(self.problem.item_name(item)), low: low(item) })
    }
}

fn primary_items(problem: &ExactCover) -> impl Iterator<Item = ItemId> {
    (0..problem.primary_count() as u32).map(ItemId)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::numbered;
    use crate::text;

    #[test]
    fn knuths_smallest_problem_with_multiplicities_has_one_solution() {
        let problem: ExactCover = galop_testing::exact_cover::EXAMPLE_M.parse().unwrap();
        let (mut checker, none) = (CoverChecker::new(&problem), Assumptions::default());
        let item = Excerpt::from;
        assert_eq!(checker.check(&numbered([3, 1, 4]), &none), Ok(()));
        for (options, violation) in [
            (vec![], CoverViolation::Below { item: item("A"), low: 1 }),
            (vec![0, 2], CoverViolation::Below { item: item("C"), low: 2 }),
            (vec![0, 1], CoverViolation::Above { item: item("A"), high: 1 }),
            (vec![1, 2], CoverViolation::Clash { item: item("X") }),
            (vec![1, 4, 4], CoverViolation::Twice { option: OptionId(4) }),
            (vec![1, 5], CoverViolation::Option { option: OptionId(5) }),
        ] {
            assert_eq!(checker.check(&numbered(options.clone()), &none), Err(violation));
            assert_eq!(checker.check(&numbered([1, 3, 4]), &none), Ok(()), "traces of {options:?}");
        }
        for (chosen, forbidden, option) in [(vec![1, 0], vec![], 0), (vec![1, 3], vec![0, 4], 4)] {
            let assumptions = Assumptions { chosen: numbered(chosen), forbidden: numbered(forbidden) };
            let refused = Err(CoverViolation::Assumption { option: OptionId(option) });
            assert_eq!(checker.check(&numbered([1, 3, 4]), &assumptions), refused);
        }
    }

    #[test]
    fn check_numbers_start_again_after_the_last_one() {
        let problem = text::read(b"A B\nA\nB\n").unwrap().problem;
        let (mut checker, none) = (CoverChecker::new(&problem), Assumptions::default());
        assert_eq!(checker.check(&numbered([0, 1]), &none), Ok(()));
        // The missing item is named, although the check before found it covered.
        assert_eq!(
            checker.check(&numbered([0]), &none),
            Err(CoverViolation::Below { item: "B".into(), low: 1 })
        );
        assert_eq!(checker.round, 2, "checks are numbered, so that no mark is reset");
        checker.round = u32::MAX - 1;
        for _ in 0..3 {
            assert_eq!(checker.check(&numbered([0, 1]), &none), Ok(()));
            assert_eq!(
                checker.check(&numbered([1]), &none),
                Err(CoverViolation::Below { item: "A".into(), low: 1 })
            );
        }
    }

    #[test]
    fn without_a_colour_a_secondary_item_is_covered_once() {
        let problem = text::read(b"A B | X\nA X\nB X\nB X:1\nA X:1\n").unwrap().problem;
        let (mut checker, none) = (CoverChecker::new(&problem), Assumptions::default());
        assert_eq!(checker.check(&numbered([2, 3]), &none), Ok(()));
        for options in [[0, 1], [0, 2], [2, 0], [1, 3]] {
            assert_eq!(
                checker.check(&options.map(OptionId), &none),
                Err(CoverViolation::Clash { item: "X".into() })
            );
        }
    }
}
