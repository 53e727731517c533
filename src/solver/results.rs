//! The places for what a call finds.

use galop_engines::puzzle::Status;

use super::SolveError;

/// The places for what a call finds, [`Solver::solve_cells`](crate::Solver::solve_cells) or
/// [`Solver::solve_in_place`](crate::Solver::solve_in_place): slices with a place for each puzzle.
#[derive(Debug)]
#[must_use]
pub struct Results<'a> {
    pub(super) solutions: &'a mut [u8],
    pub(super) statuses: &'a mut [Status],
    pub(super) counts: &'a mut [u64],
    pub(super) guesses: &'a mut [u64],
}

impl<'a> Results<'a> {
    /// `solutions` has as many bytes for each puzzle as it has cells. They become the solution of a [`Status::Solved`]
    /// puzzle, the cells that the engine filled of a [`Status::Stuck`] one, and 0 for all others. `counts` are
    /// solutions found, up to the limit.
    ///
    /// The call returns an error if the slices do not fit the puzzles.
    pub fn new(
        solutions: &'a mut [u8],
        statuses: &'a mut [Status],
        counts: &'a mut [u64],
        guesses: &'a mut [u64],
    ) -> Results<'a> {
        Results { solutions, statuses, counts, guesses }
    }

    /// Checks that there are places for `count` puzzles of `cells` cells.
    pub(super) fn check(&self, count: usize, cells: usize) -> Result<(), SolveError> {
        let slices = [
            ("bytes of solutions", self.solutions.len(), count * cells),
            ("statuses", self.statuses.len(), count),
            ("counts", self.counts.len(), count),
            ("guesses", self.guesses.len(), count),
        ];
        match slices.into_iter().find(|(_, found, expected)| found != expected) {
            Some((slice, found, expected)) => Err(SolveError::Places { slice, found, expected }),
            None => Ok(()),
        }
    }

    /// The places of each `block` puzzles of `cells` cells.
    pub(super) fn blocks(self, block: usize, cells: usize) -> impl Iterator<Item = Results<'a>> {
        let places = self.solutions.chunks_mut(block * cells).zip(self.statuses.chunks_mut(block));
        let places = places.zip(self.counts.chunks_mut(block)).zip(self.guesses.chunks_mut(block));
        places.map(|(((solutions, statuses), counts), guesses)| Results {
            solutions,
            statuses,
            counts,
            guesses,
        })
    }
}
