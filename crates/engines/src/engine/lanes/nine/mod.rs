//! The kind of 9x9 sudoku: blocks whose digits have six configurations in a band, splits of two configurations.
//!
//! | file | what |
//! |---|---|
//! | [`mod@slice`] | the state of all lanes: cells, minirows, minicolumns, flags |
//! | [`planes`] | the state of one puzzle outside the slice; to and from its 81 cells |
//! | [`sweep`] | one step of propagation; the start of a round, its last sweep, the proof of solved lanes |
//! | [`singles`] | naked and hidden singles of a block |
//! | [`up_to`] | a sweep of the techniques up to one of them, for ratings |
//! | [`mod@pass`] | such sweeps over a batch |
//! | [`triads`] | three digits in three cells |
//! | [`tally`] | configurations counted |
//! | [`choice`] | choices, bit-sliced and lane by lane |
//! | [`strong`] | the choice that looks ahead |
//! | [`cheap`] | tdoku's choice, for puzzles of many solutions |
//! | [`split`] | one state becomes two |
//! | [`kernels`] | the kernels by name, compiled for each instruction set |
//! | `oracle`, `states` | the obvious version of the kernels, and states to test with |

use galop_simd::{Simd, Vector};

use super::batch::Candidate;
use super::kind::{Flags, Kind};
#[cfg(test)]
use super::on_every_isa;
use super::state::Chunk;
use super::trend::{LastSweep, Round};
use super::{adders, compiled, filter, state, transpose};

mod cheap;
mod choice;
mod kernels;
#[cfg(test)]
mod oracle;
mod pass;
mod planes;
mod singles;
mod slice;
mod split;
#[cfg(test)]
pub(super) mod states;
mod strong;
mod sweep;
mod tally;
mod triads;
mod up_to;

use choice::Choice;
pub(in crate::engine) use pass::make as rating_pass;
use planes::Planes;
use slice::Slice;
use tally::Configurations;

/// Lanes that may be solved, from which on the proof of them pays.
const UNPROVEN: u32 = 4;

/// The lanes.
pub(super) struct Nine<V> {
    slice: Box<Slice<V>>,
    counts: Box<[Configurations<V>; 6]>,
    choices: Vec<Choice>,
    /// Lanes in the order in which they are split: those whose choice is in a band, then the others. Otherwise the jump
    /// to the code for bands or for stacks would be mispredicted at half of the splits.
    order: Vec<usize>,
}

impl<V: Vector> Nine<V> {
    pub(super) fn new() -> Self {
        Nine {
            slice: Slice::new(),
            counts: Box::new([Configurations::NONE; 6]),
            choices: vec![Choice(0); V::BITS],
            order: vec![0; V::BITS],
        }
    }

    /// Puts `lane` in the order of splits, without a jump: if its choice is in a band, in place `front`, else in the
    /// place before `back`. At first these are the ends of the order.
    #[inline(always)]
    fn put_in_order(&mut self, lane: usize, [front, back]: &mut [usize; 2]) {
        let is_stack = self.choices[lane].is_stack();
        self.order[*front] = lane;
        self.order[*back - 1] = lane;
        *front += usize::from(!is_stack);
        *back -= usize::from(is_stack);
    }
}

impl<S: Simd, V: Vector> Kind<S, V> for Nine<V> {
    const HAS_CHEAP: bool = true;

    #[inline(always)]
    fn cells(&self) -> usize {
        planes::CELLS
    }

    #[inline(always)]
    fn size(&self) -> usize {
        planes::CHUNKS
    }

    #[inline(always)]
    fn read(&self, puzzle: &[u8], state: &mut [Chunk]) -> bool {
        match (puzzle.try_into(), Planes::of_mut(state)) {
            (Ok(puzzle), Some(planes)) => kernels::read::<S, V>(puzzle, planes),
            _ => false,
        }
    }

    #[inline(always)]
    fn write(&self, state: &[Chunk], solution: &mut [u8]) {
        if let Ok(solution) = solution.try_into() {
            kernels::write::<S, V>(Planes::of(state), solution);
        }
    }

    fn eliminate(&self, state: &mut [Chunk], Candidate { cell, symbol }: Candidate) {
        if let Some(planes) = Planes::of_mut(state)
            && cell < planes::CELLS
            && (1..=9).contains(&symbol)
        {
            planes.keep(usize::from(symbol - 1), !(1 << cell));
        }
    }

    #[inline(always)]
    fn propagate(&mut self, lanes: &mut [Chunk], empty: &[u64], is_fresh: bool, round: Round) {
        let slice = &mut *self.slice;
        kernels::load::<S, V>(lanes, slice);
        if is_fresh {
            kernels::start_fresh::<S, V>(slice);
        } else {
            kernels::start::<S, V>(slice);
        }
        for _ in 1..round.sweeps {
            kernels::sweep::<S, V>(slice);
        }
        match round.last {
            LastSweep::Plain => kernels::sweep::<S, V>(slice),
            LastSweep::Strong => kernels::last_sweep::<S, V>(slice),
            LastSweep::Cheap => {
                kernels::last_sweep_counting::<S, V>(slice, &mut self.counts);
                kernels::choose_cheap::<S, V>(&self.counts, &mut self.choices);
            }
        }
        let single = slice.single & slice.moving & !slice.contradictory;
        let unproven =
            empty.iter().enumerate().map(|(word, empty)| (single.word(word) & !empty).count_ones());
        if unproven.sum::<u32>() >= UNPROVEN {
            kernels::prove::<S, V>(slice);
        }
        kernels::store::<S, V>(slice, lanes);
    }

    #[inline(always)]
    fn flags(&self) -> Flags<V> {
        let Slice { contradictory, single, moving, .. } = *self.slice;
        Flags { contradictory, single, moving }
    }

    #[inline(always)]
    fn choose(&mut self, states: &[Chunk], count: usize) {
        kernels::load::<S, V>(states, &mut self.slice);
        kernels::choose_strong::<S, V>(&self.slice, &mut self.choices);
        let mut ends = [0, count];
        for lane in 0..count {
            self.put_in_order(lane, &mut ends);
        }
    }

    #[inline(always)]
    fn lane(&self, place: usize) -> usize {
        self.order[place]
    }

    #[inline(always)]
    fn sides<'a>(&'a self, _lane: usize, state: &'a [Chunk]) -> [&'a [Chunk]; 2] {
        [state; 2]
    }

    #[inline(always)]
    fn split(&self, lane: usize, one: &mut [Chunk], other: &mut [Chunk]) {
        if let (Some(one), Some(other)) = (Planes::of_mut(one), Planes::of_mut(other)) {
            split::split(one, other, self.choices[lane]);
        }
    }

    #[inline(always)]
    fn order_cheap(&mut self, lanes: V) {
        let mut ends = [0, 0];
        for word in 0..V::WORDS {
            ends[1] += lanes.word(word).count_ones() as usize;
        }
        for word in 0..V::WORDS {
            for lane in state::bits(lanes.word(word)) {
                self.put_in_order(64 * word + lane, &mut ends);
            }
        }
    }

    #[inline(always)]
    fn split_cheap(&self, lane: usize, one: &mut [Chunk], other: &mut [Chunk]) {
        if let (Some(one), Some(other)) = (Planes::of_mut(one), Planes::of_mut(other)) {
            split::split_fewer_cells_first(one, other, self.choices[lane]);
        }
    }
}
