//! Which guess next: a board split in two, neither half empty.

use super::bands::Bands;
use super::board::Board;

impl Board {
    /// Splits the board: makes `self` the half to try first and gives the other one. (Called at a fixed point
    /// with open cells only.)
    pub(super) fn split(&mut self) -> Board {
        let (mut once, mut twice, mut thrice) = (Bands::NONE, Bands::NONE, Bands::NONE);
        for &places in &self.places {
            thrice |= twice & places;
            twice |= once & places;
            once |= places;
        }
        let two = twice.without(thrice);
        let pick = if two.is_none() { self.open } else { two }.lowest();
        let digit = self.places.iter().position(|&places| !(places & pick).is_none()).unwrap_or(0);
        let mut other = *self;
        other.places[digit] = other.places[digit].without(pick);
        other.dirty |= 1 << digit;
        self.place(digit, pick);
        other
    }

    fn place(&mut self, digit: usize, cell: Bands) {
        for (other, places) in self.places.iter_mut().enumerate() {
            self.dirty |= u32::from(!(*places & cell).is_none()) << other;
            *places = places.without(cell);
        }
        let places = &mut self.places[digit];
        *places |= cell;
        *places = places.without(super::settle::mates(cell));
        self.open = self.open.without(cell);
    }
}
