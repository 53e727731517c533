//! Grids as people draw them: with frames around the blocks, and a dot for a blank.
//!
//! ```text
//! +-------+-------+-------+      regions of any shape:  +-------+
//! | 4 . . | . . . | 8 . 5 |                             |. .|. 4|
//!                                                       |   | +-+
//!                                                       |. .|.|.|
//! ```

use crate::grid::{Grid, Rules};

/// Draws `grids` (flat cells of `rules`, row by row: 0 blank, 1..=n) in the symbols of the rules, side by side with
/// three spaces between them. Every line has its end.
///
/// Blocks and regions have frames; a grid without them has one frame around all of it.
///
/// ```
/// use galop_engines::Rules;
///
/// let rules = Rules::sudoku(4)?;
/// let drawn = galop_batch::output::framed(&[&[1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 3]], &rules);
/// assert!(drawn.starts_with("+-----+-----+\n| 1 . | . 4 |\n| . . | . . |\n+-----+-----+\n"));
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn framed(grids: &[&[u8]], rules: &Rules) -> String {
    let drawn: Vec<Vec<String>> = grids.iter().map(|cells| lines(cells, rules)).collect();
    let count = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for index in 0..count {
        let beside: Vec<&str> =
            drawn.iter().filter_map(|lines| lines.get(index)).map(String::as_str).collect();
        text.push_str(&beside.join("   "));
        text.push('\n');
    }
    text
}

fn lines(cells: &[u8], rules: &Rules) -> Vec<String> {
    let characters: Vec<char> =
        cells.iter().map(|&symbol| rules.alphabet().character(symbol).into()).collect();
    match rules.grid().block() {
        Some(block) => in_blocks(&characters, rules.grid().side(), block),
        None => in_regions(&characters, rules.grid()),
    }
}

/// The grid with a frame around each block. Blocks are rectangles of `height` rows and `width` columns.
fn in_blocks(characters: &[char], side: usize, (height, width): (usize, usize)) -> Vec<String> {
    let frame = format!("+{}", "-".repeat(2 * width + 1)).repeat(side / width) + "+";
    let mut lines = Vec::new();
    for (index, row) in characters.chunks(side).enumerate() {
        if index % height == 0 {
            lines.push(frame.clone());
        }
        let cell = |character: &char| format!(" {character}");
        let blocks =
            row.chunks(width).map(|cells| format!("|{} ", cells.iter().map(cell).collect::<String>()));
        lines.push(blocks.collect::<String>() + "|");
    }
    lines.push(frame);
    lines
}

/// A line for each row, and one before each, on which the borders lie.
fn in_regions(characters: &[char], grid: &Grid) -> Vec<String> {
    let side = grid.side();
    // Whether there is a border above the cell in this row and column, or on its left; one row and column more end
    // the grid.
    let part =
        |row: usize, column: usize| (row < side && column < side).then(|| grid.part(row * side + column));
    let above =
        |row: usize, column: usize| column < side && (row == 0 || part(row - 1, column) != part(row, column));
    let left =
        |row: usize, column: usize| row < side && (column == 0 || part(row, column - 1) != part(row, column));
    let mut lines = Vec::new();
    for row in 0..=side {
        let mut border = String::new();
        for column in 0..=side {
            let across = [column > 0 && above(row, column - 1), above(row, column)];
            let down = [row > 0 && left(row - 1, column), left(row, column)];
            border.push(match (across, down) {
                ([false, false], [false, false]) => ' ',
                ([true, true], [false, false]) => '-',
                ([false, false], [true, true]) => '|',
                _ => '+',
            });
            if column < side {
                border.push(if above(row, column) { '-' } else { ' ' });
            }
        }
        lines.push(border);
        if row < side {
            let mut line = String::new();
            for column in 0..=side {
                line.push(if left(row, column) { '|' } else { ' ' });
                line.extend(part(row, column).and_then(|_| characters.get(row * side + column)));
            }
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Alphabet, Regions, kind};

    fn rules(name: &str, side: usize, map: Option<&str>) -> Rules {
        let regions = map.map(|map| Regions::read(map.as_bytes()).unwrap());
        Rules::new(kind(name).unwrap(), side, regions.as_ref()).unwrap()
    }

    #[test]
    fn grids_of_any_size_are_drawn_in_their_symbols() {
        assert_eq!(framed(&[], &Rules::default()), "");
        let large: Vec<u8> =
            (0..256).map(|cell| if cell == 255 { 16 } else { 10 * u8::from(cell == 0) }).collect();
        for (name, first, last) in [("1-9A-G", 'A', 'G'), ("a-p", 'j', 'p')] {
            let rules = rules("sudoku", 16, None).written_in(Alphabet::named(name).unwrap()).unwrap();
            let drawn = framed(&[&large], &rules);
            let (row, frame) = ("| . . . . ".repeat(4) + "|", "+---------".repeat(4) + "+");
            let lines: Vec<&str> = drawn.lines().collect();
            assert_eq!((lines.len(), lines[0], lines[2]), (21, &*frame, &*row));
            assert_eq!(lines[1].replacen(first, ".", 1), row);
            assert_eq!(lines[19].replacen(last, ".", 1), row);
        }
        let six = framed(&[&[0; 36]], &rules("sudoku", 6, None));
        assert_eq!(six.matches("+-------+-------+\n").count(), 4, "{six}");
        let latin = framed(&[&[0; 25], &[1; 25]], &rules("latin", 5, None));
        assert!(
            latin.starts_with("+-----------+   +-----------+\n| . . . . . |   | 1 1 1 1 1 |\n| ."),
            "{latin}"
        );
    }

    #[test]
    fn regions_of_any_shape_have_borders() {
        let rules = rules("jigsaw", 4, Some("aabb aabc ddbc ddcc"));
        let drawn = framed(&[&[1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 3]], &rules);
        let expected = "\
+---+---+
|1 .|. 4|
|   | +-+
|. .|.|.|
+---+ | |
|. .|.|.|
|   +-+ |
|2 .|. 3|
+---+---+
";
        assert_eq!(drawn, expected);
    }
}
