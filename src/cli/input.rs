//! The files a command reads.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::bail;
use galop::Error;
use galop::input::source::Source;

/// Opens all of `files`, so that a wrong name shows before any work is done; `-` or nothing is standard input.
pub(super) fn open(files: &[PathBuf], map: bool) -> anyhow::Result<Vec<Source>> {
    open_by(files, |path| Source::open(path, map))
}

/// The same where `open` says what a name stands for, unless it is `-`.
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
