//! Why a classic problem cannot be made of the arguments it was given.

use super::BuildError;

/// Which argument of a model is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An argument is not there.
    #[error("{name} is missing")]
    Missing {
        /// What it is called in the model's usage.
        name: &'static str,
    },
    /// There are more arguments than the model takes.
    #[error("`{}` is one argument too many", .argument.escape_debug())]
    Extra {
        /// The first that is too many.
        argument: String,
    },
    /// An argument is not written in digits.
    #[error("`{}` is no {name} (a whole number, in digits)", .argument.escape_debug())]
    Number {
        /// What it is called.
        name: &'static str,
        /// What was given.
        argument: String,
    },
    /// A number is too small, or so large that the problem would fill the memory.
    #[error("{found} is out of range for {name} ({from} to {to})")]
    Range {
        /// What it is called.
        name: &'static str,
        /// The number.
        found: String,
        /// The smallest that is right.
        from: usize,
        /// The largest.
        to: usize,
    },
    /// An argument is no size of a board or box.
    #[error("`{}` is no {name} (whole numbers with an x between them, as in 6x10)", .argument.escape_debug())]
    Size {
        /// What it is called.
        name: &'static str,
        /// What was given.
        argument: String,
    },
    /// The arguments are right by themselves, but not together.
    #[error("{what} ({right})")]
    Misfit {
        /// What does not fit.
        what: String,
        /// What would.
        right: &'static str,
    },
    /// The problem could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}
