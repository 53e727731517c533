//! Many records of one problem, each completed by a search of its own.
//!
//! The engine is built once. A record costs what its choices leave to search: it is assumed, not built.

use galop_simd::Isa;

use crate::engine::{CoverEntry, FOR_RECORDS, Step, Stepper};
use crate::error::CoverError;
use crate::problem::CoverChecker;
use crate::{Assumptions, ExactCover, OptionId};

/// Completes choices to solutions, record after record.
///
/// ```
/// use galop_cover::{Assumptions, Completer, Isa, OptionId, models, text::ChoiceText};
///
/// let queens = models::queens(8)?;
/// let choices = ChoiceText::new(queens.clone().into());
/// let mut completer = Completer::new(&queens, None, Isa::best())?;
/// let (mut assumed, mut solution) = (Assumptions::default(), Vec::new());
/// choices.read(b"r1 c1 | r2 c7", &mut assumed)?;
/// let found = completer.complete(&assumed, Some(2), None, None, &mut solution)?;
/// assert_eq!((found.solutions, solution.len()), (2, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Completer<'p> {
    entry: &'static CoverEntry,
    stepper: Stepper,
    checker: CoverChecker<&'p ExactCover>,
    /// A solution, its options ascending.
    sorted: Vec<OptionId>,
}

/// What was found of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Solutions found.
    pub solutions: u64,
    /// States examined: one for the record, and one for every option tried.
    pub nodes: u64,
    /// Options tried while another option of the same item was still open.
    pub guesses: u64,
    /// Whether the limit on nodes or on guesses ended the search.
    pub gave_up: bool,
}

impl<'p> Completer<'p> {
    /// For records of `problem`. `None` is the engine that suits it.
    ///
    /// # Errors
    /// [`CoverError::Unsuitable`] if the engine cannot solve the problem.
    pub fn new(
        problem: &'p ExactCover,
        entry: Option<&'static CoverEntry>,
        isa: Isa,
    ) -> Result<Completer<'p>, CoverError> {
        let [usual, others @ ..] = &FOR_RECORDS;
        let make = |entry| (entry, Stepper::new(problem, entry, isa));
        let mut built = make(entry.unwrap_or(usual));
        if entry.is_none() {
            for other in others {
                if built.1.is_err() {
                    built = make(other);
                }
            }
        }
        let (entry, stepper) = built;
        let stepper = stepper.map_err(|why| CoverError::Unsuitable { engine: entry.name, why })?;
        Ok(Completer { entry, stepper, checker: CoverChecker::new(problem), sorted: Vec::new() })
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &'static CoverEntry {
        self.entry
    }

    /// Looks for solutions that fit `assumptions`, up to `limit` of them, within about `nodes` nodes and with at most
    /// `guesses` guesses. The first one is written to `solution`, its options ascending; without any it is empty.
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug.
    pub fn complete(
        &mut self,
        assumptions: &Assumptions,
        limit: Option<u64>,
        nodes: Option<u64>,
        guesses: Option<u64>,
        solution: &mut Vec<OptionId>,
    ) -> Result<Completion, CoverError> {
        solution.clear();
        let (mut found, limit) = (Completion::default(), limit.unwrap_or(u64::MAX));
        self.stepper.start(assumptions, guesses.unwrap_or(u64::MAX));
        while found.solutions < limit {
            let left = nodes.map_or(u64::MAX, |most| most.saturating_sub(self.stepper.nodes()));
            match self.stepper.next(left) {
                Step::Solution => found.solutions += 1,
                Step::End => break,
                Step::Stopped => {
                    found.gave_up = true;
                    break;
                }
            }
            self.sorted.clear();
            self.sorted.extend_from_slice(self.stepper.solution());
            self.sorted.sort_unstable();
            if let Err(violation) = self.checker.check(&self.sorted, assumptions) {
                let options = std::mem::take(&mut self.sorted);
                return Err(CoverError::WrongCover { engine: self.entry.name, options, violation });
            }
            if found.solutions == 1 {
                solution.extend_from_slice(&self.sorted);
            }
        }
        (found.nodes, found.guesses) = (self.stepper.nodes(), self.stepper.guesses());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{brute_force, made, problems};
    use galop_testing::chance::Chance;
    use proptest::prelude::*;

    /// Random choices: up to four options, a third of them forbidden.
    fn record(problem: &ExactCover, chance: &mut Chance) -> Assumptions {
        let mut assumptions = Assumptions::default();
        let mut options: Vec<OptionId> = (0..problem.option_count() as u32).map(OptionId).collect();
        chance.shuffle(&mut options);
        options.truncate(chance.below(5));
        for option in options {
            match chance.below(3) {
                0 => assumptions.forbidden.push(option),
                _ => assumptions.chosen.push(option),
            }
        }
        assumptions
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn records_are_completed_as_brute_force_completes_them(problem in problems(), seed in any::<u64>()) {
            let all = brute_force(&problem);
            let mut chance = Chance::new(seed);
            let engines = FOR_RECORDS.iter().map(Some).chain([None]);
            let mut completers: Vec<_> =
                engines.filter_map(|entry| Completer::new(&problem, entry, Isa::best()).ok()).collect();
            prop_assert!(!completers.is_empty());
            let mut solution = Vec::new();
            for _ in 0..50 {
                let assumptions = record(&problem, &mut chance);
                let Assumptions { chosen, forbidden } = &assumptions;
                let fits = |found: &&Vec<OptionId>| {
                    chosen.iter().all(|option| found.contains(option))
                        && forbidden.iter().all(|option| !found.contains(option))
                };
                let expected: Vec<_> = all.iter().filter(fits).collect();
                let limit = [None, Some(1), Some(2)][chance.below(3)];
                for completer in &mut completers {
                    let found = completer.complete(&assumptions, limit, None, None, &mut solution).unwrap();
                    let most = expected.len() as u64;
                    prop_assert_eq!(found.solutions, limit.map_or(most, |limit| most.min(limit)));
                    let is_right = if most > 0 { expected.contains(&&solution) } else { solution.is_empty() };
                    prop_assert!(is_right, "{:?} {:?}", assumptions, solution);
                }
            }
        }
    }

    #[test]
    fn the_limits_on_nodes_and_guesses_end_a_search() {
        let problem = made("queens 8");
        for entry in &FOR_RECORDS {
            let mut completer = Completer::new(&problem, Some(entry), Isa::best()).unwrap();
            let mut solution = Vec::new();
            let mut complete = |nodes, guesses| {
                completer.complete(&Assumptions::default(), None, nodes, guesses, &mut solution).unwrap()
            };
            let [all, few, again] = [None, Some(50), None].map(|nodes| complete(nodes, None));
            assert_eq!((all.solutions, all.gave_up, again), (92, false, all));
            assert!(few.gave_up && few.solutions < 20 && (1..=60).contains(&few.nodes), "{few:?}");
            let [enough, fewer, none] =
                [all.guesses, all.guesses - 1, 0].map(|guesses| complete(None, Some(guesses)));
            assert!(enough == all && fewer.gave_up && none.gave_up, "{} {fewer:?}", entry.name);
            assert_eq!((fewer.guesses, none.guesses, none.solutions), (all.guesses - 1, 0, 0));
        }
    }
}
