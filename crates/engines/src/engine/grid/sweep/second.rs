//! The second system of blocks of a windoku: with other orders of rows and columns, the windows are blocks of a sudoku,
//! and so are five units that they imply. A grid in these orders gets the same sweeps.
//!
//! The windows as lists among the units of [`extra`](super::extra) took 4.5 times as long on minimal windokus.
//!
//! Tried and lost: the five implied units as lists, too (1.4 times as long on minimal windokus).

use super::super::infer::Contradiction;
use super::super::word::Word;
use crate::grid::WINDOW_LINES;

/// A copy of the grid in the orders of the second system.
pub(super) struct Second<W> {
    /// What followed from the last grid; empty words after a contradiction.
    words: Vec<W>,
    /// By cell of the copy: its slot in the copy, and in the grid.
    slots: Vec<(u16, u16)>,
}

impl<W: Word> Second<W> {
    /// `cells` has the slot of every cell of 9x9, of which there are `slots`.
    pub(super) fn new(cells: &[u16], slots: usize) -> Self {
        let in_grid = |cell: usize| cells[9 * WINDOW_LINES[cell / 9] + WINDOW_LINES[cell % 9]];
        let slots_of = cells.iter().enumerate().map(|(cell, &slot)| (slot, in_grid(cell)));
        Second { words: vec![W::default(); slots], slots: slots_of.collect() }
    }

    /// Lets `propagate` infer in the copy. Returns whether anything changed.
    #[inline]
    pub(super) fn propagate(
        &mut self,
        words: &mut [W],
        propagate: impl FnOnce(&mut [W]) -> Result<(), Contradiction>,
    ) -> Result<bool, Contradiction> {
        let mut is_new = false;
        for &(here, in_grid) in &self.slots {
            let (copy, word) = (&mut self.words[usize::from(here)], words[usize::from(in_grid)]);
            is_new |= *copy != word;
            *copy = word;
        }
        // Nothing follows from what was the result before.
        if !is_new {
            return Ok(false);
        }
        if let Err(contradiction) = propagate(&mut self.words) {
            self.words.fill(W::default());
            return Err(self.in_grid(contradiction));
        }
        let mut is_changed = false;
        for &(here, in_grid) in &self.slots {
            let (new, old) = (self.words[usize::from(here)], &mut words[usize::from(in_grid)]);
            is_changed |= new != *old;
            *old = new;
        }
        Ok(is_changed)
    }

    /// The contradiction in the numbers of the grid. An implied unit has none there: one of its cells is named.
    fn in_grid(&self, contradiction: Contradiction) -> Contradiction {
        match contradiction {
            Contradiction::Cell(slot) => {
                let found = self.slots.iter().find(|(here, _)| usize::from(*here) == slot);
                Contradiction::Cell(found.map_or(slot, |&(_, in_grid)| usize::from(in_grid)))
            }
            Contradiction::Unit(line @ ..18) => Contradiction::Unit(line / 9 * 9 + WINDOW_LINES[line % 9]),
            Contradiction::Unit(block) => match ((block - 18) / 3, (block - 18) % 3) {
                (band @ ..2, stack @ ..2) => Contradiction::Unit(27 + 2 * band + stack),
                (band, stack) => Contradiction::Cell(usize::from(self.slots[27 * band + 3 * stack].1)),
            },
        }
    }
}
