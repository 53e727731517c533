//! The plain way to a diagram: a search that remembers every subproblem.
//!
//! The state is the set of live options. A node branches on the primary item that has the fewest live options beyond what
//! it needs; branch t takes its t-th option and drops the ones before it, so that every solution is in one branch. What
//! remains after the forced options falls into independent parts, which share no item; each is a subproblem, known by its
//! live options (and by how often its items with bounds are covered). A table of all subproblems met so far returns their
//! nodes.
//!
//! It solves every problem: secondary items, colours, bounds. The search has its own stack, so that the depth of a
//! problem does not matter.

use std::collections::HashMap;

use super::{Branch, DONE, Diagram, DiagramBuilder, DiagramError, NONE, NodeId};
use crate::engine::{Contradiction, Meter};
use crate::{Bounds, Colour, CoverLimits, ExactCover, ItemId, OptionId};

/// Nodes between two looks at the memory in use.
const MEMORY_CHECK_NODES: u64 = 256;
/// Bytes that an entry of the table needs beside its key: the key's address and length, the node, the slots unused.
const ENTRY_BYTES: usize = 56;

/// The diagram of all solutions of `problem`.
///
/// # Errors
/// [`DiagramError::Stopped`] if a limit ends the search, and [`DiagramError::Memory`] if it needs more than about `memory`
/// bytes.
pub(super) fn build(
    problem: &ExactCover,
    limits: &CoverLimits<'_>,
    memory: usize,
) -> Result<Diagram, DiagramError> {
    let mut search = Search::new(problem, memory);
    let mut meter = Meter::new(limits.max_nodes(), limits.deadline, limits.cancel);
    let root = search.run(&mut meter)?;
    search.builder.finish(problem, root)
}

/// A set of options.
type Set = Box<[u64]>;

/// A part of the problem that is independent of the others.
struct Part {
    live: Set,
    /// Its primary items that have live options.
    items: Vec<ItemId>,
}

/// A subproblem under way.
struct Frame {
    part: Part,
    /// Its key in the table; empty at the root.
    key: Set,
    /// The live options of the item to branch on.
    choices: Vec<OptionId>,
    /// Whether the item may stay as it is: the last branch then takes none of the options.
    may_skip: bool,
    /// Branches begun.
    begun: usize,
    /// Branches finished: their options and children.
    finished: Vec<(Vec<OptionId>, Vec<NodeId>)>,
    /// The options of the branch under way.
    taken: Vec<OptionId>,
    /// The parts of the branch under way that have no node yet.
    parts: Vec<Part>,
    /// The nodes of the other parts; `None` if no branch is under way.
    children: Option<Vec<NodeId>>,
}

struct Search<'p> {
    problem: &'p ExactCover,
    /// The options of each item, with the colours they give it.
    uses: Vec<(OptionId, Colour)>,
    /// Where the options of each item start in `uses`.
    starts: Vec<usize>,
    /// How often each primary item is covered.
    covered: Vec<u32>,
    /// Live options of each primary item, for `settle`.
    counts: Vec<u32>,
    /// For each item an item of the same part, for `split`.
    same_part: Vec<ItemId>,
    table: HashMap<Set, NodeId>,
    table_bytes: usize,
    builder: DiagramBuilder,
    memory: usize,
}

