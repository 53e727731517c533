//! `npz`: an array of numpy for each column, all of the same number of rows, in a zip archive as `numpy.savez` writes
//! it.
//!
//! Cells are bytes (0 for a blank or without a solution), numbers are `int64` (-1 for none), microseconds `float64`
//! (NaN for none), and words and keys strings.
//!
//! ```text
//! archive   [header, array 1] [header, array 2] ... [entry 1] [entry 2] ... [end of zip64] [locator] [end]
//! ```
//! A record comes as its values in all columns, one behind the other. The first column goes to the archive at once, the
//! others to temporary files in the same folder, which are copied behind it at the end: memory does not grow. The
//! fields of zip64 (APPNOTE.TXT 4.3.9, 4.5.3; the numbers of sections are in PKWARE's text) are always written, so that
//! a header has the same length whatever the member's is.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use flate2::Crc;

use super::columns::{Heading, Kind, NoWidth, Usual};
use super::npy::{Element, HEADER_BYTES, header};
use super::record::Written;
use super::sink::{End, Outlet, Sink};
use super::{Converted, FormatEntry, Holds, OutputFile, Printer, Whole};
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "npz",
    about: "a numpy array for each column, in one file, as numpy.savez writes them; needs -o FILE",
    usual: Usual::ARRAYS,
    endings: &["npz"],
    is_of_arrays: true,
    open: |file, headings, rules| Ok(Box::new(NpzFile::new(file, headings, rules)?)),
    printer: Printer::Fields(print),
    converted: Some(Converted {
        about: "numpy arrays with the puzzles and, if there are some, the answers; needs -o FILE",
        holds: Holds::Columns,
        print: None,
    }),
    has_cells: true,
    ..FormatEntry::TEXT
};

/// What is in a column of this kind. `None` if its values have no width.
fn element(kind: Kind, rules: &Rules) -> Option<Element> {
    Some(match kind {
        Kind::Grid => Element::Grid { cells: rules.grid().cells() },
        Kind::Word(characters) => Element::Text { characters },
        Kind::Whole => Element::Whole,
        Kind::Real => Element::Real,
        Kind::Text => return None,
    })
}

fn print(record: &Written<'_>, out: &mut Vec<u8>) {
    // The fields that are kept are the puzzle and its answer.
    for (_, text) in record.kept.fields.iter() {
        push_cells(if record.is_malformed { &[] } else { text }, record.rules, out);
    }
    let mut text = Vec::new();
    for (index, heading) in record.headings.iter().enumerate() {
        text.clear();
        (record.push)(index, &mut text);
        let number = || str::from_utf8(&text).ok();
        match heading.kind {
            // The echo of a malformed record is no grid.
            Kind::Grid if record.is_malformed => push_cells(&[], record.rules, out),
            Kind::Grid => push_cells(&text, record.rules, out),
            Kind::Word(characters) => push_characters(&text, characters, out),
            Kind::Whole => push_whole(number().and_then(|text| text.parse().ok()), out),
            Kind::Real => push_real(number().and_then(|text| text.parse().ok()), out),
            // No file has such a column.
            Kind::Text => {}
        }
    }
}

/// Appends ASCII text as numpy keeps it: four bytes a character, filled up with zeros.
fn push_characters(text: &[u8], characters: usize, out: &mut Vec<u8>) {
    (0..characters).for_each(|at| out.extend([text.get(at).copied().unwrap_or(0), 0, 0, 0]));
}

fn push_whole(number: Option<u64>, out: &mut Vec<u8>) {
    let number = number.map_or(-1, |number| i64::try_from(number).unwrap_or(i64::MAX));
    out.extend(number.to_le_bytes());
}

fn push_real(number: Option<f64>, out: &mut Vec<u8>) {
    out.extend(number.unwrap_or(f64::NAN).to_le_bytes());
}

/// An archive with an array for each column.
#[derive(Debug)]
pub(super) struct NpzFile {
    file: OutputFile,
    members: Vec<Member>,
    /// Bytes of a record.
    record_bytes: usize,
    /// The record that is not complete yet.
    begun: Vec<u8>,
    rows: u64,
}

