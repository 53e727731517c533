//! The independent parts of a problem.
//!
//! Two items belong to the same part if an option has both, or through other items. [`Independent`](super::independent)
//! searches each part by itself.
//!
//! Parts without a choice, whose items have no more options than they need, are one part together: a problem may have a
//! million of them. A problem with bounds and only one other part is not split: engines for bounds take any number of
//! items.

use crate::{ExactCover, ItemId, OptionId, Term};

/// Sets of connected items: each is a tree whose root stands for it.
struct UnionFind {
    /// For each item another one of its set; a root has itself.
    parents: Vec<u32>,
}

impl UnionFind {
    /// `count` items without a connection.
    fn new(count: usize) -> UnionFind {
        UnionFind { parents: (0..count as u32).collect() }
    }

    /// Connects the items of an option.
    fn connect(&mut self, terms: &[Term]) {
        let Some((first, others)) = terms.split_first() else { return };
        let mut root = self.root_of(first.item.0);
        for term in others {
            let other = self.root_of(term.item.0);
            // The smaller number stays the root.
            let (low, high) = (root.min(other), root.max(other));
            self.parents[high as usize] = low;
            root = low;
        }
    }

    /// The item that stands for the set of `item`.
    fn root_of(&mut self, mut item: u32) -> u32 {
        while self.parents[item as usize] != item {
            let next = self.parents[self.parents[item as usize] as usize];
            self.parents[item as usize] = next;
            item = next;
        }
        item
    }
}

/// A part of a problem, and the numbers of its options in the whole.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) problem: ExactCover,
    pub(super) options: Vec<OptionId>,
}

impl Component {
    /// The numbers in the whole problem of these options of the part.
    pub(super) fn whole_numbers(&self, options: &[OptionId]) -> impl Iterator<Item = OptionId> {
        options.iter().map(|&option| self.options[option.index()])
    }
}

/// The parts of `problem`, the one with the fewest options first and equal parts together; none if nothing can be
/// split.
#[inline(never)]
pub(super) fn components(problem: &ExactCover) -> Vec<Component> {
    let mut connected = UnionFind::new(problem.item_count());
    problem.options().for_each(|terms| connected.connect(terms));
    let roots: Vec<usize> =
        (0..problem.item_count()).map(|item| connected.root_of(item as u32) as usize).collect();
    let primary_roots = &roots[..problem.primary_count()];
    if primary_roots.windows(2).all(|pair| pair[0] == pair[1]) {
        return Vec::new();
    }
    let mut has_choice = vec![false; problem.item_count()];
    for ((item, &root), degree) in (0..).map(ItemId).zip(primary_roots).zip(problem.degrees()) {
        has_choice[root] |= degree > problem.bounds(item).low;
    }
    let mut parts = vec![u32::MAX; problem.item_count()];
    let mut forced = None;
    let mut count = 0;
    for &root in primary_roots {
        if parts[root] == u32::MAX {
            parts[root] = if has_choice[root] { count } else { *forced.get_or_insert(count) };
            count = count.max(parts[root] + 1);
        }
    }
    let choices = count - u32::from(forced.is_some());
    if count < 2 || choices < 2 && !problem.is_simple() {
        return Vec::new();
    }
    // The items of a part keep their order, so its primary items still come first.
    let mut numbers = vec![0; problem.item_count()];
    let empty = || Component { problem: ExactCover::default(), options: Vec::new() };
    let mut components: Vec<Component> = (0..count).map(|_| empty()).collect();
    for (item, &root) in roots.iter().enumerate() {
        // Secondary items that occur in no option have no part.
        let Some(part) = components.get_mut(parts[root] as usize) else { continue };
        numbers[item] = part.problem.item_count as u32;
        part.problem.item_count += 1;
        if item < problem.primary_count() {
            part.problem.primary_count += 1;
            part.problem.bounds.extend(problem.bounds.get(item));
        }
    }
    for (option, terms) in (0..).map(OptionId).zip(problem.options()) {
        let Some(first) = terms.first() else { continue };
        let Some(part) = components.get_mut(parts[roots[first.item.index()]] as usize) else { continue };
        let numbered = terms.iter().map(|term| Term { item: ItemId(numbers[term.item.index()]), ..*term });
        part.problem.terms.extend(numbered);
        part.problem.starts.push(part.problem.terms.len() as u32);
        part.options.push(option);
    }
    components.sort_by(|one, other| {
        let sizes = one.options.len().cmp(&other.options.len());
        sizes
            .then_with(|| one.problem.starts.cmp(&other.problem.starts))
            .then_with(|| terms_of(one).cmp(terms_of(other)))
    });
    components
}

fn terms_of(part: &Component) -> impl Iterator<Item = (u32, u32)> {
    part.problem.terms.iter().map(|term| (term.item.0, term.colour))
}
