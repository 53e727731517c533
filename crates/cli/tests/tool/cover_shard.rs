//! `galop cover --shard`: parts of a search for several machines; `--resume`: counts that go on later.

use crate::made;
use crate::program::{Folder, run_cover as run, send};

#[track_caller]
fn count(folder: &Folder, words: &[&str]) -> u64 {
    run(folder, "", &[&["-q"], words].concat(), 0).out.trim().parse().unwrap()
}

#[test]
fn the_counts_of_all_shards_add_up_and_their_lists_are_disjoint() {
    let folder = Folder::with(&[("queens.dlx", &made("queens 8")), ("board.dlx", &made("dominoes 6x6"))]);
    for (file, expected) in [("queens.dlx", 92), ("board.dlx", 6728)] {
        for shards in [1, 3, 7] {
            let shard = |index: u64| count(&folder, &["--shard", &format!("{index}/{shards}"), file]);
            assert_eq!((1..=shards).map(shard).sum::<u64>(), expected, "{file} {shards}");
        }
    }
    let sorted = |text: String| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for more in [&[][..], &["-j", "1", "--ordered"], &["--with", "r0"], &["--without", "r1 c1"]] {
        let all =
            |words: &[&str]| run(&folder, "", &[&["list", "-q", "queens.dlx"], more, words].concat(), 0).out;
        let parts: String = ["1/3", "2/3", "3/3"].map(|shard| all(&["--shard", shard])).concat();
        assert_eq!(sorted(parts), sorted(all(&[])), "{more:?}");
    }
    let first =
        |shard| run(&folder, "", &["list", "-q", "--limit", "2", "--shard", shard, "queens.dlx"], 0).out;
    assert_eq!(["1/3", "2/3", "3/3"].map(|shard| first(shard).lines().count()), [2, 0, 0]);
    for (shard, words) in
        [("0/3", "not a shard"), ("4/3", "not a shard"), ("1/99999", "at most 10000 shards")]
    {
        let refused = run(&folder, "", &["--shard", shard, "queens.dlx"], 2).err;
        assert!(refused.contains(words), "{refused}");
    }
    run(&folder, "", &["sample", "--shard", "1/3", "-n", "1", "queens.dlx"], 2);
}

/// A short search is left to the first shard, and the others say so.
#[test]
fn a_short_search_is_not_shared() {
    let folder = Folder::with(&[("queens.dlx", &made("queens 10"))]);
    for (shard, count) in [("1/2", "724\n"), ("2/2", "0\n")] {
        let words = ["--resume", "-o", "out", "--shard", shard, "queens.dlx"];
        let run = run(&folder, "", &words, 0);
        assert_eq!(run.err.matches("shard 1/2 has all of it").count(), 1, "{}", run.err);
        assert_eq!(folder.read("out"), count);
        std::fs::remove_file(folder.path("out")).unwrap();
    }
}

/// The shards of a count that remembers subproblems warn, once; a list remembers nothing.
#[test]
fn shards_that_repeat_work_warn() {
    let folder = Folder::with(&[("board.dlx", &made("dominoes 18x18"))]);
    let warning = "each shard repeats most of that work";
    let counted = run(&folder, "", &["--shard", "2/2", "--max-nodes", "1", "board.dlx"], 4);
    assert_eq!(counted.err.matches(warning).count(), 1, "{}", counted.err);
    let list = run(&folder, "", &["list", "--shard", "2/2", "--limit", "1", "board.dlx"], 0);
    assert!(!list.err.contains(warning) && list.out.lines().count() == 1, "{}", list.err);
}

#[test]
fn a_count_goes_on_from_its_state() {
    let folder = Folder::with(&[
        ("queens.dlx", &made("queens 10")),
        ("other.dlx", &made("queens 9")),
        ("large.dlx", &made("queens 40")),
    ]);
    let step = ["-q", "--resume", "-o", "out", "--max-nodes", "500", "queens.dlx"];
    let first = run(&folder, "", &step, 4);
    assert!(first.out.is_empty() && !folder.path("out").exists());
    assert!(
        first.err.contains("the count so far is in out.progress; to continue: galop cover"),
        "{}",
        first.err
    );
    let state = folder.read("out.progress");
    let mut steps = 1;
    while folder.run(&[&["cover"], &step[..]].concat()).code == Some(4) {
        steps += 1;
        assert!(steps < 100);
    }
    assert!(steps > 2, "{steps} steps");
    assert_eq!((folder.read("out"), folder.path("out.progress").exists()), ("724\n".to_owned(), false));
    run(&folder, "", &step, 0);
    std::fs::remove_file(folder.path("out")).unwrap();
    for (words, message) in [
        (&["other.dlx"][..], "another problem"),
        (&["queens.dlx", "--shard=1/2"], "a run with other options: []"),
        (&["queens.dlx", "other.dlx"], "--resume is for one FILE, but there are 2"),
    ] {
        folder.write("out.progress", &state);
        let refused = run(&folder, "", &[&["--resume", "-o", "out"], words].concat(), 2).err;
        assert!(refused.contains(message), "{refused}");
    }
    // A run that never began leaves nothing.
    std::fs::remove_file(folder.path("out.progress")).unwrap();
    let refused = run(&folder, "", &["--resume", "-o", "out", "-e", "masks", "large.dlx"], 2).err;
    assert!(!refused.contains("to continue") && !folder.path("out.progress").exists(), "{refused}");
    folder.write("out.progress", &state);
    // Other engines and threads may go on.
    assert_eq!(folder.read("out.progress"), state);
    run(&folder, "", &["--resume", "-o", "out", "-e", "links", "-j", "1", "queens.dlx"], 0);
    assert_eq!(folder.read("out"), "724\n");
    run(&folder, "", &["--resume", "queens.dlx"], 2);
    run(&folder, "", &["list", "--resume", "-o", "out", "queens.dlx"], 2);
}

/// Interrupts while a long count runs.
#[cfg(unix)]
#[test]
fn an_interrupted_count_goes_on() {
    use std::io::Read as _;

    let folder = Folder::with(&[("queens.dlx", &made("queens 12"))]);
    let mut words = vec!["cover", "-q", "-j", "2", "-e", "links", "--resume", "-o", "out", "queens.dlx"];
    words.extend(["--progress", "always"]);
    for _ in 0..5 {
        let mut child = folder.spawn(&words);
        // The search draws the bar, unless it ends before.
        let _ = child.stderr.as_mut().unwrap().read(&mut [0]).unwrap();
        send(&child, "-INT");
        match child.wait_with_output().unwrap().status.code() {
            Some(0) => break,
            code => assert_eq!(code, Some(130)),
        }
        assert!(folder.names().iter().any(|name| name == "out.progress"), "{:?}", folder.names());
    }
    if !folder.path("out").exists() {
        run(&folder, "", &["--resume", "-o", "out", "queens.dlx"], 0);
    }
    assert_eq!(folder.read("out"), "14200\n");
}
