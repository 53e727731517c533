//! The sweep: one step of propagation for all lanes at once, without branches.
//!
//! 1. Bands: the [filter](super::filter) on the minirows of each digit.
//! 2. The cells of eliminated minirows are eliminated, which gives the minicolumns. The cells are not written yet.
//! 3. Stacks: the same filter on these minicolumns.
//! 4. Both eliminations are written to the cells, and the [singles] of each block are settled.
//!
//! A round is a few sweeps. The last one also does the [triads] and finds the lanes at a fixed point. A lane is
//! *solved* if all its cells are single before and after the last sweep, and it is not contradictory: then no
//! elimination was possible without emptying a cell, and every digit has a configuration in every band and stack, so
//! it occurs once in every row, column and block. (Lanes whose cells became single in the last sweep are
//! [proved](prove) separately.) A lane is *stuck* if its minirows and minicolumns did not change.
//!
//! Memory limits the speed of a sweep: on Zen 4 its logic alone would take half of the time; its loads and stores
//! take all of it.

use super::adders::{any3, two3};
use super::filter::{configurations, minirows};
use super::singles::{self, settle};
use super::slice::{Minis, Slice, minicolumns_of, minirows_of, of_band};
use super::tally::Configurations;
use super::triads;
use galop_simd::Vector;

/// The blocks of the three bands, then of the three stacks.
pub(super) const BLOCKS: [[usize; 3]; 6] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];

/// What the filters of a sweep find in the lanes.
struct Found<V> {
    /// Every digit has a configuration.
    good: V,
    contradictory: V,
    /// A minirow or minicolumn was eliminated.
    moved: V,
}

/// A sweep that is not the last one of its round.
#[inline(always)]
pub(super) fn sweep<V: Vector>(slice: &mut Slice<V>) {
    step::<V, false, false>(slice, &mut [Configurations::NONE; 6]);
}

/// The last sweep of a round, with triads.
#[inline(always)]
pub(super) fn last_sweep<V: Vector>(slice: &mut Slice<V>) {
    step::<V, true, false>(slice, &mut [Configurations::NONE; 6]);
}

/// The last sweep of a round, with triads. Counts the configurations for the cheap choice.
#[inline(always)]
pub(super) fn last_sweep_counting<V: Vector>(slice: &mut Slice<V>, counts: &mut [Configurations<V>; 6]) {
    step::<V, true, true>(slice, counts);
}

/// One sweep. If `LAST`, the last one of a round, with triads. If `COUNT` as well, it counts the configurations.
#[inline(always)]
fn step<V: Vector, const LAST: bool, const COUNT: bool>(
    slice: &mut Slice<V>,
    counts: &mut [Configurations<V>; 6],
) {
    let mut found = Found { good: V::ONES, contradictory: slice.contradictory, moved: V::ZERO };
    for band in 0..3 {
        let blocks = BLOCKS[band];
        if LAST {
            band_with_triads::<V, COUNT>(&mut slice.rows, blocks, &mut found, &mut counts[band]);
        }
        for d in 0..9 {
            let mut rows = of_band(&slice.rows, blocks, d);
            if !LAST {
                rows = filter(rows, &mut found.good).0;
                for x in 0..3 {
                    slice.rows[blocks[x]][d] = rows[x];
                }
            }
            for x in 0..3 {
                let mut cells = slice.cells[blocks[x]][d];
                for i in 0..9 {
                    cells[i] &= rows[x][i / 3];
                }
                slice.columns[blocks[x]][d] = minicolumns_of(&cells);
            }
        }
    }
    let mut all = V::ONES;
    for stack in 3..6 {
        let blocks = BLOCKS[stack];
        if LAST {
            band_with_triads::<V, COUNT>(&mut slice.columns, blocks, &mut found, &mut counts[stack]);
        }
        for d in 0..9 {
            let mut columns = of_band(&slice.columns, blocks, d);
            if !LAST {
                columns = filter(columns, &mut found.good).0;
            }
            for x in 0..3 {
                let rows = slice.rows[blocks[x]][d];
                let mut cells = slice.cells[blocks[x]][d];
                for i in 0..9 {
                    cells[i] = cells[i] & rows[i / 3] & columns[x][i % 3];
                }
                slice.cells[blocks[x]][d] = cells;
                let [a, b, c] = minirows_of(&cells);
                slice.open[blocks[x]][d] = two3(a, b, c) | two3(columns[x][0], columns[x][1], columns[x][2]);
            }
        }
        for x in 0..3 {
            let block = blocks[x];
            let singles = settle(&mut slice.cells[block], &slice.open[block], &mut slice.rows[block]);
            found.contradictory |= singles.contradictory;
            all &= singles.all;
        }
    }
    let is_new = all & !slice.single;
    slice.moving = if LAST { (found.moved & !all) | is_new } else { !all | is_new };
    slice.contradictory = found.contradictory | !found.good;
    slice.single = all;
}

