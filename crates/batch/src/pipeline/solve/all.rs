//! Prints every solution of puzzles that have several: a record each.
//!
//! The engine of the run counts the solutions, which are then found again, one after the other. The published engines
//! list them in their own order ([`Entry::lists`]). For all others a [`Lister`] does, so that the order does not depend
//! on the engine. If there are more solutions than the run prints of a puzzle, a last record says so: its status is
//! `limit`, and it has no solution.
//!
//! A page holds all solutions that are printed of its puzzles, so memory grows with the limit on solutions.

use std::ops::ControlFlow;

use super::solution_text::wrong_solution;
use crate::engine::{Engine, Entry, Isa, Lister, NextSolution, Unsupported};
use crate::error::ErrorKind;
use crate::grid::{Rules, Verifier};
use crate::input::format::Notation;
use crate::output::Answered;
use crate::pipeline::crosscheck::in_words;
use crate::pipeline::{Disagreement, Opinion};
use crate::puzzle::{Limits, Status};

/// Why printing ended early.
#[derive(Debug)]
pub(super) enum Fault {
    Stopped,
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
    /// The engine that counts them.
    engine: &'static str,
    finder: Finder,
    verifier: Verifier,
    notation: Notation,
    cells: Vec<u8>,
    text: Vec<u8>,
}

impl Listing {
    pub(super) fn new(rules: &Rules, engine: &Entry) -> Result<Listing, Unsupported> {
        let cells = rules.stride();
        Ok(Listing {
            engine: engine.name,
            finder: Finder::new(rules, engine)?,
            verifier: Verifier::new(rules),
            notation: rules.into(),
            cells: vec![0; cells],
            text: vec![0; cells],
        })
    }

    /// Has `append` append a record for each solution of the puzzle of `record`, whose status is the puzzle's status.
    pub(super) fn print(
        &mut self,
        record: &Answered<'_>,
        append: &dyn Fn(&Answered<'_>, &mut Vec<u8>),
        out: &mut Vec<u8>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Fault> {
        let (puzzle, count) = (record.cells, record.solutions);
        let Listing { engine, finder, verifier, notation, cells, text } = self;
        let (name, mut number, mut ended) = (finder.name(), 0, None);
        let mut print = |solution: &[u8]| -> Result<bool, Fault> {
            number += 1;
            text.clear();
            notation.write(solution, text);
            // The bytes that are written are verified.
            if let Err(violation) = verifier.check_text(puzzle, text) {
                let wrong = wrong_solution(name, (puzzle, solution), violation, notation);
                return Err(Fault::Wrong(wrong.into()));
            }
            let solved = Answered {
                status: Status::Solved,
                solution: Some(text),
                solution_number: Some(number),
                ..*record
            };
            append(&solved, out);
            if number % 1024 == 0 && is_stopped() {
                return Err(Fault::Stopped);
            }
            Ok(number < count)
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
            return Err(Fault::Wrong(contradiction(puzzle, notation, (*engine, name), count, number)));
        }
        if record.status == Status::Limit {
            let end = Answered { solution: None, solution_number: None, differs: false, ..*record };
            append(&end, out);
        }
        Ok(())
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
