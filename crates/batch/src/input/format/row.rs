//! One line of a grid over several lines: a row of cells, or what else it is.

use super::Notation;
use super::columns::status_of;
use super::frame::{drawn_len, has_rule, is_blank, is_drawn, is_frame};
use super::{labels, pasted, spaced};
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::input::line::{MAX_LINE_BYTES, is_separator, is_space};
use crate::puzzle::Status;

/// Cells of the shortest row.
pub(super) const MIN_SIDE: usize = 4;
/// Cells of the longest row.
pub(super) const MAX_SIDE: usize = 25;

/// The cells of a row, in the first `side` places.
pub(super) type Row = [u8; MAX_SIDE];

/// Rows' worth of cells: a longer field was meant as a puzzle on one line, not as a row, nor as a row of several grids
/// beside each other.
const MAX_FIELD_ROWS: usize = 6;

/// What a line is.
pub(super) enum Line {
    Blank,
    /// Neither cells nor drawn: a title, a footer, brackets.
    Text,
    /// A comment, or a line of a frame, which `is_rule` if it goes from one side to the other.
    Drawn {
        is_rule: bool,
    },
    /// A puzzle on one line, or another long line.
    Alone,
    /// A row of a grid: its cells, or what is wrong with them.
    Row(Result<Row, LineError>),
}

/// What looks like a frame or a blank line in some sources, and is a row of blanks in others. The head shows which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) blanks: Blanks,
    /// Whether a letter or a number is beside each row, and numbers may be over the columns.
    pub(super) has_labels: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Blanks {
    /// The blanks of all formats, and words.
    #[default]
    Usual,
    Dashes,
    Spaces,
}

impl Style {
    /// The usual one is the first.
    pub(super) fn all() -> impl Iterator<Item = Style> {
        let of = |has_labels| {
            [Blanks::Usual, Blanks::Dashes, Blanks::Spaces].map(|blanks| Style { blanks, has_labels })
        };
        [false, true].into_iter().flat_map(of)
    }
}

/// Reads rows of one size, alphabet and style.
pub(super) struct Rows {
    /// Cells of a row.
    pub(super) side: usize,
    pub(super) notation: Notation,
    pub(super) style: Style,
}

impl Rows {
    /// What `line` is.
    pub(super) fn classify(&self, line: &[u8]) -> Line {
        // Only cells: no frame or title looks so.
        let mut cells = [0; MAX_SIDE];
        if line.len() == self.side && !self.style.has_labels && self.notation.alphabet.read(line, &mut cells)
        {
            return Line::Row(Ok(cells));
        }
        // A stream keeps only the beginning of a line that is too long.
        let kept = &line[..line.len().min(MAX_LINE_BYTES)];
        let text = &kept[kept.iter().take_while(|&&byte| is_space(byte)).count()..];
        if text.first() == Some(&b'#') {
            return Line::Drawn { is_rule: false };
        }
        if line.len() > MAX_LINE_BYTES {
            return Line::Row(Err(LineError::too_long(false)));
        }
        let line = behind_quotes(line);
        if !self.style.has_labels {
            return self.without_label(line);
        }
        match labels::behind_label(line, self.side).map(|rest| self.without_label(rest)) {
            Some(row @ Line::Row(Ok(_))) => row,
            _ => match self.without_label(line) {
                Line::Row(Ok(row)) if labels::are_numbers(&row, self.side) => Line::Text,
                other => other,
            },
        }
    }

    fn without_label(&self, line: &[u8]) -> Line {
        let special = match self.style.blanks {
            Blanks::Usual => None,
            Blanks::Dashes if line.iter().any(|byte| matches!(byte, b'+' | b'=')) => None,
            Blanks::Dashes => self.row(line).ok(),
            Blanks::Spaces => spaced::row(line, &self.notation, self.side),
        };
        if let Some(row) = special {
            return Line::Row(Ok(row));
        }
        if is_blank(line) {
            return Line::Blank;
        }
        if is_frame(line, self.side) {
            return Line::Drawn { is_rule: has_rule(line) };
        }
        let is_alone =
            |field: &[u8]| field.len() > MAX_FIELD_ROWS * self.side || field.len() == self.side * self.side;
        if line.split(|&byte| is_separator(byte)).any(is_alone) {
            return Line::Alone;
        }
        self.row(line).map_or_else(|error| self.pasted(line, error), |row| Line::Row(Ok(row)))
    }

