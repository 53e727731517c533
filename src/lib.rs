//! galop answers puzzles by the million.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod batch;
mod engine;
mod error;
pub mod generate;
pub mod input;
mod ordered;
pub mod output;
mod puzzle;
pub mod report;
pub mod rules;
pub mod tally;
pub mod verify;

pub use engine::{ENGINES, Each, Engine, Entry, Search, Timed, Unsupported, engine};
pub use error::{Error, ErrorKind, LineError, LineErrorKind};
pub use puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
pub use rules::Rules;
