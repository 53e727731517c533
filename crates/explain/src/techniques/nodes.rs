//! Nodes and links of chains through groups of cells and almost locked sets.
//!
//! A node says that one of some cells holds a symbol. A strong link says that if one node is false, another is true:
//!
//! ```text
//! cell    two candidates in a cell
//! unit    all places of a symbol in a unit, in two halves; each is a cell or a group within another unit
//! set     n cells of a unit with n + 1 candidates, an almost locked set: its places of one symbol and those of another
//! ```
//! A weak link says that if one node is true, another is false: every cell of the one sees every cell of the other, or
//! the two are different symbols of one cell. The strong links are lists. The weak links of a node are a bit for each
//! node, computed from the nodes that have each candidate.

use std::collections::{HashMap, HashSet};

use crate::cells::Cells;
use crate::deduction::Truth;
use crate::geometry::{Candidate, Geometry, bit, each, places};
use crate::technique::{Finder, choose};

/// Which links a chain has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Units, for one symbol at a time.
    Symbol,
    /// Almost locked sets only.
    Sets,
    /// Cells and units.
    Groups,
    /// Cells, units and almost locked sets.
    All,
}

impl Scope {
    fn has_units(self) -> bool {
        self != Scope::Sets
    }

    fn has_sets(self) -> bool {
        matches!(self, Scope::Sets | Scope::All)
    }

    /// Whether the symbols of a cell exclude each other in the chain.
    pub(super) fn has_cells(self) -> bool {
        matches!(self, Scope::Groups | Scope::All)
    }
}

/// Cells of an almost locked set, at most.
const MOST_CELLS: usize = 4;

/// Nodes of sets, at most, because the time grows with their square. Small sets come first; where there are many sets,
/// large ones are left out.
const MOST_NODES: usize = 2048;

/// What a strong link relies on.
#[derive(Clone, Copy)]
pub(super) enum Reason {
    Rule(Truth),
    /// The number of an almost locked set.
    Set(usize),
}

pub(super) struct NodeEntry {
    pub(super) cells: Cells,
    pub(super) symbol: u8,
    /// The cells that see all cells of the node.
    pub(super) seen: Cells,
    /// The cell, if there is only one.
    pub(super) single: Option<u16>,
    /// The nodes that are true if this one is false.
    pub(super) strong: Vec<(u32, Reason)>,
}

/// The nodes of a position and their links.
pub(super) struct Nodes {
    pub(super) list: Vec<NodeEntry>,
    /// The almost locked sets.
    pub(super) sets: Vec<Cells>,
    numbers: HashMap<(u8, Cells), u32>,
    /// For each candidate, the bits of the nodes that have it.
    with: Vec<u64>,
    /// For each symbol, the bits of its nodes.
    of_symbol: Vec<u64>,
    /// Words of bits for each set of nodes.
    words: usize,
    symbols: usize,
    scope: Scope,
}

impl Nodes {
    /// `None` if the work is spent.
    pub(super) fn new(finder: &mut Finder<'_>, scope: Scope) -> Option<Nodes> {
        let mut nodes = Nodes {
            list: Vec::new(),
            sets: Vec::new(),
            numbers: HashMap::new(),
            with: Vec::new(),
            of_symbol: Vec::new(),
            words: 0,
            symbols: usize::from(finder.geometry.symbols),
            scope,
        };
        if scope.has_cells() {
            for cell in finder.cells_with(2..=2) {
                let mut ends = each(finder.board.marks(cell)).map(|symbol| (symbol, Cells::of([cell])));
                if let Some((one, other)) = ends.next().zip(ends.next()) {
                    nodes.join(finder.geometry, one, other, Reason::Rule(Truth::Cell(cell)));
                }
            }
        }
        if scope.has_units() {
            nodes.join_units(finder);
        }
        if scope.has_sets() {
            nodes.join_sets(finder)?;
        }
        nodes.mark();
        finder.pay((nodes.list.len() * nodes.words) as u64 / 8).then_some(nodes)
    }

    fn join(&mut self, geometry: &Geometry, one: (u8, Cells), other: (u8, Cells), reason: Reason) {
        let [one, other] = [one, other].map(|(symbol, cells)| self.number(geometry, symbol, cells));
        for (from, to) in [(one, other), (other, one)] {
            let strong = &mut self.list[from as usize].strong;
            if strong.iter().all(|&(earlier, _)| earlier != to) {
                strong.push((to, reason));
            }
        }
    }

    fn number(&mut self, geometry: &Geometry, symbol: u8, cells: Cells) -> u32 {
        let list = &mut self.list;
        *self.numbers.entry((symbol, cells)).or_insert_with(|| {
            let mut each = cells.iter();
            let single = each.next().filter(|_| each.next().is_none());
            list.push(NodeEntry {
                cells,
                symbol,
                seen: geometry.see_all(cells.iter()),
                single,
                strong: Vec::new(),
            });
            list.len() as u32 - 1
        })
    }

