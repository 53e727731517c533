//! The way in: a problem is built into engines once, and asked any number of times.
//!
//! ```
//! use std::ops::ControlFlow;
//! use galop_cover::{Choice, Limits, Solver, text};
//!
//! let problem = text::read(b"a b c d\na b\nc d\na c\nb d\n")?.problem;
//! let mut solver = Solver::new(&problem, Choice::Auto)?;
//! assert_eq!(solver.count(&Limits::NONE)?.solutions, 2);
//! for solution in solver.solutions(&Limits::NONE) {
//!     assert_eq!(solution?.len(), 2);
//! }
//! // Related problems: option 3 (b d) is chosen, then forbidden.
//! solver.assume(&[3], &[])?;
//! assert_eq!(solver.first(&Limits::NONE)?, Some(&[2, 3][..]));
//! solver.assume(&[], &[3])?;
//! solver.for_each(&Limits::NONE, |options| {
//!     assert_eq!(options, [0, 1]);
//!     ControlFlow::Continue(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod auto;
mod limits;
mod parallel;

use std::num::NonZero;
use std::ops::ControlFlow;

use rayon::ThreadPool;

use crate::reduce::Reduced;
use crate::solver::parallel::{Aim, Run};
use crate::{
    Assumptions, Checker, Engine, Entry, Event, ExactCover, Fault, Meter, OptionId, Reduction, threads,
};
pub use auto::choose::{Chosen, choose};
pub use limits::{End, Limits, Outcome, Progress, Watch};

use crate::error::Error;
use galop_simd::Isa;

/// An engine by name, or the one that suits the problem.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// As [`choose()`] says.
    Auto,
    /// This one.
    Entry(&'static Entry),
}

/// How a [`Solver`] is built; a [`Choice`] alone will do.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The engine.
    pub choice: Choice,
    /// The instruction set of engines that are compiled for several.
    pub isa: Isa,
    /// Whether the engines search what [preprocessing](ExactCover::reduce) leaves of the problem. Nobody will notice
    /// but by the effort: solutions, assumptions and the check of every solution are those of the problem given.
    pub has_preprocessing: bool,
}

impl From<Choice> for Setup {
    fn from(choice: Choice) -> Setup {
        Setup { choice, isa: Isa::best(), has_preprocessing: false }
    }
}

/// What a thread needs, kept between searches.
pub(crate) struct Worker<'p> {
    pub(crate) engine: Box<dyn Engine>,
    pub(crate) checker: Checker<'p>,
    /// The solution found last, ascending.
    pub(crate) solution: Vec<OptionId>,
    /// For the nodes at each depth.
    pub(crate) depths: Vec<u64>,
}

impl<'p> Worker<'p> {
    fn new(problem: &'p ExactCover, engine: Box<dyn Engine>) -> Worker<'p> {
        Worker { engine, checker: Checker::new(problem), solution: Vec::new(), depths: Vec::new() }
    }

    /// Takes the engine's solution, and has it checked.
    pub(crate) fn take_solution(&mut self, entry: &Entry, assumptions: &Assumptions) -> Result<(), Error> {
        self.check_solution(entry, assumptions)?;
        self.solution.clear();
        self.solution.extend_from_slice(self.engine.solution());
        self.solution.sort_unstable();
        Ok(())
    }

    /// Has the engine's solution checked.
    pub(crate) fn check_solution(&mut self, entry: &Entry, assumptions: &Assumptions) -> Result<(), Error> {
        let options = self.engine.solution();
        self.checker.check(options, assumptions).map_err(|violation| {
            let engine = self.engine.chosen().map_or(entry, |chosen| chosen.entry).name;
            let mut options = options.to_vec();
            options.sort_unstable();
            Error::WrongCover { engine, options, violation }
        })
    }
}

/// Solves a problem it was built for, again and again.
///
/// On one thread a search allocates nothing once another one has gone as deep.
pub struct Solver<'p> {
    problem: &'p ExactCover,
    /// What the engines search, if that is not the problem itself.
    reduction: Option<Reduction>,
    entry: &'static Entry,
    why: &'static str,
    first: Worker<'p>,
    /// Those of the other threads; made when they are needed.
    others: Vec<Worker<'p>>,
    pool: Option<ThreadPool>,
    threads: usize,
    is_ordered: bool,
    assumptions: Assumptions,
    outcome: Outcome,
}

