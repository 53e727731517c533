//! The way into compiled code.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::Isa;
use crate::bytes::{Bytes, PlainBytes};
use crate::vector::{Lanes, Quad};
use crate::wide_bytes::{PlainWideBytes, WideBytes};
use crate::words::Words;

/// Code for every instruction set: [`Isa::run`] does it with the one that was chosen.
///
/// `run` and what it calls in loops should be `#[inline(always)]`: see [the crate](crate).
pub trait Job {
    /// What `run` gives.
    type Output;

    /// Does the job.
    fn run<S: Simd>(self) -> Self::Output;
}

/// Code for one instruction set, whose vectors it names in its fields: [`Simd::run`] does it.
///
/// `run` and what it calls in loops should be `#[inline(always)]`: see [the crate](crate).
pub trait Kernel {
    /// What `run` gives.
    type Output;

    /// Does what the kernel is for.
    fn run(self) -> Self::Output;
}

/// An instruction set of this machine, as a type.
///
/// A type parameter `S: Simd` proves that this machine has the instruction set [`S::ISA`](Simd::ISA): the types of
/// x86-64 are private to this crate, and only [`Isa::run`] hands them out, after a check. (The trait is sealed. A
/// value of the type is not needed.)
pub trait Simd: sealed::Sealed + Copy + Debug + Send + Sync + 'static {
    /// The instruction set.
    const ISA: Isa;

    /// Whether it is the portable one: plain words, for which some engines have code of their own.
    const IS_PORTABLE: bool = matches!(Self::ISA, Isa::Portable);

    /// The instruction set for code that gains nothing from AVX-512: AVX2 instead of it, else the same. Code is
    /// compiled once less for it.
    type Base: Simd;

    /// The vector of sixteen bytes.
    type Bytes: Bytes;

    /// The vector of sixty-four bytes.
    type WideBytes: WideBytes;

    /// Whether the machine has instructions for it.
    const HAS_WIDE_BYTES: bool = matches!(Self::ISA, Isa::Avx512);

    /// The vector of 256 bits.
    type Quad: Quad;

    /// The widest vector: 512 bits with AVX-512, else 256.
    type Widest: Lanes;

    /// Does what `kernel` is for, in code compiled for this instruction set.
    fn run<K: Kernel>(kernel: K) -> K::Output;
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// The portable instruction set: every machine.
#[derive(Clone, Copy, Debug)]
pub enum Portable {}

impl sealed::Sealed for Portable {}

impl Simd for Portable {
    const ISA: Isa = Isa::Portable;
    type Base = Portable;
    type Bytes = PlainBytes;
    type WideBytes = PlainWideBytes;
    type Quad = Words<4>;
    type Widest = Words<4>;

    // A function of its own, as on x86-64, where the instruction set forbids inlining. With all kernels of `lanes`
    // inlined into one function, that function took half of the build time of the package `galop`.
    #[inline(never)]
    fn run<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }
}

/// Does `job` in code compiled for `S`.
pub(crate) fn enter<S: Simd, J: Job>(job: J) -> J::Output {
    S::run(Entered::<S, J>(job, PhantomData))
}

struct Entered<S, J>(J, PhantomData<S>);

impl<S: Simd, J: Job> Kernel for Entered<S, J> {
    type Output = J::Output;

    #[inline(always)]
    fn run(self) -> J::Output {
        self.0.run::<S>()
    }
}
