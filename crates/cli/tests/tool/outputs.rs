//! Files of the user that an output or a report replaces.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use crate::made;
use crate::program::{Folder, Run, path};
use galop_testing::available::skip;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

const WARNING: &str = "is written in place, because";

fn answer() -> String {
    format!("{PUZZLE},{SOLUTION}\n")
}

/// A folder with inputs, and an output `old.txt` with old text that is longer than some answers.
fn folder() -> Folder {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n")), ("old.txt", "old\n")]);
    folder.write("queens.dlx", made("queens 8"));
    folder
}

/// Commands that write `old.txt`, and the text they write into it if that is short.
const WRITERS: [(&[&str], &str); 5] = [
    (&["solve", "in.txt", "-o", "old.txt"], ""),
    (&["cover", "-q", "queens.dlx", "-o", "old.txt"], "92\n"),
    (&["make", "queens", "4", "-o", "old.txt"], "| galop make"),
    (&["make", "sudoku", "in.txt", "-o", "old.txt"], "| rules"),
    (&["generate", "-n", "1", "-s", "1", "-o", "old.txt"], ""),
];

#[test]
fn hard_links_stay() {
    for (words, begin) in WRITERS {
        let folder = folder();
        fs::hard_link(folder.path("old.txt"), folder.path("link.txt")).unwrap();
        let is_quiet = words.contains(&"-q");
        let run = folder.run(words).ends(0, &[]);
        assert_eq!(run.err.contains(WARNING), !is_quiet, "{}", run.err);
        assert!(
            is_quiet || run.err.contains("old.txt: is written in place, because it has several hard links")
        );
        let text = folder.read("link.txt");
        assert!(text != "old\n" && text.starts_with(begin) && text == folder.read("old.txt"), "{text}");
        assert_eq!(folder.path("old.txt").metadata().unwrap().nlink(), 2);
        assert!(!folder.names().iter().any(|name| name.ends_with(".part")));
    }
}

/// The words of a command that runs the program without the rights of root, if that is possible.
fn as_nobody() -> Option<&'static [&'static str]> {
    let is_root = fs::metadata("/proc/self").map_or(true, |metadata| metadata.uid() == 0);
    if !is_root {
        return Some(&[]);
    }
    let words: &[&str] = &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let works = Command::new(words[0]).args(&words[1..]).arg("true").stderr(Stdio::null()).status();
    let works = works.is_ok_and(|status| status.success()) && {
        // The program may lie in a folder of root.
        let version = Command::new(words[0]).args(&words[1..]).args([path(), "--version"]).output();
        version.is_ok_and(|output| output.status.success())
    };
    if !works {
        skip("this machine cannot start the program as another user");
    }
    works.then_some(words)
}

/// Runs the program as an ordinary user to whom the folder is open.
fn run_as_nobody(folder: &Folder, user: &[&str], words: &[&str]) -> Run {
    let program = [user, &[path()], words].concat();
    Run::of(&mut folder.start(program[0], &program[1..]))
}

#[test]
fn a_write_protected_file_is_refused() {
    let Some(user) = as_nobody() else { return };
    let folder = folder();
    fs::set_permissions(folder.path("."), fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(folder.path("old.txt"), fs::Permissions::from_mode(0o444)).unwrap();
    for (words, _) in WRITERS {
        run_as_nobody(&folder, user, words).ends(2, &["old.txt: ", "Permission denied"]);
    }
    fs::rename(folder.path("old.txt"), folder.path("old.md")).unwrap();
    let report = &["solve", "in.txt", "-o", "out.txt", "--report", "old.md"];
    run_as_nobody(&folder, user, report).ends(2, &["old.md: ", "Permission denied"]);
    assert_eq!(folder.read("old.md"), "old\n");
    assert_eq!(folder.names(), ["in.txt", "old.md", "queens.dlx"]);
}

#[test]
fn a_writable_file_in_a_protected_folder_is_written_in_place() {
    let Some(user) = as_nobody() else { return };
    let folder = folder();
    fs::set_permissions(folder.path("old.txt"), fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(folder.path("."), fs::Permissions::from_mode(0o555)).unwrap();
    let run = run_as_nobody(&folder, user, &["solve", "in.txt", "-o", "old.txt"]);
    let new = run_as_nobody(&folder, user, &["solve", "in.txt", "-o", "new.txt"]);
    fs::set_permissions(folder.path("."), fs::Permissions::from_mode(0o755)).unwrap();
    run.ends(0, &["old.txt: is written in place, because its folder is write-protected"]);
    new.ends(2, &["new.txt: cannot write: "]);
    assert_eq!(folder.read("old.txt"), answer());
}

#[test]
fn owner_and_group_stay() {
    let folder = folder();
    let file = folder.path("old.txt");
    if std::os::unix::fs::chown(&file, Some(65534), Some(65534)).is_err() {
        return skip("only root can give a file away");
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let run = folder.run(&["solve", "in.txt", "-o", "old.txt"]).ends(0, &[]);
    assert!(!run.err.contains(WARNING), "{}", run.err);
    let metadata = file.metadata().unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), metadata.mode() & 0o7777), (65534, 65534, 0o640));
    assert_eq!(folder.read("old.txt"), answer());
}

