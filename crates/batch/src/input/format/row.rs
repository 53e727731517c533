//! One line of a grid over several lines: a row of cells, or what else it is.

use super::Notation;
use super::frame::{is_drawn, is_frame, is_title};
use super::pasted;
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::input::line::{MAX_LINE_BYTES, is_separator, is_space};

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
    /// Blank, a title, or only brackets and quotes: it ends a grid.
    End,
    /// A comment, or a line of a frame.
    Drawn,
    /// A record by itself, well-formed or not.
    Alone,
    /// A row of a grid: its cells, or what is wrong with them.
    Row(Result<Row, LineError>),
}

/// Reads rows of one size and alphabet.
pub(super) struct Rows {
    /// Cells of a row.
    pub(super) side: usize,
    pub(super) notation: Notation,
}

impl Rows {
    /// What `line` is.
    pub(super) fn classify(&self, line: &[u8]) -> Line {
        // Only cells: no frame or title looks so.
        let mut cells = [0; MAX_SIDE];
        if line.len() == self.side && self.notation.read(line, &mut cells) {
            return Line::Row(Ok(cells));
        }
        // A stream keeps only the beginning of a line that is too long.
        let kept = &line[..line.len().min(MAX_LINE_BYTES)];
        let text = &kept[kept.iter().take_while(|&&byte| is_space(byte)).count()..];
        if text.first() == Some(&b'#') {
            return Line::Drawn;
        }
        if line.len() > MAX_LINE_BYTES {
            return Line::Row(Err(LineError::too_long(LineErrorKind::TooLong)));
        }
        if text.is_empty() || is_title(text) {
            return Line::End;
        }
        if is_frame(line, self.side) {
            return Line::Drawn;
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
        let row = pasted::row(line, &self.notation, self.side, &mut cells);
        if let Some(Ok(())) = row {
            let mut row = [0; MAX_SIDE];
            row[..self.side].copy_from_slice(&cells);
            return Line::Row(Ok(row));
        }
        if pasted::is_bracket_line(line) {
            return Line::End;
        }
        if let Some(Ok(_)) = pasted::puzzle(line, &self.notation, &mut cells) {
            return Line::Alone;
        }
        Line::Row(Err(row.and_then(Result::err).unwrap_or(error)))
    }

    /// The cells of `line`, or the first of its bytes that is wrong.
    fn row(&self, line: &[u8]) -> Result<Row, LineError> {
        let alphabet = &self.notation.alphabet;
        let is_star = |byte: u8| byte == b'*';
        let cell_of = |byte: u8| alphabet.cell(byte).filter(|_| !is_star(byte));
        let cells = line.iter().filter(|&&byte| cell_of(byte).is_some()).count();
        let stars = line.iter().filter(|&&byte| is_star(byte)).count();
        let are_blanks = cells + stars == self.side;

        let mut row = [0; MAX_SIDE];
        let mut found = 0;
        for (at, &byte) in line.iter().enumerate() {
            let blank = (is_star(byte) && are_blanks).then_some(0);
            if let Some(value) = cell_of(byte).or(blank) {
                if found == self.side {
                    return Err(LineError::at(at, LineErrorKind::GridRow(Count::new(cells, self.side))));
                }
                row[found] = value;
                found += 1;
            } else if !is_drawn(byte) && !is_star(byte) {
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

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_row_is_read_in_any_drawing(
            cells in "[1-9.0_xX?*]{9}",
            gaps in proptest::collection::vec("[|! \t+=-]{0,3}", 10),
        ) {
            let nine = Rows { side: 9, notation: 81.into() };
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
            let rows = Rows { side, notation: (side * side).into() };
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
        let nine = Rows { side: 9, notation: 81.into() };
        assert!(matches!(nine.classify(&[b' '; MAX_LINE_BYTES]), Line::End));
        let Line::Row(Err(error)) = nine.classify(&[b' '; MAX_LINE_BYTES + 1]) else {
            panic!("it is too long")
        };
        assert_eq!(error, LineError::too_long(LineErrorKind::TooLong));
        assert!(matches!(nine.classify(&[b'#'; MAX_LINE_BYTES + 1]), Line::Drawn));
    }

    #[test]
    fn stars_are_blanks_if_a_row_needs_them() {
        let nine = Rows { side: 9, notation: 81.into() };
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
