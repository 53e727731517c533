//! The values possible in every cell, as Norvig's program displays them.
//!
//! ```text
//!    4      1679   12679  |  139     2369    269   |   8      1239     5
//!  26789     3    1256789 | 14589   24569   245689 | 12679    1249   124679
//! ```
//! Each cell is centred in a column one wider than the longest of all; bars and dashes part the blocks. After
//! `display` of "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html), byte for byte: also the blanks at the ends
//! of lines, which centring leaves, and the blank line at the end.

/// Displays `values` (a word a cell, row by row: bit `symbol - 1` says that the symbol is possible), the last line a
/// blank one.
///
/// ```
/// let settled: Vec<u64> = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1].map(|symbol| 1 << (symbol - 1)).into();
/// assert!(galop::output::display(&settled).starts_with("1 2 |3 4 \n3 4 |1 2 \n----+----\n"));
/// ```
pub fn display(values: &[u64]) -> String {
    let side = values.len().isqrt().max(1);
    let block = if side.isqrt().pow(2) == side { side.isqrt() } else { side };
    let cells: Vec<String> = values.iter().map(|&values| symbols(values)).collect();
    let width = 1 + cells.iter().map(String::len).max().unwrap_or(0);
    let dashes = vec!["-".repeat(width * block); side / block].join("+");
    let mut text = String::new();
    for (index, row) in cells.chunks(side).enumerate() {
        if index > 0 && index % block == 0 {
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

fn symbols(values: u64) -> String {
    (1..=u64::BITS)
        .filter(|symbol| values >> (symbol - 1) & 1 == 1)
        .map(|symbol| symbol.to_string())
        .collect()
}

/// As Python's `str.center` does it: of an odd number of blanks the extra one stands behind the text, or before
/// it where the width is odd.
fn centred(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(text.len());
    let before = blanks / 2 + (blanks & width & 1);
    format!("{}{text}{}", " ".repeat(before), " ".repeat(blanks - before))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `"12".center(5)` and its like, as Python gives them.
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
    fn anything_is_displayed() {
        assert_eq!(display(&[]), "\n");
        assert_eq!(display(&[0]), " \n\n");
        assert_eq!(display(&[1; 5]), "1 1 \n1 1 \n----\n1 \n\n");
    }
}
