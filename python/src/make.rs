//! `generate`.

use std::ops::RangeInclusive;

use galop_corpora::generate::{CLUE_SYMMETRIES, Filter, Negative, Recipe, Wish, read_pattern};
use galop_engines::Control;
use galop_explain::Level;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::call::{Watch, long, threads_of};
use crate::error::{of_run, unknown};
use crate::rules::Rules;
use crate::texts::rows_of;

/// Puzzles, and their solutions or what was changed.
type Made<'py> = (Bound<'py, PyArray2<u8>>, Option<Bound<'py, PyArray2<u8>>>, Vec<String>);

/// Makes `count` puzzles from place `first` of `seed` on.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    rules: &Rules,
    count: u64,
    seed: u64,
    first: u64,
    clues: Option<(usize, usize)>,
    minimal: bool,
    pattern: Option<&str>,
    symmetric: Option<&str>,
    status: Option<&str>,
    level: Option<&str>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made<'py>> {
    let level = level.map(|name| {
        let found = Level::ALL.into_iter().find(|level| level.name() == name.replace("very-", "very "));
        found.ok_or_else(|| unknown("level", name, Level::ALL.map(Level::name).into_iter()))
    });
    let level = level.transpose()?;
    let clues = clues.map(|(from, to)| RangeInclusive::new(from, to));
    let wish = match (clues, pattern) {
        (_, Some(pattern)) => Wish::Pattern(read_pattern(pattern.as_bytes())),
        (Some(clues), _) if minimal => Wish::MinimalClues(clues),
        (Some(clues), _) => Wish::Clues(clues),
        // Puzzles with many clues are easy.
        (None, _) if minimal || level.is_some_and(|level| level > Level::Easy) => Wish::Minimal,
        (None, _) => Wish::usual(&rules.rules),
    };
    let symmetry = symmetric.map(|name| {
        let found = CLUE_SYMMETRIES.iter().find(|one| one.name == name || one.alias == Some(name));
        found.ok_or_else(|| unknown("symmetry", name, CLUE_SYMMETRIES.iter().map(|one| one.name)))
    });
    let negative = status.map(|word| {
        let words = || Negative::ALL.into_iter().map(|negative| negative.status().word());
        let found = Negative::ALL.into_iter().find(|negative| negative.status().word() == word);
        found.ok_or_else(|| unknown("status", word, words()))
    });
    let recipe = Recipe {
        threads: threads_of(threads),
        first,
        symmetry: symmetry.transpose()?,
        negative: negative.transpose()?,
        filter: Filter { level, ..Filter::default() },
        ..Recipe::of(rules.rules.clone(), seed, wish)
    };
    let control = Control::default();
    let watch = Watch { progress: progress.as_ref(), total: Some(count) };
    let cells = rules.cells();
    let (puzzles, solutions, changes) = long(py, &control, &watch, || {
        let (mut puzzles, mut solutions, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let read = |lines: &[u8], flat: &mut Vec<u8>| {
            for line in lines.chunks_exact(cells + 1) {
                let start = flat.len();
                flat.resize(start + cells, 0);
                rules.read(&line[..cells], &mut flat[start..]);
            }
        };
        galop_corpora::generate::run(&recipe, count, control.stop_flag(), &mut |some, theirs| {
            read(some, &mut puzzles);
            match recipe.negative {
                None => read(theirs, &mut solutions),
                Some(_) => changes.extend(String::from_utf8_lossy(theirs).lines().map(str::to_owned)),
            }
            control.add(some.len() / (cells + 1));
            Ok(())
        })
        .map_err(of_run)?;
        Ok((puzzles, solutions, changes))
    })?;
    let solutions = recipe.negative.is_none().then(|| rows_of(py, solutions, cells)).transpose()?;
    Ok((rows_of(py, puzzles, cells)?, solutions, changes))
}
