//! What cargo cannot know about the layout: folders of a package do not import each other in a circle, unsafe code stays
//! at its addresses, and nothing is left for later.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The source folders of all packages.
const PACKAGES: [&str; 11] = [
    "src",
    "crates/cli/src",
    "crates/serve/src",
    "crates/report/src",
    "crates/compare/src",
    "crates/batch/src",
    "crates/explain/src",
    "crates/engines/src",
    "crates/cover/src",
    "crates/simd/src",
    "python/src",
];

/// The only files with unsafe code. (That each block has an argument is a lint.)
const UNSAFE: &[&str] = &[
    "crates/batch/src/input/source.rs",
    "crates/cli/src/handlers.rs",
    "crates/cli/src/input.rs",
    // The processor time of a child process: wait4.
    "crates/compare/src/child.rs",
    "crates/cover/src/engine/bitset/quads.rs",
    "crates/engines/src/engine/lanes/planes/avx2.rs",
    "crates/engines/src/engine/lanes/planes/avx512.rs",
    "crates/engines/src/engine/lanes/planes/mod.rs",
    "crates/engines/src/engine/lanes/transpose/avx2.rs",
    "crates/engines/src/engine/lanes/transpose/avx512.rs",
    "crates/engines/src/engine/lanes/transpose/exchange.rs",
    "crates/engines/src/engine/lanes/transpose/mod.rs",
    "crates/simd/src/vector.rs",
    "crates/simd/src/words.rs",
    "crates/simd/src/x86.rs",
    // The memory of columns that other libraries lend: a C interface.
    "python/src/arrow.rs",
];

/// A file: its path in the workspace, its module as names from the root of the package, its code without comments.
struct Source {
    path: String,
    module: Vec<String>,
    code: String,
}

fn sources(package: &str) -> Vec<Source> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&workspace.join(package), &mut paths);
    assert!(!paths.is_empty(), "{package} has no files");
    let source = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(workspace).unwrap().to_str().unwrap().replace('\\', "/");
        let inner = path.strip_prefix(package).unwrap().trim_end_matches(".rs").split('/');
        let module =
            inner.filter(|name| !["", "mod", "lib", "main"].contains(name)).map(str::to_owned).collect();
        let code = text.lines().map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
        Source { path, module, code }
    };
    paths.into_iter().map(source).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

/// The paths in a file that begin with `crate`, `super` or `self`, as names from the root of the package.
fn imports(source: &Source) -> Vec<Vec<String>> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    // Unit tests may import anything. They are the end of a file.
    let mut code = source.code.split("#[cfg(test)]\nmod ").next().unwrap().to_owned();
    // `a::{b, c}` is `a::b, a::c`; the last group that opens has no group inside.
    while let Some(open) = code.rfind("::{") {
        let close = open + code[open..].find('}').unwrap();
        let start = code[..open].rfind(|c| !is_path(c)).map_or(0, |at| at + 1);
        let before = code[start..open + 2].to_owned();
        let paths = code[open + 3..close].split(',').map(|path| format!("{before}{},", path.trim()));
        code.replace_range(start..=close, &paths.collect::<String>());
    }
    let begins = |path: &&str| ["crate::", "super::", "self::"].iter().any(|first| path.starts_with(first));
    let resolve = |path: &str| {
        let mut names = source.module.clone();
        for name in path.split("::") {
            match name {
                "crate" => names.clear(),
                "super" => drop(names.pop()),
                "self" | "" => {}
                name => names.push(name.to_owned()),
            }
        }
        names
    };
    code.split(|c| !is_path(c)).filter(begins).map(resolve).collect()
}

