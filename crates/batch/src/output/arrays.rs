//! Files of arrays of numpy: `npy` holds one array, `npz` a zip archive of several.
//!
//! An array begins with the number of its rows, which is known only when the last one was written. So the file gets room for
//! the header first, and the header itself at the end: it must be a regular file and not compressed.

#![cfg_attr(
    not(feature = "compressed"),
    allow(dead_code, unused_variables, reason = "without it only the array of the solutions is written")
)]

use std::io::{self, Write};

use super::columns::{Column, Layout};
use super::npy::NpyFile;
use super::{Extras, FormatEntry, OutputFile};
#[cfg(feature = "report")]
use crate::checksum::OutputSum;
use crate::error::{Error, Fact};
use crate::grid::Rules;

impl Fact for NoPlaceForCount {}
impl Fact for NoWidth {}

/// An array cannot be written to this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an array of numpy begins with the number of its rows, which is known only at the end; \
     a pipe, a device or a compressed file cannot be changed then"
)]
pub struct NoPlaceForCount;

/// A column has values of any length, and those of an array have one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the column `{column}` has text of any length, which an array of numpy does not hold")]
pub struct NoWidth {
    /// The name of the column.
    pub column: &'static str,
}

/// The name of the array with the answers.
const ANSWERS: &str = "solution";

/// Which arrays a format writes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrays {
    /// One.
    One,
    /// One for each column, in a zip archive.
    #[cfg(feature = "compressed")]
    EachColumn,
    /// A table, all columns of which are in one file.
    #[cfg(feature = "parquet")]
    Table,
}

/// What the values of an array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// The cells of a grid: 0 for a blank, 1..=n.
    Grid { cells: usize },
    /// ASCII text of at most this many characters.
    Text { characters: usize },
    /// A whole number; -1 for none.
    Whole,
    /// A whole number of 32 bits.
    Index,
    /// A real number; NaN for none.
    Real,
}

/// Characters of the longest word for a status, a tier or a form.
const WORD: usize = 10;

/// Characters of a key.
const KEY: usize = 32;

impl Element {
    /// What is in the column of that name. `None` if its values have no width.
    pub(super) fn of(column: &str, cells: usize) -> Option<Element> {
        Some(match column {
            "puzzle" | "solution" | "partial" | "canonical" | "canonical_solution" => Element::Grid { cells },
            "status" | "tier" | "form" => Element::Text { characters: WORD },
            "key" | "solution_key" => Element::Text { characters: KEY },
            "micros" | "mean" | "geometric_mean" | "deviation" | "weight" => Element::Real,
            "source" => return None,
            _ => Element::Whole,
        })
    }

    /// Bytes of a row.
    pub(super) fn width(self) -> usize {
        match self {
            Element::Grid { cells } => cells,
            Element::Text { characters } => 4 * characters,
            Element::Index => 4,
            Element::Whole | Element::Real => 8,
        }
    }
}

/// A file of arrays, to which the records of a [`FormatEntry`] that [is of arrays](FormatEntry::is_of_arrays) are
/// written, whole or in parts.
#[derive(Debug)]
#[must_use = "`finish` writes the headers and gives the file its name"]
pub struct ArrayFile(Inner);

#[derive(Debug)]
enum Inner {
    One(NpyFile),
    #[cfg(feature = "compressed")]
    EachColumn(super::npz::NpzFile),
    #[cfg(feature = "parquet")]
    Table(super::parquet::ParquetFile),
}

