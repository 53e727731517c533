//! `galop completions`.

use std::process::ExitCode;

use super::args::{self, CompletionsArgs};
use super::output;

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "galop", &mut script);
    output::print(&script)
}
