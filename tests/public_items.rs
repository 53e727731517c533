//! Counts what a user of each package can name: public functions, methods and types, re-exports once.
//!
//! `cargo test --test public_items -- --nocapture` prints the counts; with `GALOP_PUBLIC_ITEMS=galop-engines` in the
//! environment it also prints the names of that package. Items that a macro makes, constants, fields and variants are
//! not counted; methods of a public trait are.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, ImplItem, Item, TraitItem, UseTree, Visibility};

/// The most items of a package that are its own.
const MOST: usize = 40;

/// Packages with more: the number may fall and never rise. `galop` counts with everything that it re-exports, together
/// with `galop-cover`.
const LARGER: &[(&str, usize)] = &[
    // Records of an exact cover problem are 14 of them. Assumptions by items, counts as bytes, and solutions of a
    // diagram that own it, which the tool and Python share, are 7; the words of an explanation, which they share too, 4.
    ("galop and galop-cover", 459),
    // The tool, reports, the page, corpora and Python each call other parts of the pipeline.
    ("galop-batch", 278),
    // The figures of reports, which are read again from files: 20 types.
    ("galop-compare", 53),
    // A run, its options and its outcome for each of ten commands; the symmetries of problems are 6.
    ("galop-corpora", 130),
    // `galop`, `galop-batch`, `galop-corpora` and `galop-published` are built on its grids, engines and batches.
    ("galop-engines", 210),
    // The words of a step and of an explanation are 7, which the tool, the page and Python share.
    ("galop-explain", 44),
    // Two thirds are the operations of vectors: methods of five traits.
    ("galop-simd", 72),
];

/// A package, a module in it, and a name.
type Place = (String, Vec<String>, String);

/// A module: its items, and whether each `use` in it is public.
#[derive(Default)]
struct Module {
    items: Vec<Item>,
    /// The modules in it, and whether they are public.
    inner: BTreeMap<String, bool>,
}

/// All modules of the workspace: by package and path.
struct Workspace {
    modules: BTreeMap<(String, Vec<String>), Module>,
    /// The public methods of types and traits.
    methods: BTreeMap<Place, BTreeSet<String>>,
}

