//! The choice, and the split by it, for all lanes at once.
//!
//! Chosen is a cell with two candidates. The score of a candidate is one more than the number of such cells that see it
//! in the cell's units, 8 at most; the cell whose two scores have the largest product is chosen (the rule of the engine
//! `grid`). The candidate with the larger score goes first. In lanes without a cell of two the first cell of three is
//! chosen, or else the first that is open.
//!
//! Everything is bit-sliced, the split as well: both sides are written from the same rows.
//!
//! Tried and lost, minimal puzzles, limit 2, within one build of a prototype:
//! * Both sides of 1 to 3 choices swept, and what both eliminate eliminated: diagonals 27.7 guesses become 21.6 (one
//!   choice), 11.9 (two), 9.4 (three); 0.91, 0.82 and 0.81 of the speed.
//! * Symbols with two places in a unit as choices: diagonals 23.9 guesses, same speed; other kinds 0.83 to 0.92.
//! * The other symbol's hidden singles in the score: as many guesses, 3 to 9 % slower.
//! * Naked pairs before the choice: 4 to 21 % fewer guesses, 4 to 24 % slower.

use galop_simd::Vector;

use super::adders::{add3, count_up, is_greater, product, select};
use super::cells::{Candidates, Vectors};
use super::shape::Shape;
use super::tables::Tables;

/// A number below 8 for each cell, three bits of it.
type Scores<V> = Vectors<V, 2048>;

/// The choices of all lanes, and room for what leads to them.
pub(crate) struct Choices<V> {
    /// By cell: lanes in which it is chosen.
    chosen: Vectors<V, 512>,
    /// Lanes in which the second candidate goes first.
    swap: V,
    /// By cell: lanes in which it has two candidates.
    two: Vectors<V, 512>,
    /// By cell: lanes in which a candidate of it was met.
    met: Vectors<V, 512>,
    /// Scores of the first and the second candidate of each cell.
    scores: [Scores<V>; 2],
    /// By unit: lanes in which two cells of two have a symbol; in which three or more do.
    pairs: Vectors<V, 512>,
    triples: Vectors<V, 512>,
    /// The sides.
    pub(super) one: Candidates<V>,
    pub(super) other: Candidates<V>,
}

impl<V: Vector> Choices<V> {
    /// For states of that many bits.
    pub(super) fn new(bits: usize) -> Self {
        Choices {
            chosen: Vectors::new(),
            swap: V::ZERO,
            two: Vectors::new(),
            met: Vectors::new(),
            scores: [Vectors::new(), Vectors::new()],
            pairs: Vectors::new(),
            triples: Vectors::new(),
            one: Candidates::new(bits),
            other: Candidates::new(bits),
        }
    }
}

/// Chooses a cell in every lane of `cells`, and splits by it: the sides are in [`Choices`].
#[inline(always)]
pub(super) fn choose<V: Vector, H: Shape>(
    shape: H,
    tables: &Tables,
    cells: &Candidates<V>,
    choices: &mut Choices<V>,
) {
    score(shape, tables, cells, choices);
    pick(shape, choices);
    settle(shape, cells, choices);
    split(shape, cells, choices);
}

/// Scores the candidates of the cells of two.
#[inline(always)]
fn score<V: Vector, H: Shape>(shape: H, tables: &Tables, cells: &Candidates<V>, choices: &mut Choices<V>) {
    let (side, stride) = (shape.side(), shape.stride());
    let Choices { two, met, scores, pairs, triples, .. } = choices;
    for cell in 0..side * side {
        let mut at_least = [V::ZERO; 3];
        for symbol in 0..side {
            count_up(&mut at_least, cells[[symbol * stride, cell]]);
        }
        two[[cell, 0]] = at_least[1] & !at_least[2];
        met[[cell, 0]] = V::ZERO;
        for bit in 0..3 {
            scores[0][[3 * cell, bit]] = V::ZERO;
            scores[1][[3 * cell, bit]] = V::ZERO;
        }
    }
    // Behind the last unit: no unit.
    pairs[[tables.units.len(), 0]] = V::ZERO;
    triples[[tables.units.len(), 0]] = V::ZERO;
    for symbol in 0..side {
        let first = symbol * stride;
        for (number, unit) in tables.units.iter().enumerate() {
            let mut at_least = [V::ZERO; 3];
            for &cell in &unit[..side] {
                count_up(&mut at_least, cells[[first, usize::from(cell)]] & two[[usize::from(cell), 0]]);
            }
            pairs[[number, 0]] = at_least[1];
            triples[[number, 0]] = at_least[2];
        }
        for cell in 0..side * side {
            let here = cells[[first, cell]] & two[[cell, 0]];
            let [a, b, c] = tables.three_units[cell].map(usize::from);
            let (ones, carry) = add3(pairs[[a, 0]], pairs[[b, 0]], pairs[[c, 0]]);
            let (more_ones, more_carry) = add3(triples[[a, 0]], triples[[b, 0]], triples[[c, 0]]);
            let (second, third) = add3(carry, more_carry, ones & more_ones);
            let mut seen = [ones ^ more_ones, second, third];
            for &unit in &tables.other_units[cell] {
                add_one(&mut seen, pairs[[usize::from(unit), 0]]);
                add_one(&mut seen, triples[[usize::from(unit), 0]]);
            }
            let (first, second) = (here & !met[[cell, 0]], here & met[[cell, 0]]);
            for bit in 0..3 {
                scores[0][[3 * cell, bit]] |= seen[bit] & first;
                scores[1][[3 * cell, bit]] |= seen[bit] & second;
            }
            met[[cell, 0]] |= here;
        }
    }
}

