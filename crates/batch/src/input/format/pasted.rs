//! Puzzles as people copy them out of programs and pages: strings in quotes, lists of numbers, groups of cells.
//!
//! ```text
//! grid2 = "4.....8.5.3......  ..."          a string: the piece that has as many cells as a puzzle
//! 4.....8.5.3......  ...-Inkala             a name behind `-`
//! 4.....8.5 .3....... ...7..... ...         as many groups as a row has cells, each of a row
//! [[4, 0, 0, 0, 0, 0, 8, 0, 5], [0, 3, ...   a list: as many numbers as a puzzle has cells
//! 4, 0, 0, 0, 0, 0, 8, 0, 5                 the same without brackets
//! 4…..8.5.3…                                 `…` is three blanks, `·` is one
//! [[4, None, None, -1, ...                   a word or a sign for each blank
//! 4.000e+00 0.000e+00 ...                    whole numbers as `numpy.savetxt` writes them
//! ```
//! Any of these may be a row of a grid over several lines: then it has as many cells as a row.
//!
//! A line is cut into pieces at spaces, commas, quotes, brackets and lines of frames. A name in front of the first
//! bracket or quote, a comment behind `#`, and what comes behind the last bracket are no pieces. In a list, a piece is
//! a number: 0 is a blank in every alphabet, and 10 is the tenth symbol. Elsewhere the bytes of a piece are cells.
//! A line that is none of these is cut at spaces, commas, quotes, brackets and bars alone: a piece may then be `-1`,
//! `-`, `e`, `None`, `null`, `nan` or a float. Such blanks and a 0 do not occur together, since a file has one kind of
//! blank.
//! Pieces that are not numbers must have the same number of cells, so that a line with a wrong cell is not read as
//! another puzzle.

use std::ops::Range;

use super::Notation;
use super::frame::drawn_len;
use crate::grid::Alphabet;
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::input::line::{MAX_LINE_BYTES, is_separator, is_space};
use crate::input::notation::is_blank_word;

/// Whether `byte` is a bracket.
fn is_bracket(byte: u8) -> bool {
    matches!(byte, b'[' | b']' | b'(' | b')' | b'{' | b'}')
}

/// Whether `byte` is a quote.
pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Whether `byte` is written around the values of a list.
pub(super) fn is_punctuation(byte: u8) -> bool {
    is_bracket(byte) || is_quote(byte) || is_space(byte) || matches!(byte, b',' | b';' | b'\\')
}

/// Where the first bracket or quote is, if a name or nothing comes before it: `grid = np.array([`. A quote needs a `=`
/// or `:` behind the name, because the row of a grid may end in one.
fn behind_name(line: &[u8]) -> Option<usize> {
    let at = line.iter().position(|&byte| is_bracket(byte) || is_quote(byte))?;
    let name = line[..at].trim_ascii();
    let name = name.strip_prefix(b"-").unwrap_or(name).trim_ascii();
    let is_named = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let is_assigned = name.contains(&b'=') || name.ends_with(b":");
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let is_call = matches!(line[at], b'[' | b'(' | b'{') && name.iter().all(is_word);
    (name.is_empty() || is_named && (is_assigned || is_call)).then_some(at)
}

/// Whether `line` holds only what comes before or behind a list or a string: `]`, `"""`, `grid1 = """`, `puzzles = [`.
pub(super) fn is_bracket_line(line: &[u8]) -> bool {
    let has_nothing_else = |at: usize| line[at..].iter().all(|&byte| is_punctuation(byte));
    // A single quote is a puzzle that lost its cells.
    let has_bracket = |at: usize| {
        let is_triple = |three: &[u8]| is_quote(three[0]) && three.iter().all(|byte| *byte == three[0]);
        line[at..].iter().any(|&byte| is_bracket(byte)) || line[at..].windows(3).any(is_triple)
    };
    // Of most lines, the last byte says enough.
    let may_be = line.len() <= MAX_LINE_BYTES && line.last().is_some_and(|&byte| is_punctuation(byte));
    may_be && behind_name(line).is_some_and(|at| has_nothing_else(at) && has_bracket(at))
}

