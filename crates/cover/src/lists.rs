//! Lists of numbers, each stored once: the options of solutions, the words of a diagram's nodes.
//!
//! ```text
//! words    | 3 7 9 | 4 | 1 7 | ..            lists 0, 1, 2, ..
//! ends             3   4     6 ..            where each one ends
//! slots    | - | 1 | - | - | 0 | 2 | - |     open addressing: a list is at its hash or in a later slot
//! ```

/// An empty slot.
const EMPTY: u32 = u32::MAX;

/// Lists by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    pub(crate) words: Vec<u32>,
    pub(crate) ends: Vec<usize>,
}

impl Lists {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The end of the last list's words.
    pub(crate) fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The words of a list.
    pub(crate) fn words_of(&self, list: usize) -> &[u32] {
        let start = list.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[list]]
    }
}

/// Finds lists by their words. A table of 4 bytes a slot, at most half of them in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    /// Numbers of lists, or `EMPTY`. Their count is a power of two.
    slots: Vec<u32>,
}

impl Slots {
    /// The number of the list with these words; `Err` is the slot where it belongs. There is room for one list more.
    pub(crate) fn find(&mut self, lists: &Lists, words: &[u32]) -> Result<u32, usize> {
        if self.slots.len() < 2 * (lists.len() + 1) {
            self.grow(lists);
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(words) as usize & mask;
        while self.slots[slot] != EMPTY && lists.words_of(self.slots[slot] as usize) != words {
            slot = (slot + 1) & mask;
        }
        if self.slots[slot] == EMPTY { Err(slot) } else { Ok(self.slots[slot]) }
    }

    /// Puts a list in the slot that [`find`](Self::find) returned.
    pub(crate) fn set(&mut self, slot: usize, list: u32) {
        self.slots[slot] = list;
    }

    /// Forgets all lists; the memory is kept.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(EMPTY);
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * self.slots.len()
    }

    #[cold]
    fn grow(&mut self, lists: &Lists) {
        let len = (2 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(len, EMPTY);
        for list in 0..lists.len() {
            // All lists differ, so the first empty slot is the right one.
            let mut slot = hash(lists.words_of(list)) as usize & (len - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = list as u32;
        }
    }
}

/// A hash of words: a multiplication and a rotation for each (as in Firefox). The low bits are as good as the high ones.
fn hash(words: &[u32]) -> u64 {
    let add =
        |hash: u64, &word: &u32| (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = words.iter().fold(0, add);
    hash ^ hash >> 32
}
