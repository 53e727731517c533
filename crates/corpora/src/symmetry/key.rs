//! Keys of 128 bits: two canonical forms with the same key are, but for a negligible chance, the same.

/// The key of a canonical form: `MurmurHash3` for x64 with 128 bits (Appleby, `MurmurHash3_x64_128` of `SMHasher`),
/// seed 0, of its cells as bytes (row-major, 0 for a blank, 1..=n for a symbol).
///
/// The key is the same on every machine and in every version. In Python it is
/// `mmh3.hash128(bytes(map(int, form)))`, with zeros for blanks: the first 64 bits of the hash are the low half.
///
/// The chance that two different forms of n share a key is about n^2 / 2^129: for 17 million forms 4 * 10^-25. The hash
/// is no protection against somebody who looks for two forms of the same key.
///
/// ```
/// assert_eq!(galop_corpora::symmetry::key(b"hello"), 0x5b1e_906a_48ae_1d19_cbd8_a7b3_41bd_9b02);
/// assert_eq!(galop_corpora::symmetry::key(&[]), 0);
/// ```
#[inline]
pub fn key(cells: &[u8]) -> u128 {
    const FIRST: u64 = 0x87c3_7b91_1142_53d5;
    const SECOND: u64 = 0x4cf5_ad43_2745_937f;
    let scramble_first = |word: u64| word.wrapping_mul(FIRST).rotate_left(31).wrapping_mul(SECOND);
    let scramble_second = |word: u64| word.wrapping_mul(SECOND).rotate_left(33).wrapping_mul(FIRST);
    let halves = |block: &[u8; 16]| {
        let both = u128::from_le_bytes(*block);
        (both as u64, (both >> 64) as u64)
    };
    let (mut first, mut second) = (0_u64, 0_u64);
    let (blocks, tail) = cells.as_chunks::<16>();
    for block in blocks {
        let (low, high) = halves(block);
        first = (first ^ scramble_first(low)).rotate_left(27).wrapping_add(second);
        first = first.wrapping_mul(5).wrapping_add(0x52dc_e729);
        second = (second ^ scramble_second(high)).rotate_left(31).wrapping_add(first);
        second = second.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    // A word of zeros is scrambled to zero, so an empty tail changes nothing.
    let mut last = [0; 16];
    last[..tail.len()].copy_from_slice(tail);
    let (low, high) = halves(&last);
    first ^= scramble_first(low) ^ cells.len() as u64;
    second ^= scramble_second(high) ^ cells.len() as u64;
    first = first.wrapping_add(second);
    second = second.wrapping_add(first);
    first = finish(first);
    second = finish(second);
    first = first.wrapping_add(second);
    second = second.wrapping_add(first);
    u128::from(second) << 64 | u128::from(first)
}

/// Appends a key as it is written: 32 hexadecimal digits.
pub(crate) fn push_key(key: u128, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.extend((0..32).rev().map(|digit| HEX[(key >> (4 * digit)) as usize & 15]));
}

/// Every bit of the result depends on every bit of `word`.
fn finish(mut word: u64) -> u64 {
    word = (word ^ word >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    word = (word ^ word >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published values of the hash, with the first 64 bits in the low half.
    #[test]
    fn keys_are_those_of_the_published_hash() {
        let text = b"The quick brown fox jumps over the lazy dog";
        assert_eq!(key(text), 0x7a43_3ca9_c49a_9347_e34b_bc7b_bc07_1b6c);
        assert_eq!(key(b"hello"), 0x5b1e_906a_48ae_1d19_cbd8_a7b3_41bd_9b02);
    }

    #[test]
    fn every_cell_counts() {
        let grid: Vec<u8> = (0..81).map(|cell| cell % 10).collect();
        let mut keys = vec![key(&grid), key(&grid[..80]), key(&grid[1..])];
        for cell in 0..81 {
            let mut other = grid.clone();
            other[cell] ^= 1;
            keys.push(key(&other));
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 84);
    }
}
