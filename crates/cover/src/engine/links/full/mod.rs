//! Algorithm M of the book, which contains the other two: if every item is covered once it *is* Algorithm C (colours),
//! and if no option has a colour that is Algorithm X with secondary items.
//!
//! ```text
//! header     0 ── 1 ── 2 ── 3 ─┐   left, right: the uncovered primary items, in a ring with 0
//!            └─────────────────┘      4   5    secondary items are in no ring
//!                 │    │    │         │   │
//! option 0        7    8    │         │   9:c        up, down: the options of an item, in a ring with its header
//!                 │         │         │   │
//! option 1       11        12        13   │
//!
//! place      0   1 2 3 4 5    6    7 8 9   10   11 12 13   14
//! nodes    | 0 | 1 2 3 4 5 | S - | 7 8 9 | S0 | 11 12 13 | S1 |      a spacer before, between and behind options
//!
//! of a     header              node                   spacer
//! top      options left (LEN)  its item (TOP)         0 (the book: 0 or less)
//! up       last node           the node above         first node of the option before it
//! down     first node          the node below         last node of the option behind it
//! colour   the purified one    its colour, or DONE    the number of the option before it
//! ```
//!
//! Knuth's names: `top` is TOP and LEN, `up` and `down` ULINK and DLINK, `left` and `right` LLINK and RLINK,
//! `colour` COLOR, `bound` BOUND and `slack` SLACK; a [`Level`]'s `node` is `x_l`, `first` `FT_l`.
//!
//! What the book leaves open, or what differs:
//! 1. The stack of levels is explicit, so that [`next`](CoverEngine::next) can stop and continue.
//! 2. A level counts its branches (`tried`) where the book compares nodes. So the last branch is given away by lowering
//!    a count, and the progress follows from the stack. If an item has bounds, its list changes during the search;
//!    the nodes to try are then copied first (`copies`).
//! 3. Ties go to the first item of the ring (the book's exercise takes any of them).
//! 4. Secondary items have a bound too, which is 0 while they are covered. Only assumptions read it.

mod dance;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::engine::Assumed;
use crate::engine::{Build, CoverEngine, Event, Meter, Room, Unsuitable};
use crate::{Assumptions, ExactCover, ItemId, OptionId};

/// The place of a node, or the header of an item: its number + 1.
type Link = u32;

/// The head of the ring of items to cover.
const ROOT: Link = 0;
/// What `top` is in a spacer.
const SPACER: u32 = 0;
/// The colour of a node whose item was purified in the node's colour. The node never clashes and stays in its list.
const DONE: u32 = u32::MAX;

/// A header, a node or a spacer: see the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Node {
    top: u32,
    up: Link,
    down: Link,
    colour: u32,
}

/// The neighbours of an item in the ring, and how often it may still be covered and need not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    left: Link,
    right: Link,
    /// How often it can still be covered.
    bound: u32,
    /// How many of these times are not necessary.
    slack: u32,
}

/// An item that was branched on.
#[derive(Clone, Copy, Debug)]
struct Level {
    item: Link,
    /// The node of the option tried in the item's list; the header if the item is covered no more (`x_l`).
    node: Link,
    /// The first node of the list when the level began (`FT_l`).
    first: Link,
    /// The end of the branches to try here: the node after the last one, or the header.
    end: Link,
    /// Branches: at first, tried, and given away.
    degree: u32,
    tried: u32,
    given: u32,
    /// Whether options tried leave the list, because the item may be covered again below or need not be.
    is_tweaked: bool,
    /// The start of its list in `copies`, if it is tweaked.
    copied: u32,
}

/// Where the search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// M2: a new state.
    Enter,
    /// M9: back to the last choice.
    Leave,
    /// The search has ended.
    Done,
}

/// A problem in dancing links, and a search through it.
#[derive(Clone, Debug)]
pub(super) struct Full {
    room: Room,
    nodes: Vec<Node>,
    items: Vec<Item>,
    primary_count: u32,
    /// The first node of every option.
    starts: Vec<Link>,
    levels: Vec<Level>,
    /// The lists of tweaked items as their levels found them, one after the other.
    copies: Vec<Link>,
    /// The assumptions that hold, in the order they were made: forbidden options, then chosen ones.
    forbidden: Vec<OptionId>,
    chosen: Vec<OptionId>,
    /// The same by option.
    assumed: Vec<Assumed>,
    step: Step,
    /// Levels that had more than one branch.
    depth: usize,
    updates: u64,
    solution: Vec<OptionId>,
}

