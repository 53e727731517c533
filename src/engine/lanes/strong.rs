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
use super::filter::{configurations, minirows};
use super::slice::Cells;
use super::tally::{self, is_greater};
use super::vector::{Vector, add3, any3, select};

/// The best candidate of one band so far.
#[derive(Clone, Copy)]
struct Best<V> {
    /// Configurations of all digits.
    total: [V; 6],
    /// Product of the scores, 1 to 36; 0 where there is no digit with exactly two configurations.
    key: [V; 6],
    digit: [V; 4],
    /// The second side goes first.
    swap: V,
    /// Some digit has two configurations or more.
    open: V,
}

/// One digit in all blocks: cells, and which minirows and minicolumns have some.
struct Digit<V> {
    cells: [[V; 9]; 9],
    rows: [[V; 3]; 9],
    columns: [[V; 3]; 9],
}

/// Chooses a split in every lane. The lanes are at rest: stuck.
#[inline(always)]
pub(super) fn choose<V: Vector>(cells: &Cells<V>) -> Choices<V> {
    let zero = V::ZERO;
    let none = Best { total: [zero; 6], key: [zero; 6], digit: [zero; 4], swap: zero, open: zero };
    let mut best = [none; 6];
    for d in 0..9 {
        let mut digit = Digit { cells: [[zero; 9]; 9], rows: [[zero; 3]; 9], columns: [[zero; 3]; 9] };
        for block in 0..9 {
            let c = cells[block][d];
            digit.cells[block] = c;
            for k in 0..3 {
                digit.rows[block][k] = any3(c[3 * k], c[3 * k + 1], c[3 * k + 2]);
                digit.columns[block][k] = any3(c[k], c[3 + k], c[6 + k]);
            }
        }
        for band in 0..3 {
            look::<V, false>(&digit, d, band, &mut best[band]);
            look::<V, true>(&digit, d, band, &mut best[3 + band]);
        }
    }
    let mut choices = Choices::<V>::NONE;
    let mut key = [zero; 12];
    for (band, best) in best.iter().enumerate() {
        // Twelve bits: the product above, and below it the fewer the better.
        let mut of_band = [zero; 12];
        for bit in 0..6 {
            of_band[bit] = !best.total[bit];
            of_band[6 + bit] = best.key[bit];
        }
        let better = best.open & (is_greater(&of_band, &key) | !choices.some);
        for bit in 0..12 {
            key[bit] = select(better, of_band[bit], key[bit]);
        }
        choices.take(better, band, best.digit, best.swap);
    }
    choices
}

/// Looks ahead from digit `d` in band `band`; `TURNED`: in stack `band`, with rows and columns exchanged.
#[inline(always)]
fn look<V: Vector, const TURNED: bool>(digit: &Digit<V>, d: usize, band: usize, best: &mut Best<V>) {
    let block = |band: usize, stack: usize| if TURNED { 3 * stack + band } else { 3 * band + stack };
    let at = |row: usize, column: usize| if TURNED { 3 * column + row } else { 3 * row + column };
    let (rows, columns) = if TURNED { (&digit.columns, &digit.rows) } else { (&digit.rows, &digit.columns) };

    let open = configurations(rows[block(band, 0)], rows[block(band, 1)], rows[block(band, 2)]);
    // The first open configuration, and the others: both sides, if there are two.
    let (mut first, mut second) = ([V::ZERO; 6], [V::ZERO; 6]);
    first[0] = open[0];
    let (mut once, mut twice, mut more) = (open[0], V::ZERO, V::ZERO);
    for k in 1..6 {
        first[k] = open[k] & !once;
        second[k] = open[k] & once;
        more |= twice & open[k];
        twice |= second[k];
        once |= open[k];
    }
    let two = twice & !more;
    tally::add(&mut best.total, open);

    let (first, second) = (minirows(first), minirows(second));
    let (mut crossing_1, mut crossing_2) = ([V::ZERO; 3], [V::ZERO; 3]);
    let (mut parallel_1, mut parallel_2) = ([V::ZERO; 2], [V::ZERO; 2]);
    for stack in 0..3 {
        let here = block(band, stack);
        let (mut left_1, mut left_2) = ([V::ZERO; 3], [V::ZERO; 3]);
        for x in 0..3 {
            let cells = &digit.cells[here];
            let (a, b, c) = (cells[at(0, x)], cells[at(1, x)], cells[at(2, x)]);
            left_1[x] = (a & first[stack][0]) | (b & first[stack][1]) | (c & first[stack][2]);
            left_2[x] = (a & second[stack][0]) | (b & second[stack][1]) | (c & second[stack][2]);
            crossing_1[stack] |= columns[here][x] & !left_1[x];
            crossing_2[stack] |= columns[here][x] & !left_2[x];
        }
        let others = [block((band + 1) % 3, stack), block((band + 2) % 3, stack)];
        let [y, z] = [&columns[others[0]], &columns[others[1]]];
        let pairs = [y[1] & z[2], y[2] & z[1], y[0] & z[2], y[2] & z[0], y[0] & z[1], y[1] & z[0]];
        let (through_1, through_2) = (through(left_1, pairs), through(left_2, pairs));
        for other in 0..2 {
            let cells = &digit.cells[others[other]];
            for r in 0..3 {
                let (a, b, c) = (cells[at(r, 0)], cells[at(r, 1)], cells[at(r, 2)]);
                let (open_1, open_2) = (through_1[1 + other], through_2[1 + other]);
                let row = rows[others[other]][r];
                parallel_1[other] |= row & !((a & open_1[0]) | (b & open_1[1]) | (c & open_1[2]));
                parallel_2[other] |= row & !((a & open_2[0]) | (b & open_2[1]) | (c & open_2[2]));
            }
        }
    }
    let score_1 = score(crossing_1, parallel_1);
    let score_2 = score(crossing_2, parallel_2);
    let mut key = product(score_1, score_2);
    for bit in &mut key {
        *bit &= two;
    }
    let better = is_greater(&key, &best.key) | (twice & !best.open);
    best.open |= twice;
    for bit in 0..6 {
        best.key[bit] = select(better, key[bit], best.key[bit]);
    }
    best.swap = select(better, is_greater(&score_2, &score_1), best.swap);
    for bit in 0..4 {
        best.digit[bit] =
            if d >> bit & 1 == 1 { best.digit[bit] | better } else { best.digit[bit] & !better };
    }
}

/// The minicolumns that the filter leaves of `left`, given the pairs of the two other blocks.
#[inline(always)]
fn through<V: Vector>(left: [V; 3], pairs: [V; 6]) -> [[V; 3]; 3] {
    minirows([
        left[0] & pairs[0],
        left[0] & pairs[1],
        left[1] & pairs[2],
        left[1] & pairs[3],
        left[2] & pairs[4],
        left[2] & pairs[5],
    ])
}

/// One and the number of bands that change: 1 to 6, lowest bit first.
#[inline(always)]
fn score<V: Vector>(crossing: [V; 3], parallel: [V; 2]) -> [V; 3] {
    let (one, two_a) = add3(crossing[0], crossing[1], crossing[2]);
    let (ones, two_b) = add3(one, parallel[0], parallel[1]);
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
