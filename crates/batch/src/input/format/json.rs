//! JSON lines: one object a line, with the names of the columns of a table as its keys.
//!
//! ```text
//! {"id": 7, "puzzle": "4.....8.5.3...", "solution": "417369825632...", "rating": {"se": 11.9}}
//! {"id": 8, "puzzle": [[4, 0, 0, ...], [0, 3, ...]], "solution": null, "status": "none"}
//! ```
//! A grid is a string, or an array of numbers, nested or not, with 0 for a blank. The other values are skipped: of what
//! is nested in them only the brackets are checked. galop's own output in the format `json` is read so, too.

use std::ops::Range;

use memchr::memchr2;

use super::columns::{ColumnPlaces, Columns, Content, status_of};
use super::every::Field;
use super::{CellText, FieldPlaces, Format, FormatEntry, Head, Notation, RecordPlaces};
use crate::input::error::{Count, InputError, LineError, LineErrorKind};
use crate::input::line::{is_record, is_separator, is_space, lines};
use crate::input::name::name_of;

/// One object a line with a key for the puzzle: puzzle, quizzes, question, sudoku, ...
pub(super) const ENTRY: FormatEntry = FormatEntry { name: "json", recognise };

struct Objects {
    notation: Notation,
    /// Whether it is known which keys are read.
    is_clear: bool,
    /// The keys that are read, as they are written between their quotes.
    puzzle: Vec<u8>,
    answer: Option<Vec<u8>>,
    status: Option<Vec<u8>>,
    /// The keys of the first objects, as they are written between their quotes.
    keys: Vec<Vec<u8>>,
}

fn recognise(head: &Head<'_>) -> Option<Format> {
    let Head { first_line, text, notation, choice, .. } = *head;
    // A first line that is longer than the head is looked at all the same.
    let text = if text.is_empty() { first_line } else { text };
    let mut bytes = text.iter().copied().filter(|&byte| !is_space(byte) && byte != b'\n');
    let (first, second) = (bytes.next()?, bytes.next());
    let (mut keys, mut rows, mut others) = (Vec::new(), Vec::new(), 0);
    for line in lines(text).map(|at| &text[at]).filter(|line| is_record(line)) {
        match row_of(line, &mut keys, notation) {
            Some(row) => rows.push(row),
            None => others += 1,
        }
    }
    // Any line may be damaged, also the first one. In an array, or if objects have several lines, few lines are
    // objects.
    let first_field = first_line.split(|&byte| is_separator(byte)).next().unwrap_or_default();
    let is_grid = Content::of(first_field, notation) != Content::Other;
    let are_objects = !rows.is_empty() && rows.len() >= others && !is_grid;
    let fault = match (first, second) {
        _ if are_objects => None,
        (b'[', Some(b'{')) => Some(InputError::JsonArray),
        (b'{', Some(b'"')) if members(first_line, |_, _| ()) == Err(ObjectFault::End) => {
            Some(InputError::JsonOverLines)
        }
        (b'{', _) if members(first_line, |_, _| ()).is_ok() => None,
        _ => return None,
    };
    let name = |key: &&[u8]| name_of(unescaped(key, &mut Vec::new()));
    let columns = Columns { names: keys.iter().map(name).collect(), rows, are_named: true, notation };
    let none = ColumnPlaces { puzzle: 0, answer: None, status: None };
    let (taken, fault) = match columns.find(choice) {
        _ if fault.is_some() => (none, fault),
        Ok(Some(taken)) => (taken, None),
        // The objects may be another program's, between the lines of puzzles.
        _ if first != b'{' => return None,
        Ok(None) => (none, Some(columns.unclear())),
        Err(error) => (none, Some(error)),
    };
    let key = |column: usize| keys.get(column).map(|key| key.to_vec()).unwrap_or_default();
    let objects = Objects {
        notation: notation.clone(),
        is_clear: fault.is_none(),
        puzzle: key(taken.puzzle),
        answer: taken.answer.map(key),
        status: taken.status.map(key),
        keys: keys.iter().map(|key| key.to_vec()).collect(),
    };
    Some(Format { fault, ..Format::new(ENTRY.name, notation, objects).with_columns(&columns.names, taken) })
}

