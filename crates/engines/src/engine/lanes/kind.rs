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

/// The order in which lanes are split: those whose choice is in a band from the front, the others from the back. The
/// splits of one kind then come without a jump that a processor cannot predict. A kind whose splits are all alike has
/// bands only.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// Number of bands.
    pub(super) bands: usize,
    /// Place of the first stack.
    pub(super) stacks: usize,
}

impl Order {
    /// No splits yet in this many lanes.
    pub(super) fn new(lanes: usize) -> Order {
        Order { bands: 0, stacks: lanes }
    }

    /// Adds `lane` to `lanes`, without a jump.
    #[inline(always)]
    pub(super) fn add(&mut self, lanes: &mut [usize], lane: usize, is_stack: bool) {
        lanes[self.bands] = lane;
        lanes[self.stacks - 1] = lane;
        self.bands += usize::from(!is_stack);
        self.stacks -= usize::from(is_stack);
    }
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
    fn choose(&mut self, states: &[Chunk], count: usize) -> Order;

    /// The lane at a place of the order.
    fn lane(&self, place: usize) -> usize;

    /// Two states that become the sides of the choice of `lane` when they are [split](Self::split). `state` was chosen
    /// for.
    fn sides<'a>(&'a self, lane: usize, state: &'a [Chunk]) -> [&'a [Chunk]; 2];

    /// Splits copies of the two [`sides`](Self::sides): `one` becomes the side to go on with.
    fn split<const IS_STACK: bool>(&self, lane: usize, one: &mut [Chunk], other: &mut [Chunk]);

    /// Orders the cheap choices of these lanes.
    fn choose_cheap(&mut self, _lanes: V) -> Order {
        Order::new(V::BITS)
    }

    /// Splits a state in its lane by the cheap choice: both arguments hold it, `one` becomes the side to go on with.
    fn split_cheap<const IS_STACK: bool>(&self, _lane: usize, _one: &mut [Chunk], _other: &mut [Chunk]) {}
}
