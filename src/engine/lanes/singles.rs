//! Singles of a block, naked and hidden, and what follows from them within the block.
//!
//! After both filters every hidden single, of a row, a column or the block, is a digit with one cell in the
//! block; [`Slice::open`](super::slice::Slice) has the digits with more. No digit is ever struck out of rows and
//! columns here: the next filters do that.

use super::vector::{Vector, any3};

/// What becomes of the singles of a block.
pub(super) struct Singles<V> {
    /// Lanes with a contradiction: an empty cell, or a cell that two digits own.
    pub(super) bad: V,
    /// Lanes whose nine cells have one candidate each.
    pub(super) all: V,
}

/// Settles the cells of a block: other digits leave the cell of a hidden single, and the digit of a naked single
/// leaves the block's other cells.
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
    let (mut bad, mut all) = (V::ZERO, V::ONES);
    let mut single = [V::ZERO; 9];
    for r in 0..3 {
        let (mut once, mut twice) = ([V::ZERO; 3], [V::ZERO; 3]);
        for d in 0..9 {
            for x in 0..3 {
                let i = 3 * r + x;
                let cell = cells[d][i] & !(owned[i] & open[d]);
                cells[d][i] = cell;
                twice[x] |= once[x] & cell;
                once[x] |= cell;
            }
        }
        for x in 0..3 {
            let i = 3 * r + x;
            single[i] = once[x] & !twice[x];
            bad |= !once[x] | (owned[i] & twice[x]);
            all &= single[i];
        }
    }
    strike(cells, &single, rows);
    Singles { bad, all }
}

/// The digits of the cells in `single` leave the block's other cells; `rows` are the minirows after that.
#[inline(always)]
pub(super) fn strike<V: Vector>(cells: &mut [[V; 9]; 9], single: &[V; 9], rows: &mut [[V; 3]; 9]) {
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
        for r in 0..3 {
            rows[d][r] = any3(cell[3 * r], cell[3 * r + 1], cell[3 * r + 2]);
        }
    }
}
