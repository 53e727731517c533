//! One puzzle a line: the first field of the right length, whatever the other fields are.
//!
//! ```text
//! 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
//! <81 characters> ED=11.9/11.9/2.6          trailing fields after space, tab or one of , ; : #
//! <81 characters>,<81 characters>           a solution beside it
//! 0000183b305c <81 characters>  1.2         leading fields
//! :0000:x:4.+1..+3..8.5...:411 412::        `+` marks a digit that HoDoKu or Susser placed
//! https://www.sudokuwiki.org/...?bd=4000... a link
//! 4-----8-5-3----------7---...              `-`, or a space, for every blank
//! ```
//! If there is no such field, the line may be one that people [paste](super::pasted).

use std::ops::Range;

use memchr::{memchr, memmem};

use super::{CellText, FieldPlaces, Format, FormatEntry, Head, Notation, RecordPlaces, Regular, pasted};
use crate::input::error::LineError;
use crate::input::line::{
    SEPARATORS, are_digits, field, is_record, is_separator, line_at, lines, without_mark,
};
use crate::input::notation::with_dots;

/// One puzzle a line, other fields and # comments around it.
pub(super) const ENTRY: FormatEntry = FormatEntry { name: "lines", recognise };

fn recognise(head: &Head<'_>) -> Option<Format> {
    let has_eliminations = lines(head.text).any(|line| has_eliminations(&head.text[line]));
    let before_records = header(head).unwrap_or(0);
    Some(Format { has_eliminations, before_records, ..format(head.notation.clone()) })
}

/// The bytes of the first line if it names columns of a cell each: names before a puzzle in as many fields.
fn header(head: &Head<'_>) -> Option<usize> {
    let reader = Lines { notation: head.notation.clone() };
    let is_puzzle = |at: &Range<usize>| reader.puzzle(&head.text[at.clone()], &mut Vec::new()).is_ok();
    let delimiters =
        |at: &Range<usize>| head.text[at.clone()].iter().filter(|byte| b",;\t".contains(byte)).count();
    let (first, next) = line_at(head.text, 0)?;
    if delimiters(&first) + 1 < head.notation.cells || is_puzzle(&first) {
        return None;
    }
    let (second, _) = line_at(head.text, next)?;
    (delimiters(&second) == delimiters(&first) && is_puzzle(&second)).then_some(next)
}

/// Whether `line` is one of `HoDoKu`, `:technique:digits:puzzle:eliminations:...`, with eliminations.
fn has_eliminations(line: &[u8]) -> bool {
    let is_candidate = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
    let eliminations = || line.split(|&byte| byte == b':').nth(4);
    line.first() == Some(&b':')
        && eliminations().is_some_and(|field| !field.is_empty() && field.iter().all(is_candidate))
}

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

    fn for_each_later_grid(&self, line: &[u8], puzzle: &Range<usize>, found: &mut dyn FnMut(usize, &[u8])) {
        // Mostly the solution.
        if self.rest(line, puzzle).is_some_and(are_digits) {
            return;
        }
        let (mut start, mut cells) = (puzzle.end, Vec::new());
        while start < line.len() {
            let at = field(line, start);
            let text = &line[at.clone()];
            cells.clear();
            if at.len() == self.notation.cells && self.notation.push_cells(text, &mut cells)
                || pasted::field(text, &self.notation, &mut cells).is_some()
            {
                found(at.start, &cells);
            }
            start = at.end + 1;
        }
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
        let mut start = line.len() - without_mark(line).len();
        while start < line.len() {
            let at = field(line, start);
            if at.len() == self.notation.cells && self.notation.push_cells(&line[at.clone()], puzzles) {
                return Ok(at);
            }
            if at.len() > self.notation.cells && self.push_placed(&line[at.clone()], puzzles) {
                return Ok(at.end..at.end);
            }
            if !is_object && let Some(found) = pasted::field(&line[at.clone()], &self.notation, puzzles) {
                return Ok(at.start + found.start..at.start + found.end);
            }
            if at.len() > longest.len() {
                longest = at.clone();
            }
            start = at.end + 1;
        }
        if let Some(at) = self.link(line, puzzles) {
            return Ok(at);
        }
        let pasted = pasted::puzzle(line, &self.notation, puzzles);
        if let Some(Ok(at)) = pasted {
            return Ok(at);
        }
        if self.push_with_blanks(b'-', &line[longest.clone()], puzzles) {
            return Ok(longest.end..longest.end);
        }
        // Fewer characters may be numbers with spaces between them.
        if self.notation.cells >= 81 && self.push_with_blanks(b' ', line, puzzles) {
            return Ok(line.len()..line.len());
        }
        // The longest field was meant as the puzzle.
        pasted.unwrap_or_else(|| Err(self.notation.explain(&line[longest.clone()], longest.start)))
    }

    /// Appends the cells of `field` without each `+` before a digit; returns whether it is a puzzle.
    fn push_placed(&self, field: &[u8], puzzles: &mut Vec<u8>) -> bool {
        if memchr(b'+', field).is_none() || field.len() > 2 * self.notation.cells {
            return false;
        }
        let is_mark = |at: usize| field[at] == b'+' && field.get(at + 1).is_some_and(u8::is_ascii_digit);
        let text: Vec<u8> = (0..field.len()).filter(|&at| !is_mark(at)).map(|at| field[at]).collect();
        text.len() == self.notation.cells && self.notation.push_cells(&text, puzzles)
    }

    /// The puzzle of a link to `SudokuWiki`, behind `bd=`.
    fn link(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Option<Range<usize>> {
        let start = memmem::find(line, b"bd=")? + 3;
        let at = start..start + self.notation.cells;
        let is_end = line.get(at.end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'.');
        let text = line.get(at.clone()).filter(|_| is_end)?;
        self.notation.push_cells(text, puzzles).then_some(at)
    }

    /// Appends the cells of `text` if it is symbols and `blank` alone; returns whether it is a puzzle.
    fn push_with_blanks(&self, blank: u8, text: &[u8], puzzles: &mut Vec<u8>) -> bool {
        let is_other_blank = |byte: &u8| self.notation.alphabet.cell(*byte) == Some(0);
        text.len() == self.notation.cells
            && !text.iter().any(is_other_blank)
            && self.notation.push_cells(&with_dots(text, blank), puzzles)
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
