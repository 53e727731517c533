//! `--lines` and `--limit-records`: only a part of the records is read.

use std::io::Write;

use crate::program::{Folder, run_on};
use galop_testing::puzzles::{PUZZLE, SOLUTION};

/// A table whose rows have their number as a field.
fn table(rows: usize) -> String {
    let rows = (1..=rows).map(|row| format!("{row},{PUZZLE},{SOLUTION}\n"));
    "# comment\nid,puzzle,solution\n".to_owned() + &rows.collect::<String>()
}

/// The first field of each line.
fn ids(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.split(',').next()).collect()
}

#[test]
fn lines_are_those_of_the_file() {
    let folder = Folder::with(&[("t.csv", &table(20_000))]);
    for (lines, first, last) in
        [("..5", 1, 3), ("10001..10003", 9_999, 10_001), ("20001..", 19_999, 20_000), ("7", 5, 5)]
    {
        let words = ["solve", "t.csv", "-f", "csv", "--lines", lines, "--columns", "line", "-j", "2"];
        let solved = folder.run(&words).ends(0, &[]).out;
        let expected: Vec<String> =
            (first..=last).map(|id| format!("{id},{PUZZLE},{SOLUTION},{}", id + 2)).collect();
        assert_eq!(solved.lines().next(), Some("id,puzzle,solution,line"));
        assert_eq!(solved.lines().skip(1).collect::<Vec<_>>(), expected, "{lines}");
        for map in [&[][..], &["--no-mmap"]] {
            assert_eq!(folder.run(&[&words[..], map].concat()).out, solved);
        }
        assert_eq!(
            folder
                .run_on(table(20_000), &["solve", "-", "-f", "csv", "--lines", lines, "--columns", "line"])
                .out,
            solved
        );
    }
    // The header is printed, also if it comes behind the lines or before them.
    for lines in ["1", "1..2", "90000.."] {
        let none = folder.run(&["solve", "t.csv", "-f", "csv", "--lines", lines]).ends(0, &["no puzzles"]);
        assert_eq!(none.out.lines().count(), 1);
    }
}

#[test]
fn faults_have_the_lines_of_the_file() {
    let wrong = table(30_000).replacen(&format!("25000,{PUZZLE},4"), &format!("25000,{PUZZLE},5"), 1);
    let wrong = wrong.replacen("\n26000,4", "\n26000,%", 1);
    let folder = Folder::with(&[("t.csv", &wrong)]);
    let verified =
        folder.run(&["verify", "t.csv", "--lines", "24000..25002"]).ends(1, &["1,003 records in "]);
    assert!(verified.out.starts_with("t.csv:25002:89: wrong solution") && verified.out.lines().count() == 1);
    folder.run(&["verify", "t.csv", "--lines", "24000..25001"]).ends(0, &["1,002 records in "]);
    let verified = folder.run(&["verify", "t.csv", "--lines", "26002..27000"]).ends(1, &["999 records in "]);
    assert!(verified.out.starts_with("t.csv:26002:7: "), "{}", verified.out);
    folder.run(&["solve", "t.csv", "--lines", "26002"]).ends(1, &["t.csv:26002:7: "]);
}

#[test]
fn records_are_counted_over_all_files() {
    let folder =
        Folder::with(&[("a.csv", &table(3)), ("b.csv", &table(4)), ("c.csv", "other,puzzle\n1,2\n")]);
    let solved = |limit| {
        let words = ["solve", "a.csv", "b.csv", "c.csv", "-f", "csv", "--limit-records", limit];
        let out = folder.run(&words).ends(0, &[]).out;
        ids(&out)[1..].iter().map(|id| (*id).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(solved("2"), ["1", "2"]);
    assert_eq!(solved("5"), ["1", "2", "3", "1", "2"]);
    assert_eq!(solved("7").len(), 7);
    folder.run(&["verify", "a.csv", "b.csv", "--limit-records", "4"]).ends(0, &["4 records in "]);
    // Both together: first the lines, of these the records.
    let both = folder.run(&["solve", "b.csv", "-f", "csv", "--lines", "4..6", "--limit-records", "2"]);
    assert_eq!(ids(&both.out), ["id", "2", "3"]);
}

/// The rest may be anything, or never come.
#[test]
fn what_is_behind_is_not_read() {
    let folder = Folder::new();
    for words in [["--lines", "1..10"], ["--limit-records", "10"]] {
        let mut process = folder.spawn(&[&["solve", "-q"][..], &words].concat());
        let line = format!("{PUZZLE}\n").into_bytes();
        let mut input = process.stdin.take().unwrap();
        // More than a pipe and some chunks hold. The program ends before all of it is written.
        let text = line.repeat(1_000_000);
        let written = std::thread::spawn(move || input.write_all(&text));
        let output = process.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), output.stdout.iter().filter(|byte| **byte == b'\n').count()),
            (Some(0), 10)
        );
        assert!(written.join().unwrap().is_err(), "all of the input was read");
    }
}

#[test]
fn wrong_ranges_are_usage_errors() {
    for (words, message) in [
        (["--lines", "5..3"], "the range ends at 3, before it begins at 5"),
        (["--lines", "0.."], "lines count from 1"),
        (["--lines", "x"], "`x` is not a whole number; expected A..B, A.., ..B or N, such as 5..10"),
        (["--limit-records", "0"], "`0` is not a whole number from 1"),
    ] {
        for command in ["solve", "verify"] {
            run_on("", &[&[command][..], &words].concat()).ends(2, &[message]);
        }
    }
}
