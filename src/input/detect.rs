//! What the beginning of the input says of its puzzles: how many cells they have, and in which symbols.
//!
//! The first record decides how many cells: a field of 81 puzzle characters, or else the longest field whose length is
//! one of those that come into question; or else the rows of a grid over several lines. All later records of another
//! length are malformed.
//!
//! More than nine symbols are written in several ways ([`Alphabet`]). Which one it is, the characters tell: `G` is no
//! symbol of `0-9A-F`, no digit one of `A-P`. A file that is mapped is looked through until only one is left, a stream
//! as far as its first block goes: no more of it is held. `0` beside another blank is a symbol: nobody writes two kinds
//! of blanks. So it is in a grid with as many of them as symbols, and no other blank: then it is full.

use super::error::InputError;
use super::format::{Spelling, first_line, is_record, is_separator, lines, recognise};
use super::source::Source;
use crate::error::Error;
use crate::grid::Alphabet;

/// Bytes of a stream that are looked at: no engine's first chunk is smaller.
const BLOCK: usize = 32 * 1024;

/// Of a stream that begins with nothing but comments so many are looked at.
const MOST: usize = 1024 * 1024;

/// Cells of the puzzles of `source`: one of `lengths`, or `None` where no record tells.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read) if it cannot be read.
pub fn cells(source: &mut Source, lengths: &[usize]) -> Result<Option<usize>, Error> {
    let mut len = BLOCK;
    loop {
        let head = source.peek(len)?;
        let head = &head[..head.len().min(MOST)];
        let found = match records(head).find_map(|line| cells_of(line, lengths)) {
            // A row of a large grid over several lines may look like a small puzzle.
            Some(len) if !lengths.contains(&(len * len)) => Some(len),
            on_one_line => cells_of_grids(head, on_one_line, lengths).or(on_one_line),
        };
        if found.is_some() || head.len() < len || len >= MOST {
            return Ok(found);
        }
        len *= 2;
    }
}

fn records(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines(head).map(|at| &head[at]).filter(|line| is_record(line))
}

/// The fields of a line, be it of a table or not, without quotes.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_separator(byte) || byte == b'"').filter(|field| !field.is_empty())
}

fn cells_of(line: &[u8], lengths: &[usize]) -> Option<usize> {
    let found = fields(line)
        .filter(|field| lengths.contains(&field.len()) && is_puzzle(field))
        .map(<[u8]>::len)
        .max_by_key(|&len| (len == 81, len))?;
    Some(found)
}

/// Cells of the grids over several lines that `head` begins with, if it does; where its rows may be puzzles of
/// `on_one_line` cells, one of them must be none.
fn cells_of_grids(head: &[u8], on_one_line: Option<usize>, lengths: &[usize]) -> Option<usize> {
    let start = first_line(head)?.start;
    let are_rows = |cells: &usize| {
        let spellings = Alphabet::all(cells.isqrt().min(64) as u8);
        let mut shapes = spellings
            .into_iter()
            .map(|alphabet| recognise(&head[start..], Spelling { cells: *cells, alphabet }).0);
        shapes.any(|shape| shape == "grids")
    };
    let is_no_puzzle = |field: &[u8]| Some(field.len()) == on_one_line && !is_puzzle(field);
    let may_be_rows = |cells: &&usize| match on_one_line {
        Some(len) => **cells == len * len && records(head).flat_map(fields).any(is_no_puzzle),
        None => true,
    };
    lengths.iter().rev().filter(may_be_rows).find(|cells| are_rows(cells)).copied()
}

/// Whether every byte of `field` is a cell in some alphabet of as many symbols as its rows have cells.
fn is_puzzle(field: &[u8]) -> bool {
    let symbols = field.len().isqrt().min(64) as u8;
    let alphabets = Alphabet::all(symbols);
    field.iter().all(|&byte| alphabets.iter().any(|alphabet| alphabet.cell(byte).is_some()))
}

/// The characters that puzzles were seen to be written in.
#[derive(Clone, Debug)]
pub struct Characters {
    cells: usize,
    alphabets: Vec<Alphabet>,
    seen: [bool; 256],
    any: bool,
    /// There was a full grid with zeros in it.
    is_zero_symbol: bool,
}

