//! `sample`: some of the puzzles, drawn at random.

use galop_corpora::Amount;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::call::over_rows;
use crate::error::of_run;
use crate::records::{Lines, Table, rewriting};
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
    let drawn = over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let table = Table::numbered(rules, puzzles, None);
        let of = table.puzzles as u64;
        let amount = count.map_or(Amount::Share(share), |count| Amount::Exactly { count: count.min(of), of });
        let mut rows = Vec::new();
        let run = galop_corpora::draw(&rules.rules, rewriting(threads, control), amount, seed);
        let mut lines = Lines::new(|row, _| rows.push(row as i64));
        table.go_through(run.map_err(of_run)?, &mut [&mut lines], control)?;
        Ok(rows)
    })?;
    Ok(PyArray1::from_vec(py, drawn))
}
