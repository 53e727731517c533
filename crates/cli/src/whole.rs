//! One input that is read as a whole.

use std::path::Path;

use galop_batch::Error;
use galop_batch::input::Source;

use super::messages;

/// The name of an input in messages.
pub(super) fn name_of(path: &Path) -> &Path {
    if is_stdin(path) { Path::new(messages::STDIN) } else { path }
}

/// All bytes of an input, unpacked if they are compressed.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut source = if is_stdin(path) { Source::stdin() } else { Source::open(path)? };
    source.read_all()
}

pub(super) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
