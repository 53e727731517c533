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
//! The third thing that a head shows, the format, may differ between the sources of a run. [`recognise`] finds it, here
//! for each possible number of cells, and in the reader once the notation is known.

use super::error::InputError;
use super::format::npy::{self, NpyHeader};
use super::format::pasted::{self, Shape};
use super::format::{HEAD_BYTES, Notation, is_drawn, recognise};
use super::line::{first_line, is_separator, is_space, lines};
use super::source::Source;
use crate::error::Error;
use crate::grid::{Alphabet, Characters, KINDS, Kind, Regions, Rules};

/// Bytes of a stream that are searched: no engine's first chunk is smaller.
const BLOCK: usize = 32 * 1024;

/// Bytes of a stream that are searched for the first record if it starts with comments.
const MAX_HEAD: usize = 1024 * 1024;

/// The byte-order mark, which is not a part of the first record.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The rules of the puzzles in `sources`: of this `kind`, with the map of `regions` if the kind has one. The first
/// record shows the size, and the characters of the heads show the alphabet if none is given. Without a record, the size
/// is 9x9, and the alphabet is the usual one.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read) if a source cannot be read; [`GridError`](crate::grid::GridError) if
/// there are no such rules; [`InputError::Alphabet`] if the characters fit several alphabets, or none.
pub fn detect_rules(
    sources: &mut [Source],
    kind: &Kind,
    regions: Option<&Regions>,
    alphabet: Option<&Alphabet>,
) -> Result<Rules, Error> {
    let cells: Vec<usize> = match regions {
        Some(regions) => vec![regions.side() * regions.side()],
        None => kind.sizes.iter().map(|size| size.side * size.side).collect(),
    };
    let detected = detect(sources, Expected { cells: &cells, is_alphabet_known: alphabet.is_some() })?;
    let rules = Rules::new(kind, detected.cells.unwrap_or(USUAL_CELLS).isqrt(), regions)?;
    Ok(rules.written_in(match alphabet {
        Some(alphabet) => alphabet.clone(),
        None => detected.alphabet?,
    })?)
}

/// What is known before the head is looked at.
#[derive(Clone, Copy, Debug)]
struct Expected<'a> {
    /// The numbers of cells that a puzzle may have. If there is only one, it is not searched for.
    cells: &'a [usize],
    /// Whether the alphabet is known, so that it is not searched for.
    is_alphabet_known: bool,
}

/// What the head shows.
#[derive(Debug)]
struct Detected {
    /// Cells of a puzzle: one of the expected numbers. `None` if no record shows it.
    cells: Option<usize>,
    /// The alphabet; the usual one if no record shows it or it was not searched for. An error
    /// ([`InputError::Alphabet`]) if several fit, or none.
    alphabet: Result<Alphabet, Error>,
}

/// Cells of a puzzle if no record shows them.
const USUAL_CELLS: usize = 81;

/// Looks at the heads of all `sources`: the first record shows the number of cells, all of them show the alphabet.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read) if a source cannot be read.
fn detect(sources: &mut [Source], expected: Expected<'_>) -> Result<Detected, Error> {
    let cells = match expected.cells {
        &[only] => Some(only),
        possible => find_first(sources, |source| cells_of(source, possible))?,
    };
    let side = cells.unwrap_or(USUAL_CELLS).isqrt();
    let mut characters = Characters::new(side);
    if !expected.is_alphabet_known {
        for source in sources.iter_mut() {
            if characters.are_settled() {
                break;
            }
            match array_of(source)? {
                Some(_) => characters.add_numbers(),
                None => search(&mut characters, side, source.peek(BLOCK)?),
            }
        }
    }
    let name = sources.first().map(|source| source.name().to_owned());
    let alphabet = characters.alphabet().map_err(|unclear| match name {
        Some(name) => Error::at(name, InputError::from(unclear)),
        None => InputError::from(unclear).into(),
    });
    Ok(Detected { cells, alphabet })
}

/// The header of `source` if it is an array of numpy.
fn array_of(source: &mut Source) -> Result<Option<NpyHeader>, Error> {
    let name = source.name().to_owned();
    let head = |len| Ok(source.peek(len)?.iter().copied().take(len).collect());
    npy::header_of(head, |fault| Error::at(&name, InputError::from(fault)))
}

fn find_first<T>(
    sources: &mut [Source],
    find: impl Fn(&mut Source) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    sources.iter_mut().find_map(|source| find(source).transpose()).transpose()
}

