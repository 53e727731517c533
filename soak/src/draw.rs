//! Random indices and seeds.

use galop_engines::chance::Chance;

pub(crate) trait Draw {
    /// A number of `0..bound`, each equally likely.
    fn index(&mut self, bound: usize) -> usize;

    /// A seed for another generator.
    fn bits(&mut self) -> u64;
}

impl Draw for Chance {
    fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u32) as usize
    }

    fn bits(&mut self) -> u64 {
        u64::from(self.below(1 << 31)) << 31 | u64::from(self.below(1 << 31))
    }
}
