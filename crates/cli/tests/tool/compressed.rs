//! Compressed inputs and outputs, zip archives and folders, as other programs write and read them.

use std::fs;
use std::io::Write;
use std::process::Command;

use crate::program::{Folder, Run, path, send};
use crate::puzzles;
use galop_testing::available::skip;
use galop_testing::npy;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells};
use galop_testing::zip::{Member, archive};

/// The ending of a compressed file, and the program that writes and reads it.
const PROGRAMS: [(&str, &str); 4] = [("gz", "gzip"), ("zst", "zstd"), ("xz", "xz"), ("bz2", "bzip2")];

/// Whether a program is installed. If not, it says so.
fn has(program: &str) -> bool {
    let has = Command::new(program).arg("--help").output().is_ok();
    if !has {
        skip(&format!("{program} is not installed"));
    }
    has
}

/// What `program` makes of `in.txt`.
fn packed(folder: &Folder, program: &str) -> Vec<u8> {
    let output = Command::new(program).arg("-c").arg(folder.path("in.txt")).output().unwrap();
    assert!(output.status.success());
    output.stdout
}

#[test]
fn what_other_programs_compress_is_read_whatever_its_name() {
    let folder = Folder::with(&[("in.txt", &puzzles(3_000))]);
    let expected = folder.run(&["solve", "-q", "in.txt"]).out;
    for (_, program) in PROGRAMS.into_iter().filter(|(_, program)| has(program)) {
        let bytes = packed(&folder, program);
        folder.write("data", &bytes);
        for words in [&["data"][..], &["data", "--no-mmap"], &["-"], &["/dev/stdin"]] {
            let run = folder.run_on(bytes.clone(), &[&["solve", "-q"], words].concat()).ends(0, &[]);
            assert!(run.out == expected, "{program} {words:?}");
        }
        // Member after member, and beside a plain file.
        folder.write("twice", bytes.repeat(2));
        assert_eq!(folder.run(&["solve", "-q", "twice"]).ends(0, &[]).out, expected.repeat(2));
        assert_eq!(folder.run(&["solve", "-q", "in.txt", "data"]).ends(0, &[]).out, expected.repeat(2));
        folder.run(&["verify", "data"]).ends(0, &["3,000 records"]);
        // The report is of the file on the disk.
        folder.run(&["solve", "data", "--report", "r.json"]).ends(0, &["3,000 puzzles from data"]);
        let input = &folder.json("r.json")["inputs"][0];
        assert_eq!((&input["mapped"], &input["records"]), (&false.into(), &3_000.into()));
        if has("sha256sum") {
            let sum = Command::new("sha256sum").arg(folder.path("data")).output().unwrap().stdout;
            let sum = String::from_utf8(sum).unwrap();
            assert_eq!(sum.split(' ').next(), input["sha256"].as_str());
        }
    }
}

#[test]
fn what_is_written_is_read_by_other_programs() {
    let folder = Folder::with(&[("in.txt", &puzzles(3_000)), ("empty.txt", "")]);
    let expected = folder.run(&["solve", "-q", "in.txt"]).out;
    for (ending, program) in PROGRAMS {
        let outputs = ["1", "2", "5"].map(|threads| {
            let name = format!("out{threads}.txt.{ending}");
            folder.run(&["solve", "-q", "in.txt", "-o", &name, "-j", threads]).ends(0, &[]);
            folder.bytes(&name)
        });
        assert!(outputs[0] == outputs[1] && outputs[0] == outputs[2], "{ending}");
        assert!(outputs[0].len() < expected.len() / 2, "{ending}");
        let none = format!("none.{ending}");
        folder.run(&["solve", "-q", "empty.txt", "-o", &none]).ends(1, &[]);
        assert_eq!(folder.run(&["solve", "-q", &none]).ends(1, &[]).out, "");
        let solved = format!("out1.txt.{ending}");
        folder.run(&["verify", &solved]).ends(0, &["3,000 right"]);
        let problem = format!("queens.{ending}");
        folder.run(&["make", "queens", "6", "-o", &problem]).ends(0, &[]);
        assert_eq!(folder.run(&["cover", "-q", &problem]).ends(0, &[]).out, "4\n");
        if has(program) {
            for name in [&none, &solved] {
                let tested = Command::new(program).arg("-t").arg(folder.path(name)).output().unwrap();
                assert!(tested.status.success(), "{program} -t {name}: {tested:?}");
            }
            let unpacked = Command::new(program).arg("-dc").arg(folder.path(&solved)).output().unwrap();
            assert!(unpacked.stdout == expected.as_bytes(), "{program}");
        }
    }
    // Standard output is never compressed.
    assert_eq!(folder.run(&["solve", "-q", "in.txt", "-o", "/dev/stdout"]).out, expected);
}

