//! Arrays of numpy as files.

use crate::puzzles::cells;

/// An array in version 1 of the format, with the bytes of its rows.
pub fn array(descr: &str, shape: &str, rows: &[u8]) -> Vec<u8> {
    with_version(1, descr, shape, rows)
}

/// The same in a version of the format: 1, 2 or 3.
pub fn with_version(version: u8, descr: &str, shape: &str, rows: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    with_header(version, &header, rows)
}

/// A file whose header is any text.
pub fn with_header(version: u8, text: &str, rows: &[u8]) -> Vec<u8> {
    let before = if version == 1 { 10 } else { 12 };
    let padded = (before + text.len() + 1).next_multiple_of(64) - before;
    let text = format!("{text:<width$}\n", width = padded - 1);
    let mut bytes = [b"\x93NUMPY", &[version, 0][..]].concat();
    match version {
        1 => bytes.extend((padded as u16).to_le_bytes()),
        _ => bytes.extend((padded as u32).to_le_bytes()),
    }
    [bytes, text.into_bytes(), rows.to_vec()].concat()
}

/// The rows of 9x9 puzzles, each value of `width` bytes, greater by `offset`.
pub fn rows(puzzles: &[&str], width: usize, offset: u8) -> Vec<u8> {
    let values = puzzles.iter().flat_map(|puzzle| cells(puzzle));
    values.flat_map(|cell| (0..width).map(move |at| if at == 0 { cell + offset } else { 0 })).collect()
}
