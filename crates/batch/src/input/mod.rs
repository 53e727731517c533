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
pub(crate) mod format;
pub(crate) mod line;
pub(crate) mod name;
mod notation;
mod npz;
mod parse;
pub(crate) mod reader;
pub(crate) mod records;
pub(crate) mod source;
mod spool;
mod strangers;
mod stream;
mod zip;

pub use crate::compressed::{Damage, DamageKind};
pub use answer::AnswerFault;
pub use cut::Cut;
pub use detect::detect_rules;
pub use error::{Count, FileKind, InputError, LineError, LineErrorKind, MemberFault, NpyFault};
pub use format::npy::OFFSET_NAME;
pub use format::{ColumnChoice, Field, TakenColumns, text_formats};
pub use line::{MAX_LINE_BYTES, MAX_RECORD_BYTES};
pub use notation::Notation;
pub use reader::{ChunkRecords, RecordReader};
pub use records::{MALFORMED_KEPT, MalformedRecord, Puzzle, Record};
pub use source::{Source, endings, files_in};
pub use strangers::{Stranger, stranger};
