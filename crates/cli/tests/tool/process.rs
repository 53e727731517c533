//! What is true of a whole process: its memory, signals, closed pipes, and files that change under it.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Folder, Run, path, send};
use crate::{made, puzzles};
use galop_testing::available::sized;
use galop_testing::puzzles::{PUZZLE, SLOW, SOLUTION};
use galop_testing::zip::{Member, archive};

/// Waits for the end of a program: its exit code and what it wrote on standard error.
fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Sends a signal to a working program and waits for its end.
fn signalled(child: Child, signal: &str) -> (Option<i32>, String) {
    let sent = Instant::now();
    send(&child, signal);
    let ended = end(child);
    // The program promises a second; the machine may be busy.
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    ended
}

#[test]
fn a_closed_pipe_ends_a_run_quietly() {
    let folder = Folder::with(&[("long.dlx", &made("matching 30"))]);
    folder.write("in.txt", puzzles(100).repeat(100));
    folder.write("wrong.txt", format!("{PUZZLE},111\n").repeat(10_000));
    folder.write("twice.txt", format!("11{}\n", ".".repeat(79)).repeat(10_000));
    let commands: [&[&str]; 10] = [
        &["solve", "in.txt"],
        &["solve", "in.txt", "-f", "csv", "-j", "1"],
        &["generate", "-n", "100000", "-s", "1", "--clues", "40"],
        &["show", "in.txt"],
        // The code must not be that of a verdict on all records.
        &["verify", "wrong.txt"],
        &["verify", "twice.txt"],
        &["solve", "--strict", "twice.txt"],
        &["make", "queens", "1000"],
        &["make", "dominoes", "300x300"],
        &["cover", "list", "-q", "long.dlx"],
    ];
    for words in commands {
        let mut child = folder.spawn(words);
        drop(child.stdin.take());
        let mut start = [0; 100];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        assert!(words[0] != "make" || start.starts_with(b"| galop make"));
        assert_eq!(end(child), (Some(141), String::new()), "{words:?}");
    }
}

const SIGNALS: [(&str, i32); 10] = [
    ("-INT", 130),
    ("-TERM", 143),
    ("-HUP", 129),
    ("-QUIT", 131),
    ("-XCPU", 152),
    ("-VTALRM", 154),
    ("-PROF", 155),
    ("-USR1", 138),
    ("-USR2", 140),
    ("-ALRM", 142),
];

#[test]
fn a_signal_ends_a_run_and_leaves_nothing_half_done() {
    for (signal, code) in SIGNALS {
        // In reading order each puzzle takes seconds.
        let folder = Folder::with(&[("in.txt", &format!("{SLOW}\n").repeat(1000)), ("out.txt", "old\n")]);
        let child = folder.spawn(&["solve", "-e", "backtrack", "in.txt", "-o", "out.txt", "-j", "2"]);
        folder.wait_for_part();
        let (ended, err) = signalled(child, signal);
        assert_eq!(ended, Some(code), "{err}");
        assert!(err.contains("stopped before the end; the output is not complete"), "{err}");
        assert_eq!(folder.read("out.txt"), "old\n");
        assert_eq!(folder.names(), ["in.txt", "out.txt"]);
    }
}

