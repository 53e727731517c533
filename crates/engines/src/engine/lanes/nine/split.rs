//! A split: one state becomes two. Each configuration of a digit in a chute goes to one of them.

use super::choice::Choice;
use super::filter::ROWS;
use super::planes::{ALL, Planes};

/// `KEPT[chute][k]`: the cells outside the chute (bands are 0 to 2, stacks 3 to 5), and those in the minirows
/// of configuration `k`.
const KEPT: [[u128; 6]; 6] = {
    let mut kept = [[0; 6]; 6];
    let mut chute = 0;
    while chute < 6 {
        let mut k = 0;
        while k < 6 {
            let mut cell = 0;
            while cell < 81 {
                let (row, column) = if chute < 3 { (cell / 9, cell % 9) } else { (cell % 9, cell / 9) };
                if row / 3 != chute % 3 || row % 3 == ROWS[k][column / 3] {
                    kept[chute][k] |= 1 << cell;
                }
                cell += 1;
            }
            k += 1;
        }
        chute += 1;
    }
    kept
};

/// The open configurations, bit `k` for configuration `k`. `OPEN[0]` is indexed by the minirows of a band (bit
/// `3 * row + block`), `OPEN[1]` by the minicolumns of a stack (bit `3 * block + column`).
const OPEN: [[u8; 512]; 2] = {
    let mut open = [[0; 512]; 2];
    let mut minis = 0;
    while minis < 512 {
        let mut k = 0;
        while k < 6 {
            let [a, b, c] = ROWS[k];
            let of_band = 1 << (3 * a) | 1 << (3 * b + 1) | 1 << (3 * c + 2);
            let of_stack = 1 << a | 1 << (3 + b) | 1 << (6 + c);
            if minis & of_band == of_band {
                open[0][minis] |= 1 << k;
            }
            if minis & of_stack == of_stack {
                open[1][minis] |= 1 << k;
            }
            k += 1;
        }
        minis += 1;
    }
    open
};

/// The cells of a band that each configuration leaves, bit `9 * row + column`.
const KEPT_BAND: [u32; 6] = {
    let mut kept = [0; 6];
    let mut k = 0;
    while k < 6 {
        kept[k] = KEPT[0][k] as u32 & BAND;
        k += 1;
    }
    kept
};

/// `GONE[stack][digit][k]`: the cells of a stack that configuration `k` does not leave, as bits of the two words
/// from byte `10 * digit` of a state on. To shift them at each split took 2 % more instructions on puzzles with several
/// solutions.
const GONE: [[[[u64; 2]; 6]; 9]; 3] = {
    let mut gone = [[[[0; 2]; 6]; 9]; 3];
    let mut stack = 0;
    while stack < 3 {
        let mut digit = 0;
        while digit < 9 {
            let mut k = 0;
            while k < 6 {
                let cells = (!KEPT[3 + stack][k] & ALL) << digit;
                gone[stack][digit][k] = [cells as u64, (cells >> 64) as u64];
                k += 1;
            }
            digit += 1;
        }
        stack += 1;
    }
    gone
};

/// The 27 cells of a band.
const BAND: u32 = 0o777_777_777;

/// The open configurations of a digit in a band, where `cells` are its 27 cells.
#[inline(always)]
fn open_in_band(cells: u32) -> u8 {
    let minis = (cells | cells >> 1 | cells >> 2) & 0o111_111_111;
    let minis = (minis | minis >> 2 | minis >> 4) & 0o007_007_007;
    OPEN[0][((minis | minis >> 6 | minis >> 12) & 0o777) as usize]
}

/// The open configurations of a digit in stack `stack` (0 to 2). The words are the lower 64 and the other 17 cells.
#[inline(always)]
fn open_in_stack([low, high]: [u64; 2], stack: usize) -> u8 {
    let columns = |band: u64| {
        let cells = band as u32 & BAND;
        (cells | cells >> 9 | cells >> 18) >> (3 * stack) & 0o7
    };
    let [a, b, c] = [columns(low), columns(low >> 27), columns(low >> 54 | high << 10)];
    OPEN[1][(a | b << 3 | c << 6) as usize]
}

/// The open configurations of a digit with the places `cells` in a chute.
fn open_in(cells: u128, chute: usize) -> u8 {
    if chute < 3 {
        open_in_band((cells >> (27 * chute)) as u32 & BAND)
    } else {
        open_in_stack([cells as u64, (cells >> 64) as u64], chute - 3)
    }
}

/// The two configurations of a digit that has exactly two.
#[inline(always)]
fn both(open: u8) -> Option<(usize, usize)> {
    let (first, second) = (open.trailing_zeros() as usize % 6, (7 - open.leading_zeros() as usize % 8) % 6);
    (open.count_ones() == 2).then_some((first, second))
}

/// Splits a state by `choice`. Both arguments hold the state at first; `state` becomes the side to continue with, and
/// `other` the other side. The choice says which side goes first.
///
/// The jump to the code for a band or a stack can be predicted only if the caller has ordered the splits by that.
#[inline(always)]
pub(super) fn split(state: &mut Planes, other: &mut Planes, choice: Choice) {
    split_by::<false>(state, other, choice);
}

