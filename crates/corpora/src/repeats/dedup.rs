//! The first record of each class.

use std::rc::Rc;

use super::finder::{By, KeyFinder, RecordKeys};
use super::{FirstReading, KEY_MEMORY, Keys, LinePlace, Place};
use crate::draw::{DrawCounts, PuzzleKeeper};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::Source;
use crate::pipeline::rewrite::{RecordPlace, Rewrite, RewriteOptions, RewriteRun};
use crate::pipeline::{SolvedInput, SourceRun, Watch};

galop_batch::options! {
    /// Which records are equal, and how much memory they may take.
    #[derive(Clone, Copy, Debug)]
    DedupOptions {
        /// What makes two records equal.
        by: By = By::Puzzle,
        /// Whether the answer beside a puzzle, if it is a solution, is taken for the only one.
        trusts_answers: bool = false,
        /// Bytes for the keys of the records, about; what does not fit goes to a temporary file.
        memory: u64 = KEY_MEMORY,
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct DedupOutcome {
    /// Records that equal an earlier one.
    pub repeats: u64,
    /// Different classes.
    pub classes: u64,
    /// Puzzles without a class, all of which are kept: by the grid, those without a single solution.
    pub without_class: u64,
    /// Puzzles whose form is direct, because they have no single solution.
    pub direct: u64,
    /// Bytes that were written to a temporary file.
    pub spilled_bytes: u64,
}

/// The first reading: it takes one source after the other.
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{By, Dedup, DedupOptions};
/// use galop_engines::Rules;
///
/// // The second puzzle is the first one with rows 1 and 2 exchanged.
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n\
///             .3.......4.....8.5...7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let stop = false.into();
/// let format = output::PAIR;
/// let rewriting = RewriteOptions::default().format(format).stop(&stop);
/// let options = DedupOptions::default().by(By::Puzzle).memory(1 << 20);
///
/// let mut dedup = Dedup::open(&Rules::default(), rewriting, options)?;
/// dedup.read(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (mut repeats, mut bytes) = (Vec::new(), Vec::new());
/// let (mut writing, outcome) = dedup.find(Box::new(|repeat, first| {
///     repeats.push(format!("{repeat} = {first}"));
///     Ok(())
/// }))?;
/// writing.read(&mut Source::stream("text", text.as_bytes()), Part::WHOLE, &mut [&mut bytes], &mut ())?;
/// writing.finish(&mut [&mut bytes])?;
/// assert_eq!(repeats, ["text:2 = text:1"]);
/// assert_eq!((bytes.as_slice(), outcome.classes), (&text.as_bytes()[..82], 1));
/// # Ok::<(), galop_batch::Error>(())
/// ```
#[must_use = "`find` ends the first reading"]
#[derive(Debug)]
pub struct Dedup<'a> {
    rules: Rules,
    rewriting: RewriteOptions<'a>,
    options: DedupOptions,
    run: Rewrite<'a, KeyFinder>,
    keys: Keys,
    outcome: DedupOutcome,
}

impl<'a> Dedup<'a> {
    /// Starts the threads.
    ///
    /// # Errors
    /// [`NotConverted`](crate::pipeline::NotConverted), [`NotSupported`](crate::symmetry::NotSupported),
    /// [`Unsupported`](crate::engine::Unsupported), [`ErrorKind::Threads`](crate::error::ErrorKind::Threads).
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        options: DedupOptions,
    ) -> Result<Dedup<'a>, Error> {
        let finder = || KeyFinder::new(rules, options.by, options.trusts_answers);
        let run = Rewrite::open(rules, rewriting, &[], finder)?;
        let keys = Keys::new(options.memory / 4 * 3);
        Ok(Dedup { rules: rules.clone(), rewriting, options, run, keys, outcome: DedupOutcome::default() })
    }

    /// Reads the puzzles of `source` and finds their classes.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::error::ErrorKind::Read), [`InputError`](crate::input::InputError),
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped), and
    /// [`ErrorKind::Write`](crate::error::ErrorKind::Write) if the temporary file cannot be written.
    pub fn read(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let Dedup { options, run, keys, outcome, .. } = self;
        run.read_by(source, &mut [], watch, &mut |note: Option<RecordKeys>, at, ()| {
            if let Some(found) = note {
                outcome.direct += u64::from(found.is_direct);
                match found.of(options.by) {
                    Some(key) => {
                        outcome.classes += 1;
                        keys.push(key, Place::of(at))?;
                    }
                    None => outcome.without_class += 1,
                }
            }
            Ok(None)
        })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.run.threads()
    }

    /// Finds the repeats. The run that is returned takes the same sources in the same order again. It writes the
    /// records that equal no earlier one, in order, and leaves out malformed ones. `on_repeat` gets each of the others
    /// with the first of its class.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped),
    /// [`ErrorKind::Threads`](crate::error::ErrorKind::Threads), and [`ErrorKind::Read`](crate::error::ErrorKind::Read)
    /// or [`ErrorKind::Write`](crate::error::ErrorKind::Write) of the temporary file.
    pub fn find(
        self,
        mut on_repeat: Box<OnRepeat<'a>>,
    ) -> Result<(RewriteRun<'a, DrawCounts>, DedupOutcome), Error> {
        let Dedup { rules, rewriting, options, run, keys, mut outcome } = self;
        let first = Rc::new(FirstReading::of(run.inputs()));
        let repeats = keys.repeats(run.records(), options.memory / 4, &rewriting, |_, _| true)?;
        drop(run);
        outcome.repeats = repeats.count;
        outcome.classes -= outcome.repeats;
        outcome.spilled_bytes = keys.spilled_bytes() + repeats.spilled_bytes();
        let (mut next, before) = (repeats.into_order(), Rc::clone(&first));
        // The second reading selects the first record of each class.
        let select = move |is_puzzle: bool, at: &RecordPlace<'_>, counts: &mut DrawCounts| {
            counts.records += 1;
            let Some(first) = next.find(at.records_before)? else {
                counts.drawn += u64::from(is_puzzle);
                return Ok(is_puzzle.then_some(0));
            };
            on_repeat(LinePlace { path: at.path, line: at.line }, before.place_of(first.line))?;
            Ok(None)
        };
        let check = move |again: &[SolvedInput], _: &DrawCounts| {
            again.iter().enumerate().try_for_each(|(index, input)| first.check(index, input))
        };
        let run = Rewrite::open(&rules, rewriting, &[], || Ok(PuzzleKeeper))?;
        Ok((Box::new(run.by(select).checked(check)), outcome))
    }
}

/// Gets the place of a repeat and the place of the first of its class.
pub type OnRepeat<'a> = dyn FnMut(LinePlace<'_>, LinePlace<'_>) -> Result<(), Error> + 'a;
