//! The vector type: one bit of every lane.
//!
//! ```text
//! lane      63 ........ 1 0 | 127 ....... 64 | ...
//! word          word 0      |     word 1     | ...           bit L % 64 of word L / 64 is lane L
//! ```
//! The kernels are written once over [`Vector`] and need AND, OR, XOR and NOT of it, nothing else. Loops over
//! arrays of vectors, not `array::from_fn` or iterators: a closure that is not inlined is compiled without the
//! instruction set of the kernel around it, and a call for every operation made sweeps 15 times as slow.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// One bit of every lane.
pub(super) trait Vector:
    Copy
    + Send
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
{
    /// 64-bit words of a vector.
    const WORDS: usize;
    /// Bits of a vector.
    const LANES: usize = 64 * Self::WORDS;
    /// Vectors that the machine holds in registers: kernels of more accumulators than that work in parts.
    const REGISTERS: usize = 16;
    /// No lane.
    const ZERO: Self;
    /// Every lane.
    const ONES: Self;

    /// Lanes `64 * index ..`, lowest bit first.
    fn word(self, index: usize) -> u64;

    /// Replaces the lanes `64 * index ..`.
    fn set_word(&mut self, index: usize, word: u64);
}

/// Plain words: any machine, and the twin that the others are held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Vector for Words<N> {
    const WORDS: usize = N;
    const ZERO: Self = Words([0; N]);
    const ONES: Self = Words([!0; N]);

    #[inline(always)]
    fn word(self, index: usize) -> u64 {
        self.0[index]
    }

    #[inline(always)]
    fn set_word(&mut self, index: usize, word: u64) {
        self.0[index] = word;
    }
}

macro_rules! words_operator {
    ($trait:ident $method:ident, $in_place_trait:ident $in_place:ident, $operator:tt) => {
        impl<const N: usize> $trait for Words<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                let mut word = 0;
                while word < N {
                    self.0[word] $operator other.0[word];
                    word += 1;
                }
                self
            }
        }

        impl<const N: usize> $in_place_trait for Words<N> {
            #[inline(always)]
            fn $in_place(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

words_operator!(BitAnd bitand, BitAndAssign bitand_assign, &=);
words_operator!(BitOr bitor, BitOrAssign bitor_assign, |=);
words_operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^=);

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::ONES
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Ymm;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    /// 256 bits in a vector register of x86-64. Without AVX2 it must not be touched: values of it are made only
    /// by kernels that were compiled for AVX2 or more, which run only where that was found.
    ///
    /// There are 16 such registers, 32 with AVX-512.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(in super::super) struct Ymm<const REGISTERS: usize = 16>(pub(in super::super) __m256i);

    macro_rules! operator {
        ($trait:ident $method:ident, $in_place_trait:ident $in_place:ident, $operation:ident) => {
            impl<const REGISTERS: usize> $trait for Ymm<REGISTERS> {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: an instruction of AVX2, in code that runs only where AVX2 was found.
                    Ymm(unsafe { $operation(self.0, other.0) })
                }
            }

            impl<const REGISTERS: usize> $in_place_trait for Ymm<REGISTERS> {
                #[inline(always)]
                fn $in_place(&mut self, other: Self) {
                    // SAFETY: as above.
                    self.0 = unsafe { $operation(self.0, other.0) };
                }
            }
        };
    }

    operator!(BitAnd bitand, BitAndAssign bitand_assign, _mm256_and_si256);
    operator!(BitOr bitor, BitOrAssign bitor_assign, _mm256_or_si256);
    operator!(BitXor bitxor, BitXorAssign bitxor_assign, _mm256_xor_si256);

    impl<const REGISTERS: usize> Not for Ymm<REGISTERS> {
        type Output = Self;

        #[inline(always)]
        fn not(self) -> Self {
            self ^ Self::ONES
        }
    }

    impl<const REGISTERS: usize> Vector for Ymm<REGISTERS> {
        const WORDS: usize = 4;
        const REGISTERS: usize = REGISTERS;
        const ZERO: Self = vector([0; 4]);
        const ONES: Self = vector([!0; 4]);

        #[inline(always)]
        fn word(self, index: usize) -> u64 {
            words(self)[index]
        }

        #[inline(always)]
        fn set_word(&mut self, index: usize, word: u64) {
            let mut words = words(*self);
            words[index] = word;
            *self = vector(words);
        }
    }

    #[inline(always)]
    const fn vector<const REGISTERS: usize>(words: [u64; 4]) -> Ymm<REGISTERS> {
        // SAFETY: both are 256 bits, and any bits are a value of either.
        Ymm(unsafe { std::mem::transmute::<[u64; 4], __m256i>(words) })
    }

    #[inline(always)]
    const fn words<const REGISTERS: usize>(vector: Ymm<REGISTERS>) -> [u64; 4] {
        // SAFETY: both are 256 bits, and any bits are a value of either.
        unsafe { std::mem::transmute::<__m256i, [u64; 4]>(vector.0) }
    }
}

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