#[test]
fn damaged_data_give_the_records_before_and_an_error() {
    let folder = Folder::with(&[("in.txt", &puzzles(3_000)), ("out.txt", "old\n")]);
    let expected = folder.run(&["solve", "-q", "in.txt"]).out;
    folder.run(&["solve", "-q", "in.txt", "-o", "out.gz"]).ends(0, &[]);
    folder.run(&["generate", "-n", "3000", "-s", "1", "-o", "whole.gz"]).ends(0, &[]);
    let whole = folder.bytes("whole.gz");
    folder.write("cut.gz", &whole[..whole.len() / 2]);
    let message = format!("cut.gz: its gzip data are cut short at byte {}; the ", whole.len() / 2);
    let help = "the output is not complete; copy or download the file again";
    let run = folder.run(&["solve", "-q", "cut.gz"]).ends(2, &[&message, help]);
    assert!(run.out.len() > 1000 && run.out.ends_with('\n'));
    folder.run(&["solve", "-q", "cut.gz", "-o", "out.txt"]).ends(2, &[&message]);
    assert_eq!(folder.read("out.txt"), "old\n");

    let solved = folder.bytes("out.gz");
    folder.write("more.gz", [&solved[..], b"more"].concat());
    let message = format!("more.gz: its gzip data end at byte {}, but more bytes follow", solved.len());
    folder
        .run(&["verify", "more.gz"])
        .ends(2, &[&message, "if these bytes do not belong to it, remove them"]);
    assert_eq!(folder.run(&["solve", "-q", "more.gz"]).ends(2, &[&message]).out, expected);
}

/// As `gzip -d` does, which unpacks the data, warns, and ends with 2.
#[test]
fn bytes_behind_compressed_data_do_not_make_the_output_incomplete() {
    let line = format!("{PUZZLE}\n");
    let folder = Folder::with(&[("in.txt", line.trim_end()), ("two.txt", &line)]);
    let junk = b"\x1b[0m more";
    for (ending, _) in PROGRAMS {
        folder.run(&["convert", "-q", "in.txt", "-o", &format!("in.txt.{ending}")]).ends(0, &[]);
    }
    let members =
        [Member::stored("a.txt", line.as_bytes()), Member::deflated("b.txt", line.trim_end().as_bytes())];
    folder.write("in.zip", archive(&members));
    let arrays = [Member::stored("puzzle.npy", &npy::array("|u1", "(1, 81)", &cells(PUZZLE)))];
    folder.write("in.npz", archive(&arrays));
    for (name, count) in [
        ("in.txt.gz", 1),
        ("in.txt.zst", 1),
        ("in.txt.xz", 1),
        ("in.txt.bz2", 1),
        ("in.zip", 2),
        ("in.npz", 1),
    ] {
        let whole = folder.bytes(name);
        folder.write(name, [&whole[..], junk].concat());
        let says =
            format!("data end at byte {}, but more bytes follow, which were not read; if", whole.len());
        for words in ["solve --no-mmap", "solve", "convert", "canon", "rate"] {
            let words: Vec<&str> = words.split(' ').chain([name, "two.txt", "-q", "-o", "out.txt"]).collect();
            let run = folder.run(&words).ends(2, &["galop: warning: ", &says]);
            assert_eq!(run.err.matches("more bytes follow").count(), 1, "{words:?}: {}", run.err);
            assert_eq!(folder.read("out.txt").lines().count(), count + 1, "{words:?}");
            fs::remove_file(folder.path("out.txt")).unwrap();
        }
        // Read twice.
        let run = folder.run(&["dedup", "-q", name, "two.txt", "-o", "out.txt"]).ends(2, &[&says]);
        assert_eq!(run.err.matches("more bytes follow").count(), 1, "{name}: {}", run.err);
        assert_eq!(folder.read("out.txt"), line, "{name}");
        let shown = folder.run(&["show", name]).ends(2, &[&says]).out;
        assert_eq!(shown.matches("| 4 . . | . . . | 8 . 5 |").count(), count, "{name}: {shown}");
    }
    let piped = folder.bytes("in.txt.gz");
    assert_eq!(folder.run_on(piped.clone(), &["convert", "-q"]).ends(2, &["more bytes follow"]).out, line);
    assert_eq!(folder.run_on(piped, &["dedup", "-q"]).ends(2, &["more bytes follow"]).out, line);
}

