//! Parts of inputs: what a run reads of its sources, and where a run that goes on begins.
//!
//! ```text
//! sources   |------- a.txt -------|--- b.txt ---|
//! shard     |     [---- 2/3 ----|---)           |     a share of all bytes: a part of each source
//! resume    |          [--------|---------------|     the part behind the last checkpoint
//! ```
//! A [`Part`] is a range of a source. A [`Shard`] makes parts of the bytes of all sources. A [`Checkpoint`] is a place
//! between two chunks, with what had been read before it. The run itself is in [`pipeline`](crate::pipeline), and the
//! output that it goes on writing is [`ResumableFile`](crate::output::ResumableFile).

mod checkpoint;
mod facts;
mod input;
mod part;
mod shard;

pub(crate) use checkpoint::{Behind, Checkpoint, Progress};
pub use facts::facts_of;
pub use input::SolvedInput;
pub use part::Part;
pub use shard::{Shard, ShardError};
