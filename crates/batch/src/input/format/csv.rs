//! Tables: rows of fields, with a header that names the columns.
//!
//! ```text
//! quizzes,solutions                       puzzle,solution,status,count,guesses,nanos
//! source,question,answer,rating           id,puzzle,solution,clues,difficulty
//! ```
//! Commas, semicolons, tabs or bars are between the fields; [`fields`](super::fields) says how quotes are read. Lines
//! before the header that begin with `#` are comments; lines behind it are rows.
//!
//! A source is a table in three cases. Its first line names a known column of puzzles; or its first lines look like a
//! header and rows with a column of puzzles; or the user chose a column. Only in the last case may it lack the header:
//! its first line then holds a grid.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::columns::{ColumnPlaces, Columns as Named, Content, status_of};
use super::every::{Field, is_number};
use super::fields::{Layout, behind_quotes, fields, row_at, rows_end};
use super::frame::is_blank;
use super::lines::Lines;
use super::{
    CellText, Columns, FieldPlaces, Format, FormatEntry, Head, Notation, RecordPlaces, Regular, grids,
};
use crate::input::error::{Count, InputError, LineError, LineErrorKind};
use crate::input::line::{are_digits, is_text_end, without_mark};
use crate::input::name::{is_unicode, name_of};
use crate::input::notation::{without_marks, without_spaces};
use crate::puzzle::Status;

/// Rows of fields with a column of puzzles: puzzle, quizzes, question, sudoku, ...
pub(super) const ENTRY: FormatEntry = FormatEntry { name: "csv", recognise };

const DELIMITERS: &[u8] = b",;\t|";

impl Columns {
    fn layout(self) -> Layout {
        Layout { delimiter: self.delimiter, fields: self.count }
    }
}

struct Table {
    notation: Notation,
    columns: Columns,
    taken: ColumnPlaces,
    /// Which columns have only numbers in the first rows.
    are_numbers: Vec<bool>,
    /// The header, which stands again where tables were put one behind the other.
    header: Vec<u8>,
}

fn recognise(head: &Head<'_>) -> Option<Format> {
    // A name in quotes may hold other delimiters, and the first name without them, too.
    let line = head.first_line;
    let behind_name = if line.starts_with(b"\"") { behind_quotes(line, 0) } else { None };
    let mut delimiters: Vec<u8> = Vec::new();
    for byte in &line[behind_name.unwrap_or(0)..] {
        if DELIMITERS.contains(byte) && !delimiters.contains(byte) {
            delimiters.push(*byte);
        }
    }
    let (first, others) = delimiters.split_first().unwrap_or((&b',', &[]));
    let found = recognise_by(head, *first);
    match found {
        Some(Format { fault: None, .. }) => found,
        _ => {
            let mut others = others.iter().filter_map(|&other| recognise_by(head, other));
            others.find(|other| other.fault.is_none()).or(found)
        }
    }
}

/// The table with this delimiter.
fn recognise_by(head: &Head<'_>, delimiter: u8) -> Option<Format> {
    let Head { first_line, text, is_all, notation, choice, .. } = *head;
    let (mut first, mut fault) = (Vec::new(), None);
    for field in fields(first_line, delimiter) {
        match field {
            Ok(at) => first.push(first_line[at].to_vec()),
            Err(error) => fault = Some(InputError::Header(error)),
        }
    }
    let is_grid = |field: &Vec<u8>| Content::of(field, notation) != Content::Other;
    let has_header = choice.is_empty() || !first.iter().any(is_grid);
    let names: Vec<String> = match has_header {
        true => first.iter().map(|name| name_of(name)).collect(),
        false => (1..=first.len()).map(|number| format!("column_{number}")).collect(),
    };
    let layout = Layout { delimiter, fields: names.len() };
    let rows = rows((text, is_all), layout, usize::from(has_header));
    // Prose has commas, too, but not as many in most of its lines.
    let alike = rows.iter().filter(|row| row.len() == names.len()).count();
    let are_named = has_header && are_names(&names) && alike > 0 && 2 * alike >= rows.len();
    let named = Named { names, rows, are_named, notation };
    let (taken, fault) = match named.find(choice) {
        Ok(None) => return None,
        Ok(Some(taken)) => (taken, fault),
        Err(error) => (ColumnPlaces { puzzle: 0, answer: None, status: None }, fault.or(Some(error))),
    };
    // A line with a puzzle is no header.
    let lines = Lines { notation: notation.clone() };
    if has_header && notation.choices.is_none() && lines.puzzle(first_line, &mut Vec::new()).is_ok() {
        return None;
    }
    // A name alone may be the title of a drawn grid, and prose may hold a comma.
    let is_title = choice.is_empty() && named.rows.iter().all(|row| row.len() < 2);
    if is_title && grids::count_whole(text, notation) > 0 {
        return None;
    }
    let are_numbers = (0..named.names.len()).map(|column| has_numbers(&named.rows, column)).collect();
    let mut names = named.names;
    if !has_header {
        // Names with which the output is read as this table is.
        names[taken.puzzle] = "puzzle".to_owned();
        taken
            .answer
            .filter(|&answer| answer != taken.puzzle)
            .into_iter()
            .for_each(|answer| names[answer] = "answer".to_owned());
    }
    let columns = Columns { delimiter, count: names.len(), puzzle: taken.puzzle };
    let header = if has_header { first_line.to_vec() } else { Vec::new() };
    let table = Table { notation: notation.clone(), columns, taken, are_numbers, header };
    Some(Format {
        columns: Some(columns),
        made_header: (!has_header).then(|| names.join(&*char::from(delimiter).to_string()).into_bytes()),
        is_certain: true,
        fault,
        has_many_lines: true,
        regular: notation.choices.is_none().then_some(Regular::Fields(columns)),
        ..Format::new(ENTRY.name, notation, table).with_columns(&names, taken)
    })
}

