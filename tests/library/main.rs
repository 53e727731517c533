//! The library from outside, in memory: engines, formats, the pipeline.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::path::Path;

use galop_batch::Error;
use galop_batch::input::Source;
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolveRun};
use galop_engines::Rules;
use galop_engines::engine::Entry;

mod chunks;
mod clashing;
mod columns;
mod crosscheck;
mod drawn;
mod engines;
mod explain;
mod export;
mod faults;
mod grids;
mod kinds;
mod lanes;
mod lines;
mod objects;
mod pairs;
mod pasted;
mod pipeline;
mod resume;
mod shards;
mod tables;

/// A stream of this text, of the name `file`.
fn stream(text: impl Into<Vec<u8>>) -> Source {
    Source::stream("file", Cursor::new(text.into()))
}

/// Opens a file of the calling test, mapped or not.
fn open(path: &Path, map: bool) -> Source {
    try_open(path, map).unwrap()
}

/// The same, or the reason why the file is refused.
#[allow(unsafe_code)]
fn try_open(path: &Path, map: bool) -> Result<Source, Error> {
    // SAFETY: only the test knows the file, and it never truncates it. What the test writes to it while it is mapped
    // are the bytes that are there already, or bytes behind the map.
    if map { unsafe { Source::open_mapped(path) } } else { Source::open(path) }
}

/// Solves a source as 9x9 sudokus: the output and what was counted.
fn solve(
    source: &mut Source,
    entry: &Entry,
    options: SolveOptions<'_>,
) -> Result<(String, SolveOutcome), Error> {
    let (mut run, mut out) = (SolveRun::open(&Rules::default(), entry, options)?, Vec::new());
    run.solve(source, &mut out, &mut ())?;
    let outcome = run.finish(&mut out)?;
    Ok((String::from_utf8(out).unwrap(), outcome))
}
