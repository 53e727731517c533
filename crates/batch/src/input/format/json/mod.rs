//! JSON: objects with the names of the columns of a table as their keys, a line each or in one array; also one array of
//! puzzles.
//!
//! ```text
//! {"id": 7, "puzzle": "4.....8.5.3...", "solution": "417369825632...", "rating": {"se": 11.9}}
//! {"id": 8, "puzzle": [[4, 0, 0, ...], [0, 3, ...]], "solution": null, "status": "none"}
//! ```
//! A grid is a string, in which white space is skipped, or an array of numbers or of strings, nested or not, with 0, a
//! [word for nothing](crate::input::notation::is_blank_word) or an empty string for a blank. The other values are
//! skipped: of what is nested in them only the brackets are checked. galop's own output in the format `json` is read
//! so, too.
//!
//! Objects on lines are read a line each, so that a damaged one costs no other. [`list`] reads all other forms.

mod cells;
mod list;
mod scan;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use cells::{Item, cells_of, characters_of, is_pair, items, push_array, push_value, usual_character};
use list::List;
use scan::{Fault, elements, members, unescaped};

use super::columns::{ColumnPlaces, Columns, Content, status_of};
use super::every::Field;
use super::{CellText, FIRST_BYTES, FieldPlaces, Format, FormatEntry, Head, Notation, RecordPlaces};
use crate::input::error::{LineError, LineErrorKind};
use crate::input::line::{is_record, is_separator, is_space, line_at, line_end};
use crate::input::name::{bytes_of_name, name_of};
use crate::input::notation::without_spaces;

/// Objects with a key for the puzzle: puzzle, quizzes, question, sudoku, ...; or an array of puzzles.
pub(super) const ENTRY: FormatEntry = FormatEntry { name: "json", recognise };

struct Json {
    notation: Notation,
    /// `None`: an object a line.
    list: Option<List>,
    /// Whether it is known which keys are read.
    is_clear: bool,
    /// The keys that are read.
    puzzle: Vec<u8>,
    answer: Option<Vec<u8>>,
    status: Option<Vec<u8>>,
    /// The keys of the first objects, and their places there.
    keys: Vec<Vec<u8>>,
    places: HashMap<Vec<u8>, usize>,
}

fn recognise(head: &Head<'_>) -> Option<Format> {
    let Head { first_line, text, notation, choice, .. } = *head;
    let begins_object = first_line.trim_ascii_start().starts_with(b"{");
    if notation.choices.is_some() && !begins_object {
        return None;
    }
    // A first line that is longer than the head is looked at all the same.
    let text = if text.is_empty() { first_line } else { text };
    let mut list = List::find(text, notation);
    let mut objects = Objects::read(list, text, notation);
    if list.is_none() {
        // Any line may be damaged, also the first one.
        let first_field = first_line.split(|&byte| is_separator(byte)).next().unwrap_or_default();
        let is_grid = Content::of(first_field, notation) != Content::Other;
        let are_most = !objects.rows.is_empty() && objects.rows.len() >= objects.others;
        match objects.first {
            _ if are_most && !is_grid => {}
            Ok(()) => {}
            Err(Fault::At(_)) => return None,
            Err(Fault::End) => {
                list = Some(List::of_objects(notation));
                objects = Objects::read(list, text, notation);
            }
        }
    }
    let are_objects = list.is_none_or(|list| list.has_objects());
    let Objects { keys, places, rows, .. } = objects;
    let columns = Columns { names: keys.clone(), rows, are_named: true, notation };
    let none = ColumnPlaces { puzzle: 0, answer: None, status: None };
    let (taken, fault) = match columns.find(choice) {
        _ if !are_objects && choice.is_empty() => (none, None),
        Ok(Some(taken)) => (taken, None),
        // The objects may be another program's, between the lines of puzzles.
        _ if !begins_object && list.is_none() => return None,
        Ok(None) => (none, Some(columns.unclear())),
        Err(error) => (none, Some(error)),
    };
    let key = |column: usize| keys.get(column).map(|key| bytes_of_name(key)).unwrap_or_default();
    let json = Json {
        notation: notation.clone(),
        list,
        is_clear: fault.is_none(),
        puzzle: key(taken.puzzle),
        answer: taken.answer.map(key),
        status: taken.status.map(key),
        keys: keys.iter().map(|key| bytes_of_name(key)).collect(),
        places: places.into_iter().map(|(key, place)| (bytes_of_name(&key), place)).collect(),
    };
    let format = Format {
        is_certain: are_objects,
        fault,
        has_many_lines: list.is_some(),
        before_records: list.map_or(0, |list| list.first),
        shares_lines: list.is_some(),
        ..Format::new(ENTRY.name, notation, json)
    };
    if are_objects {
        return Some(format.with_columns(&columns.names, taken));
    }
    let first = list.and_then(|list| list.record_at(text, list.first));
    let has_answers = first.is_some_and(|(record, _)| is_pair(&text[record], notation));
    Some(Format { has_answers, ..format })
}

