//! Grids over several lines, as people write them. Puzzles on one line may come between them.
//!
//! ```text
//! 4.....8.5    4 . . |. . . |8 . 5    +-------+-------+-------+    *-----------*
//! .3.......    . 3 . |. . . |. . .    | 4 . . | . . . | 8 . 5 |    |4..|...|8.5|
//! ...7.....    . . . |7 . . |. . .    | . 3 . | . . . | . . . |    |.3.|...|...|
//! .2.....6.    ------+------+------   | . . . | 7 . . | . . . |    |...|7..|...|
//! ....8.4..    . 2 . |. . . |. 6 .    +-------+-------+-------+    |---+---+---|
//! ...                  ...                       ...                     ...
//! ```
//! (Peter Norvig writes the second, "Solving Every Sudoku Puzzle", <https://norvig.com/sudoku.html>, and his program
//! also reads the first and puzzles on one line.) Every line is one of these:
//!
//! | line | effect |
//! |---|---|
//! | blank | ends the grid |
//! | a title: `Grid 07` | ends the grid |
//! | only brackets and quotes, with a name: `grid1 = """` | ends the grid |
//! | a comment, or drawn: only `\| - + = ! *`, and `. : '` beside `--` or `==` | none |
//! | with a field of more than six rows or as many bytes as cells | ends the grid; a record as in the format `lines` |
//! | any other | is a row of the grid, good or bad; the ninth ends the grid |
//!
//! A good row has nine cells and otherwise only `| - + = !`, spaces and tabs; `*` is a blank if that makes nine cells,
//! and drawn otherwise. It may also be written as people [paste](super::pasted) rows: `[4, 0, 0, ...],`. A grid of nine
//! good rows is a puzzle. Every other grid is one malformed record, which names the first wrong byte. A bad row counts
//! as one of the nine, so that the next grid is found even if no blank line precedes it. Grids of other sizes likewise,
//! with as many rows and cells.
//!
//! A grid of more than [`MAX_LINE_BYTES`] is malformed and ends there, which bounds the bytes of a source that must
//! be held to find the end of a record.
//!
//! A source has this format if three consecutive rows among its first lines are good. In every other format, no line
//! like that holds a puzzle.

use std::ops::Range;

use memchr::{memchr, memrchr};

use super::frame::is_blank;
use super::lines::Lines;
use super::row::{Line, MAX_SIDE, MIN_SIDE, Row, Rows};
use super::{CellText, FieldPlaces, Format, FormatEntry, Head, Notation, RecordPlaces};
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::input::line::{MAX_LINE_BYTES, line_at, lines};
use crate::input::records::{MissingCells, Records};

/// Nine rows of nine cells (or as many as the size has) over several lines, with or without a frame; also puzzles on
/// one line.
pub(super) const ENTRY: FormatEntry = FormatEntry { name: "grids", recognise };

/// Lines searched for good rows.
const HEAD_LINES: usize = 64;

/// Consecutive good rows that show the format.
const TELLING_ROWS: usize = 3;

struct Grids {
    rows: Rows,
    /// The puzzles on one line.
    lines: Lines,
}

fn recognise(head: &Head<'_>) -> Option<Format> {
    let Head { text, notation, .. } = *head;
    let side = notation.cells.isqrt();
    if side * side != notation.cells || !(MIN_SIDE..=MAX_SIDE).contains(&side) {
        return None;
    }
    let grids = Grids::new(side, notation);
    let mut good_rows = 0;
    for at in lines(text).take(HEAD_LINES) {
        match grids.rows.classify(&text[at]) {
            Line::Drawn => {}
            Line::Row(Ok(_)) => good_rows += 1,
            _ => good_rows = 0,
        }
        if good_rows == TELLING_ROWS {
            return Some(Format { has_many_lines: true, ..Format::new(ENTRY.name, notation, grids) });
        }
    }
    None
}

impl Grids {
    fn new(side: usize, notation: &Notation) -> Grids {
        let lines = Lines { notation: notation.clone() };
        Grids { rows: Rows { side, notation: notation.clone() }, lines }
    }
}

impl CellText for Grids {}

