//! `verify` and `rate`: whether solutions are right, and how hard puzzles are.

use galop_corpora::rating::{ImageGuesses, ImageRater, Rater};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::Puzzles;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::call::{check, in_blocks, over_rows};
use crate::error::{of_run, value_error};
use crate::rules::{MALFORMED, Rules};

/// Rows of a block.
const BLOCK: usize = 1_024;

/// What is wrong with each solution: the number of its row and the words. Rows that are right are left out.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    solutions: PyReadonlyArray2<'_, u8>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<(usize, String)>> {
    let cells = rules.cells();
    let solutions = solutions.as_slice().map_err(value_error)?;
    let fault = |verifier: &Verifier, puzzle: &[u8], solution: &[u8]| {
        if puzzle[0] == MALFORMED {
            return Some("the puzzle is malformed".to_owned());
        }
        if solution[0] == MALFORMED {
            return Some("the solution is malformed".to_owned());
        }
        let written = |symbol| rules.text(&[symbol]);
        let violation = verifier.check(puzzle, solution).err()?;
        if solution.iter().all(|&cell| cell == 0) {
            return Some("no solution".to_owned());
        }
        Some(format!("wrong solution: {}", violation.in_words(written)))
    };
    let make = || Ok(Verifier::new(&rules.rules));
    let found = over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let pairs = puzzles.chunks(cells * BLOCK).zip(solutions.chunks(cells * BLOCK)).enumerate().collect();
        in_blocks(
            threads,
            pairs,
            make,
            |verifier, (number, (puzzles, solutions)): (usize, (&[u8], &[u8]))| {
                check(control)?;
                let rows = puzzles.chunks_exact(cells).zip(solutions.chunks_exact(cells)).enumerate();
                let are_right =
                    Puzzles::new(puzzles, cells).is_ok_and(|puzzles| verifier.are_right(puzzles, solutions));
                let faults = rows.filter(|_| !are_right).filter_map(|(row, (puzzle, solution))| {
                    Some((number * BLOCK + row, fault(verifier, puzzle, solution)?))
                });
                let faults: Vec<(usize, String)> = faults.collect();
                control.add(puzzles.len() / cells);
                Ok(faults)
            },
        )
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The two clues of each puzzle that clash, in words; `None` if there are none.
#[pyfunction]
pub(crate) fn clashes(rules: &Rules, puzzles: PyReadonlyArray2<'_, u8>) -> PyResult<Vec<Option<String>>> {
    let written = |symbol| rules.text(&[symbol]);
    let clash = |puzzle: &[u8]| rules.rules.grid().check_clues(puzzle).err().map(|why| why.in_words(written));
    Ok(puzzles.as_slice().map_err(value_error)?.chunks_exact(rules.cells()).map(clash).collect())
}

/// The guesses for each puzzle (-1 for none). With images, then follow the mean, the geometric mean and the deviation of
/// the guesses for them (NaN for none).
type Ratings<'py> = (Bound<'py, PyArray1<i64>>, Option<[Bound<'py, PyArray1<f64>>; 3]>);

/// The ratings of a block of puzzles.
struct Rated {
    guesses: Vec<i64>,
    images: [Vec<f64>; 3],
}

/// Counts the guesses for puzzles.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn rate<'py>(
    py: Python<'py>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    engine: &str,
    images: u64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Ratings<'py>> {
    let cells = rules.cells();
    let engine = rules.engine(engine)?;
    let make = || {
        let rater = Rater::new(&rules.rules, engine).map_err(of_run)?;
        let images = (images > 0).then(|| ImageRater::new(&rules.rules, images, seed)).transpose();
        Ok((rater, images.map_err(of_run)?))
    };
    let rated = over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let blocks = puzzles.chunks(cells * BLOCK).enumerate().collect();
        in_blocks(threads, blocks, make, |(rater, images), (number, block): (usize, &[u8])| {
            let is_stopped = || control.is_stopped();
            let puzzles = Puzzles::new(block, cells).map_err(value_error)?;
            let ratings = rater.rate(puzzles, &is_stopped).map_err(of_run)?;
            let means = match images {
                Some(images) => {
                    // As the lines of a file, from 1.
                    let first = (number * BLOCK + 1) as u64;
                    let numbers: Vec<u64> = (first..).take(puzzles.len()).collect();
                    let guesses = images
                        .rate(rater, puzzles, &ratings, &numbers, &|_| (), &is_stopped)
                        .map_err(of_run)?;
                    let mean = |value: &dyn Fn(&ImageGuesses) -> Option<f64>| {
                        let of = |guesses: &Option<ImageGuesses>| guesses.as_ref().and_then(value);
                        guesses.iter().map(|guesses| of(guesses).unwrap_or(f64::NAN)).collect()
                    };
                    [
                        mean(&|guesses| Some(guesses.mean())),
                        mean(&|guesses| Some(guesses.geometric_mean())),
                        mean(&ImageGuesses::deviation),
                    ]
                }
                None => [Vec::new(), Vec::new(), Vec::new()],
            };
            control.add(puzzles.len());
            let guesses = ratings.iter().map(|rating| rating.guesses().map_or(-1, |guesses| guesses as i64));
            Ok(Rated { guesses: guesses.collect(), images: means })
        })
    })?;
    let guesses = PyArray1::from_iter(py, rated.iter().flat_map(|block| &block.guesses).copied());
    let of_images = || {
        [0, 1, 2].map(|at| PyArray1::from_iter(py, rated.iter().flat_map(|block| &block.images[at]).copied()))
    };
    Ok((guesses, (images > 0).then(of_images)))
}
