//! What the engines get in one run: the puzzles under their symmetries, their order, and the order of the
//! contestants.
//!
//! All of it depends on the seed and the run, and the symmetry on the puzzle's index as well. Nothing depends on the
//! engines, the threads or the clock.

use super::set::Set;
use super::symmetries::RunSymmetries;
use crate::plan::Plan;
use galop_engines::grid::Rules;
use galop_engines::puzzle::Puzzles;

/// The puzzles and engines of a run.
pub(super) struct Schedule<'a> {
    puzzles: Puzzles<'a>,
    /// `None` if the puzzles stay as they are.
    symmetries: Option<RunSymmetries>,
    /// Place `i` holds the puzzle `order[i]`.
    pub(super) order: Vec<u32>,
    /// The puzzles as they are solved, in order; empty if they stay as they are.
    cells: Vec<u8>,
}

impl<'a> Schedule<'a> {
    /// The puzzles as they were read.
    pub(super) fn as_read(puzzles: &'a Set) -> Schedule<'a> {
        Schedule {
            puzzles: puzzles.cells(),
            symmetries: None,
            order: (0..puzzles.len() as u32).collect(),
            cells: Vec::new(),
        }
    }

    /// The schedule of the run `run`, from 0, and the contestants in the order of their turns.
    pub(super) fn draw(
        rules: &Rules,
        puzzles: &'a Set,
        plan: &Plan<'_>,
        run: usize,
    ) -> (Schedule<'a>, Vec<usize>) {
        let mut chance = plan.chance(run);
        let mut schedule = Schedule::as_read(puzzles);
        // The symmetries of a problem are not known.
        if plan.is_permuted && rules.choices().is_none() {
            let symmetries = RunSymmetries::new(rules, chance.seed());
            chance.shuffle(&mut schedule.order);
            schedule.permute(&symmetries);
            schedule.symmetries = Some(symmetries);
        }
        (schedule, plan.turns(&mut chance))
    }

    fn permute(&mut self, symmetries: &RunSymmetries) {
        self.cells = vec![0; self.puzzles.len() * self.puzzles.stride()];
        for (&index, out) in self.order.iter().zip(self.cells.chunks_exact_mut(self.puzzles.stride())) {
            if let Some(puzzle) = self.puzzles.get(index as usize) {
                symmetries.apply(index, puzzle, out);
            }
        }
    }

    /// The puzzles as they are solved.
    pub(super) fn puzzles(&self) -> Puzzles<'_> {
        if self.symmetries.is_some() {
            Puzzles::new(&self.cells, self.puzzles.stride()).unwrap_or_default()
        } else {
            self.puzzles
        }
    }

    /// The `cells` of place `place`, moved and renamed back to the puzzle that was read.
    pub(super) fn undo(&self, place: usize, cells: &[u8]) -> Vec<u8> {
        match &self.symmetries {
            Some(symmetries) => symmetries.undo(self.order[place], cells),
            None => cells.to_vec(),
        }
    }
}
