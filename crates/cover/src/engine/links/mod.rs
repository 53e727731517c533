//! Dancing links: the engine that galop is named for, and the oracle of the other engines.
//!
//! Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1. Take the item with the fewest options, choose one of
//! them, hide all options that clash with it, and go on; when an item has no option left, go back. The options of an
//! item hang in a circular list. To hide an option is to unlink its nodes; each node keeps its own links, so that the
//! same steps backwards link it in again.
//!
//! ```text
//!            item 0       item 1       item 2       item 3
//! headers    node 0       node 1       node 2       node 3
//!              |            |            |            |
//! option 0   node 4       node 5         |          node 6      spacers 7, 8
//!              |            |            |            |
//! option 1   node 9         |          node 10        |         spacers 11, 12
//!              |            |            |            |
//!            around       around       around       around
//!
//! place      0     1     2     3     4     5     6     7     8     9    10    11    12
//! links    | u d | u d | u d | u d | u d | u d | u d | o - |  -  | u d | u d | o - |  -  |   up, down: they dance
//! nodes    |  -  |  -  |  -  |  -  | 0 4 | 1 4 | 3 4 | - 4 | - 4 | 0 9 | 2 9 | - 9 | - 9 |   item, start of the option
//!                                                       in a spacer: o is the option, and the item is NONE
//! sizes    | of item 0 | of item 1 | ..
//! ```
//! Knuth's names: `up`, `down` are ULINK, DLINK; `item` is TOP; `sizes` take the place of LEN and SLACK, `left` of
//! BOUND.
//!
//! The size of an item is one more than its slack, the number of options that it can lose. An item that is covered once
//! has as many options as its size says. A size of 1 forces the options that are left, and 0 is a contradiction.
//! COVERED is added to the size of an item that is closed, and SECONDARY to the size of a secondary item.
//!
//! What differs from the book (Algorithms X, C and M):
//! 1. A search chooses an option and then forbids it ([`Choices`]), for items with bounds and without. So an option
//!    tried leaves all its lists, and nothing is tweaked.
//! 2. The items are in no list of their own (LLINK, RLINK): the item of least size is the minimum of one short dense
//!    array, which the compiler reads by vectors.
//! 3. An item whose size falls to 1 is noted when it falls. Forced options are chosen from these notes, the array is
//!    read only before a branch, and an item whose size falls to 0 ends the branch at once.
//! 4. To choose an option closes its items together and hides the other options around it. The node in the list of the
//!    closed item stays, and so does the chosen option itself.
//! 5. A hidden option is written down, and every hide is the same short straight loop over its nodes. To go back is one
//!    pass over what was written down. If all its nodes go, it is hidden around its second spacer; the first one ends
//!    the loop.
//! 6. A secondary item in a colour hides the options in other colours; the others stay in its list, as nothing walks it
//!    again.
//! 7. A search builds the lists of the options that its assumptions leave.
//!
//! Tried and lost: unrolled loops for options of 3 to 6 nodes (1.00 to 1.14 on problems that other engines solve);
//! links of 16 bits (1.02, and large rules no longer fit). The last of the smallest items (1.1 to 1.5 times the guesses
//! on sudokus). Of the smallest items the one whose options meet the largest items (0.86 to 1.11 times the guesses,
//! 1.15 to 1.5 times the time).

mod dance;
mod start;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::search::{Choices, Moves};
use crate::engine::{Build, Contradiction, CoverEntry, Unsuitable};
use crate::{Assumptions, ExactCover, ItemId, OptionId};
use dance::Dance;

/// Its row in the table of engines.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "links",
    about: "dancing links, Knuth's Algorithms X, C and M: any problem; the oracle for the others",
    lists: true,
    holds: check,
    make: |problem, build| Ok(Box::new(Choices::new(make(problem, build)?))),
};

/// The place of a node, a header or a spacer, or the number of an item.
type Link = u32;

