//! Lists of records: one array of objects, of strings or of arrays, wherever its lines end.
//!
//! ```text
//! ["4.....8.5.3...", "52...6........"]                     strings
//! [["4.....8.5.3...", "417369825..."], [...]]              pairs of a puzzle and its solution
//! [[[4, 0, 0, ...], [0, 3, ...], ...], ...]                arrays, a row or a cell each
//! [{"puzzle": "4.....8.5.3..."}, {"puzzle": [4, 0, ...]}]  objects
//! {"name": "hard", "rows": [...], "count": 7}              any of them under a key
//! {                                                        objects over several lines, one behind the other
//!   "puzzle": "4.....8.5.3..."
//! }
//! ```
//! Between two records come commas, white space, and what ends and begins the arrays and objects around them. A chunk
//! begins right behind a record. What follows does not depend on what was before, so nothing of that is kept: a string
//! with a colon behind it is a key, and a bracket more than those with which a record begins opens a list.
//!
//! A value that is not closed is a malformed record. It ends with its line if a wrong byte shows that, or else after
//! [`MAX_RECORD_BYTES`] or with the source, which bounds the bytes that are read twice.
//!
//! serde's deserializers read such lists in bounded memory, too, but hand out no places, of which the copies of records
//! are made, and cannot begin in the middle.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::cells::{is_grid, is_pair};
use super::scan::{Fault, Scanner, elements, members};
use crate::input::line::MAX_RECORD_BYTES;
use crate::input::notation::Notation;

/// What the records of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Objects,
    /// Objects that objects have under a key: `{"row_idx": 0, "row": {...}}`.
    Inner,
    Strings,
    /// Arrays that begin with this number of brackets.
    Arrays(usize),
}

/// A list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct List {
    kind: Kind,
    /// Cells of a puzzle: a string of as many characters is not left out.
    cells: usize,
    /// Where the first record begins in the text in which the list was found.
    pub(super) first: usize,
}

/// What is found behind a place.
enum Next {
    Record(Range<usize>),
    /// Nothing more: only marks come up to the end.
    Nothing,
    /// A record that begins here and has no end among the bytes.
    Open(usize),
}

impl List {
    /// The list that `text` begins with or has under a key.
    pub(super) fn find(text: &[u8], notation: &Notation) -> Option<List> {
        let begin = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
        match text[begin] {
            b'[' => {
                let (list, end) = List::of_array(&text[begin..], notation)?;
                let behind = |end: usize| text[begin + end..].trim_ascii_start();
                // Several arrays, mostly one a line, are not one list.
                let is_alone = end.is_none_or(|end| !behind(end).starts_with(b"["));
                is_alone.then_some(List { first: list.first + begin, ..list })
            }
            b'{' => {
                let text = &text[begin..];
                let (mut list, mut has_grid, mut end) = (None, false, 1);
                let read = members(text, |_, value| {
                    has_grid |= is_grid(&text[value.clone()], notation);
                    list = list.or_else(|| List::at(text, value.start, notation));
                    end = value.end;
                });
                if read == Err(Fault::End) {
                    list = list.or_else(|| List::at(text, value_behind(text, end)?, notation));
                }
                list.filter(|_| !has_grid).map(|list| List { first: list.first + begin, ..list })
            }
            _ => None,
        }
    }

    pub(super) fn has_objects(&self) -> bool {
        matches!(self.kind, Kind::Objects | Kind::Inner)
    }

    /// Objects over several lines, of which the first begins at the start of the text.
    pub(super) fn of_objects(notation: &Notation) -> List {
        List { kind: Kind::Objects, cells: notation.cells, first: 0 }
    }

    /// The list that the value at byte `at` of `text` is.
    fn at(text: &[u8], at: usize, notation: &Notation) -> Option<List> {
        let (list, _) = List::of_array(&text[at..], notation)?;
        Some(List { first: list.first + at, ..list })
    }

    /// The list that the array at the start of `text` is, and the place behind it if `text` reaches so far. One grid, and
    /// one pair of a puzzle and its solution, are no lists.
    fn of_array(text: &[u8], notation: &Notation) -> Option<(List, Option<usize>)> {
        /// Elements that are looked at: the first ones may be damaged.
        const LOOKED_AT: usize = 10;
        if text.first() != Some(&b'[') {
            return None;
        }
        let (mut kind, mut first, mut seen) = (None, None, 0);
        let kind_of = |value: &[u8]| match value[0] {
            b'{' if has_grid(value, notation) => Some(Kind::Objects),
            b'{' => has_member(value, |member| has_grid(member, notation)).then_some(Kind::Inner),
            b'[' if is_grid(value, notation) || is_pair(value, notation) => {
                Some(Kind::Arrays(brackets(value).unwrap_or(1)))
            }
            b'"' | b'\'' if is_grid(value, notation) => Some(Kind::Strings),
            _ => None,
        };
        let end = elements(text, |at| {
            first.get_or_insert(at.start);
            if kind.is_none() && seen < LOOKED_AT {
                kind = kind_of(&text[at]);
            }
            seen += 1;
            kind.is_some() || seen < LOOKED_AT
        });
        let is_one = end.is_some_and(|end| is_pair(&text[..end], notation));
        let list = List { kind: kind.filter(|_| !is_one)?, cells: notation.cells, first: first? };
        Some((list, end))
    }