/// The pieces of a line, and what was seen between them.
struct Pieces<'a> {
    line: &'a [u8],
    /// Where the next piece is searched for.
    next: usize,
    /// Square brackets that are open.
    depth: usize,
    commas: usize,
    has_brackets: bool,
    /// Whether a `-` precedes a digit: a sign, or a part of a frame.
    has_sign: bool,
    /// Whether signs and rules are parts of the pieces.
    are_words: bool,
}

impl<'a> Pieces<'a> {
    fn new(line: &'a [u8]) -> Pieces<'a> {
        let line = &line[..line.len().min(MAX_LINE_BYTES)];
        let line = &line[..line.iter().position(|&byte| byte == b'#').unwrap_or(line.len())];
        let next = behind_name(line).unwrap_or(0);
        Pieces { line, next, depth: 0, commas: 0, has_brackets: false, has_sign: false, are_words: false }
    }

    /// Bytes of the delimiter at `at`; 0 if another byte is there.
    fn delimiter(&self, at: usize) -> usize {
        let rest = &self.line[at..];
        match rest[0] {
            b'\\' if rest.get(1) == Some(&b'n') => 2,
            b'-' | b'+' | b'=' | b'/' | b':' if self.are_words => 0,
            b'/' | b':' => 1,
            byte if is_punctuation(byte) => 1,
            _ => drawn_len(rest),
        }
    }

    fn is_list(&self) -> bool {
        self.has_brackets || self.commas > 1
    }
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while self.next < self.line.len() {
            let byte = self.line[self.next];
            let len = self.delimiter(self.next);
            if len == 0 {
                break;
            }
            self.next += len;
            match byte {
                b'[' => self.depth += 1,
                b']' if self.depth == 1 => self.next = self.line.len(),
                b']' => self.depth = self.depth.saturating_sub(1),
                b',' => self.commas += 1,
                b'-' => self.has_sign |= self.line.get(self.next).is_some_and(u8::is_ascii_digit),
                _ => {}
            }
            self.has_brackets |= is_bracket(byte);
        }
        let start = self.next;
        while self.next < self.line.len() && self.delimiter(self.next) == 0 {
            self.next += 1;
        }
        (start < self.next).then_some(start..self.next)
    }
}

/// The bytes of a piece, with `...` for `…`, `.` for a dot in the middle, and ASCII for fullwidth digits and dots.
fn characters(piece: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = piece;
    std::iter::from_fn(move || {
        let (len, byte, count) = match *rest {
            [] => return None,
            [0xe2, 0x80, 0xa6, ..] => (3, b'.', 3),
            [0xc2, 0xb7, ..] => (2, b'.', 1),
            [0xe2, 0x80, 0xa2, ..] | [0xe2, 0x88, 0x99, ..] | [0xef, 0xbc, 0x8e, ..] => (3, b'.', 1),
            [0xef, 0xbc, digit @ 0x90..=0x99, ..] => (3, digit - 0x90 + b'0', 1),
            [byte, ..] => (1, byte, 1),
        };
        rest = &rest[len..];
        Some(std::iter::repeat_n(byte, count))
    })
    .flatten()
}

/// The number that a piece is.
fn number(piece: &[u8]) -> Option<i64> {
    let digits = piece.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(piece).ok())??;
    Some(digits.parse().unwrap_or(i64::MAX))
}

/// How the cells of a line are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) struct Shape {
    /// How many pieces there are.
    pub(in crate::input) pieces: usize,
    /// Characters of each piece, if all have the same number.
    len: Option<usize>,
    /// Whether all pieces are numbers or blanks of one character, in a list or with more than one digit.
    are_numbers: bool,
    /// The greatest number.
    pub(in crate::input) greatest: i64,
    /// Whether there are brackets, or commas between the pieces.
    pub(in crate::input) is_list: bool,
    has_sign: bool,
}

