//! Packs polyominoes of your own into a board of your own: draw the pieces and the board, and every cell is covered.
//!
//! `cargo run --release -p galop-cover --example polyominoes`

use std::collections::BTreeSet;
use std::num::NonZero;

use galop_cover::{CoverError, CoverLimits, ExactCover, ItemId, OptionId};

/// Cells of the board are `.`, all else is not covered.
const BOARD: &str = "
    ........
    ........
    ........
    ...  ...
    ...  ...
    ........
    ........
    ........";

/// Each piece is used once. It may be turned and turned over.
const PIECES: [(char, &str); 12] = [
    ('F', ".##\n##.\n.#."),
    ('I', "#####"),
    ('L', "####\n#..."),
    ('N', "##..\n.###"),
    ('P', "##\n##\n#."),
    ('T', "###\n.#.\n.#."),
    ('U', "#.#\n###"),
    ('V', "#..\n#..\n###"),
    ('W', "#..\n##.\n.##"),
    ('X', ".#.\n###\n.#."),
    ('Y', "####\n.#.."),
    ('Z', "##.\n.#.\n.##"),
];

/// Row and column.
type Cell = (i32, i32);

/// A piece on the board.
struct Placement {
    option: OptionId,
    piece: char,
    cells: Vec<Cell>,
}

fn main() -> Result<(), CoverError> {
    let cells = cells_of(BOARD, '.');
    let (problem, placements) = pack(&cells)?;
    let mut solver = problem.solver()?;
    if let Some(solution) = solver.search(&CoverLimits::NONE).first()? {
        print(&cells, &solution, &placements);
    }
    solver.set_threads(NonZero::new(0))?;
    let outcome = solver.search(&CoverLimits::NONE).count()?;
    println!("{} ways, found by the engine `{}`", outcome.solutions, solver.engine());
    Ok(())
}

/// Every piece and every cell is an item; every place of a piece is an option.
fn pack(board: &BTreeSet<Cell>) -> Result<(ExactCover, Vec<Placement>), CoverError> {
    let mut builder = ExactCover::builder();
    let mut placements = Vec::new();
    let pieces = PIECES.map(|(name, _)| builder.primary(&name.to_string()));
    for (row, column) in board {
        builder.primary(&format!("{row},{column}"));
    }
    let item = |cell| pieces.len() + board.range(..cell).count();
    for ((name, drawing), piece) in PIECES.into_iter().zip(pieces) {
        for shape in orientations(&cells_of(drawing, '#')) {
            for (row, column) in board {
                let cells: Vec<Cell> = shape.iter().map(|cell| (cell.0 + row, cell.1 + column)).collect();
                if cells.iter().all(|cell| board.contains(cell)) {
                    let items = cells.iter().map(|&cell| ItemId::from(item(cell) as u32));
                    let option = builder.option(std::iter::once(piece).chain(items));
                    placements.push(Placement { option, piece: name, cells });
                }
            }
        }
    }
    Ok((builder.finish()?, placements))
}

/// The cells of a drawing that have this sign.
fn cells_of(drawing: &str, sign: char) -> BTreeSet<Cell> {
    let rows = drawing.lines().zip(0..);
    rows.flat_map(|(line, row)| {
        line.chars().zip(0..).filter(move |cell| cell.0 == sign).map(move |cell| (row, cell.1))
    })
    .collect()
}

/// The different shapes that turning and turning over make of a shape, their first cell at (0, 0).
fn orientations(shape: &BTreeSet<Cell>) -> BTreeSet<Vec<Cell>> {
    let mut all = BTreeSet::new();
    let mut turned: Vec<Cell> = shape.iter().copied().collect();
    for turn in 0..8 {
        turned = turned.into_iter().map(|(row, column)| (column, -row)).collect();
        if turn == 4 {
            turned = turned.into_iter().map(|(row, column)| (row, -column)).collect();
        }
        turned.sort_unstable();
        let first = turned[0];
        all.insert(turned.iter().map(|cell| (cell.0 - first.0, cell.1 - first.1)).collect());
    }
    all
}

fn print(board: &BTreeSet<Cell>, solution: &[OptionId], placements: &[Placement]) {
    let piece_at = |cell: &Cell| {
        let mut chosen = placements.iter().filter(|placement| solution.contains(&placement.option));
        chosen.find(|placement| placement.cells.contains(cell)).map_or(' ', |placement| placement.piece)
    };
    let rows = board.iter().map(|cell| cell.0).collect::<BTreeSet<i32>>();
    let columns = board.iter().map(|cell| cell.1).collect::<BTreeSet<i32>>();
    for row in rows {
        println!("{}", columns.iter().map(|&column| piece_at(&(row, column))).collect::<String>());
    }
}

#[test]
fn the_board_is_packed_in_all_ways() -> Result<(), CoverError> {
    // 65 ways, each turned and mirrored.
    assert_eq!(pack(&cells_of(BOARD, '.'))?.0.count()?, 520);
    main()
}
