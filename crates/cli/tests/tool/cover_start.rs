//! What `galop cover` does before and beside a search: limits that hold from the start, progress.

use crate::made;
use crate::program::{Folder, run_cover as run, send};
use galop_testing::puzzles::SLOW;

/// The clock of --time-limit runs while the engine is built.
#[test]
fn a_time_limit_that_ends_before_the_search_is_a_partial_result() {
    let folder = Folder::with(&[("queens.dlx", &made("queens 9"))]);
    let limit = ["--time-limit", "0.0000001", "queens.dlx"];
    let count = run(&folder, "", &limit, 4);
    assert_eq!(count.out, ">=0\n");
    assert!(count.err.contains("stopped by --time-limit"), "{}", count.err);
    assert_eq!(run(&folder, "", &[&["list"][..], &limit].concat(), 4).out, "");
    let json = run(&folder, "", &[&["-f", "json"][..], &limit].concat(), 4).out;
    let summary: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&summary["end"], &summary["is_lower_bound"]), (&"deadline".into(), &true.into()));
}

/// No engine is built, and nothing is prepared, once the time is over.
#[test]
fn a_time_limit_holds_while_the_best_covers_are_prepared() {
    let mut text = String::from("a");
    for item in 0..50_000 {
        text += &format!(" i{item}");
    }
    text += "\na\n";
    for option in 0..200_000 {
        text += &format!("i{} i{} |{option}\n", option % 50_000, (option * 7 + 1) % 50_000);
    }
    let folder = Folder::with(&[("large.dlx", &text)]);
    for rank in [&["best"][..], &["best", "--dearest"]] {
        let stopped =
            run(&folder, "", &[rank, &["--time-limit", "0", "-f", "json", "large.dlx"]].concat(), 4);
        assert!(
            stopped.err.contains("stopped by --time-limit: no solution has been found yet\n"),
            "{}",
            stopped.err
        );
        let object: serde_json::Value = serde_json::from_str(&stopped.out).unwrap();
        assert_eq!((&object["end"], &object["nodes"]), (&"deadline".into(), &0.into()));
    }
}

/// A run that is ended by force says how to go on, as one that ends by itself does.
#[cfg(unix)]
#[test]
fn a_run_ended_by_force_says_how_to_go_on() {
    // In reading order the first puzzle takes seconds, so the run does not end by itself once it has begun.
    let slow = format!("{SLOW}\n").repeat(10);
    let forced = (0..20).find_map(|attempt| {
        let folder = Folder::with(&[("in.txt", &slow)]);
        let child = folder.spawn(&["solve", "-e", "backtrack", "--resume", "in.txt", "-o", "out.txt"]);
        folder.wait_for("out.txt.progress");
        // On a busy machine the threads begin later.
        std::thread::sleep(std::time::Duration::from_millis(20) * attempt);
        for _ in 0..2 {
            send(&child, "-INT");
        }
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{err}");
        (!err.starts_with("galop: error: in.txt: stopped before the end")).then_some(err)
    });
    let err = forced.unwrap();
    assert!(err.contains("galop: stopped before the end; the output is not complete\n"), "{err}");
    assert!(
        err.contains("galop: the work so far is in out.txt.partial and out.txt.progress; to continue: "),
        "{err}"
    );
}
