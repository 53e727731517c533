//! The independent check of a solution: it knows the problem and nothing of how solutions are found.
//!
//! It counts what is covered, and takes back only what it counted: a check costs the solution's own terms,
//! however large the problem.

use super::{Assumptions, Colour, CoverViolation, ExactCover, ItemId, OptionId};

/// Checks solutions of a problem.
#[derive(Clone, Debug)]
pub struct Checker<'p> {
    problem: &'p ExactCover,
    /// Whether each option is among those looked at.
    is_chosen: Vec<bool>,
    /// How often each item is covered by them.
    covered: Vec<u32>,
    /// In which colour a covered secondary item is; 0 if in none.
    colours: Vec<Colour>,
    /// Primary items whose low bound is not reached yet, at the start of a check and now.
    needed: usize,
    missing: usize,
}

impl<'p> Checker<'p> {
    /// A check for solutions of `problem`.
    pub fn new(problem: &'p ExactCover) -> Checker<'p> {
        let needed = primary_items(problem).filter(|&item| problem.bounds(item).low > 0).count();
        Checker {
            problem,
            is_chosen: vec![false; problem.option_count()],
            covered: vec![0; problem.item_count()],
            colours: vec![0; problem.item_count()],
            needed,
            missing: needed,
        }
    }

    /// Whether `options`, in any order, are a solution that is as it was assumed to be.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&mut self, options: &[OptionId], assumptions: &Assumptions) -> Result<(), CoverViolation> {
        self.missing = self.needed;
        let added = options.iter().try_for_each(|&option| self.add(option));
        let done = added.and_then(|()| self.are_enough()).and_then(|()| self.are_as_assumed(assumptions));
        for &option in options {
            if let Some(is_chosen) = self.is_chosen.get_mut(option as usize) {
                *is_chosen = false;
            }
            for term in self.problem.option(option) {
                self.covered[term.item as usize] = 0;
                self.colours[term.item as usize] = 0;
            }
        }
        done
    }

    /// Counts what `option` covers.
    fn add(&mut self, option: OptionId) -> Result<(), CoverViolation> {
        match self.is_chosen.get_mut(option as usize) {
            None => return Err(CoverViolation::Option { option }),
            Some(true) => return Err(CoverViolation::Twice { option }),
            Some(is_chosen) => *is_chosen = true,
        }
        for term in self.problem.option(option) {
            let item = term.item as usize;
            let name = || self.problem.item_name(term.item).to_owned();
            let covered = self.covered[item] + 1;
            self.covered[item] = covered;
            if item < self.problem.primary_count() {
                let bounds = self.problem.bounds(term.item);
                if covered > bounds.high {
                    return Err(CoverViolation::Above { item: name(), high: bounds.high });
                }
                self.missing -= usize::from(covered == bounds.low);
            } else if covered > 1 && (term.colour == 0 || term.colour != self.colours[item]) {
                return Err(CoverViolation::Clash { item: name() });
            } else {
                self.colours[item] = term.colour;
            }
        }
        Ok(())
    }

    fn are_as_assumed(&self, assumptions: &Assumptions) -> Result<(), CoverViolation> {
        let is_chosen = |option: OptionId| self.is_chosen.get(option as usize) == Some(&true);
        let missing = assumptions.chosen.iter().find(|&&option| !is_chosen(option));
        match missing.or_else(|| assumptions.forbidden.iter().find(|&&option| is_chosen(option))) {
            Some(&option) => Err(CoverViolation::Assumption { option }),
            None => Ok(()),
        }
    }

    /// Whether every item is covered often enough.
    fn are_enough(&self) -> Result<(), CoverViolation> {
        if self.missing == 0 {
            return Ok(());
        }
        let low = |item| self.problem.bounds(item).low;
        let below = primary_items(self.problem).find(|&item| self.covered[item as usize] < low(item));
        let item = below.unwrap_or(0);
        Err(CoverViolation::Below { item: self.problem.item_name(item).to_owned(), low: low(item) })
    }
}

fn primary_items(problem: &ExactCover) -> std::ops::Range<ItemId> {
    0..problem.primary_count() as ItemId
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cover::text;

    #[test]
    fn knuths_smallest_problem_with_multiplicities_has_one_solution() {
        let text = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n";
        let problem = text::read(text.as_bytes()).unwrap().problem;
        let (mut checker, none) = (Checker::new(&problem), Assumptions::default());
        let item = |name: &str| name.to_owned();
        assert_eq!(checker.check(&[3, 1, 4], &none), Ok(()));
        for (options, violation) in [
            (&[][..], CoverViolation::Below { item: item("A"), low: 1 }),
            (&[0, 2], CoverViolation::Below { item: item("C"), low: 2 }),
            (&[0, 1], CoverViolation::Above { item: item("A"), high: 1 }),
            (&[1, 2], CoverViolation::Clash { item: item("X") }),
            (&[1, 4, 4], CoverViolation::Twice { option: 4 }),
            (&[1, 5], CoverViolation::Option { option: 5 }),
        ] {
            assert_eq!(checker.check(options, &none), Err(violation));
            assert_eq!(checker.check(&[1, 3, 4], &none), Ok(()), "nothing of {options:?} is left");
        }
        for (chosen, forbidden, option) in [(&[1, 0][..], &[][..], 0), (&[1, 3], &[0, 4], 4)] {
            let assumptions = Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() };
            let refused = Err(CoverViolation::Assumption { option });
            assert_eq!(checker.check(&[1, 3, 4], &assumptions), refused);
        }
    }

    #[test]
    fn without_a_colour_a_secondary_item_is_covered_once() {
        let problem = text::read(b"A B | X\nA X\nB X\nB X:1\nA X:1\n").unwrap().problem;
        let (mut checker, none) = (Checker::new(&problem), Assumptions::default());
        assert_eq!(checker.check(&[2, 3], &none), Ok(()));
        for options in [[0, 1], [0, 2], [2, 0], [1, 3]] {
            assert_eq!(checker.check(&options, &none), Err(CoverViolation::Clash { item: "X".into() }));
        }
    }
}
