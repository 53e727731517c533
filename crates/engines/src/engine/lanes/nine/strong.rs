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
//!    block, not on the rest of the configuration. Two minirows of two blocks of a stack fit if they have cells in
//!    two minicolumns and the third block has a cell in the third minicolumn; fitting is symmetric. So all nine pairs
//!    of minirows of two blocks are tried once, for both bands and all configurations, and a side selects the results
//!    of its minirows. Compared with following each side through the filter, this counts a fifth fewer operations
//!    with `vpternlog` and a tenth fewer without, and no value has to stay in a register for long.
//! 2. *Short loops.* The loops over digits, stacks and bands stay loops, so that the code fits the cache of decoded
//!    instructions. The arrays that they fill are created once outside (clearing them for each digit took a sixth of
//!    the time).
//! 3. *Five bits of product.* Five bits suffice: the product of two scores 1..=6 is at most 36; 36 is the only value
//!    above 31, and 31 never occurs, so 36 is stored as 31.
//!
//! Tried and lost: everything unrolled, 1.45 times the time; nine stored keys and a tournament afterwards, 3 % more
//! time (10 KiB to clear, which push the cells out of the cache).

use super::adders::{add3, any3, is_greater, product, select};
use super::choice::{Bands, Choices, Chutes, Stacks};
use super::filter::configurations;
use super::slice::Cells;
use super::tally;
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

/// Where a minirow eliminates something: the middle index of [`Eliminations`].
const IN_STACK: usize = 0;
const IN_NEXT_BAND: usize = 1;
const IN_BAND_AFTER: usize = 2;

/// `[band][stack][where][row]`: lanes in which something is eliminated if the digit takes minirow `row` of the block
/// that the band and the stack share. Where: in the stack, in the next band, or in the band after that. For stacks,
/// exchange rows and columns.
type Eliminations<V> = [[[[V; 3]; 3]; 3]; 3];

/// Chooses a split in every lane. The lanes must be stuck, that is, at a fixed point. A lane gets no choice if no
/// digit has exactly two configurations anywhere.
#[inline(always)]
pub(super) fn choose<V: Vector>(cells: &Cells<V>) -> Choices<V> {
    let zero = V::ZERO;
    let mut best = [Best { key: [zero; 5], swap: zero, better: [zero; 9], total: [zero; 6] }; 6];
    let mut digit = Digit { cells: [&cells[0][0]; 9], rows: [[zero; 3]; 9], columns: [[zero; 3]; 9] };
    let mut eliminations = [[[[zero; 3]; 3]; 3]; 3];
    for d in 0..9 {
        for block in 0..9 {
            let cells = &cells[block][d];
            digit.cells[block] = cells;
            for line in 0..3 {
                digit.rows[block][line] = any3(cells[3 * line], cells[3 * line + 1], cells[3 * line + 2]);
                digit.columns[block][line] = any3(cells[line], cells[3 + line], cells[6 + line]);
            }
        }
        find_eliminations::<V, Bands>(&digit, &mut eliminations);
        for band in 0..3 {
            look_ahead::<V, Bands>(&digit.rows, &eliminations, band, d, &mut best[band]);
        }
        find_eliminations::<V, Stacks>(&digit, &mut eliminations);
        for stack in 0..3 {
            look_ahead::<V, Stacks>(&digit.columns, &eliminations, stack, d, &mut best[3 + stack]);
        }
    }
    let mut choices = Choices::<V>::NONE;
    let mut key = [zero; 11];
    for (chute, best) in best.iter().enumerate() {
        let mut digit = [zero; 4];
        for d in 1..9 {
            for bit in 0..4 {
                let better = best.better[d];
                digit[bit] = if d >> bit & 1 == 1 { digit[bit] | better } else { digit[bit] & !better };
            }
        }
        // Eleven bits: the product in the high bits, and below it the inverted total, so that fewer is better.
        let mut of_chute = [zero; 11];
        let mut some = zero;
        for bit in 0..6 {
            of_chute[bit] = !best.total[bit];
        }
        for bit in 0..5 {
            of_chute[6 + bit] = best.key[bit];
            some |= best.key[bit];
        }
        let better = some & is_greater(&of_chute, &key);
        for bit in 0..11 {
            key[bit] = select(better, of_chute[bit], key[bit]);
        }
        choices.take(better, chute, digit, best.swap);
    }
    choices
}

