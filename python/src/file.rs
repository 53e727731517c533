//! `solve_file` and `verify_file`.

use std::path::PathBuf;
use std::sync::Arc;

use galop::SolveFile;
use galop_batch::input::{MALFORMED_KEPT, Source};
use galop_batch::output;
use galop_batch::pipeline::{FaultyRecord, VerifyOptions, VerifyOutcome, VerifyRun};
use galop_engines::puzzle::Status;
use galop_engines::{Control, engine};
use pyo3::prelude::*;

use crate::call::{Watch, long, threads_of};
use crate::cover::Problem;
use crate::error::{of_run, value_error};
use crate::rules::GivenKind;

/// What a run found: each status and its number of records, the guesses, the first malformed records.
type Figures = (Vec<(&'static str, u64)>, u128, Vec<String>);

/// Solves a file of puzzles to another file.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn solve_file(
    py: Python<'_>,
    input: PathBuf,
    output: PathBuf,
    unique: bool,
    max_guesses: Option<u64>,
    engine: &str,
    kind: GivenKind,
    problem: Option<&Problem>,
    format: Option<&str>,
    alphabet: Option<&str>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Figures> {
    let unknown = |what: &str, name: &str| value_error(format_args!("unknown {what} `{name}`"));
    let control = Arc::new(Control::default());
    let kind = kind.kind();
    let named = galop_published::named(engine).ok_or_else(|| unknown("engine", engine))?;
    let format =
        format.map(|name| output::format(name).ok_or_else(|| unknown("format", name))).transpose()?;
    let rules = problem.map(Problem::rules).transpose()?.map(|records| records.rules);
    let run = || {
        let rules = match rules {
            Some(rules) => rules,
            None => {
                let (mut sources, _) = Source::open_each(&input).map_err(of_run)?;
                kind.detect(&mut sources, alphabet)?
            }
        };
        let default = engine::default_for(&rules);
        let named = if named.name == galop_engines::ENGINES[0].name { default } else { named };
        let mut file = SolveFile::new(&input, &output)
            .rules(rules)
            .engine(named)
            .unique(unique)
            .threads(threads.unwrap_or(0))
            .control(Arc::clone(&control));
        if let Some(guesses) = max_guesses {
            file = file.max_guesses(guesses);
        }
        if let Some(format) = format {
            file = file.format(format);
        }
        file.run().map_err(of_run)
    };
    let outcome = long(py, &control, &Watch { progress: progress.as_ref(), total: None }, run)?;
    let counts = Status::ALL.iter().map(|&status| (status.word(), outcome.tally.of(status))).collect();
    let malformed = outcome.malformed.iter().map(ToString::to_string).collect();
    Ok((counts, outcome.tally.guesses.sum(), malformed))
}

/// What a run verified: each verdict and its number of records, the first records with a fault, and how many have one.
type Verdicts = (Vec<(&'static str, u64)>, Vec<String>, u64);

/// Verifies the solutions in files of puzzles.
#[pyfunction]
pub(crate) fn verify_file(
    py: Python<'_>,
    input: PathBuf,
    unique: bool,
    kind: GivenKind,
    alphabet: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Verdicts> {
    let kind = kind.kind();
    let control = Control::default();
    let mut faults = Vec::new();
    let total = long(py, &control, &Watch::default(), || {
        let (mut sources, _) = Source::open_each(&input).map_err(of_run)?;
        let rules = kind.detect(&mut sources, alphabet)?;
        let engine = engine::default_for(&rules);
        let options =
            VerifyOptions::default().unique(unique).threads(threads_of(threads)).stop(control.stop_flag());
        let mut report = |record: &FaultyRecord<'_>| {
            if faults.len() < MALFORMED_KEPT {
                faults.push(record.to_string());
            }
            Ok(())
        };
        let mut run = VerifyRun::open(&rules, engine, &options).map_err(of_run)?;
        let verified = sources.iter_mut().map(|source| run.verify(source, &mut (), &mut report));
        Ok(VerifyOutcome::total(&verified.collect::<Result<Vec<_>, _>>().map_err(of_run)?))
    })?;
    let total = total.unwrap_or_default();
    Ok((total.counts().collect(), faults, total.faulty))
}
