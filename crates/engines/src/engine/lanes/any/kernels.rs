//! The kernels of a kind, each compiled for the instruction set `S`, and which of them a grid gets.

use std::marker::PhantomData;

use galop_simd::{Kernel, Simd, Vector};

use super::cells::{Candidates, Slice};
use super::choice::{self, Choices};
use super::compiled::compiled;
use super::shape::{Fixed, Measured, Shape};
use super::state::Chunk;
use super::tables::{Form, Tables};
use super::{blocks, convert, lines, transpose};

/// The kernels of a grid that depend on its form.
#[derive(Clone, Copy)]
pub(super) struct Kernels<V> {
    pub(super) plain: fn(&Tables, &mut Slice<V>),
    pub(super) last: fn(&Tables, &mut Slice<V>),
    pub(super) choose: fn(&Tables, &Candidates<V>, &mut Choices<V>),
    pub(super) read: fn(&Tables, &[u8], &mut [Chunk]) -> bool,
    pub(super) write: fn(&Tables, &[Chunk], &mut [u8]),
}

/// A sweep, as a type: of a shape, known or measured.
pub(super) trait Sweep: 'static {
    fn run<V: Vector, const LAST: bool>(tables: &Tables, slice: &mut Slice<V>);
}

/// A shape that a kernel finds out by itself.
pub(super) trait Known: Shape {
    fn of(tables: &Tables) -> Self;
}

impl<const S: usize, const R: usize, const C: usize> Known for Fixed<S, R, C> {
    #[inline(always)]
    fn of(_: &Tables) -> Self {
        Fixed
    }
}

impl Known for Measured {
    #[inline(always)]
    fn of(tables: &Tables) -> Self {
        tables.measures()
    }
}

/// The sweep of blocks.
struct Blocks<K, const HAS_WINDOWS: bool>(PhantomData<K>);

impl<K: Known, const HAS_WINDOWS: bool> Sweep for Blocks<K, HAS_WINDOWS> {
    #[inline(always)]
    fn run<V: Vector, const LAST: bool>(tables: &Tables, slice: &mut Slice<V>) {
        blocks::sweep::<V, K, HAS_WINDOWS, LAST>(K::of(tables), tables, slice);
    }
}

/// The sweep of lines, and of regions.
struct Lines<K, const HAS_REGIONS: bool>(PhantomData<K>);

impl<K: Known, const HAS_REGIONS: bool> Sweep for Lines<K, HAS_REGIONS> {
    #[inline(always)]
    fn run<V: Vector, const LAST: bool>(tables: &Tables, slice: &mut Slice<V>) {
        lines::sweep::<V, K, HAS_REGIONS, LAST>(K::of(tables), tables, slice);
    }
}

impl<V: Vector> Kernels<V> {
    /// The kernels of a form. Each shape that is known costs build time; what it gains is measured: see the parent.
    pub(super) fn new<S: Simd>(tables: &Tables) -> Self {
        type Four = Fixed<4, 2, 2>;
        type Six = Fixed<6, 2, 3>;
        type Nine = Fixed<9, 3, 3>;
        type Twelve = Fixed<12, 3, 4>;
        // Next to AVX2 the portable kernels are for very old machines only.
        let is_rare = S::IS_PORTABLE && cfg!(target_arch = "x86_64");
        match (tables.form, tables.side) {
            (Form::Windows, _) => Self::with::<S, Blocks<Nine, true>, Nine, Nine>(),
            (Form::Blocks { .. }, _) if is_rare => {
                Self::with::<S, Blocks<Measured, false>, Measured, Measured>()
            }
            (Form::Blocks { .. }, 4) => Self::with::<S, Blocks<Four, false>, Four, Measured>(),
            (Form::Blocks { .. }, 6) => Self::with::<S, Blocks<Six, false>, Six, Measured>(),
            (Form::Blocks { .. }, 9) => Self::with::<S, Blocks<Nine, false>, Nine, Nine>(),
            (Form::Blocks { .. }, _) => Self::with::<S, Blocks<Twelve, false>, Twelve, Measured>(),
            (Form::Lines, 9) if !is_rare => Self::with::<S, Lines<Nine, false>, Nine, Nine>(),
            (Form::Regions, 9) if !is_rare => Self::with::<S, Lines<Nine, true>, Nine, Nine>(),
            (Form::Lines | Form::Regions, _) => Self::with::<S, Lines<Measured, true>, Measured, Measured>(),
        }
    }

    /// A sweep, the shape for conversions, and the shape for the choice, whose code is large.
    fn with<S: Simd, W: Sweep, K: Known, C: Known>() -> Self {
        Kernels {
            plain: sweep::<S, V, W>,
            last: last_sweep::<S, V, W>,
            choose: choose::<S, V, C>,
            read: read::<S, V, K>,
            write: write::<S, V, K>,
        }
    }
}

compiled! {
    /// A sweep that is not the last one of its round.
    fn sweep[K: Sweep](tables: &'a Tables, slice: &'a mut Slice<V>) { K::run::<V, false>(tables, slice); }

    /// The last sweep of a round.
    fn last_sweep[K: Sweep](tables: &'a Tables, slice: &'a mut Slice<V>) { K::run::<V, true>(tables, slice); }

    /// See [`Slice::start`].
    fn start(tables: &'a Tables, slice: &'a mut Slice<V>, is_fresh: bool) { slice.start(tables, is_fresh); }

    /// See [`transpose::load`].
    fn load(lanes: &'a [Chunk], cells: &'a mut Candidates<V>) { transpose::load::<S, V, _>(lanes, cells); }

    /// See [`transpose::store`].
    fn store(cells: &'a Candidates<V>, lanes: &'a mut [Chunk]) { transpose::store::<S, V, _>(cells, lanes); }

    /// See [`choice::choose`].
    fn choose[K: Known](tables: &'a Tables, cells: &'a Candidates<V>, choices: &'a mut Choices<V>) {
        choice::choose::<V, K>(K::of(tables), tables, cells, choices);
    }

    /// See [`convert::read`].
    fn read[K: Known](tables: &'a Tables, puzzle: &'a [u8], state: &'a mut [Chunk]) -> bool {
        convert::read::<S::Bytes, _>(K::of(tables), puzzle, state)
    }

    /// See [`convert::write`].
    fn write[K: Known](tables: &'a Tables, state: &'a [Chunk], solution: &'a mut [u8]) {
        convert::write::<S::Bytes, _>(K::of(tables), state, solution);
    }
}
