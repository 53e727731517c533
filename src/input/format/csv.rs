//! Tables with a header line that names the columns.
//!
//! ```text
//! quizzes,solutions                       puzzle,solution,status,solutions,guesses,nanos
//! source,question,answer,rating           id,puzzle,solution,clues,difficulty
//! ```
//! A field may be in double quotes, and may then hold the delimiter. A record is one line.

use std::ops::Range;

use super::{Columns, Format, FormatEntry, Notation, Regular};
use crate::input::error::{LineError, LineErrorKind};

/// A header line that names a puzzle column: puzzle, quizzes, question, sudoku, ...
pub(super) const ENTRY: FormatEntry = FormatEntry { name: "csv", recognise };

/// Names of the puzzle column, in lowercase.
const PUZZLE: &[&str] =
    &["puzzle", "puzzles", "question", "questions", "quiz", "quizzes", "sudoku", "initial_board"];
/// Names of the solution column.
const SOLUTION: &[&str] = &["solution", "answer", "answers", "solutions"];
/// Names of the column that says why there is no solution, in galop's own output.
const STATUS: &[&str] = &["status"];
const DELIMITERS: &[u8] = b",;\t";

struct Table {
    notation: Notation,
    columns: Columns,
    solution: Option<usize>,
    status: Option<usize>,
}

fn recognise(first_line: &[u8], _head: &[u8], notation: &Notation) -> Option<Box<dyn Format>> {
    let delimiter = *first_line.iter().find(|byte| DELIMITERS.contains(byte)).unwrap_or(&b',');
    let fields = fields(first_line, delimiter).map(|at| &first_line[at]);
    let names: Vec<String> =
        fields.map(|name| String::from_utf8_lossy(name).trim().to_ascii_lowercase()).collect();
    let column =
        |wanted: &[&str]| wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted));
    let puzzle = column(PUZZLE)?;
    let (solution, status) = (column(SOLUTION), column(STATUS));
    let columns = Columns { delimiter, count: names.len(), puzzle };
    Some(Box::new(Table { notation: notation.clone(), columns, solution, status }))
}

impl Format for Table {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn notation(&self) -> &Notation {
        &self.notation
    }

    fn columns(&self) -> Option<Columns> {
        Some(self.columns)
    }

    fn regular(&self) -> Option<Regular<'_>> {
        (self.columns.puzzle == 0).then_some(Regular::Fields(self.columns))
    }

    fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        let at = self.puzzle_field(line)?;
        if at.len() == self.notation.cells && self.notation.push_cells(&line[at.clone()], puzzles) {
            return Ok(at);
        }
        Err(self.notation.explain(&line[at.clone()], at.start))
    }

    fn missing_fields(&self, line: &[u8]) -> usize {
        self.columns.count.saturating_sub(fields(line, self.columns.delimiter).count())
    }

    fn solution(&self, line: &[u8], _puzzle: Range<usize>) -> Option<Range<usize>> {
        let field = |column| fields(line, self.columns.delimiter).nth(column);
        let solution = field(self.solution?)?;
        // An empty field: the status word says why there is no solution.
        if solution.is_empty() { self.status.and_then(field).or(Some(solution)) } else { Some(solution) }
    }
}

impl Table {
    /// The field of the puzzle. A row may lack fields behind it; a row with more fields than the header is malformed.
    fn puzzle_field(&self, line: &[u8]) -> Result<Range<usize>, LineError> {
        let Columns { delimiter, count, puzzle } = self.columns;
        let (mut found, mut puzzle_at, mut extra_at) = (0, None, None);
        for at in fields(line, delimiter) {
            match found {
                _ if found == puzzle => puzzle_at = Some(at),
                _ if found == count => extra_at = Some(at),
                _ => {}
            }
            found += 1;
        }
        if let Some(extra) = extra_at {
            let kind = LineErrorKind::Fields { found: found as u32, expected: count as u32 };
            return Err(LineError { column: extra.start as u32 + 1, kind });
        }
        puzzle_at.ok_or(LineError { column: line.len() as u32 + 1, kind: LineErrorKind::NoField })
    }
}

/// The fields of a line, without the spaces and quotes around them.
fn fields(line: &[u8], delimiter: u8) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let rest = &line[start..];
        let quoted = rest.first() == Some(&b'"');
        // A doubled quote inside the quotes toggles twice.
        let mut is_inside = false;
        let len = rest.iter().position(|&byte| {
            is_inside ^= quoted && byte == b'"';
            byte == delimiter && !is_inside
        });
        let end = len.map_or(line.len(), |len| start + len);
        next = len.map(|_| end + 1);
        Some(trim(line, start..end))
    })
}

fn trim(line: &[u8], mut at: Range<usize>) -> Range<usize> {
    let is_space = |byte: u8| byte == b' ';
    while !at.is_empty() && is_space(line[at.start]) {
        at.start += 1;
    }
    while !at.is_empty() && is_space(line[at.end - 1]) {
        at.end -= 1;
    }
    if at.len() >= 2 && line[at.start] == b'"' && line[at.end - 1] == b'"' {
        at.start += 1;
        at.end -= 1;
    }
    at
}
