//! Help, completions and manual pages.

use crate::common::program::Folder;

#[test]
fn help_for_every_command() {
    let folder = Folder::new();
    let commands = [
        "solve",
        "convert",
        "canon",
        "apply",
        "augment",
        "dedup",
        "leak",
        "split",
        "sample",
        "rate",
        "verify",
        "check",
        "generate",
        "compare",
        "show",
        "cover",
        "engines",
        "completions",
        "man",
    ];
    let general = folder.run(&["--help"]).ends(0, &[]).out;
    for command in commands {
        assert!(general.contains(command), "{command}");
        for flag in ["-h", "--help"] {
            let help = folder.run(&[command, flag]).ends(0, &[]).out;
            assert!(help.contains(&format!("Usage: galop {command}")), "{help}");
        }
    }
    folder.run(&["-h"]).ends(0, &[]);
    let version = folder.run(&["--version"]).ends(0, &[]).out;
    assert_eq!(version, format!("galop {}\n", env!("CARGO_PKG_VERSION")));
    let solve = folder.run(&["solve", "--help"]).out;
    let names = galop::ENGINES.iter().map(|entry| entry.name);
    for word in
        names.chain(["Exit codes", "--max-guesses", "--isa", "--crosscheck", "malformed", "standard input"])
    {
        assert!(solve.contains(word), "{word} is not in\n{solve}");
    }
    // The limit of every engine.
    for command in ["solve", "compare"] {
        let help = folder.run(&[command, "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["1,000,000 for lanes, bitboard, ", "10,000,000,000 for backtrack", "norvig", "grid"] {
            assert!(help.contains(words), "{words} is not in\n{help}");
        }
    }
    let engines = folder.run(&["engines"]).out;
    for (name, limit) in [("reduce", "[at most 10,000,000 guesses]"), ("logic", "[never guesses]")] {
        let line = engines.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        assert!(line.ends_with(limit), "{line}");
    }
    assert!(solve.lines().all(|line| line.chars().count() <= 110), "{solve}");
}

#[test]
fn completions_and_manual_page() {
    let folder = Folder::new();
    for (shell, word) in [("bash", "complete -F"), ("zsh", "#compdef galop"), ("fish", "complete -c galop")] {
        let script = folder.run(&["completions", shell]).ends(0, &[]).out;
        assert!(script.contains(word) && script.contains("bitboard"), "{shell}");
        assert!(galop::Isa::ALL.iter().all(|isa| script.contains(isa.name())), "{shell}");
    }
    folder.run(&["completions", "tcsh"]).ends(2, &["possible values"]);
    let page = folder.run(&["man", "solve"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop-solve 1") && page.contains("max\\-guesses"), "{page}");
    let page = folder.run(&["man"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop 1") && page.contains(".SH NAME"), "{page}");
}
