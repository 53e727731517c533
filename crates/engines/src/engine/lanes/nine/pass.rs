//! Passes over batches for ratings: rounds of [sweeps up to a technique](super::up_to), to the fixed point.
//!
//! After a round, lanes at their fixed point get new puzzles.
//!
//! Speed of a rating by techniques in relation to one puzzle after the other (Zen 3, AVX2, 2026-11-28; medians of pairs of
//! processor time, without printing; the rating includes the explanations of the puzzles that the passes do not solve):
//! easy 26, unbiased 1.07, 17 clues 1.8, `top1465` and `forum_hardest_1106` 0.99.

use std::marker::PhantomData;

use galop_simd::{Job, Kernel, Simd, Vector};

use super::compiled::compiled;
use super::kernels;
use super::planes::{ALL, Planes};
use super::slice::Slice;
use crate::engine::{Isa, Pass, Reach, Remainder};
use crate::grid::Rules;
use crate::puzzle::Puzzles;

/// Sweeps of a round.
const SWEEPS: u32 = 4;

/// The pass of the techniques up to `reach` for the instruction set `isa`; `None` if this machine lacks it.
pub(in crate::engine) fn make(isa: Isa, reach: Reach) -> Option<Box<dyn Pass>> {
    isa.run(Make(reach)).ok()
}

struct Make(Reach);

impl Job for Make {
    type Output = Box<dyn Pass>;

    fn run<S: Simd>(self) -> Box<dyn Pass> {
        Box::new(RatingPass::<S, S::Quad>::new(self.0))
    }
}

/// The lanes.
pub(super) struct RatingPass<S: Simd, V: Vector> {
    reach: Reach,
    /// The peers of each cell, if clues eliminate before the first sweep.
    peers: Vec<u128>,
    slice: Box<Slice<V>>,
    /// The states in the lanes between rounds, and the place of the puzzle of each.
    lanes: Vec<Planes>,
    place_of: Vec<usize>,
    compiled_for: PhantomData<S>,
}

impl<S: Simd, V: Vector> RatingPass<S, V> {
    fn new(reach: Reach) -> Self {
        let peers = match reach {
            Reach::HiddenSingles => peers(),
            _ => Vec::new(),
        };
        RatingPass {
            reach,
            peers,
            slice: Slice::new(),
            lanes: vec![Planes::NONE; V::BITS],
            place_of: vec![0; V::BITS],
            compiled_for: PhantomData,
        }
    }

    /// Fills `left`, which has a place for each puzzle.
    #[inline(always)]
    pub(super) fn fill(&mut self, puzzles: Puzzles<'_>, left: &mut [Remainder]) {
        let mut empty = vec![!0_u64; V::WORDS];
        let mut next = 0;
        loop {
            for lane in 0..V::BITS {
                if empty[lane / 64] >> (lane % 64) & 1 == 0 {
                    continue;
                }
                self.lanes[lane] = Planes::NONE;
                while let Some(puzzle) = puzzles.get(next) {
                    self.place_of[lane] = next;
                    next += 1;
                    let planes = &mut self.lanes[lane];
                    if puzzle.try_into().is_ok_and(|puzzle| kernels::read::<S, V>(puzzle, planes)) {
                        for (&clue, &peers) in puzzle.iter().zip(&self.peers).filter(|(clue, _)| **clue != 0)
                        {
                            planes.keep(usize::from(clue) - 1, !peers);
                        }
                        empty[lane / 64] &= !(1 << (lane % 64));
                        break;
                    }
                    left[next - 1] = Remainder::Contradiction;
                }
            }
            if empty.iter().all(|&empty| empty == !0) {
                return;
            }
            kernels::load::<S, V>(Planes::chunks(&self.lanes), &mut self.slice);
            for _ in 0..SWEEPS {
                kernels::sweep_up_to::<S, V>(&mut self.slice, self.reach);
            }
            kernels::store::<S, V>(&self.slice, Planes::chunks_mut(&mut self.lanes));
            for (word, empty) in empty.iter_mut().enumerate() {
                let contradictory = self.slice.contradictory.word(word);
                let done = !*empty & (contradictory | !self.slice.moving.word(word));
                let mut lanes = done;
                while lanes != 0 {
                    let bit = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let lane = 64 * word + bit;
                    left[self.place_of[lane]] = match contradictory >> bit & 1 {
                        0 if has_blanks(&self.lanes[lane]) => Remainder::Blanks,
                        0 => Remainder::Nothing,
                        _ => Remainder::Contradiction,
                    };
                }
                *empty |= done;
            }
        }
    }
}

impl<S: Simd, V: Vector> Pass for RatingPass<S, V> {
    fn run(&mut self, puzzles: Puzzles<'_>, left: &mut [Remainder]) {
        let count = puzzles.len().min(left.len());
        fill_ratings::<S, V>(self, puzzles.slice(0..count), left);
    }
}

compiled! {
    /// See [`RatingPass::fill`].
    fn fill_ratings(pass: &'a mut RatingPass<S, V>, puzzles: Puzzles<'a>, left: &'a mut [Remainder]) {
        pass.fill(puzzles, left);
    }
}

/// The peers of each cell.
fn peers() -> Vec<u128> {
    let rules = Rules::default();
    let of_cell = |cell: usize| rules.grid().peers(cell).iter().fold(0, |peers, &peer| peers | 1 << peer);
    (0..rules.grid().cells()).map(of_cell).collect()
}

/// Whether a cell has two candidates or more.
fn has_blanks(planes: &Planes) -> bool {
    let (mut once, mut twice) = (0, 0);
    for digit in 0..9 {
        let cells = planes.get(digit);
        twice |= once & cells;
        once |= cells;
    }
    twice & ALL != 0
}
