//! Reads the records of a chunk, by its format.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr3};

use super::error::LineError;
use super::format::{Columns, Format, Notation, Regular};
use super::line::{MAX_LINE_BYTES, MAX_RECORD_BYTES, first_line, is_record, line_and_column, line_at};
use super::records::{MissingCells, Records, Run};

impl Records {
    /// Reads `chunk`, whole records of a source of this `format`; `is_first` says that the source starts here.
    ///
    /// # Errors
    /// [`MissingCells`] if the format gives a record without its cells.
    pub(crate) fn read(&mut self, format: &Format, chunk: &[u8], is_first: bool) -> Result<(), MissingCells> {
        self.clear(format.notation.cells);
        let all = format.read_all(chunk, self);
        all.unwrap_or_else(|| self.read_rows(format, chunk, is_first))
    }

    /// Reads the records of `chunk`, one after the other.
    fn read_rows(&mut self, format: &Format, chunk: &[u8], is_first: bool) -> Result<(), MissingCells> {
        let (mut start, mut has_header) = (0, is_first && format.has_header());
        if is_first && format.before_records > 0 {
            start = first_line(chunk).map_or(0, |line| line.start + format.before_records);
            self.lines += memchr_iter(b'\n', &chunk[..start]).count() as u64;
        }
        while has_header && let Some((text, next)) = line_at(chunk, start) {
            self.next_line();
            has_header = !is_record(&chunk[text]);
            start = next;
        }
        while start < chunk.len() {
            if let Some(regular) = format.regular {
                start = self.read_regular(&format.notation, regular, chunk, start);
            }
            let Some((text, next)) = format.record_at(chunk, start) else { break };
            let line = match format.shares_lines {
                true => {
                    self.lines += memchr_iter(b'\n', &chunk[start..text.start]).count() as u64;
                    self.lines
                }
                false => self.next_line(),
            };
            start = next;
            let bytes = &chunk[text.clone()];
            self.lines += memchr_iter(b'\n', bytes).count() as u64;
            if !format.is_record(bytes) {
                continue;
            }
            let row = self.row_of(format, bytes);
            let missing_fields = row.as_ref().map_or(0, |(_, missing)| *missing);
            let (lines, puzzle) = match row {
                Ok((puzzle, _)) => (0, Ok(puzzle)),
                Err(error) => {
                    let (lines, column) = line_and_column(bytes, error.column as usize - 1);
                    (lines, Err(LineError { column, ..error }))
                }
            };
            self.push(format.name, line + lines, text, puzzle)?;
            if let Some(run) = self.runs.last_mut() {
                run.missing_fields = missing_fields;
            }
        }
        if format.shares_lines {
            self.lines += memchr_iter(b'\n', &chunk[start.min(chunk.len())..]).count() as u64;
        }
        Ok(())
    }

    fn row_of(&mut self, format: &Format, line: &[u8]) -> Result<(Range<usize>, usize), LineError> {
        let is_row = format.has_long_records();
        if line.len() > if is_row { MAX_RECORD_BYTES } else { MAX_LINE_BYTES } {
            return Err(LineError::too_long(is_row));
        }
        format.row(line, &mut self.puzzles)
    }

    /// Reads the regular lines from byte `start` on; returns the start of the first line that is not regular.
    ///
    /// The puzzles of lines that are alike are copied, one behind the other, and then become cells all at once. A line's
    /// end is not searched for if it comes right behind the puzzle.
    fn read_regular(&mut self, notation: &Notation, regular: Regular, chunk: &[u8], start: usize) -> usize {
        // More and more at a time: of lines behind one whose puzzle is wrong the work is lost.
        let (size, mut next, mut most) = (notation.cells, start, 1);
        let mut found = Shape::of(regular, size, &chunk[next..]);
        while let Some(shape) = found {
            let (before, mut copied, mut end) = (self.puzzles.len(), 0, next);
            while found == Some(shape) && copied < most {
                let text = &chunk[end + shape.at..][..size];
                // A number of bytes that the compiler knows is copied by a few moves.
                match <&[u8; 81]>::try_from(text) {
                    Ok(text) => self.puzzles.extend_from_slice(text),
                    Err(_) => self.puzzles.extend_from_slice(text),
                }
                copied += 1;
                end += shape.stride;
                let rest = &chunk[end..];
                found =
                    if shape.is_next(regular, size, rest) { found } else { Shape::of(regular, size, rest) };
            }
            let cells = notation.alphabet.read_in_place(&mut self.puzzles[before..]);
            let read = cells / size.max(1);
            self.puzzles.truncate(before + read * size);
            self.push_alike(next, size, shape, read);
            next += read * shape.stride;
            if read < copied {
                break;
            }
            most = (2 * most).min(MOST_AT_ONCE);
        }
        next
    }

