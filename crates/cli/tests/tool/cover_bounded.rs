//! `galop cover` on packing problems with bounds.

use std::collections::HashSet;

use serde_json::Value;

use crate::program::{Folder, Run};

/// Three squares of 9x9 and nine of 3x3 packed into 18x18, as a problem: 8 solutions at least, one for each corner and
/// more.
fn packing() -> String {
    let cells = (0..18 * 18).map(|at| format!("{},{}", at / 18, at % 18)).collect::<Vec<_>>().join(" ");
    let mut text = format!("9|small 3|large {cells}\n");
    for (name, size) in [("small", 3), ("large", 9)] {
        for corner in (0..18 * 18).filter(|corner| corner / 18 + size <= 18 && corner % 18 + size <= 18) {
            let (row, column) = (corner / 18, corner % 18);
            let covered = (0..size * size).map(|at| format!(" {},{}", row + at / size, column + at % size));
            text += &format!("{name}{}\n", covered.collect::<String>());
        }
    }
    text
}

/// Runs `galop cover` on the packing problem, and asserts that it ends well.
#[track_caller]
fn run(words: &[&str]) -> Run {
    Folder::new().run_on(packing(), &[&["cover"], words, &["-q"]].concat()).ends(0, &[])
}

#[test]
fn packings_are_found_in_any_order_and_none_twice() {
    let count: usize = run(&["--engine", "planes"]).out.trim().parse().unwrap();
    assert!(count >= 4);
    for engine in ["auto", "links"] {
        assert_eq!(run(&["--engine", engine]).out.trim(), count.to_string());
    }
    let all = run(&["list", "--ordered"]).out;
    let all: HashSet<&str> = all.lines().collect();
    for words in [&["-j", "1"][..], &["-j", "4"], &["-j", "1", "--seed", "7"]] {
        for first in [1, 2, count, count + 1] {
            let found = run(&[&["list", "--limit", &first.to_string()], words].concat()).out;
            let distinct: HashSet<Vec<&str>> = found.lines().map(sorted).collect();
            assert_eq!(distinct.len(), found.lines().count());
            assert_eq!(distinct.len(), first.min(count));
            assert!(distinct.iter().all(|solution| all.iter().any(|line| sorted(line) == *solution)));
        }
    }
}

/// The options of a line, ascending.
fn sorted(line: &str) -> Vec<&str> {
    let mut options: Vec<&str> = line.split(" | ").collect();
    options.sort_unstable();
    options
}

/// Items covered by one option each, and one more that may be covered twice: more than planes have room for.
#[test]
fn problems_too_large_for_planes_are_for_links() {
    let names: Vec<String> = (0..1024).map(|item| format!("i{item}")).collect();
    let problem = format!("0:2|more {}\n{}\nmore\nmore\n", names.join(" "), names.join("\n"));
    let json = Folder::new().run_on(problem, &["cover", "-q", "-f", "json"]).ends(0, &[]).out;
    let end: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((&end["engine"], &end["solutions"]), (&"links".into(), &4.into()));
    assert!(end["why"].as_str().unwrap().contains("too large for planes"), "{end}");
}
