//! `compare`.

use std::io::Cursor;
use std::time::Duration;

use galop_batch::input::Source;
use galop_compare::{self as library, Contest, Plan, Set};
use galop_engines::engine::Entry;
use galop_engines::{Control, engine};
use galop_report::{self as report, Style};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::call::{Watch, long, threads_of};
use crate::error::{of_run, value_error};
use crate::rules::Rules;

/// Compares engines on rows of cells. Returns the report as text and as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn compare(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    engines: Option<Vec<String>>,
    runs: usize,
    solutions: u64,
    max_guesses: Option<u64>,
    seed: u64,
    as_is: bool,
    budget: Option<f64>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let puzzles = puzzles.as_slice().map_err(value_error)?;
    let entry = |name: &String| -> PyResult<&'static Entry> {
        let entry = rules.engine(name)?;
        // `lanes` must not become another engine here.
        match galop_published::named(name) {
            Some(named) => (named.accepts)(&rules.rules).map_err(value_error).map(|()| named),
            None => Ok(entry),
        }
    };
    let engines = match &engines {
        Some(names) => names.iter().map(entry).collect::<PyResult<Vec<_>>>()?,
        None => engine::compared_for(&rules.rules).to_vec(),
    };
    let budget = budget.map(Duration::try_from_secs_f64).transpose().map_err(value_error)?;
    let control = Control::default();
    let cells = rules.cells();
    let total = puzzles.len() / cells * engines.len() * (runs + 1);
    let watch = Watch { progress: progress.as_ref(), total: Some(total as u64) };
    let comparison = long(py, &control, &watch, || {
        let mut lines = Vec::with_capacity(puzzles.len() + puzzles.len() / cells);
        for puzzle in puzzles.chunks_exact(cells) {
            lines.extend(puzzle.iter().map(|&cell| rules.rules.alphabet().character(cell)));
            lines.push(b'\n');
        }
        let mut set = Set::new(&rules.rules);
        set.read(&mut Source::stream("<puzzles>", Cursor::new(lines)), &mut |_| {}).map_err(of_run)?;
        let plan = Plan {
            solutions: if solutions == 0 { u64::MAX } else { solutions },
            max_guesses,
            runs,
            threads: threads_of(threads),
            seed,
            is_permuted: !as_is,
            budget,
            stop: control.stop_flag(),
            ..Plan::new(&engines)
        };
        let mut watch = Passes { control: &control, done: 0 };
        library::compare(&rules.rules, &set, &plan, &mut watch).map_err(of_run)
    })?;
    let figures = report::json(&comparison);
    Ok((report::contest_text(&Contest::new(vec![comparison]), &Style::default(), 0), figures))
}

/// Counts the answers of the engines.
struct Passes<'a> {
    control: &'a Control,
    done: u64,
}

impl library::Watch for Passes<'_> {
    fn advanced(&mut self, done: u64, _total: u64) {
        self.control.add((done - self.done) as usize);
        self.done = done;
    }
}
