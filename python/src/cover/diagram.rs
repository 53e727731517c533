//! Decision diagrams: all solutions of a problem as one object.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use galop_cover::diagram;
use galop_cover::problem::CoverChecker;
use galop_cover::{Assumptions, CoverError, ExactCover, Natural, OptionId};
use galop_engines::Control;
use pyo3::prelude::*;

use super::Problem;
use super::given::Given;
use super::limits::{GivenLimits, Limits, of_diagram, of_search};
use super::number::Number;
use super::search::numbers;
use crate::call::{Watch, long};

/// All solutions of a problem.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct Diagram {
    diagram: Arc<diagram::Diagram>,
    /// What all solutions must have.
    assumptions: Assumptions,
}

/// The problem of a diagram.
struct ProblemOf(Arc<diagram::Diagram>);

impl Deref for ProblemOf {
    type Target = ExactCover;

    fn deref(&self) -> &ExactCover {
        self.0.problem()
    }
}

/// Checks the solutions of a diagram.
struct Checker {
    checker: CoverChecker<ProblemOf>,
    assumptions: Assumptions,
}

impl Checker {
    fn check(&mut self, options: Vec<OptionId>) -> PyResult<Vec<u32>> {
        match self.checker.check(&options, &self.assumptions) {
            Ok(()) => Ok(numbers(options)),
            Err(violation) => {
                Err(of_search(CoverError::WrongCover { engine: "diagram", options, violation }))
            }
        }
    }
}

/// Builds the diagram of a problem.
pub(super) fn build(py: Python<'_>, problem: &ExactCover, limits: GivenLimits) -> PyResult<diagram::Diagram> {
    let limits = Limits::new(limits)?;
    let control = Control::default();
    long(py, &control, &Watch::default(), || {
        diagram::Diagram::build(problem, &limits.until(control.stop_flag()), limits.memory)
            .map_err(of_diagram)
    })
}

impl Diagram {
    /// All solutions of a problem whose diagram was built from it.
    pub(super) fn of_built(diagram: Arc<diagram::Diagram>) -> Diagram {
        Diagram { diagram, assumptions: Assumptions::default() }
    }

    fn checker(&self) -> Checker {
        Checker {
            checker: CoverChecker::new(ProblemOf(Arc::clone(&self.diagram))),
            assumptions: self.assumptions.clone(),
        }
    }
}

#[pymethods]
impl Diagram {
    /// Nodes, and bytes in memory.
    fn size(&self) -> (usize, usize) {
        (self.diagram.node_count(), self.diagram.bytes())
    }

    fn problem(&self) -> Problem {
        Problem::of_cover(Arc::new(self.diagram.problem().clone()))
    }

    fn count(&self, py: Python<'_>) -> Number {
        Number(py.detach(|| self.diagram.count()))
    }

    fn marginals(&self, py: Python<'_>) -> Vec<Number> {
        py.detach(|| self.diagram.marginals()).into_iter().map(Number).collect()
    }

    /// The solution of a rank, which is given as bytes, the lowest first.
    fn nth(&self, py: Python<'_>, rank: &[u8]) -> PyResult<Option<Vec<u32>>> {
        let solution = py.detach(|| self.diagram.nth(&Natural::from_le_bytes(rank)));
        solution.map(|options| self.checker().check(options)).transpose()
    }

    fn sample(&self, py: Python<'_>, count: usize, seed: u64) -> PyResult<Vec<Vec<u32>>> {
        let control = Control::default();
        long(py, &control, &Watch::default(), || {
            let mut checker = self.checker();
            let solutions = self.diagram.sample(seed).take(count).take_while(|_| !control.is_stopped());
            solutions.map(|options| checker.check(options)).collect()
        })
    }

    /// The diagram of the solutions that have some options and not others.
    fn assume(&self, py: Python<'_>, given: Given) -> PyResult<Diagram> {
        let more = given.assumptions(self.diagram.problem())?;
        let diagram = py.detach(|| self.diagram.with(&more.chosen, &more.forbidden)).map_err(of_diagram)?;
        let mut assumptions = self.assumptions.clone();
        assumptions.chosen.extend(more.chosen);
        assumptions.forbidden.extend(more.forbidden);
        Ok(Diagram { diagram: Arc::new(diagram), assumptions })
    }

    fn solutions(&self, limit: Option<u64>) -> DiagramSolutions {
        let solutions = diagram::Solutions::new(Arc::clone(&self.diagram));
        let state = Listed { solutions, checker: self.checker(), left: limit.unwrap_or(u64::MAX) };
        DiagramSolutions { state: Mutex::new(state) }
    }
}

/// The solutions of a diagram, one by one.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct DiagramSolutions {
    state: Mutex<Listed>,
}

struct Listed {
    solutions: diagram::Solutions<Arc<diagram::Diagram>>,
    checker: Checker,
    /// Solutions up to the limit.
    left: u64,
}

#[pymethods]
impl DiagramSolutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<u32>>> {
        // A caller in C, like `list`, never looks at signals between two solutions.
        py.check_signals()?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(left) = state.left.checked_sub(1) else { return Ok(None) };
        state.left = left;
        let Some(options) = state.solutions.next() else { return Ok(None) };
        state.checker.check(options).map(Some)
    }
}
