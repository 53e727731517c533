//! What was typed: the commands here, the options of each in a file of its own.

mod check;
mod compare;
mod cover;
mod export;
mod generate;
mod kind;
mod make;
mod search;
mod show;
mod solve;
mod values;
mod verify;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use check::CheckArgs;
pub(crate) use compare::{Chosen, CompareArgs};
pub(crate) use cover::{CoverArgs, CoverFormat};
pub(crate) use export::ExportArgs;
pub(crate) use generate::GenerateArgs;
pub(crate) use kind::KindArgs;
pub(crate) use make::MakeArgs;
pub(crate) use show::ShowArgs;
pub(crate) use solve::SolveArgs;
pub(crate) use values::{DEFAULT_ENGINE, DEFAULT_PROVER};
pub(crate) use verify::VerifyArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Answers puzzles by the million.
///
/// One puzzle a line in, one answer a line out, in the same order, on every core.
#[derive(Parser, Debug)]
#[command(name = "galop", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(SolveArgs),
    Verify(VerifyArgs),
    Check(CheckArgs),
    Generate(GenerateArgs),
    Compare(CompareArgs),
    Show(ShowArgs),
    Cover(CoverArgs),
    Make(MakeArgs),
    Export(ExportArgs),
    /// List the engines and what they do
    Engines,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page (roff)
    Man {
        /// The page of a command: `galop man solve | man -l -`; without it, the page of galop itself
        #[arg(value_parser = ["solve", "verify", "check", "generate", "compare", "show", "cover", "make", "export", "engines", "completions"])]
        command: Option<String>,
    },
}

/// When to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If stderr is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
        assert!(
            galop::engine(values::DEFAULT_ENGINE).is_some()
                && galop::engine(values::DEFAULT_PROVER).is_some()
        );
    }

    #[test]
    fn limits_follow_the_words() {
        let limits = |words: &[&str]| {
            let args = Args::try_parse_from(["galop", "solve"].iter().chain(words)).unwrap();
            let Command::Solve(args) = args.command else { panic!("solve was typed") };
            args.search.limits_of(&galop::ENGINES[0]).solutions()
        };
        assert_eq!(limits(&[]), Some(1));
        assert_eq!(limits(&["--unique"]), Some(2));
        assert_eq!(limits(&["-n", "0"]), None);
        assert_eq!(limits(&["--solutions", "7"]), Some(7));
    }
}
