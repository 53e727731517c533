//! Why a classic problem cannot be made from its arguments.

use crate::problem::BuildError;

/// Why a model was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model has this name.
    #[error("unknown model `{0}`")]
    Unknown(String),
    /// An argument is wrong: which one, and what would be right.
    #[error("{0}")]
    Argument(String),
    /// The problem could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}
