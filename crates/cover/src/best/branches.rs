//! Branch and bound, as an engine.
//!
//! A node is bounded ([`prices`](super::prices)), which removes the options that are too dear, and branches on the
//! item with the fewest options left. Its options are tried by ascending reduced cost, so that the first covers found
//! are good, and all branches left are cut at once when one of them is.
//!
//! An item that may be covered several times is branched on in the same way: the t-th branch chooses its t-th option
//! and excludes those before it. If the item need not be covered again, a last branch chooses none of them.
//!
//! 1. After the first cover and a few nodes the search starts again at the root, whose bound can now remove options.
//!    Once the search has taken half as long as the linear program of the root takes, it starts again with the prices
//!    of that program, rounds it to a cover ([`dive`](super::dive)), and guesses the cost of the best covers: close to
//!    that bound. Options that are dearer than the guess allows are removed, so the guess is soon proved or refuted, and
//!    then raised; it is raised, too, if it takes long. 200 legs take .03 s; they took more than a minute.
//! 2. A bound that allows covers that cost as much as the last one of the list, but not less, is a cut too if all of
//!    them come later in the order of options.
//! 3. Steps that improve prices take most of the time. If they gain little (queens: a tenth to a fifth of what is left
//!    to the limit; crews: half of it), only one node in 64 makes any: 12 queens take 27 instead of 43 ms.

use std::sync::Arc;

use super::cutoff::{Cutoff, Part, Shared};
use super::dive;
use super::prices::{Effort, Improvement, NodeEnd, Prices};
use super::program::Program;
use super::remainder::{Mark, Remainder};
use crate::engine::{CoverEngine, Event, Meter};
use crate::{Assumptions, OptionId};

/// The steps that improve prices at the root, and at the other nodes.
const ROOT_EFFORT: Effort = Effort { steps: 300, pace: 2.0, patience: 12, has_program: false };
const NODE_EFFORT: Effort = Effort { steps: 10, pace: 1.0, patience: 1, has_program: false };
const NO_EFFORT: Effort = Effort { steps: 0, pace: 0.0, patience: 1, has_program: false };
/// The gain below which most nodes make no steps.
const LITTLE_GAIN: f64 = 0.25;
/// Nodes after which the search starts again, if it has a cover. (In tests small problems start again too.)
const RESTART_NODES: u64 = if cfg!(test) { 1 } else { 20 };
/// The first guess: a cover that costs more than the bound of the root by this part of it.
const FIRST_GUESS: i64 = 1024;
/// The gap of a guess, as a multiple of the gap before.
const GUESS_FACTOR: i64 = 4;
/// Nodes after which a guess is given up.
const GUESS_NODES: u64 = if cfg!(test) { 10 } else { 2000 };

/// A choice among the options of an item.
#[derive(Clone, Copy, Debug)]
struct Fork {
    mark: Mark,
    /// The branches: the first, the one under way, the next to try, and the end.
    from: usize,
    current: usize,
    next: usize,
    end: usize,
    /// Whether the branch without any of the options is still to try.
    has_none: bool,
    /// The number of branches when the level started.
    degree: usize,
    bound: i64,
    /// The prices of the node in `saved`.
    saved: usize,
}

impl Fork {
    /// The number of branches that are not tried or split off.
    fn left(&self) -> usize {
        self.end - self.next + usize::from(self.has_none)
    }

    /// A lower bound on the cost of the covers in the branches left.
    fn least(&self, branches: &[(i64, OptionId)]) -> i64 {
        match self.left() {
            0 => i64::MAX,
            _ if self.has_none => self.bound,
            _ => self.bound.saturating_add(branches[self.next].0.max(0)),
        }
    }
}

/// Where the search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// At the root.
    Root,
    /// At a node whose option is chosen.
    Node,
    /// With the next branch of the last level.
    Branch,
    /// The search is complete.
    Done,
}

/// The search starts again at the root, and each time it knows more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Nothing is known.
    First,
    /// There is a cover.
    Again,
    /// The linear program of the root is solved, and rounded.
    Dive,
    /// The search is for covers whose cost is close to the bound of the program.
    Guess,
    /// The search is for all covers. Only now are parts split off.
    Last,
}

/// What a node is that is not cut.
enum Node {
    /// A cover.
    Cover,
    /// The root after a dive, which has found a cover or not.
    Dived(bool),
    /// A choice; every cover costs at least this.
    Open(i64),
}

