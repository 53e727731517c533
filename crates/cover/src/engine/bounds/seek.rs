//! Seeks some solution instead of all in order: learnt weights, random choices and restarts.
//!
//! A search in a fixed order that goes wrong near the root looks at millions of hopeless positions. This one begins
//! anew after some nodes. Two kinds of runs take turns; the first is for rosters and sequences, the second for packing:
//! ```text
//!                  item                            option                    nodes of the runs
//! weighted     (slack + 1) / weight, least     the first                 100, in Luby's sequence
//! packing      slack, least                    drawn, large ones first   1,000, slightly more each time
//! ```
//! 1. Every failure of an item adds 1 to its weight (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search
//!    by weighting constraints", 2004). Weights are kept over restarts, and forgotten when the Luby sequence reaches a
//!    new greatest term: without that one seed in twenty finds no solution of a roster in a million nodes. Scores are
//!    multiplied by a random number slightly above 1, drawn anew for each run.
//! 2. In a packing run an option is drawn the more often the more items it covers, m to the power of 1.5, and the more
//!    often its items with bounds must still be covered: the square of that number. So large things are placed before
//!    small ones, and nothing is used up early.
//! 3. Some run is long enough to be complete, and the search ends if there is no solution. A complete run finds every
//!    solution once.
//!
//! What weights are worth, in nodes to the first solution (median of 5 seeds, weights kept; without weights none in
//! millions)
//! ```text
//!                                  first option, units of 100  300    1,000 nodes   the neediest option, 100
//! sequence of 30 cars              130                         330    1,000         1,200
//! sequence of 60 cars              1,000                       6,400  12,000        none
//! rosters 20x14                    1,000                       1,400  1,200         1,000
//! rosters 30x14                    1,100                       1,800  1,300         1,100
//! ```
//! The partridge puzzle of order 8 (8 squares of 8x8, .., one of 1x1; 1,304 items) needs 300,000 to 900,000 nodes of
//! packing runs, exponentially distributed. The mean of 12 to 24 seeds there, in thousands of nodes; differences of a
//! quarter mean nothing:
//! ```text
//! runs of about 1,000 nodes, an option that covers m items drawn by
//! m^1.5 low^2: 480 to 840      m^2 low^3: 640      m^1.25 low^1.5: 620      m^2 low^2: 870      m^.75 low: 705
//!
//! drawn by m^1.5 low^2, runs of
//! 300 nodes: 900     500: 640     3,000: 510     30,000: 1,260     5,000 in Luby's sequence: 620
//! ```
//! Tried and lost there
//! - Weights, random ties, the item of the last contradiction first: on order 6, which has no solution, 10 to 20 times
//!   the nodes. Neighbouring items should be branched on one after the other, as the order of the items has it.
//! - Of an item's options the one with the least sum of squared sizes, or the greatest: no solution in 4 million nodes.
//! - Bounds: items that only small options cover against what these cover in all, and how many disjoint options an item
//!   has. A fifth fewer nodes on order 6; each node takes as much longer.

use super::{Layout, Moves};
use crate::chance::Chance;
use crate::engine::search::Step;
use crate::engine::sparse::luby;
use crate::engine::{Contradiction, Event, Meter, Seeker, Stop};
use crate::{Assumptions, OptionId};
use galop_simd::{Kernel, Simd};

/// Nodes of the first run of each [kind](Kind), as a rule.
const UNIT_NODES: [u64; 2] = [100, 1000];

/// A packing run has this part more nodes than the one before.
const GROWTH: u64 = 128;

/// The largest random factor of a score is 1 + 1 / this.
const TIES: f32 = 20.0;

/// Items whose scores take as long to compare as a node of a packing run.
const ITEMS: u64 = 256;

/// Nodes that weighted runs have as soon as packing runs; of the nodes after these they have one in 17. (Rosters and
/// sequences of cars end before; a partridge puzzle of order 8 takes half a million nodes of packing runs.)
const EQUAL_NODES: u64 = 1 << 14;

