//! What can be wrong with an input as a whole ([`InputError`]) and with one of its lines ([`LineError`]).
//!
//! A malformed line does not end a run: it gets its own status in its place of the output, and a [`LineError`]
//! says why.

use std::fmt;
use std::io;
use std::path::Path;

use galop_cover::text::ChoiceFault;

use super::line::{MAX_LINE_BYTES, MAX_RECORD_BYTES};
use super::strangers::Stranger;
use crate::compressed::Damage;
use crate::error::{Error, ErrorKind, Fact};
use crate::figures::pluralize;
use crate::grid::{AlphabetName, UnclearAlphabet};

impl Fact for InputError {}

/// Why an input cannot be read to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The length or modification time of the file is not what it was at the start.
    #[error("changed while it was being read; the output is not complete")]
    Changed,
    /// The file is compressed, in a format or in a way that is not unpacked. Holds the name of the program that unpacks
    /// it.
    #[error("is {0}-compressed, not text")]
    Compressed(&'static str),
    /// The file is no text in UTF-8.
    #[error("is {0}")]
    NotText(FileKind),
    /// Text beside the puzzles, or the name of a column, is not UTF-8, and the output is JSON.
    #[error("has text that is not UTF-8, as JSON must be; the output is not complete")]
    NotUnicode,
    /// The compressed data cannot be unpacked to their end.
    #[error(transparent)]
    Damaged(Damage),
    /// A member of a zip archive cannot be read.
    #[error("its member `{member}` {fault}")]
    Member {
        /// The name of the member.
        member: String,
        /// Why not.
        fault: MemberFault,
    },
    /// The directory of a zip archive, which is at its end, cannot be read.
    #[error("is a zip archive without a complete directory, so it is cut short or damaged")]
    NoDirectory,
    /// A zip archive or a folder has no files of puzzles.
    #[error(
        "has no files to read: hidden files and folders are not, and others only if they end in {}",
        super::source::endings()
    )]
    NoFiles,
    /// The file is an exact cover problem.
    #[error("is an exact cover problem, not puzzles")]
    ExactCover,
    /// The source holds other things than puzzles, or puzzles in a form that is not read.
    #[error("is {}; {}", .0.name, .0.way_out)]
    Stranger(&'static Stranger),
    /// A line has a second puzzle, of which its format knows nothing.
    #[error("a second puzzle on the line; a line has one puzzle, and may have its solution")]
    SecondPuzzle,
    /// No record at the start of the source is a puzzle. This is wrong with the first one.
    #[error("has no puzzle; {0}")]
    NoPuzzle(LineError),
    /// All lines of the source end in carriage returns, so that it is a single line.
    #[error("its lines end in carriage returns, not in line feeds")]
    CarriageReturns,
    /// The header of a table is malformed, so that its columns are not known.
    #[error("the header of the table is malformed: {0}")]
    Header(LineError),
    /// The header of a table names two columns of puzzles alike.
    #[error(
        "the header names `{name}` twice, in columns {} and {}; the column of the puzzles must have a unique name",
        columns[0],
        columns[1]
    )]
    PuzzleColumns {
        /// The name, in lowercase.
        name: String,
        /// The first two columns of that name, from 1.
        columns: [usize; 2],
    },
    /// No column has the name or the number that the user chose.
    #[error("no column is `{}`; the columns are {}", .name.escape_debug(), ColumnList(.columns))]
    UnknownColumn {
        /// What the user chose.
        name: String,
        /// The names of all columns.
        columns: Vec<String>,
    },
    /// Neither the names of the columns nor their fields show which of them holds the puzzles.
    #[error("it is not clear which column holds the puzzles; the columns are {}", ColumnList(.columns))]
    UnclearColumn {
        /// The names of all columns.
        columns: Vec<String>,
    },
    /// Neither the names of the arrays in an archive nor their values show which of them holds the puzzles.
    #[error("it is not clear which array holds the puzzles; the arrays are {}", ColumnList(.arrays))]
    UnclearArray {
        /// The name of each array, and its shape.
        arrays: Vec<String>,
    },
    /// The reader of a format gave a record without the cells of its puzzle: a bug in galop.
    #[error(
        "the reader of the format `{format}` lost the cells of a puzzle; the output is not complete\n\
         this is a bug in galop"
    )]
    MissingCells {
        /// The name of the format.
        format: &'static str,
    },
    /// The file is an array of numpy whose rows cannot be read, or not all of them.
    #[error(transparent)]
    Npy(#[from] NpyFault),
    /// The symbols of the puzzles fit several alphabets, or none.
    #[error(transparent)]
    Alphabet(#[from] UnclearAlphabet),
}

/// The columns of a table in an error: 1 `id`, 2 `board`.
struct ColumnList<'a>(&'a [String]);

