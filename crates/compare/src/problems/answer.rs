//! One contestant and one problem: the search, its time, and what it says.
//!
//! The time of an engine is the processor time of this process from before the engine is set up to the end of the
//! search, on all threads. If a program takes part, the problem is read from its text within that time, because a
//! program reads it, too.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use galop_batch::error::Error;
use galop_cover::problem::CoverChecker;
use galop_cover::{
    Assumptions, Choice, CoverError, CoverLimits, End, ExactCover, Isa, Natural, Rank, Setup, Solver,
};

use super::error::CoverFault;
use super::known::Said;
use super::printed::PrintedOptions;
use super::problem::Problem;
use crate::clock::{Clock, TimeSpent};
use crate::error::PlanError;
use crate::patterns::Patterns;
use crate::shell::{Printed, Shell};

/// What is wanted of a problem, and under which conditions.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    /// Solutions after which a search stops; `u64::MAX` for all.
    pub(super) solutions: u64,
    pub(super) is_cheapest: bool,
    pub(super) isa: Isa,
    pub(super) threads: Option<NonZero<usize>>,
    pub(super) budget: Option<Duration>,
    pub(super) nodes: Option<u64>,
    /// Whether engines read the text of the problem.
    pub(super) is_read: bool,
    pub(super) stop: &'a AtomicBool,
}

/// What a contestant did with a problem.
#[derive(Clone, Debug)]
pub(super) struct ProblemRun {
    pub(super) spent: TimeSpent,
    pub(super) said: Said,
    pub(super) nodes: Option<u64>,
    pub(super) state: State,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It found what was wanted.
    Finished,
    /// The budget ended it.
    Cut,
    /// The engine does not take the problem.
    Refused(String),
}

/// Lets an engine solve the problem.
///
/// # Errors
/// [`CoverFault::Search`]; [`ErrorKind::Threads`](galop_batch::error::ErrorKind::Threads).
pub(super) fn of_engine(choice: Choice, problem: &Problem, at: Conditions<'_>) -> Result<ProblemRun, Error> {
    timed(problem, at, |cover, limits| {
        let mut solver = Solver::new_within(cover, Setup::from(choice).isa(at.isa), limits)?;
        solver.set_threads(at.threads)?;
        let outcome = solver.search(limits).count()?;
        let is_all = matches!(outcome.end, End::Complete | End::Solutions);
        Ok((outcome.end, Said::Solutions { count: outcome.solutions, is_all }, outcome.nodes))
    })
}

/// Searches for the cheapest cover.
///
/// # Errors
/// As [`of_engine`].
pub(super) fn of_cheapest(problem: &Problem, at: Conditions<'_>) -> Result<ProblemRun, Error> {
    timed(problem, at, |cover, limits| {
        let ranking = cover.rank(Rank::Cheapest, 1).threads(at.threads).search(limits)?;
        let said = match ranking.end {
            End::Complete => Said::Cheapest(ranking.covers.first().map(|cover| cover.cost)),
            _ => Said::Nothing,
        };
        Ok((ranking.end, said, ranking.nodes))
    })
}

/// Times a search.
fn timed(
    problem: &Problem,
    at: Conditions<'_>,
    search: impl FnOnce(&ExactCover, &CoverLimits<'_>) -> Result<(End, Said, u64), CoverError>,
) -> Result<ProblemRun, Error> {
    let deadline = at.budget.and_then(|budget| Instant::now().checked_add(budget));
    let limits = CoverLimits::NONE.with_deadline(deadline).with_nodes(at.nodes).with_cancel(at.stop);
    let limits = limits.with_solutions((at.solutions < u64::MAX).then_some(at.solutions));
    let clock = Clock::start_of_process();
    let found = match at.is_read {
        true => problem.text.parse().map_err(CoverError::from).and_then(|cover| search(&cover, &limits)),
        false => search(&problem.cover, &limits),
    };
    let spent = clock.spent();
    let run = |said, nodes, state| ProblemRun { spent, said, nodes, state };
    Ok(match found {
        Ok((End::Complete | End::Solutions, said, nodes)) => run(said, Some(nodes), State::Finished),
        Ok((_, said, nodes)) => run(said, Some(nodes), State::Cut),
        Err(CoverError::Stopped { .. }) => run(Said::Nothing, None, State::Cut),
        Err(error @ CoverError::Unsuitable { .. }) => {
            run(Said::Nothing, None, State::Refused(error.to_string()))
        }
        Err(CoverError::Threads(error)) => return Err(error.into()),
        Err(error) => return Err(CoverFault::Search(error).into()),
    })
}

/// The smallest problem: one item, one option. What a program takes for it is its start.
const SMALLEST: &str = "a\na\n";

/// What the start of a program takes; `None` if it fails on the smallest problem, or was stopped.
pub(super) fn start_of(shell: &Shell, is_stopped: &dyn Fn() -> bool) -> Option<TimeSpent> {
    shell.run(SMALLEST.as_bytes(), is_stopped).ok().flatten().map(|printed| printed.spent)
}

/// Lets a program solve the problem. A solution that it prints is checked, if solutions or the cheapest cover are
/// wanted and not the number of all.
///
/// # Errors
/// [`PlanError::Program`]; [`CoverFault::Printed`].
pub(super) fn of_program(
    shell: &Shell,
    patterns: &Patterns,
    name: &str,
    problem: &Problem,
    at: Conditions<'_>,
) -> Result<ProblemRun, Error> {
    let started = Instant::now();
    let is_late = || at.budget.is_some_and(|budget| started.elapsed() >= budget);
    let is_stopped = || at.stop.load(Ordering::Relaxed) || is_late();
    let printed = shell.run(problem.text.as_bytes(), &is_stopped).map_err(|error| {
        let (command, reason) = (name.to_owned(), error.to_string());
        Error::from(PlanError::Program { command, reason })
    });
    let Some(Printed { out, err, spent }) = printed? else {
        let wall = started.elapsed();
        let spent = TimeSpent { cpu: wall, wall };
        return Ok(ProblemRun { spent, said: Said::Nothing, nodes: None, state: State::Cut });
    };
    let out = String::from_utf8_lossy(&out);
    let text = format!("{out}\n{}", String::from_utf8_lossy(&err));
    let counted = patterns.solutions(&text).and_then(|digits| digits.parse::<Natural>().ok());
    let is_all_wanted = at.solutions == u64::MAX && !at.is_cheapest;
    let solution = match is_all_wanted {
        true => Vec::new(),
        false => PrintedOptions::of(&problem.cover).last_solution(&out),
    };
    if !solution.is_empty() {
        let checked = CoverChecker::new(&*problem.cover).check(&solution, &Assumptions::default());
        let program = name.to_owned();
        checked.map_err(|violation| CoverFault::Printed { program, violation })?;
    }
    let said = match (at.is_cheapest, counted) {
        (true, _) if solution.is_empty() => Said::Nothing,
        (true, _) => {
            let costs = solution.iter().map(|&option| u128::from(problem.cover.cost(option)));
            Said::Cheapest(Some(costs.sum()))
        }
        (false, Some(count)) => {
            // It may count more than were wanted.
            let most = Natural::from(u128::from(at.solutions));
            let is_more = count.to_u128().is_none_or(|count| count > u128::from(at.solutions));
            Said::Solutions { count: if !is_all_wanted && is_more { most } else { count }, is_all: true }
        }
        (false, None) if solution.is_empty() => Said::Nothing,
        (false, None) => Said::Solutions { count: Natural::from(1u128), is_all: at.solutions == 1 },
    };
    Ok(ProblemRun { spent, said, nodes: patterns.guesses(&text), state: State::Finished })
}
