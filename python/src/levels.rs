//! `rate` by the techniques that people need.

use galop_corpora::RateOptions;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::call::over_rows;
use crate::error::of_run;
use crate::records::{Lines, Table, rewriting};
use crate::rules::Rules;

/// Level, score (NaN for none) and hardest technique of each row.
type Levels<'py> = (Vec<String>, Bound<'py, PyArray1<f64>>, Vec<String>);

/// The ratings by techniques, as the tool writes them. A malformed row has the level `malformed`.
#[pyfunction]
pub(crate) fn levels<'py>(
    py: Python<'py>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'py, u8>,
    engine: &str,
    unique: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Levels<'py>> {
    let engine = rules.engine(engine)?;
    let (levels, scores, hardest) = over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let count = puzzles.len() / rules.cells();
        let table = Table::numbered(rules, puzzles, None);
        let options = RateOptions::default().engine(Some(engine)).unique(unique);
        let mut levels = vec!["malformed".to_owned(); count];
        let (mut scores, mut hardest) = (vec![f64::NAN; count], vec![String::new(); count]);
        let run = galop_corpora::rate(&rules.rules, rewriting(threads, control), &options);
        let mut lines = Lines::new(|row: usize, fields: &str| {
            // Behind the puzzle. Of a malformed record there are none.
            let mut fields = fields.split(',').skip(1);
            let (Some(level), Some(score), Some(technique)) = (fields.next(), fields.next(), fields.next())
            else {
                return;
            };
            if row < count && !level.is_empty() {
                level.clone_into(&mut levels[row]);
                scores[row] = score.parse().unwrap_or(f64::NAN);
                technique.clone_into(&mut hardest[row]);
            }
        });
        table.go_through(run.map_err(of_run)?, &mut [&mut lines], control)?;
        Ok((levels, scores, hardest))
    })?;
    Ok((levels, PyArray1::from_vec(py, scores), hardest))
}
