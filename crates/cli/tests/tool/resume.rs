//! Runs that are ended at any moment and go on, and shares of an input.
#![cfg(unix)]

use std::process::{Output, Stdio};

use crate::program::{Folder, path, send};
use crate::puzzles;
use galop_testing::available::sized;
use galop_testing::chance::Chance;
use galop_testing::puzzles::SLOW;
use galop_testing::wait;

/// A folder with puzzles, as lines, as a table and compressed. With `backtrack` a file takes seconds.
fn folder() -> Folder {
    let folder = Folder::new();
    let note = format!(" {}\n", "note".repeat(60));
    let lines = (puzzles(300).replace('\n', &note) + "malformed\n\n# a comment\n").repeat(sized(8, 15));
    let rows: String = lines
        .lines()
        .map(|line| format!("{},\"a note, \nof two lines\"\n", &line[..line.len().min(81)]))
        .collect();
    folder.write("in.txt", &lines);
    folder.write("in.csv", format!("puzzle,note\n{rows}"));
    let csv = [
        "solve",
        "-q",
        "in.txt",
        "-f",
        "csv",
        "--columns",
        "puzzle,line",
        "-o",
        "in.csv.gz",
        "--allow-malformed",
    ];
    folder.run(&csv).ends(0, &[]);
    folder
}

/// The report without what depends on the time, the command and the moment.
fn report(folder: &Folder, name: &str) -> serde_json::Value {
    let mut report = folder.json(name);
    let members = report.as_object_mut().unwrap();
    for member in ["date", "command", "elapsed_seconds", "puzzles_per_second", "machine"] {
        members.remove(member);
    }
    let output = members["output"].as_object_mut().unwrap();
    assert!(output["sha256"].as_str().unwrap().len() == 64 && output.remove("name").is_some());
    report
}

/// Starts the program and kills it when `is_time`, unless it ends before. Returns whether it ended by itself.
fn run_and_kill(folder: &Folder, words: &[&str], is_time: impl Fn() -> bool) -> bool {
    let mut process = std::process::Command::new(path());
    process.current_dir(folder.path("")).args(words).stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = process.spawn().unwrap();
    wait::until("the moment to kill", || is_time() || child.try_wait().unwrap().is_some());
    child.kill().unwrap();
    child.wait().unwrap().code().is_some()
}

/// Kills up to `kills` runs of a command, each when its unfinished output has reached a random size, and lets the last
/// run end. `whole` is the name of the same output of a run that was not killed.
fn run_with_kills(
    folder: &Folder,
    words: &[&str],
    out: &str,
    whole: &str,
    kills: usize,
    chance: &mut Chance,
) {
    let size = |name: &str| std::fs::metadata(folder.path(name)).map_or(0, |file| file.len());
    let [partial, progress] = ["partial", "progress"].map(|ending| format!("{out}.{ending}"));
    let has_progress = || folder.path(&progress).exists();
    for _ in 0..kills {
        let begun = size(&partial);
        let left = size(whole).saturating_sub(begun).max(1);
        let wanted = begun + chance.below(left as usize) as u64;
        if run_and_kill(folder, words, || has_progress() && size(&partial) >= wanted) {
            break;
        }
    }
    // A run that was killed when everything was done says so again.
    if !folder.path(out).exists() || has_progress() {
        folder.run(words).ends(0, &[]);
    }
}

/// `kill -9` at up to two random moments of each run, five where tests soak.
#[test]
fn a_killed_run_goes_on_and_gives_the_bytes_of_a_whole_one() {
    let folder = folder();
    let mut chance = Chance::new(std::process::id().into());
    // The same columns in another order, and one that the first file lacks.
    let objects = |object: fn(usize, &str) -> String| {
        puzzles(sized(500, 1500))
            .lines()
            .enumerate()
            .map(|(id, puzzle)| object(id, puzzle) + "\n")
            .collect::<String>()
    };
    folder.write("a.jsonl", objects(|id, puzzle| format!("{{\"id\":{id},\"puzzle\":\"{puzzle}\"}}")));
    folder.write("b.jsonl", objects(|id, puzzle| format!("{{\"puzzle\":\"{puzzle}\",\"id\":{id}}}")));
    let runs: [(&str, &[&str]); 4] = [
        ("out.tsv", &["a.jsonl", "b.jsonl", "-f", "tsv"]),
        ("out.txt.gz", &["in.txt", "-f", "csv"]),
        ("out.json.zst", &["in.csv.gz", "-f", "json", "--limit", "2"]),
        ("out.csv.bz2", &["in.csv", "in.csv", "--shard", "1/2", "-f", "csv", "--crosscheck", "50%"]),
    ];
    for (out, words) in runs {
        let usual = ["solve", "--resume", "--no-times", "--allow-malformed", "-j", "2", "-e", "backtrack"];
        let words = [&usual, words].concat();
        let whole_name = format!("whole.{out}");
        let whole = [&words[..], &["-o", &whole_name, "--report", "whole.json"]].concat();
        let whole_run = folder.run(&whole).ends(0, &[]);
        let killed = [&words[..], &["-o", out, "--report", "out.json"]].concat();
        run_with_kills(&folder, &killed, out, &whole_name, sized(2, 5), &mut chance);
        assert!(folder.bytes(out) == folder.bytes(&whole_name), "{out}");
        assert_eq!(report(&folder, "out.json"), report(&folder, "whole.json"), "{out}");
        let left: Vec<String> = folder
            .names()
            .into_iter()
            .filter(|name| name.contains(".progress") || name.contains(".partial"))
            .collect();
        assert_eq!(left, [""; 0], "{}", whole_run.err);
    }
}