/// The characters of the grid, if it is one, in each member of the object `line`, in the order of `keys`, to which new
/// ones are added. `None` if `line` is not an object.
fn row_of<'a>(line: &'a [u8], keys: &mut Vec<&'a [u8]>, notation: &Notation) -> Option<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    members(line, |key, value| found.push((key, value))).ok()?;
    let mut row: Vec<Vec<u8>> = vec![Vec::new(); keys.len()];
    for (key, value) in found {
        let column = keys.iter().position(|known| *known == &line[key.clone()]).unwrap_or_else(|| {
            keys.push(&line[key]);
            keys.len() - 1
        });
        row.resize(keys.len().max(row.len()), Vec::new());
        row[column] = text_of(line, value, notation);
    }
    Some(row)
}

/// The characters of the grid at `value`, or nothing if another value is there.
fn text_of(line: &[u8], value: Range<usize>, notation: &Notation) -> Vec<u8> {
    let mut cells = Vec::new();
    match line[value.start] {
        b'"' => unescaped(&line[value.start + 1..value.end - 1], &mut Vec::new()).to_vec(),
        b'[' if notation.choices.is_none() && push_numbers(&line[value], notation, &mut cells).is_ok() => {
            cells.iter().map(|&cell| notation.alphabet.character(cell)).collect()
        }
        _ => Vec::new(),
    }
}

impl RecordPlaces for Objects {}

impl FieldPlaces for Objects {
    fn for_each_field(&self, line: &[u8], found: &mut dyn FnMut(Option<usize>, Field<'_>)) {
        let (mut buffer, mut next) = (Vec::new(), 0);
        let _ = members(line, |key, value| {
            let is_key = |known: &Vec<u8>| *known == line[key.clone()];
            // Mostly the keys of all objects have one order.
            let column = Some(next)
                .filter(|&next| self.keys.get(next).is_some_and(is_key))
                .or_else(|| self.keys.iter().position(is_key));
            next = column.map_or(next, |column| column + 1);
            let field = match &line[value.clone()] {
                b"null" => Field::Missing,
                [b'"', ..] => Field::Text(unescaped(&line[value.start + 1..value.end - 1], &mut buffer)),
                literal => Field::Literal(literal),
            };
            found(column, field);
        });
    }

    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        let mut found = None;
        let read = members(line, |key, value| {
            if line[key] == *self.puzzle {
                found = Some(value);
            }
        });
        read.map_err(|broken| match broken {
            ObjectFault::End => LineError::at(line.len(), LineErrorKind::NoObject),
            ObjectFault::At(at) => LineError::at(at, LineErrorKind::NoObject),
        })?;
        let value = found.ok_or(LineError::at(line.len(), LineErrorKind::NoKey))?;
        match line[value.start] {
            b'"' => {
                let at = value.start + 1..value.end - 1;
                let (mut buffer, start) = (Vec::new(), at.start);
                let text = unescaped(&line[at.clone()], &mut buffer);
                self.notation.push(text, start, puzzles)?;
                Ok((at, 0))
            }
            b'[' if self.notation.choices.is_none() => {
                let before = puzzles.len();
                let pushed = push_numbers(&line[value.clone()], &self.notation, puzzles);
                pushed.map_err(|mut error| {
                    puzzles.truncate(before);
                    error.column += value.start as u32;
                    error
                })?;
                Ok((value, 0))
            }
            _ => Err(LineError::at(value.start, LineErrorKind::NoGrid)),
        }
    }

    fn solution(&self, line: &[u8], _puzzle: Range<usize>) -> Option<Range<usize>> {
        let (mut answer, mut status) = (None, None);
        members(line, |key, value| {
            if self.answer.as_deref() == Some(&line[key.clone()]) {
                answer = text_at(line, value);
            } else if self.status.as_deref() == Some(&line[key]) {
                status = text_at(line, value).filter(|at| status_of(&line[at.clone()]).is_some());
            }
        })
        .ok()?;
        // No text: the status word says why there is no answer.
        answer.filter(|at| !at.is_empty()).or(status)
    }

