//! Archives of arrays of numpy (`.npz`): one array holds the puzzles, another one may hold the answers, and arrays with
//! one value for each puzzle are columns.
//!
//! These members are unpacked side by side. Their rows come one behind the other, as the rows of one array:
//! ```text
//!   [puzzle 1] [answer 1] [values 1] [puzzle 2] [answer 2] [values 2] ...
//! ```
//! Which arrays these are depends on what the user chose, so it is decided when the first byte is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::blocks::{Blocks, or_error};
use super::error::{InputError, NpyFault};
use super::format::npy::{ArchiveFacts, ArrayColumn, HeaderText};
use super::format::npz::{Candidate, choose};
use super::source::Unpack;
use super::zip::ZipMember;
use crate::compressed::{Meter, TextStream, read_some};

/// Bytes of rows that are taken of a member at a time.
const BLOCK_BYTES: usize = 256 * 1024;

/// Bytes at the start of a member that show what it holds: a header, and some rows.
const HEAD_BYTES: usize = 96 * 1024;

/// The last part of the name of an archive, without the dot.
const ENDING: &str = "npz";

/// The last part of the name of an array in it.
const MEMBER_ENDING: &str = ".npy";

/// The stream of an archive of arrays.
pub(super) struct ArchiveStream {
    /// Begins the rows of the chosen arrays, one behind the other.
    pub(super) unpack: Arc<Unpack>,
    /// Bytes of the compressed arrays.
    pub(super) size: u64,
    /// Which arrays are read, and their common header.
    pub(super) facts: Arc<Mutex<ArchiveFacts>>,
}

/// The arrays of the archive `path` as one stream if its name says that it holds arrays, or else the members again.
pub(super) fn stream(path: &Path, members: Vec<ZipMember>) -> Result<ArchiveStream, Vec<ZipMember>> {
    let is_named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING));
    let is_array = |member: &ZipMember| member.name().ends_with(MEMBER_ENDING);
    if !is_named || !members.iter().any(is_array) {
        return Err(members);
    }
    let arrays: Vec<ZipMember> = members.into_iter().filter(is_array).collect();
    let size = arrays.iter().map(ZipMember::size).sum();
    let facts: Arc<Mutex<ArchiveFacts>> = Arc::default();
    let shared = Arc::clone(&facts);
    let unpack = move |file: &Arc<File>| {
        let mut facts = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let meter = Arc::new(Meter::default());
        TextStream::plain(or_error(rows(file, &arrays, &mut facts, &meter)), meter)
    };
    Ok(ArchiveStream { unpack: Arc::new(unpack), size, facts })
}

/// The rows of the chosen arrays, one behind the other. Their common header goes to `facts`.
fn rows(
    file: &Arc<File>,
    arrays: &[ZipMember],
    facts: &mut ArchiveFacts,
    meter: &Arc<Meter>,
) -> io::Result<impl Read + Send + use<>> {
    let candidates = arrays.iter().map(|array| candidate(file, array)).collect::<io::Result<Vec<_>>>()?;
    let chosen = choose(&candidates, &facts.choice).map_err(io::Error::other)?;
    let fail = |fault: NpyFault| io::Error::other(InputError::from(fault));
    let header = |at: usize| candidates[at].header.clone().map_err(fail);
    let mut parts = Vec::new();
    let mut part = |at: usize, meter: Arc<Meter>, header: usize, width: usize| -> io::Result<()> {
        let mut values = arrays[at].open(file, meter);
        read_some(&mut values, header, &mut Vec::new())?;
        parts.push(ArrayRows { values, width });
        Ok(())
    };
    for (at, meter) in [(Some(chosen.puzzle), Arc::clone(meter)), (chosen.answer, Arc::default())] {
        let Some(at) = at else { continue };
        let header = header(at)?;
        part(at, meter, header.len, header.stride())?;
    }
    let mut columns = Vec::new();
    for at in chosen.columns {
        let Some((header, kind)) = candidates[at].column else { continue };
        part(at, Arc::default(), header, kind.width())?;
        columns.push(ArrayColumn { name: candidates[at].name.clone(), kind });
    }
    let answers = chosen.answer.map(header).transpose()?;
    let puzzles = header(chosen.puzzle)?;
    let all = puzzles.beside(answers.as_ref(), chosen.names, columns, chosen.left_out).map_err(fail)?;
    facts.header = Some(all);
    Ok(Blocks::new(move |bytes| fill(&mut parts, bytes)))
}

/// The header and the first rows of a member.
fn candidate(file: &Arc<File>, array: &ZipMember) -> io::Result<Candidate> {
    let name = array.name();
    let name = name.strip_suffix(MEMBER_ENDING).unwrap_or(&name).to_owned();
    let mut head = Vec::new();
    read_some(&mut array.open(file, Arc::default()), HEAD_BYTES, &mut head)?;
    let text = HeaderText::read(&head);
    let sizes = text.as_ref().ok().and_then(|text| text.sizes.clone()).unwrap_or_default();
    let column = text.as_ref().ok().and_then(HeaderText::column);
    let header = text.and_then(|text| text.grids());
    let rows = header.as_ref().map_or(Vec::new(), |header| head.split_off(header.len));
    Ok(Candidate { name, header, sizes, column, rows })
}

/// The rows of an array.
struct ArrayRows {
    values: TextStream,
    /// Bytes of a row.
    width: usize,
}

/// Appends the next rows of all arrays to `bytes`. An error comes behind the rows before it, which all arrays have. No
/// parts are left at the end.
fn fill(parts: &mut Vec<ArrayRows>, bytes: &mut Vec<u8>) -> io::Result<()> {
    let width: usize = parts.iter().map(|part| part.width).sum();
    if parts.is_empty() {
        return Ok(());
    }
    let count = (BLOCK_BYTES / width.max(1)).max(1);
    let (mut values, mut result) = (Vec::new(), Ok(()));
    for part in parts.iter_mut() {
        let mut found = Vec::new();
        result = result.and(read_some(&mut part.values, count * part.width, &mut found).map(drop));
        values.push((found, part.width));
    }
    let complete = values.iter().map(|(found, width)| found.len() / width).min().unwrap_or(0);
    for row in 0..complete {
        values
            .iter()
            .for_each(|(found, width)| bytes.extend_from_slice(&found[row * width..(row + 1) * width]));
    }
    // One array has ended. A part of a row shows that another one has more.
    if complete < count {
        let behind = values.iter().find(|(found, width)| found.len() > complete * width);
        bytes.extend(behind.map(|_| 0));
        parts.clear();
    }
    result
}