    /// The next record from byte `at` on.
    fn next(&self, bytes: &[u8], mut at: usize) -> Next {
        let start = at;
        let depth = if let Kind::Arrays(depth) = self.kind { depth } else { 0 };
        while let Some(&byte) = bytes.get(at) {
            // Where a record ends does not depend on bytes behind the bound.
            let text = &bytes[..bytes.len().min(at + MAX_RECORD_BYTES + 1)];
            match byte {
                // Marks without end are a malformed record, too.
                _ if at - start > MAX_RECORD_BYTES => return Next::Record(start..at),
                b',' | b']' | b'}' => at += 1,
                b'{' if self.kind != Kind::Objects => at += 1,
                b'[' => match brackets(&text[at..]) {
                    None => return Next::Open(at),
                    // All at once: one after the other, each would count those behind it.
                    Some(count) if count > depth => at = behind_brackets(text, at, count - depth),
                    Some(_) => return value(text, at),
                },
                b'"' | b'\'' => match self.behind_key(text, at) {
                    None => return Next::Open(at),
                    Some(None) => return value(text, at),
                    Some(Some(behind)) if self.kind == Kind::Inner && text[behind - 1] == b'{' => {
                        return value(text, behind - 1);
                    }
                    Some(Some(behind)) => at = behind,
                },
                _ if byte.is_ascii_whitespace() => at += 1,
                _ => return value(text, at),
            }
        }
        Next::Nothing
    }

    /// If the string at byte `at` of `text` is a key: the place behind it from which on a list of records may come:
    /// behind its value, if the value is neither a list of records nor an object. `None` if `text` does not show it.
    fn behind_key(&self, text: &[u8], at: usize) -> Option<Option<usize>> {
        let mut scan = Scanner::new(text, at);
        scan.string().ok()?;
        if scan.peek().ok()? != b':' {
            return Some(None);
        }
        scan.at += 1;
        let byte = scan.peek().ok()?;
        let first = || text[scan.at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        let is_list = byte == b'[' && {
            let first = first()?;
            match self.kind {
                Kind::Objects | Kind::Inner => *first == b'{',
                Kind::Strings => matches!(first, b'"' | b'\''),
                Kind::Arrays(_) => *first == b'[',
            }
        };
        Some(Some(match byte {
            _ if is_list => scan.at,
            b'{' => scan.at + 1,
            _ => match scan.value() {
                Ok(value) if matches!(byte, b'"' | b'\'') && value.len() == self.cells + 2 => value.start,
                Ok(value) => value.end,
                Err(Fault::At(wrong)) => wrong + 1,
                Err(Fault::End) => return None,
            },
        }))
    }

    /// The record from byte `start` of `bytes` on, and the place behind it. `bytes` are all there are.
    pub(super) fn record_at(&self, bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
        let record = match self.next(bytes, start) {
            Next::Record(record) => record,
            Next::Open(at) if bytes.len() > at + MAX_RECORD_BYTES => at..at + MAX_RECORD_BYTES + 1,
            Next::Open(at) => at..at + bytes[at..].trim_ascii_end().len(),
            Next::Nothing => return None,
        };
        Some((record.clone(), record.end))
    }

    /// Where a chunk may end: behind the first record that ends behind byte `from`.
    pub(super) fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = 0;
        loop {
            at = match self.next(bytes, at) {
                Next::Record(record) => record.end,
                Next::Open(at) if bytes.len() > at + MAX_RECORD_BYTES => at + MAX_RECORD_BYTES + 1,
                Next::Open(_) | Next::Nothing => return None,
            };
            if at > from {
                return Some(at);
            }
        }
    }
}

/// Where the value of the next member of an object begins, behind the one that ends at byte `end`.
fn value_behind(text: &[u8], end: usize) -> Option<usize> {
    let mut scan = Scanner::new(text, end);
    if scan.peek().ok()? == b',' {
        scan.at += 1;
        scan.peek().ok()?;
    }
    scan.string().ok()?;
    scan.expect(b':').ok()?;
    scan.peek().ok()?;
    Some(scan.at)
}

/// Whether `value` is an object with a grid.
fn has_grid(value: &[u8], notation: &Notation) -> bool {
    has_member(value, |member| is_grid(member, notation))
}

/// Whether `value` is an object of which a member `is` so.
fn has_member(value: &[u8], is: impl Fn(&[u8]) -> bool) -> bool {
    let mut has = false;
    let _ = members(value, |_, member| has |= is(&value[member]));
    has
}

/// The value that begins at byte `at` of `text`, to the end of its line if a byte is wrong.
fn value(text: &[u8], at: usize) -> Next {
    let mut scan = Scanner::new(text, at);
    match scan.value() {
        // What comes behind a string says whether it is a key.
        Ok(value) if matches!(text[at], b'"' | b'\'') && scan.peek().is_err() => Next::Open(value.start),
        Ok(value) => Next::Record(value),
        Err(Fault::End) => Next::Open(at),
        Err(Fault::At(wrong)) => {
            let end = memchr(b'\n', &text[wrong..]).map(|len| wrong + len);
            end.map_or(Next::Open(at), |end| Next::Record(at..end))
        }
    }
}

/// The place behind the first `count` brackets from byte `at` of `text` on.
fn behind_brackets(text: &[u8], at: usize, count: usize) -> usize {
    memchr_iter(b'[', &text[at..]).nth(count - 1).map_or(text.len(), |bracket| at + bracket + 1)
}

/// The brackets that `text` begins with, white space between them left out. `None` if nothing else comes behind them.
fn brackets(text: &[u8]) -> Option<usize> {
    let mut count = 0;
    for byte in text {
        match byte {
            b'[' => count += 1,
            _ if byte.is_ascii_whitespace() => {}
            _ => return Some(count),
        }
    }
    None
}
