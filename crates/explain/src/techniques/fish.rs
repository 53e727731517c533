//! X-wing, swordfish and jellyfish: in two, three or four rows, a symbol has cells only in as many columns. So each of
//! these columns has it in one of these rows, and its other cells lose it. The same holds with rows and columns
//! exchanged.

use crate::cells::Cells;
use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, places};
use crate::technique::{Example, Finder, Technique, choose};

const REASON: &str = "because {symbols} in {units} is only in {covers}";

pub(super) const X_WING: Technique = Technique {
    name: "X-wing",
    about: "a symbol has the same two columns in two rows, so the columns lose it elsewhere (or columns and rows)",
    description: "In two rows, a symbol can go only in the same two columns. The two rows need the symbol twice, so \
        they use both columns, and either diagonal of the rectangle holds it. The other cells of the two \
        columns lose the symbol. Rows and columns can change roles.",
    example: Example::sudoku(
        "6...4.2.....8......7.2..6..3...9...592..8...3.5.6...4.8.9.3.....36..8.....546..9.",
    ),
    group: "fish",
    score: 32,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 2),
};

pub(super) const SWORDFISH: Technique = Technique {
    name: "swordfish",
    about: "a symbol has three columns in three rows, so the columns lose it elsewhere (or columns and rows)",
    description: "In three rows, a symbol can go only in three columns. The three rows need the symbol three times, \
        once in each of the columns. The other cells of the three columns lose it. Not every row needs a \
        candidate in all three columns, and rows and columns can change roles.",
    example: Example::sudoku(
        ".38....5.....9....4..56.1....675.98.7.984.56....9........12.8...5..8.41..6.......",
    ),
    group: "fish",
    score: 38,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 3),
};

pub(super) const JELLYFISH: Technique = Technique {
    name: "jellyfish",
    about: "a symbol has four columns in four rows, so the columns lose it elsewhere (or columns and rows)",
    description: "In four rows, a symbol can go only in four columns. The four rows need the symbol four times, once \
        in each of the columns. The other cells of the four columns lose it. Rows and columns can change \
        roles.",
    example: Example::sudoku(
        "..5.9.42.2....6..7.3..14.9.69....37..7.1........6....9.2.9....6...5...12..1....4.",
    ),
    group: "fish",
    score: 52,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 4),
};

fn find(finder: &mut Finder<'_>, count: usize) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let [rows, columns] = geometry.lines();
    for symbol in 1..=geometry.symbols {
        for (lines, across) in [(rows.clone(), columns.clone()), (columns.clone(), rows.clone())] {
            let is_small =
                |line: &usize| (2..=count as u32).contains(&board.places(*line, symbol).count_ones());
            let lines: Vec<usize> = lines.filter(is_small).collect();
            let masks: Vec<u32> = lines.iter().map(|&line| board.places(line, symbol)).collect();
            let found = choose(&masks, count, count as u32, &mut |chosen, union| {
                let base: Vec<usize> = chosen.iter().map(|&at| lines[at]).collect();
                let covers: Vec<usize> = places(union).map(|place| across.start + place).collect();
                let set = |lines: &[usize]| {
                    lines.iter().fold(Cells::NONE, |set, &line| set | geometry.units[line].set)
                };
                let eliminates = finder.candidates(set(&covers) & !set(&base), bit(symbol));
                finder.is_new(&eliminates).then(|| Deduction {
                    eliminates,
                    because: finder.candidates(set(&base), bit(symbol)),
                    truths: base.iter().map(|&line| Truth::Unit { unit: line as u16, symbol }).collect(),
                    units: base.iter().map(|&line| line as u16).collect(),
                    covers: covers.iter().map(|&line| line as u16).collect(),
                    ..Deduction::default()
                })
            });
            if found.is_some() {
                return found;
            }
        }
    }
    None
}
