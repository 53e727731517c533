//! Lines around and between the grids that people draw: frames, rules, titles.

use memchr::memchr2_iter;

use crate::input::line::{MAX_LINE_BYTES, is_space};

/// Whether `byte` may be drawn around cells.
pub(in crate::input) fn is_drawn(byte: u8) -> bool {
    matches!(byte, b'|' | b'-' | b'+' | b'=' | b'!' | b' ' | b'\t')
}

/// Whether `line` is blank. A line that is too long is not: a stream keeps only its beginning.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.len() <= MAX_LINE_BYTES && line.iter().all(|&byte| is_space(byte))
}

/// Whether `text` is a title, as `Grid 07`: the word and a number, as between the grids of
/// <https://projecteuler.net/problem=96>.
pub(super) fn is_title(text: &[u8]) -> bool {
    let (word, number) = text.split_at(text.len().min(4));
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'\t' | b'#' | b':');
    word.eq_ignore_ascii_case(b"grid") && number.iter().all(is_number)
}

/// Whether `line` is drawn from end to end, in a grid with rows of `side` cells. Dots, colons and apostrophes are
/// corners if the line has a rule (`--` or `==`); as many stars as a row has cells are a row of blanks.
pub(super) fn is_frame(line: &[u8], side: usize) -> bool {
    let has_rule = memchr2_iter(b'-', b'=', line).any(|at| line.get(at + 1) == Some(&line[at]));
    let is_corner = |byte| has_rule && matches!(byte, b'.' | b':' | b'\'');
    let mut stars = 0;
    let is_frame = line.iter().all(|&byte| {
        stars += usize::from(byte == b'*');
        is_drawn(byte) || byte == b'*' || is_corner(byte)
    });
    is_frame && (has_rule || stars != side)
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
        ] {
            assert!(is_frame(frame.as_bytes(), 9), "{frame}");
        }
        for row in ["*********", "* * *|* * *|* * *", ". . .", "4--", ":", ".-.", "x--"] {
            assert!(!is_frame(row.as_bytes(), 9), "{row}");
        }
    }

    #[test]
    fn a_title_is_the_word_and_a_number() {
        for title in ["Grid 07", "grid", "GRID 1:", "Grid #3", "grid\t12"] {
            assert!(is_title(title.as_bytes()), "{title}");
        }
        for other in ["", "g", "gri", "grids", "Grid x", "1234", "frid 07"] {
            assert!(!is_title(other.as_bytes()), "{other}");
        }
    }
}