impl<'p> Search<'p> {
    fn new(problem: &'p ExactCover, memory: usize) -> Search<'p> {
        let mut starts = vec![0; problem.item_count() + 1];
        problem.terms.iter().for_each(|term| starts[term.item as usize + 1] += 1);
        for item in 0..problem.item_count() {
            starts[item + 1] += starts[item];
        }
        let mut ends = starts.clone();
        let mut uses = vec![(0, 0); problem.term_count()];
        for (option, terms) in problem.options().enumerate() {
            for term in terms {
                let end = &mut ends[term.item as usize];
                uses[*end] = (option as OptionId, term.colour);
                *end += 1;
            }
        }
        Search {
            problem,
            uses,
            starts,
            covered: vec![0; problem.primary_count()],
            counts: vec![0; problem.primary_count()],
            same_part: vec![0; problem.item_count()],
            table: HashMap::new(),
            table_bytes: 0,
            builder: DiagramBuilder::default(),
            memory,
        }
    }

    /// The root of the diagram.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<NodeId, DiagramError> {
        let options = self.problem.option_count();
        let mut live = vec![u64::MAX; options.div_ceil(64)].into_boxed_slice();
        if let (Some(last), used @ 1..) = (live.last_mut(), options % 64) {
            *last = (1 << used) - 1;
        }
        let items = (0..self.problem.primary_count() as ItemId).collect();
        // The root takes no option of its own, only the forced ones.
        let root = Frame::new(Part { live, items }, Set::default(), Vec::new(), true);
        let mut stack = vec![root];
        let mut answer = None;
        loop {
            let Some(frame) = stack.last_mut() else { return Ok(answer.unwrap_or(NONE)) };
            if let Some(node) = answer.take() {
                frame.add_child(node);
            }
            if frame.children.is_none() {
                if let Some(stop) = meter.node(stack.len()) {
                    return Err(DiagramError::Stopped { end: stop.into() });
                }
                if meter.nodes.is_multiple_of(MEMORY_CHECK_NODES) && self.bytes() > self.memory {
                    return Err(DiagramError::Memory { bytes: self.memory });
                }
                let Some(frame) = stack.last_mut() else { continue };
                if !self.begin_branch(frame) {
                    answer = Some(self.finish(frame)?);
                    stack.pop();
                }
            } else if let Some(part) = frame.parts.pop() {
                match self.look_up(part) {
                    Ok(node) => answer = Some(node),
                    Err(frame) => stack.push(frame),
                }
            } else {
                self.end_branch(frame);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.table_bytes + self.builder.bytes()
    }

    /// Begins the next branch that has no contradiction; `false` if there is none.
    fn begin_branch(&mut self, frame: &mut Frame) -> bool {
        while frame.begun < frame.choices.len() + usize::from(frame.may_skip) {
            let mut live = frame.part.live.clone();
            let tried = &frame.choices[..frame.begun];
            tried.iter().for_each(|&option| remove(&mut live, option));
            if let Some(&option) = frame.choices.get(frame.begun) {
                self.take(&mut live, option, &mut frame.taken);
            }
            frame.begun += 1;
            if self.settle(&mut live, &frame.part.items, &mut frame.taken).is_ok() {
                frame.parts = self.split(&live);
                frame.children = Some(Vec::new());
                return true;
            }
            self.give_back(&mut frame.taken);
        }
        false
    }

    /// Ends the branch under way, whose parts all have nodes.
    fn end_branch(&mut self, frame: &mut Frame) {
        let children = frame.children.take().unwrap_or_default();
        let options = frame.taken.clone();
        self.give_back(&mut frame.taken);
        if !children.contains(&NONE) {
            frame.finished.push((options, children));
        }
    }

    /// The node of a subproblem all of whose branches are finished.
    fn finish(&mut self, frame: &mut Frame) -> Result<NodeId, DiagramError> {
        let branches = frame.finished.iter().map(|(options, children)| Branch { options, children });
        let node = self.builder.node(branches)?;
        let key = std::mem::take(&mut frame.key);
        self.table_bytes += 8 * key.len() + ENTRY_BYTES;
        self.table.insert(key, node);
        Ok(node)
    }

    /// The node of a part that was met before, or the frame that searches it.
    fn look_up(&mut self, part: Part) -> Result<NodeId, Frame> {
        let mut key = part.live.to_vec();
        let bounded = part.items.iter().filter(|&&item| self.problem.bounds(item) != Bounds::ONCE);
        key.extend(bounded.map(|&item| u64::from(self.covered[item as usize])));
        let key = key.into_boxed_slice();
        if let Some(&node) = self.table.get(&key) {
            return Ok(node);
        }
        // The items that need a cover come first, then those with the fewest options to spare.
        self.count(&part.live, &part.items);
        let spare = |&&item: &&ItemId| {
            let (count, need) = (self.counts[item as usize], self.need(item));
            (need == 0, count.saturating_sub(need))
        };
        let item = part.items.iter().min_by_key(spare).copied().unwrap_or(0);
        let uses = self.uses_of(item).iter().map(|&(option, _)| option);
        let choices: Vec<OptionId> = uses.filter(|&option| contains(&part.live, option)).collect();
        let may_skip = self.need(item) == 0;
        Err(Frame::new(part, key, choices, may_skip))
    }

    fn uses_of(&self, item: ItemId) -> &[(OptionId, Colour)] {
        &self.uses[self.starts[item as usize]..self.starts[item as usize + 1]]
    }

    /// How often a primary item must still be covered.
    fn need(&self, item: ItemId) -> u32 {
        self.problem.bounds(item).low.saturating_sub(self.covered[item as usize])
    }

    /// Takes an option, and removes those that it excludes.
    fn take(&mut self, live: &mut Set, option: OptionId, taken: &mut Vec<OptionId>) {
        taken.push(option);
        remove(live, option);
        for term in self.problem.option(option) {
            let is_full = match self.covered.get_mut(term.item as usize) {
                Some(covered) => {
                    *covered += 1;
                    *covered == self.problem.bounds(term.item).high
                }
                None => true,
            };
            if is_full {
                for &(other, colour) in self.uses_of(term.item) {
                    if colour == 0 || colour != term.colour {
                        remove(live, other);
                    }
                }
            }
        }
    }

    /// Undoes the covers of options taken, and empties their list.
    fn give_back(&mut self, taken: &mut Vec<OptionId>) {
        for term in taken.drain(..).flat_map(|option| self.problem.option(option)) {
            if let Some(covered) = self.covered.get_mut(term.item as usize) {
                *covered -= 1;
            }
        }
    }

    /// Counts the live options of these primary items.
    fn count(&mut self, live: &[u64], items: &[ItemId]) {
        items.iter().for_each(|&item| self.counts[item as usize] = 0);
        for term in members(live).flat_map(|option| self.problem.option(option)) {
            if let Some(count) = self.counts.get_mut(term.item as usize) {
                *count += 1;
            }
        }
    }

    /// Takes forced options until there are none.
    fn settle(
        &mut self,
        live: &mut Set,
        items: &[ItemId],
        taken: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction> {
        loop {
            self.count(live, items);
            let mut forced = None;
            for &item in items {
                let (count, need) = (self.counts[item as usize], self.need(item));
                if count < need {
                    return Err(Contradiction);
                }
                if count == need && need > 0 {
                    forced = Some(item);
                }
            }
            let Some(item) = forced else { return Ok(()) };
            let first = self.uses_of(item).iter().find(|&&(option, _)| contains(live, option));
            let Some(&(option, _)) = first else { return Err(Contradiction) };
            self.take(live, option, taken);
        }
    }

    /// The independent parts of the live options: options that share an item are in one part.
    fn split(&mut self, live: &Set) -> Vec<Part> {
        let problem = self.problem;
        for term in members(live).flat_map(|option| problem.option(option)) {
            self.same_part[term.item as usize] = term.item;
        }
        for terms in members(live).map(|option| problem.option(option)) {
            for pair in terms.windows(2) {
                let (one, other) = (self.root_of(pair[0].item), self.root_of(pair[1].item));
                self.same_part[one as usize] = other;
            }
        }
        let mut parts: Vec<(ItemId, Part)> = Vec::new();
        for option in members(live) {
            let terms = problem.option(option);
            let root = self.root_of(terms[0].item);
            let place = parts.iter().position(|(other, _)| *other == root).unwrap_or_else(|| {
                let live = vec![0; live.len()].into_boxed_slice();
                parts.push((root, Part { live, items: Vec::new() }));
                parts.len() - 1
            });
            let part = &mut parts[place].1;
            part.live[option as usize / 64] |= 1 << (option % 64);
            let primary = terms.iter().map(|term| term.item);
            part.items.extend(primary.filter(|&item| (item as usize) < problem.primary_count()));
        }
        let mut parts: Vec<Part> = parts.into_iter().map(|(_, part)| part).collect();
        for part in &mut parts {
            part.items.sort_unstable();
            part.items.dedup();
        }
        parts
    }

    /// The item that stands for the part of `item`.
    fn root_of(&mut self, mut item: ItemId) -> ItemId {
        while self.same_part[item as usize] != item {
            let next = self.same_part[item as usize];
            self.same_part[item as usize] = self.same_part[next as usize];
            item = next;
        }
        item
    }
}

impl Frame {
    fn new(part: Part, key: Set, choices: Vec<OptionId>, may_skip: bool) -> Frame {
        Frame {
            part,
            key,
            choices,
            may_skip,
            begun: 0,
            finished: Vec::new(),
            taken: Vec::new(),
            parts: Vec::new(),
            children: None,
        }
    }

    /// Adds the node of a part of the branch under way. Without solutions, the other parts do not matter.
    fn add_child(&mut self, node: NodeId) {
        if node == NONE {
            self.parts.clear();
        }
        if node != DONE
            && let Some(children) = &mut self.children
        {
            children.push(node);
        }
    }
}

fn contains(set: &[u64], option: OptionId) -> bool {
    set[option as usize / 64] >> (option % 64) & 1 == 1
}

fn remove(set: &mut [u64], option: OptionId) {
    set[option as usize / 64] &= !(1 << (option % 64));
}

/// The options of a set, ascending.
fn members(set: &[u64]) -> impl Iterator<Item = OptionId> {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let next = |&word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
        let words = std::iter::successors(Some(word).filter(|&word| word != 0), next);
        words.map(move |word| 64 * index as OptionId + word.trailing_zeros())
    })
}
