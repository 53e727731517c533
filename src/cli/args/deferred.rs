//! Options that are added only to the command that was typed.
//!
//! A run has one command, and the options of the others would never be read: to describe them all takes clap half a
//! millisecond. Help, completions and manual pages need them, and get them: they ask without [`only`].

use std::cell::RefCell;
use std::ops::Deref;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Id};

thread_local! {
    /// The name of the command that gets its options; `None` if all do.
    static ONLY: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What `make` returns if only the command of that name gets its options.
pub(super) fn only(name: Option<&str>, make: impl FnOnce() -> Command) -> Command {
    ONLY.set(name.map(str::to_owned));
    let made = make();
    ONLY.set(None);
    made
}

/// The options `T` of a command, which are added as [`only`] says.
#[derive(Clone, Debug)]
pub(crate) struct Deferred<T>(T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        let is_needed =
            ONLY.with_borrow(|only| only.as_deref().is_none_or(|name| name == command.get_name()));
        if is_needed { T::augment_args(command) } else { command }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Deferred<T>, Error> {
        T::from_arg_matches(matches).map(Deferred)
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Deferred<T>, Error> {
        T::from_arg_matches_mut(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::only;
    use crate::cli::args::Args;

    #[test]
    fn only_the_command_typed_gets_its_options() {
        let options = |command: &clap::Command, name: &str| {
            command.find_subcommand(name).unwrap().get_arguments().count()
        };
        let (all, cover) = (Args::command(), only(Some("cover"), Args::command));
        assert_eq!(options(&cover, "cover"), options(&all, "cover"));
        assert!(options(&all, "solve") > 0);
        assert_eq!(options(&cover, "solve"), 0);
        assert!(options(&Args::command(), "solve") > 0, "it holds for one call");
    }
}
