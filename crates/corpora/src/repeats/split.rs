//! Two parts of the records, with all records of a class in one of them.
//!
//! The key of a class and the seed decide its part. So the share holds on average only, but a class goes to the same
//! part in every run with the seed, whatever the other records are.

use serde::{Deserialize, Serialize};

use super::finder::{By, KeyFinder};
use crate::chance::mix;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::Record;
use crate::pipeline::rewrite::{Counts, Editor, EditorPage, Rewrite, RewriteOptions, RewriteRun};
use crate::pipeline::{ChunkJob, Failure};

galop_batch::options! {
    /// How records are split.
    #[derive(Clone, Copy, Debug)]
    SplitOptions {
        /// What makes two records one class. By the grid, a puzzle without a single solution is split by itself.
        by: By = By::Puzzle,
        /// Whether the answer beside a puzzle, if it is a solution, is taken for the only one.
        trusts_answers: bool = false,
        /// The share of the records for the second output, 0 to 1.
        share: f64 = 0.1,
        /// Another seed splits the records in another way.
        seed: u64 = 0,
    }
}

/// Records of the first part and of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitCounts(pub [u64; 2]);

impl Counts for SplitCounts {
    fn add(&mut self, other: SplitCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, other)| *count += other);
    }
}

/// A run with two outputs, that writes each puzzle to its part, in order. Malformed records are left out.
///
/// # Errors
/// Those of [`Dedup::open`](super::Dedup::open).
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{By, SplitOptions, split};
/// use galop_engines::Rules;
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let stop = false.into();
/// let format = output::PAIR;
/// let rewriting = RewriteOptions::default().format(format).stop(&stop);
/// let options = SplitOptions::default().by(By::Puzzle).share(1.0).seed(1);
/// let mut run = split(&Rules::default(), rewriting, options)?;
/// let (mut training, mut tests) = (Vec::new(), Vec::new());
/// let source = &mut Source::stream("text", text.as_bytes());
/// run.read(source, Part::WHOLE, &mut [&mut training, &mut tests], &mut ())?;
/// let (_, counts) = run.finish(&mut [&mut training, &mut tests])?;
/// assert_eq!((training.len(), tests.as_slice(), counts.0), (0, text.as_bytes(), [0, 1]));
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn split<'a>(
    rules: &Rules,
    rewriting: RewriteOptions<'a>,
    options: SplitOptions,
) -> Result<RewriteRun<'a, SplitCounts>, Error> {
    let splitter = || {
        let finder = KeyFinder::new(rules, options.by, options.trusts_answers)?;
        // All numbers below this limit are in the second part. (2^64 saturates.)
        let limit = (options.share.clamp(0.0, 1.0) * 2.0_f64.powi(64)) as u64;
        let (by, is_all) = (options.by, options.share >= 1.0);
        Ok(Splitter { finder, by, limit, is_all, seed: mix(options.seed) })
    };
    let run = Rewrite::open(rules, rewriting, &[], splitter)?.by(|part, _, counts: &mut SplitCounts| {
        if let Some(records) = part.and_then(|part| counts.0.get_mut(part)) {
            *records += 1;
        }
        Ok(part)
    });
    Ok(Box::new(run))
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
    type Counts = SplitCounts;

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.finder.begin(chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, Option<usize>>) -> Result<(), Failure> {
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
