//! Two parts of the records, with all records of a class in one of them.
//!
//! The key of a class and the seed decide its part. So the share holds on average only, but a class goes to the same part in
//! every run with the seed, whatever the other records are.

use std::io::Write;

use super::finder::{By, KeyFinder};
use crate::chance::mix;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::records::Record;
use crate::input::source::Source;
use crate::pipeline::Watch;
use crate::pipeline::rewrite::{BoxedEditor, Edited, Editor, Rewrite, RewriteOptions, RewriteOutcome};
use crate::pipeline::{ChunkJob, Failure};

/// How records are split.
#[derive(Clone, Copy, Debug)]
pub struct SplitOptions {
    /// What makes two records one class. By the grid, a puzzle without a single solution is split by itself.
    pub by: By,
    /// Whether the answer beside a puzzle, if it is a solution, is taken for the only one.
    pub trusts_answers: bool,
    /// The share of the second part, 0 to 1.
    pub share: f64,
    /// Another seed gives other parts.
    pub seed: u64,
}

/// What was read and written.
#[derive(Clone, Debug, Default)]
pub struct SplitOutcome {
    /// What was read and written to both parts.
    pub rewritten: RewriteOutcome,
    /// Records of the first part and of the second.
    pub parts: [u64; 2],
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{RewriteOptions};
/// use galop_corpora::{By, SplitOptions, SplitRun};
/// use galop::{Rules, output};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let stop = false.into();
/// let format = output::PAIR;
/// let rewriting = RewriteOptions::default().format(format).stop(&stop);
/// let options = SplitOptions { by: By::Puzzle, trusts_answers: false, share: 1.0, seed: 1 };
/// let mut run = SplitRun::open(&Rules::default(), rewriting, options, [Vec::new(), Vec::new()])?;
/// run.split(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let ([training, tests], outcome) = run.finish()?;
/// assert_eq!((training.len(), tests.as_slice(), outcome.parts), (0, text.as_bytes(), [0, 1]));
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was split"]
pub struct SplitRun<'a, W> {
    run: Rewrite<'a, Splitter, W, 2>,
    parts: [u64; 2],
}

impl<'a, W: Write> SplitRun<'a, W> {
    /// Starts the threads. The parts will be written to `outs`.
    ///
    /// # Errors
    /// Those of [`Dedup::open`](super::Dedup::open).
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        options: SplitOptions,
        outs: [W; 2],
    ) -> Result<SplitRun<'a, W>, Error> {
        let splitter = || {
            let finder = KeyFinder::new(rules, options.by, options.trusts_answers)?;
            // All numbers below this limit are in the second part. (2^64 saturates.)
            let limit = (options.share.clamp(0.0, 1.0) * 2.0_f64.powi(64)) as u64;
            Ok(Splitter {
                finder,
                by: options.by,
                limit,
                is_all: options.share >= 1.0,
                seed: mix(options.seed),
            })
        };
        Ok(SplitRun { run: Rewrite::open(rules, rewriting, &[], outs, splitter)?, parts: [0; 2] })
    }

    /// Writes each puzzle of `source` to its part, in order. Malformed records are left out.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::error::ErrorKind::Read), [`InputError`](crate::input::InputError),
    /// [`ErrorKind::Write`](crate::error::ErrorKind::Write), [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped),
    /// [`ColumnsDiffer`](crate::pipeline::ColumnsDiffer).
    pub fn split(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let SplitRun { run, parts } = self;
        run.run(source, watch, &mut |part: Option<usize>, _| {
            if let Some(records) = part.and_then(|part| parts.get_mut(part)) {
                *records += 1;
            }
            Ok(part)
        })
    }

    /// Flushes the outputs and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::error::ErrorKind::Write).
    pub fn finish(self) -> Result<([W; 2], SplitOutcome), Error> {
        let (outs, rewritten, _) = self.run.finish()?;
        Ok((outs, SplitOutcome { rewritten, parts: self.parts }))
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.run.threads()
    }
}

impl<W> std::fmt::Debug for SplitRun<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SplitRun").field("parts", &self.parts).finish_non_exhaustive()
    }
}

/// Keeps all puzzles, and notes the part of each.
struct Splitter {
    finder: KeyFinder,
    by: By,
    limit: u64,
    is_all: bool,
    seed: u64,
}

impl Editor for Splitter {
    type Note = Option<usize>;

    #[inline(never)]
    fn boxed(self) -> BoxedEditor {
        BoxedEditor::new(self)
    }

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.finder.begin(chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, Option<usize>>) -> Result<(), Failure> {
        let Some(keys) = self.finder.keys(record, out.chunk)? else {
            out.note(record, None);
            return Ok(());
        };
        let key = keys.of(self.by).or(keys.puzzle).unwrap_or_default();
        let number = mix(self.seed ^ mix(key as u64 ^ mix((key >> 64) as u64)));
        out.keep(record);
        out.note(record, Some(usize::from(self.is_all || number < self.limit)));
        Ok(())
    }
}
