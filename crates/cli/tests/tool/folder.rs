//! Folders and archives: each file is recognised by itself, by its head, and what holds no puzzles is named.

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION};
use galop_testing::zip::{Member, archive};

/// A puzzle of 4x4, and one of 16x16.
const SMALL: &str = "1...............";

fn large(symbols: &str) -> String {
    format!("{symbols:.<256}\n")
}

/// A folder `set` with these files.
fn set(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("set")).unwrap();
    files.iter().for_each(|(name, text)| folder.write(&format!("set/{name}"), text));
    folder
}

#[test]
fn files_whose_names_say_that_they_hold_no_puzzles_are_named_and_left_out() {
    let line = format!("{PUZZLE}\n");
    let folder = set(&[
        ("README.md", &format!("# Puzzles\n\n    {PUZZLE}\n")),
        ("SHA256SUMS", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef  a.txt\n"),
        ("a.txt", &line),
        ("empty.txt", ""),
        ("make.sh", "echo 1\n"),
        ("queens.dlx", "a b\na\nb\n"),
        ("z.csv", &format!("id,puzzle\n7,{PUZZLE}\n")),
    ]);
    let message =
        "left out: set/README.md, set/SHA256SUMS, set/make.sh, set/queens.dlx, whose names say that";
    let run = folder.run(&["solve", "set"]).ends(0, &[message, "2 puzzles from set/a.txt and 2 more"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n").repeat(2));
    for words in [
        &["solve", "-q", "set", "--resume", "-o", "out.txt"][..],
        &["convert", "set"],
        &["check", "set"],
        &["show", "set"],
        &["explain", "set"],
        &["rate", "-f", "json", "set"],
        &["dedup", "set"],
        &["sample", "-n", "1", "set"],
        &["compare", "--runs", "1", "-q", "set"],
        &["solve", "set", "--shard", "1/2"],
        &["generate", "-n", "1", "--seed", "1", "--new-to", "set"],
    ] {
        folder.run(words).ends(0, &[message]);
    }
    folder.run(&["leak", "set", "set"]).ends(1, &[message]);
    assert_eq!(folder.read("out.txt"), run.out);
    // A file that is named is read, whatever its name is.
    folder.run(&["solve", "set/README.md"]).ends(0, &["1 puzzle from set/README.md"]);
    folder.run(&["solve", "set/queens.dlx"]).fails(
        "set/queens.dlx: is an exact cover problem, not puzzles; solve it: galop cover set/queens.dlx",
    );
    let folder = set(&[("README", "x\n")]);
    folder.run(&["solve", "set"]).ends(2, &["set: has no files to read"]);
}

#[test]
fn a_file_that_is_not_recognised_is_an_error_unless_it_is_left_out() {
    let line = format!("{PUZZLE}\n");
    let utf16: String = line.chars().flat_map(|c| [c, '\0']).collect();
    for (text, reason) in [
        ("Some words about puzzles.\n", "set/notes: not recognised as puzzles of the kind sudoku"),
        (&*utf16, "set/notes: is text in UTF-16 without a byte-order mark"),
        ("\u{7f}ELF\0\u{1}\u{2}".repeat(20).as_str(), "set/notes: is binary data, not text"),
    ] {
        let folder = set(&[("a.txt", &line), ("notes", text), ("other", "More words.\n")]);
        for words in [
            &["solve", "set"][..],
            &["solve", "set", "-o", "out.txt"],
            &["solve", "set", "--resume", "-o", "out.txt"],
            &["convert", "set"],
            &["dedup", "set"],
            &["show", "set"],
        ] {
            let run =
                folder.run(words).ends(2, &[reason, "not recognised either: set/other", "--skip-unknown"]);
            assert_eq!(run.out, "", "{words:?}");
        }
        assert_eq!(folder.names(), ["set"]);
        for command in ["solve", "convert", "dedup", "show", "check", "explain"] {
            let run = folder.run(&[command, "--skip-unknown", "set"]).ends(1, &["left out: ", reason]);
            assert!(!run.out.contains("malformed"), "{}", run.out);
        }
        folder
            .run(&["solve", "-q", "--skip-unknown", "set", "--resume", "-o", "out.txt"])
            .ends(1, &["left out: ", reason]);
        assert_eq!(folder.read("out.txt"), format!("{PUZZLE},{SOLUTION}\n"));
    }
    // A file with some malformed records is recognised.
    let folder =
        set(&[("a.txt", &format!("{PUZZLE}\nmalformed\n")), ("b.txt", &format!("wrong\n{PUZZLE}\n"))]);
    let run = folder.run(&["solve", "-q", "set"]).ends(1, &["set/a.txt:2:1: ", "set/b.txt:1:1: "]);
    assert_eq!(run.out.lines().count(), 4);
}

#[test]
fn what_cannot_be_one_output_is_an_error_before_anything_is_written() {
    let line = format!("{PUZZLE}\n");
    let table = format!("id,puzzle\n7,{PUZZLE}\n");
    let other = format!("puzzle,level\n{PUZZLE},easy\n");
    for (files, words, reason) in [
        (
            vec![("a.txt", &*large("G")), ("b.txt", &*line)],
            &["-f", "pair"][..],
            "set/b.txt: holds puzzles of 9x9, but set/a.txt holds puzzles of 16x16",
        ),
        (
            vec![("a.txt", &*line), ("b.csv", &*table), ("c", SMALL)],
            &[],
            "set/c: holds puzzles of 4x4, but set/a.txt holds puzzles of 9x9",
        ),
        (
            vec![("a", &*large("1G")), ("b", &*large("10"))],
            &[],
            "set/b: holds the symbols 0-9A-F, but set/a holds the symbols 1-9A-G",
        ),
        (
            vec![("a.csv", &*table), ("b.csv", &*other)],
            &["-f", "csv"],
            "set/b.csv: holds the columns puzzle, level, but set/a.csv holds the columns id, puzzle",
        ),
        (
            vec![("a.csv", &*table), ("b.txt", &*line)],
            &["-f", "csv"],
            "set/b.txt: holds puzzles without other columns, but set/a.csv holds the columns id, puzzle",
        ),
    ] {
        let folder = set(&files);
        for command in ["solve", "convert"] {
            let run = folder.run(&[&[command, "set"], words].concat());
            // A line has a place below the header of any table that is converted.
            if command == "convert" && files[1].0 == "b.txt" && words == ["-f", "csv"] {
                run.ends(0, &[]);
                continue;
            }
            assert_eq!(run.ends(2, &[reason]).out, "");
            let run = folder.run(&[&[command, "set", "-o", "out"], words].concat());
            run.ends(2, &[reason]);
            assert_eq!(folder.names(), ["set"]);
        }
    }
    // Several formats of one size are one output, as are tables of the same columns.
    let folder =
        set(&[("a.txt", &line), ("b.csv", &table), ("c.json", &format!("{{\"puzzle\":\"{PUZZLE}\"}}\n"))]);
    let run = folder.run(&["solve", "-q", "set"]).ends(0, &[]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n").repeat(3));
    folder.run(&["convert", "-q", "set", "-f", "json"]).ends(0, &[]);
    let folder = set(&[("a.csv", &table), ("b.csv", &table)]);
    folder.run(&["solve", "-q", "set", "-f", "csv"]).ends(0, &[]);
    // A file that is named beside a folder counts, too.
    folder.write("large", large("G"));
    folder
        .run(&["solve", "large", "set"])
        .fails("set/a.csv: holds puzzles of 9x9, but large holds puzzles of 16x16");
}

#[test]
fn members_of_an_archive_are_recognised_like_files_of_a_folder() {
    let line = format!("{PUZZLE}\n");
    let folder = Folder::new();
    let with = |name: &str, text: &str| {
        archive(&[Member::deflated("a.txt", line.as_bytes()), Member::deflated(name, text.as_bytes())])
    };
    folder.write("set.zip", with("docs/README.md", "Some words.\n"));
    folder.run(&["solve", "set.zip"]).ends(0, &["left out: set.zip/docs/README.md"]);
    folder.write("set.zip", with("notes", "Some words.\n"));
    folder.run(&["solve", "set.zip"]).fails("set.zip/notes: not recognised as puzzles");
    folder.run(&["dedup", "--skip-unknown", "set.zip"]).ends(1, &["left out: set.zip/notes"]);
    folder.write("set.zip", with("b", SMALL));
    folder
        .run(&["solve", "set.zip"])
        .fails("set.zip/b: holds puzzles of 4x4, but set.zip/a.txt holds puzzles of 9x9");
}

#[test]
fn an_archive_with_other_bytes_before_it_is_read() {
    let folder = Folder::new();
    let bytes = archive(&[Member::deflated("a.txt", format!("{PUZZLE}\n").as_bytes())]);
    for (name, before) in
        [("a.zip", &b"#!/bin/sh\nunzip $0\n"[..]), ("run", b"#!/bin/sh\n"), ("b.zip", &[b'x'; 70_000])]
    {
        folder.write(name, [before, &bytes].concat());
        let run = folder.run(&["solve", "-q", name]).ends(0, &[]);
        assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"), "{name}");
    }
    // A text with the name of an archive is text.
    folder.write("c.zip", format!("{PUZZLE}\n"));
    folder.run(&["solve", "-q", "c.zip"]).ends(0, &[]);
}

#[test]
fn an_archive_has_as_many_members_as_it_says_and_each_is_read_once() {
    let folder = Folder::new();
    let member = Member::deflated("a.txt", format!("{PUZZLE}\n").as_bytes());
    let bytes = archive(std::slice::from_ref(&member));
    let end = bytes.len() - 22;
    for count in [0_u16, 2, 0xffff] {
        let mut wrong = bytes.clone();
        wrong[end + 8..end + 10].copy_from_slice(&count.to_le_bytes());
        wrong[end + 10..end + 12].copy_from_slice(&count.to_le_bytes());
        folder.write("a.zip", &wrong);
        folder.run(&["solve", "a.zip"]).fails("a.zip: is a zip archive without a complete directory");
    }
    // Three entries for the same data.
    let start = bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let (members, directory) = (&bytes[..start], &bytes[start..end]);
    let mut three = [members, &directory.repeat(3), &bytes[end..]].concat();
    let end = three.len() - 22;
    three[end + 8] = 3;
    three[end + 10] = 3;
    three[end + 12..end + 16].copy_from_slice(&(3 * directory.len() as u32).to_le_bytes());
    folder.write("a.zip", &three);
    let run = folder.run(&["solve", "-q", "a.zip"]).ends(0, &[]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
}
