//! What a line means: the shapes of puzzle files, and the table of them.
//!
//! The shape of a source is told from its first lines; [`FORMATS`] lists the shapes in the order they are
//! asked. One file and one row add one. (The shapes found in the wild are collected in `tests/shapes.rs` and
//! `tests/grids.rs`.)

mod csv;
mod grids;
mod lines;
mod notation;

use std::ops::Range;

use memchr::{memchr, memrchr};

use super::chunk::{MAX_LINE_BYTES, RecordEnd};
use crate::grid::Alphabet;
use crate::input::error::{LineError, LineErrorKind};

pub use notation::Spelling;

/// A shape of puzzle file.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name in reports.
    pub name: &'static str,
    /// One line: how to know it.
    pub about: &'static str,
    /// Looks at the first line that is not blank or a comment, and at the whole lines of the `head` that begins
    /// with it; gives the reader if the source has this shape.
    pub recognise: fn(first_line: &[u8], head: &[u8], spelling: &Spelling) -> Option<Box<dyn Shape>>,
}

/// Bytes of a source, from its first line that is not blank or a comment on, that may tell its shape; of that
/// line itself all may.
pub const HEAD_BYTES: usize = 8192;

/// Every shape, in the order they are asked. The last one takes everything.
pub const FORMATS: &[Format] = &[csv::FORMAT, grids::FORMAT, lines::FORMAT];

/// The reader for a source that begins with `text`: its name and its shape. What is more than [`HEAD_BYTES`]
/// behind the start of the first record is not looked at.
///
/// How its puzzles are written may be given as a number of cells: 81 are nine by nine digits.
pub fn recognise(text: &[u8], spelling: impl Into<Spelling>) -> (&'static str, Box<dyn Shape>) {
    let spelling = spelling.into();
    let first_line = first_line(text).unwrap_or_default();
    let mut head = &text[first_line.start..];
    if head.len() > HEAD_BYTES {
        head = &head[..memrchr(b'\n', &head[..HEAD_BYTES]).map_or(0, |line_end| line_end + 1)];
    }
    let mut shapes = FORMATS.iter();
    shapes
        .find_map(|format| {
            Some((format.name, (format.recognise)(&text[first_line.clone()], head, &spelling)?))
        })
        .unwrap_or_else(|| (lines::FORMAT.name, Box::new(lines::Lines { spelling: spelling.clone() })))
}

/// The columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// What stands between them.
    pub delimiter: u8,
    /// How many there are.
    pub count: usize,
    /// Which one holds the puzzle, from 0.
    pub puzzle: usize,
}

/// The line that names the columns of a table.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// Without its end.
    pub line: &'a [u8],
    /// What it says.
    pub columns: Columns,
}

/// A line that begins with the cells of the puzzle, behind which there is the line end or one of `ends`.
#[derive(Clone, Copy, Debug)]
pub struct Regular<'a> {
    /// How the puzzle is written.
    pub spelling: &'a Spelling,
    /// What may end it, beside the line end.
    pub ends: &'a [u8],
}

/// Finds the puzzle, and the solution beside it, in a line; or reads whole chunks, where a record may be more
/// than a line.
pub trait Shape: Send + Sync {
    /// The columns, if this is a table: the first line that is not blank or a comment names them then.
    fn columns(&self) -> Option<Columns>;

    /// Whether the first line that is not blank or a comment names the columns and is no record.
    fn has_header(&self) -> bool {
        self.columns().is_some()
    }

    /// What most lines of this shape look like, if they begin with the puzzle. Those are read without asking
    /// [`puzzle`](Self::puzzle), which must find the same in them.
    fn regular(&self) -> Option<Regular<'_>>;

    /// Where the puzzle stands in `line`; its cells (0 blank, 1..=n) are appended to `puzzles`.
    ///
    /// `line` has no line end, is not blank and no comment.
    ///
    /// # Errors
    /// A [`LineError`] with the first wrong column; `puzzles` is then as it was.
    fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError>;

    /// Where the solution, or the status word in its place, stands in `line` whose puzzle stands at `puzzle`, if
    /// there is one.
    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>>;

