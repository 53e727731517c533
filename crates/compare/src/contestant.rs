//! Who takes part in a comparison.

use std::num::NonZero;

use galop_cover::Choice;
use galop_engines::engine::{Entry, Isa};

use super::figures::ProgramInfo;

/// One that takes part: a name of its own, and what solves under it.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// Its name. No other of the plan has it.
    pub name: String,
    /// What solves.
    pub by: By,
    /// Its instruction set; `None` for that of the plan.
    pub isa: Option<Isa>,
    /// What is known of another program, for the report.
    pub program: Option<ProgramInfo>,
    /// Its number of threads; `None` for that of the plan. (Another program has one process, however many threads it
    /// starts.)
    pub threads: Option<NonZero<usize>>,
}

/// What solves.
#[derive(Clone, Debug)]
pub enum By {
    /// An engine for puzzles.
    Engine(&'static Entry),
    /// An engine for exact cover problems, or the one that suits each problem.
    Cover(Choice),
    /// The search for the cheapest cover of an exact cover problem, which has no engines.
    Cheapest,
    /// Another program: a command for a shell.
    Program(String),
}

impl Contestant {
    /// One that differs from the plan in nothing.
    pub fn new(name: impl Into<String>, by: By) -> Contestant {
        Contestant { name: name.into(), by, isa: None, program: None, threads: None }
    }

    /// Whether it is another program.
    pub(super) fn is_program(&self) -> bool {
        matches!(self.by, By::Program(_))
    }
}

impl From<&'static Entry> for Contestant {
    fn from(entry: &'static Entry) -> Contestant {
        Contestant::new(entry.name, By::Engine(entry))
    }
}
