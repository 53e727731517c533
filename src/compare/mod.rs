//! Engines side by side on the same puzzles: which is faster, by how much, on which puzzles, with how many guesses.
//!
//! # The method
//! ```text
//! warm-up   every engine answers every puzzle as it was read; every solution is verified, and what the engines
//!           say of the numbers of solutions is held against each other: a contradiction ends the comparison
//! run 1     the puzzles, each under a symmetry of its own and in an order of this run;
//!           dlx        |----------------------------|      the same puzzles for all engines,
//!           lanes      |--|                                one engine at a time, the order of
//!           bitboard   |------|                            the engines shuffled for each run
//! run 2     other symmetries, another order of puzzles and engines
//! ...
//! ```
//! - An engine's time is the processor time of the threads while they are inside it, batch by batch, so that what
//!   else runs on the machine counts little. Permuting, verifying and counting happen between the batches.
//! - A symmetry leaves a puzzle as hard for a man, and the number of its solutions what it is; but an engine that
//!   breaks ties by place or digit is lucky under one and unlucky under the next. The median over them is the puzzle's.
//! - Two engines are compared run by run, as both met the same puzzles then, minutes apart at most: the ratio is the
//!   median of the runs' ratios, and its interval is drawn from them by the bootstrap.
//! - An engine that solves many puzzles at once has no time for each alone: there, a puzzle's time is its share of
//!   its batch, see [`Timed`](crate::Timed). Its batches are those of the road.
//! - An engine that does not come to the end within its budget is judged by what it came to: its ratio is that to
//!   the reference on the same puzzles.
//! - Nothing but the times depends on the clock: guesses, calls and statuses are those of the seed, for any number
//!   of threads and any order of the engines. (With a budget, how far an engine comes depends on the clock.)
//!
//! # Memory
//! Bytes a puzzle: about 270 for the puzzle as read and as permuted, about 150 for what is known of its solutions,
//! 4 for every run, 8 for every run and engine, 17 for every engine: 100,000 puzzles, 6 engines and 10 runs take
//! 100 MB.

mod clock;
mod course;
mod crew;
mod error;
mod figures;
mod known;
mod noise;
mod per_puzzle;
mod puzzles;
mod shuffle;
mod statistics;
mod sum_up;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::engine::{Entry, Isa};
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::puzzle::Limits;
use crate::report::{Machine, Ruled};
use course::Course;
use crew::{Crew, Pass};
pub use error::PlanError;
use known::Known;

pub use figures::{Asked, Comparison, Difference, EngineFigures, Input, Ratio, Spread, Told};
pub use per_puzzle::{HEADER, Row, print};
pub use puzzles::{Place, Set};

/// What is compared, and how.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The engines; none of them twice.
    pub engines: &'a [&'a Entry],
    /// The place in `engines` of the one that ratios are taken to.
    pub reference: usize,
    /// Where searches stop, in solutions; see [`Limits::solutions`].
    pub solutions: u64,
    /// Where searches give up, in guesses; `None` for each engine's own [limit](Entry::max_guesses).
    pub max_guesses: Option<u64>,
    /// The instruction set of engines that are compiled for several.
    pub isa: Isa,
    /// Measured runs of every engine.
    pub runs: usize,
    /// Threads that solve, for one engine at a time; 0 for one a core.
    pub threads: usize,
    /// Where orders, symmetries and resamples are drawn from.
    pub seed: u64,
    /// Whether puzzles are permuted and put in another order for every run.
    pub is_permuted: bool,
    /// Processor time after which an engine's run ends; `None` for never.
    pub budget: Option<Duration>,
    /// The command that was typed, for the report.
    pub command: Option<String>,
    /// Once this is true the comparison ends with [`ErrorKind::Stopped`].
    pub stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Plan<'a> {
    /// A plan for `engines`, the first of them the reference: ten runs to the first solution on one thread, at most
    /// ten seconds each.
    pub fn new(engines: &'a [&'a Entry]) -> Plan<'a> {
        Plan {
            engines,
            reference: 0,
            solutions: 1,
            max_guesses: None,
            isa: Isa::best(),
            runs: 10,
            threads: 1,
            seed: 0,
            is_permuted: true,
            budget: Some(Duration::from_secs(10)),
            command: None,
            stop: &NEVER,
        }
    }

    /// Where the searches of `entry` stop.
    fn limits(&self, entry: &Entry) -> Limits {
        Limits::count(self.solutions).with_guesses(self.max_guesses.unwrap_or(entry.max_guesses))
    }

    /// Whether there is anything to compare.
    fn check(&self, puzzles: &Set) -> Result<(), PlanError> {
        let names: Vec<&'static str> = self.engines.iter().map(|entry| entry.name).collect();
        let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        match twice {
            Some((_, name)) => Err(PlanError::EngineTwice(name)),
            None if names.is_empty() => Err(PlanError::NoEngine),
            None if self.reference >= names.len() => Err(PlanError::Reference),
            None if self.runs == 0 => Err(PlanError::NoRuns),
            None if self.solutions == 0 => Err(PlanError::NoSolutions),
            None if puzzles.is_empty() => Err(PlanError::NoPuzzles),
            None => Ok(()),
        }
    }
}

/// Hears how a comparison goes.
pub trait Watch {
    /// An engine came to the end of a run: `done` of `total` answers are there.
    fn advanced(&mut self, _done: u64, _total: u64) {}

