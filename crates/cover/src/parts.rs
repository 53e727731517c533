//! Cuts a problem into parts of about equal work, for searches on several machines.
//!
//! Dancing links search each leaf for some nodes. Their share of the leaf tells how large it is. The largest leaf is
//! split where the search would split it: at its first choice, an option is chosen or forbidden. It ends with a hundred
//! leaves for each part, or fewer if that would take too long ([`shards`](crate::shards)). The leaves are dealt, the
//! largest first, to the part that has least. All this depends on the problem and the number of parts alone, so that
//! each machine finds the same parts.
//!
//! If the option chosen has an item that is covered once, the leaf forbids the item's other options instead. Then
//! [`Choice::Auto`](crate::Choice::Auto) counts the leaf with memory, as it would count the whole problem.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;

use galop_simd::Isa;

use crate::engine::{CoverEngine, Event, LINKS, Meter};
use crate::problem::{Use, has_option};
use crate::{Assumptions, Bounds, CoverError, ExactCover, Natural, OptionId};

/// Leaves for each part. The largest of 4, 10 and 20 parts of pentominoes 6x10 has 1.2, 1.8 and 1.2 times the mean.
pub(crate) const LEAVES: usize = 100;
/// Nodes searched to estimate a leaf. (With 256, these parts had 1.5, 1.8 and 2.6 times the mean; with 1,000 they are
/// found in twice the time.)
const TRIAL_NODES: u64 = 500;
/// Work for all leaves: no more are split then. Only large problems reach it, after some seconds.
const MOST_WORK: u64 = 10_000_000;
/// Leaves, and nodes searched for each, where only the size of the search is estimated: in some milliseconds. (From the
/// root alone, a rare large branch would be missed.)
const FEW_LEAVES: usize = 64;
const FEW_NODES: u64 = 64;
/// Terms that are put into lists in the time of a node.
const TERMS_PER_NODE: usize = 32;
/// Splits for each leaf that is needed, if leaves end without a solution.
const SPLITS: usize = 4;

impl ExactCover {
    /// Cuts the solutions that fit `assumptions` into `count` parts, whose searches take about equally long. Every
    /// solution fits exactly one of the assumptions of one part. The parts are always the same. A part may be empty.
    ///
    /// ```
    /// use std::num::NonZero;
    /// use galop_cover::{Assumptions, CoverLimits, models};
    ///
    /// let queens = models::queens(8)?;
    /// let mut solver = queens.solver()?;
    /// let mut sum = 0;
    /// for part in queens.parts(NonZero::new(3).expect("not 0"), &Assumptions::default())? {
    ///     solver.assume_any(&part)?;
    ///     sum += solver.search(&CoverLimits::NONE).count()?.solutions.to_u128().unwrap_or(0);
    /// }
    /// assert_eq!(sum, 92);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`].
    pub fn parts(
        &self,
        count: NonZero<usize>,
        assumptions: &Assumptions,
    ) -> Result<Vec<Vec<Assumptions>>, CoverError> {
        assumptions.check(self)?;
        Ok(self.deal_leaves(count.get(), count.get().saturating_mul(LEAVES), assumptions))
    }

    /// Cuts the solutions into `count` parts of about `needed` leaves together, within reasonable bounds.
    pub(crate) fn deal_leaves(
        &self,
        count: usize,
        needed: usize,
        assumptions: &Assumptions,
    ) -> Vec<Vec<Assumptions>> {
        let needed = if count == 1 { 1 } else { needed };
        let cutter = Cutter::new(self, TRIAL_NODES);
        deal(
            cutter
                .map_or_else(|| vec![(1, assumptions.clone())], |mut cutter| cutter.cut(needed, assumptions)),
            count,
        )
    }

    /// The estimated size of the search. It depends on the problem and the assumptions alone.
    pub(crate) fn estimate(&self, assumptions: &Assumptions) -> Estimate {
        let Some(mut cutter) = Cutter::new(self, FEW_NODES) else {
            return Estimate { nodes: u64::MAX, work_of_leaf: u64::MAX };
        };
        let nodes =
            cutter.cut(FEW_LEAVES, assumptions).iter().map(|leaf| leaf.0).fold(0, u64::saturating_add);
        Estimate { nodes, work_of_leaf: 2 * (TRIAL_NODES + cutter.work_of_start()) }
    }
}

/// How large a search is expected to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// Nodes.
    pub(crate) nodes: u64,
    /// Work for each leaf of its parts.
    pub(crate) work_of_leaf: u64,
}