    /// Appends the records of `len` regular lines that are alike. The first one starts at byte `start`.
    fn push_alike(&mut self, start: usize, size: usize, Shape { at, text, stride }: Shape, len: usize) {
        let (line, place) = (self.lines, self.puzzles_before());
        self.lines += len as u64;
        match self.runs.last_mut() {
            Some(run)
                if (run.text.len(), run.stride) == (text, stride)
                    && run.text.start + run.len * stride == start
                    && run.puzzle.as_ref().is_ok_and(|puzzle| puzzle.start == at) =>
            {
                run.len += len;
            }
            _ if len == 0 => {}
            _ => {
                let (text, puzzle) = (start..start + text, Ok(at..at + size));
                self.runs.push(Run { line, text, puzzle, place, stride, len, missing_fields: 0 });
            }
        }
    }
}

/// Puzzles of regular lines that become cells at once. They stay in the first-level cache.
const MOST_AT_ONCE: usize = 64;

/// A regular line: the start of its puzzle, and its length without and with the line end.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shape {
    at: usize,
    text: usize,
    stride: usize,
}

impl Shape {
    /// The shape of the line that `rest` begins with, whose puzzle has `size` bytes, if it is regular. (They may be no
    /// cells.)
    #[inline(always)]
    fn of(regular: Regular, size: usize, rest: &[u8]) -> Option<Shape> {
        let at = match regular {
            Regular::Fields(columns) if columns.puzzle > 0 => row_start(columns, rest)?,
            _ => 0,
        };
        let behind = rest.get(at + size..)?;
        let (len, stride) = match regular {
            Regular::Ends(ends) => regular_end(ends, behind)?,
            Regular::Fields(columns) => row_end(columns, behind)?,
        };
        Some(Shape { at, text: at + size + len, stride: at + size + stride })
    }

    /// Whether the line that `rest` begins with has this shape, found without a search. It may have it if this is false.
    #[inline(always)]
    fn is_next(self, regular: Regular, size: usize, rest: &[u8]) -> bool {
        let Some((line, b"\n")) = rest.get(..self.stride).and_then(|line| line.split_at_checked(self.text))
        else {
            return false;
        };
        let Regular::Fields(columns) = regular else { return line.len() == size };
        let (before, behind) = (&line[..self.at], &line[self.at + size..]);
        let ends_field = |byte: Option<&u8>| byte.is_none_or(|&byte| byte == columns.delimiter);
        ends_field(before.last())
            && ends_field(behind.first())
            && delimiters(before, columns.delimiter) == Some(columns.puzzle)
            && delimiters(behind, columns.delimiter) == Some(columns.count - columns.puzzle - 1)
    }
}

/// The part of a regular line behind its puzzle: its bytes without and with the line end. `behind` reaches to the
/// end of the chunk. `None` if it does not begin as a regular line does, or has no line end.
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

/// The same in a row of a table, which is regular if it has all fields of the header, without quotes. (A carriage
/// return in a row is not a part of its line end.)
#[inline]
fn row_end(columns: Columns, behind: &[u8]) -> Option<(usize, usize)> {
    let (len, stride) = regular_end(std::slice::from_ref(&columns.delimiter), behind)?;
    // The first byte is the delimiter behind the puzzle, if there is one.
    let rest = behind[..len].get(1..).unwrap_or_default();
    let fields = 1 + usize::from(len > 0) + delimiters(rest, columns.delimiter)?;
    (columns.puzzle + fields == columns.count).then_some((len, stride))
}

