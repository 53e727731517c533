//! Units, and the slots of their cells. There may be more slots than cells: slots without a cell are in no unit, and
//! their words are empty.
//!
//! ```text
//! family     units that are apart, so that a slot has at most one of them: rows; columns; blocks; a diagonal
//! families   | unit of slot 0 | unit of slot 1 | ...       MOST_UNITS + slot if it has none
//! ```
//! Two slots are peers if some family gives them the same number.

use crate::grid::Grid;

/// The most units: the bits of the word that stores the units of a slot.
pub(super) const MOST_UNITS: usize = 128;

/// The most families of units in which pairs are compared; a sudoku has three.
pub(super) const MOST_FAMILIES: usize = 6;

/// The geometry of a grid whose cells are in slots.
pub(super) struct Plan {
    /// The slot of every cell.
    cells: Vec<u16>,
    slots: usize,
    all: u32,
    units: Lists,
    /// The units of every slot, a bit a unit.
    units_of: Vec<u128>,
    /// For each family of units that are apart, the unit of every slot; a number of its own for a slot in no unit.
    families: Vec<Vec<u16>>,
}

/// Lists one behind the other, and the start of each; one more start at the end.
pub(super) struct Lists {
    items: Vec<u16>,
    starts: Vec<u32>,
}

impl Lists {
    pub(super) fn new() -> Lists {
        Lists { items: Vec::new(), starts: vec![0] }
    }

    pub(super) fn push(&mut self, list: impl IntoIterator<Item = usize>) {
        self.items.extend(list.into_iter().map(|item| item as u16));
        self.starts.push(self.items.len() as u32);
    }

    pub(super) fn get(&self, index: usize) -> &[u16] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Plan {
    /// Whether a word has a bit for each symbol of `grid`, and another one for each unit.
    pub(super) fn fits(grid: &Grid) -> bool {
        u32::from(grid.symbols()) <= u32::BITS && grid.units().len() <= MOST_UNITS
    }

    /// The plan of `grid`, whose cells are in the slots `cells` of `slots`; `None` if it has too many symbols or
    /// units.
    pub(super) fn new(grid: &Grid, cells: Vec<u16>, slots: usize) -> Option<Plan> {
        let spare = u32::BITS.checked_sub(u32::from(grid.symbols()))?;
        if grid.units().len() > MOST_UNITS
            || cells.len() != grid.cells()
            || slots + MOST_UNITS > usize::from(u16::MAX)
        {
            return None;
        }
        let mut units = Lists::new();
        let mut units_of = vec![0; slots];
        let apart = |slots| (0..slots).map(|slot| (MOST_UNITS + slot) as u16).collect::<Vec<u16>>();
        let mut families = Vec::new();
        for (index, unit) in grid.units().iter().enumerate() {
            let slots_here: Vec<usize> = unit.iter().map(|&cell| usize::from(cells[cell])).collect();
            slots_here.iter().for_each(|&slot| units_of[slot] |= 1 << index);
            let is_apart =
                |family: &Vec<u16>| slots_here.iter().all(|&slot| usize::from(family[slot]) >= MOST_UNITS);
            let place = families.iter().position(is_apart).unwrap_or(families.len());
            if place == families.len() && place < MOST_FAMILIES {
                families.push(apart(slots));
            }
            if let Some(family) = families.get_mut(place) {
                slots_here.iter().for_each(|&slot| family[slot] = index as u16);
            }
            units.push(slots_here);
        }
        families.resize_with(families.len().max(2), || apart(slots));
        let all = u32::MAX.checked_shr(spare).unwrap_or(0);
        Some(Plan { cells, slots, all, units, units_of, families })
    }

    /// The slot of every cell.
    pub(super) fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// The number of slots.
    #[inline(always)]
    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// The bits of all symbols.
    pub(super) fn all(&self) -> u32 {
        self.all
    }

    pub(super) fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// The slots of a unit.
    #[inline(always)]
    pub(super) fn unit(&self, unit: usize) -> &[u16] {
        self.units.get(unit)
    }

    /// The units of a slot, one bit per unit.
    #[inline(always)]
    pub(super) fn unit_bits(&self, slot: usize) -> u128 {
        self.units_of[slot]
    }

    /// The units of a slot.
    #[inline(always)]
    pub(super) fn units_of(&self, slot: usize) -> impl Iterator<Item = usize> {
        bits(self.units_of[slot])
    }

    /// The units that two slots have in common.
    #[inline(always)]
    pub(super) fn common_units(&self, one: usize, other: usize) -> impl Iterator<Item = usize> {
        bits(self.units_of[one] & self.units_of[other])
    }

    pub(super) fn families(&self) -> &[Vec<u16>] {
        &self.families
    }
}

/// The bits of a word.
#[inline(always)]
fn bits(mut word: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        let is_any = word != 0;
        word &= word.wrapping_sub(1);
        is_any.then_some(bit)
    })
}
