//! `galop show` as its users meet it: frames, solutions beside puzzles, Norvig's display byte for byte.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use tempfile::TempDir;

const GALOP: &str = env!("CARGO_BIN_EXE_galop");
const ONE: &str = "003020600900305001001806400008102900700000008006708200002609500800203009005010300";
const TWO: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

/// What `display(parse_grid(grid1))` and the same of `grid2` print in Norvig's program (Python 3.11).
const DISPLAYS: &str = "\
4 8 3 |9 2 1 |6 5 7 \n\
9 6 7 |3 4 5 |8 2 1 \n\
2 5 1 |8 7 6 |4 9 3 \n\
------+------+------\n\
5 4 8 |1 3 2 |9 7 6 \n\
7 2 9 |5 6 4 |1 3 8 \n\
1 3 6 |7 9 8 |2 4 5 \n\
------+------+------\n\
3 7 2 |6 8 9 |5 1 4 \n\
8 1 4 |2 5 3 |7 6 9 \n\
6 9 5 |4 1 7 |3 8 2 \n\
\n\
\x20  4      1679   12679  |  139     2369    269   |   8      1239     5    \n\
\x2026789     3    1256789 | 14589   24569   245689 | 12679    1249   124679 \n\
\x20 2689   15689   125689 |   7     234569  245689 | 12369   12349   123469 \n\
------------------------+------------------------+------------------------\n\
\x20 3789     2     15789  |  3459   34579    4579  | 13579     6     13789  \n\
\x20 3679   15679   15679  |  359      8     25679  |   4     12359   12379  \n\
\x2036789     4     56789  |  359      1     25679  | 23579   23589   23789  \n\
------------------------+------------------------+------------------------\n\
\x20 289      89     289   |   6      459      3    |  1259     7     12489  \n\
\x20  5      6789     3    |   2      479      1    |   69     489     4689  \n\
\x20  1      6789     4    |  589     579     5789  | 23569   23589   23689  \n\
\n";

const FRAMED_TWO: &str = "\
+-------+-------+-------+
| 4 . . | . . . | 8 . 5 |
| . 3 . | . . . | . . . |
| . . . | 7 . . | . . . |
+-------+-------+-------+
| . 2 . | . . . | . 6 . |
| . . . | . 8 . | 4 . . |
| . . . | . 1 . | . . . |
+-------+-------+-------+
| . . . | 6 . 3 | . 7 . |
| 5 . . | 2 . . | . . . |
| 1 . 4 | . . . | . . . |
+-------+-------+-------+
";

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run_in(place: &TempDir, input: &str, words: &[&str]) -> Run {
    let mut command = Command::new(GALOP);
    command.current_dir(place.path()).arg("show").args(words).env("NO_COLOR", "1");
    let output = command.write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn run(input: &str, words: &[&str]) -> Run {
    run_in(&TempDir::new().unwrap(), input, words)
}

#[test]
fn a_puzzle_is_drawn_from_an_argument_a_pipe_and_a_file() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("in.txt"), format!("# one\n{TWO}")).unwrap();
    for (input, words) in [("", &[TWO][..]), (TWO, &[]), (TWO, &["-"]), ("", &["in.txt"])] {
        let run = run_in(&place, input, words);
        assert_eq!((run.code, &*run.out, &*run.err), (Some(0), FRAMED_TWO, ""), "{words:?}");
    }
    // Blanks of every kind are dots; a file that is there is a file, whatever it is called.
    assert_eq!(run("", &[&TWO.replace('.', "0")]).out, FRAMED_TWO);
    fs::write(place.path().join(TWO), format!("{SOLUTION}\n")).unwrap();
    assert!(run_in(&place, "", &[TWO]).out.contains("| 4 1 7 | 3 6 9 | 8 2 5 |"));
}

#[test]
fn a_solution_stands_beside_its_puzzle() {
    let solved = run(SOLUTION, &[]).out;
    let beside: String =
        FRAMED_TWO.lines().zip(solved.lines()).map(|(one, two)| format!("{one}   {two}\n")).collect();
    let pair = format!("{TWO},{SOLUTION}");
    assert_eq!(run(&pair, &[]).out, beside);
    assert_eq!(run("", &[&pair]).out, beside);
    assert_eq!(run(&format!("id,solution,puzzle\n7,{SOLUTION},{TWO}\n"), &[]).out, beside);
    // A status word, or any other field, is no grid.
    for word in ["none", "stuck", "ED=11.9", "4"] {
        assert_eq!(run(&format!("{TWO},{word}"), &[]).out, FRAMED_TWO, "{word}");
    }
}

#[test]
fn records_are_separated_by_a_blank_line() {
    let three = [FRAMED_TWO; 3].join("\n");
    assert_eq!(run(&format!("{TWO}\n\n# comment\n{TWO}\n"), &[TWO, "-"]).out, three);
    assert_eq!(run("", &[]).out, "");
}

#[test]
fn candidates_are_displayed_as_in_norvigs_program() {
    let run = run(&format!("{ONE}\n{TWO}\n"), &["--candidates"]);
    assert_eq!((run.code, &*run.out), (Some(0), DISPLAYS));
    let rules = galop::Rules::sudoku();
    let puzzle: Vec<u8> = TWO.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let values = galop::grid::candidates(&rules, &puzzle).unwrap();
    assert!(DISPLAYS.ends_with(&galop::output::display(&values, &rules)));
}

#[test]
fn contradictions_are_said() {
    let run = run(&format!("11{}\n{TWO}\n", ".".repeat(79)), &["-c"]);
    assert_eq!(run.code, Some(0), "an answer is an answer");
    let (said, rest) = run.out.split_once("\n\n").unwrap();
    assert!(said.starts_with("contradiction: ") && !said.contains('\n'), "{said}");
    assert!(rest.starts_with("   4 "), "{rest}");
}

#[test]
fn malformed_records_are_named_as_solve_does() {
    let text = format!("{}{TWO}\n", "# c\nwrong\n".repeat(12));
    let run = run(&text, &[]);
    assert_eq!((run.code, &*run.out), (Some(1), FRAMED_TWO));
    let mut solve = Command::new(GALOP);
    let solved = solve.args(["solve", "-q"]).env("NO_COLOR", "1").write_stdin(text).output().unwrap();
    assert_eq!(run.err, String::from_utf8(solved.stderr).unwrap());
    assert!(run.err.starts_with("<stdin>:2:1: unexpected `w`"), "{}", run.err);
}

#[test]
fn what_is_neither_file_nor_puzzle_ends_with_2() {
    for words in [&["missing.txt"][..], &[&TWO[1..]], &["-", "-"], &[&SOLUTION.replace('4', "a")]] {
        let run = run("", words);
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{words:?}");
    }
    assert!(run("", &["missing.txt"]).err.contains("missing.txt: cannot read"));
}

/// Lines are counted through the chunks of a long input.
#[test]
fn long_inputs_are_read_to_the_end() {
    let text = format!("{TWO}\n").repeat(2_000) + "wrong\n" + TWO;
    let run = run(&text, &[]);
    assert_eq!(run.out, [FRAMED_TWO; 2_001].join("\n"));
    assert!(run.err.starts_with("<stdin>:2001:1: "), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Process::new(GALOP)
        .arg("show")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let line = format!("{TWO}\n");
        // Fails as soon as nobody reads any more.
        while stdin.write_all(line.as_bytes()).is_ok() {}
    });
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), &*said), (Some(0), ""));
    writer.join().unwrap();
}
