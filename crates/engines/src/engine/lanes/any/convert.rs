//! From the cells of a puzzle to a state, and back.

use galop_simd::Bytes;

use super::state::{Chunk, bits};
use super::tables::Tables;

/// Sets `state` to the candidates that the clues leave: in a cell with a clue the clue, in a blank what no peer has.
/// `false` if a cell has a symbol that there is not, or if there are too few cells.
#[inline(always)]
pub(super) fn read<B: Bytes>(tables: &Tables, puzzle: &[u8], state: &mut [Chunk]) -> bool {
    let cells = tables.side * tables.side;
    if puzzle.len() != cells {
        return false;
    }
    match cells {
        0..=64 => read_words::<B, 1>(tables, puzzle, state),
        65..=128 => read_words::<B, 2>(tables, puzzle, state),
        _ => read_words::<B, 4>(tables, puzzle, state),
    }
}

/// [`read`], for cells that fill at most `N` words.
#[inline(always)]
fn read_words<B: Bytes, const N: usize>(tables: &Tables, puzzle: &[u8], state: &mut [Chunk]) -> bool {
    let mut filled = [0; N];
    for (number, cells) in puzzle.chunks(16).enumerate() {
        let mut sixteen = [0; 16];
        sixteen[..cells.len()].copy_from_slice(cells);
        let blank = B::load(&sixteen).equal(B::ZERO).tops();
        filled[number / 4] |= u64::from(!blank & 0xffff) << (16 * (number % 4));
    }
    let (mut clues, mut seen) = ([[0_u64; N]; 16], [[0_u64; N]; 16]);
    for word in 0..N {
        for bit in bits(filled[word]) {
            let cell = 64 * word + bit;
            let symbol = usize::from(puzzle[cell]) - 1;
            if symbol >= tables.side {
                return false;
            }
            clues[symbol % 16][word] |= 1 << bit;
            for (seen, peers) in seen[symbol % 16].iter_mut().zip(&tables.peers[cell]) {
                *seen |= peers;
            }
        }
    }
    let cells = tables.side * tables.side;
    let mut words = [0_u64; 128];
    for symbol in 0..tables.side {
        for word in 0..cells.div_ceil(64).min(N) {
            let used = u64::MAX >> (64 - (cells - 64 * word).min(64));
            let open = !seen[symbol % 16][word] & (!filled[word] | clues[symbol % 16][word]) & used;
            let bit = tables.stride * symbol + 64 * word;
            words[bit / 64 % 64] |= open << (bit % 64);
            // In two steps, because a shift by 64 is no shift.
            words[bit / 64 % 64 + 1] |= open >> 1 >> (63 - bit % 64);
        }
    }
    for (number, chunk) in state.iter_mut().enumerate() {
        for word in 0..4 {
            chunk.set_word(word, words[(4 * number + word) % 128]);
        }
    }
    true
}

/// 64 bits of a state from `bit` on.
#[inline(always)]
fn get_bits(state: &[Chunk], bit: usize) -> u64 {
    let (at, shift) = (bit / 64, bit % 64);
    let get = |at: usize| state.get(at / 4).map_or(0, |chunk| chunk.word(at));
    get(at) >> shift | get(at + 1) << 1 << (63 - shift)
}

/// Writes the symbols of a state with one candidate a cell: the numbers of the symbols as five bits, each of which is
/// spread over the bytes of sixteen cells.
#[inline(always)]
pub(super) fn write<B: Bytes>(tables: &Tables, state: &[Chunk], solution: &mut [u8]) {
    /// Bit `i % 8` of byte `i`.
    const OWN: [u64; 2] = [0x8040_2010_0804_0201; 2];
    let own = B::from_words(OWN);
    for (number, cells) in solution.chunks_mut(64).enumerate() {
        let mut bits = [0; 5];
        for symbol in 0..tables.side {
            let here = get_bits(state, tables.stride * symbol + 64 * number);
            for (place, bits) in bits.iter_mut().enumerate() {
                *bits |= if (symbol + 1) >> place & 1 == 1 { here } else { 0 };
            }
        }
        for (quarter, cells) in cells.chunks_mut(16).enumerate() {
            let mut symbols = B::ZERO;
            for (place, bits) in bits.into_iter().enumerate() {
                let here = bits >> (16 * quarter);
                let spread = [here & 0xff, here >> 8 & 0xff].map(|byte| byte * 0x0101_0101_0101_0101);
                let is_set = (B::from_words(spread) & own).equal(own);
                symbols = symbols | is_set & B::splat(1 << place);
            }
            let mut sixteen = [0; 16];
            symbols.store(&mut sixteen);
            cells.copy_from_slice(&sixteen[..cells.len()]);
        }
    }
}
