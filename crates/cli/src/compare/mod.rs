//! `galop compare`.

mod contestants;
mod options;
mod problems;
mod puzzles;
mod show;
mod watcher;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use galop_compare::{Comparison, Contest, SeriesPlace};

use super::args::{CompareArgs, Series};
use super::{input, plan};
use watcher::Watcher;

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let files = input::expanded(&args.input.grids.files)?;
    let mut reports = options::reports(args, &files)?;
    let mut watch = Watcher::create(args)?;
    let mut comparisons = Vec::new();
    if problems::are_problems(args, &files) {
        comparisons.push(problems::compare(args, &files, &mut watch)?);
    } else {
        for part in parts(args, &files)? {
            comparisons.push(puzzles::compare(args, &part, !reports.is_empty(), &mut watch)?);
        }
    }
    watch.finish()?;
    let inputs = comparisons.iter().flat_map(|comparison: &Comparison| &comparison.inputs);
    let malformed: u64 = inputs.map(|input| input.malformed).sum();
    let is_series = matches!(args.series, Some(Series::Files));
    let contest = Contest::new(placed(comparisons, is_series));
    let are_reports_written = plan::write_reports(&mut reports, &contest);
    show::show(&contest, args.quiet)?;
    Ok(ExitCode::from(if are_reports_written { u8::from(malformed > 0) } else { 2 }))
}

/// The files of each comparison: all of them, or one after the other in a series.
fn parts(args: &CompareArgs, files: &[PathBuf]) -> anyhow::Result<Vec<Vec<PathBuf>>> {
    match args.series {
        Some(Series::Files) if files.len() < 2 => bail!("--series files: name two files or more"),
        Some(Series::Files) => Ok(files.iter().map(|file| vec![file.clone()]).collect()),
        _ => Ok(vec![files.to_vec()]),
    }
}

/// Comparisons with what the library does not know: the date, the commit, and their places in a series, by the size of
/// the grids if they differ, or else by the number of puzzles.
fn placed(comparisons: Vec<Comparison>, is_series: bool) -> Vec<Comparison> {
    let date = galop_report::written_at();
    let side = |comparison: &Comparison| comparison.rules.as_ref().map(|rules| rules.side);
    let has_one_side = comparisons.windows(2).all(|pair| side(&pair[0]) == side(&pair[1]));
    let place = |comparison: Comparison| {
        let (of, size) = match side(&comparison).filter(|_| !has_one_side) {
            None => ("puzzles", comparison.puzzles as f64),
            Some(side) => ("cells of a row", side as f64),
        };
        Comparison {
            commit: option_env!("GALOP_COMMIT").map(str::to_owned),
            date: Some(date.clone()),
            series: is_series.then(|| SeriesPlace { of: of.to_owned(), size }),
            ..comparison
        }
    };
    comparisons.into_iter().map(place).collect()
}
