//! Code compiled for each instruction set, behind one door each.
//!
//! A value of a [`Machine`] is the proof that this computer has its instruction set: [`Machine::find`] is the
//! only way to one. What is written once over [`Vector`], or in straight loops, is a [`Job`]; the search between
//! the jobs is compiled for any computer.
#![allow(unsafe_code)]

use super::sweep::{Plain, Vector};

/// Something to be compiled for every instruction set. What it calls is to be inlined, always.
pub(super) trait Job {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// A computer with some instruction set.
pub(super) trait Machine: Copy + Send + 'static {
    /// A lane for each of up to 16 blocks.
    type Small: Vector<Word = u16>;
    /// A lane for each of up to 25 blocks.
    type Large: Vector<Word = u32>;

    /// The machine, if this computer is one.
    fn find() -> Option<Self>;

    /// Does a job.
    fn run<J: Job>(self, job: J) -> J::Output;
}

/// Any computer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable(());

impl Machine for Portable {
    type Small = Plain<u16, 16, 4>;
    type Large = Plain<u32, 40, 8>;

    fn find() -> Option<Self> {
        Some(Portable(()))
    }

    fn run<J: Job>(self, job: J) -> J::Output {
        job.run()
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::sweep::{Large, Small};
    use super::*;
    use crate::engine::Isa;

    macro_rules! machine {
        ($machine:ident, $features:literal, $about:literal) => {
            #[doc = $about]
            #[derive(Clone, Copy, Debug)]
            pub(in super::super) struct $machine(());

            impl Machine for $machine {
                type Small = Small;
                type Large = Large;

                fn find() -> Option<Self> {
                    Isa::$machine.is_available().then_some($machine(()))
                }

                fn run<J: Job>(self, job: J) -> J::Output {
                    #[target_feature(enable = $features)]
                    fn compiled<J: Job>(job: J) -> J::Output {
                        job.run()
                    }
                    // SAFETY: a value of this machine is made only where its instruction set was found.
                    unsafe { compiled(job) }
                }
            }
        };
    }

    machine!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt", "x86-64 with AVX2: vectors of 256 bits.");
    machine!(
        Avx512,
        "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni",
        "x86-64 with AVX-512: vectors of 256 bits as well, but 32 of them, and operations of three operands."
    );
}