/// A kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Weighted,
    Packing,
}

/// A choice: an option is chosen below, and eliminated when the search comes back.
#[derive(Clone, Copy, Debug)]
struct Choice {
    option: u32,
    /// Options chosen above.
    chosen: usize,
}

/// A problem in a layout, and a search with restarts.
pub(super) struct Seek<L> {
    layout: L,
    choices: Vec<Choice>,
    assumptions: Assumptions,
    chance: Chance,
    /// Whether the next run begins.
    is_over: bool,
    step: Step,
    kind: Kind,
    /// Of each item what it has learnt, and the quotient of what is drawn and that.
    weights: Vec<f32>,
    factors: Vec<f32>,
    /// The items whose weight is above 1.
    learnt: Vec<u32>,
    /// Nodes of the first run of each kind, and the work of all its runs, in nodes of packing runs.
    pub(super) units: [u64; 2],
    spent: [u64; 2],
    /// Weighted runs.
    runs: u64,
    /// Nodes of the last packing run, of the current run, and how many of these are left.
    packing_nodes: u64,
    run_nodes: u64,
    nodes_left: u64,
    /// The options to draw from, with the sums of their weights.
    urn: Vec<(u32, u64)>,
    solution: Vec<OptionId>,
}

/// See [`Seek::run`].
struct SeekJob<'a, 'm, L>(&'a mut Seek<L>, &'a mut Meter<'m>);

impl<L: Layout> Kernel for SeekJob<'_, '_, L> {
    type Output = Event;

    #[inline(always)]
    fn run(self) -> Event {
        self.0.run(self.1)
    }
}

impl<L: Layout> Seek<L> {
    /// A search of the problem in `layout`. [`start`](Seeker::start) comes first.
    pub(super) fn new(layout: L) -> Seek<L> {
        let item_count = layout.item_count();
        Seek {
            layout,
            choices: Vec::new(),
            assumptions: Assumptions::default(),
            chance: Chance::new(0),
            is_over: false,
            step: Step::Done,
            kind: Kind::Weighted,
            weights: vec![1.0; item_count],
            factors: vec![1.0; item_count],
            learnt: Vec::new(),
            units: UNIT_NODES,
            spent: [0; 2],
            runs: 0,
            packing_nodes: 0,
            run_nodes: 0,
            nodes_left: 0,
            urn: Vec::new(),
            solution: Vec::new(),
        }
    }

    /// Begins the next run.
    fn restart(&mut self) -> Result<(), Contradiction> {
        if self.spent[0] <= self.spent[1].min(EQUAL_NODES) + self.spent[1] / 16 {
            self.kind = Kind::Weighted;
            self.runs += 1;
            self.run_nodes = self.units[0] * luby(self.runs);
            if self.runs.is_power_of_two() {
                self.forget();
            }
            for (factor, weight) in self.factors.iter_mut().zip(&self.weights) {
                let drawn = (self.chance.word() >> 40) as f32 / (1 << 24) as f32;
                *factor = (1.0 + drawn / TIES) / weight;
            }
        } else {
            self.kind = Kind::Packing;
            self.packing_nodes += self.packing_nodes.div_ceil(GROWTH);
            self.run_nodes = self.packing_nodes;
        }
        self.nodes_left = self.run_nodes;
        self.choices.clear();
        self.step = Step::Done;
        Moves::assume(&mut self.layout, &self.assumptions, &mut Vec::new())?;
        self.step = Step::Examine;
        Ok(())
    }

    #[inline(always)]
    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            let tried = match self.step {
                Step::Done => return Event::End,
                Step::Enter | Step::Examine => match self.layout.propagate() {
                    Err(Contradiction) => Err(Contradiction),
                    Ok(None) => {
                        let chosen = &self.layout.stack().chosen;
                        self.solution.clear();
                        self.solution.extend(chosen.iter().map(|&option| self.layout.option_of(option)));
                        self.step = Step::Leave;
                        return Event::Solution;
                    }
                    Ok(Some((item, slack))) => {
                        if let Some(stop) = meter.node(self.choices.len()) {
                            return Event::Stopped(stop);
                        }
                        let option = match self.kind {
                            Kind::Weighted => {
                                let item = self.lightest(slack);
                                self.layout.first_of(item)
                            }
                            Kind::Packing => self.draw(item),
                        };
                        let Some(option) = option else { return Event::End };
                        let chosen = self.layout.stack().chosen.len();
                        self.choices.push(Choice { option, chosen });
                        self.layout.stack_mut().save();
                        self.layout.choose(option)
                    }
                },
                Step::Leave => {
                    let Some(Choice { option, chosen }) = self.choices.pop() else {
                        self.step = Step::Done;
                        return Event::End;
                    };
                    self.layout.stack_mut().restore(self.choices.len(), chosen);
                    self.layout.forbid(option)
                }
            };
            self.step = Step::Examine;
            if tried.is_err() {
                self.learn();
                self.step = Step::Leave;
            }
        }
    }

    /// The open item of least score: one of least slack, which is `slack`, or one that has failed. (Others have greater
    /// scores, unless the slack is above 19.)
    #[inline(always)]
    fn lightest(&self, slack: u32) -> usize {
        let mut best = (f32::INFINITY, 0);
        let mut compare = |item: usize, slack: u32| {
            let score = (slack + 1) as f32 * self.factors[item];
            if score < best.0 {
                best = (score, item);
            }
        };
        self.layout.for_each_least(|item| compare(item, slack));
        for &item in &self.learnt {
            if let Some(slack) = self.layout.slack_of(item as usize) {
                compare(item as usize, slack);
            }
        }
        best.1
    }

    /// Adds to the weight of the item that failed.
    fn learn(&mut self) {
        let item = self.layout.stack().failed;
        let weight = self.weights[item];
        if weight == 1.0 {
            self.learnt.push(item as u32);
        }
        self.weights[item] += 1.0;
        self.factors[item] *= weight / self.weights[item];
    }

    /// Sets all weights to 1.
    fn forget(&mut self) {
        self.weights.fill(1.0);
        self.learnt.clear();
    }

    /// Draws a live option of an item.
    fn draw(&mut self, item: usize) -> Option<u32> {
        let Seek { layout, chance, urn, .. } = self;
        let mut sum = 0_u64;
        urn.clear();
        layout.for_each_option(item, |option| {
            sum = sum.saturating_add(layout.weigh(option));
            urn.push((option, sum));
        });
        let drawn = ((u128::from(chance.word()) * u128::from(sum)) >> 64) as u64;
        let at = urn.partition_point(|&(_, sum)| sum <= drawn);
        urn.get(at).or(urn.last()).map(|&(option, _)| option)
    }
}

impl<L: Layout> Seeker for Seek<L> {
    fn start(&mut self, assumptions: &Assumptions, seed: u64) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.chance = Chance::new(seed);
        self.forget();
        (self.is_over, self.spent, self.runs) = (true, [0; 2], 0);
        self.packing_nodes = self.units[1];
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            if std::mem::take(&mut self.is_over) && self.restart().is_err() {
                return Event::End;
            }
            let (event, nodes) = meter.within(self.nodes_left, |meter| L::Isa::run(SeekJob(self, meter)));
            meter.updates += std::mem::take(&mut self.layout.stack_mut().updates);
            self.nodes_left -= nodes;
            self.spent[self.kind as usize] += match self.kind {
                Kind::Weighted => nodes * (1 + self.weights.len() as u64 / ITEMS),
                Kind::Packing => nodes,
            };
            match event {
                Event::Solution => {
                    self.nodes_left = self.run_nodes;
                    return event;
                }
                Event::Stopped(Stop::Nodes) if self.nodes_left == 0 => self.is_over = true,
                _ => return event,
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }
}
