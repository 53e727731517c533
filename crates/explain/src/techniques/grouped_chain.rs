//! The search for chains through groups and almost locked sets, for grouped chains and for the techniques of almost
//! locked sets. (The chains of single candidates are in [`links`](super::links).)
//!
//! A candidate that a chain eliminates sees both of its ends. So the search assumes each candidate in turn: the nodes
//! that it sees are false, those with strong links to them true, those with weak links to these false, and so on, each
//! node once. If a node that sees the candidate is true, there is a chain from a node that the candidate makes false to
//! this one. The shortest chain of all candidates is taken.

use super::links::extra_of;
use super::nodes::{NodeEntry, Nodes, Reason, Scope};
use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, each};
use crate::technique::Finder;

const NONE: u32 = u32::MAX;

struct Search<'a, 'b> {
    finder: &'a mut Finder<'b>,
    nodes: Nodes,
    scope: Scope,
    /// The weak links of each node, found when they are asked for first.
    weak: Vec<Option<Vec<u64>>>,
    /// The node that made each node true, and the one that made it false; itself if the assumption did.
    true_by: Vec<u32>,
    false_by: Vec<u32>,
    /// Bits: the nodes that are not false.
    open: Vec<u64>,
    /// Whether a chain ended only because it was too long.
    is_cut: bool,
}

/// The shortest chain with at most `most` strong links.
pub(super) fn find(finder: &mut Finder<'_>, scope: Scope, most: usize) -> Option<Deduction> {
    let nodes = Nodes::new(finder, scope)?;
    let count = nodes.list.len();
    let mut search = Search {
        finder,
        nodes,
        scope,
        weak: vec![None; count],
        true_by: vec![NONE; count],
        false_by: vec![NONE; count],
        open: vec![0; count.div_ceil(64)],
        is_cut: false,
    };
    let cells = search.finder.cells_with(2..=u32::MAX);
    let mut candidates = search.finder.candidates_of(&cells, !0);
    candidates.retain(|&candidate| search.finder.is_new(&[candidate]));
    // Short chains are sought from everywhere before long ones.
    for limit in [2, 3, 5, 9, usize::MAX].map(|limit| limit.min(most)) {
        let mut best: Option<(usize, Candidate, u32)> = None;
        for &candidate in &candidates {
            let limit = best.map_or(limit, |(length, ..)| length - 1);
            if let Some((length, end)) = search.from(candidate, limit) {
                best = Some((length, candidate, end));
            }
            if !search.finder.pay(1 + count as u64 / 16) {
                return None;
            }
        }
        if let Some((length, candidate, _)) = best {
            // Again, because others were assumed since.
            let (_, end) = search.from(candidate, length)?;
            return Some(search.deduction(end));
        }
        if !search.is_cut || limit == most {
            return None;
        }
        search.is_cut = false;
    }
    None
}

impl Search<'_, '_> {
    /// The number of strong links of the shortest chain that eliminates `candidate`, if it is at most `most`, and its
    /// last node.
    fn from(&mut self, candidate: Candidate, most: usize) -> Option<(usize, u32)> {
        let Candidate { cell, symbol } = candidate;
        self.true_by.fill(NONE);
        self.false_by.fill(NONE);
        self.open.fill(!0);
        let mut falses = Vec::new();
        let seen = self.finder.geometry.peers(cell);
        let weak = self.nodes.weak(self.finder, symbol, seen, Some(cell));
        self.make_false(&weak, None, &mut falses);
        let (mut trues, mut length) = (Vec::new(), 0);
        while !falses.is_empty() {
            if length == most {
                self.is_cut = true;
                return None;
            }
            length += 1;
            trues.clear();
            for &from in &falses {
                for &(to, _) in &self.nodes.list[from as usize].strong {
                    if self.true_by[to as usize] == NONE {
                        self.true_by[to as usize] = from;
                        trues.push(to);
                    }
                }
            }
            let is_end = |&&node: &&u32| self.is_linked(candidate, &self.nodes.list[node as usize]);
            if let Some(&end) = trues.iter().find(is_end) {
                return Some((length, end));
            }
            falses.clear();
            if !self.finder.pay((trues.len() * self.open.len()) as u64 / 8 + 1) {
                return None;
            }
            for &from in &trues {
                let weak = match self.weak[from as usize].take() {
                    Some(weak) => weak,
                    None => {
                        let NodeEntry { symbol, seen, single, .. } = self.nodes.list[from as usize];
                        self.finder.pay(2 * self.open.len() as u64);
                        self.nodes.weak(self.finder, symbol, seen, single)
                    }
                };
                self.make_false(&weak, Some(from), &mut falses);
                self.weak[from as usize] = Some(weak);
            }
        }
        None
    }

