//! The command line as its users meet it: output, exit codes, signals, and files that are whole or not there.
//!
//! Exit code 3 (a solution failed the independent check, or two engines contradict each other) cannot be provoked
//! from here: see tests/road.rs and tests/crosscheck.rs.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
const GALOP: &str = env!("CARGO_BIN_EXE_galop");

/// A puzzle with very many solutions.
fn open_puzzle() -> String {
    format!("{}{}", ".".repeat(30), &SOLUTION[30..])
}

/// A puzzle without solution.
fn none() -> String {
    format!("11{}", ".".repeat(79))
}

/// A folder of its own for every test, and the program run in it.
struct Place(TempDir);

#[derive(Debug)]
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Place {
        Place(TempDir::new().unwrap())
    }

    fn with(files: &[(&str, &str)]) -> Place {
        let place = Place::new();
        files.iter().for_each(|(name, text)| place.write(name, text));
        place
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// The names in the folder, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(GALOP);
        command.current_dir(self.0.path()).args(words).timeout(Duration::from_secs(120));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, words: &[&str]) -> Run {
        self.run_on("", words)
    }

    fn run_on(&self, input: impl Into<Vec<u8>>, words: &[&str]) -> Run {
        outcome(self.command(words).write_stdin(input))
    }

    #[cfg(unix)]
    fn spawn(&self, words: &[&str]) -> std::process::Child {
        let mut process = Process::new(GALOP);
        process.current_dir(self.0.path()).args(words);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process.spawn().unwrap()
    }

    /// Waits for the temporary file: then the inputs are open and signals are heard.
    #[cfg(unix)]
    fn wait_for_part(&self) {
        let is_there = || self.names().iter().any(|name| name.ends_with(".part"));
        for _ in 0..3000 {
            if is_there() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no temporary file: {:?}", self.names());
    }
}

fn outcome(command: &mut Command) -> Run {
    let output = command.output().unwrap();
    Run {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// Asserts the exit code, and that stderr holds every one of `words`.
    #[track_caller]
    fn ends(self, code: i32, words: &[&str]) -> Run {
        assert_eq!(self.code, Some(code), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "{word:?} is not in\n{}", self.err);
        }
        self
    }
}

/// `count` generated puzzles, a line each.
fn generated(count: usize) -> String {
    let run = Place::new().run(&["generate", "-n", &count.to_string(), "-s", "7", "--clues", "26..30"]);
    assert_eq!(run.out.lines().count(), count);
    run.out
}

