//! How a solver is built.

use crate::engine::CoverEntry;
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
    /// The engine that suits the problem; see [`choose()`](crate::choose()). It may change during a search.
    Auto,
    /// This engine.
    Engine(&'static CoverEntry),
}

/// How a [`Solver`](crate::Solver) is built. A [`Choice`] converts into a `Setup` with the best instruction set of
/// this machine and without preprocessing.
///
/// ```
/// use galop_cover::{Choice, ExactCover, Setup, Solver};
///
/// let problem: ExactCover = "a b\na\nb\na b\n".parse()?;
/// let setup = Setup { has_preprocessing: true, ..Choice::Auto.into() };
/// assert!(Solver::new(&problem, setup)?.reduction().is_some());
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The engine.
    pub choice: Choice,
    /// The instruction set, for engines that are compiled for several.
    pub isa: Isa,
    /// Whether the engine searches the problem that [preprocessing](crate::ExactCover::reduce) leaves. The results
    /// are the same, only the effort differs: solutions, assumptions and checks refer to the problem given.
    pub has_preprocessing: bool,
    /// Bytes that each search of the solver may take, on all threads together: the tables of its engines, their states at
    /// every level, what a count remembers, the states of a sweep, the solutions that a search with restarts knows. The
    /// problem itself is not included, nor the result of preprocessing, the stacks of threads, solutions that wait for their
    /// turn ([`set_ordered`](crate::Solver::set_ordered)), and [`rank`](crate::Solver::rank).
    ///
    /// An engine is built only if the most that its search can need is left. [`Choice::Auto`] takes another engine if one
    /// fits, down to `links`, which needs the least for large problems; if none does, or for an engine by name, the error is
    /// [`Unsuitable::Memory`](crate::engine::Unsuitable::Memory), which names the bytes. As many threads search as there is
    /// memory for. A count that needs more continues with another engine, or forgets numbers and takes longer. Counts and
    /// sets of solutions do not depend on the limit; their order and the first solution found depend on the engine.
    ///
    /// `None` is a quarter of the memory of this machine for threads, counts and sweeps. It refuses no engine, so that the
    /// same engine is chosen on every machine.
    pub memory: Option<u64>,
    /// The seed of the random choices of searches for some solutions in any order: for
    /// [`Solver::first`](crate::Solver::first), and with a limit on solutions. On one thread the same seed gives the
    /// same solutions. `None` searches in the engine's order, without restarts. (Only [`Choice::Auto`] has restarts.)
    pub seed: Option<u64>,
}

impl From<Choice> for Setup {
    fn from(choice: Choice) -> Setup {
        Setup { choice, isa: Isa::best(), has_preprocessing: false, memory: None, seed: Some(0) }
    }
}
