//! The kernels that the pool calls, each compiled for the instruction set `S`.
//!
//! A kernel is written once over [`Vector`]; here it gets a name that can be called from code that is not compiled
//! for `S`. Each of them stays one function per instruction set, because the pool calls some of them in several
//! places.

use std::marker::PhantomData;

use galop_simd::{Kernel, Simd, Vector};

use super::choice::Choice;
use super::planes::{self, Planes};
use super::slice::Slice;
use super::tally::Configurations;
use super::{cheap, locked, only_singles, strong, sweep, transpose};
use crate::engine::Reach;

/// Functions whose bodies are compiled for `S`.
macro_rules! compiled {
    // The result type, or `()`.
    (@output) => { () };
    (@output $result:ty) => { $result };
    ($(
        $(#[$about:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block
    )*) => { $(
        $(#[$about])*
        #[inline(always)]
        pub(super) fn $name<'a, S: Simd, V: Vector>($($argument: $type),*) $(-> $result)? {
            struct Compiled<'a, S: Simd, V: Vector> {
                $($argument: $type,)*
                of: PhantomData<&'a (S, V)>,
            }

            impl<S: Simd, V: Vector> Kernel for Compiled<'_, S, V> {
                type Output = compiled!(@output $($result)?);

                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Compiled { $($argument,)* of: _ } = self;
                    $body
                }
            }

            S::run(Compiled::<'a, S, V> { $($argument,)* of: PhantomData })
        }
    )* };
}

pub(super) use compiled;

compiled! {
    /// See [`planes::read`].
    fn read(puzzle: &'a [u8; 81], planes: &'a mut Planes) -> bool { planes::read::<S>(puzzle, planes) }

    /// See [`planes::write`].
    fn write(planes: &'a Planes, solution: &'a mut [u8; 81]) { planes::write::<S>(planes, solution); }

    /// See [`transpose::load`].
    fn load(lanes: &'a [Planes], slice: &'a mut Slice<V>) { transpose::load::<S, V>(lanes, &mut slice.cells); }

    /// See [`transpose::store`].
    fn store(slice: &'a Slice<V>, lanes: &'a mut [Planes]) { transpose::store::<S, V>(&slice.cells, lanes); }

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

    /// See [`only_singles::sweep`].
    fn sweep_singles(slice: &'a mut Slice<V>) { only_singles::sweep(slice); }

    /// See [`only_singles::last_sweep`].
    fn last_sweep_singles(slice: &'a mut Slice<V>) { only_singles::last_sweep(slice); }

    /// See [`locked::sweep`].
    fn sweep_up_to(slice: &'a mut Slice<V>, reach: Reach) { locked::sweep(slice, reach); }

    /// See [`strong::choose`].
    fn choose_strong(slice: &'a Slice<V>, choices: &'a mut [Choice]) {
        strong::choose(&slice.cells).write(choices);
    }

    /// See [`cheap::choose`].
    fn choose_cheap(counts: &'a [Configurations<V>; 6], choices: &'a mut [Choice]) {
        cheap::choose(counts).write(choices);
    }
}
