//! `--format grid`: drawn solutions, status words, and galop reads them again.

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};
use galop_testing::rules::MAP5;

const DRAWN: &str = "\
+-------+-------+-------+
| 4 1 7 | 3 6 9 | 8 2 5 |
| 6 3 2 | 1 5 8 | 9 4 7 |
| 9 5 8 | 7 2 4 | 3 1 6 |
+-------+-------+-------+
| 8 2 5 | 4 3 7 | 1 6 9 |
| 7 9 1 | 5 8 6 | 4 3 2 |
| 3 4 6 | 9 1 2 | 7 5 8 |
+-------+-------+-------+
| 2 8 9 | 6 4 3 | 5 7 1 |
| 5 7 3 | 2 9 1 | 6 8 4 |
| 1 6 4 | 8 7 5 | 2 9 3 |
+-------+-------+-------+

";

#[test]
fn a_record_is_a_drawn_grid_or_a_word_and_is_read_again() {
    let folder = Folder::new();
    let input = format!("{PUZZLE}\n{}\n{}\nwrong\n{PUZZLE}\n", contradictory(), open_puzzle());
    let expected = format!("{DRAWN}none\n\nmultiple\n\nmalformed\n\n{DRAWN}");
    for threads in ["1", "2"] {
        let solved = folder.run_on(&*input, &["solve", "-u", "-f", "grid", "-j", threads]).ends(1, &[]);
        assert_eq!(solved.out, expected);
    }
    let again = folder.run_on(expected, &["solve", "-q"]).ends(1, &["3 malformed records"]);
    let lines: Vec<&str> = again.out.lines().collect();
    assert_eq!(lines.len(), 5, "{}", again.out);
    assert_eq!([lines[0], lines[4]], [&*format!("{SOLUTION},{SOLUTION}"); 2]);
    assert!(lines[1..4].iter().all(|line| line.ends_with(",malformed")));
}

/// Grids of every size and kind, in their own symbols and regions.
#[test]
fn grids_of_other_sizes_and_kinds_are_read_again() {
    let folder = Folder::with(&[("map.txt", MAP5)]);
    for words in [
        &["--side", "4"][..],
        &["--side", "6"],
        &["--side", "12"],
        &["--side", "16", "--alphabet", "A-P"],
        &["--kind", "latin", "--side", "7"],
        &["--kind", "jigsaw", "--regions", "map.txt"],
    ] {
        let generate = [&["generate", "--count", "5", "--seed", "3"], words].concat();
        let puzzles = folder.run(&generate).ends(0, &[]).out;
        let options = if words[0] == "--side" { &words[2..] } else { &[words, &["--side"]].concat()[..] };
        let at = options.iter().position(|word| *word == "--side").unwrap_or(options.len());
        let options = &options[..at];
        let solve = |input: String, format: &str| {
            let run = folder.run_on(input, &[&["solve", "-q", "-f", format], options].concat());
            run.ends(0, &[]).out
        };
        let drawn = solve(puzzles.clone(), "grid");
        assert!(drawn.ends_with("\n\n"), "{drawn}");
        assert_eq!(solve(drawn, "solution"), solve(puzzles, "solution"), "{words:?}");
    }
}
/// Engines that are stuck, or that may not guess, show the candidates that they leave.
#[test]
fn unfinished_grids_have_their_candidates() {
    let folder = Folder::new();
    let marks = folder.run(&["show", "--up-to", "singles", PUZZLE]).ends(0, &[]).out;
    for (word, words) in [
        ("stuck", &["-e", "logic"][..]),
        ("limit", &["-e", "reduce", "--max-guesses", "0"]),
        ("limit", &["-e", "norvig", "--max-guesses", "0"]),
    ] {
        let run = folder.run(&[&["solve", "-q", PUZZLE, "-f", "grid"], words].concat());
        let drawn = run.out.strip_prefix(word).and_then(|rest| rest.strip_prefix("\n"));
        assert_eq!(drawn.map(str::trim_end), Some(marks.trim_end()), "{words:?}");
    }
    // A list that was cut short ends with the word alone.
    let cut = folder
        .run_on("1...............\n", &["solve", "-q", "--all", "--limit", "2", "-f", "grid"])
        .ends(4, &[]);
    assert!(cut.out.ends_with("\n\nlimit\n\n"), "{}", cut.out);
}
