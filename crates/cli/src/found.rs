//! Files of a folder and members of an archive, which nobody named. Each of them must show by its head that it holds
//! puzzles, or by its name that it holds none.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use galop_batch::input::{Holds, InputError, Look, Source, known_by_name};
use galop_batch::{Error, printable};

use super::messages;
use super::rules::KindChoice;

/// Whether a file was left out because nothing showed what it holds. The exit code is then not 0.
pub(super) static IS_INCOMPLETE: AtomicBool = AtomicBool::new(false);

/// How found files are recognised.
#[derive(Clone, Copy)]
pub(super) struct Recognition<'a> {
    /// What was typed. All other files were found.
    pub(super) typed: &'a [PathBuf],
    pub(super) choice: &'a KindChoice,
    /// Whether a file that is not recognised is left out.
    pub(super) skips_unknown: bool,
}

/// The files of a command while they are opened.
pub(super) struct Found<'a> {
    recognition: Recognition<'a>,
    typed: HashSet<&'a Path>,
    /// What could not be opened or is not recognised, and why.
    unknown: Vec<(PathBuf, Option<Error>)>,
}

impl<'a> Found<'a> {
    pub(super) fn new(recognition: Recognition<'a>) -> Found<'a> {
        let typed = recognition.typed.iter().map(AsRef::as_ref).collect();
        Found { recognition, typed, unknown: Vec::new() }
    }

    /// What `opened` has of the file `path`. A file that was found and cannot be read as puzzles is nothing yet.
    pub(super) fn take<T: Default>(&mut self, path: &Path, opened: anyhow::Result<T>) -> anyhow::Result<T> {
        if self.typed.contains(path) {
            return opened;
        }
        opened.or_else(|error| match error.downcast::<Error>()? {
            error if error.fact::<InputError>().is_some() => {
                self.unknown.push((path.to_owned(), Some(error)));
                Ok(T::default())
            }
            error => Err(error.into()),
        })
    }

    /// Whether `source` was found: its name was not typed, nor is it a puzzle or a stream.
    fn is_found(&self, source: &Source) -> bool {
        source.size().is_some() && !self.typed.contains(source.name())
    }

    /// Says of each of `sources` whether it is read.
    ///
    /// # Errors
    /// If a file is not recognised and not left out, or if the files hold puzzles of different kinds.
    pub(super) fn recognise(mut self, sources: &mut [Source]) -> anyhow::Result<Vec<bool>> {
        let Recognition { choice, skips_unknown, .. } = self.recognition;
        let has_found = sources.iter().any(|source| self.is_found(source));
        let (mut taken, mut without) = (vec![true; sources.len()], Vec::new());
        let (mut mixture, mut looks): (Option<Error>, Vec<Look>) = (None, Vec::new());
        for (source, is_taken) in sources.iter_mut().zip(&mut taken) {
            let is_found = self.is_found(source);
            if is_found && known_by_name(source.name()).is_some() {
                without.push(source.name().to_owned());
                *is_taken = false;
                continue;
            }
            // A file that was named counts only beside files that were found.
            if !has_found || source.size().is_none() {
                continue;
            }
            match choice.look(source) {
                Ok(Holds::Puzzles(look)) => {
                    let alike = looks.iter().try_for_each(|other| look.check_like(other));
                    mixture = mixture.or(alike.err());
                    if looks.iter().all(|other| look.tells_more_than(other)) {
                        looks.push(look);
                    }
                }
                Ok(Holds::Nothing) => {}
                _ if !is_found => {}
                Ok(Holds::Other) => {
                    self.unknown.push((source.name().to_owned(), None));
                    *is_taken = false;
                }
                Err(error) if error.fact::<InputError>().is_some() => {
                    self.unknown.push((source.name().to_owned(), Some(error)));
                    *is_taken = false;
                }
                Err(error) => return Err(error.into()),
            }
        }
        say_known(&without);
        self.check_unknown(skips_unknown)?;
        mixture.map_or(Ok(taken), |error| Err(error.into()))
    }

    /// Refuses or names what was not recognised.
    fn check_unknown(&self, skips: bool) -> anyhow::Result<()> {
        let Some((first, others)) = self.unknown.split_first() else { return Ok(()) };
        let reason = match first {
            (_, Some(error)) => match messages::help(error) {
                Some(help) => format!("{error}; {help}"),
                None => error.to_string(),
            },
            (path, None) => {
                let kind = &self.recognition.choice.variant;
                format!("{}: not recognised as puzzles of the kind {kind}", printable(path))
            }
        };
        let names = match others {
            [] => String::new(),
            _ => {
                let names = others.iter().map(|(path, _)| path.as_path());
                format!("; not recognised either: {}", messages::paths_of(names))
            }
        };
        if !skips {
            bail!(
                "{reason}{names}; every file of a folder or archive is read: name the files to read, or leave out the others \
                 with --skip-unknown"
            );
        }
        messages::warn(format_args!("left out: {reason}{names}"));
        IS_INCOMPLETE.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The files of `paths`, which were found in a folder, without those whose names say that they hold no puzzles. Names
/// these.
pub(super) fn without_known(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let (known, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| known_by_name(path).is_some());
    say_known(&known);
    others
}

fn say_known(known: &[PathBuf]) {
    if !known.is_empty() {
        let names = messages::paths_of(known.iter().map(AsRef::as_ref));
        messages::say(format_args!("left out: {names}, whose names say that they hold no puzzles"));
    }
}
