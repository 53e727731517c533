//! Where to guess: few values, in units that have failed often.
//!
//! A unit is blamed where a contradiction shows in it, or in a cell of it. A cell is the better, the fewer values it
//! has and the more blame its units carry: their sum, divided by the number of values (Boussemart, Hemery, Lecoutre
//! and Sais, "Boosting systematic search by weighting constraints", ECAI 2004).

use super::Values;
use super::infer::Conflict;
use super::plan::Plan;

/// How much each unit is to blame.
pub(super) struct Weights {
    units: Vec<u32>,
    /// The sum of its units, for every cell.
    cells: Vec<u32>,
}

impl Weights {
    pub(super) fn new(plan: &Plan) -> Weights {
        Weights { units: vec![1; plan.unit_count()], cells: vec![0; plan.cells] }
    }

    /// Blames nobody: an answer does not depend on earlier puzzles.
    pub(super) fn reset(&mut self) {
        self.units.fill(1);
        self.cells.fill(1);
    }

    /// A contradiction showed here.
    pub(super) fn blame(&mut self, plan: &Plan, conflict: Conflict) {
        let mut units = match conflict {
            Conflict::Cell(cell) => plan.units_of(cell),
            Conflict::Unit(unit) => 1 << unit,
        };
        while units != 0 {
            for &cell in plan.unit(units.trailing_zeros() as usize) {
                self.cells[usize::from(cell)] += 1;
            }
            units &= units - 1;
        }
    }

    /// The cell to guess in, and the value; `None` where every cell has one.
    pub(super) fn choose(&self, plan: &Plan, values: &[Values]) -> Option<(usize, Values)> {
        let (mut best, mut best_weight, mut best_count) = (None, 0_u64, 1_u64);
        for (cell, (&here, &weight)) in values.iter().zip(&self.cells).enumerate() {
            if here & here.wrapping_sub(1) == 0 {
                continue;
            }
            let (count, weight) = (u64::from(here.count_ones()), u64::from(weight));
            if best.is_none() || count < best_count || count == best_count && weight > best_weight {
                (best, best_weight, best_count) = (Some(cell), weight, count);
            }
        }
        let cell = best?;
        if best_count > 2
            && let Some(found) = self.two_places(plan, values)
        {
            return Some(found);
        }
        Some((cell, values[cell] & values[cell].wrapping_neg()))
    }

    /// A value with two places in a unit, those whose units carry the most blame, and the one of them that does.
    fn two_places(&self, plan: &Plan, values: &[Values]) -> Option<(usize, Values)> {
        let (mut best, mut best_weight) = (None, 0);
        for unit in 0..plan.unit_count() {
            let (mut once, mut twice, mut more) = (0, 0, 0);
            for &cell in plan.unit(unit) {
                let here = values[usize::from(cell)];
                more |= twice & here;
                twice |= once & here;
                once |= here;
            }
            let two = twice & !more;
            if two == 0 {
                continue;
            }
            for &cell in plan.unit(unit) {
                let here = values[usize::from(cell)] & two;
                let weight = self.cells[usize::from(cell)];
                if here != 0 && weight > best_weight {
                    (best, best_weight) = (Some((usize::from(cell), here & here.wrapping_neg())), weight);
                }
            }
        }
        best
    }
}
