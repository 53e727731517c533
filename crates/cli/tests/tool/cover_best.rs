//! `galop cover best`.

use serde_json::{Value, json};

use crate::made;
use crate::program::{Folder, run_cover as run, send};

/// Two solutions: `a b | c` for 6, and `a | b c` for 5. A third one is `a | b | c` for 5.
const SMALL: &str = "a b c\na b |5\nc |1\na |2\nb c |3\nb |2\n";

/// A problem that takes minutes, and has thousands of solutions: the queens of the models are too few.
fn long() -> String {
    made("queen-costs 20")
}

#[test]
fn the_best_solutions_are_printed_with_their_costs() {
    let folder = Folder::with(&[("small.dlx", SMALL), ("queens.dlx", &made("queen-costs 8"))]);
    let best = run(&folder, "", &["best", "small.dlx"], 0);
    assert_eq!(best.out, "c | a | b |5\n");
    assert!(best.err.contains("small.dlx: least cost 5, proved in "), "{}", best.err);
    for words in [&["best", "-q"][..], &["best", "-q", "--limit", "1", "-"], &["best", "-q", "-"]] {
        assert_eq!(run(&folder, SMALL, words, 0).out, "c | a | b |5\n", "{words:?}");
    }
    let all = run(&folder, "", &["best", "--limit", "9", "-q", "-j", "2", "small.dlx"], 0).out;
    assert_eq!(all, "c | a | b |5\na | b c |5\na b | c |6\n");
    let worst = run(&folder, "", &["best", "--dearest", "--limit", "2", "-q", "small.dlx"], 0).out;
    assert_eq!(worst, "a b | c |6\nc | a | b |5\n");
    let two = run(&folder, "", &["best", "-q", "small.dlx", "queens.dlx"], 0).out;
    let costs: Vec<&str> = two.lines().map(|line| line.rsplit('|').next().unwrap()).collect();
    assert_eq!(costs, ["5", "150"]);
    run(&folder, "", &["best", "--dearest", "--limit", "1", "-o", "out.txt", "small.dlx"], 0);
    assert_eq!(folder.read("out.txt"), "a b | c |6\n");
    assert_eq!(run(&folder, "a b\na\n", &["best", "--limit", "3", "-q"], 0).out, "");
    assert_eq!(run(&folder, "a\na\n", &["best", "--limit=1", "-q"], 0).out, "a |0\n");
}

#[test]
fn json_has_costs_bound_and_gap() {
    let folder = Folder::with(&[("small.dlx", SMALL)]);
    let run = run(&folder, "", &["best", "--limit", "2", "-f", "json", "-q", "small.dlx"], 0);
    let objects: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = json!({"file": "small.dlx", "solution": 1, "options": ["c", "a", "b"], "numbers": [1, 2, 4], "cost": 5});
    assert_eq!(objects[0], first);
    let end = &objects[2];
    for (name, value) in [("solutions", 2), ("cost", 5), ("bound", 5), ("gap", 0)] {
        assert_eq!(end[name], json!(value), "{name}");
    }
    assert_eq!((&end["end"], objects.len()), (&json!("complete"), 3));
}

#[test]
fn a_search_that_a_limit_stopped_prints_what_it_found_and_its_gap() {
    let folder = Folder::with(&[("long.dlx", &long()), ("small.dlx", SMALL)]);
    let stopped = run(&folder, "", &["best", "--time-limit", "0.5", "-q", "long.dlx"], 4);
    let cost: u64 = stopped.out.trim_end().rsplit('|').next().unwrap().parse().unwrap();
    let warning = stopped
        .err
        .split_once("long.dlx: stopped by --time-limit: the best solution found costs ")
        .unwrap()
        .1;
    assert!(warning.replace(',', "").starts_with(&cost.to_string()), "{}", stopped.err);
    assert!(stopped.err.contains("all others cost at least ") && stopped.err.contains("the gap is "));
    let json = run(
        &folder,
        "",
        &["best", "--dearest", "--max-nodes", "300", "-q", "-f", "json", "long.dlx", "small.dlx"],
        4,
    );
    let objects: Vec<Value> = json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let end = &objects[1];
    let number = |name: &str| end[name].as_u64().unwrap();
    assert_eq!(number("gap"), number("bound") - number("cost"));
    assert!(number("gap") > 0 && end["end"] == "nodes", "{end}");
    assert_eq!(objects[3]["end"], "complete");
    let none = run(&folder, "", &["best", "--max-nodes", "0", "-q", "long.dlx"], 4);
    assert_eq!(none.out, "");
    assert!(none.err.contains("no solution has been found yet"), "{}", none.err);
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_prints_what_it_found() {
    use std::io::Read as _;
    use std::time::{Duration, Instant};

    let folder = Folder::with(&[("long.dlx", &long())]);
    let mut words = vec!["cover", "best", "-q", "long.dlx"];
    words.extend(["--progress", "always"]);
    let mut child = folder.spawn(&words);
    // The bar names the best cost as soon as there is one.
    let mut err = child.stderr.take().unwrap();
    let (mut seen, begun) = (String::new(), Instant::now());
    let mut bytes = [0; 4096];
    while !seen.contains("gap ") {
        assert!(begun.elapsed() < Duration::from_secs(60), "{seen}");
        let count = err.read(&mut bytes).unwrap();
        seen += &String::from_utf8_lossy(&bytes[..count]);
    }
    send(&child, "-INT");
    err.read_to_string(&mut seen).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{seen}");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.trim_end().rsplit('|').next().unwrap().parse::<u64>().is_ok(), "{out:?}");
    assert!(seen.contains("long.dlx: stopped by a signal: the best solution found costs "), "{seen}");
}

#[test]
fn options_that_the_search_does_not_use_are_refused() {
    let folder = Folder::with(&[("small.dlx", SMALL)]);
    for words in [&["--engine", "links"][..], &["--ordered"], &["--shard", "1/2"]] {
        let words = [&["best", "--limit", "1", "small.dlx"], words].concat();
        let refused = run(&folder, "", &words, 2);
        assert!(refused.err.contains("unexpected argument"), "{}", refused.err);
    }
}

/// Whatever a search without an answer finds at the name of its output stays there.
#[test]
fn an_output_is_not_replaced_by_nothing() {
    let folder = Folder::with(&[("long.dlx", &long()), ("out", "before")]);
    for command in [&["best"][..], &["sample", "-n", "1"], &["diagram", "--nth", "1"]] {
        run(&folder, "", &[command, &["--max-nodes", "1", "-o", "out", "long.dlx"]].concat(), 4);
        assert_eq!(folder.read("out"), "before", "{command:?}");
    }
}
