//! The check of a solution of the 9x9 sudoku in vectors of 32 bytes, two rows a vector, for machines that have no
//! vectors of [64](super::nine_verifier).
//!
//! Each digit of 1 to 8 has a bit, 9 has none. A shuffle picks from the 16 bytes of its half, so rows are loaded in
//! pairs that lie in the halves of 32 bytes:
//!
//! ```text
//! from cell   lower half: 16 cells      upper half: 16 cells
//!    0        row 1 in bytes 0 .. 9     row 3 in bytes 2 .. 11
//!    9        row 2                     row 4
//!   36        row 5                     row 7
//!   45        row 6                     row 8
//!   49        row 7 in bytes 5 .. 14    row 9 in bytes 7 .. 16
//! ```
//! Three shuffles a vector give the bits of each three neighbours of a row, which are in one block. They are collected,
//! three bytes a row:
//!
//! ```text
//! byte         0 .. 3   3 .. 6   6 .. 9   9 .. 12   12 .. 15
//! lower half   row 1    row 2    row 5    row 6     row 7
//! upper half   row 3    row 4    row 7    row 8     row 9
//! ```
//! The or of the three bytes of a row has the digits of the row; the or of three rows of a band, the digits of its blocks.
//! That nothing but nine 9 and these digits are there is counted apart: then every unit holds each digit once, as in
//! [`nine_verifier`](super::nine_verifier).

use galop_simd::{Quad, Simd};

use super::nine_verifier::InVectors;

/// The check of this file.
pub(super) struct Pairs;

impl InVectors for Pairs {
    #[inline(always)]
    fn is_right<S: Simd, const ZERO: u8>(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
        has_digits::<ZERO>(puzzle, solution) & is_filled::<S::Quad>(solution)
    }
}

/// Cells from which the rows are loaded, and the first byte of the row in each half.
const LOADS: [(usize, [usize; 2]); 5] = [(0, [0, 2]), (9, [0, 2]), (36, [0, 2]), (45, [0, 2]), (49, [5, 7])];

/// 32 of the cells.
#[inline(always)]
fn from<const AT: usize>(cells: &[u8; 81]) -> &[u8; 32] {
    const { assert!(AT + 32 <= 81) };
    cells[AT..].first_chunk().unwrap_or(&[0; 32])
}

/// Whether every clue is kept, no byte is larger than any digit, and there are nine 9. (Loops of 32 bytes, which become
/// vectors.)
#[inline(always)]
fn has_digits<const ZERO: u8>(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
    let clues = [from::<0>(puzzle), from::<32>(puzzle), from::<49>(puzzle)];
    let cells = [from::<0>(solution), from::<32>(solution), from::<49>(solution)];
    // Cells that the last two have in common.
    const SHARED: usize = 64 - 49;
    let (mut wrong, mut nines) = (0, 0);
    let mut at = 0;
    while at < 32 {
        let mut counted = 0;
        let mut of = 0;
        while of < 3 {
            let (clue, cell) = (clues[of][at], cells[of][at] ^ ZERO);
            wrong |= if clue == 0 || clue == cell { cell & 0xf0 } else { 0xff };
            counted += u8::from((cell == 9) & (of < 2 || at >= SHARED));
            of += 1;
        }
        nines += counted;
        at += 1;
    }
    wrong == 0 && nines == 9
}

/// Whether rows, columns and blocks hold every digit of 1 to 8, if no byte is larger than a digit.
#[inline(always)]
fn is_filled<Q: Quad>(solution: &[u8; 81]) -> bool {
    // The digits of cells, by the low four bits of their bytes.
    let bits = Q::load(&BITS);
    let rows = [
        bits.shuffle_bytes(from::<{ LOADS[0].0 }>(solution)),
        bits.shuffle_bytes(from::<{ LOADS[1].0 }>(solution)),
        bits.shuffle_bytes(from::<{ LOADS[2].0 }>(solution)),
        bits.shuffle_bytes(from::<{ LOADS[3].0 }>(solution)),
        bits.shuffle_bytes(from::<{ LOADS[4].0 }>(solution)),
    ];
    let columns = (rows[0] | rows[1] | rows[2] | rows[3]).shuffle_bytes(&PICKS.columns[0]);
    let columns = columns | rows[4].shuffle_bytes(&PICKS.columns[1]);
    let columns = columns | exchanged(columns);
    let mut groups = Q::ZERO;
    let mut at = 0;
    while at < rows.len() {
        let picks = &PICKS.groups[at];
        groups |= rows[at].shuffle_bytes(&picks[0])
            | rows[at].shuffle_bytes(&picks[1])
            | rows[at].shuffle_bytes(&picks[2]);
        at += 1;
    }
    let rows =
        groups | groups.shuffle_bytes(&PICKS.neighbours[0]) | groups.shuffle_bytes(&PICKS.neighbours[1]);
    let others = exchanged(groups);
    let blocks = groups.shuffle_bytes(&PICKS.blocks[0])
        | groups.shuffle_bytes(&PICKS.blocks[1])
        | others.shuffle_bytes(&PICKS.blocks[2])
        | others.shuffle_bytes(&PICKS.blocks[3])
        | others.shuffle_bytes(&PICKS.blocks[4]);
    let [other_columns, other_rows, other_blocks] = [0, 1, 2].map(|kind| Q::load(&PICKS.others[kind]));
    let all = (columns | other_columns) & (rows | other_rows) & (blocks | other_blocks);
    (!all).is_zero()
}

