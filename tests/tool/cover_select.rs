//! `galop cover` with --sharp, and a time limit that ends before the search begins.

use serde_json::Value;

use crate::common::program::{Folder, Run};
use crate::made;

/// Runs `galop cover` in `folder`, and asserts the exit code.
#[track_caller]
fn run(folder: &Folder, words: &[&str], code: i32) -> Run {
    folder.run_on("", &[&["cover"], words].concat()).ends(code, &[])
}

#[test]
fn sharp_items_come_first() {
    let problem = "a #b\na #b\na\na\n#b\n#b\n#b\n";
    let folder = Folder::with(&[("sharp.dlx", problem), ("plain.dlx", &made("queens 5"))]);
    let order = |words: &[&str]| {
        let run = run(&folder, &[&["--all", "-v", "-j", "1", "sharp.dlx"], words].concat(), 0);
        (run.out, run.err)
    };
    let (plain, sharp) = (order(&["-e", "links"]), order(&["--sharp"]));
    assert!(sharp.1.contains("engine links: items whose names begin with # are preferred"), "{}", sharp.1);
    assert_eq!(plain.0.lines().count(), sharp.0.lines().count());
    let refused = run(&folder, &["--sharp", "-e", "masks", "sharp.dlx"], 2);
    assert!(refused.err.contains("it branches on no preferred items"), "{}", refused.err);
    assert_eq!(run(&folder, &["--sharp", "-q", "-e", "masks", "plain.dlx"], 0).out, "10\n");
}

/// The clock of --time-limit runs while the engine is built.
#[test]
fn a_time_limit_that_ends_before_the_search_is_a_partial_result() {
    let folder = Folder::with(&[("queens.dlx", &made("queens 9"))]);
    let limit = ["--time-limit", "0.0000001", "queens.dlx"];
    let count = run(&folder, &limit, 4);
    assert_eq!(count.out, ">=0\n");
    assert!(count.err.contains("stopped by --time-limit"), "{}", count.err);
    assert_eq!(run(&folder, &[&["--all"][..], &limit].concat(), 4).out, "");
    let json = run(&folder, &[&["-f", "json"][..], &limit].concat(), 4).out;
    let summary: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&summary["end"], &summary["is_lower_bound"]), (&"deadline".into(), &true.into()));
}
