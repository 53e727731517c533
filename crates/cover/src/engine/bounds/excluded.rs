//! The options that an option excludes, remembered when it is first chosen.
//!
//! The rows of an option's items have many words in common: together they are a tenth as long. To unite them for all
//! options beforehand would take longer than many searches.

use std::ops::Range;

use super::table::{AdderTable, FREE, MOST_PARTS, Part, add_all};

/// Where nothing is remembered.
const UNKNOWN: Range<u32> = u32::MAX..u32::MAX;

/// What each option excludes, but for items with quotas and for colours.
#[derive(Debug)]
pub(super) struct Exclusions {
    /// Where the parts of each option are, or [`UNKNOWN`].
    ranges: Vec<Range<u32>>,
    parts: Vec<Part>,
    /// Empty between two calls.
    union: Vec<u64>,
}

impl Exclusions {
    /// Nothing is remembered.
    pub(super) fn new(option_count: usize) -> Exclusions {
        let union = vec![0; option_count.div_ceil(64)];
        Exclusions { ranges: vec![UNKNOWN; option_count], parts: Vec::new(), union }
    }

    /// The options that an option excludes, itself included; their words ascend.
    #[inline(always)]
    pub(super) fn of(&mut self, table: &AdderTable, place: u32) -> &[Part] {
        if self.ranges[place as usize] == UNKNOWN {
            self.learn(table, place);
        }
        let Range { start, end } = self.ranges[place as usize];
        &self.parts[start as usize..end as usize]
    }

    #[inline(never)]
    fn learn(&mut self, table: &AdderTable, place: u32) {
        if self.parts.len() > MOST_PARTS {
            self.parts.clear();
            self.ranges.fill(UNKNOWN);
        }
        let mut words = 0..0;
        for term in table.option(place) {
            let item = term.item.index();
            if table.quota_of.get(item).is_some_and(|&quota| quota < FREE) {
                continue;
            }
            let before = self.union.clone();
            add_all(&mut self.union, &mut words, table.row(item));
            if term.colour != 0 {
                table.for_each_in(item, |other| {
                    if table.option(other).contains(term) {
                        let (word, bit) = (other as usize / 64, 1 << (other % 64));
                        self.union[word] &= !bit | before[word];
                    }
                });
            }
        }
        let start = self.parts.len() as u32;
        for word in words {
            let options = std::mem::take(&mut self.union[word]);
            if options != 0 {
                self.parts.push(Part { word: word as u32, options });
            }
        }
        self.ranges[place as usize] = start..self.parts.len() as u32;
    }
}
