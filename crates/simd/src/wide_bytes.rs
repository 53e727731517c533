//! Sixty-four bytes: look-ups in a table of sixteen, picks from two vectors, and comparisons.
//!
//! ```text
//! pick:  | this one: bytes 0..64 | the other one: bytes 64..128 |     each byte of the result is any byte of both
//! ```

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor};

/// Sixty-four bytes in a vector. Only AVX-512 has instructions for it ([`Simd::HAS_WIDE_BYTES`](crate::Simd)).
///
/// No operation can execute an instruction that the machine lacks: the crate's documentation says why.
pub trait WideBytes:
    Copy + Debug + Send + Sync + 'static + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// These bytes.
    fn load(bytes: &[u8; 64]) -> Self;

    /// The same byte sixty-four times.
    fn splat(byte: u8) -> Self;

    /// Each byte becomes byte `byte % 16` of `table`, or 0 if it is 128 or more.
    fn look_up(self, table: &[u8; 16]) -> Self;

    /// Byte `i` is byte `from[i]` of this vector, or byte `from[i] - 64` of the other one. Numbers are at most 127.
    fn pick(self, other: Self, from: &[u8; 64]) -> Self;

    /// A bit for each byte that is equal in both, byte 0 lowest.
    fn equal(self, other: Self) -> u64;
}

/// Sixty-four bytes of any machine. It is not fast: the tests compare with it.
#[derive(Clone, Copy, Debug)]
pub struct PlainWideBytes([u8; 64]);

/// Byte by byte.
macro_rules! each {
    ($at:ident => $byte:expr) => {{
        let mut result = [0; 64];
        let mut $at = 0;
        while $at < 64 {
            result[$at] = $byte;
            $at += 1;
        }
        PlainWideBytes(result)
    }};
}

impl BitAnd for PlainWideBytes {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        each!(i => self.0[i] & other.0[i])
    }
}

impl BitOr for PlainWideBytes {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        each!(i => self.0[i] | other.0[i])
    }
}

impl BitXor for PlainWideBytes {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        each!(i => self.0[i] ^ other.0[i])
    }
}

impl WideBytes for PlainWideBytes {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        PlainWideBytes(*bytes)
    }

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        PlainWideBytes([byte; 64])
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        each!(i => if self.0[i] < 128 { table[usize::from(self.0[i] % 16)] } else { 0 })
    }

    #[inline(always)]
    fn pick(self, other: Self, from: &[u8; 64]) -> Self {
        let bytes = [self.0, other.0];
        each!(i => bytes[usize::from(from[i] / 64 % 2)][usize::from(from[i] % 64)])
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u64 {
        let (mut equal, mut at) = (0, 0);
        while at < 64 {
            equal |= u64::from(self.0[at] == other.0[at]) << at;
            at += 1;
        }
        equal
    }
}
