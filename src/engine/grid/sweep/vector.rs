//! Vectors: what a sweep needs of them.
//!
//! A vector has a lane for each block of the grid. The blocks of a band stand in a group of `GROUP` lanes, as many
//! as a machine can shuffle at once; lanes to spare are empty for good.
//! ```text
//! GROUP = 4        band 0      |     band 1      |     band 2      |     band 3
//! lane        0   1   2   3    |  4   5   6   7  |  8   9  10  11  | 12  13  14  15
//! stack       0   1   2  (3)   |  0   1   2  (3) | ...
//! ```
//! The functions are small and always inlined, so that they are compiled for the instruction set of the door (see
//! [`machine`](super::super::machine)) around them. Closures would not be.

use super::super::word::Word;

/// The most lanes of any vector.
pub(super) const MOST_LANES: usize = 40;

/// A word of candidates for each block.
pub(in super::super) trait Vector: Copy + Send + 'static {
    /// A lane: bit `symbol - 1`.
    type Word: Word;
    /// How many lanes there are.
    const LANES: usize;
    /// Lanes of a band.
    const GROUP: usize;

    /// Takes [`LANES`](Vector::LANES) words.
    fn load(words: &[Self::Word]) -> Self;

    /// Puts them back.
    fn store(self, words: &mut [Self::Word]);

    /// No bit.
    fn zero() -> Self;

    /// The same word in every lane.
    fn splat(word: Self::Word) -> Self;

    /// All bits in the lanes that are equal.
    fn equal(self, other: Self) -> Self;

    /// Bits in both.
    fn and(self, other: Self) -> Self;

    /// Bits in either.
    fn or(self, other: Self) -> Self;

    /// Bits of this one that the other has not.
    fn without(self, other: Self) -> Self;

    /// Every lane without its lowest bit.
    fn peel(self) -> Self;

    /// All bits in the lanes that have none.
    fn empty(self) -> Self;

    /// A bit for each lane that has its top bit, lowest lane first.
    fn tops(self) -> u64;

    /// Whether it has no bit.
    fn is_zero(self) -> bool;

    /// Every lane gets what is `steps` stacks on; behind the last of `stacks` comes the first.
    fn turn_stacks(self, stacks: usize, steps: usize) -> Self;

    /// Every lane gets what is `steps` bands on; behind the last of `bands` comes the first.
    fn turn_bands(self, bands: usize, steps: usize) -> Self;
}

/// Plain words: any machine, and the twin that the others are held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Plain<W, const LANES: usize, const GROUP: usize>([W; LANES]);

macro_rules! plain {
    ($word:ty, $lanes:literal, $group:literal) => {
        impl Vector for Plain<$word, $lanes, $group> {
            type Word = $word;
            const LANES: usize = $lanes;
            const GROUP: usize = $group;

            #[inline(always)]
            fn load(words: &[$word]) -> Self {
                let mut lanes = [0; $lanes];
                lanes.copy_from_slice(&words[..$lanes]);
                Plain(lanes)
            }

            #[inline(always)]
            fn store(self, words: &mut [$word]) {
                words[..$lanes].copy_from_slice(&self.0);
            }

            #[inline(always)]
            fn zero() -> Self {
                Plain([0; $lanes])
            }

            #[inline(always)]
            fn splat(word: $word) -> Self {
                Plain([word; $lanes])
            }

            #[inline(always)]
            fn equal(mut self, other: Self) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] = if self.0[lane] == other.0[lane] { <$word>::MAX } else { 0 };
                }
                self
            }

            #[inline(always)]
            fn and(mut self, other: Self) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] &= other.0[lane];
                }
                self
            }

            #[inline(always)]
            fn or(mut self, other: Self) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] |= other.0[lane];
                }
                self
            }

            #[inline(always)]
            fn without(mut self, other: Self) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] &= !other.0[lane];
                }
                self
            }

            #[inline(always)]
            fn peel(mut self) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] &= self.0[lane].wrapping_sub(1);
                }
                self
            }

            #[inline(always)]
            fn empty(mut self) -> Self {
                for lane in 0..$lanes {
                    self.0[lane] = if self.0[lane] == 0 { <$word>::MAX } else { 0 };
                }
                self
            }

            #[inline(always)]
            fn tops(self) -> u64 {
                let mut tops = 0;
                for lane in 0..$lanes {
                    tops |= u64::from(self.0[lane] >> (<$word>::BITS - 1)) << lane;
                }
                tops
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                let mut bits = 0;
                for lane in 0..$lanes {
                    bits |= self.0[lane];
                }
                bits == 0
            }

            #[inline(always)]
            fn turn_stacks(self, stacks: usize, steps: usize) -> Self {
                let mut turned = Self::zero();
                for lane in 0..$lanes {
                    let (band, stack) = (lane / $group, lane % $group);
                    if stack < stacks {
                        turned.0[lane] = self.0[band * $group + (stack + steps) % stacks];
                    }
                }
                turned
            }

            #[inline(always)]
            fn turn_bands(self, bands: usize, steps: usize) -> Self {
                let mut turned = Self::zero();
                for lane in 0..bands * $group {
                    turned.0[lane] = self.0[(lane + steps * $group) % (bands * $group)];
                }
                turned
            }
        }
    };
}