/// Columns that are listed. A table may have thousands.
const MAX_COLUMNS_LISTED: usize = 30;

impl fmt::Display for ColumnList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.iter().take(MAX_COLUMNS_LISTED).enumerate() {
            let start: String = name.trim().chars().take(40).collect();
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{} `{}`", index + 1, start.escape_debug())?;
        }
        match self.0.len().saturating_sub(MAX_COLUMNS_LISTED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// A kind of file that is no text in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileKind {
    /// A zip archive.
    #[error("a zip archive, not text")]
    Zip,
    /// An archive of 7-Zip.
    #[error("a 7-Zip archive, not text")]
    SevenZip,
    /// An archive of the program tar.
    #[error("a tar archive, not text")]
    Tar,
    /// A workbook of Excel, which is a zip archive.
    #[error("an Excel workbook, not text")]
    Xlsx,
    /// Objects of Python.
    #[error("a Python pickle, not text")]
    Pickle,
    /// A file in the Hierarchical Data Format 5.
    #[error("an HDF5 file, not text")]
    Hdf5,
    /// A table in the format of Apache Parquet.
    #[error("a Parquet file, not text")]
    Parquet,
    /// A database of `SQLite`.
    #[error("an SQLite database, not text")]
    Sqlite,
    /// A file or a stream of Apache Arrow.
    #[error("an Arrow file, not text")]
    Arrow,
    /// A picture or a document in PDF.
    #[error("a picture or a PDF document, not text")]
    Picture,
    /// Text in UTF-32.
    #[error("text in UTF-32, not in UTF-8")]
    Utf32,
    /// Text in UTF-16 with a byte-order mark.
    #[error("text in UTF-16, not in UTF-8")]
    Utf16,
    /// Text in UTF-16 without one, least byte first.
    #[error("text in UTF-16 without a byte-order mark, not in UTF-8")]
    Utf16Le,
    /// Text in UTF-16 without one, greatest byte first.
    #[error("text in UTF-16 without a byte-order mark, not in UTF-8")]
    Utf16Be,
    /// Other data with bytes that no text has.
    #[error("binary data, not text")]
    Binary,
}

/// Why a member of a zip archive cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemberFault {
    /// It needs a password.
    #[error("is encrypted")]
    Encrypted,
    /// It is compressed by a method that is not unpacked. Holds the number of the method.
    #[error("is compressed by method {0}, which galop cannot unpack")]
    Method(u16),
}

/// The error of a failed read of the source `path`.
pub(super) fn read_error(path: &Path, error: io::Error) -> Error {
    match error.downcast::<Damage>() {
        Ok(damage) => Error::at(path, InputError::Damaged(damage)),
        Err(error) => match error.downcast::<InputError>() {
            Ok(fact) => Error::at(path, fact),
            Err(error) => Error::at(path, ErrorKind::Read(error)),
        },
    }
}

