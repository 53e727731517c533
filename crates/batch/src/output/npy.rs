//! `npy`: an array of numpy with the cells of the solutions, a row each: bytes 1..=n, row by row of the grid. A row of
//! zeros is a puzzle without the solution that was asked for.
//!
//! `input/format/npy.rs` draws the header. Here it always has [`HEADER_BYTES`].

use std::io::{self, Write};
use std::path::Path;

use super::sink::{End, Outlet, Sink};
use super::{Converted, FormatEntry, Holds, OutputFile, Printer, Whole};
use crate::error::{Error, Fact};
use crate::grid::Rules;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "npy",
    about: "a numpy array, (n, 81) bytes, with the solutions (a row of zeros without one); needs -o FILE",
    endings: &["npy"],
    is_of_arrays: true,
    open: |file, headings, rules| {
        // Solutions have no columns; records that are converted have headings.
        let element = if headings.is_empty() { Element::of_solutions } else { Element::of_puzzles };
        Ok(Box::new(NpyFile::new(file, element(rules))?))
    },
    printer: Printer::Cells(push_solution),
    converted: Some(Converted {
        about: "a numpy array with the puzzles, 0 for a blank; needs -o FILE",
        holds: Holds::Puzzle,
        print: Some(|copied, out| push_cells(copied.cells, copied.rules.stride(), out)),
    }),
    ..FormatEntry::TEXT
};

/// An array cannot be written to this file. It begins with the number of its rows, which is known only when the last row
/// was written. So the file gets room for the header first, and the header itself at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a numpy array begins with its number of rows, which is known only at the end; \
     a pipe, a device or a compressed file cannot be changed then"
)]
pub struct NoPlaceForCount;

impl Fact for NoPlaceForCount {}

/// What the values of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// The cells of a grid: 0 for a blank, 1..=n. Of a problem: 1 for a chosen option, 2 for a forbidden one.
    Grid { cells: usize },
    /// ASCII text of at most this many characters.
    Text { characters: usize },
    /// Numbers of options from 1, 0 behind them.
    Options { most: usize },
    /// A whole number; -1 for none.
    Whole,
    /// A real number; NaN for none.
    Real,
}

impl Element {
    /// The puzzles of these rules.
    fn of_puzzles(rules: &Rules) -> Element {
        Element::Grid { cells: rules.stride() }
    }

    /// The solutions of these rules.
    fn of_solutions(rules: &Rules) -> Element {
        match rules.choices() {
            Some(choices) => Element::Options { most: choices.problem().most_chosen().max(1) },
            None => Element::of_puzzles(rules),
        }
    }

    /// Bytes of a row.
    pub(super) fn width(self) -> usize {
        match self {
            Element::Grid { cells } => cells,
            Element::Text { characters } => 4 * characters,
            Element::Options { most } => 4 * most,
            Element::Whole | Element::Real => 8,
        }
    }
}

/// Bytes of a header: enough for the greatest numbers, and a multiple of 64, as numpy wants it.
pub(super) const HEADER_BYTES: usize = 128;

/// Appends the cells of a grid; of a problem the numbers of the chosen options. Zeros without a solution.
#[inline(always)]
fn push_solution(cells: Option<&[u8]>, rules: &Rules, out: &mut Vec<u8>) {
    match rules.choices() {
        Some(_) => push_numbers(cells, Element::of_solutions(rules).width(), out),
        None => push_cells(cells, rules.grid().cells(), out),
    }
}

/// Appends the numbers of the chosen options from 1, ascending, then zeros up to `width` bytes.
fn push_numbers(options: Option<&[u8]>, width: usize, out: &mut Vec<u8>) {
    let end = out.len() + width;
    let chosen = (1_i32..).zip(options.unwrap_or_default()).filter(|&(_, &byte)| byte == 1);
    out.extend(chosen.flat_map(|(number, _)| number.to_le_bytes()).take(width));
    out.resize(end, 0);
}

/// Appends the cells of a grid, or zeros without one.
#[inline(always)]
fn push_cells(cells: Option<&[u8]>, count: usize, out: &mut Vec<u8>) {
    match cells {
        Some(cells) => super::push_text(cells, out),
        None => out.resize(out.len() + count, 0),
    }
}

/// The header of an array of `rows` rows.
pub(super) fn header(element: Element, rows: u64) -> [u8; HEADER_BYTES] {
    let (descr, columns) = match element {
        Element::Grid { cells } => ("|u1".to_owned(), format!(" {cells}")),
        Element::Text { characters } => (format!("<U{characters}"), String::new()),
        Element::Whole => ("<i8".to_owned(), String::new()),
        Element::Options { most } => ("<i4".to_owned(), format!(" {most}")),
        Element::Real => ("<f8".to_owned(), String::new()),
    };
    let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows},{columns}), }}");
    let mut header = [b' '; HEADER_BYTES];
    header[..10].copy_from_slice(b"\x93NUMPY\x01\x00\x76\x00");
    header[10..10 + text.len()].copy_from_slice(text.as_bytes());
    header[HEADER_BYTES - 1] = b'\n';
    header
}

/// A file with one array of numpy, whose rows are written as bytes.
#[derive(Debug)]
struct NpyFile {
    file: OutputFile,
    element: Element,
    /// Bytes of the rows.
    written: u64,
}

impl NpyFile {
    fn new(mut file: OutputFile, element: Element) -> Result<NpyFile, Error> {
        let written = file.write_all(&header(element, 0));
        written.map_err(|error| Error::at(file.name(), crate::ErrorKind::Write(error)))?;
        Ok(NpyFile { file, element, written: 0 })
    }
}

impl Write for NpyFile {
    fn write(&mut self, rows: &[u8]) -> io::Result<usize> {
        let written = self.file.write(rows)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Outlet for NpyFile {
    fn name(&self) -> Option<&Path> {
        Some(self.file.name())
    }
}

impl Sink for NpyFile {
    /// Writes the header again, which now has the number of rows.
    fn complete(mut self: Box<Self>, _: End<'_>) -> Result<Whole, Error> {
        let rows = self.written / self.element.width() as u64;
        self.file.rewrite(0, &header(self.element, rows))?;
        self.file.complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_one_length_whatever_the_numbers_are() {
        for element in
            [Element::Grid { cells: 625 }, Element::Text { characters: 32 }, Element::Whole, Element::Real]
        {
            let header = header(element, u64::MAX);
            assert_eq!((header.len(), header[HEADER_BYTES - 1]), (10 + 0x76, b'\n'));
            assert!(header.trim_ascii_end().ends_with(b", }"), "{header:?}");
        }
        let text = String::from_utf8_lossy(&header(Element::Grid { cells: 81 }, 7)[10..]).into_owned();
        assert!(
            text.starts_with("{'descr': '|u1', 'fortran_order': False, 'shape': (7, 81), }   "),
            "{text}"
        );
    }
}
