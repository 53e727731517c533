//! The problem as two rows of bits for every option.
//!
//! ```text
//! bits of a row, in W words of 64
//!
//! | primary items | secondary items            |  ..  | number of the option | pad |
//!   0 .. np-1       as many bits as each needs   0      R bits                 bit 63 of word W - 1
//! ```
//! [`Bits`] draws the bits of the items. Two options clash if `used` of one and `forbidden` of the other have a bit in
//! common. The number of the option is in bits that no option forbids. Rows of padding have the last bit set, which
//! every option forbids.

use crate::ExactCover;
use crate::engine::bits::Bits;

/// The bit of rows of padding, in the last word.
pub(super) const PAD: u64 = 1 << 63;

/// The options of a problem as rows of `W` words.
#[derive(Debug)]
pub(super) struct Table<const W: usize> {
    pub(super) used: Vec<[u64; W]>,
    pub(super) forbidden: Vec<[u64; W]>,
    /// All primary items.
    pub(super) primary: [u64; W],
    /// Words with primary items, at least 1.
    pub(super) primary_words: usize,
    /// Words with bits of items.
    pub(super) item_words: usize,
    /// The first bit of the number of an option in the last word, and the mask of its bits.
    pub(super) number_shift: u32,
    pub(super) number_mask: u64,
    /// Whether `forbidden` differs from `used` in more than the number and the pad.
    pub(super) is_coloured: bool,
}

/// Bits of the number of an option.
fn number_bits(problem: &ExactCover) -> usize {
    problem.option_count().next_power_of_two().ilog2() as usize
}

/// Bits of a row: items, number and pad.
pub(super) fn row_bits(problem: &ExactCover) -> usize {
    Bits::new(problem).count + number_bits(problem) + 1
}

impl<const W: usize> Table<W> {
    /// The rows of `problem`, which must fit `W` words (see [`row_bits`]), with its primary items at the places
    /// `order`.
    pub(super) fn new(problem: &ExactCover, order: &[u32]) -> Table<W> {
        let primary_count = problem.primary_count();
        let bits = Bits::new(problem);
        let number_shift = 63 - number_bits(problem) as u32;
        let mut table = Table {
            used: Vec::with_capacity(problem.option_count()),
            forbidden: Vec::with_capacity(problem.option_count()),
            primary: [0; W],
            primary_words: primary_count.div_ceil(64).max(1),
            item_words: bits.count.div_ceil(64),
            number_shift,
            number_mask: PAD - (1 << number_shift),
            is_coloured: problem.has_colours(),
        };
        (0..primary_count).for_each(|item| set(&mut table.primary, item));
        for (number, terms) in problem.options().enumerate() {
            let (mut used, mut forbidden) = ([0; W], [0; W]);
            let place = |bit: usize| order.get(bit).map_or(bit, |&place| place as usize);
            bits.for_each(terms, |bit| set(&mut used, place(bit)), |bit| set(&mut forbidden, place(bit)));
            used[W - 1] |= (number as u64) << number_shift;
            forbidden[W - 1] |= PAD;
            table.used.push(used);
            table.forbidden.push(forbidden);
        }
        table
    }

    /// The number of the option of a row.
    #[inline(always)]
    pub(super) fn number(&self, row: &[u64; W]) -> u32 {
        ((row[W - 1] & self.number_mask) >> self.number_shift) as u32
    }

    /// The bits that are forbidden once the option of a row is chosen.
    #[inline(always)]
    pub(super) fn forbidden_by(&self, row: &[u64; W]) -> [u64; W] {
        if self.is_coloured {
            return self.forbidden[self.number(row) as usize];
        }
        let mut forbidden = *row;
        forbidden[W - 1] = forbidden[W - 1] & !self.number_mask | PAD;
        forbidden
    }
}

fn set<const W: usize>(row: &mut [u64; W], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

#[cfg(test)]
mod tests {
    use super::super::order;
    use super::*;
    use crate::text;

    #[test]
    fn many_colours_are_written_as_numbers() {
        let colours: String = (0..40).map(|colour| format!("A X:{colour}\n")).collect();
        let problem = text::read(format!("A | X\n{colours}A X\n").as_bytes()).unwrap().problem;
        // The item, six bits twice, one for no colour; the number and the pad.
        assert_eq!(row_bits(&problem), 1 + 12 + 1 + 6 + 1);
        let table = Table::<1>::new(&problem, &order::as_numbered(&problem));
        for (one, other) in (0..41).flat_map(|one| (0..41).map(move |other| (one, other))) {
            let item = table.primary[0];
            let clashes = table.used[one][0] & table.forbidden[other][0] & !item != 0;
            assert_eq!(clashes, one != other || one == 40);
        }
    }
}