    fn for_each_grid(&self, line: &[u8], found: &mut dyn FnMut(&[u8])) {
        let mut buffer = Vec::new();
        let _ = members(line, |key, value| {
            let is_taken = [Some(&self.puzzle), self.answer.as_ref()].contains(&Some(&line[key].to_vec()));
            if self.is_clear && !is_taken {
                return;
            }
            match line[value.start] {
                b'"' => found(unescaped(&line[value.start + 1..value.end - 1], &mut buffer)),
                // The alphabet may not be known yet: the usual one.
                b'[' => found(
                    &numbers(&line[value]).map(|(_, number)| usual_character(number)).collect::<Vec<_>>(),
                ),
                _ => {}
            }
        });
    }

    fn for_each_key(&self, line: &[u8], found: &mut dyn FnMut(&[u8])) {
        let mut buffer = Vec::new();
        let _ = members(line, |key, _| found(unescaped(&line[key], &mut buffer)));
    }
}

impl CellText for Objects {
    fn characters<'b>(&self, field: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        if field.first() != Some(&b'[') {
            return unescaped(field, buffer);
        }
        let mut cells = Vec::new();
        if push_numbers(field, &self.notation, &mut cells).is_err() {
            return field;
        }
        buffer.clear();
        buffer.extend(cells.iter().map(|&cell| self.notation.alphabet.character(cell)));
        buffer
    }

    fn offset_of_cell(&self, field: &[u8], index: usize) -> usize {
        match field.first() {
            Some(b'[') => numbers(field).nth(index).map_or(0, |(at, _)| at),
            _ => index,
        }
    }

    fn wrong_number(&self, field: &[u8]) -> Option<LineError> {
        field.starts_with(b"[").then(|| push_numbers(field, &self.notation, &mut Vec::new()).err())?
    }
}

/// The place of the text in a value: between the quotes of a string, nothing of an empty array, or the whole value.
/// `null` has none.
fn text_at(line: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    match &line[value.clone()] {
        b"null" => None,
        [b'"', ..] => Some(value.start + 1..value.end - 1),
        [b'[', inner @ .., b']'] if inner.iter().all(|&byte| is_space(byte)) => {
            Some(value.start..value.start)
        }
        _ => Some(value),
    }
}

/// Appends the numbers of an array as cells; there must be as many as a puzzle has.
fn push_numbers(array: &[u8], notation: &Notation, cells: &mut Vec<u8>) -> Result<(), LineError> {
    let is_other =
        |&byte: &u8| !byte.is_ascii_digit() && !matches!(byte, b'[' | b']' | b',') && !is_space(byte);
    if let Some(at) = array.iter().position(is_other) {
        return Err(LineError::at(at, notation.wrong_character(array[at])));
    }
    let start = cells.len();
    for (at, number) in numbers(array) {
        let most = notation.alphabet.symbols();
        if number > i64::from(most) {
            return Err(LineError::at(at, LineErrorKind::Number { found: number, blank: 0, most }));
        }
        cells.push(number as u8);
    }
    let found = cells.len() - start;
    match found == notation.cells {
        true => Ok(()),
        false => Err(LineError::at(0, LineErrorKind::Length(Count::new(found, notation.cells)))),
    }
}

/// The numbers in `array`, each with its place. What is no digit is between them.
fn numbers(array: &[u8]) -> impl Iterator<Item = (usize, i64)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += array[at..].iter().position(u8::is_ascii_digit)?;
        let (start, mut number) = (at, 0_i64);
        while let Some(byte) = array.get(at).filter(|byte| byte.is_ascii_digit()) {
            number = number.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
            at += 1;
        }
        Some((start, number))
    })
}

/// The character of a number in the usual alphabet.
fn usual_character(number: i64) -> u8 {
    match number {
        0 => b'.',
        1..=9 => b'0' + number as u8,
        _ => b'A' + number.saturating_sub(10).min(25) as u8,
    }
}