/// Ends a run without `--resume`, and one with it that is killed, each with words of its own. Nothing but their outputs,
/// which hold the same, is left.
fn goes_on(
    folder: &Folder,
    out: &str,
    words: &[&str],
    [whole_words, killed]: [&[&str]; 2],
    kills: usize,
    chance: &mut Chance,
) {
    let whole = format!("whole.{out}");
    folder.run(&[words, whole_words, &["-o", &whole]].concat()).ends(0, &[]);
    run_with_kills(folder, &[words, killed, &["-o", out]].concat(), out, &whole, kills, chance);
    // How text is cut into members depends on where the run was left.
    let unpacked = |name: &str| folder.run(&["convert", "-q", name, "-f", "csv"]).out;
    match out.ends_with(".gz") {
        true => assert!(unpacked(out) == unpacked(&whole), "{out}"),
        false => assert!(folder.bytes(out) == folder.bytes(&whole), "{out}"),
    }
    let is_left = |name: &String| name.contains(".progress") || name.contains(".partial");
    assert_eq!(folder.names().into_iter().find(is_left), None, "{out}");
}

/// Puzzles that are made go on as answers do, with any number of threads. One thread makes the runs long enough for
/// progress that is saved twice a second.
#[test]
fn a_killed_run_of_generate_goes_on() {
    let folder = Folder::new();
    let mut chance = Chance::new(std::process::id().into());
    let runs: [(&str, &[&str]); 3] = [
        ("out.txt", &["-n", sized("8000", "30000"), "--minimal", "--pairs"]),
        ("out.csv.gz", &["-n", sized("3000", "12000"), "--guesses", "1..", "--columns", "guesses,key"]),
        ("out.json", &["-n", sized("70", "150"), "--guesses", "6..", "--from", "7"]),
    ];
    for (out, words) in runs {
        let words = [&["generate", "--resume", "--seed", "3", "-q"], words].concat();
        goes_on(&folder, out, &words, [&["-j", "2"], &["-j", "1"]], sized(2, 4), &mut chance);
    }
    let words = ["generate", "-n", "5", "--resume", "-o", "a.txt"];
    folder.run(&words).ends(2, &["--seed"]);
    folder
        .run(&[&words[..], &["-s", "1", "-f", "npy"]].concat())
        .ends(2, &["--resume cannot continue --format npy"]);
}

/// Commands that rewrite records go on as answers do.
#[test]
fn a_killed_run_that_rewrites_records_goes_on() {
    let folder = folder();
    let mut chance = Chance::new(std::process::id().into());
    let runs: [(&str, &[&str]); 3] = [
        ("0.json.gz", &["convert", "in.csv", "in.csv.gz"]),
        ("1.jsonl", &["rate", "in.csv", "--by", "guesses", "--symmetries", "3", "--seed", "1"]),
        ("2.txt", &["dedup", "in.txt", "in.csv", "--by", "text"]),
    ];
    for (out, words) in runs {
        let words = [words, &["-q", "--allow-malformed", "-j", "2"]].concat();
        goes_on(&folder, out, &words, [&[], &["--resume"]], 4, &mut chance);
    }
}

