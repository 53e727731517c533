//! Exit codes 0, 1 and 2, and what they leave behind.

use std::fs;
use std::process::{Command as Process, Stdio};

use crate::program::{Folder, Run, path};
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

#[test]
fn solved_puzzles_end_with_0() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    let run = folder.run(&["solve", "in.txt"]).ends(0, &["1 puzzle from in.txt"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
    let run = folder.run(&["solve", "-q", "in.txt"]).ends(0, &[]);
    assert_eq!(run.err, "");
    let run = folder.run_on(PUZZLE, &["solve"]).ends(0, &["from <stdin>"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
    // "No solution" is an answer, not a failure.
    folder.run_on(contradictory(), &["solve"]).ends(0, &[]);
}

#[test]
fn malformed_records_end_with_1_and_are_shown() {
    let wrong: String = (0..12).map(|_| format!("# comment\nwrong\n{PUZZLE}\n")).collect();
    let folder = Folder::with(&[("in.txt", &wrong)]);
    let words = [
        "in.txt:2:1: unexpected `w`",
        "in.txt:29:1: unexpected",
        "warning: 12 malformed records, the first 10 of them shown",
    ];
    let run = folder.run(&["solve", "in.txt"]).ends(1, &words);
    assert_eq!(run.err.matches(": unexpected").count(), 10);
    assert_eq!(run.out, format!("wrong,malformed\n{PUZZLE},{SOLUTION}\n").repeat(12));
    folder.run(&["solve", "in.txt", "--allow-malformed"]).ends(0, &words);
    folder.run(&["solve", "in.txt", "--quiet"]).ends(1, &["warning: 12 malformed"]);
    // The output is complete, so it gets its name.
    folder.run(&["solve", "in.txt", "-o", "out.txt"]).ends(1, &[]);
    assert_eq!(folder.read("out.txt"), run.out);
    let run = folder.run_on("wrong", &["solve"]).ends(1, &["<stdin>:1:1: ", "1 malformed record\n"]);
    assert_eq!(run.out, "wrong,malformed\n");
}

#[test]
fn with_strict_every_record_must_be_solved() {
    let folder = Folder::new();
    folder.run_on(PUZZLE, &["solve", "--strict"]).ends(0, &[]);
    folder.run_on(format!("{PUZZLE}\n{}", contradictory()), &["solve", "--strict"]).ends(1, &[]);
    folder.run_on(open_puzzle(), &["solve", "--strict", "--unique"]).ends(1, &[]);
    folder.run_on("wrong", &["solve", "--strict"]).ends(1, &[]);
    folder.run(&["solve", "--strict", "--allow-malformed"]).ends(2, &["cannot be used with"]);
}

/// A limit that the user set makes the result partial; the usual limit of an engine does not.
#[test]
fn puzzles_that_reach_the_limit_on_guesses_end_with_4() {
    let folder = Folder::new();
    let open = open_puzzle();
    let run = folder.run_on(&*open, &["solve", "-q", "--max-guesses", "0"]).ends(4, &[]);
    assert_eq!(run.out, format!("{open},limit\n"));
    folder.run_on(format!("{open}\nwrong"), &["solve", "--max-guesses", "0"]).ends(4, &["malformed"]);
    folder.run_on(PUZZLE, &["solve", "--max-guesses", "0"]).ends(0, &[]);
    folder.run_on(&*open, &["solve", "--max-guesses", "1000"]).ends(0, &[]);
    folder.run_on(&*open, &["solve", "--strict", "--max-guesses", "0"]).ends(1, &[]);
}

#[test]
fn usage_errors_end_with_2() {
    let folder = Folder::new();
    let usage: [(&[&str], &str); 13] = [
        (&[], "Usage"),
        (&["dance"], "unrecognized subcommand"),
        (&["solve", "--engine", "bitbord"], "'bitboard'"),
        (&["solve", "--format", "cvs"], "possible values: pair, solution, csv, tsv, json"),
        (&["solve", "--threads", "many"], "invalid value 'many'"),
        (&["solve", "--unique", "--limit", "3"], "cannot be used with"),
        (&["solve", "--isa", "mmx"], "possible values: avx512, avx2, portable"),
        (&["solve", "--crosscheck", "2"], "`2` is not a share: 0 to 1, or 0% to 100%"),
        (&["solve", "--crosscheck", "many"], "`many` is not a share"),
        (&["solve", "--crosscheck-seed", "2"], "--crosscheck <SHARE>"),
        (&["solve", "-", "-"], "standard input (`-`) can be read only once"),
        (&["verify", "-", "-"], "standard input (`-`) can be read only once"),
        (&["generate", "-s", "1"], "--count"),
    ];
    for (words, message) in usage {
        let run = folder.run(words).ends(2, &[message]);
        assert_eq!(run.out, "", "{words:?}");
    }
}

#[test]
fn inputs_that_cannot_be_read_end_with_2() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    folder.write("in.zst", b"\x28\xb5\x2f\xfd\0");
    fs::create_dir(folder.path("folder")).unwrap();
    for command in ["solve", "verify"] {
        let no_file =
            folder.run(&[command, "in.txt", "missing.txt"]).ends(2, &["error: missing.txt: cannot read"]);
        assert_eq!(no_file.out, "", "all names are checked before any work");
        folder.run(&[command, "folder"]).ends(2, &["folder: has no files to read"]);
        folder.run(&[command, "*.txt"]).ends(2, &["error: *.txt: cannot read", "the shell found no file"]);
        folder.run(&[command, "in.zst"]).ends(2, &["in.zst: its zstd data are cut short at byte "]);
    }
    folder.run(&["solve", "missing.txt", "-o", "out.txt"]).ends(2, &[]);
    assert_eq!(folder.names(), ["folder", "in.txt", "in.zst"], "no output was begun");
}

#[test]
fn outputs_that_are_inputs_or_reports_are_refused() {
    let folder = Folder::with(&[("in.txt", PUZZLE), ("link.txt", "")]);
    let refused = &["choose another name"];
    folder.run(&["solve", "in.txt", "-o", "in.txt"]).ends(2, refused);
    folder.run(&["solve", "in.txt", "-o", "./in.txt"]).ends(2, refused);
    folder.run(&["solve", "in.txt", "-o", &folder.word("in.txt")]).ends(2, refused);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in.txt", folder.path("soft.txt")).unwrap();
        fs::hard_link(folder.path("in.txt"), folder.path("hard.txt")).unwrap();
        folder.run(&["solve", "in.txt", "-o", "soft.txt"]).ends(2, refused);
        folder.run(&["solve", "in.txt", "-o", "hard.txt"]).ends(2, refused);
        folder.run(&["solve", "soft.txt", "-o", "in.txt"]).ends(2, refused);
    }
    // Names of files that do not exist yet.
    let both =
        |output: &str, report: &str| folder.run(&["solve", "in.txt", "-o", output, "--report", report]);
    both("new.txt", "new.txt").ends(2, refused);
    both("new.txt", "./new.txt").ends(2, refused);
    both(&folder.word("new.txt"), "new.txt").ends(2, refused);
    folder.run(&["solve", "in.txt", "--report", "in.txt"]).ends(2, &["must not overwrite in.txt"]);
    folder
        .run(&["solve", "in.txt", "--report", "r.md", "--report", "./r.md"])
        .ends(2, &["must not overwrite"]);
    assert_eq!(folder.read("in.txt"), PUZZLE);
    assert!(!folder.names().iter().any(|name| name.starts_with("new") || name.ends_with(".part")));
}

#[test]
fn a_report_of_unknown_ending_is_refused_before_any_work() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    for name in ["r.xyz", "r", "json"] {
        let run = folder.run(&["solve", "in.txt", "-o", "out.txt", "--report", name]);
        run.ends(2, &["known endings: .json, .md, .html, .txt", name]);
    }
    assert_eq!(folder.names(), ["in.txt"]);
    folder.run(&["solve", "in.txt", "-o", "no/such/out.txt"]).ends(2, &["no/such/out.txt: cannot write"]);
}

