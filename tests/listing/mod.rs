//! The solutions that a solver hands out.

#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;

use galop_cover::{CoverLimits, End, OptionId, Solver};

/// All solutions, each ascending, in the order they are handed out.
#[track_caller]
pub(crate) fn list(solver: &mut Solver<'_>) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    let outcome = solver.for_each(&CoverLimits::NONE, |options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!(outcome.unwrap().end, End::Complete);
    found
}
