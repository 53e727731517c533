//! Chooses the next guess: splits a board into two halves that are both smaller.
//!
//! A digit has up to six configurations left in a band (or a stack). If it has exactly two, each half gets one of
//! them, that is, three minirows. Of the three bands and three stacks, the split takes the one with the fewest
//! configurations over all digits, and in it the first digit with two: the rule of Dillon's tdoku
//! (github.com/t-dillon/tdoku). The half that leaves the digit fewer places comes first.
//!
//! Two other rules replace this one. A split by a candidate of a cell is used near the end, when choices are small and
//! counting configurations is expensive, and at the start of a puzzle with very few clues. A split by a place in a
//! unit is used after a long search without a solution (see `PATIENCE` in the parent).
//!
//! Tried and lost (limit 1, ratios to crate `sudoku`):
//! * Always the first cell with two candidates: 72 guesses against 48 on `forum_hardest_1905`, 0.98 against 1.29.
//! * Looking ahead: settle the digit for both halves of every pair of configurations, and take the pair with the
//!   largest product of eliminated candidates. 37 guesses on `forum_hardest_1905`, but 0.78; on multi 0.44.

use super::bands::Bands;
use super::board::Board;
use super::settle::{configurations, minicolumns, minirows};
use super::tables::{BAND, BLOCK, CONFIGURATIONS, MINICOLUMN, MINIROW, SETS, mates};

/// Number of open cells for which a board is split by configurations; outside this range it is split by a cell.
///
/// Below the range, counting configurations costs more than it saves (0, 24 or 36 instead of 30 change `multi_20k` by a
/// few percent, the other sets by less than 2 %). Above it, so little is known that splits by configurations help
/// little. Without this bound, thinning grids to minimal puzzles takes 3 times as long, and the worst 17-clue puzzle
/// takes 1,158 guesses instead of 265.
const SPLIT_BY_CONFIGURATIONS: std::ops::RangeInclusive<u32> = 31..=57;

impl Board {
    /// Splits the board: `self` becomes the half to try first; returns the other half. The board must be at a fixed
    /// point and have open cells.
    pub(super) fn split(&mut self) -> Board {
        if !SPLIT_BY_CONFIGURATIONS.contains(&self.open.count()) {
            return self.split_cell();
        }
        // A loop, because compilers do not always inline the closure of `array::map`: 2 % of a search.
        let mut counts_of = [0; 9];
        for (counts_of, &places) in counts_of.iter_mut().zip(&self.places) {
            if !(places & self.open).is_none() {
                *counts_of = counts(places);
            }
        }
        let open_digits = counts_of.iter().filter(|&&counts| counts != 0).count() as u8;
        let totals = counts_of.iter().sum::<u64>().to_le_bytes();
        let (mut best, mut least) = (0, u8::MAX);
        for (place, total) in totals.into_iter().enumerate().take(6) {
            if total < least && total > open_digits {
                (best, least) = (place, total);
            }
        }
        match counts_of.iter().position(|counts| counts >> (8 * best) & 0xff == 2) {
            Some(digit) => self.split_configurations(digit, best),
            None => self.split_cell(),
        }
    }

    /// Splits by the two configurations of `digit` in band (0..3) or stack (3..6) `place`.
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

    /// Splits by a candidate of the first cell with the fewest candidates: the cell holds this digit, or another one.
    pub(super) fn split_cell(&mut self) -> Board {
        // at_least[k]: the cells with more than k candidates, counted in bit slices over the digits.
        let mut at_least = [Bands::NONE; 5];
        for &places in &self.places {
            for k in (1..5).rev() {
                at_least[k] |= at_least[k - 1] & places;
            }
            at_least[0] |= places;
        }
        let fewest = (1..4)
            .map(|k| at_least[k].without(at_least[k + 1]))
            .find(|cells| !cells.is_none())
            .unwrap_or(self.open);
        let cell = fewest.lowest();
        let digit = self.places.iter().position(|&places| !(places & cell).is_none()).unwrap_or(0);
        self.split_candidate(digit, cell)
    }

    /// Splits by a place of the digit and unit with the fewest places; by a cell if no unit has exactly two.
    pub(super) fn split_unit(&mut self) -> Board {
        let mut best = (u32::MAX, 0, Bands::NONE);
        for (digit, &places) in self.places.iter().enumerate() {
            for &unit in &UNITS {
                let count = (places & unit).count();
                if count > 1 && count < best.0 {
                    best = (count, digit, places & unit);
                }
            }
        }
        let (count, digit, places) = best;
        if count > 2 {
            return self.split_cell();
        }
        self.split_candidate(digit, places.lowest())
    }

