//! Where puzzles come from: files and pipes, cut into chunks of whole lines, read as records.

pub(crate) mod answer;
mod array;
mod binary;
mod blocks;
mod checksum;
mod chunk;
mod cut;
mod detect;
mod error;
mod facts;
#[doc(hidden)] // For reports and comparisons, which are in `galop`.
pub mod format;
pub(crate) mod line;
pub(crate) mod look;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
mod parse;
#[doc(hidden)] // For reports and comparisons, which are in `galop`.
pub mod reader;
#[doc(hidden)] // For reports and comparisons, which are in `galop`.
pub mod records;
#[doc(hidden)] // For reports and comparisons, which are in `galop`.
pub mod source;
mod spool;
mod stream;
mod zip;

pub use crate::compressed::{Damage, DamageKind};
pub use answer::AnswerFault;
pub use cut::Cut;
pub use detect::detect_rules;
pub use error::{Count, FileKind, InputError, LineError, LineErrorKind, MemberFault, NpyFault};
pub use format::{ColumnChoice, TakenColumns};
pub use line::MAX_LINE_BYTES;
pub use look::{Holds, Look, known_by_name, look};
pub use reader::{ChunkRecords, RecordReader};
pub use records::{MALFORMED_KEPT, MalformedRecord, Puzzle, Record};
pub use source::{Source, files_in};
