//! Converts sources to another format, without solving: puzzles, the answers beside them, and all other columns where the
//! format has columns. Nothing is checked but that the records are puzzles.

use std::io::Write;

use super::Failure;
use super::rewrite::{BoxedEditor, Edited, Editor, Rewrite, RewriteOptions, RewriteOutcome};
use super::solve::Watch;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::records::Record;
use crate::input::source::Source;

/// What was converted.
pub type ConvertOutcome = RewriteOutcome;

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{RewriteOptions, ConvertRun};
/// use galop::{Rules, output};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let format = output::JSON;
/// let stop = false.into();
/// let options = RewriteOptions::default().format(format).stop(&stop);
/// let mut run = ConvertRun::open(&Rules::default(), options, Vec::new())?;
/// run.convert(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert!(bytes.starts_with(b"{\"puzzle\":\"4.....8.5.3") && outcome.records == 1);
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was converted"]
#[derive(Debug)]
pub struct ConvertRun<'a, W> {
    rewrite: Rewrite<'a, KeepAll, W>,
}

impl<'a, W: Write> ConvertRun<'a, W> {
    /// Starts the threads. The records will be written to `out`.
    ///
    /// # Errors
    /// [`NotConverted`](super::NotConverted) or [`ErrorKind::Threads`](crate::ErrorKind::Threads).
    pub fn open(rules: &Rules, options: RewriteOptions<'a>, out: W) -> Result<Self, Error> {
        Ok(ConvertRun { rewrite: Rewrite::open(rules, options, &[], [out], || Ok(KeepAll))? })
    }

    /// Converts every record of `source`, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read), [`InputError`](crate::input::InputError),
    /// [`ErrorKind::Write`](crate::ErrorKind::Write), [`ErrorKind::Stopped`](crate::ErrorKind::Stopped),
    /// [`ColumnsDiffer`](super::ColumnsDiffer).
    pub fn convert(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.rewrite.run(source, watch, &mut |(), _| Ok(Some(0)))
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::ErrorKind::Write).
    pub fn finish(self) -> Result<(W, ConvertOutcome), Error> {
        let ([out], outcome, _) = self.rewrite.finish()?;
        Ok((out, outcome))
    }
}

/// Keeps every record.
struct KeepAll;

impl Editor for KeepAll {
    type Note = ();

    #[inline(never)]
    fn boxed(self) -> BoxedEditor {
        BoxedEditor::new(self)
    }

    #[inline(always)]
    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, ()>) -> Result<(), Failure> {
        out.keep(record);
        Ok(())
    }
}