/// The block of a band and a stack. For stacks, `band` is a stack and `stack` is a band.
#[inline(always)]
const fn block<C: Chutes>(band: usize, stack: usize) -> usize {
    if C::ARE_STACKS { 3 * stack + band } else { 3 * band + stack }
}

/// Finds what each minirow eliminates in its stack. For stacks: what each minicolumn eliminates in its band.
#[inline(always)]
fn find_eliminations<V: Vector, C: Chutes>(digit: &Digit<'_, V>, eliminations: &mut Eliminations<V>) {
    for stack in 0..3 {
        try_pairs::<V, C>(digit, stack, [0, 1, 2], eliminations);
        try_pairs::<V, C>(digit, stack, [1, 2, 0], eliminations);
        try_pairs::<V, C>(digit, stack, [2, 0, 1], eliminations);
    }
}

/// The same for the minirows of one block within the stack, and for two blocks of the stack in both directions. The
/// blocks lie in the bands `[band, next, third]`.
#[inline(always)]
fn try_pairs<V: Vector, C: Chutes>(
    digit: &Digit<'_, V>,
    stack: usize,
    [band, next, third]: [usize; 3],
    eliminations: &mut Eliminations<V>,
) {
    let at = |row: usize, column: usize| if C::ARE_STACKS { 3 * column + row } else { 3 * row + column };
    let (rows, columns) =
        if C::ARE_STACKS { (&digit.columns, &digit.rows) } else { (&digit.rows, &digit.columns) };
    let (here, there) = (block::<C>(band, stack), block::<C>(next, stack));
    // Copy the first block, whose cells are needed three times: the compiler then keeps what it can in registers.
    let (cells_here, cells_there) = (*digit.cells[here], digit.cells[there]);
    for row in 0..3 {
        eliminations[band][stack][IN_STACK][row] = any3(
            columns[here][0] & !cells_here[at(row, 0)],
            columns[here][1] & !cells_here[at(row, 1)],
            columns[here][2] & !cells_here[at(row, 2)],
        );
    }
    let third = columns[block::<C>(third, stack)];
    let mut from_there = [V::ZERO; 3];
    for row_there in 0..3 {
        let cell =
            [cells_there[at(row_there, 0)], cells_there[at(row_there, 1)], cells_there[at(row_there, 2)]];
        // By minicolumn of this block: the other block's minirow has a cell in another minicolumn, and the third
        // block has one in the last.
        let fits = [
            (cell[1] & third[2]) | (cell[2] & third[1]),
            (cell[0] & third[2]) | (cell[2] & third[0]),
            (cell[0] & third[1]) | (cell[1] & third[0]),
        ];
        let mut from_here = V::ZERO;
        for row_here in 0..3 {
            let both_fit = (cells_here[at(row_here, 0)] & fits[0])
                | (cells_here[at(row_here, 1)] & fits[1])
                | (cells_here[at(row_here, 2)] & fits[2]);
            let none_fits = rows[here][row_here] & rows[there][row_there] & !both_fit;
            from_there[row_here] |= none_fits;
            from_here |= none_fits;
        }
        eliminations[next][stack][IN_BAND_AFTER][row_there] = from_here;
    }
    eliminations[band][stack][IN_NEXT_BAND] = from_there;
}