/// What is wrong with an array of numpy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyFault {
    /// The header is incomplete, too long, or not as numpy writes it.
    #[error("the header of the numpy array is malformed")]
    Header,
    /// The array has its values column by column.
    #[error("a numpy array in Fortran order (rows are read in C order)")]
    ColumnsFirst,
    /// The values are no numbers, or they are true and false and not one-hot.
    #[error("a numpy array of the type `{0}` (cells are whole numbers)")]
    Type(String),
    /// The rows are not grids.
    #[error(
        "a numpy array of the shape {0} (9x9 puzzles are of the shape (n, 81) or (n, 9, 9); one-hot ones have one more axis \
         of 9 or 10)"
    )]
    Shape(String),
    /// The rows are not records of the problem.
    #[error(
        "a numpy array of the shape {found} (records of this problem are of the shape (n, k), the numbers of the chosen \
         options with 0 behind them, or (n, {options}), a 1 for each option that is chosen and a 2 for each that is \
         forbidden)"
    )]
    ChoiceShape {
        /// The shape.
        found: String,
        /// Options of the problem.
        options: usize,
    },
    /// Records of a problem in an archive.
    #[error("an archive of arrays (records of a problem are in one array, `.npy`)")]
    ChoiceArchive,
    /// The digits of one-hot grids may be the first axis as well as the last.
    #[error(
        "a numpy array of the shape {0} whose digits may be in the second axis as well as in the last one"
    )]
    ChannelsFirst(String),
    /// The grids have another size than the rules.
    #[error("a numpy array with {found} cells per row (a puzzle of these rules has {expected})")]
    Cells {
        /// Cells of a row.
        found: usize,
        /// Cells of a puzzle.
        expected: usize,
    },
    /// The array with the answers has another number of rows than the array with the puzzles.
    #[error(
        "the array `{}` has {rows} rows, but the array `{}` has {expected} puzzles",
        .array.escape_debug(),
        .puzzles.escape_debug()
    )]
    Rows {
        /// The name of the array with the answers.
        array: String,
        /// Its rows.
        rows: u64,
        /// The name of the array with the puzzles.
        puzzles: String,
        /// Its rows.
        expected: u64,
    },
    /// The file ends before the last row of its array.
    #[error("ends at byte {offset}, inside row {row} of {rows}; the output is not complete")]
    Ends {
        /// Bytes of the file.
        offset: u64,
        /// The row that is not complete, from 1.
        row: u64,
        /// The rows that the header names.
        rows: u64,
    },
    /// Bytes follow the last row.
    #[error("has {rows} rows by its header, but more bytes after them, from byte {offset} on")]
    Continues {
        /// Where they begin.
        offset: u64,
        /// The rows that the header names.
        rows: u64,
    },
}

/// Why a line is not a puzzle. `Copy` and without heap memory, as a file may have millions of malformed lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[error("{kind}")]
pub struct LineError {
    /// The column of the first wrong byte, from 1, in bytes.
    pub column: u32,
    /// What is wrong there.
    pub kind: LineErrorKind,
}

impl LineError {
    /// The error at byte `at` of its line, from 0.
    pub(super) fn at(at: usize, kind: LineErrorKind) -> LineError {
        LineError { column: at as u32 + 1, kind }
    }

    /// The error of a line that is longer than any, or of a row or object.
    pub(super) fn too_long(is_row: bool) -> LineError {
        match is_row {
            true => LineError::at(MAX_RECORD_BYTES, LineErrorKind::RowTooLong),
            false => LineError::at(MAX_LINE_BYTES, LineErrorKind::TooLong),
        }
    }
}

/// How many cells or fields there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Count {
    /// As many as were found.
    pub found: u32,
    /// As many as there should be.
    pub expected: u32,
}

/// A number of cells in words: `1 cell`, `80 cells`.
fn cells(number: u32) -> String {
    pluralize(number.into(), "cell", "cells")
}

impl Count {
    pub(super) fn new(found: usize, expected: usize) -> Count {
        Count { found: found as u32, expected: expected as u32 }
    }
}