    /// Where chunks may end, if not behind every line.
    fn record_end(&self) -> Option<RecordEnd> {
        None
    }

    /// Reads all records of `chunk`, if a record may be more than a line; says whether it did.
    fn read(&self, _chunk: &[u8], _records: &mut Records) -> bool {
        false
    }
}

/// One record: a line that is neither blank nor a comment, or a grid of several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number in the chunk, from 0, of its line: of several the first, or the one that is wrong.
    pub line: u64,
    /// Its bytes in the chunk, without the last line end.
    pub text: Range<usize>,
    /// The puzzle's bytes in the chunk, or why there is none. More of them than cells are a grid of several lines.
    pub puzzle: Result<Range<usize>, LineError>,
}

/// A puzzle on one line: `text`, as it was read, if it is as long as its `cells`; otherwise they are drawn in `room`,
/// in the symbols of `alphabet`.
#[inline]
pub fn on_one_line<'a>(text: &'a [u8], cells: &[u8], alphabet: &Alphabet, room: &'a mut Vec<u8>) -> &'a [u8] {
    if text.len() == cells.len() { text } else { draw(cells, alphabet, room) }
}

#[cold]
fn draw<'a>(cells: &[u8], alphabet: &Alphabet, room: &'a mut Vec<u8>) -> &'a [u8] {
    room.clear();
    room.extend(cells.iter().map(|&cell| alphabet.character(cell)));
    room
}

/// Records that are alike: lines of one length, one behind the other, the puzzle in the same place of each.
///
/// A file of regular lines is one run a chunk, and its records cost no memory; every irregular line is a run of
/// its own.
#[derive(Clone, Debug)]
pub struct Run {
    first: Record,
    /// Bytes from the start of a line to the start of the next one.
    stride: usize,
    len: usize,
}

impl Run {
    /// The records, in order.
    #[inline]
    pub fn records(&self) -> impl Iterator<Item = Record> + '_ {
        (0..self.len).map(|index| {
            let shift = |at: &Range<usize>| at.start + index * self.stride..at.end + index * self.stride;
            Record {
                line: self.first.line + index as u64,
                text: shift(&self.first.text),
                puzzle: self.first.puzzle.as_ref().map(shift).map_err(|error| *error),
            }
        })
    }
}

/// The records of a chunk. Kept and filled again for the next one.
#[derive(Debug, Default)]
pub struct Records {
    /// The well-formed puzzles, flat: place `i` belongs to the `i`th record whose `puzzle` is `Ok`.
    pub puzzles: Vec<u8>,
    /// Every record, in order.
    pub runs: Vec<Run>,
    /// Lines in the chunk, records or not.
    pub lines: u64,
}