/// The most bytes that a search takes; the short path takes fewer.
pub(crate) fn own_bytes(problem: &ExactCover) -> usize {
    let (items, options, terms) = (problem.item_count(), problem.option_count(), problem.term_count());
    let mut degrees = vec![0_u32; items];
    problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
    // An item is branched on as often as it can be covered, and each of these levels may copy its list.
    let branches = degrees.iter().enumerate().map(|(item, &degree)| {
        let times = problem.bounds(item as ItemId).high.min(degree) as usize + 1;
        let copied = if problem.is_simple() { 0 } else { 4 * degree as usize };
        times.saturating_mul(size_of::<Level>() + copied)
    });
    let lists = size_of::<Node>() * (terms + options + items + 2) + (size_of::<Item>() + 1) * (items + 1);
    // A list that grows may take twice what it holds.
    branches.fold(lists + 24 * options, |sum, branch| sum.saturating_add(2 * branch))
}

impl Full {
    /// `Err` if the problem has more nodes than links can number, or if `build` stops.
    pub(super) fn new(problem: &ExactCover, build: Build<'_>) -> Result<Full, Unsuitable> {
        let (items, options) = (problem.item_count(), problem.option_count());
        let count = 2 + items + problem.term_count() + options;
        Unsuitable::check_size("nodes", count, DONE as usize - 1)?;
        let primary_count = problem.primary_count() as u32;
        let mut links = Full {
            room: build.reserve(0, own_bytes(problem))?,
            nodes: Vec::with_capacity(count),
            items: Vec::with_capacity(items + 1),
            primary_count,
            starts: Vec::with_capacity(options),
            levels: Vec::new(),
            copies: Vec::new(),
            forbidden: Vec::new(),
            chosen: Vec::new(),
            assumed: vec![Assumed::Nothing; options],
            step: Step::Done,
            depth: 0,
            updates: 0,
            solution: Vec::new(),
        };
        for header in 0..=items as Link {
            links.nodes.push(Node { top: 0, up: header, down: header, colour: 0 });
            let is_in_ring = header <= primary_count;
            let bounds = problem.bounds(header.wrapping_sub(1) as ItemId);
            links.items.push(Item {
                left: if !is_in_ring { header } else { header.checked_sub(1).unwrap_or(primary_count) },
                right: if !is_in_ring {
                    header
                } else if header == primary_count {
                    ROOT
                } else {
                    header + 1
                },
                bound: bounds.high,
                slack: bounds.high - bounds.low,
            });
        }
        links.nodes.push(Node::default());
        for (number, terms) in problem.options().enumerate() {
            build.check(number)?;
            let start = links.nodes.len() as Link;
            links.starts.push(start);
            for (node, term) in (start..).zip(terms) {
                let header = term.item + 1;
                let up = links.nodes[header as usize].up;
                links.nodes.push(Node { top: header, up, down: header, colour: term.colour });
                links.nodes[up as usize].down = node;
                links.nodes[header as usize].up = node;
                links.nodes[header as usize].top += 1;
            }
            links.nodes[start as usize - 1].down = start + terms.len() as Link - 1;
            links.nodes.push(Node { top: SPACER, up: start, down: 0, colour: number as u32 });
        }
        Ok(links)
    }

    fn node(&self, at: Link) -> Node {
        self.nodes[at as usize]
    }

    fn bound(&mut self, item: Link) -> &mut u32 {
        &mut self.items[item as usize].bound
    }

    fn is_primary(&self, item: Link) -> bool {
        item <= self.primary_count
    }

    /// The option that `node` belongs to.
    fn option_of(&self, mut node: Link) -> OptionId {
        while self.node(node).top != SPACER {
            node += 1;
        }
        self.node(node).colour
    }

