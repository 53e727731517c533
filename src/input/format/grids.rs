//! Grids over several lines, as people write them; puzzles on one line may stand among them.
//!
//! ```text
//! 4.....8.5    4 . . |. . . |8 . 5    +-------+-------+-------+    *-----------*
//! .3.......    . 3 . |. . . |. . .    | 4 . . | . . . | 8 . 5 |    |4..|...|8.5|
//! ...7.....    . . . |7 . . |. . .    | . 3 . | . . . | . . . |    |.3.|...|...|
//! .2.....6.    ------+------+------   | . . . | 7 . . | . . . |    |...|7..|...|
//! ....8.4..    . 2 . |. . . |. 6 .    +-------+-------+-------+    |---+---+---|
//! ...                  ...                       ...                     ...
//! ```
//! (The second is that of Peter Norvig, "Solving Every Sudoku Puzzle", <https://norvig.com/sudoku.html>, which
//! also reads the first and puzzles on one line.) Every line is one of these:
//!
//! | line | what it does |
//! |---|---|
//! | blank | ends the grid |
//! | a title: `Grid 07` | ends the grid |
//! | a comment, or drawn: nothing but `\| - + = ! *`, and `. : '` beside `--` or `==` | nothing |
//! | with a field of more than six rows, or as many bytes as cells | ends the grid, and is a record as in the shape `lines` |
//! | any other | is a row of the grid, good or bad; the ninth ends it |
//!
//! A good row has nine cells, and nothing else but `| - + = !`, spaces and tabs; `*` is a blank where nine cells
//! come out with it, and drawn otherwise. A grid of nine good rows is a puzzle. Any other is one malformed record,
//! which names the first wrong byte: a bad row counts as one of the nine, so that a grid is found again behind it
//! even where no blank line stands between. Grids of other sizes likewise, with as many rows and cells.
//! A grid that takes more than [`MAX_LINE_BYTES`] is given up: all that
//! must be held of a source to find the end of a record is bounded.
//!
//! A source has this shape if three good rows follow one another among its first lines. No puzzle is on such lines
//! in any other shape.

use std::ops::Range;

use memchr::{memchr, memchr2_iter, memrchr};

use super::lines::Lines;
use super::{Columns, Format, Record, Records, Regular, Run, Shape, Spelling, is_separator, line_at, lines};
use crate::input::chunk::{MAX_LINE_BYTES, RecordEnd};
use crate::input::error::{LineError, LineErrorKind};

pub(super) const FORMAT: Format = Format {
    name: "grids",
    about: "nine rows of nine cells (or as many as the size has) over several lines, with or without a frame; also puzzles on one line",
    recognise,
};

/// Rows of a grid, and cells of a row.
const FEWEST: usize = 4;
const MOST: usize = 25;

/// The cells of a row; as many of them count as a row has.
type Row = [u8; MOST];

/// Lines that may tell the shape, and good rows behind one another that do.
const HEAD_LINES: usize = 64;
const TELLING_ROWS: usize = 3;

/// A field of more bytes was meant as a puzzle on one line, and not as a row, be it of grids beside each other.
const ALONE: usize = 6;

struct Grids {
    /// Rows of a grid, and cells of a row.
    side: usize,
    /// The puzzles on one line.
    lines: Lines,
}

fn recognise(_first_line: &[u8], head: &[u8], spelling: &Spelling) -> Option<Box<dyn Shape>> {
    let side = spelling.cells.isqrt();
    if side * side != spelling.cells || !(FEWEST..=MOST).contains(&side) {
        return None;
    }
    let grids = Grids { side, lines: Lines { spelling: spelling.clone() } };
    let (mut rows, mut room) = (0, Vec::new());
    for at in lines(head).take(HEAD_LINES) {
        room.clear();
        match grids.look(&head[at], &mut room) {
            Line::Drawn => {}
            Line::Row(Ok(_)) => rows += 1,
            _ => rows = 0,
        }
        if rows == TELLING_ROWS {
            return Some(Box::new(grids));
        }
    }
    None
}

impl Shape for Grids {
    fn columns(&self) -> Option<Columns> {
        None
    }

