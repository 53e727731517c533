//! What the head of the input shows: how many cells a puzzle has, and in which alphabet it is written.
//!
//! The first record shows the number of cells: a field of 81 puzzle characters, or else the longest field of a
//! possible length, or else the rows of a grid over several lines. Later records of another length are malformed.
//!
//! More than nine symbols are written in several alphabets. The characters show which one: `G` is not a symbol of
//! `0-9A-F`, and a digit is not one of `A-P`. A mapped file is searched until only one alphabet is left, a stream only
//! in its first block, because no more of it is held. If `0` appears beside another blank, it is a symbol: a file
//! has only one kind of blank. It is also a symbol in a full grid: one that has as many zeros as symbols and no other
//! blank.
//!
//! The third thing that a head shows, the format, may differ between the sources of a run. The reader finds it, once
//! the notation is known.

use super::error::InputError;
use super::format::pasted::{self, Shape};
use super::format::{ColumnChoice, FIRST_BYTES, Format, Notation, is_drawn, may_be_grids, recognise_first};
use super::format::{grids, spaced};
use super::line::{BYTE_ORDER_MARK, first_line, is_separator, is_space};
use super::notation::with_dots;
use super::source::{Head, Source};
use crate::error::Error;
use crate::grid::{Alphabet, Characters, Rules, SIDES, Variant};

/// Bytes of a stream that are searched: no engine's first chunk is smaller.
const BLOCK: usize = 32 * 1024;

/// Bytes of a stream that are searched for the first record if it starts with comments.
const MAX_HEAD: usize = 1024 * 1024;

/// The rules of the puzzles in `sources`, which are of this `variant`. The first record shows the size, and the
/// characters of the heads show the alphabet if none is given. Without a record, the size is 9x9, and the alphabet is
/// the usual one.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read) if a source cannot be read; [`GridError`](crate::grid::GridError) if
/// there are no such rules; [`InputError::Alphabet`] if the characters fit several alphabets, or none.
pub fn detect_rules(
    sources: &mut [Source],
    variant: &Variant,
    alphabet: Option<&Alphabet>,
) -> Result<Rules, Error> {
    let cells = match possible_cells(variant)[..] {
        // It is not searched for.
        [only] => Some(only),
        ref possible => {
            let of = |source: &mut Source| {
                let cells = cells_of(source, possible);
                source.close();
                cells.transpose()
            };
            sources.iter_mut().find_map(of).transpose()?
        }
    };
    let side = cells.unwrap_or(USUAL_CELLS).isqrt();
    let rules = variant.rules(side)?;
    Ok(rules.written_in(match alphabet {
        Some(alphabet) => alphabet.clone(),
        None => alphabet_of(sources, side)?,
    })?)
}

/// The numbers of cells that puzzles of this `variant` may have.
fn possible_cells(variant: &Variant) -> Vec<usize> {
    variant.sides().into_iter().map(|side| side * side).collect()
}

/// Cells of a puzzle if no record shows them.
const USUAL_CELLS: usize = 81;

/// The alphabet of the puzzles in `sources`, of `side` times `side` cells, as their heads show it; the usual one if no
/// record shows it.
fn alphabet_of(sources: &mut [Source], side: usize) -> Result<Alphabet, Error> {
    let mut characters = Characters::new(side);
    for source in sources.iter_mut() {
        if characters.are_settled() {
            break;
        }
        let columns = source.columns.clone();
        match source.head(BLOCK, None)? {
            Head::Array(_) => characters.add_numbers(),
            Head::Text(text) => TextHead::new(text, &columns).search(&mut characters, side),
        }
        source.close();
    }
    let name = sources.first().map(|source| source.name().to_owned());
    characters.alphabet().map_err(|unclear| match name {
        Some(name) => Error::at(name, InputError::from(unclear)),
        None => InputError::from(unclear).into(),
    })
}

