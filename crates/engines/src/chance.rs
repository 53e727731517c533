//! Random numbers that are the same on every machine: a separate stream for each puzzle, bounded integers, shuffles.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47,
//! 2021), seeded by `SplitMix64`. Both algorithms have fixed values. The shuffles and ranges of libraries do not:
//! their values may change from one version to the next. So this file has its own, and a test pins their values.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What `SplitMix64` adds to its state before each number.
pub const SPLIT_MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// The random numbers of one puzzle.
#[derive(Debug)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// The random numbers of puzzle `place` of the run `seed`.
    ///
    /// The seed is mixed before the place is added. So two runs with neighbouring seeds do not share puzzles at
    /// shifted places, as they would if seed and place were only added.
    pub fn new(seed: u64, place: u64) -> Chance {
        let run = mix(seed);
        Chance(Xoshiro256PlusPlus::seed_from_u64(mix(run ^ place)))
    }

    /// A random seed for other chance.
    pub fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number of `0..bound`, each equally likely; 0 if `bound` is 0.
    ///
    /// Lemire, "Fast random integer generation in an interval" (ACM TOMACS 29, 2019): the result is the upper half of
    /// `random * bound`. The lower half identifies the few products that would make some numbers likelier; they are
    /// rejected.
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            let random = self.0.next_u64() >> 32;
            let product = random * u64::from(bound);
            let lower = product as u32;
            // The division is needed only where the lower half could be too small.
            if lower >= bound || lower >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (product >> 32) as u32;
            }
        }
    }

    /// Puts `things` in a random order; all orders are equally likely (Fisher and Yates, from the end; Knuth, TAOCP 2,
    /// algorithm 3.4.2 P).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// One step of `SplitMix64`, that is its first number for the seed `value`: every bit of the result depends on every
/// bit of `value`.
#[inline(always)]
pub fn mix(value: u64) -> u64 {
    // Written out, so that it is inlined into loops that draw many numbers.
    let sum = value.wrapping_add(SPLIT_MIX);
    let one = (sum ^ sum >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let two = (one ^ one >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    two ^ two >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values on which every generated file depends. A separate program (in Python, from the descriptions of the
    /// algorithms) computed them.
    #[test]
    fn values_are_pinned() {
        // The first output of the reference splitmix64.c for the state 0.
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        let mut chance = Chance::new(1, 0);
        let numbers: Vec<u32> = (0..12).map(|_| chance.below(6)).collect();
        assert_eq!(numbers, [1, 2, 0, 2, 2, 1, 1, 2, 3, 5, 2, 3]);
        let mut order: Vec<u8> = (1..=9).collect();
        chance.shuffle(&mut order);
        assert_eq!(order, [3, 5, 2, 4, 9, 7, 1, 8, 6]);
        let big: Vec<u32> = (0..3).map(|_| chance.below(u32::MAX)).collect();
        assert_eq!(big, [2_596_625_449, 3_064_879_401, 1_898_332_349]);
    }

    #[test]
    fn seed_and_place_are_different_things() {
        let first = |seed, place| Chance::new(seed, place).below(u32::MAX);
        let all: std::collections::HashSet<u32> =
            (0..30).flat_map(|seed| (0..30).map(move |place| first(seed, place))).collect();
        assert_eq!(all.len(), 900);
    }

    #[test]
    fn numbers_and_shuffles_are_even() {
        let mut chance = Chance::new(7, 7);
        assert_eq!((chance.below(0), chance.below(1)), (0, 0));
        let (mut numbers, mut orders) = ([0u32; 6], std::collections::HashMap::new());
        for _ in 0..60_000 {
            numbers[chance.below(6) as usize] += 1;
            let mut order = [0, 1, 2];
            chance.shuffle(&mut order);
            *orders.entry(order).or_insert(0u32) += 1;
        }
        // 10,000 expected, standard deviation 91.
        assert!(numbers.iter().all(|count| count.abs_diff(10_000) < 500), "{numbers:?}");
        assert_eq!(orders.len(), 6);
        assert!(orders.values().all(|count| count.abs_diff(10_000) < 500), "{orders:?}");
    }

    /// A bound just above half of the range rejects almost every second product: the worst case.
    #[test]
    fn rejection_ends() {
        let mut chance = Chance::new(3, 3);
        assert!((0..1000).all(|_| chance.below((1 << 31) + 1) <= 1 << 31));
    }
}