#[test]
fn impossible_numbers_of_clues_are_refused() {
    let folder = Folder::new();
    let refused = [
        ("5..10", "the range must lie within 17..81"),
        ("0..5", "clues 0..5: the range must lie within 17..81"),
        ("40..30", "the smaller number first"),
        ("30..99", "the range must lie within 17..81"),
        ("a..b", "`a` is not a number of clues"),
        ("", "not a number of clues"),
    ];
    for (clues, message) in refused {
        let run = folder.run(&["generate", "-n", "5", "-s", "1", "--clues", clues, "-o", "out.txt"]);
        // What cannot be made is not called rare.
        assert!(!run.ends(2, &[message]).err.contains("rare"), "{clues}");
    }
    folder
        .run(&["generate", "-n", "5", "-s", "1", "--minimal", "--clues", "16..30"])
        .ends(2, &["the range must lie within 17..81"]);
    // No row of a minimal puzzle is full, and a full grid takes no guess.
    for (words, most) in [
        ("--minimal --clues 73..81", 72),
        ("--minimal --clues 81", 72),
        ("--minimal --clues 13..16 --side 4", 12),
        ("--guesses 1.. --clues 81", 80),
    ] {
        let words: Vec<&str> = "generate -n 1 -s 1".split(' ').chain(words.split(' ')).collect();
        folder.run(&words).ends(2, &[&format!("..{most}, the smaller number first")]);
    }
    let small = ["generate", "-q", "-n", "1", "-s", "1", "--minimal", "--clues", "4..16", "--side", "4"];
    folder.run(&small).ends(0, &[]);
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let on_full = |words: &[&str]| {
        let mut process = Process::new(path());
        process.current_dir(folder.path(".")).args(words).stdin(Stdio::null()).stdout(full());
        let output = process.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        Run { code: output.status.code(), out: String::new(), err }
            .ends(2, &["error: standard output: cannot write: No space left on device"]);
    };
    on_full(&["solve", "in.txt"]);
    on_full(&["solve", "-f", "csv", "/dev/null"]);
    on_full(&["engines"]);
    on_full(&["explain", "in.txt"]);
    on_full(&["compare", "in.txt", "-r", "1", "-q"]);
    on_full(&["make"]);
    on_full(&["--version"]);
    on_full(&["--help"]);
    on_full(&["help", "solve"]);
    on_full(&["completions", "bash"]);
    folder.run(&["solve", "in.txt", "-o", "/dev/full"]).ends(2, &["No space left on device"]);
    folder.run(&["solve", "in.txt", "-o", "/dev/null"]).ends(0, &[]);
}