/// The objects at the start of a source.
struct Objects {
    keys: Vec<String>,
    /// The place of each key.
    places: HashMap<String, usize>,
    /// The text of each member, in the order of the keys.
    rows: Vec<Vec<Vec<u8>>>,
    /// Records that are no objects.
    others: usize,
    /// What is wrong with the first record.
    first: Result<(), Fault>,
}

impl Objects {
    /// Reads the records of `list`, or the lines, at the start of `text`.
    fn read(list: Option<List>, text: &[u8], notation: &Notation) -> Objects {
        let mut objects =
            Objects { keys: Vec::new(), places: HashMap::new(), rows: Vec::new(), others: 0, first: Ok(()) };
        let first = list.map_or(0, |list| list.first);
        let mut at = first;
        while let Some((record, next)) = record_at(list, text, at).filter(|_| at < first + FIRST_BYTES) {
            at = next;
            if !is_record(&text[record.clone()]) {
                continue;
            }
            let added = objects.add(&text[record], notation);
            if objects.rows.len() + objects.others == 0 {
                objects.first = added;
            }
            objects.others += usize::from(added.is_err());
        }
        objects
    }

    /// Adds the object `line`, or nothing if it is not one.
    fn add(&mut self, line: &[u8], notation: &Notation) -> Result<(), Fault> {
        let (known, mut row) = (self.keys.len(), vec![Vec::new(); self.keys.len()]);
        let read = members(line, |key, value| {
            let name = name_of(unescaped(&line[key], &mut Vec::new()));
            let column = *self.places.entry(name).or_insert_with_key(|name| {
                self.keys.push(name.clone());
                row.push(Vec::new());
                row.len() - 1
            });
            row[column] = text_of(line, value, notation);
        });
        match read {
            Ok(()) => self.rows.push(row),
            Err(_) => {
                self.keys.truncate(known);
                self.places.retain(|_, place| *place < known);
            }
        }
        read
    }
}

