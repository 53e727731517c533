//! The geometry of any rules, in flat lists, so that a walk reads memory in order.
//!
//! A unit that meets another one in two cells or more may lock a symbol there. The units that meet it are sorted into
//! partitions: sets of units whose common cells with it are apart, such as the rows through a block. A symbol that is
//! in one part only is then found for all parts of a partition at once.
//!
//! ```text
//! block      a a a | r r r r r r      partition 1 of the block: its three rows a, b, c
//!            b b b |                  partition 2: its three columns
//!            c c c |                  of the row a a a r r r r r r: its three blocks
//! part       cells a a a, target r r r r r r: a symbol locked in the part is eliminated from the target
//! ```

use std::ops::Range;

use super::super::plan::Lists;
use crate::grid::{Grid, Leftovers};

/// The most parts of a partition. A unit has at most as many cells as symbols, a part has two or more of them, and
/// the cells in no part count as one more part.
pub(super) const MOST_PARTS: usize = 17;

pub(super) struct Geometry {
    /// The bits of all symbols.
    pub(super) all: u32,
    peers: Lists,
    /// By candidate: the candidates that it excludes. There are no lists if no candidate excludes any.
    excluded: Lists,
    units: Lists,
    /// The units of every cell, one bit per unit.
    units_of: Vec<u128>,
    /// The partitions of every unit, as numbers of lists in `parts`.
    partitions: Vec<Range<usize>>,
    /// The parts of every partition, as numbers of lists in `insides` and `targets`.
    parts: Vec<Range<usize>>,
    insides: Lists,
    targets: Lists,
    /// Two rests, one behind the other, and so on.
    leftovers: Lists,
}

impl Geometry {
    /// The geometry of a grid with at most 32 symbols and 128 units.
    pub(super) fn new(grid: &Grid) -> Geometry {
        let [mut peers, mut excluded, mut units] = [(); 3].map(|()| Lists::new());
        (0..grid.cells()).for_each(|cell| peers.push(grid.peers(cell).iter().copied()));
        if !grid.exclusive().is_empty() {
            let candidates = 0..grid.cells() * usize::from(grid.symbols());
            candidates.for_each(|candidate| excluded.push(grid.excluded_by(candidate).iter().copied()));
        }
        grid.units().iter().for_each(|unit| units.push(unit.iter().copied()));
        let bits = |units: &[usize]| units.iter().fold(0, |bits, unit| bits | 1 << unit);
        let mut geometry = Geometry {
            all: u32::MAX >> (32 - u32::from(grid.symbols()).clamp(1, 32)),
            peers,
            excluded,
            units,
            units_of: (0..grid.cells()).map(|cell| bits(grid.units_of(cell))).collect(),
            partitions: Vec::new(),
            parts: Vec::new(),
            insides: Lists::new(),
            targets: Lists::new(),
            leftovers: Lists::new(),
        };
        grid.units().iter().for_each(|unit| geometry.part(grid, unit));
        geometry.find_leftovers(grid);
        geometry
    }

    /// Finds the leftovers of neighbouring lines against regions. A line and a region lock what their leftovers tell.
    fn find_leftovers(&mut self, grid: &Grid) {
        let side = grid.side();
        if let Some(regions) = grid.units().get(2 * side..3 * side) {
            let mut leftovers = Leftovers::new(side);
            leftovers.add_spans(grid.units(), regions);
            for rest in leftovers.found().as_flattened() {
                self.leftovers.push(rest.iter().copied());
            }
        }
    }

    /// Finds the partitions of `unit`.
    fn part(&mut self, grid: &Grid, unit: &[usize]) {
        let is_here = |cell: &usize| unit.contains(cell);
        let mut open: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for other in grid.units() {
            let (inside, target): (Vec<usize>, Vec<usize>) = other.iter().partition(|cell| is_here(cell));
            if inside.len() >= 2 && !target.is_empty() {
                open.push((inside, target));
            }
        }
        let first = self.parts.len();
        while !open.is_empty() {
            let (start, mut taken) = (self.insides.len(), Vec::new());
            open.retain(|(inside, target)| {
                let is_apart = inside.iter().all(|cell| !taken.contains(cell));
                if is_apart {
                    taken.extend(inside);
                    self.insides.push(inside.iter().copied());
                    self.targets.push(target.iter().copied());
                }
                !is_apart
            });
            let rest: Vec<usize> = unit.iter().copied().filter(|cell| !taken.contains(cell)).collect();
            if !rest.is_empty() {
                self.insides.push(rest);
                self.targets.push([]);
            }
            self.parts.push(start..self.insides.len());
        }
        self.partitions.push(first..self.parts.len());
    }

    #[inline]
    pub(super) fn has_leftovers(&self) -> bool {
        self.leftovers.len() > 0
    }

    /// The leftovers: two rests each.
    pub(super) fn leftovers(&self) -> impl Iterator<Item = (&[u16], &[u16])> {
        let rests = |first| (self.leftovers.get(first), self.leftovers.get(first + 1));
        (0..self.leftovers.len()).step_by(2).map(rests)
    }

    pub(super) fn unit_count(&self) -> usize {
        self.partitions.len()
    }

    #[inline]
    pub(super) fn unit(&self, unit: usize) -> &[u16] {
        self.units.get(unit)
    }

    #[inline]
    pub(super) fn peers(&self, cell: usize) -> &[u16] {
        self.peers.get(cell)
    }

    /// What the candidate `value` of `cell` excludes, as cells and values. Its own value in the peers is not among them.
    #[inline]
    pub(super) fn excluded(&self, cell: usize, value: u32) -> impl Iterator<Item = (u16, u32)> {
        let symbols = self.all.count_ones() as u16;
        let candidate = cell * usize::from(symbols) + value.trailing_zeros() as usize;
        let excluded = if self.excluded.len() == 0 { &[] } else { self.excluded.get(candidate) };
        excluded.iter().map(move |&other| (other / symbols, 1 << (other % symbols)))
    }

    #[inline]
    pub(super) fn units_of(&self, cell: usize) -> u128 {
        self.units_of[cell]
    }

    /// The partitions of `unit`: ranges of parts.
    #[inline]
    pub(super) fn partitions(&self, unit: usize) -> &[Range<usize>] {
        &self.parts[self.partitions[unit].clone()]
    }

    /// The cells of a part, and the cells of its target.
    #[inline]
    pub(super) fn part_cells(&self, part: usize) -> (&[u16], &[u16]) {
        (self.insides.get(part), self.targets.get(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{KINDS, Regions, Rules};

    #[test]
    fn partitions_hold_every_cell_of_their_unit_once() {
        let regions = Regions::read(b"aaab\nabbb\ncccd\ncddd\n").unwrap();
        for kind in KINDS {
            for side in kind.sides() {
                let Ok(rules) = Rules::new(kind, side, Some(&regions)) else { continue };
                let geometry = Geometry::new(rules.grid());
                for (unit, mut whole) in rules.grid().units().iter().cloned().enumerate() {
                    for parts in geometry.partitions(unit) {
                        assert!(parts.len() <= MOST_PARTS);
                        let mut cells: Vec<usize> = parts
                            .clone()
                            .flat_map(|part| geometry.part_cells(part).0)
                            .map(|&cell| usize::from(cell))
                            .collect();
                        cells.sort_unstable();
                        whole.sort_unstable();
                        assert_eq!(cells, whole, "{} unit {unit}", rules.name());
                    }
                }
            }
        }
    }
}
