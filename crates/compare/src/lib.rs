//! Engines side by side on the same puzzles or exact cover problems: which one is faster, by how much, on which puzzles,
//! with how many guesses.
//!
//! A contest has contestants ([`Contestant`]: engines, instruction sets, numbers of threads, other programs), tasks (the
//! puzzles of a [`Set`], or [`Problem`]s) and runs. [`compare`] and [`compare_problems`] hold it; the result is a
//! [`Comparison`]. A [`Contest`] is one or several of them, with the growth of times over a series; it is what reports
//! are written of.
//!
//! # The method
//! ```text
//! warm-up   every engine answers every puzzle as it was read; every solution is verified, and the engines' numbers
//!           of solutions are compared: a contradiction ends the comparison
//! run 1     the puzzles, each under its own symmetry and in an order of this run;
//!           dlx        |----------------------------|      the same puzzles for all engines,
//!           lanes      |--|                                one engine at a time, the order of
//!           bitboard   |------|                            the engines shuffled for each run
//! run 2     other symmetries, another order of puzzles and engines
//! ...
//! ```
//! - An engine's time is the processor time of the threads while they are inside it, batch by batch. So other work on
//!   the machine counts little. Permuting, verifying and counting happen between the batches.
//! - The time of a single puzzle is processor time, too. Reading the processor's clock takes longer than many puzzles,
//!   so it is read for a few together. If they were interrupted, the difference to the elapsed time is taken from the
//!   longest of them. So the puzzles' times add up to the engine's, and mean and percentiles are of the same times.
//! - A symmetry keeps the number of solutions, and a puzzle stays as hard for people. But an engine that breaks ties by
//!   place or digit is lucky under one symmetry and unlucky under the next. The puzzle's time is the median over them.
//! - Two engines are compared run by run, because both got the same puzzles in it, minutes apart at most. Of 30 runs
//!   and more, the ratio is the median of the runs' ratios, with the interval that the sign test gives. Of fewer, it is
//!   their geometric mean, with the interval of Student's t on the logarithms. A simulation tests that both hold the
//!   truth as often as they say.
//! - An engine that solves many puzzles at once has no separate time for each. There, a puzzle's time is its share of
//!   its batch ([`Effort::cost`](galop_engines::puzzle::Effort::cost)). Its batches are as large as the chunks of the
//!   pipeline.
//! - A puzzle that would take longer than the budget is left unanswered: an engine for single puzzles gets a limit on
//!   guesses, which grows.
//! - A [`Contestant`] is an engine, perhaps with its own instruction set or number of threads, or another program.
//! - The time of another program is the processor time of its process, and of all that it waited for, less the median
//!   of what it takes for an empty input, once before each run. It has no times of single puzzles; the guesses of a
//!   whole run are known if it prints their number ([`Patterns`]).
//! - An engine that does not finish within its budget is judged by the puzzles that it finished: its ratio is the ratio
//!   to the reference on the same puzzles.
//! - Only times depend on the clock. Guesses, calls and statuses depend on the seed, for any number of threads and any
//!   order of the engines. (With a budget, the number of puzzles that an engine finishes depends on the clock.)
//!
//! # Exact cover problems
//! - A task is a problem: all its solutions are counted, or some found, or the cheapest cover. Each run has its options
//!   in another order, and its items in the order of the author.
//! - An engine's time is the processor time of all threads of this process, from the set-up of the engine to its answer.
//!   If another program takes part, engines read the text of the problem within it, as the program does.
//! - The time of another program is less the median of what it takes for a problem with one option.
//! - Numbers of solutions are compared, also with bounds of a search that was ended. A solution that a program prints is
//!   checked.
//! - The budget is elapsed time for each problem. A contestant that does not finish a problem in the warm-up is not run
//!   on it again: its time is at least that. The ratio to the reference is, in each run, the geometric mean over the
//!   problems that both finished. [PAR2](EngineFigures::par2_nanos) ranks those that did not finish all.
//!
//! # Memory
//! A puzzle takes about 270 bytes as read and as permuted, and about 150 for what is known of its solutions. Every run
//! adds 4 bytes, every run of every engine 8, every engine 17. So 100,000 puzzles, 6 engines and 10 runs take 100 MB.

mod child;
mod clock;
mod contest;
mod contestant;
mod error;
mod figures;
mod growth;
mod pass;
mod patterns;
mod per_puzzle;
mod plan;
mod problems;
mod puzzles;
mod shell;
mod statistics;
mod summary;
mod warnings;

use std::borrow::Cow;
use std::time::Duration;

use contest::Field;
use galop_batch::error::Error;
use galop_batch::figures::{CpuInfo, RulesInfo};
use galop_cover::threads;
use galop_engines::grid::Rules;
use galop_engines::puzzle::Limits;
use problems::{ProblemField, ProblemResults};
use puzzles::PuzzleField;

pub use contestant::{By, Contestant};
pub use error::{PlanError, PrintedWrong};
pub use figures::{
    Comparison, ComparisonOptions, Contest, ProblemAnswer, ProblemFigures, ProgramInfo, SeriesPlace,
};
pub use figures::{Difference, EngineFigures, Input, NotablePuzzle, Ratio, Spread};
pub use growth::{Curve, CurvePoint, Fit, Law};
pub use patterns::Patterns;
pub use per_puzzle::{HEADER, Row, quoted};
pub use plan::Plan;
pub use problems::{CoverFault, Problem};
pub use puzzles::Set;
pub use statistics::MEDIAN_RUNS;

/// Is called back while a comparison runs.
pub trait Watch {
    /// `done` of `total` answers are there. It is called several times a second, and after each run of an engine.
    fn advanced(&mut self, _done: u64, _total: u64) {}

