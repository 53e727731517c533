//! Names, one after the other in one text, and the table that finds them again.
//!
//! ```text
//! text     r 1 c 1 r 1 c 2 r 1 = 5 ..        names 0, 1, 2, ..
//! ends           4       8      12 ..        where each one ends
//! slots    | - | 2 | - | 0 | - | 1 | - | ..  open addressing: a name stands at its hash or behind it
//! ```
//! A million names are three allocations, and a problem keeps only text and ends.

use std::hash::{BuildHasher, RandomState};

/// Names by number. Equal if the names are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let end = *self.ends.get(number)? as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        self.text.get(start..end)
    }

    /// Appends some of `names`, as far as they are there.
    pub(crate) fn extend_from(&mut self, names: &Names, numbers: impl IntoIterator<Item = u32>) {
        numbers.into_iter().filter_map(|number| names.get(number)).for_each(|name| {
            self.push(name);
        });
    }

    /// Appends a name; `None` if that is too much text.
    fn push(&mut self, name: &str) -> Option<u32> {
        let number = u32::try_from(self.ends.len()).ok().filter(|&number| number < u32::MAX)?;
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        self.text.push_str(name);
        self.ends.push(end);
        Some(number)
    }
}

const EMPTY: u32 = u32::MAX;

/// Names that are found by their text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    names: Names,
    /// Numbers of names, or EMPTY; a power of two of them, at most half of them taken.
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Index {
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn into_names(self) -> Names {
        self.names
    }

    /// The number of `name`, if it is here.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let slot = self.slot_of(name)?;
        Some(self.slots[slot]).filter(|&number| number != EMPTY)
    }

    /// Appends a name that is not here yet, and gives its number; `None` if there are too many.
    pub(crate) fn insert(&mut self, name: &str) -> Option<u32> {
        if self.slots.len() < 2 * (self.names.len() + 1) {
            self.grow();
        }
        let slot = self.slot_of(name)?;
        let number = self.names.push(name)?;
        self.slots[slot] = number;
        Some(number)
    }

    /// Where `name` stands, or the empty slot where it would; `None` if there are no slots.
    fn slot_of(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.hasher.hash_one(name) as usize & mask;
        while self.slots[slot] != EMPTY && self.names.get(self.slots[slot]) != Some(name) {
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(16);
        self.slots.clear();
        self.slots.resize(len, EMPTY);
        for number in 0..self.names.len() as u32 {
            let slot = self.names.get(number).and_then(|name| self.slot_of(name));
            if let Some(slot) = slot {
                self.slots[slot] = number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn every_name_is_found_and_no_other() {
        let mut index = Index::default();
        assert_eq!(index.find("0"), None);
        for number in 0..5000 {
            assert_eq!(index.insert(&number.to_string()), Some(number));
        }
        for number in 0..5000 {
            assert_eq!(index.find(&number.to_string()), Some(number));
            assert_eq!(index.names().get(number), Some(&*number.to_string()));
        }
        assert_eq!((index.find("5000"), index.find(""), index.names().get(5000)), (None, None, None));
    }
}
