//! The best covers found so far.

use crate::OptionId;

/// A cover, by its exact cost to minimise and then by its options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) cost: i128,
    /// Ascending.
    pub(super) options: Vec<OptionId>,
}

/// At most `most` covers, the best first.
#[derive(Clone, Debug)]
pub(super) struct List {
    most: usize,
    found: Vec<Found>,
}

impl List {
    pub(super) fn new(most: usize) -> List {
        List { most, found: Vec::new() }
    }

    /// The last cover, if the list is full: another one must be better.
    pub(super) fn last(&self) -> Option<&Found> {
        if self.found.len() < self.most { None } else { self.found.last() }
    }

    /// Adds a cover, unless it is in the list or worse than all of a full list. Returns whether it was added.
    pub(super) fn add(&mut self, cover: Found) -> bool {
        let Err(place) = self.found.binary_search(&cover) else { return false };
        if place >= self.most {
            return false;
        }
        self.found.truncate(self.most - 1);
        self.found.insert(place, cover);
        true
    }

    pub(super) fn covers(&self) -> &[Found] {
        &self.found
    }
}
