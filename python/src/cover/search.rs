//! Searches of a problem: count, the first solution, all of them as a stream, the best ones.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use galop_cover::{
    Assumptions, Choice, CoverError, CoverLimits, End, ExactCover, Natural, Observer, Progress, Rank,
    RankProgress, Ranking, Setup, SolutionStream, Solver, engine,
};
use galop_engines::Control;
use pyo3::prelude::*;

use super::limits::{GivenLimits, Limits, limit_of, limit_reached, limit_reached_with, of_search};
use super::number::Number;
use crate::call::{Watch, long, threads_of};
use crate::error::unknown;

/// Time between two looks at signals.
const TICK: Duration = Duration::from_millis(50);

/// Parts into which the progress of a search is divided.
const PARTS: f64 = 1e6;

/// How a problem is searched, as it is given: the engine's name, threads, a seed, and whether solutions come in
/// order.
#[derive(FromPyObject)]
pub(crate) struct GivenSetup(String, Option<usize>, u64, bool);

/// A search that has not begun.
pub(super) struct Question {
    problem: Arc<ExactCover>,
    assumptions: Assumptions,
    limits: Limits,
    setup: Setup,
    threads: Option<usize>,
    is_ordered: bool,
}

impl Question {
    pub(super) fn new(
        problem: Arc<ExactCover>,
        assumptions: Assumptions,
        limits: GivenLimits,
        GivenSetup(name, threads, seed, is_ordered): GivenSetup,
    ) -> PyResult<Question> {
        let limits = Limits::new(limits)?;
        let setup = Setup::from(choice(&name)?).memory(limits.memory).seed(seed);
        Ok(Question { problem, assumptions, limits, setup, threads, is_ordered })
    }

    /// Prepares a solver for the search.
    fn prepare(
        solver: &mut Solver<'_>,
        threads: Option<usize>,
        is_ordered: bool,
        Assumptions { chosen, forbidden }: &Assumptions,
    ) -> Result<(), CoverError> {
        solver.set_threads(threads_of(threads))?;
        solver.set_ordered(is_ordered);
        solver.assume(chosen, forbidden)
    }

