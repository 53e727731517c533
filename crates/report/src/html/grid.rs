//! A puzzle drawn as a grid: the clues bold, the rest of the solution light, thick lines around blocks or regions.
//!
//! A row is at most two `text` elements with a place for every symbol: its clues, and the other symbols. A grid of nine
//! takes about 2 KB; an element for each cell would take three times as much.

use std::fmt::{self, Write};

use super::escape::Text;
use galop_batch::figures::RulesInfo;

/// Units of the drawing: the side of a cell.
const CELL: usize = 20;

/// Draws `puzzle`, a character for each cell. Characters that are not symbols are blank and get the symbols of
/// `solution`, if there is one. A puzzle of another length than the rules ask for is written as text.
pub(super) fn draw(rules: &RulesInfo, puzzle: &str, solution: Option<&str>, out: &mut String) -> fmt::Result {
    let clues: Vec<char> = puzzle.chars().collect();
    if clues.len() != rules.parts.len() {
        return writeln!(out, "<p class=\"line\"><code>{}</code></p>", Text(puzzle));
    }
    let solved: Vec<char> = solution.unwrap_or_default().chars().collect();
    let is_symbol = |c: char| {
        u8::try_from(c).is_ok_and(|byte| rules.alphabet.cell(byte).is_some_and(|symbol| symbol > 0))
    };
    let clue = |cell: usize| is_symbol(clues[cell]).then_some(clues[cell]);
    let found =
        |cell: usize| solved.get(cell).copied().filter(|&symbol| clue(cell).is_none() && is_symbol(symbol));

    let width = rules.side * CELL;
    let class = if rules.is_large() { "grid large" } else { "grid" };
    let what = if solved.is_empty() { "Puzzle" } else { "Puzzle and solution" };
    write!(
        out,
        "<svg class=\"{class}\" viewBox=\"-2 -2 {0} {0}\" role=\"img\" aria-label=\"{what} {1}\">",
        width + 4,
        Text(puzzle)
    )?;
    for (class, is_thick) in [("thin", false), ("thick", true)] {
        write!(out, "<path class=\"{class}\" d=\"")?;
        lines(rules, is_thick, out)?;
        write!(out, "\"/>")?;
    }
    for row in 0..rules.side {
        symbols((row, rules.side), "clue", clue, out)?;
        symbols((row, rules.side), "found", found, out)?;
    }
    writeln!(out, "</svg>\n<p class=\"line\"><code>{}</code></p>", Text(puzzle))
}

/// Draws the thick lines, around the grid and between parts, or the thin lines within the parts. Adjacent pieces of a
/// line are one stroke.
fn lines(rules: &RulesInfo, is_thick: bool, out: &mut String) -> fmt::Result {
    let side = rules.side;
    // Whether the line before column or row `line` is thick at the `along`th cell, counted down or across.
    let thick = |line: usize, along: usize, is_down: bool| {
        let part = |line: usize| rules.parts[if is_down { along * side + line } else { line * side + along }];
        line == 0 || line == side || part(line - 1) != part(line)
    };
    for line in 0..=side {
        for is_down in [true, false] {
            let mut along = 0;
            while along < side {
                let start = along;
                while along < side && thick(line, along, is_down) == is_thick {
                    along += 1;
                }
                let (at, start, len) = (line * CELL, start * CELL, (along - start) * CELL);
                match (len, is_down) {
                    (0, _) => along += 1,
                    (_, true) => write!(out, "M{at} {start}v{len}")?,
                    (_, false) => write!(out, "M{start} {at}h{len}")?,
                }
            }
        }
    }
    Ok(())
}

/// Writes the symbols that `symbol` gives for the cells of row `row`, which has `side` cells.
fn symbols(
    (row, side): (usize, usize),
    class: &str,
    symbol: impl Fn(usize) -> Option<char>,
    out: &mut String,
) -> fmt::Result {
    let (mut places, mut text) = (String::new(), String::new());
    for column in 0..side {
        if let Some(symbol) = symbol(side * row + column) {
            write!(places, "{}{}", if places.is_empty() { "" } else { " " }, column * CELL + CELL / 2)?;
            text.push(symbol);
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    write!(out, "<text class=\"{class}\" x=\"{places}\" y=\"{}\">{text}</text>", row * CELL + 3 * CELL / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_engines::grid::{Regions, Rules, kind};

    fn drawn(rules: &Rules, puzzle: &str, solution: Option<&str>) -> String {
        let mut out = String::new();
        draw(&RulesInfo::new(rules), puzzle, solution, &mut out).unwrap();
        out
    }

    #[test]
    fn clues_and_solution_look_different() {
        let puzzle = format!("4..{}", "0".repeat(78));
        let grid = drawn(&Rules::default(), &puzzle, Some(&format!("417{}", "1".repeat(78))));
        assert!(grid.contains("<text class=\"clue\" x=\"10\" y=\"15\">4</text>"), "{grid}");
        assert!(grid.contains("<text class=\"found\" x=\"30 50 70 90 110 130 150 170\" y=\"15\">17111111<"));
        let grid = drawn(&Rules::default(), &puzzle, None);
        assert!(grid.contains("clue") && !grid.contains("found"), "{grid}");
    }

    #[test]
    fn other_lengths_are_written_as_text() {
        let text = drawn(&Rules::default(), "<b>", None);
        assert!(text.contains("<code>&lt;b&gt;</code>") && !text.contains("svg"), "{text}");
    }

    #[test]
    fn blocks_and_regions_have_thick_borders() {
        let thick = |rules: &Rules, puzzle: &str| {
            let grid = drawn(rules, puzzle, None);
            let path = grid.split("class=\"thick\" d=\"").nth(1).unwrap().split('"').next().unwrap();
            path.to_owned()
        };
        let sixteen = Rules::sudoku(16).unwrap();
        let puzzle = format!("G0{}", ".".repeat(254));
        let path = thick(&sixteen, &puzzle);
        assert_eq!((path.matches("v320").count(), path.matches("h320").count()), (5, 5), "{path}");
        assert!(drawn(&sixteen, &puzzle, None).contains(">G</text>"));
        let regions = Regions::read(b"aabb abbb aacc dddc ddcc".as_slice()).err();
        assert!(regions.is_some(), "20 cells");
        let regions = Regions::read(b"aabb aabc ddbc ddcc").unwrap();
        let jigsaw = Rules::new(kind("jigsaw").unwrap(), 4, Some(&regions)).unwrap();
        let path = thick(&jigsaw, &".".repeat(16));
        // The border between b and c lies beside their cells of rows 2 and 3 only.
        assert!(
            path.contains("M60 20v40") && path.contains("M40 60h20") && !path.contains("M60 0v80"),
            "{path}"
        );
    }
}
