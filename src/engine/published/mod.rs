//! Published solvers, rebuilt faithfully: what their authors report is what they do here.

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
