//! Solvers: a problem is built into an engine once and then searched any number of times.
//!
//! ```
//! use std::ops::ControlFlow;
//! use galop_cover::{Choice, CoverLimits, ExactCover, OptionId, Solver};
//!
//! let problem: ExactCover = "a b c d\na b\nc d\na c\nb d\n".parse()?;
//! let mut solver = Solver::new(&problem, Choice::Auto)?;
//! assert_eq!(solver.search(&CoverLimits::NONE).count()?.solutions, 2);
//! for solution in solver.search(&CoverLimits::NONE).into_iter() {
//!     assert_eq!(solution?.len(), 2);
//! }
//! // Related problems: option 3 (b d) is chosen, then forbidden.
//! solver.assume(&[OptionId(3)], &[])?;
//! assert_eq!(solver.search(&CoverLimits::NONE).first()?, Some(vec![OptionId(2), OptionId(3)]));
//! solver.assume(&[], &[OptionId(3)])?;
//! let outcome = solver.search(&CoverLimits::NONE).for_each(|options| {
//!     assert_eq!(options, [0, 1]);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(outcome.solutions, 1);
//! # Ok::<(), galop_cover::CoverError>(())
//! ```

mod auto;
mod drawer;
mod limits;
mod parallel;
mod queue;
mod search;
mod setup;
mod solutions;
mod stream;
#[cfg(test)]
mod tests;
mod worker;

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::ThreadPool;

use crate::engine::{Build, CoverEngine, Driver, Meter, Restarts, Selection, StageFigures, Unsuitable};
use crate::error::CoverError;
use crate::memory::Memory;
use crate::reduce::{ReducedEngine, Reduction};
use crate::{Assumptions, ExactCover, Natural, OptionId, threads};
use parallel::{Aim, Request, Workers};
use worker::Worker;

pub(crate) use auto::{FirstNodes, count_first_nodes};
pub use drawer::{Drawer, Drawn};
pub use limits::{CoverLimits, CoverOutcome, End, Observer, Progress};
pub use search::Search;
pub use setup::{Choice, Setup};
pub use solutions::Solutions;
pub use stream::SolutionStream;

impl ExactCover {
    /// A solver with the engine that suits this problem.
    ///
    /// # Errors
    /// [`CoverError::Unsuitable`] if the problem is too large for every engine.
    pub fn solver(&self) -> Result<Solver<'_>, CoverError> {
        Solver::new(self, Choice::Auto)
    }

    /// A solution, its options ascending; `None` if the problem has no solution.
    ///
    /// # Errors
    /// [`CoverError::Unsuitable`] if the problem is too large for every engine.
    pub fn solve(&self) -> Result<Option<Vec<OptionId>>, CoverError> {
        self.solver()?.search(&CoverLimits::NONE).first()
    }

    /// The number of solutions.
    ///
    /// # Errors
    /// [`CoverError::Unsuitable`] if the problem is too large for every engine.
    pub fn count(&self) -> Result<Natural, CoverError> {
        Ok(self.solver()?.search(&CoverLimits::NONE).count()?.solutions)
    }
}

/// Searches one problem, any number of times.
///
/// Searches return what they found as values of their own, so the solver is free for the next question:
/// ```
/// # let problem: galop_cover::ExactCover = "a b\na\nb\na b\n".parse()?;
/// use galop_cover::CoverLimits;
///
/// let mut solver = problem.solver()?;
/// println!("{} found by {}", solver.search(&CoverLimits::NONE).count()?.solutions, solver.engine());
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
/// On one thread a search allocates nothing if an earlier search went as deep, except the solution that
/// [`first`](Search::first) and the iterator return, and numbers of solutions from 2^128.
pub struct Solver<'p> {
    problem: &'p ExactCover,
    reduction: Option<Reduction>,
    /// The engine built; it may delegate to another one.
    built: Selection,
    /// Whether it can do more than count.
    lists: bool,
    first: Worker<'p>,
    others: Vec<Worker<'p>>,
    /// The threads, once a search needed them.
    pool: Option<ThreadPool>,
    threads: usize,
    is_ordered: bool,
    seed: Option<u64>,
    assumptions: Assumptions,
    /// The parts to search; `None` is the whole search.
    parts: Option<Vec<Assumptions>>,
    /// Whether the search keeps what remains when a limit ends it, and what remained.
    keeps_open: bool,
    open: Vec<Assumptions>,
    outcome: CoverOutcome,
    /// Nodes at each depth of the last search.
    depths: Vec<u64>,
}

