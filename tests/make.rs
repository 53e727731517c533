//! `galop make` and `galop export` as their users meet them.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Read;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use galop_cover::models::MODELS;
use galop_cover::{ExactCover, text};
use tempfile::TempDir;

const GALOP: &str = env!("CARGO_BIN_EXE_galop");
const ONE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

struct Run {
    out: String,
    err: String,
}

impl Run {
    #[track_caller]
    fn problem(&self) -> ExactCover {
        text::read(self.out.as_bytes()).unwrap().problem
    }
}

/// Runs galop in `folder`, and asserts the exit code.
#[track_caller]
fn run_in(folder: &TempDir, input: &str, words: &[&str], code: i32) -> Run {
    let mut command = Command::new(GALOP);
    command.current_dir(folder.path()).args(words).timeout(Duration::from_secs(120));
    let output = command.env("NO_COLOR", "1").write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let run = Run { out: text(output.stdout), err: text(output.stderr) };
    assert_eq!(output.status.code(), Some(code), "{words:?}: {}", run.err);
    run
}

#[track_caller]
fn run(words: &[&str], code: i32) -> Run {
    run_in(&TempDir::new().unwrap(), "", words, code)
}

/// The number of solutions, as `galop cover` tells.
#[track_caller]
fn count(problem: &Run) -> String {
    run_in(&TempDir::new().unwrap(), &problem.out, &["cover", "-q", "-"], 0).out
}

#[test]
fn models_are_made_for_cover() {
    for (words, solutions) in
        [("queens 12", 14_200), ("langford 7", 52), ("mixed 4x6 6", 2_498), ("soma", 11_520)]
    {
        let words: Vec<&str> = ["make"].into_iter().chain(words.split(' ')).collect();
        let made = run(&words, 0);
        assert_eq!(made.err, "");
        assert!(made.out.starts_with(&format!("| galop {}: ", words.join(" "))), "{}", &made.out[..80]);
        assert_eq!(count(&made), format!("{solutions}\n"), "{words:?}");
    }
}

#[test]
fn models_are_listed() {
    let list = run(&["make"], 0).out;
    assert_eq!(run(&["make", "--list"], 0).out, list);
    assert_eq!(list.lines().count(), MODELS.len());
    for (line, model) in list.lines().zip(MODELS) {
        assert!(line.starts_with(&format!("{} {}", model.name, model.usage)) && line.ends_with(model.about));
    }
    let help = run(&["make", "--help"], 0).out;
    assert!(MODELS.iter().all(|model| help.contains(model.name)), "{help}");
}

#[test]
fn what_is_wrong_is_told() {
    for (words, message) in [
        (&["queens"][..], "galop make queens N: N is missing"),
        (&["queens", "8", "9"], "galop make queens N: `9` is one argument too many"),
        (&["queens", "1000000"], "1000000 is out of range for N (1 to 1000)"),
        (&["pentominoes", "6x11"], "galop make pentominoes WxH | WxHxD: 66 cells (the pieces cover 60 cells"),
        (&["rooks", "8"], "queens"),
        (&["queens", "--list"], "cannot be used with"),
    ] {
        let words: Vec<&str> = ["make"].iter().chain(words).copied().collect();
        let refused = run(&words, 2);
        assert_eq!(refused.out, "");
        assert!(refused.err.contains(message), "{}", refused.err);
    }
}

#[test]
fn a_file_gets_the_problem() {
    let folder = TempDir::new().unwrap();
    let made = run_in(&folder, "", &["make", "queens", "6", "-o", "queens.dlx"], 0);
    assert_eq!((&*made.out, &*made.err), ("", ""));
    let text = fs::read_to_string(folder.path().join("queens.dlx")).unwrap();
    assert_eq!(text, run(&["make", "queens", "6"], 0).out);
    fs::write(folder.path().join("one.txt"), ONE).unwrap();
    run_in(&folder, "", &["export", "one.txt", "-o", "one.dlx"], 0);
    assert_eq!(fs::read_to_string(folder.path().join("one.dlx")).unwrap(), run(&["export", ONE], 0).out);
    let refused = run_in(&folder, "", &["export", "one.txt", "-o", "one.txt"], 2);
    assert!(refused.err.contains("choose another name"), "{}", refused.err);
    assert_eq!(fs::read_to_string(folder.path().join("one.txt")).unwrap(), ONE);
}