#[test]
fn a_signal_ends_generation() {
    let folder = Folder::new();
    let child = folder.spawn(&["generate", "-n", "1000000000", "-s", "1", "-o", "out.txt"]);
    folder.wait_for_part_of(1);
    let (code, err) = signalled(child, "-TERM");
    assert_eq!(code, Some(143), "{err}");
    // What was made is kept, in whole lines.
    assert_eq!(folder.names(), ["out.txt"]);
    let made = folder.read("out.txt");
    assert!(!made.is_empty() && made.lines().all(|line| line.len() == 81) && made.ends_with('\n'));
    let count = galop_batch::figures::group_digits(made.lines().count() as u64);
    assert!(err.contains(&format!("it has {count} of 1,000,000,000 puzzles")), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_mapped_file_cut_short_is_an_error_of_one_line() {
    let folder = Folder::with(&[("in.txt", &puzzles(200).repeat(500)), ("out.txt", "old\n")]);
    let child = folder.spawn(&["solve", "-e", "backtrack", "in.txt", "-o", "out.txt", "-j", "1", "-q"]);
    folder.wait_for_part_of(1);
    fs::OpenOptions::new().write(true).open(folder.path("in.txt")).unwrap().set_len(0).unwrap();
    let (ended, err) = end(child);
    assert_eq!(ended, Some(2), "no signal, no core: {err}");
    assert!(err.contains("cut short while it was being read"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert_eq!(folder.read("out.txt"), "old\n");
    assert_eq!(folder.names(), ["in.txt", "out.txt"]);
}

/// Bytes: the most memory that a running process has held so far.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_line_is_one_malformed_record_and_is_not_held_in_memory() {
    let folder = Folder::new();
    let mut child = folder.spawn(&["solve", "-j", "2", "--report", "r.json"]);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"\n").unwrap();
    let block = vec![b'1'; 1 << 20];
    let mebibytes = sized(128, 1024);
    (0..mebibytes).for_each(|_| input.write_all(&block).unwrap());
    input.write_all(format!("\n{PUZZLE}\n").as_bytes()).unwrap();
    // The program has read everything except the 64 KiB that the pipe holds.
    let peak = peak_memory(&child);
    drop(input);
    let output = child.wait_with_output().unwrap();
    // 16 MiB of the line are held, several times while its format is sought.
    assert!(peak < 128 << 20, "{peak} bytes");
    let expected = format!("{}...,malformed\n{PUZZLE},{SOLUTION}\n", "1".repeat(256));
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(1), expected));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("<stdin>:2:65537: a line of more than 65536 bytes"), "{err}");
    let report: serde_json::Value = folder.json("r.json");
    assert_eq!(report["inputs"][0]["bytes"], (mebibytes << 20) + 1 + 1 + 82);
}

/// One digit, 128 MiB of it (a gibibyte where tests soak) in a thousandth of that as gzip, followed by a puzzle.
#[cfg(target_os = "linux")]
#[test]
fn a_bomb_is_one_malformed_record_and_is_not_held_in_memory() {
    let member = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let mut child = Folder::new().spawn(&["solve", "-q", "-j", "2"]);
    let mut input = child.stdin.take().unwrap();
    let block = member(&vec![b'1'; 8 << 20]);
    (0..sized(16, 128)).for_each(|_| input.write_all(&block).unwrap());
    // The program has read everything except the 64 KiB that the pipe holds.
    let peak = peak_memory(&child);
    input.write_all(&member(format!("\n{PUZZLE}\n").as_bytes())).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(peak < 64 << 20, "{peak} bytes");
    let expected = format!("{}...,malformed\n{PUZZLE},{SOLUTION}\n", "1".repeat(256));
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(1), expected));
}

/// The sources of a run are open one after the other: of each that was read only its name is kept.
#[cfg(target_os = "linux")]
#[test]
fn the_members_of_an_archive_do_not_add_up_in_memory() {
    let folder = Folder::new();
    let line = format!("{PUZZLE}\n");
    let names: Vec<String> = (0..1_500).map(|number| format!("{number}.txt")).collect();
    let members: Vec<_> = names.iter().map(|name| Member::stored(name, line.as_bytes())).collect();
    folder.write("many.zip", archive(&members));
    let mut child = folder.spawn(&["convert", "-q", "-j", "2", "many.zip", "-", "-o", "out.txt"]);
    let mut input = child.stdin.take().unwrap();
    // The program has read the archive, and everything except the 64 KiB that the pipe holds.
    (0..1_500).for_each(|_| input.write_all(line.as_bytes()).unwrap());
    let peak = peak_memory(&child);
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(peak < 48 << 20, "{peak} bytes");
    assert_eq!(folder.read("out.txt").lines().count(), 3_000);
}

