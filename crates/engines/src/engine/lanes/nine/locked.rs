//! Locked candidates, and sweeps that go less or more far than [singles](mod@super::only_singles): for ratings by
//! technique.
//!
//! ```text
//!          block a       block b       block c
//! row 0    x  x  .       .  .  .       x  .  .     pointing: block b has the digit in row 1 only, so blocks a and c
//! row 1    .  x  .       x  x  .       .  .  x     lose it there
//! row 2    .  .  .       .  .  .       .  x  x     claiming: if a row has it in one block only, the other rows of
//!                                                  that block lose it
//! ```
//! Every sweep looks for contradictions and changes. With hidden singles alone, a cell with one candidate eliminates
//! nothing from others until it is a hidden single as well. (Clues would not be at first, so their peers lose them
//! before.)

use galop_simd::Vector;

use super::only_singles::{eliminate, find_hidden, find_naked};
use super::slice::{Slice, minicolumns_of, minirows_of};
use super::sweep::BLOCKS;
use crate::engine::Reach;

/// A sweep of the techniques up to `reach`.
#[inline(always)]
pub(super) fn sweep<V: Vector>(slice: &mut Slice<V>, reach: Reach) {
    let (mut contradictory, mut moved) = (V::ZERO, V::ZERO);
    for d in 0..9 {
        find_hidden::<V, true>(slice, d, &mut contradictory);
    }
    let naked = if reach == Reach::HiddenSingles { V::ZERO } else { V::ONES };
    let mut single = [[V::ZERO; 9]; 9];
    for b in 0..9 {
        find_naked::<V, true>(slice, b, naked, &mut single[b], &mut contradictory, &mut moved);
    }
    for d in 0..9 {
        eliminate::<V, true>(slice, d, &single, &mut contradictory, &mut moved);
    }
    if matches!(reach, Reach::Pointing | Reach::Claiming) {
        let claiming = if reach == Reach::Claiming { V::ONES } else { V::ZERO };
        for d in 0..9 {
            eliminate_locked(slice, d, claiming, &mut moved);
        }
    }
    slice.contradictory = contradictory;
    slice.moving = moved;
}

/// Eliminates the locked candidates of digit `d`: by pointing in all lanes, by claiming in the lanes `claiming`.
#[inline(always)]
fn eliminate_locked<V: Vector>(slice: &mut Slice<V>, d: usize, claiming: V, moved: &mut V) {
    let none = [[V::ZERO; 3]; 9];
    let (mut any_rows, mut any_columns) = (none, none);
    for b in 0..9 {
        (any_rows[b], any_columns[b]) = (minirows_of(&slice.cells[b][d]), minicolumns_of(&slice.cells[b][d]));
    }
    let (mut no_rows, mut no_columns) = (none, none);
    for chute in 0..3 {
        lock(&any_rows, &mut no_rows, BLOCKS[chute], claiming);
        lock(&any_columns, &mut no_columns, BLOCKS[3 + chute], claiming);
    }
    for b in 0..9 {
        for i in 0..9 {
            let before = slice.cells[b][d][i];
            let cell = before & !(no_rows[b][i / 3] | no_columns[b][i % 3]);
            slice.cells[b][d][i] = cell;
            *moved |= before ^ cell;
        }
    }
}

/// The minilines `no` that lose a digit in the three blocks of a chute, from those `any` that have it.
#[inline(always)]
fn lock<V: Vector>(any: &[[V; 3]; 9], no: &mut [[V; 3]; 9], blocks: [usize; 3], claiming: V) {
    for x in 0..3 {
        let [here, one, other] = [blocks[x], blocks[(x + 1) % 3], blocks[(x + 2) % 3]];
        for line in 0..3 {
            let [next, last] = [(line + 1) % 3, (line + 2) % 3];
            let pointing = any[here][line] & !(any[here][next] | any[here][last]);
            no[one][line] |= pointing;
            no[other][line] |= pointing;
            let claimed = any[here][line] & !(any[one][line] | any[other][line]) & claiming;
            no[here][next] |= claimed;
            no[here][last] |= claimed;
        }
    }
}