    fn regular(&self) -> Option<Regular<'_>> {
        None
    }

    fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        self.lines.puzzle(line, puzzles)
    }

    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>> {
        self.lines.solution(line, puzzle)
    }

    fn record_end(&self) -> Option<RecordEnd> {
        self.side.checked_sub(FEWEST).and_then(|index| RECORD_ENDS.get(index)).copied()
    }

    fn read(&self, chunk: &[u8], records: &mut Records) -> bool {
        let (mut open, mut start) = (None, 0);
        while let Some((text, next)) = line_at(chunk, start) {
            open = self.take_line(open, chunk, text, next, records);
            start = next;
        }
        if let Some(grid) = open {
            grid.end(records);
        }
        true
    }
}

/// That of each size, from the smallest on.
const RECORD_ENDS: &[RecordEnd] = &[
    record_end::<4>,
    record_end::<5>,
    record_end::<6>,
    record_end::<7>,
    record_end::<8>,
    record_end::<9>,
    record_end::<10>,
    record_end::<11>,
    record_end::<12>,
    record_end::<13>,
    record_end::<14>,
    record_end::<15>,
    record_end::<16>,
    record_end::<17>,
    record_end::<18>,
    record_end::<19>,
    record_end::<20>,
    record_end::<21>,
    record_end::<22>,
    record_end::<23>,
    record_end::<24>,
    record_end::<25>,
];

/// The first line end at or after `from` that leaves no grid of `SIDE` rows open: reads on from the last blank line
/// before it.
///
/// In what alphabet a grid is written tells good rows from bad ones, but not rows from other lines.
fn record_end<const SIDE: usize>(bytes: &[u8], from: usize) -> Option<usize> {
    let grids = Grids { side: SIDE, lines: Lines { spelling: (SIDE * SIDE).into() } };
    let (mut open, mut start) = (None, behind_blank_line(bytes, from));
    let mut records = Records::default();
    loop {
        let next = start + memchr(b'\n', bytes.get(start..)?)? + 1;
        let (text, _) = line_at(bytes, start)?;
        open = grids.take_line(open, bytes, text, next, &mut records);
        if next > from && open.is_none() {
            return Some(next);
        }
        start = next;
    }
}

/// Where the line begins that stands behind the last blank one before `from`; 0 if there is none.
fn behind_blank_line(bytes: &[u8], from: usize) -> usize {
    let mut rest = &bytes[..from.min(bytes.len())];
    while let Some(line_end) = memrchr(b'\n', rest) {
        rest = &rest[..line_end];
        let line = &rest[memrchr(b'\n', rest).map_or(0, |before| before + 1)..];
        if is_empty(line) {
            return line_end + 1;
        }
    }
    0
}

/// A grid whose end was not seen yet.
struct Grid {
    /// The number of its first line, and its bytes so far.
    line: u64,
    text: Range<usize>,
    side: usize,
    cells: Vec<u8>,
    /// Its rows so far, bad ones too.
    rows: usize,
    /// What is wrong with it, and in which line.
    error: Option<(u64, LineError)>,
    /// The last row: its line, and how long it is.
    last: (u64, usize),
}

impl Grid {
    fn new(side: usize, line: u64, start: usize) -> Grid {
        let cells = Vec::with_capacity(side * side);
        Grid { line, text: start..start, side, cells, rows: 0, error: None, last: (line, 0) }
    }

    fn add(&mut self, line: u64, at: Range<usize>, row: Result<Row, LineError>) {
        self.text.end = at.end;
        self.last = (line, at.len());
        match row {
            Ok(row) => self.cells.extend_from_slice(&row[..self.side]),
            Err(error) => self.fail(line, error),
        }
        self.rows += 1;
    }

    /// The first fault is the one that is told.
    fn fail(&mut self, line: u64, error: LineError) {
        self.error.get_or_insert((line, error));
    }

    /// Makes it a record.
    fn end(mut self, records: &mut Records) {
        if self.rows < self.side {
            let (line, len) = self.last;
            let (found, expected) = ((self.rows * self.side) as u32, (self.side * self.side) as u32);
            let kind = LineErrorKind::GridLength { found, expected };
            self.fail(line, LineError { column: len as u32 + 1, kind });
        }
        let (line, puzzle) = match self.error {
            Some((line, error)) => (line, Err(error)),
            None => (self.line, Ok(self.text.clone())),
        };
        if puzzle.is_ok() {
            records.puzzles.extend_from_slice(&self.cells);
        }
        push(Record { line, text: self.text, puzzle }, records);
    }
}