#[test]
fn a_compressed_output_is_whole_or_not_there() {
    for (ending, _) in PROGRAMS {
        let out = format!("out.{ending}");
        let folder = Folder::with(&[(&out, "old\n"), ("in.txt", &puzzles(500).repeat(40))]);
        let script = r#"ulimit -c 0; ulimit -f 2; exec "$0" solve in.txt -o "$1""#;
        let run = Run::of(&mut folder.start("sh", &["-c", script, path(), &out]));
        assert_eq!((run.code, folder.read(&out)), (Some(153), "old\n".to_owned()), "{}", run.err);
        assert_eq!(folder.names(), ["in.txt", &out]);

        let mut child = folder.spawn(&["solve", "-o", &out]);
        let mut input = child.stdin.take().unwrap();
        folder.wait_for_part();
        input.write_all(puzzles(100).repeat(50).as_bytes()).unwrap();
        send(&child, "-INT");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!((folder.read(&out), folder.names().len()), ("old\n".to_owned(), 2));
    }
    #[cfg(target_os = "linux")]
    {
        let folder = Folder::with(&[("in.txt", PUZZLE)]);
        std::os::unix::fs::symlink("/dev/full", folder.path("full.gz")).unwrap();
        folder.run(&["solve", "in.txt", "-o", "full.gz"]).ends(2, &["full.gz: cannot write: No space left"]);
    }
}

