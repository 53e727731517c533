//! The strong choice: the split that changes most, found by a look ahead for all lanes at once.
//!
//! Candidates are a digit in a band or stack with exactly two configurations. Each side is tried for that digit
//! alone: its score is one more than the number of the other five bands and stacks in which the digit's
//! configurations change.
//!
//! * A crossing band: the block they share keeps only the cells in the minirows of this side, and a minicolumn
//!   vanishes.
//! * A parallel band: what is left of the crossing stack goes through the filter, and a minirow of the
//!   parallel band vanishes.
//!
//! The split with the greatest product of both scores is taken; among equals the band with the fewest
//! configurations in all, then the first. **The side with the greater score goes first**: it is the one more
//! likely to hold the solution, 8 % fewer guesses to the first solution on hard puzzles, 16 % on those with many.
//!
//! Guesses to the first solution, `forum_hardest_1106`: tdoku's rule (fewest configurations, first digit with
//! two) 61.0, this 27.9. Full propagation of both sides of every candidate 24.7; without the parallel bands 48.7;
//! sum instead of product 33.4, the smaller score 36.6; best band only 52 to 55.

use super::choice::Choices;
use super::filter::configurations;
use super::slice::Cells;
use super::tally::{self, is_greater};
use super::vector::{Vector, add3, any3, select};

/// The best candidate of a band so far, the first of equals.
#[derive(Clone, Copy)]
struct Best<V> {
    /// Product of the scores, 1 to 30, and 31 for 36; 0 where no digit has exactly two configurations.
    key: [V; 5],
    /// The second side goes first.
    swap: V,
    /// By digit: was better than those before it. The last such is the candidate's.
    better: [V; 9],
    /// Configurations of all digits.
    total: [V; 6],
}

/// One digit in all blocks: cells, and which minirows and minicolumns have some.
struct Digit<'a, V> {
    cells: [&'a [V; 9]; 9],
    rows: [[V; 3]; 9],
    columns: [[V; 3]; 9],
}

/// By band, crossing stack, and minirow of their block: if that minirow is taken, nothing is lost in
/// the crossing stack; the next band; the one after that.
type Lost<V> = [[[[V; 3]; 3]; 3]; 3];

/// Chooses a split in every lane. The lanes are at rest: stuck.
#[inline(always)]
pub(super) fn choose<V: Vector>(cells: &Cells<V>) -> Choices<V> {
    let zero = V::ZERO;
    let mut best = [Best { key: [zero; 5], swap: zero, better: [zero; 9], total: [zero; 6] }; 6];
    let mut lost = [[[[zero; 3]; 3]; 3]; 3];
    let mut digit = Digit { cells: [&cells[0][0]; 9], rows: [[zero; 3]; 9], columns: [[zero; 3]; 9] };
    for d in 0..9 {
        digit.cells = [&cells[0][0]; 9];
        for block in 0..9 {
            let c = &cells[block][d];
            digit.cells[block] = c;
            for k in 0..3 {
                digit.rows[block][k] = any3(c[3 * k], c[3 * k + 1], c[3 * k + 2]);
                digit.columns[block][k] = any3(c[k], c[3 + k], c[6 + k]);
            }
        }
        lose::<V, false>(&digit, &mut lost);
        for band in 0..3 {
            look::<V, false>(&digit.rows, &lost, band, d, &mut best[band]);
        }
        lose::<V, true>(&digit, &mut lost);
        for band in 0..3 {
            look::<V, true>(&digit.columns, &lost, band, d, &mut best[3 + band]);
        }
    }
    let mut choices = Choices::<V>::NONE;
    let mut key = [zero; 11];
    for (band, best) in best.iter().enumerate() {
        let mut digit = [zero; 4];
        for d in 1..9 {
            for bit in 0..4 {
                let better = best.better[d];
                digit[bit] = if d >> bit & 1 == 1 { digit[bit] | better } else { digit[bit] & !better };
            }
        }
        // Eleven bits: the product above, and below it the fewer the better.
        let mut of_band = [zero; 11];
        let mut some = zero;
        for bit in 0..6 {
            of_band[bit] = !best.total[bit];
        }
        for bit in 0..5 {
            of_band[6 + bit] = best.key[bit];
            some |= best.key[bit];
        }
        let better = some & is_greater(&of_band, &key);
        for bit in 0..11 {
            key[bit] = select(better, of_band[bit], key[bit]);
        }
        choices.take(better, band, digit, best.swap);
    }
    choices
}

#[inline(always)]
const fn block<const TURNED: bool>(band: usize, stack: usize) -> usize {
    if TURNED { 3 * stack + band } else { 3 * band + stack }
}

#[inline(always)]
fn lose<V: Vector, const TURNED: bool>(digit: &Digit<V>, lost: &mut Lost<V>) {
    for stack in 0..3 {
        pair::<V, TURNED>(digit, stack, [0, 1, 2], lost);
        pair::<V, TURNED>(digit, stack, [1, 2, 0], lost);
        pair::<V, TURNED>(digit, stack, [2, 0, 1], lost);
    }
}