/// Cells of the puzzles of `source`, if a record shows them.
fn cells_of(source: &mut Source, possible: &[usize]) -> Result<Option<usize>, Error> {
    let columns = source.columns.clone();
    let mut len = BLOCK;
    loop {
        let text = match source.head(len, None)? {
            Head::Array(header) => return Ok(Some(header.cells).filter(|cells| possible.contains(cells))),
            Head::Text(text) => text,
        };
        let found = TextHead::new(&text[..text.len().min(MAX_HEAD)], &columns).cells(possible);
        // A byte-order mark is not a part of the text.
        let is_all = text.len() + BYTE_ORDER_MARK.len() < len;
        if found.is_some() || is_all || len >= MAX_HEAD {
            return Ok(found);
        }
        len *= 2;
    }
}

/// The text at the start of a source.
struct TextHead<'a> {
    text: &'a [u8],
    /// Its format if puzzles have the usual size. (The size is needed only for tables without known column names.)
    format: Format,
}

impl<'a> TextHead<'a> {
    /// The text at the start of a source in which the user chose these `columns`.
    fn new(text: &'a [u8], columns: &ColumnChoice) -> TextHead<'a> {
        TextHead { text, format: recognise_first(text, USUAL_CELLS, columns) }
    }

    /// The records, and the header if it is a table.
    fn records(&self) -> impl Iterator<Item = &'a [u8]> {
        let mut start = first_line(self.text).map_or(0, |line| line.start + self.format.before_records);
        let all = std::iter::from_fn(move || {
            let (record, next) = self.format.record_at(self.text, start)?;
            start = next;
            Some(&self.text[record])
        });
        all.filter(|record| self.format.is_record(record))
    }

    /// Cells of the puzzles, one of the `possible` numbers, if a record shows them.
    fn cells(&self, possible: &[usize]) -> Option<usize> {
        let of_record = || self.records().find_map(|record| self.cells_of_record(record, possible));
        let pasted = |is_list| {
            let is_pasted = self.format.taken.is_none();
            let cells = |line| cells_of_pasted(line, is_list, possible).filter(|_| is_pasted);
            self.records().find_map(cells)
        };
        match of_record().or_else(|| pasted(true)) {
            // A row of a large grid over several lines may look like a small puzzle.
            Some(cells) if !possible.contains(&(cells * cells)) => Some(cells),
            on_one_line => {
                self.cells_of_grids(on_one_line, possible).or(on_one_line).or_else(|| pasted(false))
            }
        }
    }

    fn cells_of_record(&self, record: &[u8], possible: &[usize]) -> Option<usize> {
        let is_line = self.format.taken.is_none();
        let of_groups = if is_line { cells_of_groups(record, possible) } else { None };
        of_groups.or_else(|| {
            let mut cells = None;
            let mut add = |field: &[u8]| cells = cells.max(cells_of_field(field, possible));
            self.format.for_each_grid(record, &mut add);
            cells.map(|(_, cells)| cells)
        })
    }

    /// Cells of the grids over several lines that the text begins with, if it does. If the rows could be puzzles of
    /// `on_one_line` cells, one of the rows must not be a puzzle.
    fn cells_of_grids(&self, on_one_line: Option<usize>, possible: &[usize]) -> Option<usize> {
        if self.format.is_certain {
            return None;
        }
        let start = first_line(self.text)?.start;
        let text = &self.text[start..];
        let notations = |cells: usize| {
            let alphabets = Alphabet::all(cells.isqrt().min(64) as u8);
            alphabets.into_iter().map(move |alphabet| Notation::of_grid(cells, alphabet))
        };
        let are_rows = |cells: &usize| notations(*cells).any(|notation| may_be_grids(text, &notation));
        // With a number beside it, a row seems to have one cell more, but there are no whole grids of this size.
        let are_whole =
            |cells: &usize| notations(*cells).any(|notation| grids::count_whole(text, &notation) > 0);
        let is_no_puzzle = |field: &[u8]| Some(field.len()) == on_one_line && !is_puzzle(field);
        let has_no_puzzle = |record: &[u8]| {
            let mut found = false;
            self.format.for_each_grid(record, &mut |field| found |= is_no_puzzle(field));
            found
        };
        let has_greater = |line: &[u8], len: usize| {
            let is_greater = |shape: Shape| shape.is_numbers(len) && shape.greatest > len.isqrt() as i64;
            let all = || pasted::pieces(line).take(len + 1).collect::<Vec<_>>().concat();
            Shape::of(line, len).is_some_and(is_greater) || is_no_puzzle(&all())
        };
        let may_be_rows = |cells: &&usize| match on_one_line {
            Some(len) => {
                let is_row = |line: &[u8]| has_no_puzzle(line) || has_greater(line, len);
                **cells == len * len && self.records().any(is_row)
            }
            None => true,
        };
        let mut found = None;
        for cells in possible.iter().rev().filter(may_be_rows).filter(|cells| are_rows(cells)) {
            if are_whole(cells) {
                return Some(*cells);
            }
            found.get_or_insert(*cells);
        }
        found
    }