impl Shape {
    /// The shape of `line`, if it has no more than `most` pieces.
    pub(in crate::input) fn of(line: &[u8], most: usize) -> Option<Shape> {
        let mut pieces = Pieces::new(line);
        let (mut shape, mut is_long, mut count) = (Shape::EMPTY, false, 0);
        for at in pieces.by_ref() {
            let piece = &line[at];
            let len = characters(piece).count();
            let found = number(piece);
            shape.greatest = shape.greatest.max(found.unwrap_or(0));
            shape.are_numbers &= found.is_some() || matches!(piece, b"." | b"_" | b"*" | b"?");
            is_long |= piece.len() > 1;
            shape.len = if count == 0 { Some(len) } else { shape.len.filter(|&other| other == len) };
            count += 1;
            if count > most {
                return None;
            }
        }
        shape.pieces = count;
        (shape.is_list, shape.has_sign) = (pieces.is_list(), pieces.has_sign);
        shape.are_numbers &= shape.is_list || is_long;
        (count > 0).then_some(shape)
    }

    const EMPTY: Shape =
        Shape { pieces: 0, len: None, are_numbers: true, greatest: 0, is_list: false, has_sign: false };

    /// Whether the line is as many groups as each has cells.
    pub(in crate::input) fn is_square(&self) -> bool {
        self.len == Some(self.pieces) && self.pieces > 1
    }

    /// Whether the line is that many numbers.
    pub(in crate::input) fn is_numbers(&self, cells: usize) -> bool {
        self.are_numbers && self.pieces == cells && !self.has_sign
    }

    /// The cells of the line: numbers, or one a piece, or as many groups as each has cells.
    pub(in crate::input) fn cells(&self) -> Option<usize> {
        let cells = if self.is_square() { self.pieces * self.pieces } else { self.pieces };
        let is_puzzle = self.are_numbers || self.len == Some(1) || self.is_square();
        is_puzzle.then_some(cells).filter(|_| !self.has_sign)
    }
}

/// The pieces of a line, in ASCII as far as they are cells.
pub(in crate::input) fn pieces(line: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    Pieces::new(line).map(|at| characters(&line[at]).collect())
}

/// The place behind `from` of the first piece, for a line whose puzzle is in quotes: the solution.
pub(super) fn next_piece(line: &[u8], from: usize) -> Option<Range<usize>> {
    let mut pieces = Pieces { next: from, ..Pieces::new(line) };
    pieces.next()
}

/// Finds the puzzle of a line and appends its cells to `puzzles`. Returns the place of the piece that holds it, one
/// character a cell. A puzzle that is written otherwise has an empty place at its end.
///
/// `None` if the line is not a puzzle; an error if it is a list or a string and therefore meant as one.
pub(super) fn puzzle(
    line: &[u8],
    notation: &Notation,
    puzzles: &mut Vec<u8>,
) -> Option<Result<Range<usize>, LineError>> {
    if is_object(line) {
        return None;
    }
    if let Some(at) = piece(line, notation, puzzles) {
        return Some(Ok(at));
    }
    let count = (notation.cells, notation.cells.isqrt());
    let is_group = |_: &Shape, len| len == 1 || len == count.1;
    match cells(line, notation, count, is_group, puzzles) {
        Some(Ok(end)) => Some(Ok(end..end)),
        other if !words(line, notation, count, true, puzzles) => Some(other?.map(|end| end..end)),
        _ => Some(Ok(line.len()..line.len())),
    }
}

/// The first piece of a line that is a puzzle.
fn piece(line: &[u8], notation: &Notation, puzzles: &mut Vec<u8>) -> Option<Range<usize>> {
    let is_end = |byte: u8| is_separator(byte) || is_quote(byte) || is_bracket(byte);
    Pieces::new(line).find_map(|at| {
        let piece = &line[at.clone()];
        // Other delimiters are parts of frames. A puzzle on one line has no frame.
        let is_alone = line[..at.start].last().is_none_or(|&byte| is_end(byte))
            && line.get(at.end).is_none_or(|&byte| is_end(byte) || byte == b'-');
        if !is_alone {
            return None;
        }
        if piece.len() == notation.cells && notation.push_cells(piece, puzzles) {
            return Some(at);
        }
        let text: Vec<u8> = characters(piece).take(notation.cells + 1).collect();
        (text.len() == notation.cells && notation.push_cells(&text, puzzles)).then_some(at.end..at.end)
    })
}