impl<'p> Solver<'p> {
    /// Builds an engine for `problem`.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] if the engine cannot solve such a problem.
    pub fn new(problem: &'p ExactCover, setup: impl Into<Setup>) -> Result<Solver<'p>, Error> {
        let Setup { choice, isa, has_preprocessing } = setup.into();
        let reduction = has_preprocessing.then(|| problem.reduce());
        let searched = reduction.as_ref().map_or(problem, Reduction::problem);
        let built = match choice {
            Choice::Auto => auto::choose::begin(searched, isa).ok_or("auto"),
            Choice::Entry(entry) => {
                let chosen = Chosen { entry, why: "it was asked for" };
                (entry.make)(searched, isa).map(|engine| (chosen, engine)).ok_or(entry.name)
            }
        };
        let (Chosen { entry, why }, engine) = built.map_err(|engine| Error::Unsuitable { engine })?;
        let engine = behind(reduction.as_ref(), problem, engine);
        Ok(Solver {
            problem,
            reduction,
            entry,
            why,
            first: Worker::new(problem, engine),
            others: Vec::new(),
            pool: None,
            threads: 1,
            is_ordered: false,
            assumptions: Assumptions::default(),
            outcome: Outcome::default(),
        })
    }

    /// The engine: of [`Choice::Auto`] the one that did most of the last search, or will begin the first.
    pub fn engine(&self) -> &'static Entry {
        self.chosen().entry
    }

    /// Why it is this one, in a line for people.
    pub fn why(&self) -> &'static str {
        self.chosen().why
    }

    /// What preprocessing left, if there was any.
    pub fn reduction(&self) -> Option<&Reduction> {
        self.reduction.as_ref()
    }

    fn chosen(&self) -> Chosen {
        self.first.engine.chosen().unwrap_or(Chosen { entry: self.entry, why: self.why })
    }

    /// Sets how many threads search one problem; 0 is one a core. At first it is 1.
    ///
    /// # Errors
    /// [`Error::Threads`] if they cannot be started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        let threads = threads::count(NonZero::new(threads)).get();
        self.pool = if threads == 1 { None } else { Some(threads::start(NonZero::new(threads))?) };
        self.others.truncate(threads - 1);
        self.threads = threads;
        Ok(())
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether several threads hand the solutions out in the order in which one would. Solutions of later branches
    /// are kept until it is their turn.
    pub fn set_ordered(&mut self, is_ordered: bool) {
        self.is_ordered = is_ordered;
    }

    /// From now on every solution has the options `chosen` and none of `forbidden`. What was assumed before is
    /// forgotten. Options that clash are no error: there is no solution then.
    ///
    /// # Errors
    /// [`Fault::UnknownOption`]; everything stays as it was then.
    pub fn assume(&mut self, chosen: &[OptionId], forbidden: &[OptionId]) -> Result<(), Error> {
        let count = self.problem.option_count();
        if let Some(&option) = chosen.iter().chain(forbidden).find(|&&option| option as usize >= count) {
            return Err(Error::Problem(Fault::UnknownOption { option, count }));
        }
        self.assumptions.replace(chosen, forbidden);
        Ok(())
    }

    /// What came of the last search.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Counts the solutions. (The first thousand and every 64th after them are checked.)
    ///
    /// With [`Choice::Auto`] and no limit on solutions it is tried, on one thread, whether equal parts of the search
    /// come again: then each is searched only once, and of the solutions that are found nevertheless the first and
    /// every 64th are checked. If not, that shows after some hundred choices, and the search goes on without.
    ///
    /// # Errors
    /// [`Error::WrongCover`] if a solution is none: a bug.
    pub fn count(&mut self, limits: &Limits<'_>) -> Result<&Outcome, Error> {
        self.count_and_watch(limits, &mut |_: &Progress| {})
    }

    /// As [`count`](Self::count), and `watch` is told how far it is.
    ///
    /// # Errors
    /// Those of `count`.
    pub fn count_and_watch(
        &mut self,
        limits: &Limits<'_>,
        watch: &mut (impl FnMut(&Progress) + Send),
    ) -> Result<&Outcome, Error> {
        struct Counting<F>(F);
        impl<F: FnMut(&Progress) + Send> Watch for Counting<F> {
            fn solution(&mut self, _: &[OptionId]) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }

            fn progress(&mut self, progress: &Progress) {
                (self.0)(progress);
            }
        }
        self.run(limits, &mut Counting(watch), Aim::Count)
    }

    /// Calls `each` with every solution, its options ascending, until it breaks.
    ///
    /// # Errors
    /// [`Error::WrongCover`] if a solution is none: a bug; it is not handed out.
    pub fn for_each(
        &mut self,
        limits: &Limits<'_>,
        each: impl FnMut(&[OptionId]) -> ControlFlow<()> + Send,
    ) -> Result<&Outcome, Error> {
        struct Each<F>(F);
        impl<F: FnMut(&[OptionId]) -> ControlFlow<()> + Send> Watch for Each<F> {
            fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
                (self.0)(options)
            }
        }
        self.watch(limits, &mut Each(each))
    }

    /// Tells `watch` every solution, and how far the search is.
    ///
    /// # Errors
    /// [`Error::WrongCover`] if a solution is none: a bug; it is not handed out.
    pub fn watch(&mut self, limits: &Limits<'_>, watch: &mut dyn Watch) -> Result<&Outcome, Error> {
        self.run(limits, watch, Aim::List)
    }

    /// The first solution, its options ascending, on one thread; `None` if there is none, or if a limit came first
    /// ([`outcome`](Self::outcome) tells).
    ///
    /// # Errors
    /// [`Error::WrongCover`] if it is none: a bug.
    pub fn first(&mut self, limits: &Limits<'_>) -> Result<Option<&[OptionId]>, Error> {
        let mut depths = std::mem::take(&mut self.outcome.depths);
        depths.clear();
        let mut solutions = self.solutions(limits);
        solutions.meter.depths = depths;
        let found = solutions.advance();
        let outcome = solutions.take_outcome();
        self.outcome = outcome;
        Ok(found?.then_some(&self.first.solution))
    }

    /// The solutions one by one, on one thread; the search goes on as far as they are asked for.
    pub fn solutions<'s, 'l>(&'s mut self, limits: &Limits<'l>) -> Solutions<'s, 'p, 'l> {
        self.first.engine.start(&self.assumptions);
        let meter = Meter::new(limits.nodes, limits.deadline, limits.cancel);
        let end = (limits.solutions == 0).then_some(End::Solutions);
        Solutions { solver: self, meter, left: limits.solutions, found: 0, end }
    }

    fn run(&mut self, limits: &Limits<'_>, watch: &mut dyn Watch, aim: Aim) -> Result<&Outcome, Error> {
        let mut depths = std::mem::take(&mut self.outcome.depths);
        depths.clear();
        let is_ordered = self.is_ordered && self.threads > 1;
        while self.others.len() + 1 < self.threads {
            self.others.push(Worker::new(self.problem, self.first.engine.fork()));
        }
        let run = Run::new(self.entry, *limits, &self.assumptions, watch, aim, is_ordered, depths);
        match &self.pool {
            None => run.work(&mut self.first),
            Some(pool) => {
                let (run, first) = (&run, &mut self.first);
                pool.scope(|scope| {
                    scope.spawn(move |_| run.work(first));
                    for other in &mut self.others {
                        scope.spawn(move |_| run.work(other));
                    }
                });
            }
        }
        self.outcome = run.finish()?;
        Ok(&self.outcome)
    }
}

