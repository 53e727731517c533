//! Records of the same class: [`dedup`] drops the later ones, [`leak`] finds those of one set in another, [`split`]
//! puts all records of a class on one side.
//!
//! `split` needs no memory: the key says the side. The others read the sources twice. Memory is bounded: what does not
//! fit goes to a temporary file ([`scatter`]).
//! ```text
//! first reading    record -> canonical form -> key    --scatter by key-->     classes, one beside the other
//!                                                     --scatter by record-->  each repeat with the first of its class
//! second reading   record, and the next repeat: is it this record?
//! ```
//! Keys have 128 bits, of which 120 are compared. With 17 million different classes, two of them have the same by a
//! chance of 1 in 10^22.

mod dedup;
mod finder;
mod known;
mod leak;
mod scatter;
mod split;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use galop_cover::threads;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::error::{Error, ErrorKind};
use crate::input::InputError;
use crate::pipeline::SolvedInput;
use crate::pipeline::rewrite::{RecordPlace, RewriteOptions};
use crate::printable;
use scatter::{PARTS, Scatter};

pub use dedup::{Dedup, DedupOptions, DedupOutcome, OnRepeat};
pub use finder::By;
pub use known::{KNOWN_PUZZLES, KnownRun, TooManyKnown};
pub use leak::{Leak, LeakOptions, LeakOutcome, LeakPair, LeakReader};
pub use split::{SplitCounts, SplitOptions, TestCounter, TestLimit, split};

/// Bytes for the keys of records, unless an option says otherwise: 16 million records.
const KEY_MEMORY: u64 = 384 << 20;

/// The number of a record and its line, over all sources, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    record: u64,
    line: u64,
}

/// Bytes of a number of a record or line: as many as 10^12 of them.
const NUMBER_BYTES: usize = 5;