/// How many delimiters `fields` have; `None` if there is a quote, a line end or a carriage return.
///
/// Four comparisons a byte, which the compiler makes vectors of. Fields are short: to find one delimiter after the
/// other with `memchr3_iter` takes 443 instructions a row of five columns instead of 288.
#[inline]
fn delimiters(fields: &[u8], delimiter: u8) -> Option<usize> {
    let (mut count, mut is_plain) = (0, true);
    // A counter of 8 bits does not overflow.
    for block in fields.chunks(128) {
        let (mut found, mut other) = (0u8, 0u8);
        for &byte in block {
            found += u8::from(byte == delimiter);
            other |= u8::from(byte == b'"') | u8::from(byte == b'\r') | u8::from(byte == b'\n');
        }
        count += usize::from(found);
        is_plain &= other == 0;
    }
    is_plain.then_some(count)
}

/// The start of the puzzle in a regular row, which may have other fields before it.
#[inline]
fn row_start(columns: Columns, line: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..columns.puzzle {
        at += memchr3(columns.delimiter, b'"', b'\n', &line[at..])
            .filter(|end| line[at + end] == columns.delimiter)?
            + 1;
    }
    (at < MAX_LINE_BYTES / 2 && memchr(b'\r', &line[..at]).is_none()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::error::LineErrorKind;
    use crate::input::format::{CellText, FieldPlaces, RecordPlaces, recognised};

    const HEADERS: [&str; 6] =
        ["", "puzzle\n", "# c\n\npuzzle,solution\n", "puzzle;id\r\n", "id,puzzle\n", "solution\tpuzzle\n"];

    /// What may come behind a puzzle, line end included.
    const TAILS: [&str; 23] = [
        "\n",
        "\n",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r\n",
        ",\n",
        ";7\n",
        ";7\r\n",
        ",12345\n",
        ",12345\n",
        ":1:2\n",
        " #\r\n",
        "\r\r\n",
        ",a\r\r\n",
        ",\"a,b\"\n",
        ",\"a\n",
        ";\"a\"b\"\r\n",
        "\r",
        "\t\r",
        "x\n",
        "\"\n",
    ];

    fn assert_read_alike(text: &[u8], is_first: bool) {
        let (mut read, mut searched) = (Records::default(), Records::default());
        let mut format = recognised(text, 81);
        read.read(&format, text, is_first).unwrap();
        format.regular = None;
        searched.read(&format, text, is_first).unwrap();
        let all: Vec<_> = read.iter(text).collect();
        assert_eq!(all, searched.iter(text).collect::<Vec<_>>(), "{:?}", String::from_utf8_lossy(text));
        assert_eq!((read.len(), all.len()), (searched.runs.len(), read.len()));
        assert_eq!((read.lines, &read.puzzles), (searched.lines, &searched.puzzles));
        let cells = all.iter().filter_map(|record| Some(record.puzzle.as_ref().ok()?.cells));
        assert_eq!(cells.collect::<Vec<_>>().concat(), read.puzzles);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

        #[test]
        fn regular_lines_are_read_like_all_others(
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
    fn rows_of_one_length_are_read_alike_whatever_they_hold() {
        let puzzle = "1.".repeat(40) + "2";
        let row = |before: &str, behind: &str| format!("{before}{puzzle}{behind}\n");
        for before in ["1234,", "1,34,", "12345", "12,45", "\"234,", "12\r4,", "\n234,"] {
            for behind in [",easy", ",ea,y", "xeasy", "x,asy", ",e\"sy", ",eas\r", ",e\nsy"] {
                let usual = row("1234,", ",easy").repeat(3);
                let text = format!("id,puzzle,level\n{usual}{}{usual}", row(before, behind));
                assert_read_alike(text.as_bytes(), true);
            }
        }
    }

    #[test]
    fn lines_near_the_greatest_length_are_read_alike() {
        for len in [MAX_LINE_BYTES / 2, MAX_LINE_BYTES - 1, MAX_LINE_BYTES, MAX_LINE_BYTES + 1] {
            for end in ["\n", "\r\n"] {
                let line = format!("{},{}{end}", "1".repeat(81), "7".repeat(len - 82));
                assert_read_alike(line.repeat(3).as_bytes(), false);
            }
        }
    }

    /// The records of `text`, puzzles of this number of cells.
    fn read(text: &str, cells: usize) -> Records {
        let mut records = Records::default();
        records.read(&recognised(text.as_bytes(), cells), text.as_bytes(), true).unwrap();
        records
    }

    #[test]
    fn lines_that_are_alike_are_one_run() {
        for (line, cells) in [("1.".repeat(40) + "2", 81), ("1.3.".repeat(4), 16)] {
            let line = format!("{line}\n");
            let text = line.repeat(1000) + "wrong\n" + &line.repeat(3);
            let records = read(&text, cells);
            assert_eq!(records.runs.iter().map(|run| run.len).collect::<Vec<_>>(), [1000, 1, 3]);
            let last = records.iter(text.as_bytes()).last().unwrap();
            assert_eq!((last.line, last.puzzle.unwrap().place), (1003, 1002));
        }
    }

    #[test]
    fn regular_lines_of_every_kind_are_one_run() {
        let puzzle = "1.".repeat(40) + "2";
        for (header, behind, runs) in [
            ("", "\r\n", 1),
            ("", ",12 # 7\n", 1),
            ("", ";12\r\n", 1),
            ("puzzle\n", "\n", 1),
            ("puzzle,a\n", ",\n", 1),
            ("puzzle,a,b\n", ",1,2\n", 1),
            ("puzzle;a;b;c\n", ";1;,;3\r\n", 1),
            ("puzzle,a,b\n", ",1\n", 5),
            ("puzzle,a,b\n", ",1,2,3\n", 5),
            ("puzzle,a,b\n", ",\"1\",2\n", 5),
        ] {
            let text = header.to_owned() + &format!("{puzzle}{behind}").repeat(5);
            let records = read(&text, 81);
            assert_eq!((records.runs.len(), records.len()), (runs, 5), "{header:?} {behind:?}");
        }
    }

    /// A format that forgets the cells of a puzzle, or appends cells of a malformed record.
    struct Lying(fn(&mut Vec<u8>) -> Result<Range<usize>, LineError>);

    impl RecordPlaces for Lying {}

    impl CellText for Lying {}

    impl FieldPlaces for Lying {
        fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
            match line {
                b"lie" => Ok(((self.0)(puzzles)?, 0)),
                _ => recognised(b"", 81).row(line, puzzles),
            }
        }
        fn solution(&self, _: &[u8], _: Range<usize>) -> Option<Range<usize>> {
            None
        }
    }

    #[test]
    fn a_format_that_loses_a_puzzle_is_found_out() {
        let wrong = LineError { column: 1, kind: LineErrorKind::NoField };
        let lies: [fn(&mut Vec<u8>) -> Result<Range<usize>, LineError>; 3] = [
            |_| Ok(0..3),
            |puzzles| {
                puzzles.extend([1; 162]);
                Ok(0..3)
            },
            |puzzles| {
                puzzles.push(1);
                Err(LineError { column: 1, kind: LineErrorKind::NoField })
            },
        ];
        let text = format!("{0}\nwrong\nlie\n{0}\n", ".".repeat(81));
        for lie in lies {
            let format = Format::new("lying", &81.into(), Lying(lie));
            let error = Records::default().read(&format, text.as_bytes(), true).unwrap_err();
            assert_eq!(error, MissingCells { line: 2, format: "lying" });
            let message = error.at("file", 10).to_string();
            assert!(message.starts_with("file:13: ") && message.contains("`lying`"), "{message}");
        }
        let honest = Lying(|_| Err(LineError { column: 1, kind: LineErrorKind::NoField }));
        let honest = Format::new("lying", &81.into(), honest);
        let mut records = Records::default();
        records.read(&honest, text.as_bytes(), true).unwrap();
        assert_eq!(records.iter(text.as_bytes()).nth(2).unwrap().puzzle, Err(wrong));
    }
}