/// An array of the archive.
#[derive(Debug)]
struct Member {
    /// The name in the archive, which ends in `.npy`.
    name: String,
    /// Whether it has the answers of records that are not solved. It is left out if there are none.
    is_of_answers: bool,
    element: Element,
    /// The rows, if they are not in the archive yet.
    spool: Option<BufWriter<File>>,
    /// The values of some records.
    values: Vec<u8>,
    /// The checksum of the rows.
    crc: Crc,
}

impl NpzFile {
    /// The arrays have these names, all different.
    fn new(mut file: OutputFile, headings: &[Heading], rules: &Rules) -> Result<NpzFile, Error> {
        let mut members: Vec<Member> = Vec::new();
        for heading in headings {
            let element = element(heading.kind, rules).ok_or(NoWidth { column: heading.name })?;
            let spool = match members.len() {
                0 => None,
                _ => {
                    let spool = spool_beside(file.name()).map_err(|error| at(&file, error))?;
                    Some(BufWriter::new(spool))
                }
            };
            members.push(Member {
                name: format!("{}.npy", heading.name),
                is_of_answers: *heading == Heading::ANSWER,
                element,
                spool,
                values: Vec::new(),
                crc: Crc::new(),
            });
        }
        let record_bytes = members.iter().map(|member| member.element.width()).sum::<usize>().max(1);
        if let Some(first) = members.first() {
            let room = first.start(0).len();
            file.write_all(&vec![0; room]).map_err(|error| at(&file, error))?;
        }
        Ok(NpzFile { file, members, record_bytes, begun: Vec::new(), rows: 0 })
    }

    /// Takes whole records apart.
    fn write_records(&mut self, records: &[u8]) -> io::Result<()> {
        self.rows += (records.len() / self.record_bytes) as u64;
        let mut start = 0;
        for member in &mut self.members {
            let width = member.element.width();
            member.values.clear();
            for record in records.chunks_exact(self.record_bytes) {
                member.values.extend_from_slice(&record[start..start + width]);
            }
            start += width;
            member.crc.update(&member.values);
            match &mut member.spool {
                Some(spool) => spool.write_all(&member.values)?,
                None => self.file.write_all(&member.values)?,
            }
        }
        Ok(())
    }

    /// Writes what comes behind the rows. The file is then complete. The first array is in the archive already, so only
    /// another one can be left out.
    fn end(mut self, has_answers: bool) -> Result<OutputFile, Error> {
        self.members.retain(|member| has_answers || member.spool.is_none() || !member.is_of_answers);
        let (rows, mut offset, mut directory) = (self.rows, 0, Vec::new());
        for member in &mut self.members {
            let start = member.start(rows);
            match member.spool.take() {
                None => self.file.rewrite(0, &start)?,
                Some(spool) => {
                    let copied = self.file.write_all(&start).and_then(|()| {
                        let mut rows = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
                        rows.rewind()?;
                        io::copy(&mut rows, &mut self.file)
                    });
                    copied.map_err(|error| at(&self.file, error))?;
                }
            }
            member.push_entry(rows, offset, &mut directory);
            offset += start.len() as u64 + rows * member.element.width() as u64;
        }
        let end = end(self.members.len(), offset, directory.len() as u64);
        let written = self.file.write_all(&directory).and_then(|()| self.file.write_all(&end));
        written.map_err(|error| at(&self.file, error))?;
        Ok(self.file)
    }
}

impl Write for NpzFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.begun.is_empty() {
            let count = bytes.len().min(self.record_bytes - self.begun.len());
            self.begun.extend_from_slice(&bytes[..count]);
            if self.begun.len() == self.record_bytes {
                let record = std::mem::take(&mut self.begun);
                self.write_records(&record)?;
            }
            return Ok(count);
        }
        let (records, begun) = bytes.split_at(bytes.len() - bytes.len() % self.record_bytes);
        self.write_records(records)?;
        self.begun.extend_from_slice(begun);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Outlet for NpzFile {
    fn name(&self) -> Option<&Path> {
        Some(self.file.name())
    }
}

