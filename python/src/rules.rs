//! The rules of the puzzles of a call, and cells as text.

use std::io::Cursor;
use std::sync::Arc;

use galop_batch::input::{Notation, Source, detect_rules};
use galop_engines::engine::Entry;
use galop_engines::grid::{Alphabet, ExtraRegions, Regions, RegionsError, Variant};
use galop_engines::{ENGINES, engine, grid};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::cover::{Problem, RecordRules};
use crate::error::{of_run, unknown, value_error};

/// What the puzzles of a call are: the argument `kind`, where a name is not enough.
///
/// - ``name``: a name of :func:`galop.kinds`, or several with a plus between them
/// - ``regions``: the map of the regions of a jigsaw: a letter or digit for each cell, with or without line ends
/// - ``extra``: a map of extra regions, or several: the same, with a dot for each cell in no region
/// - ``blocks``: rows and columns of the blocks, if they have another shape than usual: ``(3, 2)``
///
/// Kinds are equal if their arguments are. They can be pickled.
#[pyclass(frozen, eq, hash, from_py_object, module = "galop")]
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    name: Option<String>,
    regions: Option<String>,
    extra: Vec<String>,
    blocks: Option<(usize, usize)>,
}

impl Kind {
    pub(crate) fn variant(&self) -> PyResult<Variant> {
        let name = self.name.as_deref().map(str::parse::<Variant>);
        let mut variant = name.transpose().map_err(value_error)?.unwrap_or_default();
        if let Some(map) = &self.regions {
            let regions = Regions::read(map.as_bytes()).map_err(|error| of_map("regions", error))?;
            variant = variant.with_regions(regions).map_err(value_error)?;
        }
        for map in &self.extra {
            let regions = ExtraRegions::read(map.as_bytes()).map_err(|error| of_map("extra", error))?;
            variant = variant.with_extra(regions);
        }
        if let Some((rows, columns)) = self.blocks {
            variant = variant.with_blocks(rows, columns).map_err(value_error)?;
        }
        Ok(variant)
    }

    /// The rules of the puzzles of `sources`: the first one shows the size, all of them the alphabet if none is named.
    pub(crate) fn detect(
        &self,
        sources: &mut [Source],
        alphabet: Option<&str>,
    ) -> PyResult<galop_engines::Rules> {
        let alphabet = alphabet_of(alphabet)?;
        detect_rules(sources, &self.variant()?, alphabet.as_ref()).map_err(of_run)
    }
}

fn of_map(argument: &str, error: RegionsError) -> PyErr {
    value_error(format_args!("{argument}: {error}"))
}

/// The arguments of [`Kind`].
type KindArguments = (Option<String>, Option<String>, Vec<String>, Option<(usize, usize)>);

/// The argument `extra`.
#[derive(FromPyObject)]
enum Maps {
    One(String),
    Several(Vec<String>),
}

#[pymethods]
impl Kind {
    #[new]
    #[pyo3(signature = (name=None, regions=None, extra=Maps::Several(Vec::new()), blocks=None))]
    fn of(
        name: Option<String>,
        regions: Option<String>,
        extra: Maps,
        blocks: Option<(usize, usize)>,
    ) -> PyResult<Kind> {
        let extra = match extra {
            Maps::One(map) => vec![map],
            Maps::Several(maps) => maps,
        };
        let kind = Kind { name, regions, extra, blocks };
        kind.variant()?;
        Ok(kind)
    }

    /// What `pickle` and `copy` call the class with.
    fn __reduce__<'py>(slf: &Bound<'py, Kind>) -> (Bound<'py, PyType>, KindArguments) {
        let Kind { name, regions, extra, blocks } = slf.get().clone();
        (slf.get_type(), (name, regions, extra, blocks))
    }

    fn __repr__(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("{name:?}"));
        let regions = self.regions.as_ref().map(|map| format!("regions={map:?}"));
        let extra = (!self.extra.is_empty()).then(|| format!("extra={:?}", self.extra));
        let blocks = self.blocks.map(|blocks| format!("blocks={blocks:?}"));
        let given: Vec<String> = [name, regions, extra, blocks].into_iter().flatten().collect();
        format!("Kind({})", given.join(", "))
    }
}