/// A search for the best covers.
#[derive(Debug)]
pub(super) struct Branches {
    shared: Arc<Shared>,
    /// The number of this engine among those that share.
    worker: usize,
    /// Whether every primary item is covered exactly once.
    is_simple: bool,
    version: u64,
    cutoff: Cutoff,
    /// The options of `cutoff.last`.
    is_in_last: Vec<bool>,
    state: Remainder,
    prices: Prices,
    /// The state without assumptions, and with them.
    start: Mark,
    root: Mark,
    step: Next,
    levels: Vec<Fork>,
    /// The branches of all levels: reduced cost and option.
    branches: Vec<(i64, OptionId)>,
    /// The prices of all levels.
    saved: Vec<(u32, i64)>,
    /// Options forbidden by the assumptions.
    forbidden: Vec<OptionId>,
    /// A bound of the node under way.
    bound: i64,
    /// The share of the way from the first bound of a node to the limit that steps have gained lately.
    gain: f64,
    /// Nodes of this search, until it starts again.
    nodes: u64,
    round: Round,
    /// The options that prices read before the linear program is solved at the root.
    program_work: u64,
    /// A guess: only covers of at most this scaled cost are searched for at first.
    target: i64,
    /// How far the guess is above the bound of the root.
    gap: i64,
    /// The prices at the root.
    root_prices: Vec<i64>,
    /// The last guess for which the program was rounded.
    rounded: i64,
    /// The bound of the root before the linear program, and its prices.
    before: (i64, Vec<i64>),
    /// A lower bound on the cost of all covers that are not found yet.
    proved: i64,
    solution: Vec<OptionId>,
}

impl Branches {
    /// An engine that starts with `state`, and shares its cutoff with all its forks.
    pub(super) fn new(state: Remainder, shared: Arc<Shared>) -> Branches {
        let prices = Prices::new(&state, shared.costs.scaled(), shared.costs.max_price);
        Branches {
            is_simple: state.problem().is_simple(),
            is_in_last: vec![false; state.problem().option_count()],
            start: state.mark(),
            root: state.mark(),
            worker: shared.register(),
            shared,
            version: 0,
            cutoff: Cutoff::default(),
            state,
            prices,
            step: Next::Done,
            levels: Vec::new(),
            branches: Vec::new(),
            saved: Vec::new(),
            forbidden: Vec::new(),
            bound: i64::MIN,
            gain: 1.0,
            nodes: 0,
            round: Round::Last,
            program_work: u64::MAX,
            target: i64::MAX,
            gap: 0,
            root_prices: Vec::new(),
            rounded: i64::MIN,
            before: (i64::MIN, Vec::new()),
            proved: i64::MIN,
            solution: Vec::new(),
        }
    }

