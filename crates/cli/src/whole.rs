//! One input that is read as a whole.

use std::path::Path;

use galop_batch::input::Source;
use galop_batch::{Error, ErrorKind};

use super::{messages, signals};

/// Standard input, if the program was started with one.
pub(super) fn stdin() -> Result<Source, Error> {
    let stdin = Source::stdin();
    match signals::check_open(0) {
        Ok(()) => Ok(stdin),
        Err(error) => Err(Error::from(ErrorKind::Read(error)).in_file(stdin.name())),
    }
}

/// The name of an input in messages.
pub(super) fn name_of(path: &Path) -> &Path {
    if is_stdin(path) { Path::new(messages::STDIN) } else { path }
}

/// All bytes of an input, unpacked if they are compressed.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut source = if is_stdin(path) { stdin()? } else { Source::open(path)? };
    source.read_all()
}

pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
