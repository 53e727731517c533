//! The bytes that the growing tables of a search may take, on all threads together: remembered counts, the states of a
//! sweep, learnt clauses.
//!
//! Nothing is measured. A table reserves bytes before each step of its growth, and stops growing where none are left.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Bytes, if the machine does not say how much memory it has.
const UNKNOWN: usize = 1 << 30;

/// The bytes that the growing tables of a search may take. Its copies share them.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<Budget>);

#[derive(Debug)]
struct Budget {
    most: Option<u64>,
    reserved: AtomicUsize,
}

impl Memory {
    /// That many bytes, or a quarter of the memory of this machine. The machine is asked when the number is needed: few
    /// searches need it, and the answer takes as long as a small count.
    pub(crate) fn new(bytes: Option<u64>) -> Memory {
        Memory(Arc::new(Budget { most: bytes, reserved: AtomicUsize::new(0) }))
    }

    /// The number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.most.map_or_else(default_memory, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Bytes that are reserved.
    #[cfg(test)]
    pub(crate) fn reserved(&self) -> usize {
        self.0.reserved.load(Ordering::Relaxed)
    }

    /// Nothing so far, for what reserves bytes when it grows.
    pub(crate) fn growing(&self) -> Reservation {
        Reservation { memory: Some(self.clone()), bytes: 0 }
    }
}

/// Bytes that are reserved until this is dropped. The default has no limit, and counts nothing.
#[derive(Debug, Default)]
pub(crate) struct Reservation {
    memory: Option<Memory>,
    bytes: usize,
}

impl Reservation {
    /// Nothing so far, of the same memory.
    pub(crate) fn another(&self) -> Reservation {
        Reservation { memory: self.memory.clone(), bytes: 0 }
    }

    /// Reserves `bytes` in all, more or fewer than before; `false` if too few are left. Then it stays as it was.
    pub(crate) fn resize(&mut self, bytes: usize) -> bool {
        let Some(memory) = &self.memory else { return true };
        let reserved = &memory.0.reserved;
        if bytes <= self.bytes {
            reserved.fetch_sub(self.bytes - bytes, Ordering::Relaxed);
        } else {
            let (more, most) = (bytes - self.bytes, memory.bytes());
            let add = |all: usize| all.checked_add(more).filter(|&all| all <= most);
            if reserved.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_err() {
                return false;
            }
        }
        self.bytes = bytes;
        true
    }

    /// The bytes that are reserved.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.resize(0);
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

    #[test]
    fn copies_share_the_bytes_and_what_is_dropped_is_free_again() {
        let memory = Memory::new(Some(100));
        let (mut one, mut other) = (memory.growing(), memory.clone().growing());
        assert!(one.resize(60) && !other.resize(41) && other.resize(40));
        assert_eq!((memory.reserved(), one.resize(61), one.bytes()), (100, false, 60));
        drop(other);
        assert!(one.resize(100) && !one.another().resize(1) && one.resize(10));
        drop(one);
        assert_eq!(memory.reserved(), 0);
        assert!(Reservation::default().resize(usize::MAX));
    }
}