    /// What came of one puzzle with one engine, at the end: puzzle by puzzle as they were read, the engines in the
    /// order of the plan.
    ///
    /// # Errors
    /// Whatever is done with it fails with; it ends the comparison.
    fn told(&mut self, _row: &Row<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// Nobody watches.
impl Watch for () {}

/// Compares the engines of `plan` on `puzzles` of `rules`.
///
/// # Errors
/// [`ErrorKind::Plan`], [`ErrorKind::Unsupported`], [`ErrorKind::Threads`], [`ErrorKind::WrongSolution`],
/// [`ErrorKind::Disagreement`], [`ErrorKind::Stopped`], and whatever `watch` fails with.
pub fn compare(
    rules: &Rules,
    puzzles: &Set,
    plan: &Plan<'_>,
    watch: &mut dyn Watch,
) -> Result<Comparison, Error> {
    plan.check(puzzles)?;
    let mut comparing = Comparing::open(rules, puzzles, plan, watch)?;
    comparing.warm_up()?;
    for run in 0..plan.runs {
        comparing.run(run)?;
    }
    comparing.tell()
}

/// A comparison under way.
struct Comparing<'a> {
    rules: &'a Rules,
    puzzles: &'a Set,
    plan: &'a Plan<'a>,
    watch: &'a mut dyn Watch,
    crew: Crew<'a>,
    known: Vec<Known>,
    measured: Vec<Measured>,
    /// The puzzles of every run in the order they were solved.
    orders: Vec<Vec<u32>>,
    answered: u64,
}

/// What one engine did.
struct Measured {
    warm_up: Pass,
    runs: Vec<Pass>,
}

impl<'a> Comparing<'a> {
    fn open(
        rules: &'a Rules,
        puzzles: &'a Set,
        plan: &'a Plan<'a>,
        watch: &'a mut dyn Watch,
    ) -> Result<Self, Error> {
        let crew = Crew::new(rules, plan)?;
        let known = (0..puzzles.len()).map(|_| Known::default()).collect();
        let (measured, orders) = (Vec::new(), Vec::new());
        Ok(Comparing { rules, puzzles, plan, watch, crew, known, measured, orders, answered: 0 })
    }

    /// Every engine answers every puzzle as it was read; what it says is held against what the others said.
    fn warm_up(&mut self) -> Result<(), Error> {
        let (puzzles, plan) = (self.puzzles, self.plan);
        for (index, entry) in plan.engines.iter().enumerate() {
            let limits = plan.limits(entry);
            let warm_up =
                self.crew.pass(index, puzzles.cells(), limits, &mut self.known, |said, known: &mut Known| {
                    known.hear(said, limits)
                });
            let warm_up = warm_up.map_err(|failure| failure.at(puzzles))?;
            self.measured.push(Measured { warm_up, runs: Vec::new() });
            self.answered += puzzles.len() as u64;
            advance(plan, puzzles, self.watch, self.answered)?;
        }
        Ok(())
    }

    /// Every engine answers every puzzle as this run has it.
    fn run(&mut self, run: usize) -> Result<(), Error> {
        let (puzzles, plan, known) = (self.puzzles, self.plan, &self.known);
        let course = Course::draw(self.rules, puzzles, plan, run);
        // Nothing is noted of single answers but what every pass keeps.
        let mut nothing = vec![(); puzzles.len()];
        for &index in &course.engines {
            let limits = plan.limits(plan.engines[index]);
            let pass = self.crew.pass(index, course.puzzles(), limits, &mut nothing, |said, _| {
                let known = &known[course.order[said.place] as usize];
                known.check(said, limits, |cells| course.undo(said.place, cells))
            });
            let pass = pass.map_err(|failure| failure.in_order(&course.order).at(puzzles))?;
            self.measured[index].runs.push(pass.without_statuses());
            self.answered += puzzles.len() as u64;
            advance(plan, puzzles, self.watch, self.answered)?;
        }
        self.orders.push(course.order);
        Ok(())
    }

    /// What it all comes to.
    fn tell(self) -> Result<Comparison, Error> {
        let plan = self.plan;
        let medians: Vec<_> =
            self.measured.iter().map(|measured| sum_up::medians(&measured.runs, &self.orders)).collect();
        per_puzzle::tell(plan, self.puzzles, &self.measured, &medians, self.watch)?;
        let mut engines = sum_up::engines(plan, &self.measured, &medians, &self.crew);
        let warnings = noise::warnings(plan, self.puzzles.len(), &self.measured);
        let rank = |figures: &EngineFigures| match figures.ratio {
            Some(ratio) => ratio.median,
            None if figures.name == plan.engines[plan.reference].name => 1.0,
            None => f64::INFINITY,
        };
        engines.sort_by(|one, other| rank(one).total_cmp(&rank(other)));
        let names: Vec<&str> = engines.iter().map(|figures| figures.name).collect();
        Ok(Comparison {
            galop: env!("CARGO_PKG_VERSION"),
            command: plan.command.clone(),
            machine: Machine::this(),
            rules: Ruled::by(self.rules),
            options: Asked {
                solutions: (plan.solutions != u64::MAX).then_some(plan.solutions),
                runs: plan.runs,
                threads: self.crew.threads(),
                seed: plan.seed,
                sample: self.puzzles.sample_size(),
                permuted: plan.is_permuted,
                budget_seconds: plan.budget.map(|budget| budget.as_secs_f64()),
            },
            inputs: self.puzzles.inputs.clone(),
            puzzles: self.puzzles.len() as u64,
            reference: plan.engines[plan.reference].name,
            engines,
            differences: sum_up::differences(plan, self.puzzles, &medians, &names),
            warnings,
        })
    }
}

/// One more pass is over.
fn advance(plan: &Plan<'_>, puzzles: &Set, watch: &mut dyn Watch, answered: u64) -> Result<(), Error> {
    if plan.stop.load(Ordering::Relaxed) {
        return Err(ErrorKind::Stopped.into());
    }
    watch.advanced(answered, (puzzles.len() * plan.engines.len() * (plan.runs + 1)) as u64);
    Ok(())
}
