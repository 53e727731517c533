//! The options of `galop engines`.

use clap::Args as ClapArgs;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop engines                                with the limit on guesses of each engine";

/// List the engines, the kinds of puzzles and the instruction sets
#[derive(ClapArgs, Debug)]
pub(crate) struct EnginesArgs {}
