//! A state outside the lanes: the candidates of one puzzle, a bit each.
//!
//! ```text
//! bit   0 ...... n - 1 | n ..... 2n - 1 | 2n .... 3n - 1 | ...      n: cells
//!       symbol 1       | symbol 2       | symbol 3       | ...
//! ```
//! Bit `n * (symbol - 1) + cell` says that `symbol` is still possible in `cell` (row-major). What is behind the
//! last symbol means nothing. The bits fill whole chunks: 1 for 6x6, 3 for 9x9, 7 for 12x12.

/// 32 bytes of a state: a load of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Chunk(pub(super) [u8; 32]);

impl Chunk {
    pub(super) const BITS: usize = 256;
    pub(super) const NONE: Chunk = Chunk([0; 32]);

    /// Word 0 to 3.
    #[inline(always)]
    pub(super) fn word(&self, index: usize) -> u64 {
        u64::from_le_bytes(self.0.as_chunks().0[index % 4])
    }

    /// Replaces word 0 to 3.
    #[inline(always)]
    pub(super) fn set_word(&mut self, index: usize, word: u64) {
        self.0.as_chunks_mut().0[index % 4] = word.to_le_bytes();
    }
}

/// Replaces a state by another one of the same kind.
#[inline(always)]
pub(super) fn copy(to: &mut [Chunk], from: &[Chunk]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// State `index` of a list, whose states have `size` chunks.
#[inline(always)]
pub(super) fn at(states: &[Chunk], index: usize, size: usize) -> &[Chunk] {
    &states[index * size..][..size]
}

/// The same, to be changed.
#[inline(always)]
pub(super) fn at_mut(states: &mut [Chunk], index: usize, size: usize) -> &mut [Chunk] {
    &mut states[index * size..][..size]
}

/// The indices of the bits of a word that are set, lowest first.
#[inline(always)]
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// 64 bits of a state, from any bit on.
pub(super) mod at_bit {
    use super::Chunk;

    /// The 64 bits from `bit` on.
    #[inline(always)]
    pub(in super::super) fn get(state: &[Chunk], bit: usize) -> u64 {
        let (at, shift) = (bit / 64, bit % 64);
        let get = |at: usize| state.get(at / 4).map_or(0, |chunk| chunk.word(at));
        // In two steps, because a shift by 64 is no shift.
        get(at) >> shift | get(at + 1) << 1 << (63 - shift)
    }

    /// Adds the bits of `word` to those from `bit` on.
    #[inline(always)]
    pub(in super::super) fn add(state: &mut [Chunk], bit: usize, word: u64) {
        let (at, shift) = (bit / 64, bit % 64);
        for (at, word) in [(at, word << shift), (at + 1, word >> 1 >> (63 - shift))] {
            if let Some(chunk) = state.get_mut(at / 4) {
                chunk.set_word(at, chunk.word(at) | word);
            }
        }
    }
}
