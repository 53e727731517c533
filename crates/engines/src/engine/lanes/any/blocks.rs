//! The sweep of grids with rectangular blocks of at most four rows and columns.
//!
//! A symbol occurs once in each row and block of a band. So the rows that it has in the blocks of a band are a
//! permutation, and the *permutation filter* keeps the minirows that are in one. The same holds for stacks and
//! minicolumns. The filters find every locked candidate and every hidden single of rows and columns, and that each
//! symbol has a place; the rest is singles of the blocks.
//!
//! ```text
//! blocks of a band    0  1  2  3
//! row 0               x  x  .  .      a matrix of minirows; x: the symbol is possible in one of its cells
//! row 1               .  x  x  .
//! row 2               x  .  .  x      kept: what is in one of the permutations
//! row 3               .  .  x  x
//! ```
//!
//! Windoku is two systems of blocks: in the order 2 3 4, 6 7 8, 1 5 9 of rows and columns the four windows and the five
//! units that they imply are blocks, too.

use galop_simd::Vector;

use super::cells::{Candidates, Slice, Vectors};
use super::filter::{configurations, minirows};
use super::listed;
use super::shape::Shape;
use super::tables::Tables;
use crate::grid::WINDOW_LINES;

/// Row or column `index` of a system of blocks.
#[inline(always)]
fn line<const IS_SECOND: bool>(index: usize) -> usize {
    if IS_SECOND { WINDOW_LINES[index % 9] } else { index }
}

/// What the filters of a sweep find in the lanes.
struct Found<V> {
    /// Every symbol has a place in every row, column and block.
    good: V,
    contradictory: V,
    moved: V,
    /// Every cell has one candidate.
    all: V,
}

/// One sweep; with `HAS_WINDOWS` there are two systems of blocks. If `LAST`, the last one of its round.
#[inline(always)]
pub(super) fn sweep<V: Vector, H: Shape, const HAS_WINDOWS: bool, const LAST: bool>(
    shape: H,
    tables: &Tables,
    slice: &mut Slice<V>,
) {
    let mut found = Found { good: V::ONES, contradictory: slice.contradictory, moved: V::ZERO, all: V::ONES };
    let side = shape.side();
    let listed_too = tables.has_lists();
    for symbol in 0..side {
        let Slice { cells, open, .. } = slice;
        filter_chutes::<V, H, false, LAST>(shape, cells, &mut open[0], symbol, &mut found);
        if HAS_WINDOWS {
            filter_chutes::<V, H, true, LAST>(shape, cells, &mut open[1], symbol, &mut found);
        }
        if listed_too {
            listed::of_symbol::<V, H, LAST>(
                shape,
                tables,
                slice,
                symbol,
                &mut found.contradictory,
                &mut found.moved,
            );
        }
    }
    if listed_too {
        listed::of_cells::<V, H, LAST>(shape, tables, slice, &mut found.contradictory, &mut found.moved);
    }
    for block in 0..side {
        settle_any::<V, H, false, LAST>(shape, slice, block, &mut found);
    }
    if HAS_WINDOWS {
        for block in 0..side {
            settle_any::<V, H, true, LAST>(shape, slice, block, &mut found);
        }
    }
    slice.end_sweep::<LAST>(found.contradictory | !found.good, found.all, found.moved);
}

