//! Dancing links: an exact cover problem as circular lists of options, and the search through them.
//!
//! Algorithm X of Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1 (first in "Dancing links",
//! arXiv cs/0011047), in one line: pick the item with the fewest options, choose each of its options in turn,
//! strike out everything that clashes with it, and go on; when an item has no option left, go back.
//!
//! Every item heads a circular list of the options that may still cover it. Striking out an option unlinks
//! its nodes; each keeps its own links, so that the same steps backwards link it in again, and nothing is
//! copied, allocated or searched for.
//!
//! ```text
//!          header of item 1       header of item 2      ...   nodes[1..=items]
//!          up | down              up | down
//!              |                      |
//! option A   node  item 1  next to  node  item 2  next to  spacer     spacer: item 0,
//!              |                      |                               up    first node of the option before it,
//! option B   node  item 1             |          next to  spacer      down  that option's number
//!              |                      |
//!          back to the header     back to the header
//!
//! nodes | root | headers 1..=items | spacer | A's nodes | spacer | B's nodes | spacer | ...
//! sizes |  -   | options left; COVERED is added while the item is covered
//! ```
//!
//! Knuth's names: `up`, `down` are ULINK, DLINK; `item` is TOP; `sizes` is LEN; a spacer's `up` is its ULINK.
//!
//! What is done otherwise than in the book:
//! 1. The items stand in no list of their own (LLINK, RLINK): a covered item carries [`COVERED`] in its size,
//!    and the item with the fewest options is the minimum of one short dense array, which is a handful of
//!    vector instructions.
//! 2. An item that falls to one option is remembered when it falls: forced options are chosen from that list,
//!    and the array is read only before a guess. An item that falls to none ends the branch at once.
//! 3. Choosing an option covers its items together, and strikes out the others around it; the option itself
//!    stays in its lists. So the sizes of the items still open are exact at every step.

use crate::puzzle::{Answer, Limits};
use crate::rules::{ExactCover, ItemId, OptionId};

/// The number of a node.
type Link = u32;

/// Added to the size of a covered item: more than any item has options.
const COVERED: Link = 1 << (Link::BITS - 1);

/// A place in an option, a header or a spacer: see the drawing above.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    up: Link,
    down: Link,
    item: Link,
}

/// An item has no option left, or two chosen options cover the same item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// A guess that may be withdrawn: the option tried, and how many options were chosen before it.
#[derive(Clone, Copy, Debug)]
struct Level {
    node: Link,
    chosen: usize,
}

/// An exact cover problem in dancing links, and a search through it.
#[derive(Clone, Debug)]
pub(super) struct Links {
    nodes: Vec<Node>,
    sizes: Vec<Link>,
    /// The header of every item of the whole problem; 0 for an item that is not in this part of it.
    headers: Vec<Link>,
    /// The first node of every option of the whole problem; 0 for an option that is not in this part of it.
    starts: Vec<Link>,
    /// A node of every option chosen so far, in order.
    chosen: Vec<Link>,
    /// Items that fell to one option; some may be covered since.
    forced: Vec<Link>,
    /// The guesses that can be withdrawn.
    levels: Vec<Level>,
    /// Whether an open item has no option left.
    is_dead: bool,
    /// The options of the first solution.
    solution: Vec<OptionId>,
}

impl Links {
    /// The whole of `cover`.
    pub(super) fn new(cover: &ExactCover) -> Links {
        let nodes = cover.options().map(|items| items.len() + 1).sum::<usize>() + cover.item_count() + 2;
        let mut links = Links {
            nodes: Vec::with_capacity(nodes),
            sizes: Vec::with_capacity(cover.item_count() + 1),
            headers: vec![0; cover.item_count()],
            starts: vec![0; cover.option_count()],
            chosen: Vec::with_capacity(cover.item_count()),
            forced: Vec::with_capacity(cover.item_count() + 1),
            levels: Vec::with_capacity(cover.item_count()),
            is_dead: false,
            solution: Vec::with_capacity(cover.item_count()),
        };
        links.rebuild(cover, 0..cover.item_count() as ItemId, 0..cover.option_count() as OptionId);
        links
    }

