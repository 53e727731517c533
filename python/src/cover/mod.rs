//! Exact cover.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use galop_cover::problem::{BuildError, Builder};
use galop_cover::{
    Choice, CoverError, CoverLimits, ExactCover, ItemId, OptionId, SolutionStream, Solver, engine, text,
};
use galop_engines::Control;
use galop_engines::engine::{Entry, default_for};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::call::{Watch, long, threads_of};
use crate::error::value_error;

/// Time between two looks at signals.
const TICK: Duration = Duration::from_millis(50);

/// A problem that grows.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct Problem {
    state: Mutex<State>,
}

struct State {
    builder: Builder,
    options: u32,
    /// The problem so far, until another option is added.
    built: Option<Arc<ExactCover>>,
    /// The same as the rules of records.
    rules: Option<RecordRules>,
}

/// The rules of records of a problem, prepared once.
#[derive(Clone)]
pub(crate) struct RecordRules {
    /// A number that no other rules have.
    pub(crate) number: u64,
    pub(crate) rules: galop_engines::Rules,
    /// The fastest engine. Which it is takes as long to find out as to build it.
    pub(crate) engine: &'static Entry,
}

impl State {
    fn built(&mut self) -> PyResult<Arc<ExactCover>> {
        if let Some(built) = &self.built {
            return Ok(Arc::clone(built));
        }
        let built = Arc::new(self.builder.clone().finish().map_err(value_error)?);
        self.built = Some(Arc::clone(&built));
        Ok(built)
    }
}

impl Problem {
    /// The problem so far as the rules of records, the same until another option is added.
    pub(crate) fn rules(&self) -> PyResult<RecordRules> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let mut state = self.state();
        if let Some(rules) = &state.rules {
            return Ok(rules.clone());
        }
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let rules = galop_engines::Rules::problem(state.built()?);
        let rules = RecordRules { number, engine: default_for(&rules), rules };
        state.rules = Some(rules.clone());
        Ok(rules)
    }

    pub(crate) fn of_cover(problem: Arc<ExactCover>) -> Problem {
        let (builder, options) = (builder_of(&problem), problem.option_count() as u32);
        Problem { state: Mutex::new(State { builder, options, built: Some(problem), rules: None }) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn of_cover(error: CoverError) -> PyErr {
    match error {
        CoverError::WrongCover { .. } => PyRuntimeError::new_err(error.to_string()),
        CoverError::Threads(_) => PyOSError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// The builder that `problem` came from.
fn builder_of(problem: &ExactCover) -> Builder {
    let mut builder = ExactCover::builder();
    for item in (0..problem.item_count() as u32).map(ItemId) {
        let name = problem.item_name(item);
        if item.index() < problem.primary_count() {
            let bounds = problem.bounds(item);
            builder.primary_with_bounds(name, bounds.low, bounds.high);
        } else {
            builder.secondary(name);
        }
    }
    for (option, terms) in problem.options().enumerate() {
        let names = terms.iter().map(|term| {
            (problem.item_name(term.item), term.colour().map(|colour| problem.colour_name(colour)))
        });
        add(&mut builder, names, problem.cost(OptionId(option as u32))).ok();
    }
    builder
}

/// Adds an option of items, with colours or without. A name may contain what the text form reserves for colours.
fn add<'a>(
    builder: &mut Builder,
    terms: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    cost: u64,
) -> Result<OptionId, BuildError> {
    let terms: Vec<galop_cover::problem::TermRef<'_>> = terms
        .map(|(name, colour)| match colour {
            Some(colour) => (name, colour).into(),
            None => name.into(),
        })
        .collect();
    builder.try_option(terms, cost)
}

/// The items of an option with their colours, and its cost.
type OwnedOption = (Vec<(String, Option<String>)>, u64);

/// What `pickle` and `copy` keep of a problem: the arguments of its class, then its options.
type Reduced<'py> = (Bound<'py, PyType>, (Vec<(String, u32, u32)>, Vec<String>), Vec<OwnedOption>);

/// Where a search stops.
struct Stops {
    limit: Option<u64>,
    nodes: Option<u64>,
    deadline: Option<Instant>,
}

impl Stops {
    fn new(limit: Option<u64>, nodes: Option<u64>, seconds: Option<f64>) -> PyResult<Stops> {
        let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(value_error)?;
        Ok(Stops { limit, nodes, deadline: time.and_then(|time| Instant::now().checked_add(time)) })
    }

    fn limits<'a>(&self, cancel: &'a AtomicBool) -> CoverLimits<'a> {
        let Stops { limit, nodes, deadline } = *self;
        let limits = CoverLimits::NONE.with_solutions(limit).with_nodes(nodes).with_deadline(deadline);
        limits.with_cancel(cancel)
    }
}

