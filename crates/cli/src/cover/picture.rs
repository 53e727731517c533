//! Solutions as pictures: a board of cells, the cells of an option joined by lines.
//!
//! ```text
//! ╺━┓ ╻     options {0.0 0.1 1.1} and {0.2 1.2}; cell 1.0 is covered by none
//! · ╹ ╹
//! ```
//! A cell shows its joints with the cells above, below, to the left and to the right that the same option covers. Two
//! characters a cell make the picture about as wide as it is high.

use galop_cover::{ExactCover, ItemId, OptionId};

/// The marks of a cell, by its joints: 1 up, 2 down, 4 left, 8 right.
const MARKS: [char; 16] = ['■', '╹', '╻', '┃', '╸', '┛', '┓', '┫', '╺', '┗', '┏', '┣', '━', '┻', '┳', '╋'];
/// The mark of a cell that no option covers.
const UNCOVERED: char = '·';
/// Rows or columns of the largest board that is drawn.
const MOST_LINES: usize = 10_000;

/// The board of a problem.
#[derive(Clone, Debug)]
pub(super) struct Board {
    width: usize,
    /// The cell of every item, row by row; `None` if the item is not a cell.
    cell_of: Vec<Option<usize>>,
    /// Whether each place of the board is a cell.
    is_cell: Vec<bool>,
}

impl Board {
    /// The board of the items that are named as cells; `None` if there is none. Rows must count from 0 without gaps, so
    /// that names of another kind are not taken for cells.
    pub(super) fn of(problem: &ExactCover) -> Option<Board> {
        Self::named(problem, dotted).or_else(|| Self::named(problem, in_digits))
    }

    fn named(problem: &ExactCover, place: fn(&str) -> Option<(usize, usize)>) -> Option<Board> {
        let items = (0..problem.item_count() as u32).map(ItemId);
        let places: Vec<_> = items.map(|item| place(problem.item_name(item))).collect();
        let height = places.iter().flatten().map(|place| place.0).max()? + 1;
        let width = places.iter().flatten().map(|place| place.1).max()? + 1;
        let mut has_row = vec![false; height];
        let mut is_cell = vec![false; height * width];
        for &(row, column) in places.iter().flatten() {
            has_row[row] = true;
            is_cell[row * width + column] = true;
        }
        let cell_of = places.iter().map(|place| place.map(|(row, column)| row * width + column)).collect();
        has_row.iter().all(|&has| has).then_some(Board { width, cell_of, is_cell })
    }

    /// The picture of a solution: a line for each row.
    pub(super) fn draw(&self, problem: &ExactCover, solution: &[OptionId]) -> String {
        let mut covered_by = vec![None; self.is_cell.len()];
        for &option in solution {
            for cell in problem.option(option).iter().filter_map(|term| self.cell_of[term.item.index()]) {
                covered_by[cell] = Some(option);
            }
        }
        let mut picture = String::new();
        let rows = covered_by.chunks(self.width).zip(self.is_cell.chunks(self.width));
        for (row, (covered, is_cell)) in rows.enumerate() {
            let mut line = String::new();
            for (column, &own) in covered.iter().enumerate() {
                let with = |row: usize, column: usize| {
                    own.is_some()
                        && column < self.width
                        && covered_by.get(row * self.width + column) == Some(&own)
                };
                let [up, down] =
                    [row.wrapping_sub(1), row + 1].map(|row| row < usize::MAX / 2 && with(row, column));
                let [left, right] = [column.wrapping_sub(1), column + 1].map(|column| with(row, column));
                let joints =
                    [up, down, left, right].iter().rev().fold(0, |sum, &joint| 2 * sum + usize::from(joint));
                line.push(match (is_cell[column], own) {
                    (false, _) => ' ',
                    (true, None) => UNCOVERED,
                    (true, Some(_)) => MARKS[joints],
                });
                line.push(if right { '━' } else { ' ' });
            }
            picture += line.trim_end();
            picture.push('\n');
        }
        picture
    }
}

/// `3.10` is row 3, column 10.
fn dotted(name: &str) -> Option<(usize, usize)> {
    let number = |digits: &str| {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|&number| is_number && number < MOST_LINES)
    };
    let (row, column) = name.split_once('.')?;
    Some((number(row)?, number(column)?))
}

/// `3a` is row 3, column 10.
fn in_digits(name: &str) -> Option<(usize, usize)> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(usize::from(byte - b'0')),
        b'a'..=b'z' => Some(usize::from(byte - b'a') + 10),
        b'A'..=b'Z' => Some(usize::from(byte - b'A') + 36),
        _ => None,
    };
    match *name.as_bytes() {
        [row, column] => Some((digit(row)?, digit(column)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_an_option_are_joined() {
        let problem: ExactCover = "00 01 02 12 | 11 x 10\n00 01 11\n02 12\n".parse().unwrap();
        let board = Board::of(&problem).unwrap();
        assert_eq!(board.draw(&problem, &[OptionId(0), OptionId(1)]), "╺━┓ ╻\n· ╹ ╹\n");
        assert_eq!(board.draw(&problem, &[]), "· · ·\n· · ·\n");
        let square: ExactCover = "0.0 0.1 1.0 1.1 2.1\n0.0 0.1 1.0 1.1\n2.1\n".parse().unwrap();
        assert_eq!(Board::of(&square).unwrap().draw(&square, &[OptionId(0), OptionId(1)]), "┏━┓\n┗━┛\n  ■\n");
    }

    #[test]
    fn other_names_are_not_cells() {
        for names in ["r0 c0 a0", "a b", "1.0 1.1", "0.0.0", "0.-1", "99999999.0"] {
            let problem: ExactCover = format!("{names}\n").parse().unwrap();
            assert!(Board::of(&problem).is_none(), "{names}");
        }
    }
}
