//! Engines side by side on the same puzzles: which one is faster, by how much, on which puzzles, with how many guesses.
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
//! - Two engines are compared run by run, because both got the same puzzles in it, minutes apart at most. The ratio is
//!   the median of the runs' ratios, and a bootstrap over these ratios gives its interval.
//! - An engine that solves many puzzles at once has no separate time for each. There, a puzzle's time is its share of
//!   its batch ([`Effort::cost`](galop_engines::puzzle::Effort::cost)). Its batches are as large as the chunks of the
//!   pipeline.
//! - A puzzle that would take longer than the budget is left unanswered: an engine for single puzzles gets a limit on
//!   guesses, which grows.
//! - A [`Contestant`] is an engine, perhaps with its own instruction set or number of threads, or another program.
//! - The time of another program is the processor time of its process, and of all that it waited for, less the median
//!   of what it takes for an empty input, once before each run. It has no times and no guesses of single puzzles.
//! - An engine that does not finish within its budget is judged by the puzzles that it finished: its ratio is the ratio
//!   to the reference on the same puzzles.
//! - Only times depend on the clock. Guesses, calls and statuses depend on the seed, for any number of threads and any
//!   order of the engines. (With a budget, the number of puzzles that an engine finishes depends on the clock.)
//!
//! # Memory
//! A puzzle takes about 270 bytes as read and as permuted, and about 150 for what is known of its solutions. Every run
//! adds 4 bytes, every run of every engine 8, every engine 17. So 100,000 puzzles, 6 engines and 10 runs take 100 MB.

mod best_known;
mod budget;
mod child;
mod clock;
mod contestant;
mod error;
mod figures;
mod group;
mod pass;
mod per_puzzle;
mod plan;
mod program;
mod puzzles;
mod schedule;
mod statistics;
mod summary;
mod warnings;
mod workers;

use std::sync::atomic::Ordering;

use best_known::{BestKnown, EngineAnswer};
use galop_batch::error::{Error, ErrorKind};
use galop_batch::figures::{CpuInfo, RulesInfo};
use galop_engines::grid::Rules;
use galop_engines::puzzle::Limits;
use pass::Measured;
use schedule::Schedule;
use workers::Workers;

pub use contestant::{By, Contestant};
pub use error::PlanError;
pub use figures::Comparison;
pub use figures::{ComparisonOptions, Difference, EngineFigures, Input, NotablePuzzle, Ratio, Spread};
pub use per_puzzle::{HEADER, Row};
pub use plan::Plan;
pub use puzzles::Set;

/// Is called back while a comparison runs.
pub trait Watch {
    /// `done` of `total` answers are there. It is called several times a second, and after each run of an engine.
    fn advanced(&mut self, _done: u64, _total: u64) {}

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
/// [`PlanError`], [`Unsupported`](galop_engines::engine::Unsupported), [`ErrorKind::Threads`],
/// [`WrongSolution`](galop_engines::grid::WrongSolution), [`Disagreement`](galop_batch::pipeline::Disagreement),
/// [`ErrorKind::Stopped`], and the errors of `watch`.
pub fn compare(
    rules: &Rules,
    puzzles: &Set,
    plan: &Plan<'_>,
    watch: &mut dyn Watch,
) -> Result<Comparison, Error> {
    plan.check(puzzles)?;
    let mut measurement = Measurement::start(rules, puzzles, plan, watch)?;
    measurement.warm_up()?;
    for run in 0..plan.runs {
        measurement.run(run)?;
    }
    measurement.finish()
}

/// A comparison in progress.
struct Measurement<'a> {
    rules: &'a Rules,
    puzzles: &'a Set,
    plan: &'a Plan<'a>,
    watch: &'a mut dyn Watch,
    workers: Workers<'a>,
    known: Vec<BestKnown>,
    measured: Vec<Measured>,
    /// The puzzles of every run in the order they were solved.
    orders: Vec<Vec<u32>>,
    answered: u64,
}

impl<'a> Measurement<'a> {
    fn start(
        rules: &'a Rules,
        puzzles: &'a Set,
        plan: &'a Plan<'a>,
        watch: &'a mut dyn Watch,
    ) -> Result<Self, Error> {
        let workers = Workers::start(rules, plan)?;
        let known = (0..puzzles.len()).map(|_| BestKnown::default()).collect();
        let (measured, orders) = (Vec::new(), Vec::new());
        Ok(Measurement { rules, puzzles, plan, watch, workers, known, measured, orders, answered: 0 })
    }