fn number_bytes(number: u64) -> [u8; NUMBER_BYTES] {
    let [_, _, _, bytes @ ..] = number.to_be_bytes();
    bytes
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Bytes of a key in an entry, without the first, which is its part, and without the last.
const KEY_BYTES: usize = 14;

/// The keys of records.
///
/// ```text
/// entry   bytes 1 to 14 of the key | record | line
///         14                         5        5 bytes
/// ```
#[derive(Debug)]
struct Keys(Scatter<{ KEY_BYTES + 2 * NUMBER_BYTES }>);

impl Keys {
    fn new(memory: u64) -> Keys {
        Keys(Scatter::new(memory))
    }

    fn spilled_bytes(&self) -> u64 {
        self.0.spilled_bytes()
    }

    #[inline]
    fn push(&mut self, key: u128, place: Place) -> Result<(), Error> {
        let key = key.to_be_bytes();
        let mut entry = [0; KEY_BYTES + 2 * NUMBER_BYTES];
        entry[..KEY_BYTES].copy_from_slice(&key[1..=KEY_BYTES]);
        entry[KEY_BYTES..][..NUMBER_BYTES].copy_from_slice(&number_bytes(place.record));
        entry[KEY_BYTES + NUMBER_BYTES..].copy_from_slice(&number_bytes(place.line));
        self.0.push(key[0], entry)
    }

    fn place(entry: &[u8]) -> Place {
        let (record, line) = entry[KEY_BYTES..].split_at(NUMBER_BYTES);
        Place { record: number(record), line: number(line) }
    }

    /// The repeats among `records` records: those for which `is_repeat` holds of the first of their class and them.
    /// They take about `memory` bytes.
    fn repeats(
        &self,
        records: u64,
        memory: u64,
        rewriting: &RewriteOptions<'_>,
        is_repeat: impl Fn(Place, Place) -> bool + Sync,
    ) -> Result<Repeats, Error> {
        let repeats = Mutex::new(Repeats::new(records, memory));
        let find = |entries: &mut Vec<_>, part: usize| {
            if rewriting.stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::Stopped.into());
            }
            self.0.read(part, entries)?;
            let classes = entries.chunk_by(|one, other| one[..KEY_BYTES] == other[..KEY_BYTES]);
            let mut found = Vec::new();
            for class in classes {
                let mut places = class.iter().map(|entry| Keys::place(entry));
                let Some(first) = places.next() else { continue };
                found.extend(
                    places.filter(|&place| is_repeat(first, place)).map(|place| (place.record, first)),
                );
            }
            let mut repeats = repeats.lock().unwrap_or_else(PoisonError::into_inner);
            found.into_iter().try_for_each(|(record, first)| repeats.push(record, first))
        };
        threads::start(rewriting.threads)?
            .install(|| (0..PARTS).into_par_iter().try_for_each_init(Vec::new, find))?;
        Ok(repeats.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Records that repeat an earlier one.
///
/// ```text
/// entry   record | first of its class | its line
///         5        5                    5 bytes
/// ```
#[derive(Debug)]
struct Repeats {
    scatter: Scatter<{ 3 * NUMBER_BYTES }>,
    records: u64,
    count: u64,
}

impl Repeats {
    fn new(records: u64, memory: u64) -> Repeats {
        Repeats { scatter: Scatter::new(memory), records, count: 0 }
    }

    fn push(&mut self, record: u64, first: Place) -> Result<(), Error> {
        let mut entry = [0; 3 * NUMBER_BYTES];
        for (bytes, number) in entry.chunks_exact_mut(NUMBER_BYTES).zip([record, first.record, first.line]) {
            bytes.copy_from_slice(&number_bytes(number));
        }
        // The parts are as long, so that they are in the order of the records.
        let part = u128::from(record) * PARTS as u128 / u128::from(self.records.max(1));
        self.count += 1;
        self.scatter.push(part as u8, entry)
    }

    fn spilled_bytes(&self) -> u64 {
        self.scatter.spilled_bytes()
    }

    /// Calls `take` with each repeat and the first of its class, in the order of the repeats.
    fn for_each(&self, mut take: impl FnMut(u64, Place)) -> Result<(), Error> {
        let mut entries = Vec::new();
        (0..PARTS).try_for_each(|part| {
            self.scatter.read(part, &mut entries)?;
            entries.iter().map(Repeats::of).for_each(|(record, first)| take(record, first));
            Ok(())
        })
    }

    fn of(entry: &[u8; 3 * NUMBER_BYTES]) -> (u64, Place) {
        let mut numbers = entry.chunks_exact(NUMBER_BYTES).map(number);
        let [repeat, record, line] = std::array::from_fn(|_| numbers.next().unwrap_or_default());
        (repeat, Place { record, line })
    }

    /// The repeats from the first record on.
    fn into_order(self) -> RepeatsInOrder {
        RepeatsInOrder { repeats: self, part: 0, entries: Vec::new(), next: 0 }
    }
}

/// Repeats in the order of their records.
#[derive(Debug)]
struct RepeatsInOrder {
    repeats: Repeats,
    /// The part behind `entries`.
    part: usize,
    entries: Vec<[u8; 3 * NUMBER_BYTES]>,
    /// The next of the entries.
    next: usize,
}

impl RepeatsInOrder {
    /// The first record of the class of `record`, if it is a repeat. Records must ascend.
    fn find(&mut self, record: u64) -> Result<Option<Place>, Error> {
        loop {
            while let Some(entry) = self.entries.get(self.next) {
                let (repeat, first) = Repeats::of(entry);
                if repeat > record {
                    return Ok(None);
                }
                self.next += 1;
                if repeat == record {
                    return Ok(Some(first));
                }
            }
            if self.part == PARTS {
                return Ok(None);
            }
            self.repeats.scatter.read(self.part, &mut self.entries)?;
            (self.part, self.next) = (self.part + 1, 0);
        }
    }
}

impl Place {
    fn of(at: &RecordPlace<'_>) -> Place {
        Place { record: at.records_before, line: at.lines_before + at.line.saturating_sub(1) }
    }
}

/// What was read the first time.
#[derive(Debug, Default)]
struct FirstReading {
    /// The sources, with the records and lines up to the end of each.
    sources: Vec<(PathBuf, Place)>,
}

impl FirstReading {
    fn of(inputs: &[SolvedInput]) -> FirstReading {
        let mut read = Place::default();
        let end = |input: &SolvedInput| {
            read = Place { record: read.record + input.records, line: read.line + input.lines };
            (input.name.clone(), read)
        };
        FirstReading { sources: inputs.iter().map(end).collect() }
    }

    /// Where the source `index` begins.
    fn start(&self, index: usize) -> Place {
        index
            .checked_sub(1)
            .and_then(|before| self.sources.get(before))
            .map_or(Place::default(), |(_, end)| *end)
    }

    /// Checks that the source `index`, read again, has as many records and lines as before.
    fn check(&self, index: usize, again: &SolvedInput) -> Result<(), Error> {
        let Place { record, line } = self.start(index);
        let end = Place { record: record + again.records, line: line + again.lines };
        match self.sources.get(index) {
            Some((name, before)) if (name, *before) == (&again.name, end) => Ok(()),
            _ => Err(Error::at(&again.name, InputError::Changed)),
        }
    }

    /// The source and its line, from 1, of a line over all sources.
    fn place_of(&self, line: u64) -> LinePlace<'_> {
        let at = self.sources.partition_point(|(_, end)| end.line <= line);
        let path = self.sources.get(at).map_or(Path::new(""), |(path, _)| path);
        LinePlace { path, line: line - self.start(at).line + 1 }
    }
}

/// A line of a source. Prints as `file:7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePlace<'a> {
    /// The source.
    pub path: &'a Path,
    /// The line, from 1.
    pub line: u64,
}

impl fmt::Display for LinePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", printable(self.path), self.line)
    }
}
