//! Cells with two candidates: which of them are peers, and what they have in common.
//!
//! ```text
//! slots      | pair 0 | pair 1 | ...
//! words      | its two candidates | ...       then empty words up to whole vectors
//! units      | its row | ...                  a list for each family of units that are apart: rows, columns, ...
//! ```
//! Every pair is compared with all others, a vector of them at once.

use galop_simd::{Kernel, Simd};

use super::blocks::Blocks;
use super::plan::{MOST_FAMILIES, Plan};
use super::word::{Word, lowest};

#[derive(Default)]
pub(super) struct Pairs<W> {
    slots: Vec<u16>,
    words: Vec<W>,
    units: [Vec<W>; MOST_FAMILIES],
    shared: Vec<Shared>,
}

/// What a pair has in common with its peers that are pairs too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// Peers with the lower candidate and not the other one.
    pub(super) low: u32,
    /// Peers with the higher candidate and not the other one.
    pub(super) high: u32,
    /// Peers with both candidates, counting itself.
    pub(super) both: u32,
}

impl<W: Word> Pairs<W> {
    pub(super) fn slots(&mut self) -> &mut Vec<u16> {
        &mut self.slots
    }

    pub(super) fn slot(&self, pair: usize) -> usize {
        usize::from(self.slots[pair])
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The candidates of a pair.
    pub(super) fn candidates(&self, pair: usize) -> u32 {
        self.words[pair].into()
    }

    /// What a pair has in common with the others.
    pub(super) fn shared(&self, pair: usize) -> Shared {
        self.shared[pair]
    }

    /// Compares the pairs of the slots.
    pub(super) fn compare<S: Simd, B: Blocks<Word = W>>(&mut self, plan: &Plan, words: &[W]) {
        self.read(plan, words, B::LANES);
        self.shared.clear();
        match plan.families().len() {
            2 => S::run(Compare::<B, 2>(self)),
            3 => S::run(Compare::<B, 3>(self)),
            4 => S::run(Compare::<B, 4>(self)),
            5 => S::run(Compare::<B, 5>(self)),
            _ => S::run(Compare::<B, MOST_FAMILIES>(self)),
        }
    }

    /// Reads the words of the slots.
    fn read(&mut self, plan: &Plan, words: &[W], lanes: usize) {
        let len = self.slots.len().next_multiple_of(lanes);
        self.words.clear();
        self.words.extend(self.slots.iter().map(|&slot| words[usize::from(slot)]));
        self.words.resize(len, W::default());
        for (units, family) in self.units.iter_mut().zip(plan.families()) {
            units.clear();
            units.extend(self.slots.iter().map(|&slot| W::of(u32::from(family[usize::from(slot)]))));
            units.resize(len, W::default());
        }
    }
}

/// Compares every pair with all of them; `F` families of units.
struct Compare<'p, B: Blocks, const F: usize>(&'p mut Pairs<B::Word>);

impl<B: Blocks, const F: usize> Kernel for Compare<'_, B, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Pairs { slots, words, units, shared } = self.0;
        for pair in 0..slots.len() {
            let candidates: u32 = words[pair].into();
            let both = B::splat(words[pair]);
            let low = B::splat(B::Word::of(lowest(candidates)));
            let high = both.without(low);
            let mut own = [both; F];
            for family in 0..F {
                own[family] = B::splat(units[family][pair]);
            }
            let mut here = Shared::default();
            for start in (0..words.len()).step_by(B::LANES) {
                let mut is_peer = B::zero();
                for family in 0..F {
                    is_peer = is_peer.or(B::load(&units[family][start..]).equal(own[family]));
                }
                let common = B::load(&words[start..]).and(both).and(is_peer);
                here.low += common.equal(low).tops().count_ones();
                here.high += common.equal(high).tops().count_ones();
                here.both += common.equal(both).tops().count_ones();
            }
            shared.push(here);
        }
    }
}