/// The engine of that name, or the choice among all.
fn choice(name: &str) -> PyResult<Choice> {
    if name == "auto" {
        return Ok(Choice::Auto);
    }
    engine::by_name(name).map(Choice::Engine).ok_or_else(|| {
        let names: Vec<&str> = engine::ENGINES.iter().map(|entry| entry.name).collect();
        value_error(format_args!("unknown engine `{name}` (one of auto, {})", names.join(", ")))
    })
}

fn solver<'p>(problem: &'p ExactCover, name: &str) -> PyResult<Solver<'p>> {
    Solver::new(problem, choice(name)?).map_err(of_cover)
}

#[pymethods]
impl Problem {
    /// Items with the numbers of times that they are covered.
    #[new]
    fn new(primary: Vec<(String, u32, u32)>, secondary: Vec<String>) -> PyResult<Problem> {
        let mut builder = ExactCover::builder();
        for (name, low, high) in &primary {
            builder.try_primary(name, *low, *high).map_err(value_error)?;
        }
        for name in &secondary {
            builder.try_secondary(name).map_err(value_error)?;
        }
        // A problem without primary items is refused now.
        let built = builder.clone().finish().map_err(value_error)?;
        Ok(Problem {
            state: Mutex::new(State { builder, options: 0, built: Some(Arc::new(built)), rules: None }),
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Problem>) -> PyResult<Reduced<'py>> {
        let problem = slf.get().state().built()?;
        let name = |item| problem.item_name(item).to_owned();
        let (primary, items) = (problem.primary_count() as u32, problem.item_count() as u32);
        let bounded = |item| {
            let bounds = problem.bounds(item);
            (name(item), bounds.low, bounds.high)
        };
        let arguments = (
            (0..primary).map(ItemId).map(bounded).collect(),
            (primary..items).map(ItemId).map(name).collect(),
        );
        let colour = |colour| problem.colour_name(colour).to_owned();
        let options = problem.options().enumerate().map(|(option, terms)| {
            let terms = terms.iter().map(|term| (name(term.item), term.colour().map(colour))).collect();
            (terms, problem.cost(OptionId(option as u32)))
        });
        Ok((slf.get_type(), arguments, options.collect()))
    }

    fn __setstate__(&self, options: Vec<OwnedOption>) -> PyResult<()> {
        options.into_iter().try_for_each(|(terms, cost)| self.option(terms, cost).map(drop))
    }

    /// A problem in Knuth's text form.
    #[staticmethod]
    fn read(bytes: &[u8]) -> PyResult<Problem> {
        let problem = text::read(bytes).and_then(text::Text::complete).map_err(value_error)?;
        Ok(Problem::of_cover(Arc::new(problem)))
    }

    /// The problem in Knuth's text form.
    fn write(&self) -> PyResult<String> {
        Ok(text::to_text(&*self.state().built()?))
    }

    /// Adds an option; returns its number.
    fn option(&self, terms: Vec<(String, Option<String>)>, cost: u64) -> PyResult<u32> {
        let mut state = self.state();
        let terms = terms.iter().map(|(name, colour)| (name.as_str(), colour.as_deref()));
        let option = add(&mut state.builder, terms, cost).map_err(value_error)?;
        (state.built, state.rules, state.options) = (None, None, option.0 + 1);
        Ok(option.0)
    }

    /// Adds an option for each row: the numbers of its items are `items[starts[row]..starts[row + 1]]`.
    fn rows(
        &self,
        py: Python<'_>,
        starts: PyReadonlyArray1<'_, i64>,
        items: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let (starts, items) =
            (starts.as_slice().map_err(value_error)?, items.as_slice().map_err(value_error)?);
        py.detach(|| {
            let mut state = self.state();
            (state.built, state.rules) = (None, None);
            for ends in starts.windows(2) {
                let at = usize::try_from(ends[0]).ok().zip(usize::try_from(ends[1]).ok());
                let row = at.and_then(|(from, to)| items.get(from..to));
                let row = row.ok_or_else(|| value_error("rows that are not within the matrix"))?;
                let numbers =
                    row.iter().map(|&item| u32::try_from(item).map(ItemId)).collect::<Result<Vec<_>, _>>();
                let numbers = numbers.map_err(value_error)?;
                state.options = state.builder.try_option(numbers, 0).map_err(value_error)?.0 + 1;
            }
            Ok(())
        })
    }

    /// Options, and items of which the second number are primary.
    fn size(&self) -> PyResult<(u32, usize, usize)> {
        let mut state = self.state();
        let built = state.built()?;
        Ok((state.options, built.item_count(), built.primary_count()))
    }

    /// An option as text.
    fn option_text(&self, option: u32) -> PyResult<String> {
        let mut state = self.state();
        if option >= state.options {
            let known = state.options;
            return Err(value_error(CoverError::UnknownOption {
                option: OptionId(option),
                count: known as usize,
            }));
        }
        Ok(state.built()?.option_text(OptionId(option)).to_string())
    }

    /// The number of solutions in digits, and what ended the search.
    #[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
    fn count(
        &self,
        py: Python<'_>,
        limit: Option<u64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        engine: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(String, &'static str)> {
        let problem = self.state().built()?;
        let stops = Stops::new(limit, nodes, seconds)?;
        let control = Control::default();
        // The share of the search that is done, of a million parts.
        const PARTS: f64 = 1e6;
        let watch = Watch { progress: progress.as_ref(), total: Some(PARTS as u64) };
        long(py, &control, &watch, || {
            let mut solver = solver(&problem, engine)?;
            solver.set_threads(threads_of(threads)).map_err(of_cover)?;
            let mut report = |progress: &galop_cover::Progress| {
                let done = (progress.fraction * PARTS) as usize;
                control.add(done.saturating_sub(control.done()));
            };
            let outcome = solver.search(&stops.limits(control.stop_flag())).observe(&mut report).count();
            let outcome = outcome.map_err(of_cover)?;
            Ok((outcome.solutions.to_string(), outcome.end.name()))
        })
    }

    /// The first solution, and what ended the search.
    fn first(
        &self,
        py: Python<'_>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        engine: &str,
    ) -> PyResult<(Option<Vec<u32>>, &'static str)> {
        let problem = self.state().built()?;
        let stops = Stops::new(None, nodes, seconds)?;
        let control = Control::default();
        long(py, &control, &Watch { progress: None, total: None }, || {
            let mut solver = solver(&problem, engine)?;
            let found = solver.search(&stops.limits(control.stop_flag())).first().map_err(of_cover)?;
            let found = found.map(|options| options.into_iter().map(u32::from).collect());
            Ok((found, solver.outcome().end.name()))
        })
    }

    /// Iterates over the solutions.
    fn solutions(&self, limit: Option<u64>, engine: &str) -> PyResult<Solutions> {
        let problem = self.state().built()?;
        // What is wrong with the engine shows now.
        solver(&problem, engine)?;
        let limits = CoverLimits::NONE.with_solutions(limit);
        let stream = SolutionStream::new(problem, choice(engine)?, limits, |_| Ok(()));
        Ok(Solutions { stream: Mutex::new(stream) })
    }
}

/// The solutions of a problem, found by a thread that is some of them ahead.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct Solutions {
    stream: Mutex<SolutionStream>,
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
            let received =
                py.detach(|| self.stream.lock().unwrap_or_else(PoisonError::into_inner).next_within(TICK));
            if let Poll::Ready(solution) = received {
                let solution = solution.transpose().map_err(of_cover)?;
                return Ok(solution.map(|options| options.into_iter().map(u32::from).collect()));
            }
        }
    }
}
