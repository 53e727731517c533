//! Naked and hidden singles of a block, and their eliminations within the block.
//!
//! After both filters every hidden single of a row, a column or the block is a digit with one cell in the block;
//! [`Slice::open`](super::slice::Slice) has the digits with more cells. This file eliminates nothing from rows and
//! columns: the next filters do that.

use super::slice::minirows_of;
use galop_simd::Vector;

/// What the singles of a block say about the lanes.
pub(super) struct Singles<V> {
    /// Lanes with a contradiction: an empty cell, or a cell that two digits own.
    pub(super) contradictory: V,
    /// Lanes whose nine cells have one candidate each.
    pub(super) all: V,
}

/// Settles the cells of a block: eliminates other digits from the cell of a hidden single, and the digit of a naked
/// single from the other cells of the block.
#[inline(always)]
pub(super) fn settle<V: Vector>(
    cells: &mut [[V; 9]; 9],
    open: &[V; 9],
    rows: &mut [[V; 3]; 9],
) -> Singles<V> {
    let mut owned = [V::ZERO; 9];
    for d in 0..9 {
        for i in 0..9 {
            owned[i] |= cells[d][i] & !open[d];
        }
    }
    let mut singles = Singles { contradictory: V::ZERO, all: V::ONES };
    let mut single = [V::ZERO; 9];
    // Three vectors per cell are in use at a time.
    if V::REGISTERS >= 32 {
        find::<V, 9>(cells, open, &owned, 0, &mut single, &mut singles);
    } else {
        for first in [0, 3, 6] {
            find::<V, 3>(cells, open, &owned, first, &mut single, &mut singles);
        }
    }
    eliminate(cells, &single, rows);
    singles
}

/// For the `COUNT` cells from `first` on: eliminates other digits from those that a hidden single owns, then finds
/// which cells are single.
#[inline(always)]
fn find<V: Vector, const COUNT: usize>(
    cells: &mut [[V; 9]; 9],
    open: &[V; 9],
    owned: &[V; 9],
    first: usize,
    single: &mut [V; 9],
    singles: &mut Singles<V>,
) {
    let (mut once, mut twice) = ([V::ZERO; COUNT], [V::ZERO; COUNT]);
    for d in 0..9 {
        for i in 0..COUNT {
            let cell = cells[d][first + i] & !(owned[first + i] & open[d]);
            cells[d][first + i] = cell;
            twice[i] |= once[i] & cell;
            once[i] |= cell;
        }
    }
    for i in 0..COUNT {
        single[first + i] = once[i] & !twice[i];
        singles.contradictory |= !once[i] | (owned[first + i] & twice[i]);
        singles.all &= single[first + i];
    }
}

/// Eliminates the digits of the cells in `single` from the other cells of the block, and updates the minirows `rows`.
#[inline(always)]
pub(super) fn eliminate<V: Vector>(cells: &mut [[V; 9]; 9], single: &[V; 9], rows: &mut [[V; 3]; 9]) {
    for d in 0..9 {
        let mut cell = cells[d];
        let mut held = V::ZERO;
        for i in 0..9 {
            held |= cell[i] & single[i];
        }
        for i in 0..9 {
            cell[i] &= single[i] | !held;
        }
        cells[d] = cell;
        rows[d] = minirows_of(&cell);
    }
}
