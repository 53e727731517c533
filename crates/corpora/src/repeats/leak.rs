//! Puzzles of one set that another set has in another guise.

use super::finder::{By, KeyFinder, RecordKeys};
use super::{FirstReading, KEY_MEMORY, Keys, LinePlace, Place, Repeats, RepeatsInOrder};
use crate::classes::{ClassOptions, Classes};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::Record;
use crate::input::Source;
use crate::pipeline::rewrite::{Editor, EditorPage, Rewrite, RewriteOptions, RewriteOutcome};
use crate::pipeline::{ChunkJob, Failure, SourceRun, Watch};
use crate::symmetry::Symmetry;

galop_batch::options! {
    /// How leaks are found.
    #[derive(Clone, Copy, Debug)]
    LeakOptions {
        /// Whether the answer beside a puzzle, if it is a solution, is taken for the only one.
        trusts_answers: bool = false,
        /// Bytes for the keys of the records, about; what does not fit goes to a temporary file.
        memory: u64 = KEY_MEMORY,
    }
}

/// What was read and found.
#[derive(Clone, Debug, Default)]
pub struct LeakOutcome {
    /// What was read: the sources for training first.
    pub read: RewriteOutcome,
    /// How many of the sources are for training.
    pub training_inputs: usize,
    /// Records for training and for tests.
    pub training: u64,
    /// Records for tests.
    pub tests: u64,
    /// Test puzzles that equal one for training up to a symmetry.
    pub puzzles: u64,
    /// Test puzzles whose solution is equivalent to a training solution. Includes the equivalent puzzles above.
    pub grids: u64,
    /// Puzzles of both without a single solution: their solutions were not compared.
    pub without_grid: u64,
    /// Bytes that were written to temporary files.
    pub spilled_bytes: u64,
}

/// A test puzzle that is there for training.
#[derive(Clone, Copy, Debug)]
pub struct LeakPair<'a> {
    /// Its place.
    pub test: LinePlace<'a>,
    /// The place of the first equivalent puzzle for training.
    pub training: LinePlace<'a>,
    /// Whether the puzzles are equivalent; else only their solutions are.
    pub is_puzzle: bool,
    /// The symmetry that makes the test puzzle the one for training, or its solution the other solution.
    pub symmetry: Symmetry,
}

/// The first reading: the sources for training, then those for tests.
#[must_use = "`find` ends the first reading"]
#[derive(Debug)]
pub struct Leak<'a> {
    rules: Rules,
    rewriting: RewriteOptions<'a>,
    options: LeakOptions,
    run: Rewrite<'a, KeyFinder>,
    puzzles: Keys,
    grids: Keys,
    outcome: LeakOutcome,
}

impl<'a> Leak<'a> {
    /// Starts the threads. (The format of `rewriting` is not used.)
    ///
    /// # Errors
    /// [`NotSupported`](crate::symmetry::NotSupported), [`Unsupported`](crate::engine::Unsupported),
    /// [`ErrorKind::Threads`](crate::error::ErrorKind::Threads).
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        options: LeakOptions,
    ) -> Result<Leak<'a>, Error> {
        let finder = || KeyFinder::new(rules, By::Puzzle, options.trusts_answers);
        let run = Rewrite::open(rules, rewriting, &[], finder)?;
        Ok(Leak {
            rules: rules.clone(),
            rewriting,
            run,
            puzzles: Keys::new(options.memory / 8 * 3),
            grids: Keys::new(options.memory / 8 * 3),
            options,
            outcome: LeakOutcome::default(),
        })
    }

    /// Reads a source for training. All of them come before the first one for tests.
    ///
    /// # Errors
    /// The errors of [`Dedup::read`](super::Dedup::read).
    pub fn read_training(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.read(source, watch)?;
        self.outcome.training = self.run.records();
        self.outcome.training_inputs += 1;
        Ok(())
    }

    /// Reads a source for tests.
    ///
    /// # Errors
    /// The errors of [`Dedup::read`](super::Dedup::read).
    pub fn read_tests(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.read(source, watch)?;
        self.outcome.tests = self.run.records() - self.outcome.training;
        Ok(())
    }

    fn read(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let Leak { run, puzzles, grids, outcome, .. } = self;
        run.read_by(source, &mut [], watch, &mut |note: Option<RecordKeys>, at, ()| {
            let Some(found) = note else { return Ok(None) };
            outcome.without_grid += u64::from(found.grid.is_none());
            found.puzzle.map_or(Ok(()), |key| puzzles.push(key, Place::of(at)))?;
            found.grid.map_or(Ok(()), |key| grids.push(key, Place::of(at)))?;
            Ok(None)
        })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.run.threads()
    }

    /// Finds the leaks. A second reading shows where they are.
    ///
    /// # Errors
    /// The errors of [`Dedup::find`](super::Dedup::find).
    pub fn find(self) -> Result<LeakReader<'a>, Error> {
        let Leak { rules, rewriting, options, run, puzzles, grids, mut outcome } = self;
        let (read, ()) = Box::new(run).finish(&mut [])?;
        outcome.read = read;
        let records = outcome.read.records;
        let training = outcome.training;
        let is_leak = |first: Place, other: Place| first.record < training && other.record >= training;
        let find = |keys: Keys, spilled: &mut u64| -> Result<Repeats, Error> {
            let repeats = keys.repeats(records, options.memory / 8, &rewriting, is_leak)?;
            *spilled += keys.spilled_bytes() + repeats.spilled_bytes();
            Ok(repeats)
        };
        let puzzles = find(puzzles, &mut outcome.spilled_bytes)?;
        let grids = find(grids, &mut outcome.spilled_bytes)?;
        (outcome.puzzles, outcome.grids) = (puzzles.count, grids.count);
        let mut firsts = Vec::new();
        puzzles.for_each(|_, first| firsts.push(first.record))?;
        grids.for_each(|_, first| firsts.push(first.record))?;
        firsts.sort_unstable();
        firsts.dedup();
        let classes = ClassOptions::default().trusts_answers(options.trusts_answers);
        let noter = || Ok(Noter(Classes::new(&rules, classes)?));
        Ok(LeakReader {
            run: Rewrite::open(&rules, rewriting, &[], noter)?,
            symmetries: Vec::with_capacity(firsts.len()),
            firsts,
            puzzles: puzzles.into_order(),
            grids: grids.into_order(),
            first: FirstReading::of(&outcome.read.inputs),
            outcome,
        })
    }
}