/// Why a line is not an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObjectFault {
    /// It ends too early.
    End,
    /// The byte at this place is wrong.
    At(usize),
}

/// Calls `member` with the places of each key, without its quotes, and of its value, in the object that `line` is.
fn members(line: &[u8], mut member: impl FnMut(Range<usize>, Range<usize>)) -> Result<(), ObjectFault> {
    let mut scan = Scanner { line, at: 0 };
    scan.expect(b'{')?;
    if scan.peek()? == b'}' {
        scan.at += 1;
        return scan.end();
    }
    loop {
        if scan.peek()? != b'"' {
            return Err(ObjectFault::At(scan.at));
        }
        let key = scan.string()?;
        scan.expect(b':')?;
        let value = scan.value()?;
        member(key.start + 1..key.end - 1, value);
        match scan.peek()? {
            b',' => scan.at += 1,
            b'}' => {
                scan.at += 1;
                return scan.end();
            }
            _ => return Err(ObjectFault::At(scan.at)),
        }
    }
}

struct Scanner<'a> {
    line: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    /// The next byte that is no space.
    fn peek(&mut self) -> Result<u8, ObjectFault> {
        let spaces = self.line[self.at..].iter().take_while(|&&byte| is_space(byte)).count();
        self.at += spaces;
        self.line.get(self.at).copied().ok_or(ObjectFault::End)
    }

    fn expect(&mut self, byte: u8) -> Result<(), ObjectFault> {
        if self.peek()? != byte {
            return Err(ObjectFault::At(self.at));
        }
        self.at += 1;
        Ok(())
    }

    /// Nothing but spaces is left. (This and `value` are inlined: as calls, reading objects takes 3 % longer.)
    #[inline(always)]
    fn end(&mut self) -> Result<(), ObjectFault> {
        if self.peek().is_ok() { Err(ObjectFault::At(self.at)) } else { Ok(()) }
    }

    /// The string that begins here, with its quotes.
    fn string(&mut self) -> Result<Range<usize>, ObjectFault> {
        let start = self.at;
        self.at += 1;
        loop {
            self.at += memchr2(b'"', b'\\', &self.line[self.at..]).ok_or(ObjectFault::End)? + 1;
            if self.line[self.at - 1] == b'"' {
                return Ok(start..self.at);
            }
            if self.at >= self.line.len() {
                return Err(ObjectFault::End);
            }
            self.at += 1;
        }
    }

    /// The value that begins here.
    #[inline(always)]
    fn value(&mut self) -> Result<Range<usize>, ObjectFault> {
        match self.peek()? {
            b'"' => self.string(),
            b'[' | b'{' => self.nested(),
            _ => {
                let start = self.at;
                let is_end = |&byte: &u8| {
                    matches!(byte, b',' | b'}' | b']' | b'"' | b'[' | b'{' | b':') || is_space(byte)
                };
                let len = self.line[start..].iter().position(is_end).ok_or(ObjectFault::End)?;
                self.at += len;
                if len == 0 { Err(ObjectFault::At(start)) } else { Ok(start..self.at) }
            }
        }
    }

    /// The array or object that begins here.
    fn nested(&mut self) -> Result<Range<usize>, ObjectFault> {
        // A bit for each open bracket, 1 for the bracket of an object: the last 128 brackets, and the earlier ones.
        let (start, mut objects, mut before, mut depth) = (self.at, 0u128, Vec::new(), 0);
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                byte @ (b'[' | b'{') => {
                    if depth > 0 && depth % u128::BITS == 0 {
                        before.push(objects);
                    }
                    (objects, depth) = (objects << 1 | u128::from(byte == b'{'), depth + 1);
                }
                byte @ (b']' | b'}') => {
                    if (objects & 1 == 1) != (byte == b'}') {
                        return Err(ObjectFault::At(self.at));
                    }
                    (objects, depth) = (objects >> 1, depth - 1);
                    if depth > 0 && depth % u128::BITS == 0 {
                        objects = before.pop().unwrap_or_default();
                    }
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(start..self.at);
            }
        }
    }
}

