//! Simple colouring: where a unit has two cells for a symbol, one of them has it. Such pairs, joined, have two colours,
//! and the cells of one colour hold the symbol. If two cells of a colour see each other, it is the other colour. A cell
//! that sees both colours loses the symbol.

use super::known;
use crate::cells::Cells;
use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, bit, places};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "simple colouring",
    about: "cells for a symbol, joined by units with two cells for it, have two colours, and one colour is true",
    description: "Wherever a symbol has exactly two places in a row, column or block, one of them holds it and the \
        other does not. Give the two places different colours, and go on with all pairs that are joined. \
        All cells of one colour hold the symbol and all cells of the other do not. If two cells of a \
        colour see each other, that colour is false; and a cell that sees both colours loses the symbol.",
    example: Example::sudoku(
        "....8..9...8....239...63...6..1.....325.....1..1..65..8....19......428...1...5..6",
    ),
    group: "colours",
    score: 47,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because {symbols} has two cells in each of {units}",
    find: |finder| {
        let found = find(finder)?;
        Some(Deduction { known_as: known::of_pair(finder, &found), ..found })
    },
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    for symbol in 1..=geometry.symbols {
        let pairs: Vec<(u16, [u16; 2])> = (0..geometry.units.len())
            .filter(|&unit| board.places(unit, symbol).count_ones() == 2)
            .map(|unit| {
                let mut cells = places(board.places(unit, symbol)).map(|at| geometry.units[unit].cells[at]);
                // There are two.
                (unit as u16, [cells.next().unwrap_or(0), cells.next().unwrap_or(0)])
            })
            .collect();
        let mut done = Cells::NONE;
        for &(_, [start, _]) in &pairs {
            if done.has(start) {
                continue;
            }
            let (mut colours, mut units) = ([Cells::of([start]), Cells::NONE], Vec::new());
            let mut joined = Vec::new();
            // Grows until no pair adds a cell.
            loop {
                let before = units.len();
                for &(unit, [one, other]) in &pairs {
                    for (a, b) in [(one, other), (other, one)] {
                        for colour in 0..2 {
                            if colours[colour].has(a) && !colours[1 - colour].has(b) {
                                colours[1 - colour].insert(b);
                                units.push(unit);
                                joined.push((unit, [a, b]));
                            }
                        }
                    }
                }
                if units.len() == before {
                    break;
                }
            }
            done |= colours[0] | colours[1];
            let sees_own = |cells: Cells| cells.iter().any(|cell| !(geometry.peers(cell) & cells).is_empty());
            let sees_both = |&cell: &u16| {
                let peers = geometry.peers(cell);
                !(peers & colours[0]).is_empty() && !(peers & colours[1]).is_empty()
            };
            let list = |cells: Cells| -> Vec<Candidate> {
                cells.iter().map(|cell| Candidate { cell, symbol }).collect()
            };
            let eliminates = match (sees_own(colours[0]), sees_own(colours[1])) {
                (true, _) => list(colours[0]),
                (_, true) => list(colours[1]),
                _ => {
                    let others = board.cells_of(symbol) & !colours[0] & !colours[1];
                    list(Cells::of(others.iter().filter(sees_both)))
                }
            };
            if finder.is_new(&eliminates) {
                units.sort_unstable();
                // The nodes of the first colour are the true ones.
                let is_true = |cell| colours[0].has(cell);
                let node = |cell| Node::of(Candidate { cell, symbol }, is_true(cell));
                let pair = |unit: u16, [a, b]: [u16; 2]| {
                    let by = Some(Truth::Unit { unit, symbol });
                    vec![node(a), Node { by, ..node(b) }]
                };
                let chains = joined.iter().map(|&(unit, cells)| pair(unit, cells)).collect();
                return Some(Deduction {
                    eliminates,
                    because: finder.candidates(colours[0] | colours[1], bit(symbol)),
                    truths: units.iter().map(|&unit| Truth::Unit { unit, symbol }).collect(),
                    units,
                    chains,
                    ..Deduction::default()
                });
            }
        }
    }
    None
}
