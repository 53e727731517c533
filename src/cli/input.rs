//! The files that a command reads.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::bail;
use galop::input::Source;
use galop::{Error, ErrorKind};

/// Opens all of `files` before any work is done, so that a wrong name shows at once. `-` or an empty list means
/// standard input.
pub(super) fn open(files: &[PathBuf], map: bool) -> anyhow::Result<Vec<Source>> {
    open_by(files, |path| open_one(path, map))
}

/// Opens the file `path`.
pub(super) fn open_one(path: &Path, map: bool) -> Result<Source, Error> {
    if map { open_mapped(path) } else { Source::open(path) }
}

#[allow(unsafe_code)]
fn open_mapped(path: &Path) -> Result<Source, Error> {
    // SAFETY: a program cannot keep other processes from its input; it can only make sure that the consequences are
    // bounded, and leave the choice to the user (`--no-mmap`). If the file is truncated, the read behind its end raises
    // SIGBUS, which `fault.rs` handles: the tool ends with a message, without unfinished output. If bytes of it change,
    // the records have other cells than before; every value of every byte is handled, no unchecked code relies on
    // reading the same byte twice, and `Source::check_unchanged` makes the run an error afterwards. ripgrep maps files
    // for the same reasons (`crates/searcher/src/searcher/mmap.rs`: the program, not the library, takes this risk).
    unsafe { Source::open_mapped(path) }
}

/// Opens all of `files` with `open`, and standard input for `-` or an empty list.
pub(super) fn open_by(
    files: &[PathBuf],
    open: impl Fn(&Path) -> Result<Source, Error>,
) -> anyhow::Result<Vec<Source>> {
    let open = |path: &Path| if is_stdin(path) { Ok(Source::stdin()) } else { open(path) };
    Ok(paths(files)?.into_iter().map(open).collect::<Result<_, Error>>()?)
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

/// The name of an input in messages.
pub(super) fn name_of(path: &Path) -> &Path {
    if is_stdin(path) { Path::new("<stdin>") } else { path }
}

/// All bytes of an input.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = match is_stdin(path) {
        true => std::io::stdin().read_to_end(&mut bytes).map(drop),
        false => std::fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| Error::from(ErrorKind::Read(error)).in_file(name_of(path)))?;
    Ok(bytes)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
