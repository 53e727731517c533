//! What a technique found: what it places and eliminates, and the candidates, rules and chains that prove it.

use crate::board::Dead;
use crate::geometry::Candidate;

/// A node of a chain: one of its cells holds the symbol, or none of them does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The cells, ascending: mostly one. Several are a group, such as the places of a symbol in a minirow.
    pub cells: Vec<u16>,
    /// The symbol.
    pub symbol: u8,
    /// Whether one of the cells holds the symbol.
    pub is_true: bool,
    /// The places in the chain of the earlier nodes from which it follows together; none for an assumption.
    pub from: Vec<u16>,
    /// The rule by which it follows: it is all that those nodes leave in a cell or unit. `None` if a node excludes it,
    /// and in chains whose nodes alternate.
    pub by: Option<Truth>,
}

impl Node {
    /// The node of one candidate.
    pub(crate) fn of(candidate: Candidate, is_true: bool) -> Node {
        Node { cells: vec![candidate.cell], symbol: candidate.symbol, is_true, from: Vec::new(), by: None }
    }

    /// The candidates of the node.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.cells.iter().map(|&cell| Candidate { cell, symbol: self.symbol })
    }
}

/// A rule of the puzzle that a step relies on: one of its candidates is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// The cell holds one of its candidates.
    Cell(u16),
    /// The symbol is in one of the cells of the unit, which is numbered as in
    /// [`Grid::units`](galop_engines::grid::Grid::units).
    Unit {
        /// The number of the unit.
        unit: u16,
        /// The symbol.
        symbol: u8,
    },
}

/// What a technique found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deduction {
    pub(crate) places: Vec<Candidate>,
    pub(crate) eliminates: Vec<Candidate>,
    pub(crate) because: Vec<Candidate>,
    pub(crate) truths: Vec<Truth>,
    pub(crate) units: Vec<u16>,
    pub(crate) covers: Vec<u16>,
    pub(crate) chains: Vec<Vec<Node>>,
    /// What players call this form of the technique.
    pub(crate) known_as: Option<&'static str>,
    /// The almost locked sets of the chain.
    pub(crate) sets: Vec<Vec<u16>>,
    /// The contradiction at the end of the chain.
    pub(crate) dead: Option<Dead>,
    /// Positions of the search.
    pub(crate) nodes: u32,
    /// Tenths added to the score of the technique.
    pub(crate) extra: u16,
}