    /// M3: the item to branch on and its branches: the first one with the fewest; `None` if all is covered.
    fn choose_item(&self) -> Option<(Link, u32)> {
        let mut best = None;
        let mut at = self.items[ROOT as usize].right;
        while at != ROOT {
            let Item { right, bound, slack, .. } = self.items[at as usize];
            let degree = (self.node(at).top + 1).saturating_sub(bound.saturating_sub(slack));
            if best.is_none_or(|(_, fewest)| degree < fewest) {
                best = Some((at, degree));
                if degree == 0 {
                    break;
                }
            }
            at = right;
        }
        best
    }

    /// M4: begins a level.
    fn branch(&mut self, item: Link, degree: u32) {
        let first = self.node(item).down;
        let bound = self.bound(item);
        *bound -= 1;
        if *bound == 0 {
            self.cover(item);
        }
        let Item { bound, slack, .. } = self.items[item as usize];
        let is_tweaked = bound > 0 || slack > 0;
        let copied = self.copies.len() as u32;
        if is_tweaked {
            let mut node = first;
            while node != item {
                self.copies.push(node);
                node = self.node(node).down;
            }
        }
        self.depth += usize::from(degree > 1);
        let (node, end) = (first, item);
        self.levels.push(Level { item, node, first, end, degree, tried: 0, given: 0, is_tweaked, copied });
    }

    /// M5, M6: chooses the next branch of the last level; `false` if all were tried.
    fn try_branch(&mut self) -> bool {
        let Some(level) = self.levels.last_mut() else { return false };
        if level.tried + level.given >= level.degree {
            return false;
        }
        level.tried += 1;
        let Level { item, node, is_tweaked, .. } = *level;
        if node == item {
            // The item is covered no more; all its options are out of the way.
            if *self.bound(item) > 0 {
                self.deactivate(item);
            }
            return true;
        }
        if is_tweaked {
            self.tweak(node, item);
        }
        self.commit_others(node);
        true
    }

    /// M7: takes the branch of the last level back, and goes to the one behind it.
    fn leave_branch(&mut self) {
        let Some(&Level { item, node, .. }) = self.levels.last() else { return };
        if node != item {
            self.uncommit_others(node);
        } else if *self.bound(item) > 0 {
            self.reactivate(item);
        }
        let down = self.node(node).down;
        if let Some(level) = self.levels.last_mut().filter(|_| node != item) {
            level.node = down;
        }
    }

    /// M8: takes the last level back.
    fn leave_level(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        if level.is_tweaked {
            self.untweak(level.item, level.first);
            self.copies.truncate(level.copied as usize);
        }
        if *self.bound(level.item) == 0 {
            self.uncover(level.item);
        }
        *self.bound(level.item) += 1;
        self.depth -= usize::from(level.degree > 1);
    }

    /// The nodes of `option`.
    fn range(&self, option: OptionId) -> Range<Link> {
        let start = self.starts[option as usize];
        start..self.node(start - 1).down + 1
    }

    /// Makes the assumptions, forbidden options first: then all of them are still in their lists. `false` if two
    /// clash.
    fn assume(&mut self, assumptions: &Assumptions) -> bool {
        for &option in &assumptions.forbidden {
            if self.assumed.get(option as usize) == Some(&Assumed::Nothing) {
                self.assumed[option as usize] = Assumed::Forbidden;
                self.forbidden.push(option);
                self.range(option).for_each(|node| self.unlink(node));
            }
        }
        assumptions.chosen.iter().all(|&option| match self.assumed.get(option as usize) {
            Some(Assumed::Chosen) => true,
            Some(Assumed::Nothing) => self.choose(option),
            _ => false,
        })
    }

    /// Chooses an option for good, unless it clashes with what is chosen.
    fn choose(&mut self, option: OptionId) -> bool {
        let is_possible = |at: Link| {
            let Node { top: item, colour, .. } = self.node(at);
            match self.node(item).colour {
                purified if !self.is_primary(item) && purified != 0 => colour == DONE,
                _ => self.items[item as usize].bound > 0,
            }
        };
        let range = self.range(option);
        if !range.clone().all(is_possible) {
            return false;
        }
        self.assumed[option as usize] = Assumed::Chosen;
        self.chosen.push(option);
        range.clone().for_each(|node| self.unlink(node));
        range.for_each(|node| self.commit(node));
        true
    }