#[test]
fn a_link_to_nothing_creates_the_file_it_names() {
    let folder = folder();
    symlink("new.txt", folder.path("link.txt")).unwrap();
    folder.run(&["solve", "in.txt", "-o", "link.txt"]).ends(0, &[]);
    assert!(folder.path("link.txt").is_symlink());
    assert_eq!(folder.read("new.txt"), answer());
}

/// Text that others wrote to the file behind standard output, before and after, stays.
#[cfg(target_os = "linux")]
#[test]
fn the_names_of_standard_output_replace_nothing() {
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let folder = folder();
        let script = r#"(echo before; "$0" solve -q in.txt -o "$1"; echo after) > both.txt"#;
        Run::of(&mut folder.start("sh", &["-c", script, path(), name])).ends(0, &[]);
        assert_eq!(folder.read("both.txt"), format!("before\n{}after\n", answer()), "{name}");
    }
    // Any other open file is cut and written, not replaced.
    let folder = folder();
    let script = r#"exec 5<> old.txt; "$0" solve -q in.txt -o /dev/fd/5; cat <&5"#;
    let run = Run::of(&mut folder.start("bash", &["-c", script, path()])).ends(0, &[]);
    assert_eq!(run.out, answer());
}

#[test]
fn the_file_on_standard_input_is_no_output() {
    let commands: [(&str, &str); 5] = [
        ("in.txt", r#"exec "$0" solve -q -o in.txt < in.txt"#),
        ("in.txt", r#"exec "$0" solve -q - -o in.txt < in.txt"#),
        ("queens.dlx", r#"exec "$0" cover -q -o queens.dlx < queens.dlx"#),
        ("in.txt", r#"exec "$0" make sudoku - -o in.txt < in.txt"#),
        ("in.txt", r#"ln in.txt in.md; exec "$0" solve -q --report in.md < in.txt"#),
    ];
    for (file, script) in commands {
        let folder = folder();
        let before = folder.read(file);
        Run::of(&mut folder.start("sh", &["-c", script, path()])).ends(2, &["choose another name"]);
        assert_eq!(folder.read(file), before);
    }
    // A device loses nothing.
    Run::of(&mut folder().start("sh", &["-c", r#"exec "$0" solve -q -o /dev/null < /dev/null"#, path()]))
        .ends(1, &["no puzzles"]);
}

/// A wrong name shows before the work, and what was solved does not depend on a report.
#[cfg(target_os = "linux")]
#[test]
fn a_failing_report_costs_only_itself() {
    let folder = folder();
    fs::create_dir(folder.path("folder.html")).unwrap();
    for report in ["no/such/r.html", "folder.html"] {
        for words in [&["solve", "in.txt", "-o", "out.txt"][..], &["compare", "in.txt", "-r", "1"]] {
            let run = folder.run(&[words, &["--report", "first.md", "--report", report]].concat());
            assert_eq!(run.out, "");
            let run = run.ends(2, &[&format!("{report}: the report was not written: ")]);
            assert!(!run.err.contains("the output is not complete"), "{}", run.err);
            assert_eq!(folder.names(), ["folder.html", "in.txt", "old.txt", "queens.dlx"]);
        }
    }
    // A device that is full fails only when the report is there.
    symlink("/dev/full", folder.path("full.md")).unwrap();
    let reports = ["--report", "full.md", "--report", "r.json"];
    let solve = [&["solve", "in.txt", "-o", "out.txt"][..], &reports].concat();
    let words = ["full.md: the report was not written: No space left on device", "1 puzzle from in.txt"];
    let run = folder.run(&solve).ends(2, &words);
    assert!(!run.err.contains("the output is not complete"), "{}", run.err);
    assert_eq!(folder.read("out.txt"), answer());
    assert!(folder.read("r.json").contains("in.txt"));
    fs::remove_file(folder.path("r.json")).unwrap();
    let compare = [&["compare", "in.txt", "-r", "1"][..], &reports].concat();
    let run = folder.run(&compare).ends(2, &words[..1]);
    assert!(run.out.contains("bitboard") && folder.read("r.json").contains("in.txt"), "{}", run.out);
}

/// A name must neither control the terminal nor add lines to a list.
#[test]
fn names_with_control_characters_are_quoted() {
    let name = "\x1b]0;title\x07\nfalse.txt";
    let shown = r"$'\x1b]0;title\x07\nfalse.txt'";
    let folder =
        Folder::with(&[(name, &format!("{PUZZLE},111\nwrong\n")), ("queens.dlx", &made("queens 8"))]);
    fs::copy(folder.path("queens.dlx"), folder.path("two\nlines.dlx")).unwrap();
    let commands: [(&[&str], i32); 8] = [
        (&["solve", name], 1),
        (&["solve", name, "--report", "r.txt"], 1),
        (&["verify", name], 1),
        (&["show", name], 1),
        (&["compare", name, "-r", "1"], 1),
        (&["solve", name, "-o", name], 2),
        (&["make", "sudoku", name, "--regions", name], 2),
        (&["cover", name], 2),
    ];
    for (words, code) in commands {
        let run = folder.run(words).ends(code, &[]);
        let both = run.out + &run.err;
        assert!(!both.contains(['\x1b', '\x07']) && both.contains(shown), "{words:?}: {both}");
    }
    let report = folder.read("r.txt");
    assert!(!report.contains('\x1b') && report.contains(shown), "{report}");
    let run = folder.run(&["cover", "-v", "queens.dlx", "two\nlines.dlx"]).ends(0, &[]);
    assert_eq!(run.out, "queens.dlx:92\n$'two\\nlines.dlx':92\n");
}

#[test]
fn names_are_no_markup_in_markdown() {
    let name = "<script>alert(1)<script>`|.txt";
    let folder = Folder::with(&[(name, &format!("{PUZZLE}\nwrong\n"))]);
    folder.run(&["solve", name, "--report", "r.md"]).ends(1, &[]);
    folder.run(&["compare", name, "-r", "1", "--report", "c.md"]).ends(1, &[]);
    for report in ["r.md", "c.md"] {
        let text = folder.read(report);
        // Outside code, the name has a backslash before each sign.
        let is_code = |line: &&str| line.contains("`galop") || line.starts_with("- ``");
        let is_escaped = |line: &str| !line.replace(r"\<script\>", "").contains("<script>");
        assert!(text.lines().filter(|line| !is_code(line)).all(is_escaped), "{text}");
        assert!(text.contains(r"\<script\>alert(1)\<script\>\`\|.txt"), "{text}");
    }
}

/// What a file is, by its bytes.
fn kind_of(bytes: &[u8]) -> &'static str {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_header = line.first().is_some_and(u8::is_ascii_alphabetic);
    match bytes {
        [0x1f, 0x8b, ..] => "gzip",
        [b'P', b'K', ..] => "npz",
        [0x93, b'N', ..] => "npy",
        [b'{', ..] => "json",
        _ if is_header && line.contains(&b',') => "csv",
        _ if is_header && line.contains(&b'\t') => "tsv",
        _ => "text",
    }
}

/// Every output of every command has the format of its ending, or is refused and leaves no file. The command ends with
/// the name of the output; after it stand the endings that are right, and what the file then is.
#[test]
fn an_ending_chooses_the_format_or_is_refused() {
    type Right = &'static [(&'static str, &'static str)];
    const ENDINGS: [&str; 12] = [
        "", ".txt", ".csv", ".tsv", ".ndjson", ".npy", ".npz", ".dlx", ".foo", ".JSON.gz", ".npz.gz", ".zip",
    ];
    const RECORDS: Right = &[
        ("", "text"),
        (".txt", "text"),
        (".csv", "csv"),
        (".tsv", "tsv"),
        (".ndjson", "json"),
        (".npy", "npy"),
        (".npz", "npz"),
        (".JSON.gz", "gzip"),
    ];
    const RATINGS: Right = &[
        ("", "csv"),
        (".txt", "text"),
        (".csv", "csv"),
        (".tsv", "tsv"),
        (".ndjson", "json"),
        (".npz", "npz"),
        (".JSON.gz", "gzip"),
    ];
    const LINES: Right = &[("", "text"), (".txt", "text")];
    const ANSWERS: Right = &[("", "text"), (".txt", "text"), (".ndjson", "json"), (".JSON.gz", "gzip")];
    let commands: [(&str, Right); 20] = [
        ("solve in.txt -o", RECORDS),
        ("convert in.txt -o", RECORDS),
        ("canon in.txt -o", RECORDS),
        ("rate in.txt -o", RATINGS),
        ("augment -s 1 in.txt -o", RECORDS),
        ("sample -n 1 -s 1 in.txt -o", RECORDS),
        ("generate -n 1 -s 1 -o", RECORDS),
        ("dedup in.txt -o", RECORDS),
        ("dedup in.txt -o a.csv --dropped", LINES),
        ("split in.txt --test 0 --seed 1 --test-output a -f json -o", &[]),
        ("split in.txt --test 1 --seed 1 -o a --test-output", LINES),
        ("split in.txt --test 1 --seed 1 -o a.csv --test-output", &[("", "csv"), (".csv", "csv")]),
        ("compare in.txt -r 1 -e lanes,grid --per-puzzle", &[("", "csv"), (".csv", "csv")]),
        ("make queens 5 -o", &[("", "text"), (".txt", "text"), (".dlx", "text")]),
        ("cover q.dlx -o", ANSWERS),
        ("cover count --resume q.dlx -o", ANSWERS),
        ("cover list q.dlx -o", ANSWERS),
        ("cover best q.dlx -o", ANSWERS),
        ("cover sample -n 1 -s 1 q.dlx -o", ANSWERS),
        ("cover diagram --nth 1 q.dlx -o", ANSWERS),
    ];
    for (command, right) in commands {
        for ending in ENDINGS {
            let folder = Folder::with(&[("in.txt", &format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{SOLUTION}\n"))]);
            folder.write("q.dlx", made("queens 5"));
            let name = format!("b{ending}");
            let words: Vec<&str> = command.split(' ').chain([&*name]).collect();
            // A format that is named counts more than the ending, but not for an archive.
            let is_named = words.contains(&"-f");
            let kind = right.iter().find(|(right, _)| *right == ending).map(|(_, kind)| *kind);
            match kind.or((is_named && ending != ".zip").then_some("json")) {
                Some(kind) => {
                    folder.run(&words).ends(0, &[]);
                    let bytes = folder.bytes(&name);
                    let is_packed = is_named && ending.ends_with(".gz");
                    assert_eq!(kind_of(&bytes), if is_packed { "gzip" } else { kind }, "{words:?}");
                }
                None => {
                    folder.run(&words).ends(2, &["galop: error: "]);
                    assert_eq!(folder.names(), ["in.txt", "q.dlx"], "{words:?}");
                }
            }
        }
    }
}

/// Two outputs appear together or not at all, and an error names the one that failed.
#[cfg(target_os = "linux")]
#[test]
fn two_outputs_are_written_or_none() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n{PUZZLE}\n")), ("old.txt", "old\n")]);
    let split = ["split", "in.txt", "--seed", "1", "--test"];
    for words in [
        &["dedup", "in.txt", "-o", "old.txt", "--dropped", "/dev/full"][..],
        &["dedup", "in.txt", "-o", "/dev/full", "--dropped", "old.txt"],
        &[&split[..], &["1", "-o", "old.txt", "--test-output", "/dev/full"]].concat(),
        &[&split[..], &["0", "-o", "/dev/full", "--test-output", "old.txt"]].concat(),
    ] {
        let run = folder.run(words).ends(2, &["/dev/full: cannot write: No space left on device"]);
        assert!(!run.err.contains("old.txt"), "{}", run.err);
        assert_eq!((folder.names().len(), &*folder.read("old.txt")), (2, "old\n"), "{words:?}");
    }
    // Both replace files.
    folder.write("list.txt", "old\n");
    folder.run(&["dedup", "in.txt", "-o", "old.txt", "--dropped", "list.txt"]).ends(0, &[]);
    assert_eq!(folder.read("old.txt"), format!("{PUZZLE}\n"));
    assert_eq!(folder.read("list.txt"), "in.txt:2: equals in.txt:1\n");
    assert_eq!(folder.names(), ["in.txt", "list.txt", "old.txt"]);
}
