//! Tables with a header line that names the columns.
//!
//! ```text
//! quizzes,solutions                       puzzle,solution,status,solutions,guesses,nanos
//! source,question,answer,rating           id,puzzle,solution,clues,difficulty
//! ```
//! A field may be in double quotes, and may then hold the delimiter. A record is one line: a quote that does not close on
//! its line makes the record malformed, also where RFC 4180 allows a line end between quotes. Lines before the header that
//! begin with `#` are comments; lines behind it are rows.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::frame::is_blank;
use super::{Columns, Format, FormatEntry, Notation, Regular};
use crate::input::error::{InputError, LineError, LineErrorKind};

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
    /// What is wrong with the header.
    fault: Option<InputError>,
}

fn recognise(first_line: &[u8], _head: &[u8], notation: &Notation) -> Option<Box<dyn Format>> {
    // A name in quotes may hold other delimiters.
    let behind_name = if first_line.starts_with(b"\"") { behind_quotes(first_line, 0) } else { None };
    let mut rest = first_line[behind_name.unwrap_or(0)..].iter();
    let delimiter = *rest.find(|byte| DELIMITERS.contains(byte)).unwrap_or(&b',');
    let (mut names, mut fault) = (Vec::new(), None);
    for field in fields(first_line, delimiter) {
        match field {
            Ok(at) => {
                names.push(String::from_utf8_lossy(&first_line[at]).trim().to_ascii_lowercase());
            }
            Err(error) => fault = Some(InputError::Header(error)),
        }
    }
    let column =
        |wanted: &[&str]| wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted));
    let puzzle = column(PUZZLE)?;
    if let Some(again) = names[puzzle + 1..].iter().position(|name| *name == names[puzzle]) {
        let (name, second) = (names[puzzle].clone(), puzzle + 1 + again + 1);
        fault.get_or_insert(InputError::PuzzleColumns { name, columns: [puzzle + 1, second] });
    }
    let (solution, status) = (column(SOLUTION), column(STATUS));
    let columns = Columns { delimiter, count: names.len(), puzzle };
    Some(Box::new(Table { notation: notation.clone(), columns, solution, status, fault }))
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

    /// A row may begin with `#`, and its fields may be empty: in a table there are no comments.
    fn is_record(&self, line: &[u8]) -> bool {
        !is_blank(line) || line.contains(&self.columns.delimiter)
    }

    fn header_fault(&self) -> Option<&InputError> {
        self.fault.as_ref()
    }

    fn regular(&self) -> Option<Regular<'_>> {
        (self.columns.puzzle == 0).then_some(Regular::Fields(self.columns))
    }

    fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        Ok(self.row(line, puzzles)?.0)
    }

    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        let (at, missing) = self.puzzle_field(line)?;
        if at.len() == self.notation.cells && self.notation.push_cells(&line[at.clone()], puzzles) {
            return Ok((at, missing));
        }
        Err(self.notation.explain(&line[at.clone()], at.start))
    }

    fn solution(&self, line: &[u8], _puzzle: Range<usize>) -> Option<Range<usize>> {
        let field = |column| fields(line, self.columns.delimiter).nth(column)?.ok();
        let solution = field(self.solution?)?;
        // An empty field: the status word says why there is no solution.
        if solution.is_empty() { self.status.and_then(field).or(Some(solution)) } else { Some(solution) }
    }
}

impl Table {
    /// The field of the puzzle, and how many fields the row lacks behind it. A row with more fields than the header is
    /// malformed.
    fn puzzle_field(&self, line: &[u8]) -> Result<(Range<usize>, usize), LineError> {
        let Columns { delimiter, count, puzzle } = self.columns;
        let (mut found, mut puzzle_at, mut extra_at) = (0, None, None);
        for at in fields(line, delimiter) {
            let at = at?;
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
        match puzzle_at {
            Some(at) => Ok((at, count - found)),
            None => Err(LineError { column: line.len() as u32 + 1, kind: LineErrorKind::NoField }),
        }
    }
}

/// The fields of a line, one after the other, without the spaces and quotes around them. A field that breaks the rules of
/// quotes or holds a carriage return is the last one.
fn fields(line: &[u8], delimiter: u8) -> impl Iterator<Item = Result<Range<usize>, LineError>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next.take()?;
        let end = match field_end(line, start, delimiter) {
            Ok(end) => end,
            Err(error) => return Some(Err(error)),
        };
        next = (end < line.len()).then_some(end + 1);
        Some(Ok(trim(line, start..end)))
    })
}

/// The end of the field that begins at `start`: the next delimiter or the end of the line.
///
/// RFC 4180, section 2: a field that begins with a quote ends with one, and quotes inside it are doubled. Programs differ
/// in how they read a field that breaks this rule, or a carriage return outside quotes: some end the row there. Such a
/// row is an error, because a copy of it would give other columns, or other rows.
fn field_end(line: &[u8], start: usize, delimiter: u8) -> Result<usize, LineError> {
    let error = |at: usize, kind| Err(LineError { column: at as u32 + 1, kind });
    if line.get(start) != Some(&b'"') {
        return match memchr2(delimiter, b'\r', &line[start..]) {
            Some(at) if line[start + at] != delimiter => error(start + at, LineErrorKind::CarriageReturn),
            Some(at) => Ok(start + at),
            None => Ok(line.len()),
        };
    }
    let Some(behind) = behind_quotes(line, start) else { return error(start, LineErrorKind::OpenQuote) };
    let end = behind + line[behind..].iter().take_while(|&&byte| byte == b' ').count();
    match line.get(end) {
        Some(&byte) if byte != delimiter => error(end, LineErrorKind::BehindQuote),
        _ => Ok(end),
    }
}

