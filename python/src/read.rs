//! `read_file`: the records of files, as rows of cells.

use std::path::{Path, PathBuf};

use galop_batch::input::{Holds, Source, detect_rules, known_by_name, look, look_for_choices};
use galop_batch::printable;
use galop_engines::Control;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::call::{Watch, long};
use crate::error::{of_batch, of_run, value_error};
use crate::rules::{GivenKind, Kind, MALFORMED, Rules, alphabet_of};
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

/// Opens a file, the members of an archive, or the files of a folder. Of the last two, files whose names say that they
/// hold no puzzles are left out, and all others must hold puzzles of this kind, or records of the problem that `rules`
/// are.
pub(crate) fn open(
    path: &Path,
    kind: &Kind,
    alphabet: Option<&str>,
    rules: Option<&galop_engines::Rules>,
) -> PyResult<Vec<Source>> {
    let mut sources = Source::open_each(path).map_err(of_run)?;
    if let [only] = &sources[..]
        && only.name() == path
    {
        return Ok(sources);
    }
    sources.retain(|source| known_by_name(source.name()).is_none());
    let (variant, alphabet) = (kind.variant()?, alphabet_of(alphabet)?);
    for source in &mut sources {
        let holds = match rules.filter(|rules| rules.choices().is_some()) {
            Some(rules) => look_for_choices(source, rules),
            None => look(source, &variant, alphabet.as_ref()),
        };
        if let Holds::Other = holds.map_err(of_run)? {
            let (name, kind) = (
                printable(source.name()),
                rules.map_or(variant.to_string(), |rules| rules.name().to_owned()),
            );
            return Err(value_error(format_args!(
                "{name}: not recognised as puzzles of the kind {kind} (every file of a folder is read)"
            )));
        }
    }
    Ok(sources)
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
    let watch = Watch { progress: None, total: None };
    let given = rules.as_ref().map(|rules| rules.get().rules.clone());
    let (found, cells) = long(py, &control, &watch, || {
        let mut sources = open(&path, &kind, alphabet, given.as_ref())?;
        let rules = match given {
            Some(rules) => rules,
            None => {
                let (variant, alphabet) = (kind.variant()?, alphabet_of(alphabet)?);
                detect_rules(&mut sources, &variant, alphabet.as_ref()).map_err(of_run)?
            }
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
            if puzzles.len().is_multiple_of(stride * STOP_ROWS) && control.is_stopped() {
                return Err(of_batch(galop::SolveError::Stopped));
            }
            Ok(true)
        })?;
    }
    if !found.solutions.is_empty() {
        found.solutions.resize(found.puzzles.len(), 0);
    }
    Ok(found)
}
