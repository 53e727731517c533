//! A puzzle drawn as people know it: nine rows of nine, the clues bold, the rest of the solution light.
//!
//! A row is at most two `text` elements, its clues and the others, with a place for every digit: a grid takes some
//! 2 KB, where an element a cell would take three times that.

use std::fmt::{self, Write};

use super::escape::Text;

/// A cell's side.
const CELL: usize = 20;

/// Draws `puzzle` (81 characters, whatever is no digit is blank) with the digits of `solution`, if there is one,
/// where it is blank. A puzzle of another length is given as text.
pub(super) fn draw(puzzle: &str, solution: Option<&str>, out: &mut String) -> fmt::Result {
    let clues: Vec<char> = puzzle.chars().collect();
    if clues.len() != 81 {
        return writeln!(out, "<p class=\"line\"><code>{}</code></p>", Text(puzzle));
    }
    let solved: Vec<char> = solution.unwrap_or_default().chars().collect();
    let clue = |cell: usize| is_digit(clues[cell]).then_some(clues[cell]);
    let found =
        |cell: usize| solved.get(cell).copied().filter(|&digit| clue(cell).is_none() && is_digit(digit));

    let side = 9 * CELL;
    let what = if solved.is_empty() { "Puzzle" } else { "Puzzle and solution" };
    write!(
        out,
        "<svg class=\"grid\" viewBox=\"-2 -2 {0} {0}\" role=\"img\" aria-label=\"{what} {1}\">",
        side + 4,
        Text(puzzle)
    )?;
    for (class, thick) in [("thin", false), ("thick", true)] {
        write!(out, "<path class=\"{class}\" d=\"")?;
        for line in (0..=9).filter(|line| (line % 3 == 0) == thick) {
            let at = line * CELL;
            write!(out, "M{at} 0v{side}M0 {at}h{side}")?;
        }
        write!(out, "\"/>")?;
    }
    for row in 0..9 {
        digits(row, "clue", clue, out)?;
        digits(row, "found", found, out)?;
    }
    writeln!(out, "</svg>\n<p class=\"line\"><code>{}</code></p>", Text(puzzle))
}

fn is_digit(c: char) -> bool {
    ('1'..='9').contains(&c)
}

/// The digits of a row that `digit` gives, each in its cell.
fn digits(row: usize, class: &str, digit: impl Fn(usize) -> Option<char>, out: &mut String) -> fmt::Result {
    let (mut places, mut text) = (String::new(), String::new());
    for column in 0..9 {
        if let Some(digit) = digit(9 * row + column) {
            write!(places, "{}{}", if places.is_empty() { "" } else { " " }, column * CELL + CELL / 2)?;
            text.push(digit);
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

    fn drawn(puzzle: &str, solution: Option<&str>) -> String {
        let mut out = String::new();
        draw(puzzle, solution, &mut out).unwrap();
        out
    }

    #[test]
    fn clues_and_solution_are_told_apart() {
        let puzzle = format!("4..{}", "0".repeat(78));
        let grid = drawn(&puzzle, Some(&format!("417{}", "1".repeat(78))));
        assert!(grid.contains("<text class=\"clue\" x=\"10\" y=\"15\">4</text>"), "{grid}");
        assert!(grid.contains("<text class=\"found\" x=\"30 50 70 90 110 130 150 170\" y=\"15\">17111111<"));
        let grid = drawn(&puzzle, None);
        assert!(grid.contains("clue") && !grid.contains("found"), "{grid}");
    }

    #[test]
    fn what_is_no_grid_is_text() {
        let text = drawn("<b>", None);
        assert!(text.contains("<code>&lt;b&gt;</code>") && !text.contains("svg"), "{text}");
    }
}
