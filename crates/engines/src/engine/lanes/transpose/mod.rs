//! From the states of puzzles to the rows of the lanes and back: 256 lanes, turned, 256 bits at a time.
//!
//! A candidate is addressed by a lane and a bit; turning exchanges the two addresses, one bit of the
//! address after the other. Every exchange costs one operation per vector, whatever the instruction, and 256 lanes
//! need eight. There are registers for four exchanges at a time, so the data pass through memory twice. [`plain`],
//! [`avx2`] and [`avx512`] say how, and with which instructions.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod exchange;
pub(super) mod plain;

#[cfg(target_arch = "x86_64")]
use galop_simd::Isa;
use galop_simd::{Simd, Vector};

use super::state::Chunk;

/// The rows of all lanes: a vector for each bit of a state.
pub(super) trait Rows<V> {
    /// The bits of a state that mean something.
    fn bits(&self) -> usize;

    /// Chunks of a state.
    #[inline(always)]
    fn chunks(&self) -> usize {
        self.bits().div_ceil(Chunk::BITS)
    }

    /// The vector of bit `first + offset`. Bits without a meaning may have the vector of the last bit that has one, so a
    /// writer must write that one last.
    fn row(&self, first: usize, offset: usize) -> &V;

    /// The same, to be changed.
    fn row_mut(&mut self, first: usize, offset: usize) -> &mut V;
}

/// As [`plain::load`], by the transposition for `S`. `lanes` has a state for each lane of `V`.
#[inline(always)]
pub(super) fn load<S: Simd, V: Vector, R: Rows<V>>(lanes: &[Chunk], rows: &mut R) {
    debug_assert_eq!(lanes.len(), V::BITS * rows.chunks());
    match S::ISA {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX-512.
        Isa::Avx512 => unsafe { avx512::load(lanes, rows) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX2.
        Isa::Avx2 => unsafe { avx2::load(lanes, rows) },
        _ => plain::load(lanes, rows),
    }
}

/// As [`plain::store`], by the transposition for `S`. `lanes` has a state for each lane of `V`.
#[inline(always)]
pub(super) fn store<S: Simd, V: Vector, R: Rows<V>>(rows: &R, lanes: &mut [Chunk]) {
    debug_assert_eq!(lanes.len(), V::BITS * rows.chunks());
    match S::ISA {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX-512.
        Isa::Avx512 => unsafe { avx512::store(rows, lanes) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `S` proves that this machine has AVX2.
        Isa::Avx2 => unsafe { avx2::store(rows, lanes) },
        _ => plain::store(rows, lanes),
    }
}
