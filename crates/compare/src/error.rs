//! Why engines cannot be compared.

use galop_batch::error::Fact;
use galop_engines::grid::Fault;

impl Fact for PlanError {}

/// A comparison that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The plan has no engine.
    #[error("no engine to compare; at least one is needed")]
    NoEngine,
    /// An engine occurs twice in the plan.
    #[error("the engine `{0}` is named twice")]
    EngineTwice(String),
    /// The reference is not an engine of the plan.
    #[error("the reference is not one of the compared engines")]
    Reference,
    /// The plan has no run.
    #[error("0 runs; at least one is needed")]
    NoRuns,
    /// The plan has a limit of no solutions.
    #[error("0 solutions; at least one is needed")]
    NoSolutions,
    /// Another program cannot be run, fails, or prints something else than a line for each puzzle.
    #[error("the command `{command}` failed: {reason}")]
    Program {
        /// The name that the plan gives it.
        command: String,
        /// What happened.
        reason: String,
    },
    /// A contestant is for puzzles and the tasks are exact cover problems, or the other way round.
    #[error("`{0}` does not solve the compared puzzles or problems")]
    OtherTasks(String),
    /// A pattern for the numbers that programs print cannot be used.
    #[error("the pattern `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There are no puzzles.
    #[error("no puzzles to compare engines on")]
    NoPuzzles,
}

/// A solution that another program printed is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the program `{program}` printed a wrong solution: {violation}\n  puzzle   {puzzle}\n  solution {solution}"
)]
pub struct PrintedWrong {
    /// The name that the plan gives it.
    pub program: String,
    /// The puzzle as text, one character per cell.
    pub puzzle: String,
    /// What the program printed.
    pub solution: String,
    /// What is wrong with it.
    pub violation: Fault,
}

impl Fact for PrintedWrong {}