/// As [`split`], but the side that leaves the digit fewer cells goes first, whatever the choice says.
#[inline(always)]
pub(super) fn split_fewer_cells_first(state: &mut Planes, other: &mut Planes, choice: Choice) {
    split_by::<true>(state, other, choice);
}

/// [`split_fewer_cells_first`] if `BY_CELLS`, else [`split`].
#[inline(always)]
fn split_by<const BY_CELLS: bool>(state: &mut Planes, other: &mut Planes, choice: Choice) {
    let (digit, chute) = (choice.digit(), choice.chute());
    let is_split = digit < 9
        && if choice.is_stack() {
            chute < 6 && split_stack::<BY_CELLS>(state, other, digit, chute, choice.is_swapped())
        } else {
            split_band::<BY_CELLS>(state, other, digit, chute, choice.is_swapped())
        };
    if !is_split {
        split_anyhow(state, other);
    }
}

/// Splits by a band, whose 27 cells are within eight bytes. Returns whether the digit has exactly two configurations.
#[inline(always)]
fn split_band<const BY_CELLS: bool>(
    state: &mut Planes,
    other: &mut Planes,
    digit: usize,
    band: usize,
    is_swapped: bool,
) -> bool {
    let bit = 27 * (3 * digit + band);
    let (byte, shift) = (bit / 8, bit % 8);
    let word = state.eight(byte);
    let cells = (word >> shift) as u32 & BAND;
    let Some((first, second)) = both(open_in_band(cells)) else { return false };
    let (first, second) = (KEPT_BAND[first], KEPT_BAND[second]);
    let is_swapped =
        if BY_CELLS { (cells & first).count_ones() > (cells & second).count_ones() } else { is_swapped };
    let turn = (first ^ second) & 0_u32.wrapping_sub(u32::from(is_swapped));
    state.set_eight(byte, word & !(u64::from(BAND & !(first ^ turn)) << shift));
    other.set_eight(byte, word & !(u64::from(BAND & !(second ^ turn)) << shift));
    true
}

/// Splits by a stack, whose cells are spread over the plane. Returns whether the digit has exactly two
/// configurations.
#[inline(always)]
fn split_stack<const BY_CELLS: bool>(
    state: &mut Planes,
    other: &mut Planes,
    digit: usize,
    chute: usize,
    is_swapped: bool,
) -> bool {
    // Words of 64 bits, because variable shifts of 128 bits are slow.
    let [low, high] = [state.eight(10 * digit), state.eight(10 * digit + 8)];
    let cells = [low >> digit | high << 1 << (63 - digit), high >> digit];
    let Some((first, second)) = both(open_in_stack(cells, chute - 3)) else { return false };
    let gone = &GONE[chute % 3][digit];
    let (first, second) = (gone[first], gone[second]);
    let count = |gone: [u64; 2]| (low & gone[0]).count_ones() + (high & gone[1]).count_ones();
    let is_swapped = if BY_CELLS { count(first) < count(second) } else { is_swapped };
    let mask = 0_u64.wrapping_sub(u64::from(is_swapped));
    let turn = [(first[0] ^ second[0]) & mask, (first[1] ^ second[1]) & mask];
    state.set_eight(10 * digit, low & !(first[0] ^ turn[0]));
    state.set_eight(10 * digit + 8, high & !(first[1] ^ turn[1]));
    other.set_eight(10 * digit, low & !(second[0] ^ turn[0]));
    other.set_eight(10 * digit + 8, high & !(second[1] ^ turn[1]));
    true
}

/// Splits a state if the chosen digit does not have exactly two configurations. It splits by a minirow of the digit and
/// chute with the fewest configurations, or, if every digit has one configuration everywhere, by a candidate of a cell.
#[cold]
#[inline(never)]
fn split_anyhow(state: &mut Planes, other: &mut Planes) {
    let pairs = (0..6).flat_map(|chute| (0..9).map(move |digit| (chute, digit)));
    let open_of = |chute, digit| open_in(state.get(digit), chute);
    let fewest = pairs
        .map(|(chute, digit)| (open_of(chute, digit), chute, digit))
        .filter(|(open, ..)| open.count_ones() >= 2)
        .min_by_key(|(open, ..)| open.count_ones());
    if let Some((open, chute, digit)) = fewest {
        // Two configurations use different minirows of some block. There, one side keeps only the minirow of the
        // first configuration; the other side keeps all but that.
        let (one, two) = (open.trailing_zeros() as usize % 6, (7 - open.leading_zeros()) as usize % 6);
        let block = (0..3).find(|&block| ROWS[one][block] != ROWS[two][block]).unwrap_or(0);
        let block = BLOCKS[if chute < 3 { 3 * chute + block } else { 3 * block + chute - 3 }];
        state.keep(digit, KEPT[chute][one] | !block);
        other.keep(digit, !(KEPT[chute][one] & block));
    } else {
        let digits = |cell: &usize| (0..9).filter(|&digit| state.get(digit) >> cell & 1 == 1).count();
        let cell = (0..81).find(|cell| digits(cell) > 1).unwrap_or(0);
        let digit = (0..9).find(|&digit| state.get(digit) >> cell & 1 == 1).unwrap_or(0);
        state.keep(digit, !(1 << cell));
        for rival in (0..9).filter(|&rival| rival != digit) {
            other.keep(rival, !(1 << cell));
        }
    }
}

