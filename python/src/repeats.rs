//! `dedup`, `leak` and `split`: puzzles that are the same but for a symmetry.

use std::io;

use galop_batch::Error;
use galop_corpora::{By, Dedup, DedupOptions, Leak, LeakOptions, SplitOptions, TestCounter, TestLimit};
use galop_engines::Control;
use numpy::{PyReadonlyArray2, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::call::{Watch, long, over_rows};
use crate::error::{of_run, value_error};
use crate::records::{Counter, Lines, Table, rewriting, row_of};
use crate::rules::Rules;

/// Rows of cells, and their answers.
type Given<'py> = (PyReadonlyArray2<'py, u8>, Option<PyReadonlyArray2<'py, u8>>);

/// The cells of rows, one behind the other.
fn cells_of<'a>(rows: &'a PyReadonlyArray2<'_, u8>) -> PyResult<&'a [u8]> {
    rows.as_slice().map_err(value_error)
}

/// The same of answers, if there are some.
fn flat<'a>(rows: Option<&'a PyReadonlyArray2<'_, u8>>) -> PyResult<Option<&'a [u8]>> {
    rows.map(cells_of).transpose()
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
    let solutions = flat(solutions.as_ref())?;
    let first = first.as_slice_mut().map_err(value_error)?;
    let by = by_of(by)?;
    over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        // The table is read twice. The second time takes no searches, so it is left out of the progress.
        let uncounted = Control::default();
        let table = Table::new(rules, puzzles, solutions);
        let options = DedupOptions::default().by(by).trusts_answers(solutions.is_some());
        number(rules, puzzles, first);
        let mut run = Dedup::open(&rules.rules, rewriting(threads, control), options).map_err(of_run)?;
        run.read(&mut table.source(), &mut Counter::new(control)).map_err(of_run)?;
        let second = run.find(Box::new(|repeat, earlier| {
            if let Some(place) = first.get_mut(row_of(repeat)) {
                *place = row_of(earlier) as i64;
            }
            Ok(())
        }));
        table.go_through(second.map_err(of_run)?.0, &mut [&mut io::sink()], &uncounted)
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
    let training = (cells_of(&training.0)?, flat(training.1.as_ref())?);
    let tests = (cells_of(&tests.0)?, flat(tests.1.as_ref())?);
    let control = Control::default();
    // Both tables are read twice if there are leaks. The second time takes no searches, so it is left out of the
    // progress.
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

/// Writes the side of each row: 0 for training, 1 for tests, of which there are `count` or else a `share`. A malformed row
/// keeps what is there.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn split(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    solutions: Option<PyReadonlyArray2<'_, u8>>,
    by: &str,
    share: f64,
    count: Option<usize>,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    mut sides: PyReadwriteArray1<'_, u8>,
) -> PyResult<()> {
    let solutions = flat(solutions.as_ref())?;
    let sides = sides.as_slice_mut().map_err(value_error)?;
    let by = by_of(by)?;
    over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let table = Table::numbered(rules, puzzles, solutions);
        let trusts_answers = solutions.is_some();
        let options = SplitOptions::default().by(by).trusts_answers(trusts_answers).seed(seed);
        let rewriting = rewriting(threads, control);
        let limit = match count {
            None => TestLimit::share(share),
            Some(count) => {
                let opened = TestCounter::open(&rules.rules, rewriting, options, count);
                let mut counter = opened.map_err(of_run)?;
                counter.read(&mut table.source(), &mut ()).map_err(of_run)?;
                counter.finish()
            }
        };
        let (mut training, mut tests) = (Vec::new(), Vec::new());
        let run = galop_corpora::split(&rules.rules, rewriting, options.tests(limit));
        let [mut first, mut second] =
            [&mut training, &mut tests].map(|rows| Lines::new(|row, _| rows.push(row)));
        table.go_through(run.map_err(of_run)?, &mut [&mut first, &mut second], control)?;
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
