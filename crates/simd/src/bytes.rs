//! Sixteen bytes: look-ups, comparisons and minima, byte by byte.
//!
//! ```text
//! byte   0   1   2   3   4   5   6   7 | 8   9  10  11  12  13  14  15
//!       |          word 0             |             word 1            |      lowest byte first
//! ```

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor};

/// Sixteen bytes in a vector.
///
/// No operation can execute an instruction that the machine lacks: the crate's documentation says why.
pub trait Bytes:
    Copy + Debug + Send + Sync + 'static + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// Sixteen zeros.
    const ZERO: Self;

    /// These bytes.
    fn load(bytes: &[u8; 16]) -> Self;

    /// Replaces `bytes`.
    fn store(self, bytes: &mut [u8; 16]);

    /// The same byte sixteen times.
    fn splat(byte: u8) -> Self;

    /// The two words.
    fn words(self) -> [u64; 2];

    /// The bytes of two words.
    fn from_words(words: [u64; 2]) -> Self;

    /// Byte `i` becomes byte `at[i] % 16`, or 0 if `at[i]` is 128 or more.
    fn look_up(self, at: Self) -> Self;

    /// The smaller of each two bytes.
    fn min(self, other: Self) -> Self;

    /// The larger of each two bytes.
    fn max(self, other: Self) -> Self;

    /// 255 where both bytes are equal, 0 elsewhere.
    fn equal(self, other: Self) -> Self;

    /// 255 where the byte is greater than the other one, 0 elsewhere. Bytes from 128 on count as negative.
    fn greater(self, other: Self) -> Self;

    /// The top bits of the bytes; byte 0 gives the lowest bit.
    fn tops(self) -> u32;
}

/// Sixteen bytes of any machine, in loops that compilers turn into vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct PlainBytes([u8; 16]);

/// Byte by byte.
macro_rules! each {
    ($at:ident => $byte:expr) => {{
        let mut result = [0; 16];
        let mut $at = 0;
        while $at < 16 {
            result[$at] = $byte;
            $at += 1;
        }
        PlainBytes(result)
    }};
}

impl BitAnd for PlainBytes {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        each!(i => self.0[i] & other.0[i])
    }
}

impl BitOr for PlainBytes {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        each!(i => self.0[i] | other.0[i])
    }
}

impl BitXor for PlainBytes {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        each!(i => self.0[i] ^ other.0[i])
    }
}

impl Bytes for PlainBytes {
    const ZERO: Self = PlainBytes([0; 16]);

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> Self {
        PlainBytes(*bytes)
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 16]) {
        *bytes = self.0;
    }

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        PlainBytes([byte; 16])
    }

    #[inline(always)]
    fn words(self) -> [u64; 2] {
        let bytes = u128::from_le_bytes(self.0);
        [bytes as u64, (bytes >> 64) as u64]
    }

    #[inline(always)]
    fn from_words(words: [u64; 2]) -> Self {
        PlainBytes((u128::from(words[0]) | u128::from(words[1]) << 64).to_le_bytes())
    }

    #[inline(always)]
    fn look_up(self, at: Self) -> Self {
        each!(i => if at.0[i] < 128 { self.0[usize::from(at.0[i] % 16)] } else { 0 })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        each!(i => if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        each!(i => if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        each!(i => if self.0[i] == other.0[i] { 255 } else { 0 })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        each!(i => if self.0[i].cast_signed() > other.0[i].cast_signed() { 255 } else { 0 })
    }

    #[inline(always)]
    fn tops(self) -> u32 {
        let (mut tops, mut at) = (0, 0);
        while at < 16 {
            tops |= u32::from(self.0[at] >> 7) << at;
            at += 1;
        }
        tops
    }
}
