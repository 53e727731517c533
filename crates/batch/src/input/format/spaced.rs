//! Rows in which a blank is a space, or nothing between two bars or tabs.
//!
//! ```text
//! | 5 3   |   7   |       |    the cells of each part are in columns at equal distances
//! │ 5 │ 3 │   │   │ 7 │        a part for each cell
//! |5|3| | |7| | | | |.         LaTeX's package sudoku
//! 5\t3\t\t\t7\t\t\t\t          a tab, a comma, a semicolon or LaTeX's `&` between the cells
//! 53  7                        as many characters as a row has cells
//! ```

use super::Notation;
use super::frame::drawn_len;
use super::row::{MAX_SIDE, Row};
use crate::grid::Alphabet;

/// The greatest distance of the columns of cells.
const MAX_STEP: usize = 4;

/// The cells of `line`, if it is a row of `side` cells whose blanks are spaces or nothing.
pub(super) fn row(line: &[u8], notation: &Notation, side: usize) -> Option<Row> {
    let cell = |text: &[u8]| cell(text, notation, side);
    let of = |parts: Vec<&[u8]>| collect(parts.into_iter().map(cell));
    let text = in_ascii(line)?;
    if text.len() == side
        && !text.contains(&b'\t')
        && let Some(row) = of(text.chunks(1).collect())
    {
        return Some(row);
    }
    for delimiter in [b'\t', b',', b';', b'&'] {
        let parts: Vec<&[u8]> = text.split(|&byte| byte == delimiter).collect();
        if parts.len() == side {
            return of(parts);
        }
    }
    let parts = parts(&text);
    match parts.len() {
        0 | 1 => None,
        len if len == side => of(parts),
        len if side.is_multiple_of(len) => {
            let width = parts.iter().map(|part| part.len()).max()?;
            let last = [parts[len - 1], &vec![b' '; width - parts[len - 1].len()]].concat();
            let all = parts[..len - 1].iter().copied().chain([&*last]);
            let columns = all.map(|part| columns(part, side / len, &cell));
            collect(columns.flat_map(|cells| match cells {
                Some(cells) => cells.into_iter().map(Some).collect(),
                None => vec![None],
            }))
        }
        _ => None,
    }
}

/// The characters of `line` that are cells, if it is such a row in some alphabet of `side` symbols, with `.` for its
/// blanks. They are empty if the cells are numbers of two digits.
pub(in crate::input) fn characters(line: &[u8], side: usize) -> Option<Vec<u8>> {
    let is_row = |alphabet| row(line, &Notation::of_grid(side * side, alphabet), side).is_some();
    Alphabet::all(side.min(64) as u8).into_iter().any(is_row).then(|| {
        let is_number = line.windows(2).any(|two| two.iter().all(u8::is_ascii_digit));
        let symbols = line.iter().copied().filter(|byte| !is_number && byte.is_ascii_alphanumeric());
        symbols.chain(b".".iter().copied().filter(|_| !is_number)).collect()
    })
}

fn collect(cells: impl Iterator<Item = Option<u8>>) -> Option<Row> {
    let (mut row, mut at) = ([0; MAX_SIDE], 0);
    for cell in cells {
        *row.get_mut(at)? = cell?;
        at += 1;
    }
    Some(row)
}

/// A cell: a symbol, a number, or blank.
fn cell(text: &[u8], notation: &Notation, side: usize) -> Option<u8> {
    match text.trim_ascii() {
        [] => Some(0),
        [byte] => notation.alphabet.cell(*byte).filter(|&cell| cell > 0),
        number => {
            std::str::from_utf8(number).ok()?.parse().ok().filter(|number| (1..=side as u8).contains(number))
        }
    }
}

/// A byte for each character, with `|` for every bar; `None` if another character is not in ASCII, or a part of a rule.
fn in_ascii(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.strip_suffix(b"\\\\").unwrap_or(line);
    let (mut text, mut at) = (Vec::with_capacity(line.len()), 0);
    while at < line.len() {
        let len = drawn_len(&line[at..]).max(1);
        text.push(match line[at..at + len] {
            [b'!'] => b'|',
            [b'-' | b'+' | b'='] => return None,
            [byte] if byte.is_ascii() => byte,
            [0xc2, 0xa0] => b' ',
            // │ ┃ ┆ ┇ ┊ ┋ ║ and halves of blocks.
            [0xe2, 0x94, 0x82 | 0x83 | 0x86 | 0x87 | 0x8a | 0x8b] | [0xe2, 0x95, 0x91] | [0xe2, 0x96, _] => {
                b'|'
            }
            _ => return None,
        });
        at += len;
    }
    Some(text)
}

/// What is between the bars.
fn parts(text: &[u8]) -> Vec<&[u8]> {
    let outside = text.trim_ascii();
    let outside = outside.strip_suffix(b".").filter(|rest| rest.ends_with(b"|")).unwrap_or(outside);
    let inside = outside.strip_prefix(b"|").and_then(|rest| rest.strip_suffix(b"|"));
    inside.unwrap_or(text).split(|&byte| byte == b'|').collect()
}

/// The `count` cells of a part: in columns at equal distances, about as far from both ends, with spaces elsewhere.
fn columns(part: &[u8], count: usize, cell: &dyn Fn(&[u8]) -> Option<u8>) -> Option<Vec<u8>> {
    let of = |step: usize, first: usize| {
        let behind = part.len().checked_sub(first + (count - 1) * step + 1)?;
        let is_column =
            |at: usize| at >= first && (at - first).is_multiple_of(step) && (at - first) / step < count;
        let fits = first.abs_diff(behind) <= 1 && behind <= step;
        let is_clear = part.iter().enumerate().all(|(at, &byte)| byte == b' ' || is_column(at));
        let all = (0..count).map(|index| cell(&part[first + index * step..][..1]));
        if fits && is_clear { all.collect() } else { None }
    };
    (1..=MAX_STEP)
        .flat_map(|step| (0..=step).map(move |first| (step, first)))
        .find_map(|(step, first)| of(step, first))
}
