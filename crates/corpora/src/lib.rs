//! Data sets of sudokus: new puzzles, canonical forms, duplicates, leaks, splits, images, samples and ratings.
//!
//! | to | use |
//! |---|---|
//! | make new puzzles | [`generate`] |
//! | write generated puzzles in a format | [`MadeWriter`] |
//! | find canonical forms and draw random symmetries of grids in memory | [`symmetry`] |
//! | write the canonical form behind each record | [`canonize`] |
//! | remove equivalent puzzles, or find test puzzles that are equivalent to training puzzles | [`Dedup`], [`Leak`] |
//! | split records so that equivalent puzzles go to the same output | [`split`] |
//! | write random images of each record | [`augment()`] |
//! | draw some of the records | [`draw()`] |
//! | rate puzzles in memory, or write a rating behind each record | [`rating`], [`rate()`] |

mod augment;
mod canon;
mod classes;
mod draw;
pub mod generate;
mod made;
mod rate;
mod rate_columns;
pub mod rating;
mod repeats;
pub mod symmetry;

use galop_batch::{error, figures, input, output, pipeline, printable};
use galop_engines::{chance, engine, grid, puzzle};
use galop_explain as explain;

pub use augment::{AugmentCounts, AugmentOptions, GROUP, augment};
pub use canon::{CANON_COLUMNS, CanonColumn, CanonOptions, FormCounts, canonize};
pub use classes::ClassOptions;
pub use draw::{Amount, DrawCounts, RecordCounter, draw};
pub use made::{MADE_COLUMNS, MadeColumn, MadeWriter};
pub use rate::{NotRated, RateCounts, RateOptions, rate};
pub use rate_columns::{RATE_COLUMNS, RateColumn, RatedBy};
pub use repeats::{
    By, Dedup, DedupOptions, DedupOutcome, KNOWN_PUZZLES, KnownRun, Leak, LeakOptions, LeakOutcome, LeakPair,
    LeakReader, LinePlace, OnRepeat, SplitCounts, SplitOptions, TestCounter, TestLimit, TooManyKnown, split,
};

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
