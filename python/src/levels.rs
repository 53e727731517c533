//! `rate` by the techniques that people need.

use galop_batch::Error;
use galop_batch::pipeline::Part;
use galop_corpora::{RATE_COLUMNS, RateOptions, RatedBy};
use galop_engines::Control;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::call::{Watch, long};
use crate::error::{of_run, value_error};
use crate::records::{Counter, Lines, Table, rewriting};
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
    let puzzles = puzzles.as_slice().map_err(value_error)?;
    let engine = rules.engine(engine)?;
    let control = Control::default();
    let count = puzzles.len() / rules.cells();
    let watch = Watch { progress: progress.as_ref(), total: Some(count as u64) };
    let (levels, scores, hardest) = long(py, &control, &watch, || {
        let table = Table::numbered(rules, puzzles, None);
        let columns = RATE_COLUMNS.iter().filter(|column| column.needs == RatedBy::Techniques).collect();
        let options =
            RateOptions::default().engine(Some(engine)).by_techniques(true).unique(unique).columns(columns);
        let mut levels = vec!["malformed".to_owned(); count];
        let (mut scores, mut hardest) = (vec![f64::NAN; count], vec![String::new(); count]);
        let mut rate = || -> Result<(), Error> {
            let mut run = galop_corpora::rate(&rules.rules, rewriting(threads, &control), &options)?;
            let mut lines = Lines::new(|row: usize, fields: &str| {
                // Behind the puzzle. Of a malformed record there are none.
                let mut fields = fields.split(',').skip(1);
                let (Some(level), Some(score), Some(technique)) =
                    (fields.next(), fields.next(), fields.next())
                else {
                    return;
                };
                if row < count && !level.is_empty() {
                    level.clone_into(&mut levels[row]);
                    scores[row] = score.parse().unwrap_or(f64::NAN);
                    technique.clone_into(&mut hardest[row]);
                }
            });
            let counter = &mut Counter::new(&control);
            run.read(&mut table.source(), Part::WHOLE, &mut [&mut lines], counter)?;
            run.finish(&mut [&mut lines]).map(drop)
        };
        rate().map_err(of_run)?;
        Ok((levels, scores, hardest))
    })?;
    Ok((levels, PyArray1::from_vec(py, scores), hardest))
}
