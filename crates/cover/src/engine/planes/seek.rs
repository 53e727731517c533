//! Seeks some solution instead of all in order: learnt weights and restarts.
//!
//! A search in a fixed order that goes wrong near the root looks at millions of hopeless positions. This one begins
//! anew after some nodes, 100 times the terms of Luby's sequence. It branches on the item of least
//! (slack + 1) / weight, and takes the first of its options.
//! 1. Every failure of an item adds 1 to its weight (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search
//!    by weighting constraints", 2004). Weights are kept over restarts, and forgotten when the Luby sequence reaches a
//!    new greatest term: without that one seed in twenty finds no solution of a roster in a million nodes. Scores are
//!    multiplied by a random number slightly above 1, drawn anew for each run.
//! 2. Some run is long enough to be complete, and the search ends if there is no solution. A complete run finds every
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

use super::numbers::members;
use super::{Moves, Planes};
use crate::chance::Chance;
use crate::engine::search::Step;
use crate::engine::sparse::luby;
use crate::engine::{Contradiction, Event, Meter, Seeker, Stop};
use crate::{Assumptions, OptionId};

/// Nodes of the first run.
const UNIT_NODES: u64 = 100;

/// The largest random factor of a score is 1 + 1 / this.
const TIES: f32 = 20.0;

/// A choice: an option is chosen below, and eliminated when the search comes back.
#[derive(Clone, Copy, Debug)]
struct Choice {
    option: u32,
    /// Options chosen above.
    chosen: usize,
}

/// A problem in planes, and a search with restarts.
pub(super) struct Seek<const W: usize, const K: usize, const B: usize> {
    planes: Planes<W, K, B>,
    choices: Vec<Choice>,
    assumptions: Assumptions,
    chance: Chance,
    /// Whether the next run begins.
    is_over: bool,
    step: Step,
    /// Of each item what it has learnt, and the quotient of what is drawn and that.
    weights: Vec<f32>,
    factors: Vec<f32>,
    /// The items whose weight is above 1.
    learnt: Vec<u32>,
    /// Nodes of the first run.
    pub(super) unit_nodes: u64,
    runs: u64,
    /// Nodes of the current run, and how many of these are left.
    run_nodes: u64,
    nodes_left: u64,
    solution: Vec<OptionId>,
}

impl<const W: usize, const K: usize, const B: usize> Seek<W, K, B> {
    /// A search of the problem in `planes`. [`start`](Seeker::start) comes first.
    pub(super) fn new(planes: Planes<W, K, B>) -> Self {
        Seek {
            planes,
            choices: Vec::new(),
            assumptions: Assumptions::default(),
            chance: Chance::new(0),
            is_over: false,
            step: Step::Done,
            weights: vec![1.0; 64 * W],
            factors: vec![1.0; 64 * W],
            learnt: Vec::new(),
            unit_nodes: UNIT_NODES,
            runs: 0,
            run_nodes: 0,
            nodes_left: 0,
            solution: Vec::new(),
        }
    }

    /// Begins the next run.
    fn restart(&mut self) -> Result<(), Contradiction> {
        self.runs += 1;
        self.run_nodes = self.unit_nodes * luby(self.runs);
        if self.runs.is_power_of_two() {
            self.forget();
        }
        for (factor, weight) in self.factors.iter_mut().zip(&self.weights) {
            let drawn = (self.chance.word() >> 40) as f32 / (1 << 24) as f32;
            *factor = (1.0 + drawn / TIES) / weight;
        }
        self.nodes_left = self.run_nodes;
        self.choices.clear();
        self.step = Step::Done;
        self.planes.assume(&self.assumptions, &mut Vec::new())?;
        self.step = Step::Examine;
        Ok(())
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            let tried = match self.step {
                Step::Done => return Event::End,
                Step::Enter | Step::Examine => match self.planes.propagate() {
                    Err(Contradiction) => Err(Contradiction),
                    Ok(None) => {
                        self.solution.clone_from(&self.planes.stack.chosen);
                        self.step = Step::Leave;
                        return Event::Solution;
                    }
                    Ok(Some((_, slack))) => {
                        if let Some(stop) = meter.node(self.choices.len()) {
                            return Event::Stopped(stop);
                        }
                        let item = self.lightest(slack);
                        let Some(option) = self.planes.first_of(item) else { return Event::End };
                        self.choices.push(Choice { option, chosen: self.planes.chosen_count() });
                        self.planes.save();
                        self.planes.choose(option)
                    }
                },
                Step::Leave => {
                    let Some(Choice { option, chosen }) = self.choices.pop() else {
                        self.step = Step::Done;
                        return Event::End;
                    };
                    self.planes.restore(self.choices.len(), chosen);
                    self.planes.forbid(option)
                }
            };
            self.step = Step::Examine;
            if tried.is_err() {
                self.learn();
                self.step = Step::Leave;
            }
        }
    }

    /// The open item of least score: one of least slack, which is `least`, or one that has failed. (Others have greater
    /// scores, unless the slack is above 19.)
    #[inline(always)]
    fn lightest(&self, least: u32) -> usize {
        let slacks = &self.planes.stack.current().slack;
        let mut best = (f32::INFINITY, 0);
        let mut compare = |item: usize, slack: u32| {
            let score = (slack + 1) as f32 * self.factors[item];
            if score < best.0 {
                best = (score, item);
            }
        };
        members(&slacks.smallest(slacks.nonzero())).for_each(|item| compare(item, least));
        for item in self.learnt.iter().map(|&item| item as usize) {
            match slacks.get(item) {
                0 => {}
                slack => compare(item, slack),
            }
        }
        best.1
    }

    /// Adds to the weight of the item that failed.
    fn learn(&mut self) {
        let item = self.planes.stack.failed;
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
}

impl<const W: usize, const K: usize, const B: usize> Seeker for Seek<W, K, B> {
    fn start(&mut self, assumptions: &Assumptions, seed: u64) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.chance = Chance::new(seed);
        self.forget();
        (self.is_over, self.runs) = (true, 0);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            if std::mem::take(&mut self.is_over) && self.restart().is_err() {
                return Event::End;
            }
            let (event, nodes) = meter.within(self.nodes_left, |meter| self.run(meter));
            meter.ticks += self.planes.take_ticks();
            self.nodes_left -= nodes;
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