/// A log on a full disk loses messages only. Neither a finished output nor the exit code depends on it.
#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_cost_nothing_else() {
    let folder = Folder::with(&[
        ("in.txt", &format!("{PUZZLE}\nwrong\n{PUZZLE}\n")),
        ("pairs.txt", &format!("{PUZZLE},{SOLUTION}\nwrong,1\n")),
    ]);
    folder.write("one.dlx", "a\na\n");
    let commands: [(&[&str], i32); 8] = [
        (&["solve", "in.txt", "-o", "out.txt"], 1),
        (&["verify", "pairs.txt"], 1),
        (&["show", "in.txt"], 1),
        (&["explain", "in.txt"], 1),
        (&["compare", "in.txt", "-r", "1"], 1),
        (&["cover", "-v", "one.dlx"], 0),
        (&["solve", "missing.txt"], 2),
        (&["solve", "in.txt", "--progress", "always", "--allow-malformed"], 0),
    ];
    for (words, code) in commands {
        let mut process = Process::new(path());
        process.current_dir(folder.path(".")).args(words).stdin(Stdio::null()).stdout(Stdio::null());
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        assert_eq!(process.stderr(full).status().unwrap().code(), Some(code), "{words:?}");
    }
    assert_eq!(
        folder.read("out.txt"),
        format!("{PUZZLE},{SOLUTION}\nwrong,malformed\n{PUZZLE},{SOLUTION}\n")
    );
}