/// The second reading: it takes the same sources in the same order. It keeps 40 bytes for each training puzzle that is
/// in a leak.
#[must_use = "the leaks are found when the sources are read again"]
#[derive(Debug)]
pub struct LeakReader<'a> {
    run: Rewrite<'a, Noter>,
    /// The records for training that are in a leak, in order, and the symmetries that lead to their forms.
    firsts: Vec<u64>,
    symmetries: Vec<Symmetry>,
    puzzles: RepeatsInOrder,
    grids: RepeatsInOrder,
    first: FirstReading,
    outcome: LeakOutcome,
}

impl LeakReader<'_> {
    /// What was found.
    pub fn outcome(&self) -> &LeakOutcome {
        &self.outcome
    }

    /// Reads a source for training again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::error::ErrorKind::Read), [`InputError`](crate::input::InputError),
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped).
    pub fn read_training(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let LeakReader { run, firsts, symmetries, first, .. } = self;
        read(run, source, watch, first, &mut |place, _, symmetry| {
            if firsts.get(symmetries.len()) == Some(&place.record) {
                symmetries.extend(symmetry);
            }
            Ok(())
        })
    }

    /// Reads a source for tests again. `on_leak` gets its leaks in order.
    ///
    /// # Errors
    /// As [`read_training`](Self::read_training), and the errors of `on_leak`.
    pub fn read_tests(
        &mut self,
        source: &mut Source,
        watch: &mut dyn Watch,
        on_leak: &mut dyn FnMut(&LeakPair<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let LeakReader { run, firsts, symmetries, puzzles, grids, first: first_reading, .. } = self;
        read(run, source, watch, first_reading, &mut |place, test, symmetry| {
            let (puzzle, grid) = (puzzles.find(place.record)?, grids.find(place.record)?);
            let (Some(first), Some(symmetry)) = (puzzle.or(grid), symmetry) else { return Ok(()) };
            let known = firsts.binary_search(&first.record).ok().and_then(|at| symmetries.get(at));
            // It is lacking only if the sources have changed, which shows at their end.
            let Some(symmetry) = known.and_then(|known| symmetry.then(&known.inverse()).ok()) else {
                return Ok(());
            };
            on_leak(&LeakPair {
                test,
                training: first_reading.place_of(first.line),
                is_puzzle: puzzle.is_some(),
                symmetry,
            })
        })
    }
}

/// Reads `source` again, and calls `take` with the place of each record and the symmetry that leads to its form.
fn read(
    run: &mut Rewrite<'_, Noter>,
    source: &mut Source,
    watch: &mut dyn Watch,
    first: &FirstReading,
    take: &mut dyn FnMut(Place, LinePlace<'_>, Option<Symmetry>) -> Result<(), Error>,
) -> Result<(), Error> {
    run.read_by(source, &mut [], watch, &mut |symmetry, at, ()| {
        take(Place::of(at), LinePlace { path: at.path, line: at.line }, symmetry).map(|()| None)
    })?;
    let read = run.inputs();
    read.last().map_or(Ok(()), |last| first.check(read.len() - 1, last))
}

/// Notes the symmetry that leads from each puzzle to its form, and writes nothing.
struct Noter(Classes);

impl Editor for Noter {
    type Note = Option<Symmetry>;
    type Counts = ();

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.0.begin(chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, Self::Note>) -> Result<(), Failure> {
        let form = match &record.puzzle {
            Ok(puzzle) => self.0.form(out.chunk, puzzle.place)?,
            Err(_) => None,
        };
        out.note(record, form.map(|form| form.symmetry));
        Ok(())
    }
}
