//! Which arrays of an archive hold the puzzles and the answers. They are found like the columns of a table: the user
//! names them, or their names are known, or their values show it.

use super::columns::{Columns, TakenColumns};
use super::npy::{ColumnType, NpyHeader};
use super::{ColumnChoice, Notation};
use crate::input::error::{InputError, NpyFault};

/// An array of an archive.
pub(in crate::input) struct Candidate {
    /// Its name, without `.npy`.
    pub(in crate::input) name: String,
    /// Its header, or why its rows are no grids.
    pub(in crate::input) header: Result<NpyHeader, NpyFault>,
    /// The number of values in each dimension, if that is known.
    pub(in crate::input) sizes: Vec<u64>,
    /// Bytes of its header, and the type of its values, if it has one value a row and that has a text.
    pub(in crate::input) column: Option<(usize, ColumnType)>,
    /// Some of its rows.
    pub(in crate::input) rows: Vec<u8>,
}

/// The arrays that are read, from 0.
pub(in crate::input) struct ArrayChoice {
    pub(in crate::input) puzzle: usize,
    pub(in crate::input) answer: Option<usize>,
    pub(in crate::input) names: TakenColumns,
    /// The arrays with one value for each puzzle.
    pub(in crate::input) columns: Vec<usize>,
    /// The names of all other arrays.
    pub(in crate::input) left_out: Vec<String>,
}

/// Arrays that become columns; others are left out. Each takes memory for its part of a row and for unpacking.
const MAX_COLUMNS: usize = 256;

/// Arrays that are left out and named.
const MAX_LEFT_OUT: usize = 256;

/// Finds the arrays to read.
///
/// # Errors
/// [`InputError::UnknownColumn`], [`InputError::UnclearArray`], or an [`NpyFault`] if the rows of a chosen array are no
/// grids.
pub(in crate::input) fn choose(
    arrays: &[Candidate],
    choice: &ColumnChoice,
) -> Result<ArrayChoice, InputError> {
    let names: Vec<String> = arrays.iter().map(|array| array.name.clone()).collect();
    let headers: Vec<Option<&NpyHeader>> = arrays.iter().map(|array| array.header.as_ref().ok()).collect();
    let cells = headers.iter().flatten().next().map_or(81, |header| header.cells);
    let notation = Notation::from(cells);
    let grids: Vec<Vec<Vec<u8>>> = arrays.iter().map(|array| array.grids(&notation)).collect();
    let count = grids.iter().map(Vec::len).max().unwrap_or(0);
    let field = |grids: &Vec<Vec<u8>>, row: usize| grids.get(row).cloned().unwrap_or_default();
    let rows = (0..count).map(|row| grids.iter().map(|grids| field(grids, row)).collect()).collect();
    let columns = Columns { names, rows, are_named: true, notation: &notation };
    let only_grids = || {
        let mut found = headers.iter().enumerate().filter(|(_, header)| header.is_some());
        let (only, _) = found.next().filter(|_| choice.puzzle.is_none())?;
        found.next().is_none().then_some(only)
    };
    let (puzzle, answer) = match columns.find(choice) {
        Ok(Some(taken)) => (taken.puzzle, taken.answer.filter(|answer| *answer != taken.puzzle)),
        Err(error @ InputError::UnknownColumn { .. }) => return Err(error),
        Ok(None) | Err(_) => (only_grids().ok_or_else(|| unclear(arrays))?, None),
    };
    let header = |at: usize| arrays[at].header.clone().map_err(InputError::from);
    let puzzles = header(puzzle)?;
    let fits = |at: usize| {
        headers[at].is_some_and(|answers| (answers.rows, answers.cells) == (puzzles.rows, puzzles.cells))
    };
    let answer = answer.filter(|&at| choice.answer.is_some() || columns.is_answer(at) || fits(at));
    let answer = match answer {
        Some(at) if fits(at) => Some(at),
        Some(at) if arrays[at].sizes.len() > 1 && arrays[at].sizes[0] != puzzles.rows => {
            let [array, names] = [at, puzzle].map(|at| columns.names[at].clone());
            let fault =
                NpyFault::Rows { array, rows: arrays[at].sizes[0], puzzles: names, expected: puzzles.rows };
            return Err(fault.into());
        }
        Some(at) if choice.answer.is_some() => {
            let NpyHeader { cells: found, .. } = header(at)?;
            return Err(NpyFault::Cells { found, expected: puzzles.cells }.into());
        }
        // Its name may mean something else: the number of solutions.
        _ => None,
    };
    let others = || (0..arrays.len()).filter(|&at| at != puzzle && Some(at) != answer);
    let is_column = |at: &usize| arrays[*at].column.is_some() && arrays[*at].sizes == [puzzles.rows];
    let taken: Vec<usize> = others().filter(is_column).take(MAX_COLUMNS).collect();
    let left_out = others().filter(|at| !taken.contains(at)).take(MAX_LEFT_OUT);
    let left_out = left_out.map(|at| columns.names[at].clone()).collect();
    let name = |at: usize| columns.names[at].clone();
    let names = TakenColumns { puzzle: name(puzzle), answer: answer.map(name) };
    Ok(ArrayChoice { puzzle, answer, names, columns: taken, left_out })
}

fn unclear(arrays: &[Candidate]) -> InputError {
    let shape = |array: &Candidate| match &array.header {
        Ok(header) => format!("{} ({}, {})", array.name, header.rows, header.cells),
        Err(NpyFault::Shape(shape)) => format!("{} {shape}", array.name),
        Err(_) => array.name.clone(),
    };
    InputError::UnclearArray { arrays: arrays.iter().map(shape).collect() }
}

impl Candidate {
    /// Some rows as text; a text that is no grid for values that are no cells.
    fn grids(&self, notation: &Notation) -> Vec<Vec<u8>> {
        let no_grid = || vec![b"-".to_vec()];
        match &self.header {
            Ok(header) if header.cells == notation.cells => header
                .rows_of(&self.rows)
                .map(|cells| cells.iter().map(|&cell| character(notation, cell)).collect())
                .collect(),
            _ => no_grid(),
        }
    }
}

/// The character of a cell; one that no alphabet has for a greater number.
fn character(notation: &Notation, cell: u8) -> u8 {
    if cell > notation.alphabet.symbols() { b'-' } else { notation.alphabet.character(cell) }
}
