//! The sizes of sudoku whose symmetries are known here, and the orders of their rows and columns.
//!
//! ```text
//! size   blocks   orders of rows      orders of columns   transposition   times the names of symbols
//! 4x4    2 x 2    2! * 2!^2 = 8       8                   yes             4! = 24
//! 6x6    2 x 3    3! * 2!^3 = 48      2! * 3!^2 = 72      no              6! = 720
//! 9x9    3 x 3    3! * 3!^3 = 1,296   1,296               yes             9! = 362,880
//! ```
//! The symmetries of 6x6 lack the transposition because it makes blocks of 2 x 3 into blocks of 3 x 2.

use crate::grid::Rules;

/// Places of an array of lines, and of names with the name of the blank: the largest side and more, and as many as a
/// vector of bytes has.
pub(super) const LINES: usize = 16;

/// The rules have symmetries that are not known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the symmetries of `{rules}` are not supported (only sudokus of 4x4, 6x6 and 9x9 are)")]
pub struct NotSupported {
    /// The name of the rules.
    pub rules: String,
}

/// The side and the blocks of a sudoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Cells of a row.
    pub(super) side: usize,
    /// Rows of a block, which are the rows of a band.
    pub(super) height: usize,
    /// Columns of a block, which are the columns of a stack.
    pub(super) width: usize,
}

impl Shape {
    /// Every shape that is known.
    pub(super) const ALL: [Shape; 3] = [Shape::new(4, 2), Shape::new(6, 2), Shape::NINE];

    /// The 9x9 sudoku.
    pub(super) const NINE: Shape = Shape::new(9, 3);

    const fn new(side: usize, height: usize) -> Shape {
        Shape { side, height, width: side / height }
    }

    /// The shape of grids of these rules.
    pub(super) fn of(rules: &Rules) -> Result<Shape, NotSupported> {
        let grid = rules.grid();
        let is_sudoku = |shape: &Shape| {
            grid.side() == shape.side && Rules::sudoku(shape.side).is_ok_and(|sudoku| sudoku.grid() == grid)
        };
        Shape::ALL.into_iter().find(is_sudoku).ok_or(NotSupported { rules: rules.name().to_owned() })
    }

    /// Cells of a grid.
    pub(super) fn cells(self) -> usize {
        self.side * self.side
    }

    /// Whether the transposition is a symmetry.
    pub(super) fn can_transpose(self) -> bool {
        self.height == self.width
    }

    /// The orders of rows that keep bands together; the first one is the order of the grid.
    pub(super) fn row_orders(self) -> Vec<[u8; LINES]> {
        orders(self.side, self.height)
    }

    /// The orders of columns that keep stacks together; the first one is the order of the grid.
    pub(super) fn column_orders(self) -> Vec<[u8; LINES]> {
        orders(self.side, self.width)
    }

    /// Symmetries that move cells: 128, 3,456 or 3,359,232.
    pub(super) fn places(self) -> u64 {
        let orders =
            |size: usize| factorial(self.side / size) * factorial(size).pow((self.side / size) as u32);
        orders(self.height) * orders(self.width) * (1 + u64::from(self.can_transpose()))
    }

    /// Orders of the symbols: 24, 720 or 362,880.
    pub(super) fn names(self) -> u64 {
        factorial(self.side)
    }
}

/// The product of 1 to `number`, at most 20.
pub(super) fn factorial(number: usize) -> u64 {
    (1..=number as u64).product()
}

/// An order of at most sixteen lines that changes nothing.
pub(super) const fn unchanged() -> [u8; LINES] {
    let mut order = [0; LINES];
    let mut line = 0;
    while line < LINES {
        order[line] = line as u8;
        line += 1;
    }
    order
}

/// The orders of `side` lines that keep the chutes of `size` lines together. Lines past the last stay.
fn orders(side: usize, size: usize) -> Vec<[u8; LINES]> {
    let (chutes, within) = (permutations(side / size), permutations(size));
    let mut orders = Vec::new();
    for chutes in &chutes {
        let mut some = vec![unchanged()];
        for (place, &chute) in chutes.iter().enumerate() {
            let with = |order: &[u8; LINES]| {
                within
                    .iter()
                    .map(|lines| {
                        let mut order = *order;
                        for (line, &from) in lines.iter().enumerate() {
                            order[size * place + line] = (size * chute + from) as u8;
                        }
                        order
                    })
                    .collect::<Vec<_>>()
            };
            some = some.iter().flat_map(with).collect();
        }
        orders.extend(some);
    }
    orders
}

/// All orders of `0..size`, ascending.
pub(super) fn permutations(size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        let longer = |order: &Vec<usize>| {
            let rest = (0..size).filter(|item| !order.contains(item));
            rest.map(|item| [&order[..], &[item]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::grid::{KINDS, Kind};

    #[test]
    fn the_symmetries_are_counted() {
        let counts = Shape::ALL.map(|shape| (shape.places(), shape.names()));
        assert_eq!(counts, [(128, 24), (3_456, 720), (3_359_232, 362_880)]);
        for shape in Shape::ALL {
            let (rows, columns) = (shape.row_orders(), shape.column_orders());
            let transposed = 1 + usize::from(shape.can_transpose());
            assert_eq!(shape.places(), (rows.len() * columns.len() * transposed) as u64);
            for orders in [rows, columns] {
                assert_eq!(
                    (orders[0], orders.iter().collect::<HashSet<_>>().len()),
                    (unchanged(), orders.len())
                );
            }
        }
    }

    #[test]
    fn only_sudokus_of_three_sizes_are_supported() {
        let of = |kind: &'static Kind, side| {
            Shape::of(&Rules::new(kind, side, None).unwrap()).map(|shape| shape.side)
        };
        assert_eq!([4, 6, 9].map(|side| of(&KINDS[0], side)), [Ok(4), Ok(6), Ok(9)]);
        assert_eq!(of(&KINDS[0], 12), Err(NotSupported { rules: "sudoku 12x12".to_owned() }));
        for name in ["diagonal", "windoku", "latin"] {
            assert_eq!(of(crate::grid::kind(name).unwrap(), 9), Err(NotSupported { rules: name.to_owned() }));
        }
        assert_eq!(
            NotSupported { rules: "latin".to_owned() }.to_string(),
            "the symmetries of `latin` are not supported (only sudokus of 4x4, 6x6 and 9x9 are)"
        );
    }
}
