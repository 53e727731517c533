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

/// A file of queens.
fn queens(n: usize) -> String {
    galop::cover::text::to_text(&problems::queens(n))
}

#[test]
fn solutions_are_counted_unless_they_are_asked_for() {
    let folder = folder(&[("small.dlx", SMALL), ("queens8.dlx", &queens(8))]);
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
    let folder = folder(&[("small.dlx", SMALL), ("queens6.dlx", &queens(6))]);
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
    let folder = folder(&[("long.dlx", &galop::cover::text::to_text(&problems::matchings(30)))]);
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
    assert!(run(&folder, "", &["-", "-"], 2).err.contains("once only"));
    run(&folder, SMALL, &["--all", "--count"], 2);
    run(&folder, SMALL, &["--engine", "none"], 2);
    run(&folder, SMALL, &["--time-limit", "-1"], 2);
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
