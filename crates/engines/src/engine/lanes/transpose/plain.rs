//! The plain transposition, for any vector. The others are tested against it.
//!
//! It turns blocks of 64 x 64 bits, each in six rounds of swaps, of half the size in each round (Warren, *Hacker's
//! Delight*, 7-3).

use galop_simd::Vector;

use super::super::state::Chunk;
use super::Rows;

/// Sets lane `L` of `rows` to the state `L` of `lanes`.
pub(crate) fn load<V: Vector, R: Rows<V>>(lanes: &[Chunk], rows: &mut R) {
    let chunks = rows.chunks();
    for (word, lanes) in lanes.chunks_exact(64 * chunks).enumerate() {
        for column in 0..rows.bits().div_ceil(64) {
            let mut block = [0; 64];
            for (row, lane) in block.iter_mut().zip(lanes.chunks_exact(chunks)) {
                *row = lane[column / 4].word(column);
            }
            transpose(&mut block);
            for (bit, row) in block.into_iter().enumerate().rev() {
                rows.row_mut(64 * column, bit).set_word(word, row);
            }
        }
    }
}

/// Sets state `L` of `lanes` to lane `L` of `rows`; its unused bits hold anything afterwards.
pub(crate) fn store<V: Vector, R: Rows<V>>(rows: &R, lanes: &mut [Chunk]) {
    let chunks = rows.chunks();
    for (word, lanes) in lanes.chunks_exact_mut(64 * chunks).enumerate() {
        for column in 0..rows.bits().div_ceil(64) {
            let mut block = [0; 64];
            for (bit, row) in block.iter_mut().enumerate() {
                *row = rows.row(64 * column, bit).word(word);
            }
            transpose(&mut block);
            for (row, lane) in block.into_iter().zip(lanes.chunks_exact_mut(chunks)) {
                lane[column / 4].set_word(column, row);
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
    use galop_testing::chance::Chance;

    use super::super::super::any::cells::Candidates;
    use super::super::super::on_every_isa::on_every_isa;
    use super::*;

    type Load<V> = fn(&[Chunk], &mut Candidates<V>);
    type Store<V> = fn(&Candidates<V>, &mut [Chunk]);

    /// Every bit goes to its place and back.
    fn moves_every_bit<V: Vector>(load: Load<V>, store: Store<V>) {
        let mut chance = Chance::new(1);
        for bits in [64, 216, 256, 729, 1728] {
            let mut rows = Candidates::<V>::new(bits);
            let chunks = rows.chunks();
            let mut states = || {
                [(); 2].map(|()| {
                    (0..V::BITS * chunks)
                        .map(|_| Chunk(std::array::from_fn(|_| chance.number() as u8)))
                        .collect::<Vec<_>>()
                })
            };
            let [lanes, mut back] = states();
            let bit_of = |state: &[Chunk], bit: usize| state[bit / 256].word(bit / 64) >> (bit % 64) & 1;
            load(&lanes, &mut rows);
            store(&rows, &mut back);
            for (lane, (state, back)) in lanes.chunks(chunks).zip(back.chunks(chunks)).enumerate() {
                for bit in 0..bits {
                    let found = rows.row(bit, 0).word(lane / 64) >> (lane % 64) & 1;
                    let expected = [bit_of(state, bit); 2];
                    assert_eq!([found, bit_of(back, bit)], expected, "lane {lane}, bit {bit} of {bits}");
                }
            }
        }
    }

    fn moves_every_bit_on<S: Simd, V: Vector>() {
        moves_every_bit::<V>(super::super::load::<S, V, _>, super::super::store::<S, V, _>);
    }

    #[test]
    fn every_bit_goes_to_its_place_and_back() {
        moves_every_bit::<Words<1>>(load, store);
        moves_every_bit::<Words<2>>(load, store);
        on_every_isa!(moves_every_bit_on);
    }
}
