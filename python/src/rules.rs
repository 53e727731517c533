//! The rules of the puzzles of a call, and cells as text.

use std::io::Cursor;

use galop_batch::input::{Source, detect_rules};
use galop_engines::engine::Entry;
use galop_engines::grid::{Alphabet, Regions, Variant};
use galop_engines::{ENGINES, engine, grid};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::error::{of_run, value_error};

/// The rules of the puzzles of a call.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct Rules {
    pub(crate) rules: galop_engines::Rules,
    /// Kind, size and map: rules with equal names have the same solutions.
    pub(crate) key: String,
    kind: String,
    regions: Option<String>,
}

impl Rules {
    fn new(rules: galop_engines::Rules, kind: &str, regions: Option<&str>) -> Rules {
        let key = format!("{} {}", rules.name(), regions.unwrap_or_default());
        Rules { rules, key, kind: kind.to_owned(), regions: regions.map(str::to_owned) }
    }

    /// The number of cells of a puzzle.
    pub(crate) fn cells(&self) -> usize {
        self.rules.grid().cells()
    }

    /// Fails unless puzzles have `found` cells.
    pub(crate) fn check(&self, found: usize) -> PyResult<()> {
        let expected = self.cells();
        if found == expected {
            return Ok(());
        }
        Err(value_error(format_args!("{found} cells (a puzzle of {} has {expected})", self.rules.name())))
    }

    /// Cells as text.
    pub(crate) fn text(&self, cells: &[u8]) -> String {
        cells.iter().map(|&cell| char::from(self.rules.alphabet().character(cell))).collect()
    }

    /// The engine of that name. For rules that `lanes`, the usual default, does not accept, its name means the fastest
    /// engine.
    pub(crate) fn engine(&self, name: &str) -> PyResult<&'static Entry> {
        let default = engine::default_for(&self.rules);
        let Some(entry) = galop_published::named(name) else {
            let names: Vec<&str> = galop_published::all().map(|entry| entry.name).collect();
            return Err(value_error(format_args!("unknown engine `{name}` (one of {})", names.join(", "))));
        };
        if entry.name == ENGINES[0].name {
            return Ok(default);
        }
        (entry.accepts)(&self.rules).map_err(value_error)?;
        Ok(entry)
    }
}

/// The kinds of these names, with a plus between them, and the map of a jigsaw. Other kinds have no map.
pub(crate) fn variant_of(kind: &str, regions: Option<&str>) -> PyResult<Variant> {
    let variant: Variant = kind.parse().map_err(value_error)?;
    match regions {
        Some(map) if variant.needs_regions() => {
            variant.with_regions(Regions::read(map.as_bytes()).map_err(value_error)?).map_err(value_error)
        }
        _ => Ok(variant),
    }
}

fn alphabet_of(name: Option<&str>) -> PyResult<Option<Alphabet>> {
    let named =
        |name| Alphabet::named(name).ok_or_else(|| value_error(format_args!("unknown alphabet `{name}`")));
    name.map(named).transpose()
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (kind, side, regions=None, alphabet=None))]
    fn of(kind: &str, side: usize, regions: Option<&str>, alphabet: Option<&str>) -> PyResult<Rules> {
        let mut rules = variant_of(kind, regions)?.rules(side).map_err(value_error)?;
        if let Some(alphabet) = alphabet_of(alphabet)? {
            rules = rules.written_in(alphabet).map_err(value_error)?;
        }
        Ok(Rules::new(rules, kind, regions))
    }

    /// The arguments that make the same rules: `pickle` and `copy` call the class with them.
    fn __reduce__<'py>(
        slf: &Bound<'py, Rules>,
    ) -> (Bound<'py, PyType>, (String, usize, Option<String>, String)) {
        let own = slf.get();
        let side = own.rules.grid().symbols().into();
        (
            slf.get_type(),
            (own.kind.clone(), side, own.regions.clone(), own.rules.alphabet().name().to_string()),
        )
    }

    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }

    #[getter(cells)]
    fn py_cells(&self) -> usize {
        self.cells()
    }

    #[getter]
    fn symbols(&self) -> u8 {
        self.rules.grid().symbols()
    }

    /// Each row as text; `None` for rows that begin with a blank, if `full`.
    fn write<'py>(
        &self,
        py: Python<'py>,
        cells: PyReadonlyArray2<'py, u8>,
        full: bool,
    ) -> PyResult<Vec<Option<Bound<'py, PyString>>>> {
        self.check(cells.as_array().ncols())?;
        let cells = cells.as_slice().map_err(value_error)?;
        let write = |row: &[u8]| (!full || row[0] != 0).then(|| PyString::new(py, &self.text(row)));
        Ok(cells.chunks_exact(self.cells()).map(write).collect())
    }
}

/// The rules of the puzzles in `text`: the first one shows the size, all of them the alphabet.
#[pyfunction]
#[pyo3(signature = (text, kind, regions=None, alphabet=None))]
pub(crate) fn detect(
    text: &[u8],
    kind: &str,
    regions: Option<&str>,
    alphabet: Option<&str>,
) -> PyResult<Rules> {
    let (variant, alphabet) = (variant_of(kind, regions)?, alphabet_of(alphabet)?);
    let mut sources = [Source::stream("<puzzles>", Cursor::new(text.to_vec()))];
    let rules = detect_rules(&mut sources, &variant, alphabet.as_ref());
    Ok(Rules::new(rules.map_err(of_run)?, kind, regions))
}

/// Name, what it is and possible sides of each kind.
#[pyfunction]
pub(crate) fn kinds() -> Vec<(&'static str, &'static str, Vec<usize>)> {
    grid::KINDS.iter().map(|kind| (kind.name, kind.about, kind.sides())).collect()
}

/// The possible sides of puzzles of these kinds, whose names have a plus between them.
#[pyfunction]
pub(crate) fn sides(kind: &str) -> PyResult<Vec<usize>> {
    Ok(variant_of(kind, None)?.sides())
}

/// Name, what it is and the limit on guesses of each engine.
#[pyfunction]
pub(crate) fn engines() -> Vec<(&'static str, &'static str, u64)> {
    galop_published::all().map(|entry| (entry.name, entry.about, entry.max_guesses)).collect()
}
