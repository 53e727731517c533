//! Files of exact cover problems.

use std::io::Cursor;
use std::path::Path;

use anyhow::{anyhow, bail};
use galop_batch::input::{RecordReader, Source, detect_rules, stranger};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_batch::printable;
use galop_cover::ExactCover;
use galop_cover::problem::TextError;
use galop_cover::text::{self, Dropped};
use galop_engines::grid::Variant;

use super::{command, messages, whole};

/// Reads the problem of a file.
pub(super) fn read(path: &Path) -> anyhow::Result<ExactCover> {
    parse(whole::name_of(path), &whole::read(path)?)
}

pub(super) fn parse(name: &Path, bytes: &[u8]) -> anyhow::Result<ExactCover> {
    let read = text::read(bytes);
    if read.as_ref().map_or(true, |text| text.problem.options().len() == 0) && has_puzzles(bytes) {
        let solve = command::quoted_path(name);
        bail!(
            "{}: these are puzzles, not an exact cover problem; solve them: galop solve {solve}",
            printable(name)
        );
    }
    let text = read.map_err(|TextError { line, column, fault }| match stranger(bytes) {
        Some(kind) => anyhow!("{}: is {}; {}", printable(name), kind.name, kind.way_out),
        None => anyhow!("{}:{line}:{column}: {fault}", printable(name)),
    })?;
    warn_dropped(name, &text.dropped);
    Ok(text.problem)
}

/// Whether the first record of `bytes` is a puzzle.
fn has_puzzles(bytes: &[u8]) -> bool {
    let start = bytes[..bytes.len().min(CHUNK_BYTES)].to_vec();
    let mut sources = [Source::stream("", Cursor::new(start))];
    let Ok(rules) = detect_rules(&mut sources, &Variant::default(), None) else { return false };
    let [source] = &mut sources;
    let mut reader = RecordReader::new(source, CHUNK_BYTES, &rules);
    let first = reader.next_chunk().ok().flatten();
    first.is_some_and(|records| records.iter().next().is_some_and(|record| record.puzzle.is_ok()))
}

fn warn_dropped(name: &Path, dropped: &Dropped) {
    let lines: Vec<String> = dropped.lines.iter().map(u64::to_string).collect();
    let (what, lines) = match dropped.count {
        0 => return,
        1 => ("1 option without a primary item was dropped: line".to_owned(), lines.join(", ")),
        count => (format!("{count} options without a primary item were dropped: lines"), lines.join(", ")),
    };
    let more = if dropped.count > dropped.lines.len() as u64 { ", .." } else { "" };
    let numbers = "; the numbers of options do not count them";
    messages::warn(format_args!("{}: {what} {lines}{more}{numbers}", printable(name)));
}
