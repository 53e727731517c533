//! Which guess next: a board split in two, neither half empty.

use super::board::Board;

impl Board {
    /// Splits the board: makes `self` the half to try first and gives the other one. (Called at a fixed point
    /// with open cells only.)
    pub(super) fn split(&mut self) -> Board {
        let (mut best, mut pairs) = ((0, 0), false);
        for band in 0..3 {
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for digit in 0..9 {
                let places = self.places[digit][band];
                thrice |= twice & places;
                twice |= once & places;
                once |= places;
            }
            let two = twice & !thrice;
            if two != 0 && !pairs {
                best = (band, two & two.wrapping_neg());
                pairs = true;
            } else if !pairs && self.open[band] != 0 {
                best = (band, self.open[band] & self.open[band].wrapping_neg());
            }
        }
        let (band, cell) = best;
        let digit = (0..9).find(|&digit| self.places[digit][band] & cell != 0).unwrap_or(0);
        let mut other = *self;
        other.places[digit][band] &= !cell;
        other.dirty |= 1 << digit;
        self.place(digit, band, cell);
        other
    }

    fn place(&mut self, digit: usize, band: usize, cell: u32) {
        for other in 0..9 {
            self.dirty |= u32::from(self.places[other][band] & cell != 0) << other;
            self.places[other][band] &= !cell;
        }
        self.places[digit][band] |= cell;
        self.places[digit][band] &= super::tables::KEPT[cell.trailing_zeros() as usize % 27];
        self.open[band] &= !cell;
    }
}