/// The argument `kind` of a call.
#[derive(FromPyObject)]
pub(crate) enum GivenKind {
    Kind(Kind),
    Name(String),
}

impl GivenKind {
    pub(crate) fn kind(self) -> Kind {
        let name = match self {
            GivenKind::Kind(kind) => return kind,
            GivenKind::Name(name) => name,
        };
        Kind { name: Some(name), regions: None, extra: Vec::new(), blocks: None }
    }
}

/// Every cell of a row that is not a puzzle.
pub(crate) const MALFORMED: u8 = u8::MAX;

/// The rules of the puzzles of a call.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct Rules {
    pub(crate) rules: galop_engines::Rules,
    /// Kind, size and maps: rules with equal keys have the same solutions.
    pub(crate) key: String,
    kind: Kind,
    /// The fastest engine.
    default: &'static Entry,
    /// How puzzles are written.
    pub(crate) notation: Notation,
}

impl Rules {
    pub(crate) fn new(rules: galop_engines::Rules, kind: Kind) -> Rules {
        let key = format!("{} {:?} {:?}", rules.name(), kind.regions, kind.extra);
        let (default, notation) = (engine::default_for(&rules), Notation::from(&rules));
        Rules { rules, key, kind, default, notation }
    }

    /// Whether any search for a puzzle is over before anybody could stop it, with the usual limits and engine.
    pub(crate) fn is_quick(&self) -> bool {
        self.rules.choices().is_none() && self.cells() == 81
    }

    /// The number of cells of a puzzle.
    pub(crate) fn cells(&self) -> usize {
        self.rules.stride()
    }

    /// Fails unless puzzles have `found` cells.
    pub(crate) fn check(&self, found: usize) -> PyResult<()> {
        let expected = self.cells();
        if found == expected {
            return Ok(());
        }
        Err(value_error(format_args!("{found} cells (a puzzle of {} has {expected})", self.rules.name())))
    }

    /// The characters of a blank and of each symbol, by the number of the cell.
    pub(crate) fn characters(&self) -> Vec<u8> {
        (0..=self.rules.most()).map(|cell| self.rules.alphabet().character(cell)).collect()
    }

    /// Reads `text` to `row`; false if it is not a puzzle. White space is skipped.
    #[inline]
    pub(crate) fn read(&self, text: &[u8], row: &mut [u8]) -> bool {
        let is_read = self.notation.read_puzzle(text, row);
        if !is_read {
            row.fill(MALFORMED);
        }
        is_read
    }

