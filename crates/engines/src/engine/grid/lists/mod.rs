//! Grids of any kind: naked singles, hidden singles, locked candidates, one cell and one unit after the other.
//!
//! ```text
//! settled    cells with one value, which no peer may have: a stack, done first
//! singles    units in which something was eliminated: a value with one place goes there
//! locked     the same units, done after these: a value with one part is eliminated from the part's target
//! leftovers  of a jigsaw, done last: a value that one rest lacks is eliminated from the other
//! ```
//! All values of a unit are handled together: the values seen once and those seen twice are two words.
//!
//! Leftovers made minimal jigsaws of two maps 1.3 and 2 times as fast. They are skipped once all cells are settled:
//! without that, easy jigsaws took a tenth longer.
//!
//! Tried and lost:
//! - leftovers of one line and one region, which locked candidates find: no guess less, a tenth of the time more;
//! - units that follow from regions within a few lines, as further units of a jigsaw: with leftovers or without, 0.6 to
//!   0.9 times the speed of leftovers alone on minimal jigsaws, 0.7 on easy ones, though up to a third fewer guesses.

mod geometry;

use std::marker::PhantomData;

use galop_simd::Simd;

use super::blocks::Large;
use super::infer::{Contradiction, Infer};
use super::pairs::Pairs;
use super::plan::Plan;
use super::word::is_settled;
use crate::grid::Grid;
use geometry::{Geometry, MOST_PARTS};

/// A word a cell, in the order of the cells.
type Values = u32;

/// Grids whose units are lists of cells.
pub(super) struct Lists<S> {
    geometry: Geometry,
    agenda: Agenda,
    compiled_for: PhantomData<S>,
}

/// Cells and units that are still to be looked at.
struct Agenda {
    settled: Vec<u16>,
    singles: u128,
    locked: u128,
}

impl<S> Lists<S> {
    /// For a grid of at most 32 symbols and 128 units.
    pub(super) fn new(grid: &Grid) -> Self {
        let settled = Vec::with_capacity(grid.cells());
        Lists {
            geometry: Geometry::new(grid),
            agenda: Agenda { settled, singles: 0, locked: 0 },
            compiled_for: PhantomData,
        }
    }
}

impl<S: Simd> Infer<Values> for Lists<S> {
    fn start(&mut self, values: &[Values]) {
        self.clear();
        let clues = values.iter().enumerate().filter(|(_, values)| is_settled(**values));
        self.agenda.settled.extend(clues.map(|(cell, _)| cell as u16));
        let all = u128::MAX >> (128 - self.geometry.unit_count().clamp(1, 128));
        (self.agenda.singles, self.agenda.locked) = (all, all);
    }

    fn clear(&mut self) {
        self.agenda.settled.clear();
        (self.agenda.singles, self.agenda.locked) = (0, 0);
    }

    fn keep(&mut self, values: &mut [Values], cell: usize, kept: Values) {
        self.agenda.keep(&self.geometry, values, cell, kept);
    }

    fn propagate(&mut self, values: &mut [Values]) -> Result<(), Contradiction> {
        self.agenda.propagate(&self.geometry, values)
    }

    fn pairs(&self, values: &[Values], pairs: &mut Vec<u16>) -> bool {
        pairs.clear();
        let mut open = 0;
        for (cell, &here) in values.iter().enumerate() {
            let peeled = here & here.wrapping_sub(1);
            open |= peeled;
            if peeled != 0 && is_settled(peeled) {
                pairs.push(cell as u16);
            }
        }
        open == 0
    }

    fn compare(&self, plan: &Plan, values: &[Values], pairs: &mut Pairs<Values>) {
        pairs.compare::<S, Large<S::Quad>>(plan, values);
    }
}

impl Agenda {
    /// Eliminates all values but `kept` from `cell`.
    fn keep(&mut self, geometry: &Geometry, values: &mut [Values], cell: usize, kept: Values) {
        values[cell] &= kept;
        if is_settled(values[cell]) {
            self.settled.push(cell as u16);
        }
        self.mark(geometry, cell);
    }

