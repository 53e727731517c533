//! Exact cover: a problem that grows; searches and diagrams of it have files of their own.

mod diagram;
mod given;
mod limits;
mod number;
mod search;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) use diagram::{Diagram, DiagramSolutions};
use galop_cover::problem::Builder;
use galop_cover::{ExactCover, ItemId, OptionId, diagram as library, text};
use galop_engines::engine::{Entry, default_for};
use given::{Given, OwnedTerm, option_of, refs};
use limits::GivenLimits;
use number::Number;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyType;
pub(crate) use search::Solutions;
use search::{GivenSetup, Question, rank};

use crate::error::value_error;

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
    /// All solutions of the same.
    diagram: Option<Arc<library::Diagram>>,
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

    /// Forgets what was prepared: there is another option.
    fn change(&mut self) {
        (self.built, self.rules, self.diagram) = (None, None, None);
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
        let state = State { builder, options, built: Some(problem), rules: None, diagram: None };
        Problem { state: Mutex::new(state) }
    }

    /// A search that has not begun.
    fn ask(&self, given: &Given, limits: GivenLimits, setup: GivenSetup) -> PyResult<Question> {
        let problem = self.state().built()?;
        let assumptions = given.assumptions(&problem)?;
        Question::new(problem, assumptions, limits, setup)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
    for option in (0..problem.option_count() as u32).map(OptionId) {
        let terms = terms_of(problem, option);
        builder.try_option(refs(&terms), problem.cost(option)).ok();
    }
    builder
}

/// The items of an option, and their colours.
fn terms_of(problem: &ExactCover, option: OptionId) -> Vec<OwnedTerm> {
    let colour = |colour| problem.colour_name(colour).to_owned();
    let terms = problem.option(option).iter();
    terms.map(|term| (problem.item_name(term.item).to_owned(), term.colour().map(colour))).collect()
}

/// The items of an option with their colours, and its cost.
type OwnedOption = (Vec<OwnedTerm>, u64);

/// What `pickle` and `copy` keep of a problem: the arguments of its class, then its options.
type Reduced<'py> = (Bound<'py, PyType>, (Vec<(String, u32, u32)>, Vec<String>), Vec<OwnedOption>);

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
        let built = Some(Arc::new(built));
        Ok(Problem { state: Mutex::new(State { builder, options: 0, built, rules: None, diagram: None }) })
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
        let options = (0..problem.option_count() as u32).map(OptionId);
        let options = options.map(|option| (terms_of(&problem, option), problem.cost(option)));
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
    fn option(&self, terms: Vec<OwnedTerm>, cost: u64) -> PyResult<u32> {
        let mut state = self.state();
        let option = state.builder.try_option(refs(&terms), cost).map_err(value_error)?;
        state.change();
        state.options = option.0 + 1;
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
            state.change();
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
    fn option_text(&self, option: u64) -> PyResult<String> {
        let problem = self.state().built()?;
        Ok(problem.option_text(option_of(option, problem.option_count())?).to_string())
    }

    /// The items of an option with their colours, and its cost.
    fn terms(&self, option: u64) -> PyResult<OwnedOption> {
        let problem = self.state().built()?;
        let option = option_of(option, problem.option_count())?;
        Ok((terms_of(&problem, option), problem.cost(option)))
    }

    /// Fails if the assumptions are wrong.
    fn check(&self, given: Given) -> PyResult<()> {
        given.assumptions(&*self.state().built()?).map(drop)
    }

    fn count(
        &self,
        py: Python<'_>,
        given: Given,
        limits: GivenLimits,
        setup: GivenSetup,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Number> {
        self.ask(&given, limits, setup)?.count(py, progress.as_ref())
    }

    fn first(
        &self,
        py: Python<'_>,
        given: Given,
        limits: GivenLimits,
        setup: GivenSetup,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Vec<u32>>> {
        self.ask(&given, limits, setup)?.first(py, progress.as_ref())
    }

    fn solutions(&self, given: Given, limits: GivenLimits, setup: GivenSetup) -> PyResult<Solutions> {
        Ok(self.ask(&given, limits, setup)?.solutions())
    }

    /// The best solutions with their costs. The limit on solutions is their number.
    fn best(
        &self,
        py: Python<'_>,
        given: Given,
        limits: GivenLimits,
        setup: GivenSetup,
        is_dearest: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<(Vec<u32>, u128)>> {
        self.ask(&given, limits, setup)?.best(py, rank(is_dearest), progress.as_ref())
    }

    /// The diagram of all solutions. It is kept until an option is added.
    fn diagram(&self, py: Python<'_>, limits: GivenLimits) -> PyResult<Diagram> {
        let problem = {
            let mut state = self.state();
            if let Some(diagram) = &state.diagram {
                return Ok(Diagram::of_built(Arc::clone(diagram)));
            }
            state.built()?
        };
        let diagram = Arc::new(diagram::build(py, &problem, limits)?);
        let mut state = self.state();
        if state.built.as_ref().is_some_and(|built| Arc::ptr_eq(built, &problem)) {
            state.diagram = Some(Arc::clone(&diagram));
        }
        Ok(Diagram::of_built(diagram))
    }
}
