//! Uniform random full grids of the 9x9 sudoku. Each of the 6,670,903,752,021,072,936,960 grids is exactly as likely as
//! any other (Felgenhauer and Jarvis, "Enumerating possible Sudoku grids", 2005). Grids of different places are
//! independent.
//!
//! # The idea
//! Digits are named by their places in block A. Then each filling of the first band and each of the first stack goes
//! with the same number of the other, so both are easy to draw. The other four blocks, P to S, are fixed as soon as it
//! is known which digits are in each of their rows and columns:
//!
//! ```text
//!   A | B | C        rows of P: no digit is in its row of D, 56 ways (u);           rows of Q: the digits that are left
//!  ---+---+---       rows of R: the same beside E, 56 ways (v);                     rows of S: the digits that are left
//!   D | P | Q        columns of P: no digit is in its column of B, 56 ways (s);     columns of R: the digits that are left
//!  ---+---+---       columns of Q: the same below C, 56 ways (t);                   columns of S: the digits that are left
//!   E | R | S
//! ```
//! A block exists if each of its rows has one digit in common with each of its columns, and then there is only one. So
//! the completions of a band and a stack are the `(u, v, s, t)` for which P, Q, R and S exist. For given `u` and `v`,
//! the `s` for which P and R exist are a set of 56 bits. The `t` for which Q and S exist are another set, and each `s`
//! goes with each `t`.
//!
//! # The draw
//! 1. Draw band, stack, `u`, `v` and two numbers `i` and `j` below 8.
//! 2. Take the `i`-th of the `s` and the `j`-th of the `t`. If there are not as many, begin again with 1.
//! 3. Give the digits random names, and put the columns of the second and third stack and the rows of the second and
//!    third band in random orders.
//!
//! Neither set has more than 8 members, so each completion of each band and stack belongs to exactly one
//! `(u, v, i, j)`, and all are equally likely. Nothing is approximated, and nothing is left over for the next grid.
//!
//! Why 8: a digit of a row of P cannot be in its column of B. If these columns are different for the three digits of
//! the row, the row has two orders. If two digits share theirs, it has two as well, because the third digit must be in
//! that column. If all share theirs, it has none. So three rows have at most 2^3 orders, and they fix the columns.
//!
//! A try succeeds with probability 2,693 / (56^2 * 8^2) = 1 / 74.5, where 2,693 is the mean number of completions. Most
//! tries end with an empty first set, so they are cheap: a grid takes less than 5 µs.
//!
//! In step 1 row 0 ascends in B and C, and column 0 ascends in D and E. Each grid is the image of exactly one such grid
//! under exactly one choice in step 3.
//!
//! (An engine can list all completions of a band and a stack, of which a share is kept. But this takes hundreds of
//! microseconds, so it pays only if many grids with the same band and stack are kept.)

use super::ways::{ORDERS, Set, THREE, Tables, WAYS, Ways, members, tables, turn};
use crate::chance::Chance;

/// Cells of a grid.
const CELLS: usize = 81;

/// Members of a set of ways at most.
const LIMIT: u32 = 8;

/// A random full grid, digits 1..=9 row by row.
pub(super) fn full_grid(chance: &mut Chance) -> [u8; CELLS] {
    let normal = Normal::draw(tables(), chance).grid(tables());
    let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    chance.shuffle(&mut names);
    let orders = chance.below(6 * 6 * 6 * 6) as usize;
    let lines = |first: usize, second: usize| -> [usize; 9] {
        let orders = [THREE[0], THREE[first], THREE[second]];
        std::array::from_fn(|line| line / 3 * 3 + orders[line / 3][line % 3])
    };
    let rows = lines(orders / 216, orders / 36 % 6);
    let columns = lines(orders / 6 % 6, orders % 6);
    let mut grid = [0; CELLS];
    for (row, &from) in grid.chunks_exact_mut(9).zip(&rows) {
        for (cell, &column) in row.iter_mut().zip(&columns) {
            *cell = names[usize::from(normal[9 * from + column])];
        }
    }
    grid
}

/// A grid by its numbers: blocks B to E, and the ways of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Normal {
    /// Numbers of blocks: `way * ORDERS + orders`.
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    u: usize,
    v: usize,
    s: usize,
    t: usize,
}

