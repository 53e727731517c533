//! An argument that is a file of puzzles or itself a puzzle.

use std::io::{self, Cursor, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::bail;
use galop_batch::figures::pluralize;
use galop_batch::input::{RecordReader, Source, stranger};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_cover::Assumptions;
use galop_engines::grid::Alphabet;

use super::rules::{self, KindChoice};
use super::whole::is_stdin;
use super::{command, input};

/// Opens the file `name`. If no such file exists and `name` is itself a puzzle, the source is that puzzle.
///
/// # Errors
/// The error of the file, or what is wrong with `name` if it is nearly a puzzle, or a link.
pub(super) fn open(name: &Path, choice: &KindChoice, map: bool) -> anyhow::Result<Vec<Source>> {
    if let Some(text) = name.to_str().filter(|_| !name.exists()) {
        if is_puzzle(text, choice) {
            return Ok(vec![argument(text)]);
        }
        if let Some(kind) = stranger(text.as_bytes()).filter(|_| is_link(text)) {
            let (command, link) = (command::name(), command::quoted_path(name));
            // What is behind a link to no known program may be a file of puzzles.
            if Some(kind) == stranger(b"https://") {
                bail!("{link} is a link, which galop does not open: curl -sL {link} | galop {command} -")
            }
            bail!("{link} is {}; {}", kind.name, kind.way_out)
        }
        match nearly(text, choice) {
            // The error of the source says what is wrong.
            Some(Ok(())) => return Ok(vec![argument(text)]),
            Some(Err(fault)) => bail!("`{}` is neither a file nor a puzzle: {fault}", text.escape_debug()),
            None => {}
        }
    }
    Ok(input::open_each(name, map)?)
}

/// Whether what is read is typed by a person: one argument that is no file, or lines on a terminal.
pub(super) fn is_typed(files: &[PathBuf]) -> bool {
    match files {
        [name] if is_stdin(name) => io::stdin().is_terminal(),
        [name] => !name.exists(),
        _ => false,
    }
}

/// The source of an argument that is a puzzle.
fn argument(text: &str) -> Source {
    Source::stream("<argument>", Cursor::new(text.to_owned()))
}

/// Whether `text` has records, and all of them are puzzles.
fn is_puzzle(text: &str, choice: &KindChoice) -> bool {
    let mut source = argument(text);
    let Ok(rules) = rules::of_choice(choice, std::slice::from_mut(&mut source)) else { return false };
    let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &rules);
    let mut has_puzzles = false;
    while let Ok(Some(records)) = reader.next_chunk() {
        for record in records.iter() {
            if record.puzzle.is_err() {
                return false;
            }
            has_puzzles = true;
        }
    }
    has_puzzles
}

/// Whether `text` is the address of a page, also without `https://`.
fn is_link(text: &str) -> bool {
    let host = text.split_once('/').map(|(host, _)| host).filter(|host| !host.starts_with('.'));
    ["http://", "https://"].iter().any(|start| text.starts_with(start))
        || host.is_some_and(|host| host.contains('.') && !Path::new(host).exists())
}

/// What is wrong with `text` if it is nearly a puzzle: about as long as one, and nearly all of it cells. Nothing, if it
/// has the cells of one: they fit several alphabets, or none.
fn nearly(text: &str, choice: &KindChoice) -> Option<Result<(), String>> {
    /// One cell of this many may be too many, lacking, or not a cell.
    const SHARE: usize = 10;
    if let Some(choices) = choice.problem.as_ref().and_then(|rules| rules.choices()) {
        let is_record = |text: &str| text.contains([' ', ':', '|']);
        let read = choices.read(text.as_bytes(), &mut Assumptions::default());
        return read.err().filter(|_| is_record(text)).map(|error| Err(error.to_string()));
    }
    // A solution or a comment may be behind it.
    let text = text.split([',', ';', '#']).next()?;
    let is_text = |byte: &u8| !byte.is_ascii_whitespace();
    let found = text.bytes().filter(is_text).count();
    let side = *choice.variant.sides().iter().min_by_key(|&&side| found.abs_diff(side * side))?;
    let cells = side * side;
    let alphabets = Alphabet::all(side.min(64) as u8);
    let is_cell = |byte: u8| alphabets.iter().any(|alphabet| alphabet.cell(byte).is_some());
    let mut others = text.bytes().enumerate().filter(|(_, byte)| is_text(byte) && !is_cell(*byte));
    let first = others.next();
    let wrong = others.count() + usize::from(first.is_some());
    if found.abs_diff(cells) + wrong > cells / SHARE {
        return None;
    }
    if first.is_none() && found == cells {
        return Some(Ok(()));
    }
    Some(Err(match first {
        Some((at, _)) => {
            let character = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('?');
            format!("column {}: unexpected `{}`", at + 1, character.escape_debug())
        }
        None => {
            let found = pluralize(found as u64, "cell", "cells");
            format!("{found}; a {side}x{side} puzzle has {cells}")
        }
    }))
}
