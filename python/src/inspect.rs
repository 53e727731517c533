//! `verify`, `check` and `rate`: what is known of puzzles without solving them for their solutions.

use std::io::Cursor;

use galop::grid::{Checker, Verifier};
use galop::input::Source;
use galop::pipeline::{RATE_COLUMNS, RateOptions, RateRun, RewriteOptions, Watch as PipelineWatch};
use galop::{Control, Puzzles, output};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::call::{Watch, in_blocks, long, threads_of};
use crate::error::{of_run, value_error};
use crate::rules::Rules;
use crate::texts::MALFORMED;

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
    let (puzzles, solutions) =
        (puzzles.as_slice().map_err(value_error)?, solutions.as_slice().map_err(value_error)?);
    let verifier = Verifier::new(&rules.rules);
    let fault = |puzzle: &[u8], solution: &[u8]| {
        if puzzle[0] == MALFORMED {
            return Some("the puzzle is malformed".to_owned());
        }
        if solution[0] == MALFORMED {
            return Some("the solution is malformed".to_owned());
        }
        let written = |symbol| rules.text(&[symbol]);
        let violation = verifier.check(puzzle, solution).err()?;
        Some(format!("wrong solution: {}", violation.in_words(written)))
    };
    let pairs = puzzles.chunks(cells * BLOCK).zip(solutions.chunks(cells * BLOCK)).enumerate();
    let found = blocks(
        py,
        puzzles.len() / cells,
        threads,
        progress,
        pairs.collect(),
        || Ok(()),
        |(), block| {
            let (number, (puzzles, solutions)) = block;
            let rows = puzzles.chunks_exact(cells).zip(solutions.chunks_exact(cells)).enumerate();
            rows.filter_map(|(row, (puzzle, solution))| {
                Some((number * BLOCK + row, fault(puzzle, solution)?))
            })
            .collect::<Vec<_>>()
        },
    )?;
    Ok(found.into_iter().flatten().collect())
}

/// Why each puzzle is impossible; `None` if no reason is found without a guess.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Option<String>>> {
    let cells = rules.cells();
    let puzzles = puzzles.as_slice().map_err(value_error)?;
    let symbols = rules.rules.grid().symbols();
    let make = || Ok(Checker::new(&rules.rules));
    let parts = puzzles.chunks(cells * BLOCK).collect();
    let found =
        blocks(py, puzzles.len() / cells, threads, progress, parts, make, |checker, block: &[u8]| {
            let written = |symbol| rules.text(&[symbol]);
            let reason = |puzzle: &[u8]| {
                if puzzle.iter().any(|&cell| cell > symbols) {
                    return Some("malformed".to_owned());
                }
                checker.check(puzzle).err().map(|reason| reason.in_words(written))
            };
            block.chunks_exact(cells).map(reason).collect::<Vec<_>>()
        })?;
    Ok(found.into_iter().flatten().collect())
}

/// A call on blocks of rows, `count` rows in all.
fn blocks<B: Send + Rows, W: Send, T: Send>(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    parts: Vec<B>,
    make: impl Fn() -> PyResult<W> + Sync + Send,
    work: impl Fn(&mut W, B) -> T + Sync + Send,
) -> PyResult<Vec<T>> {
    let control = Control::default();
    let watch = Watch { progress: progress.as_ref(), total: Some(count as u64) };
    let bytes = parts.iter().map(Rows::bytes).sum::<usize>();
    let cells = bytes.checked_div(count).unwrap_or(1).max(1);
    long(py, &control, &watch, || {
        in_blocks(threads, parts, make, |worker, part| {
            let rows = part.bytes() / cells;
            if control.is_stopped() {
                return Err(crate::error::of_batch(galop::SolveError::Stopped));
            }
            let done = work(worker, part);
            control.add(rows);
            Ok(done)
        })
    })
}

/// A block of rows of cells.
trait Rows {
    fn bytes(&self) -> usize;
}

impl Rows for &[u8] {
    fn bytes(&self) -> usize {
        self.len()
    }
}

impl Rows for (usize, (&[u8], &[u8])) {
    fn bytes(&self) -> usize {
        self.1.0.len()
    }
}

/// The ratings as a table: the names of its columns, and the text of each field of each puzzle.
type Table = (Vec<&'static str>, Vec<Vec<String>>);

/// Rates puzzles. A row that is malformed has the tier `malformed`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn rate(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    engine: &str,
    images: u64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let cells = rules.cells();
    let puzzles = Puzzles::new(puzzles.as_slice().map_err(value_error)?, cells);
    let engine = rules.engine(engine)?;
    let symbols = rules.rules.grid().symbols();
    let columns = RATE_COLUMNS
        .iter()
        .filter(|column| (images > 0 || !column.is_of_images) && !column.is_of_techniques)
        .collect::<Vec<_>>();
    let names = columns.iter().map(|column| column.name).collect::<Vec<_>>();
    let options = RateOptions { engine: Some(engine), images, seed, columns, ..RateOptions::default() };
    let control = Control::default();
    let watch = Watch { progress: progress.as_ref(), total: Some(puzzles.len() as u64) };
    let rated = long(py, &control, &watch, || {
        let mut lines = Vec::with_capacity(puzzles.len() * (cells + 1));
        for puzzle in puzzles.iter() {
            if puzzle.iter().any(|&cell| cell > symbols) {
                lines.extend_from_slice(b"malformed\n");
                continue;
            }
            lines.extend(puzzle.iter().map(|&cell| rules.rules.alphabet().character(cell)));
            lines.push(b'\n');
        }
        let format = output::format("csv").ok_or_else(|| value_error("no format csv"))?;
        let rewriting = RewriteOptions {
            threads: threads_of(threads),
            format,
            chunk_bytes: None,
            stop: control.stop_flag(),
        };
        let mut run = RateRun::open(&rules.rules, rewriting, &options, Vec::new()).map_err(of_run)?;
        let mut source = Source::stream("<puzzles>", Cursor::new(lines));
        run.rate(&mut source, &mut Forward { control: &control, done: 0 }).map_err(of_run)?;
        Ok(run.finish().map_err(of_run)?.0)
    })?;
    let text = String::from_utf8_lossy(&rated);
    let rows = text.lines().skip(1).map(|line| {
        let mut fields: Vec<String> = line.split(',').skip(1).map(str::to_owned).collect();
        fields.resize(names.len(), String::new());
        if fields[0].is_empty() {
            "malformed".clone_into(&mut fields[0]);
        }
        fields
    });
    let rows = rows.collect();
    Ok((names, rows))
}

/// Passes on what the pipeline reports.
pub(crate) struct Forward<'a> {
    pub(crate) control: &'a Control,
    pub(crate) done: usize,
}

impl PipelineWatch for Forward<'_> {
    fn advanced(&mut self, _position: u64, records: u64) {
        let records = records as usize;
        self.control.add(records - self.done.min(records));
        self.done = records;
    }
}