    /// What a line is that is no row of cells and frames: `error` if it is nothing that people paste.
    #[cold]
    fn pasted(&self, line: &[u8], error: LineError) -> Line {
        let mut cells = Vec::new();
        let has_dashes = self.style.blanks == Blanks::Dashes;
        let row = pasted::row(line, &self.notation, self.side, has_dashes, &mut cells);
        if let Some(Ok(())) = row {
            let mut row = [0; MAX_SIDE];
            row[..self.side].copy_from_slice(&cells);
            return Line::Row(Ok(row));
        }
        if pasted::is_bracket_line(line) {
            return Line::Text;
        }
        if let Some(Ok(_)) = pasted::puzzle(line, &self.notation, &mut cells) {
            return Line::Alone;
        }
        if is_status(line) {
            return Line::Alone;
        }
        match self.is_nearly_row(line) {
            true => Line::Row(Err(row.and_then(Result::err).unwrap_or(error))),
            false => Line::Text,
        }
    }

    /// Whether `line` was meant as a row: more than half of one without anything else, or about as long as one with one
    /// or two wrong characters. Text has no NUL byte.
    fn is_nearly_row(&self, line: &[u8]) -> bool {
        let slack = (self.side / 4).min(2);
        let is_near = |(cells, wrong): (usize, usize)| match wrong {
            0 => 2 * cells > self.side,
            _ => wrong <= slack && (cells + wrong).abs_diff(self.side) <= slack,
        };
        let words = pasted::count_words(line, &self.notation, 3 * self.side);
        is_near(self.count(line)) || is_near(words) || line.contains(&0)
    }

    /// Whether `line` was meant as a puzzle: nearly all of its characters are cells, at least half as many as there
    /// should be; or whether it is a word in place of one.
    pub(super) fn is_nearly_puzzle(&self, line: &[u8]) -> bool {
        if is_status(line) {
            return true;
        }
        let (cells, wrong) = self.count(line);
        cells >= 4 * wrong && 2 * cells >= self.side * self.side
    }

    /// How many characters of `line` are cells, and how many are neither cells nor drawn.
    fn count(&self, line: &[u8]) -> (usize, usize) {
        let (mut cells, mut wrong, mut at) = (0, 0, 0);
        while at < line.len() {
            let (byte, drawn) = (line[at], drawn_len(&line[at..]));
            at += drawn.max(1);
            match byte {
                _ if drawn > 0 || byte == b'*' || pasted::is_punctuation(byte) => {}
                _ if self.notation.is_cell(byte) => cells += 1,
                // The first byte of a character.
                _ if byte & 0xc0 != 0x80 => wrong += 1,
                _ => {}
            }
        }
        (cells, wrong)
    }

    /// The cells of `line`, or the first of its bytes that is wrong. Stars, `e` and, in this style, dashes are blanks if
    /// the row then has its number of cells.
    fn row(&self, line: &[u8]) -> Result<Row, LineError> {
        let alphabet = &self.notation.alphabet;
        let is_special = |byte: u8| match byte {
            b'*' => true,
            b'e' => alphabet.cell(byte).is_none(),
            b'-' => self.style.blanks == Blanks::Dashes,
            _ => false,
        };
        let cell_of = |byte: u8| alphabet.cell(byte).filter(|_| !is_special(byte));
        let cells = line.iter().filter(|&&byte| cell_of(byte).is_some()).count();
        let specials = line.iter().filter(|&&byte| is_special(byte)).count();
        let are_blanks = cells + specials == self.side;
        // As many words as cells are numbers: `8 10 - 22` has no cell 1.
        let words = || line.split(|&byte| is_separator(byte) || byte == b'|').filter(|word| !word.is_empty());
        if self.side > 9 && words().count() == self.side && words().any(|word| word.len() > 1) {
            return Err(LineError::at(0, LineErrorKind::GridRow(Count::new(cells, self.side))));
        }

        let mut row = [0; MAX_SIDE];
        let mut found = 0;
        for (at, &byte) in line.iter().enumerate() {
            let blank = (is_special(byte) && are_blanks).then_some(0);
            if let Some(value) = cell_of(byte).or(blank) {
                if found == self.side {
                    return Err(LineError::at(at, LineErrorKind::GridRow(Count::new(cells, self.side))));
                }
                row[found] = value;
                found += 1;
            } else if !is_drawn(byte) && byte != b'*' {
                let kind = match alphabet.is_nine() {
                    true => LineErrorKind::GridCharacter(byte),
                    false => self.notation.wrong_character(byte),
                };
                return Err(LineError::at(at, kind));
            }
        }
        if found < self.side {
            return Err(LineError::at(line.len(), LineErrorKind::GridRow(Count::new(found, self.side))));
        }
        Ok(row)
    }
}

