//! The 81 cells of a 9x9 grid as vectors: its rows, its blocks, its columns, and its image under a symmetry.
//!
//! A row is the first nine bytes of a vector. What lies behind them is anything in rows, and 0 in blocks and columns.
//! All loads and stores stay within the 81 cells: the last row is loaded with the sixteen bytes that end with it.

#![allow(
    clippy::needless_range_loop,
    reason = "kernels loop over indices: closures over vectors are not inlined"
)]

use galop_simd::Bytes;

use super::transformation::Symmetry;

/// A table of bytes for a look-up: nine entries, and 128 where 0 is wanted.
pub(super) type Table = [u8; 16];

/// A table that makes every byte 0.
pub(super) const NOTHING: Table = [128; 16];

/// The bytes 7..16 first.
const FROM_SEVEN: Table = shifted(7, 9);
/// The bytes 2..9 first.
const FROM_TWO: Table = shifted(2, 7);
/// Nine bytes from place 7 on.
const TO_SEVEN: Table = {
    let mut table = NOTHING;
    let mut at = 7;
    while at < 16 {
        table[at] = at as u8 - 7;
        at += 1;
    }
    table
};

/// The table that moves `count` bytes from place `from` to the front.
const fn shifted(from: u8, count: usize) -> Table {
    let mut table = NOTHING;
    let mut at = 0;
    while at < count {
        table[at] = from + at as u8;
        at += 1;
    }
    table
}

/// For each block of a band, its places in the first sixteen cells of the band, and the others in the last sixteen.
const BLOCKS: [[Table; 2]; 3] = {
    let mut tables = [[NOTHING; 2]; 3];
    let mut at = 0;
    while at < 27 {
        let (row, column) = (at / 9, at % 9);
        let place = 3 * row + column % 3;
        if at < 16 {
            tables[column / 3][0][place] = at as u8;
        } else {
            tables[column / 3][1][place] = at as u8 - 11;
        }
        at += 1;
    }
    tables
};

/// For each column of a block, and the block's place in its stack: the cells of the column at their places.
const COLUMNS: [[Table; 3]; 3] = {
    let mut tables = [[NOTHING; 3]; 3];
    let mut at = 0;
    while at < 27 {
        let (column, block, row) = (at / 9, at / 3 % 3, at % 3);
        tables[column][block][3 * block + row] = (3 * row + column) as u8;
        at += 1;
    }
    tables
};

/// The places of a block and of the transposed block.
pub(super) const FLIP: Table = [0, 3, 6, 1, 4, 7, 2, 5, 8, 128, 128, 128, 128, 128, 128, 128];

/// Sixteen cells from `at` on; zeros if there are fewer.
#[inline(always)]
fn window<B: Bytes>(cells: &[u8; 81], at: usize) -> B {
    match cells[at..].first_chunk() {
        Some(bytes) => B::load(bytes),
        None => B::ZERO,
    }
}

/// Replaces the first nine of `rows` by the rows of a grid. (The others are there so that four bits are an index.)
#[inline(always)]
pub(super) fn rows<B: Bytes>(cells: &[u8; 81], rows: &mut [B; 16]) {
    let mut row = 0;
    while row < 8 {
        rows[row] = window(cells, 9 * row);
        row += 1;
    }
    rows[8] = window::<B>(cells, 65).look_up(B::load(&FROM_SEVEN));
}

/// The nine blocks, each row by row.
#[inline(always)]
pub(super) fn blocks<B: Bytes>(cells: &[u8; 81]) -> [B; 9] {
    let mut blocks = [B::ZERO; 9];
    let mut band = 0;
    while band < 3 {
        let (first, last): (B, B) = (window(cells, 27 * band), window(cells, 27 * band + 11));
        let mut stack = 0;
        while stack < 3 {
            let [one, other] = &BLOCKS[stack];
            blocks[3 * band + stack] = first.look_up(B::load(one)) | last.look_up(B::load(other));
            stack += 1;
        }
        band += 1;
    }
    blocks
}

/// Replaces the first nine of `columns` by the columns of a grid, whose blocks are given.
#[inline(always)]
pub(super) fn columns<B: Bytes>(blocks: &[B; 9], columns: &mut [B; 16]) {
    let mut column = 0;
    while column < 9 {
        let [one, two, three] = &COLUMNS[column % 3];
        columns[column] = blocks[column / 3].look_up(B::load(one))
            | blocks[3 + column / 3].look_up(B::load(two))
            | blocks[6 + column / 3].look_up(B::load(three));
        column += 1;
    }
}

/// Writes nine rows.
#[inline(always)]
pub(super) fn write<B: Bytes>(rows: &[B; 9], cells: &mut [u8; 81]) {
    let mut row = 0;
    while row < 7 {
        // What lies behind the nine bytes is overwritten by the next row.
        put(rows[row], cells, 9 * row);
        row += 1;
    }
    put(rows[7], cells, 63);
    put(rows[7].look_up(B::load(&FROM_TWO)) | rows[8].look_up(B::load(&TO_SEVEN)), cells, 65);
}

#[inline(always)]
fn put<B: Bytes>(bytes: B, cells: &mut [u8; 81], at: usize) {
    if let Some(cells) = cells[at..].first_chunk_mut() {
        bytes.store(cells);
    }
}

