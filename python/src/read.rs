//! `read_file`: the records of files, as rows of cells.

use std::path::PathBuf;

use galop_batch::input::Source;
use galop_engines::Control;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::call::{Watch, check, long};
use crate::error::of_run;
use crate::rules::{GivenKind, MALFORMED, Rules};
use crate::texts::{Malformed, each_record, rows_of};

/// The rules, the puzzles, the solutions (0 where a record has none), and the first malformed rows.
type Records<'py> = (Py<Rules>, Bound<'py, PyArray2<u8>>, Option<Bound<'py, PyArray2<u8>>>, Malformed);

/// Records between two looks whether to stop.
const STOP_ROWS: usize = 4_096;

/// What of a file is read.
struct Cells {
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    malformed: Malformed,
}

/// Reads the puzzles of files, and the answers beside them. Without `rules`, the files show them.
#[pyfunction]
pub(crate) fn read_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    kind: GivenKind,
    alphabet: Option<&str>,
    rules: Option<Py<Rules>>,
) -> PyResult<Records<'py>> {
    let kind = kind.kind();
    let control = Control::default();
    let given = rules.as_ref().map(|rules| rules.get().rules.clone());
    let (found, cells) = long(py, &control, &Watch::default(), || {
        let (mut sources, _) = Source::open_each(&path).map_err(of_run)?;
        let rules = match given {
            Some(rules) => rules,
            None => kind.detect(&mut sources, alphabet)?,
        };
        let cells = read(&mut sources, &rules, &control)?;
        Ok((rules, cells))
    })?;
    let stride = found.stride();
    let rules = match rules {
        Some(rules) => rules,
        None => Py::new(py, Rules::new(found, kind))?,
    };
    let Cells { puzzles, solutions, malformed } = cells;
    let solutions = (!solutions.is_empty()).then(|| rows_of(py, solutions, stride)).transpose()?;
    Ok((rules, rows_of(py, puzzles, stride)?, solutions, malformed))
}

fn read(sources: &mut [Source], rules: &galop_engines::Rules, control: &Control) -> PyResult<Cells> {
    let stride = rules.stride();
    let mut found = Cells { puzzles: Vec::new(), solutions: Vec::new(), malformed: Malformed::new() };
    let mut row = 0;
    for source in sources {
        let Cells { puzzles, solutions, malformed } = &mut found;
        each_record(source, rules, &mut row, malformed, |cells, records, record| {
            match cells {
                Some(cells) => puzzles.extend_from_slice(cells),
                None => puzzles.resize(puzzles.len() + stride, MALFORMED),
            }
            if let Some(solution) = records.solution(record).filter(|solution| solution.len() == stride) {
                // The records before it may have none.
                solutions.resize(puzzles.len() - stride, 0);
                solutions.extend_from_slice(&solution);
            }
            if puzzles.len().is_multiple_of(stride * STOP_ROWS) {
                check(control)?;
            }
            Ok(true)
        })?;
        source.finish().map_err(of_run)?;
    }
    if !found.solutions.is_empty() {
        found.solutions.resize(found.puzzles.len(), 0);
    }
    Ok(found)
}