/// Whether `line` is a word that galop writes in place of a drawn grid.
fn is_status(line: &[u8]) -> bool {
    status_of(line.trim_ascii()).is_some_and(|status| status != Status::Solved)
}

/// `line` behind the marks of a quotation in a letter: `> > `.
fn behind_quotes(line: &[u8]) -> &[u8] {
    let mut line = line;
    while let Some(behind) = line.trim_ascii_start().strip_prefix(b">") {
        line = behind.strip_prefix(b" ").unwrap_or(behind);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_row_is_read_in_any_drawing(
            cells in "[1-9.0_xX?*]{9}",
            gaps in proptest::collection::vec("[|! \t+=-]{0,3}", 10),
        ) {
            let nine = Rows { side: 9, notation: 81.into(), style: Style::default() };
            let cell_behind = cells.chars().map(Some).chain([None]);
            let drawn: String =
                gaps.iter().zip(cell_behind).flat_map(|(gap, cell)| gap.chars().chain(cell)).collect();
            let expected: Vec<u8> =
                cells.bytes().map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect();
            proptest::prop_assert_eq!(nine.row(drawn.as_bytes()).map(|row| row[..9].to_vec()), Ok(expected));
        }
    }

    #[test]
    fn long_fields_are_records_of_their_own() {
        let is_alone = |side: usize, len: usize| {
            let rows = Rows { side, notation: (side * side).into(), style: Style::default() };
            matches!(rows.classify("1".repeat(len).as_bytes()), Line::Alone)
        };
        for (side, len, expected) in [
            (9, 54, false),
            (9, 55, true),
            (9, 81, true),
            (4, 15, false),
            (4, 16, true),
            (4, 17, false),
            (4, 24, false),
            (4, 25, true),
        ] {
            assert_eq!(is_alone(side, len), expected, "{side} {len}");
        }
    }

    #[test]
    fn a_line_is_too_long_from_one_byte_more_than_the_greatest_length() {
        let nine = Rows { side: 9, notation: 81.into(), style: Style::default() };
        assert!(matches!(nine.classify(&[b' '; MAX_LINE_BYTES]), Line::Blank));
        let Line::Row(Err(error)) = nine.classify(&[b' '; MAX_LINE_BYTES + 1]) else {
            panic!("it is too long")
        };
        assert_eq!(error, LineError::too_long(false));
        assert!(matches!(nine.classify(&[b'#'; MAX_LINE_BYTES + 1]), Line::Drawn { is_rule: false }));
    }

    #[test]
    fn stars_are_blanks_if_a_row_needs_them() {
        let nine = Rows { side: 9, notation: 81.into(), style: Style::default() };
        let row =
            |line: &str| nine.row(line.as_bytes()).map(|row| row[..9].to_vec()).map_err(|error| error.column);
        assert_eq!(row("*123*456*789*"), Ok(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert_eq!(row("1234567**"), Ok(vec![1, 2, 3, 4, 5, 6, 7, 0, 0]));
        assert_eq!(row("123456789"), Ok(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]));
        assert_eq!(row("*12345678"), Ok(vec![0, 1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(row("12345678"), Err(9));
        assert_eq!(row("12345*78**"), Err(11));
        assert_eq!(row("1234567891"), Err(10));
        assert_eq!(row("1234w6789"), Err(5));
    }
}
