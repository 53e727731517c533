//! The inner loops over rows: filter them, count the items of those kept, and find one.
//!
//! The rows of a state are in W planes: plane k has word k of all of them side by side, so that a vector holds that
//! word of several rows.
//! ```text
//! plane 0      w0 w0 w0 w0 | w0 w0 w0 w0 | ..
//! plane 1      w1 w1 w1 w1 | w1 w1 w1 w1 | ..       row i: word i of every plane
//!              row 0 1 2 3 |     4 5 6 7 | ..
//! ```
//! A counter of an item has four bits, one in each of four rows of bits ([`Counters`]): three count to 7, the fourth
//! is set at 8 and stays. Adding a row is seven operations for 64 items at once.

use super::table::PAD;

/// The number of rows of each item: bits 0, 1, 2 of the number, and whether it is 8 or more. If it is, the other
/// three bits mean nothing.
pub(super) type Counters<const W: usize> = [[u64; W]; 4];

/// The rows of a state: `len` of them from `start` on, and [`MARGIN`] of padding behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) start: usize,
    pub(super) len: usize,
}

/// Places of padding behind the rows of a state: what a vector may read beyond the last one.
pub(super) const MARGIN: usize = 4;

impl Rows {
    pub(super) fn end(self) -> usize {
        self.start + self.len
    }

    /// The first row of the next state.
    pub(super) fn next(self) -> usize {
        (self.end() + MARGIN).next_multiple_of(4)
    }

    /// The length that planes need to [filter](RowKernel::filter) these rows.
    pub(super) fn room(self) -> usize {
        self.next() + self.len + 2 * MARGIN
    }
}

/// The inner loops, for an instruction set. Rows must lie within the planes, with [`Rows::room`].
pub(super) trait RowKernel {
    /// Copies the rows that have no bit of `forbidden` to `rows.next()`, in order, with padding behind them. Returns
    /// their number, and how often each item of the first `counted` words occurs in them.
    fn filter<const W: usize>(
        planes: &mut [Vec<u64>; W],
        rows: Rows,
        forbidden: &[u64; W],
        counted: usize,
    ) -> (usize, Counters<W>);

    /// The first row from `from` on with a bit of `wanted`, or the end.
    fn find_hit<const W: usize>(
        planes: &[Vec<u64>; W],
        from: usize,
        end: usize,
        wanted: &[u64; W],
        words: usize,
    ) -> usize;

    /// The first row from `from` on with bit `bit` in `plane`, or the end.
    fn find_bit(plane: &[u64], from: usize, end: usize, bit: u32) -> usize;

    /// The number of rows without a bit of `forbidden`.
    fn count_free<const W: usize>(planes: &[Vec<u64>; W], rows: Rows, forbidden: &[u64; W]) -> u64;
}

/// Row `index`.
#[inline(always)]
pub(super) fn row<const W: usize>(planes: &[Vec<u64>; W], index: usize) -> [u64; W] {
    let mut row = [0; W];
    let mut word = 0;
    while word < W {
        row[word] = planes[word][index];
        word += 1;
    }
    row
}

/// The bits that two rows have in common, with all words combined by OR.
#[inline(always)]
pub(super) fn common<const W: usize>(one: &[u64; W], other: &[u64; W]) -> u64 {
    let (mut common, mut word) = (0, 0);
    while word < W {
        common |= one[word] & other[word];
        word += 1;
    }
    common
}

/// Writes the padding behind rows that end at `end`.
#[inline(always)]
pub(super) fn pad<const W: usize>(planes: &mut [Vec<u64>; W], end: usize) {
    planes[W - 1][end..end + MARGIN].copy_from_slice(&[PAD; MARGIN]);
}

/// Row by row, on any machine. The vectors are tested against it.
pub(super) struct Plain;

