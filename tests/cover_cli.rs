//! `galop cover` as its users meet it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

mod problems;

/// One solution, in three options.
const SMALL: &str = "| a comment\nA B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1 |4\nC X:0\nB X:1\nC Y:1 |2\n";

struct Run {
    out: String,
    err: String,
}

/// Runs `galop cover` in `folder`, and asserts the exit code.
#[track_caller]
fn run(folder: &TempDir, input: &str, words: &[&str], code: i32) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galop"));
    command.current_dir(folder.path()).arg("cover").args(words).timeout(Duration::from_secs(120));
    let output = command.env("NO_COLOR", "1").write_stdin(input).output().unwrap();
    let run = Run {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert_eq!(output.status.code(), Some(code), "{}", run.err);
    run
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

/// The file that `galop make` makes of these words.
fn made(words: &str) -> String {
    galop_cover::text::to_text(&problems::make(words))
}

#[test]
fn solutions_are_counted_unless_they_are_asked_for() {
    let folder = folder(&[("small.dlx", SMALL), ("queens8.dlx", &made("queens 8"))]);
    let counted = run(&folder, "", &["small.dlx"], 0);
    assert_eq!(counted.out, "1\n");
    for words in ["1 solution in", "3 + 2 items, 5 options", "nodes", "updates", "depth"] {
        assert!(counted.err.contains(words), "{words:?} is not in\n{}", counted.err);
    }
    let both = run(&folder, "", &["--count", "-q", "small.dlx", "queens8.dlx"], 0);
    assert_eq!((&*both.out, &*both.err), ("small.dlx:1\nqueens8.dlx:92\n", ""));
    for words in [&["-q", "-"][..], &["-q"], &["-q", "--engine", "links"], &["-q", "-j", "2", "--count"]] {
        assert_eq!(run(&folder, SMALL, words, 0).out, "1\n");
    }
}

#[test]
fn a_solution_is_a_line_of_options_in_the_files_words() {
    let folder = folder(&[("small.dlx", SMALL), ("queens6.dlx", &made("queens 6"))]);
    let line = "A C X:1 Y:1 | B X:1 | C Y:1\n";
    assert_eq!(run(&folder, "", &["--all", "small.dlx"], 0).out, line);
    assert_eq!(run(&folder, "", &["--first", "7", "small.dlx"], 0).out, line);
    run(&folder, "", &["--all", "-o", "out.txt", "small.dlx"], 0);
    assert_eq!(fs::read_to_string(folder.path().join("out.txt")).unwrap(), line);
    let all = run(&folder, "", &["--all", "--ordered", "-j", "1", "queens6.dlx"], 0).out;
    assert_eq!(all.lines().count(), 4);
    assert_eq!(run(&folder, "", &["--all", "--ordered", "-j", "3", "queens6.dlx"], 0).out, all);
    let first = run(&folder, "", &["--first", "2", "-j", "1", "queens6.dlx"], 0);
    assert!(all.starts_with(&first.out) && first.out.lines().count() == 2);
    assert!(!first.err.contains("warning"), "it is what was asked for: {}", first.err);
    assert_eq!(run(&folder, "", &["--first", "0", "queens6.dlx"], 0).out, "");
    assert_eq!(run(&folder, "A B\nA\n", &["--all", "-q"], 0).out, "");
}

#[test]
fn json_has_an_object_a_solution_and_one_at_the_end() {
    let folder = folder(&[("small.dlx", SMALL)]);
    let run = run(&folder, "", &["--all", "-f", "json", "-j", "1", "-e", "links", "small.dlx"], 0);
    let objects: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let options = json!(["A C X:1 Y:1", "B X:1", "C Y:1"]);
    let solution =
        json!({"file": "small.dlx", "solution": 1, "options": options, "numbers": [1, 3, 4], "cost": 6});
    assert_eq!(objects[0], solution);
    let end = &objects[1];
    assert_eq!(
        (&end["solutions"], &end["end"], &end["engine"]),
        (&json!(1), &json!("complete"), &json!("links"))
    );
    let nodes: u64 = end["depths"].as_array().unwrap().iter().map(|nodes| nodes.as_u64().unwrap()).sum();
    assert_eq!(end["nodes"], json!(nodes));
    assert_eq!(objects.len(), 2);
}

#[test]
fn a_limit_is_an_answer_and_is_said() {
    let folder = folder(&[("long.dlx", &made("matching 30"))]);
    let stopped = run(&folder, "", &["--max-nodes", "1000", "-q", "long.dlx"], 0);
    assert!(stopped.err.contains("long.dlx: stopped by --max-nodes"), "{}", stopped.err);
    assert!(stopped.out.trim_end().parse::<u64>().unwrap() > 0);
    let stopped = run(&folder, "", &["--time-limit", "0.05", "-q", "--format", "json", "long.dlx"], 0);
    assert!(stopped.err.contains("long.dlx: stopped by --time-limit"), "{}", stopped.err);
    let end: Value = serde_json::from_str(&stopped.out).unwrap();
    assert_eq!(end["end"], "deadline");
}

#[test]
fn errors_name_path_line_and_column() {
    let folder = folder(&[("bad.dlx", "| items\nA B | X\nA X:1\nB Q\n")]);
    let refused = run(&folder, "", &["bad.dlx"], 2);
    assert_eq!(
        (&*refused.out, refused.err.contains("bad.dlx:4:3: unknown item `Q`")),
        ("", true),
        "{}",
        refused.err
    );
    let refused = run(&folder, "A 0|B\n", &["-"], 2);
    assert!(refused.err.contains("<stdin>:1:3: item `B` could never be covered"), "{}", refused.err);
    assert!(run(&folder, "", &["gone.dlx"], 2).err.contains("gone.dlx: cannot read"));
    assert!(run(&folder, "", &["-", "-"], 2).err.contains("only once"));
    run(&folder, SMALL, &["--all", "--count"], 2);
    run(&folder, SMALL, &["--engine", "none"], 2);
    run(&folder, SMALL, &["--time-limit", "-1"], 2);
}

#[test]
fn what_is_no_text_is_told_as_such() {
    let folder = folder(&[("empty.dlx", ""), ("comments.dlx", "| nothing\n\n"), ("small.dlx", SMALL)]);
    assert!(run(&folder, "", &["empty.dlx"], 2).err.contains("empty.dlx:1:1: no primary items"));
    assert!(run(&folder, "", &["comments.dlx"], 2).err.contains("comments.dlx:3:1: no primary items"));
    assert!(run(&folder, "", &["-"], 2).err.contains("<stdin>:1:1: no primary items"));
    fs::write(folder.path().join("packed.gz"), b"\x1f\x8b\x08\0\0\xff\xfe\x80\n\0").unwrap();
    let refused = run(&folder, "", &["packed.gz"], 2).err;
    assert!(refused.contains("packed.gz:1:2: bytes that are not UTF-8"), "{refused}");
    assert!(run(&folder, "", &["."], 2).err.contains("cannot read"));
    // One line of a million characters: an error shows the beginning of it.
    fs::write(folder.path().join("line.dlx"), format!("A\n{}\n", "x".repeat(1_000_000))).unwrap();
    let refused = run(&folder, "", &["line.dlx"], 2).err;
    assert!(refused.contains("line.dlx:2:1: unknown item `xxx") && refused.len() < 300, "{refused}");
    // What was solved before a file that is none stays said.
    let half = run(&folder, "", &["-q", "small.dlx", "empty.dlx"], 2);
    assert_eq!(half.out, "small.dlx:1\n");
}

#[test]
fn every_instruction_set_and_preprocessing_find_the_same() {
    let folder = folder(&[("p.dlx", &made("pentominoes 3x20")), ("small.dlx", SMALL)]);
    let plain = run(&folder, "", &["--all", "-q", "--ordered", "-j", "1", "-e", "wide", "p.dlx"], 0).out;
    assert_eq!(plain.lines().count(), 8);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for isa in galop::Isa::ALL {
        let words = ["--all", "-q", "--isa", isa.name(), "-j", "1", "-e", "wide", "p.dlx"];
        if isa.is_available() {
            assert_eq!(run(&folder, "", &words, 0).out, plain, "{}", isa.name());
        } else {
            assert!(run(&folder, "", &words, 2).err.contains("this machine lacks it"));
        }
    }
    for engine in ["auto", "wide", "links", "sparse", "rows"] {
        let told = run(&folder, "", &["--all", "-v", "--preprocess", "-e", engine, "p.dlx"], 0);
        assert_eq!(sorted(&told.out), sorted(&plain), "{engine}");
        let took = "p.dlx: preprocessing removed 150 of 1,236 options (0 of them forced) and 0 of 72 items\n";
        assert!(told.err.contains(took), "{}", told.err);
    }
    let told = run(&folder, "", &["--all", "-v", "--preprocess", "small.dlx"], 0);
    assert_eq!(told.out, "A C X:1 Y:1 | B X:1 | C Y:1\n");
    assert!(told.err.contains("5 of 5 options (3 of them forced) and 5 of 5 items"), "{}", told.err);
}

/// Starts `galop cover` on a problem that takes for ever, and waits for the first solutions.
#[cfg(unix)]
fn endless(folder: &TempDir) -> std::process::Child {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_galop"));
    command.current_dir(folder.path()).args(["cover", "--all", "-q", "long.dlx"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 100]).unwrap();
    child
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_run_in_peace() {
    let folder = folder(&[("long.dlx", &made("matching 30"))]);
    let mut child = endless(&folder);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_and_are_told() {
    let folder = folder(&[("long.dlx", &made("matching 30"))]);
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let child = endless(&folder);
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{err}");
        assert!(err.contains("stopped before the end; the output is not complete"), "{err}");
    }
}

#[test]
fn dropped_options_are_told_and_the_engine_with_v() {
    let folder = folder(&[]);
    let dropped = run(&folder, "A | X\nX\nA\nX:1\n", &["-q"], 0);
    assert_eq!(dropped.out, "1\n");
    assert!(
        dropped.err.contains("2 options without a primary item were dropped: lines 2, 4"),
        "{}",
        dropped.err
    );
    let told = run(&folder, "A\nA\n", &["-v", "--engine", "links"], 0);
    assert!(told.err.contains("<stdin>: engine links: it was asked for"), "{}", told.err);
    let told = run(&folder, "A\nA\n", &["-v"], 0);
    assert!(told.err.starts_with("<stdin>: engine ") && !told.err.contains("asked for"), "{}", told.err);
    let bar = run(&folder, "A\nA\n", &["--progress", "always"], 0);
    assert_eq!(bar.out, "1\n");
}
