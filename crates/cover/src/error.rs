//! The errors of the package in one type. Every module owns its errors: this one only unites them.

use crate::diagram::DiagramError;
use crate::engine::Unsuitable;
use crate::models::ModelError;
use crate::problem::{BuildError, CoverViolation, SelectionError, TextError};
use crate::threads::ThreadsError;
use crate::{End, OptionId};

/// Why a problem was not built or not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoverError {
    /// The text of a problem is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// An item or option given to a builder is wrong.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The arguments of a classic problem are wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Items do not say what to assume.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// An assumption names an option that the problem does not have.
    #[error("unknown option {option} (options are numbered from 0, and there are {count})")]
    UnknownOption {
        /// The number of the option.
        option: OptionId,
        /// Options of the problem.
        count: usize,
    },
    /// The engine cannot solve this problem.
    #[error("the engine `{engine}` cannot solve this problem: {why}")]
    Unsuitable {
        /// The engine.
        engine: &'static str,
        /// The reason.
        why: Unsuitable,
    },
    /// The deadline passed, or the search was cancelled, while the engine was built.
    #[error("stopped while the engine was built: {}", .end.name())]
    Stopped {
        /// What stopped it.
        end: End,
    },
    /// The worker threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A diagram was not built.
    #[error(transparent)]
    Diagram(#[from] DiagramError),
    /// The independent check found a solution wrong: a bug in galop.
    #[error(
        "a solution failed the independent check: {violation}\n  options {options:?}\n\
         this is a bug in galop's cover engine `{engine}`: please report the problem"
    )]
    WrongCover {
        /// The engine that found the solution.
        engine: &'static str,
        /// The options of the solution, numbered from 0.
        options: Vec<OptionId>,
        /// What is wrong with it.
        violation: CoverViolation,
    },
}
