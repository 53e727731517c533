//! The classes of the puzzles of files, for [`generate`](crate::generate): their keys stay in memory.

use super::finder::{By, KeyFinder, RecordKeys};
use crate::error::{Error, Fact};
use crate::generate::KnownClasses;
use crate::grid::Rules;
use crate::input::Source;
use crate::pipeline::rewrite::{Rewrite, RewriteOptions, RewriteOutcome};
use crate::pipeline::{SourceRun, Watch};

/// Puzzles that are read, at most: 1 GiB of memory.
pub const KNOWN_PUZZLES: usize = 1 << 26;

/// There are more puzzles than keys that are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("has more puzzles than the {KNOWN_PUZZLES} whose classes are kept in memory")]
pub struct TooManyKnown;

impl Fact for TooManyKnown {}

/// Reads the classes of puzzles: it takes one source after the other.
#[must_use = "`finish` returns the classes"]
#[derive(Debug)]
pub struct KnownRun<'a> {
    run: Rewrite<'a, KeyFinder>,
    keys: Vec<u128>,
    most: usize,
}

impl<'a> KnownRun<'a> {
    /// Starts the threads. (The format of `rewriting` is not used.)
    ///
    /// # Errors
    /// [`NotSupported`](crate::symmetry::NotSupported), [`Unsupported`](crate::engine::Unsupported),
    /// [`ErrorKind::Threads`](crate::error::ErrorKind::Threads).
    pub fn open(rules: &Rules, rewriting: RewriteOptions<'a>) -> Result<KnownRun<'a>, Error> {
        let finder = || KeyFinder::new(rules, By::Puzzle, false);
        let run = Rewrite::open(rules, rewriting, &[], finder)?;
        Ok(KnownRun { run, keys: Vec::new(), most: KNOWN_PUZZLES })
    }

    /// Reads the classes of all puzzles of `source`. A puzzle without a single solution has none that could be made.
    ///
    /// # Errors
    /// The errors of [`Dedup::read`](super::Dedup::read), and [`TooManyKnown`].
    pub fn read(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let KnownRun { run, keys, most } = self;
        let name = source.name().to_owned();
        run.read_by(source, &mut [], watch, &mut |note: Option<RecordKeys>, _, ()| {
            if let Some(key) = note.filter(|keys| !keys.is_direct).and_then(|keys| keys.puzzle) {
                if keys.len() == *most {
                    return Err(Error::from(TooManyKnown).in_file(&name));
                }
                keys.push(key);
            }
            Ok(None)
        })
    }

    /// The classes, and what was read.
    ///
    /// # Errors
    /// The errors of the threads.
    pub fn finish(self) -> Result<(KnownClasses, RewriteOutcome), Error> {
        let (read, ()) = Box::new(self.run).finish(&mut [])?;
        Ok((KnownClasses::new(self.keys), read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::FORMATS;

    #[test]
    fn no_more_keys_are_kept_than_there_is_memory_for() {
        let (rules, stop) = (Rules::default(), false.into());
        let rewriting = RewriteOptions::default().format(&FORMATS[0]).stop(&stop);
        let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
        let text = puzzle.repeat(3) + &".".repeat(81);
        let mut run = KnownRun::open(&rules, rewriting).unwrap();
        run.read(&mut Source::stream("s", std::io::Cursor::new(text.clone().into_bytes())), &mut ()).unwrap();
        assert_eq!(run.finish().unwrap().0.keys.len(), 1);
        let mut run = KnownRun { most: 2, ..KnownRun::open(&rules, rewriting).unwrap() };
        let error = run.read(&mut Source::stream("s", std::io::Cursor::new(text.into_bytes())), &mut ());
        assert!(error.unwrap_err().fact::<TooManyKnown>().is_some());
    }
}