/// Added to the size of an item that is closed.
const COVERED: Link = 1 << 31;
/// Added to the size of a secondary item: more than any item has options.
const SECONDARY: Link = 1 << 30;
/// The item of a header and of a spacer.
const NONE: Link = Link::MAX;
/// How often a secondary item may be covered, in one colour.
const OFTEN: u32 = u32::MAX;

/// The neighbours of a node in its item's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Neighbours {
    up: Link,
    down: Link,
}

/// What never changes about a node: its item, and the first node of its option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    item: Link,
    start: Link,
}

/// A move that is taken back: an option was chosen, or an item closed that has no options and needs none.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The first node of the option, or the header of the item.
    start: Link,
    /// The number of options hidden before.
    hidden: usize,
}

/// A problem in dancing links.
#[derive(Clone, Debug)]
struct Links {
    problem: Arc<ExactCover>,
    nodes: Vec<Node>,
    links: Vec<Neighbours>,
    /// The colours of the nodes, if the problem has colours.
    colours: Vec<u32>,
    sizes: Vec<Link>,
    /// How often each item may be covered, and how often still.
    highs: Vec<u32>,
    left: Vec<u32>,
    /// Primary items that are not closed.
    open: usize,
    /// The assumed options that are chosen, and the colours of secondary items in these.
    assumed_chosen: Vec<OptionId>,
    assumed_colours: Vec<u32>,
    /// A bit of each option that is neither chosen nor forbidden by the assumptions.
    free: Vec<u64>,
    chosen: Vec<Move>,
    /// The place around which each hidden option was hidden, in order: the first `hidden_len` of them.
    hidden: Vec<Link>,
    hidden_len: usize,
    /// Items whose size fell to 1, some closed since: the first `forced_len` of them.
    forced: Vec<Link>,
    forced_len: usize,
    ticks: u64,
    /// Ticks of an option that is hidden and unhidden, and of a look at the sizes.
    hide_ticks: u64,
    look_ticks: u64,
}

/// Whether links can number the nodes and the options.
fn check(problem: &ExactCover) -> Result<(), Unsuitable> {
    let (items, options) = (problem.item_count(), problem.option_count());
    let places = items + problem.term_count() + 2 * options;
    Unsuitable::check_size("nodes", places, NONE as usize - 1)?;
    Unsuitable::check_size("options", options, SECONDARY as usize - 1)
}

/// The lists of a problem.
///
/// # Errors
/// [`Unsuitable`] if links cannot number them, or if `build` stops.
fn make(problem: &ExactCover, build: Build<'_>) -> Result<Links, Unsuitable> {
    check(problem)?;
    let links = Links::new(Arc::new(problem.without_names()));
    build.check(0)?;
    Ok(links)
}

/// The first item of this size. It is sought in groups of items, which the compiler compares by vectors.
fn first_of_size(sizes: &[Link], size: Link) -> Option<usize> {
    let (groups, rest) = sizes.as_chunks::<16>();
    for (first, group) in (0..).step_by(16).zip(groups) {
        if group.iter().fold(false, |is_here, &other| is_here | (other == size)) {
            return group.iter().position(|&other| other == size).map(|at| first + at);
        }
    }
    rest.iter().position(|&other| other == size).map(|at| 16 * groups.len() + at)
}

impl Links {
    fn new(problem: Arc<ExactCover>) -> Links {
        let (items, options) = (problem.item_count(), problem.option_count());
        let places = items + problem.term_count() + 2 * options;
        let high = |item| {
            if item < problem.primary_count() { problem.bounds(ItemId(item as u32)).high } else { OFTEN }
        };
        Links {
            nodes: vec![Node { item: NONE, start: NONE }; places],
            links: vec![Neighbours::default(); places],
            colours: vec![0; if problem.has_colours() { places } else { 0 }],
            sizes: vec![0; items],
            highs: (0..items).map(high).collect(),
            left: vec![0; items],
            open: 0,
            assumed_chosen: Vec::new(),
            assumed_colours: vec![0; items],
            free: vec![0; options.div_ceil(64)],
            chosen: Vec::new(),
            hidden: vec![0; options + 1],
            hidden_len: 0,
            // The size of an item falls to 1 and to 0 once.
            forced: vec![0; 2 * items + 1],
            forced_len: 0,
            ticks: 0,
            hide_ticks: 2 + 2 * problem.terms_per_option(),
            look_ticks: 8 + problem.primary_count() as u64 / 16,
            problem,
        }
    }