/// As `galop make queens 1000 | head -1` does.
#[test]
fn a_closed_pipe_ends_quietly() {
    for words in [&["make", "queens", "1000"][..], &["make", "dominoes", "300x300"]] {
        let mut galop =
            Process::new(GALOP).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut begin = [0; 12];
        galop.stdout.take().unwrap().read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"| galop make");
        let output = galop.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    }
}

#[test]
fn a_puzzle_is_exported_with_its_clues_taken() {
    let reduced = run(&["export", ONE], 0);
    let begin = format!("| rules sudoku\n| puzzle {ONE}\n| its clues");
    assert!(reduced.out.starts_with(&begin), "{}", &reduced.out[..200]);
    let problem = reduced.problem();
    assert_eq!(problem.item_count(), 324 - 4 * 17);
    assert!(problem.option_count() < 500);
    assert_eq!(count(&reduced), "1\n");
    assert!(problem.options().all(|terms| terms.len() == 4));
    let full = run(&["export", "sudoku", ONE, "--full"], 0);
    assert_eq!((full.problem().item_count(), full.problem().option_count()), (324, 729 - 17 * 8));
    assert_eq!(count(&full), "1\n");
}

#[test]
fn the_empty_grid_is_the_rules() {
    let empty = run(&["export"], 0);
    assert_eq!(&empty.problem(), galop::Rules::sudoku().cover());
    assert_eq!(run(&["export", "sudoku"], 0).out, empty.out);
    assert_eq!(run(&["export", "sudoku", "--full"], 0).out, empty.out);
    assert_eq!(run(&["export", "sudoku", &".".repeat(81)], 0).out, empty.out);
}

#[test]
fn a_file_or_a_pipe_gives_its_first_record() {
    let folder = TempDir::new().unwrap();
    let other = ".".repeat(81);
    let text = format!("# puzzles\n\n{ONE}\n{other}\n");
    fs::write(folder.path().join("puzzles.txt"), &text).unwrap();
    fs::write(folder.path().join("bad.txt"), format!("# one\n{}\n{ONE}\n", &ONE[..80])).unwrap();
    fs::write(folder.path().join("none.txt"), "# nothing\n").unwrap();
    fs::write(folder.path().join("sudoku"), &other).unwrap();
    let exported = run(&["export", ONE], 0).out;
    for words in [&["export", "puzzles.txt"][..], &["export", "sudoku", "puzzles.txt"], &["export", "-"]] {
        assert_eq!(run_in(&folder, &text, words, 0).out, exported);
    }
    for (words, message) in [
        (&["bad.txt"][..], "bad.txt:2:"),
        (&["none.txt"], "none.txt: no puzzle found"),
        (&["gone.txt"], "`gone.txt` is neither a sudoku puzzle nor a file nor a kind of puzzle (sudoku"),
        (&["gone", "puzzles.txt"], "`gone` is not a kind of puzzle; the kinds are sudoku"),
        (&[&ONE[1..]], "neither a sudoku puzzle nor a file"),
        (&["sudoku", "sudoku", "sudoku"], "unexpected"),
    ] {
        let words: Vec<&str> = ["export"].iter().chain(words).copied().collect();
        let refused = run_in(&folder, "", &words, 2);
        assert_eq!(refused.out, "");
        assert!(refused.err.contains(message), "{}", refused.err);
    }
}

#[test]
fn clues_that_clash_have_no_solution() {
    let twice = format!("44{}", &ONE[2..]);
    for full in [&[][..], &["--full"]] {
        let words: Vec<&str> = ["export", &twice].iter().chain(full).copied().collect();
        let exported = run(&words, 0);
        assert_eq!(count(&exported), "0\n");
    }
}