impl Records {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Every record, in order.
    pub fn iter(&self) -> impl Iterator<Item = Record> + '_ {
        self.runs.iter().flat_map(Run::records)
    }

    /// Reads `chunk`, whole records of a source of this `shape`; `is_first` says that the source starts here.
    pub fn read(&mut self, shape: &dyn Shape, chunk: &[u8], is_first: bool) {
        self.puzzles.clear();
        self.runs.clear();
        self.lines = 0;
        if shape.read(chunk, self) {
            return;
        }
        let mut is_header = is_first && shape.has_header();
        let regular = shape.regular();
        let mut start = 0;
        while start < chunk.len() {
            if !is_header && let Some(regular) = &regular {
                start = self.read_regular(regular, chunk, start);
            }
            let Some((text, next)) = line_at(chunk, start) else { break };
            start = next;
            let line = self.lines;
            self.lines += 1;
            if !is_record(&chunk[text.clone()]) || std::mem::take(&mut is_header) {
                continue;
            }
            let puzzle = self.puzzle(shape, &chunk[text.clone()]);
            let puzzle = puzzle.map(|at| text.start + at.start..text.start + at.end);
            self.runs.push(Run { first: Record { line, text, puzzle }, stride: 0, len: 1 });
        }
    }

    /// Reads the regular lines from `start` on; says where the first one begins that is not.
    fn read_regular(&mut self, regular: &Regular<'_>, chunk: &[u8], start: usize) -> usize {
        // The grids that there are: a number of cells that the compiler knows makes straight vector code.
        match regular.spelling.cells {
            81 => self.read_regular_of::<81>(regular, chunk, start),
            16 => self.read_regular_of::<16>(regular, chunk, start),
            36 => self.read_regular_of::<36>(regular, chunk, start),
            144 => self.read_regular_of::<144>(regular, chunk, start),
            256 => self.read_regular_of::<256>(regular, chunk, start),
            625 => self.read_regular_of::<625>(regular, chunk, start),
            _ => start,
        }
    }

    /// A line's end is not looked for where it stands right behind the cells, and lines that are alike are only
    /// counted. The cells go to where they belong, in room made for more and more puzzles at a time: written
    /// to an array first and appended then they take 14 ns a line in place of 9.5.
    fn read_regular_of<const CELLS: usize>(
        &mut self,
        regular: &Regular<'_>,
        chunk: &[u8],
        start: usize,
    ) -> usize {
        let (ends, spelling) = (regular.ends, regular.spelling);
        let Records { puzzles, runs, lines } = self;
        let mut end_run = |first: usize, len: usize, stride: usize, count: usize| {
            if count > 0 {
                let first =
                    Record { line: *lines, text: first..first + len, puzzle: Ok(first..first + CELLS) };
                runs.push(Run { first, stride, len: count });
                *lines += count as u64;
            }
        };
        let mut next = start;
        // The run in hand: where it starts, how long its lines are without and with their ends.
        let (mut first, mut len, mut stride, mut count) = (start, 0, 0, 0);
        let mut room = 1;
        loop {
            let before = puzzles.len();
            puzzles.resize(before + room * CELLS, 0);
            let mut filled = 0;
            for cells in puzzles[before..].as_chunks_mut::<CELLS>().0 {
                let Some((text, behind)) = chunk[next..].split_first_chunk::<CELLS>() else { break };
                if !spelling.read_of(text, cells) {
                    break;
                }
                let Some((behind_len, behind_stride)) = regular_end(ends, behind) else { break };
                if (CELLS + behind_len, CELLS + behind_stride) != (len, stride) {
                    end_run(first, len, stride, count);
                    (first, count) = (next, 0);
                    (len, stride) = (CELLS + behind_len, CELLS + behind_stride);
                }
                filled += 1;
                count += 1;
                next += stride;
            }
            puzzles.truncate(before + filled * CELLS);
            if filled < room {
                break;
            }
            room = (2 * room).min(64);
        }
        end_run(first, len, stride, count);
        next
    }

    fn puzzle(&mut self, shape: &dyn Shape, line: &[u8]) -> Result<Range<usize>, LineError> {
        if line.len() > MAX_LINE_BYTES {
            let column = MAX_LINE_BYTES as u32 + 1;
            return Err(LineError { column, kind: LineErrorKind::TooLong { limit: MAX_LINE_BYTES as u32 } });
        }
        shape.puzzle(line, &mut self.puzzles)
    }
}

/// What is left of a regular line behind its puzzle: its bytes without and with the line end. `None` if
/// `behind`, which reaches to the end of the chunk, does not begin as it should, or has no line end.
#[inline]
fn regular_end(ends: &[u8], behind: &[u8]) -> Option<(usize, usize)> {
    match behind {
        [b'\n', ..] => Some((0, 1)),
        [b'\r', b'\n', ..] => Some((0, 2)),
        [byte, ..] if ends.contains(byte) => {
            let line_end = memchr(b'\n', behind)?;
            let len = line_end - usize::from(behind[line_end - 1] == b'\r');
            (len < MAX_LINE_BYTES / 2).then_some((len, line_end + 1))
        }
        _ => None,
    }
}

/// Where the first record of a chunk, or the header of a table, begins: the first line that is neither blank nor a
/// comment; of one that is too long, the beginning.
pub fn first_line(chunk: &[u8]) -> Option<Range<usize>> {
    let line = lines(chunk).find(|at| is_record(&chunk[at.clone()]))?;
    Some(line.start..line.end.min(line.start + MAX_LINE_BYTES))
}

