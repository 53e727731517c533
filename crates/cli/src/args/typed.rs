//! The command line with only the command that was typed.
//!
//! A run has one command, and the options of the others would never be read: to describe all commands takes clap ten
//! times as long as one. Help of galop itself, completions and manual pages need them all, and ask for them.

use clap::{ArgMatches, Args as _, Error, FromArgMatches};

use super::{
    AugmentArgs, CanonArgs, CheckArgs, Command, CompareArgs, ConvertArgs, CoverArgs, DedupArgs, ExplainArgs,
    ExportArgs, GenerateArgs, HintArgs, LeakArgs, MakeArgs, RateArgs, STYLES, SampleArgs, ServeArgs,
    ShowArgs, SolveArgs, SplitArgs, VerifyArgs,
};

/// A command that has options.
pub(super) struct Typed {
    pub(super) name: &'static str,
    augment: fn(clap::Command) -> clap::Command,
    read: fn(&mut ArgMatches) -> Result<Command, Error>,
}

macro_rules! commands {
    ($($name:literal: $variant:ident($args:ty)),* $(,)?) => {
        [$(Typed {
            name: $name,
            augment: <$args>::augment_args,
            read: |matches| <$args>::from_arg_matches_mut(matches).map(Command::$variant),
        }),*]
    };
}

static COMMANDS: [Typed; 20] = commands![
    "solve": Solve(SolveArgs),
    "convert": Convert(ConvertArgs),
    "canon": Canon(CanonArgs),
    "augment": Augment(AugmentArgs),
    "dedup": Dedup(DedupArgs),
    "leak": Leak(LeakArgs),
    "split": Split(SplitArgs),
    "sample": Sample(SampleArgs),
    "rate": Rate(RateArgs),
    "verify": Verify(VerifyArgs),
    "check": Check(CheckArgs),
    "generate": Generate(GenerateArgs),
    "compare": Compare(CompareArgs),
    "explain": Explain(ExplainArgs),
    "hint": Hint(HintArgs),
    "show": Show(ShowArgs),
    "serve": Serve(ServeArgs),
    "cover": Cover(CoverArgs),
    "make": Make(MakeArgs),
    "export": Export(ExportArgs),
];

impl Typed {
    /// The command of this name, if it has options.
    pub(super) fn named(name: Option<&str>) -> Option<&'static Typed> {
        let name = name?;
        COMMANDS.iter().find(|command| command.name == name)
    }

    /// The command line of galop with this command only.
    pub(super) fn command(&self) -> clap::Command {
        let galop =
            clap::Command::new("galop").version(env!("CARGO_PKG_VERSION")).styles(STYLES).max_term_width(100);
        galop.subcommand_required(true).subcommand((self.augment)(clap::Command::new(self.name)))
    }

    /// The options that were typed.
    pub(super) fn read(&self, matches: &mut ArgMatches) -> Result<Command, Error> {
        let (_, mut matches) = matches.remove_subcommand().unwrap_or_default();
        (self.read)(&mut matches)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Args;

    /// Help and the message for a wrong option show all of a command: its options, their order, the usage.
    #[test]
    fn a_command_by_itself_is_what_it_is_among_all() {
        let mut named = 0;
        for name in Args::command().get_subcommands().map(clap::Command::get_name) {
            let Some(typed) = Typed::named(Some(name)) else { continue };
            named += 1;
            for words in [&["galop", name, "--help"][..], &["galop", name, "-h"], &["galop", name, "--wrong"]]
            {
                let said =
                    |command: clap::Command| command.try_get_matches_from(words).unwrap_err().to_string();
                assert_eq!(said(typed.command()), said(Args::command()), "{words:?}");
            }
        }
        assert_eq!(named, COMMANDS.len());
        let without: Vec<_> =
            Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let without: Vec<_> = without.iter().filter(|name| Typed::named(Some(name)).is_none()).collect();
        assert_eq!(without, ["engines", "completions", "man"]);
    }
}