/// The cells of each block.
const BLOCKS: [u128; 9] = {
    let mut blocks = [0; 9];
    let mut cell = 0;
    while cell < 81 {
        blocks[cell / 27 * 3 + cell % 9 / 3] |= 1 << cell;
        cell += 1;
    }
    blocks
};

#[cfg(test)]
mod tests {
    use super::super::states::{any, grid, open, planes, stuck};
    use super::*;

    use galop_testing::chance::Chance;

    fn is_within(small: &Planes, large: &Planes) -> bool {
        (0..9).all(|digit| small.get(digit) & !large.get(digit) == 0)
    }

    fn is_equal(a: &Planes, b: &Planes) -> bool {
        is_within(a, b) && is_within(b, a)
    }

    /// Whether the sides divide the configurations of a digit in a chute: each side has at least one, no
    /// configuration is in both, and none is missing.
    fn is_shared_out(state: &Planes, sides: [&Planes; 2], digit: usize, chute: usize) -> bool {
        let [a, b] = sides.map(|side| open(side, digit, chute));
        let mut both = [a.clone(), b.clone()].concat();
        both.sort_unstable();
        !a.is_empty() && !b.is_empty() && both == open(state, digit, chute)
    }

    /// Splits `state`, checks what must be true of the sides of any split, and returns them.
    fn check(state: &Planes, choice: Choice, by_cells: bool) -> [Planes; 2] {
        let (mut side, mut other) = (*state, *state);
        let split = if by_cells { split_fewer_cells_first } else { split };
        split(&mut side, &mut other, choice);
        for side in [&side, &other] {
            assert!(is_within(side, state) && !is_equal(side, state), "{choice:?}: {state:?}");
        }
        let (digit, chute) = (choice.digit(), choice.chute());
        if digit < 9 && chute < 6 && open(state, digit, chute).len() == 2 {
            // The split is the chosen one, and the wanted side comes first.
            assert!(is_shared_out(state, [&side, &other], digit, chute), "{choice:?}: {state:?}");
            let is_second_first = open(&side, digit, chute) > open(&other, digit, chute);
            let count = |side: &Planes| side.get(digit).count_ones();
            if !by_cells {
                assert_eq!(is_second_first, choice.is_swapped());
            } else {
                assert!(count(&side) <= count(&other));
                assert!(!is_second_first || count(&side) < count(&other));
            }
        } else {
            // The split may be any other, but no solution may be in both sides.
            let is_split = (0..54).any(|at| is_shared_out(state, [&side, &other], at / 6, at % 6));
            let digits = |planes: &Planes, cell: usize| {
                (0..9).fold(0, |digits, digit| digits | (planes.get(digit) >> cell & 1) << digit)
            };
            let is_cell_split = (0..81).any(|cell| {
                let (a, b) = (digits(&side, cell), digits(&other, cell));
                a & b == 0 && a != 0 && b != 0 && a | b == digits(state, cell)
            });
            assert!(is_split || is_cell_split, "{choice:?}: {state:?}");
        }
        [side, other]
    }

    fn holds(state: &Planes, grid: &[u8; 81]) -> bool {
        is_within(&Planes::of_puzzle(grid).unwrap(), state)
    }

    #[test]
    fn one_side_keeps_the_solution() {
        for (state, grid) in stuck(300, 11) {
            assert!(holds(&state, &grid));
            for byte in 0..=255 {
                let sides = check(&state, Choice(byte), byte % 3 == 0);
                assert_eq!(sides.iter().filter(|side| holds(side, &grid)).count(), 1);
            }
        }
    }

    #[test]
    fn sides_share_out_configurations() {
        for state in any(300, 12) {
            for byte in 0..=255 {
                check(&state, Choice(byte), byte % 3 == 0);
            }
        }
    }

    #[test]
    fn a_cell_is_split_where_every_digit_has_its_configurations() {
        let mut chance = Chance::new(13);
        for cell in 0..81 {
            let grid = grid(&mut chance);
            let solved = Planes::of_puzzle(&grid).unwrap();
            let rival = usize::from(grid[cell]) % 9;
            let state = planes(std::array::from_fn(|digit| {
                solved.get(digit) | if digit == rival { 1 << cell } else { 0 }
            }));
            assert!((0..54).all(|at| open(&state, at / 6, at % 6).len() == 1));
            let sides = check(&state, Choice(15), false);
            assert_eq!(sides.iter().filter(|side| holds(side, &grid)).count(), 1);
        }
    }
}