/// Whether all fields of a column are numbers, empty ones left out, and there is one.
fn has_numbers(rows: &[Vec<Vec<u8>>], column: usize) -> bool {
    let mut fields =
        rows.iter().filter_map(|row| row.get(column)).filter(|field| !field.is_empty()).peekable();
    fields.peek().is_some() && fields.all(|field| is_number(field))
}

/// Whether `names` may be the names of columns if none of them is known. They are at least two, all different, short
/// and printable, and none of them is a status word, which galop's own output has in the place of a solution.
fn are_names(names: &[String]) -> bool {
    const MAX_NAME: usize = 32;
    let is_status = |name: &str| Status::ALL.iter().any(|status| status.word() == name);
    let mut known = HashSet::new();
    let is_name = |(column, name): (usize, &String)| {
        let name = name.trim();
        let is_named = name.len() <= MAX_NAME
            && name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && !name.contains(|byte: char| byte.is_control() || byte == char::REPLACEMENT_CHARACTER)
            && is_unicode(name)
            && !is_status(name)
            && known.insert(name.to_ascii_lowercase());
        // A table of pandas has an index without a name.
        is_named || name.is_empty() && column == 0
    };
    names.len() > 1 && names.iter().enumerate().all(is_name)
}

/// The fields of the rows of `text` behind its first `skipped` rows. `text` may end within a row unless it `is_all`.
fn rows((text, is_all): (&[u8], bool), layout: Layout, skipped: usize) -> Vec<Vec<Vec<u8>>> {
    let mut start = 0;
    let all = std::iter::from_fn(|| {
        let (row, next) = row_at(text, start, layout, is_all)?;
        start = next;
        Some(&text[row])
    });
    let field =
        |row: &[u8], field: Result<Range<usize>, LineError>| field.map_or(Vec::new(), |at| row[at].to_vec());
    all.skip(skipped)
        .filter(|row| !is_blank(row))
        .map(|row| {
            fields(row, layout.delimiter).map(|found| field(row, found)).take(layout.fields + 1).collect()
        })
        .collect()
}

impl CellText for Table {
    fn characters<'b>(&self, field: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        match self.notation.choices {
            Some(_) => undoubled(field, buffer),
            None if field.len() == self.notation.cells => field,
            None => match without_spaces(without_marks(field)) {
                Cow::Borrowed(field) => field,
                Cow::Owned(text) => {
                    *buffer = text;
                    buffer
                }
            },
        }
    }
}

