//! Where puzzles come from: files and pipes, cut into chunks of whole lines, read as records.

#[cfg(feature = "report")]
mod checksum;
pub mod chunk;
pub mod detect;
mod error;
pub mod format;
pub mod reader;
pub mod source;

pub use error::{InputError, LineError, LineErrorKind};
