//! From the puzzles' planes to the slice and back: 256 lanes of 729 bits, turned.
//!
//! A candidate is addressed by a row (the lane) and a bit; turning exchanges the two addresses, one bit of the
//! address after the other. Every exchange costs one operation per vector, whatever the instruction, and 256 lanes
//! need eight. There are registers for four exchanges at a time, so the data pass through memory twice. [`plain`],
//! [`avx2`] and
//! [`avx512`] say how, and with which instructions.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod exchange;
pub(super) mod plain;

use galop_simd::{Isa, Simd, Vector};

use super::planes::Planes;
use super::slice::Cells;
#[cfg(target_arch = "x86_64")]
use super::slice::place;

/// The places of the eight bits of each byte of [`Planes`](super::planes::Planes) in [`Cells`](super::slice::Cells),
/// whose three arrays are taken for one of 729. Bits 729..768 are padding and have the place of bit 728, so a writer
/// must write bit 728 last.
#[cfg(target_arch = "x86_64")]
static PLACES: [[u16; 8]; 96] = {
    let mut places = [[0; 8]; 96];
    let mut bit = 0;
    while bit < 768 {
        let used = if bit < 729 { bit } else { 728 };
        let (block, at) = place(used % 81);
        places[bit / 8][bit % 8] = (81 * block + 9 * (used / 81) + at) as u16;
        bit += 1;
    }
    places
};

/// As [`plain::load`], by the transposition for `S`. `lanes` has a state for each lane of `V`.
#[inline(always)]
pub(super) fn load<S: Simd, V: Vector>(lanes: &[Planes], cells: &mut Cells<V>) {
    match S::ISA {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => {
            if let Some(lanes) = lanes.first_chunk() {
                // SAFETY: `S` proves that this machine has AVX-512.
                unsafe { avx512::load(lanes, cells) }
            }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            if let Some(lanes) = lanes.first_chunk() {
                // SAFETY: `S` proves that this machine has AVX2.
                unsafe { avx2::load(lanes, cells) }
            }
        }
        _ => plain::load(lanes, cells),
    }
}

/// As [`plain::store`], by the transposition for `S`. `lanes` has a state for each lane of `V`.
#[inline(always)]
pub(super) fn store<S: Simd, V: Vector>(cells: &Cells<V>, lanes: &mut [Planes]) {
    match S::ISA {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => {
            if let Some(lanes) = lanes.first_chunk_mut() {
                // SAFETY: `S` proves that this machine has AVX-512.
                unsafe { avx512::store(cells, lanes) }
            }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            if let Some(lanes) = lanes.first_chunk_mut() {
                // SAFETY: `S` proves that this machine has AVX2.
                unsafe { avx2::store(cells, lanes) }
            }
        }
        _ => plain::store(cells, lanes),
    }
}
