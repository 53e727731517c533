//! Random numbers that are the same in every run.

/// A sequence of 64-bit numbers. Source: Marsaglia, "Xorshift RNGs" (2003), the generator with shifts 13, 7 and 17.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The sequence of `seed`. All seeds differ, except that an even seed may share its sequence with an odd one.
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number of the sequence.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }

    /// Puts `things` in a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