/// The characters of the grid at `value`, or nothing if another value is there.
fn text_of(line: &[u8], value: Range<usize>, notation: &Notation) -> Vec<u8> {
    match &line[value] {
        [b'"' | b'\'', text @ .., _] => unescaped(text, &mut Vec::new()).to_vec(),
        array @ [b'[', ..] if notation.choices.is_none() => {
            characters_of(array, notation).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

impl RecordPlaces for Json {
    fn record_at(&self, bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
        record_at(self.list, bytes, start)
    }

    /// Lines of brackets are left of an array whose objects have a line each.
    fn is_record(&self, line: &[u8]) -> bool {
        line.first() == Some(&b'{')
            || is_record(line) && (self.list.is_some() || !matches!(line.trim_ascii(), b"[" | b"]"))
    }

    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match &self.list {
            Some(list) => list.record_end(bytes, from),
            None => line_end(bytes, from),
        }
    }
}

/// The record of a list, or the line without a list, that begins at `start`, and the start of the next one.
#[inline]
fn record_at(list: Option<List>, bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    match list {
        Some(list) => list.record_at(bytes, start),
        None => object_line(bytes, start),
    }
}

/// The line that begins at `start`, without the comma behind an object, and the start of the next one.
#[inline]
fn object_line(bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let (line, next) = line_at(bytes, start)?;
    let text = &bytes[line.clone()];
    if text.last() == Some(&b'}') {
        return Some((line, next));
    }
    let text = text.trim_ascii_end();
    let end = if text.ends_with(b"},") { line.start + text.len() - 1 } else { line.end };
    Some((line.start..end, next))
}

impl FieldPlaces for Json {
    fn for_each_field(&self, line: &[u8], found: &mut dyn FnMut(Option<usize>, Field<'_>)) {
        let (mut buffer, mut next) = (Vec::new(), 0);
        let _ = members(line, |key, value| {
            let key = &line[key];
            // Mostly the keys of all objects have one order.
            let column = Some(next)
                .filter(|&next| self.keys.get(next).is_some_and(|known| is_key(key, known)))
                .or_else(|| self.places.get(unescaped(key, &mut buffer)).copied());
            next = column.map_or(next, |column| column + 1);
            let field = match &line[value.clone()] {
                b"null" => Field::Missing,
                [b'"' | b'\'', text @ .., _] => Field::Text(unescaped(text, &mut buffer)),
                literal => Field::Literal(literal),
            };
            found(column, field);
        });
    }

    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        let mut found = None;
        if !self.has_objects() {
            found = Some(self.puzzle_and_answer(line).0);
        } else {
            let read = members(line, |key, value| {
                if is_key(&line[key], &self.puzzle) {
                    found = Some(value);
                }
            });
            read.map_err(|broken| match broken {
                Fault::End => LineError::at(line.len(), LineErrorKind::NoObject),
                Fault::At(at) => LineError::at(at, LineErrorKind::NoObject),
            })?;
        }
        let value = found.ok_or(LineError::at(line.len(), LineErrorKind::NoKey))?;
        let before = puzzles.len();
        let at = push_value(&line[value.clone()], &self.notation, puzzles).map_err(|mut error| {
            puzzles.truncate(before);
            error.column += value.start as u32;
            error
        })?;
        Ok((value.start + at.start..value.start + at.end, 0))
    }

    fn solution(&self, line: &[u8], _puzzle: Range<usize>) -> Option<Range<usize>> {
        if !self.has_objects() {
            return text_at(line, self.puzzle_and_answer(line).1?);
        }
        let (mut answer, mut status) = (None, None);
        members(line, |key, value| {
            if self.answer.as_ref().is_some_and(|known| is_key(&line[key.clone()], known)) {
                answer = text_at(line, value);
            } else if self.status.as_ref().is_some_and(|known| is_key(&line[key], known)) {
                status = text_at(line, value).filter(|at| status_of(&line[at.clone()]).is_some());
            }
        })
        .ok()?;
        // No text: the status word says why there is no answer.
        answer.filter(|at| !at.is_empty()).or(status)
    }

    fn for_each_later_grid(&self, line: &[u8], puzzle: &Range<usize>, found: &mut dyn FnMut(usize, &[u8])) {
        if self.has_objects() || puzzle.start <= 1 {
            return;
        }
        elements(line, |at| {
            let cells = cells_of(&line[at.clone()], &self.notation).filter(|_| at.start > puzzle.end);
            cells.iter().for_each(|cells| found(at.start, cells));
            true
        });
    }

    fn for_each_grid(&self, line: &[u8], found: &mut dyn FnMut(&[u8])) {
        let mut buffer = Vec::new();
        let mut add = |value: &[u8]| match value {
            [b'"' | b'\'', text @ .., _] => found(&without_spaces(unescaped(text, &mut buffer))),
            // The alphabet may not be known yet: the usual one.
            [b'[', ..] => {
                let character = |item| match item {
                    Item::Number(number) => usual_character(number),
                    Item::Blank => b'.',
                    Item::Character(byte) | Item::Other(byte) => byte,
                };
                found(&items(value).map(|(_, item)| character(item)).collect::<Vec<_>>());
            }
            _ => {}
        };
        if !self.has_objects() {
            let (puzzle, answer) = self.puzzle_and_answer(line);
            add(&line[puzzle]);
            answer.into_iter().for_each(|answer| add(&line[answer]));
            return;
        }
        let _ = members(line, |key, value| {
            let is_taken = |known: &Vec<u8>| is_key(&line[key.clone()], known);
            if !self.is_clear || is_taken(&self.puzzle) || self.answer.as_ref().is_some_and(is_taken) {
                add(&line[value]);
            }
        });
    }

    fn for_each_key(&self, line: &[u8], found: &mut dyn FnMut(&[u8])) {
        let mut buffer = Vec::new();
        let _ = members(line, |key, _| found(unescaped(&line[key], &mut buffer)));
    }
}

impl Json {
    fn has_objects(&self) -> bool {
        self.list.is_none_or(|list| list.has_objects())
    }

    /// The values of the puzzle and of the answer in `value`, an element of a list that is no object.
    fn puzzle_and_answer(&self, value: &[u8]) -> (Range<usize>, Option<Range<usize>>) {
        let whole = (0..value.len(), None);
        if value.first() != Some(&b'[') || cells_of(value, &self.notation).is_some() {
            return whole;
        }
        let mut parts = Vec::new();
        elements(value, |at| {
            parts.push(at);
            parts.len() < 2
        });
        match &parts[..] {
            [puzzle, ..] if cells_of(&value[puzzle.clone()], &self.notation).is_some() => {
                (puzzle.clone(), parts.get(1).cloned())
            }
            _ => whole,
        }
    }
}

/// Whether `key`, as it is written between its quotes, is the `known` one. (With escapes it is longer.)
#[inline(always)]
fn is_key(key: &[u8], known: &[u8]) -> bool {
    key == known || key.len() > known.len() && is_escaped(key, known)
}

#[cold]
fn is_escaped(key: &[u8], known: &[u8]) -> bool {
    key.contains(&b'\\') && unescaped(key, &mut Vec::new()) == known
}

impl CellText for Json {
    fn characters<'b>(&self, field: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        if field.first() != Some(&b'[') {
            if self.notation.choices.is_none()
                && let Cow::Owned(text) = without_spaces(unescaped(field, &mut Vec::new()))
            {
                *buffer = text;
                return buffer;
            }
            return unescaped(field, buffer);
        }
        let Some(text) = characters_of(field, &self.notation) else { return field };
        *buffer = text;
        buffer
    }

    fn offset_of_cell(&self, field: &[u8], index: usize) -> usize {
        match field.first() {
            Some(b'[') => items(field).nth(index).map_or(0, |(at, _)| at),
            _ => index,
        }
    }

    fn wrong_number(&self, field: &[u8]) -> Option<LineError> {
        field.starts_with(b"[").then(|| push_array(field, &self.notation, &mut Vec::new()).err())?
    }
}

/// The place of the text in a value: between the quotes of a string, nothing of an empty array, or the whole value.
/// `null` has none.
fn text_at(line: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    match &line[value.clone()] {
        b"null" => None,
        [b'"' | b'\'', ..] => Some(value.start + 1..value.end - 1),
        [b'[', inner @ .., b']'] if inner.iter().all(|&byte| is_space(byte)) => {
            Some(value.start..value.start)
        }
        _ => Some(value),
    }
}
