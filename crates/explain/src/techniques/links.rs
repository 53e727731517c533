//! The search for chains that X-chain, XY-chain and AIC share.
//!
//! A *strong* link joins two candidates of which one is true: the two of a cell, or of a symbol in a unit. A *weak*
//! link joins two of which one is false: of the same cell, or of a symbol in cells that see each other. A chain assumes
//! that its first candidate is false, and follows strong and weak links in turn: each strong link makes a candidate
//! true, each weak link one false. If the last candidate is true then, the first or the last is true in any case. So
//! candidates with weak links to both are false; and if the last is the first, it is true.
//!
//! The search goes breadth first from every candidate, and keeps the shortest chain that places or eliminates
//! something. Chains that start at a candidate and are no shorter than one that was found are not followed.

use crate::cells::Cells;
use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, bit, each, places};
use crate::technique::Finder;

/// The links of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Those of one symbol.
    Symbol,
    /// Strong links in cells, weak links between cells.
    Cells,
    /// All.
    All,
}

const NONE: u32 = u32::MAX;

struct Search<'a, 'b> {
    finder: &'a mut Finder<'b>,
    links: Links,
    /// The strong links of each candidate.
    strong: Vec<Vec<(u32, Truth)>>,
    /// For each symbol, the cells in which it has a strong link.
    linked: Vec<Cells>,
    /// The candidate that made each candidate true, and the one that made it false.
    true_by: Vec<u32>,
    false_by: Vec<u32>,
    /// For each symbol, the cells in which it is false.
    are_false: Vec<Cells>,
    /// Whether a chain ended only because it was too long.
    is_cut: bool,
}

/// The shortest chain of such links.
pub(super) fn find(finder: &mut Finder<'_>, links: Links) -> Option<Deduction> {
    let nodes = finder.geometry.cells() * usize::from(finder.geometry.symbols);
    let symbols = usize::from(finder.geometry.symbols);
    let mut search = Search {
        finder,
        links,
        strong: vec![Vec::new(); nodes],
        linked: vec![Cells::NONE; symbols],
        true_by: vec![NONE; nodes],
        false_by: vec![NONE; nodes],
        are_false: vec![Cells::NONE; symbols],
        is_cut: false,
    };
    search.link();
    // Most chains are short, so short ones are sought from everywhere before long ones.
    for limit in [7, 11, 19, 43, usize::MAX] {
        let mut best: Option<(usize, Deduction)> = None;
        for start in 0..nodes {
            if search.strong[start].is_empty() {
                continue;
            }
            let most = best.as_ref().map_or(limit, |(length, _)| *length);
            if let Some(found) = search.from(start as u32, most) {
                best = Some(found);
            }
            if !search.finder.pay(1 + nodes as u64 / 64) {
                return best.map(|(_, found)| found);
            }
        }
        if best.is_some() || !search.is_cut {
            return best.map(|(_, found)| found);
        }
        search.is_cut = false;
    }
    None
}

impl Search<'_, '_> {
    fn node(&self, Candidate { cell, symbol }: Candidate) -> u32 {
        u32::from(cell) * u32::from(self.finder.geometry.symbols) + u32::from(symbol) - 1
    }

    fn candidate(&self, node: u32) -> Candidate {
        let symbols = u32::from(self.finder.geometry.symbols);
        Candidate { cell: (node / symbols) as u16, symbol: (node % symbols) as u8 + 1 }
    }

    /// Finds the strong links.
    fn link(&mut self) {
        let (geometry, board) = (self.finder.geometry, self.finder.board);
        let mut pairs = Vec::new();
        if self.links != Links::Symbol {
            for cell in self.finder.cells_with(2..=2) {
                let mut symbols = each(board.marks(cell)).map(|symbol| Candidate { cell, symbol });
                pairs.extend(symbols.next().zip(symbols.next()).map(|pair| (pair, Truth::Cell(cell))));
            }
        }
        if self.links != Links::Cells {
            for (number, unit) in geometry.units.iter().enumerate() {
                for symbol in each(board.open(geometry, number)) {
                    let here = board.places(number, symbol);
                    if here.count_ones() == 2 {
                        let mut cells =
                            places(here).map(|place| Candidate { cell: unit.cells[place], symbol });
                        let truth = Truth::Unit { unit: number as u16, symbol };
                        pairs.extend(cells.next().zip(cells.next()).map(|pair| (pair, truth)));
                    }
                }
            }
        }
        for ((one, other), truth) in pairs {
            for (one, other) in [(one, other), (other, one)] {
                let (from, to) = (self.node(one) as usize, self.node(other));
                if self.strong[from].iter().all(|&(earlier, _)| earlier != to) {
                    self.strong[from].push((to, truth));
                }
                self.linked[usize::from(one.symbol) - 1].insert(one.cell);
            }
        }
    }

