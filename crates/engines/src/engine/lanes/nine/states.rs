//! Random states for the tests of the kernels, and plain functions to inspect one of them.

use galop_simd::{Portable, Vector, Words};
use galop_testing::chance::Chance;

use super::choice::Choice;
use super::filter::ROWS;
use super::kernels;
use super::planes::{ALL, Planes};
use super::slice::Slice;
use super::transpose;

/// The cell (0..81) in row `row` (0 to 2) of chute `chute`, column `x` of its block in stack `stack`. Chutes 3 to 5
/// are stacks, with rows and columns exchanged.
pub(super) fn cell(chute: usize, row: usize, stack: usize, x: usize) -> usize {
    let (row, column) = (3 * (chute % 3) + row, 3 * stack + x);
    if chute < 3 { 9 * row + column } else { 9 * column + row }
}

/// Whether `digit` is possible in the cell at `[chute, row, stack, x]`; see [`cell`].
pub(super) fn has(state: &Planes, digit: usize, [chute, row, stack, x]: [usize; 4]) -> bool {
    state.get(digit) >> cell(chute, row, stack, x) & 1 == 1
}

/// The open configurations of `digit` in a chute.
pub(super) fn open(state: &Planes, digit: usize, chute: usize) -> Vec<usize> {
    let is_open = |stack: usize, row: usize| (0..3).any(|x| has(state, digit, [chute, row, stack, x]));
    (0..6).filter(|&k| (0..3).all(|stack| is_open(stack, ROWS[k][stack]))).collect()
}

/// A state of the given planes.
pub(super) fn planes(of: [u128; 9]) -> Planes {
    let mut planes = Planes([!0; 96]);
    for (digit, cells) in of.into_iter().enumerate() {
        planes.keep(digit, cells);
    }
    planes
}

/// A random grid.
pub(in super::super) fn grid(chance: &mut Chance) -> [u8; 81] {
    let mut order = || {
        let mut order = [0, 1, 2];
        chance.shuffle(&mut order);
        order
    };
    let (bands, stacks) = (order(), order());
    let (rows, columns) = ([order(), order(), order()], [order(), order(), order()]);
    std::array::from_fn(|cell| {
        let (band, stack) = (bands[cell / 27], stacks[cell % 9 / 3]);
        let (row, column) = (rows[band][cell / 9 % 3], columns[stack][cell % 3]);
        ((3 * row + band + 3 * stack + column) % 9) as u8 + 1
    })
}

/// `count` unsolved states and their grids: puzzles with 20 to 27 clues after some sweeps, most of them at a fixed
/// point.
pub(super) fn stuck(count: usize, seed: u64) -> Vec<(Planes, [u8; 81])> {
    let mut chance = Chance::new(seed);
    let mut slice = Slice::<Words<1>>::new();
    let mut states = Vec::new();
    while states.len() < count {
        let grids: [[u8; 81]; 64] = std::array::from_fn(|_| grid(&mut chance));
        let mut lanes = grids.map(|grid| {
            let mut puzzle = [0; 81];
            for _ in 0..20 + chance.below(8) {
                let cell = chance.below(81);
                puzzle[cell] = grid[cell];
            }
            Planes::of_puzzle(&puzzle).unwrap()
        });
        kernels::load::<Portable, _>(Planes::chunks(&lanes), &mut slice);
        kernels::start_fresh::<Portable, _>(&mut slice);
        for _ in 0..4 + chance.below(8) {
            kernels::sweep::<Portable, _>(&mut slice);
        }
        kernels::last_sweep::<Portable, _>(&mut slice);
        kernels::store::<Portable, _>(&slice, Planes::chunks_mut(&mut lanes));
        // Solved states have nothing left to choose.
        let is_open = |planes: &Planes| (0..9).map(|digit| planes.get(digit).count_ones()).sum::<u32>() > 81;
        states.extend(lanes.into_iter().zip(grids).filter(|(planes, _)| is_open(planes)));
    }
    states.truncate(count);
    states
}

/// Compares the choices of a kernel with the choices of `plain_choice`, on states of all kinds, lane by lane.
pub(super) fn follows_the_rule<V: Vector>(
    seed: u64,
    mut choose: impl FnMut(&Slice<V>, &mut [Choice]),
    plain_choice: impl Fn(&Planes) -> Option<Choice>,
) {
    let stuck = stuck(1024, seed).into_iter().map(|(state, _)| state);
    let states: Vec<_> = stuck.chain(any(1024, seed + 1)).collect();
    let (mut slice, mut choices) = (Slice::<V>::new(), vec![Choice(0); V::BITS]);
    let mut some = 0;
    for states in states.chunks(V::BITS) {
        transpose::plain::load(Planes::chunks(states), &mut slice.cells);
        choose(&slice, &mut choices);
        for (lane, (state, &choice)) in states.iter().zip(&choices).enumerate() {
            match plain_choice(state) {
                Some(expected) => assert_eq!(choice, expected, "lane {lane}: {state:?}"),
                None => assert!(choice.digit() > 8, "lane {lane}: {state:?}"),
            }
            some += usize::from(choice.digit() < 9);
        }
    }
    assert!(some > 1024);
}

/// `count` states with arbitrary candidates, from sparse to dense.
pub(super) fn any(count: usize, seed: u64) -> Vec<Planes> {
    let mut chance = Chance::new(seed);
    let mut word = || u128::from(chance.number()) << 64 | u128::from(chance.number());
    (0..count)
        .map(|index| {
            planes([(); 9].map(|()| {
                let (a, b, c) = (word(), word(), word());
                ALL & match index % 5 {
                    0 => a & b,
                    1 => a & (b | c),
                    2 => a,
                    3 => a | (b & c),
                    _ => a | b,
                }
            }))
        })
        .collect()
}
