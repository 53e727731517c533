//! Puzzles on the command line, in place of the names of files.

use crate::common::program::{Folder, run};
use crate::common::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

#[test]
fn solve_and_check_take_puzzles_in_place_of_files() {
    let solved = run(&["solve", PUZZLE]).ends(0, &["from <argument>"]);
    assert_eq!(solved.out, format!("{PUZZLE},{SOLUTION}\n"));
    let folder = Folder::with(&[("a.txt", &contradictory())]);
    let solved = folder.run(&["solve", "-q", "a.txt", PUZZLE, "--unique", &open_puzzle()]).ends(0, &[]);
    let words = [(contradictory(), "none"), (PUZZLE.into(), SOLUTION), (open_puzzle(), "multiple")];
    assert_eq!(solved.out, words.map(|(puzzle, answer)| format!("{puzzle},{answer}\n")).concat());
    let small = "1...............";
    assert!(
        run(&["solve", "-q", "--kind", "latin", small]).ends(0, &[]).out.starts_with(&format!("{small},1"))
    );

    let checked = run(&["check", &contradictory()]).ends(1, &["0 possible, 1 impossible, 0 malformed"]);
    assert!(checked.out.starts_with("<argument>:1: "), "{}", checked.out);
    run(&["check", PUZZLE]).ends(0, &["1 possible"]);
    for command in ["solve", "check", "show"] {
        assert!(run(&[command, "-h"]).out.contains("[PUZZLE|FILE]..."), "{command}");
    }
}

#[test]
fn a_file_of_that_name_wins_and_other_commands_take_files_only() {
    let folder = Folder::with(&[(PUZZLE, &open_puzzle())]);
    for map in [&[][..], &["--no-mmap"]] {
        let solved = folder.run(&[&["solve", "-q", PUZZLE], map].concat()).ends(0, &[]);
        assert!(solved.out.starts_with(&open_puzzle()), "{}", solved.out);
    }
    run(&["verify", PUZZLE]).fails("No such file or directory");
    run(&["compare", PUZZLE]).fails("No such file or directory");
    // Not a puzzle, and no file.
    run(&["solve", &PUZZLE[1..]]).fails("No such file or directory");
    run(&["check", "nothing.txt"]).fails("nothing.txt: cannot read");
}
