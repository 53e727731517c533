//! The sixth step: answers and malformed records are printed, or all solutions of a puzzle.

use super::all::{Fault, Listing};
use super::options::SolveOptions;
use super::page::Page;
use crate::engine::Entry;
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::input::format::Notation;
use crate::input::records::{Puzzle, Record};
use crate::output::record::Kept;
use crate::output::{self, Answered, Extras, FormatEntry, Layout};
use crate::pipeline::answerer::PuzzleAnswer;
use crate::pipeline::{ChunkJob, Failure};
use crate::puzzle::Status;

/// Prints records.
pub(super) struct Printer {
    format: &'static FormatEntry,
    /// Whether lines have their puzzle, if a line of text is printed for every record and nothing else.
    pub(super) has_puzzle: Option<bool>,
    separator: u8,
    layout: Layout,
    /// Where the records of the chunk come from.
    place: output::Place,
    extras: Extras,
    times: bool,
    rules: Rules,
    notation: Notation,
    /// Room for a puzzle that was not read as one character a cell.
    puzzle: Vec<u8>,
    /// Prints all solutions, if they are requested.
    listing: Option<Listing>,
    /// Solutions of the chunk that were printed.
    listed: u64,
    /// Solutions of a puzzle that are printed at most.
    most: u64,
}

impl Printer {
    pub(super) fn new(
        rules: &Rules,
        engine: &Entry,
        (layout, extras): (&Layout, Extras),
        options: &SolveOptions<'_>,
    ) -> Result<Printer, Error> {
        let listing = || Listing::new(rules, engine).map_err(ErrorKind::from);
        Ok(Printer {
            format: options.format,
            has_puzzle: match options.format.printer {
                output::Printer::Line { has_puzzle } if options.selection.is_none() && !options.all => {
                    Some(has_puzzle)
                }
                _ => None,
            },
            separator: output::pair_separator(rules),
            layout: layout.clone(),
            place: output::Place::default(),
            extras,
            times: options.times,
            rules: rules.clone(),
            notation: rules.into(),
            puzzle: Vec::new(),
            listing: options.all.then(listing).transpose()?,
            listed: 0,
            most: if options.all { options.limits.max_solutions() } else { u64::MAX },
        })
    }

    /// Starts the page of `chunk`.
    pub(super) fn start(&mut self, chunk: &ChunkJob<'_>, page: &mut Page) {
        page.out.clear();
        // (Of a problem a line is not as long as its puzzle: cells of its grid are 0.)
        page.out.reserve(chunk.len() * 2 * (self.rules.grid().cells() + 1));
        let place = &mut self.place;
        place.lines_before = chunk.lines_before;
        place.source.clear();
        place.source.push_str(&chunk.source.to_string_lossy());
    }

    /// Takes the number of solutions that were printed, if all of them are.
    pub(super) fn take_listed(&mut self) -> Option<u64> {
        self.listing.as_ref().map(|_| std::mem::take(&mut self.listed))
    }

    /// `puzzle` on one line.
    #[inline(always)]
    pub(super) fn on_one_line<'b>(&'b mut self, puzzle: &Puzzle<'b>) -> &'b [u8] {
        puzzle.on_one_line(&self.notation, &mut self.puzzle)
    }

    /// Prints a line for each of some puzzles that are solved. Their texts begin every `stride` bytes; `texts` are their
    /// solutions, flat, `cells` bytes each.
    pub(super) fn print_solved(
        &self,
        (puzzles, stride): (&[u8], usize),
        texts: &[u8],
        cells: usize,
        out: &mut Vec<u8>,
    ) {
        for (index, text) in texts.chunks_exact(cells).enumerate() {
            let puzzle = (self.has_puzzle == Some(true)).then(|| &puzzles[index * stride..][..cells]);
            output::push_line(puzzle, text, self.separator, out);
        }
    }

    /// Prints the answer to `puzzle`, whose cells are written as `text`. It `differs` if the record gives a wrong
    /// answer.
    #[inline(always)]
    pub(super) fn print(
        &mut self,
        chunk: &ChunkJob<'_>,
        (record, puzzle): (&Record<'_>, &Puzzle<'_>),
        (answered, text): (&PuzzleAnswer<'_>, &[u8]),
        (kept, differs): (Option<Kept<'_>>, bool),
        page: &mut Page,
    ) -> Result<(), Failure> {
        let PuzzleAnswer { answer, cells, status, guesses_first } = *answered;
        let is_solved = status == Status::Solved;
        if let Some(has_puzzle) = self.has_puzzle {
            let answer = if is_solved { text } else { status.word().as_bytes() };
            let puzzle =
                if has_puzzle { Some(puzzle.on_one_line(&self.notation, &mut self.puzzle)) } else { None };
            output::push_line(puzzle, answer, self.separator, &mut page.out);
            return Ok(());
        }
        if let output::Printer::Cells(print) = self.format.printer {
            print(is_solved.then_some(cells), &self.rules, &mut page.out);
            return Ok(());
        }
        let Printer { format, layout, place, extras, rules, notation, listing, listed, most, .. } = self;
        let effort = answer.effort;
        let printed = Answered {
            puzzle: puzzle.on_one_line(notation, &mut self.puzzle),
            status,
            solution: is_solved.then_some(text),
            solution_number: (listing.is_some() && is_solved).then_some(1),
            solutions: answer.solutions.min(*most),
            guesses: effort.guesses,
            nanos: self.times.then_some(effort.nanos),
            calls: extras.calls.then_some((effort.calls, effort.depth)),
            partial: extras.partial.then_some(if answer.is_stuck() { text } else { b"" }),
            cells: puzzle.cells,
            guesses_first,
            differs,
            line: record.line,
            place,
            rules,
        };
        if let Some(listing) = listing {
            *listed += printed.solutions;
            if printed.solutions > 1 || answer.solutions > 0 && status == Status::Limit {
                let print =
                    |record: &Answered<'_>, out: &mut Vec<u8>| format.print(record, kept, layout, out);
                return print_all(listing, &printed, &print, chunk, page);
            }
        }
        format.print(&printed, kept, layout, &mut page.out);
        Ok(())
    }

    /// Prints a record that is not a puzzle.
    #[cold]
    pub(super) fn print_malformed(&self, record: &Record<'_>, kept: Option<Kept<'_>>, out: &mut Vec<u8>) {
        let printed = Answered {
            puzzle: record.text,
            status: Status::Malformed,
            solution: None,
            solution_number: None,
            solutions: 0,
            guesses: 0,
            nanos: None,
            calls: self.extras.calls.then_some((0, 0)),
            partial: self.extras.partial.then_some(b""),
            cells: &[],
            guesses_first: None,
            differs: false,
            line: record.line,
            place: &self.place,
            rules: &self.rules,
        };
        self.format.print(&printed, kept, &self.layout, out);
    }
}

/// Prints all solutions of a puzzle that has several.
#[cold]
fn print_all(
    listing: &mut Listing,
    record: &Answered<'_>,
    print: &dyn Fn(&Answered<'_>, &mut Vec<u8>),
    chunk: &ChunkJob<'_>,
    page: &mut Page,
) -> Result<(), Failure> {
    listing.print(record, print, &mut page.out, &|| chunk.is_stopped()).map_err(|fault| match fault {
        Fault::Wrong(kind) => Failure::in_line(record.line, kind),
        Fault::Stopped => Failure::stopped(),
    })
}
