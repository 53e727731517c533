//! The candidates of every cell, as Norvig's program displays them.
//!
//! ```text
//!    4      1679   12679  |  139     2369    269   |   8      1239     5
//!  26789     3    1256789 | 14589   24569   245689 | 12679    1249   124679
//! ```
//! Each cell is centred in a column one character wider than the longest cell. Bars and dashes separate the blocks. The
//! bytes are what `display` prints in "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html), including the spaces at
//! the ends of lines, which centring leaves, and the blank line at the end.

use crate::grid::{Alphabet, Rules};

/// Displays `values` (one word for each cell of `rules`, row by row; bit `symbol - 1` is set if the symbol is a
/// candidate) in the symbols of the rules. The last line is blank. Blocks are separated, regions of other shapes are
/// not.
///
/// ```
/// use galop_engines::Rules;
///
/// let rules = Rules::sudoku(4)?;
/// let settled: Vec<u64> = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1].map(|symbol| 1 << (symbol - 1)).into();
/// assert!(galop_batch::output::display(&settled, &rules).starts_with("1 2 |3 4 \n3 4 |1 2 \n----+----\n"));
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn display(values: &[u64], rules: &Rules) -> String {
    let side = rules.grid().side().max(1);
    let (height, block) = rules.grid().block().unwrap_or((side, side));
    let cells: Vec<String> = values.iter().map(|&values| symbols(values, rules.alphabet())).collect();
    let width = 1 + cells.iter().map(String::len).max().unwrap_or(0);
    let dashes = vec!["-".repeat(width * block); side / block].join("+");
    let mut text = String::new();
    for (index, row) in cells.chunks(side).enumerate() {
        if index > 0 && index % height == 0 {
            text.push_str(&dashes);
            text.push('\n');
        }
        let blocks = row.chunks(block).map(|cells| cells.iter().map(|cell| centred(cell, width)).collect());
        text.push_str(&blocks.collect::<Vec<String>>().join("|"));
        text.push('\n');
    }
    text.push('\n');
    text
}

fn symbols(values: u64, alphabet: &Alphabet) -> String {
    (1..=alphabet.symbols())
        .filter(|symbol| values >> (symbol - 1) & 1 == 1)
        .map(|symbol| char::from(alphabet.character(symbol)))
        .collect()
}

/// Centres like Python's `str.center`: if the number of spaces is odd, the extra one comes behind the text, or before
/// it if the width is odd.
fn centred(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.len());
    let before = blanks / 2 + (blanks & width & 1);
    format!("{}{text}{}", " ".repeat(before), " ".repeat(blanks - before))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `"12".center(5)` and others, with the results of Python.
    #[test]
    fn text_is_centred_as_in_python() {
        let given =
            [("1", 2, "1 "), ("1", 3, " 1 "), ("12", 3, " 12"), ("12", 4, " 12 "), ("12", 5, "  12 ")];
        for (text, width, expected) in given {
            assert_eq!(centred(text, width), expected, "{text} {width}");
        }
        assert_eq!(centred("123", 4), "123 ");
        assert_eq!(centred("1234", 2), "1234");
    }

    #[test]
    fn grids_of_any_size_are_displayed_in_their_symbols() {
        let rules = |name, side| Rules::new(crate::grid::kind(name).unwrap(), side, None).unwrap();
        assert_eq!(display(&[], &Rules::default()), "\n");
        let six = display(&[1; 36], &rules("sudoku", 6));
        assert!(six.starts_with("1 1 1 |1 1 1 \n1 1 1 |1 1 1 \n------+------\n"), "{six}");
        assert_eq!(display(&[1; 25], &rules("latin", 5)), "1 1 1 1 1 \n".repeat(5) + "\n");
        let sixteen = display(&[0xffff; 256], &rules("sudoku", 16));
        assert!(sixteen.starts_with(" 123456789ABCDEFG 123456789ABCDEFG "), "{sixteen}");
    }
}
