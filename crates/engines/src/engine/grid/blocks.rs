//! Vectors with a lane for each block: what sweeps and pairs need of them.
//!
//! A vector has a lane for each block of the grid. The blocks of a band stand in a group of `GROUP` lanes, as many
//! as a machine can shuffle at once; the lanes to spare are always empty.
//! ```text
//! GROUP = 4        band 0      |     band 1      |     band 2      |     band 3
//! lane        0   1   2   3    |  4   5   6   7  |  8   9  10  11  | 12  13  14  15
//! stack       0   1   2  (3)   |  0   1   2  (3) | ...
//! ```
//! There are two of them, made of vectors of 256 bits: [`Small`] and [`Large`].

use galop_simd::Quad;

use super::word::Word;

/// Lanes of the largest vector.
pub(super) const MOST_LANES: usize = 40;

/// A word of candidates for each block.
pub(super) trait Blocks: Copy + Send + 'static {
    /// A lane: bit `symbol - 1`.
    type Word: Word;
    /// Lanes of a vector.
    const LANES: usize;
    /// Lanes of a band.
    const GROUP: usize;

    /// The first [`LANES`](Blocks::LANES) of `words`.
    fn load(words: &[Self::Word]) -> Self;

    /// Replaces the first [`LANES`](Blocks::LANES) of `words`.
    fn store(self, words: &mut [Self::Word]);

    /// No bit.
    fn zero() -> Self;

    /// The same word in every lane.
    fn splat(word: Self::Word) -> Self;

    /// All bits in the lanes that are equal, none in the others.
    fn equal(self, other: Self) -> Self;

    /// Bits in both.
    fn and(self, other: Self) -> Self;

    /// Bits in either.
    fn or(self, other: Self) -> Self;

    /// Bits of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;

    /// Every lane without its lowest bit.
    fn peel(self) -> Self;

    /// All bits in the lanes that have none, none in the others.
    fn empty(self) -> Self;

    /// The top bit of every lane, the lowest lane first.
    fn tops(self) -> u64;

    /// Whether no bit is set.
    fn is_zero(self) -> bool;

    /// Every lane gets the lane `steps` stacks further on; after the last of `stacks` comes the first.
    fn turn_stacks(self, stacks: usize, steps: usize) -> Self;

    /// Every lane gets the lane `steps` bands further on; after the last of `bands` comes the first.
    fn turn_bands(self, bands: usize, steps: usize) -> Self;
}

/// Up to 4 x 4 blocks: 16 lanes of 16 bits, a band in each quarter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Small<V>(V);

impl<V: Quad> Blocks for Small<V> {
    type Word = u16;
    const LANES: usize = 16;
    const GROUP: usize = 4;

    #[inline(always)]
    fn load(words: &[u16]) -> Self {
        Small(V::load(words))
    }

    #[inline(always)]
    fn store(self, words: &mut [u16]) {
        self.0.store(words);
    }

    #[inline(always)]
    fn zero() -> Self {
        Small(V::ZERO)
    }

