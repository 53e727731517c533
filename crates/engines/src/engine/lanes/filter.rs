//! The permutation filter: the minirows of a band in which a digit can be.
//!
//! A band has three blocks and three rows. A digit occurs once in each, so it has one of six configurations: the
//! minirows that it uses in the three blocks are a permutation of the rows.
//!
//! ```text
//!           block A  block B  block C           configuration   0  1  2  3  4  5
//! row 0        a0       b0       c0             row of A        0  0  1  1  2  2
//! row 1        a1       b1       c1             row of B        1  2  0  2  0  1
//! row 2        a2       b2       c2             row of C        2  1  2  0  1  0
//! ```
//! A configuration is open while its three minirows are open. A minirow stays open while one of its two
//! configurations is open. This finds every locked candidate and every hidden single of the rows, and checks that
//! every digit has a place, in 12 ANDs and 9 ORs for all lanes. Stacks and minicolumns work the same way, with rows
//! and columns exchanged. (Configurations as units of inference: Dillon's tdoku.)

use galop_simd::Vector;

/// The six configurations, in the order of the drawing and of [`ROWS`], from the minirows of the blocks A, B and C.
#[inline(always)]
pub(super) fn configurations<V: Vector>(a: [V; 3], b: [V; 3], c: [V; 3]) -> [V; 6] {
    [
        a[0] & b[1] & c[2],
        a[0] & b[2] & c[1],
        a[1] & b[0] & c[2],
        a[1] & b[2] & c[0],
        a[2] & b[0] & c[1],
        a[2] & b[1] & c[0],
    ]
}

/// The rows that the blocks A, B and C use in each configuration.
pub(super) const ROWS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The minirows, by block and row, that the open configurations `of` leave open.
#[inline(always)]
pub(super) fn minirows<V: Vector>(of: [V; 6]) -> [[V; 3]; 3] {
    [
        [of[0] | of[1], of[2] | of[3], of[4] | of[5]],
        [of[2] | of[4], of[0] | of[5], of[1] | of[3]],
        [of[3] | of[5], of[1] | of[4], of[0] | of[2]],
    ]
}
