//! The least image of any 9x9 puzzle: form B, the least string with blanks as 0 and digits named by first appearance.
//!
//! The image is made row by row. After each row the *states* are all ways that lead to the least rows so far:
//! ```text
//! is the grid transposed?     which rows stand where?        which digits have names?
//! columns  4 5 3 | 0 2 1 | 7 8 6     the column at each place
//! tied     . 1 1 | . 1 0 | . 0 0     is this place tied to the one before?
//! ```
//! Columns that no row has told apart are *tied*: all rows so far are blank in them, and their order is left open. (All
//! orders of columns, 1,296 at first, took four to ten times as long.)
//!
//! A row that may be next is put into the order of the columns; tied columns are sorted by the names of the row's
//! digits: blanks, digits with names, digits without. Digits without a name get the next names from left to right. The
//! row's value is then nine digits; larger ones are dropped, and a smaller one drops all states before it. Several
//! digits without names in tied columns may stand in any order: each is a state. At last, each state stands for as many
//! ways as its ties have orders.
//!
//! Tricks:
//! 1. The first row has the least numbers of clues in its three blocks; tables give them and the orders of stacks.
//! 2. A row's cells are sorted in three steps of sixteen bytes: the name above, the column below, in one byte.
//! 3. Names of new digits are sums over bytes: one multiplication.
//!
//! A puzzle that has a digit twice in a row or a column is tried under every symmetry, which takes about 50 ms.

#![allow(
    clippy::needless_range_loop,
    reason = "kernels loop over indices: closures over vectors are not inlined"
)]

use galop_simd::Bytes;

use super::bands::{LINES, THREE};
use super::board::{self, Table};
use super::shape::unchanged;
use super::transformation::Symmetry;

/// Nine places, of which each but the first of its stack is tied to the one before.
const ALL_TIED: u16 = 0b110_110_110;

/// Name 10, for digits without a name, in the upper half of a byte.
const UNNAMED: u8 = 10 << 4;

/// A byte for each of eight places.
const EACH: u64 = 0x0101_0101_0101_0101;

/// By the cells of a row that have clues: the numbers of clues in its blocks, ascending, as digits of base 4. Beside
/// them, the orders of stacks that make them ascend, a bit for each of [`THREE`].
static FIRST_ROWS: [(u8, u8); 512] = {
    let mut rows = [(0, 0); 512];
    let mut clues = 0;
    while clues < 512_usize {
        let counts = [(clues & 7).count_ones(), (clues >> 3 & 7).count_ones(), (clues >> 6).count_ones()];
        let mut order = 0;
        while order < 6 {
            let [one, two, three] = THREE[order];
            let (one, two, three) = (counts[one as usize], counts[two as usize], counts[three as usize]);
            if one <= two && two <= three {
                rows[clues].0 = (one << 4 | two << 2 | three) as u8;
                rows[clues].1 |= 1 << order;
            }
            order += 1;
        }
        clues += 1;
    }
    rows
};

/// By the six tie bits: with which place each of the places 0, 1 of a stack is sorted if they are tied, and each of 1,
/// 2.
static PARTNERS: [[Table; 2]; 64] = {
    let mut partners = [[unchanged(); 2]; 64];
    let mut ties = 0;
    while ties < 64 {
        let mut stack = 0;
        while stack < 3 {
            let mut pair = 0;
            while pair < 2 {
                if ties >> (2 * stack + pair) & 1 == 1 {
                    let low = 3 * stack + pair;
                    partners[ties][pair][low] = low as u8 + 1;
                    partners[ties][pair][low + 1] = low as u8;
                }
                pair += 1;
            }
            stack += 1;
        }
        ties += 1;
    }
    partners
};

/// The second of each pair of places.
const SECONDS: [Table; 2] = {
    let mut seconds = [[0; 16]; 2];
    let mut stack = 0;
    while stack < 3 {
        seconds[0][3 * stack + 1] = 255;
        seconds[1][3 * stack + 2] = 255;
        stack += 1;
    }
    seconds
};

/// A way to the least rows so far; see the drawing above.
#[derive(Clone, Copy, Debug)]
struct State {
    columns: Table,
    /// 16 times the name of each digit; [`UNNAMED`] without one. The blank has 0.
    names: Table,
    /// The rows taken so far, four bits each, the last one lowest.
    rows: u64,
    /// A bit for each row taken so far.
    used: u16,
    tied: u16,
    /// Names given so far.
    named: u8,
    /// The row that was taken last; before the first row, that which is to be the first.
    last: u8,
    is_transposed: bool,
}

/// Finds least images; it keeps its lists from one puzzle to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    states: Vec<State>,
    next: Vec<State>,
}