    /// Searches to the next event.
    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.step {
                Next::Root | Next::Node => {
                    if let Some(stop) = meter.node(self.levels.len()) {
                        return Event::Stopped(stop);
                    }
                    match self.examine(meter) {
                        Err(NodeEnd::Stopped(stop)) => return Event::Stopped(stop),
                        Err(NodeEnd::Cut) => self.step = Next::Branch,
                        Ok(Node::Cover) => {
                            self.step = Next::Branch;
                            self.keep_solution();
                            return Event::Solution;
                        }
                        Ok(Node::Dived(found)) => {
                            self.go_to_root();
                            if found {
                                return Event::Solution;
                            }
                        }
                        Ok(Node::Open(bound)) => self.branch(bound),
                    }
                }
                Next::Branch if self.is_time_to_restart() => {
                    self.update_cutoff();
                    self.restart();
                }
                Next::Branch => self.advance(),
                Next::Done if self.target < self.cutoff.limit => {
                    // All covers up to the target are found.
                    self.proved = self.target + 1;
                    self.raise_target();
                }
                Next::Done => return Event::End,
            }
        }
    }

    /// Propagates and bounds the node under way.
    fn examine(&mut self, meter: &mut Meter<'_>) -> Result<Node, NodeEnd> {
        self.update_cutoff();
        self.nodes += 1;
        let mut effort = self.effort();
        loop {
            self.state.propagate()?;
            let limit = self.limit();
            if self.state.live().is_empty() {
                let is_good = self.prices.spent(&self.state) <= limit;
                return if is_good { Ok(Node::Cover) } else { Err(NodeEnd::Cut) };
            }
            let chosen = self.state.chosen().len();
            let improved = self.prices.improve(&mut self.state, limit, effort, meter)?;
            let Improvement { bound, first, has_removed } = improved;
            self.bound = self.bound.max(bound);
            if effort.steps == NODE_EFFORT.steps {
                self.average_gain(first, bound);
            }
            if self.is_late() {
                return Err(NodeEnd::Cut);
            }
            if self.step == Next::Root {
                self.proved = self.proved.max(bound);
                match self.round {
                    Round::Dive => {
                        let prices = self.prices.all().to_vec();
                        self.before = (first, std::mem::replace(&mut self.root_prices, prices));
                        self.round = Round::Guess;
                        return self.dive(true, meter);
                    }
                    Round::Guess if self.gap == 0 => {
                        if self.has_gained(self.before.0, bound) {
                            self.gap = (bound / FIRST_GUESS).abs().max(self.shared.costs.limit(1)).max(1);
                            self.target = bound.saturating_add(self.gap);
                        } else {
                            // The steps at nodes gain more from the prices before the program (crew 40: 1.3 times).
                            self.round = Round::Last;
                            self.root_prices = std::mem::take(&mut self.before.1);
                            self.prices.set_all(&self.root_prices);
                        }
                        continue;
                    }
                    Round::Guess if self.rounded < self.target => {
                        self.rounded = self.target;
                        return self.dive(false, meter);
                    }
                    Round::First => self.program_work = Program::work(&self.state).unwrap_or(u64::MAX),
                    Round::Again | Round::Guess | Round::Last => {}
                }
                if self.round != Round::Guess {
                    self.root_prices = self.prices.all().to_vec();
                }
            }
            if !has_removed {
                return Ok(Node::Open(bound));
            }
            self.state.propagate()?;
            if self.state.chosen().len() == chosen && !self.state.live().is_empty() {
                return Ok(Node::Open(bound));
            }
            // Forced options may cost more than the bound includes.
            effort = NO_EFFORT;
        }
    }

    /// Searches for a cover close to the linear program, from the root.
    fn dive(&mut self, is_solved: bool, meter: &mut Meter<'_>) -> Result<Node, NodeEnd> {
        let limit = self.limit();
        let is_found = dive::round(&mut self.state, &mut self.prices, limit, is_solved, meter)
            .map_err(NodeEnd::Stopped)?;
        if is_found {
            self.keep_solution();
        }
        Ok(Node::Dived(is_found))
    }

    /// The chosen options are a solution.
    fn keep_solution(&mut self) {
        self.solution.clear();
        self.solution.extend(self.state.chosen().iter().map(|&option| OptionId(option)));
    }

    fn effort(&self) -> Effort {
        match self.step {
            Next::Root => match self.round {
                Round::First | Round::Again => ROOT_EFFORT,
                Round::Dive => Effort { has_program: true, ..NO_EFFORT },
                Round::Guess | Round::Last => NO_EFFORT,
            },
            _ if self.gain < LITTLE_GAIN && !self.nodes.is_multiple_of(64) => NO_EFFORT,
            _ => NODE_EFFORT,
        }
    }

    /// Whether the linear program has raised the bound of the root far enough towards the limit for guesses to pay. If
    /// not, the prices were good already (crew 40: 410.3, then 410.6, of 440), and guesses would cost a third of the
    /// search.
    fn has_gained(&self, before: i64, bound: i64) -> bool {
        // A limit that is far away says nothing.
        let way = self.cutoff.limit.saturating_sub(bound).min((bound / 4).saturating_abs());
        cfg!(test) || bound.saturating_sub(before) > way / 8
    }

    /// Updates `gain`, an average over the last nodes.
    fn average_gain(&mut self, first: i64, bound: i64) {
        if self.cutoff.limit < i64::MAX {
            let way = self.cutoff.limit as f64 - first as f64 + 1.0;
            self.gain += ((bound as f64 - first as f64) / way - self.gain) / 32.0;
        }
    }

    fn update_cutoff(&mut self) {
        let version = self.shared.version();
        if version != self.version {
            for &option in &self.cutoff.last {
                self.is_in_last[option.index()] = false;
            }
            (self.version, self.cutoff) = (version, self.shared.cutoff());
            for &option in &self.cutoff.last {
                self.is_in_last[option.index()] = true;
            }
        }
    }

    /// Whether all covers of this node cost as much as the last one of the list, and come later.
    ///
    /// Let f be the first option of the last cover that a cover here cannot contain. A cover here comes earlier only
    /// if it contains an option before f that the last cover lacks; or if it is the beginning of the last cover,
    /// which is possible only with bounds.
    fn is_late(&self) -> bool {
        if self.bound <= self.cutoff.tie || self.cutoff.last.is_empty() || !self.is_simple {
            return false;
        }
        let lacking = self.cutoff.last.iter().find(|&&option| !self.state.is_possible(option.0));
        let first = lacking.copied().unwrap_or(OptionId(u32::MAX));
        let mut possible = self.state.chosen().iter().chain(self.state.live());
        !possible.any(|&option| option < first.0 && !self.is_in_last[option as usize])
    }

    /// Starts a level at a node with this bound.
    fn branch(&mut self, bound: i64) {
        self.step = Next::Branch;
        let state = &self.state;
        let branches = |item: u32| (state.count(item) - state.need(item), item);
        let primary = state.open().iter().copied().filter(|&item| state.is_primary(item));
        // A live option has an open primary item.
        let Some(item) = primary.min_by_key(|&item| branches(item)) else { return };
        let from = self.branches.len();
        for &option in state.live() {
            if state.terms(option).iter().any(|term| term.item == item) {
                self.branches.push((self.prices.reduced(option), OptionId(option)));
            }
        }
        self.branches[from..].sort_unstable();
        let saved = self.saved.len();
        self.prices.save(state, &mut self.saved);
        let has_none = state.need(item) == 0;
        let end = self.branches.len();
        let degree = end - from + usize::from(has_none);
        let mark = state.mark();
        self.levels.push(Fork { mark, from, current: from, next: from, end, has_none, degree, bound, saved });
    }

    /// Takes the next branch, or leaves the last level.
    fn advance(&mut self) {
        self.update_cutoff();
        let limit = self.limit();
        loop {
            let Some(level) = self.levels.last_mut() else {
                self.step = Next::Done;
                return;
            };
            self.state.backtrack(level.mark);
            if !self.is_simple {
                for &(_, option) in &self.branches[level.current..level.next] {
                    self.state.exclude(option.0, &mut level.mark);
                }
            }
            level.current = level.next;
            let branch = self.branches[..level.end].get(level.next).copied();
            let bound = level.bound.saturating_add(branch.map_or(0, |(reduced, _)| reduced.max(0)));
            match branch {
                _ if level.bound > limit => {}
                // The branches left are dearer still.
                Some(_) if bound > limit && level.has_none => {
                    level.next = level.end;
                    continue;
                }
                Some(_) if bound > limit => {}
                Some((_, option)) => {
                    level.next += 1;
                    self.prices.restore(&self.saved[level.saved..]);
                    self.state.choose(option.0);
                    (self.step, self.bound) = (Next::Node, bound);
                    return;
                }
                None if level.has_none => {
                    level.has_none = false;
                    self.prices.restore(&self.saved[level.saved..]);
                    (self.step, self.bound) = (Next::Node, bound);
                    return;
                }
                None => {}
            }
            self.branches.truncate(level.from);
            self.saved.truncate(level.saved);
            self.levels.pop();
        }
    }

    /// The greatest scaled cost of a cover that is good enough.
    fn limit(&self) -> i64 {
        self.cutoff.limit.min(self.target)
    }

    fn is_time_to_restart(&self) -> bool {
        match self.round {
            Round::First if self.nodes > RESTART_NODES && self.shared.version() > 0 => true,
            Round::First | Round::Again => {
                self.nodes > RESTART_NODES && self.prices.work >= self.program_work
            }
            Round::Guess => self.nodes > GUESS_NODES,
            Round::Dive | Round::Last => false,
        }
    }

    /// Starts the next round at the root.
    fn restart(&mut self) {
        self.round = match self.round {
            Round::First | Round::Again if self.prices.work >= self.program_work => Round::Dive,
            Round::First | Round::Again => Round::Again,
            Round::Guess => return self.raise_target(),
            Round::Dive | Round::Last => Round::Last,
        };
        self.target = i64::MAX;
        self.go_to_root();
    }

    fn go_to_root(&mut self) {
        self.levels.clear();
        self.branches.clear();
        self.saved.clear();
        self.state.backtrack(self.root);
        if self.round != Round::Again {
            self.prices.set_all(&self.root_prices);
        }
        (self.step, self.bound, self.nodes) = (Next::Root, self.proved, 0);
    }

    /// Raises the target.
    fn raise_target(&mut self) {
        self.target = self.target.saturating_add(self.gap.saturating_mul(GUESS_FACTOR - 1));
        self.gap = self.gap.saturating_mul(GUESS_FACTOR);
        if self.target >= self.cutoff.limit {
            (self.round, self.target) = (Round::Last, i64::MAX);
        }
        self.go_to_root();
    }

    /// A lower bound on the cost of the covers that this search has not found yet.
    fn least(&self) -> i64 {
        let node = match self.step {
            Next::Root | Next::Node => self.bound,
            Next::Branch | Next::Done => i64::MAX,
        };
        let levels = self.levels.iter().map(|level| level.least(&self.branches));
        let least = levels.fold(node, i64::min).max(self.proved);
        if self.target < self.cutoff.limit { least.min(self.target + 1) } else { least }
    }
}

