//! Narrow masks: one lane of `L` bits an item, `N` vectors in all.
//!
//! ```text
//! lane              T0000000 01011010     uncovered, four options left
//! peeled            T0000000 01011000     lane & (lane - 1): the lowest option gone
//! T0000000 00000000                       the top alone: no option left
//! 00000000 00000000                       covered
//! ```
//! 1. One scan finds everything: a lane that is only its top bit is a contradiction, a lane that is only its top bit
//!    after peeling is forced, and if all lanes are empty the state is a solution.
//! 2. The scan is part of choosing: it applies the row, and writes the state on the way.
//! 3. All lanes forced in one scan are taken before the next scan. A lane is read again before it is taken, because
//!    an option taken just before may have covered or emptied it. The row of the last one waits for the next scan.
//! 4. The item with the fewest options, the first one on ties, is found without counting: all lanes are peeled until
//!    one is only its top bit. That takes as many rounds as the item has options, mostly two.

use std::marker::PhantomData;

use galop_simd::Lanes;

use super::search::{Branches, Node, Outcome, Trail};
use super::table::{Rows, word};
use crate::OptionId;

/// The narrow search.
#[derive(Clone, Debug)]
pub(super) struct Narrow<V, const L: usize, const N: usize>(PhantomData<V>);

/// What a scan found.
struct Scan<V: Lanes, const N: usize> {
    /// Lanes with no option.
    contradictory: V::Hits,
    /// Lanes with one option.
    forced: V::Hits,
    /// The forced lanes of each vector; used if [`Lanes::HAS_BITS`].
    bits: [u32; N],
    /// The OR of all vectors of the state.
    union: V,
}

impl<V: Lanes, const L: usize, const N: usize> Node for Narrow<V, L, N> {
    type V = V;

    #[inline(always)]
    fn vectors(&self) -> usize {
        N
    }

    #[inline(always)]
    fn descend(
        &mut self,
        rows: Rows<'_, V>,
        parent: &[V],
        option: OptionId,
        child: &mut [V],
        trail: &mut Trail<'_>,
    ) -> Outcome {
        let (Some(parent), Some(child)) = (parent.first_chunk::<N>(), child.first_chunk_mut::<N>()) else {
            return Outcome::Contradiction;
        };
        let Some(row) = rows.row_of::<N>(option.0) else { return Outcome::Contradiction };
        let mut scan = Self::scan(Some(parent), row, child);
        while !V::is_any(scan.contradictory) {
            if !V::is_any(scan.forced) {
                return if scan.union.is_zero() { Outcome::Solved } else { Self::choose(child) };
            }
            let Some(last) = Self::force(rows, child, &scan.bits, trail) else { break };
            scan = Self::scan(None, last, child);
        }
        Outcome::Contradiction
    }
}

impl<V: Lanes, const L: usize, const N: usize> Narrow<V, L, N> {
    /// The narrow search.
    pub(super) fn new() -> Self {
        Narrow(PhantomData)
    }

    /// Writes `parent & row`, or `child & row` if there is no parent, to `child`, and looks at every lane.
    #[inline(always)]
    fn scan(parent: Option<&[V; N]>, row: &[V; N], child: &mut [V; N]) -> Scan<V, N> {
        let (mut contradictory, mut forced, mut union) = (V::no_hits(), V::no_hits(), V::ZERO);
        let mut bits = [0; N];
        for at in 0..N {
            let before = match parent {
                Some(parent) => parent[at],
                None => child[at],
            };
            let lanes = before & row[at];
            child[at] = lanes;
            union |= lanes;
            contradictory = V::either(contradictory, lanes.tops::<L>());
            let hits = lanes.peel::<L>().tops::<L>();
            forced = V::either(forced, hits);
            if V::HAS_BITS {
                bits[at] = V::bits::<L>(hits);
            }
        }
        Scan { contradictory, forced, bits, union }
    }

    /// Takes the option of every lane that has only one. Returns the row of the last of them, which the caller must
    /// apply; `None` if there is a contradiction.
    #[inline(always)]
    fn force<'a>(
        rows: Rows<'a, V>,
        child: &mut [V; N],
        forced: &[u32; N],
        trail: &mut Trail<'_>,
    ) -> Option<&'a [V; N]> {
        let mut last: Option<&[V; N]> = None;
        for at in 0..N {
            let mut bits =
                if V::HAS_BITS { forced[at] } else { V::bits::<L>(child[at].peel::<L>().tops::<L>()) };
            while bits != 0 {
                let lane = V::lane_of::<L>(bits.trailing_zeros());
                bits &= bits - 1;
                let first = (at * V::WORDS * 64 + lane * L) as u32;
                let left = lane_at::<V, L>(child, first) & last.map_or(!0, |row| lane_at::<V, L>(row, first));
                if left == 0 {
                    continue;
                }
                let options = left & !(1 << (L - 1));
                if options == 0 {
                    return None;
                }
                if let Some(last) = last {
                    for at in 0..N {
                        child[at] &= last[at];
                    }
                }
                let option = rows.option_of[(first + options.trailing_zeros()) as usize];
                trail.push(OptionId(option));
                last = rows.row_of::<N>(option);
            }
        }
        last
    }

    /// The lane with the fewest options; every uncovered one has at least two.
    #[inline(always)]
    fn choose(state: &[V; N]) -> Outcome {
        let mut peeled = [V::ZERO; N];
        for at in 0..N {
            let lanes = state[at].peel::<L>().peel::<L>();
            let hits = lanes.tops::<L>();
            if V::is_any(hits) {
                return Self::branches(state, at, hits, 2);
            }
            peeled[at] = lanes;
        }
        for round in 3..L as u32 {
            for (at, peeled) in peeled.iter_mut().enumerate() {
                let lanes = peeled.peel::<L>();
                let hits = lanes.tops::<L>();
                if V::is_any(hits) {
                    return Self::branches(state, at, hits, round);
                }
                *peeled = lanes;
            }
        }
        Outcome::Contradiction
    }

    #[inline(always)]
    fn branches(state: &[V; N], at: usize, hits: V::Hits, degree: u32) -> Outcome {
        let lane = V::lane_of::<L>(V::bits::<L>(hits).trailing_zeros());
        let place = (at * V::WORDS * 64 + lane * L) as u32;
        let untried = lane_at::<V, L>(state, place) & !(1 << (L - 1));
        Outcome::Open(Branches { untried, place, words_after: 0, degree })
    }
}

/// The lane whose lowest place is `place`.
#[inline(always)]
fn lane_at<V: Lanes, const L: usize>(state: &[V], place: u32) -> u64 {
    word(state, place) >> (place % 64) & (!0 >> (64 - L))
}