/// The puzzle in a field in quotes, with `…` or with a name behind `-`.
pub(super) fn field(text: &[u8], notation: &Notation, puzzles: &mut Vec<u8>) -> Option<Range<usize>> {
    let is_quoted = || text.iter().find(|byte| !is_bracket(**byte)).is_some_and(|&byte| is_quote(byte));
    let may_be = text.len() >= notation.cells
        && (text.get(notation.cells) == Some(&b'-') || is_quoted() || !text.is_ascii());
    if may_be { piece(text, notation, puzzles) } else { None }
}

/// Whether `line` begins with a name and a value in braces. Which of several values is the puzzle, only the names say.
pub(super) fn is_object(line: &[u8]) -> bool {
    let behind = line.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    behind.is_some_and(|behind| behind.first().is_some_and(|&byte| is_quote(byte)) && behind.contains(&b':'))
}

/// The cells of a row of `side` cells, appended to `row`. A piece `-` is a blank if it `has_dashes`. `None` and errors
/// as for [`puzzle`].
pub(super) fn row(
    line: &[u8],
    notation: &Notation,
    side: usize,
    has_dashes: bool,
    row: &mut Vec<u8>,
) -> Option<Result<(), LineError>> {
    // Numbers between commas have one cell each: `100,200,300` is not a row.
    let is_group = |shape: &Shape, len| len == 1 || shape.pieces == 1 || !shape.is_list;
    match cells(line, notation, (side, side), is_group, row) {
        Some(Ok(_)) => Some(Ok(())),
        other if !words(line, notation, (side, side), has_dashes, row) => Some(other?.map(drop)),
        _ => Some(Ok(())),
    }
}

/// What a piece between spaces, commas, brackets and bars is.
enum Word {
    Number(i64),
    /// The symbol of a character, or 0.
    Cell(u8),
    Blank,
}

impl Word {
    fn of(piece: &[u8], notation: &Notation, has_dashes: bool) -> Option<Word> {
        if let Some(number) = number(piece).or_else(|| whole_float(piece)) {
            return Some(Word::Number(number));
        }
        let cell = |byte: u8| notation.alphabet.cell(byte);
        let is_letter = || piece.eq_ignore_ascii_case(b"e") && cell(b'e').is_none();
        if is_blank_word(piece) || piece == b"-" && has_dashes || is_letter() {
            return Some(Word::Blank);
        }
        let mut characters = characters(piece);
        let first = characters.next().and_then(cell)?;
        characters.next().is_none().then_some(Word::Cell(first))
    }
}

/// The number that a piece with a point is, if it is whole.
fn whole_float(piece: &[u8]) -> Option<i64> {
    let is_float = piece.first().is_some_and(u8::is_ascii_digit) && piece.contains(&b'.');
    let text = if is_float { std::str::from_utf8(piece).ok()? } else { return None };
    let number: f64 = text.parse().ok()?;
    (number.fract() == 0.0 && number < 1000.0).then_some(number as i64)
}

/// Appends the `count` cells of `line` if it has as many pieces, each a number of at most `most`, a character or a word
/// for a blank, and they are not only dashes. Returns whether it did.
#[cold]
fn words(
    line: &[u8],
    notation: &Notation,
    (count, most): (usize, usize),
    has_dashes: bool,
    out: &mut Vec<u8>,
) -> bool {
    let mut pieces = Pieces { are_words: true, ..Pieces::new(line) };
    let mut all = Vec::new();
    for at in pieces.by_ref() {
        let word = Word::of(&line[at.clone()], notation, has_dashes);
        match word {
            Some(word) if all.len() < count => all.push((word, at)),
            _ => return false,
        }
    }
    let has = |is: fn(&Word) -> bool| all.iter().any(|(word, _)| is(word));
    let has_characters = has(|word| matches!(word, Word::Cell(1..)));
    let is_mixed = has(|word| matches!(word, Word::Blank)) && has(|word| matches!(word, Word::Number(0)));
    if all.len() != count || is_mixed || !line.iter().any(u8::is_ascii_alphanumeric) {
        return false;
    }
    let before = out.len();
    out.extend(all.into_iter().map_while(|(word, at)| match word {
        Word::Blank => Some(0),
        Word::Cell(cell) => Some(cell),
        Word::Number(_) if has_characters => {
            Some(line[at.start]).filter(|_| at.len() == 1).and_then(|byte| notation.alphabet.cell(byte))
        }
        Word::Number(number) => Some(number as u8).filter(|_| number <= most as i64),
    }));
    let is_read = out.len() == before + count;
    if !is_read {
        out.truncate(before);
    }
    is_read
}