/// Whether an item is compiled for tests only. (What documents hide counts: a user can still name it.)
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let tokens = attribute.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
        attribute.path().is_ident("cfg") && (tokens == "test" || tokens == "doctest")
    })
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The name of a function or type, and whether it is public. `None` for other items and those of tests.
fn declared(item: &Item) -> Option<(String, bool)> {
    let (name, visibility, attributes) = match item {
        Item::Fn(item) => (&item.sig.ident, &item.vis, &item.attrs),
        Item::Struct(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Trait(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Type(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Union(item) => (&item.ident, &item.vis, &item.attrs),
        _ => return None,
    };
    (!is_test(attributes)).then(|| (name.to_string(), is_public(visibility)))
}

impl Workspace {
    fn read() -> Workspace {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut workspace = Workspace { modules: BTreeMap::new(), methods: BTreeMap::new() };
        workspace.add_package("galop", &root.join("src/lib.rs"));
        for entry in fs::read_dir(root.join("crates")).unwrap() {
            let folder = entry.unwrap().path();
            let name = format!("galop-{}", folder.file_name().unwrap().to_str().unwrap());
            workspace.add_package(&name, &folder.join("src/lib.rs"));
        }
        workspace.add_methods();
        workspace
    }

    fn add_package(&mut self, package: &str, lib: &Path) {
        let items = syn::parse_file(&fs::read_to_string(lib).unwrap()).unwrap().items;
        self.add_module(package, &[], lib.parent().unwrap(), items);
    }

    /// `folder` is where the files of the modules in this module are.
    fn add_module(&mut self, package: &str, path: &[String], folder: &Path, items: Vec<Item>) {
        let mut module = Module::default();
        for item in items {
            let Item::Mod(inner) = &item else {
                module.items.push(item);
                continue;
            };
            if is_test(&inner.attrs) {
                continue;
            }
            let name = inner.ident.to_string();
            let folder = folder.join(&name);
            let inner_items = match &inner.content {
                Some((_, items)) => items.clone(),
                None => {
                    let beside: PathBuf = folder.with_extension("rs");
                    let file = if beside.exists() { beside } else { folder.join("mod.rs") };
                    syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap().items
                }
            };
            module.inner.insert(name.clone(), is_public(&inner.vis));
            self.add_module(package, &[path, &[name]].concat(), &folder, inner_items);
        }
        self.modules.insert((package.to_owned(), path.to_owned()), module);
    }

    /// Where the item that `path` names in a module is declared, or the module it names (as its last name). `None` for
    /// the standard library and for packages from elsewhere.
    fn resolve(&self, package: &str, module: &[String], path: &[String], depth: usize) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        if depth > 16 {
            return None;
        }
        let (package, module, rest) = match &**first {
            "crate" => (package.to_owned(), Vec::new(), rest),
            "self" => (package.to_owned(), module.to_owned(), rest),
            "super" => (package.to_owned(), module[..module.len() - 1].to_owned(), rest),
            name if name == "galop" || name.starts_with("galop_") => {
                (name.replace('_', "-"), Vec::new(), rest)
            }
            _ => (package.to_owned(), module.to_owned(), path),
        };
        let here = self.modules.get(&(package.clone(), module.clone()))?;
        let Some((name, rest)) = rest.split_first() else {
            let (name, module) =
                module.split_last().map_or((String::new(), &[][..]), |(name, module)| (name.clone(), module));
            return Some((package, module.to_owned(), name));
        };
        if ["crate", "self", "super"].contains(&&**name) {
            return self.resolve(&package, &module, &[std::slice::from_ref(name), rest].concat(), depth + 1);
        }
        if here.inner.contains_key(name) {
            let inner = [&*module, std::slice::from_ref(name)].concat();
            if rest.is_empty() {
                return Some((package, module, name.clone()));
            }
            return self.resolve(&package, &inner, rest, depth + 1);
        }
        if rest.is_empty() && here.items.iter().filter_map(declared).any(|(declared, _)| declared == *name) {
            return Some((package, module, name.clone()));
        }
        for (target, as_name) in here.items.iter().flat_map(|item| uses(item, false)) {
            if as_name.as_deref() == Some(name) {
                return self.resolve(&package, &module, &[&*target, rest].concat(), depth + 1);
            }
        }
        None
    }

    fn add_methods(&mut self) {
        let mut methods: BTreeMap<Place, BTreeSet<String>> = BTreeMap::new();
        for ((package, module), content) in &self.modules {
            for item in &content.items {
                match item {
                    Item::Impl(block) if block.trait_.is_none() => {
                        let syn::Type::Path(path) = &*block.self_ty else { continue };
                        let path: Vec<String> =
                            path.path.segments.iter().map(|part| part.ident.to_string()).collect();
                        let Some(place) = self.resolve(package, module, &path, 0) else { continue };
                        let names = block.items.iter().filter_map(|item| match item {
                            ImplItem::Fn(method) if is_public(&method.vis) && !is_test(&method.attrs) => {
                                Some(method.sig.ident.to_string())
                            }
                            _ => None,
                        });
                        methods.entry(place).or_default().extend(names);
                    }
                    Item::Trait(declaration) => {
                        let place = (package.clone(), module.clone(), declaration.ident.to_string());
                        let names = declaration.items.iter().filter_map(|item| match item {
                            TraitItem::Fn(method) if !is_test(&method.attrs) => {
                                Some(method.sig.ident.to_string())
                            }
                            _ => None,
                        });
                        methods.entry(place).or_default().extend(names);
                    }
                    _ => {}
                }
            }
        }
        self.methods = methods;
    }

    /// Adds what a user reaches through a public module. `seen` are the modules that were already looked at.
    fn reach(
        &self,
        package: &str,
        module: &[String],
        items: &mut BTreeSet<Place>,
        seen: &mut BTreeSet<(String, Vec<String>)>,
    ) {
        let key = (package.to_owned(), module.to_owned());
        if !seen.insert(key.clone()) {
            return;
        }
        let here = &self.modules[&key];
        for (name, _) in here.items.iter().filter_map(declared).filter(|(_, is_public)| *is_public) {
            items.insert((package.to_owned(), module.to_owned(), name));
        }
        for (name, _) in here.inner.iter().filter(|(_, is_public)| **is_public) {
            self.reach(package, &[module, std::slice::from_ref(name)].concat(), items, seen);
        }
        for (target, name) in here.items.iter().flat_map(|item| uses(item, true)) {
            let Some((package, module, last)) = self.resolve(package, module, &target, 0) else { continue };
            let inner = if last.is_empty() {
                module.clone()
            } else {
                [&*module, std::slice::from_ref(&last)].concat()
            };
            if self.modules.contains_key(&(package.clone(), inner.clone())) {
                self.reach(&package, &inner, items, seen);
            } else if name.is_some() {
                items.insert((package, module, last));
            }
        }
    }

    /// The functions, types and methods that a user of a package reaches.
    fn items(&self, package: &str) -> BTreeSet<Place> {
        let (mut items, mut seen) = (BTreeSet::new(), BTreeSet::new());
        self.reach(package, &[], &mut items, &mut seen);
        let methods = items.iter().flat_map(|place| {
            let (package, module, owner) = place.clone();
            let module = [&*module, &[owner]].concat();
            let names = self.methods.get(place).into_iter().flatten();
            names.map(move |name| (package.clone(), module.clone(), name.clone()))
        });
        let methods: Vec<Place> = methods.collect();
        items.extend(methods);
        items
    }
}

/// The paths that an item `use`s and the names it gives them (`None` for all names of a module).
fn uses(item: &Item, only_public: bool) -> Vec<(Vec<String>, Option<String>)> {
    let Item::Use(import) = item else { return Vec::new() };
    if only_public && !is_public(&import.vis) || is_test(&import.attrs) {
        return Vec::new();
    }
    let mut found = Vec::new();
    add_uses(&[], &import.tree, &mut found);
    found
}

fn add_uses(before: &[String], tree: &UseTree, found: &mut Vec<(Vec<String>, Option<String>)>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => add_uses(&with(&path.ident), &path.tree, found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| add_uses(before, tree, found)),
        UseTree::Glob(_) => found.push((before.to_vec(), None)),
        UseTree::Name(name) if name.ident == "self" => found.push((before.to_vec(), before.last().cloned())),
        UseTree::Name(name) => found.push((with(&name.ident), Some(name.ident.to_string()))),
        UseTree::Rename(name) => found.push((with(&name.ident), Some(name.rename.to_string()))),
    }
}

#[test]
fn packages_have_few_public_items() {
    let workspace = Workspace::read();
    let listed = std::env::var("GALOP_PUBLIC_ITEMS").unwrap_or_default();
    let packages: BTreeSet<&String> = workspace.modules.keys().map(|(package, _)| package).collect();
    let mut too_many = Vec::new();
    let mut check = |name: &str, count: usize| {
        let most = LARGER.iter().find(|(larger, _)| *larger == name).map_or(MOST, |(_, most)| *most);
        if count > most {
            too_many.push(format!("{name}: {count}, at most {most}"));
        }
    };
    let mut libraries = BTreeSet::new();
    for package in packages {
        let items = workspace.items(package);
        let own = items.iter().filter(|(home, ..)| home == package).count();
        println!(
            "{package}: {own} public functions, methods and types of its own, {} with re-exports",
            items.len()
        );
        if *package == listed {
            for (home, module, name) in &items {
                println!("  {home} {}::{name}", module.join("::"));
            }
        }
        match &**package {
            "galop" | "galop-cover" => libraries.extend(items),
            // It is not published.
            "galop-testing" => {}
            _ => check(package, own),
        }
    }
    println!("galop and galop-cover together, with re-exports: {}", libraries.len());
    check("galop and galop-cover", libraries.len());
    assert!(too_many.is_empty(), "{too_many:#?}");
}

/// The test of the test.
#[test]
fn items_are_counted_once_wherever_they_are_named() {
    let mut workspace = Workspace { modules: BTreeMap::new(), methods: BTreeMap::new() };
    let mut add = |package: &str, path: &[&str], code: &str, inner: &[(&str, bool)]| {
        let path: Vec<String> = path.iter().map(|&name| name.to_owned()).collect();
        let inner = inner.iter().map(|&(name, is_public)| (name.to_owned(), is_public)).collect();
        let items = syn::parse_file(code).unwrap().items;
        workspace.modules.insert((package.to_owned(), path), Module { items, inner });
    };
    let code = "pub use a::One; pub use self::a::One as Uno; pub use b::*; pub(crate) struct Hidden;";
    add("galop-x", &[], code, &[("a", false), ("b", true)]);
    let code =
        "pub struct One; impl One { pub fn f() {} fn g() {} pub(crate) fn h() {} } pub struct NotReached;";
    add("galop-x", &["a"], code, &[]);
    add("galop-x", &["b"], "pub trait Two { fn f(); } #[cfg(test)] pub fn tested() {}", &[]);
    add("galop", &[], "pub use galop_x::{One, b}; pub fn f() {}", &[]);
    workspace.add_methods();
    assert_eq!(workspace.items("galop-x").len(), 4, "One, One::f, Two, Two::f");
    assert_eq!(workspace.items("galop").len(), 5);
}