plain!(u16, 16, 4);
plain!(u32, 40, 8);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words<V: Vector>(vector: V) -> Vec<u32> {
        let mut words = [V::Word::default(); MOST_LANES];
        vector.store(&mut words);
        words[..V::LANES].iter().map(|&word| word.into()).collect()
    }

    /// Both do the same with the same lanes, those to spare empty.
    fn agree<A: Vector, B: Vector<Word = A::Word>>(one: &[u32], other: &[u32], bands: usize, stacks: usize) {
        let is_block = |lane: usize| lane / A::GROUP < bands && lane % A::GROUP < stacks;
        let blocks = |bits: &[u32]| -> Vec<A::Word> {
            (0..A::LANES).map(|lane| A::Word::of(if is_block(lane) { bits[lane] } else { 0 })).collect()
        };
        let (one, other) = (blocks(one), blocks(other));
        let (a, b, c, d) = (A::load(&one), A::load(&other), B::load(&one), B::load(&other));
        assert_eq!((A::LANES, A::GROUP), (B::LANES, B::GROUP));
        assert_eq!(words(a), words(c));
        assert_eq!(words(A::splat(one[0])), words(B::splat(one[0])));
        assert_eq!(words(a.and(b)), words(c.and(d)));
        assert_eq!(words(a.or(b)), words(c.or(d)));
        assert_eq!(words(a.without(b)), words(c.without(d)));
        assert_eq!(words(a.peel()), words(c.peel()));
        assert_eq!(words(a.empty()), words(c.empty()));
        assert_eq!(words(a.equal(b)), words(c.equal(d)));
        assert_eq!(a.empty().tops(), c.empty().tops());
        assert_eq!((a.is_zero(), A::zero().is_zero()), (c.is_zero(), true));
        for step in 1..stacks {
            assert_eq!(words(a.turn_stacks(stacks, step)), words(c.turn_stacks(stacks, step)));
        }
        for step in 1..bands {
            assert_eq!(words(a.turn_bands(bands, step)), words(c.turn_bands(bands, step)));
        }
    }

    #[test]
    fn lanes_turn_within_their_bands_and_stacks() {
        let numbers: Vec<u16> =
            (0..16).map(|lane| if lane % 4 < 3 && lane < 12 { lane } else { 0 }).collect();
        let vector = Plain::<u16, 16, 4>::load(&numbers);
        assert_eq!(words(vector.turn_stacks(3, 1))[..12], [1, 2, 0, 0, 5, 6, 4, 0, 9, 10, 8, 0]);
        assert_eq!(words(vector.turn_bands(3, 2))[..12], [8, 9, 10, 0, 0, 1, 2, 0, 4, 5, 6, 0]);
    }

    proptest! {
        #[test]
        fn vectors_do_what_plain_words_do(
            one in prop::array::uniform32(any::<u32>()),
            mask in prop::array::uniform32(any::<u32>()),
        ) {
            let fill = |few: [u32; 32]| -> Vec<u32> {
                (0..MOST_LANES).map(|lane| few[lane % 32].rotate_left(lane as u32 / 32)).collect()
            };
            // Many lanes equal, many with few bits.
            let mix = |(&bits, mask): (&u32, u32)| if mask & 1 == 0 { bits } else { bits & mask };
            let few = |bits: &u32| if bits & 3 == 0 { 0 } else { bits & bits.rotate_left(7) & bits.rotate_left(13) };
            let one = fill(one);
            let other: Vec<u32> = one.iter().zip(fill(mask)).map(mix).collect();
            let sparse: Vec<u32> = other.iter().map(few).collect();
            #[cfg(target_arch = "x86_64")]
            if crate::engine::Isa::Avx2.is_available() {
                use super::super::x86::{Large, Small};
                for (bands, stacks) in [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4)] {
                    agree::<Small, Plain<u16, 16, 4>>(&one, &other, bands, stacks);
                    agree::<Small, Plain<u16, 16, 4>>(&sparse, &one, bands, stacks);
                }
                agree::<Large, Plain<u32, 40, 8>>(&one, &other, 5, 5);
                agree::<Large, Plain<u32, 40, 8>>(&sparse, &one, 5, 5);
            }
        }
    }
}