/// Adds a bit to a number that is 7 at most, and stays 7.
#[inline(always)]
fn add_one<V: Vector>(number: &mut [V; 3], bit: V) {
    let full = number[0] & number[1] & number[2];
    let carry = number[0] & bit;
    let next = number[1] & carry;
    number[0] = (number[0] ^ bit) | full;
    number[1] = (number[1] ^ carry) | full;
    number[2] |= next;
}

/// Finds the cells with the largest product: `chosen` has each cell that is better than all cells before it.
#[inline(always)]
fn pick<V: Vector, H: Shape>(shape: H, choices: &mut Choices<V>) {
    let (mut best, mut swap) = ([V::ZERO; 6], V::ZERO);
    for cell in 0..shape.side() * shape.side() {
        let (mut one, mut other) = ([V::ZERO; 3], [V::ZERO; 3]);
        for bit in 0..3 {
            one[bit] = choices.scores[0][[3 * cell, bit]];
            other[bit] = choices.scores[1][[3 * cell, bit]];
        }
        add_one(&mut one, V::ONES);
        add_one(&mut other, V::ONES);
        let mut key = product(one, other);
        for bit in &mut key {
            *bit &= choices.two[[cell, 0]];
        }
        let better = is_greater(&key, &best);
        for bit in 0..6 {
            best[bit] = select(better, key[bit], best[bit]);
        }
        swap = select(better, is_greater(&other, &one), swap);
        choices.chosen[[cell, 0]] = better;
    }
    choices.swap = swap;
}

/// Leaves one chosen cell in every lane: the last one, which is the best. Lanes without one get a cell of three, or the
/// first that is open.
#[inline(always)]
fn settle<V: Vector, H: Shape>(shape: H, cells: &Candidates<V>, choices: &mut Choices<V>) {
    let chosen = &mut choices.chosen;
    let mut wanted = V::ONES;
    for cell in (0..shape.side() * shape.side()).rev() {
        let here = wanted & chosen[[cell, 0]];
        chosen[[cell, 0]] = here;
        wanted &= !here;
    }
    for is_any in [false, true] {
        if wanted.words().iter().all(|&word| word == 0) {
            return;
        }
        for cell in 0..shape.side() * shape.side() {
            let mut at_least = [V::ZERO; 4];
            for symbol in 0..shape.side() {
                count_up(&mut at_least, cells[[symbol * shape.stride(), cell]]);
            }
            let here = wanted & if is_any { at_least[1] } else { at_least[2] & !at_least[3] };
            chosen[[cell, 0]] |= here;
            wanted &= !here;
        }
    }
}

/// Splits: on one side the chosen cell keeps a candidate, on the other it loses it.
#[inline(always)]
fn split<V: Vector, H: Shape>(shape: H, cells: &Candidates<V>, choices: &mut Choices<V>) {
    let (side, stride) = (shape.side(), shape.stride());
    let Choices { chosen, swap, met, one, other, .. } = choices;
    for cell in 0..side * side {
        met[[cell, 0]] = V::ZERO;
    }
    for symbol in 0..side {
        for cell in 0..side * side {
            let here = cells[[symbol * stride, cell]];
            let chosen = chosen[[cell, 0]];
            let candidate = here & chosen;
            // The first candidate, or the second one if they are exchanged.
            let kept = candidate & (met[[cell, 0]] ^ !*swap);
            met[[cell, 0]] |= candidate;
            one[[symbol * stride, cell]] = here & (kept | !chosen);
            other[[symbol * stride, cell]] = here & !kept;
        }
    }
}
