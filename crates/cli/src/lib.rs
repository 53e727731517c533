//! The command line: what was typed (`args`), what it means (`plan`), the work (one file a command), and what the
//! user reads on standard error (`messages`).
//!
//! The other packages know neither options nor the terminal. The tool uses only their public names.

mod args;
mod argument;
mod augment;
mod canon;
mod command;
mod compare;
mod completions;
mod convert;
mod cover;
mod dedup;
mod engines;
mod exit;
mod exit_codes;
mod explain;
mod generate;
#[cfg(unix)]
mod handlers;
mod hint;
mod input;
mod leak;
mod make;
mod man;
mod messages;
mod other_kinds;
mod output;
mod painted;
mod plan;
mod problem;
mod progress;
mod rate;
mod rate_one;
mod records;
mod reference;
mod resume;
mod rewrite;
mod rules;
mod sample;
mod serve;
mod show;
mod signals;
mod solve;
mod split;
mod stop;
mod verify;
mod waiting;
mod whole;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    run(command::words())
}

/// Runs the command line `words`, the first of which is the name of the program. It may be called once in a process.
pub fn run(words: Vec<OsString>) -> ExitCode {
    if !command::set_words(words) {
        return exit::code(Err(anyhow::anyhow!(
            "this process has run a command line before; start another one"
        )));
    }
    let args = match args::parse(&command::words()) {
        Ok(args) => args,
        Err(error) => return exit::code(print_usage(&error)),
    };
    if let Err(error) = signals::handle() {
        return exit::code(Err(anyhow::Error::new(error).context("cannot handle signals")));
    }
    exit::code(args.command.run())
}

/// Prints a usage error on standard error, or the help or the version on standard output.
fn print_usage(error: &clap::Error) -> anyhow::Result<ExitCode> {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand};
    let is_help = matches!(error.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand);
    let text = if is_help { args::help(&command::words()) } else { error.render() };
    let text = text.ansi().to_string();
    if error.use_stderr() {
        let text = if is_help { text } else { text.replacen("error:", "galop: error:", 1) };
        messages::say(text.trim_end());
    } else {
        let mut stdout = anstream::AutoStream::auto(std::io::stdout());
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(output::name_stdout)?;
    }
    Ok(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)))
}
