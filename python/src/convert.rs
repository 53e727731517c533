//! `convert`: puzzles in the formats of files.

use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use galop_batch::input::Source;
use galop_batch::output::{self, End, FormatEntry, OutputFile};
use galop_batch::pipeline::{self, Part, RewriteOptions};
use galop_batch::{Error, ErrorKind, printable};
use galop_engines::Control;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::call::{Watch, long, threads_of};
use crate::error::{of_run, value_error};
use crate::records::{Counter, Table};
use crate::rules::{GivenKind, Rules};

/// The names of the formats that puzzles are written in, and whether each is text.
fn formats() -> impl Iterator<Item = (&'static str, bool)> {
    let formats = output::FORMATS.iter().filter(|format| format.about_converted().is_some());
    formats.map(|format| (format.name, !format.is_of_arrays()))
}

/// The name of a format, by its name or by the name of a file, and whether it is text.
#[pyfunction]
pub(crate) fn format_of(name: Option<&str>, path: Option<PathBuf>) -> PyResult<(&'static str, bool)> {
    let names = || formats().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    if let Some(name) = name {
        let found = formats().find(|(format, _)| *format == name);
        return found.ok_or_else(|| value_error(format_args!("format={name:?} (one of {})", names())));
    }
    let path = path.unwrap_or_default();
    let found = match output::ending_of(&path) {
        None => Some(output::PAIR),
        Some(_) => output::format_of(&path),
    };
    let found = found.and_then(|found| formats().find(|(format, _)| *format == found.name));
    found.ok_or_else(|| {
        let endings: Vec<String> = output::endings().map(|ending| format!(".{ending}")).collect();
        value_error(format_args!(
            "{}: no format has this ending (the endings are {}; format= names any other: {})",
            printable(&path),
            endings.join(", "),
            names()
        ))
    })
}

/// Rows of cells and solutions.
type Rows<'py> = (Py<Rules>, PyReadonlyArray2<'py, u8>, Option<PyReadonlyArray2<'py, u8>>);

/// Writes puzzles in a format to the file `target`, or returns the bytes: rows of cells, the bytes of a file, or a file.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    rows: Option<Rows<'py>>,
    bytes: Option<PyBackedBytes>,
    path: Option<PathBuf>,
    kind: GivenKind,
    alphabet: Option<&str>,
    format: &str,
    target: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let kind = kind.kind();
    let format = output::format(format).ok_or_else(|| value_error(format_args!("format={format:?}")))?;
    let rows = rows.as_ref().map(|(rules, puzzles, solutions)| {
        let solutions = solutions.as_ref().map(|solutions| solutions.as_slice()).transpose();
        let cells = puzzles.as_slice().map_err(value_error)?;
        Ok::<_, PyErr>((rules.get(), cells, solutions.map_err(value_error)?))
    });
    let rows = rows.transpose()?;
    let total = rows.map(|(rules, cells, _)| (cells.len() / rules.cells()) as u64);
    let control = Control::default();
    let watch = Watch { progress: progress.as_ref(), total };
    let detect = |mut sources: Vec<Source>| {
        let rules = kind.detect(&mut sources, alphabet)?;
        Ok::<_, PyErr>((sources, rules))
    };
    let written = long(py, &control, &watch, || {
        let (sources, rules) = match (rows, bytes, path) {
            (Some((rules, cells, solutions)), ..) => {
                (vec![Table::new(rules, cells, solutions).source()], rules.rules.clone())
            }
            (_, Some(bytes), _) => detect(vec![Source::stream("<bytes>", Cursor::new(bytes))])?,
            (_, _, path) => detect(Source::open_each(path.unwrap_or_default()).map_err(of_run)?.0)?,
        };
        let write =
            |sources, output| write(sources, &rules, format, output, threads, &control).map_err(of_run);
        match target {
            Some(target) => {
                refuse_input(&sources, &target).map_err(of_run)?;
                let output = OutputFile::create(&target).map_err(of_run)?;
                write(sources, output).map(|()| None)
            }
            // Formats of arrays are written to files only: the head of an array has its length.
            None => {
                let (output, file) = OutputFile::unnamed().map_err(of_run)?;
                write(sources, output).map(|()| Some(file))
            }
        }
    })?;
    let Some(mut file) = written else { return Ok(None) };
    file.rewind()?;
    let length = usize::try_from(file.metadata()?.len())?;
    PyBytes::new_with(py, length, |bytes| Ok(file.read_exact(bytes)?)).map(Some)
}

/// Fails if one of `sources` is the file `target`.
fn refuse_input(sources: &[Source], target: &Path) -> Result<(), Error> {
    let canonical = |path: &Path| path.canonicalize().ok();
    let written = canonical(target);
    if written.is_some() && sources.iter().any(|source| source.file().and_then(canonical) == written) {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "the input would be overwritten");
        return Err(Error::at(target, ErrorKind::Write(error)));
    }
    Ok(())
}

/// Writes the records of `sources` to `output`.
fn write(
    mut sources: Vec<Source>,
    rules: &galop_engines::Rules,
    format: &'static FormatEntry,
    output: OutputFile,
    threads: Option<usize>,
    control: &Control,
) -> Result<(), Error> {
    let options =
        RewriteOptions::default().threads(threads_of(threads)).format(format).stop(control.stop_flag());
    let output = output.packed_by(threads_of(threads))?;
    let mut sink = format.converted_sink(output, &[], rules)?;
    let mut run = pipeline::convert(rules, options)?;
    let counter = &mut Counter::new(control);
    for source in &mut sources {
        run.read(source, Part::WHOLE, &mut [&mut sink], counter)?;
    }
    let (outcome, ()) = run.finish(&mut [&mut sink])?;
    sink.finish(End { has_answers: outcome.answers > 0, ..End::default() }).map(drop)
}
