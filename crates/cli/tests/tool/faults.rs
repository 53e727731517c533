//! Faults of the system at any moment: full disks, failing system calls, signals, inputs that change, little memory.
//!
//! Whatever happens, the file of `-o` holds all of the output or its old text, and only `kill -9` leaves a temporary
//! file. The moments are conditions or system calls, and in one test random times. (A program `strace` injects the
//! faults at system calls; without it those tests say so.)
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Folder, Run, path, send};
use crate::{made, puzzles};
use galop_testing::available::{sized, skip};
use galop_testing::chance::Chance;
use galop_testing::puzzles::{PUZZLE, SLOW, SOLUTION};
use galop_testing::wait;

const OLD: &str = "old\n";

/// What a run that ended early says.
const INCOMPLETE: &str = "the output is not complete";

/// A folder with inputs for [`WRITERS`], and an old output.
fn folder() -> Folder {
    let folder =
        Folder::with(&[("in.txt", &puzzles(30)), ("out.txt", OLD), ("queens.dlx", &made("queens 8"))]);
    folder.write("one.txt", PUZZLE);
    folder.write("out.npz", OLD);
    folder
}

/// What [`folder`] has.
const NAMES: [&str; 5] = ["in.txt", "one.txt", "out.npz", "out.txt", "queens.dlx"];

/// Commands that write some kilobytes to `out.txt`.
const WRITERS: [&[&str]; 6] = [
    &["solve", "-q", "in.txt", "-o", "out.txt", "-j", "2"],
    &["generate", "-q", "-n", "60", "-s", "1", "-j", "2", "-o", "out.txt"],
    &["augment", "-q", "in.txt", "-k", "2", "-s", "1", "-o", "out.txt", "-j", "2"],
    &["make", "queens", "12", "-o", "out.txt"],
    &["make", "sudoku", "one.txt", "-o", "out.txt"],
    &["cover", "list", "-q", "queens.dlx", "-o", "out.txt", "-j", "1"],
];

/// The name of the output of a writer.
fn output<'a>(words: &[&'a str]) -> &'a str {
    words[1 + words.iter().position(|&word| word == "-o").unwrap()]
}

/// The complete output of a writer.
fn complete(words: &[&str]) -> Vec<u8> {
    let folder = folder();
    folder.run(words).ends(0, &[]);
    let bytes = folder.bytes(output(words));
    assert!(bytes.len() > 2_000, "{words:?}: {}", bytes.len());
    bytes
}

/// Runs a script of the shell, which gets the program and `words` as `"$@"`.
fn shell(folder: &Folder, script: &str, words: &[&str]) -> Run {
    Run::of(&mut folder.start("sh", &[&["-c", script, "sh", path()], words].concat()))
}

// Full disks
// ==========

