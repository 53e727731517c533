//! Why a classic problem cannot be made from its arguments.

use crate::problem::BuildError;

/// Which argument of a model is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An argument is missing.
    #[error("{name} is missing")]
    Missing {
        /// The argument's name in the model's usage.
        name: &'static str,
    },
    /// There are more arguments than the model takes.
    #[error("`{}` is one argument too many", .argument.escape_debug())]
    Extra {
        /// The first superfluous argument.
        argument: String,
    },
    /// An argument is not written in digits.
    #[error("`{}` is not a valid {name} (a whole number, in digits)", .argument.escape_debug())]
    Number {
        /// The argument's name.
        name: &'static str,
        /// The argument.
        argument: String,
    },
    /// A number is too small, or so large that the problem would fill the memory.
    #[error("{found} is out of range for {name} ({from} to {to})")]
    Range {
        /// The argument's name.
        name: &'static str,
        /// The number.
        found: String,
        /// The smallest allowed number.
        from: usize,
        /// The largest allowed number.
        to: usize,
    },
    /// An argument is not the size of a board or box.
    #[error("`{}` is not a valid {name} (whole numbers with an x between them, as in 6x10)", .argument.escape_debug())]
    Size {
        /// The argument's name.
        name: &'static str,
        /// The argument.
        argument: String,
    },
    /// Each argument is right, but they do not fit together.
    #[error("{what} ({right})")]
    Misfit {
        /// What does not fit.
        what: String,
        /// What would be right.
        right: &'static str,
    },
    /// The problem could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}
