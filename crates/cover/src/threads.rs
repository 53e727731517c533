//! The one place where threads are started: pools for work on several cores, and single threads beside it.
//!
//! A pool belongs to the work it was started for: nothing here or above uses a pool of the whole process.

use std::hint::black_box;
use std::io;
use std::num::NonZero;
use std::thread::{Builder, JoinHandle, available_parallelism};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The operating system refused to start the threads of a pool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {threads} threads: {reason}")]
#[non_exhaustive]
pub struct ThreadsError {
    /// Threads that the pool should have had.
    pub threads: usize,
    /// Why: the operating system's message, or that there is no room for their stacks.
    pub reason: String,
}

/// How many threads `threads` stands for: `None` is one for each core that this process may use.
#[must_use]
pub fn count(threads: Option<NonZero<usize>>) -> NonZero<usize> {
    threads.unwrap_or_else(|| available_parallelism().unwrap_or(NonZero::<usize>::MIN))
}

/// Bytes of the stack of a thread: Rust's usual size, whatever the environment variable `RUST_MIN_STACK` says. With
/// less than an engine needs, the process would end with a stack overflow.
const STACK_BYTES: usize = 2 << 20;

/// Fails if the address space has no room for the stacks of `threads` threads.
///
/// Without this, the threads that have started would use up what a limit leaves, and the first allocation of any of
/// them that fails ends the process without a message of ours.
pub(crate) fn check_room(threads: usize) -> Result<(), ThreadsError> {
    let bytes = threads.saturating_mul(STACK_BYTES);
    // Nothing is written to it, so it takes addresses, but no memory. The black box keeps it from being optimized away.
    let mut stacks = Vec::<u8>::new();
    let has_room = black_box(&mut stacks).try_reserve_exact(bytes).is_ok();
    black_box(&stacks);
    if has_room {
        return Ok(());
    }
    let reason = format!("the system has no {} MiB of memory for their stacks", bytes >> 20);
    Err(ThreadsError { threads, reason })
}

/// Starts a pool of `threads` threads, of which `None` is one for each core that this process may use.
///
/// # Errors
/// [`ThreadsError`] if the operating system refuses to start them.
pub fn start(threads: Option<NonZero<usize>>) -> Result<ThreadPool, ThreadsError> {
    let threads = count(threads).get();
    check_room(threads)?;
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| ThreadsError { threads, reason: error.to_string() })
}

/// Starts one thread, with a stack as large as the threads of a pool have. Debuggers show its `name`.
///
/// # Errors
/// If the operating system refuses to start it.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_as_many_threads_as_were_requested() {
        assert_eq!(start(NonZero::new(3)).unwrap().current_num_threads(), 3);
        assert_eq!(start(None).unwrap().current_num_threads(), count(None).get());
    }

    #[test]
    fn stacks_without_room_are_an_error_before_any_thread_starts() {
        let threads = usize::MAX / STACK_BYTES;
        let error = check_room(threads).unwrap_err();
        assert_eq!(error.threads, threads);
        assert!(error.reason.ends_with(" MiB of memory for their stacks"), "{error}");
    }
}
