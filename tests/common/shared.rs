//! The folder `shared/data` beside the checkout, which not everyone has, and how a test says what it leaves out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{io, thread};

/// Says on standard error what the current test leaves out. (Test programs hide what `eprintln!` writes.)
pub(crate) fn skip(what: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    writeln!(io::stderr(), "skipped: {test}: {what}").unwrap();
}

/// The path of a file or folder in `shared/data` beside the checkout. Without it this says so and returns `None`.
///
/// "Beside" means in any folder above the package, because a package of the workspace lies deeper than the checkout.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1);
    let found = above.map(|folder| folder.join("shared/data").join(name)).find(|path| path.exists());
    if found.is_none() {
        skip(&format!("there is no ../shared/data/{name}"));
    }
    found
}
