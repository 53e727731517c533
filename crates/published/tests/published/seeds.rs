//! The solvers of the posts that galop rebuilds, retyped as they were printed, and compared with the engines.

use galop_engines::puzzle::{Limits, Status};
use proptest::prelude::*;

use galop_testing::engines::named;
use galop_testing::puzzles::{Cells, PUZZLE, SOLUTION, cells};

use crate::{peers, solve, thinned, units};

/// Yeo's program ("Solving Sudoku Programmatically"), with a counter in `search`. A set of values is bits.
struct Yeo {
    units: Vec<[usize; 9]>,
    peers: Vec<Vec<usize>>,
    calls: u64,
    depth: u32,
}

impl Yeo {
    fn new() -> Yeo {
        let units = units();
        Yeo { peers: peers(&units), units, calls: 0, depth: 0 }
    }

    fn eliminate(&self, values: &mut [u16; 81]) {
        // The program walks `values.items()` while it changes the values: each is read when its turn comes.
        for cell in 0..81 {
            let value = values[cell];
            if value.count_ones() == 1 {
                self.peers[cell].iter().for_each(|&peer| values[peer] &= !value);
            }
        }
    }

    fn only_choice(&self, values: &mut [u16; 81]) {
        for unit in &self.units {
            for digit in (0..9).map(|digit| 1 << digit) {
                let places: Vec<usize> =
                    unit.iter().copied().filter(|&cell| values[cell] & digit != 0).collect();
                if let [cell] = places[..] {
                    values[cell] = digit;
                }
            }
        }
    }

    fn reduce_puzzle(&self, values: &mut [u16; 81]) {
        let solved = |values: &[u16; 81]| values.iter().filter(|values| values.count_ones() == 1).count();
        loop {
            let before = solved(values);
            self.eliminate(values);
            self.only_choice(values);
            if solved(values) == before {
                break;
            }
        }
    }

    fn search(&mut self, mut values: [u16; 81], depth: u32) -> Option<[u16; 81]> {
        self.calls += 1;
        self.depth = self.depth.max(depth);
        self.reduce_puzzle(&mut values);
        if values.contains(&0) {
            return None;
        }
        let open = (0..81).filter(|&cell| values[cell].count_ones() > 1);
        let Some(cell) = open.min_by_key(|&cell| (values[cell].count_ones(), cell)) else {
            return Some(values);
        };
        (0..9).map(|digit| 1 << digit).filter(|digit| values[cell] & digit != 0).find_map(|digit| {
            let mut copy = values;
            copy[cell] = digit;
            self.search(copy, depth + 1)
        })
    }

    /// Calls, depth and the solution.
    fn solve(&mut self, puzzle: &Cells) -> (u64, u32, Option<Cells>) {
        (self.calls, self.depth) = (0, 0);
        let values = puzzle.map(|digit| if digit == 0 { 0o777 } else { 1 << (digit - 1) });
        let found = self.search(values, 0);
        (self.calls, self.depth, found.map(|values| values.map(|digit| digit.trailing_zeros() as u8 + 1)))
    }
}

/// Calls, depth and the solution of an engine.
fn first(name: &str, puzzle: &Cells) -> (u64, u32, Option<Cells>) {
    let (answer, solution) = solve(name, puzzle, Limits::ANY);
    (answer.effort.calls, answer.effort.depth, (answer.solutions > 0).then_some(solution))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn reduce_is_the_printed_program(
        order in Just((0..81).collect::<Vec<usize>>()).prop_shuffle(),
        clues in 17_usize..40,
        wrong in any::<bool>(),
    ) {
        let puzzle = thinned(&order, clues, wrong);
        prop_assert_eq!(first("reduce", &puzzle), Yeo::new().solve(&puzzle));
    }
}

/// `satisfy` of the post ("Sudoku solver", 2010), started at the first cell and without the second walk at the end.
fn satisfy(cell: usize, grid: &mut Cells, calls: &mut u64, deepest: &mut usize) -> bool {
    if cell == 81 {
        return true;
    }
    *calls += 1;
    *deepest = cell.max(*deepest);
    if grid[cell] != 0 {
        return satisfy(cell + 1, grid, calls, deepest);
    }
    let conflicts = |other: usize| {
        other / 9 == cell / 9
            || other % 9 == cell % 9
            || (other / 27, other % 9 / 3) == (cell / 27, cell % 9 / 3)
    };
    for value in 1..=9 {
        if (0..81).any(|other| conflicts(other) && grid[other] == value) {
            continue;
        }
        grid[cell] = value;
        if satisfy(cell + 1, grid, calls, deepest) {
            return true;
        }
        grid[cell] = 0;
    }
    false
}

#[test]
fn satisfy_counts_its_calls() {
    let mut puzzles = vec![[0; 81], cells(SOLUTION)];
    for (at, blanks) in [(0, 30), (20, 45), (40, 81)] {
        let mut puzzle = cells(SOLUTION);
        puzzle[at..blanks].fill(0);
        puzzles.push(puzzle);
        puzzle[80] = puzzle[79] % 9 + 1;
        puzzles.push(puzzle);
    }
    let mut compared = 0;
    for puzzle in puzzles {
        let (mut grid, mut calls, mut deepest) = (puzzle, 0, 0);
        let is_solved = satisfy(0, &mut grid, &mut calls, &mut deepest);
        let found = first("satisfy", &puzzle);
        // The engine sees clues that contradict each other before it starts. The program does not look at them.
        if found.0 > 0 {
            assert_eq!(found, (calls, deepest as u32, is_solved.then_some(grid)));
            compared += 1;
        }
    }
    assert!(compared >= 5 && named("backtrack").counts_calls, "{compared}");
}

/// The engines decide Norvig's impossible puzzle within their default limits, as the published programs do.
#[test]
fn the_default_limit_of_reduce_is_beyond_norvigs_impossible_puzzle() {
    // 4,253,128 guesses: the test must not take that long, so it looks at the limit, and at a puzzle.
    assert!(named("reduce").max_guesses > 4_253_128);
    let limits = Limits::ANY.with_guesses(named("reduce").max_guesses);
    assert_eq!(solve("reduce", &cells(PUZZLE), limits).0.status(limits), Status::Solved);
}