/// An engine of what a reduction left behind the numbers of the problem it was made from.
fn behind(reduction: Option<&Reduction>, problem: &ExactCover, engine: Box<dyn Engine>) -> Box<dyn Engine> {
    match reduction {
        Some(reduction) => Box::new(Reduced::new(reduction, problem.option_count(), engine)),
        None => engine,
    }
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("engine", &self.entry.name)
            .field("threads", &self.threads)
            .field("is_ordered", &self.is_ordered)
            .field("assumptions", &self.assumptions)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

/// The solutions of a problem; see [`Solver::solutions`].
#[derive(Debug)]
pub struct Solutions<'s, 'p, 'l> {
    solver: &'s mut Solver<'p>,
    meter: Meter<'l>,
    left: u64,
    found: u128,
    end: Option<End>,
}

impl Solutions<'_, '_, '_> {
    /// What the search came to so far; its `end` is true only once there are no more solutions.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            solutions: self.found,
            beyond: None,
            nodes: self.meter.nodes,
            updates: self.meter.updates,
            depths: self.meter.depths.clone(),
            end: self.end.unwrap_or(End::Refused),
        }
    }

    /// The same without a copy.
    fn take_outcome(mut self) -> Outcome {
        let depths = std::mem::take(&mut self.meter.depths);
        Outcome { depths, ..self.outcome() }
    }

    /// How much of the search is done, 0 to 1.
    pub fn progress(&self) -> f64 {
        self.solver.first.engine.progress()
    }

    /// Searches on to the next solution; `false` if there is none.
    fn advance(&mut self) -> Result<bool, Error> {
        if self.end.is_some() {
            return Ok(false);
        }
        let Solver { first, entry, assumptions, .. } = &mut *self.solver;
        match first.engine.next(&mut self.meter) {
            Event::Solution => {
                if let Err(error) = first.take_solution(entry, assumptions) {
                    self.end = Some(End::Refused);
                    return Err(error);
                }
                self.found += 1;
                self.left -= 1;
                self.end = (self.left == 0).then_some(End::Solutions);
                return Ok(true);
            }
            Event::End => self.end = Some(End::Complete),
            Event::Stopped(stop) => self.end = Some(stop.into()),
        }
        Ok(false)
    }
}

impl Iterator for Solutions<'_, '_, '_> {
    type Item = Result<Vec<OptionId>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(true) => Some(Ok(self.solver.first.solution.clone())),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