/// Cells of the puzzles of `source`, if a record shows them.
fn cells_of(source: &mut Source, possible: &[usize]) -> Result<Option<usize>, Error> {
    if let Some(header) = array_of(source)? {
        return Ok(Some(header.cells).filter(|cells| possible.contains(cells)));
    }
    let mut len = BLOCK;
    loop {
        let head = source.peek(len)?;
        let head = &head[..head.len().min(MAX_HEAD)];
        let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let of_line = || records(text).find_map(|line| cells_of_line(line, possible));
        let pasted = |is_list| records(text).find_map(move |line| cells_of_pasted(line, is_list, possible));
        let found = match of_line().or_else(|| pasted(true)) {
            // A row of a large grid over several lines may look like a small puzzle.
            Some(cells) if !possible.contains(&(cells * cells)) => Some(cells),
            on_one_line => {
                cells_of_grids(text, on_one_line, possible).or(on_one_line).or_else(|| pasted(false))
            }
        };
        if found.is_some() || head.len() < len || len >= MAX_HEAD {
            return Ok(found);
        }
        len *= 2;
    }
}

/// The records of `head`, and the header if it is a table. (The number of cells does not matter for that.)
fn records(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let head = &head[first_line(head).map_or(0, |line| line.start)..];
    let format = recognise(head, USUAL_CELLS);
    lines(head).map(|at| &head[at]).filter(move |line| format.is_record(line))
}

/// The fields of a line, without quotes, whether it is a row of a table or not.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_separator(byte) || byte == b'"').filter(|field| !field.is_empty())
}

fn cells_of_line(line: &[u8], possible: &[usize]) -> Option<usize> {
    let of_groups = cells_of_groups(line, possible);
    of_groups.or_else(|| cells_of_fields(fields(line), possible))
}

/// Cells of a puzzle in as many groups as each group has cells, if a group may also be a puzzle.
fn cells_of_groups(line: &[u8], possible: &[usize]) -> Option<usize> {
    let len = fields(line).next()?.len();
    let are_groups = || fields(line).take(len + 1).filter(|field| field.len() == len).count() == len;
    (possible.contains(&len) && possible.contains(&(len * len)) && are_groups()).then_some(len * len)
}

/// Cells of a puzzle as people paste it, in one piece or in several. What may also be a row of a large
/// grid must be a list if `is_list`.
fn cells_of_pasted(line: &[u8], is_list: bool, possible: &[usize]) -> Option<usize> {
    let pieces: Vec<Vec<u8>> = pasted::pieces(line).take(MAX_CELLS + 1).collect();
    let shape = Shape::of(line, MAX_CELLS);
    let of_piece = cells_of_fields(pieces.iter().map(Vec::as_slice), possible);
    // A group of a large grid may look like a small puzzle.
    let of_piece = of_piece.filter(|_| !shape.is_some_and(|shape| shape.is_square()));
    of_piece.or_else(|| {
        let shape = shape?;
        let cells = shape.cells().filter(|cells| possible.contains(cells))?;
        let is_row = possible.contains(&(cells * cells));
        (!is_row || shape.is_list || !is_list).then_some(cells)
    })
}

/// Cells of the largest puzzle.
const MAX_CELLS: usize = 625;

fn cells_of_fields<'a>(fields: impl Iterator<Item = &'a [u8]>, possible: &[usize]) -> Option<usize> {
    fields
        .filter(|field| possible.contains(&field.len()) && is_puzzle(field))
        .map(<[u8]>::len)
        .max_by_key(|&cells| (cells == USUAL_CELLS, cells))
}

/// Whether `line` would begin with puzzles, or with the header of a table, if its carriage returns were line ends.
pub(super) fn has_carriage_returns_for_line_ends(line: &[u8]) -> bool {
    let head = &line[..line.len().min(HEAD_BYTES)];
    let is_full = |line: &&[u8]| line.iter().any(|&byte| !is_space(byte));
    if head.split(|&byte| byte == b'\r').filter(is_full).nth(1).is_none() {
        return false;
    }
    let text: Vec<u8> = head.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect();
    let mut possible: Vec<usize> =
        KINDS.iter().flat_map(|kind| kind.sizes).map(|size| size.side * size.side).collect();
    possible.sort_unstable();
    let is_puzzle = |line| cells_of_line(line, &possible).is_some();
    recognise(&text, USUAL_CELLS).columns().is_some()
        || records(&text).next().is_some_and(is_puzzle)
        || cells_of_grids(&text, None, &possible).is_some()
}

