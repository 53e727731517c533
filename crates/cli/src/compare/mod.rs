//! `galop compare`.

mod again;
mod contestants;
mod hold;
mod inputs;
mod options;
mod problems;
mod puzzles;
mod show;
mod watcher;

use std::process::ExitCode;

use super::args::CompareArgs;
use super::command;

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    // A table that cannot be printed is an error before the work.
    match &args.repeat {
        _ if !args.merge.is_empty() => again::merge(args),
        Some(path) => again::repeat(args, path),
        None => hold::hold(args, &command::words()[1..], None),
    }
}