impl ArrayFile {
    /// The records of `format` go to `file`, with these columns (`None`: the usual ones). `Err` gives `file` back if the
    /// format is not of arrays.
    ///
    /// # Errors
    /// [`NoPlaceForCount`], [`NoWidth`], [`ErrorKind::Write`](crate::ErrorKind::Write).
    pub fn new(
        file: OutputFile,
        format: &FormatEntry,
        columns: Option<&[&'static Column]>,
        rules: &Rules,
    ) -> Result<Result<ArrayFile, OutputFile>, Error> {
        let Some(arrays) = format.arrays else { return Ok(Err(file)) };
        let cells = rules.grid().cells();
        let layout = Layout::new(format, columns, Extras::default());
        let names = layout.columns(false).iter().map(|column| column.name);
        ArrayFile::of(file, arrays, names, cells).map(Ok)
    }

    /// The arrays with these names.
    pub(crate) fn of(
        file: OutputFile,
        arrays: Arrays,
        names: impl Iterator<Item = &'static str>,
        cells: usize,
    ) -> Result<ArrayFile, Error> {
        if !file.can_be_rewritten() {
            return Err(Error::from(NoPlaceForCount).in_file(file.name()));
        }
        Ok(ArrayFile(match arrays {
            Arrays::One => Inner::One(NpyFile::new(file, Element::Grid { cells })?),
            #[cfg(feature = "compressed")]
            Arrays::EachColumn => Inner::EachColumn(super::npz::NpzFile::new(file, names, cells)?),
            #[cfg(feature = "parquet")]
            Arrays::Table => Inner::Table(super::parquet::ParquetFile::new(file)),
        }))
    }

    /// The file for records of `format` that are converted: an array of the puzzles and, in an archive, one of the
    /// answers. `Err` gives `file` back if the format is not of arrays.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn of_converted(
        file: OutputFile,
        format: &FormatEntry,
        rules: &Rules,
    ) -> Result<Result<ArrayFile, OutputFile>, Error> {
        let Some(arrays) = format.arrays else { return Ok(Err(file)) };
        ArrayFile::of(file, arrays, ["puzzle", ANSWERS].into_iter(), rules.grid().cells()).map(Ok)
    }

    /// Adds arrays for columns behind those of the records that are converted, before the first record. A format with one
    /// array, or with a table, which names its columns itself, stays as it is.
    ///
    /// # Errors
    /// [`NoWidth`], [`ErrorKind::Write`](crate::ErrorKind::Write).
    pub fn add_columns(
        &mut self,
        names: impl Iterator<Item = &'static str>,
        rules: &Rules,
    ) -> Result<(), Error> {
        match &mut self.0 {
            #[cfg(feature = "compressed")]
            Inner::EachColumn(file) => file.add_columns(names, rules.grid().cells()),
            _ => Ok(()),
        }
    }

    /// Leaves out the array of the answers, for an input without answers.
    pub fn without_answers(&mut self) {
        match &mut self.0 {
            Inner::One(_) => {}
            #[cfg(feature = "compressed")]
            Inner::EachColumn(file) => file.leave_out(ANSWERS),
            #[cfg(feature = "parquet")]
            Inner::Table(_) => {}
        }
    }

    /// Writes the headers, flushes the bytes to the disk, and gives the file its name.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::ErrorKind::Write).
    pub fn finish(self) -> Result<(), Error> {
        self.complete()?.finish()
    }

    /// As [`finish`](Self::finish). Returns the sum of the bytes of the file, if they are [`summed`](OutputFile::summed)
    /// up.
    ///
    /// # Errors
    /// Those of [`OutputFile::finish_summed`].
    #[cfg(feature = "report")]
    pub fn finish_summed(self) -> Result<Option<OutputSum>, Error> {
        self.complete()?.finish_summed()
    }

    /// The file, with its headers.
    fn complete(self) -> Result<OutputFile, Error> {
        match self.0 {
            Inner::One(file) => file.complete(),
            #[cfg(feature = "compressed")]
            Inner::EachColumn(file) => file.complete(),
            #[cfg(feature = "parquet")]
            Inner::Table(file) => file.complete(),
        }
    }
}

impl Write for ArrayFile {
    fn write(&mut self, rows: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::One(file) => file.write(rows),
            #[cfg(feature = "compressed")]
            Inner::EachColumn(file) => file.write(rows),
            #[cfg(feature = "parquet")]
            Inner::Table(file) => file.write(rows),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::One(file) => file.flush(),
            #[cfg(feature = "compressed")]
            Inner::EachColumn(file) => file.flush(),
            #[cfg(feature = "parquet")]
            Inner::Table(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::COLUMNS;
    use crate::puzzle::Status;

    #[test]
    fn every_column_has_a_width_but_the_source() {
        let without: Vec<&str> =
            COLUMNS.iter().map(|column| column.name).filter(|name| Element::of(name, 81).is_none()).collect();
        assert_eq!(without, ["source"]);
        assert!(Status::ALL.iter().all(|status| status.word().len() <= WORD) && "differs".len() <= WORD);
    }
}