    /// Splits by whether `digit` is in `cell`.
    fn split_candidate(&mut self, digit: usize, cell: Bands) -> Board {
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

/// The number of configurations that `places` has in every band (bytes 0, 1, 2) and stack (bytes 3, 4, 5).
#[inline(always)]
fn counts(places: Bands) -> u64 {
    let [a, b, c] = minirows(places).words().map(|minirows| u64::from(COUNTS[minirows as usize & 0o777]));
    let (even, odd) = configurations(minicolumns(places));
    let stacks = [even, odd]
        .map(|columns| u64::from(PER_STACK[((columns | columns >> 6 | columns >> 12) & 0o777) as usize]));
    a | b << 8 | c << 16 | (stacks[0] + stacks[1]) << 24
}

/// The configurations that `places` has in band (0..3) or stack (3..6) `place`, one bit each.
fn set(places: Bands, place: usize) -> u8 {
    if let Some(&minirows) = minirows(places).words().get(place) {
        return SETS[minirows as usize & 0o777];
    }
    let (even, odd) = configurations(minicolumns(places));
    let [even, odd] = [even, odd].map(|columns| columns >> (place - 3) & 0o001_001_001);
    ((even | even >> 8 | even >> 16) & 7 | ((odd | odd >> 8 | odd >> 16) & 7) << 3) as u8
}

/// Number of whole configurations, indexed by the minirows of a digit in a band.
const COUNTS: [u8; 512] = {
    let mut counts = [0; 512];
    let mut minirows = 0;
    while minirows < 512 {
        counts[minirows] = SETS[minirows].count_ones() as u8;
        minirows += 1;
    }
    counts
};

/// Number of bits of each stack, one byte each, indexed by nine bits `3 * column + stack`.
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

/// The rows, columns and blocks.
const UNITS: [Bands; 27] = {
    let mut units = [Bands::NONE; 27];
    let mut unit = 0;
    while unit < 9 {
        let (mut row, mut block) = ([0; 3], [0; 3]);
        row[unit / 3] = 0o007_007_007 << (3 * (unit % 3));
        block[unit / 3] = BLOCK << (unit % 3);
        units[unit] = Bands::new(row);
        units[9 + unit] = Bands::all(MINICOLUMN << (9 * (unit / 3) + unit % 3));
        units[18 + unit] = Bands::new(block);
        unit += 1;
    }
    units
};

/// `KEPT[place][configuration]`: the cells that a digit keeps if it takes a configuration (0..6) of a band (0, 1, 2)
/// or stack (3, 4, 5), that is, the cells of the configuration and all cells outside the band or stack.
const KEPT: [[Bands; 8]; 6] = {
    let mut kept = [[Bands::NONE; 8]; 6];
    let (mut place, mut configuration) = (0, 0);
    while place < 3 {
        while configuration < 6 {
            let mut words = [BAND; 3];
            words[place] = CONFIGURATIONS[configuration] * MINIROW;
            kept[place][configuration] = Bands::new(words);
            // Bits 0..3: even, band 0 has column x, band 1 has x + 1, band 2 has x + 2. Bits 3..6: odd, the other way.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::bitboard::tables::PLACED;
    use crate::grid::Rules;

    #[test]
    fn units_are_those_of_the_rules() {
        let mut units: Vec<Bands> = Rules::default()
            .grid()
            .units()
            .iter()
            .map(|unit| unit.iter().fold(Bands::NONE, |all, &cell| all | PLACED[cell].0))
            .collect();
        for unit in &UNITS {
            units.retain(|other| other != unit);
        }
        assert!(units.is_empty());
    }

    /// The bits of a set number the configurations as `KEPT` does: the cells of `KEPT` leave that configuration only.
    #[test]
    fn sets_and_kept_number_alike() {
        for (place, kept) in KEPT.iter().enumerate() {
            assert_eq!(set(Bands::all(BAND), place), 0o77);
            assert_eq!(kept[..6].iter().fold(Bands::NONE, |all, &kept| all | kept), Bands::all(BAND));
            for (configuration, &kept) in kept[..6].iter().enumerate() {
                assert_eq!(kept.count(), 54 + 9, "{place}: a minirow or minicolumn of each block");
                assert_eq!(set(kept, place), 1 << configuration, "{place}");
                assert_eq!(counts(kept) >> (8 * place) & 0xff, 1);
            }
        }
        assert_eq!(counts(Bands::all(BAND)), 0x0606_0606_0606);
        assert_eq!(PLACED.iter().fold(Bands::NONE, |all, placed| all | placed.0), Bands::all(BAND));
    }
}
