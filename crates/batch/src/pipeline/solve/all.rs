//! Prints every solution of puzzles that have several: a record each.
//!
//! The engine of the run counts the solutions, which are then found again, one after the other. The published engines
//! list them in their own order ([`Entry::lists`]). For all others a [`Lister`] does, so that the order does not depend
//! on the engine. If there are more solutions than the run prints of a puzzle, a last record says so: its status is
//! `limit`, and it has no solution.
//!
//! A puzzle may have more solutions than memory holds. A worker prints solutions until its page has [`PAGE_BYTES`]. The
//! [`Rest`] of them is found and written when the page is delivered: that is slower, because one thread does it, but
//! takes no memory.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::solution_text::wrong_solution;
use crate::engine::{Engine, Entry, Isa, Lister, NextSolution, Unsupported};
use crate::error::ErrorKind;
use crate::grid::{Rules, Verifier};
use crate::input::format::Notation;
use crate::output::{FormatEntry, Layout, Place, Record, Row};
use crate::pipeline::crosscheck::in_words;
use crate::pipeline::{Disagreement, Opinion};
use crate::puzzle::{Limits, Status};

/// Bytes of a page up to which a worker prints solutions: 120 of each puzzle of a chunk. There are up to ten pages a
/// thread.
pub(super) const PAGE_BYTES: usize = 2 << 20;

/// Bytes that are written at a time when a page is delivered.
const BLOCK_BYTES: usize = 1 << 18;

/// The puzzle whose solutions are printed, and how many of them.
#[derive(Clone, Copy)]
pub(super) struct ListRequest<'a> {
    /// What is printed with each solution. The status is the puzzle's status.
    pub(super) record: Record<'a>,
    /// The engine that counted them.
    pub(super) engine: &'static str,
    /// Solutions that were printed before.
    pub(super) printed: u64,
    /// Solutions that are printed in all.
    pub(super) count: u64,
}

/// Why printing ended early.
#[derive(Debug)]
pub(super) enum Fault {
    Stopped,
    Write(io::Error),
    Wrong(ErrorKind),
}

/// Finds the solutions of a puzzle in an order that depends on the puzzle alone.
enum Finder {
    /// Dancing links.
    Links(Lister),
    /// An engine with an order of its own.
    Own(Box<dyn Engine>, &'static str),
}

impl Finder {
    fn new(rules: &Rules, engine: &Entry) -> Result<Finder, Unsupported> {
        Ok(match engine.lists {
            true => Finder::Own((engine.make)(rules, Isa::best())?, engine.name),
            false => Finder::Links(Lister::new(rules)?),
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Finder::Links(_) => Lister::ENGINE,
            Finder::Own(_, name) => name,
        }
    }

    /// Calls `visit` with each solution of `puzzle` until it breaks. Returns whether the run was stopped.
    fn each(
        &mut self,
        puzzle: &[u8],
        cells: &mut [u8],
        is_stopped: &dyn Fn() -> bool,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        match self {
            Finder::Own(engine, _) => {
                engine.list(puzzle, Limits::ALL, visit);
                false
            }
            Finder::Links(lister) => {
                lister.start(puzzle);
                loop {
                    match lister.next(cells, is_stopped) {
                        NextSolution::Solution if visit(cells).is_continue() => {}
                        NextSolution::Solution | NextSolution::End => return false,
                        NextSolution::Stopped => return true,
                    }
                }
            }
        }
    }
}

/// Lists solutions and prints them.
pub(super) struct Listing {
    finder: Finder,
    verifier: Verifier,
    notation: Notation,
    format: &'static FormatEntry,
    layout: Layout,
    rules: Rules,
    cells: Vec<u8>,
    text: Vec<u8>,
}

impl Listing {
    pub(super) fn new(
        rules: &Rules,
        engine: &Entry,
        format: &'static FormatEntry,
        layout: &Layout,
    ) -> Result<Listing, Unsupported> {
        let cells = rules.stride();
        Ok(Listing {
            finder: Finder::new(rules, engine)?,
            verifier: Verifier::new(rules),
            notation: rules.into(),
            format,
            layout: layout.clone(),
            rules: rules.clone(),
            cells: vec![0; cells],
            text: vec![0; cells],
        })
    }