/// Whether `line` is `count` numbers, one of them of two digits, and words for blanks.
pub(in crate::input) fn are_numbers(line: &[u8], count: usize) -> bool {
    let notation = Notation::of_grid(count * count, Alphabet::of_symbols(count.min(64) as u8));
    let has_two_digits = line.windows(2).any(|two| two.iter().all(u8::is_ascii_digit));
    has_two_digits && words(line, &notation, (count, count), true, &mut Vec::new())
}

/// How many pieces of a line may be cells, and how many may not.
pub(super) fn count_words(line: &[u8], notation: &Notation, most: usize) -> (usize, usize) {
    let pieces = Pieces { are_words: true, ..Pieces::new(line) };
    let (mut cells, mut others) = (0, 0);
    for at in pieces.take(most) {
        match Word::of(&line[at], notation, true) {
            Some(_) => cells += 1,
            None => others += 1,
        }
    }
    (cells, others)
}

/// Appends the `count` cells of `line`; returns where the last one ends. A number is at most `most`. `is_group` says
/// how many characters each piece may have.
fn cells(
    line: &[u8],
    notation: &Notation,
    (count, most): (usize, usize),
    is_group: impl Fn(&Shape, usize) -> bool,
    out: &mut Vec<u8>,
) -> Option<Result<usize, LineError>> {
    let before = out.len();
    // One piece more than there may be is enough to see that there are too many.
    let shape = Shape::of(line, 4 * count)?;
    if !shape.has_sign {
        let are_groups = shape.len.is_some_and(|len| len * shape.pieces == count && is_group(&shape, len));
        let is_read = match shape.is_numbers(count) {
            true => shape.greatest <= most as i64,
            false => are_groups,
        };
        let mut end = 0;
        let is_good = is_read
            && Pieces::new(line).all(|at| {
                end = at.end;
                let piece = &line[at];
                match number(piece).filter(|_| shape.is_numbers(count)) {
                    Some(number) => {
                        out.push(number as u8);
                        true
                    }
                    None => notation.push_cells(&characters(piece).collect::<Vec<_>>(), out),
                }
            });
        if is_good && out.len() == before + count {
            return Some(Ok(end));
        }
        out.truncate(before);
    }
    let text = line.trim_ascii_start();
    let is_meant = text.first().is_some_and(|&byte| is_bracket(byte) || is_quote(byte))
        || behind_name(line).is_some()
        || shape.is_list && shape.are_numbers && 2 * shape.pieces > count;
    is_meant.then(|| Err(explain(line, notation, shape, (count, most))))
}

/// Why `line`, which is a list or a string, does not have `count` cells.
fn explain(line: &[u8], notation: &Notation, shape: Shape, (count, most): (usize, usize)) -> LineError {
    let are_single = shape.are_numbers || shape.len == Some(1);
    let (mut found, mut end) = (0, 0);
    for at in Pieces::new(line) {
        let piece = &line[at.clone()];
        end = at.end;
        if line[..at.start].ends_with(b"-") && piece[0].is_ascii_digit() {
            return LineError::at(at.start - 1, notation.wrong_character(b'-'));
        }
        if are_single && let Some(number) = number(piece) {
            if number > most as i64 {
                return LineError::at(
                    at.start,
                    LineErrorKind::Number { found: number, blank: 0, most: most as u8 },
                );
            }
            found += 1;
            continue;
        }
        let has_others = characters(piece).all(|byte| byte.is_ascii());
        let is_wrong = |byte: &u8| !notation.is_cell(*byte) && (byte.is_ascii() || !has_others);
        if let Some(wrong) = piece.iter().position(is_wrong) {
            return LineError::at(at.start + wrong, notation.wrong_character(piece[wrong]));
        }
        found += characters(piece).count();
    }
    let count = Count::new(found, count);
    let is_row = count.expected as usize != notation.cells;
    LineError::at(end, if is_row { LineErrorKind::GridRow(count) } else { LineErrorKind::Length(count) })
}