/// Looks ahead from digit `d` in band `band`. For stacks: in stack `band`, with rows and columns exchanged.
#[inline(always)]
fn look_ahead<V: Vector, C: Chutes>(
    rows: &[[V; 3]; 9],
    eliminations: &Eliminations<V>,
    band: usize,
    d: usize,
    best: &mut Best<V>,
) {
    let open =
        configurations(rows[block::<C>(band, 0)], rows[block::<C>(band, 1)], rows[block::<C>(band, 2)]);
    tally::add(&mut best.total, open);
    let (one_a, two_a) = add3(open[0], open[1], open[2]);
    let (one_b, two_b) = add3(open[3], open[4], open[5]);
    let two = !(one_a ^ one_b) & select(one_a, !(two_a | two_b), two_a ^ two_b);

    // By stack, then by band next to this one: lanes in which something is eliminated there.
    let (mut by_first, mut by_second) = ([V::ZERO; 5], [V::ZERO; 5]);
    let (first, second) = sides(open);
    for stack in 0..3 {
        for place in [IN_STACK, IN_NEXT_BAND, IN_BAND_AFTER] {
            let eliminates = eliminations[band][stack][place];
            let other = if place == IN_STACK { stack } else { 2 + place };
            by_first[other] |= of_minirow(first[stack], eliminates);
            by_second[other] |= of_minirow(second[stack], eliminates);
        }
    }
    let (first, second) = (score(by_first), score(by_second));
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

/// One plus the number of chutes in which something is eliminated: 1 to 6, lowest bit first.
#[inline(always)]
fn score<V: Vector>(eliminated: [V; 5]) -> [V; 3] {
    let (one, two_a) = add3(eliminated[0], eliminated[1], eliminated[2]);
    let (ones, two_b) = add3(one, eliminated[3], eliminated[4]);
    let (twos, fours) = (two_a ^ two_b, two_a & two_b);
    [!ones, twos ^ ones, fours ^ (twos & ones)]
}

#[cfg(test)]
mod tests {
    use super::super::choice::Choice;
    use super::super::filter::ROWS;
    use super::super::kernels;
    use super::super::on_every_isa::on_every_isa;
    use super::super::planes::Planes;
    use super::super::states::{follows_the_rule, has, open};
    use super::*;
    use galop_simd::Simd;

    /// The score of a side, straight from the rule: one plus the number of other chutes in which
    /// configuration `side` of `digit` in `chute` eliminates something.
    fn plain_score(state: &Planes, digit: usize, chute: usize, side: usize) -> usize {
        let has = |chute, row, stack, x| has(state, digit, [chute, row, stack, x]);
        let (next, after) = ((chute + 1) % 3 + chute / 3 * 3, (chute + 2) % 3 + chute / 3 * 3);
        let (mut crossing, mut parallel) = ([false; 3], [false; 2]);
        for stack in 0..3 {
            let left = [0, 1, 2].map(|x| has(chute, ROWS[side][stack], stack, x));
            let before = [0, 1, 2].map(|x| (0..3).any(|row| has(chute, row, stack, x)));
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
        1 + crossing.iter().chain(&parallel).filter(|&&is_eliminated| is_eliminated).count()
    }

    /// The choice straight from the rule; `None` if no digit has exactly two configurations anywhere.
    fn plain_choice(state: &Planes) -> Option<Choice> {
        let mut best = None;
        for chute in 0..6 {
            let total: usize = (0..9).map(|digit| open(state, digit, chute).len()).sum();
            for digit in 0..9 {
                if let [first, second] = open(state, digit, chute)[..] {
                    let first = plain_score(state, digit, chute, first);
                    let second = plain_score(state, digit, chute, second);
                    let key = (first * second, 54 - total);
                    if best.is_none_or(|(best, _)| key > best) {
                        let swap = u8::from(second > first);
                        best = Some((key, Choice(swap << 7 | (chute as u8) << 4 | digit as u8)));
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
        on_every_isa!(choices_follow_the_rule_with);
    }
}
