//! The options of `galop check`.

use clap::Args as ClapArgs;

use super::{AuditArgs, InputArgs};

/// Find puzzles that cannot have a solution, without solving them
///
/// Reads the same files as `solve` and prints the place of each such puzzle and the reason. There are three: a symbol
/// occurs twice in a unit, a cell has no candidate, or a symbol has no cell in a unit. The last two may show only after
/// singles, pairs and pointing pairs. Malformed records are printed too. A puzzle that passes may still have no
/// solution: run `galop solve` to find out.
#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,
}