#[test]
fn solved_puzzles_end_with_0() {
    let place = Place::with(&[("in.txt", &format!("{PUZZLE}\n"))]);
    let run = place.run(&["solve", "in.txt"]).ends(0, &["1 puzzle from in.txt"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
    let run = place.run(&["solve", "-q", "in.txt"]).ends(0, &[]);
    assert_eq!(run.err, "");
    let run = place.run_on(PUZZLE, &["solve"]).ends(0, &["from <stdin>"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n"));
    // An answer is an answer: no solution, no failure.
    place.run_on(none(), &["solve"]).ends(0, &[]);
}

#[test]
fn every_engine_of_the_table_solves() {
    let place = Place::new();
    let listed = place.run(&["engines"]).ends(0, &[]).out;
    let (engines, kinds) = listed.split_once("\n\n").unwrap();
    let (kinds, sets) = kinds.split_once("\n\n").unwrap();
    assert_eq!(kinds.lines().count(), galop::grid::KINDS.len() + 2, "a heading, and who solves them");
    assert_eq!(engines.lines().count(), galop::ENGINES.len());
    let best = galop::Isa::best().name();
    assert!(sets.starts_with(&format!("instruction sets here: {best} (default), ")), "{sets}");
    let (_, covers) = sets.split_once("\n\nexact cover (galop cover):\n").unwrap();
    assert_eq!(covers.lines().count(), galop_cover::engine::ENGINES.len());
    for (line, entry) in covers.lines().zip(galop_cover::engine::ENGINES) {
        assert!(line.starts_with(entry.name) && line.ends_with(entry.about), "{line}");
    }
    for (line, entry) in listed.lines().zip(galop::ENGINES) {
        assert!(line.starts_with(entry.name) && line.contains(entry.about), "{line}");
        for name in std::iter::once(entry.name).chain(entry.alias) {
            let run = place.run_on(PUZZLE, &["solve", "-f", "solution", "-e", name]).ends(0, &[]);
            assert!(
                run.out == format!("{SOLUTION}\n") || entry.may_be_stuck && run.out == "stuck\n",
                "{run:?}"
            );
        }
        assert_eq!(line.contains("satisfy"), entry.name == "backtrack", "{line}");
    }
}

#[test]
fn malformed_records_end_with_1_and_are_shown() {
    let wrong: String = (0..12).map(|_| format!("# comment\nwrong\n{PUZZLE}\n")).collect();
    let place = Place::with(&[("in.txt", &wrong)]);
    let words = [
        "in.txt:2:1: unexpected `w`",
        "in.txt:29:1: unexpected",
        "warning: 12 malformed records, the first 10 of them shown",
    ];
    let run = place.run(&["solve", "in.txt"]).ends(1, &words);
    assert_eq!(run.err.matches(": unexpected").count(), 10);
    assert_eq!(run.out, format!("wrong,malformed\n{PUZZLE},{SOLUTION}\n").repeat(12));
    place.run(&["solve", "in.txt", "--allow-malformed"]).ends(0, &words);
    place.run(&["solve", "in.txt", "--quiet"]).ends(1, &["warning: 12 malformed"]);
    // The output is complete: it gets its name.
    place.run(&["solve", "in.txt", "-o", "out.txt"]).ends(1, &[]);
    assert_eq!(place.read("out.txt"), run.out);
    let run = place.run_on("wrong", &["solve"]).ends(1, &["<stdin>:1:1: ", "1 malformed record\n"]);
    assert_eq!(run.out, "wrong,malformed\n");
}

#[test]
fn strict_wants_every_record_solved() {
    let place = Place::new();
    place.run_on(PUZZLE, &["solve", "--strict"]).ends(0, &[]);
    place.run_on(format!("{PUZZLE}\n{}", none()), &["solve", "--strict"]).ends(1, &[]);
    place.run_on(open_puzzle(), &["solve", "--strict", "--unique"]).ends(1, &[]);
    place.run_on("wrong", &["solve", "--strict"]).ends(1, &[]);
    place.run(&["solve", "--strict", "--allow-malformed"]).ends(2, &["cannot be used with"]);
}

#[test]
fn usage_errors_end_with_2() {
    let place = Place::new();
    let usage: [(&[&str], &str); 13] = [
        (&[], "Usage"),
        (&["dance"], "unrecognized subcommand"),
        (&["solve", "--engine", "bitbord"], "'bitboard'"),
        (&["solve", "--format", "cvs"], "possible values: pair, solution, csv, json"),
        (&["solve", "--threads", "many"], "invalid value 'many'"),
        (&["solve", "--unique", "--solutions", "3"], "cannot be used with"),
        (&["solve", "--isa", "mmx"], "possible values: avx512, avx2, portable128, portable64"),
        (&["solve", "--crosscheck", "2"], "`2` is not a share: 0 to 1, or 0% to 100%"),
        (&["solve", "--crosscheck", "many"], "`many` is not a share"),
        (&["solve", "--crosscheck-seed", "2"], "--crosscheck <SHARE>"),
        (&["solve", "-", "-"], "standard input (`-`) can be read only once"),
        (&["verify", "-", "-"], "standard input (`-`) can be read only once"),
        (&["generate", "-n", "1"], "--seed"),
    ];
    for (words, message) in usage {
        let run = place.run(words).ends(2, &[message]);
        assert_eq!(run.out, "", "{words:?}");
    }
}

#[test]
fn inputs_that_cannot_be_read_end_with_2() {
    let place = Place::with(&[("in.txt", PUZZLE)]);
    place.write("in.gz", b"\x1f\x8b\x08\0\0\0\0\0");
    place.write("in.zst", b"\x28\xb5\x2f\xfd\0");
    fs::create_dir(place.0.path().join("folder")).unwrap();
    for command in ["solve", "verify", "check"] {
        let no_file =
            place.run(&[command, "in.txt", "missing.txt"]).ends(2, &["error: missing.txt: cannot read"]);
        assert_eq!(no_file.out, "", "all names are looked at before any work");
        place.run(&[command, "folder"]).ends(2, &["folder: cannot read: is a directory"]);
        place.run(&[command, "in.gz"]).ends(2, &["in.gz: is gzip-compressed", "gzip -dc"]);
        place.run(&[command, "in.zst"]).ends(2, &["zstd -dc"]);
    }
    place.run(&["solve", "missing.txt", "-o", "out.txt"]).ends(2, &[]);
    assert_eq!(place.names(), ["folder", "in.gz", "in.txt", "in.zst"], "nothing was begun");
}

#[test]
fn outputs_that_are_inputs_or_reports_are_refused() {
    let place = Place::with(&[("in.txt", PUZZLE), ("link.txt", "")]);
    let refused = &["choose another name"];
    place.run(&["solve", "in.txt", "-o", "in.txt"]).ends(2, refused);
    place.run(&["solve", "in.txt", "-o", "./in.txt"]).ends(2, refused);
    let absolute = place.0.path().join("in.txt");
    place.run(&["solve", "in.txt", "-o", absolute.to_str().unwrap()]).ends(2, refused);
    #[cfg(unix)]
    {
        let path = |name: &str| place.0.path().join(name);
        std::os::unix::fs::symlink("in.txt", path("soft.txt")).unwrap();
        fs::hard_link(path("in.txt"), path("hard.txt")).unwrap();
        place.run(&["solve", "in.txt", "-o", "soft.txt"]).ends(2, refused);
        place.run(&["solve", "in.txt", "-o", "hard.txt"]).ends(2, refused);
        place.run(&["solve", "soft.txt", "-o", "in.txt"]).ends(2, refused);
    }
    // Names of files that are not there yet.
    let both = |output: &str, report: &str| place.run(&["solve", "in.txt", "-o", output, "--report", report]);
    both("new.txt", "new.txt").ends(2, refused);
    both("new.txt", "./new.txt").ends(2, refused);
    both(place.0.path().join("new.txt").to_str().unwrap(), "new.txt").ends(2, refused);
    place.run(&["solve", "in.txt", "--report", "in.txt"]).ends(2, &["must not overwrite in.txt"]);
    place
        .run(&["solve", "in.txt", "--report", "r.md", "--report", "./r.md"])
        .ends(2, &["must not overwrite"]);
    assert_eq!(place.read("in.txt"), PUZZLE);
    assert!(!place.names().iter().any(|name| name.starts_with("new") || name.ends_with(".part")));
}

#[test]
fn a_report_of_unknown_ending_is_refused_before_any_work() {
    let place = Place::with(&[("in.txt", PUZZLE)]);
    for name in ["r.xyz", "r", "json"] {
        let run = place.run(&["solve", "in.txt", "-o", "out.txt", "--report", name]);
        run.ends(2, &["known endings: .json, .md, .html, .txt", name]);
    }
    assert_eq!(place.names(), ["in.txt"]);
    place.run(&["solve", "in.txt", "-o", "no/such/out.txt"]).ends(2, &["no/such/out.txt: cannot write"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let place = Place::with(&[("in.txt", PUZZLE), ("pairs.txt", "wrong,1\n")]);
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let on_full = |words: &[&str]| {
        let mut process = Process::new(GALOP);
        process.current_dir(place.0.path()).args(words).stdin(Stdio::null()).stdout(full());
        let output = process.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        Run { code: output.status.code(), out: String::new(), err }.ends(2, &["No space left on device"]);
    };
    on_full(&["solve", "in.txt"]);
    on_full(&["solve", "-f", "csv", "/dev/null"]);
    on_full(&["verify", "pairs.txt"]);
    on_full(&["generate", "-n", "3", "-s", "1"]);
    on_full(&["engines"]);
    on_full(&["man"]);
    on_full(&["completions", "bash"]);
    place.run(&["solve", "in.txt", "-o", "/dev/full"]).ends(2, &["No space left on device"]);
    place.run(&["solve", "in.txt", "-o", "/dev/null"]).ends(0, &[]);
}

/// A file may grow to 1,024 bytes only: like a disk that fills up on the way.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_leaves_the_old_file() {
    let place = Place::with(&[("out.txt", "old\n"), ("in.txt", &generated(500))]);
    let script = r#"ulimit -f 2; trap "" XFSZ; exec "$0" solve in.txt -o out.txt"#;
    let mut shell = Command::new("sh");
    outcome(shell.current_dir(place.0.path()).args(["-c", script, GALOP])).ends(2, &["cannot write: "]);
    assert_eq!(place.read("out.txt"), "old\n");
    assert_eq!(place.names(), ["in.txt", "out.txt"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    use std::io::Read;
    let place = Place::with(&[("in.txt", &generated(100).repeat(100))]);
    let commands: [&[&str]; 4] = [
        &["solve", "in.txt"],
        &["solve", "in.txt", "-f", "csv", "-j", "1"],
        &["generate", "-n", "100000", "-s", "1", "--clues", "40"],
        &["verify", "in.txt"],
    ];
    for words in commands {
        let mut child = place.spawn(words);
        drop(child.stdin.take());
        child.stdout.take().unwrap().read_exact(&mut [0; 100]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{words:?}");
    }
}

/// Sends the signal to a program that is at work, and gives how it ended.
#[cfg(unix)]
fn signalled(child: std::process::Child, signal: &str) -> (Option<i32>, String) {
    let pid = child.id().to_string();
    let sent = std::time::Instant::now();
    assert!(Process::new("kill").args([signal, &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    // A second is promised; the machine may be busy.
    assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn signals_end_a_run_and_leave_nothing_half_done() {
    // Seconds each, where cells are tried in reading order.
    let slow = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9\n";
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let place = Place::with(&[("in.txt", &slow.repeat(1000)), ("out.txt", "old\n")]);
        let child = place.spawn(&["solve", "-e", "backtrack", "in.txt", "-o", "out.txt", "-j", "2"]);
        place.wait_for_part();
        let (ended, err) = signalled(child, signal);
        assert_eq!(ended, Some(code), "{err}");
        assert!(err.contains("stopped before the end; the output is not complete"), "{err}");
        assert_eq!(place.read("out.txt"), "old\n");
        assert_eq!(place.names(), ["in.txt", "out.txt"]);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_that_waits_for_its_input() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let place = Place::new();
        let mut child = place.spawn(&["solve", "-o", "out.txt"]);
        let input = child.stdin.take();
        place.wait_for_part();
        let (ended, err) = signalled(child, signal);
        assert_eq!(ended, Some(code), "{err}");
        assert_eq!(place.names(), [""; 0]);
        drop(input);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_generation() {
    let place = Place::new();
    let child = place.spawn(&["generate", "-n", "1000000000", "-s", "1", "-o", "out.txt"]);
    place.wait_for_part();
    assert_eq!(signalled(child, "-TERM").0, Some(143));
    assert_eq!(place.names(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_mapped_file_cut_short_is_one_clear_line() {
    let place = Place::with(&[("in.txt", &generated(200).repeat(500)), ("out.txt", "old\n")]);
    let child = place.spawn(&["solve", "-e", "backtrack", "in.txt", "-o", "out.txt", "-j", "1", "-q"]);
    place.wait_for_part();
    fs::OpenOptions::new().write(true).open(place.0.path().join("in.txt")).unwrap().set_len(0).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "no signal, no core: {err}");
    assert!(err.contains("cut short while it was being read"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert_eq!(place.read("out.txt"), "old\n");
    assert_eq!(place.names(), ["in.txt", "out.txt"]);
}

#[test]
fn empty_input_gives_empty_output() {
    let place = Place::with(&[("empty.txt", "")]);
    for words in
        [&["solve"][..], &["solve", "-"], &["solve", "empty.txt"], &["solve", "-f", "json"], &["verify"]]
    {
        assert_eq!(place.run(words).ends(0, &[]).out, "", "{words:?}");
    }
    place.run(&["solve", "--strict", "-o", "out.txt"]).ends(0, &["0 puzzles"]);
    assert_eq!(place.read("out.txt"), "");
    let csv = place.run(&["solve", "-f", "csv"]).ends(0, &[]);
    assert_eq!(csv.out, "puzzle,solution,status,solutions,guesses,nanos\n");
}

#[test]
fn several_files_and_standard_input_are_one_output() {
    let place = Place::with(&[("a.txt", PUZZLE), ("b.txt", &format!("{}\n", none()))]);
    let run = place.run_on("wrong\n", &["solve", "a.txt", "-", "b.txt"]);
    let run = run.ends(1, &["<stdin>:1:1: ", "from a.txt and 2 more"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\nwrong,malformed\n{},none\n", none()));
}

#[test]
fn each_format_to_the_byte() {
    let (none, open) = (none(), open_puzzle());
    let input = format!("{PUZZLE} # hard\n{none}\n{open}\n\"a,b\"\\\u{e9}\n");
    let place = Place::with(&[("in.txt", &input)]);
    let solve =
        |format: &str| place.run(&["solve", "in.txt", "-u", "--no-times", "-f", format]).ends(1, &[]).out;
    let echo = r#""a\x2cb"\x5c\xc3\xa9"#;
    assert_eq!(
        solve("pair"),
        format!("{PUZZLE},{SOLUTION}\n{none},none\n{open},multiple\n{echo},malformed\n")
    );
    assert_eq!(solve("solution"), format!("{SOLUTION}\nnone\nmultiple\nmalformed\n"));
    let csv = solve("csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["puzzle", "solution", "status", "solutions", "guesses", "nanos"]);
    assert_eq!((rows[1][..4].join(","), rows[1][5]), (format!("{PUZZLE},{SOLUTION},solved,1"), ""));
    assert_eq!(rows[2], [&*none, "", "none", "0", "0", ""]);
    assert_eq!((rows[3][..4].join(","), rows[3][5]), (format!("{open},,multiple,2"), ""));
    assert_eq!(rows[4], [r#""""a\x2cb""\x5c\xc3\xa9""#, "", "malformed", "0", "0", ""]);
    let json: Vec<Value> = solve("json").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let guesses = rows[1][4].parse::<u64>().unwrap();
    assert_eq!(
        json[0],
        serde_json::json!({"puzzle": PUZZLE, "solution": SOLUTION, "status": "solved", "solutions": 1,
            "guesses": guesses, "nanos": null})
    );
    assert_eq!((&json[2]["status"], &json[2]["solution"]), (&"multiple".into(), &Value::Null));
    assert_eq!(json[3]["puzzle"], echo);
    assert_eq!(json.len(), 4);
}

#[test]
fn times_stand_in_csv_unless_they_are_not_wished() {
    let place = Place::new();
    let nanos = |words: &[&str]| {
        let out = place.run_on(PUZZLE, words).ends(0, &[]).out;
        out.lines().last().unwrap().rsplit(',').next().unwrap().to_owned()
    };
    assert!(nanos(&["solve", "-f", "csv"]).parse::<u64>().unwrap() > 0);
    assert_eq!(nanos(&["solve", "-f", "csv", "--no-times"]), "");
}

#[test]
fn limits_are_what_was_typed() {
    let place = Place::new();
    let solve =
        |words: &[&str]| place.run_on(open_puzzle(), &[&["solve"][..], words].concat()).ends(0, &[]).out;
    assert!(solve(&["--unique"]).ends_with(",multiple\n"));
    assert!(solve(&["-n", "2"]).ends_with(",multiple\n"), "the same");
    assert!(!solve(&[]).ends_with("multiple\n"), "any solution will do");
    let column = |csv: String, at: usize| csv.lines().last().unwrap().split(',').nth(at).unwrap().to_owned();
    for count in ["1", "2", "3", "10"] {
        assert_eq!(column(solve(&["--solutions", count, "-f", "csv"]), 3), count);
    }
    let all = column(solve(&["--solutions", "0", "-f", "csv", "-e", "dlx"]), 3);
    assert_eq!(column(solve(&["--solutions", "0", "-f", "csv"]), 3), all, "all of them, whoever counts");
    assert!(solve(&["--max-guesses", "0", "-e", "backtrack"]).ends_with(",limit\n"));
    assert_eq!(column(solve(&["--max-guesses", "7", "-n", "0", "-f", "csv", "-e", "backtrack"]), 4), "7");
}

#[test]
fn an_instruction_set_is_taken_if_it_is_there() {
    let place = Place::new();
    for isa in galop::Isa::ALL {
        let run = place.run_on(PUZZLE, &["solve", "--isa", isa.name()]);
        if isa.is_available() {
            assert_eq!(run.ends(0, &[]).out, format!("{PUZZLE},{SOLUTION}\n"));
        } else {
            run.ends(2, &["this machine lacks it; it has ", "portable64"]);
        }
    }
}

#[test]
fn a_share_is_solved_again() {
    let place = Place::with(&[("in.txt", &generated(300))]);
    let solve = |words: &[&str]| {
        let words = [&["solve", "in.txt", "--report", "r.json", "--no-times"], words].concat();
        let run = place.run(&words).ends(0, &[]);
        let report: Value = serde_json::from_str(&place.read("r.json")).unwrap();
        (run.out, report["crosscheck"].clone(), run.err)
    };
    let (plain, nothing, _) = solve(&[]);
    assert_eq!(nothing, Value::Null);
    let (out, all, err) = solve(&["--crosscheck", "100%", "-e", "dlx", "-u"]);
    assert!(err.contains("crosscheck  300 puzzles solved again by bitboard: no difference"), "{err}");
    let expected =
        serde_json::json!({"engine": "bitboard", "share": 1.0, "seed": 0, "puzzles": 300, "undecided": 0});
    assert_eq!(all, expected);
    assert!(out == plain);
    let (out, some, _) = solve(&["--crosscheck", "10 %", "-j", "1"]);
    assert!((10..60).contains(&some["puzzles"].as_u64().unwrap()), "{some}");
    assert!(out == plain);
    assert_eq!(some, solve(&["--crosscheck", "0.1", "-j", "5"]).1);
    let other = solve(&["--crosscheck", "0.1", "--crosscheck-seed", "12"]).1;
    assert_eq!((&other["seed"], &other["engine"]), (&12.into(), &"dlx".into()));
}

#[test]
fn the_same_bytes_for_any_threads_and_ways_of_reading() {
    let place = Place::with(&[("in.txt", &format!("{}wrong\n{}", generated(900), generated(300)))]);
    let solve =
        |words: &[&str]| place.run(&[&["solve", "in.txt", "--no-times", "-f", "csv"], words].concat()).out;
    let one = solve(&["-j", "1"]);
    assert_eq!(one.lines().count(), 1202);
    for words in [&["-j", "2"][..], &["-j", "5"], &["--no-mmap"], &["-o", "-"]] {
        assert!(solve(words) == one, "{words:?}");
    }
    let piped = place.run_on(place.read("in.txt"), &["solve", "--no-times", "-f", "csv"]).out;
    assert!(piped == one);
    solve(&["-o", "out.csv"]);
    assert!(place.read("out.csv") == one);
}

#[test]
fn colours_only_where_they_are_wished() {
    let place = Place::new();
    let solve = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = place.command(words);
        command.envs(variables.iter().copied()).write_stdin(format!("{PUZZLE}\nwrong\n"));
        outcome(&mut command)
    };
    let escape = '\u{1b}';
    assert!(!solve(&[], &["solve"]).err.contains(escape), "stderr is no terminal");
    assert!(!solve(&[("NO_COLOR", "1")], &["solve"]).err.contains(escape));
    let coloured = solve(&[("CLICOLOR_FORCE", "1")], &["solve"]);
    assert!(coloured.err.contains(escape) && !coloured.out.contains(escape));
    assert!(!solve(&[], &["solve", "missing.txt"]).err.contains(escape));
    assert!(solve(&[("CLICOLOR_FORCE", "1")], &["solve", "missing.txt"]).err.contains(escape));
}

#[test]
fn progress_is_drawn_where_it_is_wished() {
    let place = Place::with(&[("in.txt", &generated(100).repeat(30))]);
    let err = |words: &[&str]| place.run(&[&["solve", "in.txt", "-q"], words].concat()).ends(0, &[]).err;
    assert_eq!(err(&[]), "", "stderr is no terminal");
    assert_eq!(err(&["--progress", "auto"]), "");
    assert_eq!(err(&["--progress", "never"]), "");
    let drawn = err(&["--progress", "always"]);
    assert!(drawn.contains("puzzles") && drawn.contains('%'), "{drawn:?}");
    let made = place.run(&["generate", "-n", "500", "-s", "1", "--progress", "always"]).ends(0, &["puzzles"]);
    assert_eq!(made.out.lines().count(), 500);
}

#[test]
fn a_json_report_adds_up() {
    let puzzles = generated(300);
    let text = format!("# generated\n{puzzles}wrong\n{}\n", none());
    let place = Place::with(&[("in.txt", &text)]);
    let words = ["solve", "in.txt", "--report", "r.json", "--slowest", "4", "-j", "2", "-o", "out.txt"];
    place.run(&words).ends(1, &[]);
    let report: Value = serde_json::from_str(&place.read("r.json")).unwrap();
    let number =
        |path: &str| report.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path}"));

    assert!(galop::engine(report["engine"].as_str().unwrap()).is_some());
    assert_eq!(report["galop"], env!("CARGO_PKG_VERSION"));
    let counts = ["records", "puzzles", "solved", "none", "multiple", "limit", "malformed"];
    let counts = counts.map(|name| number(&format!("/counts/{name}")));
    assert_eq!(counts, [302, 301, 300, 1, 0, 0, 1]);
    assert_eq!((number("/options/threads"), number("/options/solutions")), (2, 1));
    let input = &report["inputs"][0];
    assert_eq!((&input["name"], &input["shape"]), (&"in.txt".into(), &"lines".into()));
    assert_eq!(number("/inputs/0/bytes"), text.len() as u64);
    assert_eq!((number("/inputs/0/lines"), number("/inputs/0/records")), (303, 302));
    assert!(report["elapsed_seconds"].as_f64().unwrap() > 0.0);
    assert!(report["puzzles_per_second"].as_f64().unwrap() > 0.0);

    for name in ["nanos", "guesses"] {
        let figure = |field: &str| number(&format!("/{name}/{field}"));
        assert_eq!(figure("count"), 301);
        let buckets = report[name]["histogram"].as_array().unwrap();
        let field = |bucket: &Value, field: &str| bucket[field].as_u64().unwrap();
        assert_eq!(buckets.iter().map(|bucket| field(bucket, "count")).sum::<u64>(), 301);
        let between = |end: &str| buckets.iter().map(|b| field(b, "count") * field(b, end)).sum::<u64>();
        assert!((between("from")..=between("to")).contains(&figure("sum")));
        assert!(buckets.iter().all(|bucket| field(bucket, "from") <= field(bucket, "to")));
        assert!(buckets.windows(2).all(|two| field(&two[0], "to") < field(&two[1], "from")));
        let steps = ["min", "p50", "p90", "p99", "p99_9", "max"].map(figure);
        assert!(steps.is_sorted(), "{steps:?}");
        let mean = report[name]["mean"].as_f64().unwrap();
        assert!((mean - figure("sum") as f64 / 301.0).abs() < 1e-6);
    }
    let slowest = report["slowest"].as_array().unwrap();
    assert_eq!(slowest.len(), 4);
    assert!(slowest.is_sorted_by(|one, next| one["nanos"].as_u64() >= next["nanos"].as_u64()));
    assert_eq!(slowest[0]["nanos"], report["nanos"]["max"]);
    for slow in slowest {
        let line = text.lines().nth(slow["line"].as_u64().unwrap() as usize - 1);
        assert_eq!(slow["puzzle"].as_str(), line);
    }
    assert!(report["malformed"][0].as_str().unwrap().starts_with("in.txt:302:1: "));
}

#[test]
fn reports_without_times_or_limits_say_so() {
    let place = Place::with(&[("in.txt", PUZZLE)]);
    place.run(&["solve", "in.txt", "--no-times", "-n", "0", "--report", "R.JSON"]).ends(0, &[]);
    let report: Value = serde_json::from_str(&place.read("R.JSON")).unwrap();
    assert_eq!((&report["nanos"], &report["options"]["solutions"]), (&Value::Null, &Value::Null));
    assert_eq!(report["slowest"][0]["nanos"], Value::Null);
}

/// The lines of a report, without what differs from run to run.
fn steady(report: &str) -> String {
    let steady = |line: &str| match line {
        line if line.starts_with("| elapsed |") => "| elapsed | [time] |".to_owned(),
        line if line.starts_with("| puzzles a second |") => "| puzzles a second | [rate] |".to_owned(),
        line if line.starts_with("| version |") => "| version | [version] |".to_owned(),
        line if line.starts_with("| machine |") => "| machine | [machine] |".to_owned(),
        line if line.starts_with("| command |") => "| command | [command] |".to_owned(),
        line => match (line.split_once(" in "), line.split_once(" a second")) {
            (Some((before, _)), Some((_, after))) => format!("{before} in [time]: [rate] a second{after}"),
            _ => line.to_owned(),
        },
    };
    report.lines().map(|line| steady(line) + "\n").collect()
}

#[test]
fn reports_for_people() {
    let easy = "9.5..147..4..9.....2...7....817..3.94..9.3..13..1.658.......6..5.2..9..7..7...8.5";
    let text = format!("{easy}\n{}\n{SOLUTION}\nwrong | line\n{}\n", none(), open_puzzle());
    let place = Place::with(&[("in.txt", &text)]);
    let words = [
        "solve",
        "in.txt",
        "-e",
        "backtrack",
        "-u",
        "-j",
        "1",
        "--no-times",
        "--report",
        "r.md",
        "--report",
        "r.txt",
    ];
    let run = place.run(&words).ends(1, &[]);
    assert!(run.err.contains(&steady(&place.read("r.txt")).lines().nth(1).unwrap().to_owned()));
    insta::assert_snapshot!("report_md", steady(&place.read("r.md")));
    insta::assert_snapshot!("report_txt", steady(&place.read("r.txt")));
}

#[test]
fn help_for_every_command() {
    let place = Place::new();
    let commands =
        ["solve", "verify", "check", "generate", "compare", "show", "cover", "engines", "completions", "man"];
    let general = place.run(&["--help"]).ends(0, &[]).out;
    for command in commands {
        assert!(general.contains(command), "{command}");
        for flag in ["-h", "--help"] {
            let help = place.run(&[command, flag]).ends(0, &[]).out;
            assert!(help.contains(&format!("Usage: galop {command}")), "{help}");
        }
    }
    place.run(&["-h"]).ends(0, &[]);
    let version = place.run(&["--version"]).ends(0, &[]).out;
    assert_eq!(version, format!("galop {}\n", env!("CARGO_PKG_VERSION")));
    let solve = place.run(&["solve", "--help"]).out;
    let names = galop::ENGINES.iter().map(|entry| entry.name);
    for word in
        names.chain(["Exit codes", "--max-guesses", "--isa", "--crosscheck", "malformed", "standard input"])
    {
        assert!(solve.contains(word), "{word} is not in\n{solve}");
    }
    assert!(solve.lines().all(|line| line.chars().count() <= 110), "{solve}");
}

#[test]
fn completions_and_manual_page() {
    let place = Place::new();
    for (shell, word) in [("bash", "complete -F"), ("zsh", "#compdef galop"), ("fish", "complete -c galop")] {
        let script = place.run(&["completions", shell]).ends(0, &[]).out;
        assert!(script.contains(word) && script.contains("bitboard"), "{shell}");
        assert!(galop::Isa::ALL.iter().all(|isa| script.contains(isa.name())), "{shell}");
    }
    place.run(&["completions", "tcsh"]).ends(2, &["possible values"]);
    let page = place.run(&["man", "solve"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop-solve 1") && page.contains("max\\-guesses"), "{page}");
    let page = place.run(&["man"]).ends(0, &[]).out;
    assert!(page.contains(".TH galop 1") && page.contains(".SH NAME"), "{page}");
}

#[test]
fn verify_tells_right_wrong_and_unanswered_apart() {
    let swapped = SOLUTION.replacen("41", "14", 1);
    let text = format!("{PUZZLE},{SOLUTION}\n{},none\n{PUZZLE},{swapped}\n{PUZZLE}\nwrong\n", none());
    let place = Place::with(&[("in.txt", &text), ("right.txt", &format!("{PUZZLE},{SOLUTION}\n"))]);
    let run = place.run(&["verify", "in.txt"]);
    let run = run.ends(1, &["5 records in ", "1 right, 3 faulty, 1 without a solution"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "in.txt:3:83: wrong solution: the clue in cell 0 was not kept");
    assert_eq!(lines[1], "in.txt:4:82: no solution beside the puzzle (expected puzzle,solution)");
    assert!(lines[2].starts_with("in.txt:5:1: unexpected `w`") && lines.len() == 3, "{lines:?}");
    assert_eq!(place.run(&["verify", "in.txt", "-q"]).ends(1, &[]).err, "");
    let run = place.run(&["verify", "right.txt"]).ends(0, &["1 right, 0 faulty"]);
    assert_eq!(run.out, "");
    // Two files, one sum.
    place.run(&["verify", "right.txt", "in.txt"]).ends(1, &["6 records", "2 right"]);
    // Given as the only solution, but it is not.
    let several = format!("{},{SOLUTION}\n", open_puzzle());
    place.run_on(several.clone(), &["verify"]).ends(0, &["1 right"]);
    let run = place.run_on(several, &["verify", "--unique"]).ends(1, &["1 faulty"]);
    assert_eq!(run.out, "<stdin>:1:83: given as the only solution, but the puzzle has several\n");
}

#[test]
fn check_finds_what_cannot_have_a_solution() {
    let twice = PUZZLE.replacen("4..", "44.", 1);
    let text = format!("# a comment\n{PUZZLE}\n{twice},{SOLUTION}\nwrong\n");
    let place = Place::with(&[("in.txt", &text), ("right.txt", PUZZLE)]);
    let run =
        place.run(&["check", "in.txt"]).ends(1, &["3 records in ", "1 possible, 1 impossible, 1 malformed"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "in.txt:3: 4 stands twice in row 1: in row 1, column 1 and in row 1, column 2");
    assert!(lines[1].starts_with("in.txt:4:1: unexpected `w`") && lines.len() == 2, "{lines:?}");
    assert_eq!(place.run(&["check", "in.txt", "-q"]).ends(1, &[]).err, "");
    let run = place.run(&["check", "right.txt"]).ends(0, &["1 possible, 0 impossible"]);
    assert_eq!(run.out, "");
    place.run(&["check", "right.txt", "in.txt"]).ends(1, &["4 records", "2 possible"]);
    place.run_on(twice, &["check", "-"]).ends(1, &["1 impossible"]);
    assert!(place.run(&["man", "check"]).ends(0, &[]).out.contains(".TH galop-check 1"));
}

/// Whatever `solve` prints with puzzle and solution, `verify` takes.
#[test]
fn verify_takes_what_solve_gives() {
    let input = format!("{}{}\n{}\nwrong\n", generated(20), none(), open_puzzle());
    let place = Place::with(&[("in.txt", &input)]);
    for format in ["pair", "csv"] {
        let solved = place.run(&["solve", "in.txt", "-u", "-f", format]).ends(1, &[]).out;
        for words in [&["verify"][..], &["verify", "--unique"]] {
            let run = place.run_on(solved.clone(), words);
            assert_eq!(run.out, "", "{format}");
            run.ends(0, &["23 records", "20 right, 0 faulty, 3 without a solution"]);
        }
    }
}

#[test]
fn generated_puzzles_are_the_same_everywhere() {
    let place = Place::new();
    let make = |words: &[&str]| {
        place.run(&[&["generate", "-n", "200", "--seed", "3"], words].concat()).ends(0, &[]).out
    };
    let one = make(&["-j", "1"]);
    assert_eq!(one, make(&["-j", "2"]));
    assert!(one.lines().count() == 200 && one.lines().all(|line| line.len() == 81));
    for line in one.lines() {
        assert!((28..=36).contains(&line.bytes().filter(|&byte| byte != b'.').count()), "the default range");
    }
    make(&["-o", "out.txt"]);
    assert_eq!(place.read("out.txt"), one);
    assert_ne!(one, place.run(&["generate", "-n", "200", "--seed", "4"]).out);

    let pairs = make(&["--pairs", "--minimal"]);
    place.run_on(pairs, &["verify", "--unique"]).ends(0, &["200 right, 0 faulty"]);
    assert_eq!(place.run(&["generate", "-n", "0", "-s", "1"]).ends(0, &[]).out, "");
    let many = place.run(&["generate", "-n", "5", "-s", "1", "--clues", "81"]).ends(0, &[]).out;
    assert!(!many.contains('.'));
}

#[test]
fn impossible_wishes_are_refused() {
    let place = Place::new();
    let refused = [
        ("5..10", "the range must lie within 17..81"),
        ("40..30", "the smaller number first"),
        ("30..99", "the range must lie within 17..81"),
        ("a..b", "`a` is not a number of clues"),
        ("", "not a number of clues"),
    ];
    for (clues, message) in refused {
        let run = place.run(&["generate", "-n", "5", "-s", "1", "--clues", clues, "-o", "out.txt"]);
        run.ends(2, &[message]);
    }
    place
        .run(&["generate", "-n", "5", "-s", "1", "--minimal", "--clues", "30"])
        .ends(2, &["cannot be used with"]);
    assert_eq!(place.names(), [""; 0]);
}
