//! `galop explain`: steps as text, as JSON and drawn, what the end is, and what is refused.

use crate::program::{Folder, Run, run_on};
use galop_testing::puzzles::{IMPOSSIBLE, PUZZLE, SOLUTION, contradictory, open_puzzle};

/// A puzzle that singles solve.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// One that needs a unique rectangle where uniqueness is given.
const RECTANGLE: &str = "......7...2.8.56..5....6..4.....25....71..8...3......289..4..151.3..8.2....6.....";

fn run(input: &str, words: &[&str]) -> Run {
    run_on(input, &[&["explain"], words].concat())
}

#[test]
fn each_step_is_a_line() {
    let text = run("", &[EASY]).ends(0, &[]).out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("{EASY}: 30 clues, 12 hidden singles at the start"));
    assert_eq!(lines[1], "  1. hidden single: r1c6=8, the only cell for 8 in block 2");
    // A line for each blank, then the solution, the level and the counts.
    assert_eq!(lines.len(), 1 + 51 + 3);
    let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    assert_eq!(lines[52], format!("solved: {solution}"));
    assert_eq!(lines[53], "level easy, hardest technique hidden single, score 1.5");
    assert!(
        lines[54].starts_with("51 steps: full house ") && lines[54].contains(", hidden single "),
        "{text}"
    );
    // A file, a pipe, and several puzzles with a blank line between them.
    let folder = Folder::with(&[("in.txt", &format!("{EASY}\n{EASY}\n"))]);
    assert_eq!(folder.run(&["explain", "in.txt"]).ends(0, &[]).out, format!("{text}\n{text}"));
    assert_eq!(run(EASY, &["-"]).out, text);
}

#[test]
fn json_has_an_object_for_each_step_and_one_with_the_figures() {
    let text = run("", &["--format", "json", PUZZLE]).ends(0, &[]).out;
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (figures, steps) = objects.split_last().unwrap();
    assert_eq!(figures["cells"], SOLUTION);
    assert_eq!((&figures["puzzle"], &figures["end"]), (&PUZZLE.into(), &"solved".into()));
    assert_eq!((figures["clues"].as_u64(), figures["contradiction"].is_null()), (Some(17), true));
    let counts: u64 =
        figures["steps"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counts, steps.len() as u64);
    let mut placed = 0;
    for step in steps {
        let keys: Vec<&String> = step.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["because", "chains", "eliminates", "known_as", "places", "technique"]);
        for candidate in
            ["because", "eliminates", "places"].iter().flat_map(|key| step[key].as_array().unwrap())
        {
            let numbers: Vec<u64> =
                candidate.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
            assert!(numbers.len() == 3 && numbers.iter().all(|number| (1..=9).contains(number)));
        }
        for candidate in step["places"].as_array().unwrap() {
            let [row, column, symbol] = [0, 1, 2].map(|at: usize| candidate[at].as_u64().unwrap() as usize);
            assert_eq!(SOLUTION.as_bytes()[9 * (row - 1) + column - 1], b'0' + symbol as u8);
            placed += 1;
        }
    }
    assert_eq!(placed, 81 - 17);
}

#[test]
fn each_step_is_drawn() {
    let text = run("", &["--draw", "--up-to", "singles", EASY]).ends(0, &[]).out;
    let grid: Vec<&str> = text.split("\n\n").nth(1).unwrap().lines().collect();
    assert_eq!(grid.len(), 11);
    assert!(grid[0].contains("=8"), "{text}");
    run("", &["--draw", "--format", "json", EASY]).ends(2, &["cannot be used with"]);
}

#[test]
fn impossible_puzzles_end_in_the_shortest_contradiction() {
    let text = run("", &[IMPOSSIBLE]).ends(0, &[]).out;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[1..],
        [
            "  1. hidden pair: r8c5<>236789, r9c5<>2346789, because 1 and 5 have no other cells in column 5 than r8c5, r9c5",
            "no solution: no cell of column 5 is left for 6",
            "level hard, hardest technique hidden pair, score 3.4",
            "1 step: hidden pair 1",
        ]
    );
    let text = run("", &[&contradictory()]).ends(0, &[]).out;
    let twice = "no solution: 1 occurs twice in row 1: in row 1, column 1 and in row 1, column 2";
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), [twice]);
    let figures = run("", &["-f", "json", &contradictory()]).ends(0, &[]).out;
    assert!(figures.contains(r#""end":"none""#) && figures.contains("1 occurs twice in row 1"), "{figures}");
}

#[test]
fn several_solutions_and_techniques_that_do_not_suffice() {
    let text = run("", &[&open_puzzle()]).ends(0, &[]).out;
    assert!(text.contains("\nseveral solutions: "), "{text}");
    let text = run("", &["--up-to", "locked", RECTANGLE]).ends(0, &[]).out;
    assert!(text.contains("\nstuck: ") && !text.contains("pair"), "{text}");
    let text = run("", &["--up-to", "locked", PUZZLE]).ends(0, &[]).out;
    assert!(text.contains("\nlevel medium, hardest technique pointing, score 2.6\n"), "{text}");
}

#[test]
fn techniques_that_rely_on_uniqueness_need_an_option() {
    assert!(!run("", &[RECTANGLE]).ends(0, &[]).out.contains("unique rectangle"));
    let text = run("", &["--assume-unique", RECTANGLE]).ends(0, &[]).out;
    let step = text.lines().find(|line| line.contains(". unique rectangle type ")).unwrap();
    assert!(step.ends_with("and the puzzle is known to have one solution"), "{step}");
}

#[test]
fn techniques_can_be_excluded() {
    // Other techniques find what pointing finds.
    let all = run("", &[PUZZLE]).ends(0, &[]).out;
    assert!(all.contains(". pointing: "), "{all}");
    let text = run("", &["--without", "pointing,claiming", PUZZLE]).ends(0, &[]).out;
    assert!(!text.contains(". pointing: ") && !text.contains(". claiming: "), "{text}");
    assert!(text.contains("\nsolved: "), "{text}");
    let printed = run("", &["--without", "full house", "--without", "hidden-single,naked-single", PUZZLE]);
    assert!(!printed.ends(0, &[]).out.contains("single: "));
    run("", &["--without", "magic", PUZZLE]).ends(2, &["the techniques are full house, hidden single, "]);
}

#[test]
fn other_kinds_and_alphabets() {
    let folder = Folder::new();
    let puzzle = format!("0123456789ABCDE.{}", ".".repeat(240));
    let text =
        folder.run(&["explain", "--alphabet", "0-9A-F", "--up-to", "singles", &puzzle]).ends(0, &[]).out;
    assert!(text.contains("  1. full house: r1c16=F, the last cell of row 1\n"), "{text}");
    let text = folder.run(&["explain", "--kind", "latin", "123.2...3...4..."]).ends(0, &[]).out;
    assert!(text.contains("r1c4=4, the last cell of row 1"), "{text}");
}

#[test]
fn malformed_records_are_named() {
    let run = run(&format!("wrong\n{EASY}\n"), &[]).ends(1, &["<stdin>:1:1: unexpected `w`"]);
    assert!(run.out.starts_with(EASY), "{}", run.out);
    run_on("", &["explain", "missing.txt"]).ends(2, &["missing.txt: cannot read"]);
    run_on("", &["explain", "--up-to", "magic"]).ends(2, &["possible values: singles, locked"]);
}
