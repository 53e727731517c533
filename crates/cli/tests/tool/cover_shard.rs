//! `galop cover --shard`: parts of a search for several machines; `--resume`: counts that go on later.

use crate::made;
use crate::program::{Folder, Run};

/// Runs `galop cover` in `folder`, and asserts the exit code.
#[track_caller]
fn run(folder: &Folder, words: &[&str], code: i32) -> Run {
    folder.run(&[&["cover"], words].concat()).ends(code, &[])
}

#[track_caller]
fn count(folder: &Folder, words: &[&str]) -> u64 {
    run(folder, &[&["-q"], words].concat(), 0).out.trim().parse().unwrap()
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
    for more in
        [&[][..], &["-j", "1", "--ordered"], &["--preprocess"], &["--with", "r0"], &["--without", "r1 c1"]]
    {
        let all =
            |words: &[&str]| run(&folder, &[&["-q", "--all", "queens.dlx"], more, words].concat(), 0).out;
        let parts: String = ["1/3", "2/3", "3/3"].map(|shard| all(&["--shard", shard])).concat();
        assert_eq!(sorted(parts), sorted(all(&[])), "{more:?}");
    }
    let first = |shard| run(&folder, &["-q", "--first", "2", "--shard", shard, "queens.dlx"], 0).out;
    assert_eq!(["1/3", "2/3", "3/3"].map(|shard| first(shard).lines().count()), [2, 0, 0]);
    for (shard, words) in
        [("0/3", "not a shard"), ("4/3", "not a shard"), ("1/99999", "at most 10000 shards")]
    {
        let refused = run(&folder, &["--shard", shard, "queens.dlx"], 2).err;
        assert!(refused.contains(words), "{refused}");
    }
    run(&folder, &["--shard", "1/3", "--sample", "1", "queens.dlx"], 2);
    run(&folder, &["-q", "--diagram", "diagram", "queens.dlx"], 0);
    assert!(run(&folder, &["--shard", "1/3", "diagram"], 2).err.contains("a diagram needs no search"));
}

/// A short search is left to the first shard. All states say so, and those that were shared in another way are refused.
#[test]
fn a_short_search_is_not_shared() {
    let folder = Folder::with(&[("queens.dlx", &made("queens 10"))]);
    let words = |shard, state| ["--resume", state, "--shard", shard, "queens.dlx"];
    let first = run(&folder, &[&words("1/2", "state1")[..], &["--max-nodes", "1000"]].concat(), 4);
    let second = run(&folder, &words("2/2", "state2"), 0);
    assert!(second.out == "0\n" && folder.read("state2").contains("sharing: whole\nparts: 0\n"));
    for run in [first, second] {
        assert_eq!(run.err.matches("shard 1/2 has all of it").count(), 1, "{}", run.err);
    }
    for (state, shard) in [("state1", "1/2"), ("state2", "2/2")] {
        let text = folder.read(state);
        let parts = text.replace("sharing: whole", "sharing: parts");
        let former = text.replace("sharing: whole\n", "").replace("count: 2", "count: 1");
        for other in [parts, former] {
            folder.write(state, &other);
            let refused = run(&folder, &words(shard, state), 2).err;
            assert!(refused.contains("shared in another way"), "{refused}");
            assert_eq!(folder.read(state), other);
        }
        folder.write(state, &text);
    }
    assert_eq!(count(&folder, &words("1/2", "state1")) + count(&folder, &words("2/2", "state2")), 724);
}

/// The shards of a count that remembers subproblems warn, once; a list remembers nothing.
#[test]
fn shards_that_repeat_work_warn() {
    let folder = Folder::with(&[("board.dlx", &made("dominoes 24x24"))]);
    let warning = "each shard repeats most of that work";
    let counted = run(&folder, &["--shard", "2/2", "--max-nodes", "1", "board.dlx"], 4);
    assert_eq!(counted.err.matches(warning).count(), 1, "{}", counted.err);
    let list = run(&folder, &["--shard", "2/2", "--first", "1", "board.dlx"], 0);
    assert!(!list.err.contains(warning) && list.out.lines().count() == 1, "{}", list.err);
}

#[test]
fn a_count_goes_on_from_its_state() {
    let folder = Folder::with(&[("queens.dlx", &made("queens 10")), ("other.dlx", &made("queens 9"))]);
    let step = ["-q", "--resume", "state", "--max-nodes", "2000", "queens.dlx"];
    let first = run(&folder, &step, 4);
    assert!(first.out.starts_with(">="), "{}", first.out);
    let state = folder.read("state");
    assert!(state.starts_with("galop-cover-count: 2\nsolutions: "), "{state}");
    let mut steps = 1;
    let last = loop {
        steps += 1;
        let run = folder.run(&[&["cover"], &step[..]].concat());
        if !run.out.starts_with(">=") {
            break run.ends(0, &[]);
        }
        assert!(steps < 100);
    };
    assert!(steps > 2 && last.out == "724\n", "{steps} steps, {}", last.out);
    // A finished count is only printed.
    assert_eq!(run(&folder, &step, 0).out, "724\n");
    // Other engines and threads may go on.
    folder.write("state", &state);
    assert_eq!(count(&folder, &["--resume", "state", "-e", "links", "-j", "1", "queens.dlx"]), 724);
    folder.write("state", &state);
    for (words, message) in [
        (["--resume", "state", "other.dlx", "-q"], "another problem"),
        (["--resume", "state", "queens.dlx", "--shard=1/2"], "a run with other options: []"),
        (["--resume", "other.dlx", "queens.dlx", "-q"], "not the state of a count"),
        (["--resume", "state", "queens.dlx", "other.dlx"], "--resume is for one FILE, and there are 2"),
    ] {
        let refused = run(&folder, &words, 2).err;
        assert!(refused.contains(message), "{refused}");
    }
    assert_eq!(folder.read("state"), state);
    // A count of a file of an earlier version goes on.
    folder.write("state", state.replace("count: 2", "count: 1").replace("sharing: none\n", ""));
    assert_eq!(count(&folder, &["--resume", "state", "queens.dlx"]), 724);
    run(&folder, &["--resume", "state", "--all", "queens.dlx"], 2);
}

/// An interrupt while a long count runs.
#[cfg(unix)]
#[test]
fn an_interrupted_count_goes_on() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    use crate::program::path;

    let folder = Folder::with(&[("queens.dlx", &made("queens 12"))]);
    let words = ["cover", "-q", "-j", "2", "-e", "links", "--resume", "state", "queens.dlx"];
    for _ in 0..20 {
        let mut process = Command::new(path());
        process
            .current_dir(folder.path(""))
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = process.spawn().unwrap();
        sleep(Duration::from_millis(150));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        match child.wait().unwrap().code() {
            Some(0) => break,
            code => assert_eq!(code, Some(130)),
        }
        assert!(folder.names().iter().any(|name| name == "state"), "{:?}", folder.names());
    }
    assert_eq!(count(&folder, &["--resume", "state", "queens.dlx"]), 14_200);
}
