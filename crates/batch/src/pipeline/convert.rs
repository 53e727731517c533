//! Converts sources to another format, without solving: puzzles, the answers beside them, and all other columns where
//! the format has columns. Nothing is checked but that the records are puzzles.

use super::Failure;
use super::rewrite::{Editor, EditorPage, Rewrite, RewriteOptions, RewriteRun};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::records::Record;

/// A run that writes every record as it came, in the format of `options`.
///
/// # Errors
/// [`NotConverted`](super::NotConverted) or [`ErrorKind::Threads`](crate::ErrorKind::Threads).
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions, convert};
/// use galop_engines::Rules;
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let format = output::JSON;
/// let stop = false.into();
/// let options = RewriteOptions::default().format(format).stop(&stop);
/// let (mut run, mut bytes) = (convert(&Rules::default(), options)?, Vec::new());
/// run.read(&mut Source::stream("text", text.as_bytes()), Part::WHOLE, &mut [&mut bytes], &mut ())?;
/// let (outcome, ()) = run.finish(&mut [&mut bytes])?;
/// assert!(bytes.starts_with(b"{\"puzzle\":\"4.....8.5.3") && outcome.records == 1);
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn convert<'a>(rules: &Rules, options: RewriteOptions<'a>) -> Result<RewriteRun<'a, ()>, Error> {
    Ok(Box::new(Rewrite::open(rules, options, &[], || Ok(KeepAll))?))
}

/// Keeps every record.
struct KeepAll;

impl Editor for KeepAll {
    type Note = ();
    type Counts = ();

    #[inline(always)]
    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, ()>) -> Result<(), Failure> {
        out.keep(record);
        Ok(())
    }
}