    /// Takes in the puzzles, of `side` times `side` cells, until only one alphabet is left.
    fn search(&self, characters: &mut Characters, side: usize) {
        for line in self.records() {
            let mut is_new = false;
            self.format.for_each_grid(line, &mut |field| {
                if field.len() == side * side {
                    is_new |= characters.add(&with_dots(field, b'-'));
                }
            });
            // A row of a grid over several lines.
            let is_cell = |byte: &u8| !is_drawn(*byte) && *byte != b'\r';
            let row =
                |line: &[u8]| -> Vec<u8> { line.iter().copied().filter(is_cell).take(side + 1).collect() };
            if let Some(row) = [row(line), row(&with_dots(line, b'-'))].iter().find(|row| row.len() == side) {
                is_new |= characters.add(row);
            } else if !is_new {
                is_new = add_pasted(characters, side, line);
            }
            if is_new && characters.are_settled() {
                return;
            }
        }
    }
}

/// Cells of `field` if it is a puzzle, and first whether they are the usual ones.
fn cells_of_field(field: &[u8], possible: &[usize]) -> Option<(bool, usize)> {
    let cells = field.len();
    // A short field may be a date, or a name behind a number.
    let is_dashed = || cells >= USUAL_CELLS && is_puzzle(&with_dots(field, b'-'));
    (possible.contains(&cells) && (is_puzzle(field) || is_dashed())).then_some((cells == USUAL_CELLS, cells))
}

/// Cells of a puzzle in as many groups as each group has cells, if a group may also be a puzzle.
fn cells_of_groups(line: &[u8], possible: &[usize]) -> Option<usize> {
    let fields = || line.split(|&byte| is_separator(byte) || byte == b'"').filter(|field| !field.is_empty());
    let len = fields().next()?.len();
    let are_groups = || fields().take(len + 1).filter(|field| field.len() == len).count() == len;
    (possible.contains(&len) && possible.contains(&(len * len)) && are_groups()).then_some(len * len)
}

/// Cells of a puzzle as people paste it, in one piece or in several. What may also be a row of a large
/// grid must be a list if `is_list`.
fn cells_of_pasted(line: &[u8], is_list: bool, possible: &[usize]) -> Option<usize> {
    let shape = Shape::of(line, MAX_CELLS);
    let pieces = pasted::pieces(line).take(MAX_CELLS + 1);
    let of_piece = pieces.filter_map(|piece| cells_of_field(&piece, possible)).max();
    // A group of a large grid may look like a small puzzle.
    let of_piece = of_piece.filter(|_| !shape.is_some_and(|shape| shape.is_square()));
    of_piece.map(|(_, cells)| cells).or_else(|| {
        let shape = shape?;
        let cells = shape.cells().filter(|cells| possible.contains(cells))?;
        let is_row = possible.contains(&(cells * cells));
        (!is_row || shape.is_list || !is_list).then_some(cells)
    })
}

/// Cells of the largest puzzle.
const MAX_CELLS: usize = 625;

