//! The options of `galop man`.

use clap::Args as ClapArgs;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop man solve > galop-solve.1";

/// Print a manual page (roff)
#[derive(ClapArgs, Debug)]
pub(crate) struct ManArgs {
    /// The command to describe, as in `galop man solve | man -l -` or `galop man cover-list` [default: galop itself]
    pub(crate) command: Option<String>,

    /// Print a reference of all commands and options instead, as Markdown
    #[arg(long, conflicts_with = "command")]
    pub(crate) reference: bool,
}