/// The lines of a chunk, without their ends.
pub(super) fn lines(chunk: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let (line, next) = line_at(chunk, start)?;
        start = next;
        Some(line)
    })
}

/// The line that begins at `start`, without its end, and where the next one begins.
fn line_at(chunk: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let rest = chunk.get(start..).filter(|rest| !rest.is_empty())?;
    let end = start + memchr(b'\n', rest).unwrap_or(rest.len());
    Some((start..end - usize::from(chunk[start..end].ends_with(b"\r")), end + 1))
}

/// Whether `line` is a record: not blank, and no comment (`#` first).
///
/// Only what is kept of a line that is too long is looked at: one that is blank so far is a record.
pub(super) fn is_record(line: &[u8]) -> bool {
    let first = line.iter().take(MAX_LINE_BYTES).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    first.map_or(line.len() > MAX_LINE_BYTES, |&byte| byte != b'#')
}

/// Whether `byte` ends a field.
pub(super) fn is_separator(byte: u8) -> bool {
    const IS_SEPARATOR: [bool; 256] = {
        let mut is_separator = [false; 256];
        let mut at = 0;
        while at < SEPARATORS.len() {
            is_separator[SEPARATORS[at] as usize] = true;
            at += 1;
        }
        is_separator
    };
    IS_SEPARATOR[usize::from(byte)]
}

const SEPARATORS: &[u8] = b" \t,;:#";

/// Whether `byte` stands for a blank cell: `.` `0` `*` `_` `x` `X` `?`.
#[inline]
fn is_blank(byte: u8) -> bool {
    // Not `matches!` or `||`: vectors compare all of them at once and never jump.
    (byte == b'.') | (byte == b'0') | (byte == b'*') | (byte == b'_') | (byte | 0x20 == b'x') | (byte == b'?')
}

/// Fills `cells` from `text`, and says whether all of its bytes are cells.
#[inline(always)]
fn read_cells(text: &[u8], cells: &mut [u8]) -> bool {
    let mut wrong = 0;
    for (cell, &byte) in cells.iter_mut().zip(text) {
        wrong |= read_cell(byte, cell, is_blank);
    }
    wrong == 0
}

/// The same for a number of cells that the compiler knows: first for the blanks that nearly all files have,
/// then for all of them.
///
/// Not compiled for AVX2, which would save 2 ns of 9 a line.
#[inline(always)]
fn read_cells_of<const CELLS: usize>(text: &[u8; CELLS], cells: &mut [u8; CELLS]) -> bool {
    read_blocks(text, cells, |byte| byte == b'.') || read_blocks(text, cells, is_blank)
}

/// Block by block, the last one back from the end over what was read already: nothing is left to be read byte
/// by byte. Two SSE2 vectors a block; with one LLVM sees no vectors at all in the shorter of the two loops.
#[inline(always)]
fn read_blocks<const CELLS: usize>(
    text: &[u8; CELLS],
    cells: &mut [u8; CELLS],
    is_blank: impl Fn(u8) -> bool + Copy,
) -> bool {
    const BLOCK: usize = 32;
    let mut wrong = [0; BLOCK];
    let mut block = |start: usize| {
        let (text, cells) = (&text[start..start + BLOCK], &mut cells[start..start + BLOCK]);
        for lane in 0..BLOCK {
            wrong[lane] |= read_cell(text[lane], &mut cells[lane], is_blank);
        }
    };
    (0..CELLS / BLOCK).for_each(|index| block(index * BLOCK));
    block(CELLS - BLOCK);
    wrong == [0; BLOCK]
}

/// Fills `cell` from its byte, and gives something else than 0 if that is none.
///
/// Without a branch, and with a byte to remember what was wrong: the compiler makes vector code of a loop over
/// that, which it does not of `extend` and a `bool`.
#[inline(always)]
fn read_cell(byte: u8, cell: &mut u8, is_blank: impl Fn(u8) -> bool) -> u8 {
    let digit = byte.wrapping_sub(b'0');
    let is_digit = digit <= 9;
    *cell = if is_digit { digit } else { 0 };
    u8::from(!is_digit & !is_blank(byte))
}

