//! The options of `galop completions`.

use clap::Args as ClapArgs;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop completions bash > galop.bash";

/// Print a completion script for a shell
#[derive(ClapArgs, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
