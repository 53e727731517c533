//! Finned fish: a fish of two to four rows, but for some more cells, the fins. Either the fish holds, or a fin has the
//! symbol. So a cell that the fish eliminates and that sees all fins loses the symbol. The same holds with rows and
//! columns exchanged. A sashimi fish, which is none without its fins, is one of them.

use super::known;
use crate::cells::Cells;
use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, places};
use crate::technique::{Example, Finder, Technique, choose};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "finned fish",
    about: "an X-wing, swordfish or jellyfish with a few cells too many: cells that see all of these lose the symbol",
    description: "This is nearly an X-wing, swordfish or jellyfish, but the rows have a few more candidates for the \
        symbol, called fins. Either none of the fins holds the symbol, and then the fish eliminates as \
        usual; or a fin holds it. A cell of the fish's columns that sees all of the fins loses the symbol \
        in both cases.",
    example: Example::sudoku(
        "46..7.85......2.74.3......6........8678...94....9.....243..6....592...1.7...5....",
    ),
    group: "fish",
    score: 46,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because {symbols} in {units} is only in {covers}, or in a cell that sees what is eliminated",
    find: |finder| {
        let found = find(finder)?;
        Some(Deduction {
            known_as: known::of_pair(finder, &found).or_else(|| known::of_finned_fish(&found)),
            ..found
        })
    },
};

/// The most columns of the fins.
const FIN_COLUMNS: u32 = 2;

/// The most columns of a jellyfish and its fins.
const MOST_COLUMNS: usize = 4 + FIN_COLUMNS as usize;

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
                let fin_columns = union.count_ones().saturating_sub(count as u32);
                is_paid = is_paid && finder.pay(1);
                if !is_paid || fin_columns == 0 {
                    return None;
                }
                let base = chosen.iter().fold(Cells::NONE, |set, &at| set | geometry.units[lines[at]].set);
                let of_base = base & board.cells_of(symbol);
                let rest = board.cells_of(symbol) & !base;
                let column = |place: usize| geometry.units[across.start + place].set;
                // The columns that can be fins, and what sees all of their cells.
                let (mut seen, mut len) = ([(0, Cells::NONE); MOST_COLUMNS], 0);
                for place in places(union) {
                    let see = geometry.see_all((of_base & column(place)).iter()) & rest & !column(place);
                    if !see.is_empty() {
                        seen[len] = (place, see);
                        len += 1;
                    }
                }
                for (at, &(fin, see)) in seen[..len].iter().enumerate() {
                    let alone = [(fin, see)];
                    let others = if fin_columns == 1 { &alone[..] } else { &seen[at + 1..len] };
                    for &(other, see_other) in others {
                        let seen = see & see_other & !column(fin) & !column(other);
                        let covers = union & !(1 << fin) & !(1 << other);
                        let columns = places(covers).fold(Cells::NONE, |set, place| set | column(place));
                        let eliminates = finder.candidates(seen & columns, bit(symbol));
                        if finder.is_new(&eliminates) {
                            return Some(Deduction {
                                eliminates,
                                because: finder.candidates(of_base, bit(symbol)),
                                truths: chosen
                                    .iter()
                                    .map(|&at| Truth::Unit { unit: lines[at] as u16, symbol })
                                    .collect(),
                                units: chosen.iter().map(|&at| lines[at] as u16).collect(),
                                covers: places(covers).map(|place| (across.start + place) as u16).collect(),
                                extra: 4 * (count as u16 - 2),
                                ..Deduction::default()
                            });
                        }
                    }
                }
                None
            });
            if found.is_some() || !is_paid {
                return found;
            }
        }
    }
    None
}
