//! `solve` and `count`.

use std::sync::{Mutex, PoisonError};

use galop::{Results, Solver};
use galop_cover::threads;
use galop_engines::Control;
use galop_engines::engine::Entry;
use galop_engines::puzzle::{Limits, Puzzles, Status};
use numpy::{PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;

use crate::call::{Watch, long, threads_of};
use crate::error::{of_batch, value_error};
use crate::rules::Rules;

/// Puzzles of 81 cells below which a call with the usual limits is over before anybody could stop it.
const FEW: usize = 64;

/// A solver that a call left for the next one.
struct Kept {
    /// A process that was forked has no threads of its parent.
    process: u32,
    key: Key,
    solver: Solver,
}

/// Rules, engine and threads.
type Key = (String, &'static str, usize);

/// Rules and alphabet, engine, whether the solution must be the only one, and the limit on guesses.
type TextKey = (String, &'static str, bool, u64);

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// Calls `work` with the solver of an earlier call, if that fits, or with a new one.
fn with_solver<T>(
    rules: &Rules,
    engine: &'static Entry,
    threads: Option<usize>,
    work: impl FnOnce(&mut Solver) -> T,
) -> PyResult<T> {
    let process = std::process::id();
    let key = (rules.key.clone(), engine.name, threads::count(threads_of(threads)).get());
    // A call on another thread may have it.
    let kept = KEPT.try_lock().ok().and_then(|mut kept| kept.take());
    let kept = match kept {
        Some(kept) if kept.process != process => {
            // Its threads do not exist here, so it would wait for them forever.
            std::mem::forget(kept);
            None
        }
        kept => kept.filter(|kept| kept.key == key),
    };
    let mut kept = match kept {
        Some(kept) => kept,
        None => {
            let builder = Solver::builder().rules(rules.rules.clone()).engine(engine);
            let solver = builder.threads(threads.unwrap_or(0)).build();
            Kept { process, key, solver: solver.map_err(value_error)? }
        }
    };
    let done = work(&mut kept.solver);
    if let Ok(mut place) = KEPT.try_lock() {
        *place = Some(kept);
    }
    Ok(done)
}

/// Limits: 0 solutions mean all, and `None` means the engine's own limit on guesses.
pub(crate) fn limits_of(solutions: u64, max_guesses: Option<u64>, engine: &Entry) -> Limits {
    let limits = if solutions == 0 { Limits::ALL } else { Limits::count(solutions) };
    limits.with_guesses(max_guesses.unwrap_or(engine.max_guesses))
}

/// Solves one text. Returns its solution, or raises why it has none.
#[pyfunction]
pub(crate) fn solve_text(
    py: Python<'_>,
    rules: &Rules,
    puzzle: &str,
    engine: &str,
    unique: bool,
    max_guesses: Option<u64>,
) -> PyResult<String> {
    // Keeps its memory for the next call of the same kind.
    static SOLVER: Mutex<Option<(TextKey, Solver)>> = Mutex::new(None);
    let entry = rules.engine(engine)?;
    let alphabet = rules.rules.alphabet().name();
    let guesses = max_guesses.unwrap_or(entry.max_guesses);
    let key = (format!("{} {alphabet}", rules.key), entry.name, unique, guesses);
    let solve = || {
        let kept = SOLVER.try_lock().ok().and_then(|mut solver| solver.take());
        let kept = kept.filter(|(of, _)| *of == key).map(|(_, solver)| solver);
        let mut solver = match kept {
            Some(solver) => solver,
            None => {
                let builder = Solver::builder().rules(rules.rules.clone()).engine(entry);
                builder.unique(unique).max_guesses(guesses).build().map_err(value_error)?
            }
        };
        let solved = solver.solve(puzzle).map(|solution| solution.as_str().to_owned());
        *SOLVER.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, solver));
        solved.map_err(of_batch)
    };
    if rules.is_quick() && max_guesses.is_none() {
        return py.detach(solve);
    }
    let control = Control::default();
    long(py, &control, &Watch::default(), solve)
}

/// Solves rows of cells. The arrays get solutions, statuses, numbers of solutions and of guesses. Without `puzzles`, they
/// are in the array of the solutions, which overwrite them.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn solve_cells(
    py: Python<'_>,
    rules: &Rules,
    puzzles: Option<PyReadonlyArray2<'_, u8>>,
    engine: &str,
    solutions: u64,
    max_guesses: Option<u64>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    results: (
        PyReadwriteArray2<'_, u8>,
        PyReadwriteArray1<'_, u8>,
        PyReadwriteArray1<'_, u64>,
        PyReadwriteArray1<'_, u64>,
    ),
) -> PyResult<()> {
    let (mut solved, mut status, mut counts, mut guesses) = results;
    let entry = rules.engine(engine)?;
    let limits = limits_of(solutions, max_guesses, entry);
    let puzzles = puzzles.as_ref().map(|puzzles| puzzles.as_slice()).transpose().map_err(value_error)?;
    let places = [solved.as_slice_mut(), status.as_slice_mut()];
    let [Ok(solved), Ok(status)] = places else { return Err(value_error("arrays in another order")) };
    let (Ok(counts), Ok(guesses)) = (counts.as_slice_mut(), guesses.as_slice_mut()) else {
        return Err(value_error("arrays in another order"));
    };
    let count = status.len();
    let mut solve = |control: &Control| {
        let mut statuses = vec![Status::Unanswered; count];
        let results = Results::new(solved, &mut statuses, counts, guesses);
        let found = with_solver(rules, entry, threads, |solver| match puzzles {
            Some(puzzles) => {
                solver.solve_cells(Puzzles::new(puzzles, rules.cells())?, limits, results, control)
            }
            None => solver.solve_in_place(rules.cells(), limits, results, control),
        });
        found?.map_err(of_batch)?;
        for (place, found) in status.iter_mut().zip(statuses) {
            *place = found as u8;
        }
        Ok(())
    };
    let control = Control::default();
    if count < FEW
        && rules.is_quick()
        && entry.name == galop_engines::ENGINES[0].name
        && max_guesses.is_none()
    {
        return py.detach(|| solve(&control));
    }
    long(py, &control, &Watch { progress: progress.as_ref(), total: Some(count as u64) }, || solve(&control))
}
