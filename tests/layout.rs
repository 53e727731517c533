//! What cargo cannot know about the layout. Files and folders of a package do not import each other in a circle, unsafe
//! code stays at its addresses, threads start in one place, and nothing is left for later.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree};

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
    "python/src/arrow_columns.rs",
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

/// The path of a module or of an item: names from the root of the package.
type Names = Vec<String>;

/// A file without its tests.
struct Source {
    /// Its path in the workspace.
    path: String,
    module: Names,
    /// The paths that begin with `crate`, `super` or `self`.
    imports: Vec<Names>,
    /// The names that `use` brings into the module, and the paths that they stand for.
    names: BTreeMap<String, Names>,
    /// All paths as they are written, and the names of macros.
    written: BTreeSet<String>,
    has_unsafe: bool,
}

/// The source folders of all packages, with their files.
fn packages() -> BTreeMap<String, Vec<Source>> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates =
        fs::read_dir(workspace.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let others = ["src", "python/src"].map(|folder| workspace.join(folder));
    let packages = crates.chain(others).map(|folder| {
        let mut paths = Vec::new();
        collect(&folder, &mut paths);
        assert!(!paths.is_empty(), "{folder:?} has no files");
        let sources = paths.iter().map(|path| {
            let place = path.strip_prefix(workspace).unwrap().to_str().unwrap().replace('\\', "/");
            let module = path.strip_prefix(&folder).unwrap().with_extension("");
            Source::read(place, module.to_str().unwrap(), &fs::read_to_string(path).unwrap())
        });
        (folder.strip_prefix(workspace).unwrap().to_str().unwrap().to_owned(), sources.collect())
    });
    packages.collect()
}

/// The files in `folder` and below it, without files of tests.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            paths.push(path);
        }
    }
}

impl Source {
    /// `module` is the path of the file in the source folder of its package, without the ending.
    fn read(path: String, module: &str, text: &str) -> Source {
        let names = module.split(['/', '\\']).filter(|name| !["mod", "lib", "main"].contains(name));
        let mut source = Source {
            path,
            module: names.map(str::to_owned).collect(),
            imports: Vec::new(),
            names: BTreeMap::new(),
            written: BTreeSet::new(),
            has_unsafe: false,
        };
        source.visit_file(&syn::parse_file(text).unwrap());
        source
    }

    /// Adds a path that is written in this file. In macros it is not seen.
    fn add(&mut self, path: Names) -> Option<Names> {
        self.written.insert(path.join("::"));
        if !path.first().is_some_and(|first| ["crate", "super", "self"].contains(&&**first)) {
            return None;
        }
        let mut names = self.module.clone();
        for name in path {
            match &*name {
                "crate" => names.clear(),
                "super" => drop(names.pop()),
                "self" => {}
                _ => names.push(name),
            }
        }
        self.imports.push(names.clone());
        Some(names)
    }

    /// Adds the paths of a `use`, which begin with `before`.
    fn add_tree(&mut self, before: &Names, tree: &UseTree) {
        let with = |name: &syn::Ident| [&**before, &[name.to_string()]].concat();
        let (path, name) = match tree {
            UseTree::Path(path) => return self.add_tree(&with(&path.ident), &path.tree),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.add_tree(before, tree)),
            UseTree::Glob(_) => (before.clone(), None),
            UseTree::Name(name) => (with(&name.ident), Some(&name.ident)),
            UseTree::Rename(rename) => (with(&rename.ident), Some(&rename.rename)),
        };
        if let (Some(names), Some(name)) = (self.add(path), name) {
            self.names.insert(name.to_string(), names);
        }
    }
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        attribute.path().is_ident("cfg") && text == "test"
    })
}

impl<'a> Visit<'a> for Source {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        self.add_tree(&Names::new(), &item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        let text = attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        self.has_unsafe |= text.contains("unsafe_code");
        self.written
            .insert(attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect());
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.has_unsafe |= call.tokens.to_string().contains("unsafe ");
        visit::visit_macro(self, call);
    }
}

