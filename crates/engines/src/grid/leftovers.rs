//! Leftovers, which follow from the units of a grid before a symbol is placed: the *law of leftovers* of jigsaw
//! solvers.
//!
//! Two sets of as many units hold each symbol equally often, so they hold it equally often without the cells that they
//! share, too. A symbol is then possible in one rest only if it is possible in the other.
//!
//! ```text
//! a a a b      the first two rows leave the cell c of the regions a and b,
//! a b b c      which leave the cell b of the third row: both cells have the same symbol
//! d b c c
//! d d d c
//! ```

/// Collects leftovers: two sets of cells each, ascending. A symbol is in one if and only if it is in the other.
pub(crate) struct Leftovers {
    side: usize,
    found: Vec<[Vec<usize>; 2]>,
}

impl Leftovers {
    /// The most cells that lines and regions leave of each other: larger rests cost more than they give.
    const MOST: usize = 5;

    /// No leftovers, for a grid with that many cells in a row.
    pub(crate) fn new(side: usize) -> Leftovers {
        Leftovers { side, found: Vec::new() }
    }

    /// The leftovers found.
    pub(crate) fn found(&self) -> &[[Vec<usize>; 2]] {
        &self.found
    }

    /// Adds the leftovers of two units.
    pub(crate) fn add(&mut self, one: &[usize], other: &[usize]) {
        // With one cell in common they say nothing new.
        self.add_up_to(one, other, self.side - 2);
    }

    /// Adds the leftovers of two sets of as many cells, if at most `most` cells of each are left.
    fn add_up_to(&mut self, one: &[usize], other: &[usize], most: usize) {
        let rest = |of: &[usize], without: &[usize]| {
            let mut cells: Vec<usize> = of.iter().copied().filter(|cell| !without.contains(cell)).collect();
            cells.sort_unstable();
            cells
        };
        let rests = [rest(one, other), rest(other, one)];
        if (1..=most).contains(&rests[0].len()) && !self.found.contains(&rests) {
            self.found.push(rests);
        }
    }

    /// Adds the leftovers of neighbouring lines against as many regions: those that they have most of. The first
    /// `units` are the rows, then the columns. Regions that overlap have no leftovers.
    pub(crate) fn add_spans(&mut self, units: &[Vec<usize>], regions: &[Vec<usize>]) {
        let side = self.side;
        let mut cells = regions.concat();
        cells.sort_unstable();
        if cells.windows(2).any(|two| two[0] == two[1]) {
            return;
        }
        let spans = (0..side).flat_map(|from| (from + 2..=side).map(move |to| from..to));
        for span in spans.filter(|span| span.len() < side) {
            for direction in 0..2 {
                let lines: Vec<usize> = units[direction * side..][span.clone()].concat();
                let mut by_share: Vec<(usize, usize)> = regions
                    .iter()
                    .enumerate()
                    .map(|(number, region)| {
                        (region.iter().filter(|cell| lines.contains(cell)).count(), number)
                    })
                    .collect();
                by_share.sort_unstable();
                let most_shared = by_share.iter().rev().take(span.len());
                let regions: Vec<usize> =
                    most_shared.flat_map(|&(_, number)| regions[number].clone()).collect();
                self.add_up_to(&lines, &regions, Self::MOST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{JIGSAW, Regions, Rules};

    #[test]
    fn leftovers_are_what_lines_and_regions_leave_of_each_other() {
        let regions = Regions::read(b"aaababbcdbccdddc").unwrap();
        let rules = Rules::new(JIGSAW, 4, Some(&regions)).unwrap();
        let units = rules.grid().units();
        let mut leftovers = Leftovers::new(4);
        leftovers.add(&units[0], &units[8]);
        assert_eq!(leftovers.found(), [[vec![3], vec![4]]]);
        leftovers.add_spans(units, &units[8..]);
        assert!(leftovers.found().contains(&[vec![7], vec![9]]), "{:?}", leftovers.found());
        let mut overlapping = Leftovers::new(4);
        overlapping.add_spans(units, &units[..8]);
        assert!(overlapping.found().is_empty());
    }
}