/// Whether `line` would begin with puzzles, or with the header of a table, if its carriage returns were line ends.
pub(super) fn has_carriage_returns_for_line_ends(line: &[u8]) -> bool {
    let head = &line[..line.len().min(FIRST_BYTES)];
    let is_full = |line: &&[u8]| line.iter().any(|&byte| !is_space(byte));
    if head.split(|&byte| byte == b'\r').filter(is_full).nth(1).is_none() {
        return false;
    }
    let text: Vec<u8> = head.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect();
    let possible: Vec<usize> = SIDES.iter().map(|side| side * side).collect();
    let head = TextHead::new(&text, &ColumnChoice::default());
    let is_puzzle = |record| head.cells_of_record(record, &possible).is_some();
    head.format.columns.is_some()
        || head.records().next().is_some_and(is_puzzle)
        || head.cells_of_grids(None, &possible).is_some()
}

/// Whether every byte of `field` is a cell in some alphabet of as many symbols as its rows have cells.
fn is_puzzle(field: &[u8]) -> bool {
    let symbols = field.len().isqrt().min(64) as u8;
    let alphabets = Alphabet::all(symbols);
    field.iter().all(|&byte| alphabets.iter().any(|alphabet| alphabet.cell(byte).is_some()))
}

/// Takes in a line that people pasted, if it is a puzzle or a row.
fn add_pasted(characters: &mut Characters, side: usize, line: &[u8]) -> bool {
    match spaced::characters(line, side) {
        Some(cells) if !cells.is_empty() => return characters.add(&cells),
        None if !pasted::are_numbers(line, side) => {}
        _ => {
            characters.add_numbers();
            return true;
        }
    }
    let Some(shape) = Shape::of(line, side * side) else { return false };
    if shape.is_numbers(side) || shape.is_numbers(side * side) {
        characters.add_numbers();
        return true;
    }
    let cells = pasted::pieces(line).take(side * side).collect::<Vec<_>>().concat();
    (cells.len() == side || cells.len() == side * side) && characters.add(&cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::source::tests::CountingReader;
    use std::sync::atomic::Ordering;

    const SIZES: [usize; 3] = [16, 81, 256];

    fn source(text: &str) -> Source {
        Source::stream("s", std::io::Cursor::new(text.to_owned().into_bytes()))
    }

    #[test]
    fn the_first_record_shows_the_number_of_cells() {
        let puzzle = |cells: usize| format!("{}\n", "1".repeat(cells));
        let behind_comments = |bytes: usize| "# nothing\n".repeat(bytes / 10) + &puzzle(16);
        let rows = |first: &str, second: &str| format!("{first}\n{second}\n").repeat(8);
        let small = "1234.........432";
        for (text, cells) in [
            (puzzle(16), Some(16)),
            (puzzle(81), Some(81)),
            (puzzle(256), Some(256)),
            // A byte-order mark does not hide the first record.
            (format!("\u{feff}{}{}", puzzle(256), puzzle(16)), Some(256)),
            ("# nothing\n".to_owned(), None),
            (format!("{}\n", ".".repeat(9)).repeat(9), Some(81)),
            // Rows of a large grid are not small puzzles.
            (rows(small, "FG.............."), Some(256)),
            (rows(small, small), Some(16)),
            (behind_comments(40_000), Some(16)),
            (behind_comments(100_000), Some(16)),
            (behind_comments(MAX_HEAD - 1000), Some(16)),
            (behind_comments(MAX_HEAD + 100), None),
        ] {
            let start: String = text.chars().take(300).collect();
            assert_eq!(cells_of(&mut source(&text), &SIZES).unwrap(), cells, "{start}");
        }
        assert_eq!((BLOCK, MAX_HEAD), (32_768, 1_048_576));
    }

    #[test]
    fn a_record_in_the_first_block_is_enough() {
        let text = format!("{}\n", "1".repeat(81)).repeat(10_000).into_bytes();
        let (reader, read) = CountingReader::new(text);
        let mut source = Source::stream("s", reader);
        assert_eq!(cells_of(&mut source, &SIZES[..2]).unwrap(), Some(81));
        assert_eq!(read.load(Ordering::Relaxed), BLOCK);
    }

    #[test]
    fn a_puzzle_is_one_of_the_fields_of_a_line() {
        let puzzle = |cells: usize| "1".repeat(cells);
        for (line, cells) in [
            (format!("7,{}", puzzle(81)), Some(81)),
            (format!("\"{}\";x", puzzle(81)), Some(81)),
            (format!("{} {}", puzzle(16), puzzle(256)), Some(256)),
            (format!("{} {} {}", puzzle(16), puzzle(81), puzzle(256)), Some(81)),
            ("w".repeat(81), None),
            (puzzle(80), None),
        ] {
            let head = TextHead::new(line.as_bytes(), &ColumnChoice::default());
            assert_eq!(head.cells_of_record(line.as_bytes(), &SIZES), cells, "{line}");
        }
    }

    #[test]
    fn every_puzzle_and_row_shows_the_alphabet_until_one_is_left() {
        let puzzle = |start: &str| format!("{start:.<256}\n");
        let grid =
            |start: &str| format!("| {start:.<8} | {:.<8} |\n", "") + &format!("{:.<16}\r\n", "").repeat(15);
        for (text, alphabet) in [
            // Without a record it is the usual one.
            (String::new(), Some("1-9A-G")),
            // The first puzzle fits two alphabets, and the second shows which one, also far behind in the first block.
            (puzzle("1F"), None),
            (puzzle("1F") + &puzzle("G1"), Some("1-9A-G")),
            (puzzle("1F") + &puzzle("0"), Some("0-9A-F")),
            (puzzle("1F").repeat(100) + &puzzle("G1"), Some("1-9A-G")),
            // What comes behind is not looked at.
            (puzzle("1G") + &puzzle("0F"), Some("1-9A-G")),
            // The same in grids over several lines.
            (grid("1G"), Some("1-9A-G")),
            (grid("10"), Some("0-9A-F")),
            (grid("1F") + "\n" + &grid("1G"), Some("1-9A-G")),
            (grid("1G") + "\n" + &grid("0F"), Some("1-9A-G")),
            // A line that is longer than a row is no row.
            (format!("{}{}\n", puzzle("1F"), "G".repeat(17)), None),
        ] {
            match (alphabet_of(&mut [source(&text)], 16), alphabet) {
                (Ok(found), Some(name)) => assert_eq!(found.name().to_string(), name, "{text}"),
                (Err(error), None) => {
                    let start = "s: the symbols of the puzzles fit several";
                    assert!(error.to_string().starts_with(start), "{error}");
                }
                (found, _) => panic!("{found:?} {text}"),
            }
        }
    }

    /// At a terminal, a second read would wait for more lines after the end of input.
    #[test]
    fn a_source_is_not_read_again_after_its_end() {
        struct Once(Option<&'static [u8]>, bool);
        impl std::io::Read for Once {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let Some(mut text) = self.0.take() else {
                    assert!(!std::mem::replace(&mut self.1, true), "read again after its end");
                    return Ok(0);
                };
                let read = text.read(buffer)?;
                self.0 = Some(text).filter(|text| !text.is_empty());
                Ok(read)
            }
        }
        let mut source = Source::stream("s", Once(Some(b"# nothing\n"), false));
        assert_eq!(cells_of(&mut source, &[16, 81]).unwrap(), None);
    }

    #[test]
    fn a_map_of_regions_shows_the_size() {
        let rows: String = ('a'..='p').map(|row| row.to_string().repeat(16)).collect();
        let regions = crate::grid::Regions::read(rows.as_bytes()).unwrap();
        let jigsaw = Variant::default().with_regions(regions).unwrap();
        let puzzle = format!("P{}\n", ".".repeat(255));
        let rules = detect_rules(&mut [source(&puzzle)], &jigsaw, None).unwrap();
        assert_eq!(rules.grid().cells(), 256);
        assert_eq!(rules.alphabet().cell(b'P'), Some(16), "the alphabet of puzzles of that size");
    }
}