/// The filters of a symbol's bands, then of its stacks. Writes the cells, and which blocks have several.
#[inline(always)]
fn filter_chutes<V: Vector, H: Shape, const IS_SECOND: bool, const LAST: bool>(
    shape: H,
    cells: &mut Candidates<V>,
    open: &mut Vectors<V, 512>,
    symbol: usize,
    found: &mut Found<V>,
) {
    let (side, rows, columns) = (shape.side(), shape.rows(), shape.columns());
    let first = symbol * shape.stride();
    let row_at = |row: usize| line::<IS_SECOND>(row) * side;
    let column_at = line::<IS_SECOND>;
    // By row and stack: lanes in which the minirow stays.
    let mut kept = H::of_side(H::of_rows(V::ZERO));
    for band in 0..columns {
        let mut minirows = H::of_rows(H::of_rows(V::ZERO));
        for row in 0..rows {
            for stack in 0..rows {
                let mut any = V::ZERO;
                for x in 0..columns {
                    any |= cells[[first + row_at(band * rows + row), column_at(stack * columns + x)]];
                }
                minirows[row][stack] = any;
            }
        }
        let before = minirows;
        filter(rows, &mut minirows, &mut found.good);
        for row in 0..rows {
            if LAST {
                for stack in 0..rows {
                    found.moved |= minirows[row][stack] ^ before[row][stack];
                }
            }
            kept[band * rows + row] = minirows[row];
        }
    }
    for stack in 0..rows {
        // By column and band.
        let mut minicolumns = H::of_columns(H::of_columns(V::ZERO));
        for band in 0..columns {
            for x in 0..columns {
                let mut any = V::ZERO;
                for row in band * rows..(band + 1) * rows {
                    any |= cells[[first + column_at(stack * columns + x), row_at(row)]] & kept[row][stack];
                }
                minicolumns[x][band] = any;
            }
        }
        let before = minicolumns;
        filter(columns, &mut minicolumns, &mut found.good);
        if LAST {
            for band in 0..columns {
                for x in 0..columns {
                    found.moved |= minicolumns[x][band] ^ before[x][band];
                }
            }
        }
        for band in 0..columns {
            let (mut once, mut several) = (V::ZERO, V::ZERO);
            for x in 0..columns {
                several |= once & minicolumns[x][band];
                once |= minicolumns[x][band];
            }
            let mut once = V::ZERO;
            for row in band * rows..(band + 1) * rows {
                let mut any = V::ZERO;
                for x in 0..columns {
                    let cell = &mut cells[[first + column_at(stack * columns + x), row_at(row)]];
                    *cell = *cell & kept[row][stack] & minicolumns[x][band];
                    any |= *cell;
                }
                several |= once & any;
                once |= any;
            }
            open[[symbol * side, band * rows + stack]] = several;
        }
    }
}

/// Keeps what is in a permutation of a `size` x `size` matrix, 2 to 4. `good` keeps the lanes that have one.
#[inline(always)]
fn filter<V: Vector, L, M>(size: usize, matrix: &mut M, good: &mut V)
where
    L: std::ops::IndexMut<usize, Output = V>,
    M: std::ops::IndexMut<usize, Output = L> + Copy,
{
    match size {
        2 => filter_two(matrix, good),
        3 => filter_three(matrix, good),
        _ => filter_four(matrix, good),
    }
}

/// The two permutations of two rows.
#[inline(always)]
fn filter_two<V: Vector, L, M>(matrix: &mut M, good: &mut V)
where
    L: std::ops::IndexMut<usize, Output = V>,
    M: std::ops::IndexMut<usize, Output = L> + Copy,
{
    let straight = matrix[0][0] & matrix[1][1];
    let crossed = matrix[0][1] & matrix[1][0];
    (matrix[0][0], matrix[1][1]) = (straight, straight);
    (matrix[0][1], matrix[1][0]) = (crossed, crossed);
    *good &= straight | crossed;
}

/// The six permutations of three rows: the configurations of a digit in 9x9 sudoku.
#[inline(always)]
fn filter_three<V: Vector, L, M>(matrix: &mut M, good: &mut V)
where
    L: std::ops::IndexMut<usize, Output = V>,
    M: std::ops::IndexMut<usize, Output = L> + Copy,
{
    let mut of_block = [[V::ZERO; 3]; 3];
    for row in 0..3 {
        for stack in 0..3 {
            of_block[stack][row] = matrix[row][stack];
        }
    }
    let [a, b, c] = of_block;
    let left = minirows(configurations(a, b, c));
    *good &= left[0][0] | left[0][1] | left[0][2];
    for row in 0..3 {
        for stack in 0..3 {
            matrix[row][stack] = left[stack][row];
        }
    }
}

/// The 24 permutations of four rows: the upper two take two columns, the lower two the other ones.
#[inline(always)]
fn filter_four<V: Vector, L, M>(matrix: &mut M, good: &mut V)
where
    L: std::ops::IndexMut<usize, Output = V>,
    M: std::ops::IndexMut<usize, Output = L> + Copy,
{
    /// The pairs of columns; `5 - pair` has the other two.
    const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let m = *matrix;
    let (mut upper, mut lower, mut any) = ([V::ZERO; 6], [V::ZERO; 6], V::ZERO);
    for (pair, [i, j]) in PAIRS.into_iter().enumerate() {
        upper[pair] = (m[0][i] & m[1][j]) | (m[0][j] & m[1][i]);
        lower[pair] = (m[2][i] & m[3][j]) | (m[2][j] & m[3][i]);
    }
    for pair in 0..6 {
        any |= upper[pair] & lower[5 - pair];
    }
    *good &= any;
    for row in 0..4 {
        for column in 0..4 {
            let mut fits = V::ZERO;
            for (pair, [i, j]) in PAIRS.into_iter().enumerate() {
                if i == column || j == column {
                    let other = i + j - column;
                    let rest = if row < 2 { lower[5 - pair] } else { upper[5 - pair] };
                    fits |= m[row ^ 1][other] & rest;
                }
            }
            matrix[row][column] = m[row][column] & fits;
        }
    }
}

