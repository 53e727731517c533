//! `singles` and `strategies` against the figures that Sinai publishes, and the figures of his programs.
//!
//! The calls and depths of single puzzles are those that his post's program and his repository's (commit 068e1ca)
//! print under Python 3.11.

use galop_engines::puzzle::{Answer, Limits, Status};

use galop_testing::puzzles::{Cells, IMPOSSIBLE, cells, digits};

const INKALA: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// No. 404 of Stuart's weekly unsolvables, from Sinai's repository.
const UNSOLVABLE_404: &str =
    "400009200000010080005400006004200001050030060700005300500007600090060000002800007";
/// Impossible at a glance: the 5s of the second and third block leave no cell of the first for 5.
const EXCLUDED: &str = "12.......34...............5...........5..........................................";
/// Two 1s in row 1.
const TWICE: &str = "11.......34...............5......................................................";

/// A puzzle, and for each of the two engines five figures: calls and depth up to the first solution, calls and depth
/// for all solutions, and their number.
#[rustfmt::skip]
const EXPECTED: &[(&str, [[u64; 5]; 2])] = &[
    ("9...3...2.......38.4..........4.51..7........3.........6.5..9........71....2.....", [[33, 7, 37, 7, 1], [1, 0, 1, 0, 1]]),
    ("...1.5....32........8..........2..8.4....7.........53.1..2....4.5....6......3....", [[4, 1, 4, 1, 1], [1, 0, 1, 0, 1]]),
    ("3...4.......7...2.......5...82....6.....3..4......1...4.....3.9.5.2...........1..", [[3, 1, 3, 1, 1], [1, 0, 1, 0, 1]]),
    ("2..4..1..6..................53.8.....8..5..2.......4...9....3.81..6........2.....", [[16, 5, 17, 5, 1], [1, 0, 1, 0, 1]]),
    (".....65..7..4.....1..............85.4..7...........6.....13...7.8....2...5.6.....", [[2, 1, 3, 1, 1], [1, 0, 1, 0, 1]]),
    ("1..7..4..6.5......3.........2....8.7....63....9...........5..3....1..7.....9.....", [[3, 2, 25, 6, 1], [1, 0, 1, 0, 1]]),
    ("......7....71.9...68..7......1.9.8..8.......4.4.....2...8.6.1..5..2....3...9.3.5.", [[325, 11, 361, 11, 1], [291, 11, 327, 11, 1]]),
    ("...4...8...7..9....8..3.1..2.....9..7....53...3..6..1..6..9...15....46....2....9.", [[527, 14, 635, 14, 1], [343, 16, 399, 16, 1]]),
    (".2.4...8......9..2..9.3............5..8..7....4.5..82...46..21.6.21..4...1......8", [[1147, 15, 1791, 17, 1], [578, 14, 717, 14, 1]]),
    ("12.3.....34....1....5......6.24..5......6..7......8..6..42..3......7...9.....9.8.", [[510, 13, 551, 13, 1], [6, 4, 120, 9, 1]]),
    (".6.....8...1...9..2.59.4.6.......72......83.66.2.1...81...5.2......37.59..6.4....", [[7, 4, 9, 4, 1], [6, 3, 7, 3, 1]]),
    ("3954....7..2...4..4..65.2...7.94.36.........1....62.45....1..9..3.......6..293...", [[3, 1, 3, 1, 1], [1, 0, 1, 0, 1]]),
    (".4......69....4.7...6..2.1538...1...1...5...2.....9.5...92....3.......84....957..", [[3, 2, 7, 2, 1], [3, 2, 7, 2, 1]]),
    (".95.76.....784...5..6.....114.....5.3...98........7.3.72..6..........6...5.9.....", [[4, 3, 17, 4, 9], [4, 3, 17, 4, 9]]),
    (".1....9285...8..1..4.......2..9..63...3.5..9.....13....8......472..9........7..6.", [[8, 7, 63, 9, 30], [8, 7, 63, 9, 30]]),
    ("..4593.1...8......31..2........1.9.........4....475.3.6..738....8...26...93......", [[8, 6, 29, 9, 9], [7, 5, 25, 8, 9]]),
    ("..2...........2..9674.....8..6.3....9.......3.4..5..6....6...5..2..8.71....37....", [[12, 9, 573, 17, 259], [8, 7, 529, 13, 259]]),
    ("9....7.4..6.....38..5..89...9.1...85........3....6.1..1..9.6...2...3...453..7...9", [[15, 4, 15, 4, 0], [11, 4, 11, 4, 0]]),
    ("82.9...........4..7......6....3.7..85.74.16.....8...5.4.5..3....9...8..31..7.....", [[23, 9, 23, 9, 0], [13, 4, 13, 4, 0]]),
    ("81.7.......7..........6.9..4....95......8..2.2..14...3..34....1....9..38.....275.", [[9, 3, 9, 3, 0], [9, 3, 9, 3, 0]]),
];

fn solve(name: &str, puzzle: &str, limits: Limits) -> (Answer, Cells) {
    crate::solve(name, &cells(puzzle), limits)
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

#[test]
fn single_puzzles_take_the_calls_of_his_programs() {
    for (puzzle, expected) in EXPECTED {
        for (name, [calls, depth, all_calls, all_depth, solutions]) in
            ["singles", "strategies"].iter().zip(expected)
        {
            assert_eq!(effort(name, puzzle), (*calls, *depth as u32), "{name} {puzzle}");
            let (all, _) = solve(name, puzzle, Limits::ALL);
            let found = [all.effort.calls, u64::from(all.effort.depth), all.solutions];
            assert_eq!(found, [*all_calls, *all_depth, *solutions], "{name} {puzzle}");
        }
    }
}

/// With its first clue blanked the puzzle has 59 solutions. Both engines find them in his order.
#[test]
fn solutions_are_found_in_his_order() {
    let puzzle = UNSOLVABLE_404.replacen('4', "0", 1);
    for (name, calls, first) in
        [("singles", 247, "816379254423516789975482136"), ("strategies", 205, "176389254243516789985472136")]
    {
        let (answer, solution) = solve(name, &puzzle, Limits::ALL);
        assert_eq!((answer.solutions, answer.effort.calls, answer.effort.depth), (59, calls, 11), "{name}");
        assert_eq!(digits(&solution[..27]), first, "{name}");
        // A limit cuts the same search short.
        let (answer, cut) = solve(name, &puzzle, Limits::count(10));
        assert!(answer.solutions == 10 && answer.effort.calls < calls && cut == solution, "{name}");
    }
}

#[test]
fn a_puzzle_seen_to_be_impossible_takes_no_call() {
    for (puzzle, names) in [
        (EXCLUDED, &["singles", "strategies"][..]),
        (TWICE, &["singles", "strategies"]),
        (IMPOSSIBLE, &["strategies"]),
    ] {
        for name in names {
            let (answer, _) = solve(name, puzzle, Limits::UNIQUE);
            assert_eq!(answer, Answer::complete(0), "{name} {puzzle}");
            assert_eq!(answer.status(Limits::UNIQUE), Status::None);
        }
    }
}
