//! Tables and files that are no tables, as every command reads them.

use crate::common::program::Folder;
use crate::common::puzzles::{PUZZLE, SOLUTION};

/// The commands that read all records of a file.
const COMMANDS: [&[&str]; 5] =
    [&["solve"], &["verify"], &["check"], &["show"], &["compare", "--engines", "dlx"]];

#[test]
fn all_commands_read_the_same_rows() {
    let rows = [
        format!("#1,{PUZZLE},{SOLUTION},short"),
        format!("2,{PUZZLE},{SOLUTION},\"not closed,x"),
        format!("3,{PUZZLE},{SOLUTION},a,b,too many"),
        format!("4,{PUZZLE},{SOLUTION}"),
    ];
    let table = format!("# comment\nid,puzzle,solution,note,more\n{}\n", rows.join("\n"));
    let folder = Folder::with(&[("t.csv", &table)]);
    let [open, many] = [":4:167: a quote is not closed on its line", ":5:171: 6 fields (the header has 5)"]
        .map(|complaint| format!("t.csv{complaint}"));
    let solved = folder.run(&["solve", "t.csv", "-f", "csv", "--no-times"]).ends(1, &[&open, &many]);
    let lines: Vec<&str> = solved.out.lines().collect();
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[1], format!("{},,{SOLUTION},solved,1,0,", rows[0]));
    assert_eq!(lines[4], format!("{},,,{SOLUTION},solved,1,0,", rows[3]));
    for (command, summary) in
        [("verify", "4 records in "), ("check", "2 possible, 0 impossible, 2 malformed")]
    {
        let run = folder.run(&[command, "t.csv"]).ends(1, &[summary]);
        assert!(
            run.out.contains(&open) && run.out.contains(&many) && run.out.lines().count() == 2,
            "{run:?}"
        );
    }
    let shown = folder.run(&["show", "t.csv"]).ends(1, &[&open, &many]);
    assert_eq!(shown.out.matches("| 4 1 7 |").count(), 2, "the solutions are shown too: {}", shown.out);
    assert!(folder.run(&["export", "t.csv"]).ends(0, &[]).out.contains(PUZZLE));
    // The output can be read and verified again.
    let again = folder.run_on(solved.out, &["verify", "-"]).ends(0, &["2 right, 0 faulty, 2 without"]);
    assert_eq!(again.out, "");
    // A header that cannot be read ends every command.
    for (header, message) in
        [("puzzle,\"a", ":1:8: the header of the table"), ("puzzle,puzzle", ":1: the header names")]
    {
        folder.write("h.csv", format!("{header}\n{PUZZLE},1\n"));
        for words in COMMANDS.into_iter().chain([&["export"][..]]) {
            folder.run(&[words, &["h.csv"]].concat()).fails(&format!("h.csv{message}"));
        }
    }
}

#[test]
fn files_that_are_no_text_are_named_with_what_helps() {
    let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
    let kinds: [(&str, &[u8], &str, &str); 10] = [
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "is a 7-Zip archive, not text", "7z x -so a.7z"),
        ("a.tar", &tar, "is a tar archive, not text", "tar -xOf a.tar"),
        ("a.h5", b"\x89HDF\r\n\x1a\n\0", "is an HDF5 file, not text", "write it as CSV first"),
        ("a.pkl", b"\x80\x04\x95\x05", "is a pickle of Python, not text", "load it in Python"),
        ("a b.lz4", b"\x04\x22\x4d\x18\x64", "is lz4-compressed, not text", "lz4 -dc 'a b.lz4'"),
        ("a.lzma", b"\x5d\0\0\x80\0", "is lzma-compressed, not text", "xz --format=lzma -dc a.lzma"),
        ("a.parquet", b"PAR1\x15\x04", "is a Parquet file, not text", "write it as CSV first"),
        ("a.db", b"SQLite format 3\0\x10", "is an SQLite database, not text", "sqlite3 -csv -header a.db"),
        ("a.txt", b"\xff\xfe4\0.\0", "is text in UTF-16, not in UTF-8", "iconv -f UTF-16 -t UTF-8 < a.txt"),
        ("b.txt", b"\xfe\xff\x004\0.", "is text in UTF-16, not in UTF-8", "iconv -f UTF-16 -t UTF-8 < b.txt"),
    ];
    let folder = Folder::new();
    for (name, bytes, message, remedy) in kinds {
        folder.write(name, bytes);
        for words in COMMANDS.into_iter().chain([&["export"][..]]) {
            let run =
                folder.run(&[words, &[name]].concat()).ends(2, &[&format!("{name}: {message}; "), remedy]);
            let galop = format!("| galop {} -", words[0]);
            let has_program = !["a.parquet", "a.h5", "a.pkl"].contains(&name);
            assert!(run.err.contains(&galop) || !has_program, "{}", run.err);
            // In a pipe, with the rules known and unknown.
            for kind in [&["-"][..], &["-", "--alphabet", "1-9"]] {
                let kind = if words[0] == "compare" { &kind[..1] } else { kind };
                let run = folder
                    .run_on(bytes, &[words, kind].concat())
                    .ends(2, &[&format!("<stdin>: {message}; ")]);
                assert_eq!(run.out, "");
                assert!(!run.err.contains("< <stdin>") && !run.err.contains(" <stdin> "), "{}", run.err);
            }
        }
        #[cfg(target_os = "linux")]
        folder
            .run_on(bytes, &["solve", "/dev/stdin", "-o", "out.txt"])
            .fails(&format!("/dev/stdin: {message}"));
    }
    assert_eq!(folder.names().len(), kinds.len(), "no output was begun");
}

#[test]
fn lines_that_end_in_carriage_returns_are_an_error() {
    let grid: String = PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\r").collect();
    let folder = Folder::new();
    for text in [
        format!("{PUZZLE}\r{PUZZLE}\r"),
        format!("{PUZZLE}\r{PUZZLE}"),
        format!("# comment\r{PUZZLE}\r"),
        format!("# comment\n{PUZZLE}\r\r{PUZZLE}\r"),
        format!("id,puzzle,\"note\"\r1,{PUZZLE},x\r"),
        format!("{}\r", "1G".to_owned() + &".".repeat(254)).repeat(3),
        grid,
        format!("{PUZZLE}\r").repeat(3000),
    ] {
        folder.write("mac.txt", &text);
        let message = "mac.txt: its lines end in carriage returns, not in line feeds; convert it: tr '\\r' '\\n' < mac.txt";
        for words in COMMANDS.into_iter().chain([&["solve", "--no-mmap"][..]]) {
            let run = folder.run(&[words, &["mac.txt"]].concat()).ends(2, &[message]);
            assert!(
                run.out.is_empty() && run.err.contains(&format!(" | galop {} -", words[0])),
                "{}",
                run.err
            );
        }
    }
    // Not so if there is one line, or if lines end otherwise.
    for text in [format!("{PUZZLE}\r"), format!("{PUZZLE}\r\n{PUZZLE}\r")] {
        folder.run_on(text, &["solve"]).ends(0, &[]);
    }
    folder.run_on(format!("{PUZZLE}\r{PUZZLE}\n"), &["solve"]).ends(1, &["163 cells"]);
}