    /// Appends the solutions to `out`. `is_full` is asked after each of them, and may empty it; if it says so, this
    /// returns early. Returns how many were printed in all, and whether nothing is left.
    pub(super) fn print(
        &mut self,
        wanted: &ListRequest<'_>,
        out: &mut Vec<u8>,
        is_stopped: &dyn Fn() -> bool,
        is_full: &mut dyn FnMut(&mut Vec<u8>) -> io::Result<bool>,
    ) -> Result<(u64, bool), Fault> {
        let ListRequest { record, engine, printed, count } = *wanted;
        let puzzle = record.cells;
        let record = Record { rules: &self.rules, ..record };
        let Listing { finder, verifier, notation, format, layout, cells, text, .. } = self;
        let (name, mut number, mut ended) = (finder.name(), 0, None);
        let mut print = |solution: &[u8]| -> Result<bool, Fault> {
            number += 1;
            if number <= printed {
                return Ok(number < count);
            }
            text.clear();
            notation.write(solution, text);
            // The bytes that are written are verified.
            if let Err(violation) = verifier.check_text(puzzle, text) {
                let wrong = wrong_solution(name, (puzzle, solution), violation, notation);
                return Err(Fault::Wrong(wrong.into()));
            }
            let solved = Record {
                status: Status::Solved,
                solution: Some(text),
                solution_number: Some(number),
                ..record
            };
            format.print(&solved, layout, out);
            let is_full = is_full(out).map_err(Fault::Write)?;
            if number % 1024 == 0 && is_stopped() {
                return Err(Fault::Stopped);
            }
            Ok(number < count && !is_full)
        };
        let is_stopped = finder.each(puzzle, cells, is_stopped, &mut |solution| match print(solution) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(fault) => {
                ended = Some(fault);
                ControlFlow::Break(())
            }
        });
        if let Some(fault) = ended.or(is_stopped.then_some(Fault::Stopped)) {
            return Err(fault);
        }
        if number < count {
            let is_full = is_full(out).map_err(Fault::Write)?;
            return match is_full {
                true => Ok((number, false)),
                false => {
                    Err(Fault::Wrong(contradiction(puzzle, &self.notation, (engine, name), count, number)))
                }
            };
        }
        if record.status == Status::Limit {
            let end = Record { solution: None, solution_number: None, differs: false, ..record };
            self.format.print(&end, &self.layout, out);
        }
        Ok((count, true))
    }

    /// Writes the solutions that a worker left.
    pub(super) fn write_rest(
        &mut self,
        rest: &Rest,
        to: &mut dyn Write,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Fault> {
        let mut out = Vec::with_capacity(2 * BLOCK_BYTES);
        self.print(&rest.wanted(), &mut out, is_stopped, &mut |out| {
            if out.len() >= BLOCK_BYTES {
                to.write_all(out)?;
                out.clear();
            }
            Ok(false)
        })?;
        to.write_all(&out).map_err(Fault::Write)
    }
}

/// The listing has fewer solutions than the engine counted.
#[cold]
fn contradiction(
    puzzle: &[u8],
    notation: &Notation,
    (engine, lister): (&str, &str),
    counted: u64,
    listed: u64,
) -> ErrorKind {
    let opinion = |engine: &str, solutions| Opinion {
        engine: engine.to_owned(),
        solutions,
        gave_up: false,
        solution: None,
    };
    let opinions = [opinion(engine, counted), opinion(lister, listed)];
    Disagreement { puzzle: in_words(puzzle, notation), opinions }.into()
}

/// The solutions of a puzzle that are printed when its page is delivered.
pub(super) struct Rest {
    /// Where they belong in the page.
    pub(super) at: usize,
    /// The line of the puzzle in its chunk, from 0.
    pub(super) line: u64,
    engine: &'static str,
    printed: u64,
    count: u64,
    puzzle: Vec<u8>,
    cells: Vec<u8>,
    row: Option<(Row<'static>, Vec<u8>, String, Vec<u32>)>,
    place: Place,
    /// The other fields, which borrow nothing.
    fields: Record<'static>,
}

impl Rest {
    /// What is left of `wanted`, `at` that byte of the page.
    pub(super) fn new(at: usize, wanted: &ListRequest<'_>) -> Rest {
        static NOWHERE: Place = Place { source: String::new(), lines_before: 0 };
        static NO_RULES: LazyLock<Rules> = LazyLock::new(Rules::default);
        let ListRequest { record, engine, printed, count } = *wanted;
        let own = |row: Row<'_>| {
            let Row { delimiter, columns, puzzle, missing, .. } = row;
            let rest = Row { text: b"", name: "", delimiter, columns, puzzle, missing, taken: &[] };
            (rest, row.text.to_vec(), row.name.to_owned(), row.taken.to_vec())
        };
        let Record { status, solutions, guesses, nanos, calls, guesses_first, differs, line, .. } = record;
        Rest {
            at,
            line,
            engine,
            printed,
            count,
            puzzle: record.puzzle.to_vec(),
            cells: record.cells.to_vec(),
            row: record.row.map(own),
            place: record.place.clone(),
            fields: Record {
                puzzle: b"",
                row: None,
                status,
                solution: None,
                solution_number: None,
                solutions,
                guesses,
                nanos,
                calls,
                partial: record.partial.map(|_| &b""[..]),
                cells: &[],
                guesses_first,
                differs,
                line,
                place: &NOWHERE,
                // (The printer sets them.)
                rules: &NO_RULES,
            },
        }
    }

    fn wanted(&self) -> ListRequest<'_> {
        let row = self.row.as_ref().map(|(row, text, name, taken)| Row { text, name, taken, ..*row });
        let Rest { puzzle, cells, place, fields, .. } = self;
        let record = Record { puzzle, cells, row, place, ..*fields };
        ListRequest { record, engine: self.engine, printed: self.printed, count: self.count }
    }
}
