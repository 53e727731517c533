//! The plain way to a diagram: a search that remembers every subproblem.
//!
//! The state is the set of live options. A node branches on the primary item that has the fewest live options beyond
//! what it needs. Branch t takes its t-th option and drops the ones before it, so that every solution is in one branch.
//! What remains after the forced options is a subproblem, known by its live options (and by how often its items with
//! bounds are covered). A table of all subproblems met so far returns their nodes. A new one falls into independent
//! parts, which share no item; if there are several, each is a subproblem of its own.
//!
//! It solves every problem: secondary items, colours, bounds. The search has its own stack, so that the depth of a
//! problem does not matter.
//!
//! Looking for the parts before the look into the table made 16x16 dominoes 1.6 times as slow: half of the subproblems
//! are known.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::connected::UnionFind;
use crate::diagram::{Branch, DONE, Diagram, DiagramBuilder, DiagramError, NONE, NodeId, hash_word};
use crate::engine::Meter;
use crate::residual::{Residual, Set, members, remove};
use crate::{Bounds, CoverLimits, ExactCover, ItemId, OptionId};

/// Nodes between two looks at the memory in use.
const MEMORY_CHECK_NODES: u64 = 256;
/// Bytes that an entry of the table needs beside its key: the key's address and length, the node, the slots unused.
const ENTRY_BYTES: usize = 56;

/// The diagram of all solutions of `problem`; see [`Diagram::build`].
pub(crate) fn build(
    problem: &ExactCover,
    limits: &CoverLimits<'_>,
    memory: usize,
) -> Result<Diagram, DiagramError> {
    let mut search = PlainSearch::new(problem, memory);
    let mut meter = Meter::new(limits.max_nodes(), limits.deadline, limits.cancel);
    let root = search.run(&mut meter)?;
    search.builder.finish(problem, root)
}

/// A part of the problem that is independent of the others, or several of them.
struct Part {
    live: Set,
    /// Its primary items that have live options.
    items: Vec<u32>,
}

/// A subproblem under way.
struct Frame {
    part: Part,
    /// Its key in the table; empty at the root.
    key: Set,
    /// The live options of the item to branch on.
    choices: Vec<u32>,
    /// Whether the item may stay as it is: the last branch then takes none of the options.
    may_skip: bool,
    /// Branches begun.
    begun: usize,
    /// Branches finished: their options and children.
    finished: Vec<(Vec<u32>, Vec<NodeId>)>,
    /// The options of the branch under way.
    taken: Vec<u32>,
    /// The parts of the branch under way that have no node yet.
    parts: Vec<Part>,
    /// The nodes of the other parts; `None` if no branch is under way.
    children: Option<Vec<NodeId>>,
}

/// What the table knows about a part.
enum Lookup {
    Node(NodeId),
    /// It was not met before: this frame searches it.
    Nothing(Frame),
}

struct PlainSearch<'p> {
    problem: &'p ExactCover,
    residual: Residual<'p>,
    /// For `split`.
    connected: UnionFind,
    /// The place of each such item's part among the parts of `split`.
    place: Vec<usize>,
    table: HashMap<Set, NodeId, BuildHasherDefault<WordHasher>>,
    table_bytes: usize,
    builder: DiagramBuilder,
    memory: usize,
}

