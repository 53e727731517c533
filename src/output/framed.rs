//! Grids as people draw them: frames around the blocks, a dot for a blank.
//!
//! ```text
//! +-------+-------+-------+
//! | 4 . . | . . . | 8 . 5 |
//! ```

/// Draws `grids` (flat cells, row by row: 0 blank, 1..=n) side by side, three blanks between them; every line has
/// its end.
///
/// A grid of n x n cells has frames around blocks of √n x √n, or, where n is no square, around the whole alone.
///
/// ```
/// let drawn = galop::output::framed(&[&[1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 3]]);
/// assert!(drawn.starts_with("+-----+-----+\n| 1 . | . 4 |\n| . . | . . |\n+-----+-----+\n"));
/// ```
pub fn framed(grids: &[&[u8]]) -> String {
    let drawn: Vec<Vec<String>> = grids.iter().map(|cells| lines(cells)).collect();
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

fn lines(cells: &[u8]) -> Vec<String> {
    let side = cells.len().isqrt().max(1);
    let block = if side.isqrt().pow(2) == side { side.isqrt() } else { side };
    let width = if cells.iter().any(|&symbol| symbol > 9) { 2 } else { 1 };
    let frame = format!("+{}", "-".repeat(block * (width + 1) + 1)).repeat(side / block) + "+";
    let symbol = |&symbol: &u8| match symbol {
        0 => format!(" {:>width$}", '.'),
        symbol => format!(" {symbol:>width$}"),
    };
    let mut lines = Vec::new();
    for (index, row) in cells.chunks(side).enumerate() {
        if index % block == 0 {
            lines.push(frame.clone());
        }
        let blocks =
            row.chunks(block).map(|cells| format!("|{} ", cells.iter().map(symbol).collect::<String>()));
        lines.push(blocks.collect::<String>() + "|");
    }
    lines.push(frame);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_of_any_size_are_drawn() {
        assert_eq!(framed(&[]), "");
        assert_eq!(framed(&[&[]]), "+---+\n");
        assert_eq!(framed(&[&[0], &[1]]), "+---+   +---+\n| . |   | 1 |\n+---+   +---+\n");
        assert_eq!(framed(&[&[1, 2, 0, 0]]), "+-----+\n| 1 2 |\n| . . |\n+-----+\n");
        let mut large = [0; 256];
        (large[0], large[255]) = (16, 7);
        let drawn = framed(&[&large]);
        let row = "|  .  .  .  . ".repeat(4) + "|";
        let frame = "+-------------".repeat(4) + "+";
        assert_eq!(drawn.lines().count(), 16 + 5);
        assert!(drawn.starts_with(&format!("{frame}\n{}\n{row}\n", row.replacen(" .", "16", 1))), "{drawn}");
        assert!(drawn.ends_with(&format!(".  7 |\n{frame}\n")), "{drawn}");
    }
}
