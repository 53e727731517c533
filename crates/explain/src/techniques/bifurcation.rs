//! Bifurcation: an assumption that a search refutes. It goes on from the assumption by singles and further assumptions,
//! until each way ends in a contradiction.
//!
//! The search tries all candidates with a small limit on the positions, then with twice the limit, and so on, so the
//! refutation that it finds is nearly the shortest. A candidate that belongs to a solution is not tried again. If there
//! are two solutions, bifurcation finds nothing.

use super::trial::{Assertion, Trial};
use crate::deduction::Deduction;
use crate::geometry::{Candidate, bit, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "bifurcation",
    about: "trial and error: an assumption is refuted by a search with further assumptions",
    description: "This is trial and error: a candidate is assumed, and where singles do not lead on, a second \
        candidate is assumed, and so on. When every branch has ended in a contradiction, the first \
        assumption is refuted and the candidate is eliminated. It always works, but no person enjoys it, \
        so it is the last resort.",
    example: Example::sudoku(
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ),
    group: "bifurcation",
    score: 100,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because {cells}={symbols} leads to a contradiction in each of {nodes} positions tried",
    find,
};

/// Positions of a search for any solution.
const AT_ONCE: u32 = 1000;

/// What a search finds.
enum Outcome {
    /// No solution, after so many positions.
    Refuted(u32),
    Solution(Vec<u8>),
    /// The limit came first.
    Open,
}

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let mut cells = finder.cells_with(2..=u32::MAX);
    cells.sort_by_key(|&cell| board.marks(cell).count_ones());
    let all = finder.candidates_of(&cells, !0);
    let mut candidates: Vec<Candidate> = Vec::with_capacity(all.len());
    for &cell in &cells {
        candidates.extend(all.iter().filter(|candidate| candidate.cell == cell));
    }
    // Where there are many solutions, two are found at once.
    let mut solution: Option<Vec<u8>> = match search(finder, Trial::new(geometry, board), AT_ONCE) {
        Outcome::Solution(values) => Some(values),
        _ => None,
    };
    if let Some(values) = &solution {
        let is_other = |candidate: &&Candidate| values[usize::from(candidate.cell)] != candidate.symbol;
        let mut trial = Trial::new(geometry, board);
        trial.assume(Assertion { candidate: *candidates.iter().find(is_other)?, is_true: true });
        if let Outcome::Solution(_) = search(finder, trial, AT_ONCE) {
            return None;
        }
    }
    let mut most = 2;
    loop {
        for &candidate in &candidates {
            let is_in = |values: &Vec<u8>| values[usize::from(candidate.cell)] == candidate.symbol;
            if solution.as_ref().is_some_and(is_in) {
                continue;
            }
            let mut trial = Trial::new(geometry, board);
            trial.assume(Assertion { candidate, is_true: true });
            match search(finder, trial, most) {
                Outcome::Refuted(nodes) => {
                    return Some(Deduction {
                        eliminates: vec![candidate],
                        because: vec![candidate],
                        nodes,
                        extra: (u32::BITS - nodes.leading_zeros()).min(20) as u16,
                        ..Deduction::default()
                    });
                }
                Outcome::Solution(values) => {
                    if solution.is_some() {
                        return None;
                    }
                    solution = Some(values);
                }
                Outcome::Open => {}
            }
            if !finder.pay(1) {
                return None;
            }
        }
        most = most.saturating_mul(2);
    }
}

/// Searches for a solution in at most `most` positions. Memory: a trial for each assumption on the way.
fn search(finder: &mut Finder<'_>, start: Trial<'_>, most: u32) -> Outcome {
    // Positions, each with a cell and the symbols that are not tried yet.
    let mut stack: Vec<(Trial<'_>, u16, u32)> = Vec::new();
    let (mut position, mut nodes) = (Some(start), 0);
    // To copy a trial costs more than to go on, in large grids.
    let copied = finder.geometry.cells() as u64 * u64::from(finder.geometry.symbols) / 4;
    loop {
        let Some(mut trial) = position.take() else {
            let Some((trial, cell, symbols)) = stack.last_mut() else { return Outcome::Refuted(nodes) };
            let Some(symbol) = each(*symbols).next() else {
                stack.pop();
                continue;
            };
            *symbols &= !bit(symbol);
            let mut next = trial.clone();
            next.assume(Assertion { candidate: Candidate { cell: *cell, symbol }, is_true: true });
            position = Some(next);
            continue;
        };
        nodes += 1;
        if !finder.pay(trial.len() as u64 + copied) || nodes > most {
            return Outcome::Open;
        }
        if trial.is_dead() {
            continue;
        }
        trial.forget();
        let count = |cell: &u16| trial.marks[usize::from(*cell)].count_ones();
        let open = (0..trial.marks.len() as u16).filter(|cell| count(cell) > 1);
        let Some(cell) = open.min_by_key(count) else {
            let value = |(cell, &marks): (usize, &u32)| match finder.board.values[cell] {
                0 => marks.trailing_zeros() as u8 + 1,
                value => value,
            };
            return Outcome::Solution(trial.marks.iter().enumerate().map(value).collect());
        };
        let symbols = trial.marks[usize::from(cell)];
        stack.push((trial, cell, symbols));
    }
}
