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
//! | blank | ends the grid, unless it divides its bands |
//! | a comment, or drawn: only `\| - + = ! *`, and `. : '` beside `--` or `==` | none; two rules end the grid |
//! | with a field of more than six rows or as many bytes as cells | ends the grid; a record as in the format `lines` |
//! | with as many cells as a row, or nearly | is a row of the grid, good or bad |
//! | any other: a title, a footer, brackets, prose | ends the grid |
//!
//! A good row has nine cells and otherwise only `| - + = !`, spaces and tabs; `*` is a blank if that makes nine cells,
//! and drawn otherwise. It may also be written as people [paste](super::pasted) rows: `[4, 0, 0, ...],`, and `> ` may
//! come before it. A grid of nine good rows is a puzzle. Every other grid is one malformed record, which names the first
//! wrong byte. A bad row counts as one of the nine, so that the next grid is found even if no blank line precedes it.
//! Grids of other sizes likewise, with as many rows and cells. A long line is a malformed record only if it was meant as
//! a puzzle.
//!
//! No puzzle may be made of the rows of two grids. Some ends are therefore known only from the lines behind them:
//!
//! * A blank line behind three rows (or another part of the nine) leaves the grid open if the next rows come in threes
//!   too. Threes that go on without a blank line belong to another grid.
//! * A bad row may be the first row, or a date or a number over the grid. The grid then goes on to the next line that is
//!   no good row: with nine good rows it is a puzzle, and the bad row is a record of its own.
//! * Rules come at equal distances, as the head shows. Behind a rule, a band with as many rows and no rule below it is the
//!   last of its grid, so that a lost row does not move the rows of the next grid into this one.
//! * The row 1 to 9 may be the first row, or the numbers of the columns. It is these if just nine more rows follow.
//!
//! A grid of more than [`MAX_LINE_BYTES`](crate::input::line::MAX_LINE_BYTES) is malformed and ends there, which bounds
//! the bytes of a source that must be held to find the end of a record.
//!
//! A source has this format if three consecutive rows among its first lines are good, or if there is a whole grid. In
//! every other format, no line like that holds a puzzle. The [`Style`] that makes most whole grids is the source's.

use std::ops::Range;

use memchr::memrchr;

use super::lines::Lines;
use super::open::{self, Ended, Open, OpenRow};
use super::row::{Blanks, Line, MAX_SIDE, MIN_SIDE, Row, Rows, Style};
use super::{CellText, FieldPlaces, Format, FormatEntry, Head, Notation, RecordPlaces, labels};
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::input::line::{is_separator, line_at, lines};
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
    /// Rows between two rules.
    height: Option<usize>,
    /// The puzzles on one line.
    lines: Lines,
}

fn recognise(head: &Head<'_>) -> Option<Format> {
    let (_, grids) = best(head.drawn, head.notation)?;
    Some(Format { has_many_lines: true, ..Format::new(ENTRY.name, head.notation, grids) })
}

/// How many whole grids in `notation` are at the start of `text`.
pub(in crate::input) fn count_whole(text: &[u8], notation: &Notation) -> usize {
    best(text, notation).map_or(0, |(whole, _)| whole)
}

/// The reader that finds most whole grids at the start of `text`, and how many.
fn best(text: &[u8], notation: &Notation) -> Option<(usize, Grids)> {
    let side = notation.cells.isqrt();
    if side * side != notation.cells || !(MIN_SIDE..=MAX_SIDE).contains(&side) {
        return None;
    }
    // Nearly all sources have a puzzle a line: to try every style on them takes 2 ms.
    lines(text).take(HEAD_LINES).filter(|at| may_be_row(&text[at.clone()])).nth(TELLING_ROWS - 1)?;
    let mut most: Option<(usize, Grids)> = None;
    for style in Style::all() {
        let mut grids = Grids::new(side, notation, style);
        let (whole, has_rows) = grids.look_at(text);
        let least = most.as_ref().map_or(1, |(most, _)| most + 1);
        if whole >= least || has_rows && style == Style::default() {
            most = Some((whole, grids));
        }
    }
    most
}

/// Whether `line` has no field of cells alone that is longer than any row.
fn may_be_row(line: &[u8]) -> bool {
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'*' | b'_' | b'?');
    let is_long = |field: &[u8]| field.len() > 2 * MAX_SIDE && field.iter().all(is_cell);
    !line.split(|&byte| is_separator(byte)).any(is_long)
}

