//! Says what a run has tried when it finds no puzzle for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use galop::figures::{duration, group_digits, pluralize};
use galop::generate::{Tally, Tried};
use galop_cover::threads;

use super::messages;

/// Time without a new puzzle before the first message. Each next message comes after twice the time, and at least once in
/// [`LONGEST`].
const FIRST: Duration = Duration::from_secs(4);

/// Time between two messages at most.
const LONGEST: Duration = Duration::from_secs(600);

/// A thread that says it.
pub(super) struct Waiting {
    made: Arc<AtomicU64>,
    ended: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Starts the thread. The run makes `count` puzzles, of which `before` are there, and counts in `tally` what it tries. `say` prints a line.
    pub(super) fn start(
        count: u64,
        before: u64,
        tally: Arc<Tally>,
        say: impl Fn(&dyn Fn()) + Send + 'static,
    ) -> Waiting {
        let (ended, end) = channel::<()>();
        let made = Arc::new(AtomicU64::new(before));
        let seen = Arc::clone(&made);
        let watch = move || {
            let (mut last, mut since, mut patience) = (before, Instant::now(), FIRST);
            while end.recv_timeout(patience.saturating_sub(since.elapsed())) == Err(RecvTimeoutError::Timeout)
            {
                let now = seen.load(Ordering::Relaxed);
                if now > last {
                    (last, since, patience) = (now, Instant::now(), FIRST);
                } else if since.elapsed() >= patience {
                    let text = text(now, count, since.elapsed(), &tally.tried());
                    say(&|| messages::say(&text));
                    patience = (2 * patience).min(since.elapsed() + LONGEST);
                }
            }
        };
        // Without the thread the run goes on, and says nothing.
        let thread = threads::spawn("waiting", watch).ok();
        Waiting { made, ended, thread }
    }

    /// Takes the number of puzzles that are made so far.
    pub(super) fn made(&self, count: u64) {
        self.made.store(count, Ordering::Relaxed);
    }

    /// Ends the thread.
    pub(super) fn end(self) {
        drop(self.ended);
        self.thread.map(JoinHandle::join);
    }
}

/// What was made and tried.
pub(super) fn text(made: u64, count: u64, since: Duration, tried: &Tried) -> String {
    let mut text = format!(
        "no new puzzle for {}: {} of {} made, {} missed the wish",
        duration(since.as_secs() as f64 * 1e9),
        group_digits(made),
        pluralize(count, "puzzle", "puzzles"),
        pluralize(tried.missed, "other", "others"),
    );
    let ranges = [(&tried.clues, "clues"), (&tried.guesses, "guesses")];
    for (range, unit) in ranges.into_iter().filter_map(|(range, unit)| Some((range.as_ref()?, unit))) {
        text += &format!(", with {} to {} {unit}", range.start(), range.end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_the_nearest_that_was_found() {
        let tried = Tried { missed: 1234, clues: Some(19..=27), guesses: None };
        let expected = "no new puzzle for 8.00 s: 3 of 100 puzzles made, 1,234 others missed the wish, with 19 to 27 clues";
        assert_eq!(text(3, 100, Duration::from_millis(8100), &tried), expected);
        let tried = Tried { missed: 1, clues: None, guesses: Some(0..=8) };
        assert!(
            text(0, 1, Duration::from_secs(4), &tried)
                .ends_with("0 of 1 puzzle made, 1 other missed the wish, with 0 to 8 guesses")
        );
    }
}