    #[inline(always)]
    fn dance(&mut self) -> Dance<'_> {
        let nodes = &self.nodes[..];
        Dance {
            nodes,
            // As long as the nodes, so that an index is checked once.
            links: &mut self.links[..nodes.len()],
            sizes: &mut self.sizes,
            forced: &mut self.forced,
            forced_len: self.forced_len,
            fewest: NONE,
        }
    }

    /// The first spacer behind the option that starts at `start`.
    fn spacer(&self, start: Link) -> Link {
        (start..).find(|&at| self.nodes[at as usize].item == NONE).unwrap_or(start)
    }

    fn close(&mut self, item: usize) {
        self.sizes[item] += COVERED;
        self.open -= 1;
    }

    /// Covers the items of the option that starts at `start` once more, and closes those that may be covered no more.
    /// The first spacer behind the option.
    #[inline(always)]
    fn cover_items(&mut self, start: Link) -> Link {
        let (items, mut open, mut at) = (self.sizes.len(), self.open, start as usize);
        loop {
            let item = self.nodes[at].item as usize;
            if item >= items {
                break;
            }
            let left = self.left[item] - 1;
            self.left[item] = left;
            if left == 0 {
                self.sizes[item] += COVERED;
                open -= 1;
            } else if item < self.problem.primary_count() {
                self.cover_once_more(at, item);
            }
            at += 1;
        }
        self.open = open;
        at as Link
    }

    /// An item that stays open loses the option that is chosen.
    fn cover_once_more(&mut self, at: usize, item: usize) {
        let was_needed = self.needed(item, self.left[item] + 1) > 0;
        let mut dance = self.dance();
        dance.unlink(at);
        if !was_needed {
            dance.shrink(item);
        }
        self.forced_len = dance.forced_len;
    }

    /// Takes [`cover_items`](Self::cover_items) back.
    #[inline(always)]
    fn uncover_items(&mut self, start: Link) {
        let (items, mut open) = (self.sizes.len(), self.open);
        for at in start as usize.. {
            let item = self.nodes[at].item as usize;
            if item >= items {
                break;
            }
            let left = self.left[item];
            self.left[item] = left + 1;
            if left == 0 {
                self.sizes[item] -= COVERED;
                open += 1;
            } else if item < self.problem.primary_count() {
                self.sizes[item] += Link::from(self.needed(item, left + 1) == 0);
                self.dance().relink(at);
            }
        }
        self.open = open;
    }

    /// Goes back until `chosen` moves are left.
    fn withdraw(&mut self, chosen: usize) {
        let items = self.sizes.len();
        while self.chosen.len() > chosen
            && let Some(Move { start, hidden }) = self.chosen.pop()
        {
            self.unhide(hidden);
            if (start as usize) < items {
                self.sizes[start as usize] -= COVERED;
                self.open += 1;
            } else {
                self.uncover_items(start);
            }
        }
        self.forced_len = 0;
    }

    /// Takes hidden options back until `count` are left.
    fn unhide(&mut self, count: usize) {
        let (hidden, len) = (std::mem::take(&mut self.hidden), self.hidden_len);
        let mut dance = self.dance();
        hidden[count..len].iter().rev().for_each(|&around| dance.unhide(around));
        (self.hidden, self.hidden_len) = (hidden, count);
    }
}

impl Moves for Links {
    fn fork(&self) -> Links {
        Links::new(Arc::clone(&self.problem))
    }

    fn option_of(&self, start: u32) -> OptionId {
        OptionId(self.links[self.spacer(start) as usize].up)
    }

