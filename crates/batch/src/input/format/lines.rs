//! One puzzle a line: the first field of the right length, whatever the other fields are.
//!
//! ```text
//! 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
//! <81 characters> ED=11.9/11.9/2.6          trailing fields after space, tab or one of , ; : #
//! <81 characters>,<81 characters>           a solution beside it
//! 0000183b305c <81 characters>  1.2         leading fields
//! ```
//! If there is no such field, the line may be one that people [paste](super::pasted).

use std::ops::Range;

use super::{CellText, FieldPlaces, Format, FormatEntry, Notation, RecordPlaces, Regular, pasted};
use crate::input::digits::are_digits;
use crate::input::error::LineError;
use crate::input::line::{SEPARATORS, field, is_record, is_separator};

/// One puzzle a line, other fields and # comments around it.
pub(super) const ENTRY: FormatEntry =
    FormatEntry { name: "lines", recognise: |head| Some(format(head.notation.clone())) };

/// The format of lines in this notation.
pub(super) fn format(notation: Notation) -> Format {
    let regular = Some(Regular::Ends(SEPARATORS));
    Format { regular, ..Format::new(ENTRY.name, &notation.clone(), Lines { notation }) }
}

pub(super) struct Lines {
    pub(super) notation: Notation,
}

impl CellText for Lines {}

impl RecordPlaces for Lines {
    /// A line of brackets or quotes around puzzles is no record.
    fn is_record(&self, line: &[u8]) -> bool {
        is_record(line) && !pasted::is_bracket_line(line)
    }
}

impl FieldPlaces for Lines {
    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        Ok((self.puzzle(line, puzzles)?, 0))
    }

    /// Nearly always the solution, as long as the puzzle.
    fn rest<'a>(&self, line: &'a [u8], puzzle: &Range<usize>) -> Option<&'a [u8]> {
        let (&byte, rest) = line.get(puzzle.end..)?.split_first()?;
        (is_separator(byte) && rest.len() == self.notation.cells).then_some(rest)
    }

    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>> {
        if self.rest(line, &puzzle).is_some_and(are_digits) {
            return Some(puzzle.end + 1..line.len());
        }
        let end = match *line.get(puzzle.end)? {
            byte if pasted::is_quote(byte) => return pasted::next_piece(line, puzzle.end),
            b']' | b')' | b'}' => return None,
            // A name behind the puzzle.
            b'-' => field(line, puzzle.end).end,
            _ => puzzle.end,
        };
        let start = end + line[end..].iter().position(|&byte| !is_separator(byte))?;
        Some(field(line, start))
    }
}

impl Lines {
    /// Where the puzzle is in `line`; its cells are appended to `puzzles`.
    pub(super) fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        let cells = self.notation.cells;
        let is_alone = line.get(cells).is_none_or(|&byte| is_separator(byte));
        if line.len() >= cells && is_alone && self.notation.push_cells(&line[..cells], puzzles) {
            return Ok(0..cells);
        }
        self.search(line, puzzles)
    }

    /// Searches all fields of an irregular line.
    #[cold]
    fn search(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        let is_object = pasted::is_object(line);
        let mut longest = 0..0;
        let mut start = 0;
        while start < line.len() {
            let at = field(line, start);
            if at.len() == self.notation.cells && self.notation.push_cells(&line[at.clone()], puzzles) {
                return Ok(at);
            }
            if !is_object && let Some(found) = pasted::field(&line[at.clone()], &self.notation, puzzles) {
                return Ok(at.start + found.start..at.start + found.end);
            }
            if at.len() > longest.len() {
                longest = at.clone();
            }
            start = at.end + 1;
        }
        if let Some(pasted) = pasted::puzzle(line, &self.notation, puzzles) {
            return pasted;
        }
        // The longest field was meant as the puzzle.
        Err(self.notation.explain(&line[longest.clone()], longest.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_is_the_next_field() {
        let (puzzle, solution) = (".".repeat(81), "123456789".repeat(9));
        let lines = Lines { notation: 81.into() };
        for (behind, found) in [
            (format!(",{solution}"), Some(82..163)),
            (format!(" {solution} 7"), Some(82..163)),
            (format!(",{}", &solution[1..]), Some(82..162)),
            (format!(" ;, {solution}"), Some(85..166)),
            (",none".to_owned(), Some(82..86)),
            // As many bytes as the puzzle, but not one field.
            (format!(",{:81}", "none 7"), Some(82..86)),
            (format!(",{:81}", "none 77"), Some(82..86)),
            (",".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(lines.solution((puzzle.clone() + &behind).as_bytes(), 0..81), found, "{behind}");
        }
    }

    #[test]
    fn the_puzzle_is_the_first_field_of_its_length_and_the_longest_one_is_blamed() {
        let puzzle = "1.".repeat(40) + "2";
        let lines = Lines { notation: 81.into() };
        let found = |line: &str| {
            let mut cells = Vec::new();
            let found = lines.puzzle(line.as_bytes(), &mut cells).map_err(|error| error.column);
            assert_eq!(cells.len(), if found.is_ok() { 81 } else { 0 }, "{line}");
            found
        };
        assert_eq!(found(&puzzle), Ok(0..81));
        assert_eq!(found(&format!("{puzzle} 7")), Ok(0..81));
        assert_eq!(found(&format!("7,{puzzle}")), Ok(2..83));
        assert_eq!(found(&format!("7,,{puzzle}#x")), Ok(3..84));
        assert_eq!(found(&format!("w{} {puzzle}", &puzzle[1..])), Ok(82..163));
        assert_eq!(found(&format!("{puzzle}1")), Err(82));
        assert_eq!(found(&format!("7 {} 8", &puzzle[1..])), Err(83));
        assert_eq!(found(&format!("77 w{}", &puzzle[1..])), Err(4));
        assert_eq!(found("w"), Err(1));
        assert_eq!(found("ww ww"), Err(1));
    }
}
