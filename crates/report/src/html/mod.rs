//! HTML: a page with plots, for people, in one file that loads nothing.
//!
//! The page looks like a paper and works on any device: dark if the reader's system is, one column on a phone, and
//! without script. Numbers are written as in the other reports. Each one carries its path in the JSON report and its
//! exact value there (`data-figure`, `data-value`), so that a program can read the page too.
//!
//! [`plots`] describes how the plots are drawn and how they follow the theme.

mod escape;
mod grid;
mod plots;
mod sections;
#[cfg(test)]
mod tests;

use super::format::Format;
use super::run::Report;
use super::{contest_sections, run_sections};

/// The style of all pages: letters, colours and tables, light and dark.
pub const STYLE: &str = include_str!("style.css");

pub(super) const FORMAT: Format = Format {
    ending: "html",
    about: "the same for people, as a self-contained page with figures",
    run: Some(html),
    comparison: Some(|contest| {
        sections::page(
            "galop compare",
            env!("CARGO_PKG_VERSION"),
            contest_sections::sections(contest, usize::MAX),
        )
    }),
    survey: None,
};

/// The report of a run as a page.
pub fn html(report: &Report) -> String {
    sections::page("galop solve", report.version, run_sections::sections(report))
}