/// The circles among the members of each folder in which one member is itself a folder: their names, and the imports.
///
/// An import belongs to the innermost folder with both ends in it. A folder's own `mod.rs` is not a member: it may use
/// its members, and they may use it.
fn circles(sources: &[Source]) -> BTreeMap<String, Vec<String>> {
    let modules: BTreeSet<&[String]> = sources.iter().map(|source| &*source.module).collect();
    let is_folder =
        |path: &[String]| modules.iter().any(|other| other.len() > path.len() && other.starts_with(path));
    let mut folders: BTreeMap<Vec<String>, BTreeMap<(String, String), String>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.path.ends_with("tests.rs")) {
        for target in imports(source) {
            let common = source.module.iter().zip(&target).take_while(|(one, other)| one == other).count();
            let (Some(from), Some(to)) = (source.module.get(common), target.get(common)) else { continue };
            if modules.contains(&target[..=common]) || is_folder(&target[..=common]) {
                let import = format!("{}: {}", source.path, target.join("::"));
                folders
                    .entry(target[..common].to_vec())
                    .or_default()
                    .insert((from.clone(), to.clone()), import);
            }
        }
    }
    let mut circles = BTreeMap::new();
    for (folder, imports) in folders {
        let reaches = |start: &String, end: &String| {
            let mut reached = BTreeSet::from([start]);
            while let Some(((_, next), _)) =
                imports.iter().find(|((from, to), _)| reached.contains(from) && !reached.contains(to))
            {
                reached.insert(next);
            }
            reached.contains(end)
        };
        let members: BTreeSet<&String> = imports.keys().flat_map(|(from, to)| [from, to]).collect();
        for one in &members {
            let circle: Vec<&str> = members
                .iter()
                .filter(|other| reaches(one, other) && reaches(other, one))
                .map(|name| name.as_str())
                .collect();
            if circle.len() > 1
                && circle.iter().any(|name| is_folder(&[&*folder, &[(*name).to_owned()]].concat()))
            {
                let is_inside =
                    |(from, to): &(String, String)| circle.contains(&&**from) && circle.contains(&&**to);
                let places = imports.iter().filter(|(import, _)| is_inside(import));
                let name = format!("{}: {}", folder.join("/"), circle.join(" "));
                circles.insert(name, places.map(|(_, place)| place.clone()).collect());
            }
        }
    }
    circles
}

#[test]
fn folders_do_not_import_each_other_in_a_circle() {
    for package in PACKAGES {
        let found = circles(&sources(package));
        assert!(found.is_empty(), "{package}: {found:#?}");
    }
}

#[test]
fn unsafe_code_stays_at_its_addresses() {
    let is_unsafe = |source: &Source| source.code.contains("unsafe_code") || source.code.contains("unsafe ");
    let found = PACKAGES.into_iter().flat_map(sources).filter(is_unsafe).map(|source| source.path);
    assert_eq!(found.collect::<BTreeSet<_>>(), UNSAFE.iter().map(|path| (*path).to_owned()).collect());
}

/// The only files that start threads. All but the first say why.
const THREADS: &[&str] = &[
    "crates/cover/src/threads.rs",
    // The thread of a call from Python, with the stack of a main thread.
    "python/src/call.rs",
    // Reads what a program prints while another thread waits for it to end.
    "crates/compare/src/program.rs",
];

/// A thread that is started elsewhere has the stack that the environment gives it, which may be too small for an engine.
#[test]
fn threads_are_started_in_one_place() {
    let starts = |source: &Source| {
        let code = source.code.split("#[cfg(test)]\nmod ").next().unwrap();
        let names = |path: &str, names: &[&str]| {
            let after = code.split(path).skip(1).map(|after| after.split([';', '(']).next().unwrap());
            after
                .flat_map(|after| after.split(|c: char| !c.is_alphanumeric() && c != '_'))
                .any(|name| names.contains(&name))
        };
        !source.path.ends_with("tests.rs")
            && names("thread::", &["Builder", "spawn", "scope", "ThreadPoolBuilder"])
            || code.contains("ThreadPoolBuilder")
    };
    let found = PACKAGES.into_iter().flat_map(sources).filter(starts).map(|source| source.path);
    assert_eq!(found.collect::<BTreeSet<_>>(), THREADS.iter().map(|path| (*path).to_owned()).collect());
}

#[test]
fn nothing_is_left_for_later() {
    for source in PACKAGES.into_iter().flat_map(sources) {
        for left in ["#[ignore", "todo!", "unimplemented!", "dbg!"] {
            assert!(!source.code.contains(left), "{}: {left}", source.path);
        }
    }
}

/// The test of the test.
#[test]
fn a_circle_of_two_folders_is_found() {
    let source = |path: &str, code: &str| {
        let names = path.trim_end_matches(".rs").split('/').filter(|name| !["mod", "lib"].contains(name));
        Source { path: path.to_owned(), module: names.map(str::to_owned).collect(), code: code.to_owned() }
    };
    let mut sources = vec![
        source("lib.rs", "pub mod a; pub mod b; pub use a::{One, two::{self, Two}};"),
        source("a/mod.rs", "pub mod two; pub use two::Two; pub struct One;"),
        source("a/two.rs", "use super::One; use self::{f, g::h}; pub struct Two;"),
        source("b/mod.rs", "mod c; use crate::{Two, a::{One as Uno, two::Two}}; fn f() { c::g() }"),
        source("b/c.rs", "pub fn g() { let _ = super::super::a::One; }"),
    ];
    assert_eq!(circles(&sources), BTreeMap::new());
    sources.push(source("a/three.rs", "fn f() { crate::b::h() }"));
    let found = circles(&sources);
    assert_eq!(found.keys().collect::<Vec<_>>(), [": a b"]);
    assert_eq!(found[": a b"].len(), 2, "{found:?}");
}
