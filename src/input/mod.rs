//! Where puzzles come from: files and pipes, cut into chunks of whole lines, read as records.

#[cfg(feature = "report")]
mod checksum;
mod chunk;
pub mod detect;
mod error;
pub mod format;
mod line;
mod parse;
pub mod reader;
pub mod records;
pub mod source;

pub use error::{InputError, LineError, LineErrorKind};
pub use line::MAX_LINE_BYTES;