    fn assume(
        &mut self,
        assumptions: &Assumptions,
        forbidden: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction> {
        self.chosen.clear();
        (self.hidden_len, self.forced_len, self.ticks) = (0, 0, 0);
        self.note(assumptions, forbidden)?;
        self.build();
        self.open_items()
    }

    fn choose(&mut self, start: u32) -> Result<(), Contradiction> {
        self.chosen.push(Move { start, hidden: self.hidden_len });
        let end = self.cover_items(start);
        let primary_count = self.problem.primary_count();
        let (colours, left) = (&self.colours[..], &self.left[..]);
        let (hidden, before) = (&mut self.hidden[..], self.hidden_len);
        let mut hidden_len = before;
        let nodes = &self.nodes[..];
        let mut dance = Dance {
            nodes,
            links: &mut self.links[..nodes.len()],
            sizes: &mut self.sizes,
            forced: &mut self.forced,
            forced_len: self.forced_len,
            fewest: NONE,
        };
        for own in start..end {
            let item = dance.nodes[own as usize].item;
            match left[item as usize] {
                0 => {}
                once if once == OFTEN - 1 && item as usize >= primary_count => {}
                _ => continue,
            }
            let colour = colours.get(own as usize).copied().unwrap_or(0);
            let mut other = dance.links[item as usize].down;
            while other != item {
                let agrees = other == own || colour != 0 && colours[other as usize] == colour;
                if !agrees {
                    hidden[hidden_len] = other;
                    hidden_len += 1;
                    dance.hide(other);
                }
                other = dance.links[other as usize].down;
            }
            if dance.fewest == 0 {
                break; // What was hidden so far is written down; the rest need not be hidden.
            }
        }
        let fewest = dance.fewest;
        self.forced_len = dance.forced_len;
        self.hidden_len = hidden_len;
        self.ticks += (hidden_len - before) as u64 * self.hide_ticks;
        if fewest == 0 { Err(Contradiction) } else { Ok(()) }
    }

    fn forbid(&mut self, start: u32) -> Result<(), Contradiction> {
        let around = self.spacer(start) + 1;
        self.hidden[self.hidden_len] = around;
        self.hidden_len += 1;
        self.ticks += self.hide_ticks;
        let mut dance = self.dance();
        dance.hide(around);
        let (fewest, forced_len) = (dance.fewest, dance.forced_len);
        self.forced_len = forced_len;
        if fewest == 0 { Err(Contradiction) } else { Ok(()) }
    }

    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        while self.forced_len > 0 {
            let item = self.forced[self.forced_len - 1] as usize;
            if self.sizes[item] >= COVERED {
                self.forced_len -= 1;
            } else if let Some(option) = self.first_of(item) {
                self.choose(option)?;
            } else {
                self.chosen.push(Move { start: item as Link, hidden: self.hidden_len });
                self.close(item);
            }
        }
        if self.open == 0 {
            return Ok(None);
        }
        self.ticks += self.look_ticks;
        // The size of an open item is at least 2 here.
        let sizes = &self.sizes[..self.problem.primary_count()];
        let fewest = |size| Some((first_of_size(sizes, size)?, size - 1));
        Ok(fewest(2).or_else(|| fewest(sizes.iter().copied().min()?)))
    }

    fn first_of(&self, item: usize) -> Option<u32> {
        let first = self.links[item].down as usize;
        (first != item).then(|| self.nodes[first].start)
    }

    fn save(&mut self) {}

    fn restore(&mut self, _: usize, chosen: usize) {
        self.withdraw(chosen);
    }

    fn chosen_count(&self) -> usize {
        self.chosen.len()
    }

    fn write_chosen(&self, count: usize, options: &mut Vec<OptionId>) {
        options.extend_from_slice(&self.assumed_chosen);
        let starts = self.chosen[..count].iter().map(|chosen| chosen.start);
        let starts = starts.filter(|&start| start as usize >= self.sizes.len());
        options.extend(starts.map(|start| self.option_of(start)));
    }

    fn take_ticks(&mut self) -> u64 {
        std::mem::take(&mut self.ticks)
    }
}
