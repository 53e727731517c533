//! From the cells of a puzzle to a state, and back. Both look at sixteen cells at a time.

use galop_simd::Bytes;

use super::shape::{MOST_SIDE, Shape};
use super::state::{Chunk, at_bit};

/// Words of the cells of a symbol.
const WORDS: usize = (MOST_SIDE * MOST_SIDE).div_ceil(64);

/// Sets `state` to the candidates that the clues leave: in a cell with a clue the clue, in a blank every symbol. `false`
/// if a cell has a symbol that there is not, or if there are too few cells.
///
/// (To eliminate the clues from their peers, puzzle by puzzle, took as long as all the rest for easy puzzles. The first
/// sweep does so for all lanes.)
#[inline(always)]
pub(super) fn read<B: Bytes, H: Shape>(shape: H, puzzle: &[u8], state: &mut [Chunk]) -> bool {
    let side = shape.side();
    if puzzle.len() != side * side {
        return false;
    }
    let mut planes = H::of_side([0_u64; WORDS]);
    let most = B::splat(side as u8);
    let mut is_known = true;
    for (number, cells) in puzzle.chunks(16).enumerate() {
        let cells = match cells.try_into() {
            Ok(sixteen) => B::load(sixteen),
            Err(_) => {
                let mut sixteen = [0; 16];
                sixteen[..cells.len()].copy_from_slice(cells);
                B::load(&sixteen)
            }
        };
        is_known &= cells.max(most).equal(most).tops() == 0xffff;
        let blank = cells.equal(B::ZERO);
        for symbol in 0..side {
            let here = (cells.equal(B::splat(symbol as u8 + 1)) | blank).tops();
            planes[symbol][number / 4 % WORDS] |= u64::from(here) << (16 * (number % 4));
        }
    }
    state.fill(Chunk::NONE);
    for symbol in 0..side {
        for word in 0..(side * side).div_ceil(64) {
            let used = u64::MAX >> (64 - (side * side - 64 * word).min(64));
            let bit = shape.stride() * symbol + 64 * word;
            at_bit::add(state, bit, planes[symbol][word % WORDS] & used);
        }
    }
    is_known
}

/// Writes the symbols of a state with one candidate a cell: the numbers of the symbols as four bits, each of which is
/// spread over the bytes of sixteen cells.
#[inline(always)]
pub(super) fn write<B: Bytes, H: Shape>(shape: H, state: &[Chunk], solution: &mut [u8]) {
    /// Bit `i % 8` of byte `i`.
    const OWN: [u64; 2] = [0x8040_2010_0804_0201; 2];
    const { assert!(MOST_SIDE < 16) }
    let own = B::from_words(OWN);
    for (number, cells) in solution.chunks_mut(64).enumerate() {
        let mut bits = [0; 4];
        for symbol in 0..shape.side() {
            let here = at_bit::get(state, shape.stride() * symbol + 64 * number);
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
            match cells.try_into() {
                Ok(sixteen) => symbols.store(sixteen),
                Err(_) => {
                    let mut sixteen = [0; 16];
                    symbols.store(&mut sixteen);
                    cells.copy_from_slice(&sixteen[..cells.len()]);
                }
            }
        }
    }
}