#[inline(always)]
fn pair<V: Vector, const TURNED: bool>(digit: &Digit<V>, stack: usize, [band, next, third]: [usize; 3], lost: &mut Lost<V>) {
    let at = |row: usize, column: usize| if TURNED { 3 * column + row } else { 3 * row + column };
    let (rows, columns) = if TURNED { (&digit.columns, &digit.rows) } else { (&digit.rows, &digit.columns) };
            let [here, there, left] =
                [block::<TURNED>(band, stack), block::<TURNED>(next, stack), block::<TURNED>(third, stack)];
            let (a, b) = (*digit.cells[here], digit.cells[there]);
            for r in 0..3 {
                lost[band][stack][0][r] = any3(
                    columns[here][0] & !a[at(r, 0)],
                    columns[here][1] & !a[at(r, 1)],
                    columns[here][2] & !a[at(r, 2)],
                );
            }
            let z = columns[left];
            let mut all = [V::ZERO; 3];
            for r in 0..3 {
                let row = rows[there][r];
                let b = [b[at(r, 0)], b[at(r, 1)], b[at(r, 2)]];
                let m = [
                    (b[1] & z[2]) | (b[2] & z[1]),
                    (b[0] & z[2]) | (b[2] & z[0]),
                    (b[0] & z[1]) | (b[1] & z[0]),
                ];
                let mut back = V::ZERO;
                for q in 0..3 {
                    let fits = (a[at(q, 0)] & m[0]) | (a[at(q, 1)] & m[1]) | (a[at(q, 2)] & m[2]);
                    let lost = rows[here][q] & row & !fits;
                    all[q] |= lost;
                    back |= lost;
                }
                lost[next][stack][2][r] = back;
            }
            lost[band][stack][1] = all;
}

/// Looks ahead from digit `d` in band `band`; `TURNED`: in stack `band`, with rows and columns exchanged.
#[inline(always)]
fn look<V: Vector, const TURNED: bool>(rows: &[[V; 3]; 9], lost: &Lost<V>, band: usize, d: usize, best: &mut Best<V>) {
    let open = configurations(
        rows[block::<TURNED>(band, 0)],
        rows[block::<TURNED>(band, 1)],
        rows[block::<TURNED>(band, 2)],
    );
    let (one_a, two_a) = add3(open[0], open[1], open[2]);
    let (one_b, two_b) = add3(open[3], open[4], open[5]);
    let two = !(one_a ^ one_b) & select(one_a, !(two_a | two_b), two_a ^ two_b);
    tally::add(&mut best.total, open);

    let [o0, o1, o2, o3, o4, o5] = open;
    let (low, high) = (o0 | o1, o4 | o5);
    let mid = o2 | o3;
    let both = o0 & o1;
    let top = o4 & o5;
    let first = [
        [mid & !low, top],
        [o0, (o1 & !o0) | (o3 & high)],
        [(o1 & !o0) | top, o0 | (o2 & !low)],
    ];
    let second = [
        [mid & !high, high],
        [o5, both | (o3 & !high)],
        [both | (o4 & !o5), o2 & low],
    ];
    let (mut one, mut other) = ([V::ZERO; 5], [V::ZERO; 5]);
    for stack in 0..3 {
        for what in 0..3 {
            let [a, b, c] = lost[band][stack][what];
            let at = if what == 0 { stack } else { 2 + what };
            one[at] |= select(first[stack][1], c, select(first[stack][0], b, a));
            other[at] |= select(second[stack][1], c, select(second[stack][0], b, a));
        }
    }
    let (one, other) = (score(one), score(other));
    let product = product(one, other);
    // Five bits will do: the only product of 32 or more is 36, and 31 is none.
    let mut key = [V::ZERO; 5];
    for bit in 0..5 {
        key[bit] = two & (product[bit] | product[5]);
    }
    let better = is_greater(&key, &best.key);
    for bit in 0..5 {
        best.key[bit] = select(better, key[bit], best.key[bit]);
    }
    best.swap = select(better, is_greater(&other, &one), best.swap);
    best.better[d] = better;
}

/// One and the number of bands that change: 1 to 6, lowest bit first.
#[inline(always)]
fn score<V: Vector>(lost: [V; 5]) -> [V; 3] {
    let (one, two_a) = add3(lost[0], lost[1], lost[2]);
    let (ones, two_b) = add3(one, lost[3], lost[4]);
    let (twos, fours) = (two_a ^ two_b, two_a & two_b);
    [!ones, twos ^ ones, fours ^ (twos & ones)]
}

/// The product of two numbers of three bits, lowest bit first.
#[inline(always)]
fn product<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 6] {
    let (c1, d1) = (a[0] & b[1], a[1] & b[0]);
    let carry_2 = c1 & d1;
    let (half, carry_3a) = add3(a[0] & b[2], a[1] & b[1], a[2] & b[0]);
    let carry_3b = half & carry_2;
    let (third, carry_4a) = add3(a[1] & b[2], a[2] & b[1], carry_3a);
    let carry_4b = third & carry_3b;
    let (fourth, fifth) = add3(a[2] & b[2], carry_4a, carry_4b);
    [a[0] & b[0], c1 ^ d1, half ^ carry_2, third ^ carry_3b, fourth, fifth]
}
