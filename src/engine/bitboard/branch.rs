//! Which guess next: a board split in two, neither half empty.
//!
//! A digit in a band (or a stack) has up to six configurations left. Where it has two, they are the two
//! halves: three minirows fall to each. Of the three bands and three stacks, take the one with the fewest
//! configurations left over all digits, and in it the first digit with two: the rule of Dillon's tdoku. The
//! half that leaves the digit fewer places comes first.
//!
//! Tried and lost: the first cell with two candidates, one candidate a half: twice as many guesses on
//! forum_hardest_1905 (72 against 35 at limit 1), half as many again on 17_clue.

use super::bands::Bands;
use super::board::Board;
use super::settle::{configurations, mates, minicolumns, minirows};
use super::tables::{BAND, BLOCK, CONFIGURATIONS, MINICOLUMN, MINIROW, SETS};

/// For every band (0, 1, 2) and stack (3, 4, 5), the configurations of one digit, a bit each.
type Sets = [u8; 6];

impl Board {
    /// Splits the board: makes `self` the half to try first and gives the other one. (Called at a fixed point
    /// with open cells only.)
    pub(super) fn split(&mut self) -> Board {
        let sets = self.places.map(sets);
        let mut totals = [0; 6];
        for sets in &sets {
            for (total, set) in totals.iter_mut().zip(sets) {
                *total += set.count_ones();
            }
        }
        let best = (0..6).filter(|&place| totals[place] > 9).min_by_key(|&place| totals[place]).unwrap_or(0);
        match sets.iter().position(|sets| sets[best].count_ones() == 2) {
            Some(digit) => self.split_configurations(digit, best, sets[digit][best]),
            None => self.split_cell(),
        }
    }

    /// Splits by the two configurations `set` that `digit` has in band or stack `place`.
    fn split_configurations(&mut self, digit: usize, place: usize, set: u8) -> Board {
        let places = self.places[digit];
        let first = places & KEPT[place][set.trailing_zeros() as usize % 8];
        let second = places & KEPT[place][(set & (set - 1)).trailing_zeros() as usize % 8];
        let (first, second) = if first.count() <= second.count() { (first, second) } else { (second, first) };
        let mut other = *self;
        other.places[digit] = second;
        other.dirty = 1 << digit;
        self.places[digit] = first;
        self.dirty = 1 << digit;
        other
    }

    /// Splits by a candidate of a cell, one of two where there is such a cell.
    fn split_cell(&mut self) -> Board {
        let (mut once, mut twice, mut thrice) = (Bands::NONE, Bands::NONE, Bands::NONE);
        for &places in &self.places {
            thrice |= twice & places;
            twice |= once & places;
            once |= places;
        }
        let two = twice.without(thrice);
        let cell = if two.is_none() { self.open } else { two }.lowest();
        let digit = self.places.iter().position(|&places| !(places & cell).is_none()).unwrap_or(0);
        let mut other = *self;
        other.places[digit] = other.places[digit].without(cell);
        other.dirty = 1 << digit;
        self.place(digit, cell);
        other
    }

    /// Places `digit` in `cell`.
    fn place(&mut self, digit: usize, cell: Bands) {
        for (other, places) in self.places.iter_mut().enumerate() {
            self.dirty |= u32::from(!(*places & cell).is_none()) << other;
            *places = places.without(cell);
        }
        self.places[digit] = (self.places[digit] | cell).without(mates(cell));
        self.open = self.open.without(cell);
    }
}

/// The configurations that `places` has in every band and stack.
fn sets(places: Bands) -> Sets {
    let [a, b, c] = minirows(places).words().map(|minirows| SETS[minirows as usize & 0o777]);
    let (even, odd) = configurations(minicolumns(places));
    let stack = |stack: u32| {
        let (even, odd) = (even >> stack & 0o001_001_001, odd >> stack & 0o001_001_001);
        ((even | even >> 8 | even >> 16) & 7 | ((odd | odd >> 8 | odd >> 16) & 7) << 3) as u8
    };
    [a, b, c, stack(0), stack(1), stack(2)]
}

/// The cells a digit keeps when it takes a configuration (0..6) of a band (0, 1, 2) or stack (3, 4, 5): those
/// of the configuration and all outside the band or stack.
const KEPT: [[Bands; 8]; 6] = {
    let mut kept = [[Bands::NONE; 8]; 6];
    let (mut place, mut configuration) = (0, 0);
    while place < 3 {
        while configuration < 6 {
            let mut words = [BAND; 3];
            words[place] = CONFIGURATIONS[configuration] * MINIROW;
            kept[place][configuration] = Bands::new(words);
            // Bit 0..3: even, band 0 has column x, band 1 x + 1, band 2 x + 2; bit 3..6: odd, the other way.
            let (x, step) = (configuration % 3, 1 + configuration / 3);
            let (mut band, mut words) = (0, [0; 3]);
            while band < 3 {
                words[band] = BAND & !(BLOCK << place) | MINICOLUMN << (9 * ((x + step * band) % 3) + place);
                band += 1;
            }
            kept[3 + place][configuration] = Bands::new(words);
            configuration += 1;
        }
        configuration = 0;
        place += 1;
    }
    kept
};
