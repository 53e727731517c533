//! The strong choice: looks ahead in all lanes at once and finds the split that changes most.
//!
//! The possible splits are a digit in a band or stack with exactly two configurations. The look ahead tries each side
//! for that digit alone. The score of a side is one more than the number of the other five bands and stacks in which
//! the configurations of the digit change.
//!
//! * A crossing band changes if its shared block keeps only the cells in the minirows of this side, and a minicolumn
//!   vanishes.
//! * A parallel band changes if the rest of the crossing stack goes through the filter, and a minirow of the parallel
//!   band vanishes.
//!
//! The choice is the split with the greatest product of both scores; among equals, the band with the fewest
//! configurations over all digits, then the first. **The side with the greater score goes first**, because it is more
//! likely to hold the solution: 8 % fewer guesses to the first solution on hard puzzles, 16 % on puzzles with many.
//!
//! Guesses to the first solution, `forum_hardest_1106`: tdoku's rule (fewest configurations, first digit with two)
//! 61.0, this rule 27.9. Full propagation of both sides of every candidate 24.7; without the parallel bands 48.7; the
//! sum instead of the product 33.4, the smaller score 36.6; best band only 52 to 55.
//!
//! Three tricks reduce 3,400 ns to 2,120 ns (256 lanes, AVX-512, Zen 4; AVX2: 4,050 to 3,320):
//!
//! 1. *Pairs of minirows.* What a side eliminates in another block depends on the minirow that it leaves in its own
//!    block, not on the rest of the configuration. Two minirows of two blocks of a stack fit if they have cells in two
//!    minicolumns and the third block has a cell in the third minicolumn; fitting is symmetric. So all nine pairs of
//!    minirows of two blocks are tried once, for both bands and all configurations, and a side selects the results of
//!    its minirows. Compared with following each side through the filter, this counts a fifth fewer operations with
//!    `vpternlog` and a tenth fewer without, and no value has to stay in a register for long.
//! 2. *Short loops.* The loops over digits, stacks and bands stay loops, so that the code fits the cache of decoded
//!    instructions. The arrays that they fill are created once outside (clearing them for each digit took a sixth of
//!    the time).
//! 3. *Five bits of product.* Five bits suffice: the product of two scores 1..=6 is at most 36; 36 is the only value
//!    above 31, and 31 never occurs, so 36 is stored as 31.
//!
//! Tried and lost: everything unrolled, 1.45 times the time; nine stored keys and a tournament afterwards, 3 % more
//! time (10 KiB to clear, which push the cells out of the cache).

use super::adders::{add3, any3, select};
use super::choice::Choices;
use super::filter::configurations;
use super::slice::Cells;
use super::tally::{self, is_greater};
use galop_simd::Vector;

/// The best split of a band so far; the first of equals.
#[derive(Clone, Copy)]
struct Best<V> {
    /// Product of the scores, lowest bit first: 1 to 30, or 31 for 36; 0 if no digit has exactly two configurations.
    key: [V; 5],
    /// Lanes in which the second side goes first.
    swap: V,
    /// By digit: lanes in which it was better than all digits before it. The last such digit is the best one.
    better: [V; 9],
    /// Number of configurations of all digits, lowest bit first.
    total: [V; 6],
}

/// One digit in all blocks: its cells, and the minirows and minicolumns that have at least one of them.
struct Digit<'a, V> {
    cells: [&'a [V; 9]; 9],
    rows: [[V; 3]; 9],
    columns: [[V; 3]; 9],
}

/// `[band][stack][what][row]`: lanes in which something is eliminated if the digit takes minirow `row` of the block
/// that the band and the stack share. `what` says where: 0 in the stack, 1 in the next band, 2 in the band after that.
/// For stacks, exchange rows and columns.
type Lost<V> = [[[[V; 3]; 3]; 3]; 3];

