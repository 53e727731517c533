//! Exact cover problems as the tasks of a contest: files, or a series of a classic problem.

use std::path::PathBuf;

use anyhow::{Context, bail};
use galop_batch::output::OutputSum;
use galop_compare::{self as compare, Comparison, Plan, Problem};
use galop_cover::models;

use super::watcher::Watcher;
use super::{contestants, options};
use crate::args::{CompareArgs, Series};
use crate::{input, messages, problem, whole};

/// Whether the tasks are exact cover problems: a series of a classic one, or files whose names say so.
pub(super) fn are_problems(args: &CompareArgs, files: &[PathBuf]) -> bool {
    let is_problem = |path: &PathBuf| input::is_problem(path);
    matches!(args.series, Some(Series::Model { .. })) || !files.is_empty() && files.iter().all(is_problem)
}

/// Compares engines on the problems.
pub(super) fn compare(
    args: &CompareArgs,
    files: &[PathBuf],
    watch: &mut Watcher,
) -> anyhow::Result<Comparison> {
    if args.count.is_some() {
        messages::warn("--count has no effect here: it is only for puzzles");
    }
    let problems = problems(args, files)?;
    let plan = Plan {
        solutions: if args.best { 1 } else { args.solutions.typed().unwrap_or(u64::MAX) },
        is_cheapest: args.best,
        max_guesses: args.max_guesses,
        ..options::plan(args, contestants::for_problems(args)?)?
    };
    watch.start(args, plan.answers(problems.len()));
    Ok(compare::compare_problems(&problems, &plan, watch)?)
}

fn problems(args: &CompareArgs, files: &[PathBuf]) -> anyhow::Result<Vec<Problem>> {
    let read = |path: &PathBuf| -> anyhow::Result<Problem> {
        let bytes = whole::read(path)?;
        let cover = problem::parse(whole::name_of(path), &bytes)?;
        let sum = OutputSum::of(&*bytes)?.sha256;
        Ok(Problem::new(&path.display().to_string(), cover, Some(sum)))
    };
    match &args.series {
        None => files.iter().map(read).collect(),
        Some(Series::Files) => {
            let mut problems = files.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
            problems.sort_by_key(Problem::options);
            let place = |problem: Problem| {
                let options = problem.options() as f64;
                problem.in_series("options", options)
            };
            Ok(problems.into_iter().map(place).collect())
        }
        Some(Series::Model { .. }) if !files.is_empty() => {
            bail!("--series of a classic problem makes its own problems, so name no files")
        }
        Some(Series::Model { before, sizes, after }) => sizes
            .iter()
            .map(|size| {
                let words = format!("{before}{size}{after}");
                let cover = models::make(&words).with_context(|| format!("--series: galop make {words}"))?;
                let of = format!("{before}N{after}");
                Ok(Problem::new(&words, cover, None).in_series(&of, *size as f64))
            })
            .collect(),
    }
}
