//! Instruction sets and vectors: one way into code that is compiled for AVX2 or AVX-512.
//!
//! An algorithm is written once, over a type `S:` [`Simd`] and its vectors, and compiled for every instruction set.
//! [`Isa::run`] picks the compiled copy at run time:
//!
//! ```
//! use galop_simd::{Isa, Job, Simd, Vector};
//!
//! /// Counts the bits that two lists of words have in common.
//! struct Common<'a>(&'a [u64], &'a [u64]);
//!
//! impl Job for Common<'_> {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<S: Simd>(self) -> u32 {
//!         let mut count = 0;
//!         for (one, other) in self.0.chunks_exact(4).zip(self.1.chunks_exact(4)) {
//!             let common = S::Quad::from_words(one) & S::Quad::from_words(other);
//!             for index in 0..4 {
//!                 count += common.word(index).count_ones();
//!             }
//!         }
//!         count
//!     }
//! }
//!
//! assert_eq!(Isa::best().run(Common(&[3; 8], &[6; 8])), Ok(8));
//! ```
//!
//! # The type is the proof
//! Vectors of x86-64 execute instructions that some machines lack, yet their operators are safe. That is sound
//! because no code outside this crate can name their types, nor the types of the instruction sets. Only [`Isa::run`]
//! gives them to a [`Job`], as its type parameter, and only after it has found the instruction set on this machine.
//! So code that is generic over `S: Simd` or `V: Vector` runs with a type of x86-64 only where the machine can
//! execute it, in whatever function a value is made or used. The portable types, which every machine can execute, are
//! public.
//!
//! The price of a mistake is therefore speed, never safety: a function that is not inlined into compiled code calls
//! every operation as a function. Everything a [`Job`] or a [`Kernel`] calls in its loops is `#[inline(always)]`; it
//! passes no closures over vectors (`array::from_fn`, iterator adapters), because a closure cannot be marked so.
//!
//! | type | what it is |
//! |---|---|
//! | [`Isa`] | an instruction set that the user can choose; [`MissingIsa`] if this machine lacks it |
//! | [`Job`] | code for whichever instruction set was chosen; [`Isa::run`] checks and enters |
//! | [`Simd`] | an instruction set that was found, as a type |
//! | [`Kernel`] | code of one instruction set; [`Simd::run`] enters it without another check |
//! | [`Vector`] | bits: AND, OR, XOR, NOT |
//! | [`Lanes`] | lanes of 16, 32 or 64 bits: comparisons and counts |
//! | [`Quad`] | 256 bits: loads, stores and permutations |
//! | [`Bytes`] | sixteen bytes: look-ups, comparisons and minima |
//! | [`WideBytes`] | sixty-four bytes: look-ups, picks from two vectors, comparisons |

mod bytes;
mod features;
mod isa;
mod simd;
#[cfg(test)]
mod tests;
mod vector;
mod wide_bytes;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use bytes::{Bytes, PlainBytes};
pub use isa::{Isa, MissingIsa};
pub use simd::{Job, Kernel, Portable, Simd};
pub use vector::{Lane, Lanes, Quad, Vector};
pub use wide_bytes::{PlainWideBytes, WideBytes};
pub use words::Words;