/// Chooses a split in every lane. The lanes must be stuck, that is, at a fixed point. A lane gets no choice if no
/// digit has exactly two configurations anywhere.
#[inline(always)]
pub(super) fn choose<V: Vector>(cells: &Cells<V>) -> Choices<V> {
    let zero = V::ZERO;
    let mut best = [Best { key: [zero; 5], swap: zero, better: [zero; 9], total: [zero; 6] }; 6];
    let mut digit = Digit { cells: [&cells[0][0]; 9], rows: [[zero; 3]; 9], columns: [[zero; 3]; 9] };
    let mut lost = [[[[zero; 3]; 3]; 3]; 3];
    for d in 0..9 {
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
        // Eleven bits: the product in the high bits, and below it the inverted total, so that fewer is better.
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

/// The block of a band and a stack. If `TURNED`, `band` is a stack and `stack` is a band.
#[inline(always)]
const fn block<const TURNED: bool>(band: usize, stack: usize) -> usize {
    if TURNED { 3 * stack + band } else { 3 * band + stack }
}

/// Finds what each minirow eliminates in its stack. If `TURNED`: what each minicolumn eliminates in its band.
#[inline(always)]
fn lose<V: Vector, const TURNED: bool>(digit: &Digit<'_, V>, lost: &mut Lost<V>) {
    for stack in 0..3 {
        pair::<V, TURNED>(digit, stack, [0, 1, 2], lost);
        pair::<V, TURNED>(digit, stack, [1, 2, 0], lost);
        pair::<V, TURNED>(digit, stack, [2, 0, 1], lost);
    }
}

/// The same for the minirows of one block within the stack, and for two blocks of the stack in both directions. The
/// blocks are those of the bands `[band, next, third]`.
#[inline(always)]
fn pair<V: Vector, const TURNED: bool>(
    digit: &Digit<'_, V>,
    stack: usize,
    [band, next, third]: [usize; 3],
    lost: &mut Lost<V>,
) {
    let at = |row: usize, column: usize| if TURNED { 3 * column + row } else { 3 * row + column };
    let (rows, columns) = if TURNED { (&digit.columns, &digit.rows) } else { (&digit.rows, &digit.columns) };
    let (here, there) = (block::<TURNED>(band, stack), block::<TURNED>(next, stack));
    // Copy the first block, whose cells are needed three times: the compiler then keeps what it can in registers.
    let (a, b) = (*digit.cells[here], digit.cells[there]);
    for r in 0..3 {
        lost[band][stack][0][r] = any3(
            columns[here][0] & !a[at(r, 0)],
            columns[here][1] & !a[at(r, 1)],
            columns[here][2] & !a[at(r, 2)],
        );
    }
    let c = columns[block::<TURNED>(third, stack)];
    let mut from_there = [V::ZERO; 3];
    for r in 0..3 {
        let row = [b[at(r, 0)], b[at(r, 1)], b[at(r, 2)]];
        // By minicolumn of this block: the other block's minirow has a cell in another minicolumn, and the third block
        // has one in the last.
        let fits = [
            (row[1] & c[2]) | (row[2] & c[1]),
            (row[0] & c[2]) | (row[2] & c[0]),
            (row[0] & c[1]) | (row[1] & c[0]),
        ];
        let mut from_here = V::ZERO;
        for q in 0..3 {
            let both_fit = (a[at(q, 0)] & fits[0]) | (a[at(q, 1)] & fits[1]) | (a[at(q, 2)] & fits[2]);
            let none_fits = rows[here][q] & rows[there][r] & !both_fit;
            from_there[q] |= none_fits;
            from_here |= none_fits;
        }
        lost[next][stack][2][r] = from_here;
    }
    lost[band][stack][1] = from_there;
}

/// Looks ahead from digit `d` in band `band`. If `TURNED`: in stack `band`, with rows and columns exchanged.
#[inline(always)]
fn look<V: Vector, const TURNED: bool>(
    rows: &[[V; 3]; 9],
    lost: &Lost<V>,
    band: usize,
    d: usize,
    best: &mut Best<V>,
) {
    let open = configurations(
        rows[block::<TURNED>(band, 0)],
        rows[block::<TURNED>(band, 1)],
        rows[block::<TURNED>(band, 2)],
    );
    tally::add(&mut best.total, open);
    let (one_a, two_a) = add3(open[0], open[1], open[2]);
    let (one_b, two_b) = add3(open[3], open[4], open[5]);
    let two = !(one_a ^ one_b) & select(one_a, !(two_a | two_b), two_a ^ two_b);

    let (mut first_lost, mut second_lost) = ([V::ZERO; 5], [V::ZERO; 5]);
    let (first, second) = sides(open);
    for stack in 0..3 {
        for what in 0..3 {
            let lost = lost[band][stack][what];
            let other = if what == 0 { stack } else { 2 + what };
            first_lost[other] |= of_minirow(first[stack], lost);
            second_lost[other] |= of_minirow(second[stack], lost);
        }
    }
    let (first, second) = (score(first_lost), score(second_lost));
    let product = product(first, second);
    let mut key = [V::ZERO; 5];
    for bit in 0..5 {
        key[bit] = two & (product[bit] | product[5]);
    }
    let better = is_greater(&key, &best.key);
    for bit in 0..5 {
        best.key[bit] = select(better, key[bit], best.key[bit]);
    }
    best.swap = select(better, is_greater(&second, &first), best.swap);
    best.better[d] = better;
}

/// The first and the second of exactly two open configurations: by block, lanes in which it uses minirow 1, and 2.
#[inline(always)]
fn sides<V: Vector>(open: [V; 6]) -> ([[V; 2]; 3], [[V; 2]; 3]) {
    let [k0, k1, k2, k3, k4, k5] = open;
    let (low, middle, high) = (k0 | k1, k2 | k3, k4 | k5);
    let (both_low, both_high) = (k0 & k1, k4 & k5);
    // Configuration 5 is never the first, and 0 never the second. 4 is the first only before 5, and 1 the second only
    // after 0.
    let first = [
        [middle & !low, both_high],
        [k0, (k1 & !k0) | (k3 & high)],
        [(k1 & !k0) | both_high, k0 | (k2 & !low)],
    ];
    let second = [[middle & !high, high], [k5, both_low | (k3 & !high)], [both_low | (k4 & !k5), k2 & low]];
    (first, second)
}

/// Selects the value of `of` that belongs to the minirow that a side uses.
#[inline(always)]
fn of_minirow<V: Vector>(side: [V; 2], of: [V; 3]) -> V {
    select(side[1], of[2], select(side[0], of[1], of[0]))
}

/// One plus the number of bands and stacks in which something is eliminated: 1 to 6, lowest bit first.
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

#[cfg(test)]
mod tests {
    use super::super::choice::Choice;
    use super::super::filter::ROWS;
    use super::super::kernels;
    use super::super::planes::Planes;
    use super::super::states::{follows_the_rule, has, on_every_isa, open};
    use super::*;
    use galop_simd::{Simd, Words};

    /// The score of a side, straight from the rule: one plus the number of other bands and stacks in which
    /// configuration `side` of `digit` in `band` eliminates something.
    fn plain_score(state: &Planes, digit: usize, band: usize, side: usize) -> usize {
        let has = |band, row, stack, x| has(state, digit, [band, row, stack, x]);
        let (next, after) = ((band + 1) % 3 + band / 3 * 3, (band + 2) % 3 + band / 3 * 3);
        let (mut crossing, mut parallel) = ([false; 3], [false; 2]);
        for stack in 0..3 {
            let left = [0, 1, 2].map(|x| has(band, ROWS[side][stack], stack, x));
            let before = [0, 1, 2].map(|x| (0..3).any(|row| has(band, row, stack, x)));
            crossing[stack] = before != left;
            for (parallel, [other, third]) in parallel.iter_mut().zip([[next, after], [after, next]]) {
                let of_third = [0, 1, 2].map(|x| (0..3).any(|row| has(third, row, stack, x)));
                // A cell of the other block stays if this block and the third one have the two other minicolumns.
                let stays = |row, x: usize| {
                    let (y, z) = ((x + 1) % 3, (x + 2) % 3);
                    has(other, row, stack, x) && (left[y] && of_third[z] || left[z] && of_third[y])
                };
                *parallel |= (0..3)
                    .any(|row| (0..3).any(|x| has(other, row, stack, x)) && !(0..3).any(|x| stays(row, x)));
            }
        }
        1 + crossing.iter().chain(&parallel).filter(|&&lost| lost).count()
    }

    /// The choice straight from the rule; `None` if no digit has exactly two configurations anywhere.
    fn plain_choice(state: &Planes) -> Option<Choice> {
        let mut best = None;
        for band in 0..6 {
            let total: usize = (0..9).map(|digit| open(state, digit, band).len()).sum();
            for digit in 0..9 {
                if let [first, second] = open(state, digit, band)[..] {
                    let first = plain_score(state, digit, band, first);
                    let second = plain_score(state, digit, band, second);
                    let key = (first * second, 54 - total);
                    if best.is_none_or(|(best, _)| key > best) {
                        let swap = u8::from(second > first);
                        best = Some((key, Choice(swap << 7 | (band as u8) << 4 | digit as u8)));
                    }
                }
            }
        }
        best.map(|(_, choice)| choice)
    }

    fn choices_follow_the_rule_with<S: Simd, V: Vector>() {
        follows_the_rule::<V>(
            5,
            |slice, choices| kernels::choose_strong::<S, V>(slice, choices),
            plain_choice,
        );
    }

    #[test]
    fn choices_follow_the_rule() {
        follows_the_rule::<Words<4>>(5, |slice, choices| choose(&slice.cells).write(choices), plain_choice);
        on_every_isa!(choices_follow_the_rule_with);
    }
}
