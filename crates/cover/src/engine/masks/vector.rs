//! Vectors: what the scans need of them.
//!
//! Memory holds [`Block`]s of plain words; a kernel loads them into vectors and stores them again. A vector is
//! also a row of lanes of `L` = 16, 32 or 64 bits, lane 0 in the lowest bits of word 0:
//! ```text
//! bit    63        48 47        32 31        16 15         0
//! L = 16 |   lane 3   |   lane 2   |   lane 1   |   lane 0  |   of word 0; word 1 goes on with lane 4
//! ```
//! What a comparison finds are [`Vector::Hits`], in whatever form the machine likes: a vector or a bit mask.
//!
//! The functions are small and always inlined, so that they are compiled for the instruction set of the door
//! (see [`machine`](super::machine)) around them. Closures would not be.

/// Memory of one vector.
pub(super) trait Block: Copy + Send + Sync + 'static {
    /// 64-bit words of it.
    const WORDS: usize;
    /// No bit.
    const ZERO: Self;
    /// Every bit.
    const ONES: Self;

    /// Its words, lowest lane first.
    fn words(&self) -> &[u64];

    /// Its words, to be changed.
    fn words_mut(&mut self) -> &mut [u64];
}

macro_rules! block {
    ($block:ident, $words:literal, $align:literal, $about:literal) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(C, align($align))]
        pub(super) struct $block(pub(super) [u64; $words]);

        impl Block for $block {
            const WORDS: usize = $words;
            const ZERO: Self = $block([0; $words]);
            const ONES: Self = $block([!0; $words]);

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            #[inline(always)]
            fn words_mut(&mut self) -> &mut [u64] {
                &mut self.0
            }
        }
    };
}

block!(Quad, 4, 32, "256 bits.");
block!(Oct, 8, 64, "512 bits.");

