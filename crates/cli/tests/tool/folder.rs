//! Folders and archives: files with a known ending are read, and all others are named.

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION};
use galop_testing::zip::{Member, archive};

/// A folder `set` with these files.
fn set(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("set")).unwrap();
    files.iter().for_each(|(name, text)| folder.write(&format!("set/{name}"), text));
    folder
}

#[test]
fn files_without_a_known_ending_are_named_once_and_passed_over() {
    let line = format!("{PUZZLE}\n");
    let folder = set(&[
        ("README.md", &format!("# Puzzles\n\n    {PUZZLE}\n")),
        ("a.TXT", &line),
        ("b.csv.gz", &format!("id,puzzle\n7,{PUZZLE}\n")),
        ("empty.txt", ""),
        ("puzzles", &line),
        ("queens.dlx.gz", "a b\na\nb\n"),
    ]);
    let message = "passed over: set/README.md, set/puzzles, set/queens.dlx.gz; the files of a folder or an \
                   archive are read if they end in .txt, .csv,";
    let run = folder.run(&["solve", "set"]).ends(0, &[message, "2 puzzles from set/a.TXT and 2 more"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n").repeat(2));
    for words in [
        &["solve", "-q", "set", "--resume", "-o", "out.txt"][..],
        &["convert", "set"],
        &["verify", "set"],
        &["show", "set"],
        &["rate", "-f", "json", "set"],
        &["dedup", "set"],
        &["compare", "--runs", "1", "-q", "set"],
        &["generate", "-n", "1", "--seed", "1", "--new-to", "set"],
    ] {
        folder.run(words).ends(0, &[message]);
    }
    let run = folder.run(&["leak", "set", "set"]).ends(1, &[message]);
    assert_eq!(run.err.matches("passed over").count(), 1, "{}", run.err);
    assert_eq!(folder.read("out.txt"), format!("{PUZZLE},{SOLUTION}\n").repeat(2));
    for words in [&["solve", "--strict", "set"][..], &["verify", "--strict", "out.txt", "set"]] {
        folder.run(words).ends(1, &[message]);
    }
    // A file that is named is read, whatever its name is.
    let words = ["solve", "--strict", "set/a.TXT", "set/b.csv.gz", "set/puzzles"];
    let run = folder.run(&words).ends(0, &["3 puzzles from set/a.TXT and 2 more"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n").repeat(3));
    folder.write("queens.dlx", "a b\na\nb\n");
    folder
        .run(&["solve", "queens.dlx"])
        .fails("queens.dlx: is an exact cover problem, not puzzles; solve it: galop cover queens.dlx");
    let folder = set(&[("README", "x\n")]);
    folder.run(&["solve", "set"]).fails("set: has no files to read");
}

#[test]
fn a_file_with_a_known_ending_is_read_like_one_that_is_named() {
    let folder = set(&[("a.txt", &format!("{PUZZLE}\n")), ("b.txt", &format!("{PUZZLE}\nSome words.\n"))]);
    let run = folder.run(&["solve", "set"]).ends(1, &["set/b.txt:2:"]);
    assert_eq!(run.out, folder.run(&["solve", "set/a.txt", "set/b.txt"]).out);
    folder.write("set/c.txt", "\u{7f}ELF\0\u{1}\u{2}".repeat(20));
    folder.run(&["solve", "set"]).fails("set/c.txt: is binary data, not text");
}

#[test]
fn members_of_an_archive_are_passed_over_like_files_of_a_folder() {
    let folder = Folder::new();
    let member = |name: &str| Member::deflated(name, format!("{PUZZLE}\n").as_bytes());
    folder.write("set.zip", archive(&[member("a.txt"), member("docs/README.md").encrypted(), member("b")]));
    let message = "passed over: set.zip/docs/README.md, set.zip/b; the files";
    let run = folder.run(&["solve", "set.zip"]).ends(0, &[message]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
    // Its members are opened twice, and named once.
    let run = folder.run(&["dedup", "set.zip"]).ends(0, &[message]);
    assert_eq!(run.err.matches("passed over").count(), 1, "{}", run.err);
    folder.run(&["solve", "--strict", "set.zip"]).ends(1, &[message]);
    folder.write("set.zip", archive(&[member("b")]));
    folder.run(&["solve", "set.zip"]).fails("set.zip: has no files to read");
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
