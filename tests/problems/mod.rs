//! Exact cover problems of the books, made by a few lines each.

#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeSet;

use galop::cover::ExactCover;

/// The problem of primary items, secondary items and options, all by name.
pub(crate) fn problem(primary: &[String], secondary: &[String], options: &[Vec<String>]) -> ExactCover {
    let mut builder = ExactCover::builder();
    for name in primary {
        builder.primary(name);
    }
    for name in secondary {
        builder.secondary(name);
    }
    for option in options {
        builder.option(option);
    }
    builder.finish().unwrap()
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number}")).collect()
}

/// n queens on an n x n board that do not see each other; the one on (i, j) costs (i + 1)(j + 1).
pub(crate) fn queens(n: usize) -> ExactCover {
    let mut builder = ExactCover::builder();
    // From the middle, as in the book: ranks and files there are the hardest to cover.
    let mut middle: Vec<usize> = (0..n).collect();
    middle.sort_by_key(|&line| (2 * line + 1).abs_diff(n));
    for line in &middle {
        builder.primary(&format!("r{line}"));
        builder.primary(&format!("c{line}"));
    }
    for line in 0..2 * n - 1 {
        builder.secondary(&format!("a{line}"));
        builder.secondary(&format!("b{line}"));
    }
    for &row in &middle {
        for &column in &middle {
            let places = [
                format!("r{row}"),
                format!("c{column}"),
                format!("a{}", row + column),
                format!("b{}", n - 1 + row - column),
            ];
            builder.option_with_cost(places.iter(), ((row + 1) * (column + 1)) as u64);
        }
    }
    builder.finish().unwrap()
}

/// Two of each of 1 to n in a row, the two k's k places apart; both directions.
pub(crate) fn langford(n: usize) -> ExactCover {
    let mut options = Vec::new();
    for digit in 0..n {
        for first in 0..2 * n - digit - 2 {
            options.push(vec![format!("d{digit}"), format!("s{first}"), format!("s{}", first + digit + 2)]);
        }
    }
    problem(&[names("d", n), names("s", 2 * n)].concat(), &[], &options)
}

/// Ways to cover a board with dominoes.
pub(crate) fn dominoes(rows: usize, columns: usize) -> ExactCover {
    let square = |row: usize, column: usize| format!("s{}", row * columns + column);
    let mut options = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns {
                options.push(vec![square(row, column), square(row, column + 1)]);
            }
            if row + 1 < rows {
                options.push(vec![square(row, column), square(row + 1, column)]);
            }
        }
    }
    problem(&names("s", rows * columns), &[], &options)
}

/// Perfect matchings of the complete graph.
pub(crate) fn matchings(vertices: usize) -> ExactCover {
    let pair = |one, other| vec![format!("v{one}"), format!("v{other}")];
    let options: Vec<_> =
        (0..vertices).flat_map(|one| (one + 1..vertices).map(move |other| pair(one, other))).collect();
    problem(&names("v", vertices), &[], &options)
}

/// Latin squares; with `block`, those whose blocks hold every symbol as well.
pub(crate) fn latin(n: usize, block: Option<usize>) -> ExactCover {
    let mut options = Vec::new();
    for (row, column, symbol) in (0..n * n * n).map(|number| (number / n / n, number / n % n, number % n)) {
        let mut option = vec![format!("p{}", row * n + column)];
        option.push(format!("r{}", row * n + symbol));
        option.push(format!("c{}", column * n + symbol));
        if let Some(block) = block {
            option.push(format!("b{}", (row / block * block + column / block) * n + symbol));
        }
        options.push(option);
    }
    let kinds: &[&str] = if block.is_some() { &["p", "r", "c", "b"] } else { &["p", "r", "c"] };
    let items: Vec<Vec<String>> = kinds.iter().map(|kind| names(kind, n * n)).collect();
    problem(&items.concat(), &[], &options)
}

/// `queens` queens that see every square of an n x n board.
pub(crate) fn domination(n: usize, queens: u32) -> ExactCover {
    let mut builder = ExactCover::builder();
    builder.primary_with_bounds("#", queens, queens);
    for square in 0..n * n {
        builder.primary_with_bounds(&format!("s{square}"), 1, queens);
    }
    for (row, column) in (0..n * n).map(|square| (square / n, square % n)) {
        let sees = |other: &usize| {
            let (rows, columns) = ((other / n).abs_diff(row), (other % n).abs_diff(column));
            rows == 0 || columns == 0 || rows == columns
        };
        let squares: Vec<String> = (0..n * n).filter(sees).map(|square| format!("s{square}")).collect();
        builder.option(std::iter::once("#").chain(squares.iter().map(String::as_str)));
    }
    builder.finish().unwrap()
}