/// The text between the quotes of a string: itself, or written to `buffer` if it has escapes.
fn unescaped<'b>(text: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    if !text.contains(&b'\\') {
        return text;
    }
    buffer.clear();
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            buffer.push(byte);
            continue;
        }
        let Some((&escape, behind)) = rest.split_first() else { break };
        rest = behind;
        match escape {
            b'b' => buffer.push(8),
            b'f' => buffer.push(12),
            b'n' => buffer.push(b'\n'),
            b'r' => buffer.push(b'\r'),
            b't' => buffer.push(b'\t'),
            b'u' => {
                let mut unit = unit_of(rest).unwrap_or(0xfffd);
                rest = rest.get(4..).unwrap_or_default();
                // Two units, the second from dc00 on, are one character.
                if (0xd800..0xdc00).contains(&unit)
                    && let Some(low) = rest.strip_prefix(b"\\u").and_then(unit_of)
                    && (0xdc00..0xe000).contains(&low)
                {
                    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    rest = &rest[6..];
                }
                let character = char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
                buffer.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => buffer.push(other),
        }
    }
    buffer
}

/// The number of four hexadecimal digits.
fn unit_of(text: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(text.get(..4)?).ok()?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Result<Vec<(&str, &str)>, ObjectFault> {
        let mut found = Vec::new();
        members(line.as_bytes(), |key, value| found.push((&line[key], &line[value])))?;
        Ok(found)
    }

    #[test]
    fn members_are_found_and_nested_values_skipped() {
        assert_eq!(found("{}"), Ok(vec![]));
        let line = r#" { "a" : 1.5e3 ,"b":"x\"}, \\","c":[{"a":[]},"]"], "a":null} "#;
        let all = vec![("a", "1.5e3"), ("b", r#""x\"}, \\""#), ("c", r#"[{"a":[]},"]"]"#), ("a", "null")];
        assert_eq!(found(line), Ok(all));
        let deep = |depth| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        for depth in [1, 127, 128, 129, 256, 257, 300, 1000] {
            assert!(found(&deep(depth)).is_ok(), "{depth}");
            let mixed = format!("{{\"a\":{}{}}}", "[{\"b\":".repeat(depth) + "1", "}]".repeat(depth));
            assert!(found(&mixed).is_ok(), "{depth}");
            // One bracket is of the other kind, at any depth.
            for wrong in [0, depth / 2, depth - 1] {
                let mut line = deep(depth).into_bytes();
                let at = 5 + depth + wrong;
                line[at] = b'}';
                assert_eq!(
                    found(std::str::from_utf8(&line).unwrap()),
                    Err(ObjectFault::At(at)),
                    "{depth} {wrong}"
                );
            }
        }
        for end in 1..line.trim_end().len() {
            assert_eq!(found(&line[..end]), Err(ObjectFault::End), "{}", &line[..end]);
        }
        for (line, at) in [("x", 0), ("{a:1}", 1), (r#"{"a" 1}"#, 5), (r#"{"a":}"#, 5), (r#"{"a":1 2}"#, 7)] {
            assert_eq!(found(line), Err(ObjectFault::At(at)), "{line}");
        }
        for (line, at) in [(r#"{"a":1}x"#, 7), (r#"{"a":[}]}"#, 6), (r#"{"a":1,}"#, 7), ("[{}]", 0)] {
            assert_eq!(found(line), Err(ObjectFault::At(at)), "{line}");
        }
    }

    #[test]
    fn escapes_are_undone() {
        let text =
            |text: &str| String::from_utf8(unescaped(text.as_bytes(), &mut Vec::new()).to_vec()).unwrap();
        assert_eq!(text("plain"), "plain");
        assert_eq!(text(r#"\"\\\/\n\u002e\u00e9\ud83d\ude00"#), "\"\\/\n.é😀");
        assert_eq!(text(r"\ud83d\u12 \u+123 \"), "\u{fffd}\u{fffd}u+123 ");
    }
}
