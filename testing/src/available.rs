//! What a test may find missing: the large sets, and instruction sets. It says so on standard error. The tests of all
//! packages use it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{io, thread};

use galop_simd::Isa;

/// Says on standard error what the current test leaves out. (Test programs hide what `eprintln!` writes.)
pub fn skip(what: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    let mut stderr = io::stderr();
    writeln!(stderr, "skipped: {test}: {what}").unwrap();
}

/// The path of a file or folder of the large sets: those in the folder that the environment variable `GALOP_DATA`
/// names. Without the variable this says so and returns `None`. With it, a missing file is a failure.
pub fn large_set(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("GALOP_DATA") else {
        skip(&format!("GALOP_DATA names no folder of large sets, so there is no {name}"));
        return None;
    };
    // Tests of each package run in the package's folder.
    assert!(Path::new(&folder).is_absolute(), "GALOP_DATA={}: must be an absolute path", folder.display());
    let path = Path::new(&folder).join(name);
    assert!(path.exists(), "GALOP_DATA={}: there is no {name} in it", folder.display());
    Some(path)
}

/// The text of a file of the large sets, if there are any.
pub fn large_set_text(name: &str) -> Option<String> {
    large_set(name).map(|path| std::fs::read_to_string(path).unwrap())
}

/// Whether tests that soak run at full size: the environment variable `GALOP_TEST_SOAK` is set.
pub fn is_soaking() -> bool {
    std::env::var_os("GALOP_TEST_SOAK").is_some()
}

/// The size of a test: `usual`, or `large` where tests soak.
pub fn sized<T>(usual: T, large: T) -> T {
    if is_soaking() { large } else { usual }
}

/// The instruction sets of this machine. The first call says which ones it lacks.
pub fn isas() -> Vec<Isa> {
    static SAID: Once = Once::new();
    let (has, lacks) = Isa::ALL.into_iter().partition::<Vec<Isa>, _>(|isa| isa.is_available());
    SAID.call_once(|| lacks.iter().for_each(|isa| skip(&format!("this machine has no {}", isa.name()))));
    has
}
