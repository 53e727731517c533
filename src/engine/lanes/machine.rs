//! The kernels compiled for each instruction set, behind doors.
//!
//! A value of a [`Machine`] is the proof that this computer has its instruction set: [`Machine::find`] is the
//! only way to one. Everything above is written once over [`Machine`], everything below once over [`Vector`].

#![allow(unsafe_code)]

use super::choice::Choice;
use super::planes::Planes;
use super::pool::Pool;
use super::slice::Slice;
use super::tally::Configurations;
use super::vector::{Vector, Words};
use super::{cheap, planes, strong, sweep, transpose};
use crate::engine::Isa;
use crate::puzzle::{Answers, Limits, Puzzles};

/// The kernels for one instruction set. Slices of states and choices have a place a lane.
pub(super) trait Machine: Copy + Send + 'static {
    /// One bit of every lane.
    type V: Vector;
    /// The instruction set.
    const ISA: Isa;

    /// The machine, if this computer is one.
    fn find() -> Option<Self>;

    /// See [`Planes::read`].
    fn read(self, puzzle: &[u8; 81], planes: &mut Planes) -> bool;

    /// See [`Planes::write`].
    fn write(self, planes: &Planes, solution: &mut [u8; 81]);

    /// See [`transpose::plain::load`].
    fn load(self, lanes: &[Planes], slice: &mut Slice<Self::V>);

    /// See [`transpose::plain::store`].
    fn store(self, slice: &Slice<Self::V>, lanes: &mut [Planes]);

    /// See [`sweep::start`]: puzzles among the states.
    fn start_fresh(self, slice: &mut Slice<Self::V>);

    /// See [`sweep::start`].
    fn start(self, slice: &mut Slice<Self::V>);

    /// A sweep that is not the last of its round.
    fn sweep(self, slice: &mut Slice<Self::V>);

    /// The last sweep of a round.
    fn last_sweep(self, slice: &mut Slice<Self::V>);

    /// The last sweep of a round, counting configurations for the cheap choice.
    fn last_sweep_counting(self, slice: &mut Slice<Self::V>, counts: &mut [Configurations<Self::V>; 6]);

    /// See [`sweep::prove`].
    fn prove(self, slice: &mut Slice<Self::V>);

    /// See [`strong::choose`].
    fn choose_strong(self, slice: &Slice<Self::V>, choices: &mut [Choice]);

    /// See [`cheap::choose`].
    fn choose_cheap(self, counts: &[Configurations<Self::V>; 6], choices: &mut [Choice]);

    /// See [`Pool::run`].
    fn run(
        self,
        pool: &mut Pool<Self>,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    );
}

