//! Narrow masks: one lane of `L` bits an item, `N` vectors in all.
//!
//! ```text
//! lane              T0000000 01011010     uncovered, four options left
//! peeled            T0000000 01011000     lane & (lane - 1): the lowest option gone
//! T0000000 00000000                       the top alone: no option left
//! 00000000 00000000                       covered
//! ```
//! 1. One scan finds all there is to know: a lane that is the top alone is dead, one that is when peeled is forced,
//!    and all lanes empty are a solution.
//! 2. The scan is part of choosing: it applies the row, and writes the state on the way.
//! 3. All lanes forced in one scan are taken before the next one. A lane is read again before that, as an option
//!    taken a moment ago may have covered it, or emptied it. The row of the last one waits for the next scan.
//! 4. The item with the fewest options, the first one on ties, is found without counting: peel all lanes until one
//!    is at its top. It takes as many rounds as that item has options, mostly two.

use std::marker::PhantomData;

use galop_simd::Lanes;

use super::search::{Branches, Node, Outcome, Trail};
use super::table::{Rows, word};
use crate::OptionId;

/// The kernel.
#[derive(Clone, Debug)]
pub(super) struct Narrow<V, const L: usize, const N: usize>(PhantomData<V>);

/// What a scan found.
struct Scan<V: Lanes, const N: usize> {
    /// Lanes with no option.
    dead: V::Hits,
    /// Lanes with one.
    forced: V::Hits,
    /// The same, vector by vector, where that is cheap.
    bits: [u32; N],
    /// All lanes over each other.
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
            return Outcome::Dead;
        };
        let Some(row) = rows.row_of::<N>(option) else { return Outcome::Dead };
        let mut scan = Self::scan(Some(parent), row, child);
        while !V::is_any(scan.dead) {
            if !V::is_any(scan.forced) {
                return if scan.union.is_zero() { Outcome::Solved } else { Self::choose(child) };
            }
            let Some(last) = Self::force(rows, child, &scan.bits, trail) else { break };
            scan = Self::scan(None, last, child);
        }
        Outcome::Dead
    }
}

impl<V: Lanes, const L: usize, const N: usize> Narrow<V, L, N> {
    /// The kernel.
    pub(super) fn new() -> Self {
        Narrow(PhantomData)
    }

    /// Applies `row` to `parent`, or into `child` itself, and looks at every lane.
    #[inline(always)]
    fn scan(parent: Option<&[V; N]>, row: &[V; N], child: &mut [V; N]) -> Scan<V, N> {
        let (mut dead, mut forced, mut union) = (V::no_hits(), V::no_hits(), V::ZERO);
        let mut bits = [0; N];
        for at in 0..N {
            let before = match parent {
                Some(parent) => parent[at],
                None => child[at],
            };
            let lanes = before & row[at];
            child[at] = lanes;
            union |= lanes;
            dead = V::either(dead, lanes.tops::<L>());
            let hits = lanes.peel::<L>().tops::<L>();
            forced = V::either(forced, hits);
            if V::HAS_BITS {
                bits[at] = V::bits::<L>(hits);
            }
        }
        Scan { dead, forced, bits, union }
    }

    /// Takes the option of every lane that has only one: the row of the last of them, which is yet to be applied.
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
                trail.push(option);
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
        Outcome::Dead
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