fn push(record: Record, records: &mut Records) {
    records.runs.push(Run { first: record, stride: 0, len: 1 });
}

impl Grids {
    /// Takes the next line, which stands at `at` and behind which the one at `next` begins, to the grid that is `open`,
    /// or to a new one; gives back what is open then.
    fn take_line(
        &self,
        open: Option<Grid>,
        chunk: &[u8],
        at: Range<usize>,
        next: usize,
        records: &mut Records,
    ) -> Option<Grid> {
        let line = records.lines;
        records.lines += 1;
        // A puzzle on this line belongs behind the grid before it.
        let before = records.puzzles.len();
        let open = match self.look(&chunk[at.clone()], &mut records.puzzles) {
            Line::Drawn => open,
            Line::Row(row) => {
                let mut grid = open.unwrap_or_else(|| Grid::new(self.side, line, at.start));
                grid.add(line, at, row);
                Some(grid)
            }
            Line::Alone(puzzle) => {
                if let Some(grid) = open {
                    let own = records.puzzles.split_off(before);
                    grid.end(records);
                    records.puzzles.extend(own);
                }
                let puzzle = puzzle.map(|puzzle| at.start + puzzle.start..at.start + puzzle.end);
                push(Record { line, text: at, puzzle }, records);
                return None;
            }
            Line::End => {
                if let Some(grid) = open {
                    grid.end(records);
                }
                return None;
            }
        };
        let mut grid = open?;
        let is_too_long = next - grid.text.start > MAX_LINE_BYTES;
        if grid.rows < self.side && !is_too_long {
            return Some(grid);
        }
        if grid.rows < self.side {
            let kind = LineErrorKind::GridTooLong { limit: MAX_LINE_BYTES as u32 };
            grid.fail(line, LineError { column: 1, kind });
        }
        grid.end(records);
        None
    }

