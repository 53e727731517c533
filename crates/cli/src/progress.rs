//! The progress bar on standard error, by default only on a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use galop_batch::Error;
use galop_batch::figures::group_digits;
use galop_batch::input::{MalformedRecord, Source};
use galop_batch::pipeline::{Watch, WrongAnswer};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::args::When;
use super::messages;

/// A bar that counts bytes of input or puzzles.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    drawn: Option<Instant>,
    /// Bytes of the finished sources.
    before: u64,
    /// The first byte of the current source that counts.
    first: u64,
    /// Puzzles that an earlier run solved.
    puzzles_before: u64,
    /// The furthest position so far, and the most puzzles.
    shown: (u64, u64),
    /// Whether the records are read a second time, so that the malformed ones have been printed.
    is_second: bool,
}

/// Time between two updates of the bar. An update takes longer than a chunk of puzzles.
const PERIOD: Duration = Duration::from_millis(50);

impl Progress {
    /// The total of a bar that is moved by [`set_share`](Self::set_share).
    pub(super) const WHOLE: u64 = 1 << 40;

    /// A bar of `total` steps, or a spinner if the total is unknown. `is_hidden` hides it in the mode `auto`: for
    /// --quiet, or if the data goes to the terminal.
    pub(super) fn new(when: When, total: Option<u64>, is_hidden: bool) -> Progress {
        let is_shown = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => std::io::stderr().is_terminal() && !is_hidden,
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        if is_shown {
            let template = match total {
                Some(_) => "{bar:32.green} {percent:>3} %  {msg}  {eta} left",
                None => "{spinner:.green} {elapsed}  {msg}",
            };
            bar.set_style(
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar.set_draw_target(match std::io::stderr().is_terminal() {
                true => ProgressDrawTarget::stderr_with_hz(10),
                false => ProgressDrawTarget::term_like_with_hz(Box::new(Wire), 10),
            });
        }
        let (started, drawn, shown) = (Instant::now(), None, (0, 0));
        Progress { bar, started, drawn, before: 0, first: 0, puzzles_before: 0, shown, is_second: false }
    }

    /// Changes the total.
    pub(super) fn set_total(&self, total: u64) {
        self.bar.set_length(total);
    }

    /// The records that were read so far are read again.
    pub(super) fn read_again(&mut self) {
        self.is_second = true;
    }

    /// Ends a source of `bytes` bytes.
    pub(super) fn next_source(&mut self, bytes: u64) {
        self.before += bytes;
    }

    /// The first byte of the next source that counts.
    pub(super) fn start_at(&mut self, first: u64) {
        self.first = first;
    }

    /// An earlier run solved this many puzzles. They do not count for the speed.
    pub(super) fn go_on_after(&mut self, puzzles: u64) {
        self.puzzles_before = puzzles;
    }

    /// Moves the bar to `position` of the total; `puzzles` are done.
    pub(super) fn set(&mut self, position: u64, puzzles: u64) {
        // What was worked on is more than what is written.
        self.shown = (self.shown.0.max(position), self.shown.1.max(puzzles));
        let (position, puzzles) = self.shown;
        let now = Instant::now();
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| now - drawn < PERIOD) {
            return;
        }
        self.drawn = Some(now);
        let here = puzzles.saturating_sub(self.puzzles_before);
        let rate = here as f64 / (now - self.started).as_secs_f64().max(1e-9);
        self.bar.set_message(format!("{} puzzles  {}/s", group_digits(puzzles), group_digits(rate as u64)));
        self.bar.set_position(position);
    }

    /// Moves the bar to `share` of the whole, 0 to 1.
    pub(super) fn set_share(&mut self, share: f64, message: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| now - drawn < PERIOD) {
            return;
        }
        self.drawn = Some(now);
        self.bar.set_message(message());
        self.bar.set_position((share * Self::WHOLE as f64) as u64);
    }

    /// Whether there is a bar to see.
    pub(super) fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Prints, and the bar makes way.
    pub(super) fn say(&self, text: &str) {
        self.bar.suspend(|| messages::say(text));
    }

    /// Has `read` take one source after the other. The bar is gone if it fails.
    pub(super) fn each(
        &mut self,
        sources: &mut [Source],
        mut read: impl FnMut(&mut Source, &mut Progress) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for source in sources {
            read(source, self).inspect_err(|_| self.finish())?;
            self.next_source(source.size().unwrap_or(0));
        }
        Ok(())
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Progress {
    fn malformed(&mut self, malformed: &MalformedRecord) {
        if !self.is_second {
            self.say(&messages::malformed(malformed));
        }
    }

    fn wrong_answer(&mut self, wrong: &WrongAnswer) {
        self.bar.suspend(|| messages::say(wrong));
    }

    fn advanced(&mut self, offset: u64, records: u64) {
        self.set(self.before + offset.saturating_sub(self.first), records);
    }

    fn working(&mut self, offset: u64, records: u64) {
        self.advanced(offset, records);
    }
}

/// Standard error that is not a terminal, for `--progress always`: a log file, or a pipe to a terminal elsewhere.
/// (indicatif by itself draws only on terminals.)
#[derive(Debug)]
struct Wire;

impl Wire {
    fn move_cursor(&self, n: usize, direction: char) -> io::Result<()> {
        // Terminals read 0 as 1.
        if n == 0 { Ok(()) } else { self.write_str(&format!("\x1b[{n}{direction}")) }
    }
}

impl TermLike for Wire {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)?;
        self.write_str("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(text.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
