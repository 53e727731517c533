//! What is compared, and how.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::error::PlanError;
use super::puzzles::Set;
use galop_engines::engine::{Entry, Isa};
use galop_engines::puzzle::Limits;

/// The engines of a comparison, and its options.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The engines, each named once.
    pub engines: &'a [&'a Entry],
    /// What differs from the plan for the engine in the same place of `engines`; nothing for those behind the end. The
    /// name of each engine of the plan must be its own, so a variant needs a row of its own.
    pub variants: &'a [Variant],
    /// The place in `engines` of the reference: the engine whose times the others are divided by.
    pub reference: usize,
    /// Solutions after which a search stops; see [`Limits::solutions`].
    pub solutions: u64,
    /// Guesses after which a search gives up; `None` for each engine's own [limit](Entry::max_guesses).
    pub max_guesses: Option<u64>,
    /// The instruction set of engines that are compiled for several.
    pub isa: Isa,
    /// Measured runs of every engine.
    pub runs: usize,
    /// Threads that solve, for one engine at a time; `None` for one for each core.
    pub threads: Option<NonZero<usize>>,
    /// The seed of orders, symmetries and resamples.
    pub seed: u64,
    /// Whether every run permutes the puzzles and shuffles their order.
    pub is_permuted: bool,
    /// Processor time after which an engine's run ends; `None` for no limit.
    pub budget: Option<Duration>,
    /// The command that was typed, for the report.
    pub command: Option<String>,
    /// Setting this to true ends the comparison with [`ErrorKind::Stopped`](galop_batch::ErrorKind::Stopped).
    pub stop: &'a AtomicBool,
}

/// What differs from the plan for one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Its instruction set.
    pub isa: Option<Isa>,
    /// Its number of threads.
    pub threads: Option<NonZero<usize>>,
    /// The command of another program, which solves in place of the engine: it gets a line for each puzzle, and prints
    /// a line for each. `{}` in the command is replaced by the name of a file; without it the puzzles come on standard
    /// input.
    pub command: Option<String>,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Plan<'a> {
    /// A plan for `engines`, the first of them the reference: ten runs to the first solution on one thread, at most
    /// ten seconds each.
    pub fn new(engines: &'a [&'a Entry]) -> Plan<'a> {
        Plan {
            engines,
            variants: &[],
            reference: 0,
            solutions: 1,
            max_guesses: None,
            isa: Isa::best(),
            runs: 10,
            threads: Some(NonZero::<usize>::MIN),
            seed: 0,
            is_permuted: true,
            budget: Some(Duration::from_secs(10)),
            command: None,
            stop: &NEVER,
        }
    }

    /// The instruction set of the engine `index`.
    pub(super) fn isa_of(&self, index: usize) -> Isa {
        self.variants.get(index).and_then(|variant| variant.isa).unwrap_or(self.isa)
    }

    /// The command of the engine `index`, if it is another program.
    pub(super) fn command_of(&self, index: usize) -> Option<&str> {
        self.variants.get(index).and_then(|variant| variant.command.as_deref())
    }

    /// The number of threads of the engine `index`; `None` for one for each core.
    pub(super) fn threads_of(&self, index: usize) -> Option<NonZero<usize>> {
        match self.variants.get(index) {
            Some(Variant { command: Some(_), .. }) => Some(NonZero::<usize>::MIN),
            Some(Variant { threads: Some(threads), .. }) => Some(*threads),
            _ => self.threads,
        }
    }

    /// Answers of the whole comparison on `puzzles`, the warm-up among them.
    pub fn answers(&self, puzzles: &Set) -> u64 {
        let passes = (self.engines.len() as u64).saturating_mul((self.runs as u64).saturating_add(1));
        passes.saturating_mul(puzzles.len() as u64)
    }

    /// Where the searches of `entry` stop.
    pub(super) fn limits(&self, entry: &Entry) -> Limits {
        Limits::count(self.solutions).with_guesses(self.max_guesses.unwrap_or(entry.max_guesses))
    }

    /// Checks that the plan can be carried out on `puzzles`.
    pub(super) fn check(&self, puzzles: &Set) -> Result<(), PlanError> {
        let names: Vec<&'static str> = self.engines.iter().map(|entry| entry.name).collect();
        let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        match twice {
            Some((_, name)) => Err(PlanError::EngineTwice(name)),
            None if names.is_empty() => Err(PlanError::NoEngine),
            None if self.reference >= names.len() => Err(PlanError::Reference),
            None if self.runs == 0 => Err(PlanError::NoRuns),
            None if self.solutions == 0 => Err(PlanError::NoSolutions),
            None if puzzles.is_empty() => Err(PlanError::NoPuzzles),
            None => Ok(()),
        }
    }
}