/// The alphabet of all files shows only in the last one.
#[cfg(target_os = "linux")]
#[test]
fn a_run_has_more_inputs_than_it_may_have_open_files() {
    let folder = Folder::new();
    let write = |inputs: &str, line: &str, last: &str| {
        fs::create_dir(folder.path(inputs)).unwrap();
        for number in 0..20 {
            let name = |ending| format!("{inputs}/{number}{ending}");
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(line.as_bytes()).unwrap();
            folder.write(&name(".txt"), line);
            folder.write(&name(".txt.gz"), encoder.finish().unwrap());
            folder.write(&name(".zip"), archive(&[Member::stored("a.txt", line.as_bytes())]));
        }
        folder.write(&format!("{inputs}/z.txt"), last);
    };
    write("usual", &format!("{PUZZLE}\n"), &format!("{SOLUTION}\n"));
    let [hex, last] = ["1F", "0"].map(|start| format!("{start:.<256}\n"));
    write("hex", &hex, &last);
    for (words, lines) in [
        ("solve --max-guesses 0 hex", 61),
        // The puzzles of the last file have another size, so that it has none.
        ("convert hex usual/0.txt", 61),
        ("dedup usual", 2),
        ("verify usual", 0),
        ("convert usual --no-mmap", 61),
    ] {
        let script = format!(r#"ulimit -n 40; exec "$0" {words} -q -j 2"#);
        let run = Run::of(&mut folder.start("sh", &["-c", &script, path()]));
        assert!(!run.err.contains("open files"), "{words}: {}", run.err);
        assert_eq!(run.out.lines().count(), lines, "{words}: {}", run.err);
    }
}

/// To open a named pipe only to compare it with an input would wait for ever.
#[test]
fn a_named_pipe_as_output_gets_the_answers_of_a_named_input() {
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    folder.write("two.dlx", made("queens 8"));
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let commands: [(&[&str], String); 2] = [
        (&["solve", "-q", "in.txt", "-o", "pipe"], format!("{PUZZLE},{SOLUTION}\n")),
        (&["cover", "-q", "two.dlx", "-o", "pipe"], "92\n".to_owned()),
    ];
    for (words, expected) in commands {
        let path = folder.path("pipe");
        let reader = std::thread::spawn(move || fs::read_to_string(path).unwrap());
        folder.run(words).ends(0, &[]);
        assert_eq!(reader.join().unwrap(), expected);
    }
}

/// An endless map of regions would fill the memory. (The shell limits it, so that a fault here ends this program only.)
#[cfg(target_os = "linux")]
#[test]
fn a_map_of_regions_is_read_up_to_a_limit() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    folder.write("long.txt", "1".repeat((64 << 10) + 1));
    for map in ["/dev/zero", "long.txt"] {
        let script = r#"ulimit -v 4000000; exec "$0" solve in.txt --regions "$1""#;
        let mut shell = folder.start("sh", &["-c", script, path(), map]);
        Run::of(&mut shell).ends(2, &[map, "has more than 65536 bytes, so it is not a map of regions"]);
    }
}

/// Every command that has -j refuses a number that the machine could start only slowly or not at all.
#[test]
fn too_many_threads_are_refused_with_the_reason() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    let generate = &["generate", "-n", "1", "-s", "1", "-o", "out.txt"][..];
    for words in [&["solve", "in.txt", "-o", "out.txt"][..], &["verify"], &["compare"], &["cover"], generate]
    {
        let words = [words, &["-j", "1025"]].concat();
        folder.run(&words).fails("more than 1024 threads only take memory and time to start");
    }
    assert_eq!(folder.names(), ["in.txt"]);
}

