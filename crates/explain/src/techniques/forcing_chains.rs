//! Forcing chains: assumptions and what singles make of them. If an assumption leads to a contradiction, it is false.
//! If all candidates of a cell, or all cells for a symbol in a unit, lead to the same, that is true.
//!
//! The search makes every assumption once. A contradiction with the shortest way to it comes first, then the cell or
//! unit with the shortest ways to the same.

use super::links::extra_of;
use super::trial::{Assertion, Trial};
use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, bit, each, places};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "forcing chains",
    about: "an assumption leads to a contradiction by singles, or all candidates of a cell or unit lead to the same",
    description: "Assume that a candidate is true and follow the naked and hidden singles. If that leads to a \
        contradiction, the candidate is false. If every candidate of a cell, or every place of a symbol in \
        a unit, leads to the same result, that result is true. The proof is long, but every link of it is \
        a single.",
    example: Example::sudoku(
        ".....5.9.79..8.3..5...3..4.4.9..257.......2..2...5..8...6..842...714.....4...971.",
    ),
    group: "forcing",
    score: 80,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because{cases}",
    find,
};

/// The bits of assertions: first the eliminations, then the placements.
struct Common {
    bits: Vec<u64>,
    /// The entries of the trails.
    length: usize,
}

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let symbols = usize::from(geometry.symbols);
    let words = (2 * geometry.cells() * symbols).div_ceil(64);
    let bit_of = |assertion: Assertion| {
        let Candidate { cell, symbol } = assertion.candidate;
        2 * (usize::from(cell) * symbols + usize::from(symbol) - 1) + usize::from(assertion.is_true)
    };
    let all = || Common { bits: vec![!0; words], length: 0 };
    let mut of_units: Vec<Common> = (0..geometry.units.len() * symbols).map(|_| all()).collect();
    let mut best: Option<(usize, Truth, Vec<u64>)> = None;
    let mut refuted: Option<(usize, Candidate)> = None;
    let mut trial = Trial::new(geometry, board);
    let mut bits = vec![0_u64; words];
    for cell in finder.cells_with(2..=u32::MAX) {
        let mut of_cell = all();
        for symbol in each(board.marks(cell)) {
            let candidate = Candidate { cell, symbol };
            trial.reset();
            let is_possible = trial.assume(Assertion { candidate, is_true: true });
            if !finder.pay((trial.len() + words / 8) as u64) {
                return None;
            }
            if !is_possible {
                if refuted.is_none_or(|(length, _)| trial.len() < length) {
                    refuted = Some((trial.len(), candidate));
                }
                continue;
            }
            if refuted.is_some() {
                continue;
            }
            bits.fill(0);
            trial.trail().map(bit_of).for_each(|at| bits[at / 64] |= 1 << (at % 64));
            let units = geometry.units_of[usize::from(cell)].iter();
            let units = units.map(|&(unit, _)| usize::from(unit) * symbols + usize::from(symbol) - 1);
            for unit in units {
                of_units[unit].add(&bits, trial.len());
            }
            of_cell.add(&bits, trial.len());
        }
        of_cell.offer(Truth::Cell(cell), &mut best);
    }
    if let Some((_, candidate)) = refuted {
        return Some(refute(&mut trial, candidate));
    }
    for (number, common) in of_units.iter().enumerate() {
        let (unit, symbol) = (number / symbols, (number % symbols) as u8 + 1);
        if board.open(geometry, unit) & bit(symbol) != 0 {
            common.offer(Truth::Unit { unit: unit as u16, symbol }, &mut best);
        }
    }
    let (_, truth, common) = best?;
    let sources: Vec<Candidate> = match truth {
        Truth::Cell(cell) => each(board.marks(cell)).map(|symbol| Candidate { cell, symbol }).collect(),
        Truth::Unit { unit, symbol } => {
            let cells = &geometry.units[usize::from(unit)].cells;
            places(board.places(usize::from(unit), symbol))
                .map(|place| Candidate { cell: cells[place], symbol })
                .collect()
        }
    };
    let ends = (0..64 * words).filter(|at| common[at / 64] >> (at % 64) & 1 == 1).map(|at| {
        let (node, is_true) = (at / 2, at % 2 == 1);
        let candidate = Candidate { cell: (node / symbols) as u16, symbol: (node % symbols) as u8 + 1 };
        Assertion { candidate, is_true }
    });
    // The end with the shortest proofs; among them one that is placed.
    let ends: Vec<Assertion> = ends.collect();
    let mut proofs: Vec<(Vec<Vec<Node>>, Vec<Truth>)> = vec![(Vec::new(), vec![truth]); ends.len()];
    for &candidate in &sources {
        trial.reset();
        trial.assume(Assertion { candidate, is_true: true });
        for (&end, (chains, truths)) in ends.iter().zip(&mut proofs) {
            let (chain, more) = trial.proof(Some(end));
            chains.push(chain);
            truths.extend(more);
        }
    }
    let length = |(chains, _): &(Vec<Vec<Node>>, Vec<Truth>)| chains.iter().map(Vec::len).sum::<usize>();
    let at = (0..ends.len()).min_by_key(|&at| (length(&proofs[at]), !ends[at].is_true))?;
    let extra = extra_of(length(&proofs[at]));
    let (chains, truths) = proofs.swap_remove(at);
    Some(deduction(ends[at], sources, chains, truths, 2 + extra))
}

impl Common {
    fn add(&mut self, bits: &[u64], length: usize) {
        self.bits.iter_mut().zip(bits).for_each(|(all, bits)| *all &= bits);
        self.length += length;
    }

    /// Becomes the best if there is something in common and the way to it is shorter.
    fn offer(&self, truth: Truth, best: &mut Option<(usize, Truth, Vec<u64>)>) {
        let is_shorter = best.as_ref().is_none_or(|(length, ..)| self.length < *length);
        if self.length > 0 && is_shorter && self.bits.iter().any(|&bits| bits != 0) {
            *best = Some((self.length, truth, self.bits.clone()));
        }
    }
}

/// The step that eliminates `candidate`, which leads to a contradiction.
fn refute(trial: &mut Trial<'_>, candidate: Candidate) -> Deduction {
    trial.reset();
    trial.assume(Assertion { candidate, is_true: true });
    let (chain, truths) = trial.proof(None);
    let extra = extra_of(chain.len());
    let end = Assertion { candidate, is_true: false };
    let found = deduction(end, vec![candidate], vec![chain], truths, extra);
    Deduction { dead: trial.dead(), ..found }
}

fn deduction(
    end: Assertion,
    sources: Vec<Candidate>,
    chains: Vec<Vec<Node>>,
    mut truths: Vec<Truth>,
    extra: u16,
) -> Deduction {
    truths.sort_unstable();
    truths.dedup();
    let mut because = sources;
    because.extend(chains.iter().flatten().filter(|node| node.is_true).flat_map(Node::candidates));
    because.sort_unstable();
    because.dedup();
    let (places, eliminates) = match end.is_true {
        true => (vec![end.candidate], Vec::new()),
        false => (Vec::new(), vec![end.candidate]),
    };
    Deduction { places, eliminates, because, truths, chains, extra, ..Deduction::default() }
}