impl<'p> Solver<'p> {
    /// Builds an engine for `problem`. `setup` is a [`Choice`] or a [`Setup`].
    ///
    /// # Errors
    /// [`CoverError::Unsuitable`] if the engine cannot solve this problem.
    pub fn new(problem: &'p ExactCover, setup: impl Into<Setup>) -> Result<Solver<'p>, CoverError> {
        Solver::new_within(problem, setup, &CoverLimits::NONE)
    }

    /// Builds an engine as [`new`](Self::new) does, and stops at the deadline of `limits` or when they are cancelled:
    /// with millions of options, preprocessing and building take seconds.
    ///
    /// ```
    /// # let problem: galop_cover::ExactCover = "a b\na\nb\na b\n".parse()?;
    /// use std::time::Duration;
    /// use galop_cover::{Choice, CoverLimits, Solver};
    ///
    /// // One deadline for building and searching.
    /// let limits = CoverLimits::NONE.within(Duration::from_secs(5));
    /// let outcome = Solver::new_within(&problem, Choice::Auto, &limits)?.search(&limits).count()?;
    /// # assert_eq!(outcome.solutions, 2);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of `new`, and [`CoverError::Stopped`].
    pub fn new_within(
        problem: &'p ExactCover,
        setup: impl Into<Setup>,
        limits: &CoverLimits<'_>,
    ) -> Result<Solver<'p>, CoverError> {
        Solver::new_until(problem, setup.into(), limits.deadline, [limits.cancel, None])
    }

