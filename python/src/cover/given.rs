//! Options that solutions must have, or must not have: by numbers, or by some of their items.

use galop_cover::{Assumptions, ExactCover, OptionId};
use pyo3::prelude::*;

use crate::error::value_error;

/// An item of an option, and its colour.
pub(crate) type OwnedTerm = (String, Option<String>);

/// An option by its number, or options by items that they have.
#[derive(FromPyObject)]
enum Selection {
    Number(u64),
    Terms(Vec<OwnedTerm>),
}

/// What solutions must have, and what they must not have.
#[derive(FromPyObject)]
pub(crate) struct Given(Vec<Selection>, Vec<Selection>);

impl Given {
    /// The options that are meant.
    pub(super) fn assumptions(&self, problem: &ExactCover) -> PyResult<Assumptions> {
        let Given(with, without) = self;
        let mut assumptions = Assumptions::default();
        for selection in with {
            match selection {
                Selection::Number(number) => {
                    assumptions.chosen.push(option_of(*number, problem.option_count())?);
                }
                Selection::Terms(terms) => assumptions.require(problem, refs(terms)).map_err(value_error)?,
            }
        }
        for selection in without {
            match selection {
                Selection::Number(number) => {
                    assumptions.forbidden.push(option_of(*number, problem.option_count())?);
                }
                Selection::Terms(terms) => assumptions.forbid(problem, refs(terms)).map_err(value_error)?,
            }
        }
        Ok(assumptions)
    }
}

/// Terms for the library. A name may contain what the text form reserves for colours.
pub(super) fn refs(terms: &[OwnedTerm]) -> impl Iterator<Item = galop_cover::problem::TermRef<'_>> {
    terms.iter().map(|(name, colour)| match colour {
        Some(colour) => (name.as_str(), colour.as_str()).into(),
        None => name.as_str().into(),
    })
}

/// The option of that number.
pub(super) fn option_of(number: u64, count: usize) -> PyResult<OptionId> {
    let option = u32::try_from(number).ok().filter(|&option| (option as usize) < count).map(OptionId);
    option.ok_or_else(|| {
        value_error(format_args!(
            "unknown option {number} (options are numbered from 0, and there are {count})"
        ))
    })
}
