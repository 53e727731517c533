//! The words of the command line: the commands here, the options of each in its own file.

mod augment;
mod canon;
mod classes;
mod compare;
mod completions;
mod convert;
mod cover;
mod dedup;
mod engines;
mod explain;
mod generate;
mod hint;
mod input;
mod kind;
mod leak;
mod long_run;
mod make;
mod man;
mod part;
mod rate;
mod rewrite;
mod run;
mod sample;
mod search;
mod serve;
mod show;
mod solve;
mod split;
mod tips;
mod values;
mod verify;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use super::exit_codes::CODES;
pub(crate) use augment::AugmentArgs;
pub(crate) use canon::CanonArgs;
pub(crate) use compare::{CompareArgs, EngineName, NamedCommand, NamedEngine, Series};
pub(crate) use completions::CompletionsArgs;
pub(crate) use convert::ConvertArgs;
pub(crate) use cover::{
    BestArgs, CountArgs, CountFormat, CoverArgs, CoverCommand, CoverSampleArgs, DiagramArgs, GivenArgs,
    LimitArgs, ListArgs, SearchArgs, SolutionFormat, Verbosity, WritingArgs,
};
pub(crate) use dedup::DedupArgs;
pub(crate) use engines::EnginesArgs;
pub(crate) use explain::{ExplainArgs, ExplainFormat};
pub(crate) use generate::GenerateArgs;
pub(crate) use hint::HintArgs;
pub(crate) use input::{GridInputArgs, InputArgs};
pub(crate) use kind::{KindArgs, ProblemArgs};
pub(crate) use leak::LeakArgs;
pub(crate) use long_run::LongRunArgs;
pub(crate) use make::MakeArgs;
pub(crate) use man::ManArgs;
pub(crate) use part::PartArgs;
pub(crate) use rate::RateArgs;
pub(crate) use rewrite::RewriteArgs;
pub(crate) use run::RunArgs;
pub(crate) use sample::SampleArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use show::ShowArgs;
pub(crate) use solve::SolveArgs;
pub(crate) use split::SplitArgs;
pub(crate) use values::Tests;
pub(crate) use verify::VerifyArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Solves sudokus and other puzzles by the million
///
/// Reads one puzzle per line and writes one answer per line, in the same order, on all cores. `galop COMMAND --help`
/// describes a command.
#[derive(Parser, Debug)]
#[command(name = "galop", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Defines the commands: a row for each, under the heading of `galop --help` that it has. Its options and examples are
/// in the file of its name here, and what it does in the file of its name above.
macro_rules! commands {
    ($($group:literal: $($name:ident $variant:ident($args:ty);)*)*) => {
        /// The options of a command are made when it is typed: to make those of all commands takes clap ten times as
        /// long.
        #[derive(Subcommand, Debug)]
        #[command(defer = true)]
        pub(crate) enum Command {
            $($($variant($args),)*)*
        }

        impl Command {
            /// Does what was typed.
            pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
                match self {
                    $($(Command::$variant(args) => crate::$name::run(args),)*)*
                }
            }
        }

        /// The commands as `galop --help` shows them.
        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$(stringify!($name)),*])),*];

        /// The examples of each command.
        pub(crate) const EXAMPLES: &[(&str, &str)] = &[$($((stringify!($name), $name::EXAMPLES)),*),*];
    };
}

commands! {
    "Solve":
        solve Solve(SolveArgs);
        explain Explain(ExplainArgs);
        hint Hint(HintArgs);
        show Show(ShowArgs);
        serve Serve(ServeArgs);
    "Check":
        verify Verify(VerifyArgs);
        rate Rate(RateArgs);
    "Curate data sets":
        convert Convert(ConvertArgs);
        canon Canon(CanonArgs);
        dedup Dedup(DedupArgs);
        leak Leak(LeakArgs);
        split Split(SplitArgs);
        sample Sample(SampleArgs);
        augment Augment(AugmentArgs);
    "Make":
        generate Generate(GenerateArgs);
        make Make(MakeArgs);
    "Compare":
        compare Compare(CompareArgs);
        engines Engines(EnginesArgs);
    "Exact cover":
        cover Cover(CoverArgs);
    "Other":
        completions Completions(CompletionsArgs);
        man Man(ManArgs);
}

/// The headings of options, in the order in which the help of every command shows them: what the command itself does
/// comes first, and then what commands share.
pub(crate) const HEADINGS: [&str; 5] = [WHAT_TO_FIND, "Output", "Input", "Running", "Advanced"];

/// The heading of options that name no other one.
const WHAT_TO_FIND: &str = "What to find";

/// The command line, with its commands in groups.
fn with_groups(command: clap::Command) -> clap::Command {
    let header = STYLES.get_header();
    let literal = STYLES.get_literal();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    template += "New here? `galop solve FILE` prints a solution of each puzzle in FILE.\n\n";
    for (group, names) in GROUPS {
        _ = writeln!(template, "{header}{group}:{header:#}");
        for sub in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            _ = writeln!(template, "  {literal}{:<12}{literal:#} {about}", sub.get_name());
        }
        template.push('\n');
    }
    _ = write!(template, "{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(template)
}

/// The command line as people read it: groups of commands, and each command with its headings, exit codes and examples.
/// It is for help, completions and manual pages; clap cannot parse with options that changed their places.
pub(crate) fn command() -> clap::Command {
    let mut galop = Args::command();
    galop.build();
    with_groups(galop.mut_subcommands(with_examples))
}

