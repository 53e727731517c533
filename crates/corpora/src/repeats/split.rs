//! Two parts of the records, with all records of a class in one of them.
//!
//! The key of a class and the seed make its number, and the classes with numbers below a limit are tests. A share of all
//! numbers is a limit that depends on nothing else: the share holds on average only, but a class goes to the same part in
//! every run with the seed, whatever the other records are. For a count of tests, an earlier reading finds the limit.

use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::finder::{By, KeyFinder};
use crate::chance::mix;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::{Record, Source};
use crate::pipeline::rewrite::{Counts, Editor, EditorPage, Rewrite, RewriteOptions, RewriteRun};
use crate::pipeline::{ChunkJob, Failure, Watch};

galop_batch::options! {
    /// How records are split.
    #[derive(Clone, Copy, Debug)]
    SplitOptions {
        /// What makes two records one class. By the grid, a puzzle without a single solution is split by itself.
        by: By = By::Puzzle,
        /// Whether the answer beside a puzzle, if it is a solution, is taken for the only one.
        trusts_answers: bool = false,
        /// Which classes go to the second output.
        tests: TestLimit = TestLimit::share(0.1),
        /// Another seed splits the records in another way.
        seed: u64 = 0,
    }
}

/// The classes whose numbers are below this limit are tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestLimit(u128);

impl TestLimit {
    /// About this share of the classes, 0 to 1.
    pub fn share(share: f64) -> TestLimit {
        TestLimit((share.clamp(0.0, 1.0) * 2.0_f64.powi(64)) as u128)
    }
}

/// Finds the limit for a count of tests. It keeps 8 bytes for each test.
#[must_use = "`finish` returns the limit"]
#[derive(Debug)]
pub struct TestCounter<'a> {
    run: Rewrite<'a, Splitter>,
    count: usize,
    /// The least numbers so far, one more than the tests.
    least: BinaryHeap<u64>,
}

impl<'a> TestCounter<'a> {
    /// Starts the threads.
    ///
    /// # Errors
    /// The errors of [`split`].
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        options: SplitOptions,
        count: usize,
    ) -> Result<Self, Error> {
        let run = Rewrite::open(rules, rewriting, &[], || Splitter::new(rules, options))?;
        Ok(TestCounter { run, count, least: BinaryHeap::new() })
    }

    /// Reads the records of `source`.
    ///
    /// # Errors
    /// The errors of [`Dedup::read`](super::Dedup::read).
    pub fn read(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.run.read_by(source, &mut [], watch, &mut |number: Option<u64>, _, _| {
            self.least.extend(number);
            if self.least.len() > self.count.saturating_add(1) {
                self.least.pop();
            }
            Ok(None)
        })
    }

    /// The highest limit with at most `count` tests. There are fewer if the next class has more records than are left.
    pub fn finish(self) -> TestLimit {
        let next = self.least.peek().filter(|_| self.least.len() > self.count);
        TestLimit(next.map_or(1 << 64, |&number| number.into()))
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
/// The errors of [`Dedup::open`](super::Dedup::open).
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{By, SplitOptions, TestLimit, split};
/// use galop_engines::Rules;
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let stop = false.into();
/// let format = output::PAIR;
/// let rewriting = RewriteOptions::default().format(format).stop(&stop);
/// let options = SplitOptions::default().by(By::Puzzle).tests(TestLimit::share(1.0)).seed(1);
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
    let TestLimit(limit) = options.tests;
    let run = Rewrite::open(rules, rewriting, &[], || Splitter::new(rules, options))?;
    let run = run.by(move |number: Option<u64>, _, counts: &mut SplitCounts| {
        let part = number.map(|number| usize::from(u128::from(number) < limit));
        if let Some(records) = part.and_then(|part| counts.0.get_mut(part)) {
            *records += 1;
        }
        Ok(part)
    });
    Ok(Box::new(run))
}

/// Keeps all puzzles, and notes the number of the class of each.
struct Splitter {
    finder: KeyFinder,
    by: By,
    seed: u64,
}

impl Splitter {
    fn new(rules: &Rules, options: SplitOptions) -> Result<Splitter, Error> {
        let finder = KeyFinder::new(rules, options.by, options.trusts_answers)?;
        Ok(Splitter { finder, by: options.by, seed: mix(options.seed) })
    }
}

impl Editor for Splitter {
    type Note = Option<u64>;
    type Counts = SplitCounts;

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.finder.begin(chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, Option<u64>>) -> Result<(), Failure> {
        let Some(keys) = self.finder.keys(record, out.chunk)? else {
            out.note(record, None);
            return Ok(());
        };
        let key = keys.of(self.by).or(keys.puzzle).unwrap_or_default();
        out.keep(record);
        out.note(record, Some(mix(self.seed ^ mix(key as u64 ^ mix((key >> 64) as u64)))));
        Ok(())
    }
}
