//! `galop cover` with diagrams: samples, marginals, the k-th solution, pictures.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::made;
use crate::program::{Folder, run_cover as run};

/// The three tilings of 2 rows and 3 columns.
const BOARD: &str =
    "0.0 0.1 0.2 1.0 1.1 1.2\n0.0 0.1\n0.0 1.0 |1\n0.1 0.2\n0.1 1.1\n0.2 1.2 |7\n1.0 1.1\n1.1 1.2\n";

#[test]
fn samples_are_solutions_and_depend_on_the_seed_alone() {
    let folder = Folder::with(&[("board.dlx", BOARD), ("large.dlx", &made("dominoes 8x8"))]);
    let sample = |words: &[&str]| run(&folder, "", &[&["sample", "-n", "50", "-q"], words].concat(), 0).out;
    let all: BTreeSet<String> =
        run(&folder, "", &["list", "-q", "board.dlx"], 0).out.lines().map(ordered).collect();
    let sampled = sample(&["--seed", "1", "board.dlx"]);
    assert_eq!(sampled.lines().count(), 50);
    assert_eq!(sampled.lines().map(ordered).collect::<BTreeSet<_>>(), all);
    assert_eq!(sample(&["--seed", "1", "board.dlx"]), sampled);
    assert_ne!(sample(&["--seed", "2", "board.dlx"]), sampled);
    let large = sample(&["--seed", "1", "large.dlx"]);
    assert_eq!(large.lines().collect::<BTreeSet<_>>().len(), 50, "of 12,988,816 tilings none comes twice");
    // A seed that was drawn is named.
    let drawn = run(&folder, "", &["sample", "-n", "3", "board.dlx"], 0);
    let seed = drawn.err.rsplit_once("--seed ").unwrap().1.trim().to_owned();
    assert_eq!(
        run(&folder, "", &["sample", "-n", "3", "-q", "--seed", &seed, "board.dlx"], 0).out,
        drawn.out
    );
    assert_eq!(run(&folder, "a b\na\n", &["sample", "-n", "3", "-q"], 0).out, "");
}

/// A line with its options in order.
fn ordered(line: &str) -> String {
    let mut options: Vec<&str> = line.split(" | ").collect();
    options.sort_unstable();
    options.join(" | ")
}

#[test]
fn every_solution_has_a_number() {
    let folder = Folder::with(&[("board.dlx", BOARD)]);
    let nth = |place: &str| run(&folder, "", &["diagram", "--nth", place, "board.dlx"], 0);
    let numbered = ["1", "2", "3"].map(|place| ordered(nth(place).out.trim_end()));
    let all: BTreeSet<String> =
        run(&folder, "", &["list", "-q", "board.dlx"], 0).out.lines().map(ordered).collect();
    assert_eq!(BTreeSet::from(numbered), all);
    let said = nth("1").err;
    assert!(said.contains("board.dlx: 3 solutions, a diagram of "), "{said}");
    for (place, words) in [("0", "no solution 0: there are 3"), ("4", "no solution 4: there are 3")] {
        assert!(run(&folder, "", &["diagram", "--nth", place, "board.dlx"], 2).err.contains(words));
    }
    run(&folder, "", &["diagram", "--nth", "x", "board.dlx"], 2);
    let neither = run(&folder, "", &["diagram", "board.dlx"], 2).err;
    assert!(neither.contains("--marginals|--nth"), "{neither}");
    let two = run(&folder, "", &["diagram", "--marginals", "board.dlx", "board.dlx"], 2).err;
    assert!(two.contains("unexpected argument"), "{two}");
    let same = run(&folder, "", &["diagram", "--marginals", "-o", "board.dlx", "board.dlx"], 2).err;
    assert!(same.contains("board.dlx"), "{same}");
}

#[test]
fn marginals_count_the_solutions_of_each_option() {
    let folder = Folder::with(&[("board.dlx", BOARD)]);
    let text = "2\t0.0 0.1\n1\t0.0 1.0\n1\t0.1 0.2\n1\t0.1 1.1\n2\t0.2 1.2\n2\t1.0 1.1\n1\t1.1 1.2\n";
    let marginals = run(&folder, "", &["diagram", "--marginals", "-q", "board.dlx"], 0).out;
    assert_eq!(marginals.lines().count(), 7);
    for (line, all) in marginals.lines().zip(text.lines()) {
        assert_eq!(line.split_once('\t').unwrap().1, all.split_once('\t').unwrap().1);
    }
    let all = run(&folder, "", &["list", "-q", "board.dlx"], 0).out;
    for line in marginals.lines() {
        let (count, option) = line.split_once('\t').unwrap();
        let with = all.lines().filter(|solution| solution.split(" | ").any(|word| word == option)).count();
        assert_eq!(count, with.to_string(), "{option}");
    }
    let objects = run(&folder, "", &["diagram", "--marginals", "-q", "-f", "json", "board.dlx"], 0).out;
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 8);
    assert_eq!(objects[0]["option"], json!("0.0 0.1"));
    assert_eq!((&objects[7]["solutions"], &objects[7]["end"]), (&json!(3), &json!("complete")));
}

