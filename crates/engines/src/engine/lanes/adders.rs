//! Logic of several vectors: majorities, adders, comparisons, and the choice between two.
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

/// Counts a bit more: `at_least[k]` has the lanes in which `k + 1` bits or more were set.
#[inline(always)]
pub(super) fn count_up<V: Vector, const N: usize>(at_least: &mut [V; N], bit: V) {
    for k in (1..N).rev() {
        at_least[k] |= at_least[k - 1] & bit;
    }
    at_least[0] |= bit;
}

/// `yes` in the lanes of `mask`, `no` in the others.
#[inline(always)]
pub(super) fn select<V: Vector>(mask: V, yes: V, no: V) -> V {
    (yes & mask) | (no & !mask)
}

/// Lanes in which the number `a` is greater than `b`; both lowest bit first.
#[inline(always)]
pub(super) fn is_greater<V: Vector, const BITS: usize>(a: &[V; BITS], b: &[V; BITS]) -> V {
    let mut greater = V::ZERO;
    for bit in 0..BITS {
        let differ = a[bit] ^ b[bit];
        greater = (a[bit] & differ) | (greater & !differ);
    }
    greater
}

/// The product of two numbers of three bits, lowest bit first.
#[inline(always)]
pub(super) fn product<V: Vector>(a: [V; 3], b: [V; 3]) -> [V; 6] {
    let (c1, d1) = (a[0] & b[1], a[1] & b[0]);
    let carry_2 = c1 & d1;
    let (half, carry_3a) = add3(a[0] & b[2], a[1] & b[1], a[2] & b[0]);
    let carry_3b = half & carry_2;
    let (third, carry_4a) = add3(a[1] & b[2], a[2] & b[1], carry_3a);
    let carry_4b = third & carry_3b;
    let (fourth, fifth) = add3(a[2] & b[2], carry_4a, carry_4b);
    [a[0] & b[0], c1 ^ d1, half ^ carry_2, third ^ carry_3b, fourth, fifth]
}
