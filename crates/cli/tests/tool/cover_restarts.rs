//! `galop cover list --limit` where the order of the file leads nowhere.

use serde_json::Value;

use crate::made;
use crate::program::{Folder, Run};

/// Runs `galop cover` on 64 queens, and asserts the exit code.
#[track_caller]
fn queens(words: &[&str], code: i32) -> Run {
    let first = ["cover", "list", "--limit", "1", "--max-nodes", "100000", "-q"];
    Folder::new().run_on(made("queens 64"), &[&first, words].concat()).ends(code, &[])
}

#[test]
fn restarts_find_a_solution_and_the_seed_decides_which() {
    let found = queens(&["-j", "1"], 0).out;
    assert_eq!(found.split(" | ").count(), 64);
    assert_eq!(queens(&["-j", "1", "--seed", "0"], 0).out, found);
    assert_ne!(queens(&["-j", "1", "--seed", "1"], 0).out, found);
    assert_eq!(queens(&["-j", "3"], 0).out.lines().count(), 1);
    let json = queens(&["-f", "json", "-j", "1"], 0).out;
    let end: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((&end["end"], &end["solutions"]), (&"solutions".into(), &1.into()));
    assert!(end["why"].as_str().unwrap().contains("restarted"), "{end}");
}

/// The limit on nodes ends these searches.
#[test]
fn the_order_of_the_file_is_kept_on_request() {
    for words in [&["--ordered"][..], &["--engine", "sparse"]] {
        assert_eq!(queens(words, 4).out, "");
    }
}