/// Cells of the grids over several lines that `head` begins with, if it does. If the rows could be puzzles of
/// `on_one_line` cells, one of the rows must not be a puzzle.
fn cells_of_grids(head: &[u8], on_one_line: Option<usize>, possible: &[usize]) -> Option<usize> {
    let start = first_line(head)?.start;
    let are_rows = |cells: &usize| {
        let alphabets = Alphabet::all(cells.isqrt().min(64) as u8);
        let mut formats = alphabets
            .into_iter()
            .map(|alphabet| recognise(&head[start..], Notation { cells: *cells, alphabet }));
        formats.any(|format| format.of_many_lines().is_some())
    };
    let is_no_puzzle = |field: &[u8]| Some(field.len()) == on_one_line && !is_puzzle(field);
    let has_greater = |line: &[u8], len: usize| {
        let is_greater = |shape: Shape| shape.is_numbers(len) && shape.greatest > len.isqrt() as i32;
        Shape::of(line, len).is_some_and(is_greater)
            || is_no_puzzle(&pasted::pieces(line).take(len + 1).collect::<Vec<_>>().concat())
    };
    let may_be_rows = |cells: &&usize| match on_one_line {
        Some(len) => {
            **cells == len * len
                && (records(head).flat_map(fields).any(is_no_puzzle)
                    || records(head).any(|line| has_greater(line, len)))
        }
        None => true,
    };
    possible.iter().rev().filter(may_be_rows).find(|cells| are_rows(cells)).copied()
}

/// Whether every byte of `field` is a cell in some alphabet of as many symbols as its rows have cells.
fn is_puzzle(field: &[u8]) -> bool {
    let symbols = field.len().isqrt().min(64) as u8;
    let alphabets = Alphabet::all(symbols);
    field.iter().all(|&byte| alphabets.iter().any(|alphabet| alphabet.cell(byte).is_some()))
}

/// Takes in the puzzles of `head`, of `side` times `side` cells, until only one alphabet is left.
fn search(characters: &mut Characters, side: usize, head: &[u8]) {
    for line in records(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head)) {
        let mut is_new = false;
        for field in fields(line).filter(|field| field.len() == side * side) {
            is_new |= characters.add(field);
        }
        // A row of a grid over several lines.
        let is_cell = |byte: &u8| !is_drawn(*byte) && *byte != b'\r';
        let row: Vec<u8> = line.iter().copied().filter(is_cell).take(side + 1).collect();
        if row.len() == side {
            is_new |= characters.add(&row);
        } else if !is_new {
            is_new = add_pasted(characters, side, line);
        }
        if is_new && characters.are_settled() {
            return;
        }
    }
}

/// Takes in a line that people pasted, if it is a puzzle or a row.
fn add_pasted(characters: &mut Characters, side: usize, line: &[u8]) -> bool {
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

    fn detect_in(text: &str, cells: &[usize]) -> Detected {
        let mut source = Source::stream("s", std::io::Cursor::new(text.to_owned().into_bytes()));
        detect(std::slice::from_mut(&mut source), Expected { cells, is_alphabet_known: false }).unwrap()
    }

    #[test]
    fn the_first_record_shows_the_number_of_cells() {
        let sizes = [16, 81, 256];
        let puzzle = |cells: usize| format!("{}\n", "1".repeat(cells));
        for cells in sizes {
            assert_eq!(detect_in(&puzzle(cells), &sizes).cells, Some(cells));
            // A byte-order mark does not hide the first record.
            let marked = format!("\u{feff}{}{}", puzzle(cells), puzzle(16));
            assert_eq!(detect_in(&marked, &sizes).cells, Some(cells));
        }
        assert_eq!(detect_in("# nothing\n", &sizes).cells, None);
        assert_eq!(detect_in("# nothing\n", &[81]).cells, Some(81), "it is the only one");
        assert_eq!(detect_in(&format!("{}\n", ".".repeat(9)).repeat(9), &sizes).cells, Some(81), "a grid");
    }

    #[test]
    fn without_a_record_the_alphabet_is_the_usual_one() {
        assert_eq!(detect_in("", &[256]).alphabet.unwrap().name().to_string(), "1-9A-G");
    }

    #[test]
    fn an_ambiguous_alphabet_is_an_error_with_the_name_of_the_source() {
        let error = detect_in(&format!("1F{}", ".".repeat(254)), &[256]).alphabet.unwrap_err();
        assert!(error.to_string().starts_with("s: the symbols of the puzzles fit several"), "{error}");
    }
}