/// A board covered with as many dominoes and straight trominoes as are said.
pub(crate) fn mixed(rows: usize, columns: usize, dominoes: u32, trominoes: u32) -> ExactCover {
    let mut builder = ExactCover::builder();
    builder.primary_with_bounds("D", dominoes, dominoes);
    builder.primary_with_bounds("T", trominoes, trominoes);
    for square in 0..rows * columns {
        builder.primary(&format!("s{square}"));
    }
    for (row, column) in (0..rows * columns).map(|square| (square / columns, square % columns)) {
        for (name, length) in [("D", 2), ("T", 3)] {
            for (down, right) in [(0, 1), (1, 0)] {
                if row + down * (length - 1) < rows && column + right * (length - 1) < columns {
                    let squares: Vec<String> = (0..length)
                        .map(|step| format!("s{}", (row + down * step) * columns + column + right * step))
                        .collect();
                    builder.option(std::iter::once(name).chain(squares.iter().map(String::as_str)));
                }
            }
        }
    }
    builder.finish().unwrap()
}

type Cell = [i32; 3];

/// Pieces of unit cubes packed into a box in which some cells are taken, each once, turned as space allows.
fn packing(pieces: &[(&str, &[Cell])], size: Cell, taken: &[Cell]) -> ExactCover {
    let cells: Vec<Cell> = (0..size[0])
        .flat_map(|x| (0..size[1]).flat_map(move |y| (0..size[2]).map(move |z| [x, y, z])))
        .filter(|cell| !taken.contains(cell))
        .collect();
    let name = |[x, y, z]: Cell| format!("{x}.{y}.{z}");
    let mut options = Vec::new();
    for (piece, shape) in pieces {
        for turned in turns(shape) {
            for &[x, y, z] in &cells {
                // Every turned piece begins at the smallest of its cells.
                let placed: Vec<Cell> =
                    turned.iter().map(|cell| [cell[0] + x, cell[1] + y, cell[2] + z]).collect();
                if placed.iter().all(|cell| cells.contains(cell)) {
                    let option = std::iter::once((*piece).to_owned()).chain(placed.into_iter().map(name));
                    options.push(option.collect());
                }
            }
        }
    }
    let pieces = pieces.iter().map(|(piece, _)| (*piece).to_owned());
    problem(&pieces.chain(cells.iter().copied().map(name)).collect::<Vec<_>>(), &[], &options)
}

/// A shape in all its rotations in space, each with its smallest cell at the origin.
fn turns(shape: &[Cell]) -> BTreeSet<Vec<Cell>> {
    let about_x = |[x, y, z]: Cell| [x, -z, y];
    let about_y = |[x, y, z]: Cell| [z, y, -x];
    let mut found = BTreeSet::new();
    let mut open = vec![shape.to_vec()];
    while let Some(shape) = open.pop() {
        let [x, y, z] = *shape.iter().min().unwrap();
        let mut shape: Vec<Cell> = shape.iter().map(|cell| [cell[0] - x, cell[1] - y, cell[2] - z]).collect();
        shape.sort_unstable();
        if found.insert(shape.clone()) {
            open.push(shape.iter().copied().map(about_x).collect());
            open.push(shape.iter().copied().map(about_y).collect());
        }
    }
    found
}

const PENTOMINOES: [(&str, [(i32, i32); 5]); 12] = [
    ("F", [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)]),
    ("I", [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]),
    ("L", [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)]),
    ("P", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]),
    ("N", [(0, 1), (1, 1), (2, 0), (2, 1), (3, 0)]),
    ("T", [(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)]),
    ("U", [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]),
    ("V", [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]),
    ("W", [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]),
    ("X", [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]),
    ("Y", [(0, 1), (1, 0), (1, 1), (2, 1), (3, 1)]),
    ("Z", [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)]),
];

/// The twelve pentominoes in a box of 60 cells, beside those that are taken.
pub(crate) fn pentominoes(size: [i32; 3], taken: &[Cell]) -> ExactCover {
    let shapes: Vec<(&str, Vec<Cell>)> = PENTOMINOES
        .iter()
        .map(|(name, cells)| (*name, cells.iter().map(|&(x, y)| [x, y, 0]).collect()))
        .collect();
    let pieces: Vec<(&str, &[Cell])> = shapes.iter().map(|(name, cells)| (*name, &cells[..])).collect();
    packing(&pieces, size, taken)
}

/// The seven pieces of Piet Hein's Soma in a cube.
pub(crate) fn soma() -> ExactCover {
    let pieces: [(&str, &[Cell]); 7] = [
        ("V", &[[0, 0, 0], [0, 0, 1], [0, 1, 0]]),
        ("L", &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0]]),
        ("T", &[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1]]),
        ("Z", &[[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2]]),
        ("A", &[[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 0]]),
        ("B", &[[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]]),
        ("P", &[[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]]),
    ];
    packing(&pieces, [3, 3, 3], &[])
}
