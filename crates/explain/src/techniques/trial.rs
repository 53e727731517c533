//! An assumption and what singles make of it, for forcing chains and bifurcation.
//!
//! ```text
//! trail   the assumption, then what follows, in the order in which it was found: placed or eliminated, and from what
//! next    the first entry of the trail whose consequences are not known yet
//! ```

use crate::board::{Board, Dead};
use crate::deduction::{Node, Truth};
use crate::geometry::{Candidate, Geometry, Symbols, bit, each, places};

/// A candidate that is true, or one that is false.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Assertion {
    pub(super) candidate: Candidate,
    pub(super) is_true: bool,
}

/// What an entry of the trail follows from.
#[derive(Clone, Copy)]
enum Cause {
    Assumed,
    /// A placed symbol.
    Placed(Candidate),
    /// A cell or unit with one candidate left.
    Only(Truth),
}

const NONE: u32 = u32::MAX;

/// An assumption and what follows from it.
#[derive(Clone)]
pub(super) struct Trial<'a> {
    geometry: &'a Geometry,
    board: &'a Board,
    pub(super) marks: Vec<Symbols>,
    places: Vec<u32>,
    trail: Vec<(Assertion, Cause)>,
    next: usize,
    /// The place in the trail of each candidate that was placed or eliminated.
    placed_at: Vec<u32>,
    eliminated_at: Vec<u32>,
    dead: Option<Dead>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(geometry: &'a Geometry, board: &'a Board) -> Trial<'a> {
        let nodes = geometry.cells() * usize::from(geometry.symbols);
        let mut trial = Trial {
            geometry,
            board,
            marks: Vec::new(),
            places: Vec::new(),
            trail: Vec::new(),
            next: 0,
            placed_at: vec![NONE; nodes],
            eliminated_at: vec![NONE; nodes],
            dead: None,
        };
        trial.reset();
        trial
    }

    /// Back to the board.
    pub(super) fn reset(&mut self) {
        self.marks.clone_from(&self.board.marks);
        self.places.clone_from(self.board.all_places());
        for at in 0..self.trail.len() {
            let (Assertion { candidate, is_true }, _) = self.trail[at];
            let node = self.node(candidate);
            let list = if is_true { &mut self.placed_at } else { &mut self.eliminated_at };
            list[node] = NONE;
        }
        self.trail.clear();
        self.next = 0;
        self.dead = None;
    }

    /// Forgets how it came to be. Then it can only be asked for more assumptions, not for proofs.
    pub(super) fn forget(&mut self) {
        self.trail.clear();
        self.next = 0;
    }

    fn node(&self, Candidate { cell, symbol }: Candidate) -> usize {
        usize::from(cell) * usize::from(self.geometry.symbols) + usize::from(symbol) - 1
    }

    /// Assumes `assertion` and finds all that follows by singles. Returns whether there is no contradiction.
    pub(super) fn assume(&mut self, assertion: Assertion) -> bool {
        if self.dead.is_some() {
            return false;
        }
        let Assertion { candidate, is_true } = assertion;
        if is_true {
            self.push_placed(candidate, Cause::Assumed);
        } else {
            self.eliminate(candidate, Cause::Assumed);
        }
        self.settle()
    }

    fn settle(&mut self) -> bool {
        while self.dead.is_none() && self.next < self.trail.len() {
            let (Assertion { candidate, is_true }, _) = self.trail[self.next];
            self.next += 1;
            if !is_true {
                continue;
            }
            let Candidate { cell, symbol } = candidate;
            for other in each(self.marks[usize::from(cell)] & !bit(symbol)) {
                self.eliminate(Candidate { cell, symbol: other }, Cause::Placed(candidate));
            }
            for peer in (self.geometry.peers(cell) & self.board.cells_of(symbol)).iter() {
                if self.marks[usize::from(peer)] & bit(symbol) != 0 {
                    self.eliminate(Candidate { cell: peer, symbol }, Cause::Placed(candidate));
                }
            }
            let geometry = self.geometry;
            for paired in geometry.paired_with(candidate) {
                if self.marks[usize::from(paired.cell)] & bit(paired.symbol) != 0 {
                    self.eliminate(paired, Cause::Placed(candidate));
                }
            }
        }
        self.dead.is_none()
    }

    fn push_placed(&mut self, candidate: Candidate, cause: Cause) {
        let node = self.node(candidate);
        if self.placed_at[node] == NONE {
            self.placed_at[node] = self.trail.len() as u32;
            self.trail.push((Assertion { candidate, is_true: true }, cause));
        }
    }

    fn eliminate(&mut self, candidate: Candidate, cause: Cause) {
        let Candidate { cell, symbol } = candidate;
        let node = self.node(candidate);
        self.eliminated_at[node] = self.trail.len() as u32;
        self.trail.push((Assertion { candidate, is_true: false }, cause));
        self.marks[usize::from(cell)] &= !bit(symbol);
        self.find_single(Truth::Cell(cell));
        let symbols = usize::from(self.geometry.symbols);
        for &(unit, place) in &self.geometry.units_of[usize::from(cell)] {
            self.places[usize::from(unit) * symbols + usize::from(symbol) - 1] &= !(1 << place);
            self.find_single(Truth::Unit { unit, symbol });
        }
    }

    /// Places the last candidate of a cell or a unit, or finds that there is none.
    fn find_single(&mut self, truth: Truth) {
        let (left, dead) = match truth {
            Truth::Cell(cell) => (self.marks[usize::from(cell)], Dead::Cell(cell)),
            Truth::Unit { unit, symbol } => {
                let symbols = usize::from(self.geometry.symbols);
                let places = self.places[usize::from(unit) * symbols + usize::from(symbol) - 1];
                (places, Dead::Unit { unit, symbol })
            }
        };
        if left == 0 {
            self.dead.get_or_insert(dead);
        } else if left.is_power_of_two() {
            let candidate = match truth {
                Truth::Cell(cell) => Candidate { cell, symbol: left.trailing_zeros() as u8 + 1 },
                Truth::Unit { unit, symbol } => {
                    let cells = &self.geometry.units[usize::from(unit)].cells;
                    Candidate { cell: cells[left.trailing_zeros() as usize], symbol }
                }
            };
            self.push_placed(candidate, Cause::Only(truth));
        }
    }

    /// The entries of the trail.
    pub(super) fn trail(&self) -> impl Iterator<Item = Assertion> + '_ {
        self.trail.iter().map(|(assertion, _)| *assertion)
    }

    pub(super) fn len(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn is_dead(&self) -> bool {
        self.dead.is_some()
    }

    pub(super) fn dead(&self) -> Option<Dead> {
        self.dead
    }

    /// What leads from the assumption to `end`, or to the contradiction: the entries in order, and the rules they rely
    /// on.
    pub(super) fn proof(&self, end: Option<Assertion>) -> (Vec<Node>, Vec<Truth>) {
        let (mut is_needed, mut truths) = (vec![false; self.trail.len()], Vec::new());
        let truth_of = |dead| match dead {
            Dead::Cell(cell) => Truth::Cell(cell),
            Dead::Unit { unit, symbol } => Truth::Unit { unit, symbol },
        };
        match end {
            Some(Assertion { candidate, is_true }) => {
                let list = if is_true { &self.placed_at } else { &self.eliminated_at };
                let at = list[self.node(candidate)];
                if let Some(needed) = is_needed.get_mut(at as usize) {
                    *needed = true;
                }
            }
            None => {
                if let Some(dead) = self.dead {
                    truths.push(truth_of(dead));
                    self.others(truth_of(dead), None).for_each(|at| is_needed[at] = true);
                }
            }
        }
        for at in (0..self.trail.len()).rev() {
            if !is_needed[at] {
                continue;
            }
            match self.trail[at] {
                (_, Cause::Assumed) => {}
                (_, Cause::Placed(placed)) => is_needed[self.placed_at[self.node(placed)] as usize] = true,
                (Assertion { candidate, .. }, Cause::Only(truth)) => {
                    truths.push(truth);
                    self.others(truth, Some(candidate)).for_each(|at| is_needed[at] = true);
                }
            }
        }
        truths.sort_unstable();
        truths.dedup();
        let mut number_of = vec![0; self.trail.len()];
        let mut chain = Vec::new();
        for at in (0..self.trail.len()).filter(|&at| is_needed[at]) {
            number_of[at] = chain.len() as u16;
            let (Assertion { candidate, is_true }, cause) = self.trail[at];
            let (from, by) = match cause {
                Cause::Assumed => (Vec::new(), None),
                Cause::Placed(placed) => (vec![number_of[self.placed_at[self.node(placed)] as usize]], None),
                Cause::Only(truth) => {
                    let others = self.others(truth, Some(candidate));
                    (others.map(|other| number_of[other]).collect(), Some(truth))
                }
            };
            chain.push(Node { from, by, ..Node::of(candidate, is_true) });
        }
        (chain, truths)
    }

    /// What left the cell or unit with `kept` only: the entries of the trail that eliminated its other candidates.
    fn others(&self, truth: Truth, kept: Option<Candidate>) -> impl Iterator<Item = usize> {
        let candidates: Vec<Candidate> = match truth {
            Truth::Cell(cell) => {
                each(self.board.marks(cell)).map(|symbol| Candidate { cell, symbol }).collect()
            }
            Truth::Unit { unit, symbol } => {
                let cells = &self.geometry.units[usize::from(unit)].cells;
                let places = places(self.board.places(usize::from(unit), symbol));
                places.map(|place| Candidate { cell: cells[place], symbol }).collect()
            }
        };
        let others = candidates.into_iter().filter(move |&candidate| Some(candidate) != kept);
        let places = others.map(|candidate| self.eliminated_at[self.node(candidate)]);
        places.filter(|&at| at != NONE).map(|at| at as usize)
    }
}