impl Normal {
    fn draw(tables: &Tables, chance: &mut Chance) -> Normal {
        loop {
            const BLOCKS: usize = WAYS * ORDERS;
            let blocks = chance.below((BLOCKS * BLOCKS * ORDERS) as u32) as usize;
            let (b, d) = (blocks % BLOCKS, blocks / BLOCKS % BLOCKS);
            let e = third_block(tables, d, blocks / (BLOCKS * BLOCKS));
            let ways = chance.below((WAYS * WAYS) as u32 * LIMIT) as usize;
            let (u, v) = (ways % WAYS, ways / WAYS % WAYS);
            let Some(s) = nth(columns(tables, [d, e], b, [u, v]), ways / (WAYS * WAYS)) else { continue };
            let last = chance.below(ORDERS as u32 * LIMIT) as usize;
            let c = third_block(tables, b, last % ORDERS);
            let thirds = [u, v].map(|way| usize::from(tables.third[way]));
            let Some(t) = nth(columns(tables, [d, e], c, thirds), last / ORDERS) else { continue };
            return Normal { b, c, d, e, u, v, s, t };
        }
    }

    /// The digits, from 0.
    fn grid(&self, tables: &Tables) -> [u8; CELLS] {
        let mut grid = [0; CELLS];
        let mut put = |at: usize, place: usize, digit: u8| {
            grid[at / 3 * 27 + at % 3 * 3 + place / 3 * 9 + place % 3] = digit;
        };
        for place in 0..9 {
            put(0, place, place as u8);
            put(1, place, tables.blocks[self.b][place]);
            put(2, place, tables.blocks[self.c][place]);
            put(3, place, tables.turned[self.d][place]);
            put(6, place, tables.turned[self.e][place]);
        }
        let third = |way: usize| usize::from(tables.third[way]);
        let rows = |way: usize, left: usize| {
            tables.rows[way].map(|row| digits(row, |place| tables.turned[left][usize::from(place)]))
        };
        let columns = |way: usize, above: usize| {
            tables.rows[way].map(|row| digits(row, |place| tables.blocks[above][usize::from(turn(place))]))
        };
        let inner = [
            (4, rows(self.u, self.d), columns(self.s, self.b)),
            (5, rows(third(self.u), self.d), columns(self.t, self.c)),
            (7, rows(self.v, self.e), columns(third(self.s), self.b)),
            (8, rows(third(self.v), self.e), columns(third(self.t), self.c)),
        ];
        for (at, rows, columns) in inner {
            for place in 0..9 {
                put(at, place, (rows[place / 3] & columns[place % 3]).trailing_zeros() as u8);
            }
        }
        grid
    }
}

/// The number of the third block of a chute whose second one is `second`.
fn third_block(tables: &Tables, second: usize, orders: usize) -> usize {
    usize::from(tables.third[second / ORDERS]) * ORDERS + orders
}

/// The ways of the columns of the two lower blocks of a stack, below block `above`. The blocks `left` are beside them
/// in the first stack, and `ways` are their rows.
#[inline(always)]
fn columns(tables: &Tables, left: [usize; 2], above: usize, ways: [usize; 2]) -> Ways {
    let places = &tables.places[above];
    let second = tables.fitting(ways[0], &tables.turned[left[0]], places);
    if second == 0 { 0 } else { second & tables.fitting_third(ways[1], &tables.turned[left[1]], places) }
}

/// The set of the digits at the places of a set.
fn digits(places: Set, digit: impl Fn(u8) -> u8) -> Set {
    members(places).fold(0, |digits, place| digits | 1 << digit(place))
}

