//! Where puzzles come from: files and pipes, cut into chunks of whole lines, read as records.

mod binary;
#[cfg(feature = "report")]
mod checksum;
mod chunk;
mod detect;
mod error;
pub(crate) mod format;
mod line;
mod parse;
pub(crate) mod reader;
pub(crate) mod records;
pub(crate) mod source;

pub use detect::detect_rules;
pub use error::{FileKind, InputError, LineError, LineErrorKind, NpyFault};
pub use line::MAX_LINE_BYTES;
pub use reader::{ChunkRecords, RecordReader};
pub use records::{MALFORMED_KEPT, MalformedRecord, Puzzle, Record};
pub use source::Source;
