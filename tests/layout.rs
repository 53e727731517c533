//! The drawing of the floors, kept true: imports go down only.
//!
//! Every file of `src/` stands on a floor (see [`FLOORS`]). Its code, comments and strings taken out, is
//! searched for paths that begin with `crate::` or `galop::`; none may lead to a higher floor.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// Modules of `src/`, floor by floor.
const FLOORS: [&[&str]; 6] = [
    &["error", "isa"],
    &["puzzle", "rules", "cover"],
    &["engine"],
    &["input", "output", "tally", "crosscheck"],
    &["report", "batch", "compare", "ordered", "verify", "check", "generate"],
    &["cli", "main"],
];

/// The floor whose modules are strangers to each other.
const STRANGERS: usize = 3;

/// The only files that may hold unsafe code, each with an argument for every block.
const UNSAFE: &[&str] = &[
    "cover/masks/machine.rs",
    "cover/masks/x86.rs",
    "cover/rows/avx2.rs",
    "cli/fault.rs",
    "cli/input.rs",
    "input/source.rs",
    "engine/grid/machine.rs",
    "engine/grid/sweep/x86.rs",
    "engine/lanes/vector.rs",
    "engine/lanes/machine.rs",
    "engine/lanes/planes/avx2.rs",
    "engine/lanes/planes/avx512.rs",
    "engine/lanes/transpose/avx2.rs",
    "engine/lanes/transpose/avx512.rs",
    "engine/lanes/transpose/exchange.rs",
];

/// A file of `src/`: its path from there, its module on the ground of `src/`, and its code without comments
/// and strings.
struct Source {
    path: String,
    module: String,
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    paths.sort();
    let source = |path: &PathBuf| {
        let relative = path.strip_prefix(&root).unwrap();
        let first = relative.iter().next().unwrap().to_str().unwrap();
        Source {
            path: relative.to_str().unwrap().replace('\\', "/"),
            module: first.trim_end_matches(".rs").to_owned(),
            code: code_of(&fs::read_to_string(path).unwrap()),
        }
    };
    paths.iter().map(source).collect()
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

/// `text` with comments, strings and characters blanked out.
fn code_of(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let (mut code, mut at) = (String::new(), 0);
    let starts = |at: usize, what: &str| what.chars().enumerate().all(|(i, c)| bytes.get(at + i) == Some(&c));
    while at < bytes.len() {
        if starts(at, "//") {
            while at < bytes.len() && bytes[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            while at < bytes.len() && !starts(at, "*/") {
                at += 1;
            }
            at += 2;
        } else if let Some(hashes) = raw_string(&bytes[at..]) {
            let end = format!("\"{}", "#".repeat(hashes));
            at += hashes + 2;
            while at < bytes.len() && !starts(at, &end) {
                at += 1;
            }
            at += end.len();
        } else if bytes[at] == '"' {
            at += 1;
            while at < bytes.len() && bytes[at] != '"' {
                at += if bytes[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
            code.push_str("\"\"");
        } else if bytes[at] == '\'' && bytes.get(at + 1) == Some(&'\\') {
            at += 3;
            while at < bytes.len() && bytes[at] != '\'' {
                at += 1;
            }
            at += 1;
        } else if bytes[at] == '\'' && bytes.get(at + 2) == Some(&'\'') {
            at += 3;
        } else {
            code.push(bytes[at]);
            at += 1;
        }
    }
    code
}

/// How many hashes a raw string that begins here has.
fn raw_string(text: &[char]) -> Option<usize> {
    let hashes = text.strip_prefix(&['r'])?.iter().take_while(|&&c| c == '#').count();
    (text.get(hashes + 1) == Some(&'"')).then_some(hashes)
}

/// The first names behind every `root::` in `code`; all of them where a group in braces follows.
fn names_behind(root: &str, code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in code.match_indices(root) {
        let before = code[..at].trim_end();
        let rest = code[at + root.len()..].trim_start();
        if before.ends_with(is_name) && code[..at].len() == before.len() {
            continue;
        }
        let Some(rest) = rest.strip_prefix("::") else { continue };
        let rest = rest.trim_start();
        let Some(group) = rest.strip_prefix('{') else {
            names.push(rest.chars().take_while(|&c| is_name(c)).collect());
            continue;
        };
        let (mut depth, mut name) = (0, String::new());
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => names.push(std::mem::take(&mut name)),
                c if depth == 0 => name.push(c),
                _ => {}
            }
        }
        names.push(name);
    }
    let first = |name: &String| name.trim().split("::").next().unwrap_or_default().trim().to_owned();
    names.iter().map(first).filter(|name| !name.is_empty()).collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

#[test]
fn every_module_stands_on_a_floor() {
    let sources = sources();
    assert!(sources.len() > 30, "src/ was not found");
    for source in sources.iter().filter(|source| source.module != "lib") {
        assert!(floor(&source.module).is_some(), "{}: name its floor in tests/layout.rs", source.path);
    }
    for module in FLOORS.concat() {
        assert!(sources.iter().any(|source| source.module == module), "there is no `{module}` any more");
    }
}

#[test]
fn imports_go_down() {
    let mut seen = 0;
    for source in sources().iter().filter(|source| !["lib", "cli", "main"].contains(&&*source.module)) {
        let here = floor(&source.module).unwrap();
        for name in names_behind("crate", &source.code) {
            seen += 1;
            let there = floor(&name);
            assert!(there.is_some(), "{}: crate::{name} is no module: name the module", source.path);
            assert!(there <= Some(here), "{}: crate::{name} is on a higher floor", source.path);
            let is_stranger = here == STRANGERS && there == Some(here) && name != source.module;
            assert!(!is_stranger, "{}: crate::{name} is to be a stranger", source.path);
        }
        assert_eq!(names_behind("galop", &source.code), [""; 0], "{}: paths begin with crate", source.path);
    }
    assert!(seen > 50, "the imports were not found");
}

/// The command line uses nothing of the library but what everyone can.
#[test]
fn the_command_line_is_a_user_of_the_library() {
    let library: Vec<&str> = FLOORS[..5].concat();
    for source in sources().iter().filter(|source| ["cli", "main"].contains(&&*source.module)) {
        for name in names_behind("crate", &source.code) {
            assert!(!library.contains(&&*name), "{}: crate::{name}", source.path);
        }
        assert!(!source.code.contains("#[path"), "{}", source.path);
    }
}

#[test]
fn unsafe_code_keeps_its_addresses() {
    for source in sources() {
        let mentions = source.code.contains("unsafe_code") || source.code.contains("unsafe {");
        assert_eq!(mentions, UNSAFE.contains(&&*source.path), "{}", source.path);
    }
}

#[test]
fn nothing_is_left_for_later() {
    for source in sources() {
        for left in ["#[ignore", "todo!", "unimplemented!", "dbg!"] {
            assert!(!source.code.contains(left), "{}: {left}", source.path);
        }
    }
}

/// The instrument itself.
#[test]
fn code_is_told_from_comments_and_strings() {
    let code = code_of("a /* b */ c // d\n\"e\\\"f\" '\\'' 'g' r#\"h\"i\"# j 'k: l\n");
    let words: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(words, ["a", "c", "\"\"", "j", "'k:", "l"]);
    let code = "use crate::a::{b, c}; use crate::{d, e::{f, g}, h}; pub(in crate::i) my_crate::j crate::\n k";
    assert_eq!(names_behind("crate", code), ["a", "d", "e", "h", "i", "k"]);
}
