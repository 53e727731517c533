//! What a chunk becomes.

use super::answers::WrongAnswer;
use super::counter::ChunkCounts;
use crate::figures::{Point, Slowest};

/// What one chunk becomes. Lines count from 0 in the chunk.
#[derive(Default)]
pub(super) struct Page {
    /// The bytes of the output.
    pub(super) out: Vec<u8>,
    /// The first wrong answers that the input gives.
    pub(super) wrong_answers: Vec<WrongAnswer>,
    pub(super) slowest: Slowest,
    pub(super) points: Vec<Point>,
    pub(super) counts: ChunkCounts,
}
