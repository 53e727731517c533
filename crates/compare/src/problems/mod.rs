//! A contest on exact cover problems: each run has the options of each problem in another order.

mod answer;
mod error;
mod field;
mod known;
mod printed;
mod problem;
mod results;

pub use error::CoverFault;
pub(super) use field::ProblemField;
pub use problem::Problem;
pub(super) use results::ProblemResults;
