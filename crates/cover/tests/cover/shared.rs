//! What a test may find missing: the folder `shared/data` beside the checkout, and instruction sets. It says so on
//! standard error. The tests of all packages use it.

#![allow(dead_code, reason = "each test program uses a part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{io, thread};

use galop_simd::Isa;

/// Says on standard error what the current test leaves out. (Test programs hide what `eprintln!` writes.)
pub(crate) fn skip(what: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let mut stderr = io::stderr();
    writeln!(stderr, "skipped: {test}: {what}").unwrap();
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

/// The text of a file in `shared/data`, if it exists.
pub(crate) fn shared_text(name: &str) -> Option<String> {
    shared(name).map(|path| std::fs::read_to_string(path).unwrap())
}

/// The instruction sets of this machine. The first call says which ones it lacks.
pub(crate) fn isas() -> Vec<Isa> {
    static SAID: Once = Once::new();
    let (has, lacks) = Isa::ALL.into_iter().partition::<Vec<Isa>, _>(|isa| isa.is_available());
    SAID.call_once(|| lacks.iter().for_each(|isa| skip(&format!("this machine has no {}", isa.name()))));
    has
}
