//! Solutions as pictures: a board of cells, the cells of an option joined by lines.
//!
//! ```text
//! ╺━┓ ╻     options {0.0 0.1 1.1} and {0.2 1.2}; cell 1.0 is covered by none
//! · ╹ ╹
//! ```
//! A cell shows its joints with the cells above, below, to the left and to the right that the same option covers. Two
//! characters a cell make the picture about as wide as it is high. A cell with a colour shows the colour, and the cell
//! of an option that has no other shows the symbol in which the names of the option's other items end, as in `c2=7
//! b1=7`.

use galop_cover::{ExactCover, ItemId, OptionId};

/// The marks of a cell, by its joints: 1 up, 2 down, 4 left, 8 right.
const MARKS: [char; 16] = ['■', '╹', '╻', '┃', '╸', '┛', '┓', '┫', '╺', '┗', '┏', '┣', '━', '┻', '┳', '╋'];
/// The mark of a cell that no option covers.
const UNCOVERED: char = '·';
/// Rows or columns of the largest board that is drawn.
const MOST_LINES: usize = 10_000;

/// What an item is of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Cell(usize),
    /// The row of the cell of an option.
    Row(usize),
    /// Its column.
    Column(usize),
    Elsewhere,
}

/// The board of a problem.
#[derive(Clone, Debug)]
pub(super) struct Board {
    width: usize,
    /// The place of every item. Cells count row by row.
    places: Vec<Place>,
    /// Whether each place of the board is a cell.
    is_cell: Vec<bool>,
}

/// What covers a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cover {
    /// An option, whose cells are joined.
    By(OptionId),
    /// A colour or a symbol.
    Shown(char),
}

impl Board {
    /// The board of the items that are named as cells, or else of pairs of items, a row and a column; `None` if there
    /// is none.
    pub(super) fn of(problem: &ExactCover) -> Option<Board> {
        let names: Vec<&str> =
            (0..problem.item_count() as u32).map(|item| problem.item_name(ItemId(item))).collect();
        Self::of_cells(&names, apart)
            .or_else(|| Self::of_cells(&names, in_digits))
            .or_else(|| Self::of_pairs(&names))
    }

