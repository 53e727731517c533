//! Waiting for what another thread or process does, where it sends no event that a test could receive.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time between two questions.
const PAUSE: Duration = Duration::from_millis(5);

/// A test fails after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asks until there is an answer. Panics after a minute without one, and names `what` it waited for.
#[track_caller]
pub fn for_some<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        sleep(PAUSE);
    }
}

/// Waits until `is_so`. Panics after a minute, and names `what` it waited for.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for_some(what, || is_so().then_some(()));
}
