//! Help, completions and manual pages.

use std::io::{BufRead, BufReader};

use crate::program::{self, Folder, Run, send};

#[test]
fn help_for_every_command() {
    let folder = Folder::new();
    let commands = [
        "solve",
        "convert",
        "canon",
        "augment",
        "dedup",
        "leak",
        "split",
        "sample",
        "rate",
        "verify",
        "generate",
        "compare",
        "explain",
        "hint",
        "show",
        "serve",
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
    // The list of engines is that of `galop engines` alone.
    assert!(
        solve.contains("`galop engines` describes them") && !solve.contains(galop_engines::ENGINES[0].about),
        "{solve}"
    );
    for word in [
        "Exit codes",
        "--max-guesses",
        "--isa",
        "--crosscheck",
        "malformed",
        "standard input",
        "A guess is a choice that is tried while another is still open",
    ] {
        let words: Vec<&str> = solve.split_whitespace().collect();
        assert!(words.join(" ").contains(word), "{word} is not in\n{solve}");
    }
    // The limit of every engine.
    for command in ["solve", "compare"] {
        let help = folder.run(&[command, "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("1,000,000 for lanes, bitboard, ") && help.contains("grid"), "{help}");
        // The published solvers are for comparisons.
        for words in ["10,000,000,000 for backtrack", "norvig"] {
            assert_eq!(help.contains(words), command == "compare", "{command} {words}\n{help}");
        }
    }
    let engines = folder.run(&["engines"]).out;
    for (name, limit) in [("reduce", "[at most 10,000,000 guesses]"), ("logic", "[never guesses]")] {
        let line = engines.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        assert!(line.ends_with(limit), "{line}");
    }
    assert!(solve.lines().all(|line| line.chars().count() <= 110), "{solve}");
}

/// What a person reads is short, and what few people need is only in the long help, under a heading of its own.
#[test]
fn help_is_short() {
    let folder = Folder::new();
    let lines = |words: &[&str]| folder.run(words).ends(0, &[]).out.lines().count();
    assert!(lines(&["solve", "--help"]) <= 200, "{}", lines(&["solve", "--help"]));
    let experts = [
        ("solve", "--isa --no-mmap --npy-offset --crosscheck-seed --no-times --limit-records --problem"),
        ("dedup", "--trust-solutions --no-mmap"),
        ("compare", "--isa --guesses-pattern --solutions-pattern"),
    ];
    for (command, options) in experts {
        assert!(lines(&[command, "-h"]) <= 60, "{command}: {}", lines(&[command, "-h"]));
        let short = folder.run(&[command, "-h"]).out;
        let long = folder.run(&[command, "--help"]).out;
        let (before, advanced) = long.split_once("\nAdvanced:\n").unwrap();
        for option in options.split(' ') {
            assert!(!short.contains(option), "{command} {option}");
            assert!(
                !before.contains(&format!("{option} ")) && advanced.contains(option),
                "{command} {option}"
            );
        }
    }
}

/// The short help ends with two examples, and begins with what the command itself does.
#[test]
fn the_short_help_has_two_examples() {
    let folder = Folder::new();
    for command in ["solve", "rate", "generate", "cover", "compare", "leak"] {
        let help = folder.run(&[command, "-h"]).ends(0, &[]).out;
        let (before, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{help}"));
        let count = examples.matches("  galop ").count();
        assert!((1..=2).contains(&count), "{examples}");
        let place = |heading: &str| before.find(heading).unwrap_or(usize::MAX);
        // Everything that `leak` does, it does without an option.
        assert!(command == "leak" || place("\nWhat to find:\n") <= place("\nInput:\n"), "{help}");
        // The first line says what the command does without names of people and formats.
        assert!(!help.lines().next().unwrap().contains("Knuth"), "{help}");
    }
}

/// Tips for mistakes that people make.
#[test]
fn mistakes_get_a_tip() {
    let folder = Folder::new();
    let tip = |words: &[&str], tip: &str| {
        folder.run(words).ends(2, &[&format!("\n  tip: {tip}\n")]);
    };
    tip(&["generate", "5"], "the number of puzzles is an option: galop generate --count 5");
    folder.write("in.txt", "");
    tip(&["in.txt"], "did you mean galop solve in.txt");
    tip(&["12..34....1....2"], "did you mean galop solve 12..34....1....2");
    tip(&["slove", "in.txt"], "some similar subcommands exist: 'solve', 'serve', 'cover'");
}

#[test]
fn completions_and_manual_page() {
    let folder = Folder::new();
    for (shell, word) in [("bash", "complete -F"), ("zsh", "#compdef galop"), ("fish", "complete -c galop")] {
        let script = folder.run(&["completions", shell]).ends(0, &[]).out;
        assert!(script.contains(word) && script.contains("bitboard"), "{shell}");
        assert!(galop_engines::engine::Isa::ALL.iter().all(|isa| script.contains(isa.name())), "{shell}");
    }
    folder.run(&["completions", "tcsh"]).ends(2, &["possible values"]);
    let page = folder.run(&["man", "solve"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop-solve 1") && page.contains("max\\-guesses"), "{page}");
    let footer = format!("\"galop {}\"", env!("CARGO_PKG_VERSION"));
    for command in ["solve", "make", "cover", "compare"] {
        let page = folder.run(&["man", command]).ends(0, &[]).out;
        for section in ["SYNOPSIS", "DESCRIPTION", "OPTIONS", "\"EXIT STATUS\"", "EXAMPLES"] {
            assert!(page.contains(&format!(".SH {section}\n")), "{command}: {section}");
        }
        assert!(!page.contains(".SH EXTRA") && !page.contains("Exit codes"), "{page}");
        assert!(page.lines().any(|line| line.starts_with(".TH") && line.contains(&footer)), "{page}");
    }
    assert!(page.contains("[\\fB\\-o\\fR|\\fB\\-\\-output\\fR \\fIFILE\\fR]"), "{page}");
    assert!(page.contains("[\\fIPUZZLE|FILE\\fR]..."), "{page}");
    assert!(page.contains(".TP\n2\nusage or I/O error; the output is not complete\n"), "{page}");
    let page = folder.run(&["man", "cover-list"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop-cover-list 1") && page.contains("\\fBgalop cover list\\fR"), "{page}");
    folder.run(&["man", "cover-"]).ends(2, &["no command is called `cover-`"]);
    let page = folder.run(&["man"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop 1") && page.contains(".SH NAME"), "{page}");
}

/// The examples of every command are there, and run.
#[test]
fn examples_run() {
    let puzzles = crate::puzzles(20);
    let table = |range: std::ops::Range<usize>| {
        let rows = puzzles.lines().enumerate().skip(range.start).take(range.len());
        let solution = |puzzle: &str| galop::solve(puzzle).unwrap();
        rows.fold("id,puzzle,solution\n".to_owned(), |text, (id, puzzle)| {
            text + &format!("{id},{puzzle},{}\n", solution(puzzle))
        })
    };
    let pairs = puzzles
        .lines()
        .fold(String::new(), |text, puzzle| text + &format!("{puzzle},{}\n", galop::solve(puzzle).unwrap()));
    let files = [
        ("puzzles.txt", puzzles.as_str()),
        ("train.csv", &table(0..15)),
        ("test.csv", &table(15..20)),
        ("solved.txt", &pairs),
        ("map.txt", galop_testing::rules::MAP5),
        ("problem.dlx", "a b c\na b\nc\na\nb c\n"),
    ];
    let general = Folder::new().run(&["--help"]).out;
    let names = general.lines().filter_map(|line| {
        line.strip_prefix("  ")
            .filter(|line| !line.starts_with([' ', '-']))
            .and_then(|line| line.split(' ').next())
    });
    let mut count = 0;
    for name in names.filter(|name| *name != "help") {
        let help = Folder::new().run(&[name, "--help"]).out;
        let (_, examples) =
            help.split_once("Examples:\n").unwrap_or_else(|| panic!("{name} has no examples"));
        for line in
            examples.lines().filter(|line| line.starts_with("  galop ") || line.starts_with("  printf "))
        {
            // An explanation follows behind some spaces.
            let command = line.trim().split("  ").next().unwrap();
            let folder = Folder::with(&files);
            count += 1;
            if name == "serve" {
                assert_eq!(code_of_ended_server(&folder, command), Some(143), "{command}");
                continue;
            }
            let script = format!("galop() {{ '{}' \"$@\"; }}\n{command}", program::path());
            let run = Run::of(&mut folder.start("sh", &["-c", &script]));
            assert_eq!(run.code, Some(0), "{command}: {run:?}");
        }
    }
    assert!(count > 30, "{count}");
}

/// Starts a server, which runs until it is ended, waits until it prints its address, and ends it.
fn code_of_ended_server(folder: &Folder, command: &str) -> Option<i32> {
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let mut server = folder.spawn(&words);
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    send(&server, "-TERM");
    server.wait().unwrap().code()
}