    #[inline(always)]
    fn splat(word: u16) -> Self {
        Small(V::splat::<16>(u64::from(word)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        Small(self.0.equal_lanes::<16>(other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Small(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Small(self.0 | other.0)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Small(self.0 & !other.0)
    }

    #[inline(always)]
    fn peel(self) -> Self {
        Small(self.0.peel::<16>())
    }

    #[inline(always)]
    fn empty(self) -> Self {
        Small(self.0.equal_lanes::<16>(V::ZERO))
    }

    #[inline(always)]
    fn tops(self) -> u64 {
        u64::from(self.0.signs::<16>())
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    #[inline(always)]
    fn turn_stacks(self, stacks: usize, steps: usize) -> Self {
        /// By stacks and steps: the byte that each byte of half a vector gets; 128 for no byte.
        const FROM: [[[u8; 32]; 4]; 5] = {
            let mut from = [[[0; 32]; 4]; 5];
            let mut at = 0;
            while at < 5 * 4 * 32 {
                let (stacks, steps, byte) = (at / 128, at / 32 % 4, at % 32);
                let (group, stack) = (byte % 16 / 8, byte % 8 / 2);
                from[stacks][steps][byte] = if stack < stacks {
                    (group * 8 + (stack + steps) % stacks * 2 + byte % 2) as u8
                } else {
                    128
                };
                at += 1;
            }
            from
        };
        Small(self.0.shuffle_bytes(&FROM[stacks][steps]))
    }

    #[inline(always)]
    fn turn_bands(self, bands: usize, steps: usize) -> Self {
        Small(match (bands, steps) {
            (2, 1) => self.0.permute64::<0b_11_10_00_01>(),
            (3, 1) => self.0.permute64::<0b_11_00_10_01>(),
            (3, 2) => self.0.permute64::<0b_11_01_00_10>(),
            (4, 1) => self.0.permute64::<0b_00_11_10_01>(),
            (4, 2) => self.0.permute64::<0b_01_00_11_10>(),
            (4, 3) => self.0.permute64::<0b_10_01_00_11>(),
            _ => self.0,
        })
    }
}

/// Bands of a [`Large`].
const BANDS: usize = 5;

/// Up to 5 x 5 blocks: a vector of 8 lanes of 32 bits for each band.
#[derive(Clone, Copy, Debug)]
pub(super) struct Large<V>([V; BANDS]);

/// Band by band.
macro_rules! each {
    ($band:ident => $vector:expr) => {{
        let mut bands = [V::ZERO; BANDS];
        for $band in 0..BANDS {
            bands[$band] = $vector;
        }
        Large(bands)
    }};
}

impl<V: Quad> Blocks for Large<V> {
    type Word = u32;
    const LANES: usize = 8 * BANDS;
    const GROUP: usize = 8;

    #[inline(always)]
    fn load(words: &[u32]) -> Self {
        let words = &words[..Self::LANES];
        each!(band => V::load(&words[8 * band..8 * band + 8]))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words = &mut words[..Self::LANES];
        for band in 0..BANDS {
            self.0[band].store(&mut words[8 * band..8 * band + 8]);
        }
    }

    #[inline(always)]
    fn zero() -> Self {
        Large([V::ZERO; BANDS])
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Large([V::splat::<32>(u64::from(word)); BANDS])
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Self {
        each!(band => self.0[band].equal_lanes::<32>(other.0[band]))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        each!(band => self.0[band] & other.0[band])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        each!(band => self.0[band] | other.0[band])
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        each!(band => self.0[band] & !other.0[band])
    }

    #[inline(always)]
    fn peel(self) -> Self {
        each!(band => self.0[band].peel::<32>())
    }

    #[inline(always)]
    fn empty(self) -> Self {
        each!(band => self.0[band].equal_lanes::<32>(V::ZERO))
    }

    #[inline(always)]
    fn tops(self) -> u64 {
        let mut tops = 0;
        for band in 0..BANDS {
            tops |= u64::from(self.0[band].signs::<32>()) << (8 * band);
        }
        tops
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        let mut any = self.0[0];
        for band in 1..BANDS {
            any |= self.0[band];
        }
        any.is_zero()
    }

    #[inline(always)]
    fn turn_stacks(self, stacks: usize, steps: usize) -> Self {
        /// By steps: the lane that each lane gets. There are as many stacks as bands.
        const FROM: [[u32; 8]; BANDS] = {
            let mut from = [[0; 8]; BANDS];
            let mut at = 0;
            while at < BANDS * 8 {
                let (steps, lane) = (at / 8, at % 8);
                from[steps][lane] = (if lane < BANDS { (lane + steps) % BANDS } else { lane }) as u32;
                at += 1;
            }
            from
        };
        debug_assert_eq!(stacks, BANDS);
        each!(band => self.0[band].permute32(&FROM[steps]))
    }

    #[inline(always)]
    fn turn_bands(self, bands: usize, steps: usize) -> Self {
        debug_assert_eq!(bands, BANDS);
        each!(band => self.0[(band + steps) % BANDS])
    }
}

#[cfg(test)]
mod tests {
    use galop_simd::{Job, Simd};
    use proptest::prelude::*;

    use super::*;

    fn words<B: Blocks>(blocks: B) -> Vec<u32> {
        let mut words = [B::Word::default(); MOST_LANES];
        blocks.store(&mut words);
        words[..B::LANES].iter().map(|&word| word.into()).collect()
    }

    /// Holds the operations to the same ones lane by lane; lanes to spare are empty.
    fn agrees<B: Blocks>(one: &[u32], other: &[u32], bands: usize, stacks: usize) {
        let is_block = |lane: usize| lane / B::GROUP < bands && lane % B::GROUP < stacks;
        let blocks = |bits: &[u32]| -> Vec<u32> {
            (0..B::LANES)
                .map(|lane| if is_block(lane) { B::Word::of(bits[lane]).into() } else { 0 })
                .collect()
        };
        let load = |words: &[u32]| B::load(&words.iter().map(|&word| B::Word::of(word)).collect::<Vec<_>>());
        let (one, other) = (blocks(one), blocks(other));
        let (a, b) = (load(&one), load(&other));
        let all: u32 = B::Word::of(!0).into();
        let each = |f: fn(u32, u32) -> u32| -> Vec<u32> {
            one.iter().zip(&other).map(|(&one, &other)| f(one, other) & all).collect()
        };
        assert_eq!(words(a), one);
        assert_eq!(words(B::splat(B::Word::of(one[0]))), vec![one[0]; B::LANES]);
        assert_eq!(words(a.and(b)), each(|one, other| one & other));
        assert_eq!(words(a.or(b)), each(|one, other| one | other));
        assert_eq!(words(a.without(b)), each(|one, other| one & !other));
        assert_eq!(words(a.peel()), each(|one, _| one & one.wrapping_sub(1)));
        assert_eq!(words(a.empty()), each(|one, _| if one == 0 { !0 } else { 0 }));
        assert_eq!(words(a.equal(b)), each(|one, other| if one == other { !0 } else { 0 }));
        let tops = one.iter().enumerate().map(|(lane, &word)| u64::from(word > all / 2) << lane);
        assert_eq!(a.tops(), tops.sum::<u64>());
        assert_eq!((a.is_zero(), B::zero().is_zero()), (one.iter().all(|&word| word == 0), true));
        for step in 1..stacks {
            let turned = words(a.turn_stacks(stacks, step));
            for (lane, &word) in turned.iter().enumerate().filter(|(lane, _)| is_block(*lane)) {
                let (band, stack) = (lane / B::GROUP, lane % B::GROUP);
                assert_eq!(word, one[band * B::GROUP + (stack + step) % stacks]);
            }
        }
        for step in 1..bands {
            let turned = words(a.turn_bands(bands, step));
            for (lane, &word) in turned.iter().enumerate().filter(|(lane, _)| is_block(*lane)) {
                assert_eq!(word, one[(lane + step * B::GROUP) % (bands * B::GROUP)]);
            }
        }
    }

    struct Agrees<'a>([&'a [u32]; 3]);

    impl Job for Agrees<'_> {
        type Output = ();

        fn run<S: Simd>(self) {
            let [one, other, sparse] = self.0;
            for (bands, stacks) in [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4)] {
                agrees::<Small<S::Quad>>(one, other, bands, stacks);
                agrees::<Small<S::Quad>>(sparse, one, bands, stacks);
            }
            agrees::<Large<S::Quad>>(one, other, 5, 5);
            agrees::<Large<S::Quad>>(sparse, one, 5, 5);
        }
    }

    proptest! {
        #[test]
        fn blocks_do_what_is_done_lane_by_lane(
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
            for isa in galop_testing::available::isas() {
                prop_assert_eq!(isa.run(Agrees([&one, &other, &sparse])), Ok(()));
            }
        }
    }
}
