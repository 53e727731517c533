//! `galop cover --minimax`: the search is restricted to the solutions whose last option comes first.

use std::path::Path;

use galop::{Error, ErrorKind, printable};
use galop_cover::{Assumptions, CoverLimits, End, Observer, OptionId, Solver};

use super::listing::Listing;
use crate::cli::messages;

/// Finds how many options are needed, and forbids the others. Returns what ended the search if a limit did: the best
/// solution found until then is printed.
pub(super) fn restrict(
    solver: &mut Solver<'_>,
    listing: &mut Listing<'_>,
    limits: &CoverLimits<'_>,
    assumptions: &Assumptions,
) -> anyhow::Result<Option<End>> {
    let Listing { args, name, problem, .. } = *listing;
    let found = solver.minimax(limits)?;
    if found.end == End::Cancelled {
        return Err(Error::from(ErrorKind::Stopped).in_file(name).into());
    }
    let is_complete = found.end == End::Complete;
    if let Some(solution) = found.solution {
        let last = solution.last().copied();
        if let Some(last) = last.filter(|_| !args.quiet || !is_complete) {
            say(name, is_complete, last, &problem.option_text(last).to_string());
        }
        if is_complete {
            let behind = last.map_or(0, |last| last + 1)..problem.option_count() as OptionId;
            let forbidden: Vec<OptionId> = assumptions.forbidden.iter().copied().chain(behind).collect();
            solver.assume(&assumptions.chosen, &forbidden)?;
        } else if args.listed().is_some() {
            _ = listing.solution(&solution);
        }
    } else if !is_complete {
        messages::warn(format_args!("{}: stopped by a limit before any solution was found", printable(name)));
    }
    Ok(Some(found.end).filter(|_| !is_complete))
}

fn say(name: &Path, is_complete: bool, last: OptionId, text: &str) {
    // Options count from 1 for people.
    let number = last + 1;
    if is_complete {
        messages::say(format_args!(
            "{}: the last option is at least number {number}: {text}",
            printable(name)
        ));
    } else {
        let text = format_args!(
            "{}: the last option of the best solution found is number {number}, but there may be a better one: {text}",
            printable(name)
        );
        messages::warn(text);
    }
}
