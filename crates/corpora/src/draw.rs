//! Some of the records, drawn at random.
//!
//! The caller's thread draws, in the order of the input, so the draw is the same for any number of threads. Each record
//! has a random number, which depends on the seed and on how many well-formed records come before it.

use serde::{Deserialize, Serialize};

use crate::chance::mix;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::InputError;
use crate::input::Record;
use crate::input::Source;
use crate::pipeline::rewrite::{
    Counts, Editor, EditorPage, RecordPlace, Rewrite, RewriteOptions, RewriteRun,
};
use crate::pipeline::{Failure, SolvedInput, Watch};

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

/// Counts well-formed records, and how many of them were drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawCounts {
    /// Well-formed records so far.
    pub records: u64,
    /// Records that were drawn.
    pub drawn: u64,
}

impl Counts for DrawCounts {
    fn add(&mut self, other: DrawCounts) {
        self.records += other.records;
        self.drawn += other.drawn;
    }
}

/// Counts the well-formed records of one source after the other.
#[must_use = "`finish` returns the count"]
#[derive(Debug)]
pub struct RecordCounter<'a> {
    run: Rewrite<'a, PuzzleKeeper>,
}

impl<'a> RecordCounter<'a> {
    /// Starts the threads.
    ///
    /// # Errors
    /// [`NotConverted`](crate::pipeline::NotConverted), [`ErrorKind::Threads`](crate::error::ErrorKind::Threads).
    pub fn open(rules: &Rules, rewriting: RewriteOptions<'a>) -> Result<Self, Error> {
        Ok(RecordCounter { run: Rewrite::open(rules, rewriting, &[], || Ok(PuzzleKeeper))? })
    }

    /// Counts the records of `source`.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::error::ErrorKind::Read), [`InputError`],
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped).
    pub fn read(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.run.read_by(source, &mut [], watch, &mut |is_puzzle, _, counts| {
            counts.records += u64::from(is_puzzle);
            Ok(None)
        })
    }

    /// How many there were.
    pub fn finish(self) -> u64 {
        self.run.counts().records
    }
}

/// A run that writes the drawn records, as they came and in order. Malformed records are left out.
///
/// # Errors
/// [`NotConverted`](crate::pipeline::NotConverted), [`ErrorKind::Threads`](crate::error::ErrorKind::Threads). The run
/// itself fails with [`InputError::Changed`] if there are more or fewer records than were counted.
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{Amount, draw};
/// use galop_engines::Rules;
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n".repeat(5);
/// let format = output::PAIR;
/// let stop = false.into();
/// let options = RewriteOptions::default().format(format).stop(&stop);
/// let amount = Amount::Exactly { count: 2, of: 5 };
/// let (mut run, mut bytes) = (draw(&Rules::default(), options, amount, 1)?, Vec::new());
/// let source = &mut Source::stream("text", std::io::Cursor::new(text));
/// run.read(source, Part::WHOLE, &mut [&mut bytes], &mut ())?;
/// let (_, counts) = run.finish(&mut [&mut bytes])?;
/// assert_eq!((bytes.len(), counts.drawn), (2 * 82, 2));
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn draw<'a>(
    rules: &Rules,
    rewriting: RewriteOptions<'a>,
    amount: Amount,
    seed: u64,
) -> Result<RewriteRun<'a, DrawCounts>, Error> {
    let seed = mix(seed);
    let select = move |is_puzzle: bool, at: &RecordPlace<'_>, counts: &mut DrawCounts| {
        if !is_puzzle {
            return Ok(None);
        }
        let random = mix(seed ^ mix(counts.records));
        let is_drawn = match amount {
            // The upper 53 bits as a number of [0, 1).
            Amount::Share(share) => ((random >> 11) as f64) < share * (1_u64 << 53) as f64,
            // Selection sampling: Knuth, TAOCP 2, algorithm 3.4.2 S.
            Amount::Exactly { count, of } => {
                let Some(left) = of.checked_sub(counts.records).filter(|left| *left > 0) else {
                    return Err(Error::at(at.path, InputError::Changed));
                };
                let below = (u128::from(random) * u128::from(left)) >> 64;
                below < u128::from(count - counts.drawn)
            }
        };
        counts.records += 1;
        counts.drawn += u64::from(is_drawn);
        Ok(is_drawn.then_some(0))
    };
    let check = move |inputs: &[SolvedInput], counts: &DrawCounts| match (amount, inputs.last()) {
        (Amount::Exactly { of, .. }, Some(last)) if of != counts.records => {
            Err(Error::at(&last.name, InputError::Changed))
        }
        _ => Ok(()),
    };
    let run = Rewrite::open(rules, rewriting, &[], || Ok(PuzzleKeeper))?;
    Ok(Box::new(run.by(select).checked(check)))
}

/// Keeps all puzzles, and notes of each record whether it is one.
#[derive(Debug)]
pub(super) struct PuzzleKeeper;

impl Editor for PuzzleKeeper {
    type Note = bool;
    type Counts = DrawCounts;

    #[inline(always)]
    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, bool>) -> Result<(), Failure> {
        let is_puzzle = record.puzzle.is_ok();
        if is_puzzle {
            out.keep(record);
        }
        out.note(record, is_puzzle);
        Ok(())
    }
}