/// A subtree of the search, after its size: the estimated number of nodes.
type Leaf = (u64, Assumptions);

struct Cutter<'p> {
    problem: &'p ExactCover,
    engine: Box<dyn CoverEngine>,
    /// The options of each item, and where they start.
    uses: (Vec<Use>, Vec<u32>),
    /// Nodes searched to estimate a leaf.
    nodes: u64,
    /// Nodes searched so far, and what starts took, in nodes.
    work: u64,
}

impl<'p> Cutter<'p> {
    /// `None` if the problem is too large for the engine.
    fn new(problem: &'p ExactCover, nodes: u64) -> Option<Cutter<'p>> {
        let engine = (LINKS.make)(problem, Isa::Portable.into()).ok()?;
        Some(Cutter { problem, engine, uses: problem.uses(), nodes, work: 0 })
    }

    /// Work to start a search, in nodes.
    fn work_of_start(&self) -> u64 {
        1 + (self.problem.term_count() / TERMS_PER_NODE) as u64
    }

    fn cut(&mut self, needed: usize, assumptions: &Assumptions) -> Vec<Leaf> {
        let mut leaves = vec![(1, assumptions.clone())];
        let mut largest = BinaryHeap::from([(1, Reverse(0))]);
        for _ in 0..needed.saturating_mul(SPLITS) {
            if largest.len() >= needed || self.work > MOST_WORK {
                break;
            }
            let Some((_, Reverse(place))) = largest.pop() else { break };
            let Some([chosen, forbidden]) = self.split(&leaves[place].1) else { continue };
            leaves[place] = chosen;
            leaves.push(forbidden);
            for place in [place, leaves.len() - 1] {
                if leaves[place].0 > 0 {
                    largest.push((leaves[place].0, Reverse(place)));
                }
            }
        }
        leaves.retain(|leaf| leaf.0 > 0);
        leaves
    }

    /// The branches in which the first option that a search chooses is chosen, and is forbidden; `None` if there is no
    /// choice.
    fn split(&mut self, leaf: &Assumptions) -> Option<[Leaf; 2]> {
        self.engine.start(leaf);
        self.engine.next(&mut Meter::new(1, None, None));
        let option = *self.engine.split()?.forbidden.last()?;
        let (mut chosen, mut forbidden) = (leaf.clone(), leaf.clone());
        forbidden.forbidden.push(option);
        let others = |item: usize| {
            let [start, end] = [item, item + 1].map(|item| self.uses.1[item] as usize);
            self.uses.0[start..end].iter().map(|other| OptionId(other.option))
        };
        let terms = self.problem.option(option).iter();
        let once = terms.filter(|term| {
            term.item.index() < self.problem.primary_count() && self.problem.bounds(term.item) == Bounds::ONCE
        });
        match once.map(|term| term.item.index()).min_by_key(|&item| others(item).len()) {
            Some(item) => chosen
                .forbidden
                .extend(others(item).filter(|&other| other != option && !has_option(&leaf.forbidden, other))),
            None => chosen.chosen.push(option),
        }
        Some([chosen, forbidden].map(|assumptions| (self.size(&assumptions), assumptions)))
    }

    /// The estimated number of nodes of a subtree; 0 if it has no solution.
    fn size(&mut self, assumptions: &Assumptions) -> u64 {
        self.engine.start(assumptions);
        let (mut meter, mut found) = (Meter::new(self.nodes, None, None), Natural::ZERO);
        let event = loop {
            match self.engine.count(&mut meter, &mut found) {
                Some(Event::Solution) => {}
                event => break event,
            }
        };
        self.work += self.work_of_start() + meter.nodes;
        match event {
            Some(Event::Stopped(_)) => (meter.nodes as f64 / self.engine.progress()) as u64,
            _ if found == 0 => 0,
            _ => meter.nodes,
        }
    }
}

/// Deals leaves to parts: each, the largest first, to the part that has least.
fn deal(mut leaves: Vec<Leaf>, count: usize) -> Vec<Vec<Assumptions>> {
    leaves.sort_by_key(|leaf| Reverse(leaf.0));
    let mut parts: BinaryHeap<_> = (0..count).map(|part| Reverse((0_u64, part))).collect();
    let mut dealt = vec![Vec::new(); count];
    for (size, leaf) in leaves {
        let Some(mut least) = parts.peek_mut() else { break };
        least.0.0 = least.0.0.saturating_add(size);
        dealt[least.0.1].push(leaf);
    }
    dealt
}