impl FieldPlaces for Grids {
    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        self.lines.row(line, puzzles)
    }

    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>> {
        self.lines.solution(line, puzzle)
    }
}

impl RecordPlaces for Grids {
    /// Reads on from the last blank line before `from`: no grid is open there.
    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let (mut open, mut start) = (None, behind_blank_line(bytes, from));
        loop {
            let next = start + memchr(b'\n', bytes.get(start..)?)? + 1;
            let (text, _) = line_at(bytes, start)?;
            match self.rows.classify(&bytes[text]) {
                Line::Drawn => {}
                Line::Row(_) => open.get_or_insert(Extent { start, rows: 0 }).rows += 1,
                Line::Alone | Line::End => open = None,
            }
            open = open.filter(|extent| !extent.is_over(self.rows.side, next));
            if next > from && open.is_none() {
                return Some(next);
            }
            start = next;
        }
    }

    fn read_all(&self, chunk: &[u8], records: &mut Records) -> Option<Result<(), MissingCells>> {
        Some(self.read(chunk, records))
    }
}

impl Grids {
    /// Reads all records of `chunk`.
    fn read(&self, chunk: &[u8], records: &mut Records) -> Result<(), MissingCells> {
        let (mut open, mut start) = (None, 0);
        while let Some((text, next)) = line_at(chunk, start) {
            let line = records.next_line();
            match self.rows.classify(&chunk[text.clone()]) {
                Line::Drawn => {}
                Line::Row(row) => {
                    open.get_or_insert_with(|| Grid::new(line, text.start)).add(
                        self.rows.side,
                        line,
                        text,
                        row,
                    );
                }
                Line::Alone => {
                    self.end(open.take(), records)?;
                    let puzzle = self.lines.puzzle(&chunk[text.clone()], &mut records.puzzles);
                    records.push(ENTRY.name, line, text, puzzle)?;
                }
                Line::End => self.end(open.take(), records)?,
            }
            let mut over = open.take_if(|grid| grid.extent.is_over(self.rows.side, next));
            if let Some(grid) = over.as_mut().filter(|grid| grid.extent.rows < self.rows.side) {
                grid.fail(line, LineError::at(0, LineErrorKind::GridTooLong));
            }
            self.end(over, records)?;
            start = next;
        }
        self.end(open, records)
    }

    /// Makes a record of `grid`, if there is one.
    fn end(&self, grid: Option<Grid>, records: &mut Records) -> Result<(), MissingCells> {
        let Some(mut grid) = grid else { return Ok(()) };
        let side = self.rows.side;
        if grid.extent.rows < side {
            let (line, len) = grid.last;
            let count = Count::new(grid.extent.rows * side, side * side);
            grid.fail(line, LineError::at(len, LineErrorKind::GridLength(count)));
        }
        let text = grid.extent.start..grid.text_end;
        match grid.error {
            Some((line, error)) => records.push(ENTRY.name, line, text, Err(error)),
            None => {
                records.puzzles.extend_from_slice(&grid.cells);
                let all = 0..text.len();
                records.push(ENTRY.name, grid.line, text, Ok(all))
            }
        }
    }
}

/// The start of the line behind the last blank line before `from`; 0 without such a line.
fn behind_blank_line(bytes: &[u8], from: usize) -> usize {
    let mut rest = &bytes[..from.min(bytes.len())];
    while let Some(line_end) = memrchr(b'\n', rest) {
        rest = &rest[..line_end];
        let line = &rest[memrchr(b'\n', rest).map_or(0, |before| before + 1)..];
        if is_blank(line) {
            return line_end + 1;
        }
    }
    0
}

/// How far an open grid reaches.
struct Extent {
    /// The start of its first line.
    start: usize,
    /// Its rows so far, including bad ones.
    rows: usize,
}

impl Extent {
    /// Whether a grid of `side` rows ends with the line before `next`: it has all its rows, or too many bytes.
    fn is_over(&self, side: usize, next: usize) -> bool {
        self.rows >= side || next - self.start > MAX_LINE_BYTES
    }
}

