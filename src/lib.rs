//! galop answers puzzles by the million.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod engine;
mod error;
pub mod generate;
mod puzzle;
pub mod rules;

pub use engine::{ENGINES, Each, Engine, Entry, Search, Timed, Unsupported, engine};
pub use error::{Error, ErrorKind, LineError, LineErrorKind};
pub use puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
pub use rules::Rules;