impl RowKernel for Plain {
    #[inline(always)]
    fn filter<const W: usize>(
        planes: &mut [Vec<u64>; W],
        rows: Rows,
        forbidden: &[u64; W],
        counted: usize,
    ) -> (usize, Counters<W>) {
        let (to, mut kept, mut counters) = (rows.next(), 0, [[0; W]; 4]);
        for index in rows.start..rows.end() {
            let row = row(planes, index);
            let is_free = common(&row, forbidden) == 0;
            let mask = u64::from(is_free).wrapping_neg();
            for word in 0..W {
                planes[word][to + kept] = row[word];
                if word < counted {
                    let mut carry = row[word] & mask;
                    for bits in &mut counters[..3] {
                        (bits[word], carry) = (bits[word] ^ carry, bits[word] & carry);
                    }
                    counters[3][word] |= carry;
                }
            }
            kept += usize::from(is_free);
        }
        pad(planes, to + kept);
        (kept, counters)
    }

    #[inline(always)]
    fn find_hit<const W: usize>(
        planes: &[Vec<u64>; W],
        from: usize,
        end: usize,
        wanted: &[u64; W],
        _words: usize,
    ) -> usize {
        (from..end).find(|&index| common(&row(planes, index), wanted) != 0).unwrap_or(end)
    }

    #[inline(always)]
    fn find_bit(plane: &[u64], from: usize, end: usize, bit: u32) -> usize {
        plane[from..end].iter().position(|word| word >> bit & 1 == 1).map_or(end, |place| from + place)
    }