/// A function compiled for `features`, called.
macro_rules! door {
    (any, fn($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block) => {
        $body
    };
    ($features:literal, fn($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block) => {{
        #[target_feature(enable = $features)]
        fn compiled($($argument: $type),*) $(-> $result)? $body
        // SAFETY: a value of this machine is made only where its instruction set was found.
        unsafe { compiled($($argument),*) }
    }};
}

/// The kernels of a machine.
macro_rules! machine {
    ($machine:ty, $vector:ty, $lanes:literal, $isa:expr, $features:tt, $find:expr, $planes:ident, $transpose:ident) => {
        impl Machine for $machine {
            type V = $vector;
            const ISA: Isa = $isa;

            fn find() -> Option<Self> {
                $find
            }

            #[inline(always)]
            fn read(self, puzzle: &[u8; 81], planes: &mut Planes) -> bool {
                door!($features, fn(puzzle: &[u8; 81], planes: &mut Planes) -> bool {
                    planes::$planes::read(puzzle, planes)
                })
            }

            #[inline(always)]
            fn write(self, planes: &Planes, solution: &mut [u8; 81]) {
                door!($features, fn(planes: &Planes, solution: &mut [u8; 81]) {
                    planes::$planes::write(planes, solution)
                })
            }

            fn load(self, lanes: &[Planes], slice: &mut Slice<$vector>) {
                door!($features, fn(lanes: &[Planes], slice: &mut Slice<$vector>) {
                    if let Some(lanes) = lanes.first_chunk::<$lanes>() {
                        transpose::$transpose::load(lanes, &mut slice.cells)
                    }
                })
            }

            fn store(self, slice: &Slice<$vector>, lanes: &mut [Planes]) {
                door!($features, fn(slice: &Slice<$vector>, lanes: &mut [Planes]) {
                    if let Some(lanes) = lanes.first_chunk_mut::<$lanes>() {
                        transpose::$transpose::store(&slice.cells, lanes)
                    }
                })
            }

            fn start_fresh(self, slice: &mut Slice<$vector>) {
                door!($features, fn(slice: &mut Slice<$vector>) { sweep::start::<_, true>(slice) })
            }

            fn start(self, slice: &mut Slice<$vector>) {
                door!($features, fn(slice: &mut Slice<$vector>) { sweep::start::<_, false>(slice) })
            }

            fn sweep(self, slice: &mut Slice<$vector>) {
                door!($features, fn(slice: &mut Slice<$vector>) {
                    sweep::sweep::<_, false, false>(slice, &mut [Configurations::NONE; 6])
                })
            }

            fn last_sweep(self, slice: &mut Slice<$vector>) {
                door!($features, fn(slice: &mut Slice<$vector>) {
                    sweep::sweep::<_, true, false>(slice, &mut [Configurations::NONE; 6])
                })
            }

            fn last_sweep_counting(
                self,
                slice: &mut Slice<$vector>,
                counts: &mut [Configurations<$vector>; 6],
            ) {
                door!($features, fn(slice: &mut Slice<$vector>, counts: &mut [Configurations<$vector>; 6]) {
                    sweep::sweep::<_, true, true>(slice, counts)
                })
            }

            fn prove(self, slice: &mut Slice<$vector>) {
                door!($features, fn(slice: &mut Slice<$vector>) { sweep::prove(slice) })
            }

            fn choose_strong(self, slice: &Slice<$vector>, choices: &mut [Choice]) {
                door!($features, fn(slice: &Slice<$vector>, choices: &mut [Choice]) {
                    strong::choose(&slice.cells).write(choices)
                })
            }

            fn choose_cheap(self, counts: &[Configurations<$vector>; 6], choices: &mut [Choice]) {
                door!($features, fn(counts: &[Configurations<$vector>; 6], choices: &mut [Choice]) {
                    cheap::choose(counts).write(choices)
                })
            }

            fn run(
                self,
                pool: &mut Pool<Self>,
                puzzles: Puzzles<'_>,
                limits: Limits,
                answers: &mut Answers<'_>,
                is_stopped: &dyn Fn() -> bool,
            ) {
                door!($features, fn(
                    pool: &mut Pool<$machine>,
                    puzzles: Puzzles<'_>,
                    limits: Limits,
                    answers: &mut Answers<'_>,
                    is_stopped: &dyn Fn() -> bool
                ) {
                    pool.run(puzzles, limits, answers, is_stopped)
                })
            }
        }
    };
}

/// Any computer, `N` words at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable<const N: usize>(());

machine!(Portable<1>, Words<1>, 64, Isa::Portable64, any, Some(Portable(())), Planes, plain);
machine!(Portable<2>, Words<2>, 128, Isa::Portable128, any, Some(Portable(())), Planes, plain);

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::vector::Ymm;
    use super::*;

    /// x86-64 with AVX2: 16 vectors of 256 bits.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx2(());

    machine!(
        Avx2,
        Ymm<16>,
        256,
        Isa::Avx2,
        "avx2,bmi1,bmi2,lzcnt,popcnt",
        Isa::Avx2.is_available().then_some(Avx2(())),
        avx2,
        avx2
    );

    /// x86-64 with AVX-512: vectors of 256 bits as well, but 32 of them, and operations of three operands.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Avx512(());

    machine!(
        Avx512,
        Ymm<32>,
        256,
        Isa::Avx512,
        "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni",
        Isa::Avx512.is_available().then_some(Avx512(())),
        avx512,
        avx512
    );
}
