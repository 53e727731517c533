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
//! `colour` COLOR, `bound` BOUND and `slack` SLACK; a [`Move`]'s `node` is `x_l`, `first` `FT_l`.
//!
//! What the book leaves open, or what differs:
//! 1. The levels are those of all engines ([`Branches`]); [`next`](CoverEngine::next) can stop and continue. What the book does
//!    at a level is written down as [`Move`]s, which are taken back in turn. An item with one branch needs no level.
//! 2. A level lists its nodes when it begins, because the list of an item with bounds changes during the search.
//! 3. Ties go to the first item of the ring (the book's exercise takes any of them).
//! 4. Secondary items have a bound too, which is 0 while they are covered. Only assumptions read it.

mod dance;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::engine::Assumed;
use crate::engine::search::{Branches, Found, Position};
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

/// What was done to an item: its branches began, or one of them was chosen.
#[derive(Clone, Copy, Debug)]
struct Move {
    item: Link,
    /// The node that was chosen, the header if the item is covered no more, or [`ROOT`] if its branches began (`x_l`).
    node: Link,
    /// The first node of the list when its branches began (`FT_l`).
    first: Link,
}

/// Where a level began: the number of moves, and whether its item was tweaked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    moves: usize,
    is_tweaked: bool,
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
    /// The branches are nodes.
    branches: Branches<Mark>,
    moves: Vec<Move>,
    /// The assumptions that hold, in the order they were made: forbidden options, then chosen ones.
    forbidden: Vec<OptionId>,
    chosen: Vec<OptionId>,
    /// The same by option.
    assumed: Vec<Assumed>,
    updates: u64,
    solution: Vec<OptionId>,
}

/// The most bytes that a search takes; the short path takes fewer.
pub(crate) fn own_bytes(problem: &ExactCover) -> usize {
    let (items, options, terms) = (problem.item_count(), problem.option_count(), problem.term_count());
    let mut degrees = vec![0_u32; items];
    problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
    // An item is branched on as often as it can be covered; each of these levels lists its options, and has two moves.
    let branches = degrees.iter().enumerate().map(|(item, &degree)| {
        let times = problem.bounds(item as ItemId).high.min(degree) as usize + 1;
        Branches::<Mark>::bytes(times, 0)
            .saturating_add(times.saturating_mul(4 * size_of::<Move>() + 8 * (degree as usize + 1)))
    });
    let lists = size_of::<Node>() * (terms + options + items + 2) + (size_of::<Item>() + 1) * (items + 1);
    branches.fold(lists + 24 * options, usize::saturating_add)
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
            branches: Branches::default(),
            moves: Vec::new(),
            forbidden: Vec::new(),
            chosen: Vec::new(),
            assumed: vec![Assumed::Nothing; options],
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

    /// M4: begins the branches of `item`, and appends the nodes of so many to `nodes`.
    fn begin(&mut self, item: Link, degree: u32, nodes: &mut Vec<Link>) {
        let first = self.node(item).down;
        let bound = self.bound(item);
        *bound -= 1;
        if *bound == 0 {
            self.cover(item);
        }
        self.moves.push(Move { item, node: ROOT, first });
        // The header comes last, if the item need not be covered.
        let mut node = first;
        for _ in 0..degree {
            nodes.push(node);
            node = self.node(node).down;
        }
    }

    /// M5, M6: chooses the option of `node`; or a header, whose item is covered no more.
    fn try_branch(&mut self, node: Link) {
        let item = if self.is_header(node) { node } else { self.node(node).top };
        self.moves.push(Move { item, node, first: node });
        if node == item {
            // All its options are out of the way.
            if *self.bound(item) > 0 {
                self.deactivate(item);
            }
            return;
        }
        if self.is_tweaked(item) {
            self.tweak(node, item);
        }
        self.commit_others(node);
    }

    fn is_header(&self, node: Link) -> bool {
        (node as usize) < self.items.len()
    }

    /// Whether options tried leave the list, because the item may be covered again below or need not be.
    fn is_tweaked(&self, item: Link) -> bool {
        let Item { bound, slack, .. } = self.items[item as usize];
        bound > 0 || slack > 0
    }

    /// M7, M8: takes moves back until so many are left.
    fn undo(&mut self, count: usize) {
        while self.moves.len() > count
            && let Some(Move { item, node, first }) = self.moves.pop()
        {
            if node == ROOT {
                if self.is_tweaked(item) {
                    self.untweak(item, first);
                }
                if *self.bound(item) == 0 {
                    self.uncover(item);
                }
                *self.bound(item) += 1;
            } else if node != item {
                self.uncommit_others(node);
            } else if *self.bound(item) > 0 {
                self.reactivate(item);
            }
        }
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
        self.undo(0);
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

    /// Writes down the options that are chosen.
    fn record(&mut self) {
        let mut solution = std::mem::take(&mut self.solution);
        solution.clear();
        solution.extend_from_slice(&self.chosen);
        self.add_options(&mut solution, self.moves.len());
        self.solution = solution;
    }

    /// Adds the options that the first `count` moves chose.
    fn add_options(&self, options: &mut Vec<OptionId>, count: usize) {
        let nodes = self.moves[..count].iter().map(|chosen| chosen.node);
        options.extend(nodes.filter(|&node| !self.is_header(node)).map(|node| self.option_of(node)));
    }
}

impl Position for Full {
    type Mark = Mark;

    fn enter(
        &mut self,
        node: Option<Link>,
        _: usize,
        _: &mut Meter<'_>,
        nodes: &mut Vec<Link>,
    ) -> Found<Mark> {
        if let Some(node) = node {
            self.try_branch(node);
        }
        match self.choose_item() {
            None => Found::Solution,
            Some((_, 0)) => Found::Contradiction,
            Some((item, degree)) => {
                self.begin(item, degree, nodes);
                match degree {
                    1 => Found::Forced(nodes.pop()),
                    _ => Found::Open(Mark { moves: self.moves.len(), is_tweaked: self.is_tweaked(item) }),
                }
            }
        }
    }

    fn go_back(&mut self, _: usize, mark: Mark) {
        self.undo(mark.moves);
    }
}

impl CoverEngine for Full {
    fn start(&mut self, assumptions: &Assumptions) {
        self.withdraw();
        let is_possible = self.assume(assumptions);
        self.branches.start(is_possible);
        self.updates = 0;
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let mut branches = std::mem::take(&mut self.branches);
        let event = branches.run(self, meter);
        self.branches = branches;
        if event == Event::Solution {
            self.record();
        }
        meter.updates += std::mem::take(&mut self.updates);
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let (given, mark, node) = self.branches.split()?;
        let mut assumptions = Assumptions { chosen: self.chosen.clone(), forbidden: self.forbidden.clone() };
        self.add_options(&mut assumptions.chosen, mark.moves);
        if !self.is_header(node) {
            assumptions.chosen.push(self.option_of(node));
        }
        for depth in 0..=given {
            // A branch of a tweaked item chooses none of the options before it.
            let (mark, tried) = self.branches.tried_before(depth, depth == given);
            if mark.is_tweaked {
                assumptions.forbidden.extend(tried.iter().map(|&node| self.option_of(node)));
            }
        }
        Some(assumptions)
    }

    fn progress(&self) -> f64 {
        self.branches.progress()
    }

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = self.clone();
        fork.withdraw();
        fork.branches.start(false);
        Box::new(fork)
    }
}