    #[inline(always)]
    fn count_free<const W: usize>(planes: &[Vec<u64>; W], rows: Rows, forbidden: &[u64; W]) -> u64 {
        (rows.start..rows.end()).filter(|&index| common(&row(planes, index), forbidden) == 0).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use galop_simd::{Job, Simd};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::quads::Quads;
    use super::*;

    /// The rows in planes, from `start` on, with room to filter them.
    fn planes_of<const W: usize>(lines: &[[u64; W]], start: usize) -> ([Vec<u64>; W], Rows) {
        let rows = Rows { start, len: lines.len() };
        // The words around the rows must not matter.
        let mut planes = [const { Vec::new() }; W].map(|_: Vec<u64>| vec![0xdead; rows.room()]);
        for (index, line) in lines.iter().enumerate() {
            for word in 0..W {
                planes[word][start + index] = line[word];
            }
        }
        pad(&mut planes, rows.end());
        (planes, rows)
    }

    /// The loops of a kernel for rows of W words, so that a check of them is compiled only once for a width.
    struct Loops<const W: usize> {
        filter: fn(&mut [Vec<u64>; W], Rows, &[u64; W], usize) -> (usize, Counters<W>),
        find_hit: fn(&[Vec<u64>; W], usize, usize, &[u64; W], usize) -> usize,
        find_bit: fn(&[u64], usize, usize, u32) -> usize,
        count_free: fn(&[Vec<u64>; W], Rows, &[u64; W]) -> u64,
    }

    impl<const W: usize> Loops<W> {
        fn of<K: RowKernel>() -> Loops<W> {
            Loops {
                filter: K::filter,
                find_hit: K::find_hit,
                find_bit: K::find_bit,
                count_free: K::count_free,
            }
        }
    }

    /// Returns the loops of an instruction set.
    struct VectorLoops<const W: usize>;

    impl<const W: usize> Job for VectorLoops<W> {
        type Output = Loops<W>;

        fn run<S: Simd>(self) -> Loops<W> {
            Loops::of::<Quads<S::Quad>>()
        }
    }

    fn assert_agrees<const W: usize>(
        loops: &Loops<W>,
        lines: &[[u64; W]],
        forbidden: [u64; W],
        counted: usize,
        start: usize,
    ) {
        let mut lines = lines.to_vec();
        lines.iter_mut().for_each(|line| line[W - 1] &= !PAD);
        let mut forbidden = forbidden;
        forbidden[W - 1] |= PAD;
        let is_free = |line: &&[u64; W]| (0..W).all(|word| line[word] & forbidden[word] == 0);
        let (mut planes, rows) = planes_of(&lines, start);
        let expected: Vec<[u64; W]> = lines.iter().filter(is_free).copied().collect();

        assert_eq!((loops.count_free)(&planes, rows, &forbidden), expected.len() as u64);

        let mut from = start;
        let hits = |line: &[u64; W]| (0..counted).any(|word| line[word] & forbidden[word] != 0);
        let mut wanted = forbidden;
        wanted[counted..].fill(0);
        wanted[W - 1] &= !PAD;
        for index in (0..lines.len()).filter(|&index| hits(&lines[index])) {
            from = (loops.find_hit)(&planes, from, rows.end(), &wanted, counted) + 1;
            assert_eq!(from - 1 - start, index);
        }
        assert_eq!((loops.find_hit)(&planes, from, rows.end(), &wanted, counted), rows.end());
        for bit in [0, 5, 62] {
            let mut from = start;
            for index in (0..lines.len()).filter(|&index| lines[index][0] >> bit & 1 == 1) {
                from = (loops.find_bit)(&planes[0], from, rows.end(), bit) + 1;
                assert_eq!(from - 1 - start, index);
            }
            assert_eq!((loops.find_bit)(&planes[0], from, rows.end(), bit), rows.end());
        }

        let (kept, counters) = (loops.filter)(&mut planes, rows, &forbidden, counted);
        let to = rows.next();
        let found: Vec<[u64; W]> = (to..to + kept).map(|index| row(&planes, index)).collect();
        assert_eq!(found, expected);
        assert!(planes[W - 1][to + kept..to + kept + MARGIN].iter().all(|word| word & PAD != 0));
        for (word, bit) in (0..counted).flat_map(|word| (0..64).map(move |bit| (word, bit))) {
            let count = expected.iter().filter(|line| line[word] >> bit & 1 == 1).count();
            let [one, two, four, more] = counters.map(|bits| (bits[word] >> bit & 1) as usize);
            if count < 8 {
                assert_eq!((one + 2 * two + 4 * four, more), (count, 0), "{word} {bit}");
            } else {
                assert_eq!(more, 1, "{count} at {word} {bit}");
            }
        }
    }

    fn assert_all_agree<const W: usize>(lines: &[[u64; 8]], forbidden: [u64; 8], start: usize) {
        let cut = |line: &[u64; 8]| -> [u64; W] { std::array::from_fn(|word| line[word]) };
        let lines: Vec<[u64; W]> = lines.iter().map(cut).collect();
        let vectors = galop_testing::available::isas().into_iter().map(|isa| isa.run(VectorLoops).unwrap());
        for loops in std::iter::once(Loops::of::<Plain>()).chain(vectors) {
            for counted in 1..=W {
                assert_agrees(&loops, &lines, cut(&forbidden), counted, start);
            }
        }
    }

    proptest! {
        #[test]
        fn every_kernel_does_what_plain_code_does(
            lines in vec(any::<[[u64; 8]; 3]>(), 0..40),
            forbidden in any::<[[u64; 8]; 4]>(),
            start in 0_usize..9,
            dense in any::<bool>(),
        ) {
            let thin = |[a, b, c]: &[[u64; 8]; 3]| -> [u64; 8] {
                std::array::from_fn(|word| if dense { a[word] } else { a[word] & b[word] & c[word] })
            };
            let lines: Vec<[u64; 8]> = lines.iter().map(thin).collect();
            // Few bits, so that some rows are free.
            let few = std::array::from_fn(|word| {
                let bits = forbidden[0][word] & forbidden[1][word] & forbidden[2][word] & forbidden[3][word];
                bits & if dense { bits >> 1 & bits << 2 } else { !0 }
            });
            assert_all_agree::<1>(&lines, few, start);
            assert_all_agree::<2>(&lines, few, start);
            assert_all_agree::<3>(&lines, few, start);
            assert_all_agree::<8>(&lines, few, start);
        }
    }
}
