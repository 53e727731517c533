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
//! A     | x2 | x1 | x0 |                         even: A & rot1 B & rot2 C: A's x0, B's x1, C's x2; ...
//! B B   | x2 | x1 | x0 | x2 | x1 | x0 |          odd:  A & rot2 B & rot1 C
//! C C   | x2 | x1 | x0 | x2 | x1 | x0 |          >> 9: rot1, >> 18: rot2
//! ```
//! 3. The rows again, because the table also tells which blocks have several minirows left, and a block with
//!    one minirow and one minicolumn has its place.

use super::bands::Bands;
use super::board::{Board, Contradiction, Taken};
use super::tables::{BLOCK, MINICOLUMN, ROWS, SEVERAL, TOPS};

impl Board {
    /// Settles `digit`: locked candidates and hidden singles. Cells it takes are added to `taken`.
    #[inline(always)]
    pub(super) fn settle(&mut self, digit: usize, taken: &mut Taken) -> Result<(), Contradiction> {
        let places = self.places[digit].without(taken.cells);
        let places = places & rows(places);
        let columns = stacks(minicolumns(places));
        // No configuration in a band leaves none in any stack: one test for all six of them.
        let top = columns.first();
        if (top | top >> 9 | top >> 18) & 7 != 7 {
            return Err(Contradiction);
        }
        let before = places & columns.times(MINICOLUMN);
        let rows = rows(before);
        let places = before & rows;
        self.dirty |= u32::from(places != before) << digit;
        let several = rows.down::<SEVERAL>() | several_columns(columns);
        let own = places.without(blocks(several)) & self.open;
        self.places[digit] = places;
        self.open = self.open.without(own);
        taken.own[digit] = own;
        taken.cells |= own;
        Ok(())
    }
}

/// The cells of the minirows that are part of a whole configuration of their band; above, from bit
/// [`SEVERAL`], the stacks where several are.
#[inline(always)]
fn rows(places: Bands) -> Bands {
    Bands::new(minirows(places).words().map(|minirows| ROWS[minirows as usize & 0o777]))
}

/// The minirows where some place is, bit `3 * row + stack`.
#[inline(always)]
pub(super) fn minirows(places: Bands) -> Bands {
    (places | places.down::<9>() | places.down::<18>()) & Bands::all(0o777)
}

/// The minicolumns where some place is, bit `9 * column + stack`.
#[inline(always)]
pub(super) fn minicolumns(places: Bands) -> Bands {
    (places | places.down::<3>() | places.down::<6>()) & Bands::all(TOPS)
}

/// The configurations of every stack, at the minicolumn (bit `9 * column + stack`) they have in band 0: the
/// even ones, with the next column in the next band, and the odd ones, with the column before.
#[inline(always)]
pub(super) fn configurations(columns: Bands) -> (u64, u64) {
    let [a, b, c] = columns.words().map(u64::from);
    let (bb, cc) = (b | b << 27, c | c << 27);
    (a & bb >> 9 & cc >> 18, a & bb >> 18 & cc >> 9)
}

/// The minicolumns that are part of a whole configuration of their stack.
#[inline(always)]
fn stacks(columns: Bands) -> Bands {
    let (even, odd) = configurations(columns);
    let (evens, odds) = (even | even << 27, odd | odd << 27);
    let [a, b, c] = [even | odd, evens >> 18 | odds >> 9, evens >> 9 | odds >> 18];
    Bands::new([a as u32, b as u32 & TOPS, c as u32 & TOPS])
}

/// The stacks with several of the minicolumns, among other bits.
#[inline(always)]
fn several_columns(columns: Bands) -> Bands {
    let (first, second, third) = (columns, columns.down::<9>(), columns.down::<18>());
    first & second | (first | second) & third
}

/// The cells of the blocks whose stacks are in bits 0, 1, 2.
#[inline(always)]
pub(super) fn blocks(stacks: Bands) -> Bands {
    (stacks & Bands::all(7)).times(BLOCK)
}

/// The other cells of the blocks of `cells`.
#[inline(always)]
pub(super) fn mates(cells: Bands) -> Bands {
    // (The masks: a shift brings bits of band 1 into the top of band 0's half.)
    let rows = (cells | cells.down::<9>() | cells.down::<18>()) & Bands::all(0o777);
    blocks(rows | rows.down::<3>() | rows.down::<6>()) ^ cells
}
