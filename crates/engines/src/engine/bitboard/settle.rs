//! Settles a digit: finds all eliminations that the places of one digit imply for each other, in 81 cells at once.
//!
//! In a band a digit uses three minirows, one per row and one per block: one of six *configurations*. A minirow is
//! eliminated if it is part of no configuration whose other two minirows are possible. The same holds for a stack and
//! its minicolumns. This finds every locked candidate (pointing and claiming). It also leaves every hidden single of a
//! row, column or block as the only place in its block. (The filter over configurations is the triad idea of Dillon's
//! tdoku, github.com/t-dillon/tdoku, applied to one digit at a time.)
//!
//! 1. The rows of a band: nine minirows are the index of a table, [`ROWS`].
//! 2. The columns of the three stacks together, without a table: a minicolumn of band A stays if B and C have the two
//!    other columns, in one order or the other. Field `x` (column in block) of the minicolumns holds the three stacks,
//!    so a rotation by one or two fields gives the other columns.
//!
//! ```text
//! A     | x2 | x1 | x0 |                         even: A & rot1 B & rot2 C: A's x0, B's x1, C's x2; ...
//! B B   | x2 | x1 | x0 | x2 | x1 | x0 |          odd:  A & rot2 B & rot1 C
//! C C   | x2 | x1 | x0 | x2 | x1 | x0 |          >> 9: rot1, >> 18: rot2
//! ```
//! 3. The rows again, because the table also says which blocks have several minirows left. In a block with one minirow
//!    and one minicolumn the digit is placed.

use super::bands::Bands;
use super::board::{Board, Placements};
use super::tables::{MINICOLUMN, ROWS, SEVERAL, TOPS, blocks};
use crate::engine::Contradiction;

impl Board {
    /// Settles `digit`: locked candidates and hidden singles. Adds the cells in which it is placed to `taken`.
    #[inline(always)]
    pub(super) fn settle(&mut self, digit: usize, taken: &mut Placements) -> Result<(), Contradiction> {
        let places = self.places[digit].without(taken.cells);
        let places = places & rows(places);
        let columns = stacks(minicolumns(places));
        // If a band has no configuration left, then no stack has one either: one test serves all six.
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

/// The cells of the minirows that are part of a whole configuration of their band. The bits from [`SEVERAL`] up are
/// the stacks with several such minirows.
#[inline(always)]
fn rows(places: Bands) -> Bands {
    Bands::new(minirows(places).words().map(|minirows| ROWS[minirows as usize & 0o777]))
}

/// The minirows that hold a place, bit `3 * row + stack`.
#[inline(always)]
pub(super) fn minirows(places: Bands) -> Bands {
    (places | places.down::<9>() | places.down::<18>()) & Bands::all(0o777)
}

/// The minicolumns that hold a place, bit `9 * column + stack`.
#[inline(always)]
pub(super) fn minicolumns(places: Bands) -> Bands {
    (places | places.down::<3>() | places.down::<6>()) & Bands::all(TOPS)
}

/// The configurations of every stack, each at its minicolumn of band 0 (bit `9 * column + stack`). First the even
/// ones, which use the next column in the next band, then the odd ones, which use the previous column.
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

/// The stacks with several minicolumns in bits 0, 1, 2. The other bits are arbitrary.
#[inline(always)]
fn several_columns(columns: Bands) -> Bands {
    let (first, second, third) = (columns, columns.down::<9>(), columns.down::<18>());
    first & second | (first | second) & third
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::bitboard::tables::{BAND, CELLS, mates};
    use galop_testing::chance::Chance;

    type Cells = [bool; 81];

    fn cells(places: Bands) -> Cells {
        let words = places.words();
        let mut cells = [false; 81];
        for (band, word) in words.into_iter().enumerate() {
            for bit in 0..27 {
                cells[27 * band + usize::from(CELLS[bit])] = word >> bit & 1 == 1;
            }
        }
        cells
    }

    /// The rule in its plain form, for minirows (or minicolumns) `has[line][block]`: a minirow stays if it is part of
    /// a choice of one minirow per line, all in different blocks.
    fn naive_configurations(has: [[bool; 3]; 3]) -> [[bool; 3]; 3] {
        let mut kept = [[false; 3]; 3];
        for (x, y, z) in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)] {
            if has[0][x] && has[1][y] && has[2][z] {
                (kept[0][x], kept[1][y], kept[2][z]) = (true, true, true);
            }
        }
        kept
    }

