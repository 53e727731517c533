//! Which items are connected: two items are if an option has both, or through other items.

use crate::Term;

/// Sets of connected items: each is a tree whose root stands for it.
pub(crate) struct UnionFind {
    /// For each item another one of its set; a root has itself.
    parents: Vec<u32>,
}

impl UnionFind {
    /// `count` items without a connection.
    pub(crate) fn new(count: usize) -> UnionFind {
        UnionFind { parents: (0..count as u32).collect() }
    }

    /// Connects the items of an option.
    pub(crate) fn connect(&mut self, terms: &[Term]) {
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
    pub(crate) fn root_of(&mut self, mut item: u32) -> u32 {
        while self.parents[item as usize] != item {
            let next = self.parents[self.parents[item as usize] as usize];
            self.parents[item as usize] = next;
            item = next;
        }
        item
    }
}
