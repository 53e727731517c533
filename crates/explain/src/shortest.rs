//! The steps that a contradiction needs: all others are left out.
//!
//! Each step lists the rules that prove it, its truths. A truth relies on the candidates that its cell or unit has
//! lost, and so on the steps that eliminated them. From the cell or unit with nothing left, this leads back to the
//! steps that are needed. What remains of the others changes nothing for them: their cells and units have the same
//! candidates as before.

use crate::board::{Board, Dead};
use crate::deduction::Truth;
use crate::geometry::{Candidate, Geometry};
use crate::step::Step;

/// The fewest of the `steps` from `clues` that lead to one of the contradictions at their end, and that contradiction.
pub(crate) fn shortest(geometry: &Geometry, clues: &Board, steps: Vec<Step>) -> (Vec<Step>, Option<Dead>) {
    let symbols = usize::from(geometry.symbols);
    // For each candidate, the number of the step that eliminated it, from 1; 0 for the clues.
    let mut lost_by = vec![0; geometry.cells() * symbols];
    let mut board = clues.clone();
    for (at, step) in steps.iter().enumerate() {
        let before = board.marks.clone();
        board.apply(geometry, step);
        for (cell, (&before, &after)) in before.iter().zip(&board.marks).enumerate() {
            let lost = before & !after;
            (0..symbols).filter(|symbol| lost >> symbol & 1 == 1).for_each(|symbol| {
                lost_by[cell * symbols + symbol] = at + 1;
            });
        }
    }
    let relies_on = |truth: Truth, needed: &mut [bool], until: usize| {
        let mut need = |cell: u16, symbol: u8| {
            let step = lost_by[usize::from(cell) * symbols + usize::from(symbol) - 1];
            if (1..=until).contains(&step) {
                needed[step - 1] = true;
            }
        };
        match truth {
            Truth::Cell(cell) => (1..=geometry.symbols).for_each(|symbol| need(cell, symbol)),
            Truth::Unit { unit, symbol } => {
                geometry.units[usize::from(unit)].cells.iter().for_each(|&cell| need(cell, symbol));
            }
        }
    };
    let needed_for = |dead: Dead| {
        let mut needed = vec![false; steps.len()];
        relies_on(dead.truth(), &mut needed, steps.len());
        for at in (0..steps.len()).rev() {
            if !needed[at] {
                continue;
            }
            if steps[at].truths.is_empty() {
                // The proof is a search in all of the grid.
                needed[..at].fill(true);
            }
            steps[at].truths.iter().for_each(|&truth| relies_on(truth, &mut needed, at));
        }
        needed
    };
    let ends = board.contradictions(geometry).map(|dead| (needed_for(dead), dead));
    let best = ends.min_by_key(|(needed, _)| needed.iter().filter(|&&is_needed| is_needed).count());
    let Some((needed, dead)) = best else { return (steps, None) };
    let kept = steps.into_iter().zip(needed).filter(|(_, is_needed)| *is_needed);
    (kept.map(|(step, _)| step).collect(), Some(dead))
}

impl Dead {
    /// The rule that is broken.
    fn truth(self) -> Truth {
        match self {
            Dead::Cell(cell) => Truth::Cell(cell),
            Dead::Unit { unit, symbol } => Truth::Unit { unit, symbol },
        }
    }
}

impl Board {
    /// Takes a step.
    pub(crate) fn apply(&mut self, geometry: &Geometry, step: &Step) {
        step.eliminates.iter().for_each(|&candidate| self.eliminate(geometry, candidate));
        for &Candidate { cell, symbol } in &step.places {
            self.place(geometry, cell, symbol);
        }
    }
}
