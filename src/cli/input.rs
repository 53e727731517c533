//! The files a command reads.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::bail;
use galop::Error;
use galop::input::source::Source;

/// Opens all of `files`, so that a wrong name is reported before any work is done. `-`, or no file, is standard input.
/// `map`: regular files are mapped into memory.
pub(super) fn open(files: &[PathBuf], map: bool) -> anyhow::Result<Vec<Source>> {
    open_by(files, |path| if map { open_mapped(path) } else { Source::open(path) })
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

/// The same with an `open` of the caller's, for every name but `-`.
pub(super) fn open_by(
    files: &[PathBuf],
    open: impl Fn(&Path) -> Result<Source, Error>,
) -> anyhow::Result<Vec<Source>> {
    if files.is_empty() && std::io::stdin().is_terminal() {
        bail!("no input: name a file, or pipe puzzles in (`-` reads the terminal)");
    }
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    if files.iter().filter(|path| is_stdin(path)).count() > 1 {
        bail!("standard input (`-`) can be read once only");
    }
    let open = |path: &PathBuf| if is_stdin(path) { Ok(Source::stdin()) } else { open(path) };
    Ok(files.iter().map(open).collect::<Result<_, Error>>()?)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
