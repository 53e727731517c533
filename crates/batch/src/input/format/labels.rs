//! Letters and numbers that people write beside the rows of a grid, and over its columns.
//!
//! ```text
//!     1 2 3   4 5 6   7 8 9
//! A | 5 3 . | . 7 . | . . . |
//! B | 6 . . | 1 9 5 | . . . |
//! ```

use super::frame::drawn_len;
use super::row::Row;

/// `line` behind the label of its row: a letter, or a number before a bar, a colon or a bracket; also `R1`. Before a row
/// of more than nine cells, a letter needs one of these as well, because it may be a cell.
pub(super) fn behind_label(line: &[u8], side: usize) -> Option<&[u8]> {
    let text = line.trim_ascii_start();
    let is_letter = |byte: u8| byte.wrapping_sub(b'a') < side as u8 || byte == b'r';
    let letters = usize::from(text.first().is_some_and(|&byte| is_letter(byte.to_ascii_lowercase())));
    let digits = text[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &text[letters + digits..];
    let behind = rest.trim_ascii_start();
    let mark = match behind.first()? {
        b':' | b')' => 1,
        b'|' | b'!' => 0,
        0xe2 if drawn_len(behind) > 0 => 0,
        _ if letters == 1 && side <= 9 && rest.len() > behind.len() => 0,
        _ => return None,
    };
    (letters + digits > 0 && digits <= 2).then_some(&behind[mark..])
}

/// Whether a row may be the numbers of the columns, counted from 0 or 1.
pub(super) fn are_numbers(row: &Row, side: usize) -> bool {
    (0..=1).any(|first| row[..side].iter().enumerate().all(|(at, &cell)| usize::from(cell) == at + first))
}
