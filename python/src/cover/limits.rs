//! Where a search stops, and the exception if it stopped there.

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use galop_cover::diagram::DiagramError;
use galop_cover::{CoverError, CoverLimits, End, Natural};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError};
use pyo3::prelude::*;

use super::number::Number;
use crate::error::value_error;

pyo3::import_exception!(galop.cover, LimitReached);

/// The limits as they are given: solutions, nodes, seconds, bytes of memory.
#[derive(FromPyObject)]
pub(crate) struct GivenLimits(Option<u64>, Option<u64>, Option<f64>, Option<u64>);

/// The limits of a search that begins now.
pub(super) struct Limits {
    pub(super) solutions: Option<u64>,
    nodes: Option<u64>,
    deadline: Option<Instant>,
    pub(super) memory: Option<u64>,
}

impl Limits {
    pub(super) fn new(GivenLimits(solutions, nodes, seconds, memory): GivenLimits) -> PyResult<Limits> {
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|error| value_error(format_args!("max_seconds: {error}")))?;
        // A time that no clock reaches is no limit.
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Ok(Limits { solutions, nodes, deadline, memory })
    }

    /// The same for the library, without a flag for cancelling.
    pub(super) fn of_search(&self) -> CoverLimits<'static> {
        let Limits { solutions, nodes, deadline, .. } = *self;
        CoverLimits::NONE.with_solutions(solutions).with_nodes(nodes).with_deadline(deadline)
    }

    /// The same with a flag for cancelling.
    pub(super) fn until<'a>(&self, cancel: &'a AtomicBool) -> CoverLimits<'a> {
        self.of_search().with_cancel(cancel)
    }
}

/// The argument whose limit ended a search, if one did.
pub(super) fn limit_of(end: End) -> Option<&'static str> {
    match end {
        End::Nodes => Some("max_nodes"),
        End::Deadline => Some("max_seconds"),
        _ => None,
    }
}

/// The exception if a limit ended a search that had found `count` solutions.
pub(super) fn limit_reached(message: String, count: Natural) -> PyErr {
    LimitReached::new_err((message, Number(count)))
}

/// The exception if a limit ended a search for the best solutions, with those that it has found.
pub(super) fn limit_reached_with(
    message: String,
    found: Vec<(Vec<u32>, u128)>,
    bound: Option<u128>,
) -> PyErr {
    LimitReached::new_err((message, found.len(), found, bound))
}

/// The exception if a limit or a signal ended the work before `what`.
fn stopped(end: End, what: &str, error: &dyn Error) -> PyErr {
    match limit_of(end) {
        Some(limit) => limit_reached(format!("stopped by {limit} before {what}"), Natural::ZERO),
        None => PyKeyboardInterrupt::new_err(error.to_string()),
    }
}

/// The exception for an error of a search.
pub(super) fn of_search(error: CoverError) -> PyErr {
    match error {
        CoverError::WrongCover { .. } => PyRuntimeError::new_err(error.to_string()),
        CoverError::Threads(_) => PyOSError::new_err(error.to_string()),
        CoverError::Diagram(error) => of_diagram(error),
        CoverError::Stopped { end } => stopped(end, "the search began", &error),
        _ => value_error(error),
    }
}

/// The exception for an error of a diagram.
pub(super) fn of_diagram(error: DiagramError) -> PyErr {
    match error {
        DiagramError::Stopped { end } => stopped(end, "the diagram was complete", &error),
        DiagramError::Memory { .. } => limit_reached(error.to_string(), Natural::ZERO),
        _ => value_error(error),
    }
}
