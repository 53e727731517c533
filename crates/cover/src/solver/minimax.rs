//! The solutions whose last option comes as early as possible.
//!
//! If the options are sorted, the best ones first, these are the solutions whose worst option is the best possible. (Knuth's
//! change file `dlx2-cutoff` lists them, and better and better ones before them.)
//!
//! ```text
//! options    0 1 2 3 4 5 6 7 8 9
//! found      x   x       x   x      a solution: now only options before 8 are allowed
//! found        x   x   x            .. before 5
//! none                              so 5 is the smallest number
//! ```
//! Each search starts at the root, so any engine can do it, with all its tricks. The last search proves that there is no
//! better solution, and takes most of the time. It is left out if an item has no option before the last one found.

use super::{CoverLimits, End, Solver};
use crate::error::CoverError;
use crate::{ExactCover, OptionId};

/// What [`Solver::minimax`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimax {
    /// A solution whose largest option is the smallest possible, or the best one found; `None` if there was none.
    pub solution: Option<Vec<OptionId>>,
    /// What ended the search: [`Complete`](End::Complete) if there is no better solution.
    pub end: End,
    /// States examined.
    pub nodes: u64,
}

impl Solver<'_> {
    /// Finds a solution whose largest option is the smallest possible: there is no solution of the options before that
    /// one. Assumptions hold, and stay.
    ///
    /// To see all such solutions, forbid the options behind the largest:
    /// ```
    /// use galop_cover::{CoverLimits, ExactCover};
    ///
    /// let problem: ExactCover = "a b\na\na\nb\na b\nb\n".parse()?;
    /// let mut solver = problem.solver()?;
    /// let found = solver.minimax(&CoverLimits::NONE)?.solution.unwrap_or_default();
    /// assert_eq!(found, [0, 2]);
    /// let behind: Vec<u32> = (found[1] + 1..problem.option_count() as u32).collect();
    /// solver.assume(&[], &behind)?;
    /// assert_eq!(solver.count(&CoverLimits::NONE)?.solutions, 2);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug.
    pub fn minimax(&mut self, limits: &CoverLimits<'_>) -> Result<Minimax, CoverError> {
        let given = (self.assumptions.clone(), self.parts.clone());
        let found = self.improve(limits);
        (self.assumptions, self.parts) = given;
        found
    }

    fn improve(&mut self, limits: &CoverLimits<'_>) -> Result<Minimax, CoverError> {
        let least = least_possible(self.problem);
        let mut behind = self.problem.option_count() as OptionId;
        let mut best = Minimax { solution: None, end: End::Complete, nodes: 0 };
        loop {
            let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(best.nodes));
            let found = self.first(&CoverLimits { solutions: None, nodes, ..*limits })?;
            best.nodes += self.outcome.nodes;
            let Some(found) = found else {
                best.end = self.outcome.end;
                return Ok(best);
            };
            let last = found.last().copied();
            best.solution = Some(found);
            let Some(last) = last.filter(|_| last > least) else { return Ok(best) };
            // A search of parts looks at their assumptions only.
            let searched = match &mut self.parts {
                Some(parts) => &mut parts[..],
                None => std::slice::from_mut(&mut self.assumptions),
            };
            searched.iter_mut().for_each(|assumptions| assumptions.forbidden.extend(last..behind));
            behind = last;
        }
    }
}

/// No solution has only options before this one: an item that must be covered has none before it. `None` if no item must
/// be covered.
fn least_possible(problem: &ExactCover) -> Option<OptionId> {
    let mut first = vec![None; problem.primary_count()];
    for (option, terms) in (0..).zip(problem.options()) {
        for term in terms {
            if let Some(first) = first.get_mut(term.item as usize) {
                first.get_or_insert(option);
            }
        }
    }
    let needed = (0..).zip(&first).filter(|&(item, _)| problem.bounds(item).low > 0);
    needed.filter_map(|(_, &first)| first).max()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::ENGINES;
    use crate::random::{brute_force, problems};
    use crate::{Choice, models};

    proptest! {
        #[test]
        fn the_largest_option_is_as_small_as_brute_force_finds(problem in problems()) {
            let expected = brute_force(&problem).iter().map(|found| found.last().copied()).min();
            for choice in ENGINES.iter().map(Choice::Engine).chain([Choice::Auto]) {
                let Ok(mut solver) = Solver::new(&problem, choice) else { continue };
                let found = solver.minimax(&CoverLimits::NONE).unwrap();
                prop_assert_eq!(found.solution.as_ref().map(|found| found.last().copied()), expected);
                prop_assert_eq!(found.end, End::Complete);
                prop_assert_eq!(&solver.assumptions, &crate::Assumptions::default());
            }
        }
    }

    proptest! {
        /// In parts, on any number of threads, the same largest option is found. The parts stay as they were.
        #[test]
        fn parts_are_searched_together(problem in problems(), count in 1_usize..5, threads in 1_usize..4) {
            let expected = brute_force(&problem).iter().map(|found| found.last().copied()).min();
            let parts = problem.parts(count.try_into().unwrap(), &crate::Assumptions::default()).unwrap();
            let searched = parts.concat();
            let mut solver = problem.solver().unwrap();
            solver.set_threads(threads.try_into().ok()).unwrap();
            solver.assume_any(&searched).unwrap();
            let found = solver.minimax(&CoverLimits::NONE).unwrap();
            prop_assert_eq!(found.solution.as_ref().map(|found| found.last().copied()), expected);
            prop_assert_eq!(solver.parts(), Some(&searched[..]));
            // The first part alone: no solution of another part is taken.
            let part = &parts[0];
            let fits = |found: &&Vec<OptionId>| {
                part.iter().any(|part| {
                    part.chosen.iter().all(|option| found.contains(option))
                        && !part.forbidden.iter().any(|option| found.contains(option))
                })
            };
            let all = brute_force(&problem);
            let expected = all.iter().filter(fits).map(|found| found.last().copied()).min();
            solver.assume_any(part).unwrap();
            let found = solver.minimax(&CoverLimits::NONE).unwrap();
            prop_assert_eq!(found.solution.map(|found| found.last().copied()), expected);
        }
    }

    #[test]
    fn limits_end_the_search_with_the_best_found() {
        let queens = models::model("queens").unwrap();
        let problem = (queens.make)(&["10"]).unwrap();
        let mut solver = problem.solver().unwrap();
        let best = solver.minimax(&CoverLimits::NONE).unwrap();
        let last = best.solution.unwrap().pop();
        let limited =
            solver.minimax(&CoverLimits { nodes: Some(best.nodes - 1), ..CoverLimits::NONE }).unwrap();
        assert_eq!((limited.end, limited.nodes), (End::Nodes, best.nodes - 1));
        assert!(limited.solution.is_some_and(|found| found.last().copied() >= last));
        solver.assume(&[last.unwrap_or(0) + 1], &[]).unwrap();
        let assumed = solver.minimax(&CoverLimits::NONE).unwrap().solution.unwrap();
        assert!(assumed.last().copied() > last);
    }
}
