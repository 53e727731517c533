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

impl Board {
    /// Splits the board: makes `self` the half to try first and gives the other one. (Called at a fixed point
    /// with open cells only.)
    pub(super) fn split(&mut self) -> Board {
        if self.open.count() <= 30 {
            return self.split_cell();
        }
        let counts =
            self.places.map(|places| if (places & self.open).is_none() { 0 } else { counts(places) });
        let open_digits = counts.iter().filter(|&&counts| counts != 0).count() as u8;
        let totals = counts.iter().sum::<u64>().to_le_bytes();
        let (mut best, mut least) = (0, u8::MAX);
        for (place, total) in totals.into_iter().enumerate().take(6) {
            if total < least && total > open_digits {
                (best, least) = (place, total);
            }
        }
        match counts.iter().position(|counts| counts >> (8 * best) & 0xff == 2) {
            Some(digit) => self.split_configurations(digit, best),
            None => self.split_cell(),
        }
    }

    /// Splits by the two configurations that `digit` has in band or stack `place`.
    fn split_configurations(&mut self, digit: usize, place: usize) -> Board {
        let set = set(self.places[digit], place);
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

/// How many configurations `places` has in every band (bytes 0, 1, 2) and stack (bytes 3, 4, 5).
#[inline(always)]
fn counts(places: Bands) -> u64 {
    let [a, b, c] = minirows(places).words().map(|minirows| u64::from(COUNTS[minirows as usize & 0o777]));
    let (even, odd) = configurations(minicolumns(places));
    let stacks = [even, odd]
        .map(|columns| u64::from(PER_STACK[((columns | columns >> 6 | columns >> 12) & 0o777) as usize]));
    a | b << 8 | c << 16 | (stacks[0] + stacks[1]) << 24
}

/// The configurations that `places` has in band or stack `place`, a bit each.
fn set(places: Bands, place: usize) -> u8 {
    if let Some(&minirows) = minirows(places).words().get(place) {
        return SETS[minirows as usize & 0o777];
    }
    let (even, odd) = configurations(minicolumns(places));
    let [even, odd] = [even, odd].map(|columns| columns >> (place - 3) & 0o001_001_001);
    ((even | even >> 8 | even >> 16) & 7 | ((odd | odd >> 8 | odd >> 16) & 7) << 3) as u8
}

/// By the minirows a digit has in a band: how many configurations are whole.
const COUNTS: [u8; 512] = {
    let mut counts = [0; 512];
    let mut minirows = 0;
    while minirows < 512 {
        counts[minirows] = SETS[minirows].count_ones() as u8;
        minirows += 1;
    }
    counts
};

/// By nine bits `3 * column + stack`: how many there are of each stack, a byte each.
const PER_STACK: [u32; 512] = {
    let mut per_stack = [0; 512];
    let mut columns = 0;
    while columns < 512 {
        let mut bit = 0;
        while bit < 9 {
            per_stack[columns] += (columns as u32 >> bit & 1) << (8 * (bit % 3));
            bit += 1;
        }
        columns += 1;
    }
    per_stack
};

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
