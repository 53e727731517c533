//! `galop hint`.

use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory};

use crate::program::Folder;

/// The hint is the first step of the explanation, and nothing else.
#[test]
fn a_hint_is_the_first_step() {
    let folder = Folder::new();
    let hint = folder.run(&["hint", PUZZLE]).ends(0, &[]).out;
    let explained = folder.run(&["explain", PUZZLE]).ends(0, &[]).out;
    let first = explained.lines().nth(1).unwrap().split_once(". ").unwrap().1;
    assert_eq!(hint, format!("{first}\n"));
    assert_eq!(hint.lines().count(), 1);
    let drawn = folder.run(&["hint", "--draw", PUZZLE]).ends(0, &[]).out;
    assert!(drawn.starts_with(&hint) && drawn.contains(" =4"), "{drawn}");
    // A file: a line for each puzzle.
    let text = format!("{PUZZLE}\n{SOLUTION}\n{}\n", contradictory());
    let hints = folder.run_on(text, &["hint", "-"]).ends(0, &[]).out;
    let lines: Vec<&str> = hints.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (3, first, "solved: no cell is blank"));
    assert!(lines[2].starts_with("no solution: "), "{hints}");
}
