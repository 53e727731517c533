//! Grids of any kind: naked singles, hidden singles, locked candidates, one cell and one unit after the other.
//!
//! ```text
//! settled    cells with one value, which no peer may have: a stack, first of all
//! singles    units in which something was struck: a value with one place goes there
//! locked     the same units, when nothing else is left: a value with one part leaves the part's target
//! ```
//! All values of a unit are looked at together: those seen once and those seen twice are two words.

mod geometry;

use std::marker::PhantomData;

use galop_simd::Simd;

use super::infer::{Conflict, Infer};
use super::sweep::Large;
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

/// What is still to be looked at.
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

impl<S: Simd> Infer for Lists<S> {
    type Word = Values;
    type Blocks = Large<S::Quad>;

    fn start(&mut self) {
        self.clear();
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

    fn propagate(&mut self, values: &mut [Values]) -> Result<(), Conflict> {
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
}

impl Agenda {
    /// Leaves the values `kept` alone to `cell`.
    fn keep(&mut self, geometry: &Geometry, values: &mut [Values], cell: usize, kept: Values) {
        values[cell] &= kept;
        if is_settled(values[cell]) {
            self.settled.push(cell as u16);
        }
        self.soil(geometry, cell);
    }

    /// Something has left `cell`.
    fn soil(&mut self, geometry: &Geometry, cell: usize) {
        self.singles |= geometry.units_of(cell);
        self.locked |= geometry.units_of(cell);
    }

    /// Infers until nothing follows.
    pub(super) fn propagate(&mut self, geometry: &Geometry, values: &mut [Values]) -> Result<(), Conflict> {
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
            } else {
                return Ok(());
            }
        }
    }

    /// Takes the one value of `cell` from its peers.
    fn settle(&mut self, geometry: &Geometry, values: &mut [Values], cell: usize) -> Result<(), Conflict> {
        let value = values[cell];
        if value == 0 {
            return Err(Conflict::Cell(cell));
        }
        self.take(geometry, values, geometry.peers(cell), value)
    }

    /// Takes `taken` from `cells`.
    #[inline]
    fn take(
        &mut self,
        geometry: &Geometry,
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
                self.soil(geometry, usize::from(cell));
            }
        }
        Ok(())
    }

    /// Values with one place in `unit` go there.
    fn hidden_singles(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
        unit: usize,
    ) -> Result<(), Conflict> {
        let (mut once, mut twice, mut settled) = (0, 0, 0);
        for &cell in geometry.unit(unit) {
            let here = values[usize::from(cell)];
            twice |= once & here;
            once |= here;
            settled |= if is_settled(here) { here } else { 0 };
        }
        if once != geometry.all {
            return Err(Conflict::Unit(unit));
        }
        let single = once & !twice & !settled;
        if single == 0 {
            return Ok(());
        }
        for &cell in geometry.unit(unit) {
            let value = values[usize::from(cell)] & single;
            if value != 0 {
                if !is_settled(value) {
                    return Err(Conflict::Cell(usize::from(cell)));
                }
                self.keep(geometry, values, usize::from(cell), value);
            }
        }
        Ok(())
    }

    /// Values of `unit` that stand in one part of a partition only leave the part's target.
    fn locked_candidates(
        &mut self,
        geometry: &Geometry,
        values: &mut [Values],
        unit: usize,
    ) -> Result<(), Conflict> {
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
                    self.take(geometry, values, geometry.part_cells(part).1, seen & locked)?;
                }
            }
        }
        Ok(())
    }
}
