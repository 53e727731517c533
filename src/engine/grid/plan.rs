//! The geometry of any rules, in flat lists: whoever walks them touches memory in order.
//!
//! A unit that meets another one in two cells or more may lock a symbol there. The units that meet it are sorted
//! into partitions: sets of units whose common cells with it are apart, as the rows through a block. A symbol that
//! stands in one part only is then found for all parts of a partition at one look.
//!
//! ```text
//! block      a a a | r r r r r r      partition 1 of the block: its three rows a, b, c
//!            b b b |                  partition 2: its three columns
//!            c c c |                  of the row a a a r r r r r r: its three blocks
//! part       cells a a a, target r r r r r r: a symbol locked in the part leaves the target
//! ```

use std::ops::Range;

use super::Values;
use crate::rules::Grid;

/// Units that fit the words in which those that changed are noted.
pub(super) const MOST_UNITS: usize = 128;

/// Parts of a partition at most: a unit has no more cells than symbols, a part two or more of them, and what is
/// in no part is one as well.
pub(super) const MOST_PARTS: usize = 17;

pub(super) struct Plan {
    pub(super) cells: usize,
    /// The bits of all symbols.
    pub(super) all: Values,
    peers: Lists,
    units: Lists,
    /// The units of every cell, a bit a unit.
    units_of: Vec<u128>,
    /// The partitions of every unit, as numbers of lists in `parts`.
    partitions: Vec<Range<usize>>,
    /// The parts of every partition, as numbers of lists in `insides` and `targets`.
    parts: Vec<Range<usize>>,
    insides: Lists,
    targets: Lists,
}

/// Lists one behind the other, and where each starts; one start more at the end.
struct Lists {
    items: Vec<u16>,
    starts: Vec<u32>,
}

impl Lists {
    fn new() -> Lists {
        Lists { items: Vec::new(), starts: vec![0] }
    }

    fn push(&mut self, list: impl IntoIterator<Item = usize>) {
        self.items.extend(list.into_iter().map(|item| item as u16));
        self.starts.push(self.items.len() as u32);
    }

    fn get(&self, index: usize) -> &[u16] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

impl Plan {
    /// The plan of `grid`; `None` where it has too many symbols or units.
    pub(super) fn new(grid: &Grid) -> Option<Plan> {
        let spare = Values::BITS.checked_sub(u32::from(grid.symbols()))?;
        if grid.units().len() > MOST_UNITS || grid.cells() > usize::from(u16::MAX) {
            return None;
        }
        let (mut peers, mut units) = (Lists::new(), Lists::new());
        (0..grid.cells()).for_each(|cell| peers.push(grid.peers(cell).iter().copied()));
        grid.units().iter().for_each(|unit| units.push(unit.iter().copied()));
        let bits = |units: &[usize]| units.iter().fold(0, |bits, unit| bits | 1 << unit);
        let mut plan = Plan {
            cells: grid.cells(),
            all: Values::MAX.checked_shr(spare).unwrap_or(0),
            peers,
            units,
            units_of: (0..grid.cells()).map(|cell| bits(grid.units_of(cell))).collect(),
            partitions: Vec::new(),
            parts: Vec::new(),
            insides: Lists::new(),
            targets: Lists::new(),
        };
        grid.units().iter().for_each(|unit| plan.part(grid, unit));
        Some(plan)
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
            let (start, mut taken) = (self.insides.starts.len() - 1, Vec::new());
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
            self.parts.push(start..self.insides.starts.len() - 1);
        }
        self.partitions.push(first..self.parts.len());
    }

    pub(super) fn unit_count(&self) -> usize {
        self.partitions.len()
    }

    pub(super) fn unit(&self, unit: usize) -> &[u16] {
        self.units.get(unit)
    }

    pub(super) fn peers(&self, cell: usize) -> &[u16] {
        self.peers.get(cell)
    }

    pub(super) fn units_of(&self, cell: usize) -> u128 {
        self.units_of[cell]
    }

    /// The partitions of `unit`: ranges of parts.
    pub(super) fn partitions(&self, unit: usize) -> &[Range<usize>] {
        &self.parts[self.partitions[unit].clone()]
    }

    /// The cells of a part, in its unit and out of it.
    pub(super) fn part_cells(&self, part: usize) -> (&[u16], &[u16]) {
        (self.insides.get(part), self.targets.get(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{KINDS, Regions, Rules};

    #[test]
    fn partitions_of_a_block_are_its_rows_and_its_columns() {
        let plan = Plan::new(Rules::sudoku().grid()).unwrap();
        let inside = |part| plan.part_cells(part).0.to_vec();
        let block: Vec<Vec<Vec<u16>>> =
            plan.partitions(18).iter().map(|parts| parts.clone().map(inside).collect()).collect();
        assert_eq!(block[0], [[0, 1, 2], [9, 10, 11], [18, 19, 20]]);
        assert_eq!(block[1], [[0, 9, 18], [1, 10, 19], [2, 11, 20]]);
        assert_eq!(plan.partitions(0).len(), 1, "the blocks through a row");
        assert_eq!(plan.part_cells(plan.partitions(0)[0].start).1, [9, 10, 11, 18, 19, 20]);
    }

    #[test]
    fn partitions_hold_every_cell_of_their_unit_once() {
        let map =
            b"aaab\naabb\nccbd\ncddd\n".iter().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
        let regions = Regions::read(&map).ok();
        for kind in KINDS {
            for size in kind.sizes {
                let Ok(rules) = Rules::new(kind, size.side, regions.as_ref()) else { continue };
                let plan = Plan::new(rules.grid()).unwrap();
                for unit in 0..plan.unit_count() {
                    for parts in plan.partitions(unit) {
                        assert!(parts.len() <= MOST_PARTS);
                        let mut cells: Vec<u16> =
                            parts.clone().flat_map(|part| plan.part_cells(part).0).copied().collect();
                        let mut whole = plan.unit(unit).to_vec();
                        cells.sort_unstable();
                        whole.sort_unstable();
                        assert_eq!(cells, whole, "{} unit {unit}", size.name);
                    }
                }
            }
        }
    }
}
