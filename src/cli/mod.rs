//! The command line: what was typed ([`args`]), what it means (one file a command), what the user sees.
//!
//! Nothing below `cli` knows the terminal, and `cli` uses nothing of the library but what everyone can.

mod args;
mod check;
mod command;
mod compare;
mod cover;
mod engines;
mod exit;
mod export;
mod generate;
mod input;
mod make;
mod messages;
mod output;
mod progress;
mod rules;
mod show;
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
        Command::Check(args) => check::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Cover(args) => cover::run(&args),
        Command::Make(args) => make::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Engines => engines::run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "galop", &mut script);
            output::print(&script)
        }
        Command::Man { command } => man(command.as_deref()),
    };
    exit::code(done)
}

/// The manual page of galop, or of one of its commands.
fn man(name: Option<&str>) -> anyhow::Result<ExitCode> {
    let galop = Args::command();
    let page = match name.and_then(|name| galop.find_subcommand(name)) {
        Some(command) => {
            let name: &'static str = format!("galop-{}", command.get_name()).leak();
            command.clone().name(name).display_name(name).bin_name(name.replace('-', " "))
        }
        None => galop,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    output::print(&text)
}
