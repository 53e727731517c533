//! `sample`: some of the puzzles, drawn at random.

use galop_batch::Error;
use galop_batch::pipeline::Part;
use galop_corpora::Amount;
use galop_engines::Control;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::call::{Watch, long};
use crate::error::{of_run, value_error};
use crate::records::{Counter, Lines, Table, rewriting};
use crate::rules::Rules;

/// The rows that are drawn: `count` of them, or each with the probability `share`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn sample<'py>(
    py: Python<'py>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'py, u8>,
    count: Option<u64>,
    share: f64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let puzzles = puzzles.as_slice().map_err(value_error)?;
    let control = Control::default();
    let total = puzzles.len() / rules.cells();
    let watch = Watch { progress: progress.as_ref(), total: Some(total as u64) };
    let drawn = long(py, &control, &watch, || {
        let table = Table::numbered(rules, puzzles, None);
        let of = table.puzzles as u64;
        let amount = count.map_or(Amount::Share(share), |count| Amount::Exactly { count: count.min(of), of });
        let mut rows = Vec::new();
        let draw = |rows: &mut Vec<i64>| -> Result<(), Error> {
            let mut run = galop_corpora::draw(&rules.rules, rewriting(threads, &control), amount, seed)?;
            let mut lines = Lines::new(|row, _| rows.push(row as i64));
            let counter = &mut Counter::new(&control);
            run.read(&mut table.source(), Part::WHOLE, &mut [&mut lines], counter)?;
            run.finish(&mut [&mut lines]).map(drop)
        };
        draw(&mut rows).map_err(of_run)?;
        Ok(rows)
    })?;
    Ok(PyArray1::from_vec(py, drawn))
}
