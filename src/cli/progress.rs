//! The progress bar. It lives on stderr and only on a terminal: nothing of it in a pipe.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use galop::figures::group_digits;
use galop::pipeline::solve::{Malformed, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::args::When;
use super::messages;

/// A bar over bytes of input or puzzles made.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    drawn: Option<Instant>,
    /// Bytes of the sources that are done.
    before: u64,
}

/// Between two looks at the bar; a look costs more than a chunk.
const PERIOD: Duration = Duration::from_millis(50);

impl Progress {
    /// The total of a bar that shows a [share](Self::set_share).
    pub(super) const WHOLE: u64 = 1 << 40;

    /// A bar of `total` steps, if that is known. `is_hidden`: the data itself goes to the terminal, or the user
    /// wants quiet.
    pub(super) fn new(when: When, total: Option<u64>, is_hidden: bool) -> Progress {
        let is_shown = match when {
            When::Always => true,
            When::Never => false,
            When::Auto => std::io::stderr().is_terminal() && !is_hidden,
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{bar:32.green} {percent:>3} %  {msg}  {eta} left",
            None => "{spinner:.green} {elapsed}  {msg}",
        };
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        if is_shown {
            bar.set_draw_target(match std::io::stderr().is_terminal() {
                true => ProgressDrawTarget::stderr_with_hz(10),
                false => ProgressDrawTarget::term_like_with_hz(Box::new(Wire), 10),
            });
        }
        Progress { bar, started: Instant::now(), drawn: None, before: 0 }
    }

    /// The next source starts where this one of `bytes` bytes ended.
    pub(super) fn next_source(&mut self, bytes: u64) {
        self.before += bytes;
    }

    /// `position` of the total is done, `puzzles` puzzles among it.
    pub(super) fn set(&mut self, position: u64, puzzles: u64) {
        let now = Instant::now();
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| now - drawn < PERIOD) {
            return;
        }
        self.drawn = Some(now);
        let rate = puzzles as f64 / (now - self.started).as_secs_f64().max(1e-9);
        self.bar.set_message(format!("{} puzzles  {}/s", group_digits(puzzles), group_digits(rate as u64)));
        self.bar.set_position(position);
    }

    /// `share` of the whole is done, 0 to 1.
    pub(super) fn set_share(&mut self, share: f64, message: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| now - drawn < PERIOD) {
            return;
        }
        self.drawn = Some(now);
        self.bar.set_message(message());
        self.bar.set_position((share * Self::WHOLE as f64) as u64);
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Progress {
    fn malformed(&mut self, malformed: &Malformed) {
        self.bar.suspend(|| anstream::eprintln!("{}", messages::malformed(malformed)));
    }

    fn advanced(&mut self, offset: u64, records: u64) {
        self.set(self.before + offset, records);
    }
}

/// Stderr where it is no terminal, but the user wants the bar all the same (`--progress always`): a log, or a
/// terminal at the far end of a pipe. (indicatif draws on terminals only.)
#[derive(Debug)]
struct Wire;

impl Wire {
    fn move_cursor(&self, n: usize, direction: char) -> io::Result<()> {
        // Terminals take 0 for 1.
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