impl Grids {
    fn new(side: usize, notation: &Notation, style: Style) -> Grids {
        let lines = Lines { notation: notation.clone() };
        Grids { rows: Rows { side, notation: notation.clone(), style }, height: None, lines }
    }

    /// Finds the height of bands at the start of `text`. Returns how many whole grids are there, and whether there are
    /// consecutive good rows.
    fn look_at(&mut self, text: &[u8]) -> (usize, bool) {
        let end = lines(text).take(HEAD_LINES).last().map_or(0, |line| line.end);
        let all: Vec<_> = self.lines(&text[..end]).collect();
        self.height = open::height(all.iter().map(|(line, ..)| line), self.rows.side);
        let (mut whole, mut good_rows, mut has_rows) = (0, 0, false);
        for (line, ..) in &all {
            match line {
                Line::Drawn { .. } => {}
                Line::Row(Ok(_)) => good_rows += 1,
                _ => good_rows = 0,
            }
            has_rows |= good_rows == TELLING_ROWS;
        }
        self.for_each_part(all.into_iter(), &mut |part| {
            if let Part::Grid(rows, _) = &part {
                whole += usize::from(self.is_whole(rows));
            }
            Ok(())
        })
        .ok();
        (whole, has_rows)
    }

    /// The lines of `text`, each with its place and the start of the next one.
    fn lines(&self, text: &[u8]) -> impl Iterator<Item = (Line, Range<usize>, usize)> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let (at, next) = line_at(text, start)?;
            start = next;
            Some((self.rows.classify(&text[at.clone()]), at, next))
        })
    }

    /// Whether `rows` are a puzzle. Numbers of one digit with spaces between them are no blanks.
    fn is_whole(&self, rows: &[OpenRow]) -> bool {
        let good: Vec<&Row> = rows.iter().filter_map(|row| row.cells.as_ref().ok()).collect();
        let has_between = || good.iter().any(|row| row.iter().skip(1).step_by(2).any(|&cell| cell > 0));
        good.len() == self.rows.side
            && rows.len() == good.len()
            && (self.rows.style.blanks != Blanks::Spaces || has_between())
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

    fn for_each_later_grid(&self, line: &[u8], puzzle: &Range<usize>, found: &mut dyn FnMut(usize, &[u8])) {
        self.lines.for_each_later_grid(line, puzzle, found);
    }
}

impl RecordPlaces for Grids {
    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut open = self.open();
        // The last line may go on behind the bytes.
        let whole = memrchr(b'\n', bytes).map_or(0, |line_end| line_end + 1);
        self.lines(&bytes[..whole]).find_map(|(line, at, next)| {
            open.add(line, 0, at, next);
            (next > from && open.rows.is_empty()).then_some(next)
        })
    }

    fn read_all(&self, chunk: &[u8], records: &mut Records) -> Option<Result<(), MissingCells>> {
        Some(self.read(chunk, records))
    }
}

/// What a source of grids has one after the other.
enum Part {
    /// The rows of a grid, and the line with which it is too long.
    Grid(Vec<OpenRow>, Option<u64>),
    /// A long line by itself, and its number.
    Alone(u64, Range<usize>),
}

impl Grids {
    /// Calls `found` with every part of these lines; returns how many there are.
    fn for_each_part(
        &self,
        lines: impl Iterator<Item = (Line, Range<usize>, usize)>,
        found: &mut dyn FnMut(Part) -> Result<(), MissingCells>,
    ) -> Result<u64, MissingCells> {
        let (mut open, mut number) = (self.open(), 0);
        for (line, text, next) in lines {
            let is_alone = matches!(line, Line::Alone);
            let Ended { before, with, is_too_long } = open.add(line, number, text.clone(), next);
            self.split(before, found)?;
            if is_alone {
                found(Part::Alone(number, text))?;
            }
            if !with.is_empty() {
                found(Part::Grid(with, is_too_long.then_some(number)))?;
            }
            number += 1;
        }
        self.split(open.rows, found)?;
        Ok(number)
    }

    fn open(&self) -> Open {
        Open::new(self.rows.side, self.height)
    }

    /// Finds the grid of `rows`, which may begin with one that is not its own.
    fn split(
        &self,
        mut rows: Vec<OpenRow>,
        found: &mut dyn FnMut(Part) -> Result<(), MissingCells>,
    ) -> Result<(), MissingCells> {
        if rows.len() == self.rows.side + 1 {
            let first = &rows[0].cells;
            if first.is_err() && rows[1..].iter().all(|row| row.cells.is_ok()) {
                found(Part::Grid(rows.drain(..1).collect(), None))?;
            } else if first.as_ref().is_ok_and(|row| labels::are_numbers(row, self.rows.side)) {
                rows.remove(0);
            }
        }
        if rows.is_empty() { Ok(()) } else { found(Part::Grid(rows, None)) }
    }

