//! Finned fish: a fish of two to four rows, but for some more cells, the fins. Either the fish holds, or a fin has the symbol.
//! So a cell that the fish eliminates and that sees all fins loses the symbol. The same holds with rows and columns exchanged.
//! A sashimi fish, which is none without its fins, is one of them.

use crate::cells::Cells;
use crate::geometry::{bit, places};
use crate::step::{Deduction, Truth};
use crate::technique::{Finder, Level, Technique, choose};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "finned fish",
    about: "an X-wing, swordfish or jellyfish with a few cells too many: cells that see all of these lose the symbol",
    group: "fish",
    level: Level::VeryHard,
    score: 46,
    needs_uniqueness: false,
    reason: "because {symbols} in {units} is only in {covers}, or in a cell that sees the eliminated",
    find,
};

/// The most columns of the fins.
const FIN_COLUMNS: u32 = 2;

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    (2..=4).find_map(|count| find_of(finder, count))
}

fn find_of(finder: &mut Finder<'_>, count: usize) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let [rows, columns] = geometry.lines();
    let most = count as u32 + FIN_COLUMNS;
    for symbol in 1..=geometry.symbols {
        for (lines, across) in [(rows.clone(), columns.clone()), (columns.clone(), rows.clone())] {
            let is_small = |line: &usize| (1..=most).contains(&board.places(*line, symbol).count_ones());
            let lines: Vec<usize> = lines.filter(is_small).collect();
            let masks: Vec<u32> = lines.iter().map(|&line| board.places(line, symbol)).collect();
            let mut is_paid = true;
            let found = choose(&masks, count, most, &mut |chosen, union| {
                if !is_paid || union.count_ones() <= count as u32 {
                    return None;
                }
                let base: Vec<usize> = chosen.iter().map(|&at| lines[at]).collect();
                let set = |lines: &[usize]| {
                    lines.iter().fold(Cells::NONE, |set, &line| set | geometry.units[line].set)
                };
                let of_base = set(&base) & board.cells_of(symbol);
                let columns: Vec<usize> = places(union).collect();
                let singles: Vec<u32> = columns.iter().map(|&column| 1 << column).collect();
                choose(&singles, count, count as u32, &mut |chosen, _| {
                    is_paid &= finder.pay(1);
                    let covers: Vec<usize> = chosen.iter().map(|&at| across.start + columns[at]).collect();
                    let covered = set(&covers);
                    let fins = of_base & !covered;
                    let seen = geometry.see_all(fins.iter()) & covered & !of_base;
                    if (seen & board.cells_of(symbol)).is_empty() {
                        return None;
                    }
                    Some(Deduction {
                        eliminates: finder.candidates(seen, bit(symbol)),
                        because: finder.candidates(of_base, bit(symbol)),
                        truths: base.iter().map(|&line| Truth::Unit { unit: line as u16, symbol }).collect(),
                        units: base.iter().map(|&line| line as u16).collect(),
                        covers: covers.iter().map(|&line| line as u16).collect(),
                        extra: 4 * (count as u16 - 2),
                        ..Deduction::default()
                    })
                })
            });
            if found.is_some() || !is_paid {
                return found;
            }
        }
    }
    None
}
