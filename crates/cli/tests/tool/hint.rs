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

/// Step after step, the hints lead to the solution: a player who follows them is never led astray.
#[test]
fn hints_that_are_followed_solve_the_puzzle() {
    let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let (folder, solution) = (Folder::new(), galop::solve(easy).unwrap().to_string());
    let mut cells: Vec<u8> = easy.bytes().collect();
    while cells.contains(&b'.') {
        let hint = folder.run(&["hint", std::str::from_utf8(&cells).unwrap()]).ends(0, &[]).out;
        // `hidden single: r1c6=8, ...`
        let at = hint.find('=').unwrap();
        let number = |at: usize| usize::from(hint.as_bytes()[at] - b'0');
        let cell = 9 * (number(at - 3) - 1) + number(at - 1) - 1;
        cells[cell] = hint.as_bytes()[at + 1];
        assert_eq!(cells[cell], solution.as_bytes()[cell], "{hint}");
    }
}
