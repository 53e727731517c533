//! `singles` and `strategies` against the figures that Sinai publishes, and those of his programs.
//!
//! Where a test names calls and depths of single puzzles, they are what his post's program and his repository's
//! (commit 068e1ca) print under CPython 3.11.

#![allow(clippy::unwrap_used)]

use std::fs;

use galop::rules::Verifier;
use galop::{Answer, Answers, Impossible, Isa, Limits, Puzzles, Rules, Status, UnitName, check, engine};

const INKALA: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
const IMPOSSIBLE: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
/// The README's: 411 solutions without its first clue.
const UNSOLVABLE_404: &str =
    "400009200000010080005400006004200001050030060700005300500007600090060000002800007";
/// Impossible by a short look: the 5s of the second and third block leave no place in the first.
const EXCLUDED: &str = "12.......34...............5...........5..........................................";
const TWICE: &str = "11.......34...............5......................................................";

fn cells(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
}

fn solve(name: &str, puzzle: &str, limits: Limits) -> (Answer, Vec<u8>) {
    let rules = Rules::sudoku();
    let (puzzle, mut solution, mut answer) = (cells(puzzle), vec![0; 81], [Answer::default()]);
    let mut engine = (engine(name).unwrap().make)(&rules, Isa::best()).unwrap();
    engine.solve(Puzzles::new(&puzzle, 81), limits, &mut Answers::new(&mut solution, &mut answer, 81));
    if answer[0].solutions > 0 {
        assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()), "{name}");
    }
    (answer[0], solution)
}

/// Calls and depth up to the first solution.
fn effort(name: &str, puzzle: &str) -> (u64, u32) {
    let (answer, _) = solve(name, puzzle, Limits::ANY);
    (answer.effort.calls, answer.effort.depth)
}

#[test]
fn inkalas_puzzle_takes_39_calls_10_deep() {
    assert_eq!(effort("singles", INKALA), (39, 10));
    assert_eq!(effort("strategies", INKALA), (39, 10));
}

/// The files of the project's shared folder, where it is there: means to the one decimal of the post.
#[test]
fn norvigs_files_take_the_published_calls() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/");
    for (name, file, sum, most) in [
        ("singles", "hardest.txt", 172, 55),
        ("singles", "top95.txt", 8_831, 588),
        ("strategies", "hardest.txt", 128, 74),
        ("strategies", "top95.txt", 1_298, 129),
    ] {
        let Ok(text) = fs::read_to_string(format!("{folder}{file}")) else { continue };
        let calls: Vec<u64> = text.lines().map(|line| effort(name, line).0).collect();
        assert_eq!(calls.iter().sum::<u64>(), sum, "{name}, {file}");
        assert_eq!(calls.iter().max(), Some(&most), "{name}, {file}");
    }
}