    /// Cells as text.
    pub(crate) fn text(&self, cells: &[u8]) -> String {
        let mut text = Vec::with_capacity(cells.len());
        self.notation.write(cells, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The engine of that name. For rules that `lanes`, the usual default, does not accept, its name means the fastest
    /// engine.
    pub(crate) fn engine(&self, name: &str) -> PyResult<&'static Entry> {
        let Some(entry) = galop_published::named(name) else {
            return Err(unknown("engine", name, galop_published::every().map(|entry| entry.name)));
        };
        if entry.name == ENGINES[0].name {
            return Ok(self.default);
        }
        (entry.accepts)(&self.rules).map_err(value_error)?;
        Ok(entry)
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
    #[pyo3(signature = (kind, side, alphabet=None))]
    fn of(kind: GivenKind, side: Option<usize>, alphabet: Option<&str>) -> PyResult<Rules> {
        let kind = kind.kind();
        let mut rules = kind.variant()?.rules(side).map_err(value_error)?;
        if let Some(alphabet) = alphabet_of(alphabet)? {
            rules = rules.written_in(alphabet).map_err(value_error)?;
        }
        Ok(Rules::new(rules, kind))
    }

    /// Whether puzzles are records of a problem.
    #[getter]
    fn is_problem(&self) -> bool {
        self.rules.choices().is_some()
    }

    /// The rules of records of a problem.
    #[staticmethod]
    fn of_problem(problem: &Problem) -> PyResult<Rules> {
        let RecordRules { number, rules, engine } = problem.rules()?;
        let notation = Notation::from(&rules);
        let key = format!("problem {number}");
        Ok(Rules { rules, key, kind: Kind::default(), default: engine, notation })
    }

    /// What is wrong with each of these rows of numbers.
    fn faults(&self, rows: PyReadonlyArray2<'_, u8>) -> PyResult<Vec<String>> {
        self.check(rows.as_array().ncols())?;
        let most = self.rules.most();
        let (is_problem, cells) = (self.rules.choices().is_some(), self.cells());
        let fault = |row: &[u8]| match row.iter().find(|&&number| number > most) {
            None => self.rules.clash(row).map_or_else(String::new, |fault| fault.to_string()),
            Some(&number) => {
                // Numbers that do not fit a byte are the greatest one.
                let number =
                    if number == MALFORMED { "a number".to_owned() } else { format!("the number {number}") };
                match is_problem {
                    true => format!(
                        "{number} that is no mark (1 chooses an option, 2 forbids it, 0 or NaN does neither)"
                    ),
                    false => format!(
                        "{number} that is no cell (cells are numbers from 1 to {most}, a blank is 0 or NaN)"
                    ),
                }
            }
        };
        Ok(rows.as_slice().map_err(value_error)?.chunks_exact(cells).map(fault).collect())
    }

    /// What makes the same rules, with its arguments: `pickle` and `copy` call it.
    fn __reduce__<'py>(slf: &Bound<'py, Rules>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, own) = (slf.py(), slf.get());
        if let Some(choices) = own.rules.choices() {
            let problem = Problem::of_cover(Arc::clone(choices.problem()));
            return Ok((slf.get_type().getattr("of_problem")?, (problem,).into_pyobject(py)?.into_any()));
        }
        let side = usize::from(own.rules.grid().symbols());
        let arguments = (own.kind.clone(), side, own.rules.alphabet().name().to_string());
        Ok((slf.get_type().into_any(), arguments.into_pyobject(py)?.into_any()))
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
        self.rules.most()
    }

    /// Each row as text.
    fn write<'py>(
        &self,
        py: Python<'py>,
        cells: PyReadonlyArray2<'py, u8>,
    ) -> PyResult<Vec<Bound<'py, PyString>>> {
        self.check(cells.as_array().ncols())?;
        let cells = cells.as_slice().map_err(value_error)?;
        Ok(cells.chunks_exact(self.cells()).map(|row| PyString::new(py, &self.text(row))).collect())
    }

    /// How a blank and each symbol are written: the character of a cell is at its number.
    #[getter(characters)]
    fn py_characters(&self) -> String {
        self.characters().into_iter().map(char::from).collect()
    }
}

/// The rules of the puzzles in `text`: the first one shows the size, all of them the alphabet.
#[pyfunction]
#[pyo3(signature = (text, kind, alphabet=None))]
pub(crate) fn detect(text: &[u8], kind: GivenKind, alphabet: Option<&str>) -> PyResult<Rules> {
    let kind = kind.kind();
    let rules = kind.detect(&mut [Source::stream("<puzzles>", Cursor::new(text.to_vec()))], alphabet)?;
    Ok(Rules::new(rules, kind))
}

/// Name, what it is and possible sides of each kind.
#[pyfunction]
pub(crate) fn kinds() -> Vec<(&'static str, &'static str, Vec<usize>)> {
    grid::KINDS.iter().map(|kind| (kind.name, kind.about, kind.sides())).collect()
}

/// The possible sides of puzzles of a kind.
#[pyfunction]
pub(crate) fn sides(kind: GivenKind) -> PyResult<Vec<usize>> {
    Ok(kind.kind().variant()?.sides())
}

/// Name, what it is and the limit on guesses of each engine.
#[pyfunction]
pub(crate) fn engines() -> Vec<(&'static str, &'static str, u64)> {
    galop_published::all().map(|entry| (entry.name, entry.about, entry.max_guesses)).collect()
}
