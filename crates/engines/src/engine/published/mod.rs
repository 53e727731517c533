//! Published solvers, rebuilt faithfully: they give the figures here that their authors report.
//!
//! | file | engine |
//! |---|---|
//! | [`backtrack`] | the oracle: cell by cell, no inference |
//! | [`logic`] | singles only, no guess |
//! | [`fewest`] | the search that the next two share: the cell with the fewest values |
//! | [`reduce`] | the solver of the AI courses |
//! | [`norvig`] | Norvig's solver |
//! | [`sinai`] | Sinai's solver, in two versions |

mod backtrack;
mod fewest;
mod logic;
mod norvig;
mod reduce;
mod sinai;

pub(super) use backtrack::ENTRY as BACKTRACK;
pub(super) use logic::ENTRY as LOGIC;
pub(super) use norvig::ENTRY as NORVIG;
pub(super) use reduce::ENTRY as REDUCE;
pub(super) use sinai::{SINGLES, STRATEGIES};
