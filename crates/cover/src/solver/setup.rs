//! How a solver is built.

use super::auto;
use crate::ExactCover;
use crate::engine::{Build, CoverEntry, Restarts, Stepper, Unsuitable};
use crate::memory::Memory;
use galop_simd::Isa;

/// The engine of a [`Solver`](crate::Solver): one that suits the problem, or one by name.
///
/// ```
/// use galop_cover::{Choice, engine};
///
/// let links = engine::by_name("links").map(Choice::Engine);
/// assert!(matches!(links, Some(Choice::Engine(entry)) if entry.name == "links"));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// The engine that suits the problem; [`Solver::why`](crate::Solver::why) says why. It may change during
    /// a search.
    Auto,
    /// This engine.
    Engine(&'static CoverEntry),
}

impl Choice {
    /// Whether it finds solutions one by one; otherwise it only counts all of them.
    #[must_use]
    pub fn lists(self) -> bool {
        match self {
            Choice::Auto => true,
            Choice::Engine(entry) => entry.lists,
        }
    }
}

/// How a [`Solver`](crate::Solver) is built. A [`Choice`] converts into a `Setup` with the best instruction set of
/// this machine and without preprocessing.
///
/// ```
/// use galop_cover::{ExactCover, Setup, Solver, engine};
///
/// let problem: ExactCover = "a b\na\nb\na b\n".parse()?;
/// let solver = Solver::new(&problem, Setup::new().engine(&engine::LINKS).preprocess(true))?;
/// assert_eq!(solver.engine(), "links");
/// assert!(solver.reduction().is_some());
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    pub(crate) choice: Choice,
    pub(crate) isa: Isa,
    pub(crate) has_preprocessing: bool,
    pub(crate) memory: Option<u64>,
    pub(crate) seed: Option<u64>,
}

impl Setup {
    /// The engine that suits the problem, on the best instruction set of this machine, without preprocessing.
    #[must_use]
    pub fn new() -> Setup {
        Choice::Auto.into()
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, entry: &'static CoverEntry) -> Setup {
        Setup { choice: Choice::Engine(entry), ..self }
    }

    /// Sets the instruction set, for engines that are compiled for several.
    #[must_use]
    pub fn isa(self, isa: Isa) -> Setup {
        Setup { isa, ..self }
    }

    /// Sets whether the engine searches the problem that [preprocessing](crate::ExactCover::reduce) leaves. The results
    /// are the same, only the effort differs: solutions, assumptions and checks refer to the problem given.
    #[must_use]
    pub fn preprocess(self, has_preprocessing: bool) -> Setup {
        Setup { has_preprocessing, ..self }
    }

    /// Sets the bytes that the growing tables of a search may take, on all threads together: what a count remembers, the
    /// states of a sweep, and learnt clauses. A count that has too little continues with another engine, or forgets
    /// numbers and takes longer; its result does not depend on the limit. `None` is a quarter of the memory of this
    /// machine.
    ///
    /// The problem, the tables of engines and their states at every level are not included.
    #[must_use]
    pub fn memory(self, bytes: impl Into<Option<u64>>) -> Setup {
        Setup { memory: bytes.into(), ..self }
    }

    /// Sets the seed of the random choices of searches for some solutions in any order: for
    /// [`Search::first`](crate::Search::first), and with a limit on solutions. On one thread the same seed gives the
    /// same solutions. `None` searches in the engine's order, without restarts. (Only [`Choice::Auto`] has restarts.)
    #[must_use]
    pub fn seed(self, seed: impl Into<Option<u64>>) -> Setup {
        Setup { seed: seed.into(), ..self }
    }

    /// Makes a stepper that finds solutions as [`Search::first`](crate::Search::first) does: with
    /// [`Choice::Auto`] and a [seed](Self::seed), in turns by an engine in order, with restarts, and by learnt clauses.
    /// Then neither the solutions, their order nor the nodes depend on the machine, as long as the
    /// [memory](Self::memory) is given. There is no [preprocessing](Self::preprocess).
    ///
    /// ```
    /// use galop_cover::engine::Step;
    /// use galop_cover::{Assumptions, Setup, models};
    ///
    /// let mut stepper = Setup::new().memory(1 << 24).stepper(&models::queens(6)?)?;
    /// stepper.start(&Assumptions::default(), u64::MAX);
    /// let found = (0..9).take_while(|_| stepper.next(u64::MAX) == Step::Solution).count();
    /// assert_eq!(found, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Unsuitable`] if the engine cannot solve this problem, or only counts.
    pub fn stepper(self, problem: &ExactCover) -> Result<Stepper, Unsuitable> {
        let memory = Memory::new(self.memory);
        let build = Build::from(self.isa).within(&memory);
        let mut engine = match self.choice {
            Choice::Auto => auto::begin(problem, build, &memory)?.1,
            Choice::Engine(entry) => entry.check_lists().and_then(|()| (entry.make)(problem, build))?,
        };
        if let Some(driver) = engine.driver() {
            driver.set_restarts(self.seed.map_or(Restarts::Off, Restarts::Race));
        }
        Ok(Stepper::with_engine(engine))
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::new()
    }
}

impl From<Choice> for Setup {
    fn from(choice: Choice) -> Setup {
        let (isa, seed) = (Isa::best(), Some(0));
        Setup { choice, isa, has_preprocessing: false, memory: None, seed }
    }
}