    /// Filters all bands (or stacks), each of three lines of nine cells. `at(line, place)` is the number of a cell.
    fn naive_filter(cells: &mut Cells, at: impl Fn(usize, usize) -> usize) {
        for band in 0..3 {
            let mut has = [[false; 3]; 3];
            for line in 0..9 {
                for place in 0..3 {
                    has[line % 3][line / 3] |= cells[at(3 * band + line % 3, 3 * (line / 3) + place)];
                }
            }
            let kept = naive_configurations(has);
            for line in 0..3 {
                for place in 0..9 {
                    cells[at(3 * band + line, place)] &= kept[line][place / 3];
                }
            }
        }
    }

    fn random_places(chance: &mut Chance) -> Bands {
        // From dense to sparse: a bit is set if it is set in each of 0 to 3 random words.
        let sparse = chance.below(4);
        let mut either = || (chance.number() | chance.number()) as u32;
        Bands::new([(); 3].map(|()| (0..sparse).fold(BAND, |word, _| word & either())))
    }

    #[test]
    fn settle_does_what_the_rule_says_on_random_places() {
        let mut chance = Chance::new(9);
        let (mut contradictions, mut singles) = (0, 0);
        for _ in 0..20_000 {
            let places = random_places(&mut chance);
            let mut expected = cells(places);
            let row_major = |row, column| 9 * row + column;
            let transposed = |column, row| 9 * row + column;
            naive_filter(&mut expected, row_major);
            naive_filter(&mut expected, transposed);
            let columns = expected;
            naive_filter(&mut expected, row_major);

            let mut board = Board { dirty: 0, ..Board::EMPTY };
            board.places[4] = places;
            let mut taken = Placements::NONE;
            let settled = board.settle(4, &mut taken);
            let is_placed = |unit: &dyn Fn(usize) -> usize| (0..9).any(|place| columns[unit(place)]);
            let agree = (0..9).all(|unit| {
                is_placed(&|place| 9 * unit + place)
                    && is_placed(&|place| 9 * place + unit)
                    && is_placed(&|place| 27 * (unit / 3) + 3 * (unit % 3) + 9 * (place / 3) + place % 3)
            });
            // `settle` reports a contradiction by the state after the columns, so the rule must do so, too.
            if settled.is_err() {
                assert!(!agree);
                contradictions += 1;
                continue;
            }
            assert_eq!(cells(board.places[4]), expected);
            assert_eq!(board.dirty != 0, expected != columns);
            // Every placed cell is the only one of its block, and no longer open.
            let own = cells(taken.own[4]);
            assert_eq!(own, cells(taken.cells));
            assert_eq!(cells(board.open), own.map(|own| !own));
            for block in 0..9 {
                let members =
                    (0..9).map(|place| 27 * (block / 3) + 3 * (block % 3) + 9 * (place / 3) + place % 3);
                let left = members.clone().filter(|&cell| expected[cell]).count();
                let took = members.clone().filter(|&cell| own[cell]).count();
                assert!(took == 0 || left == 1, "{took} of {left}");
                if expected == columns {
                    assert_eq!(took == 1, left == 1);
                }
                singles += took;
            }
        }
        assert!(contradictions > 1_000 && singles > 1_000, "{contradictions}, {singles}");
    }

    #[test]
    fn mates_are_the_other_cells_of_the_block() {
        for (bit, &cell) in CELLS.iter().enumerate() {
            for band in 0..3 {
                let mut word = [0; 3];
                word[band] = 1 << bit;
                let mates = cells(mates(Bands::new(word)));
                let own = 27 * band + usize::from(cell);
                for (other, &found) in mates.iter().enumerate() {
                    let is_mate = other / 27 == own / 27 && other % 9 / 3 == own % 9 / 3 && other != own;
                    assert_eq!(found, is_mate, "{own} {other}");
                }
            }
        }
    }
}