    /// Tells what `line` is. The cells of a puzzle on it are appended to `puzzles`.
    fn look(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Line {
        // Nothing but cells: no frame or title looks so.
        let mut cells = [0; MOST];
        if line.len() == self.side && self.lines.spelling.read(line, &mut cells) {
            return Line::Row(Ok(cells));
        }
        // Of a line that is too long only the beginning may be there.
        let kept = &line[..line.len().min(MAX_LINE_BYTES)];
        let text = &kept[kept.iter().take_while(|&&byte| is_space(byte)).count()..];
        if text.first() == Some(&b'#') {
            return Line::Drawn;
        }
        if line.len() > MAX_LINE_BYTES {
            let kind = LineErrorKind::TooLong { limit: MAX_LINE_BYTES as u32 };
            return Line::Row(Err(LineError { column: MAX_LINE_BYTES as u32 + 1, kind }));
        }
        if text.is_empty() || is_title(text) {
            return Line::End;
        }
        if is_frame(line, self.side) {
            return Line::Drawn;
        }
        let is_alone = |field: &[u8]| field.len() > ALONE * self.side || field.len() == self.side * self.side;
        if line.split(|&byte| is_separator(byte)).any(is_alone) {
            return Line::Alone(self.lines.puzzle(line, puzzles));
        }
        Line::Row(self.row(line))
    }

    /// The cells of `line`, or the first of its bytes that is wrong.
    fn row(&self, line: &[u8]) -> Result<Row, LineError> {
        let alphabet = &self.lines.spelling.alphabet;
        let is_star = |byte: u8| byte == b'*';
        let cell_of = |byte: u8| alphabet.cell(byte).filter(|_| !is_star(byte));
        let cells = line.iter().filter(|&&byte| cell_of(byte).is_some()).count();
        let stars = line.iter().filter(|&&byte| is_star(byte)).count();
        let are_blanks = stars > 0 && cells + stars == self.side;

        let mut row = [0; MOST];
        let mut found = 0;
        for (column, &byte) in line.iter().enumerate() {
            let error = |kind| Err(LineError { column: column as u32 + 1, kind });
            let blank = (is_star(byte) && are_blanks).then_some(0);
            if let Some(value) = cell_of(byte).or(blank) {
                if found == self.side {
                    let expected = self.side as u32;
                    return error(LineErrorKind::GridRow { found: cells as u32, expected });
                }
                row[found] = value;
                found += 1;
            } else if !is_drawn(byte) && !is_star(byte) {
                return error(match alphabet.is_nine() {
                    true => LineErrorKind::GridCharacter(byte),
                    false => LineErrorKind::Symbol { byte, alphabet: alphabet.name() },
                });
            }
        }
        if found < self.side {
            let kind = LineErrorKind::GridRow { found: found as u32, expected: self.side as u32 };
            return Err(LineError { column: line.len() as u32 + 1, kind });
        }
        Ok(row)
    }
}

/// What a line is.
enum Line {
    /// Blank, or a title.
    End,
    /// A comment, or a line of a frame.
    Drawn,
    /// A record by itself: where its puzzle stands, or what is wrong with it.
    Alone(Result<Range<usize>, LineError>),
    /// As many cells as a row has, or what is wrong with them.
    Row(Result<Row, LineError>),
}

fn is_empty(line: &[u8]) -> bool {
    line.len() <= MAX_LINE_BYTES && line.iter().all(|&byte| is_space(byte))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// `Grid 07`: the word and a number, as between the grids of <https://projecteuler.net/problem=96>.
fn is_title(text: &[u8]) -> bool {
    let (word, number) = text.split_at(text.len().min(4));
    let is_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'\t' | b'#' | b':');
    word.eq_ignore_ascii_case(b"grid") && number.iter().all(is_number)
}

/// Whether `byte` may be drawn around cells.
fn is_drawn(byte: u8) -> bool {
    matches!(byte, b'|' | b'-' | b'+' | b'=' | b'!' | b' ' | b'\t')
}

/// Whether `line` is drawn from end to end. Dots, colons and apostrophes are corners where a rule is drawn between.
fn is_frame(line: &[u8], side: usize) -> bool {
    let has_rule = memchr2_iter(b'-', b'=', line).any(|at| line.get(at + 1) == Some(&line[at]));
    let is_corner = |byte| has_rule && matches!(byte, b'.' | b':' | b'\'');
    let mut stars = 0;
    let is_frame = line.iter().all(|&byte| {
        stars += usize::from(byte == b'*');
        is_drawn(byte) || byte == b'*' || is_corner(byte)
    });
    is_frame && (has_rule || stars != side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chunk::Chunks;
    use crate::input::source::Source;
    use std::io::{Cursor, Write};

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    const CELLS: usize = 81;

    fn nine() -> Grids {
        Grids { side: 9, lines: Lines { spelling: CELLS.into() } }
    }

    fn read(text: &[u8]) -> Records {
        let mut records = Records::default();
        records.read(&nine(), text, true);
        records
    }

    /// A record: its line in the source, its text, and its cells or what is wrong.
    type Seen = (u64, Vec<u8>, Result<Vec<u8>, LineError>);

    fn seen(chunk: &[u8], lines_before: u64, all: &mut Vec<Seen>) -> u64 {
        let records = read(chunk);
        let mut puzzles = records.puzzles.chunks(CELLS);
        for record in records.iter() {
            let puzzle = record.puzzle.map(|_| puzzles.next().unwrap().to_vec());
            all.push((lines_before + record.line, chunk[record.text].to_vec(), puzzle));
        }
        assert_eq!(puzzles.len(), 0);
        lines_before + records.lines
    }

    /// What is seen when the source is cut every `size` bytes, and what the chunks are.
    fn in_chunks(source: &mut Source, size: usize) -> (Vec<Seen>, Vec<Vec<u8>>) {
        let mut chunks = Chunks::new(source, size);
        let (mut all, mut lines, mut pieces) = (Vec::new(), 0, Vec::new());
        while let Some(mut chunk) = chunks.next(Vec::new()).unwrap() {
            if lines == 0 {
                chunk = chunks.extend(chunk, record_end::<9>).unwrap();
            }
            lines = seen(&chunk.bytes, lines, &mut all);
            pieces.push(chunk.bytes.into_owned());
        }
        (all, pieces)
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(500))]

        #[test]
        fn records_are_the_same_in_chunks_of_any_size(
            lines in proptest::collection::vec(
                proptest::prop_oneof![
                    9 => "[1-9.]{9}\r?",
                    2 => "[1-9.]{3}\\|[1-9.]{3}\\|[1-9.]{3}",
                    1 => "[1-9.x]{8,10}",
                    1 => "[ \t]{0,2}\r?",
                    1 => "#.{0,9}",
                    1 => "\\+?---\\+---\\+---\\+?",
                    1 => "(Grid 1|[.]{81}|[.]{80}|.{0,20})",
                ],
                0..60,
            ),
            size in 64usize..2000,
        ) {
            // At the very start it would be a byte-order mark, which is no part of the text.
            let text = lines.join("\n").trim_start_matches('\u{feff}').to_owned();
            let (mut whole, mut file) = (Vec::new(), tempfile::NamedTempFile::new().unwrap());
            seen(text.as_bytes(), 0, &mut whole);
            file.write_all(text.as_bytes()).unwrap();
            let mapped = in_chunks(&mut Source::open(file.path(), true).unwrap(), size);
            let streamed = in_chunks(&mut Source::stream("s", Cursor::new(text.clone())), size);
            proptest::prop_assert_eq!(&mapped.0, &whole);
            proptest::prop_assert_eq!(&mapped, &streamed);
            proptest::prop_assert_eq!(mapped.1.concat(), text.as_bytes());
        }

        #[test]
        fn a_row_is_read_in_any_drawing(
            cells in "[1-9.0_xX?*]{9}",
            gaps in proptest::collection::vec("[|! \t+=-]{0,3}", 10),
        ) {
            let drawn: String =
                gaps.iter().zip(cells.chars().map(Some).chain([None])).flat_map(|(gap, cell)| gap.chars().chain(cell)).collect();
            let expected: Vec<u8> =
                cells.bytes().map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect();
            proptest::prop_assert_eq!(nine().row(drawn.as_bytes()).map(|row| row[..9].to_vec()), Ok(expected));
        }
    }

