//! The files that a command reads.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::bail;
use galop_batch::Error;
use galop_batch::input::{InputError, Source, endings, files_in};

use super::messages;
use super::whole::is_stdin;
pub(super) use super::whole::{name_of, read};

/// Opens all of `files` before any work is done, so that a wrong name shows at once. `-` or an empty list means
/// standard input. A zip archive becomes a source for each member. `open` opens a file, `prepare` says how it is read.
pub(super) fn open(
    files: &[PathBuf],
    prepare: impl Fn(&mut Source),
    open: impl Fn(&Path) -> anyhow::Result<Vec<Source>>,
) -> anyhow::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in paths(files)? {
        sources.extend(if is_stdin(path) { vec![stdin()] } else { open(path)? });
    }
    sources.iter_mut().for_each(prepare);
    Ok(sources)
}

/// Opens all of `files` without looking into them; an empty list means no file.
pub(super) fn open_named(files: &[PathBuf]) -> anyhow::Result<Vec<Source>> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let files = expanded(files)?;
    let open = |path: &Path| if is_stdin(path) { Ok(vec![stdin()]) } else { open_each(path, true) };
    Ok(paths(&files)?
        .into_iter()
        .map(open)
        .collect::<Result<Vec<_>, Error>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// As [`open`], twice, for two readings. A stream is copied to a temporary file.
pub(super) fn open_twice(
    files: &[PathBuf],
    prepare: impl Fn(&mut Source),
    open: impl Fn(&Path) -> anyhow::Result<Vec<Source>>,
) -> anyhow::Result<[Vec<Source>; 2]> {
    let [mut first, mut second] = [Vec::new(), Vec::new()];
    for path in paths(files)? {
        let mut opened = if is_stdin(path) { vec![stdin()] } else { open(path)? };
        let spooled = match &mut opened[..] {
            [source] => source.spooled()?,
            _ => None,
        };
        match spooled {
            Some(source) => second.push(source),
            None => second.append(&mut open(path)?),
        }
        first.append(&mut opened);
    }
    first.iter_mut().chain(&mut second).for_each(prepare);
    Ok([first, second])
}

/// Opens what `path` names.
pub(super) fn open_each(path: &Path, map: bool) -> Result<Vec<Source>, Error> {
    if is_problem(path) {
        return Err(Error::from(InputError::ExactCover).in_file(path));
    }
    let (mut sources, others) = if map { open_mapped(path)? } else { Source::open_each(path)? };
    pass_over(others);
    sources.iter_mut().for_each(|source| source.pass_over_garbage(warn_garbage));
    Ok(sources)
}

/// Standard input.
fn stdin() -> Source {
    let mut source = Source::stdin();
    source.pass_over_garbage(warn_garbage);
    source
}

/// Inputs with bytes behind their compressed data, which are not read.
static GARBAGE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Warns of an input that is one of them, once.
fn warn_garbage(error: Error) {
    let path = error.path().unwrap_or(Path::new("")).to_owned();
    if GARBAGE.lock().unwrap_or_else(PoisonError::into_inner).insert(path) {
        messages::warn_error(&error);
    }
}

/// Whether there is one of them.
pub(super) fn has_garbage() -> bool {
    !GARBAGE.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
}

/// Whether the name of a file says that it is an exact cover problem.
pub(super) fn is_problem(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dlx"))
}

/// The files that are read: the files of a folder instead of its name.
pub(super) fn expanded(files: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    Ok(files.iter().map(|path| expand(path)).collect::<Result<Vec<_>, Error>>()?.concat())
}

/// The files that are read for each of the names that were typed; for none, standard input.
pub(super) fn groups(typed: &[PathBuf]) -> anyhow::Result<Vec<Vec<PathBuf>>> {
    Ok(paths(typed)?.into_iter().map(expand).collect::<Result<_, Error>>()?)
}

fn expand(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if is_stdin(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (files, others) = files_in(path)?;
    pass_over(others);
    Ok(files)
}

/// Files of folders and members of archives that are not read, because their names do not have one of the
/// [`endings`].
static PASSED_OVER: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn passed_over() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PASSED_OVER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a file was passed over.
pub(super) fn has_passed_over() -> bool {
    !passed_over().is_empty()
}

/// Passes over `others`, and names each of them once.
fn pass_over(mut others: Vec<PathBuf>) {
    others.retain(|path| passed_over().insert(path.clone()));
    if !others.is_empty() {
        messages::say(format_args!(
            "passed over: {}; the files of a folder or an archive are read if they end in {}",
            messages::paths_of(others.iter().map(AsRef::as_ref)),
            endings()
        ));
    }
}

#[allow(unsafe_code)]
fn open_mapped(path: &Path) -> Result<(Vec<Source>, Vec<PathBuf>), Error> {
    // SAFETY: a program cannot keep other processes from its input; it can only make sure that the consequences are
    // bounded, and leave the choice to the user (`--no-mmap`). If the file is truncated, the read behind its end raises
    // SIGBUS, which `handlers.rs` handles: the tool ends with a message, without unfinished output. If bytes of it
    // change, the records have other cells than before. Every value of every byte is handled, no unchecked code relies
    // on reading the same byte twice, and `Source::finish` makes the run an error afterwards. ripgrep maps
    // files for the same reasons (`crates/searcher/src/searcher/mmap.rs`: the program, not the library, takes this
    // risk).
    unsafe { Source::open_each_mapped(path) }
}

/// The names of the inputs: `files`, or `-` if the list is empty.
pub(super) fn paths(files: &[PathBuf]) -> anyhow::Result<Vec<&Path>> {
    if files.is_empty() && std::io::stdin().is_terminal() {
        bail!("no input: name a file, or pipe one in (`-` reads from the terminal)");
    }
    if files.iter().filter(|path| is_stdin(path)).count() > 1 {
        bail!("standard input (`-`) can be read only once");
    }
    Ok(if files.is_empty() { vec![Path::new("-")] } else { files.iter().map(AsRef::as_ref).collect() })
}
