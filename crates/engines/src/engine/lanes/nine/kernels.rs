//! The kernels of 9x9 sudoku, each compiled for the instruction set `S`.

use std::marker::PhantomData;

use galop_simd::{Kernel, Simd, Vector};

use super::choice::Choice;
use super::compiled::compiled;
use super::planes::{self, Planes};
use super::slice::Slice;
use super::state::Chunk;
use super::tally::Configurations;
use super::{cheap, strong, sweep, transpose, up_to};
use crate::engine::Reach;

compiled! {
    /// See [`planes::read`].
    fn read(puzzle: &'a [u8; 81], planes: &'a mut Planes) -> bool { planes::read::<S>(puzzle, planes) }

    /// See [`planes::write`].
    fn write(planes: &'a Planes, solution: &'a mut [u8; 81]) { planes::write::<S>(planes, solution); }

    /// See [`transpose::load`].
    fn load(lanes: &'a [Chunk], slice: &'a mut Slice<V>) { transpose::load::<S, V, _>(lanes, &mut slice.cells); }

    /// See [`transpose::store`].
    fn store(slice: &'a Slice<V>, lanes: &'a mut [Chunk]) { transpose::store::<S, V, _>(&slice.cells, lanes); }

    /// See [`sweep::start`].
    fn start(slice: &'a mut Slice<V>) { sweep::start(slice); }

    /// See [`sweep::start_fresh`].
    fn start_fresh(slice: &'a mut Slice<V>) { sweep::start_fresh(slice); }

    /// See [`sweep::sweep`].
    fn sweep(slice: &'a mut Slice<V>) { sweep::sweep(slice); }

    /// See [`sweep::last_sweep`].
    fn last_sweep(slice: &'a mut Slice<V>) { sweep::last_sweep(slice); }

    /// See [`sweep::last_sweep_counting`].
    fn last_sweep_counting(slice: &'a mut Slice<V>, counts: &'a mut [Configurations<V>; 6]) {
        sweep::last_sweep_counting(slice, counts);
    }

    /// See [`sweep::prove`].
    fn prove(slice: &'a mut Slice<V>) { sweep::prove(slice); }

    /// See [`up_to::sweep`].
    fn sweep_up_to(slice: &'a mut Slice<V>, reach: Reach) { up_to::sweep(slice, reach); }

    /// See [`strong::choose`].
    fn choose_strong(slice: &'a Slice<V>, choices: &'a mut [Choice]) {
        strong::choose(&slice.cells).write(choices);
    }

    /// See [`cheap::choose`].
    fn choose_cheap(counts: &'a [Configurations<V>; 6], choices: &'a mut [Choice]) {
        cheap::choose(counts).write(choices);
    }
}
