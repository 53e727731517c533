//! The sweep of grids without blocks: naked and hidden singles of rows, columns and, with `HAS_REGIONS`, of regions of
//! any form.

use galop_simd::Vector;

use super::cells::Slice;
use super::listed;
use super::shape::Shape;
use super::tables::Tables;

/// One sweep. If `LAST`, the last one of its round.
#[inline(always)]
pub(super) fn sweep<V: Vector, H: Shape, const HAS_REGIONS: bool, const LAST: bool>(
    shape: H,
    tables: &Tables,
    slice: &mut Slice<V>,
) {
    let (mut contradictory, mut moved) = (slice.contradictory, V::ZERO);
    let side = shape.side();
    let listed_too = tables.has_lists();
    // Extra units come first in `once`, then rows, columns and regions.
    let rows_of = tables.extra.len() * side;
    let (columns_of, regions_of) = (rows_of + side * side, rows_of + 2 * side * side);
    for symbol in 0..side {
        if listed_too {
            listed::of_symbol::<V, H, LAST>(shape, tables, slice, symbol, &mut contradictory, &mut moved);
        }
        let first = symbol * shape.stride();
        let Slice { cells, single, once, .. } = slice;
        let (mut any_column, mut several_column) = (H::of_side(V::ZERO), H::of_side(V::ZERO));
        let (mut held_column, mut held_row) = (H::of_side(V::ZERO), H::of_side(V::ZERO));
        let mut clash = V::ZERO;
        for row in 0..side {
            let (mut any, mut several, mut held) = (V::ZERO, V::ZERO, V::ZERO);
            for column in 0..side {
                let here = cells[[first + row * side, column]];
                let settled = here & single[[row * side, column]];
                several |= any & here;
                any |= here;
                several_column[column] |= any_column[column] & here;
                any_column[column] |= here;
                clash |= (held | held_column[column]) & settled;
                held |= settled;
                held_column[column] |= settled;
            }
            contradictory |= !any;
            once[[rows_of + row * side, symbol]] = any & !several;
            held_row[row] = held;
        }
        for column in 0..side {
            contradictory |= !any_column[column];
            once[[columns_of + column * side, symbol]] = any_column[column] & !several_column[column];
        }
        let mut held_region = H::of_side(V::ZERO);
        if HAS_REGIONS {
            for (region, unit) in tables.regions.iter().enumerate() {
                let (mut any, mut several, mut held) = (V::ZERO, V::ZERO, V::ZERO);
                for &cell in &unit[..side] {
                    let here = cells[[first, usize::from(cell)]];
                    let settled = here & single[[usize::from(cell), 0]];
                    several |= any & here;
                    any |= here;
                    clash |= held & settled;
                    held |= settled;
                }
                contradictory |= !any;
                once[[regions_of + region * side, symbol]] = any & !several;
                held_region[region] = held;
            }
        }
        contradictory |= clash;
        for row in 0..side {
            for column in 0..side {
                let cell = row * side + column;
                let mut held = held_row[row] | held_column[column];
                if HAS_REGIONS {
                    held |= held_region[usize::from(tables.region_of[cell]) % side];
                }
                let at = &mut cells[[first + row * side, column]];
                let left = *at & (single[[row * side, column]] | !held);
                if LAST {
                    moved |= *at ^ left;
                }
                *at = left;
            }
        }
    }
    if listed_too {
        listed::of_cells::<V, H, LAST>(shape, tables, slice, &mut contradictory, &mut moved);
    }
    let mut all = V::ONES;
    let (stride, Slice { cells, single, once, .. }) = (shape.stride(), &mut *slice);
    for row in 0..side {
        for column in 0..side {
            let cell = row * side + column;
            let region = if HAS_REGIONS { usize::from(tables.region_of[cell]) } else { 0 };
            let (mut owned, mut own) = (V::ZERO, H::of_side(V::ZERO));
            for symbol in 0..side {
                let mut has_one =
                    once[[rows_of + row * side, symbol]] | once[[columns_of + column * side, symbol]];
                if HAS_REGIONS {
                    has_one |= once[[regions_of + region * side, symbol]];
                }
                own[symbol] = has_one & cells[[cell, symbol * stride]];
                owned |= own[symbol];
            }
            let (mut any, mut several) = (V::ZERO, V::ZERO);
            for symbol in 0..side {
                let at = &mut cells[[cell, symbol * stride]];
                let left = *at & (own[symbol] | !owned);
                if LAST {
                    moved |= *at ^ left;
                }
                *at = left;
                several |= any & left;
                any |= left;
            }
            single[[row * side, column]] = any & !several;
            contradictory |= !any | (owned & several);
            all &= single[[row * side, column]];
        }
    }
    slice.end_sweep::<LAST>(contradictory, all, moved);
}