/// What makes a line malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum LineErrorKind {
    /// A byte that is neither a digit nor a blank.
    #[error("{}", unexpected(*.0, "", "fields end in space, tab or one of , ; : #"))]
    Character(u8),
    /// A byte that is neither a symbol of the alphabet nor a blank.
    #[error("unexpected `{}` (cells are {alphabet}, a blank is one of {})", .byte.escape_ascii(), .alphabet.blanks())]
    Symbol {
        /// The byte.
        byte: u8,
        /// The alphabet of the file.
        alphabet: AlphabetName,
    },
    /// A choice that names no option of the problem, or that excludes an earlier one.
    #[error("{0}")]
    Choice(ChoiceFault),
    /// A number in a list that is neither a symbol nor a blank.
    #[error(
        "the number {found}{} (cells are numbers from {} to {most}, a blank is {blank})",
        beyond(*.found),
        blank + 1
    )]
    Number {
        /// The number; `i64::MIN` or `i64::MAX` stand for all numbers that are less or greater.
        found: i64,
        /// The number of a blank: 0, or 1 if all numbers are greater by one.
        blank: u8,
        /// The number of the last symbol.
        most: u8,
    },
    /// A number in an array that does not say what becomes of an option.
    #[error("the number {found}{} (1 chooses an option, 2 forbids it, and 0 does neither)", beyond(*.found))]
    Mark {
        /// The number; `i64::MIN` or `i64::MAX` stand for all numbers that are less or greater.
        found: i64,
    },
    /// A float in an array that is no whole number.
    #[error(
        "the number {:?} (cells are whole numbers from {} to {most}, a blank is {blank} or NaN)",
        f64::from_bits(*.bits),
        blank + 1
    )]
    Float {
        /// The bits of the number, an `f64`.
        bits: u64,
        /// The number of a blank: 0, or 1 if all numbers are greater by one.
        blank: u8,
        /// The number of the last symbol.
        most: u8,
    },
    /// A cell of a one-hot array that is no symbol.
    #[error(
        "{ones} of the {channels} channels of this cell are 1{} (one channel is 1, the others are 0)",
        if *.others == 0 { String::new() } else { format!(", and {others} neither 0 nor 1") }
    )]
    OneHot {
        /// Channels that are 1.
        ones: u16,
        /// Channels that are neither 0 nor 1.
        others: u16,
        /// All channels of the cell.
        channels: u16,
    },
    /// The digits of a puzzle as they are left where a program took them for a number.
    #[error(
        "digits were lost where they were taken for a number (read and keep them as text, in pandas with dtype=str)"
    )]
    LostDigits,
    /// Too few or too many cells.
    #[error("{} (a puzzle has {}, row by row on one line)", cells(.0.found), .0.expected)]
    Length(Count),
    /// The line is longer than any line of puzzles.
    #[error("a line of more than {} bytes (one puzzle per line)", MAX_LINE_BYTES)]
    TooLong,
    /// The row of a table, or a JSON value, is longer than any that is read, wherever its puzzle is.
    #[error(
        "a row of more than {} bytes (the limit of a row, wherever its puzzle is; leave out columns that are not \
         needed)",
        MAX_RECORD_BYTES
    )]
    RowTooLong,
    /// A CSV record ends before the field of the puzzle.
    #[error("no puzzle column (the header has one)")]
    NoField,
    /// A CSV record with more fields than the header. Its columns are not the columns of the header.
    #[error("{} fields (the header has {})", .0.found, .0.expected)]
    Fields(Count),
    /// A quote of a CSV field that is not closed, or not within the bytes of the longest row.
    #[error(
        "a quoted field is not closed (a quote ends it, then comes a delimiter or the end of the row, within {} bytes)",
        MAX_RECORD_BYTES
    )]
    OpenQuote,
    /// A byte behind the closing quote of a CSV field.
    #[error("text after a closing quote (a quote inside a quoted field is written twice)")]
    BehindQuote,
    /// A carriage return in a CSV record, outside quotes.
    #[error("a carriage return inside a row (a row ends with a line feed)")]
    CarriageReturn,
    /// A line that is not a JSON object.
    #[error("no JSON object here (a record is one object: {{\"puzzle\": \"...\"}})")]
    NoObject,
    /// A blank in the answer of a record. Every cell of an answer has a symbol.
    #[error("`{}` is a blank (every cell of a solution has a symbol)", .0.escape_ascii())]
    Blank(u8),
    /// A JSON object without the key of the puzzles.
    #[error("the object has no puzzle (the key of the puzzles is missing)")]
    NoKey,
    /// The JSON value that should be the puzzle is neither a string nor an array.
    #[error("the puzzle is neither a string nor an array")]
    NoGrid,
    /// A byte in a grid over several lines that is neither a cell nor part of a frame.
    #[error("{}", unexpected(*.0, " in a grid", "frames are of | - + = !"))]
    GridCharacter(u8),
    /// A line of a grid with too few or too many cells.
    #[error(
        "{} in a row of a grid (a row has {}, with one of . 0 * _ x X ? for each blank; grids side by side are \
         not read)",
        cells(.0.found), .0.expected
    )]
    GridRow(Count),
    /// A grid that ends too early.
    #[error(
        "a grid ends after {} (it has {}, row by row; blank lines may only divide its bands)",
        cells(.0.found), .0.expected
    )]
    GridLength(Count),
    /// A grid over several lines that is longer than any grid.
    #[error("a grid of more than {} bytes (blank lines separate grids)", MAX_LINE_BYTES)]
    GridTooLong,
}

/// The message about a byte that is no cell, `place` and what else may be there.
fn unexpected(byte: u8, place: &str, others: &str) -> String {
    match byte {
        0 => "a NUL byte (text has none; the file may be binary or truncated)".to_owned(),
        _ => format!(
            "unexpected `{}`{place} (cells are 1-9, a blank is one of . 0 * _ x X ?, {others})",
            byte.escape_ascii()
        ),
    }
}

/// What stands behind a number that stands for others too.
fn beyond(number: i64) -> &'static str {
    match number {
        i64::MIN => " or less",
        i64::MAX => " or more",
        _ => "",
    }
}
