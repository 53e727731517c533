//! What is before the engines in one run: the puzzles under their symmetries, in an order, and the order of the
//! engines.
//!
//! All of it is drawn from the seed and the run, the symmetry from the puzzle's index as well: not from the
//! engines, the threads or the clock.

use super::Plan;
use super::puzzles::Set;
use super::shuffle::Symmetry;
use crate::generate::dice::Dice;
use crate::grid::{Grid, Rules};
use crate::puzzle::Puzzles;

/// The puzzles of a run.
pub(super) struct Course<'a> {
    grid: &'a Grid,
    puzzles: Puzzles<'a>,
    is_nine: bool,
    /// Where the symmetries of this run are drawn from; nowhere if the puzzles are to stay as they are.
    symmetries: Option<u64>,
    /// Place `i` holds the puzzle `order[i]`.
    pub(super) order: Vec<u32>,
    /// The puzzles as they are solved, in order; empty if they are to stay as they are.
    cells: Vec<u8>,
    /// The engines in the order they run.
    pub(super) engines: Vec<usize>,
}

impl<'a> Course<'a> {
    /// The course of the run `run`, from 0.
    pub(super) fn draw(rules: &'a Rules, puzzles: &'a Set, plan: &Plan<'_>, run: usize) -> Course<'a> {
        // Place 0 of the seed is the sample's.
        let mut dice = Dice::new(plan.seed, run as u64 + 1);
        let mut course = Course {
            grid: rules.grid(),
            puzzles: puzzles.cells(),
            // Cells may change places in the 9x9 sudoku only.
            is_nine: rules.grid().is_nine(),
            symmetries: plan.is_permuted.then(|| dice.seed()),
            order: (0..puzzles.len() as u32).collect(),
            cells: Vec::new(),
            engines: (0..plan.engines.len()).collect(),
        };
        if let Some(seed) = course.symmetries {
            dice.shuffle(&mut course.order);
            course.permute(seed);
        }
        dice.shuffle(&mut course.engines);
        course
    }

    fn permute(&mut self, seed: u64) {
        self.cells = vec![0; self.puzzles.len() * self.puzzles.stride()];
        let mut symmetry = Symmetry::none(self.grid);
        for (&index, out) in self.order.iter().zip(self.cells.chunks_exact_mut(self.puzzles.stride())) {
            if let Some(puzzle) = self.puzzles.get(index as usize) {
                symmetry.draw(self.grid, self.is_nine, &mut Dice::new(seed, u64::from(index)));
                symmetry.apply(puzzle, out);
            }
        }
    }

    /// The puzzles as they are solved.
    pub(super) fn puzzles(&self) -> Puzzles<'_> {
        if self.symmetries.is_some() {
            Puzzles::new(&self.cells, self.puzzles.stride())
        } else {
            self.puzzles
        }
    }

    /// The `cells` of place `place` as they would stand in the puzzle that was read.
    pub(super) fn undo(&self, place: usize, cells: &[u8]) -> Vec<u8> {
        let Some(seed) = self.symmetries else { return cells.to_vec() };
        let mut symmetry = Symmetry::none(self.grid);
        symmetry.draw(self.grid, self.is_nine, &mut Dice::new(seed, u64::from(self.order[place])));
        symmetry.undo(cells)
    }
}
