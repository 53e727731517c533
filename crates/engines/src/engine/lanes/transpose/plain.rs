//! The plain transposition, for any vector. The others are tested against it.
//!
//! It turns blocks of 64 x 64 bits, each in six rounds of swaps, of half the size in each round (Warren, *Hacker's
//! Delight*, 7-3).

use galop_simd::Vector;

use super::super::planes::Planes;
use super::super::slice::{Cells, place};

/// Bit `81 * digit + cell` of the planes, as block, digit, place in the block.
const PLACES: [(u8, u8, u8); 729] = {
    let mut places = [(0, 0, 0); 729];
    let mut bit = 0;
    while bit < 729 {
        let (block, at) = place(bit % 81);
        places[bit] = (block as u8, (bit / 81) as u8, at as u8);
        bit += 1;
    }
    places
};

/// Sets lane `L` of `cells` to the state `lanes[L]`.
pub(crate) fn load<V: Vector>(lanes: &[Planes], cells: &mut Cells<V>) {
    for (word, lanes) in lanes.chunks_exact(64).enumerate() {
        for (column, places) in PLACES.chunks(64).enumerate() {
            let mut block = [0; 64];
            for (row, lane) in block.iter_mut().zip(lanes) {
                *row = lane.word(column);
            }
            transpose(&mut block);
            for (&(b, d, i), &row) in places.iter().zip(&block) {
                cells[usize::from(b)][usize::from(d)][usize::from(i)].set_word(word, row);
            }
        }
    }
}

/// Sets `lanes[L]` to the state of lane `L` of `cells`; its unused bits hold anything afterwards.
pub(crate) fn store<V: Vector>(cells: &Cells<V>, lanes: &mut [Planes]) {
    for (word, lanes) in lanes.chunks_exact_mut(64).enumerate() {
        for (column, places) in PLACES.chunks(64).enumerate() {
            let mut block = [0; 64];
            for (&(b, d, i), row) in places.iter().zip(&mut block) {
                *row = cells[usize::from(b)][usize::from(d)][usize::from(i)].word(word);
            }
            transpose(&mut block);
            for (&row, lane) in block.iter().zip(lanes.iter_mut()) {
                lane.set_word(column, row);
            }
        }
    }
}

/// Bit `c` of word `r` becomes bit `r` of word `c`.
pub(crate) fn transpose(block: &mut [u64; 64]) {
    let mut mask = 0x0000_0000_ffff_ffff_u64;
    let mut distance = 32;
    while distance > 0 {
        for at in 0..32 {
            let one = (at & !(distance - 1)) * 2 + (at & (distance - 1));
            let other = one + distance;
            let swap = (block[one] >> distance ^ block[other]) & mask;
            block[one] ^= swap << distance;
            block[other] ^= swap;
        }
        distance /= 2;
        mask ^= mask << distance;
    }
}

#[cfg(test)]
mod tests {
    use galop_simd::{Simd, Words};

    use super::super::super::kernels;
    use super::super::super::slice::Slice;
    use super::super::super::states::on_every_isa;
    use super::*;

    fn random(state: &mut u64) -> u64 {
        // Xorshift: Marsaglia, "Xorshift RNGs" (2003).
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    fn states(count: usize) -> Vec<Planes> {
        let mut state = 0x9E37_79B9_7F4A_7C15;
        (0..count).map(|_| Planes(std::array::from_fn(|_| random(&mut state) as u8))).collect()
    }

    fn moves_every_bit<V: Vector>() {
        let lanes = states(V::BITS);
        let mut cells = [[[V::ZERO; 9]; 9]; 9];
        load(&lanes, &mut cells);
        for (lane, planes) in lanes.iter().enumerate() {
            for bit in 0..729 {
                let (b, i) = place(bit % 81);
                let found = cells[b][bit / 81][i].word(lane / 64) >> (lane % 64) & 1;
                assert_eq!(found, planes.word(bit / 64) >> (bit % 64) & 1, "lane {lane}, bit {bit}");
            }
        }
        let mut back = vec![Planes::NONE; V::BITS];
        store(&cells, &mut back);
        for (found, expected) in back.iter().zip(&lanes) {
            assert!((0..9).all(|digit| found.get(digit) == expected.get(digit)));
        }
    }

    #[test]
    fn every_bit_goes_to_its_place_and_back() {
        moves_every_bit::<Words<1>>();
        moves_every_bit::<Words<2>>();
        moves_every_bit::<Words<4>>();
    }

    /// Compares the transpositions for `S` with the plain ones.
    fn moves_what_plain_moves<S: Simd, V: Vector>() {
        let lanes = states(V::BITS);
        let mut expected = [[[V::ZERO; 9]; 9]; 9];
        load(&lanes, &mut expected);
        let mut slice = Slice::<V>::new();
        kernels::load::<S, V>(&lanes, &mut slice);
        for (b, d, i) in PLACES.map(|(b, d, i)| (usize::from(b), usize::from(d), usize::from(i))) {
            assert_eq!(slice.cells[b][d][i].words(), expected[b][d][i].words(), "{b} {d} {i}");
        }
        let mut back = vec![Planes::NONE; V::BITS];
        kernels::store::<S, V>(&slice, &mut back);
        for (found, expected) in back.iter().zip(&lanes) {
            assert!((0..9).all(|digit| found.get(digit) == expected.get(digit)));
        }
    }

    #[test]
    fn every_instruction_set_moves_what_plain_moves() {
        on_every_isa!(moves_what_plain_moves);
    }
}