/// Each refusal says why.
#[test]
fn what_depends_on_all_records_before_has_no_shards() {
    let folder = Folder::with(&[("in.txt", &puzzles(3))]);
    let fails = |words: &[&str], part: &str| folder.run(words).fails(part);
    fails(&["dedup", "in.txt", "--shard", "1/2"], "compares each record with all records before it");
    fails(
        &["sample", "in.txt", "--share", "0.5", "-s", "1", "--shard", "1/2"],
        "depends on how many records come before",
    );
    let split = ["split", "in.txt", "--test", "0.5", "-s", "1", "-o", "a.txt", "--test-output", "b.txt"];
    fails(&[&split[..], &["--resume"]].concat(), "writes two files and cannot continue both");
    fails(&["augment", "in.txt", "--shard", "1/2"], "--shard needs --seed N");
    fails(&["augment", "in.txt", "--resume", "-o", "c.txt"], "--resume needs --seed N");
    fails(&["convert", "in.txt", "--resume", "-o", "c.npz"], "--resume cannot continue --format npz");
    assert_eq!(folder.names(), ["in.txt"]);
}

/// A job that is put into the queue again does nothing twice, and a complete output of another command is kept.
#[test]
fn a_complete_output_is_complete_for_the_same_command_only() {
    let folder = Folder::with(&[("in.txt", &puzzles(100)), ("in.dlx", "a b\na\nb\na b\n")]);
    let runs: [(&str, &str, &str); 4] = [
        ("solve in.txt --resume --no-times --report r.json -o a.csv.gz", "a.csv.gz", "--unique"),
        ("dedup in.txt --resume -o b.txt", "b.txt", "--trust-solutions"),
        ("generate -n 9 --seed 1 --resume -o c.txt", "c.txt", "--minimal"),
        ("cover count in.dlx --resume -o d.txt", "d.txt", "--with=a"),
    ];
    for (typed, out, other) in runs {
        let words: Vec<&str> = typed.split(' ').collect();
        folder.run(&words).ends(0, &[]);
        let (bytes, names) = (folder.bytes(out), folder.names());
        let time = || std::fs::metadata(folder.path(out)).unwrap().modified().unwrap();
        let written = time();
        folder.run(&words).ends(0, &[&format!("{out}: complete already\n")]);
        assert_eq!((folder.bytes(out), time(), folder.names()), (bytes.clone(), written, names), "{typed}");
        folder.run(&[&words[..], &[other]].concat()).ends(2, &["complete output of"]);
        assert!(folder.bytes(out) == bytes, "{typed}");
        // What was changed since is of another run, and what was removed is made again.
        folder.write(out, "mine");
        folder.run(&words).ends(2, &[&format!("{out}: already exists")]);
        assert_eq!(folder.read(out), "mine");
        std::fs::remove_file(folder.path(out)).unwrap();
        assert!(!folder.run(&words).ends(0, &[]).err.contains("already"));
        assert!(folder.bytes(out) == bytes, "{typed}");
    }
    // The reports of a complete run are made again, with all figures.
    let report = folder.json("r.json");
    assert_eq!(
        (&report["counts"]["solved"], report["output"]["bytes"].as_u64().unwrap() > 0),
        (&100.into(), true)
    );
}

/// A run of puzzles that take seconds each, which is stopped when its progress is there. The words of the run come
/// back.
fn stopped(folder: &Folder) -> Vec<&'static str> {
    folder.write("in.txt", puzzles(2_000) + &format!("{SLOW}\n").repeat(3_000));
    let words = "solve in.txt -o out.txt --resume -e backtrack -j 1 --max-guesses 100000";
    let words: Vec<&str> = words.split(' ').collect();
    let output = stop(folder, &words);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{err}");
    for part in [
        "stopped before the end",
        "out.txt.partial and out.txt.progress",
        "galop solve in.txt -o out.txt --resume",
    ] {
        assert!(err.contains(part), "{part:?} is not in {err}");
    }
    assert_eq!(folder.names(), ["in.txt", "out.txt.partial", "out.txt.progress"]);
    words
}

/// Starts a run of `out.txt` and stops it when its progress is there.
fn stop(folder: &Folder, words: &[&str]) -> Output {
    let child = folder.spawn(words);
    // The first progress speaks of no bytes.
    let progress = || std::fs::read_to_string(folder.path("out.txt.progress")).unwrap_or_default();
    wait::until("progress after the first bytes", || {
        let text = progress();
        !text.is_empty() && !text.contains("\"bytes\":0,")
    });
    send(&child, "-TERM");
    child.wait_with_output().unwrap()
}

#[test]
fn a_run_goes_on_only_with_the_same_maps() {
    let map = "a........ .a....... ..a...... ...a..... ....a.... .....a... ......a.. .......a. ........a";
    let folder = Folder::with(&[("extra.map", map)]);
    let words = "generate -n 10000000 -s 1 --extra extra.map -j 1 --resume -o out.txt";
    let words: Vec<&str> = words.split(' ').collect();
    assert_eq!(stop(&folder, &words).status.code(), Some(143));
    folder.write("extra.map", map.chars().rev().collect::<String>().replace('a', "b"));
    folder.run(&words).fails("a map of extra regions was");
}

