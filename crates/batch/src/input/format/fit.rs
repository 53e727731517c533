//! How well a format fits a source: what it reads of the first lines.

use super::{Format, Head};
use crate::input::error::{InputError, LineError};
use crate::input::line::MAX_LINE_BYTES;
use crate::input::records::Records;
use crate::input::strangers;

/// What a format reads of the head of a source.
#[derive(Debug, Default)]
pub(crate) struct Fit {
    /// Records that are puzzles.
    pub(super) puzzles: u64,
    records: u64,
    /// The line of the first malformed record, from 0 at the start of the head, and what is wrong with it.
    malformed: Option<(u64, LineError)>,
    /// Where the first puzzle begins that is left unread behind another one: its line, from 0 at the start of
    /// the head, and its column, from 1.
    second: Option<(u64, u32)>,
}

impl Fit {
    /// What `format` reads of `head`. The last record may be cut off there, and does not count if it is malformed.
    pub(super) fn of(format: &Format, head: &Head<'_>) -> Fit {
        let (mut records, mut fit) = (Records::default(), Fit::default());
        if records.read(format, head.drawn, true).is_err() {
            return fit;
        }
        for record in records.iter(head.drawn) {
            let is_cut = !head.is_all && record.text.as_ptr_range().end == head.drawn.as_ptr_range().end;
            match &record.puzzle {
                Err(_) if is_cut => continue,
                Err(error) => {
                    fit.malformed.get_or_insert((record.line, *error));
                }
                Ok(puzzle) => {
                    fit.puzzles += 1;
                    if fit.second.is_none() && record.text.len() <= MAX_LINE_BYTES {
                        format.for_each_later_grid(record.text, &puzzle.at, &mut |at, cells| {
                            if is_another(puzzle.cells, cells) {
                                fit.second.get_or_insert((record.line, at as u32 + 1));
                            }
                        });
                    }
                }
            }
            fit.records += 1;
        }
        fit
    }

    /// Whether half of the records or more are puzzles, and no puzzle is left unread.
    pub(super) fn is_good(&self) -> bool {
        2 * self.puzzles >= self.records && self.second.is_none()
    }

    /// What is wrong with a source that begins with `head` and is read in `format`, and where: the line of `head`,
    /// from 0, and its column, if that says more than the whole. A source that `is_file` must have a puzzle.
    pub(crate) fn fault(
        &self,
        format: &Format,
        head: &[u8],
        is_file: bool,
    ) -> Option<(InputError, u64, Option<u32>)> {
        let is_readable = format.fault.is_none() && (self.puzzles > 0 || self.records == 0);
        if let Some(stranger) = strangers::recognise(head, format.notation.cells, is_readable) {
            return Some((InputError::Stranger(stranger), 0, None));
        }
        if let Some(fault) = &format.fault {
            let column = if let InputError::Header(error) = fault { Some(error.column) } else { None };
            return Some((fault.clone(), 0, column));
        }
        if let Some((line, column)) = self.second {
            return Some((InputError::SecondPuzzle, line, Some(column)));
        }
        let (line, error) = self.malformed.filter(|_| is_file && self.puzzles == 0)?;
        Some((InputError::NoPuzzle(error), line, Some(error.column)))
    }
}

/// Whether the grid `other` beside a `puzzle` is another puzzle: it has blanks, lacks a clue, and is no form of the
/// puzzle under the symmetries, of which `galop canon` writes one. (With all clues it is an answer, complete or not.)
fn is_another(puzzle: &[u8], other: &[u8]) -> bool {
    let lacks_clue = || puzzle.iter().zip(other).any(|(&clue, &cell)| clue > 0 && clue != cell);
    other.contains(&0) && lacks_clue() && counts(puzzle) != counts(other)
}

/// What no symmetry changes: clues of each symbol, and of the rows and columns, in order of size.
fn counts(grid: &[u8]) -> (Vec<usize>, [Vec<usize>; 2]) {
    let side = grid.len().isqrt();
    let mut symbols = vec![0; usize::from(u8::MAX) + 1];
    let mut lines = [vec![0; grid.len()], vec![0; grid.len()]];
    for (at, &cell) in grid.iter().enumerate().filter(|(_, cell)| **cell > 0) {
        symbols[usize::from(cell)] += 1;
        lines[0][at / side] += 1;
        lines[1][at % side] += 1;
    }
    symbols.sort_unstable();
    lines.iter_mut().for_each(|counts| counts.sort_unstable());
    lines.sort_unstable();
    (symbols, lines)
}
