//! Cells written as the digits 1 to 9, read in vectors.
//!
//! No intrinsics: the loops are written so that the compiler makes vector code of them. Compiling them for AVX2 would
//! save 2 ns of 9 a line, and is not done.

/// Whether `byte` is written for a blank cell: `.` `0` `*` `_` `x` `X` `?`.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    // Not `matches!` or `||`: vectors compare with all of them at once and never jump.
    (byte == b'.') | (byte == b'0') | (byte == b'*') | (byte == b'_') | (byte | 0x20 == b'x') | (byte == b'?')
}

/// Whether `text` is nothing but digits from 1, as nearly every answer is. The 81 bytes of a grid become straight
/// vector code; a search for the end of a field does not.
pub(super) fn are_digits(text: &[u8]) -> bool {
    let is_digit = |are: bool, &byte: &u8| are & (byte.wrapping_sub(b'1') < 9);
    match <&[u8; 81]>::try_from(text) {
        Ok(text) => text.iter().fold(true, is_digit),
        Err(_) => text.iter().fold(true, is_digit),
    }
}

/// Fills `cells` from `text`; returns whether all of its bytes are cells.
#[inline(always)]
pub(super) fn read_cells(text: &[u8], cells: &mut [u8]) -> bool {
    let mut wrong = 0;
    for (cell, &byte) in cells.iter_mut().zip(text) {
        wrong |= read_cell(byte, cell, is_blank);
    }
    wrong == 0
}

/// The same for the 81 cells of a 9x9 grid: first with `.` as the only blank, as in nearly all files, then with all
/// blanks.
#[inline(always)]
pub(super) fn read_81_cells(text: &[u8; 81], cells: &mut [u8; 81]) -> bool {
    read_blocks(text, cells, |byte| byte == b'.') || read_blocks(text, cells, is_blank)
}

/// Reads block by block. The last block overlaps the one before it, so that no byte is read alone. A block is two
/// SSE2 vectors: with one, LLVM makes no vector code of the shorter of the two loops.
#[inline(always)]
fn read_blocks(text: &[u8; 81], cells: &mut [u8; 81], is_blank: impl Fn(u8) -> bool + Copy) -> bool {
    const BLOCK: usize = 32;
    let mut wrong = [0; BLOCK];
    let mut block = |start: usize| {
        let (text, cells) = (&text[start..start + BLOCK], &mut cells[start..start + BLOCK]);
        for lane in 0..BLOCK {
            wrong[lane] |= read_cell(text[lane], &mut cells[lane], is_blank);
        }
    };
    (0..81 / BLOCK).for_each(|index| block(index * BLOCK));
    block(81 - BLOCK);
    wrong == [0; BLOCK]
}

/// Fills `cell` from its byte; returns 0 if the byte is a cell, and another number if it is not.
///
/// There is no branch, and the result is a byte: the compiler makes vector code of a loop over that, but not of one
/// over `extend` and a `bool`.
#[inline(always)]
fn read_cell(byte: u8, cell: &mut u8, is_blank: impl Fn(u8) -> bool) -> u8 {
    let digit = byte.wrapping_sub(b'0');
    let is_digit = digit <= 9;
    *cell = if is_digit { digit } else { 0 };
    u8::from(!is_digit & !is_blank(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The obvious version.
    fn cell(byte: u8) -> Option<u8> {
        match byte {
            b'1'..=b'9' => Some(byte - b'0'),
            b'.' | b'0' | b'*' | b'_' | b'x' | b'X' | b'?' => Some(0),
            _ => None,
        }
    }

    #[test]
    fn every_byte_is_read_in_every_place() {
        for place in 0..81 {
            for byte in 0..=255 {
                for other in [b'.', b'0', b'5'] {
                    let mut text = [other; 81];
                    text[place] = byte;
                    let expected: Option<Vec<u8>> = text.iter().map(|&byte| cell(byte)).collect();
                    let (mut one, mut two) = ([7; 81], [7; 81]);
                    let are_read = [read_cells(&text, &mut one), read_81_cells(&text, &mut two)];
                    assert_eq!(are_read, [expected.is_some(); 2], "{byte} in {place}");
                    if let Some(expected) = expected {
                        assert_eq!((&one[..], &two[..]), (&expected[..], &expected[..]), "{byte} in {place}");
                    }
                }
            }
        }
        for byte in 0..=255 {
            assert_eq!(is_blank(byte), cell(byte) == Some(0), "{byte}");
        }
    }
}