    #[test]
    fn grids_that_never_end_are_given_up_and_streamed_past() {
        let row = ".".repeat(9) + "\n";
        for (rows, filling) in
            [(1, "# nothing\n"), (3, "---+---\n"), (0, ".........\n"), (0, "?\n"), (0, "\n")]
        {
            let text = row.repeat(rows) + &filling.repeat(400_000 / filling.len()) + &row.repeat(9);
            let (all, pieces) = in_chunks(&mut Source::stream("s", Cursor::new(text.clone())), 1000);
            let longest = pieces.iter().map(Vec::len).max().unwrap();
            assert!(longest <= MAX_LINE_BYTES + 2000, "{filling}: {longest}");
            let mut whole = Vec::new();
            seen(text.as_bytes(), 0, &mut whole);
            assert_eq!(all, whole);
            if rows > 0 {
                let kind = LineErrorKind::GridTooLong { limit: MAX_LINE_BYTES as u32 };
                assert_eq!(all[0].2, Err(LineError { column: 1, kind }));
                assert_eq!((all.len(), all[1].2.is_ok()), (2, true));
            }
        }
    }

    #[test]
    fn a_long_line_spoils_its_grid_alone() {
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
    fn frames_are_told_from_rows() {
        for frame in [
            "-------+-------+-------",
            "+===+",
            "*-----------*",
            "!",
            " | | ",
            "* * *",
            ".---.---.",
            ":--:--:",
            "'--'",
        ] {
            assert!(is_frame(frame.as_bytes(), 9), "{frame}");
        }
        for row in ["*********", "* * *|* * *|* * *", ". . .", "4--", ":", ".-.", "x--"] {
            assert!(!is_frame(row.as_bytes(), 9), "{row}");
        }
    }

    #[test]
    fn the_shape_is_told_from_the_first_lines() {
        let grid: String =
            PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect();
        let is_grids = |text: String| recognise(b"", text.as_bytes(), &CELLS.into()).is_some();
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
        assert!(recognise(b"", grid.as_bytes(), &256.into()).is_none());
    }
}