/// What a run says about its progress is true, and no byte is written twice.
#[test]
fn a_run_that_goes_on_after_a_disk_that_was_too_small_says_what_is_there() {
    let folder = folder();
    folder.write("in.txt", puzzles(1200));
    let commands: [&[&str]; 3] = [
        &["solve", "-q", "in.txt", "-j", "2", "--resume"],
        &["solve", "-q", "in.txt", "-j", "2", "--resume", "--report", "r.json"],
        &["generate", "-q", "-n", "2400", "-s", "1", "-j", "2", "--resume"],
    ];
    for words in commands {
        folder.run(&[words, &["-o", "whole.txt"]].concat()).ends(0, &[]);
        let words = [words, &["-o", "new.txt"]].concat();
        let [mut begun, mut refused] = [0, 0];
        for limit in (0..20).chain([50, 101, 202, 303]) {
            let script = format!(r#"ulimit -c 0; ulimit -f {limit}; trap '' XFSZ; exec "$@""#);
            let run = shell(&folder, &script, &words).ends(2, &["cannot write: File too large"]);
            let files = ["new.txt.partial", "new.txt.progress"].map(|name| folder.path(name).exists());
            let is_promised = run.err.contains("the work so far is in new.txt.partial and new.txt.progress");
            assert_eq!(files, [is_promised; 2], "{words:?} {limit}: {}", run.err);
            (begun, refused) = (begun + usize::from(is_promised), refused + usize::from(!is_promised));
            // The next limit is met by a run that begins, or by one that goes on.
            if limit % 2 == 0 && is_promised {
                folder.run(&words).ends(0, &[]);
                assert!(folder.read("new.txt") == folder.read("whole.txt"), "{words:?} {limit}");
                fs::remove_file(folder.path("new.txt")).unwrap();
            }
        }
        assert!(begun > 5 && refused > 0, "{words:?} {begun} {refused}");
        if folder.path("new.txt.progress").exists() {
            folder.run(&words).ends(0, &[]);
            assert!(folder.read("new.txt") == folder.read("whole.txt"), "{words:?}");
            fs::remove_file(folder.path("new.txt")).unwrap();
        }
        for name in ["whole.txt", ".whole.txt.complete", ".new.txt.complete"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        // Only one of the commands has a report.
        fs::remove_file(folder.path("r.json")).unwrap_or(());
        assert_eq!(folder.names(), NAMES, "{words:?}");
    }
}

/// The shell limits files to any number of blocks of 512 bytes, and ignores the signal of the limit or does not.
#[test]
fn an_output_for_which_the_disk_is_too_small_keeps_its_old_text() {
    for words in WRITERS {
        let complete = complete(words);
        let blocks = complete.len().div_ceil(512);
        // Every limit is tried for one command, and some for the others.
        let step = if words[0] == "solve" { 1 } else { blocks.div_ceil(4) };
        for limit in (0..blocks).step_by(step) {
            for (trap, code) in [("trap '' XFSZ", 2), (":", 153)] {
                let folder = folder();
                let script = format!(r#"ulimit -c 0; ulimit -f {limit}; {trap}; exec "$@""#);
                let run = shell(&folder, &script, words);
                run.ends(code, &["out.txt: cannot write: File too large", INCOMPLETE]);
                assert_eq!(folder.read("out.txt"), OLD, "{words:?} {limit}");
                assert_eq!(folder.names(), NAMES);
            }
        }
        let folder = folder();
        shell(&folder, &format!(r#"ulimit -f {blocks}; exec "$@""#), words).ends(0, &[]);
        assert_eq!(folder.bytes("out.txt"), complete);
    }
}

/// Standard output is a file that may not grow.
#[test]
fn standard_output_on_a_disk_that_is_too_small_is_an_error() {
    let folder = folder();
    folder.write("wrong.txt", format!("{PUZZLE},111\n11{}\n", ".".repeat(79)).repeat(20));
    let commands: [&[&str]; 9] = [
        &["solve", "-q", "in.txt"],
        &["solve", "-q", "in.txt", "-f", "csv", "--no-mmap"],
        &["generate", "-n", "60", "-s", "1", "--pairs"],
        &["make", "queens", "12"],
        &["make", "sudoku", "one.txt"],
        &["cover", "list", "--ordered", "-q", "queens.dlx"],
        &["verify", "wrong.txt"],
        &["show", "in.txt"],
        &["man", "solve"],
    ];
    for words in commands {
        let complete = folder.run(words).out;
        // The times of records differ from run to run.
        let is_fixed = !words.contains(&"csv");
        for limit in [0, 1, complete.len() / 1024] {
            for (trap, code) in [("trap '' XFSZ", 2), (":", 153)] {
                let script = format!(r#"ulimit -c 0; ulimit -f {limit}; {trap}; exec "$@" > short.txt"#);
                let words_of_error = ["standard output: cannot write: File too large", INCOMPLETE];
                shell(&folder, &script, words).ends(code, &words_of_error);
                let short = folder.read("short.txt");
                assert_eq!(short.len(), limit * 512, "{words:?}");
                assert!(!is_fixed || complete.starts_with(&short), "{words:?}");
            }
        }
    }
}

/// A file that is written in place loses its old text, but the run says so.
#[test]
fn an_output_in_place_on_a_disk_that_is_too_small_is_its_beginning() {
    let complete = complete(WRITERS[0]);
    for limit in [0, 1, 3] {
        let folder = folder();
        fs::hard_link(folder.path("out.txt"), folder.path("link.txt")).unwrap();
        let script = format!(r#"ulimit -f {limit}; trap '' XFSZ; exec "$@""#);
        shell(&folder, &script, WRITERS[0]).ends(2, &["out.txt: cannot write: File too large", INCOMPLETE]);
        assert_eq!(folder.bytes("out.txt"), complete[..limit * 512]);
    }
}

/// Neither the output, nor a report that fits, nor the exit code depends on the other reports.
#[test]
fn reports_for_which_the_disk_is_too_small_cost_only_themselves() {
    for trap in ["trap '' XFSZ", ":"] {
        let folder = folder();
        folder.write("in.txt", format!("{PUZZLE}\n"));
        // A report as HTML has more than 10,240 bytes, the others have fewer.
        let script = format!(r#"ulimit -c 0; ulimit -f 20; {trap}; exec "$@""#);
        let mut words = vec!["solve", "in.txt", "-o", "out.txt"];
        let names =
            ["1.html", "2.html", "3.html", "4.html", "5.html", "6.html", "7.html", "8.html", "r.json"];
        names.iter().for_each(|name| words.extend(["--report", name]));
        let run = shell(&folder, &script, &words);
        let run =
            run.ends(2, &["8.html: the report was not written: File too large", "1 puzzle from in.txt"]);
        assert!(!run.err.contains(INCOMPLETE), "{}", run.err);
        assert_eq!(folder.read("out.txt"), format!("{PUZZLE},{SOLUTION}\n"));
        assert!(folder.read("r.json").contains("in.txt"));
        assert_eq!(folder.names(), [&NAMES[..], &["r.json"]].concat());
        folder.run(&words).ends(0, &[]);
    }
}

/// The log may not grow at all, and nothing ignores the signal of the limit. The answers go to a pipe. (`exit.rs` has a
/// log on a device that is full.)
#[test]
fn messages_for_which_the_disk_is_too_small_cost_nothing_else() {
    let folder = Folder::with(&[("in.txt", &format!("wrong\n{PUZZLE}\n").repeat(2_000))]);
    let script = r#"ulimit -c 0; ulimit -f 0; "$@" 2> log.txt; echo $?"#;
    let run = shell(&folder, script, &["solve", "in.txt"]).ends(0, &[]);
    let expected = format!("wrong,malformed\n{PUZZLE},{SOLUTION}\n").repeat(2_000) + "1\n";
    assert!(run.out == expected, "{} bytes", run.out.len());
}

// System calls that fail
// ======================

/// Whether `strace` is installed. One that does not work is a failure: a test
/// that is skipped looks like one that passes.
fn has_strace() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-qq", "-o", "/dev/null", "-e", "trace=write", "-e", "inject=write:signal=CONT", "true"]);
    match strace.stderr(Stdio::null()).status() {
        Ok(status) => {
            assert!(
                status.success(),
                "`strace` is installed and may not trace: a thousand runs would not be tested"
            );
            true
        }
        Err(_) => {
            skip("this machine has no `strace`");
            false
        }
    }
}

/// Runs a command and injects a fault of `strace` into the system calls `calls` of the main thread: into that of number
/// `when` of each name, from 1. `None` if there are fewer.
fn injected(folder: &Folder, calls: &str, fault: &str, when: usize, words: &[&str]) -> Option<Run> {
    let (run, log) = traced(folder, &[(calls, &format!("{fault}:when={when}"))], words);
    // A signal has a line of its own. After SIGKILL there is none, but `strace` ends as the program does.
    (["INJECTED", "--- SIG"].iter().any(|mark| log.contains(mark)) || run.code.is_none()).then_some(run)
}

/// Runs a command and injects faults of `strace` into system calls of the main thread. Returns what `strace` says of
/// these calls, too.
fn traced(folder: &Folder, faults: &[(&str, &str)], words: &[&str]) -> (Run, String) {
    let trace = Folder::new();
    let calls: Vec<&str> = faults.iter().map(|(calls, _)| *calls).collect();
    let mut strace = folder.start("bash", &["-c", r#"ulimit -c 0; exec strace -qq "$@""#, "bash"]);
    strace.args(["-o", &trace.word("log"), "-e", &format!("trace={}", calls.join(","))]);
    for (calls, fault) in faults.iter().filter(|(_, fault)| !fault.is_empty()) {
        strace.args(["-e", &format!("inject={calls}:{fault}")]);
    }
    // cargo sets this variable, and the loader searches each of its folders.
    let run = Run::of(strace.env_remove("LD_LIBRARY_PATH").arg(path()).args(words));
    (run, trace.read("log"))
}

/// Asserts that the output is complete if the run ended well, and else old; and that no temporary file is left.
#[track_caller]
fn whole_or_old(folder: &Folder, run: &Run, words: &[&str], complete: &[u8]) {
    let expected = if run.code == Some(0) { complete } else { OLD.as_bytes() };
    let found = folder.bytes(output(words));
    assert!(found == expected, "{run:?} {}", String::from_utf8_lossy(&found[..found.len().min(200)]));
    assert_eq!(folder.names(), NAMES, "{run:?}");
}

/// One writer of text and one of an archive, and all others where tests soak.
#[test]
fn every_write_may_fail_or_be_interrupted() {
    if !has_strace() {
        return;
    }
    let archive: &[&str] = &["solve", "-q", "in.txt", "-o", "out.npz", "-j", "2"];
    for words in [&[WRITERS[0], archive], &WRITERS[1..sized(1, WRITERS.len())]].concat() {
        let complete = complete(words);
        for (calls, fault, code) in [
            ("write", "error=ENOSPC", 2),
            ("write", "error=EINTR", 0),
            ("fsync", "error=EIO", 2),
            ("fsync", "error=EINTR", 0),
            ("rename,renameat,renameat2", "error=EIO", 2),
        ] {
            let message = format!("{}: cannot write: ", output(words));
            let mut when = 1;
            loop {
                let folder = folder();
                let Some(run) = injected(&folder, calls, fault, when, words) else { break };
                whole_or_old(&folder, &run, words, &complete);
                let messages: &[&str] = if code == 0 { &[] } else { &[&message, INCOMPLETE] };
                run.ends(code, messages);
                when += 1;
            }
            assert!(when > 1, "{words:?} {calls}");
        }
    }
}

/// Reads fail while the program is loaded, too. Then no output is begun.
#[test]
fn every_read_and_every_open_may_fail_or_be_interrupted() {
    if !has_strace() {
        return;
    }
    let words = &["solve", "-q", "in.txt", "-o", "out.txt", "-j", "2", "--no-mmap"];
    let complete = complete(words);
    for (calls, fault) in [
        ("read,pread64", "error=EIO"),
        ("read,pread64", "error=EINTR"),
        ("openat", "error=EMFILE"),
        ("clone,clone3", "error=EAGAIN"),
        ("lseek", "error=EIO"),
    ] {
        let mut failed = 0;
        for when in 1.. {
            let folder = folder();
            let Some(run) = injected(&folder, calls, fault, when, words) else { break };
            whole_or_old(&folder, &run, words, &complete);
            failed += usize::from(run.code == Some(2));
        }
        assert!(failed > 0 || fault.ends_with("EINTR"), "{calls} {fault}");
    }
}

/// Between the name of the output and the end of its progress there is no partial output to speak of.
#[test]
fn a_run_that_was_killed_at_its_end_names_no_file_that_is_not_there() {
    if !has_strace() {
        return;
    }
    let words = ["solve", "-q", "in.txt", "-o", "out.txt", "--resume", "-j", "2"];
    let folder = Folder::with(&[("in.txt", &puzzles(50))]);
    let killed = traced(&folder, &[("rename,renameat,renameat2", "signal=KILL:when=4")], &words).0;
    assert_eq!(
        (killed.code, folder.names()),
        (None, vec!["in.txt".into(), "out.txt".into(), "out.txt.progress".into()])
    );
    let many = [&words[..7], &["1000"]].concat();
    let script = r#"ulimit -v 1000000; exec "$0" "$@""#;
    let failed = Run::of(folder.start("sh", &["-c", script, path()]).args(&many))
        .ends(2, &["cannot start 1000 threads"]);
    assert!(!failed.err.contains("the work so far"), "{}", failed.err);
    folder.run(&words).ends(0, &[]);
    assert_eq!(folder.names(), [".out.txt.complete", "in.txt", "out.txt"]);
}

/// A `kill -9` before and after every call that changes a file.
#[test]
fn kill_9_at_every_system_call_leaves_the_old_file_or_the_new_one() {
    if !has_strace() {
        return;
    }
    let words = &["solve", "-q", "in.txt", "-o", "out.txt", "-j", "2"];
    let complete = complete(words);
    let folder = folder();
    let (mut olds, mut news, mut most) = (0, 0, 0);
    for calls in ["openat", "close", "fchmod", "write", "fsync", "rename,renameat,renameat2"] {
        for when in 1.. {
            folder.write("out.txt", OLD);
            if injected(&folder, calls, "signal=KILL", when, words).is_none() {
                break;
            }
            let found = folder.bytes("out.txt");
            let is_old = found == OLD.as_bytes();
            assert!(is_old || found == complete, "{calls} {when}");
            let parts: Vec<String> =
                folder.names().into_iter().filter(|name| name.ends_with(".part")).collect();
            (olds, news) = (olds + usize::from(is_old), news + usize::from(!is_old));
            most = most.max(parts.len());
        }
    }
    // What such runs left does not disturb the next one, and is not touched by it.
    let names = folder.names();
    folder.run(words).ends(0, &[]);
    assert!(folder.bytes("out.txt") == complete);
    assert_eq!(folder.names(), names);
    assert!(olds > 0 && news > 0 && most > 0, "{olds} {news} {most}");
}

// Signals
// =======

/// `kill -9` while the reports of a run that can go on are opened, and while they are written.
#[test]
fn kill_9_of_a_run_that_goes_on_leaves_no_report_half_done() {
    if !has_strace() {
        return;
    }
    let folder = folder();
    let words =
        ["solve", "-q", "in.txt", "-o", "new.txt", "--resume", "--report", "r.json", "--report", "r.md"];
    let mut parts = 0;
    for calls in ["fsync", "rename,renameat,renameat2", "unlink"] {
        for when in 1.. {
            if injected(&folder, calls, "signal=KILL", when, &words).is_none() {
                fs::remove_file(folder.path("new.txt")).unwrap();
                break;
            }
            parts += folder.names().iter().filter(|name| name.ends_with(".part")).count();
            // The run may have ended but for the end of the process.
            if !folder.path("new.txt").exists() || folder.path("new.txt.progress").exists() {
                folder.run(&words).ends(0, &[]);
            }
            let names =
                [".new.txt.complete", "in.txt", "new.txt", "one.txt", "out.npz", "out.txt", "queens.dlx"];
            assert_eq!(folder.names(), [&names[..], &["r.json", "r.md"]].concat(), "{calls} {when}");
            for name in [".new.txt.complete", "new.txt", "r.json", "r.md"] {
                fs::remove_file(folder.path(name)).unwrap();
            }
        }
    }
    assert!(parts > 0);
}

/// The moments are system calls, every second one unless tests soak: those while the inputs are opened, passed over,
/// read and answered, and while the output is finished.
#[test]
fn a_signal_at_any_system_call_of_a_run_that_goes_on_changes_nothing() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new();
    let texts = puzzles(40).lines().map(|line| format!("{line}\n")).collect::<Vec<_>>();
    let names = ["a.txt", "b.txt", "c.txt.gz", "d.txt", "e.txt.xz", "f.txt", "g.txt.zst", "h.txt"];
    for (name, text) in names.iter().zip(texts.chunks(5)) {
        folder.write("plain.txt", text.concat());
        folder.run(&["convert", "-q", "plain.txt", "-o", name]).ends(0, &[]);
    }
    let whole = &[&["solve", "-j", "1", "-o", "whole.txt"], &names[..]].concat();
    let summary = "40 puzzles from a.txt and 7 more: all solved";
    folder.run(whole).ends(0, &[summary]);
    let words = &[&["solve", "-j", "1", "-o", "out.txt", "--resume"], &names[..]].concat();
    let kept = ["out.txt.partial", "out.txt.progress"];
    // A run that has answered half of the inputs.
    let is_half = |when: &usize| {
        injected(&folder, "write", "signal=TERM", *when, words).unwrap().ends(143, &[]);
        fs::metadata(folder.path(kept[0])).is_ok_and(|partial| partial.len() > 20 * 164)
    };
    (1..100).find(is_half).unwrap();
    let half = kept.map(|name| folder.bytes(name));
    let mut ended = 0;
    for calls in ["statx", "write", "fsync"] {
        for (when, (signal, code)) in (1..).step_by(sized(2, 1)).zip(SIGNALS.into_iter().cycle()) {
            kept.iter().zip(&half).for_each(|(name, bytes)| folder.write(name, bytes));
            let fault = signal.replace('-', "signal=");
            let Some(run) = injected(&folder, calls, &fault, when, words) else { break };
            ended += usize::from(run.code == Some(code));
            if folder.path(kept[1]).exists() {
                folder.run(words).ends(0, &[summary]);
            }
            assert!(folder.read("out.txt") == folder.read("whole.txt"), "{calls} {when} {signal}");
            fs::remove_file(folder.path("out.txt")).unwrap();
            let is_left = |name: &String| name.starts_with("out") || name.ends_with(".part");
            assert_eq!(folder.names().into_iter().find(is_left), None, "{calls} {when} {signal}");
        }
    }
    assert!(ended > 5, "{ended}");
}

/// A disk that takes longer to write the last bytes than a run has after a signal.
#[test]
fn what_a_command_keeps_after_a_signal_it_keeps_on_a_slow_disk() {
    if !has_strace() {
        return;
    }
    let slow = ("fsync", "delay_enter=1200000");
    for out in ["out.txt", "out.txt.gz", "out.npy"] {
        let folder = Folder::new();
        let words = ["generate", "-n", "1000000000", "-s", "1", "-j", "1", "-o", out];
        let (run, _) = traced(&folder, &[("clone,clone3", "signal=TERM:when=1"), slow], &words);
        run.ends(143, &["stopped before the end; the output is not complete: it has "]);
        assert_eq!(folder.names(), [out]);
    }
    // The state of a count, which is read before the search and written after it.
    let folder = Folder::with(&[("long.dlx", &made("matching 30"))]);
    let words = ["cover", "-q", "long.dlx", "-j", "1", "--resume", "-o", "out.txt"];
    let limited = [&words[..], &["--max-nodes", "1"]].concat();
    let (_, log) = traced(&folder, &[("openat", "")], &limited);
    fs::remove_file(folder.path("out.txt.progress")).unwrap();
    let opened = log.lines().position(|line| line.contains("out.txt.progress")).unwrap() + 1;
    let fault = format!("signal=TERM:when={opened}");
    let (run, _) = traced(&folder, &[("openat", &fault), slow], &words);
    run.ends(143, &["stopped before the end"]);
    assert_eq!(folder.names(), ["long.dlx", "out.txt.progress"]);
}

/// Waits until the program handles signals.
fn wait_for_handlers(child: &Child) {
    wait::until("handlers of signals", || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        // SIGPROF, the one with the greatest number: signal n is bit n - 1.
        caught >> 26 & 1 == 1
    });
}

fn end(child: Child) -> Output {
    child.wait_with_output().unwrap()
}

/// A program that ends with the test, even if the test fails.
struct Running(Option<Child>);

impl Running {
    fn child(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over.
        self.0.iter_mut().for_each(|child| child.kill().unwrap_or(()));
    }
}

fn fifo(folder: &Folder, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
}

/// A command that waits in one phase of its work, and how the phase is recognised.
struct Phase {
    words: &'static [&'static str],
    is_reached: fn(&Folder, &mut Child) -> bool,
}

/// The handlers are there. What the program does next waits for ever.
const STARTED: fn(&Folder, &mut Child) -> bool = |_, child| {
    wait_for_handlers(child);
    true
};

/// A temporary file is there.
const BEGUN: fn(&Folder, &mut Child) -> bool =
    |folder, _| folder.names().iter().any(|name| name.ends_with(".part"));

/// Standard output has bytes. Nobody reads on, so the program waits.
const WRITING: fn(&Folder, &mut Child) -> bool =
    |_, child| child.stdout.as_mut().unwrap().read_exact(&mut [0; 10]).is_ok();

static PHASES: [Phase; 17] = [
    // Opening: nobody opens the other end of the pipe.
    Phase { words: &["solve", "pipe", "-o", "out.txt"], is_reached: STARTED },
    Phase { words: &["solve", "in.txt", "-o", "pipe"], is_reached: STARTED },
    Phase { words: &["solve", "in.txt", "-o", "out.txt", "--regions", "pipe"], is_reached: STARTED },
    // Reading a silent pipe.
    Phase { words: &["solve", "in.txt", "-"], is_reached: STARTED },
    Phase { words: &["verify"], is_reached: STARTED },
    Phase { words: &["show", "-"], is_reached: STARTED },
    Phase { words: &["make", "sudoku", "-", "-o", "out.txt"], is_reached: STARTED },
    Phase { words: &["compare", "--report", "r.md"], is_reached: STARTED },
    Phase { words: &["cover", "-o", "out.txt"], is_reached: BEGUN },
    // Working.
    Phase {
        words: &["solve", "slow.txt", "-e", "backtrack", "-o", "out.txt", "--report", "r.json"],
        is_reached: BEGUN,
    },
    Phase {
        words: &["compare", "in.txt", "-r", "1000000", "--per-puzzle", "out.csv", "--report", "r.html"],
        is_reached: BEGUN,
    },
    Phase { words: &["cover", "list", "-q", "long.dlx", "-o", "out.txt"], is_reached: BEGUN },
    Phase { words: &["cover", "-q", "long.dlx", "-j", "2", "-o", "out.txt"], is_reached: BEGUN },
    Phase { words: &["generate", "-n", "1000000000", "-s", "1", "-o", "out.txt"], is_reached: BEGUN },
    // Writing.
    Phase { words: &["solve", "many.txt"], is_reached: WRITING },
    Phase { words: &["verify", "wrong.txt"], is_reached: WRITING },
    Phase { words: &["show", "many.txt"], is_reached: WRITING },
];

const SIGNALS: [(&str, i32); 7] = [
    ("-TERM", 143),
    ("-INT", 130),
    ("-HUP", 129),
    ("-QUIT", 131),
    ("-USR1", 138),
    ("-USR2", 140),
    ("-ALRM", 142),
];

#[test]
fn a_signal_ends_every_phase_of_every_command() {
    let start = |(index, phase): (usize, &'static Phase)| {
        let folder = folder();
        fifo(&folder, "pipe");
        folder.write("slow.txt", format!("{SLOW}\n").repeat(1000));
        folder.write("many.txt", puzzles(100).repeat(100));
        folder.write("wrong.txt", format!("{PUZZLE},111\n").repeat(10_000));
        folder.write("long.dlx", made("matching 30"));
        let names = folder.names();
        let running = Running(Some(folder.spawn(phase.words)));
        (folder, names, running, phase, SIGNALS[index % SIGNALS.len()])
    };
    // All at the same time, because each takes half a second.
    let mut runs: Vec<_> = PHASES.iter().enumerate().map(start).collect();
    for (folder, _, running, phase, (signal, _)) in &mut runs {
        let child = running.child();
        wait::until(&phase.words.join(" "), || (phase.is_reached)(folder, child));
        send(child, signal);
    }
    for (folder, names, mut running, phase, (signal, code)) in runs {
        let mut child = running.0.take().unwrap();
        // Standard input stays open.
        let (stdin, words) = (child.stdin.take(), phase.words);
        let output = end(child);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?} {signal}: {err}");
        assert!(err.contains(&format!("stopped before the end; {INCOMPLETE}")), "{words:?}: {err}");
        // Only `generate` keeps what it has: it may be the find of a day.
        assert_eq!(folder.read("out.txt") == OLD, words[0] != "generate", "{words:?}");
        assert_eq!(folder.names(), names, "{words:?}");
        drop(stdin);
    }
}

/// The output is complete before the first report is written.
#[test]
fn a_signal_while_a_report_is_written_leaves_the_output() {
    let folder = folder();
    fifo(&folder, "pipe.json");
    let words = ["solve", "in.txt", "-o", "out.txt", "--report", "r.md", "--report", "pipe.json"];
    let names = [&folder.names()[..], &["r.md".to_owned()]].concat();
    let child = folder.spawn(&words);
    folder.wait_for("r.md");
    send(&child, "-TERM");
    assert_eq!(end(child).status.code(), Some(143));
    assert_eq!(folder.bytes("out.txt"), complete(WRITERS[0]));
    assert!(folder.read("r.md").contains("in.txt"));
    let mut found = folder.names();
    found.retain(|name| names.contains(name) || name.ends_with(".part"));
    let mut names = names;
    names.sort();
    assert_eq!(found, names);
}

/// Signals at random moments of short runs: before the handlers are there, during the work, behind its end. These
/// moments are times, because a test that waits for an event sees only the moments after that event.
#[test]
fn signals_at_random_moments_leave_the_old_file_or_the_new_one() {
    let many = puzzles(100).repeat(60);
    let words = ["solve", "-q", "in.txt", "-o", "out.txt", "--report", "r.json", "-j", "2"];
    let folder = folder();
    folder.write("in.txt", &many);
    let started = Instant::now();
    folder.run(&words).ends(0, &[]);
    let micros = started.elapsed().as_micros() as usize;
    let complete = folder.read("out.txt");
    fs::remove_file(folder.path("r.json")).unwrap();
    let names = folder.names();
    let mut chance = Chance::new(11);
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1), ("-KILL", 9)].repeat(5) {
        folder.write("out.txt", OLD);
        let child = folder.spawn(&words);
        sleep(Duration::from_micros(chance.below(micros + micros / 4) as u64));
        send(&child, signal);
        let output = end(child);
        let (status, err) = (output.status, String::from_utf8(output.stderr).unwrap());
        let is_known =
            [Some(0), Some(128 + number)].contains(&status.code()) || status.signal() == Some(number);
        assert!(is_known, "{status} {err}");
        let text = folder.read("out.txt");
        assert!(text == complete || text == OLD && !status.success(), "{status} {} bytes", text.len());
        let _ = fs::remove_file(folder.path("r.json"));
        if signal == "-KILL" {
            for name in folder.names().iter().filter(|name| name.ends_with(".part")) {
                fs::remove_file(folder.path(name)).unwrap();
            }
        }
        assert_eq!(folder.names(), names, "{status}");
    }
}

/// A program that is stopped and continued again and again answers the same.
#[test]
fn stops_and_continuations_change_nothing() {
    let folder = Folder::new();
    let mut child = folder.spawn(&["solve", "-q", "-j", "2"]);
    let mut input = child.stdin.take().unwrap();
    let (text, rounds) = (format!("{PUZZLE}\n"), 20);
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut out = String::new();
        stdout.read_to_string(&mut out).unwrap();
        out
    });
    for round in 0..rounds {
        send(&child, "-STOP");
        // In the middle of a line, too. The pipe has room for it.
        let cut = round * text.len() / rounds;
        input.write_all(&text.as_bytes()[..cut]).unwrap();
        send(&child, "-CONT");
        input.write_all(&text.as_bytes()[cut..]).unwrap();
    }
    drop(input);
    assert_eq!(end(child).status.code(), Some(0));
    assert_eq!(reader.join().unwrap(), format!("{PUZZLE},{SOLUTION}\n").repeat(rounds));
}

// Files that change
// =================

/// What happens to an input that a run has looked at.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// It is cut to this length.
    Cut(u64),
    /// This is added.
    Grow(&'static str),
    /// Its first byte is written again.
    Touch,
    /// Another file gets its name.
    Replace,
    Remove,
}

impl Change {
    fn apply(self, folder: &Folder, name: &str) {
        let path = folder.path(name);
        let open = || fs::OpenOptions::new().read(true).append(true).open(&path).unwrap();
        match self {
            Change::Cut(len) => fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(len).unwrap(),
            Change::Grow(text) => open().write_all(text.as_bytes()).unwrap(),
            Change::Touch => open().set_modified(std::time::SystemTime::now()).unwrap(),
            Change::Replace => {
                folder.write("other.txt", "1\n");
                fs::rename(folder.path("other.txt"), path).unwrap();
            }
            Change::Remove => fs::remove_file(path).unwrap(),
        }
    }
}

/// The second input changes while the program waits for the end of the first one, which is a pipe. It was looked at, and
/// is opened when its turn comes. (One that changes while it is open is tested beside the code.)
#[test]
fn an_input_that_changes_before_its_turn_is_an_error() {
    let text = puzzles(100).repeat(2);
    let len = text.len() as u64;
    let grow = "12345";
    let changes = [
        Change::Cut(0),
        Change::Cut(1),
        Change::Cut(4096),
        Change::Cut(5000),
        Change::Cut(len - 1),
        Change::Cut(len - 100),
        Change::Grow(grow),
        Change::Grow("\n# comment\n"),
        Change::Touch,
        Change::Replace,
        Change::Remove,
    ];
    let commands: [&[&str]; 5] = [
        &["solve", "-q", "-", "big.txt", "-o", "out.txt", "-j", "2"],
        &["solve", "-q", "-", "big.txt", "-o", "out.txt", "-j", "2", "--no-mmap"],
        &["verify", "-q", "-", "big.txt"],
        &["show", "-", "big.txt"],
        &["compare", "-q", "-", "big.txt", "-r", "1", "--per-puzzle", "out.csv"],
    ];
    for words in commands {
        let run = |change: Option<Change>| {
            let folder = Folder::with(&[("big.txt", &text), ("out.txt", OLD), ("out.csv", OLD)]);
            // A time long ago, because the steps of file times are coarse.
            let file = fs::OpenOptions::new().append(true).open(folder.path("big.txt")).unwrap();
            file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            let mut child = folder.spawn(words);
            // The first input is read after a look at all inputs: it is more than a pipe holds.
            let mut input = child.stdin.take().unwrap();
            input.write_all("# comment\n".repeat(20_000).as_bytes()).unwrap();
            if let Some(change) = change {
                change.apply(&folder, "big.txt");
            }
            writeln!(input, "{PUZZLE}").unwrap();
            drop(input);
            let output = end(child);
            let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            (Run { code: output.status.code(), out, err }, folder)
        };
        let (whole, _) = run(None);
        assert!(matches!(whole.code, Some(0 | 1)), "{words:?} {whole:?}");
        for change in changes {
            let (changed, folder) = run(Some(change));
            let is_left = folder.names().iter().any(|name| name.ends_with(".part"));
            assert!(!is_left, "{words:?} {change:?}: {:?}", folder.names());
            let fault = match change {
                Change::Remove => "big.txt: cannot read: No such file",
                _ => "big.txt: changed while it was being read",
            };
            assert!(changed.err.contains(fault), "{words:?} {change:?}: {}", changed.err);
            assert_eq!(changed.code, Some(2), "{words:?} {change:?}: {}", changed.err);
            assert_eq!([folder.read("out.txt"), folder.read("out.csv")], [OLD, OLD], "{words:?} {change:?}");
        }
    }
}

/// The name of the output becomes a folder, or its folder goes, while the run works.
#[test]
fn an_output_that_cannot_get_its_name_leaves_nothing() {
    let takes_name = |folder: &Folder| fs::create_dir(folder.path("sub/out.txt")).unwrap();
    let removes = |folder: &Folder| fs::remove_dir_all(folder.path("sub")).unwrap();
    let changes: [&dyn Fn(&Folder); 2] = [&takes_name, &removes];
    for change in changes {
        let folder = Folder::new();
        fs::create_dir(folder.path("sub")).unwrap();
        let child = {
            let mut child = folder.spawn(&["solve", "-o", "sub/out.txt"]);
            let mut input = child.stdin.take().unwrap();
            let begun = || fs::read_dir(folder.path("sub")).unwrap().count() == 1;
            wait::until("the beginning", begun);
            change(&folder);
            writeln!(input, "{PUZZLE}").unwrap();
            child
        };
        let output = end(child);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("sub/out.txt: cannot write: ") && err.contains(INCOMPLETE), "{err}");
        if folder.path("sub").exists() {
            assert_eq!(fs::read_dir(folder.path("sub")).unwrap().count(), 1, "the folder that took the name");
        }
    }
}

