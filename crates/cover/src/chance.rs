//! Random numbers that are the same on every machine.
//!
//! The generator is `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
//! 2014), which passes the usual tests of randomness and fits in five lines.

use crate::Natural;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The stream of a seed.
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Puts `things` in a random order. (An order is more likely than another by a part in 2^60 at most.)
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let place = (u128::from(self.word()) * (last as u128 + 1)) >> 64;
            things.swap(last, place as usize);
        }
    }

    /// A number below `bound`, each equally likely; 0 if `bound` is 0.
    ///
    /// It draws as many bits as `bound` has, until the number is below it: at most twice, on average.
    pub(crate) fn below(&mut self, bound: &Natural) -> Natural {
        let bits = bound.bit_length();
        if bits == 0 {
            return Natural::ZERO;
        }
        loop {
            let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| self.word()).collect();
            if let (Some(last), used @ 1..) = (words.last_mut(), bits % 64) {
                *last &= (1 << used) - 1;
            }
            let number = Natural::from_words(&words);
            if number < *bound {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_paper() {
        let mut chance = Chance::new(1_234_567);
        let numbers = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers.map(|_| chance.word()), numbers);
    }

    #[test]
    fn orders_are_equally_likely() {
        let (mut chance, mut times) = (Chance::new(3), std::collections::BTreeMap::new());
        for _ in 0..6000 {
            let mut things = [0, 1, 2];
            chance.shuffle(&mut things);
            *times.entry(things).or_insert(0) += 1;
        }
        assert!(times.len() == 6 && times.values().all(|times| (850..1150).contains(times)), "{times:?}");
        chance.shuffle::<u8>(&mut []);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        let mut chance = Chance::new(5);
        assert_eq!(chance.below(&Natural::ZERO), 0);
        for bound in [1, 2, 3, 10, 1 << 100] {
            let mut times = vec![0_u32; bound.min(10) as usize];
            for _ in 0..1000 * times.len() {
                let number = chance.below(&bound.into()).to_u128().unwrap();
                assert!(number < bound);
                times[(number / bound.div_ceil(10)).min(9) as usize] += 1;
            }
            assert!(times.iter().all(|times| (850..1150).contains(times)), "{bound}: {times:?}");
        }
    }
}
