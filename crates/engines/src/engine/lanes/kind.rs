//! A kind of grids, for the pool: what its states are, how lanes are swept, how a stuck state is split.

use galop_simd::{Simd, Vector};

use super::batch::Candidate;
use super::state::Chunk;
use super::trend::Round;

/// What a round found in the lanes.
#[derive(Clone, Copy)]
pub(super) struct Flags<V> {
    /// Lanes with a contradiction.
    pub(super) contradictory: V,
    /// Lanes in which every cell has one candidate.
    pub(super) single: V,
    /// Lanes that may change in another sweep. The other ones are solved if they are single, and stuck if not.
    pub(super) moving: V,
}

/// A kind of grids, compiled for `S` and the vectors `V`.
pub(super) trait Kind<S: Simd, V: Vector>: Send {
    /// Whether it has a choice that costs next to nothing, made in the last sweep of a round.
    const HAS_CHEAP: bool;

    /// Cells of a puzzle.
    fn cells(&self) -> usize;

    /// Chunks of a state.
    fn size(&self) -> usize;

    /// Sets `state` to the candidates that the clues leave; `false` if a cell has a symbol that there is not.
    fn read(&self, puzzle: &[u8], state: &mut [Chunk]) -> bool;

    /// Writes the symbols of a state with one candidate a cell.
    fn write(&self, state: &[Chunk], solution: &mut [u8]);

    /// Eliminates a candidate from `state`.
    fn eliminate(&self, state: &mut [Chunk], candidate: Candidate);

    /// Loads the states, sweeps them, and stores them. `is_fresh`: there are puzzles among them. Lanes in `empty` have
    /// no candidates.
    fn propagate(&mut self, lanes: &mut [Chunk], empty: &[u64], is_fresh: bool, round: Round);

    /// What the round found.
    fn flags(&self) -> Flags<V>;

    /// Makes a choice for each of the first `count` of `states`, of which there are as many as lanes.
    fn choose(&mut self, states: &[Chunk], count: usize);

    /// The lane that is split at this place of the order, after a choice in each of the first lanes or after
    /// [`order_cheap`](Self::order_cheap).
    fn lane(&self, place: usize) -> usize {
        place
    }

    /// Two states that become the sides of the choice of `lane` when they are [split](Self::split). `state` was chosen
    /// for.
    fn sides<'a>(&'a self, lane: usize, state: &'a [Chunk]) -> [&'a [Chunk]; 2];

    /// Splits copies of the two [`sides`](Self::sides): `one` becomes the side to go on with.
    fn split(&self, lane: usize, one: &mut [Chunk], other: &mut [Chunk]);

    /// Orders these lanes, in which the cheap choice was made.
    fn order_cheap(&mut self, _lanes: V) {}

    /// Splits a state in its lane by the cheap choice: both arguments hold it, `one` becomes the side to go on with.
    fn split_cheap(&self, _lane: usize, _one: &mut [Chunk], _other: &mut [Chunk]) {}
}
