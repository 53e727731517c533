//! HTML: a page with figures, for people, in one file that loads nothing.
//!
//! It is written like a paper and read on anything: dark where the reader's system is, one column on a phone, and
//! without script. Numbers are written as the other reports write them, and every one carries its place in the JSON
//! report and its exact value (`data-figure`, `data-value`), so that a program can read the page too.
//!
//! [`plots`] tells what draws the figures and how they follow the theme.

mod compare;
mod escape;
mod grid;
mod page;
mod plots;
mod solve;

use std::fmt;

use super::{Format, Report};
use crate::compare::Comparison;

pub(super) const FORMAT: Format = Format {
    ending: "html",
    about: "the same for people, as a page with figures that stands alone",
    write: Some(|report| {
        let mut page = String::new();
        // Writing to a String cannot fail.
        write_solve(report, &mut page).ok();
        page
    }),
    compare: Some(|comparison| {
        let mut page = String::new();
        write_compare(comparison, &mut page).ok();
        page
    }),
};

/// The page of a run.
fn write_solve(report: &Report, out: &mut String) -> fmt::Result {
    page::open("galop solve", out)?;
    solve::headline(report, out)?;
    solve::malformed(report, out)?;
    solve::tables(report, out)?;
    solve::figures(report, out)?;
    solve::slowest(report, out)?;
    solve::run(report, out)?;
    page::close(report.galop, out)
}

/// The page of a comparison.
fn write_compare(comparison: &Comparison, out: &mut String) -> fmt::Result {
    page::open("galop compare", out)?;
    compare::headline(comparison, out)?;
    compare::warnings(comparison, out)?;
    compare::ranking(comparison, out)?;
    compare::figures(comparison, out)?;
    compare::efforts(comparison, out)?;
    compare::differences(comparison, out)?;
    compare::run(comparison, out)?;
    page::close(comparison.galop, out)
}
