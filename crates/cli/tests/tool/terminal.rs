//! What a person sees on a terminal: grids, lines and colours where a program would get records.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use galop_testing::puzzles::PUZZLE;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::program::{self, Folder};

/// The two ends of a terminal: the one that shows, and the one for a program.
fn terminal() -> (File, File) {
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&near).unwrap();
    unlockpt(&near).unwrap();
    let name = ptsname(&near, Vec::new()).unwrap();
    let far = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (File::from(near), far)
}

/// What the program with `words` prints if all of its streams are one terminal.
fn on_terminal(folder: &Folder, words: &[&str]) -> String {
    let (mut near, far) = terminal();
    let stream = || Stdio::from(far.try_clone().unwrap());
    let mut command = Command::new(program::path());
    command.args(words).current_dir(folder.path(".")).stdin(stream()).stdout(stream()).stderr(stream());
    command.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CLICOLOR");
    let mut child = command.spawn().unwrap();
    drop((command, far));
    let mut printed = Vec::new();
    // On Linux, a terminal that nothing holds open any more ends with an error.
    _ = near.read_to_end(&mut printed);
    assert!(child.wait().unwrap().code().is_some());
    String::from_utf8(printed).unwrap().replace("\r\n", "\n")
}

#[test]
fn one_typed_puzzle_is_drawn_and_explained_next() {
    let folder = Folder::new();
    let seen = on_terminal(&folder, &["solve", PUZZLE]);
    assert!(seen.starts_with("+-------+-------+-------+\n| 4 1 7 | 3 6 9 | 8 2 5 |\n"), "{seen}");
    assert!(seen.contains(&format!("next: galop explain {PUZZLE}")), "{seen}");
    // In a pipe, and in a format that is named, it is a record.
    let pair = format!("{PUZZLE},{}\n", galop::solve(PUZZLE).unwrap());
    assert_eq!(folder.run(&["solve", PUZZLE]).ends(0, &["solved"]).out, pair);
    assert!(on_terminal(&folder, &["solve", "-f", "pair", PUZZLE]).starts_with(&pair));
    let piped = folder.run(&["solve", PUZZLE]).err;
    assert!(!piped.contains("next: "), "{piped}");
}

#[test]
fn one_typed_puzzle_is_rated_in_a_line() {
    let folder = Folder::new();
    let seen = on_terminal(&folder, &["rate", PUZZLE]);
    let line = "medium, score 2.6: the hardest of 71 steps is pointing\n";
    assert!(seen.starts_with(line), "{seen}");
    let several = format!(".{}", &PUZZLE[1..]);
    assert!(
        on_terminal(&folder, &["rate", &several])
            .starts_with("no rating: the puzzle has several solutions\n")
    );
    let none = format!("44{}", &PUZZLE[2..]);
    assert!(on_terminal(&folder, &["rate", &none]).starts_with("no rating: the puzzle has no solution\n"));
    // What is asked for is given as it is asked for.
    assert!(on_terminal(&folder, &["rate", PUZZLE, "--by", "guesses"]).contains("puzzle,guesses\n"));
    assert!(on_terminal(&folder, &["rate", PUZZLE, "-f", "csv"]).contains("puzzle,level,score,hardest\n"));
    let piped = folder.run(&["rate", PUZZLE]).ends(0, &[]).out;
    assert_eq!(piped, format!("puzzle,level,score,hardest\n{PUZZLE},medium,2.6,pointing\n"));
}

#[test]
fn words_of_open_puzzles_have_a_colour() {
    let none = format!("44{}", &PUZZLE[2..]);
    let folder = Folder::with(&[("in.txt", &format!("{PUZZLE}\n{none}\n"))]);
    let seen = on_terminal(&folder, &["solve", "in.txt"]);
    assert!(seen.contains(&format!("{none},\u{1b}[33mnone\u{1b}[0m\n")), "{seen}");
    assert!(seen.contains("\u{1b}[33m1 without a solution\u{1b}[0m\n"), "{seen}");
    assert!(seen.contains("next: the same command with -v, "), "{seen}");
    let out = folder.run(&["solve", "in.txt"]).ends(0, &[]).out;
    assert!(out.ends_with(&format!("{none},none\n")), "{out}");
}

/// Ratings by techniques take long: a terminal shows the first ones while others are still to come.
#[test]
fn the_first_ratings_are_shown_before_the_last_puzzles_are_read() {
    let (mut near, far) = terminal();
    let mut command = Command::new(program::path());
    command
        .args(["rate", "--by", "techniques", "-q"])
        .stdin(Stdio::piped())
        .stdout(far)
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(crate::puzzles(1000).as_bytes()).unwrap();
    // More than the start of a stream in which galop looks for the format. The input stays open until the terminal
    // shows something, or for a minute.
    let (shown, is_shown) = channel();
    let waiting = std::thread::spawn(move || {
        let result = is_shown.recv_timeout(Duration::from_secs(60));
        drop(stdin);
        result
    });
    let mut first = [0; 10];
    near.read_exact(&mut first).unwrap();
    shown.send(()).ok();
    assert_eq!(waiting.join().unwrap(), Ok(()), "the ratings waited for the end of the input");
    assert_eq!(&first, b"puzzle,lev");
    _ = near.read_to_end(&mut Vec::new());
    assert!(child.wait().unwrap().success());
}