    /// Every engine answers every puzzle as it was read; its answers are compared with the other engines' answers.
    fn warm_up(&mut self) -> Result<(), Error> {
        let (puzzles, plan) = (self.puzzles, self.plan);
        for (index, contestant) in plan.contestants.iter().enumerate() {
            let limits = plan.limits(contestant);
            let learn = |said: &EngineAnswer<'_>, known: &mut BestKnown| known.learn(said, limits);
            let (before, total, watch) = (self.answered, self.total(), &mut *self.watch);
            let advanced = &mut |done| watch.advanced(before + done, total);
            let warm_up = self.workers.pass(index, puzzles.cells(), limits, &mut self.known, learn, advanced);
            let warm_up = warm_up.map_err(|failure| failure.at(puzzles))?;
            self.measured.push(Measured { warm_up, runs: Vec::new() });
            self.advance()?;
        }
        Ok(())
    }

    /// Every engine answers every puzzle as this run has it.
    fn run(&mut self, run: usize) -> Result<(), Error> {
        let (puzzles, plan) = (self.puzzles, self.plan);
        let schedule = Schedule::draw(self.rules, puzzles, plan, run);
        // A run needs no notes on single answers beside what every pass keeps.
        let mut no_notes = vec![(); puzzles.len()];
        for &index in &schedule.engines {
            let limits = plan.limits(&plan.contestants[index]);
            let (before, total, watch) = (self.answered, self.total(), &mut *self.watch);
            let advanced = &mut |done| watch.advanced(before + done, total);
            let known = &self.known;
            let check = |said: &EngineAnswer<'_>, (): &mut ()| {
                let known = &known[schedule.order[said.place] as usize];
                known.check(said, limits, |cells| schedule.undo(said.place, cells))
            };
            let permuted = schedule.puzzles();
            let pass = self.workers.pass(index, permuted, limits, &mut no_notes, check, advanced);
            let pass = pass.map_err(|failure| failure.in_order(&schedule.order).at(puzzles))?;
            self.measured[index].runs.push(pass.without_statuses());
            self.advance()?;
        }
        self.orders.push(schedule.order);
        Ok(())
    }

    /// Reports that one more pass is over.
    fn advance(&mut self) -> Result<(), Error> {
        let plan = self.plan;
        self.answered += self.puzzles.len() as u64;
        if plan.stop.load(Ordering::Relaxed) {
            return Err(ErrorKind::Stopped.into());
        }
        self.watch.advanced(self.answered, self.total());
        Ok(())
    }

    /// Answers of the whole comparison.
    fn total(&self) -> u64 {
        self.plan.answers(self.puzzles)
    }

    /// Sums up all passes.
    fn finish(mut self) -> Result<Comparison, Error> {
        let plan = self.plan;
        self.measured.iter_mut().for_each(Measured::take_off_start);
        let medians: Vec<_> =
            self.measured.iter().map(|measured| summary::medians(&measured.runs, &self.orders)).collect();
        per_puzzle::each_row(plan, self.puzzles, &self.measured, &medians, |row| self.watch.row(row))?;
        let mut engines = summary::engines(plan, &self.measured, &medians, &self.workers);
        let warnings = warnings::warnings(plan, self.puzzles.len(), &self.measured);
        let reference = plan.contestants[plan.reference].name.clone();
        let rank = |figures: &EngineFigures| match figures.ratio {
            Some(ratio) => ratio.median,
            None if figures.name == reference => 1.0,
            None => f64::INFINITY,
        };
        engines.sort_by(|one, other| rank(one).total_cmp(&rank(other)));
        let names: Vec<&str> = engines.iter().map(|figures| &*figures.name).collect();
        Ok(Comparison {
            version: env!("CARGO_PKG_VERSION"),
            command: plan.command.clone(),
            machine: CpuInfo::current(),
            rules: RulesInfo::new(self.rules),
            options: ComparisonOptions {
                solutions: Limits::count(plan.solutions).solutions(),
                runs: plan.runs,
                threads: galop_cover::threads::count(plan.threads).get(),
                seed: plan.seed,
                sample: self.puzzles.sample_size(),
                permuted: plan.is_permuted,
                budget_seconds: plan.budget.map(|budget| budget.as_secs_f64()),
            },
            inputs: self.puzzles.inputs.clone(),
            puzzles: self.puzzles.len() as u64,
            differences: summary::differences(plan, self.puzzles, &medians, &names),
            reference,
            engines,
            warnings,
        })
    }
}

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