/// Finds the solved lanes among those that became single in the last sweep, so that they need not be swept again.
/// They are the lanes in which every digit has a configuration in every band and stack: with 81 single cells, each
/// digit then occurs once in every row, column and block.
#[inline(always)]
pub(super) fn prove<V: Vector>(slice: &mut Slice<V>) {
    let mut good = slice.single;
    for d in 0..9 {
        let mut columns = [[V::ZERO; 3]; 9];
        for block in 0..9 {
            columns[block] = minicolumns_of(&slice.cells[block][d]);
        }
        for band in 0..3 {
            let [a, b, c] = of_band(&slice.rows, BLOCKS[band], d);
            good &= is_possible(a, b, c);
            let [a, b, c] = BLOCKS[3 + band];
            good &= is_possible(columns[a], columns[b], columns[c]);
        }
    }
    slice.moving &= !good;
}

/// Lanes in which a digit has a configuration in a band, given the minirows of its three blocks.
#[inline(always)]
fn is_possible<V: Vector>(a: [V; 3], b: [V; 3], c: [V; 3]) -> V {
    let open = configurations(a, b, c);
    any3(open[0], open[1], open[2]) | any3(open[3], open[4], open[5])
}

/// The filter for a digit of a band. Returns the minirows that are left, and the open configurations.
#[inline(always)]
fn filter<V: Vector>([a, b, c]: [[V; 3]; 3], good: &mut V) -> ([[V; 3]; 3], [V; 6]) {
    let open = configurations(a, b, c);
    let left = minirows(open);
    *good &= any3(left[0][0], left[0][1], left[0][2]);
    (left, open)
}

/// Triads and the filter for all digits of a band, in place.
#[inline(always)]
fn band_with_triads<V: Vector, const COUNT: bool>(
    minis: &mut Minis<V>,
    blocks: [usize; 3],
    found: &mut Found<V>,
    counts: &mut Configurations<V>,
) {
    let full = triads::naked(minis, blocks, &mut found.contradictory);
    if COUNT {
        *counts = Configurations::NONE;
    }
    for d in 0..9 {
        let before = of_band(minis, blocks, d);
        let (left, open) = filter(triads::held(before, &full), &mut found.good);
        for x in 0..3 {
            for r in 0..3 {
                found.moved |= before[x][r] ^ left[x][r];
            }
            minis[blocks[x]][d] = left[x];
        }
        if COUNT {
            counts.add(d, open);
        }
    }
    triads::hidden(minis, blocks, &mut found.contradictory);
}

/// Prepares the slice for the first sweep of a round, after states were loaded.
#[inline(always)]
pub(super) fn start<V: Vector>(slice: &mut Slice<V>) {
    begin::<V, false>(slice);
}

/// As [`start`], with puzzles among the states: their clues are eliminated from the other cells of their blocks, and
/// clues that contradict each other are found.
#[inline(always)]
pub(super) fn start_fresh<V: Vector>(slice: &mut Slice<V>) {
    begin::<V, true>(slice);
}

/// [`start`], or [`start_fresh`] if `FRESH`.
#[inline(always)]
fn begin<V: Vector, const FRESH: bool>(slice: &mut Slice<V>) {
    let mut contradictory = V::ZERO;
    for block in 0..9 {
        let cells = &mut slice.cells[block];
        if FRESH {
            let mut single = [V::ZERO; 9];
            for i in 0..9 {
                let (mut once, mut twice) = (V::ZERO, V::ZERO);
                for d in 0..9 {
                    twice |= once & cells[d][i];
                    once |= cells[d][i];
                }
                single[i] = once & !twice;
            }
            // The filters find equal clues in a row or column. This finds equal clues in a block.
            for d in 0..9 {
                let mut once = V::ZERO;
                for i in 0..9 {
                    let clue = cells[d][i] & single[i];
                    contradictory |= once & clue;
                    once |= clue;
                }
            }
            singles::eliminate(cells, &single, &mut slice.rows[block]);
        } else {
            for d in 0..9 {
                slice.rows[block][d] = minirows_of(&cells[d]);
            }
        }
    }
    slice.contradictory = contradictory;
    slice.single = V::ZERO;
}