    /// Whether `node` excludes `candidate`.
    fn is_linked(&self, Candidate { cell, symbol }: Candidate, node: &NodeEntry) -> bool {
        match node.symbol == symbol {
            true => node.seen.has(cell),
            false => self.scope.has_cells() && node.single == Some(cell),
        }
    }

    /// Makes nodes false that were not false before, and adds them to `falses`.
    fn make_false(&mut self, bits: &[u64], by: Option<u32>, falses: &mut Vec<u32>) {
        for (word, (&bits, open)) in bits.iter().zip(&mut self.open).enumerate() {
            let mut fresh = bits & *open;
            *open &= !bits;
            while fresh != 0 {
                let node = (64 * word) as u32 + fresh.trailing_zeros();
                fresh &= fresh - 1;
                self.false_by[node as usize] = by.unwrap_or(node);
                falses.push(node);
            }
        }
    }

    /// The chain back from `end`.
    fn deduction(&self, end: u32) -> Deduction {
        let list = &self.nodes.list;
        let node = |at: u32, is_true| {
            let NodeEntry { cells, symbol, .. } = list[at as usize];
            Node { cells: cells.iter().collect(), symbol, is_true, from: Vec::new(), by: None }
        };
        let (mut chain, mut truths, mut sets, mut because) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut at = end;
        let start = loop {
            let before = self.true_by[at as usize];
            chain.extend([node(at, true), node(before, false)]);
            let strong = list[before as usize].strong.iter().find(|(to, _)| *to == at);
            match strong.map(|&(_, reason)| reason) {
                Some(Reason::Rule(truth)) => truths.push(truth),
                Some(Reason::Set(set)) => {
                    let cells: Vec<u16> = self.nodes.sets[set].iter().collect();
                    truths.extend(cells.iter().map(|&cell| Truth::Cell(cell)));
                    because.extend(self.finder.candidates_of(&cells, !0));
                    sets.push(cells);
                }
                None => {}
            }
            at = self.false_by[before as usize];
            if at == before {
                break before;
            }
        };
        chain.reverse();
        sets.reverse();
        truths.sort_unstable();
        truths.dedup();
        because.extend(chain.iter().flat_map(Node::candidates));
        because.sort_unstable();
        because.dedup();
        let extra = extra_of(chain.len());
        let mut deduction =
            Deduction { because, truths, sets, extra, chains: vec![chain], ..Deduction::default() };
        let (first, last) = (&list[start as usize], &list[end as usize]);
        match first.single.filter(|_| start == end) {
            Some(cell) => deduction.places = vec![Candidate { cell, symbol: first.symbol }],
            None => deduction.eliminates = self.eliminated(first, last),
        }
        deduction
    }

    /// The candidates with weak links to both nodes.
    fn eliminated(&self, first: &NodeEntry, last: &NodeEntry) -> Vec<Candidate> {
        let marks = self.finder.board.marks.iter().enumerate();
        let all = marks.flat_map(|(cell, &marks)| {
            each(marks).map(move |symbol| Candidate { cell: cell as u16, symbol })
        });
        all.filter(|&candidate| self.is_linked(candidate, first) && self.is_linked(candidate, last)).collect()
    }
}