#[test]
fn the_members_of_an_archive_are_sources() {
    let line = format!("{PUZZLE}\n");
    let folder = Folder::new();
    let table = format!("id,puzzle\n1,{PUZZLE}\n");
    let members = [
        Member::stored("train/", b""),
        Member::deflated("train/a.txt", line.repeat(500).as_bytes()),
        Member::stored("__MACOSX/train/._a.txt", b"\0\x05\x16\x07"),
        Member::stored(".DS_Store", b"\0\0\0\x01Bud1"),
        Member::deflated("b.csv", table.as_bytes()),
        Member::stored("../c.txt", format!("{line}wrong\n").as_bytes()),
    ];
    folder.write("data", archive(&members));
    let run = folder.run(&["solve", "data", "--report", "r.json"]);
    let run =
        run.ends(1, &["502 puzzles from data/train/a.txt and 2 more", "data/../c.txt:2:1: unexpected `w`"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n").repeat(502) + "wrong,malformed\n");
    let report = folder.json("r.json");
    let sums: Vec<&str> = (0..3).map(|input| report["inputs"][input]["sha256"].as_str().unwrap()).collect();
    assert!(sums[0].len() == 64 && sums[0] == sums[1] && sums[0] == sums[2]);
    folder.run(&["verify", "data"]).ends(1, &["503 records"]);

    // From a pipe, and what cannot be read.
    let bytes = archive(&members);
    let save = "is a zip archive, not text; an archive is read from its end: save it as a file, then run galop solve FILE";
    folder.run_on(bytes.clone(), &["solve"]).fails(&format!("<stdin>: {save}"));
    folder.write("cut.zip", &bytes[..bytes.len() - 10]);
    folder.run(&["solve", "cut.zip"]).fails("cut.zip: is a zip archive without a complete directory");
    let cases: [(&str, &[Member], &str); 5] = [
        ("none.zip", &[], "none.zip: has no files to read"),
        ("mac.zip", &members[2..4], "mac.zip: has no files to read"),
        (
            "secret.zip",
            &[Member::stored("a.txt", b"x").encrypted()],
            "secret.zip: its member `a.txt` is encrypted",
        ),
        (
            "new.zip",
            &[Member::stored("a.txt", b"x").method(98)],
            "is compressed by method 98, which galop cannot unpack",
        ),
        (
            "book.xlsx",
            &[Member::stored("xl/workbook.xml", b"x")],
            "book.xlsx: is an Excel workbook, not text",
        ),
    ];
    for (name, members, message) in cases {
        folder.write(name, archive(members));
        folder.run(&["solve", name]).fails(message);
    }
    folder.write("sum.zip", archive(&[Member::deflated("a.txt", line.as_bytes()).wrong_sum()]));
    let run = folder.run(&["solve", "-q", "sum.zip"]);
    let run =
        run.ends(2, &["sum.zip/a.txt: its zip data are damaged at byte", "the checksum does not match"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
    // A member may be compressed itself, or no text.
    folder.write("in.txt", &line);
    folder.run(&["solve", "-q", "in.txt", "-o", "in.gz"]).ends(0, &[]);
    let inner = folder.bytes("in.gz");
    folder.write("deep.zip", archive(&[Member::stored("in.txt.gz", &inner)]));
    folder.run(&["verify", "deep.zip"]).ends(0, &["1 right"]);
    folder.write("zip.zip", archive(&[Member::stored("a.zip", &archive(&members))]));
    folder
        .run(&["solve", "zip.zip"])
        .fails("zip.zip/a.zip: is a zip archive, not text; unpack the outer file first");
}

#[test]
fn archives_of_another_program_are_read() {
    let folder = Folder::with(&[("a.txt", &puzzles(100)), ("b.txt", &puzzles(50))]);
    if !has("zip") {
        return;
    }
    let zip = |words: &[&str]| {
        Run::of(&mut folder.start("zip", &[&["-q"], words].concat())).ends(0, &[]);
    };
    zip(&["one.zip", "b.txt", "a.txt"]);
    // With a comment, without compression; with zip64; with sizes behind the data, as from a pipe. (With both, zip 3.0
    // writes an archive that refers to an end of zip64 which it lacks.)
    zip(&["-0", "two.zip", "b.txt", "a.txt"]);
    Run::on("PK\x05\x06 a comment\n", &mut folder.start("zip", &["-q", "-z", "two.zip"])).ends(0, &[]);
    let expected = folder.run(&["solve", "-q", "b.txt", "a.txt"]).ends(0, &[]).out;
    zip(&["-fz", "three.zip", "b.txt", "a.txt"]);
    zip(&["-fd", "four.zip", "b.txt", "a.txt"]);
    for name in ["one.zip", "two.zip", "three.zip", "four.zip"] {
        assert!(folder.run(&["solve", "-q", name]).ends(0, &[]).out == expected, "{name}");
    }
}

#[test]
fn the_files_of_a_folder_are_read_in_the_order_of_their_names() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("set/inner")).unwrap();
    for (index, name) in ["b.txt", "B.txt", "a10.txt", "a2.txt", ".hidden", "inner/c.txt"].iter().enumerate()
    {
        folder.write(&format!("set/{name}"), format!("{}{}\n", index + 1, ".".repeat(80)));
    }
    let firsts = |words: &[&str]| -> String {
        let out = folder.run(&[&["solve", "-q"], words].concat()).ends(0, &[]).out;
        out.lines().map(|line| line.as_bytes()[0] as char).collect()
    };
    assert_eq!(firsts(&["set"]), "2341");
    assert_eq!(firsts(&["set/b.txt", "set/inner", "set/a2.txt"]), "164");
    folder.run(&["solve", "set", "-o", "set/b.txt"]).fails("set/b.txt: is also read or written by this run");
    folder.run(&["solve", "set", "--report", "set/a2.txt"]).fails("a report must not overwrite set/a2.txt");
    folder.run(&["verify", "set"]).ends(0, &["4 records"]);
    folder.run(&["solve", "nothing-*.txt"]).fails("the shell found no file that matches this pattern");
}