/// The field that begins at `start`: up to the next separator or the end.
fn field(line: &[u8], start: usize) -> Range<usize> {
    let end = line[start..].iter().position(|&byte| is_separator(byte)).map_or(line.len(), |at| start + at);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape with no regular lines: every line is searched.
    struct Searched<'a>(&'a dyn Shape);

    impl Shape for Searched<'_> {
        fn columns(&self) -> Option<Columns> {
            self.0.columns()
        }
        fn regular(&self) -> Option<Regular<'_>> {
            None
        }
        fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
            self.0.puzzle(line, puzzles)
        }
        fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>> {
            self.0.solution(line, puzzle)
        }
    }

    const HEADERS: [&str; 6] =
        ["", "puzzle\n", "# c\n\npuzzle,solution\n", "puzzle;id\r\n", "id,puzzle\n", "solution\tpuzzle\n"];

    /// What may stand behind a puzzle, line end included.
    const TAILS: [&str; 19] = [
        "\n", "\n", "\n", "\n", "\n", "\r\n", "\r\n", ",\n", ";7\n", ";7\r\n", ",12345\n", ",12345\n",
        ":1:2\n", " #\r\n", "\r\r\n", "\r", "\t\r", "x\n", "\"\n",
    ];

    fn assert_read_alike(text: &[u8], is_first: bool) {
        let (_, shape) = recognise(text, 81);
        let (mut read, mut searched) = (Records::default(), Records::default());
        read.read(shape.as_ref(), text, is_first);
        searched.read(&Searched(shape.as_ref()), text, is_first);
        let all = |records: &Records| records.iter().collect::<Vec<_>>();
        assert_eq!(all(&read), all(&searched), "{:?}", String::from_utf8_lossy(text));
        assert_eq!(read.len(), searched.runs.len());
        assert_eq!((read.lines, read.puzzles), (searched.lines, searched.puzzles));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

        #[test]
        fn regular_lines_are_read_as_all_others_are(
            header in proptest::sample::select(&HEADERS[..]),
            lines in proptest::collection::vec(
                ("(|# |x,| )", "[1-9.]{79}[1-9.0*_xX?/:\"#a]{1,2}[0-9.]?", 0..TAILS.len()), 0..12),
            last in "[1-9.]{70,81}",
            is_first in proptest::prelude::any::<bool>(),
        ) {
            let mut text = header.to_owned();
            for (lead, puzzle, tail) in &lines {
                // Mostly regular ones.
                let lead = if puzzle.starts_with('1') { lead.as_str() } else { "" };
                text.extend([lead, &puzzle[..puzzle.len().min(81)], TAILS[*tail]]);
            }
            assert_read_alike((text + &last).as_bytes(), is_first);
        }
    }

    #[test]
    fn lines_about_as_long_as_may_be_are_read_alike() {
        for len in [MAX_LINE_BYTES / 2, MAX_LINE_BYTES - 1, MAX_LINE_BYTES, MAX_LINE_BYTES + 1] {
            for end in ["\n", "\r\n"] {
                let line = format!("{},{}{end}", "1".repeat(81), "7".repeat(len - 82));
                assert_read_alike(line.repeat(3).as_bytes(), false);
            }
        }
    }

    #[test]
    fn lines_that_are_alike_are_one_run() {
        let line = format!("{}\n", "1.".repeat(40) + "2");
        let text = line.repeat(1000) + "wrong\n" + &line.repeat(3);
        let (_, shape) = recognise(text.as_bytes(), 81);
        let mut records = Records::default();
        records.read(shape.as_ref(), text.as_bytes(), true);
        assert_eq!(records.runs.iter().map(|run| run.len).collect::<Vec<_>>(), [1000, 1, 3]);
        assert_eq!(records.iter().last().unwrap().line, 1003);
    }
}
