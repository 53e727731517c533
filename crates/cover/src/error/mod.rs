//! What can go wrong in an exact cover problem, its solving and its building.

mod model;
mod problem;

pub use crate::threads::ThreadsError;
pub use model::ModelError;
pub use problem::{BuildError, CoverViolation, Fault, TextError};

/// Why a problem was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The independent check refused a solution: a bug in galop.
    #[error(
        "a solution failed the independent check: {violation}\n  options {options:?}\n\
         this is a bug in galop's cover engine `{engine}`: please report the problem; another --engine may do \
         meanwhile"
    )]
    WrongCover {
        /// The engine that gave it.
        engine: &'static str,
        /// The options it is said to consist of, numbered from 0.
        options: Vec<u32>,
        /// What is wrong with it.
        violation: CoverViolation,
    },
    /// An exact cover problem, or what is asked about it, is not as it must be.
    #[error("{0}")]
    Problem(#[from] Fault),
    /// The engine of exact cover cannot solve such a problem.
    #[error("the engine `{engine}` cannot solve this problem; `auto` picks one that can")]
    Unsuitable {
        /// The engine.
        engine: &'static str,
    },
    /// The worker threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}
