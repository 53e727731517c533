//! One of several shares of the input, for runs on several machines.
//!
//! ```text
//! sources   |------- a.txt -------|--- b.txt ---|        all bytes, end to end
//! shares    |--- 1/3 ----|--- 2/3 ----|--- 3/3 --|
//! chunks    [--][--][--][--][--][--][-][--][--][-]       each belongs to the share in which it begins
//! ```

use super::Part;
use crate::error::{Error, Fact};
use crate::input::source::{Source, SourceKind};

/// One of several equal shares of the bytes of all sources: number `index` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// Why a source cannot be cut into shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// It is a stream.
    #[error(
        "cannot be cut into shards: its length is not known before it is read (a shard is cut from a regular file)"
    )]
    Stream,
    /// It is compressed.
    #[error("cannot be cut into shards: it is compressed, so it can only be read from its start")]
    Compressed,
    /// It is a member of an archive.
    #[error("cannot be cut into shards: it is a member of an archive, which can only be read from its start")]
    Member,
}

impl Fact for ShardError {}

/// Chunks of a shard at least, if the engine allows small chunks and the input has so many records.
const CHUNKS_OF_A_SHARD: u64 = 16;

impl Shard {
    /// Shard `index` of `count`, from 1; `None` if there is no such shard.
    pub fn new(index: u64, count: u64) -> Option<Shard> {
        (1..=count).contains(&index).then_some(Shard { index, count })
    }

    /// Its number, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// The number of all shards.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Whether the output of this shard begins the output of the whole.
    pub(crate) fn is_first(self) -> bool {
        self.index == 1
    }

    /// The part of each of `sources` that belongs to the shard, and the bytes of all sources. If lines are numbered
    /// over all sources (`counts_lines`), the sources before the shard are read to count them.
    ///
    /// # Errors
    /// A [`ShardError`] if one of them is not a regular file of text.
    pub(crate) fn parts(self, sources: &[Source], counts_lines: bool) -> Result<(Vec<Part>, u64), Error> {
        let lengths = sources.iter().map(|source| {
            let refused = match source.kind() {
                SourceKind::File(len) => return Ok(len),
                SourceKind::Stream => ShardError::Stream,
                SourceKind::Compressed => ShardError::Compressed,
                SourceKind::Member => ShardError::Member,
            };
            Err(Error::at(source.name(), refused))
        });
        let lengths: Vec<u64> = lengths.collect::<Result<_, _>>()?;
        let total = lengths.iter().sum();
        let (from, to) = (self.end(self.index - 1, total), self.end(self.index, total));
        let mut before = 0;
        let part = |len: u64| {
            let start = before;
            before += len;
            let (from, to) = (from.saturating_sub(start), to.saturating_sub(start).min(len));
            match from < to {
                true => Part::new(from, to),
                false if counts_lines && from >= len => Part::new(len, len),
                false => Part::NOTHING,
            }
        };
        Ok((lengths.into_iter().map(part).collect(), total))
    }

    /// The byte behind the first `shards` shards. Rounded up, so that the first byte belongs to the first shard however
    /// short the input is.
    fn end(self, shards: u64, total: u64) -> u64 {
        (u128::from(total) * u128::from(shards)).div_ceil(u128::from(self.count)) as u64
    }

    /// Bytes of a chunk for an engine that solves each puzzle by itself, so that its answers do not depend on the
    /// chunks. With fewer bytes than `usual`, a small file of hard puzzles has a chunk for every shard.
    pub(crate) fn small_chunk_bytes(self, total: u64, usual: usize) -> usize {
        let chunks = self.count.saturating_mul(CHUNKS_OF_A_SHARD);
        (total / chunks).clamp(1, usual as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_bytes_and_the_first_byte_is_in_the_first() {
        assert!([(0, 3), (4, 3), (0, 0), (1, 0)].iter().all(|&(i, n)| Shard::new(i, n).is_none()));
        for total in [0, 1, 5, 19, 20, 1_000_003, u64::MAX] {
            for count in [1, 2, 3, 7, 20, u64::MAX] {
                let shard = Shard::new(count, count).unwrap();
                assert_eq!((shard.end(0, total), shard.end(count, total)), (0, total));
                assert!(total == 0 || shard.end(1, total) > 0);
                let ends: Vec<u64> = (0..=count.min(50)).map(|index| shard.end(index, total)).collect();
                assert!(ends.is_sorted());
            }
        }
    }

    #[test]
    fn chunks_are_as_usual_or_smaller() {
        let shard = Shard::new(1, 10).unwrap();
        let sizes = [0, 160, 62_600, 1 << 40].map(|total| shard.small_chunk_bytes(total, 32_768));
        assert_eq!(sizes, [1, 1, 391, 32_768]);
    }
}
