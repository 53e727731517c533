//! What cargo cannot know about the layout: unsafe code stays at its addresses, and threads start in one place.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The only files with unsafe code. (That each block has an argument is a lint.)
const UNSAFE: &[&str] = &[
    "crates/batch/src/input/source.rs",
    "crates/cli/src/handlers.rs",
    "crates/cli/src/input.rs",
    "crates/cover/src/engine/bitset/quads.rs",
    "crates/engines/src/engine/lanes/nine/planes/avx2.rs",
    "crates/engines/src/engine/lanes/nine/planes/avx512.rs",
    "crates/engines/src/engine/lanes/nine/planes/mod.rs",
    "crates/engines/src/engine/lanes/transpose/avx2.rs",
    "crates/engines/src/engine/lanes/transpose/avx512.rs",
    "crates/engines/src/engine/lanes/transpose/exchange.rs",
    "crates/engines/src/engine/lanes/transpose/mod.rs",
    "crates/simd/src/vector.rs",
    "crates/simd/src/words.rs",
    "crates/simd/src/x86.rs",
    // The memory of columns that other libraries lend: a C interface.
    "python/src/arrow.rs",
    // The memory of results, lent to other libraries through the same interface.
    "python/src/arrow_export.rs",
    // The processor time of a child process: wait4.
    "crates/compare/src/child.rs",
];

/// The only files that start threads. All but the first say why.
const THREADS: &[&str] = &[
    "crates/cover/src/threads.rs",
    // The thread of a call from Python, with the stack of a main thread.
    "python/src/call.rs",
    // Reads what a program prints while another thread waits for it to end.
    "crates/compare/src/shell.rs",
];

/// The files in `folder` and below it, without files of tests.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().unwrap() == "tests" {
            continue;
        }
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

/// The code of a file, without comments and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The paths of all source files of all packages with one of `words` in their code.
fn files_with(words: &[&str]) -> BTreeSet<String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates =
        fs::read_dir(workspace.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let mut paths = Vec::new();
    for folder in crates.chain(["src", "python/src", "testing/src"].map(|folder| workspace.join(folder))) {
        let before = paths.len();
        collect(&folder, &mut paths);
        assert!(paths.len() > before, "{folder:?} has no files");
    }
    let found = paths.iter().filter(|path| {
        let code = code(&fs::read_to_string(path).unwrap());
        words.iter().any(|word| code.contains(word))
    });
    found.map(|path| path.strip_prefix(workspace).unwrap().to_str().unwrap().replace('\\', "/")).collect()
}

fn listed(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|&path| path.to_owned()).collect()
}

/// The lint `unsafe_code` is denied, so a file with unsafe code allows it by name.
#[test]
fn unsafe_code_stays_at_its_addresses() {
    assert_eq!(files_with(&["unsafe_code", "unsafe {", "unsafe fn", "unsafe impl"]), listed(UNSAFE));
}

/// A thread that is started elsewhere has the stack that the environment gives it, which may be too small for an
/// engine.
#[test]
fn threads_are_started_in_one_place() {
    let starts =
        ["thread::spawn", "thread::scope", "thread::Builder", "thread::{Builder", "ThreadPoolBuilder"];
    assert_eq!(files_with(&starts), listed(THREADS));
}

#[test]
fn comments_and_tests_are_no_code() {
    let text = "fn f() {\n    // unsafe { }\n}\n\n#[cfg(test)]\nmod tests {\n    fn g() { std::thread::spawn(f); }\n}\n";
    assert_eq!(code(text), "fn f() {\n}\n");
}
