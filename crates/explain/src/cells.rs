//! A set of cells: a bit for each cell of the largest grid.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// Words of 64 cells. 25x25 is the largest grid.
const WORDS: usize = 625_usize.div_ceil(64);

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Cells([u64; WORDS]);

impl Cells {
    pub(crate) const NONE: Cells = Cells([0; WORDS]);

    pub(crate) fn of(cells: impl IntoIterator<Item = u16>) -> Cells {
        let mut set = Cells::NONE;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }

    pub(crate) fn insert(&mut self, cell: u16) {
        self.0[usize::from(cell) / 64] |= 1 << (cell % 64);
    }

    pub(crate) fn remove(&mut self, cell: u16) {
        self.0[usize::from(cell) / 64] &= !(1 << (cell % 64));
    }

    pub(crate) fn has(&self, cell: u16) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The cells, ascending.
    pub(crate) fn iter(self) -> impl Iterator<Item = u16> {
        let (mut words, mut at) = (self.0, 0);
        std::iter::from_fn(move || {
            while words[at] == 0 {
                at += 1;
                if at == WORDS {
                    at = WORDS - 1;
                    return None;
                }
            }
            let bit = words[at].trailing_zeros() as usize;
            words[at] &= words[at] - 1;
            Some((64 * at + bit) as u16)
        })
    }
}

impl BitAnd for Cells {
    type Output = Cells;

    fn bitand(mut self, other: Cells) -> Cells {
        self &= other;
        self
    }
}

impl BitAndAssign for Cells {
    fn bitand_assign(&mut self, other: Cells) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one &= other);
    }
}

impl BitOr for Cells {
    type Output = Cells;

    fn bitor(mut self, other: Cells) -> Cells {
        self |= other;
        self
    }
}

impl BitOrAssign for Cells {
    fn bitor_assign(&mut self, other: Cells) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one |= other);
    }
}

impl Not for Cells {
    type Output = Cells;

    fn not(mut self) -> Cells {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_their_cells() {
        let set = Cells::of([3, 64, 624]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 624]);
        assert_eq!((set.is_empty(), set.has(64), set.has(65)), (false, true, false));
        assert_eq!((set & !Cells::of([64])).iter().collect::<Vec<_>>(), [3, 624]);
        assert_eq!(Cells::NONE.iter().next(), None);
        let mut iter = set.iter();
        assert_eq!((iter.nth(2), iter.next(), iter.next()), (Some(624), None, None));
    }
}
