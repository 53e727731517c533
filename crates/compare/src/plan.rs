//! What is compared, and how.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::contestant::{By, Contestant};
use super::error::PlanError;
use super::patterns::Patterns;
use galop_engines::chance::Chance;
use galop_engines::engine::{Entry, Isa};
use galop_engines::puzzle::Limits;

/// Who takes part in a comparison, and its options.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// Who takes part, each with a name of its own.
    pub contestants: Vec<Contestant>,
    /// The place in `contestants` of the reference: the one whose times the others are divided by.
    pub reference: usize,
    /// Solutions after which a search stops; see [`Limits::solutions`].
    pub solutions: u64,
    /// Whether the cheapest cover of each exact cover problem is searched, instead of solutions.
    pub is_cheapest: bool,
    /// Guesses after which a search gives up; `None` for each engine's own
    /// [limit](galop_engines::engine::Entry::max_guesses).
    pub max_guesses: Option<u64>,
    /// The instruction set of engines that are compiled for several.
    pub isa: Isa,
    /// Measured runs of every engine.
    pub runs: usize,
    /// Threads that solve, for one engine at a time; `None` for one for each core.
    pub threads: Option<NonZero<usize>>,
    /// The seed of orders and symmetries.
    pub seed: u64,
    /// Whether every run permutes the puzzles and shuffles their order, or shuffles the options of each problem.
    pub is_permuted: bool,
    /// Processor time after which an engine's run ends; `None` for no limit. For exact cover problems: elapsed time after
    /// which a search of one problem ends.
    pub budget: Option<Duration>,
    /// How the numbers of solutions and of guesses are found in what other programs print.
    pub patterns: Patterns,
    /// The command that was typed, for the report.
    pub command: Option<String>,
    /// Setting this to true ends the comparison with [`ErrorKind::Stopped`](galop_batch::ErrorKind::Stopped).
    pub stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Plan<'a> {
    /// A plan for `engines`, the first of them the reference: ten runs to the first solution on one thread, at most
    /// ten seconds each.
    pub fn new(engines: &[&'static Entry]) -> Plan<'a> {
        Plan {
            contestants: engines.iter().copied().map(Contestant::from).collect(),
            reference: 0,
            solutions: 1,
            is_cheapest: false,
            max_guesses: None,
            isa: Isa::best(),
            runs: 10,
            threads: Some(NonZero::<usize>::MIN),
            seed: 0,
            is_permuted: true,
            budget: Some(Duration::from_secs(10)),
            patterns: Patterns::default(),
            command: None,
            stop: &NEVER,
        }
    }

    /// The instruction set of `contestant`.
    pub(super) fn isa_of(&self, contestant: &Contestant) -> Isa {
        contestant.isa.unwrap_or(self.isa)
    }

    /// The number of threads of `contestant`; `None` for one for each core.
    pub(super) fn threads_of(&self, contestant: &Contestant) -> Option<NonZero<usize>> {
        match contestant.is_program() {
            true => Some(NonZero::<usize>::MIN),
            false => contestant.threads.or(self.threads),
        }
    }

    /// Answers of the whole comparison on `tasks` puzzles or problems, the warm-up among them.
    pub fn answers(&self, tasks: usize) -> u64 {
        let passes = (self.contestants.len() as u64).saturating_mul((self.runs as u64).saturating_add(1));
        passes.saturating_mul(tasks as u64)
    }

    /// Where the searches of `contestant` stop.
    pub(super) fn limits(&self, contestant: &Contestant) -> Limits {
        let limits = Limits::count(self.solutions);
        match (&contestant.by, self.max_guesses) {
            (_, Some(guesses)) => limits.with_guesses(guesses),
            (By::Engine(entry), None) => limits.with_guesses(entry.max_guesses),
            _ => limits,
        }
    }

    /// The chance of the run `run`, from 0. (Place 0 of the seed belongs to samples.)
    pub(super) fn chance(&self, run: usize) -> Chance {
        Chance::new(self.seed, run as u64 + 1)
    }

    /// The contestants in a random order.
    pub(super) fn turns(&self, chance: &mut Chance) -> Vec<usize> {
        let mut turns: Vec<usize> = (0..self.contestants.len()).collect();
        chance.shuffle(&mut turns);
        turns
    }

    /// Checks that the plan can be carried out on `tasks` puzzles or problems.
    pub(super) fn check(&self, tasks: usize) -> Result<(), PlanError> {
        let names: Vec<&str> = self.contestants.iter().map(|contestant| &*contestant.name).collect();
        let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
        match twice {
            Some((_, name)) => Err(PlanError::EngineTwice((*name).to_owned())),
            None if names.is_empty() => Err(PlanError::NoEngine),
            None if self.reference >= names.len() => Err(PlanError::Reference),
            None if self.runs == 0 => Err(PlanError::NoRuns),
            None if self.solutions == 0 => Err(PlanError::NoSolutions),
            None if tasks == 0 => Err(PlanError::NoPuzzles),
            None => Ok(()),
        }
    }
}