/// The place behind the quote that closes the one at `start`.
fn behind_quotes(line: &[u8], start: usize) -> Option<usize> {
    let mut behind = start + 1;
    loop {
        behind += memchr(b'"', &line[behind..])? + 1;
        if line.get(behind) != Some(&b'"') {
            return Some(behind);
        }
        behind += 1;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "1234............";

    fn table(header: &str) -> Box<dyn Format> {
        recognise(header.as_bytes(), b"", &16.into()).unwrap()
    }

    #[test]
    fn a_header_names_the_columns() {
        let columns = |header: &str| table(header).columns().unwrap();
        for (header, delimiter, count, puzzle) in [
            ("puzzle", b',', 1, 0),
            ("id;Puzzle;x", b';', 3, 1),
            ("id\tquizzes", b'\t', 2, 1),
            (" \"puzzle\" , x", b',', 2, 0),
            ("\"a;b\",puzzle", b',', 2, 1),
            ("\"a\"\";b\",puzzle", b',', 2, 1),
        ] {
            assert_eq!(columns(header), Columns { delimiter, count, puzzle }, "{header}");
            assert_eq!(table(header).header_fault(), None, "{header}");
        }
        assert!(recognise(b"id,note", b"", &16.into()).is_none());
        for (header, at) in
            [("puzzle,puzzle", [1, 2]), ("id,puzzle,x,Puzzle", [2, 4]), ("a,b,puzzle,puzzle", [3, 4])]
        {
            let fault = InputError::PuzzleColumns { name: "puzzle".to_owned(), columns: at };
            assert_eq!(table(header).header_fault(), Some(&fault), "{header}");
        }
    }

    #[test]
    fn a_row_has_its_puzzle_in_the_column_of_the_header() {
        let table = table("id,puzzle,note");
        for (row, start, missing) in [
            (format!("7,{PUZZLE},x"), 2, 0),
            (format!("7,{PUZZLE}"), 2, 1),
            (format!("7,\"{PUZZLE}\",x"), 3, 0),
            (format!("\"a,b\",{PUZZLE},x"), 6, 0),
            (format!("\"a\"\"b\"  ,{PUZZLE},x"), 9, 0),
            (format!("\"\",{PUZZLE},"), 3, 0),
            (format!(" 7 ,  {PUZZLE}  ,x"), 6, 0),
            (format!("7,{PUZZLE},\"x\""), 2, 0),
            (format!("7,{PUZZLE},\"x\" "), 2, 0),
        ] {
            let mut cells = Vec::new();
            assert_eq!(table.row(row.as_bytes(), &mut cells), Ok((start..start + 16, missing)), "{row}");
            assert_eq!(cells, b"\x01\x02\x03\x04\0\0\0\0\0\0\0\0\0\0\0\0");
            assert_eq!(table.puzzle(row.as_bytes(), &mut cells), Ok(start..start + 16));
        }
    }

    #[test]
    fn a_malformed_row_is_an_error_in_its_column() {
        let table = table("id,puzzle,note");
        let fields = |found| LineErrorKind::Fields { found, expected: 3 };
        for (row, column, kind) in [
            ("7".to_owned(), 2, LineErrorKind::NoField),
            (format!("7,{PUZZLE},x,y"), 22, fields(4)),
            (format!("7,{PUZZLE},x,y,z"), 22, fields(5)),
            (format!("\"7,{PUZZLE},x"), 1, LineErrorKind::OpenQuote),
            (format!("7,\"{PUZZLE},x"), 3, LineErrorKind::OpenQuote),
            (format!("7,\"{PUZZLE}\"\",x"), 3, LineErrorKind::OpenQuote),
            (format!("7,\"a\"b,{PUZZLE}"), 6, LineErrorKind::BehindQuote),
            (format!("7,\"a\" b,{PUZZLE}"), 7, LineErrorKind::BehindQuote),
            (format!("7\r,{PUZZLE}"), 2, LineErrorKind::CarriageReturn),
            (format!("7,{PUZZLE}\r,x"), 19, LineErrorKind::CarriageReturn),
        ] {
            let mut cells = Vec::new();
            assert_eq!(table.row(row.as_bytes(), &mut cells), Err(LineError { column, kind }), "{row}");
            assert!(cells.is_empty());
        }
        let short = format!("7,{}", &PUZZLE[1..]);
        assert_eq!(table.row(short.as_bytes(), &mut Vec::new()).map_err(|error| error.column), Err(18));
        let wrong = format!("7,w{}", &PUZZLE[1..]);
        assert_eq!(table.row(wrong.as_bytes(), &mut Vec::new()).map_err(|error| error.column), Err(3));
    }

    #[test]
    fn blank_lines_are_no_rows_but_empty_fields_are_one() {
        let table = table("id,puzzle");
        for (line, is_record) in
            [("", false), (" \t", false), (",", true), (" , ", true), ("#", true), ("x", true)]
        {
            assert_eq!(table.is_record(line.as_bytes()), is_record, "{line:?}");
        }
    }

    #[test]
    fn the_solution_or_the_status_word_is_found_in_its_column() {
        let solution = |header: &str, row: &str| table(header).solution(row.as_bytes(), 0..0);
        assert_eq!(solution("puzzle,solution,status", "1,2345,solved"), Some(2..6));
        assert_eq!(solution("puzzle,solution,status", "1,\"2345\",solved"), Some(3..7));
        assert_eq!(solution("puzzle,solution,status", "1,,none"), Some(3..7));
        assert_eq!(solution("puzzle,solution,status", "1,"), Some(2..2));
        assert_eq!(solution("puzzle,solution,status", "1"), None);
        assert_eq!(solution("puzzle,solution", "1,"), Some(2..2));
        assert_eq!(solution("puzzle,note", "1,2345"), None);
    }
}