/// The circles among the members of each folder, files or folders: their names, and the imports.
///
/// An import belongs to the innermost folder with both ends in it. A folder's own `mod.rs` is not a member: it may use
/// its members, and they may use it. A name that `mod.rs` itself imports leads on to the file that it is from.
fn circles(sources: &[Source]) -> BTreeMap<String, Vec<String>> {
    let modules: BTreeMap<&[String], &Source> =
        sources.iter().map(|source| (&*source.module, source)).collect();
    let origin = |target: &Names| {
        let mut target = target.clone();
        // A chain of names is short. (A `use` in a function can lead back to its own module.)
        for _ in 0..8 {
            let is_known = |&length: &usize| modules.contains_key(&target[..length]);
            let Some(length) = (0..target.len()).rev().find(is_known) else { break };
            let is_module = target.len() == length + 1 && modules.contains_key(&*target);
            let path = modules[&target[..length]].names.get(&target[length]).filter(|_| !is_module);
            let Some(path) = path else { break };
            target = [path, &target[length + 1..]].concat();
        }
        target
    };
    let mut folders: BTreeMap<Names, BTreeMap<(String, String), String>> = BTreeMap::new();
    for source in sources {
        for target in source.imports.iter().map(origin) {
            let common = source.module.iter().zip(&target).take_while(|(one, other)| one == other).count();
            let (Some(from), Some(to)) = (source.module.get(common), target.get(common)) else { continue };
            if modules.keys().any(|module| module.starts_with(&target[..=common])) {
                let import = format!("{}: {}", source.path, target.join("::"));
                let folder = folders.entry(target[..common].to_vec()).or_default();
                folder.insert((from.clone(), to.clone()), import);
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
            let circle = members.iter().filter(|other| reaches(one, other) && reaches(other, one));
            let circle: Vec<&str> = circle.map(|name| name.as_str()).collect();
            if circle.len() > 1 {
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
fn files_and_folders_do_not_import_each_other_in_a_circle() {
    let found = packages().into_iter().flat_map(|(package, sources)| {
        circles(&sources).into_iter().map(move |(circle, imports)| (format!("{package} {circle}"), imports))
    });
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// The paths of all files for which `is_listed` holds.
fn files(is_listed: impl Fn(&Source) -> bool) -> BTreeSet<String> {
    packages().into_values().flatten().filter(is_listed).map(|source| source.path).collect()
}

#[test]
fn unsafe_code_stays_at_its_addresses() {
    assert_eq!(files(|source| source.has_unsafe), UNSAFE.iter().map(|path| (*path).to_owned()).collect());
}

/// A thread that is started elsewhere has the stack that the environment gives it, which may be too small for an
/// engine.
#[test]
fn threads_are_started_in_one_place() {
    let starts = ["Builder", "spawn", "scope"].map(|name| format!("thread::{name}"));
    let is_start = |path: &String| {
        path.ends_with("ThreadPoolBuilder")
            || path.contains("ThreadPoolBuilder::")
            || starts.iter().any(|start| path.ends_with(start))
            || path.contains("thread::Builder::")
    };
    let found = files(|source| source.written.iter().any(is_start));
    assert_eq!(found, THREADS.iter().map(|path| (*path).to_owned()).collect());
}

#[test]
fn nothing_is_left_for_later() {
    let left = ["ignore", "todo", "unimplemented", "dbg"];
    assert_eq!(files(|source| left.iter().any(|name| source.written.contains(*name))), BTreeSet::new());
}

/// Cargo leaves out a target whose features are off, without a word: the tests of the library were once not run.
#[test]
fn no_test_is_left_out_for_want_of_features() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(workspace.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for folder in crates.chain([workspace.to_owned()]) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("required-features"), "{folder:?}");
    }
}

/// The tests of the tests.
mod tests {
    use super::*;

    fn source(path: &str, code: &str) -> Source {
        Source::read(path.to_owned(), path.trim_end_matches(".rs"), code)
    }

    #[test]
    fn a_circle_of_two_folders_is_found() {
        let mut sources = vec![
            source("lib.rs", "pub mod a; pub mod b; pub use a::{One, two::{self, Two}};"),
            source("a/mod.rs", "pub mod two; pub use self::two::Two; pub struct One;"),
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

    #[test]
    fn a_circle_of_two_files_is_found_behind_the_names_of_their_folder() {
        let sources = [
            source("a/mod.rs", "mod one; mod two; pub use self::one::One; pub use self::two::Two;"),
            source("a/one.rs", "use super::Two; pub struct One;"),
            source("a/two.rs", "#[cfg(test)] mod tests { use super::*; } pub struct Two(super::One);"),
        ];
        assert_eq!(circles(&sources).keys().collect::<Vec<_>>(), ["a: one two"]);
    }

    #[test]
    fn what_is_unsafe_starts_threads_or_is_left_is_found() {
        let source = source("a.rs", "#[allow(unsafe_code)] fn f() { std::thread::spawn(g); todo!() }");
        assert!(source.has_unsafe);
        assert!(source.written.contains("std::thread::spawn") && source.written.contains("todo"));
    }
}
