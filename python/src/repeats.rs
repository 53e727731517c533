//! `dedup`, `leak` and `split`: puzzles that are the same but for a symmetry.

use std::io;

use galop_batch::Error;
use galop_batch::pipeline::Part;
use galop_corpora::{By, Dedup, DedupOptions, Leak, LeakOptions, SplitOptions};
use galop_engines::Control;
use numpy::{PyReadonlyArray2, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::call::{Watch, long};
use crate::error::{of_run, value_error};
use crate::records::{Counter, Lines, Table, rewriting, row_of};
use crate::rules::Rules;

/// Rows of cells, and their answers.
type Given<'py> = (PyReadonlyArray2<'py, u8>, Option<PyReadonlyArray2<'py, u8>>);

/// The flat cells of puzzles and answers.
fn flat<'a>(given: &'a Given<'_>) -> PyResult<(&'a [u8], Option<&'a [u8]>)> {
    let (puzzles, solutions) = given;
    let solutions = solutions.as_ref().map(|solutions| solutions.as_slice()).transpose();
    Ok((puzzles.as_slice().map_err(value_error)?, solutions.map_err(value_error)?))
}

fn by_of(name: &str) -> PyResult<By> {
    let names = By::ALL.map(By::name).join(", ");
    let named = By::ALL.into_iter().find(|by| by.name() == name);
    named.ok_or_else(|| value_error(format_args!("by={name:?} (one of {names})")))
}

/// Writes the row of the first puzzle of its class for each row: its own if no earlier one equals it, -1 if it is
/// malformed.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn dedup(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    solutions: Option<PyReadonlyArray2<'_, u8>>,
    by: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    mut first: PyReadwriteArray1<'_, i64>,
) -> PyResult<()> {
    let given = (puzzles, solutions);
    let (puzzles, solutions) = flat(&given)?;
    let first = first.as_slice_mut().map_err(value_error)?;
    let by = by_of(by)?;
    let control = Control::default();
    // The table is read twice. The second time takes no searches, so it is left out of the progress.
    let uncounted = Control::default();
    let rows = puzzles.len() / rules.cells();
    let watch = Watch { progress: progress.as_ref(), total: Some(rows as u64) };
    long(py, &control, &watch, || {
        let table = Table::new(rules, puzzles, solutions);
        let options = DedupOptions::default().by(by).trusts_answers(solutions.is_some());
        let rewriting = rewriting(threads, &control);
        let find = |first: &mut [i64]| -> Result<(), Error> {
            let mut run = Dedup::open(&rules.rules, rewriting, options)?;
            run.read(&mut table.source(), &mut Counter::new(&control))?;
            let (mut second, _) = run.find(Box::new(|repeat, earlier| {
                if let Some(place) = first.get_mut(row_of(repeat)) {
                    *place = row_of(earlier) as i64;
                }
                Ok(())
            }))?;
            let counter = &mut Counter::new(&uncounted);
            second.read(&mut table.source(), Part::WHOLE, &mut [&mut io::sink()], counter)?;
            second.finish(&mut [&mut io::sink()]).map(drop)
        };
        number(rules, puzzles, first);
        find(first).map_err(of_run)
    })
}

/// Writes the number of each row that is a puzzle, and -1 for the others.
fn number(rules: &Rules, puzzles: &[u8], numbers: &mut [i64]) {
    let is_puzzle = crate::records::well_formed(rules);
    for (row, (place, puzzle)) in numbers.iter_mut().zip(puzzles.chunks_exact(rules.cells())).enumerate() {
        *place = if is_puzzle(puzzle) { row as i64 } else { -1 };
    }
}

/// A leak: the row of the test, the row for training, whether the puzzles are equivalent, the symmetry.
type LeakRow = (usize, usize, bool, String);

/// The tests that are in the training data.
#[pyfunction]
pub(crate) fn leak(
    py: Python<'_>,
    rules: &Rules,
    training: Given<'_>,
    tests: Given<'_>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<LeakRow>> {
    let (training, tests) = (flat(&training)?, flat(&tests)?);
    let control = Control::default();
    // Both tables are read twice if there are leaks. The second time takes no searches, so it is left out of the progress.
    let uncounted = Control::default();
    let rows = (training.0.len() + tests.0.len()) / rules.cells();
    let watch = Watch { progress: progress.as_ref(), total: Some(rows as u64) };
    long(py, &control, &watch, || {
        // Sources of one run have the same columns.
        let has_answers = training.1.is_some() || tests.1.is_some();
        let [training, tests] = [training, tests]
            .map(|(cells, answers)| Table::new(rules, cells, answers.or(has_answers.then_some(&[]))));
        let options = LeakOptions::default().trusts_answers(has_answers);
        let rewriting = rewriting(threads, &control);
        let find = || -> Result<Vec<LeakRow>, Error> {
            let mut run = Leak::open(&rules.rules, rewriting, options)?;
            let counter = &mut Counter::new(&control);
            run.read_training(&mut training.source(), counter)?;
            run.read_tests(&mut tests.source(), counter)?;
            let mut reader = run.find()?;
            let (outcome, mut found) = (reader.outcome(), Vec::new());
            if outcome.puzzles + outcome.grids == 0 {
                return Ok(found);
            }
            let counter = &mut Counter::new(&uncounted);
            reader.read_training(&mut training.source(), counter)?;
            reader.read_tests(&mut tests.source(), counter, &mut |pair| {
                let (test, earlier) = (row_of(pair.test), row_of(pair.training));
                found.push((test, earlier, pair.is_puzzle, pair.symmetry.to_string()));
                Ok(())
            })?;
            Ok(found)
        };
        find().map_err(of_run)
    })
}

/// Writes the side of each row: 0 for training, 1 for tests. A malformed row keeps what is there.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn split(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    solutions: Option<PyReadonlyArray2<'_, u8>>,
    by: &str,
    share: f64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    mut sides: PyReadwriteArray1<'_, u8>,
) -> PyResult<()> {
    let given = (puzzles, solutions);
    let (puzzles, solutions) = flat(&given)?;
    let sides = sides.as_slice_mut().map_err(value_error)?;
    let by = by_of(by)?;
    let control = Control::default();
    let rows = puzzles.len() / rules.cells();
    let watch = Watch { progress: progress.as_ref(), total: Some(rows as u64) };
    long(py, &control, &watch, || {
        let table = Table::numbered(rules, puzzles, solutions);
        let trusts_answers = solutions.is_some();
        let options = SplitOptions::default().by(by).trusts_answers(trusts_answers).share(share).seed(seed);
        let (mut training, mut tests) = (Vec::new(), Vec::new());
        let mut split = || -> Result<(), Error> {
            let mut run = galop_corpora::split(&rules.rules, rewriting(threads, &control), options)?;
            let [mut first, mut second] =
                [&mut training, &mut tests].map(|rows| Lines::new(|row, _| rows.push(row)));
            let counter = &mut Counter::new(&control);
            run.read(&mut table.source(), Part::WHOLE, &mut [&mut first, &mut second], counter)?;
            run.finish(&mut [&mut first, &mut second]).map(drop)
        };
        split().map_err(of_run)?;
        for (side, rows) in [training, tests].into_iter().enumerate() {
            for row in rows {
                if let Some(place) = sides.get_mut(row) {
                    *place = side as u8;
                }
            }
        }
        Ok(())
    })
}