    /// The shortest chain from `start`, if it has fewer links than `most`; with their number.
    fn from(&mut self, start: u32, most: usize) -> Option<(usize, Deduction)> {
        self.true_by.fill(NONE);
        self.false_by.fill(NONE);
        self.are_false.fill(Cells::NONE);
        let first = self.candidate(start);
        self.are_false[usize::from(first.symbol) - 1].insert(first.cell);
        let (mut falses, mut trues) = (vec![start], Vec::new());
        let mut length = 0;
        while !falses.is_empty() {
            // One strong link and the weak link to what may be eliminated.
            length += 2;
            if length >= most {
                self.is_cut = true;
                return None;
            }
            trues.clear();
            for &from in &falses {
                for at in 0..self.strong[from as usize].len() {
                    let (to, _) = self.strong[from as usize][at];
                    if self.true_by[to as usize] == NONE {
                        self.true_by[to as usize] = from;
                        trues.push(to);
                    }
                }
            }
            for &end in &trues {
                let found =
                    if end == start { vec![first] } else { self.eliminated(first, self.candidate(end)) };
                if self.finder.is_new(&found) {
                    return Some((length, self.deduction(start, end, found)));
                }
            }
            falses.clear();
            for &end in &trues {
                self.follow_weak_links(end, &mut falses);
            }
            if !self.finder.pay(8 * trues.len() as u64 + falses.len() as u64) {
                return None;
            }
        }
        None
    }

    /// Adds to `falses` the candidates that `end` makes false, if they have a strong link and were not false before.
    fn follow_weak_links(&mut self, end: u32, falses: &mut Vec<u32>) {
        let Candidate { cell, symbol } = self.candidate(end);
        let index = usize::from(symbol) - 1;
        let fresh = self.finder.geometry.peers(cell) & self.linked[index] & !self.are_false[index];
        self.are_false[index] |= fresh;
        for cell in fresh.iter() {
            self.make_false(Candidate { cell, symbol }, end, falses);
        }
        if self.links == Links::All {
            for other in each(self.finder.board.marks(cell) & !bit(symbol)) {
                let index = usize::from(other) - 1;
                if self.linked[index].has(cell) && !self.are_false[index].has(cell) {
                    self.are_false[index].insert(cell);
                    self.make_false(Candidate { cell, symbol: other }, end, falses);
                }
            }
        }
    }

    fn make_false(&mut self, candidate: Candidate, end: u32, falses: &mut Vec<u32>) {
        let node = self.node(candidate);
        self.false_by[node as usize] = end;
        falses.push(node);
    }

    /// The candidates with weak links to both.
    fn eliminated(&self, one: Candidate, other: Candidate) -> Vec<Candidate> {
        let (geometry, board) = (self.finder.geometry, self.finder.board);
        let sees = geometry.peers(one.cell).has(other.cell);
        if one.symbol == other.symbol {
            let seen = geometry.peers(one.cell) & geometry.peers(other.cell) & board.cells_of(one.symbol);
            return seen.iter().map(|cell| Candidate { cell, symbol: one.symbol }).collect();
        }
        if one.cell == other.cell {
            let rest = !(bit(one.symbol) | bit(other.symbol));
            return self.finder.candidates_of(&[one.cell], rest);
        }
        let crossed = [
            Candidate { cell: one.cell, symbol: other.symbol },
            Candidate { cell: other.cell, symbol: one.symbol },
        ];
        crossed.into_iter().filter(|&candidate| sees && board.has(candidate)).collect()
    }

    /// The chain back from `end`.
    fn deduction(&self, start: u32, end: u32, found: Vec<Candidate>) -> Deduction {
        let (mut chain, mut truths, mut at) = (Vec::new(), Vec::new(), end);
        loop {
            chain.push(Node::of(self.candidate(at), true));
            let before = self.true_by[at as usize];
            let strong = &self.strong[before as usize];
            truths.extend(strong.iter().find(|(to, _)| *to == at).map(|&(_, truth)| truth));
            chain.push(Node::of(self.candidate(before), false));
            if before == start {
                break;
            }
            at = self.false_by[before as usize];
        }
        chain.reverse();
        truths.reverse();
        truths.dedup();
        let mut because: Vec<Candidate> = chain.iter().flat_map(Node::candidates).collect();
        because.sort_unstable();
        because.dedup();
        let extra = extra_of(chain.len());
        let (places, eliminates) = if start == end { (found, Vec::new()) } else { (Vec::new(), found) };
        Deduction { places, eliminates, because, truths, chains: vec![chain], extra, ..Deduction::default() }
    }
}

/// What a chain of `length` assertions adds to the score: a tenth when it has 6, 8, 12, 16, 24, 32 and so on.
pub(super) fn extra_of(length: usize) -> u16 {
    let (mut limit, mut extra, mut is_power) = (4, 0, true);
    while length > limit && extra < 12 {
        extra += 1;
        limit = if is_power { limit / 2 * 3 } else { limit / 3 * 4 };
        is_power = !is_power;
    }
    extra
}