    /// Joins the halves of the places of each symbol in each unit.
    fn join_units(&mut self, finder: &Finder<'_>) {
        let (geometry, board) = (finder.geometry, finder.board);
        for (number, unit) in geometry.units.iter().enumerate() {
            for symbol in each(board.open(geometry, number)) {
                let all = board.places(number, symbol);
                let groups = geometry.crossings[number].iter().map(|&(_, shared)| all & shared);
                let halves =
                    places(all).map(|place| 1 << place).chain(groups.filter(|half| half.count_ones() > 1));
                let is_node = |half: u32| {
                    let is_group = |&(_, shared): &(u16, u32)| half & !shared == 0;
                    half.is_power_of_two() || half != 0 && geometry.crossings[number].iter().any(is_group)
                };
                let cells = |half: u32| (symbol, Cells::of(places(half).map(|place| unit.cells[place])));
                let truth = Truth::Unit { unit: number as u16, symbol };
                for half in halves.filter(|&half| is_node(all & !half)) {
                    self.join(geometry, cells(half), cells(all & !half), Reason::Rule(truth));
                }
            }
        }
    }

    /// Joins the symbols of each almost locked set.
    fn join_sets(&mut self, finder: &mut Finder<'_>) -> Option<()> {
        let (geometry, board) = (finder.geometry, finder.board);
        let mut known: HashSet<Cells> = HashSet::new();
        for count in 1..=MOST_CELLS {
            for unit in &geometry.units {
                let cells: Vec<u16> =
                    unit.cells.iter().copied().filter(|&cell| board.marks(cell) != 0).collect();
                // Half of a set in a unit are easier to see than the other cells, a hidden set.
                let masks: Vec<u32> = cells.iter().map(|&cell| board.marks(cell)).collect();
                let mut found = Vec::new();
                let mut is_paid = true;
                choose(&masks, count, count as u32 + 1, &mut |chosen, union| {
                    is_paid = finder.pay(1);
                    if union.count_ones() == count as u32 + 1 {
                        found.push((Cells::of(chosen.iter().map(|&at| cells[at])), union));
                    }
                    (!is_paid).then_some(())
                });
                if !is_paid {
                    return None;
                }
                for (set, union) in found {
                    if self.list.len() > MOST_NODES || !known.insert(set) {
                        continue;
                    }
                    let number = self.sets.len();
                    self.sets.push(set);
                    let ends: Vec<(u8, Cells)> =
                        each(union).map(|symbol| (symbol, set & board.cells_of(symbol))).collect();
                    for (at, &one) in ends.iter().enumerate() {
                        for &other in &ends[at + 1..] {
                            self.join(geometry, one, other, Reason::Set(number));
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Marks the nodes of each candidate and symbol.
    fn mark(&mut self) {
        self.words = self.list.len().div_ceil(64);
        let cells =
            self.list.iter().flat_map(|node| node.cells.iter()).max().map_or(0, |last| usize::from(last) + 1);
        self.with = vec![0; cells * self.symbols * self.words];
        self.of_symbol = vec![0; self.symbols * self.words];
        for (at, node) in self.list.iter().enumerate() {
            let symbol = usize::from(node.symbol) - 1;
            self.of_symbol[symbol * self.words + at / 64] |= 1 << (at % 64);
            for cell in node.cells.iter() {
                let candidate = usize::from(cell) * self.symbols + symbol;
                self.with[candidate * self.words + at / 64] |= 1 << (at % 64);
            }
        }
    }

    /// The bits of the nodes with weak links to one with these cells and this symbol.
    pub(super) fn weak(&self, finder: &Finder<'_>, symbol: u8, seen: Cells, single: Option<u16>) -> Vec<u64> {
        let index = usize::from(symbol) - 1;
        let mut bits = self.of_symbol[index * self.words..][..self.words].to_vec();
        for cell in (finder.board.cells_of(symbol) & !seen).iter() {
            let with = self.with(Candidate { cell, symbol });
            bits.iter_mut().zip(with).for_each(|(bits, with)| *bits &= !with);
        }
        if let Some(cell) = single.filter(|_| self.scope.has_cells()) {
            for other in each(finder.board.marks(cell) & !bit(symbol)) {
                if let Some(&at) = self.numbers.get(&(other, Cells::of([cell]))) {
                    bits[at as usize / 64] |= 1 << (at % 64);
                }
            }
        }
        bits
    }

    /// The bits of the nodes that have a candidate.
    fn with(&self, Candidate { cell, symbol }: Candidate) -> &[u64] {
        let candidate = usize::from(cell) * self.symbols + usize::from(symbol) - 1;
        self.with.get(candidate * self.words..(candidate + 1) * self.words).unwrap_or_default()
    }
}
