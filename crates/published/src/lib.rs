//! Published solvers, rebuilt faithfully: they give the figures here that their authors report.
//!
//! They are rows of a table like galop's own engines. [`all`] walks both tables, and [`named`] finds a row in either.
//!
//! | file | engine |
//! |---|---|
//! | `logic` | singles only, no guess |
//! | `fewest` | the search that the next two share: the cell with the fewest values |
//! | `reduce` | the solver of the AI courses |
//! | `norvig` | Norvig's solver |
//! | `sinai` | Sinai's solver, in two versions |

mod fewest;
mod logic;
mod norvig;
mod reduce;
mod sinai;

use galop_engines::engine::{self, BACKTRACK, Entry};

/// The published solvers, fastest first. The last one is the plain search that galop's own engines are tested against.
pub static ENGINES: &[Entry] =
    &[logic::ENTRY, reduce::ENTRY, norvig::ENTRY, sinai::STRATEGIES, sinai::SINGLES, BACKTRACK];

/// Galop's own engines and the published solvers, fastest first.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    engine::ENGINES.iter().chain(ENGINES)
}

/// The same and the engines for problems only.
pub fn every() -> impl Iterator<Item = &'static Entry> {
    all().chain(engine::PROBLEM_ENGINES)
}

/// The engine with this name or alias, galop's own or a published solver.
pub fn named(name: &str) -> Option<&'static Entry> {
    engine::named_in(&[engine::ENGINES, ENGINES, engine::PROBLEM_ENGINES], name)
}

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