    /// Makes these the links of a part of `cover`: `items`, and those of `options` that cover no other item.
    ///
    /// Allocates nothing when made by [`new`](Self::new) of the same cover.
    pub(super) fn rebuild(
        &mut self,
        cover: &ExactCover,
        items: impl IntoIterator<Item = ItemId>,
        options: impl IntoIterator<Item = OptionId>,
    ) {
        self.forget();
        self.nodes.clear();
        self.sizes.clear();
        self.headers.fill(0);
        self.starts.fill(0);
        self.nodes.push(Node::default());
        self.sizes.push(COVERED);
        for item in items {
            let header = self.nodes.len() as Link;
            self.headers[item as usize] = header;
            self.nodes.push(Node { up: header, down: header, item: header });
            self.sizes.push(0);
        }
        self.nodes.push(Node::default());
        for option in options {
            self.append(cover.option(option), option);
        }
    }

    /// Appends an option below all others, unless it covers an item that is not here.
    fn append(&mut self, items: &[ItemId], option: OptionId) {
        let first = self.nodes.len() as Link;
        if items.iter().any(|&item| self.headers[item as usize] == 0) {
            return;
        }
        self.starts[option as usize] = first;
        for (node, &item) in (first..).zip(items) {
            let header = self.headers[item as usize];
            let up = self.nodes[header as usize].up;
            self.nodes[up as usize].down = node;
            self.nodes[header as usize].up = node;
            self.nodes.push(Node { up, down: header, item: header });
            self.sizes[header as usize] += 1;
        }
        self.nodes.push(Node { up: first, down: option, item: 0 });
    }

    /// Chooses `option` for good: a clue.
    ///
    /// # Errors
    /// It is not here, covers an item that is covered already, or leaves one without options.
    pub(super) fn give(&mut self, option: OptionId) -> Result<(), Contradiction> {
        match self.starts.get(option as usize) {
            Some(&node) if node > 0 && self.is_open(node) => self.choose(node),
            _ => Err(Contradiction),
        }
    }

    /// Whether no item of the option of `node` is covered yet.
    fn is_open(&self, node: Link) -> bool {
        let spacer = self.spacer(node);
        let nodes = &self.nodes[self.nodes[spacer].up as usize..spacer];
        nodes.iter().all(|node| self.sizes[node.item as usize] < COVERED)
    }

    /// Withdraws everything that was chosen, and forgets what was found.
    pub(super) fn forget(&mut self) {
        self.withdraw(0);
        self.levels.clear();
        self.solution.clear();
    }

    /// The options of the first solution that [`search`](Self::search) found.
    pub(super) fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    /// Looks for solutions: Algorithm X.
    pub(super) fn search(&mut self, limits: Limits) -> Answer {
        let mut answer = Answer::default();
        let mut is_open = !self.is_dead;
        loop {
            is_open = is_open && self.choose_forced().is_ok();
            let next = if !is_open {
                self.next_alternative()
            } else if let Some(item) = self.fewest_options() {
                // An item that never had an option: none was chosen by guess yet.
                (self.sizes[item] > 0).then(|| self.nodes[item].down)
            } else {
                self.record(&mut answer);
                if answer.solutions >= limits.solutions {
                    return answer;
                }
                self.next_alternative()
            };
            let Some(node) = next else { return answer };
            if self.is_last(node) {
                is_open = self.choose(node).is_ok();
            } else if answer.effort.guesses < limits.guesses {
                answer.effort.guesses += 1;
                self.levels.push(Level { node, chosen: self.chosen.len() });
                is_open = self.choose(node).is_ok();
            } else {
                answer.gave_up = true;
                return answer;
            }
        }
    }

    /// Chooses the only option of every item that has but one, until there is none.
    fn choose_forced(&mut self) -> Result<(), Contradiction> {
        while let Some(item) = self.forced.pop() {
            if self.sizes[item as usize] < COVERED {
                self.choose(self.nodes[item as usize].down)?;
            }
        }
        Ok(())
    }