    /// The warm-up is over, and the measured runs take about this long.
    fn expected(&mut self, _time: Duration) {}

    /// The result of one engine on one puzzle. It is called at the end, puzzle by puzzle in the order they were read,
    /// with the engines in the order of the plan.
    ///
    /// # Errors
    /// An error ends the comparison.
    fn row(&mut self, _row: &Row<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// Ignores all calls.
impl Watch for () {}

/// Compares the engines of `plan` on `puzzles` of `rules`.
///
/// # Errors
/// [`PlanError`], [`Unsupported`](galop_engines::engine::Unsupported), [`Threads`](galop_batch::ErrorKind::Threads),
/// [`WrongSolution`](galop_engines::grid::WrongSolution), [`PrintedWrong`],
/// [`Disagreement`](galop_batch::pipeline::Disagreement), [`Stopped`](galop_batch::ErrorKind::Stopped), and the errors
/// of `watch`.
pub fn compare(
    rules: &Rules,
    puzzles: &Set,
    plan: &Plan<'_>,
    watch: &mut dyn Watch,
) -> Result<Comparison, Error> {
    plan.check(puzzles.len())?;
    let mut field = PuzzleField::start(rules, puzzles, plan)?;
    let record = contest::hold(&mut field, plan, watch)?;
    let medians = summary::medians(&record);
    let place_of = |index: usize| {
        let (input, line) = puzzles.source(index);
        (puzzles.text(index), input, line)
    };
    per_puzzle::each_row(plan, &record, &medians, place_of, |row| watch.row(row))?;
    let figures = summary::engines(plan, &record, &medians, &field.ran());
    let (engines, order) = ranked(plan, figures);
    Ok(Comparison {
        rules: Some(RulesInfo::new(rules)),
        inputs: puzzles.inputs().to_vec(),
        differences: summary::differences(plan, puzzles, &medians, &order),
        warnings: warnings::warnings(plan, puzzles.len(), warnings::PUZZLES, &record.measured, |_| {
            Vec::new()
        }),
        ..comparison(plan, field.len(), puzzles.sample_size(), engines)
    })
}

/// Compares the engines of `plan` on exact cover problems.
///
/// # Errors
/// [`PlanError`], [`CoverFault`], [`Threads`](galop_batch::ErrorKind::Threads),
/// [`Stopped`](galop_batch::ErrorKind::Stopped), and the errors of `watch`.
pub fn compare_problems(
    problems: &[Problem],
    plan: &Plan<'_>,
    watch: &mut dyn Watch,
) -> Result<Comparison, Error> {
    plan.check(problems.len())?;
    let mut field = ProblemField::start(problems, plan)?;
    let record = contest::hold(&mut field, plan, watch)?;
    let medians = summary::medians(&record);
    let place_of = |index: usize| {
        let name = &*problems[index].input().name;
        (Cow::Borrowed(name), name, 0)
    };
    per_puzzle::each_row(plan, &record, &medians, place_of, |row| watch.row(row))?;
    let mut figures = summary::engines(plan, &record, &medians, &field.ran());
    let results = ProblemResults::of(&field, &record);
    figures.iter_mut().enumerate().for_each(|(index, figures)| results.complete(figures, index));
    let (engines, order) = ranked(plan, figures);
    let own = |index| results.warnings(index);
    Ok(Comparison {
        inputs: problems.iter().map(|problem| problem.input().clone()).collect(),
        problems: results.problems(&order),
        is_read: Some(field.is_read()),
        warnings: warnings::warnings(plan, problems.len(), warnings::PROBLEMS, &record.measured, own),
        ..comparison(plan, field.len(), None, engines)
    })
}

/// The figures, fastest first, and their places in the plan. A contestant that did not finish all problems is behind
/// those that finished more.
fn ranked(plan: &Plan<'_>, figures: Vec<EngineFigures>) -> (Vec<EngineFigures>, Vec<usize>) {
    let rank = |figures: &EngineFigures, index: usize| match (figures.par2_nanos, figures.ratio) {
        (Some(score), _) => score,
        (None, Some(ratio)) => ratio.middle,
        (None, None) if index == plan.reference => 1.0,
        (None, None) => f64::INFINITY,
    };
    let mut figures: Vec<(usize, EngineFigures)> = figures.into_iter().enumerate().collect();
    figures.sort_by(|(at, one), (other_at, other)| rank(one, *at).total_cmp(&rank(other, *other_at)));
    let order = figures.iter().map(|&(index, _)| index).collect();
    (figures.into_iter().map(|(_, figures)| figures).collect(), order)
}

/// What comparisons of puzzles and of problems share.
fn comparison(plan: &Plan<'_>, tasks: usize, sample: Option<u64>, engines: Vec<EngineFigures>) -> Comparison {
    Comparison {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: None,
        date: None,
        command: plan.command.clone(),
        machine: CpuInfo::current(),
        rules: None,
        series: None,
        options: ComparisonOptions {
            solutions: Limits::count(plan.solutions).solutions(),
            cheapest: plan.is_cheapest,
            runs: plan.runs,
            threads: threads::count(plan.threads).get(),
            seed: plan.seed,
            sample,
            permuted: plan.is_permuted,
            budget_seconds: plan.budget.map(|budget| budget.as_secs_f64()),
        },
        inputs: Vec::new(),
        puzzles: tasks as u64,
        problems: Vec::new(),
        is_read: None,
        clock_step_nanos: clock::step(),
        reference: plan.contestants[plan.reference].name.clone(),
        engines,
        differences: Vec::new(),
        warnings: Vec::new(),
    }
}

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
