//! Names, stored one after the other in one string.
//!
//! ```text
//! text     r 1 c 1 r 1 c 2 r 1 = 5 ..        names 0, 1, 2, ..
//! ends           4       8      12 ..        where each one ends
//! ```
//! A million names take two allocations.

/// Names by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All names, one after the other.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let end = *self.ends.get(number)? as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        self.text.get(start..end)
    }

    /// Appends the names with these numbers; numbers that `names` does not have are skipped.
    pub(crate) fn extend_from(&mut self, names: &Names, numbers: impl IntoIterator<Item = u32>) {
        numbers.into_iter().filter_map(|number| names.get(number)).for_each(|name| {
            self.push(name);
        });
    }

    /// Appends a name and returns its number; `None` if the text or the numbers exceed 32 bits.
    pub(in crate::problem) fn push(&mut self, name: &str) -> Option<u32> {
        let number = u32::try_from(self.ends.len()).ok().filter(|&number| number < u32::MAX)?;
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        self.text.push_str(name);
        self.ends.push(end);
        Some(number)
    }
}

/// Whether a byte separates words. Blanks are ASCII, so no byte of a longer character is one.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}