    /// The board of the names that `read` takes for cells and that are spelt as the first of them. Rows must count from
    /// 0 or 1 without gaps, so that names of another kind are not taken for cells.
    fn of_cells<'a>(names: &[&'a str], read: fn(&'a str) -> Option<Spelt<'a>>) -> Option<Board> {
        let mut spelt: Vec<Option<Spelt<'_>>> = names.iter().map(|name| read(name)).collect();
        let spelling = spelt.iter().flatten().next()?.spelling;
        spelt.iter_mut().for_each(|cell| *cell = cell.filter(|cell| cell.spelling == spelling));
        // Each of the numbers counts from 0 or from 1.
        let least = |of: fn(&Spelt<'_>) -> usize| spelt.iter().flatten().map(of).min().unwrap_or(0).min(1);
        let first = [least(|cell| cell.layer), least(|cell| cell.row), least(|cell| cell.column)];
        for cell in spelt.iter_mut().flatten() {
            cell.layer -= first[0];
            cell.row -= first[1];
            cell.column -= first[2];
        }
        let most = |of: fn(&Spelt<'_>) -> usize| spelt.iter().flatten().map(of).max().map(|most| most + 1);
        let (layers, height, depth) =
            (most(|cell| cell.layer)?, most(|cell| cell.row)?, most(|cell| cell.column)?);
        // Layers are drawn beside each other, with a gap.
        let width = layers * (depth + 1) - 1;
        let (mut has_row, mut is_cell) = (vec![false; height], vec![false; height * width]);
        let place = |cell: &Option<Spelt<'_>>| match cell {
            Some(Spelt { layer, row, column, .. }) => {
                let place = row * width + layer * (depth + 1) + column;
                has_row[*row] = true;
                is_cell[place] = true;
                Place::Cell(place)
            }
            None => Place::Elsewhere,
        };
        let places = spelt.iter().map(place).collect();
        has_row.iter().all(|&has| has).then_some(Board { width, places, is_cell })
    }

    /// The board of the items `r0`, `r1`, ... and `c0`, `c1`, ...
    fn of_pairs(names: &[&str]) -> Option<Board> {
        let number = |name: &str, letter| name.strip_prefix(letter).and_then(number);
        let place = |name: &&str| match (number(name, 'r'), number(name, 'c')) {
            (Some(row), _) => Place::Row(row),
            (_, Some(column)) => Place::Column(column),
            _ => Place::Elsewhere,
        };
        let mut places: Vec<Place> = names.iter().map(place).collect();
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        for place in &mut places {
            match place {
                Place::Row(row) => rows.push(row),
                Place::Column(column) => columns.push(column),
                _ => {}
            }
        }
        let [height, width] = [rows, columns].map(|numbers| {
            let first = numbers.iter().map(|number| **number).min()?.min(1);
            let from_0 = numbers.into_iter().map(|number| {
                *number -= first;
                *number + 1
            });
            from_0.max()
        });
        let (height, width) = (height?, width?);
        Some(Board { width, places, is_cell: vec![true; height * width] })
    }

    /// The picture of a solution: a line for each row.
    pub(super) fn draw(&self, problem: &ExactCover, solution: &[OptionId]) -> String {
        let mut covered_by: Vec<Option<Cover>> = vec![None; self.is_cell.len()];
        for &option in solution {
            let terms = problem.option(option);
            let (mut row, mut column, mut cells) = (None, None, Vec::new());
            for term in terms {
                match self.places[term.item.index()] {
                    Place::Cell(cell) => {
                        let colour =
                            term.colour().and_then(|colour| problem.colour_name(colour).chars().next());
                        cells.push((cell, colour));
                    }
                    Place::Row(at) => row = Some(at),
                    Place::Column(at) => column = Some(at),
                    Place::Elsewhere => {}
                }
            }
            cells.extend(row.zip(column).map(|(row, column)| (row * self.width + column, None)));
            let symbol = if cells.len() == 1 { self.symbol(problem, option) } else { None };
            for (cell, colour) in cells {
                covered_by[cell] = Some(colour.or(symbol).map_or(Cover::By(option), Cover::Shown));
            }
        }
        let mut picture = String::new();
        let rows = covered_by.chunks(self.width).zip(self.is_cell.chunks(self.width));
        for (row, (covered, is_cell)) in rows.enumerate() {
            let mut line = String::new();
            for (column, &own) in covered.iter().enumerate() {
                let with = |row: usize, column: usize| {
                    matches!(own, Some(Cover::By(_)))
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
                    (true, Some(Cover::By(_))) => MARKS[joints],
                    (true, Some(Cover::Shown(shown))) => shown,
                });
                line.push(if right { '━' } else { ' ' });
            }
            picture += line.trim_end();
            picture.push('\n');
        }
        picture
    }

    /// The symbol in which the names of all items of `option` end that are no cells, if there are two or more.
    fn symbol(&self, problem: &ExactCover, option: OptionId) -> Option<char> {
        let is_cell = |item: ItemId| matches!(self.places[item.index()], Place::Cell(_));
        let others = problem.option(option).iter().map(|term| term.item).filter(|&item| !is_cell(item));
        let ends: Vec<Option<char>> = others.map(|item| problem.item_name(item).chars().last()).collect();
        let has_cell = ends.len() < problem.option(option).len();
        if has_cell && ends.len() > 1 && ends.windows(2).all(|pair| pair[0] == pair[1]) {
            ends[0]
        } else {
            None
        }
    }
}

/// A name that may be the name of a cell.
#[derive(Clone, Copy, Debug)]
struct Spelt<'a> {
    /// What is in front of the numbers, and what is between them: equal for all cells of a board.
    spelling: (&'a str, &'a str),
    layer: usize,
    row: usize,
    column: usize,
}

fn number(digits: &str) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|&number| is_number && number < MOST_LINES)
}