    /// Builds an engine as [`new_within`](Self::new_within) does, until any of the flags for cancelling is true.
    fn new_until(
        problem: &'p ExactCover,
        setup: Setup,
        deadline: Option<Instant>,
        cancel: [Option<&AtomicBool>; 2],
    ) -> Result<Solver<'p>, CoverError> {
        let Setup { choice, isa, has_preprocessing, memory, seed } = setup;
        let memory = Memory::new(memory);
        let build = Build::with_flags(isa, deadline, cancel).within(&memory);
        let reduction = has_preprocessing.then(|| problem.reduce_until(build));
        let searched = reduction.as_ref().map_or(problem, Reduction::problem);
        let (name, built) = match choice {
            Choice::Auto => ("auto", auto::begin(searched, build, &memory)),
            Choice::Engine(entry) => {
                let selection = Selection { name: entry.name, why: "it was requested" };
                (entry.name, (entry.make)(searched, build).map(|engine| (selection, engine)))
            }
        };
        let (built, mut engine) = built.map_err(|why| match why {
            Unsuitable::Stopped(stop) => CoverError::Stopped { end: stop.into() },
            why => CoverError::Unsuitable { engine: name, why },
        })?;
        if let Some(stop) = build.stop() {
            return Err(CoverError::Stopped { end: stop.into() });
        }
        if let Some(reduction) = &reduction {
            engine = Box::new(ReducedEngine::new(reduction, problem.option_count(), engine));
        }
        let lists = choice.lists();
        Ok(Solver { reduction, seed, lists, ..Solver::with_engine(problem, built, engine) })
    }

    /// A solver with one thread and no assumptions.
    pub(crate) fn with_engine(
        problem: &'p ExactCover,
        built: Selection,
        engine: Box<dyn CoverEngine>,
    ) -> Solver<'p> {
        Solver {
            problem,
            reduction: None,
            built,
            lists: true,
            first: Worker::new(problem, engine),
            others: Vec::new(),
            pool: None,
            threads: 1,
            is_ordered: false,
            seed: None,
            assumptions: Assumptions::default(),
            parts: None,
            keeps_open: false,
            open: Vec::new(),
            outcome: CoverOutcome::default(),
            depths: Vec::new(),
        }
    }

    /// The problem.
    pub(crate) fn problem(&self) -> &'p ExactCover {
        self.problem
    }

    /// The assumptions of all searches.
    pub(crate) fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }

    /// The name of the engine. With [`Choice::Auto`] it is the engine or the method that did most of the last search, or
    /// the engine that the first search will start with.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.selection().name
    }

    /// Why this engine was selected, in one line for people.
    #[must_use]
    pub fn why(&self) -> &'static str {
        self.selection().why
    }

    /// The result of preprocessing; `None` if the problem was not preprocessed.
    #[must_use]
    pub fn reduction(&self) -> Option<&Reduction> {
        self.reduction.as_ref()
    }

    /// What the stages of all searches took, on all threads together, in the order in which they were begun. Only
    /// [`Choice::Auto`] searches in stages.
    #[must_use]
    pub fn stages(&self) -> Vec<StageFigures> {
        let mut stages = Vec::new();
        for worker in [&self.first].into_iter().chain(&self.others) {
            let figures = worker.engine.as_driver().map_or_else(Vec::new, Driver::stages);
            figures.into_iter().for_each(|stage| stage.add_to(&mut stages));
        }
        stages
    }

    fn selection(&self) -> Selection {
        self.first.engine.as_driver().and_then(Driver::delegate).unwrap_or(self.built)
    }

    /// Sets how many threads search the problem together; `None` is one for each core. A new solver has one thread.
    ///
    /// `NonZero::new(n)` is such a number, with 0 for one thread a core. The threads are started by the first search
    /// that takes longer than a millisecond; they stay for later ones.
    ///
    /// # Errors
    /// [`CoverError::Threads`] if there is no memory for their stacks.
    pub fn set_threads(&mut self, threads: Option<NonZero<usize>>) -> Result<(), CoverError> {
        let count = threads::count(threads).get();
        threads::check_room(count)?;
        if count != self.threads {
            self.pool = None;
        }
        self.others.truncate(count - 1);
        self.threads = count;
        Ok(())
    }

    /// How many threads search the problem together.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Sets whether several threads deliver the solutions in the order in which one thread finds them. Solutions of
    /// later branches are kept until it is their turn.
    pub fn set_ordered(&mut self, is_ordered: bool) {
        self.is_ordered = is_ordered;
    }

    /// Sets the assumptions of all further searches: every solution contains the options `chosen` and none of
    /// `forbidden`. Assumptions that contradict each other are not an error: there is no solution then.
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`]; the assumptions stay as they were.
    pub fn assume(&mut self, chosen: &[OptionId], forbidden: &[OptionId]) -> Result<(), CoverError> {
        let count = self.problem.option_count();
        if let Some(&option) = chosen.iter().chain(forbidden).find(|&&option| option.index() >= count) {
            return Err(CoverError::UnknownOption { option, count });
        }
        self.assumptions.replace(chosen, forbidden);
        self.parts = None;
        Ok(())
    }

    /// Replaces the assumptions of all further searches: every solution fits one of `parts`. They must be disjoint,
    /// as [`ExactCover::parts`] makes them: a solution that fits two parts is found twice. Without parts there is no
    /// solution.
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`]; the assumptions stay as they were.
    pub fn assume_any(&mut self, parts: &[Assumptions]) -> Result<(), CoverError> {
        parts.iter().try_for_each(|part| part.check(self.problem))?;
        self.assumptions.replace(&[], &[]);
        self.parts = Some(parts.to_vec());
        Ok(())
    }

    /// The outcome of the last search.
    pub fn outcome(&self) -> &CoverOutcome {
        &self.outcome
    }

    /// The nodes of the last search at each depth (the number of choices made; forced options do not count).
    #[must_use]
    pub fn depths(&self) -> &[u64] {
        &self.depths
    }

    /// `Err` if the engine only counts, and more is asked for.
    fn check_lists(&self) -> Result<(), CoverError> {
        match self.lists {
            true => Ok(()),
            false => Err(CoverError::Unsuitable { engine: self.built.name, why: Unsuitable::OnlyCounts }),
        }
    }

    /// Whether restarts are possible: solutions may come in any order, and the whole problem is searched.
    fn may_restart(&self) -> bool {
        !self.is_ordered && self.parts.is_none()
    }

    /// Starts a search on one thread, for some solutions or for all.
    fn iterate<'s, 'l>(&'s mut self, limits: &CoverLimits<'l>, has_restarts: bool) -> Solutions<'s, 'p, 'l> {
        let seed = self.seed.filter(|_| has_restarts && self.may_restart());
        if let Some(driver) = self.first.engine.driver() {
            driver.set_restarts(seed.map_or(Restarts::Off, Restarts::Race));
        }
        let meter = Meter::new(limits.max_nodes(), limits.deadline, limits.cancel);
        let end = (limits.solutions == Some(0)).then_some(End::Solutions);
        let mut solutions =
            Solutions { solver: self, meter, limit: limits.solutions, found: 0, part: 0, end };
        if !solutions.start_part() {
            solutions.end.get_or_insert(End::Complete);
        }
        solutions
    }

    /// Searches on all threads, for some solutions or for all.
    fn run(
        &mut self,
        limits: &CoverLimits<'_>,
        observer: &mut dyn Observer,
        aim: Aim,
        wants_some: bool,
    ) -> Result<CoverOutcome, CoverError> {
        if wants_some || aim == Aim::List {
            self.check_lists()?;
        }
        let mut depths = std::mem::take(&mut self.depths);
        depths.clear();
        let request = Request {
            engine: self.built.name,
            limits: *limits,
            assumptions: &self.assumptions,
            parts: self.parts.as_deref(),
            aim,
            is_ordered: self.is_ordered && self.threads > 1,
            keeps_open: self.keeps_open,
            seed: self.seed.filter(|_| wants_some && self.may_restart()),
        };
        let mut run = Workers::new(request, observer, depths);
        if self.threads == 1 {
            run.work(&mut self.first);
        } else if let Some(paused) = run.work_alone(&mut self.first) {
            while self.others.len() < self.threads - 1 {
                self.others.push(Worker::new(self.problem, self.first.engine.fork()));
            }
            let pool = match &mut self.pool {
                Some(pool) => pool,
                none => none.insert(threads::start(NonZero::new(self.threads))?),
            };
            let (run, first) = (&run, &mut self.first);
            pool.scope(|scope| {
                scope.spawn(move |_| run.resume(first, paused));
                for (number, other) in (1..).zip(&mut self.others) {
                    scope.spawn(move |_| run.support(other, number));
                }
            });
        }
        self.open = if self.keeps_open { run.take_open() } else { Vec::new() };
        (self.outcome, self.depths) = run.finish()?;
        Ok(self.outcome.clone())
    }
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("engine", &self.built.name)
            .field("threads", &self.threads)
            .field("is_ordered", &self.is_ordered)
            .field("assumptions", &self.assumptions)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