/// One vector in registers, as lanes of `L` bits.
pub(super) trait Vector: Copy + Send + 'static {
    /// What it is in memory.
    type Block: Block;
    /// Lanes that a comparison found.
    type Hits: Copy;

    /// Takes it from memory.
    fn load(block: &Self::Block) -> Self;

    /// Puts it into memory.
    fn store(self, block: &mut Self::Block);

    /// `value` in every 64-bit lane.
    fn splat(value: u64) -> Self;

    /// Bits in both.
    fn and(self, other: Self) -> Self;

    /// Bits in either.
    fn or(self, other: Self) -> Self;

    /// Whether it has no bit.
    fn is_zero(self) -> bool;

    /// Every lane without its lowest bit; empty lanes stay empty. Lanes are empty or have their top bit.
    fn peel<const L: usize>(self) -> Self;

    /// The lanes that have their top bit and no other.
    fn tops<const L: usize>(self) -> Self::Hits;

    /// No lane.
    fn no_hits() -> Self::Hits;

    /// Lanes found by either.
    fn either(one: Self::Hits, other: Self::Hits) -> Self::Hits;

    /// Whether any lane was found.
    fn is_any(hits: Self::Hits) -> bool;

    /// Whether [`bits`](Vector::bits) is an instruction, so that it need not be put off until there are hits.
    const HAS_BITS: bool;

    /// A bit for each lane that was found, lowest lane first.
    fn bits<const L: usize>(hits: Self::Hits) -> u32;

    /// Which lane a bit of [`bits`](Vector::bits) stands for.
    fn lane_of<const L: usize>(bit: u32) -> usize;

    /// Bits, counted in parts that [`sum`](Vector::sum) adds up; parts of up to [`PARTS`](Vector::PARTS) vectors may
    /// be added before that.
    fn count_parts(self) -> Self;

    /// How many parts may be added.
    const PARTS: usize;

    /// The sum of two of them.
    fn add_parts(self, other: Self) -> Self;

    /// How many bits every 64-bit lane had.
    fn sum(parts: Self) -> Self;

    /// The sum of two sums.
    fn add_counts(self, other: Self) -> Self;

    /// The 64-bit lanes in which both are equal.
    fn equal(self, other: Self) -> Self::Hits;

    /// For counts: `(count - 1) << 16 | group` in every 64-bit lane, of which the low half is a key.
    fn key(self, group: u32) -> Self;

    /// The smaller of the low halves of every 64-bit lane.
    fn min_keys(self, other: Self) -> Self;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::words::Words;
    use super::*;

    /// The lanes of `words`.
    fn lanes<const L: usize>(words: &[u64]) -> Vec<u64> {
        let parts = words.iter().flat_map(|word| (0..64 / L).map(move |lane| word >> (lane * L)));
        parts.map(|lane| lane & (!0 >> (64 - L))).collect()
    }

    fn vector<V: Vector>(words: &[u64]) -> V {
        let mut block = V::Block::ZERO;
        block.words_mut().copy_from_slice(&words[..V::Block::WORDS]);
        V::load(&block)
    }

    fn words<V: Vector>(vector: V) -> Vec<u64> {
        let mut block = V::Block::ZERO;
        vector.store(&mut block);
        block.words().to_vec()
    }

    fn found<V: Vector, const L: usize>(hits: V::Hits) -> Vec<usize> {
        let bits = V::bits::<L>(hits);
        assert_eq!(V::is_any(hits), bits != 0);
        (0..32).filter(|bit| bits >> bit & 1 == 1).map(V::lane_of::<L>).collect()
    }

    fn which(lanes: &[u64], is_hit: impl Fn(u64) -> bool) -> Vec<usize> {
        (0..lanes.len()).filter(|&lane| is_hit(lanes[lane])).collect()
    }

    /// Lanes that are empty or have their top bit, few others.
    fn state<const L: usize>(one: &[u64; 8], other: &[u64; 8], kinds: &[u64; 8]) -> Vec<u64> {
        let (top, low) = (1_u64 << (L - 1), !0 >> (65 - L));
        let mut words = vec![0; 8];
        for lane in 0..512 / L {
            let (at, shift) = (lane * L / 64, lane * L % 64);
            let lane = match kinds[at] >> (lane % 16 * 3) & 7 {
                0 | 1 => 0,
                2 => top,
                3 => top | 1 << ((one[at] >> 40) % (L as u64 - 1)),
                4 => top | (one[at] >> shift & low),
                _ => top | (one[at] & other[at] & other[at].rotate_left(7)) >> shift & low,
            };
            words[at] |= lane << shift;
        }
        words
    }

    fn agrees<V: Vector, const L: usize>(state: &[u64]) {
        let lanes = lanes::<L>(&state[..V::Block::WORDS]);
        let peeled: Vec<u64> = lanes.iter().map(|&lane| lane & lane.wrapping_sub(1)).collect();
        let vector = vector::<V>(state);
        assert_eq!(self::lanes::<L>(&words(vector.peel::<L>())), peeled);
        let top = 1 << (L - 1);
        assert_eq!(found::<V, L>(vector.tops::<L>()), which(&lanes, |lane| lane == top));
        assert_eq!(found::<V, L>(vector.peel::<L>().tops::<L>()), which(&peeled, |lane| lane == top));
    }

    fn agrees_on_words<V: Vector>(one: &[u64], other: &[u64]) {
        let (a, b) = (vector::<V>(one), vector::<V>(other));
        let pairs: Vec<(u64, u64)> =
            one.iter().copied().zip(other.iter().copied()).take(V::Block::WORDS).collect();
        let each = |f: fn((u64, u64)) -> u64| pairs.iter().copied().map(f).collect::<Vec<u64>>();
        assert_eq!(words(a.and(b)), each(|(one, other)| one & other));
        assert_eq!(words(a.or(b)), each(|(one, other)| one | other));
        assert_eq!(a.is_zero(), pairs.iter().all(|pair| pair.0 == 0));
        assert!(V::splat(0).is_zero() && !V::is_any(V::no_hits()));
        let equal: Vec<usize> = (0..pairs.len()).filter(|&at| pairs[at].0 == pairs[at].1).collect();
        assert_eq!(found::<V, 64>(a.equal(b)), equal);

        let counts = V::sum(a.count_parts().add_parts(b.count_parts())).add_counts(V::splat(500));
        let expected = each(|(one, other)| u64::from(one.count_ones() + other.count_ones()) + 500);
        assert_eq!(words(counts), expected);
        let keys: Vec<u32> = words(counts.key(77)).iter().map(|&key| key as u32).collect();
        assert_eq!(keys, expected.iter().map(|&count| (count as u32 - 1) << 16 | 77).collect::<Vec<_>>());
        let least: Vec<u32> = words(a.min_keys(b)).iter().map(|&key| key as u32).collect();
        assert_eq!(
            least,
            each(|(one, other)| u64::from((one as u32).min(other as u32)))
                .iter()
                .map(|&key| key as u32)
                .collect::<Vec<_>>()
        );
        assert_eq!(words(V::splat(0).key(3))[0] as u32, 0xFFFF_0003, "nothing left: the largest keys");
    }

    fn agrees_in_all<V: Vector>(words: &[[u64; 8]; 3]) {
        let [one, other, kinds] = words;
        agrees::<V, 16>(&state::<16>(one, other, kinds));
        agrees::<V, 32>(&state::<32>(one, other, kinds));
        agrees::<V, 64>(&state::<64>(one, other, kinds));
        let mut alike = *other;
        alike[2] = one[2];
        agrees_on_words::<V>(one, &alike);
        agrees_on_words::<V>(&[0; 8], other);
        agrees_on_words::<V>(&[!0; 8], &[!0; 8]);
    }

    proptest! {
        #[test]
        fn vectors_do_what_is_done_lane_by_lane(words in any::<[[u64; 8]; 3]>()) {
            agrees_in_all::<Words>(&words);
            #[cfg(target_arch = "x86_64")]
            {
                use super::super::x86::{Ymm, Zmm};
                use galop_simd::Isa;
                if Isa::Avx2.is_available() {
                    agrees_in_all::<Ymm>(&words);
                }
                if Isa::Avx512.is_available() {
                    agrees_in_all::<Zmm>(&words);
                }
            }
        }
    }
}
