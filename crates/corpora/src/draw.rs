//! Some of the records, drawn at random.
//!
//! The caller's thread draws, in the order of the input, so the draw is the same for any number of threads. Each record has
//! a random number, which depends on the seed and on how many well-formed records come before it.

use std::io::{self, Write};

use crate::chance::mix;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::InputError;
use crate::input::records::Record;
use crate::input::source::Source;
use crate::pipeline::Failure;
use crate::pipeline::Watch;
use crate::pipeline::rewrite::{BoxedEditor, Edited, Editor, Rewrite, RewriteOptions, RewriteOutcome};

/// How many records are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Each with this probability, 0 to 1.
    Share(f64),
    /// This many of `of` well-formed records, all choices equally likely; all of them if there are not more. An earlier
    /// reading ([`RecordCounter`]) counts them.
    Exactly {
        /// Records that are drawn.
        count: u64,
        /// Well-formed records in all.
        of: u64,
    },
}

/// What was read and drawn.
#[derive(Clone, Debug, Default)]
pub struct DrawOutcome {
    /// What was read and written.
    pub rewritten: RewriteOutcome,
    /// Records that were drawn.
    pub drawn: u64,
}

/// Counts the well-formed records of one source after the other.
#[must_use = "`finish` returns the count"]
#[derive(Debug)]
pub struct RecordCounter<'a> {
    run: Rewrite<'a, PuzzleKeeper, io::Sink, 0>,
    count: u64,
}

impl<'a> RecordCounter<'a> {
    /// Starts the threads.
    ///
    /// # Errors
    /// [`NotConverted`](crate::pipeline::NotConverted), [`ErrorKind::Threads`](crate::error::ErrorKind::Threads).
    pub fn open(rules: &Rules, rewriting: RewriteOptions<'a>) -> Result<Self, Error> {
        Ok(RecordCounter { run: Rewrite::open(rules, rewriting, &[], [], || Ok(PuzzleKeeper))?, count: 0 })
    }

    /// Counts the records of `source`.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::error::ErrorKind::Read), [`InputError`], [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped).
    pub fn read(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let RecordCounter { run, count } = self;
        run.run(source, watch, &mut |is_puzzle, _| {
            *count += u64::from(is_puzzle);
            Ok(None)
        })
    }

    /// How many there were.
    pub fn finish(self) -> u64 {
        self.count
    }
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{RewriteOptions};
/// use galop_corpora::{Amount, DrawRun};
/// use galop::{Rules, output};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n".repeat(5);
/// let format = output::PAIR;
/// let stop = false.into();
/// let options = RewriteOptions::default().format(format).stop(&stop);
/// let amount = Amount::Exactly { count: 2, of: 5 };
/// let mut run = DrawRun::open(&Rules::default(), options, amount, 1, Vec::new())?;
/// run.draw(&mut Source::stream("text", std::io::Cursor::new(text)), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert_eq!((bytes.len(), outcome.drawn), (2 * 82, 2));
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was drawn"]
#[derive(Debug)]
pub struct DrawRun<'a, W> {
    run: Rewrite<'a, PuzzleKeeper, W>,
    amount: Amount,
    /// The seed, mixed.
    seed: u64,
    /// Well-formed records so far.
    records: u64,
    drawn: u64,
}

impl<'a, W: Write> DrawRun<'a, W> {
    /// Starts the threads. The records that are drawn will be written to `out`.
    ///
    /// # Errors
    /// [`NotConverted`](crate::pipeline::NotConverted), [`ErrorKind::Threads`](crate::error::ErrorKind::Threads).
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        amount: Amount,
        seed: u64,
        out: W,
    ) -> Result<Self, Error> {
        let run = Rewrite::open(rules, rewriting, &[], [out], || Ok(PuzzleKeeper))?;
        Ok(DrawRun { run, amount, seed: mix(seed), records: 0, drawn: 0 })
    }

    /// Writes the drawn records of `source`, as they came and in order. Malformed ones are left out.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::error::ErrorKind::Read), [`InputError`], [`ErrorKind::Write`](crate::error::ErrorKind::Write),
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped), [`ColumnsDiffer`](crate::pipeline::ColumnsDiffer); and
    /// [`InputError::Changed`] if there are more records than were counted.
    pub fn draw(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let DrawRun { run, amount, seed, records, drawn } = self;
        run.run(source, watch, &mut |is_puzzle: bool, at| {
            if !is_puzzle {
                return Ok(None);
            }
            let random = mix(*seed ^ mix(*records));
            let is_drawn = match *amount {
                // The upper 53 bits as a number of [0, 1).
                Amount::Share(share) => ((random >> 11) as f64) < share * (1_u64 << 53) as f64,
                // Selection sampling: Knuth, TAOCP 2, algorithm 3.4.2 S.
                Amount::Exactly { count, of } => {
                    let Some(left) = of.checked_sub(*records).filter(|left| *left > 0) else {
                        return Err(Error::at(at.path, InputError::Changed));
                    };
                    let below = (u128::from(random) * u128::from(left)) >> 64;
                    below < u128::from(count - *drawn)
                }
            };
            *records += 1;
            *drawn += u64::from(is_drawn);
            Ok(is_drawn.then_some(0))
        })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.run.threads()
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::error::ErrorKind::Write); [`InputError::Changed`] if there are fewer records than were counted.
    pub fn finish(self) -> Result<(W, DrawOutcome), Error> {
        let DrawRun { run, amount, records, drawn, .. } = self;
        if let (Amount::Exactly { of, .. }, Some(last)) = (amount, run.last_input())
            && of != records
        {
            return Err(Error::at(&last.name, InputError::Changed));
        }
        let ([out], rewritten, _) = run.finish()?;
        Ok((out, DrawOutcome { rewritten, drawn }))
    }
}

/// Keeps all puzzles, and notes of each record whether it is one.
#[derive(Debug)]
pub(super) struct PuzzleKeeper;

impl Editor for PuzzleKeeper {
    type Note = bool;

    #[inline(never)]
    fn boxed(self) -> BoxedEditor {
        BoxedEditor::new(self)
    }

    #[inline(always)]
    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, bool>) -> Result<(), Failure> {
        let is_puzzle = record.puzzle.is_ok();
        if is_puzzle {
            out.keep(record);
        }
        out.note(record, is_puzzle);
        Ok(())
    }
}
