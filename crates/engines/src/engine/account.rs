//! The account of one search: its guesses and solutions, the limits on both, and the first solution.

use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

use crate::puzzle::{Answer, Effort, Limits};

/// What one search may do, and what it has done. A search that gets a `Break` must end.
pub struct Account<'a> {
    max_solutions: u64,
    max_guesses: u64,
    solutions: u64,
    gave_up: bool,
    effort: Effort,
    /// Where the first solution goes, or each of them if they are listed.
    solution: &'a mut [u8],
    /// Gets each solution, if they are listed.
    visit: Option<&'a mut Visit<'a>>,
}

/// Is called with each solution in turn; a break ends the search.
pub type Visit<'a> = dyn FnMut(&[u8]) -> ControlFlow<()> + 'a;

impl<'a> Account<'a> {
    /// An account that keeps the first solution in `solution`.
    pub fn new(limits: Limits, solution: &'a mut [u8]) -> Account<'a> {
        Account {
            max_solutions: limits.max_solutions(),
            max_guesses: limits.max_guesses(),
            solutions: 0,
            gave_up: false,
            effort: Effort::default(),
            solution,
            visit: None,
        }
    }

    /// An account that passes every solution to `visit`.
    pub fn listing(limits: Limits, solution: &'a mut [u8], visit: &'a mut Visit<'a>) -> Account<'a> {
        Account { visit: Some(visit), ..Account::new(limits, solution) }
    }

    /// Counts a guess that the search is about to make; breaks if the limit forbids it.
    #[inline(always)]
    pub fn guess(&mut self) -> ControlFlow<()> {
        if self.effort.guesses >= self.max_guesses {
            self.gave_up = true;
            return Break(());
        }
        self.effort.guesses += 1;
        Continue(())
    }

    /// Counts a solution, which `write` writes if it is the first; breaks if there are enough of them.
    #[inline(always)]
    pub(crate) fn solution(&mut self, write: impl FnOnce(&mut [u8])) -> ControlFlow<()> {
        if self.solutions == 0 {
            write(self.solution);
        }
        self.solutions += 1;
        if self.solutions >= self.max_solutions { Break(()) } else { Continue(()) }
    }

    /// Counts a solution and shows each one to whoever asked for a list; breaks if there are enough of them.
    pub fn listed(&mut self, write: impl FnOnce(&mut [u8])) -> ControlFlow<()> {
        let Some(visit) = &mut self.visit else { return self.solution(write) };
        write(self.solution);
        visit(self.solution)?;
        self.solution(|_| ())
    }

    /// Counts a call of a recursive search at `depth`.
    pub fn call(&mut self, depth: usize) {
        self.effort.calls += 1;
        self.effort.depth = self.effort.depth.max(depth as u32);
    }

    /// Counts a call at each of `depths`.
    pub(crate) fn calls(&mut self, depths: Range<usize>) {
        self.effort.calls += depths.len() as u64;
        self.effort.depth = self.effort.depth.max(depths.end.saturating_sub(1) as u32);
    }

    /// Counts solutions from 0 again: another search begins at the root. Returns how many there were.
    pub(crate) fn count_again(&mut self) -> u64 {
        std::mem::take(&mut self.solutions)
    }

    /// Solutions so far.
    pub(crate) fn solutions(&self) -> u64 {
        self.solutions
    }

    /// Guesses that the limit still allows.
    pub(crate) fn guesses_left(&self) -> u64 {
        self.max_guesses.saturating_sub(self.effort.guesses)
    }

    /// Guesses so far.
    pub(crate) fn guesses(&self) -> u64 {
        self.effort.guesses
    }

    /// The answer of a search whose guesses were counted elsewhere, which `gave_up` at the limit or not.
    pub(crate) fn close_with(mut self, guesses: u64, gave_up: bool) -> Answer {
        (self.effort.guesses, self.gave_up) = (guesses, gave_up);
        self.close()
    }

    /// The answer, once the search has ended.
    #[inline(always)]
    pub fn close(self) -> Answer {
        let ended = if self.gave_up { Answer::limited } else { Answer::complete };
        ended(self.solutions).with_effort(self.effort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_solution_is_kept_and_the_limits_end_the_search() {
        let mut cells = [0; 2];
        let mut account = Account::new(Limits::UNIQUE.with_guesses(1), &mut cells);
        assert_eq!(account.guess(), Continue(()));
        assert_eq!(account.solution(|cells| cells.fill(1)), Continue(()));
        assert_eq!(account.solution(|cells| cells.fill(2)), Break(()));
        let effort = Effort { guesses: 1, ..Effort::default() };
        assert_eq!(account.close(), Answer::complete(2).with_effort(effort));
        assert_eq!(cells, [1; 2]);

        let mut account = Account::new(Limits::ALL.with_guesses(0), &mut cells);
        account.call(3);
        assert_eq!(account.guess(), Break(()));
        let effort = Effort { calls: 1, depth: 3, ..Effort::default() };
        assert_eq!(account.close(), Answer::limited(0).with_effort(effort));
    }
}
