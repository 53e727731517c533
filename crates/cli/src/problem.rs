//! Files of exact cover problems.

use std::path::Path;

use anyhow::anyhow;
use galop_batch::input::stranger;
use galop_batch::printable;
use galop_cover::ExactCover;
use galop_cover::problem::TextError;
use galop_cover::text::{self, Dropped};

use super::{messages, whole};

/// Reads the problem of a file.
pub(super) fn read(path: &Path) -> anyhow::Result<ExactCover> {
    parse(whole::name_of(path), &whole::read(path)?)
}

pub(super) fn parse(name: &Path, bytes: &[u8]) -> anyhow::Result<ExactCover> {
    let text = text::read(bytes).map_err(|TextError { line, column, fault }| match stranger(bytes) {
        Some(kind) => anyhow!("{}: is {}; {}", printable(name), kind.name, kind.way_out),
        None => anyhow!("{}:{line}:{column}: {fault}", printable(name)),
    })?;
    warn_dropped(name, &text.dropped);
    Ok(text.problem)
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