impl Direct {
    /// Writes the least image of `puzzle`, whose bytes are 0..=9, to `image`. Gives one symmetry that leads there and
    /// the number of all that move cells differently; `None`, and nothing is written, if a digit occurs twice in a row
    /// or a column.
    #[inline(always)]
    pub(super) fn least<B: Bytes>(
        &mut self,
        puzzle: &[u8; 81],
        image: &mut [u8; 81],
    ) -> Option<(Symmetry, u32)> {
        let mut lines = [[B::ZERO; 16]; 2];
        board::rows(puzzle, &mut lines[0]);
        board::columns(&board::blocks(puzzle), &mut lines[1]);
        if has_twice(&lines[0]) || has_twice(&lines[1]) {
            return None;
        }
        self.start(&lines);
        for level in 0..9 {
            let value = self.step(&lines, puzzle, level);
            for place in 0..8 {
                image[9 * level + place] = (value >> (60 - 8 * place)) as u8 & 15;
            }
            image[9 * level + 8] = value as u8 & 15;
        }
        let ways = self.states.iter().map(|state| orders(state.tied)).sum();
        self.states.first().map(|state| (state.symmetry(), ways))
    }

    /// A state for each line that may be the first, and each order of stacks.
    #[inline(always)]
    fn start<B: Bytes>(&mut self, lines: &[[B; 16]; 2]) {
        let mut firsts = [(0, 0); 18];
        let mut least = u8::MAX;
        for line in 0..18 {
            let clues = !lines[line / 9][line % 9].equal(B::ZERO).tops() & 511;
            firsts[line] = FIRST_ROWS[clues as usize];
            least = least.min(firsts[line].0);
        }
        let mut names = [UNNAMED; 16];
        names[0] = 0;
        self.states.clear();
        for line in 0..18 {
            if firsts[line].0 == least {
                for order in (0..6).filter(|order| firsts[line].1 >> order & 1 == 1) {
                    let (columns, last, is_transposed) = (LINES[216 * order], (line % 9) as u8, line >= 9);
                    let (rows, used, named) = (0, 0, 0);
                    self.states.push(State {
                        columns,
                        names,
                        rows,
                        used,
                        tied: ALL_TIED,
                        named,
                        last,
                        is_transposed,
                    });
                }
            }
        }
    }

    /// Puts the next row to all states and keeps the least. Gives its value: a byte for each of eight digits, the first
    /// one highest, shifted left by four; the ninth below.
    #[inline(always)]
    fn step<B: Bytes>(&mut self, lines: &[[B; 16]; 2], puzzle: &[u8; 81], level: usize) -> u64 {
        let mut least = u64::MAX;
        self.next.clear();
        for state in &self.states {
            let lines = &lines[usize::from(state.is_transposed)];
            let mut open = state.open(level);
            let (columns, names) = (B::load(&state.columns), B::load(&state.names));
            let [one, other] = &PARTNERS[ties(state.tied)];
            let (one, other) = (B::load(one), B::load(other));
            while open != 0 {
                let row = open.trailing_zeros() as usize & 15;
                open &= open - 1;
                let cells = names.look_up(lines[row].look_up(columns)) | columns;
                let cells = sort(sort(sort(cells, one, 0), other, 1), one, 0);
                let named = cells & B::splat(0xf0);
                let new = named.equal(B::splat(UNNAMED));
                let value = value(cells, new, state.named);
                if value <= least {
                    if value < least {
                        least = value;
                        self.next.clear();
                    }
                    let mut places = state.columns;
                    (cells & B::splat(0x0f)).store(&mut places);
                    let blank = named.equal(B::ZERO).tops() as u16 & 511;
                    let next_row = NextRow { row, places, blank, new: new.tops() as u16 & 511 };
                    next_row.push(state, puzzle, &mut self.next);
                }
            }
        }
        std::mem::swap(&mut self.states, &mut self.next);
        least
    }
}

/// Whether a digit occurs twice in a place of all nine lines.
#[inline(always)]
fn has_twice<B: Bytes>(lines: &[B; 16]) -> bool {
    const BITS: Table = [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0];
    let (bits, nine) = (B::load(&BITS), B::splat(9));
    let (mut seen, mut seen_nine, mut twice) = (B::ZERO, B::ZERO, B::ZERO);
    for line in 0..9 {
        let (digit, is_nine) = (bits.look_up(lines[line]), lines[line].equal(nine));
        twice = twice | (seen & digit) | (seen_nine & is_nine);
        seen = seen | digit;
        seen_nine = seen_nine | is_nine;
    }
    twice.equal(B::ZERO).tops() & 511 != 511
}