/// [`settle`], with as many cells at a time as registers allow: three vectors each are in use.
#[inline(always)]
fn settle_any<V: Vector, H: Shape, const IS_SECOND: bool, const LAST: bool>(
    shape: H,
    slice: &mut Slice<V>,
    block: usize,
    found: &mut Found<V>,
) {
    match shape.side() {
        _ if !H::IS_KNOWN => settle::<V, H, IS_SECOND, LAST, 4>(shape, slice, block, found),
        9 if V::REGISTERS >= 32 => settle::<V, H, IS_SECOND, LAST, 9>(shape, slice, block, found),
        side if side % 3 == 0 => settle::<V, H, IS_SECOND, LAST, 3>(shape, slice, block, found),
        _ => settle::<V, H, IS_SECOND, LAST, 4>(shape, slice, block, found),
    }
}

/// Settles the cells of a block: eliminates other symbols from the cell of a hidden single, and the symbol of a naked
/// single from the other cells of the block. Looks at `AT_ONCE` cells at a time.
#[inline(always)]
fn settle<V: Vector, H: Shape, const IS_SECOND: bool, const LAST: bool, const AT_ONCE: usize>(
    shape: H,
    slice: &mut Slice<V>,
    block: usize,
    found: &mut Found<V>,
) {
    let (side, stride) = (shape.side(), shape.stride());
    let Slice { cells, single, open, .. } = slice;
    let open = &open[usize::from(IS_SECOND)];
    let (row, column) = (block / shape.rows() * shape.rows(), block % shape.rows() * shape.columns());
    // The cell of a place is `corner` + `cell`.
    let corner = if IS_SECOND { 0 } else { row * side + column };
    let mut cell = H::of_side(0);
    for place in 0..side {
        let (down, right) = (place / shape.columns(), place % shape.columns());
        cell[place] = match IS_SECOND {
            true => line::<true>(row + down) * side + line::<true>(column + right),
            false => down * side + right,
        };
    }
    let mut owned = H::of_side(V::ZERO);
    for symbol in 0..side {
        let has_one = !open[[symbol * side, block]];
        for place in 0..side {
            owned[place] |= cells[[symbol * stride + corner, cell[place]]] & has_one;
        }
    }
    let mut is_single = H::of_side(V::ZERO);
    for from in (0..side).step_by(AT_ONCE) {
        let (mut once, mut twice) = ([V::ZERO; AT_ONCE], [V::ZERO; AT_ONCE]);
        for symbol in 0..side {
            let several = open[[symbol * side, block]];
            for i in 0..AT_ONCE {
                if from + i < side {
                    let at = &mut cells[[symbol * stride + corner, cell[from + i]]];
                    let left = *at & !(owned[from + i] & several);
                    if LAST {
                        found.moved |= *at ^ left;
                    }
                    *at = left;
                    twice[i] |= once[i] & left;
                    once[i] |= left;
                }
            }
        }
        for i in 0..AT_ONCE {
            if from + i < side {
                is_single[from + i] = once[i] & !twice[i];
                single[[corner, cell[from + i]]] = is_single[from + i];
                found.contradictory |= !once[i] | (owned[from + i] & twice[i]);
                found.all &= is_single[from + i];
            }
        }
    }
    for symbol in 0..side {
        let mut held = V::ZERO;
        for place in 0..side {
            held |= cells[[symbol * stride + corner, cell[place]]] & is_single[place];
        }
        for place in 0..side {
            let at = &mut cells[[symbol * stride + corner, cell[place]]];
            let left = *at & (is_single[place] | !held);
            if LAST {
                found.moved |= *at ^ left;
            }
            *at = left;
        }
    }
}
