//! The command line: what was typed ([`args`]), what it means (one file a command), what the user sees.
//!
//! Nothing below `cli` knows the terminal, and `cli` uses nothing of the library but what everyone can.

mod args;
mod engines;
mod exit;
mod generate;
mod input;
mod output;
mod progress;
mod solve;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};

pub(crate) fn main() -> ExitCode {
    let args = Args::parse();
    exit::on_signals();
    let done = match args.command {
        Command::Solve(args) => solve::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Engines => engines::run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "galop", &mut script);
            output::print(&script)
        }
        Command::Man => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(Args::command()).render(&mut page);
            rendered.map_err(anyhow::Error::from).and_then(|()| output::print(&page))
        }
    };
    exit::code(done)
}