    /// Notes that something was eliminated from `cell`.
    fn mark(&mut self, geometry: &Geometry, cell: usize) {
        self.singles |= geometry.units_of(cell);
        self.locked |= geometry.units_of(cell);
    }

    /// Infers until nothing follows.
    pub(super) fn propagate(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
    ) -> Result<(), Contradiction> {
        loop {
            while let Some(cell) = self.settled.pop() {
                self.settle(geometry, values, usize::from(cell))?;
            }
            if self.singles != 0 {
                let unit = self.singles.trailing_zeros() as usize;
                self.singles &= self.singles - 1;
                self.hidden_singles(geometry, values, unit)?;
            } else if self.locked != 0 {
                let unit = self.locked.trailing_zeros() as usize;
                self.locked &= self.locked - 1;
                self.locked_candidates(geometry, values, unit)?;
            } else if geometry.has_leftovers() && !values.iter().all(|&values| is_settled(values)) {
                self.leftovers(geometry, values)?;
                if self.singles == 0 {
                    return Ok(());
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Eliminates the one value of `cell` from its peers, and the candidates that it excludes.
    fn settle(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
        cell: usize,
    ) -> Result<(), Contradiction> {
        let value = values[cell];
        if value == 0 {
            return Err(Contradiction::Cell(cell));
        }
        self.eliminate(geometry, values, geometry.peers(cell), value)?;
        for (other, excluded) in geometry.excluded(cell, value) {
            self.eliminate(geometry, values, &[other], excluded)?;
        }
        Ok(())
    }

    /// Eliminates `eliminated` from `cells`.
    #[inline]
    fn eliminate(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
        cells: &[u16],
        eliminated: Values,
    ) -> Result<(), Contradiction> {
        for &cell in cells {
            let here = &mut values[usize::from(cell)];
            if *here & eliminated != 0 {
                *here &= !eliminated;
                let left = *here;
                if is_settled(left) {
                    if left == 0 {
                        return Err(Contradiction::Cell(usize::from(cell)));
                    }
                    self.settled.push(cell);
                }
                self.mark(geometry, usize::from(cell));
            }
        }
        Ok(())
    }

    /// Places the values that have one place in `unit`.
    fn hidden_singles(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
        unit: usize,
    ) -> Result<(), Contradiction> {
        let (mut once, mut twice, mut settled) = (0, 0, 0);
        for &cell in geometry.unit(unit) {
            let here = values[usize::from(cell)];
            twice |= once & here;
            once |= here;
            settled |= if is_settled(here) { here } else { 0 };
        }
        if once != geometry.all {
            return Err(Contradiction::Unit(unit));
        }
        let single = once & !twice & !settled;
        if single == 0 {
            return Ok(());
        }
        for &cell in geometry.unit(unit) {
            let value = values[usize::from(cell)] & single;
            if value != 0 {
                if !is_settled(value) {
                    return Err(Contradiction::Cell(usize::from(cell)));
                }
                self.keep(geometry, values, usize::from(cell), value);
            }
        }
        Ok(())
    }

    /// Eliminates the values of `unit` that are in one part of a partition only from the part's target.
    fn locked_candidates(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
        unit: usize,
    ) -> Result<(), Contradiction> {
        for parts in geometry.partitions(unit) {
            let mut seen = [0; MOST_PARTS];
            let (mut once, mut twice, mut settled) = (0, 0, 0);
            for (seen, part) in seen.iter_mut().zip(parts.clone()) {
                for &cell in geometry.part_cells(part).0 {
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
                    self.eliminate(geometry, values, geometry.part_cells(part).1, seen & locked)?;
                }
            }
        }
        Ok(())
    }

    /// Eliminates the values that one rest lacks from the other.
    fn leftovers(&mut self, geometry: &Geometry, values: &mut [Values]) -> Result<(), Contradiction> {
        for (one, other) in geometry.leftovers() {
            let within = |cells: &[u16]| cells.iter().fold(0, |seen, &cell| seen | values[usize::from(cell)]);
            let (here, there) = (within(one), within(other));
            if here != there {
                self.eliminate(geometry, values, one, !there)?;
                self.eliminate(geometry, values, other, !here)?;
            }
        }
        Ok(())
    }
}