/// Member `index` of a set of ways, in ascending order, if it has as many.
#[inline(always)]
fn nth(mut ways: Ways, index: usize) -> Option<usize> {
    for _ in 0..index {
        ways &= ways.wrapping_sub(1);
    }
    (ways != 0).then(|| ways.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet, HashSet};

    use super::super::plain::{self, Shape};
    use super::*;
    use crate::grid::{Rules, Verifier};
    use crate::puzzle::Puzzles;
    use crate::symmetry::{Canonizer, Forms};

    #[test]
    fn grids_are_full_and_right_and_differ() {
        let verifier = Verifier::new(&Rules::default());
        let grids: HashSet<[u8; CELLS]> =
            (0..2000).map(|place| full_grid(&mut Chance::new(5, place))).collect();
        assert_eq!(grids.len(), 2000);
        for grid in grids {
            assert_eq!(verifier.check(&[0; CELLS], &grid), Ok(()));
        }
    }

    /// Every digit is equally likely in every cell.
    #[test]
    fn digits_are_even_in_every_cell() {
        let mut counts = [[0u32; 10]; CELLS];
        for place in 0..9000 {
            for (cell, digit) in full_grid(&mut Chance::new(6, place)).into_iter().enumerate() {
                counts[cell][usize::from(digit)] += 1;
            }
        }
        // 1,000 expected, standard deviation 30.
        assert!(counts.iter().all(|cell| cell[1..].iter().all(|count| count.abs_diff(1000) < 180)));
    }

    #[test]
    fn grids_are_those_of_the_plain_version() {
        let mut ways = plain::Ways::new(Shape::NINE);
        for place in 0..3 {
            let normal = Normal::draw(tables(), &mut Chance::new(7, place)).grid(tables());
            let plain = Shape::NINE.draw(&mut ways, &mut Chance::new(7, place));
            assert_eq!(normal.map(usize::from).to_vec(), plain);
        }
    }

    /// For bands and stacks drawn at random: the completions that the numbers give are different, and dancing links
    /// finds as many. (How many a band and stack have is not published; on average 2,693.)
    #[test]
    fn every_completion_of_a_band_and_stack_has_its_numbers() {
        use crate::engine::{Isa, named};
        use crate::puzzle::{Answer, Answers, Limits};
        let tables = tables();
        let mut engine = (named("bitboard").unwrap().make)(&Rules::default(), Isa::best()).unwrap();
        for place in 0..3 {
            let drawn = Normal::draw(tables, &mut Chance::new(8, place));
            let mut found = BTreeSet::new();
            for (u, v) in (0..WAYS).flat_map(|u| (0..WAYS).map(move |v| (u, v))) {
                let thirds = [u, v].map(|way| usize::from(tables.third[way]));
                let left = [drawn.d, drawn.e];
                let (second, third) =
                    (columns(tables, left, drawn.b, [u, v]), columns(tables, left, drawn.c, thirds));
                assert!(second.count_ones() <= LIMIT && third.count_ones() <= LIMIT);
                for (s, t) in (0..8).flat_map(|i| (0..8).map(move |j| (nth(second, i), nth(third, j)))) {
                    if let (Some(s), Some(t)) = (s, t) {
                        assert!(found.insert(Normal { u, v, s, t, ..drawn }.grid(tables)));
                    }
                }
            }
            let mut puzzle = drawn.grid(tables).map(|digit| digit + 1);
            let rest = (0..CELLS).filter(|cell| cell / 9 >= 3 && cell % 9 >= 3);
            rest.for_each(|cell| puzzle[cell] = 0);
            let (mut solution, mut answer) = ([0; CELLS], [Answer::default()]);
            let mut answers = Answers::new(&mut solution, &mut answer, CELLS).unwrap();
            engine.solve(Puzzles::new(&puzzle, CELLS).unwrap(), Limits::ALL, &mut answers).unwrap();
            assert_eq!(answer[0].solutions, found.len() as u64);
        }
    }

    /// A set of ways never has more than eight members: see the top of this file.
    #[test]
    fn sets_have_at_most_eight_members() {
        let tables = tables();
        let mut counts = BTreeMap::new();
        for above in tables.places.iter().step_by(211) {
            for (left, way) in tables.turned.iter().flat_map(|left| (0..WAYS).map(move |way| (left, way))) {
                for set in [tables.fitting(way, left, above), tables.fitting_third(way, left, above)] {
                    *counts.entry(set.count_ones()).or_insert(0) += 1;
                }
            }
        }
        assert_eq!(counts.keys().collect::<Vec<_>>(), [&0, &8]);
    }

    /// The method for 6x6, all numbers: every grid with a normal band and stack is found exactly once. With all names
    /// of digits, 6 orders of the columns of the second stack and 2 * 2 of the rows of the other bands, these are all
    /// 28,200,960 grids of 6x6. Source: Wikipedia, "Mathematics of Sudoku", and OEIS A107739.
    #[test]
    fn every_small_grid_has_one_chance() {
        let ways = plain::Ways::new(Shape::SIX);
        let radixes = Shape::SIX.radixes().concat();
        let mut grids = BTreeSet::new();
        for number in 0..radixes.iter().product::<usize>() {
            let mut rest = number;
            let digit = |radix: &usize| {
                let digit = rest % radix;
                rest /= radix;
                digit
            };
            let numbers: Vec<usize> = radixes.iter().map(digit).collect();
            if let Some(grid) = ways.grid(&numbers) {
                assert!(grids.insert(grid));
            }
        }
        assert_eq!(grids.len() * 720 * 6 * 2 * 2, 28_200_960);
        // No filling is beyond the limit.
        let wider = plain::Ways::new(Shape { limit: 5, ..Shape::SIX });
        let [blocks, lower] =
            [&radixes[..3], &radixes[3..5]].map(|radixes| radixes.iter().product::<usize>());
        for number in 0..blocks * lower {
            let (b, d, e) =
                (number % radixes[0], number / radixes[0] % radixes[1], number / radixes[0] / radixes[1]);
            assert!(
                e < radixes[2] * lower && wider.columns(&[b, d, e % radixes[2], 0, 0, 4], false).is_none()
            );
        }
    }

    /// The method for 6x6, drawn: 40 times each of the 1,632 grids with a normal band and stack, by a chi-square test.
    #[test]
    fn small_grids_are_uniform() {
        let mut counts = BTreeMap::new();
        let (mut ways, mut chance) = (plain::Ways::new(Shape::SIX), Chance::new(9, 0));
        for _ in 0..40 * 1632 {
            *counts.entry(Shape::SIX.draw(&mut ways, &mut chance)).or_insert(0_u32) += 1;
        }
        let square = |count: &u32| (f64::from(*count) - 40.0).powi(2) / 40.0;
        let chi = counts.values().map(square).sum::<f64>();
        // 1,631 expected, standard deviation 57.
        assert!(counts.len() == 1632 && (chi - 1631.0).abs() < 3.0 * 57.0, "{chi}");
    }

    /// The share of grids whose least band is the first, and the sixth, of the 416 classes: 0.0184 % and 1.758 % of all
    /// grids (the catalogue of Fowler's `sudz`). A search with random choices gives 0.029 % and 2.93 %.
    ///
    /// `GALOP_GRIDS` sets the number of grids: 10,000,000 take about a minute in a release build.
    #[test]
    fn least_bands_have_the_published_shares() {
        let count = std::env::var("GALOP_GRIDS").map_or(40_000, |count| count.parse().unwrap());
        let (mut canonizer, mut forms) = (Canonizer::new(&Rules::default()).unwrap(), Forms::default());
        let mut shares =
            [(b"123456789456789123789123456", 0.000_184, 0), (b"123456789456789123789132564", 0.017_58, 0)];
        for start in (0..count).step_by(1000) {
            let grids: Vec<u8> =
                (start..start + 1000).flat_map(|place| full_grid(&mut Chance::new(10, place))).collect();
            canonizer.grids(Puzzles::new(&grids, CELLS).unwrap(), &mut forms).unwrap();
            for place in 0..1000 {
                let form = forms.get(place).unwrap().unwrap();
                for (band, _, found) in &mut shares {
                    *found +=
                        u32::from(form.cells[..27].iter().zip(*band).all(|(one, two)| one + b'0' == *two));
                }
            }
        }
        for (band, share, found) in shares {
            let (expected, count) = (share * count as f64, count as f64);
            let deviation = (count * share * (1.0 - share)).sqrt();
            eprintln!("{}: {found} of {count}, {expected} +- {deviation}", band.escape_ascii());
            assert!((f64::from(found) - expected).abs() < 3.0 * deviation);
        }
    }
}