    /// The header of the open item with the fewest options, the first of several; `None` when all are covered.
    fn fewest_options(&self) -> Option<usize> {
        let least = self.sizes.iter().copied().min()?;
        if least >= COVERED { None } else { self.sizes.iter().position(|&size| size == least) }
    }

    /// Withdraws the last guess and all that followed; the next alternative to it. `None` when none is open.
    fn next_alternative(&mut self) -> Option<Link> {
        let Level { node, chosen } = self.levels.pop()?;
        self.withdraw(chosen);
        Some(self.nodes[node as usize].down)
    }

    /// Whether no option stands below `node` in its item's list.
    fn is_last(&self, node: Link) -> bool {
        let Node { down, item, .. } = self.nodes[node as usize];
        down == item
    }

    /// Counts a solution and keeps the first.
    fn record(&mut self, answer: &mut Answer) {
        if answer.solutions == 0 {
            for place in 0..self.chosen.len() {
                let spacer = self.spacer(self.chosen[place]);
                self.solution.push(self.nodes[spacer].down);
            }
        }
        answer.solutions += 1;
    }

    /// Chooses the option of `node`: covers its items, and strikes out every option that clashes with it.
    fn choose(&mut self, node: Link) -> Result<(), Contradiction> {
        self.chosen.push(node);
        let spacer = self.spacer(node);
        let first = self.nodes[spacer].up as usize;
        for node in first..spacer {
            self.sizes[self.nodes[node].item as usize] += COVERED;
        }
        for node in first..spacer {
            self.cover(node);
        }
        if self.is_dead { Err(Contradiction) } else { Ok(()) }
    }

    /// Takes back [`choose`](Self::choose) until `kept` options are chosen.
    fn withdraw(&mut self, kept: usize) {
        while self.chosen.len() > kept {
            let Some(node) = self.chosen.pop() else { return };
            let spacer = self.spacer(node);
            for node in (self.nodes[spacer].up as usize..spacer).rev() {
                self.uncover(node);
                self.sizes[self.nodes[node].item as usize] -= COVERED;
            }
        }
        self.forced.clear();
        self.is_dead = false;
    }

    /// Strikes out the other options of the item of `node`.
    fn cover(&mut self, node: usize) {
        let header = self.nodes[node].item as usize;
        let mut other = self.nodes[node].down as usize;
        while other != node {
            if other != header {
                self.hide(other);
            }
            other = self.nodes[other].down as usize;
        }
    }

    /// Takes back [`cover`](Self::cover).
    fn uncover(&mut self, node: usize) {
        let header = self.nodes[node].item as usize;
        let mut other = self.nodes[node].up as usize;
        while other != node {
            if other != header {
                self.unhide(other);
            }
            other = self.nodes[other].up as usize;
        }
    }

    /// Unlinks an option from all its items' lists but the one of `node`.
    fn hide(&mut self, node: usize) {
        let mut at = node + 1;
        while at != node {
            let Node { up, down, item } = self.nodes[at];
            if item == 0 {
                at = up as usize;
                continue;
            }
            self.nodes[up as usize].down = down;
            self.nodes[down as usize].up = up;
            let size = &mut self.sizes[item as usize];
            *size -= 1;
            if *size <= 1 {
                self.is_dead |= *size == 0;
                self.forced.push(item);
            }
            at += 1;
        }
    }

    /// Takes back [`hide`](Self::hide).
    fn unhide(&mut self, node: usize) {
        let mut at = node + 1;
        while at != node {
            let Node { up, down, item } = self.nodes[at];
            if item == 0 {
                at = up as usize;
                continue;
            }
            self.nodes[up as usize].down = at as Link;
            self.nodes[down as usize].up = at as Link;
            self.sizes[item as usize] += 1;
            at += 1;
        }
    }

    /// The spacer behind the option of `node`.
    fn spacer(&self, node: Link) -> usize {
        let mut at = node as usize;
        while self.nodes[at].item != 0 {
            at += 1;
        }
        at
    }
}
