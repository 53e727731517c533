//! Shows how far a run is that makes puzzles, and says what it has tried when it finds none for a while.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use galop_batch::figures::{duration, group_digits, pluralize};
use galop_corpora::generate::{Tally, TallyCounts};
use galop_cover::threads;

use super::progress::Progress;

/// Time without a new puzzle before the first message. Each next message comes after twice the time, and at least once
/// in [`LONGEST`].
const FIRST: Duration = Duration::from_secs(4);

/// Time before the first line about the puzzles that are made, if there is no bar. Each next line comes after twice the
/// time, and at least once in [`LONGEST`].
const FIRST_REPORT: Duration = Duration::from_secs(10);

/// Time between two messages at most.
const LONGEST: Duration = Duration::from_secs(600);

/// Time between two looks at what is made.
const TICK: Duration = Duration::from_millis(100);

/// A thread that moves the bar and speaks, by the clock: puzzles are delivered many at once, and may come late.
pub(super) struct Waiting {
    ended: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Starts the thread. `before` puzzles are there, and the run counts in `tally` what it makes and tries.
    pub(super) fn start(
        before: u64,
        tally: Arc<Tally>,
        mut progress: Progress,
        mut speaker: Option<Speaker>,
    ) -> Waiting {
        let (ended, end) = channel::<()>();
        let started = Instant::now();
        let watch = move || {
            loop {
                let is_over = end.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout);
                let tried = tally.tried();
                let made = before + tried.made;
                progress.set(made, made);
                if is_over {
                    break;
                }
                let text = speaker.as_mut().and_then(|speaker| speaker.look(started.elapsed(), &tried));
                text.iter().for_each(|text| progress.say(text));
            }
            progress.finish();
        };
        // Without the thread the run goes on, and says nothing.
        let thread = threads::spawn("waiting", watch).ok();
        Waiting { ended, thread }
    }

    /// Removes the bar and ends the thread.
    pub(super) fn end(self) {
        drop(self.ended);
        self.thread.map(JoinHandle::join);
    }
}

/// Decides when something is to be said, and what. All times are since the start of the run.
pub(super) struct Speaker {
    /// Puzzles of the whole run, and those of an earlier run.
    count: u64,
    before: u64,
    /// Puzzles made at the last look, and when the last one was new.
    made: u64,
    news: Duration,
    /// Time without a new puzzle after which this is said.
    patience: Duration,
    /// When the puzzles are counted; `None` if a bar does so.
    report: Option<Duration>,
}

impl Speaker {
    /// For a run of `count` puzzles, of which `before` are there.
    pub(super) fn new(count: u64, before: u64, reports: bool) -> Speaker {
        let (news, report) = (Duration::ZERO, reports.then_some(FIRST_REPORT));
        Speaker { count, before, made: before, news, patience: FIRST, report }
    }

    /// What to say at the time `now`.
    fn look(&mut self, now: Duration, tried: &TallyCounts) -> Option<String> {
        let made = self.before + tried.made;
        if made > self.made {
            (self.made, self.news, self.patience) = (made, now, FIRST);
        }
        let silence = now.saturating_sub(self.news);
        if silence >= self.patience {
            self.patience = (2 * self.patience).min(silence + LONGEST);
            return Some(missing(made, self.count, silence, tried));
        }
        if self.report.is_some_and(|report| now >= report) {
            self.report = Some(now + now.min(LONGEST));
            return Some(self.report_of(tried.made, now));
        }
        None
    }

    /// How many puzzles are made, of which this run has `here`.
    fn report_of(&self, here: u64, now: Duration) -> String {
        let rate = here as f64 / now.as_secs_f64().max(1e-9);
        format!(
            "{} of {} made in {}: {} a second",
            group_digits(self.made),
            pluralize(self.count, "puzzle", "puzzles"),
            duration(now.as_secs() as f64 * 1e9),
            if rate < 10.0 { format!("{rate:.1}") } else { group_digits(rate as u64) },
        )
    }
}

/// What was made and tried.
fn missing(made: u64, count: u64, since: Duration, tried: &TallyCounts) -> String {
    let mut text = format!(
        "no new puzzle for {}: {} of {} made; {} tried, and none fits the options",
        duration(since.as_secs() as f64 * 1e9),
        group_digits(made),
        pluralize(count, "puzzle", "puzzles"),
        pluralize(tried.missed, "other", "others"),
    );
    let ranges = [(&tried.clues, "clues"), (&tried.guesses, "guesses")];
    let known = ranges.into_iter().filter_map(|(range, unit)| Some((range.as_ref()?, unit)));
    let known: Vec<String> =
        known.map(|(range, unit)| format!("{} to {} {unit}", range.start(), range.end())).collect();
    if !known.is_empty() {
        text += &format!(": they have {}", known.join(" and "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: TallyCounts = TallyCounts { made: 0, missed: 0, clues: None, guesses: None };

    #[test]
    fn the_text_has_the_nearest_that_was_found() {
        let tried = TallyCounts { missed: 1234, clues: Some(19..=27), ..NOTHING };
        let expected = "no new puzzle for 8.00 s: 3 of 100 puzzles made; 1,234 others tried, and none fits the options: they have 19 to 27 clues";
        assert_eq!(missing(3, 100, Duration::from_millis(8100), &tried), expected);
        let tried = TallyCounts { missed: 1, guesses: Some(0..=8), ..NOTHING };
        assert!(missing(0, 1, Duration::from_secs(4), &tried).ends_with(
            "0 of 1 puzzle made; 1 other tried, and none fits the options: they have 0 to 8 guesses"
        ));
    }

    /// The seconds at which a speaker says something that begins so, if `made` gives the puzzles of each second.
    fn seconds(mut speaker: Speaker, until: u64, words: &str, made: impl Fn(u64) -> u64) -> Vec<u64> {
        let looks = (0..=until).filter(|&second| {
            let tried = TallyCounts { made: made(second), ..NOTHING };
            let said = speaker.look(Duration::from_secs(second), &tried);
            said.is_some_and(|text| text.starts_with(words))
        });
        looks.collect()
    }

    #[test]
    fn silence_is_broken_after_twice_the_time_and_ended_by_a_puzzle() {
        let silent = "no new puzzle";
        let never = seconds(Speaker::new(9, 0, false), 2000, silent, |_| 0);
        assert_eq!(never, [4, 8, 16, 32, 64, 128, 256, 512, 1024, 1624]);
        // Puzzles that are ready and not delivered are puzzles.
        assert!(seconds(Speaker::new(99, 0, true), 90, silent, |second| second / 3).is_empty());
        assert_eq!(seconds(Speaker::new(9, 5, false), 20, silent, |second| second / 10), [4, 8, 14, 18]);
    }

    #[test]
    fn puzzles_are_counted_after_twice_the_time_unless_there_is_a_bar() {
        let each = |second| 7 * second;
        let counted = seconds(Speaker::new(9_999, 0, true), 1500, "", each);
        assert_eq!(counted, [10, 20, 40, 80, 160, 320, 640, 1240]);
        assert!(seconds(Speaker::new(9_999, 0, false), 1500, "", each).is_empty());
        let mut speaker = Speaker::new(2_000, 1_000, true);
        let tried = TallyCounts { made: 45, ..NOTHING };
        let text = speaker.look(Duration::from_secs(10), &tried).unwrap();
        assert_eq!(text, "1,045 of 2,000 puzzles made in 10.0 s: 4.5 a second");
    }
}
