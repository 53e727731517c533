//! Answers to exact cover problems that are wrong.

use galop_batch::error::Fact;
use galop_cover::CoverError;
use galop_cover::problem::CoverViolation;

/// An answer to an exact cover problem that ends a comparison.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoverFault {
    /// Two answers cannot both be right.
    #[error(
        "two engines contradict each other: `{}` finds {}, `{}` finds {}\nthis is a bug in galop, in `{}` or `{}`",
        .answers[0].0, .answers[0].1, .answers[1].0, .answers[1].1, .answers[0].0, .answers[1].0
    )]
    Contradiction {
        /// The names of two contestants, and what each of them finds.
        answers: [(String, String); 2],
    },
    /// The options that another program printed are no solution.
    #[error("`{program}` printed options that are not a solution: {violation}")]
    Printed {
        /// The name of the program.
        program: String,
        /// What is wrong with them.
        violation: CoverViolation,
    },
    /// A search failed, or found a wrong solution.
    #[error("{0}")]
    Search(CoverError),
}

impl Fact for CoverFault {}