#[test]
fn solutions_with_given_options() {
    let folder = Folder::with(&[("board.dlx", BOARD), ("queens.dlx", &made("queens 6"))]);
    let all = run(&folder, "", &["list", "-q", "board.dlx"], 0).out;
    let count = |words: &[&str]| run(&folder, "", &[words, &["-q", "board.dlx"]].concat(), 0).out;
    let having = |option: &str| all.lines().filter(|line| line.contains(option)).count();
    assert_eq!(count(&["--with", "0.1 0.0"]), format!("{}\n", having("0.0 0.1")));
    assert_eq!(count(&["--without", "0.0 0.1"]), format!("{}\n", 3 - having("0.0 0.1")));
    assert_eq!(count(&["--with", "0.0"]), "3\n", "every solution covers cell 0.0");
    let listed = count(&["list", "--with", "0.0 1.0"]);
    assert!(listed.lines().all(|line| line.contains("0.0 1.0")) && !listed.is_empty());
    let drawn = count(&["sample", "-n", "20", "--with", "0.0 1.0"]);
    assert!(drawn.lines().all(|line| line.contains("0.0 1.0")) && drawn.lines().count() == 20);
    assert_eq!(count(&["--with", "0.0 1.0", "--without", "0.0 1.0"]), "0\n");
    let queens = |words: &[&str]| run(&folder, "", &[words, &["-q", "queens.dlx"]].concat(), 0).out;
    assert_eq!(queens(&["--with", "r0 c1"]), "1\n");
    assert_eq!(queens(&["--with", "r0 c0"]), "0\n");
    assert_eq!(queens(&["sample", "--with", "r0 c1", "-n", "1"]).lines().count(), 1);
    for (words, message) in [
        (["--with", "r9"], "--with \"r9\": unknown item `r9`"),
        (["--with", "r0 r1"], "no option has all items of `r0 r1`"),
        (["--with", "r0:red"], "no option gives item `r0` the colour `red`"),
        (["--without", " "], "--without \" \": no items"),
    ] {
        let refused = run(&folder, "", &[&words[..], &["queens.dlx"]].concat(), 2).err;
        assert!(refused.contains(message), "{refused}");
    }
    let bounds = "0:2|A | x\nA x:1\nA x:2\nA\n";
    assert_eq!(run(&folder, bounds, &["-q", "--with", "A x:2"], 0).out, "2\n");
    assert!(
        run(&folder, bounds, &["-q", "--with", "A x"], 2).err.contains("2 options have all items of `A x`")
    );
}

#[test]
fn solutions_are_drawn() {
    let folder = Folder::with(&[("board.dlx", BOARD)]);
    let first = run(
        &folder,
        "",
        &["list", "--with", "0.0 1.0", "--with", "0.2 1.2", "-f", "picture", "-q", "board.dlx"],
        0,
    );
    assert_eq!(first.out, "╻ ╻ ╻\n╹ ╹ ╹\n");
    let all = run(&folder, "", &["list", "-f", "picture", "-q", "board.dlx"], 0).out;
    assert_eq!((all.lines().count(), all.split("\n\n").count()), (8, 3));
    // All of galop's problems that have a board can be drawn.
    let drawn =
        |model: &str| run(&folder, &made(model), &["list", "--limit", "1", "-f", "picture", "-q"], 0).out;
    let queens = drawn("queens 6");
    assert_eq!((queens.matches('■').count(), queens.matches('·').count()), (6, 30), "{queens}");
    assert_eq!(drawn("soma").lines().count(), 3);
    let latin = drawn("latin 4");
    assert!((0..4).all(|symbol| latin.matches(&symbol.to_string()).count() == 4), "{latin}");
    assert_eq!(drawn("sudoku 2x2").matches('4').count(), 4);
    let refused = run(&folder, &made("langford 3"), &["list", "--limit", "1", "-f", "picture"], 2).err;
    assert!(refused.contains("<stdin>: no items are cells"), "{refused}");
}

#[test]
fn limits_end_the_search_without_an_answer() {
    let folder = Folder::with(&[("long.dlx", &made("queens 12"))]);
    let stopped = run(&folder, "", &["sample", "--max-nodes", "100", "-n", "1", "long.dlx"], 4);
    assert!(stopped.err.contains("stopped by --max-nodes: there is no answer"), "{}", stopped.err);
    assert_eq!(stopped.out, "");
    run(&folder, "", &["sample", "-n", "1", "--engine", "links", "long.dlx"], 2);
    run(&folder, "", &["list", "-n", "1", "long.dlx"], 2);
    run(&folder, "", &["diagram", "--marginals", "--nth", "1", "long.dlx"], 2);
    run(&folder, "", &["diagram", "--marginals", "-f", "picture", "long.dlx"], 2);
}

#[test]
fn problems_without_a_diagram_are_refused() {
    let folder =
        Folder::with(&[("bounds.dlx", "a 1:2|b c\na b\nb c\nc\n"), ("large.dlx", &made("queens 100"))]);
    for words in [&["sample"][..], &["diagram", "--marginals"], &["diagram", "--nth", "1"]] {
        let refused = run(&folder, "", &[words, &["bounds.dlx"]].concat(), 2).err;
        assert!(
            refused.contains(
                "bounds.dlx: item `b` has bounds, 1:2, and a diagram needs primary items that are covered exactly \
                 once (an item that is covered at most once can be a secondary item)"
            ),
            "{refused}"
        );
    }
    let large = run(&folder, "", &["sample", "large.dlx"], 2).err;
    assert!(large.contains("large.dlx: the problem is too large for a diagram: 6"), "{large}");
    assert!(large.contains(" bits an option (512 at most); each item takes a bit, and"), "{large}");
}
