//! Lines around and between the grids that people draw: frames and rules.

use memchr::{memchr_iter, memchr2_iter};

use crate::input::line::{MAX_LINE_BYTES, is_space};

/// Whether `byte` may be drawn around cells.
pub(in crate::input) fn is_drawn(byte: u8) -> bool {
    matches!(byte, b'|' | b'-' | b'+' | b'=' | b'!' | b' ' | b'\t')
}

/// Bytes of the character at the start of `text` if it may be drawn around cells; 0 if it may not, or at the end.
///
/// Besides ASCII these are the box-drawing characters (U+2500 to U+257F), block elements (U+2580 to U+259F), the dashes
/// of word processors (U+2013, U+2014) and the space that does not break (U+00A0).
pub(super) fn drawn_len(text: &[u8]) -> usize {
    match *text {
        [byte, ..] if is_drawn(byte) => 1,
        [0xc2, 0xa0, ..] => 2,
        [0xe2, 0x94 | 0x95, 0x80..=0xbf, ..]
        | [0xe2, 0x96, 0x80..=0x9f, ..]
        | [0xe2, 0x80, 0x93 | 0x94, ..] => 3,
        _ => 0,
    }
}

/// Whether `line` has a part of a rule: `--`, `==`, or one of `─ ━ ═ – —`.
pub(super) fn has_rule(line: &[u8]) -> bool {
    let is_rule = |at: usize| {
        matches!(line.get(at + 1..at + 3), Some([0x94, 0x80 | 0x81] | [0x95, 0x90] | [0x80, 0x93 | 0x94]))
    };
    memchr2_iter(b'-', b'=', line).any(|at| line.get(at + 1) == Some(&line[at]))
        || memchr_iter(0xe2, line).any(is_rule)
}

/// Whether `line` is blank. A line that is too long is not: a stream keeps only its beginning.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.len() <= MAX_LINE_BYTES && line.iter().all(|&byte| is_space(byte))
}

/// Whether `line` is drawn from end to end, in a grid with rows of `side` cells. Dots, colons and apostrophes are
/// corners if the line has a rule (`--`, `==`, `──`); as many stars as a row has cells are a row of blanks.
pub(super) fn is_frame(line: &[u8], side: usize) -> bool {
    let has_rule = has_rule(line);
    let is_corner = |byte| has_rule && matches!(byte, b'.' | b':' | b'\'');
    let (mut stars, mut at) = (0, 0);
    while let Some(&byte) = line.get(at) {
        let len = drawn_len(&line[at..]);
        if len == 0 && byte != b'*' && !is_corner(byte) {
            return false;
        }
        stars += usize::from(byte == b'*');
        at += len.max(1);
    }
    has_rule || stars != side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_distinguished_from_rows() {
        for frame in [
            "-------+-------+-------",
            "+===+",
            "*-----------*",
            "!",
            " | | ",
            "* * *",
            ".---.---.",
            ":--:--:",
            "'--'",
            "┌───┬───┐",
            "╠═══╬═══╣",
            "│   │   │",
            "█▀▀▀█",
            "———",
            ".──.──.",
        ] {
            assert!(is_frame(frame.as_bytes(), 9), "{frame}");
        }
        for row in
            ["*********", "* * *|* * *|* * *", ". . .", "4--", ":", ".-.", "x--", "│4│", ".│.", "é", "…"]
        {
            assert!(!is_frame(row.as_bytes(), 9), "{row}");
        }
    }
}