/// The two halves exchanged.
#[inline(always)]
fn exchanged<Q: Quad>(vector: Q) -> Q {
    vector.permute64::<0b01_00_11_10>()
}

/// The bit of each digit of 1 to 8, in both halves.
static BITS: [u8; 32] = {
    let mut bits = [0; 32];
    let mut digit = 1;
    while digit <= 8 {
        (bits[digit], bits[16 + digit]) = (1 << (digit - 1), 1 << (digit - 1));
        digit += 1;
    }
    bits
};

/// Where each byte of a vector is in the half of another one; [`NOWHERE`] for none.
#[repr(align(64))]
struct Picks {
    /// For each load and each cell of a group of three neighbours.
    groups: [[[u8; 32]; 3]; 5],
    /// The columns of the first four loads, and those of the last.
    columns: [[u8; 32]; 2],
    /// The next byte, and the one behind it.
    neighbours: [[u8; 32]; 2],
    /// Of the groups, twice, and of the exchanged groups, three times: in each band its three rows.
    blocks: [[u8; 32]; 5],
    /// The bytes of columns, rows and blocks that belong to none, as 255.
    others: [[u8; 32]; 3],
}

const NOWHERE: u8 = 128;

static PICKS: Picks = {
    let mut picks = Picks {
        groups: [[[NOWHERE; 32]; 3]; 5],
        columns: [[NOWHERE; 32]; 2],
        neighbours: [[NOWHERE; 32]; 2],
        blocks: [[NOWHERE; 32]; 5],
        others: [[255; 32]; 3],
    };
    let mut half = 0;
    while half < 2 {
        let start = 16 * half;
        let mut load = 0;
        while load < 5 {
            let row = LOADS[load].1[half];
            let mut cell = 0;
            while cell < 9 {
                picks.groups[load][cell % 3][start + 3 * load + cell / 3] = (row + cell) as u8;
                cell += 1;
            }
            picks.others[1][start + 3 * load] = 0;
            load += 1;
        }
        let mut column = 0;
        while column < 9 {
            picks.columns[0][start + column] = (LOADS[0].1[half] + column) as u8;
            picks.columns[1][start + column] = (LOADS[4].1[half] + column) as u8;
            picks.others[0][start + column] = 0;
            column += 1;
        }
        let mut byte = 0;
        while byte < 14 {
            picks.neighbours[0][start + byte] = byte as u8 + 1;
            picks.neighbours[1][start + byte] = byte as u8 + 2;
            byte += 1;
        }
        half += 1;
    }
    // In the lower half. Rows 1 and 2, 5 and 6 are there; 3 and 4, 7, 8 and 9 are in the upper one.
    let mut block = 0;
    while block < 3 {
        let at = block as u8;
        (picks.blocks[0][block], picks.blocks[1][block], picks.blocks[2][block]) = (at, 3 + at, at);
        (picks.blocks[0][3 + block], picks.blocks[1][3 + block], picks.blocks[2][3 + block]) =
            (6 + at, 9 + at, 3 + at);
        (picks.blocks[2][6 + block], picks.blocks[3][6 + block], picks.blocks[4][6 + block]) =
            (6 + at, 9 + at, 12 + at);
        (picks.others[2][block], picks.others[2][3 + block], picks.others[2][6 + block]) = (0, 0, 0);
        block += 1;
    }
    picks
};
