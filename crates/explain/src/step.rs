//! One step of an explanation: what it places and eliminates, and what proves it.

use galop_engines::Rules;
use galop_engines::grid::Fault;

use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, Geometry};
use crate::technique::Technique;

/// A step: a technique, applied once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The technique.
    pub technique: &'static Technique,
    /// What players call this form of the technique, if it has a name of its own: `skyscraper`, `two-string kite`.
    pub known_as: Option<&'static str>,
    /// What is placed. The symbol is eliminated from the other cells of the units as well, and this is not in
    /// `eliminates`.
    pub places: Vec<Candidate>,
    /// What is eliminated.
    pub eliminates: Vec<Candidate>,
    /// The candidates, clues and placed symbols that prove it.
    pub because: Vec<Candidate>,
    /// The rules that prove it. Empty if the proof is a search.
    pub truths: Vec<Truth>,
    /// The numbers of the units that the technique is about: the unit of a pair, the rows of a swordfish.
    pub units: Vec<u16>,
    /// The numbers of the units from which candidates are eliminated: the columns of a swordfish.
    pub covers: Vec<u16>,
    /// The chains that prove it. Each begins with its assumption, and each later node follows from [those that it
    /// names](Node::from): in wings and chains from the node just before. Colouring has a
    /// chain of two nodes for each pair of places; its two colours are the true nodes and the false ones.
    pub chains: Vec<Vec<Node>>,
    /// The almost locked sets that prove it: cells of a unit with one candidate more than there are cells.
    pub sets: Vec<Vec<u16>>,
    /// The contradiction to which the only chain leads, if it does.
    pub contradiction: Option<Fault>,
    /// Positions of the search that refutes an assumption; 0 if there is no search.
    pub positions: u32,
    /// The difficulty in tenths: the score of the technique, and more for long chains.
    pub score: u16,
}

impl Step {
    pub(crate) fn new(technique: &'static Technique, mut found: Deduction, geometry: &Geometry) -> Step {
        for chain in &mut found.chains {
            for (before, node) in (0..).zip(chain.iter_mut().skip(1)).filter(|(_, node)| node.from.is_empty())
            {
                node.from = vec![before];
            }
        }
        Step {
            technique,
            known_as: found.known_as,
            places: found.places,
            eliminates: found.eliminates,
            because: found.because,
            truths: found.truths,
            units: found.units,
            covers: found.covers,
            chains: found.chains,
            sets: found.sets,
            contradiction: found.dead.map(|dead| dead.impossible(geometry)),
            positions: found.nodes,
            score: technique.score + found.extra,
        }
    }
}

/// A grid with its pencil marks, before or after some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The symbols: 0 blank, 1..=n.
    pub cells: Vec<u8>,
    /// The candidates of each blank cell, bit `symbol - 1`; of a filled cell only its symbol.
    pub marks: Vec<u64>,
}

impl Position {
    /// The pencil marks that the clues of `cells` leave. Cells and symbols that the rules do not have are left out.
    pub fn new(rules: &Rules, cells: &[u8]) -> Position {
        let (grid, count) = (rules.grid(), rules.grid().cells());
        let mut position = Position { cells: vec![0; count], marks: vec![(1 << grid.symbols()) - 1; count] };
        for (cell, &symbol) in cells.iter().enumerate().take(count) {
            if (1..=grid.symbols()).contains(&symbol) {
                position.place(rules, Candidate { cell: cell as u16, symbol });
            }
        }
        position
    }

    /// Takes a step.
    pub fn apply(&mut self, rules: &Rules, step: &Step) {
        for &Candidate { cell, symbol } in &step.eliminates {
            if let Some(marks) = self.marks.get_mut(usize::from(cell)) {
                *marks &= !(1 << (symbol - 1));
            }
        }
        step.places.iter().for_each(|&candidate| self.place(rules, candidate));
    }

    fn place(&mut self, rules: &Rules, Candidate { cell, symbol }: Candidate) {
        let cell = usize::from(cell);
        if cell >= self.cells.len() {
            return;
        }
        let grid = rules.grid();
        let peers = grid.peers(cell).iter().map(|&peer| (peer, symbol));
        let excluded = grid.excluded_by(grid.candidate(cell, symbol)).iter();
        for (other, symbol) in peers.chain(excluded.map(|&other| grid.cell_and_symbol(other))) {
            if self.cells[other] == 0 {
                self.marks[other] &= !(1 << (symbol - 1));
            }
        }
        self.cells[cell] = symbol;
        self.marks[cell] = 1 << (symbol - 1);
    }
}