    /// Builds a solver and lets `ask` search with it, on a thread of the call.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<&Py<PyAny>>,
        ask: impl FnOnce(&mut Solver<'_>, &CoverLimits<'_>, Option<&mut dyn Observer>) -> Result<T, CoverError>
        + Send,
    ) -> PyResult<T> {
        let control = Control::default();
        let has_watch = progress.is_some();
        let watch = Watch { progress, total: Some(PARTS as u64) };
        long(py, &control, &watch, || {
            let limits = self.limits.until(control.stop_flag());
            let mut solver = Solver::new_within(&self.problem, self.setup, &limits).map_err(of_search)?;
            Question::prepare(&mut solver, self.threads, self.is_ordered, &self.assumptions)
                .map_err(of_search)?;
            let mut report = |progress: &Progress| set_share(&control, progress.fraction);
            let observer: Option<&mut dyn Observer> = if has_watch { Some(&mut report) } else { None };
            ask(&mut solver, &limits, observer).map_err(of_search)
        })
    }

    /// The number of solutions.
    pub(super) fn count(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<Number> {
        let outcome = self.ask(py, progress, |solver, limits, observer| {
            let search = solver.search(limits);
            match observer {
                Some(observer) => search.observe(observer).count(),
                None => search.count(),
            }
        })?;
        match limit_of(outcome.end) {
            Some(limit) => {
                let message = format!("stopped by {limit}: at least {} solutions", outcome.solutions);
                Err(limit_reached(message, outcome.solutions))
            }
            None => Ok(Number(outcome.solutions)),
        }
    }

    /// A solution, if there is one.
    pub(super) fn first(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<Option<Vec<u32>>> {
        let (found, end) = self.ask(py, progress, |solver, limits, observer| {
            let search = solver.search(limits);
            let found = match observer {
                Some(observer) => search.observe(observer).first(),
                None => search.first(),
            };
            Ok((found?, solver.outcome().end))
        })?;
        match (found, limit_of(end)) {
            (None, Some(limit)) => {
                let message = format!("stopped by {limit} before a solution was found");
                Err(limit_reached(message, Natural::ZERO))
            }
            (found, _) => Ok(found.map(numbers)),
        }
    }

    /// The best solutions and their costs, the best first.
    pub(super) fn best(
        &self,
        py: Python<'_>,
        rank: Rank,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Vec<(Vec<u32>, u128)>> {
        let most =
            self.limits.solutions.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        let control = Control::default();
        let watch = Watch { progress, total: Some(PARTS as u64) };
        let ranking = long(py, &control, &watch, || {
            let mut report = |progress: &RankProgress| set_share(&control, progress.fraction);
            let Assumptions { chosen, forbidden } = &self.assumptions;
            let ranker = self.problem.rank(rank, most).threads(threads_of(self.threads));
            let ranker = ranker.assume(chosen, forbidden).watch(&mut report);
            ranker.search(&self.limits.until(control.stop_flag())).map_err(of_search)
        })?;
        let message = limit_of(ranking.end).map(|limit| format!("stopped by {limit}: {}", known(&ranking)));
        let covers = ranking.covers.into_iter().map(|cover| (numbers(cover.options), cover.cost)).collect();
        match message {
            Some(message) => Err(limit_reached_with(message, covers, ranking.bound)),
            None => Ok(covers),
        }
    }

    /// The solutions, one by one.
    pub(super) fn solutions(self) -> Solutions {
        let Question { problem, assumptions, limits, setup, threads, is_ordered } = self;
        let prepare =
            move |solver: &mut Solver<'_>| Question::prepare(solver, threads, is_ordered, &assumptions);
        let stream = SolutionStream::new(problem, setup, limits.of_search(), prepare);
        Solutions { stream: Mutex::new(Some(stream)) }
    }
}

/// The engine of that name, or the choice among all.
fn choice(name: &str) -> PyResult<Choice> {
    if name == "auto" {
        return Ok(Choice::Auto);
    }
    let names = || ["auto"].into_iter().chain(engine::ENGINES.iter().map(|entry| entry.name));
    engine::by_name(name).map(Choice::Engine).ok_or_else(|| unknown("engine", name, names()))
}

/// Which solutions are the best ones.
pub(super) fn rank(is_dearest: bool) -> Rank {
    if is_dearest { Rank::Dearest } else { Rank::Cheapest }
}

/// Options as numbers.
pub(super) fn numbers(options: Vec<galop_cover::OptionId>) -> Vec<u32> {
    options.into_iter().map(u32::from).collect()
}

/// Sets the share of a search that is done.
fn set_share(control: &Control, share: f64) {
    control.add(((share * PARTS) as usize).saturating_sub(control.done()));
}

/// What a search for the best solutions knows that a limit ended.
fn known(ranking: &Ranking) -> String {
    let [best, side] = match ranking.rank {
        Rank::Cheapest => ["cheapest", "at least"],
        Rank::Dearest => ["dearest", "at most"],
    };
    let bound = ranking.bound.map(|bound| format!("; all others cost {side} {bound}")).unwrap_or_default();
    match ranking.covers.first() {
        None => "no solution was found".into(),
        Some(cover) => format!("the {best} solution found costs {}{bound}", cover.cost),
    }
}

/// The solutions of a problem, found by threads that are some of them ahead.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct Solutions {
    /// `None` once it has ended.
    stream: Mutex<Option<SolutionStream>>,
}

impl Solutions {
    /// Waits for the next solution, but not long.
    fn next_within(&self, time: Duration) -> PyResult<Poll<Option<Vec<u32>>>> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(reader) = &mut *stream else { return Ok(Poll::Ready(None)) };
        match reader.next_within(time) {
            Poll::Pending => Ok(Poll::Pending),
            Poll::Ready(Some(Ok(options))) => Ok(Poll::Ready(Some(numbers(options)))),
            Poll::Ready(Some(Err(error))) => {
                *stream = None;
                Err(of_search(error))
            }
            Poll::Ready(None) => {
                let outcome = stream.take().and_then(SolutionStream::stop);
                let (end, count) = outcome
                    .map_or((End::Complete, Natural::ZERO), |outcome| (outcome.end, outcome.solutions));
                match limit_of(end) {
                    Some(limit) => {
                        Err(limit_reached(format!("stopped by {limit} after {count} solutions"), count))
                    }
                    None => Ok(Poll::Ready(None)),
                }
            }
        }
    }
}

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<u32>>> {
        loop {
            // A caller in C, like `list`, never looks at signals between two solutions.
            py.check_signals()?;
            if let Poll::Ready(solution) = py.detach(|| self.next_within(TICK))? {
                return Ok(solution);
            }
        }
    }

    /// Ends the search. The iterator has no more solutions then.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.stream.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }
}
