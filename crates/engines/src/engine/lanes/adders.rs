//! Logic of several vectors: majorities, adders, and the choice between two.
//!
//! The kernels are written once over [`Vector`], one bit of every lane:
//! ```text
//! lane      63 ........ 1 0 | 127 ....... 64 | ...
//! word          word 0      |     word 1     | ...           bit L % 64 of word L / 64 is lane L
//! ```
//! They need AND, OR, XOR and NOT of it, nothing else. They loop over arrays of vectors by index. A closure that is
//! not inlined (`array::from_fn`, iterators) is compiled without the instruction set of the kernel around it, and a
//! call for every operation made sweeps 15 times as slow.

use galop_simd::Vector;

/// At least one of three.
#[inline(always)]
pub(super) fn any3<V: Vector>(a: V, b: V, c: V) -> V {
    a | b | c
}

/// At least two of three.
#[inline(always)]
pub(super) fn two3<V: Vector>(a: V, b: V, c: V) -> V {
    (a & b) | (c & (a | b))
}

/// Full adder: the sum of three bits as (ones, twos).
#[inline(always)]
pub(super) fn add3<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

/// `yes` in the lanes of `mask`, `no` in the others.
#[inline(always)]
pub(super) fn select<V: Vector>(mask: V, yes: V, no: V) -> V {
    (yes & mask) | (no & !mask)
}
