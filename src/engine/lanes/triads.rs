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
    sum([one_a, one_b, one_c], [two_a, two_b, two_c])
}

/// Three numbers of two bits added: lanes with exactly three, lanes with more.
#[inline(always)]
fn sum<V: Vector>(ones: [V; 3], twos: [V; 3]) -> (V, V) {
    let (one, carry) = add3(ones[0], ones[1], ones[2]);
    let (two, four) = add3(twos[0], twos[1], twos[2]);
    let more = four | (two & carry);
    (one & (two ^ carry) & !more, more)
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
        // The three blocks' counts side by side, three digits at a time.
        let (mut ones, mut twos) = ([[V::ZERO; 3]; 3], [[V::ZERO; 3]; 3]);
        for third in 0..3 {
            let mut of = [[V::ZERO; 3]; 3];
            for d in 0..3 {
                let forced = alone(minis, blocks, 3 * third + d, row);
                for x in 0..3 {
                    of[x][d] = forced[x];
                }
            }
            for x in 0..3 {
                (ones[x][third], twos[x][third]) = add3(of[x][0], of[x][1], of[x][2]);
            }
        }
        let mut three = [V::ZERO; 3];
        for x in 0..3 {
            let more;
            (three[x], more) = sum(ones[x], twos[x]);
            *bad |= more;
        }
        for d in 0..9 {
            let forced = alone(minis, blocks, d, row);
            for x in 0..3 {
                minis[blocks[x]][d][row] &= forced[x] | !three[x];
            }
        }
    }
}

/// By block: digit `d` is forced into minirow `row`, being in no other of its row.
#[inline(always)]
fn alone<V: Vector>(minis: &Minis<V>, blocks: [usize; 3], d: usize, row: usize) -> [V; 3] {
    let [a, b, c] = [minis[blocks[0]][d][row], minis[blocks[1]][d][row], minis[blocks[2]][d][row]];
    [a & !(b | c), b & !(a | c), c & !(a | b)]
}
