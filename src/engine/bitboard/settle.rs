//! Settling a digit: what one digit's places say about each other, all 81 cells at once.
//!
//! In a band a digit stands in three minirows, one a row and one a block: one of six *configurations*. A
//! minirow that is part of no configuration whose other two are possible goes; the same in a stack with
//! minicolumns. That is every locked candidate (pointing and claiming), and it leaves every hidden single as
//! the only place in its block, whether it was one in the row, the column or the block. (The filter over
//! configurations is the triad idea of Dillon's tdoku, github.com/t-dillon/tdoku, taken one digit at a time.)
//!
//! 1. The rows of a band: nine minirows are the index of a table, [`ROWS`].
//! 2. The columns of the three stacks together, without a table: a minicolumn of band A stays if B and C have
//!    the two other columns, one way round or the other. Field `x` (column in block) of a presence holds the
//!    three stacks, and the other columns are a rotation by one or two fields away.
//!
//! ```text
//! A     | x2 | x1 | x0 |      even: A & rot1 B & rot2 C     x0 with B's x1 and C's x2, ...
//! B B   | x2 | x1 | x0 | x2 | x1 | x0 |      >> 9: rot1, >> 18: rot2
//! C C   | x2 | x1 | x0 | x2 | x1 | x0 |      odd:  A & rot2 B & rot1 C
//! ```
//! 3. The rows again, because the table also tells which blocks have several minirows left, and a block with
//!    one minirow and one minicolumn has its place.

use super::board::{Board, Contradiction, Taken};
use super::tables::{BLOCK, MINICOLUMN, ROWS, SEVERAL, TOPS};

impl Board {
    /// Settles `digit`: locked candidates and hidden singles. Cells it takes are added to `taken`.
    #[inline(always)]
    pub(super) fn settle(&mut self, digit: usize, taken: &mut Taken) -> Result<(), Contradiction> {
        let mut places = self.places[digit];
        for band in 0..3 {
            places[band] &= !taken.cells[band];
            places[band] &= ROWS[minirows(places[band])];
        }
        let columns = stacks(places.map(minicolumns));
        // No configuration in a band leaves none in any stack: one test for all six of them.
        if (columns[0] | columns[0] >> 9 | columns[0] >> 18) & 7 != 7 {
            return Err(Contradiction);
        }
        for band in 0..3 {
            let before = places[band] & (columns[band] * MINICOLUMN);
            let rows = ROWS[minirows(before)];
            let after = before & rows;
            places[band] = after;
            self.dirty |= u32::from(before != after) << digit;
            let several = rows >> SEVERAL | several_columns(columns[band]);
            let own = after & !((several & 7) * BLOCK) & self.open[band];
            self.open[band] &= !own;
            taken.own[digit][band] = own;
            taken.cells[band] |= own;
        }
        self.places[digit] = places;
        Ok(())
    }
}

/// The minirows where some place is, bit `3 * row + stack`.
#[inline(always)]
fn minirows(places: u32) -> usize {
    ((places | places >> 9 | places >> 18) & 0o777) as usize
}

/// The minicolumns where some place is, bit `9 * column + stack`.
#[inline(always)]
fn minicolumns(places: u32) -> u32 {
    (places | places >> 3 | places >> 6) & TOPS
}

/// The stacks with several of the minicolumns.
#[inline(always)]
fn several_columns(columns: u32) -> u32 {
    let (first, second, third) = (columns, columns >> 9, columns >> 18);
    first & second | (first | second) & third
}

/// The minicolumns of the three bands that are part of a whole configuration of their stack.
#[inline(always)]
fn stacks(columns: [u32; 3]) -> [u32; 3] {
    let [a, b, c] = columns.map(u64::from);
    let (bb, cc) = (b | b << 27, c | c << 27);
    let even = a & bb >> 9 & cc >> 18;
    let odd = a & bb >> 18 & cc >> 9;
    let (evens, odds) = (even | even << 27, odd | odd << 27);
    [(even | odd) as u32, (evens >> 18 | odds >> 9) as u32 & TOPS, (evens >> 9 | odds >> 18) as u32 & TOPS]
}