impl Sink for NpzFile {
    fn complete(self: Box<Self>, end: End<'_>) -> Result<Whole, Error> {
        self.end(end.has_answers)?.complete()
    }
}

fn at(file: &OutputFile, error: io::Error) -> Error {
    Error::at(file.name(), ErrorKind::Write(error))
}

/// A file without a name, in the folder of `path`, that goes away when it is closed.
fn spool_beside(path: &Path) -> io::Result<File> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => tempfile::tempfile_in(folder),
        _ => tempfile::tempfile_in("."),
    }
}

/// The version of zip that has the fields of zip64 (4.4.3).
const VERSION: u16 = 45;

/// The first day that a zip archive can name, 1 January 1980 (4.4.6): the same records make the same bytes at any time.
const DATE: u16 = 1 << 5 | 1;

impl Member {
    /// Bytes in the archive.
    fn len(&self, rows: u64) -> u64 {
        HEADER_BYTES as u64 + rows * self.element.width() as u64
    }

    /// The checksum of the header and the rows.
    fn crc(&self, rows: u64) -> u32 {
        let mut crc = Crc::new();
        crc.update(&header(self.element, rows));
        crc.combine(&self.crc);
        crc.sum()
    }

    /// The header of the member (4.3.7) and the header of the array.
    fn start(&self, rows: u64) -> Vec<u8> {
        let mut start = b"PK\x03\x04".to_vec();
        self.push_fields(rows, 20, &mut start);
        start.extend(self.name.as_bytes());
        push_short(&[1, 16], &mut start);
        push_long(&[self.len(rows); 2], &mut start);
        start.extend(header(self.element, rows));
        start
    }

    /// The entry in the directory (4.3.12).
    fn push_entry(&self, rows: u64, offset: u64, directory: &mut Vec<u8>) {
        directory.extend(b"PK\x01\x02");
        push_short(&[VERSION], directory);
        self.push_fields(rows, 28, directory);
        // No comment, the first disk, no attributes.
        push_short(&[0; 5], directory);
        directory.extend([0xff; 4]);
        directory.extend(self.name.as_bytes());
        push_short(&[1, 24], directory);
        push_long(&[self.len(rows), self.len(rows), offset], directory);
    }

    /// The fields that a header and an entry share: version, flags (the name is UTF-8), method, time, date, checksum,
    /// both lengths, and the lengths of the name and of the extra field. The extra field holds the lengths of the
    /// member.
    fn push_fields(&self, rows: u64, extra: u16, out: &mut Vec<u8>) {
        push_short(&[VERSION, 1 << 11, 0, 0, DATE], out);
        out.extend(self.crc(rows).to_le_bytes());
        out.extend([0xff; 8]);
        push_short(&[self.name.len() as u16, extra], out);
    }
}

/// The ends of an archive: the end of zip64 (4.3.14), its locator (4.3.15), and the usual end (4.3.16), which refers to
/// the first in all its fields.
fn end(members: usize, directory_start: u64, directory_len: u64) -> Vec<u8> {
    let mut end = b"PK\x06\x06".to_vec();
    push_long(&[44], &mut end);
    push_short(&[VERSION, VERSION, 0, 0, 0, 0], &mut end);
    push_long(&[members as u64, members as u64, directory_len, directory_start], &mut end);
    end.extend(b"PK\x06\x07\0\0\0\0");
    push_long(&[directory_start + directory_len], &mut end);
    end.extend(b"\x01\0\0\0PK\x05\x06\0\0\0\0");
    end.extend([0xff; 12]);
    end.extend([0, 0]);
    end
}

fn push_short(numbers: &[u16], out: &mut Vec<u8>) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn push_long(numbers: &[u64], out: &mut Vec<u8>) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

/// Appends the cells of a grid that is written in the alphabet of the rules; zeros if `text` is no such grid.
fn push_cells(text: &[u8], rules: &Rules, out: &mut Vec<u8>) {
    let (cells, alphabet) = (rules.grid().cells(), rules.alphabet());
    match text.len() == cells {
        true => out.extend(text.iter().map(|&byte| alphabet.cell(byte).unwrap_or(0))),
        false => out.resize(out.len() + cells, 0),
    }
}