// Memory
// ======

/// The shell limits the address space. The loader, a thread, a buffer or an engine is the first that gets no memory.
#[test]
fn too_little_memory_at_any_moment_leaves_the_old_file_or_the_new_one() {
    let folder = folder();
    folder.write("in.txt", puzzles(100).repeat(100));
    let commands: [&[&str]; 4] = [
        &["solve", "-q", "in.txt", "-o", "out.txt", "-j", "2"],
        &["solve", "-q", "in.txt", "-o", "out.txt", "-j", "2", "--no-mmap", "-e", "dlx"],
        &["cover", "list", "-q", "queens.dlx", "-o", "out.txt", "-j", "1"],
        &["make", "queens", "60", "-o", "out.txt"],
    ];
    for words in commands {
        folder.run(words).ends(0, &[]);
        let complete = folder.bytes("out.txt");
        let mut has_failed = false;
        for mebibytes in (6..60).step_by(6) {
            folder.write("out.txt", OLD);
            let script = format!(r#"ulimit -c 0; ulimit -v {}; exec "$@""#, mebibytes << 10);
            let run = shell(&folder, &script, words);
            has_failed |= run.code != Some(0);
            whole_or_old(&folder, &run, words, &complete);
        }
        assert!(has_failed, "{words:?}");
    }
}

/// Two gibibytes, nearly all of them zeros that take no room on the disk.
#[test]
fn a_problem_that_does_not_fit_into_memory_is_an_error() {
    let folder = folder();
    // Text at the start, so that it is not taken for binary data.
    folder.write("large.dlx", "| a comment\n".repeat(50));
    fs::OpenOptions::new().write(true).open(folder.path("large.dlx")).unwrap().set_len(2 << 30).unwrap();
    let names = folder.names();
    let script = r#"ulimit -c 0; ulimit -v 500000; exec "$@""#;
    let run = shell(&folder, script, &["cover", "large.dlx", "-o", "out.txt"]);
    run.ends(2, &["large.dlx: cannot read: "]);
    let run = shell(
        &folder,
        r#"ulimit -c 0; ulimit -v 500000; exec "$@" < large.dlx"#,
        &["cover", "-o", "out.txt"],
    );
    run.ends(2, &["<stdin>: cannot read: "]);
    assert_eq!((folder.read("out.txt").as_str(), folder.names()), (OLD, names));
}