/// Writes the image of `cells`, whose bytes are 0..=9, to `image`. `symmetry` is one of the 9x9 sudoku.
#[inline(always)]
pub(super) fn apply<B: Bytes>(symmetry: &Symmetry, cells: &[u8; 81], image: &mut [u8; 81]) {
    let mut lines = [B::ZERO; 16];
    if symmetry.is_transposed {
        columns(&blocks(cells), &mut lines);
    } else {
        rows(cells, &mut lines);
    }
    let (across, names) = (B::load(&symmetry.columns), B::load(&symmetry.digits));
    let mut made = [B::ZERO; 9];
    let mut row = 0;
    while row < 9 {
        made[row] = names.look_up(lines[usize::from(symmetry.rows[row] % 16)].look_up(across));
        row += 1;
    }
    write(&made, image);
}

/// Whether every row, column and block of the grid has each of the digits 1 to 9.
///
/// Digits 1 to 8 become a bit each, 9 becomes 0. Nine bytes are the nine digits if OR finds all eight bits, so that
/// only one byte is left, and XOR finds them too, so that this byte is 0.
#[inline(always)]
pub(super) fn is_solved<B: Bytes>(rows: &[B; 16], columns: &[B; 16]) -> bool {
    const BITS: Table = [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0];
    let (bits, ones) = (B::load(&BITS), B::splat(255));
    let (next, second) = (B::load(&shifted(1, 15)), B::load(&shifted(2, 14)));
    let (mut any, mut odd, mut low, mut high) = (B::ZERO, B::ZERO, ones, B::ZERO);
    // Bytes 0, 3 and 6 belong to the three blocks of each band.
    let mut blocks = ones;
    for band in 0..3 {
        let (mut any_here, mut odd_here) = (B::ZERO, B::ZERO);
        for row in 3 * band..3 * band + 3 {
            low = low.min(rows[row]);
            high = high.max(rows[row]);
            let row = bits.look_up(rows[row]);
            any_here = any_here | row;
            odd_here = odd_here ^ row;
        }
        any = any | any_here;
        odd = odd ^ odd_here;
        // Three columns of a block side by side.
        blocks = blocks & (any_here | any_here.look_up(next) | any_here.look_up(second));
        blocks = blocks & (odd_here ^ odd_here.look_up(next) ^ odd_here.look_up(second));
    }
    let (mut any_across, mut odd_across) = (B::ZERO, B::ZERO);
    for column in 0..9 {
        let column = bits.look_up(columns[column]);
        any_across = any_across | column;
        odd_across = odd_across ^ column;
    }
    let lines = (any & odd & any_across & odd_across).equal(ones).tops() & 511;
    let wrong = (low.equal(B::ZERO) | high.greater(B::splat(9)) | high).tops() & 511;
    (lines, wrong, blocks.equal(ones).tops() & 0o111) == (511, 0, 0o111)
}

#[cfg(test)]
mod tests {
    use galop_simd::{Isa, Job, Simd};

    use super::super::Symmetries;
    use super::super::shape::Shape;
    use super::*;

    const GRID: &[u8; 81] =
        b"417369825632158947958724316825437169791586432346912758289643571573291684164875293";

    struct Check;

    impl Job for Check {
        type Output = ();

        fn run<S: Simd>(self) {
            let grid = GRID.map(|byte| byte - b'0');
            let other: [u8; 81] = std::array::from_fn(|cell| (cell * 7 % 10) as u8);
            for record in 0..500 {
                let symmetry = Symmetries::of(Shape::NINE, 1).get(record, 0);
                for cells in [&grid, &other] {
                    let (mut fast, mut plain) = ([0; 81], [0; 81]);
                    apply::<S::Bytes>(&symmetry, cells, &mut fast);
                    symmetry.apply(cells, &mut plain).unwrap();
                    assert_eq!(fast, plain, "{symmetry}");
                    assert_eq!(is_grid::<S::Bytes>(&fast), cells == &grid);
                }
                wrong::<S>(&symmetry, &grid, record as usize);
            }
        }
    }

    fn is_grid<B: Bytes>(cells: &[u8; 81]) -> bool {
        let (mut down, mut across) = ([B::ZERO; 16], [B::ZERO; 16]);
        rows(cells, &mut down);
        columns(&blocks(cells), &mut across);
        is_solved(&down, &across)
    }

    /// Grids with one or two cells changed are not solved.
    fn wrong<S: Simd>(symmetry: &Symmetry, grid: &[u8; 81], number: usize) {
        let mut image = [0; 81];
        symmetry.apply(grid, &mut image).unwrap();
        let is_grid = is_grid::<S::Bytes>;
        let (cell, row) = (number % 81, number % 81 / 9);
        for byte in (0..=255).filter(|byte| *byte != image[cell]) {
            let mut wrong = image;
            wrong[cell] = byte;
            assert!(!is_grid(&wrong), "{byte} in {cell}");
        }
        let mut swapped = image;
        swapped.swap(9 * row + number % 9, 9 * row + (number + 1) % 9);
        assert!(!is_grid(&swapped));
        // All rows and columns are right, but no block is.
        let latin: [u8; 81] = std::array::from_fn(|cell| ((cell / 9 + cell % 9 + number) % 9) as u8 + 1);
        assert!(!is_grid(&latin));
    }

    #[test]
    fn every_instruction_set_does_what_plain_code_does() {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            isa.run(Check).unwrap();
        }
    }
}