impl<'p> PlainSearch<'p> {
    fn new(problem: &'p ExactCover, memory: usize) -> PlainSearch<'p> {
        PlainSearch {
            problem,
            residual: Residual::new(problem),
            connected: UnionFind::new(problem.item_count()),
            place: vec![0; problem.item_count()],
            table: HashMap::default(),
            table_bytes: 0,
            builder: DiagramBuilder::default(),
            memory,
        }
    }

    /// The root of the diagram.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<NodeId, DiagramError> {
        let part = Part { live: self.residual.all(), items: self.residual.items() };
        // The root takes no option of its own, only the forced ones.
        let root = Frame::new(part, Set::default(), Vec::new(), true);
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
                if meter.nodes.is_multiple_of(MEMORY_CHECK_NODES) {
                    self.check_memory(stack.len())?;
                }
                let Some(frame) = stack.last_mut() else { continue };
                if !self.begin_branch(frame) {
                    answer = Some(self.finish(frame)?);
                    stack.pop();
                }
            } else if let Some(part) = frame.parts.pop() {
                match self.look_up(part)? {
                    Lookup::Node(node) => answer = Some(node),
                    Lookup::Nothing(frame) => stack.push(frame),
                }
            } else {
                self.end_branch(frame);
            }
        }
    }

    /// Checks that everything fits if there are this many more subproblems under way, or parts of them.
    fn check_memory(&self, subproblems: usize) -> Result<(), DiagramError> {
        // Two sets and the items of each.
        let bytes = self.problem.option_count() / 4 + 4 * self.problem.primary_count() + size_of::<Frame>();
        let sum = self.table_bytes.saturating_add(self.builder.bytes());
        let sum = sum.saturating_add(bytes.saturating_mul(subproblems));
        if sum > self.memory { Err(DiagramError::Memory { bytes: self.memory }) } else { Ok(()) }
    }

    /// Begins the next branch that has no contradiction; `false` after the last one.
    fn begin_branch(&mut self, frame: &mut Frame) -> bool {
        while frame.begun < frame.choices.len() + usize::from(frame.may_skip) {
            let mut live = frame.part.live.clone();
            let tried = &frame.choices[..frame.begun];
            tried.iter().for_each(|&option| remove(&mut live, option));
            if let Some(&option) = frame.choices.get(frame.begun) {
                self.residual.take(&mut live, option, &mut frame.taken);
            }
            frame.begun += 1;
            if self.residual.settle(&mut live, &frame.part.items, &mut frame.taken).is_ok() {
                let residual = &self.residual;
                let items: Vec<u32> =
                    frame.part.items.iter().copied().filter(|&item| residual.has_options(item)).collect();
                if !items.is_empty() {
                    frame.parts.push(Part { live, items });
                }
                frame.children = Some(Vec::new());
                return true;
            }
            self.residual.give_back(&mut frame.taken);
        }
        false
    }

    /// Ends the branch under way, whose parts all have nodes.
    fn end_branch(&mut self, frame: &mut Frame) {
        let children = frame.children.take().unwrap_or_default();
        let options = frame.taken.clone();
        self.residual.give_back(&mut frame.taken);
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
    fn look_up(&mut self, part: Part) -> Result<Lookup, DiagramError> {
        let mut key = part.live.to_vec();
        let bounded = part.items.iter().filter(|&&item| self.problem.bounds(ItemId(item)) != Bounds::ONCE);
        key.extend(bounded.map(|&item| u64::from(self.residual.covered(item))));
        let key = key.into_boxed_slice();
        if let Some(&node) = self.table.get(&key) {
            return Ok(Lookup::Node(node));
        }
        let parts = self.split(&part)?;
        if parts.len() > 1 {
            let frame = Frame::new(part, key, Vec::new(), false);
            return Ok(Lookup::Nothing(Frame { parts, children: Some(Vec::new()), ..frame }));
        }
        self.residual.count(&part.live, &part.items);
        let Some(item) = self.residual.choose(&part.items) else { return Ok(Lookup::Node(DONE)) };
        let choices = self.residual.live_options(&part.live, item);
        let may_skip = self.residual.need(item) == 0;
        Ok(Lookup::Nothing(Frame::new(part, key, choices, may_skip)))
    }

    /// The independent parts of a part: options that share an item are in one of them. None if there is only one.
    fn split(&mut self, part: &Part) -> Result<Vec<Part>, DiagramError> {
        let problem = self.problem;
        members(&part.live).for_each(|option| self.connected.separate(problem.option(OptionId(option))));
        members(&part.live).for_each(|option| self.connected.connect(problem.option(OptionId(option))));
        let roots = part.items.iter().filter(|&&item| self.connected.root_of(item) == item).count();
        if roots == 1 {
            return Ok(Vec::new());
        }
        self.check_memory(roots)?;
        let mut parts: Vec<Part> = Vec::new();
        self.place.iter_mut().for_each(|place| *place = usize::MAX);
        for &item in &part.items {
            let root = self.connected.root_of(item) as usize;
            if self.place[root] == usize::MAX {
                self.place[root] = parts.len();
                parts.push(Part { live: vec![0; part.live.len()].into_boxed_slice(), items: Vec::new() });
            }
            parts[self.place[root]].items.push(item);
        }
        for option in members(&part.live) {
            let root = self.connected.root_of(problem.option(OptionId(option))[0].item.0) as usize;
            parts[self.place[root]].live[option as usize / 64] |= 1 << (option % 64);
        }
        Ok(parts)
    }
}

impl Frame {
    fn new(part: Part, key: Set, choices: Vec<u32>, may_skip: bool) -> Frame {
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

/// Hashes keys word by word, as the builder hashes nodes.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks_exact(8) {
            let word = chunk.try_into().map_or(0, u64::from_ne_bytes);
            self.0 = hash_word(self.0, word);
        }
    }

    fn finish(&self) -> u64 {
        // The table uses the lowest and the highest bits.
        self.0 ^ self.0 >> 32
    }
}
