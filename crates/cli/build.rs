//! Tells the tool which commit it is built from, so that reports can name it. Without a repository it names none.

use std::path::Path;
use std::process::Command;

/// What git prints; `None` if there is no git or no repository.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The repository must be galop's own: a packed copy may lie in another one.
    let is_own = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| is_own) else { return };
    println!("cargo:rustc-env=GALOP_COMMIT={commit}");
    // Each commit and each change of the branch appends a line to this file.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|path| Path::new(path).exists())
    {
        println!("cargo:rerun-if-changed={log}");
    }
}
