//! What follows without a guess: naked singles, hidden singles, locked candidates, until nothing does.
//!
//! ```text
//! settled    cells with one value, which no peer may have: a stack, first of all
//! singles    units in which something was struck: a value with one place goes there
//! locked     the same units, when nothing else is left: a value with one part leaves the part's target
//! ```
//! All values of a unit are looked at together: those seen once and those seen twice are two words.

use super::Values;
use super::plan::{MOST_PARTS, Plan};

/// Where no solution is left: in a cell or in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    Cell(usize),
    Unit(usize),
}

/// What is still to be looked at.
pub(super) struct Inference {
    settled: Vec<u16>,
    singles: u128,
    locked: u128,
}

impl Inference {
    pub(super) fn new(plan: &Plan) -> Inference {
        Inference { settled: Vec::with_capacity(plan.cells), singles: 0, locked: 0 }
    }

    /// Forgets what a contradiction left to do.
    pub(super) fn clear(&mut self) {
        self.settled.clear();
        (self.singles, self.locked) = (0, 0);
    }

    /// Every unit is to be looked at.
    pub(super) fn soil_all(&mut self, plan: &Plan) {
        let all = u128::MAX >> (128 - plan.unit_count().clamp(1, 128));
        (self.singles, self.locked) = (all, all);
    }

    /// Leaves `value` alone to `cell`.
    pub(super) fn assign(&mut self, plan: &Plan, values: &mut [Values], cell: usize, value: Values) {
        values[cell] &= value;
        self.settled.push(cell as u16);
        self.soil(plan, cell);
    }

    /// Takes `value` from `cell`, which has others.
    pub(super) fn strike(&mut self, plan: &Plan, values: &mut [Values], cell: usize, value: Values) {
        values[cell] &= !value;
        if is_settled(values[cell]) {
            self.settled.push(cell as u16);
        }
        self.soil(plan, cell);
    }

    /// Something has left `cell`.
    fn soil(&mut self, plan: &Plan, cell: usize) {
        self.singles |= plan.units_of(cell);
        self.locked |= plan.units_of(cell);
    }

    /// Infers until nothing follows.
    pub(super) fn propagate(&mut self, plan: &Plan, values: &mut [Values]) -> Result<(), Conflict> {
        loop {
            while let Some(cell) = self.settled.pop() {
                self.settle(plan, values, usize::from(cell))?;
            }
            if self.singles != 0 {
                let unit = self.singles.trailing_zeros() as usize;
                self.singles &= self.singles - 1;
                self.hidden_singles(plan, values, unit)?;
            } else if self.locked != 0 {
                let unit = self.locked.trailing_zeros() as usize;
                self.locked &= self.locked - 1;
                self.locked_candidates(plan, values, unit)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Takes the one value of `cell` from its peers.
    fn settle(&mut self, plan: &Plan, values: &mut [Values], cell: usize) -> Result<(), Conflict> {
        let value = values[cell];
        if value == 0 {
            return Err(Conflict::Cell(cell));
        }
        self.take(plan, values, plan.peers(cell), value)
    }

    /// Takes `taken` from `cells`.
    #[inline]
    fn take(
        &mut self,
        plan: &Plan,
        values: &mut [Values],
        cells: &[u16],
        taken: Values,
    ) -> Result<(), Conflict> {
        for &cell in cells {
            let here = &mut values[usize::from(cell)];
            if *here & taken != 0 {
                *here &= !taken;
                let left = *here;
                if is_settled(left) {
                    if left == 0 {
                        return Err(Conflict::Cell(usize::from(cell)));
                    }
                    self.settled.push(cell);
                }
                self.soil(plan, usize::from(cell));
            }
        }
        Ok(())
    }

    /// Values with one place in `unit` go there.
    fn hidden_singles(&mut self, plan: &Plan, values: &mut [Values], unit: usize) -> Result<(), Conflict> {
        let (mut once, mut twice, mut settled) = (0, 0, 0);
        for &cell in plan.unit(unit) {
            let here = values[usize::from(cell)];
            twice |= once & here;
            once |= here;
            settled |= if is_settled(here) { here } else { 0 };
        }
        if once != plan.all {
            return Err(Conflict::Unit(unit));
        }
        let single = once & !twice & !settled;
        if single == 0 {
            return Ok(());
        }
        for &cell in plan.unit(unit) {
            let value = values[usize::from(cell)] & single;
            if value != 0 {
                if !is_settled(value) {
                    return Err(Conflict::Cell(usize::from(cell)));
                }
                self.assign(plan, values, usize::from(cell), value);
            }
        }
        Ok(())
    }

    /// Values of `unit` that stand in one part of a partition only leave the part's target.
    fn locked_candidates(&mut self, plan: &Plan, values: &mut [Values], unit: usize) -> Result<(), Conflict> {
        for parts in plan.partitions(unit) {
            let mut seen = [0; MOST_PARTS];
            let (mut once, mut twice, mut settled) = (0, 0, 0);
            for (seen, part) in seen.iter_mut().zip(parts.clone()) {
                for &cell in plan.part_cells(part).0 {
                    let here = values[usize::from(cell)];
                    *seen |= here;
                    settled |= if is_settled(here) { here } else { 0 };
                }
                twice |= once & *seen;
                once |= *seen;
            }
            let locked = once & !twice & !settled;
            if locked == 0 {
                continue;
            }
            for (seen, part) in seen.iter().zip(parts.clone()) {
                if seen & locked != 0 {
                    self.take(plan, values, plan.part_cells(part).1, seen & locked)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a cell has one value left (or none).
pub(super) fn is_settled(values: Values) -> bool {
    values & values.wrapping_sub(1) == 0
}