/// A command with its headings in order, and the exit codes and examples behind its options.
fn with_examples(command: clap::Command) -> clap::Command {
    let command = with_ordered_headings(command);
    let examples = EXAMPLES.iter().find(|(name, _)| *name == command.get_name());
    let Some((_, examples)) = examples else { return command };
    let codes = CODES.iter().map(|(code, meaning)| format!("  {code:<9}{meaning}\n")).collect::<String>();
    // The line break that the table begins with takes the spaces of the first line with it.
    let end = format!("Exit codes:\n{codes}\nExamples:\n  {examples}");
    command.after_help(format!("Examples:\n  {}", first_two(examples))).after_long_help(end)
}

/// The first two of `examples`, each with the explanation that may be on its next line.
fn first_two(examples: &str) -> &str {
    let mut starts = examples.match_indices("\n  galop ").map(|(at, _)| at);
    starts.nth(1).map_or(examples, |end| &examples[..end])
}

/// The command, and the commands in it, with their options in the order of [`HEADINGS`].
fn with_ordered_headings(command: clap::Command) -> clap::Command {
    let mut command = command.mut_subcommands(with_ordered_headings);
    let headings: Vec<_> = HEADINGS.map(Some).into();
    if command.get_arguments().any(|arg| headings.contains(&arg.get_help_heading())) {
        command = command.mut_args(|arg| {
            let is_own = !arg.is_positional() && arg.get_help_heading().is_none() && arg.get_id() != "help";
            if is_own { arg.help_heading(WHAT_TO_FIND) } else { arg }
        });
    }
    let place = |arg: &clap::Arg| headings.iter().position(|&heading| heading == arg.get_help_heading());
    let mut options: Vec<_> = command.get_arguments().map(|arg| (place(arg), arg.get_id().clone())).collect();
    options.sort_by_key(|(place, _)| *place);
    // clap shows headings in the order of their first options, and puts an option that was changed at the end.
    options.into_iter().fold(command, |command, (_, id)| command.mut_arg(id, |arg| arg))
}

/// The command of `galop` that the command line `words` names.
fn typed<'c>(galop: &'c mut clap::Command, words: &[OsString]) -> &'c mut clap::Command {
    let mut typed = galop;
    for word in words.iter().skip(1).filter(|word| *word != "help") {
        if typed.find_subcommand(word).is_some() {
            typed = typed.find_subcommand_mut(word).unwrap_or_else(|| unreachable!());
        }
    }
    typed
}

/// Whether the command that the command line `words` names has the option `--name`.
pub(crate) fn has_option(words: &[OsString], name: &str) -> bool {
    let mut galop = Args::command();
    galop.build();
    typed(&mut galop, words).get_arguments().any(|argument| argument.get_long() == Some(name))
}

/// The help that the command line `words` asks for.
pub(crate) fn help(words: &[OsString]) -> StyledStr {
    let mut galop = command();
    let asked = typed(&mut galop, words);
    let is_long = words.iter().any(|word| word == "--help" || word == "help");
    if is_long { asked.render_long_help() } else { asked.render_help() }
}

/// Reads the words of a command line, the first of which is the name of the program. The text of an error that is help
/// is [`help`].
pub(crate) fn parse(words: &[OsString]) -> Result<Args, clap::Error> {
    let mut command = Args::command();
    let matches = command.try_get_matches_from_mut(words);
    let mut matches = matches.map_err(|error| tips::with_tip(error, words))?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Whether a bar shows the progress of a run.
#[derive(clap::Args, Debug)]
pub(crate) struct BarArgs {
    /// When to show a progress bar: always, never, or auto, if standard error is a terminal [default: auto]
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output",
        hide_short_help = true
    )]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) progress: When,
}

/// When to show the progress bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    /// A heading given to a whole struct would also take in the options that come after the struct.
    #[test]
    fn the_heading_input_has_only_options_of_input() {
        let input = [
            "kind",
            "problem",
            "regions",
            "extra",
            "blocks",
            "alphabet",
            "side",
            "column",
            "answer_column",
            "npy_offset",
            "no_mmap",
            "lines",
            "limit_records",
        ];
        for command in command().get_subcommands() {
            let headed = command.get_arguments().filter(|arg| arg.get_help_heading() == Some("Input"));
            for id in headed.map(|arg| arg.get_id().as_str()) {
                assert!(input.contains(&id), "{}: {id}", command.get_name());
            }
        }
    }

    #[test]
    fn headings_have_the_same_order_in_every_command() {
        fn check(command: &clap::Command) {
            let headed = command.get_arguments().filter(|arg| !arg.is_positional());
            let mut headings: Vec<_> = headed.filter_map(clap::Arg::get_help_heading).collect();
            headings.dedup();
            let all: Vec<_> = HEADINGS.into_iter().filter(|heading| headings.contains(heading)).collect();
            assert_eq!(headings, all, "{}", command.get_name());
            command.get_subcommands().for_each(check);
        }
        check(&command());
    }

    #[test]
    fn limits_follow_the_options() {
        let limits = |words: &[&str]| {
            let args = Args::try_parse_from(["galop", "solve"].iter().chain(words)).unwrap();
            let Command::Solve(args) = args.command else { panic!("the command is solve") };
            args.search.limits_of(&galop_engines::ENGINES[0]).solutions()
        };
        assert_eq!(limits(&[]), Some(1));
        assert_eq!(limits(&["--unique"]), Some(2));
        assert_eq!(limits(&["--limit", "0"]), None);
        assert_eq!(limits(&["--limit", "7"]), Some(7));
        assert_eq!(limits(&["--all"]), Some(1000));
        assert_eq!(limits(&["--all", "--limit", "7"]), Some(7));
        assert_eq!(limits(&["--all", "--limit", "0"]), Some(1_000_000));
    }
}
