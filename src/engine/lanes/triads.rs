//! Triads: three digits in the three cells of a minirow (after Dillon's tdoku).
//!
//! * Naked: a minirow in which exactly three digits are possible holds them; they leave the other minirows of
//!   their row. With fewer than three there is no solution.
//! * Hidden: a digit whose only minirow of its row this is, is forced into it; if three digits are, every other
//!   digit leaves. With more than three there is no solution.
//!
//! Both are done once a round, in its last sweep: in every sweep they save sweeps (15.7 instead of 17.1 on 17
//! clues), but cost more than that; without them there are 1.45 times as many guesses.

use super::slice::Minis;
use super::vector::{Vector, add3};

/// Nine bits counted: lanes with exactly three, lanes with more.
#[inline(always)]
fn count<V: Vector>(bits: [V; 9]) -> (V, V) {
    let (one_a, two_a) = add3(bits[0], bits[1], bits[2]);
    let (one_b, two_b) = add3(bits[3], bits[4], bits[5]);
    let (one_c, two_c) = add3(bits[6], bits[7], bits[8]);
    let (ones, two_d) = add3(one_a, one_b, one_c);
    let (twos, four_a) = add3(two_a, two_b, two_c);
    let four_b = twos & two_d;
    let twos = twos ^ two_d;
    let more = four_a | four_b;
    (ones & twos & !more, more)
}

/// The digits possible in minirow `row` of a block.
#[inline(always)]
fn digits<V: Vector>(minis: &[[V; 3]; 9], row: usize) -> [V; 9] {
    let mut bits = [V::ZERO; 9];
    for d in 0..9 {
        bits[d] = minis[d][row];
    }
    bits
}

/// By row and block of a band: the minirows in which exactly three digits are possible.
#[inline(always)]
pub(super) fn naked<V: Vector>(minis: &Minis<V>, blocks: [usize; 3], bad: &mut V) -> [[V; 3]; 3] {
    let mut full = [[V::ZERO; 3]; 3];
    for row in 0..3 {
        for x in 0..3 {
            let (three, more) = count(digits(&minis[blocks[x]], row));
            *bad |= !(three | more);
            full[row][x] = three;
        }
    }
    full
}

/// The minirows of a digit, by block and row, without those that a `full` one of the same row takes it from.
#[inline(always)]
pub(super) fn held<V: Vector>(mut of: [[V; 3]; 3], full: &[[V; 3]; 3]) -> [[V; 3]; 3] {
    for row in 0..3 {
        let held = (of[0][row] & full[row][0]) | (of[1][row] & full[row][1]) | (of[2][row] & full[row][2]);
        for x in 0..3 {
            of[x][row] &= full[row][x] | !held;
        }
    }
    of
}

/// Hidden triads in the band of `blocks`.
#[inline(always)]
pub(super) fn hidden<V: Vector>(minis: &mut Minis<V>, blocks: [usize; 3], bad: &mut V) {
    for row in 0..3 {
        for x in 0..3 {
            let [one, other] = [blocks[(x + 1) % 3], blocks[(x + 2) % 3]];
            let mut forced = [V::ZERO; 9];
            for d in 0..9 {
                forced[d] = minis[blocks[x]][d][row] & !(minis[one][d][row] | minis[other][d][row]);
            }
            let (three, more) = count(forced);
            *bad |= more;
            for d in 0..9 {
                minis[blocks[x]][d][row] &= forced[d] | !three;
            }
        }
    }
}