/// The shell limits the address space, so that the stacks of the threads have no room.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_an_error_and_leave_no_file() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    let script = r#"ulimit -v "$1"; exec "$0" solve in.txt -o out.txt -j 1000"#;
    let mut shell = folder.start("sh", &["-c", script, path(), "1000000"]);
    Run::of(&mut shell).ends(2, &["cannot start 1000 threads: the system has no 2000 MiB"]);
    assert_eq!(folder.names(), ["in.txt"]);
}

/// The environment must not make the stacks of threads too small for the engines.
#[test]
fn the_stacks_of_threads_do_not_depend_on_the_environment() {
    let folder = Folder::with(&[("in.txt", &puzzles(200))]);
    for engine in ["lanes", "dlx", "backtrack"] {
        let mut command = folder.command(&["solve", "-q", "in.txt", "-e", engine, "-j", "2"]);
        assert_eq!(Run::of(command.env("RUST_MIN_STACK", "1000")).ends(0, &[]).out.lines().count(), 200);
    }
}

/// A run under `nohup` survives the end of its terminal, and a job in the background of a script an interrupt.
#[test]
fn signals_that_are_ignored_at_the_start_stay_ignored() {
    let folder = Folder::new();
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        r#"trap "" INT TERM HUP QUIT USR1 USR2 ALRM XCPU VTALRM PROF; exec "$0" solve -q -o out.txt"#,
        path(),
    ]);
    let mut child = shell.current_dir(folder.path("")).stdin(Stdio::piped()).spawn().unwrap();
    folder.wait_for_part();
    for (signal, _) in SIGNALS {
        send(&child, signal);
    }
    writeln!(child.stdin.take().unwrap(), "{PUZZLE}").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(folder.read("out.txt"), format!("{PUZZLE},{SOLUTION}\n"));
}

/// An abort cannot be survived, but the temporary file goes.
#[test]
fn an_abort_leaves_no_temporary_file() {
    let folder = Folder::new();
    let mut child = folder.spawn(&["solve", "-o", "out.txt"]);
    let input = child.stdin.take();
    folder.wait_for_part();
    assert_eq!(signalled(child, "-ABRT").0, None);
    assert_eq!(folder.names(), [""; 0]);
    drop(input);
}

/// The shell limits the address space, so that not even the thread that waits for signals starts.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_at_the_start_is_an_error() {
    let folder = Folder::new();
    for kibibytes in (6_000..30_000).step_by(2_000) {
        let script = r#"ulimit -c 0; ulimit -v "$1"; exec "$0" solve -q -j 2"#;
        let mut shell = folder.start("sh", &["-c", script, path(), &kibibytes.to_string()]);
        let err = Run::of(&mut shell).err;
        assert!(!err.contains("panicked"), "{kibibytes}: {err}");
    }
}

/// The message must not accuse a file.
#[cfg(target_os = "linux")]
#[test]
fn a_bus_error_that_was_sent_is_named_as_such() {
    let folder = Folder::new();
    let mut child = folder.spawn(&["solve", "-o", "out.txt"]);
    let input = child.stdin.take();
    folder.wait_for_part();
    let (code, err) = signalled(child, "-BUS");
    assert_eq!(
        (code, err.as_str()),
        (Some(135), "galop: error: another process sent SIGBUS; the output is not complete\n")
    );
    assert_eq!(folder.names(), [""; 0]);
    drop(input);
}

/// A search that takes minutes says so at its start.
#[test]
fn a_search_for_few_clues_says_what_it_does() {
    let words = ["generate", "-n", "1", "-s", "1", "-j", "1", "--clues"];
    let mut child = Folder::new().spawn(&[&words[..], &["17..17"]].concat());
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(
        line.contains("sudokus with fewer than 19 clues are rare: to find one with 17 may take minutes"),
        "{line}"
    );
    signalled(child, "-TERM");
    // Other kinds and numbers are found soon.
    for words in [&[&words[..], &["24"]].concat()[..], &[&words[..], &["18", "--kind", "windoku"]].concat()] {
        assert_eq!(Folder::new().run(words).ends(0, &[]).err, "");
    }
}