/// Sorts each place with its partner, if it has one: places 0 and 1 of each stack, or 1 and 2.
#[inline(always)]
fn sort<B: Bytes>(cells: B, partners: B, pair: usize) -> B {
    let partner = cells.look_up(partners);
    let low = cells.min(partner);
    // The higher one is `low` with the bits changed in which the two differ.
    low ^ ((cells ^ partner) & B::load(&SECONDS[pair]))
}

/// The value of a row: see [`Direct::step`]. `new` has ones in the cells whose digits have no name.
#[inline(always)]
fn value<B: Bytes>(cells: B, new: B, named: u8) -> u64 {
    let [low, high] = cells.words();
    let (mut first, mut last) = (low >> 4 & (15 * EACH), high >> 4 & 15);
    let [is_new, is_last_new] = new.words();
    if new.tops() & 511 != 0 {
        // The sum of all bytes up to each.
        let names = (is_new & EACH).wrapping_mul(EACH).wrapping_add(u64::from(named) * EACH);
        first = (first & !is_new) | (names & is_new);
        if is_last_new & 1 == 1 {
            last = (names >> 56) + 1;
        }
    }
    first.swap_bytes() << 4 | last
}

/// The six tie bits without the first places of stacks.
#[inline(always)]
fn ties(tied: u16) -> usize {
    usize::from(tied >> 1 & 0b11 | tied >> 2 & 0b1100 | tied >> 3 & 0b11_0000)
}

/// The orders of columns that ties leave open.
fn orders(tied: u16) -> u32 {
    let orders = |stack: usize| match tied >> (3 * stack) & 7 {
        0b110 => 6,
        0 => 1,
        _ => 2,
    };
    orders(0) * orders(1) * orders(2)
}

impl State {
    /// The rows that may come next.
    #[inline(always)]
    fn open(&self, level: usize) -> u16 {
        let rows = match level {
            0 => 1 << self.last,
            3 | 6 => 511,
            _ => 7 << (self.last / 3 * 3),
        };
        rows & !self.used
    }

    /// The symmetry of a state in which all rows are taken.
    fn symmetry(&self) -> Symmetry {
        let mut rows = unchanged();
        for (row, place) in rows[..9].iter_mut().zip(0..) {
            *row = (self.rows >> (4 * (8 - place))) as u8 & 15;
        }
        let names = self.names.map(|name| if name == UNNAMED { 0 } else { name >> 4 });
        let digits = super::brute::complete(names, 9);
        Symmetry { side: 9, is_transposed: self.is_transposed, rows, columns: self.columns, digits }
    }
}

/// The next row of a state.
struct NextRow {
    row: usize,
    /// The columns in their new order.
    places: Table,
    /// Bits of the places: blanks, and digits without a name.
    blank: u16,
    new: u16,
}

impl NextRow {
    /// Adds the state with the row; one for each order of digits without a name in tied places.
    #[inline(always)]
    fn push(self, state: &State, puzzle: &[u8; 81], states: &mut Vec<State>) {
        let NextRow { row, places, blank, new } = self;
        let first = states.len();
        states.push(State {
            columns: places,
            rows: state.rows << 4 | row as u64,
            used: state.used | 1 << row,
            tied: state.tied & blank & blank << 1,
            named: state.named + new.count_ones() as u8,
            last: row as u8,
            ..*state
        });
        if new == 0 {
            return;
        }
        let several = state.tied & new & new << 1;
        if several != 0 {
            for stack in 0..3 {
                add_orders(states, first, 3 * stack, several >> (3 * stack) & 7);
            }
        }
        for added in &mut states[first..] {
            let (mut places, mut name) = (new, state.named);
            while places != 0 {
                let column = usize::from(added.columns[places.trailing_zeros() as usize & 15]);
                places &= places - 1;
                name += 1;
                let cell = if state.is_transposed { 9 * column + row } else { 9 * row + column };
                added.names[usize::from(puzzle[cell]) & 15] = name << 4;
            }
        }
    }
}

/// Adds the other orders of the tied places of a stack for all states from `first` on.
fn add_orders(states: &mut Vec<State>, first: usize, stack: usize, ties: u16) {
    let others: &[[u8; 3]] = match ties {
        0b010 => &[[1, 0, 2]],
        0b100 => &[[0, 2, 1]],
        0b110 => &THREE[1..],
        _ => &[],
    };
    for index in first..states.len() {
        let state = states[index];
        for order in others {
            let mut other = state;
            for (place, &from) in order.iter().enumerate() {
                other.columns[stack + place] = state.columns[stack + usize::from(from)];
            }
            states.push(other);
        }
    }
}
