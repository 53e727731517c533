//! Branch and bound.
use super::costs::Costs;
use super::list::{Found, List};
use super::prices::Prices;
use super::state::{Mark, State};
use crate::engine::{Contradiction, Meter, Stop};
use crate::{Assumptions, ItemId, OptionId};

/// A choice among the options of one item.
#[derive(Clone, Copy, Debug)]
struct Level {
    mark: Mark,
    /// The item's options in `branches`: the next to try, and the end.
    from: usize,
    next: usize,
    end: usize,
    /// Whether a branch without further options of the item is left, after all others.
    has_none: bool,
    /// The bound of the node.
    bound: i64,
    /// Where its prices are saved.
    saved: usize,
    saved_end: usize,
}

pub(super) struct Search<'p> {
    costs: Costs,
    state: State<'p>,
    prices: Prices,
    list: List,
    limit: i64,
    levels: Vec<Level>,
    branches: Vec<(i64, OptionId)>,
    saved: Vec<(ItemId, i64)>,
    pub(super) tune: [f64; 8],
}

enum Node {
    Cut,
    Cover,
    Branch(i64),
}

impl<'p> Search<'p> {
    pub(super) fn new(problem: &'p crate::ExactCover, rank: super::Rank, most: usize) -> Search<'p> {
        let costs = Costs::new(problem, rank);
        let state = State::new(problem);
        let prices = Prices::new(&state, costs.scaled(), costs.max_price);
        Search { costs, state, prices, list: List::new(most), limit: i64::MAX, levels: Vec::new(), branches: Vec::new(), saved: Vec::new(),
            tune: [300.0, 10.0, 1.0, 0.5, 2.0, 0.0, 0.0, 0.0] }
    }

    pub(super) fn covers(&self) -> &[Found] { self.list.covers() }
    pub(super) fn least(&self, b: i64) -> i128 { self.costs.least(b) }

    pub(super) fn run(&mut self, meter: &mut Meter<'_>) -> Option<Stop> {
        let root = self.state.mark();
        let before = meter.nodes;
        let mut node = self.root();
        let mut restarted = false;
        loop {
            if let Some(stop) = meter.node(self.levels.len()) { return Some(stop); }
            match node {
                Node::Cut => {}
                Node::Cover => {
                    if self.take() && self.tune[7] > 0.0 { eprintln!("{} nodes: {:?}", meter.nodes - before, self.list.covers()[0].cost); }
                }
                Node::Branch(bound) => self.branch(bound),
            }
            if !restarted && !self.list.covers().is_empty() && meter.nodes - before > self.tune[6] as u64 {
                restarted = true;
                self.levels.clear();
                self.branches.clear();
                self.saved.clear();
                self.state.backtrack(root);
                node = self.root();
                continue;
            }
            match self.advance() {
                Some(next) => node = next,
                None => return None,
            }
        }
    }

    fn root(&mut self) -> Node {
        let t = self.tune;
        self.examine(t[0] as u32, 2.0, 12)
    }

    fn examine(&mut self, rounds: u32, pace: f64, patience: u32) -> Node {
        let mut rounds = rounds;
        let mut pace = pace;
        loop {
            if self.state.propagate().is_err() { return Node::Cut; }
            if self.state.live().is_empty() { return Node::Cover; }
            let Ok((bound, changed)) = self.prices.improve(&mut self.state, self.limit, rounds, pace, patience) else { return Node::Cut };
            if self.tune[7] > 1.0 { eprintln!("bound {} live {} depth {}", bound as f64 / (1<<24) as f64, self.state.live().len(), self.levels.len()); }
            if bound > self.limit { return Node::Cut; }
            if !changed { return Node::Branch(bound); }
            rounds = self.tune[4] as u32;
            pace = self.tune[3];
            if rounds == 0 {
                if self.state.propagate().is_err() { return Node::Cut; }
                if self.state.live().is_empty() { return Node::Cover; }
                return Node::Branch(bound);
            }
        }
    }

    fn branch(&mut self, bound: i64) {
        let state = &self.state;
        let key = |&&item: &&ItemId| (state.counts[item as usize] - state.need(item), item);
        let primary = state.problem.primary_count() as u32;
        let Some(&item) = state.open().iter().filter(|&&item| item < primary).min_by_key(key) else { return };
        let from = self.branches.len();
        for &option in state.live() {
            if state.problem.option(option).iter().any(|t| t.item == item) {
                self.branches.push((self.prices.reduced[option as usize], option));
            }
        }
        self.branches[from..].sort_unstable();
        let saved = self.saved.len();
        self.prices.save(&self.state, &mut self.saved);
        self.levels.push(Level { mark: self.state.mark(), from, next: from, end: self.branches.len(), has_none: state.need(item) == 0, bound, saved, saved_end: self.saved.len() });
    }

    fn advance(&mut self) -> Option<Node> {
        loop {
            let level = self.levels.last_mut()?;
            self.state.backtrack(level.mark);
            if level.next > level.from {
                self.state.exclude(self.branches[level.next - 1].1, &mut level.mark);
            }
            if level.next == level.end && level.has_none && level.bound <= self.limit {
                level.has_none = false;
                self.prices.restore(&self.saved[level.saved..level.saved_end]);
                let t = self.tune;
                return Some(self.examine(t[1] as u32, t[2], 0));
            }
            if level.next >= level.end || level.bound + self.branches[level.next].0.max(0) > self.limit && !level.has_none {
                self.branches.truncate(level.from);
                self.saved.truncate(level.saved);
                self.levels.pop();
                continue;
            }
            let (reduced, option) = self.branches[level.next];
            level.next += 1;
            if level.bound + reduced.max(0) > self.limit { continue; }
            self.prices.restore(&self.saved[level.saved..level.saved_end]);
            self.state.choose(option);
            let t = self.tune;
            return Some(self.examine(t[1] as u32, t[2], 0));
        }
    }

    fn take(&mut self) -> bool {
        let mut options = self.state.chosen.clone();
        options.sort_unstable();
        let cost = self.costs.sum(&options);
        let added = self.list.add(Found { cost, options });
        if added && let Some(last) = self.list.last() {
            self.limit = self.costs.limit(last.cost);
            if self.tune[5] < 0.0 { self.limit = self.costs.limit(last.cost - 1); }
        }
        added
    }
}
