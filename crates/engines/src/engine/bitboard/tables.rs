//! The numbering of the 27 cells of a band, and the tables that use it. The compiler builds them all.
//!
//! ```text
//! 0o 777 777 777      a band: an octal digit per row, its bits are the stacks; three rows are a column of the blocks
//!      2   1   0      column in block
//!    210 210 210      row in band          bit = 9 * column + 3 * row + stack
//! ```

use super::bands::Bands;

/// All 27 cells of a band.
pub(super) const BAND: u32 = 0o777_777_777;
/// The nine cells of the block in stack 0. As a factor it spreads the bit of a stack to the cells of its block.
pub(super) const BLOCK: u32 = 0o111_111_111;
/// The three cells of the minirow that starts with bit 0.
pub(super) const MINIROW: u32 = 0o001_001_001;
/// The three cells of the minicolumn that starts with bit 0.
pub(super) const MINICOLUMN: u32 = 0o111;
/// The top cells of the nine minicolumns of a band.
pub(super) const TOPS: u32 = 0o007_007_007;
/// Lowest of the three bits of [`ROWS`] that hold the stacks with several minirows.
pub(super) const SEVERAL: u32 = 27;

/// The bit of `cell` (0..81, row-major) in its band.
const fn bit(cell: usize) -> usize {
    9 * (cell % 3) + 3 * (cell / 9 % 3) + cell / 3 % 3
}

/// For every cell of the grid: its bit, and the cells of its band from which a digit is eliminated when it is placed
/// there. They are the other cells of the row and the block. (The other bands of the column follow when the digit is
/// settled.)
pub(super) const PLACED: [(Bands, Bands); 81] = {
    let mut placed = [(Bands::NONE, Bands::NONE); 81];
    let mut cell = 0;
    while cell < 81 {
        let bit = bit(cell);
        let row = (0o7 * MINIROW) << (bit % 9 / 3 * 3);
        let block = BLOCK << (bit % 3);
        let (mut own, mut cleared) = ([0; 3], [0; 3]);
        own[cell / 27] = 1 << bit;
        cleared[cell / 27] = (row | block) & !(1 << bit);
        placed[cell] = (Bands::new(own), Bands::new(cleared));
        cell += 1;
    }
    placed
};

/// The cell of a band (0..27, row-major), indexed by its bit.
pub(super) const CELLS: [u8; 27] = {
    let mut cells = [0; 27];
    let mut cell = 0;
    while cell < 27 {
        cells[bit(cell)] = cell as u8;
        cell += 1;
    }
    cells
};

/// The six ways to give each of three stacks a row of its own, as nine minirows (bit `3 * row + stack`).
pub(super) const CONFIGURATIONS: [u32; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];

/// Indexed by the minirows of a digit in a band (bit `3 * row + stack`): the cells of the minirows that are part of a
/// whole configuration. The bits from [`SEVERAL`] up are the stacks with several such minirows. 0 if no configuration
/// is left.
pub(super) const ROWS: [u32; 512] = {
    let mut rows = [0; 512];
    let mut minirows = 0;
    while minirows < 512 {
        let (mut kept, mut k) = (0, 0);
        while k < 6 {
            if CONFIGURATIONS[k] & !(minirows as u32) == 0 {
                kept |= CONFIGURATIONS[k];
            }
            k += 1;
        }
        let (top, middle, bottom) = (kept & 7, kept >> 3 & 7, kept >> 6);
        let several = top & middle | (top | middle) & bottom;
        rows[minirows] = (kept * MINIROW) | (several << SEVERAL);
        minirows += 1;
    }
    rows
};

/// Indexed by the minirows of a digit in a band: which of [`CONFIGURATIONS`] are whole, one bit each.
pub(super) const SETS: [u8; 512] = {
    let mut sets = [0; 512];
    let mut minirows = 0;
    while minirows < 512 {
        let mut k = 0;
        while k < 6 {
            if CONFIGURATIONS[k] & !(minirows as u32) == 0 {
                sets[minirows] |= 1 << k;
            }
            k += 1;
        }
        minirows += 1;
    }
    sets
};

/// The cells of the blocks of each band whose stacks are in bits 0, 1, 2.
#[inline(always)]
pub(super) fn blocks(stacks: Bands) -> Bands {
    (stacks & Bands::all(7)).times(BLOCK)
}

/// The other cells of the blocks of `cells`.
#[inline(always)]
pub(super) fn mates(cells: Bands) -> Bands {
    // The masks remove the bits of band 1 that a shift moves into the top of the half of band 0.
    let rows = (cells | cells.down::<9>() | cells.down::<18>()) & Bands::all(0o777);
    blocks(rows | rows.down::<3>() | rows.down::<6>()) ^ cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_what_some_whole_configuration_has() {
        for minirows in 0..512u32 {
            let whole: Vec<u32> = CONFIGURATIONS
                .into_iter()
                .filter(|configuration| minirows & configuration == *configuration)
                .collect();
            let kept = whole.iter().fold(0, |kept, configuration| kept | configuration);
            let row = ROWS[minirows as usize];
            for bit in 0..27 {
                assert_eq!(row >> bit & 1, kept >> (bit % 9) & 1);
            }
            for stack in 0..3 {
                let rows = (0..3).filter(|row| kept >> (3 * row + stack) & 1 == 1).count();
                assert_eq!(row >> (SEVERAL + stack) & 1 == 1, rows > 1);
            }
            assert_eq!(SETS[minirows as usize].count_ones() as usize, whole.len());
        }
        assert!(CONFIGURATIONS.iter().all(|configuration| configuration.count_ones() == 3));
    }
}
