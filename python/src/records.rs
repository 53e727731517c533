//! Rows of cells as the records of a run of the library: a table in memory, which sources read as often as a run needs.
//!
//! ```text
//! row,puzzle,solution        the header; without answers it has no solutions, and the row only if a run writes records
//! 0,4.....8.5...,4173...     a row of cells
//! 1,!,                       a row that is malformed
//! ```
//! So the calls on data sets find what the tool finds in a file with these puzzles: both take the same path. A run that
//! writes records writes their rows with them, from which [`Lines`] reads them.

use std::io::{self, Cursor, Write};
use std::num::NonZero;
use std::sync::Arc;

use galop_batch::input::{ColumnChoice, Source};
use galop_batch::output::{CSV, Outlet};
use galop_batch::pipeline::{Part, RewriteOptions, RewriteRun, Watch};
use galop_corpora::LinePlace;
use galop_engines::Control;
use pyo3::prelude::*;

use crate::call::threads_of;
use crate::error::of_run;
use crate::rules::Rules;

/// Bytes of a chunk. A call often has few puzzles, and a chunk goes to one thread: a small one keeps all threads busy.
const CHUNK_BYTES: usize = 64 << 10;

/// The name of the sources, for errors.
const NAME: &str = "<puzzles>";

/// Rows of cells as text.
pub(crate) struct Table {
    text: Text,
    has_answers: bool,
    /// Rows that are puzzles.
    pub(crate) puzzles: usize,
}

#[derive(Clone)]
struct Text(Arc<Vec<u8>>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Table {
    /// The table of `puzzles`, with the solutions beside them, of which the last ones may be missing. A row with a
    /// number that is no cell is malformed; such a solution is no answer.
    pub(crate) fn new(rules: &Rules, puzzles: &[u8], solutions: Option<&[u8]>) -> Table {
        Table::with(rules, puzzles, solutions, |_, _| ())
    }

    /// The same with a column of the numbers of the rows.
    pub(crate) fn numbered(rules: &Rules, puzzles: &[u8], solutions: Option<&[u8]>) -> Table {
        // Vectors of bytes take all that is written.
        Table::with(rules, puzzles, solutions, |row, text| match row {
            Some(row) => drop(write!(text, "{row},")),
            None => text.extend_from_slice(b"row,"),
        })
    }

    /// `begin` writes what comes before the puzzle of a row, or before the header.
    fn with(
        rules: &Rules,
        puzzles: &[u8],
        solutions: Option<&[u8]>,
        begin: impl Fn(Option<usize>, &mut Vec<u8>),
    ) -> Table {
        let cells = rules.cells();
        let rows = puzzles.len() / cells;
        let is_puzzle = well_formed(rules);
        let each = cells + 1 + solutions.map_or(0, |_| cells + 1) + 8;
        let mut text = Vec::with_capacity(rows * each + 32);
        begin(None, &mut text);
        text.extend_from_slice(if solutions.is_some() { b"puzzle,solution\n" } else { b"puzzle\n" });
        let mut answers = solutions.map(|solutions| solutions.chunks_exact(cells));
        let mut count = 0;
        for (row, puzzle) in puzzles.chunks_exact(cells).enumerate() {
            begin(Some(row), &mut text);
            if is_puzzle(puzzle) {
                rules.notation.write(puzzle, &mut text);
                count += 1;
            } else {
                text.push(b'!');
            }
            if let Some(answers) = &mut answers {
                text.push(b',');
                if let Some(answer) = answers.next().filter(|answer| is_puzzle(answer)) {
                    rules.notation.write(answer, &mut text);
                }
            }
            text.push(b'\n');
        }
        Table { text: Text(Arc::new(text)), has_answers: solutions.is_some(), puzzles: count }
    }

    /// A source that reads the table from its start.
    pub(crate) fn source(&self) -> Source {
        let mut source = Source::stream(NAME, Cursor::new(self.text.clone()));
        source.choose_columns(ColumnChoice {
            puzzle: Some("puzzle".to_owned()),
            answer: self.has_answers.then(|| "solution".to_owned()),
        });
        source
    }

    /// Has `run` read the table, and write to `outs`.
    pub(crate) fn go_through<C>(
        &self,
        mut run: RewriteRun<'_, C>,
        outs: &mut [&mut dyn Outlet],
        control: &Control,
    ) -> PyResult<()> {
        let read = run.read(&mut self.source(), Part::WHOLE, outs, &mut Counter::new(control));
        read.and_then(|()| run.finish(outs)).map(drop).map_err(of_run)
    }
}

/// Whether all cells of a row are cells of puzzles of `rules`.
pub(crate) fn well_formed(rules: &Rules) -> impl Fn(&[u8]) -> bool + use<> {
    let most = rules.rules.most();
    move |row| row.iter().all(|&cell| cell <= most)
}

/// The row of a record of a table, by its line: the header is line 1.
pub(crate) fn row_of(place: LinePlace<'_>) -> usize {
    place.line.saturating_sub(2) as usize
}

/// How a run reads tables: `control` stops it.
pub(crate) fn rewriting(threads: Option<usize>, control: &Control) -> RewriteOptions<'_> {
    RewriteOptions::default()
        .threads(threads_of(threads))
        .format(CSV)
        .chunk_bytes(NonZero::new(CHUNK_BYTES))
        .stop(control.stop_flag())
}

/// Counts the records of one run for the progress of a call.
pub(crate) struct Counter<'a> {
    control: &'a Control,
    records: u64,
}

impl Counter<'_> {
    pub(crate) fn new(control: &Control) -> Counter<'_> {
        Counter { control, records: 0 }
    }
}

impl Watch for Counter<'_> {
    fn advanced(&mut self, _position: u64, records: u64) {
        self.control.add(records.saturating_sub(self.records) as usize);
        self.records = self.records.max(records);
    }

    fn working(&mut self, position: u64, records: u64) {
        self.advanced(position, records);
    }
}

/// Takes the records of a table that a run writes as csv: `take` gets the row of each, and its fields behind the row.
pub(crate) struct Lines<F> {
    take: F,
    is_header: bool,
    /// The beginning of a line whose end was not written yet.
    rest: Vec<u8>,
}

impl<F: FnMut(usize, &str)> Lines<F> {
    pub(crate) fn new(take: F) -> Lines<F> {
        Lines { take, is_header: true, rest: Vec::new() }
    }

    fn line(&mut self, line: &[u8]) {
        if std::mem::take(&mut self.is_header) {
            return;
        }
        // A table is ASCII, and so are the fields that runs add.
        let Some((row, fields)) = std::str::from_utf8(line).ok().and_then(|line| line.split_once(',')) else {
            return;
        };
        if let Ok(row) = row.parse() {
            (self.take)(row, fields);
        }
    }
}

impl<F: FnMut(usize, &str)> Write for Lines<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(line) if self.rest.is_empty() => self.line(line),
                Some(end) => {
                    let mut line = std::mem::take(&mut self.rest);
                    line.extend_from_slice(end);
                    self.line(&line);
                }
                None => self.rest.extend_from_slice(line),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F: FnMut(usize, &str)> Outlet for Lines<F> {}