/// Blanks beside `0` that are no symbol of any alphabet.
const BLANKS: &[u8] = b".*_?";

impl Characters {
    /// Nothing was seen yet of puzzles of so many cells and symbols.
    pub fn new(cells: usize, symbols: u8) -> Characters {
        Characters {
            cells,
            alphabets: Alphabet::all(symbols),
            seen: [false; 256],
            any: false,
            is_zero_symbol: false,
        }
    }

    /// Looks at `source`, if that may still tell something.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read) if it cannot be read.
    pub fn look(&mut self, source: &mut Source) -> Result<(), Error> {
        let cells = self.cells;
        let mut is_settled = self.alphabets.len() < 2 || self.fitting().len() == 1;
        for line in records(source.peek(BLOCK)?) {
            if is_settled {
                break;
            }
            for field in fields(line).filter(|field| field.len() == cells) {
                is_settled |= self.see(field) && self.fitting().len() == 1;
            }
            // A row of a grid over several lines.
            let row: Vec<u8> = line
                .iter()
                .copied()
                .filter(|byte| !b"|-+=! \t\r".contains(byte))
                .take(cells.isqrt() + 1)
                .collect();
            if row.len() == cells.isqrt() {
                is_settled |= self.see(&row) && self.fitting().len() == 1;
            }
        }
        Ok(())
    }

    /// Takes in the characters of a puzzle or solution; says whether there was a new one among them.
    fn see(&mut self, field: &[u8]) -> bool {
        let fits = |alphabet: &Alphabet| field.iter().all(|&byte| alphabet.cell(byte).is_some());
        if !self.alphabets.iter().any(fits) {
            return false;
        }
        let is_first = !std::mem::replace(&mut self.any, true);
        let mut is_new = false;
        for &byte in field {
            is_new |= !std::mem::replace(&mut self.seen[usize::from(byte)], true);
        }
        let zeros = || field.iter().filter(|&&byte| byte == b'0').count();
        let is_full = field.len() == self.cells
            && field.iter().all(|byte| !BLANKS.contains(byte))
            && zeros() == self.cells.isqrt();
        is_new |= is_full && !std::mem::replace(&mut self.is_zero_symbol, true);
        is_new || is_first
    }

    /// The alphabets in which all of that is a cell.
    fn fitting(&self) -> Vec<&Alphabet> {
        if !self.any {
            return Vec::new();
        }
        let seen = |byte: &u8| self.seen[usize::from(*byte)];
        let is_zero_symbol = self.is_zero_symbol || BLANKS.iter().any(seen);
        let fits = |alphabet: &&Alphabet| {
            let reads_zero = alphabet.cell(b'0') == Some(1);
            // Where 0 is the only blank it is none of the symbols, and the other way round.
            let is_zero_right = !seen(&b'0') || reads_zero == is_zero_symbol;
            is_zero_right && (0..=255).filter(seen).all(|byte| alphabet.cell(byte).is_some())
        };
        self.alphabets.iter().filter(fits).collect()
    }

    /// The alphabet that was found; the usual one where there was nothing to see.
    ///
    /// # Errors
    /// [`InputError::Alphabet`] where several fit, or none.
    pub fn alphabet(&self) -> Result<Alphabet, Error> {
        let known = |alphabets: &[&Alphabet]| {
            alphabets.iter().map(|one| one.name().to_string()).collect::<Vec<_>>().join(" or ")
        };
        let all: Vec<&Alphabet> = self.alphabets.iter().collect();
        let fitting = if self.any { self.fitting() } else { all[..1].to_vec() };
        match fitting[..] {
            [alphabet] => {
                let seen = |bytes: std::ops::RangeInclusive<u8>| {
                    bytes.into_iter().any(|byte| self.seen[usize::from(byte)])
                };
                let is_small = seen(b'a'..=b'w') && !seen(b'A'..=b'W');
                Ok(if is_small { alphabet.small() } else { alphabet.clone() })
            }
            [] => {
                let reason = "the puzzles are written in symbols of several alphabets";
                Err(InputError::Alphabet { reason, known: known(&all) }.into())
            }
            _ => {
                let reason = "the symbols of the puzzles fit several alphabets";
                Err(InputError::Alphabet { reason, known: known(&fitting) }.into())
            }
        }
    }
}
