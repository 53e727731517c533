//! `galop show`: frames, solutions beside puzzles, and Norvig's display byte for byte.

use crate::program::{Folder, Run, run_on};
use galop_testing::puzzles::{IMPOSSIBLE, PUZZLE, SOLUTION, cells, contradictory};

/// The first example of <https://norvig.com/sudoku.html>.
const ONE: &str = "003020600900305001001806400008102900700000008006708200002609500800203009005010300";

/// What `display(parse_grid(grid1))` and `display(parse_grid(grid2))` print in Norvig's program (Python 3.11).
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

fn run(input: &str, words: &[&str]) -> Run {
    run_on(input, &[&["show"], words].concat())
}

#[test]
fn a_puzzle_is_drawn_from_an_argument_a_pipe_and_a_file() {
    let folder = Folder::with(&[("in.txt", &format!("# one\n{PUZZLE}"))]);
    let show = |input: &str, words: &[&str]| folder.run_on(input, &[&["show"], words].concat());
    for (input, words) in [("", &[PUZZLE][..]), (PUZZLE, &[]), (PUZZLE, &["-"]), ("", &["in.txt"])] {
        let run = show(input, words);
        assert_eq!((run.code, &*run.out, &*run.err), (Some(0), FRAMED_TWO, ""), "{words:?}");
    }
    // Blanks of every kind are drawn as dots. A word that names a file is a file, whatever else it looks like.
    assert_eq!(run("", &[&PUZZLE.replace('.', "0")]).out, FRAMED_TWO);
    folder.write(PUZZLE, format!("{SOLUTION}\n"));
    assert!(show("", &[PUZZLE]).out.contains("| 4 1 7 | 3 6 9 | 8 2 5 |"));
}

#[test]
fn a_solution_is_drawn_beside_its_puzzle() {
    let solved = run(SOLUTION, &[]).out;
    let beside: String =
        FRAMED_TWO.lines().zip(solved.lines()).map(|(one, two)| format!("{one}   {two}\n")).collect();
    let pair = format!("{PUZZLE},{SOLUTION}");
    assert_eq!(run(&pair, &[]).out, beside);
    assert_eq!(run("", &[&pair]).out, beside);
    assert_eq!(run(&format!("id,solution,puzzle\n7,{SOLUTION},{PUZZLE}\n"), &[]).out, beside);
    // A status word or any other field is not a grid.
    for word in ["none", "stuck", "ED=11.9", "4"] {
        assert_eq!(run(&format!("{PUZZLE},{word}"), &[]).out, FRAMED_TWO, "{word}");
    }
}

#[test]
fn records_are_separated_by_a_blank_line() {
    let three = [FRAMED_TWO; 3].join("\n");
    assert_eq!(run(&format!("{PUZZLE}\n\n# comment\n{PUZZLE}\n"), &[PUZZLE, "-"]).out, three);
    assert_eq!(run("", &[]).out, "");
}

#[test]
fn candidates_are_displayed_as_in_norvigs_program() {
    let run = run(&format!("{ONE}\n{PUZZLE}\n"), &["--up-to", "singles"]);
    assert_eq!((run.code, &*run.out), (Some(0), DISPLAYS));
    let rules = galop_engines::Rules::default();
    let values = galop_engines::grid::candidates(&rules, &cells(PUZZLE)).unwrap();
    assert!(DISPLAYS.ends_with(&galop_batch::output::display(&values, &rules)));
}

#[test]
fn candidates_are_the_pencil_marks_of_the_clues() {
    let text = run(PUZZLE, &["--candidates"]).ends(0, &[]).out;
    let marks = galop_explain::Position::new(&galop_engines::Rules::default(), &cells(PUZZLE)).marks;
    assert_eq!(text, galop_batch::output::display(&marks, &galop_engines::Rules::default()));
    // Singles eliminate 1 from row 1, column 6: the 1 of block 4 is in column 6.
    assert!(text.lines().next().unwrap().contains(" 1269 "), "{text}");
    assert!(!DISPLAYS.contains(" 1269 "));
}

/// Each group leaves the candidates of the one before, or fewer.
#[test]
fn harder_techniques_leave_fewer_candidates() {
    let pair = "......9...63.7.....7.1356.......3.46......38...9.84...327...5........41.1...52...";
    let locked = ".4.9.8.2.........3.5..3..69..2.6...45...2.6.74...8..1..2.6..3..81.24......3......";
    let count = |puzzle: &str, words: &[&str]| {
        run(puzzle, words).ends(0, &[]).out.bytes().filter(u8::is_ascii_digit).count()
    };
    let groups = |puzzle: &str| -> Vec<usize> {
        galop_explain::groups().map(|(name, _)| count(puzzle, &["--up-to", name])).collect()
    };
    for puzzle in [pair, locked] {
        let groups = groups(puzzle);
        assert!(groups.is_sorted_by(|one, other| one >= other), "{groups:?}");
        assert!(groups[0] < count(puzzle, &["-c"]));
        assert_eq!(groups.last(), Some(&81));
    }
    let (pair, locked) = (groups(pair), groups(locked));
    assert!(locked[0] > locked[1] && locked[1] == 81 && pair[1] > pair[2] && pair[2] == 81);
    run("", &["--up-to", "magic"]).ends(2, &["possible values: singles, locked, pairs"]);
}

#[test]
fn contradictions_are_reported() {
    let run = run(&format!("{}\n{PUZZLE}\n", contradictory()), &["-c"]);
    assert_eq!(run.code, Some(0), "a contradiction is an answer");
    let (first, rest) = run.out.split_once("\n\n").unwrap();
    assert!(first.starts_with("contradiction: ") && !first.contains('\n'), "{first}");
    assert!(rest.starts_with("   4 "), "{rest}");
    let after = run_on(IMPOSSIBLE, &["show", "--up-to", "pairs"]).ends(0, &[]).out;
    assert_eq!(after, "contradiction: no cell of column 5 is left for 6\n\n");
}

#[test]
fn malformed_records_are_reported_as_by_solve() {
    let text = format!("{}{PUZZLE}\n", "# c\nwrong\n".repeat(12));
    let run = run(&text, &[]);
    assert_eq!((run.code, &*run.out), (Some(1), FRAMED_TWO));
    assert_eq!(run.err, run_on(text, &["solve", "-q"]).err);
    assert!(run.err.starts_with("<stdin>:2:1: unexpected `w`"), "{}", run.err);
}

#[test]
fn a_word_that_is_neither_a_file_nor_a_puzzle_ends_with_2() {
    for words in [&["missing.txt"][..], &[&PUZZLE[1..]], &["-", "-"], &[&SOLUTION.replace('4', "a")]] {
        let run = run("", words);
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{words:?}");
    }
    assert!(run("", &["missing.txt"]).err.contains("missing.txt: cannot read"));
}

/// Lines are counted through the chunks of a long input.
#[test]
fn long_inputs_are_read_to_the_end() {
    let text = format!("{PUZZLE}\n").repeat(2_000) + "wrong\n" + PUZZLE;
    let run = run(&text, &[]);
    assert_eq!(run.out, [FRAMED_TWO; 2_001].join("\n"));
    assert!(run.err.starts_with("<stdin>:2001:1: "), "{}", run.err);
}
