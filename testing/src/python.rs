//! Python with a package, to read what the program writes with a tool that nobody wrote here.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::available::skip;

/// A Python that has `package`: the one in the virtual environment which `.ci/run` makes, or the system's. Without
/// one, it says that the test is skipped.
pub fn python_with(package: &str) -> Option<PathBuf> {
    let made = Path::new(crate::ROOT).join("target/python/bin/python3");
    let named = std::env::var_os("GALOP_PYTHON").map(PathBuf::from);
    let has_package = |python: &PathBuf| {
        let imported = Command::new(python).args(["-c", &format!("import {package}")]).output();
        imported.is_ok_and(|output| output.status.success())
    };
    let found = named.into_iter().chain([made, "python3".into()]).find(has_package);
    if found.is_none() {
        skip(&format!("there is no Python with {package}"));
    }
    found
}
