//! The one place where threads are started.
//!
//! A pool belongs to the work it was started for: nothing here or above uses a pool of the whole process.

use std::num::NonZero;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The operating system refused to start the threads of a pool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {threads} threads: {reason}")]
#[non_exhaustive]
pub struct ThreadsError {
    /// Threads that the pool should have had.
    pub threads: usize,
    /// The operating system's message.
    pub reason: String,
}

/// How many threads `threads` stands for: `None` is one for each core that this process may use.
#[must_use]
pub fn count(threads: Option<NonZero<usize>>) -> NonZero<usize> {
    threads.unwrap_or_else(|| available_parallelism().unwrap_or(NonZero::<usize>::MIN))
}

/// Bytes of the stack of a thread: Rust's usual size, whatever the environment variable `RUST_MIN_STACK` says. With less
/// than an engine needs, the process would end with a stack overflow.
const STACK_BYTES: usize = 2 << 20;

/// Starts a pool of `threads` threads, of which `None` is one for each core that this process may use.
///
/// # Errors
/// [`ThreadsError`] if the operating system refuses to start them.
pub fn start(threads: Option<NonZero<usize>>) -> Result<ThreadPool, ThreadsError> {
    let threads = count(threads).get();
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| ThreadsError { threads, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_as_many_threads_as_were_requested() {
        assert_eq!(start(NonZero::new(3)).unwrap().current_num_threads(), 3);
        assert_eq!(start(None).unwrap().current_num_threads(), count(None).get());
    }
}
