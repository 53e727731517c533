//! Names that cannot be guessed.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes tokens: 32 hexadecimal digits each.
///
/// A token is the keyed hash (`SipHash`) of a number that is used once. The key is random and known only to this
/// process, so who knows some tokens cannot tell the others.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    keys: [RandomState; 2],
    made: AtomicU64,
}

impl Tokens {
    /// A new token.
    pub(super) fn next(&self) -> String {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        self.keys
            .iter()
            .enumerate()
            .map(|(half, key)| format!("{:016x}", key.hash_one((half, number))))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_between_calls_and_between_servers() {
        let (one, other) = (Tokens::default(), Tokens::default());
        let mut made: Vec<String> = (0..100).flat_map(|_| [one.next(), other.next()]).collect();
        assert!(made.iter().all(|token| token.len() == 32));
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 200);
    }
}