#[test]
fn a_run_goes_on_only_if_nothing_differs() {
    let folder = Folder::new();
    let words = stopped(&folder);
    let progress = folder.bytes("out.txt.progress");
    let with = |more: &[&str]| folder.run(&[&words[..], more].concat());
    let begin = "out.txt: it has an unfinished run, but ";
    with(&["--unique"])
        .fails(&format!("{begin}--unique was not given when that run began, and is given now"));
    with(&["-f", "csv"])
        .fails("--format was `pair` when that run began, and is `csv` now; continue with the same command");
    with(&["--shard", "1/2"]).fails("--shard was not given when that run began, and is `1/2` now");
    let other = words.iter().map(|&word| if word == "100000" { "9" } else { word }).collect::<Vec<_>>();
    folder.run(&other).fails("--max-guesses was `100000` when that run began, and is `9` now");
    with(&["in.txt"]).fails("the number of inputs was `1` when that run began, and is `2` now");

    let old = folder.bytes("out.txt.partial");
    for changed in [[&old[..9], b"!", &old[10..]].concat(), Vec::new()] {
        folder.write("out.txt.partial", changed);
        with(&[]).fails("out.txt.partial: was changed after the unfinished run wrote it");
    }
    folder.write("out.txt.partial", &old);

    let text = folder.read("in.txt");
    folder.write("in.txt", text.clone() + "\n");
    with(&[]).fails("the length of in.txt was");
    folder.write("in.txt", &text);
    with(&[]).fails("the time of the last change of in.txt was");

    // Another version of galop, and a damaged progress.
    let damaged = |at: usize| {
        let mut bytes = progress.clone();
        bytes[at] ^= 1;
        bytes
    };
    for bytes in [damaged(30), damaged(progress.len() - 3), progress[..100].to_vec(), Vec::new()] {
        folder.write("out.txt.progress", bytes);
        with(&[]).fails("out.txt.progress: is not the progress of a run, or it is damaged; remove");
    }
    folder.write("out.txt.progress", &progress);
    // The time of the input is checked first.
    folder.write("out.txt.partial", &old[..old.len() / 2]);
    with(&[]).fails("the time of the last change of in.txt was");
}

#[test]
fn two_runs_do_not_write_one_output() {
    let folder = Folder::with(&[("in.txt", &format!("{SLOW}\n").repeat(1_000))]);
    let words = ["solve", "in.txt", "-o", "out.txt", "--resume", "-e", "backtrack"];
    let mut child = folder.spawn(&words);
    // The file is locked before the first progress is written.
    folder.wait_for("out.txt.progress");
    folder.run(&words).fails("out.txt: is being written by another run; wait until it ends");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_cannot_go_on_is_refused_at_once() {
    let folder = Folder::with(&[("in.txt", &puzzles(3)), ("old.txt", "old\n")]);
    folder.run(&["solve", "in.txt", "--resume"]).ends(2, &["--output <FILE>"]);
    folder
        .run(&["solve", "in.txt", "--resume", "-o", "-"])
        .fails("--resume needs a file for the output: -o FILE");
    folder.run(&["solve", "in.txt", "--resume", "-o", "in.txt"]).fails("choose another name for -o");
    folder.run(&["solve", "in.txt", "--resume", "-o", "/dev/null"]).fails("/dev/null: is not a regular file");
    folder
        .run_on(puzzles(3), &["solve", "--resume", "-o", "out.txt"])
        .fails("<stdin>: is a stream, which a later run could not read again; save it as a file, or leave out --resume");
    folder
        .run(&["solve", "in.txt", "--resume", "-o", "old.txt"])
        .fails("old.txt: already exists without an unfinished run; it may be complete; to solve again");
    assert_eq!(folder.names(), ["in.txt", "old.txt"]);
    assert_eq!(folder.read("old.txt"), "old\n");
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let folder = folder();
    folder
        .run_on(puzzles(2), &["solve", "--shard", "1/2"])
        .fails("<stdin>: cannot be cut into shards: its length is not known before it is read");
    folder
        .run(&["solve", "in.csv.gz", "--shard", "1/2"])
        .fails("it is compressed, so it can only be read from its start; unpack it to a file");
    folder
        .run(&["solve", "in.txt", "--shard", "0/2"])
        .ends(2, &["`0/2` is not a shard: I/N, where I is from 1 to N, such as 3/10"]);
}