    /// Takes back everything, down to the whole problem.
    fn withdraw(&mut self) {
        while !self.levels.is_empty() {
            self.leave_branch();
            self.leave_level();
        }
        while let Some(option) = self.chosen.pop() {
            self.assumed[option as usize] = Assumed::Nothing;
            self.range(option).rev().for_each(|node| self.uncommit(node));
            self.range(option).rev().for_each(|node| self.relink(node));
        }
        while let Some(option) = self.forbidden.pop() {
            self.assumed[option as usize] = Assumed::Nothing;
            self.range(option).rev().for_each(|node| self.relink(node));
        }
    }

    /// The search, until something is to be told.
    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.step {
                Step::Enter => {
                    if let Some(stop) = meter.node(self.depth) {
                        return Event::Stopped(stop);
                    }
                    self.step = Step::Leave;
                    match self.choose_item() {
                        None => {
                            self.record();
                            return Event::Solution;
                        }
                        Some((_, 0)) => {}
                        Some((item, degree)) => {
                            self.branch(item, degree);
                            self.go_on();
                        }
                    }
                }
                Step::Leave if self.levels.is_empty() => self.step = Step::Done,
                Step::Leave => {
                    self.leave_branch();
                    self.go_on();
                }
                Step::Done => return Event::End,
            }
        }
    }

    /// Enters the next branch of the last level; leaves the level after its last branch.
    fn go_on(&mut self) {
        if self.try_branch() {
            self.step = Step::Enter;
        } else {
            self.leave_level();
        }
    }

    /// Writes down the options that are chosen.
    fn record(&mut self) {
        self.solution.clear();
        self.solution.extend_from_slice(&self.chosen);
        for index in 0..self.levels.len() {
            let Level { item, node, .. } = self.levels[index];
            if node != item {
                let option = self.option_of(node);
                self.solution.push(option);
            }
        }
    }

    /// Adds to `assumptions` what holds in branch `branch` of `level`, where `node` is tried: its option is chosen,
    /// and of a tweaked item those before it are not.
    fn assume_branch(&self, assumptions: &mut Assumptions, level: &Level, branch: u32, node: Link) {
        if node != level.item {
            assumptions.chosen.push(self.option_of(node));
        }
        if level.is_tweaked {
            let before = &self.copies[level.copied as usize..][..branch as usize];
            assumptions.forbidden.extend(before.iter().map(|&node| self.option_of(node)));
        }
    }
}

impl CoverEngine for Full {
    fn start(&mut self, assumptions: &Assumptions) {
        self.withdraw();
        self.step = if self.assume(assumptions) { Step::Enter } else { Step::Done };
        self.updates = 0;
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let event = self.run(meter);
        meter.updates += std::mem::take(&mut self.updates);
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let shallowest = self.levels.iter().position(|level| level.tried + level.given < level.degree)?;
        let level = self.levels[shallowest];
        let branch = level.degree - level.given - 1;
        let node = match level.is_tweaked {
            // The list of a covered item stays as it is: its options are hidden already.
            false => self.node(level.end).up,
            true => {
                let list = self.levels.get(shallowest + 1..)?.iter().find(|deeper| deeper.is_tweaked);
                let end = list.map_or(self.copies.len(), |deeper| deeper.copied as usize);
                self.copies[level.copied as usize..end].get(branch as usize).copied().unwrap_or(level.item)
            }
        };
        let mut assumptions = Assumptions { chosen: self.chosen.clone(), forbidden: self.forbidden.clone() };
        for above in &self.levels[..shallowest] {
            self.assume_branch(&mut assumptions, above, above.tried - 1, above.node);
        }
        self.assume_branch(&mut assumptions, &level, branch, node);
        self.levels[shallowest].given += 1;
        self.levels[shallowest].end = node;
        Some(assumptions)
    }

    fn progress(&self) -> f64 {
        if self.step == Step::Done {
            return 1.0;
        }
        let (mut done, mut weight) = (0.0, 1.0);
        for level in &self.levels {
            weight /= f64::from(level.degree);
            done += weight * f64::from(level.tried + level.given - 1);
        }
        done
    }
    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = self.clone();
        fork.withdraw();
        fork.step = Step::Done;
        Box::new(fork)
    }
}
