//! What one client may take: bytes, time, places. All limits of the server stand here.

use std::time::Duration;

/// Bytes of a request's first line and headers. A longer head is answered with 431.
pub(super) const HEAD_BYTES: usize = 8 << 10;

/// Headers of a request. More are answered with 431.
pub(super) const HEADERS: usize = 64;

/// Bytes of the body of a request about one puzzle. A longer one is answered with 413. (A grid of 25x25 with frames
/// takes 3 KiB.)
pub(super) const BODY_BYTES: u64 = 64 << 10;

/// Time for the head of a request, from the moment a thread takes the connection. A slower client gets 408.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(5);

/// Time for the body of a request about one puzzle. A slower client gets 408.
pub(super) const BODY_TIME: Duration = Duration::from_secs(5);

/// Time for a response. The connection of a client that reads more slowly is closed.
pub(super) const RESPONSE_TIME: Duration = Duration::from_secs(120);

/// Time and bytes that are read of a refused request, so that the client reads the response before the connection is
/// reset.
pub(super) const LINGER_TIME: Duration = Duration::from_millis(500);
/// See [`LINGER_TIME`].
pub(super) const LINGER_BYTES: u64 = 1 << 20;

/// Threads that answer requests.
pub(super) const THREADS: usize = 16;

/// Connections that wait for a thread. A further one is answered with 503 at once.
pub(super) const WAITING_CONNECTIONS: usize = 128;

/// Requests that need a long search and wait for a core. A further one is answered with 503. With one search on each of
/// up to four cores, threads are left for requests that do not search.
pub(super) const WAITING_SEARCHES: usize = 8;

/// Long searches at the same time, at most.
pub(super) const SEARCHES: usize = 4;

/// Time of a search. After it the answer says that the limit was reached.
pub(super) const SEARCH_TIME: Duration = Duration::from_secs(2);

/// Guesses of the first attempt at a puzzle of 81 cells (fewer for a larger one), which waits for no core; each next
/// attempt gets twice as many, until [`SEARCH_TIME`] is spent.
pub(super) const FIRST_GUESSES: u64 = 2_048;

/// Solutions that are counted, at most.
pub(super) const COUNTED: u64 = 10_000_000;

/// Work of the first portion of an explanation, which waits for no core: some milliseconds for a 9x9 sudoku.
pub(super) const FIRST_EXPLAIN_WORK: u64 = 100_000;

/// Work of a list of all steps that are possible: up to a second on a busy machine.
pub(super) const STEPS_WORK: u64 = 20_000_000;

/// Work of the rating of a new puzzle: up to half a second on a busy machine.
pub(super) const NEW_WORK: u64 = 8_000_000;

/// How many times the work of a portion the next one may do, until [`EXPLAIN_TIME`] is spent.
pub(super) const MORE_WORK: u32 = 4;

/// Time of an explanation, which is shown as it grows. After it the last line says that the limit was reached.
pub(super) const EXPLAIN_TIME: Duration = Duration::from_secs(10);

/// Steps of an explanation.
pub(super) const EXPLAIN_STEPS: usize = 5_000;

/// Lists of solutions that are kept, to go on with the next solution. The one that was used least recently is dropped.
pub(super) const LISTS: usize = 8;

/// Time that an unused list of solutions is kept.
pub(super) const LIST_AGE: Duration = Duration::from_secs(600);

/// Time between two looks at what has become too old, and at whether the server is stopped.
pub(super) const TICK: Duration = Duration::from_millis(20);
