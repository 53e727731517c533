//! How much memory counts may take.

use std::sync::OnceLock;

/// Bytes, if the machine does not say how much memory it has.
const UNKNOWN: usize = 1 << 30;

/// The bytes that a count may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory(Option<u64>);

impl Memory {
    /// That many bytes, or a quarter of the memory of this machine. The machine is asked when the number is needed: few
    /// counts need it, and the answer takes as long as a small count.
    pub(crate) fn new(bytes: Option<u64>) -> Memory {
        Memory(bytes)
    }

    /// The number of bytes.
    pub(crate) fn bytes(self) -> usize {
        self.0.map_or_else(default_memory, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

/// A quarter of the memory of this machine, in bytes.
fn default_memory() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        total(&text).map_or(UNKNOWN, |bytes| bytes / 4)
    })
}

/// The memory in bytes, by the text of Linux.
fn total(text: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.parse::<usize>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_linux_is_read() {
        assert_eq!(total("MemTotal:       24648772 kB\nMemFree:  1 kB\n"), Some(24_648_772 * 1024));
        assert_eq!(total("MemFree:  1 kB\n"), None);
        assert_eq!(total(""), None);
        assert!(Memory::new(None).bytes() > 1 << 20);
        assert_eq!(Memory::new(Some(5)).bytes(), 5);
    }
}
