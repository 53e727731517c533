//! The files a command reads.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::bail;
use galop::Error;
use galop::input::source::Source;

/// Opens all of `files`, so that a wrong name shows before any work is done; `-` or nothing is standard input.
pub(super) fn open(files: &[PathBuf], map: bool) -> anyhow::Result<Vec<Source>> {
    if files.is_empty() && std::io::stdin().is_terminal() {
        bail!("no input: name a file, or pipe puzzles in (`-` reads the terminal)");
    }
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    if files.iter().filter(|path| is_stdin(path)).count() > 1 {
        bail!("standard input (`-`) can be read once only");
    }
    let open = |path: &PathBuf| if is_stdin(path) { Ok(Source::stdin()) } else { Source::open(path, map) };
    Ok(files.iter().map(open).collect::<Result<_, Error>>()?)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