/// A grid whose end was not seen yet.
struct Grid {
    extent: Extent,
    /// The number of its first line.
    line: u64,
    /// The end of its last row.
    text_end: usize,
    cells: Vec<u8>,
    /// The first fault, and its line.
    error: Option<(u64, LineError)>,
    /// The line of the last row, and its length in bytes.
    last: (u64, usize),
}

impl Grid {
    fn new(line: u64, start: usize) -> Grid {
        let extent = Extent { start, rows: 0 };
        Grid { extent, line, text_end: start, cells: Vec::new(), error: None, last: (line, 0) }
    }

    fn add(&mut self, side: usize, line: u64, at: Range<usize>, row: Result<Row, LineError>) {
        self.text_end = at.end;
        self.last = (line, at.len());
        match row {
            Ok(row) => {
                self.cells.reserve(side * side - self.cells.len());
                self.cells.extend_from_slice(&row[..side]);
            }
            Err(error) => self.fail(line, error),
        }
        self.extent.rows += 1;
    }

    /// Keeps the first fault.
    fn fail(&mut self, line: u64, error: LineError) {
        self.error.get_or_insert((line, error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chunk::Chunks;
    use crate::input::source::Source;
    use std::io::Cursor;
    use std::sync::Arc;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    const CELLS: usize = 81;

    fn nine() -> Grids {
        Grids::new(9, &CELLS.into())
    }

    fn read(text: &[u8]) -> Records {
        let mut records = Records::default();
        records.clear(CELLS);
        nine().read(text, &mut records).unwrap();
        records
    }

    /// A record: its line in the source, its text, and its cells or what is wrong with it.
    type Seen = (u64, Vec<u8>, Result<Vec<u8>, LineError>);

    fn seen(chunk: &[u8], lines_before: u64, all: &mut Vec<Seen>) -> u64 {
        let records = read(chunk);
        for record in records.iter(chunk) {
            let puzzle = record.puzzle.map(|puzzle| puzzle.cells.to_vec());
            all.push((lines_before + record.line, record.text.to_vec(), puzzle));
        }
        lines_before + records.lines()
    }

    /// The records found when the source is cut every `size` bytes, and the chunks.
    fn in_chunks(source: &mut Source, size: usize) -> (Vec<Seen>, Vec<Vec<u8>>) {
        let mut chunks = Chunks::new(source, size);
        let (mut all, mut lines, mut cut) = (Vec::new(), 0, Vec::new());
        while let Some(mut chunk) = chunks.next(Vec::new()).unwrap() {
            if lines == 0 {
                let end = Arc::new(|bytes: &[u8], from| nine().record_end(bytes, from));
                chunk = chunks.extend(chunk, 0, end).unwrap();
            }
            lines = seen(&chunk.bytes, lines, &mut all);
            cut.push(chunk.bytes.into_owned());
        }
        (all, cut)
    }

    #[test]
    fn grids_that_never_end_are_malformed_and_skipped() {
        let row = ".".repeat(9) + "\n";
        for (rows, filling) in
            [(1, "# nothing\n"), (3, "---+---\n"), (0, ".........\n"), (0, "?\n"), (0, "\n")]
        {
            let text = row.repeat(rows) + &filling.repeat(400_000 / filling.len()) + &row.repeat(9);
            let (all, chunks) = in_chunks(&mut Source::stream("s", Cursor::new(text.clone())), 1000);
            let longest = chunks.iter().map(Vec::len).max().unwrap();
            assert!(longest <= MAX_LINE_BYTES + 2000, "{filling}: {longest}");
            let mut whole = Vec::new();
            seen(text.as_bytes(), 0, &mut whole);
            assert_eq!(all, whole);
            if rows > 0 {
                assert_eq!(all[0].2, Err(LineError::at(0, LineErrorKind::GridTooLong)));
                assert_eq!((all.len(), all[1].2.is_ok()), (2, true));
            }
        }
    }

    #[test]
    fn a_long_line_spoils_only_its_grid() {
        for long in [MAX_LINE_BYTES + 1, 300_000] {
            let row = ".".repeat(9) + "\n";
            for byte in [" ", ".", "#", "-"] {
                let text = [row.repeat(4), byte.repeat(long), "\n".to_owned(), row.repeat(9)].concat();
                let mut whole = Vec::new();
                seen(text.as_bytes(), 0, &mut whole);
                let (all, _) = in_chunks(&mut Source::stream("s", Cursor::new(text)), 1000);
                let brief = |all: &[Seen]| {
                    all.iter().map(|(line, _, puzzle)| (*line, puzzle.clone())).collect::<Vec<_>>()
                };
                assert_eq!(brief(&all), brief(&whole));
                assert_eq!((all.len(), all[0].0, all[1].0), (2, 4, 5), "{byte}");
                assert!(all[0].2.is_err() && all[1].2.is_ok());
            }
        }
    }

    #[test]
    fn the_first_lines_show_the_format() {
        let grid: String =
            PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect();
        let is_grids = |text: String| super::super::recognise(text.as_bytes(), CELLS).name == ENTRY.name;
        assert!(
            is_grids(grid.clone())
                && is_grids(format!("{PUZZLE}\n{grid}"))
                && is_grids(format!("rubbish\n{grid}"))
        );
        assert!(is_grids(format!("{}{grid}", format!("{PUZZLE}\n").repeat(HEAD_LINES - TELLING_ROWS))));
        assert!(!is_grids(format!("{}{grid}", format!("{PUZZLE}\n").repeat(HEAD_LINES - TELLING_ROWS + 1))));
        assert!(
            !is_grids(format!("{PUZZLE}\n")) && !is_grids("123456789\n\n123456789\n\n123456789\n".to_owned())
        );
        assert_ne!(super::super::recognise(grid.as_bytes(), 256).name, ENTRY.name);
    }

    fn recognises(text: &[u8], cells: usize) -> bool {
        let (first_line, choice) = (&text[..0], &crate::input::ColumnChoice::default());
        recognise(&Head { first_line, text, is_all: true, notation: &cells.into(), choice }).is_some()
    }

    #[test]
    fn only_squares_of_the_known_sizes_are_grids() {
        let rows = |side: usize| format!("{}\n", "1".repeat(side)).repeat(10);
        let is_grids = |side: usize, cells: usize| recognises(rows(side).as_bytes(), cells);
        for side in MIN_SIDE..=MAX_SIDE {
            assert!(is_grids(side, side * side), "{side}");
            assert!(!is_grids(side, side * side + 1), "{side}");
        }
        assert!(!is_grids(MIN_SIDE - 1, 9) && !is_grids(MAX_SIDE + 1, 26 * 26));
    }

    #[test]
    fn a_puzzle_on_one_line_may_have_a_solution_beside_it() {
        let line = format!("{PUZZLE},{}", "1".repeat(81));
        assert_eq!(nine().solution(line.as_bytes(), 0..81), Some(82..163));
        assert_eq!(nine().solution(PUZZLE.as_bytes(), 0..81), None);
    }

    #[test]
    fn a_record_ends_at_or_behind_the_place_asked_for() {
        let text = format!("{PUZZLE}\n{PUZZLE}\n");
        assert_eq!(nine().record_end(text.as_bytes(), 81), Some(82));
        assert_eq!(nine().record_end(text.as_bytes(), 82), Some(164));
        assert_eq!(nine().record_end(text.as_bytes(), 164), None);
    }

    #[test]
    fn the_search_for_a_record_end_begins_behind_the_last_blank_line() {
        let text = b"ab\n\ncd\n \r\nef\n";
        for (from, start) in [(0, 0), (3, 0), (4, 4), (6, 4), (7, 4), (10, 10), (11, 10), (99, 10)] {
            assert_eq!(behind_blank_line(text, from), start, "{from}");
        }
        assert_eq!(behind_blank_line(b"\nab\n", 4), 1);
    }

    #[test]
    fn a_grid_ends_with_its_last_row_or_one_byte_behind_the_greatest_length() {
        let is_over = |rows, next| Extent { start: 10, rows }.is_over(9, next);
        assert!(!is_over(8, 100) && is_over(9, 100));
        assert!(!is_over(8, 10 + MAX_LINE_BYTES) && is_over(8, 11 + MAX_LINE_BYTES));
    }
}
