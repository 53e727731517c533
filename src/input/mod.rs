//! Where puzzles come from: files and pipes, cut into chunks of whole lines, read as records.

mod checksum;
pub mod chunk;
pub mod detect;
pub mod format;
pub mod reader;
pub mod source;
