//! Random numbers that are the same on every machine.
//!
//! The generator is `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014),
//! which passes the usual tests of randomness and fits in five lines.

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
}