impl CoverEngine for Branches {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.clear();
        self.branches.clear();
        self.saved.clear();
        self.state.backtrack(self.start);
        self.forbidden.clone_from(&assumptions.forbidden);
        let part = self.shared.begin(self.worker, assumptions);
        let is_quick = part.is_some() || self.shared.has_ignored_ties();
        let mut bound = i64::MIN;
        if let Some(part) = part {
            bound = part.bound;
            self.prices.reset(&part.prices);
        }
        self.round = if is_quick { Round::Last } else { Round::First };
        (self.bound, self.proved, self.nodes) = (bound, bound, 0);
        (self.target, self.gap, self.prices.work) = (i64::MAX, 0, 0);
        self.rounded = i64::MIN;
        self.step = if is_quick { Next::Node } else { Next::Root };
        if self.state.assume(assumptions).is_err() {
            self.step = Next::Done;
        }
        self.root = self.state.mark();
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let event = self.run(meter);
        self.shared.set_bound(self.worker, self.least());
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let is_early = match self.round {
            Round::First => self.nodes <= RESTART_NODES || self.program_work < u64::MAX,
            Round::Again | Round::Dive | Round::Guess => self.program_work < u64::MAX,
            Round::Last => false,
        };
        if is_early {
            return None;
        }
        let limit = self.limit();
        let depth =
            self.levels.iter().position(|level| level.left() > 0 && level.least(&self.branches) <= limit)?;
        self.round = Round::Last;
        let saved_end = self.levels.get(depth + 1).map_or(self.saved.len(), |below| below.saved);
        let level = &mut self.levels[depth];
        let (bound, tried) = (level.least(&self.branches), level.from..level.next);
        let mut chosen = self.state.chosen()[..level.mark.chosen].to_vec();
        if level.next < level.end {
            chosen.push(self.branches[level.next].1.0);
            level.next += 1;
        } else {
            level.has_none = false;
        }
        let prices = self.saved[level.saved..saved_end].to_vec();
        let mut forbidden = self.forbidden.clone();
        if !self.is_simple {
            let above = self.levels[..depth].iter().map(|level| level.from..level.current);
            for range in above.chain([tried]) {
                forbidden.extend(self.branches[range].iter().map(|&(_, option)| option));
            }
        }
        let assumptions = Assumptions { chosen: chosen.into_iter().map(OptionId).collect(), forbidden };
        self.shared.split(Part { assumptions: assumptions.clone(), bound, prices });
        Some(assumptions)
    }

    fn progress(&self) -> f64 {
        if self.step == Next::Done {
            return 1.0;
        }
        if matches!(self.round, Round::Dive | Round::Guess) {
            return 0.0;
        }
        let (mut done, mut weight) = (0.0, 1.0);
        for level in &self.levels {
            let degree = level.degree as f64;
            let is_tried = level.next > level.from;
            done += weight * (degree - level.left() as f64 - f64::from(u8::from(is_tried))) / degree;
            weight /= degree;
        }
        done.min(1.0)
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let shared = Arc::clone(&self.shared);
        Box::new(Branches::new(Remainder::new(self.state.shared_problem()), shared))
    }
}