/// `3.10`, `3,10`, `c3_10` and `r3c10` are row 3, column 10.
fn apart(name: &str) -> Option<Spelt<'_>> {
    let is_digit = |byte: char| byte.is_ascii_digit();
    let start = name.find(is_digit)?;
    let (before, rest) = name.split_at(start);
    let end = rest.find(|byte| !is_digit(byte))?;
    let (row, rest) = rest.split_at(end);
    let next = rest.find(is_digit)?;
    let (between, column) = rest.split_at(next);
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_spelling = is_word(before) && (matches!(between, "." | "," | "_" | "-" | ":") || is_word(between));
    let (row, column) = (number(row)?, number(column)?);
    is_spelling.then_some(Spelt { spelling: (before, between), layer: 0, row, column })
}

/// `3a` is row 3, column 10, as is `p3a`; `123` is row 2, column 3 of layer 1.
fn in_digits(name: &str) -> Option<Spelt<'_>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(usize::from(byte - b'0')),
        b'a'..=b'z' => Some(usize::from(byte - b'a') + 10),
        b'A'..=b'Z' => Some(usize::from(byte - b'A') + 36),
        _ => None,
    };
    let (letter, layer, row, column) = match *name.as_bytes() {
        [row, column] => ("", 0, row, column),
        [layer @ b'0'..=b'9', row, column] => ("3", digit(layer)?, row, column),
        [b'p', row, column] => ("p", 0, row, column),
        _ => return None,
    };
    Some(Spelt { spelling: (letter, ""), layer, row: digit(row)?, column: digit(column)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture of the options of a problem, all of which are chosen.
    fn drawn(text: &str) -> String {
        let problem: ExactCover = text.parse().unwrap();
        let options: Vec<OptionId> = (0..problem.option_count() as u32).map(OptionId).collect();
        Board::of(&problem).unwrap().draw(&problem, &options)
    }

    #[test]
    fn cells_of_an_option_are_joined() {
        let problem: ExactCover = "00 01 02 12 | 11 x 10\n00 01 11\n02 12\n".parse().unwrap();
        let board = Board::of(&problem).unwrap();
        assert_eq!(board.draw(&problem, &[OptionId(0), OptionId(1)]), "╺━┓ ╻\n· ╹ ╹\n");
        assert_eq!(board.draw(&problem, &[]), "· · ·\n· · ·\n");
        assert_eq!(drawn("0.0 0.1 1.0 1.1 2.1\n0.0 0.1 1.0 1.1\n2.1\n"), "┏━┓\n┗━┛\n  ■\n");
    }

    /// Names of cells as people spell them, from 0 or from 1; other items may be beside them.
    #[test]
    fn cells_have_many_spellings() {
        for spelt in ["r1c1 r1c2 r2c1", "0,0 0,1 1,0", "c0_0 c0_1 c1_0", "p00 p01 p10", "0x0 0x1 1x0"] {
            let [a, b, c] = spelt.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
            let text = format!("{spelt} T t5\n{a} {b} T\n{c} t5\n");
            assert_eq!(drawn(&text), "╺━╸\n■\n", "{spelt}");
        }
        // Two items are a cell; layers are beside each other.
        assert_eq!(drawn("r1 r2 c1 c2 | a\nr1 c2 a\nr2 c1\n"), "· ■\n■ ·\n");
        assert_eq!(drawn("000 001 010 100 101 V\n000 001\n010 100 V\n101\n"), "╺━╸   ■ ■\n■\n");
    }

    /// A colour says more than joints, and of a cell by itself the symbol in it.
    #[test]
    fn colours_and_symbols_are_drawn() {
        assert_eq!(drawn("row | 0.0 0.1 1.0\nrow 0.0:black 0.1:white 1.0:black\n"), "b w\nb\n");
        assert_eq!(drawn("r1c1 r1c2 r1=3 c1=3 r1=4 c2=4\nr1c1 r1=3 c1=3\nr1c2 r1=4 c2=4\n"), "3 4\n");
    }

    #[test]
    fn other_names_are_not_cells() {
        for names in ["a b", "0.0.0", "0.-1", "99999999.0", "2.0 5.0", "r0 a0"] {
            let problem: ExactCover = format!("{names}\n").parse().unwrap();
            assert!(Board::of(&problem).is_none(), "{names}");
        }
    }
}
