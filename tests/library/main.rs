//! The library from outside, in memory: engines, formats, the pipeline, comparisons, reports, pages.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;

use galop::input::source::Source;
use galop::pipeline::solve::{Options, Outcome, Road};
use galop::{Entry, Error, Rules};

mod altered;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod crosscheck;
mod engines;
mod export;
mod grids;
mod html;
mod kinds;
mod lanes;
mod lines;
mod norvig;
mod pipeline;
mod report;
mod sinai;

/// A stream of this text, of the name `file`.
fn stream(text: impl Into<Vec<u8>>) -> Source {
    Source::stream("file", Cursor::new(text.into()))
}

/// Solves a source as 9x9 sudokus: the output and what was counted.
fn solve(source: &mut Source, entry: &Entry, options: Options<'_>) -> Result<(String, Outcome), Error> {
    let mut road = Road::open(&Rules::sudoku(), entry, options, Vec::new())?;
    road.solve(source, &mut ())?;
    let (out, outcome) = road.close()?;
    Ok((String::from_utf8(out).unwrap(), outcome))
}