    /// Reads all records of `chunk`.
    fn read(&self, chunk: &[u8], records: &mut Records) -> Result<(), MissingCells> {
        let lines = self.for_each_part(self.lines(chunk), &mut |part| match part {
            Part::Grid(rows, too_long) => self.push(&rows, too_long, records),
            Part::Alone(line, text) => {
                let bytes = &chunk[text.clone()];
                match self.lines.puzzle(bytes, &mut records.puzzles) {
                    Err(_) if !self.rows.is_nearly_puzzle(bytes) => Ok(()),
                    puzzle => records.push(ENTRY.name, line, text, puzzle),
                }
            }
        })?;
        records.lines += lines;
        Ok(())
    }

    /// Makes a record of the rows of a grid.
    fn push(
        &self,
        rows: &[OpenRow],
        too_long: Option<u64>,
        records: &mut Records,
    ) -> Result<(), MissingCells> {
        let ([first, ..], [.., last]) = (rows, rows) else { return Ok(()) };
        let (side, text) = (self.rows.side, first.text.start..last.text.end);
        let wrong = rows.iter().find_map(|row| Some((row.line, row.cells.err()?)));
        let error = wrong.or_else(|| match rows.len() {
            len if len == side => None,
            len => {
                if let Some(line) = too_long {
                    return Some((line, LineError::at(0, LineErrorKind::GridTooLong)));
                }
                let kind = LineErrorKind::GridLength(Count::new(len * side, side * side));
                Some((last.line, LineError::at(last.text.len(), kind)))
            }
        });
        match error {
            Some((line, error)) => records.push(ENTRY.name, line, text, Err(error)),
            None => {
                let cells =
                    rows.iter().filter_map(|row| row.cells.as_ref().ok()).flat_map(|row| &row[..side]);
                records.puzzles.extend(cells);
                let all = 0..text.len();
                records.push(ENTRY.name, first.line, text, Ok(all))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::recognised;
    use super::*;
    use crate::input::chunk::Chunks;
    use crate::input::line::MAX_LINE_BYTES;
    use crate::input::source::Source;
    use std::io::Cursor;
    use std::sync::Arc;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    const CELLS: usize = 81;

    fn nine() -> Grids {
        Grids::new(9, &CELLS.into(), Style::default())
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
                chunk = chunks.extend(chunk, 0, true, end).unwrap();
            }
            lines = seen(&chunk.bytes, lines, &mut all);
            cut.push(chunk.bytes.into_owned());
        }
        (all, cut)
    }

    #[test]
    fn grids_that_never_end_are_malformed_and_skipped() {
        let row = ".".repeat(9) + "\n";
        for (rows, filling) in [
            (1, "# nothing\n"),
            (3, "  * * *\n"),
            (3, "---+---\n"),
            (0, ".........\n"),
            (0, "?\n"),
            (0, "\n"),
        ] {
            let text = row.repeat(rows) + &filling.repeat(400_000 / filling.len()) + &row.repeat(9);
            let (all, chunks) = in_chunks(&mut Source::stream("s", Cursor::new(text.clone())), 1000);
            let longest = chunks.iter().map(Vec::len).max().unwrap();
            assert!(longest <= MAX_LINE_BYTES + 2000, "{filling}: {longest}");
            let mut whole = Vec::new();
            seen(text.as_bytes(), 0, &mut whole);
            assert_eq!(all, whole);
            if rows > 0 {
                // A second rule ends a grid.
                let is_ended = filling.contains("--");
                assert!(is_ended || all[0].2 == Err(LineError::at(0, LineErrorKind::GridTooLong)));
                assert!(all[0].2.is_err());
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
        let is_grids = |text: String| recognised(text.as_bytes(), CELLS).name == ENTRY.name;
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
        assert_ne!(recognised(grid.as_bytes(), 256).name, ENTRY.name);
    }

    fn recognises(text: &[u8], cells: usize) -> bool {
        let (first_line, choice) = (&text[..0], &crate::input::ColumnChoice::default());
        recognise(&Head { first_line, text, drawn: text, is_all: true, notation: &cells.into(), choice })
            .is_some()
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
}
