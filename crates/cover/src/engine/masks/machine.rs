//! The search compiled for each instruction set, behind doors.
//!
//! A value of a [`Machine`] is the proof that this computer has its instruction set: [`Machine::find`] is the
//! only way to one. Everything above is written once over [`Machine`], everything below once over [`Vector`].
#![allow(unsafe_code)]

use super::search::{Kernel, Search};
use super::vector::Vector;
use super::words::Words;
use crate::Assumptions;
use crate::engine::{Event, Meter};
use galop_simd::Isa;

/// The search for one instruction set.
pub(super) trait Machine: Copy + Send + 'static {
    /// Its vectors.
    type V: Vector;

    /// The machine, if this computer is one.
    fn find() -> Option<Self>;

    /// See [`Search::assume`].
    fn assume<K: Kernel<V = Self::V>>(self, search: &mut Search<Self, K>, assumptions: &Assumptions) -> bool;

    /// See [`Search::run`].
    fn run<K: Kernel<V = Self::V>>(self, search: &mut Search<Self, K>, meter: &mut Meter<'_>) -> Event;
}

/// Any computer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable(());

impl Machine for Portable {
    type V = Words;

    fn find() -> Option<Self> {
        Some(Portable(()))
    }

    fn assume<K: Kernel<V = Words>>(self, search: &mut Search<Self, K>, assumptions: &Assumptions) -> bool {
        search.assume(assumptions)
    }

    fn run<K: Kernel<V = Words>>(self, search: &mut Search<Self, K>, meter: &mut Meter<'_>) -> Event {
        search.run(meter)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::x86::{Ymm, Zmm};
    use super::*;

    macro_rules! machine {
        ($machine:ident, $vector:ty, $features:literal, $about:literal) => {
            #[doc = $about]
            #[derive(Clone, Copy, Debug)]
            pub(in super::super) struct $machine(());

            impl Machine for $machine {
                type V = $vector;

                fn find() -> Option<Self> {
                    Isa::$machine.is_available().then_some($machine(()))
                }

                fn assume<K: Kernel<V = $vector>>(
                    self,
                    search: &mut Search<Self, K>,
                    assumptions: &Assumptions,
                ) -> bool {
                    #[target_feature(enable = $features)]
                    fn compiled<K: Kernel<V = $vector>>(
                        search: &mut Search<$machine, K>,
                        assumptions: &Assumptions,
                    ) -> bool {
                        search.assume(assumptions)
                    }
                    // SAFETY: a value of this machine is made only where its instruction set was found.
                    unsafe { compiled(search, assumptions) }
                }

                fn run<K: Kernel<V = $vector>>(
                    self,
                    search: &mut Search<Self, K>,
                    meter: &mut Meter<'_>,
                ) -> Event {
                    #[target_feature(enable = $features)]
                    fn compiled<K: Kernel<V = $vector>>(
                        search: &mut Search<$machine, K>,
                        meter: &mut Meter<'_>,
                    ) -> Event {
                        search.run(meter)
                    }
                    // SAFETY: a value of this machine is made only where its instruction set was found.
                    unsafe { compiled(search, meter) }
                }
            }
        };
    }

    machine!(Avx2, Ymm, "avx2,bmi1,bmi2,lzcnt,popcnt", "x86-64 with AVX2: vectors of 256 bits.");
    machine!(
        Avx512,
        Zmm,
        "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,gfni",
        "x86-64 with AVX-512: vectors of 512 bits, comparisons into masks, bits counted in one instruction."
    );
}