impl FieldPlaces for Table {
    fn for_each_field(&self, line: &[u8], found: &mut dyn FnMut(Option<usize>, Field<'_>)) {
        let mut buffer = Vec::new();
        for (column, at) in fields(line, self.columns.delimiter).enumerate() {
            let Ok(at) = at else { return };
            let text = without_doubled_quotes(line, at, &mut buffer);
            let is_taken = column == self.taken.puzzle || Some(column) == self.taken.answer;
            let is_literal =
                !is_taken && self.are_numbers.get(column).is_some_and(|&are| are) && is_number(text);
            found(
                Some(column),
                match text {
                    b"" => Field::Missing,
                    _ if is_literal => Field::Literal(text),
                    _ => Field::Text(text),
                },
            );
        }
    }

    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        let (at, missing) = self.puzzle_field(line)?;
        let mut buffer = Vec::new();
        let text = match self.notation.choices {
            Some(_) => without_doubled_quotes(line, at.clone(), &mut buffer),
            None => &line[at.clone()],
        };
        if self.notation.choices.is_none()
            && let marked = without_marks(text)
            && marked.len() < text.len()
            && self.notation.push_spaced(marked, puzzles)
        {
            return Ok((at.end..at.end, missing));
        }
        match self.notation.push(text, at.start, puzzles) {
            Ok(()) => Ok((at, missing)),
            // The grid has no text on one line, so it is written by its cells.
            Err(_) if self.notation.push_spaced(text, puzzles) => Ok((at.end..at.end, missing)),
            Err(error) => Err(error),
        }
    }

    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>> {
        let Columns { delimiter, .. } = self.columns;
        let field = |column| fields(line, delimiter).nth(column)?.ok();
        let answer = self.taken.answer?;
        // Mostly the next field, as long as the puzzle and without quotes.
        let (start, end) = (puzzle.end + 1, puzzle.end + 1 + self.notation.cells);
        if answer == self.columns.puzzle + 1
            && line.get(puzzle.end) == Some(&delimiter)
            && line.get(start..end).is_some_and(are_digits)
            && line.get(end).is_none_or(|&byte| byte == delimiter)
        {
            return Some(start..end);
        }
        let solution = field(answer)?;
        if !solution.is_empty() {
            return Some(solution);
        }
        // The status word says why there is no answer. A column of that name may hold anything else.
        let status = self.taken.status.and_then(field);
        status.filter(|at| status_of(&line[at.clone()]).is_some()).or(Some(solution))
    }

    fn for_each_grid(&self, line: &[u8], found: &mut dyn FnMut(&[u8])) {
        let is_taken = |column| column == self.taken.puzzle || Some(column) == self.taken.answer;
        for (column, at) in fields(line, self.columns.delimiter).enumerate() {
            let Ok(at) = at else { return };
            if is_taken(column) {
                found(&without_spaces(without_marks(&line[at])));
            }
        }
    }
}

impl RecordPlaces for Table {
    fn record_at(&self, bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
        row_at(bytes, start, self.columns.layout(), true)
    }

    /// A row may begin with `#`, and its fields may be empty: in a table there are no comments.
    fn is_record(&self, line: &[u8]) -> bool {
        let line = without_mark(line);
        let is_header = !self.header.is_empty() && *line == *self.header;
        !is_header && !is_text_end(line) && (!is_blank(line) || line.contains(&self.columns.delimiter))
    }

    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        rows_end(bytes, from, self.columns.layout())
    }
}

/// The text of the field at `at`. In a quoted one, quotes are written twice.
fn without_doubled_quotes<'b>(line: &'b [u8], at: Range<usize>, buffer: &'b mut Vec<u8>) -> &'b [u8] {
    let is_quoted = at.start > 0 && line[at.start - 1] == b'"';
    let text = &line[at];
    if is_quoted { undoubled(text, buffer) } else { text }
}

/// The text of a field in quotes, each quote in it once.
fn undoubled<'b>(text: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    if !text.contains(&b'"') {
        return text;
    }
    buffer.clear();
    let mut rest = text;
    while let Some(quote) = rest.iter().position(|&byte| byte == b'"') {
        buffer.extend_from_slice(&rest[..=quote]);
        rest = rest.get(quote + 2..).unwrap_or_default();
    }
    buffer.extend_from_slice(rest);
    buffer
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
            return Err(LineError::at(extra.start, LineErrorKind::Fields(Count::new(found, count))));
        }
        let at = puzzle_at.ok_or(LineError::at(line.len(), LineErrorKind::NoField))?;
        Ok((at, count - found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::ColumnChoice;

    const PUZZLE: &str = "1234............";

    fn table(header: &str) -> Format {
        recognised(header).unwrap()
    }

    fn recognised(header: &str) -> Option<Format> {
        let (first_line, choice) = (header.as_bytes(), &ColumnChoice::default());
        recognise(&Head {
            first_line,
            text: first_line,
            drawn: first_line,
            is_all: true,
            notation: &16.into(),
            choice,
        })
    }

    #[test]
    fn a_header_names_the_columns() {
        let columns = |header: &str| table(header).columns.unwrap();
        for (header, delimiter, count, puzzle) in [
            ("puzzle", b',', 1, 0),
            ("id;Puzzle;x", b';', 3, 1),
            ("id\tquizzes", b'\t', 2, 1),
            (" \"puzzle\" , x", b',', 2, 0),
            ("\"a;b\",puzzle", b',', 2, 1),
            ("a,b;puzzle", b';', 2, 1),
            ("x\ty,\"a;b\",puzzle", b',', 3, 2),
            ("\"a\"\";b\",puzzle", b',', 2, 1),
        ] {
            assert_eq!(columns(header), Columns { delimiter, count, puzzle }, "{header}");
            assert_eq!(table(header).fault, None, "{header}");
        }
        assert!(recognised("id,note").is_none());
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
