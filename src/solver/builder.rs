//! The settings of a solver.

use std::num::NonZero;

use galop_engines::Rules;
use galop_engines::engine::{Entry, Unsupported};
use galop_engines::puzzle::Limits;

use super::Solver;

/// The settings of a [`Solver`], which [`build`](Self::build) makes. [`Solver::builder`] begins.
///
/// ```
/// use galop::{Rules, Solver, engine};
///
/// let builder = Solver::builder().engine(engine::LANES);
/// assert!(builder.clone().rules(Rules::default()).build().is_ok());
/// let refused = builder.rules(Rules::sudoku(16)?).build();
/// assert!(matches!(refused, Err(engine::Unsupported::Rules { rules, .. }) if rules == "sudoku 16x16"));
/// # Ok::<(), galop::grid::GridError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "`build` makes the solver"]
pub struct SolverBuilder {
    pub(super) rules: Option<Rules>,
    pub(super) engine: Option<&'static Entry>,
    is_unique: bool,
    max_guesses: Option<u64>,
    pub(super) threads: Option<NonZero<usize>>,
}

impl SolverBuilder {
    /// Solves puzzles of these rules only, written in their alphabet. Without rules, sudokus of all sizes are solved.
    pub fn rules(self, rules: Rules) -> SolverBuilder {
        SolverBuilder { rules: Some(rules), ..self }
    }

    /// Solves with this engine. The default is the fastest engine for the rules. Calls with fewer than 32 puzzles take
    /// another engine instead of one that solves many at once.
    pub fn engine(self, engine: &'static Entry) -> SolverBuilder {
        SolverBuilder { engine: Some(engine), ..self }
    }

    /// Whether a solution must be the only one: a puzzle with several gets
    /// [`SolveError::Multiple`](crate::SolveError::Multiple).
    pub fn unique(self, is_unique: bool) -> SolverBuilder {
        SolverBuilder { is_unique, ..self }
    }

    /// Gives a puzzle up after this number of guesses, with [`SolveError::Limit`](crate::SolveError::Limit). The
    /// default is no limit.
    pub fn max_guesses(self, guesses: u64) -> SolverBuilder {
        SolverBuilder { max_guesses: Some(guesses), ..self }
    }

    /// The number of threads for many puzzles: 0, the default, for one for each core, 1 for none but the caller's. The
    /// results do not depend on it.
    pub fn threads(self, threads: usize) -> SolverBuilder {
        SolverBuilder { threads: NonZero::new(threads), ..self }
    }

    /// Makes the solver.
    ///
    /// # Errors
    /// [`Unsupported`] if the engine does not accept the rules. Without rules, [`SolveError::Unsupported`] is the error
    /// of each puzzle whose size the engine does not accept.
    ///
    /// [`SolveError::Unsupported`]: crate::SolveError::Unsupported
    pub fn build(self) -> Result<Solver, Unsupported> {
        let mut solver = Solver { settings: self, sizes: Vec::new() };
        if let Some(rules) = &solver.settings.rules {
            solver.add_size(rules.clone())?;
        }
        Ok(solver)
    }

    /// `limits` with the limit on guesses.
    pub(super) fn with_guess_limit(&self, limits: Limits) -> Limits {
        match self.max_guesses {
            Some(guesses) => limits.with_guesses(guesses),
            None => limits,
        }
    }

    /// The limits of a search for a solution.
    pub(super) fn limits(&self) -> Limits {
        self.with_guess_limit(if self.is_unique { Limits::UNIQUE } else { Limits::ANY })
    }
}
