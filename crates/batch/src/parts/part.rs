//! The part of a source that a run reads.

/// A range of a source, in bytes of its text. The run reads the chunks whose first byte lies in it.
///
/// Chunks are cut as if the whole source were read, and the others are skipped. So parts that follow each other give
/// the answers of the whole, byte for byte, also where records have several lines, or where an answer depends on the
/// other puzzles of its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first byte.
    pub from: u64,
    /// The byte behind the last one.
    pub to: u64,
    /// Lines before the first chunk, if they are known. Otherwise they are counted when it is skipped to.
    pub lines_before: Option<u64>,
}

impl Part {
    /// The whole source.
    pub const WHOLE: Part = Part::new(0, u64::MAX);

    /// Nothing of the source.
    pub const NOTHING: Part = Part::new(0, 0);

    /// The chunks whose first byte is one from `from` to the one before `to`.
    pub const fn new(from: u64, to: u64) -> Part {
        Part { from, to, lines_before: None }
    }

    /// How many bytes it has of a source of `len` bytes.
    pub fn bytes_of(&self, len: u64) -> u64 {
        self.to.min(len).saturating_sub(self.from)
    }

    /// Whether the chunk that begins at byte `start` belongs to it.
    pub(crate) fn has(&self, start: u64) -> bool {
        (self.from..self.to).contains(&start)
    }
}
