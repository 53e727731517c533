//! `norvig`, `reduce` and `logic`: their figures, their order, and what they answer when they cannot finish a puzzle.
//!
//! The figures come from Norvig's own program (sudoku.py under Python 3.11) with a counter in `search`: each call
//! counts, `search(False)` too. [`Plain`] below is that program again, as plain as in his essay, to compare with on
//! random puzzles.

use galop_engines::Rules;
use galop_engines::grid::candidates;
use galop_engines::puzzle::{Answer, Effort, Limits, Status};
use proptest::prelude::*;

use galop_testing::available::large_set_text;
use galop_testing::engines::{named, new, solve as solve_with};
use galop_testing::puzzles::{Cells, PUZZLE, SOLUTION, cells};

use crate::{peers, solve, thinned, units};

fn all(name: &str, puzzle: &Cells, solutions: u64) -> (Answer, Cells) {
    solve(name, puzzle, Limits::count(solutions))
}

/// Calls, depth, guesses, solutions.
fn figures(answer: Answer) -> (u64, u32, u64, u64) {
    let Effort { calls, depth, guesses, .. } = answer.effort;
    (calls, depth, guesses, answer.solutions)
}

/// 81 blanks.
const BLANK: &str = ".................................................................................";

/// A puzzle, a limit on solutions, and the figures of his program.
const NORVIG: [(&str, u64, (u64, u32, u64, u64)); 16] = [
    // His grid1, which needs no search.
    ("003020600900305001001806400008102900700000008006708200002609500800203009005010300", 2, (1, 0, 0, 1)),
    // His grid2: "we need to look at only 25 possibilities".
    (PUZZLE, 1, (26, 8, 15, 1)),
    (PUZZLE, 2, (101, 8, 50, 1)),
    // The longest of top95.
    (
        "2.3.8....8..7...........1...6.5.7...4......3....1............82.5....6...1.......",
        1,
        (447, 12, 225, 1),
    ),
    (
        "2.3.8....8..7...........1...6.5.7...4......3....1............82.5....6...1.......",
        2,
        (469, 12, 234, 1),
    ),
    // Inkala's puzzle of 2010; one of 17 clues.
    ("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..", 1, (22, 7, 12, 1)),
    ("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..", 2, (57, 9, 28, 1)),
    (
        "......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.",
        1,
        (373, 12, 187, 1),
    ),
    // No solution.
    ("28...5..67..1...9.5...9...4..3....1.........9.48.5...3.......2.....89......6.25..", 1, (3, 1, 1, 0)),
    ("11...............................................................................", 1, (1, 0, 0, 0)),
    // Many solutions, also the empty grid, whose first solution he shows.
    (
        "...34.6.72...8...1..9.....5....5...6..27.....6...2..7.723.....94..5.7...9.8......",
        50,
        (116, 13, 60, 50),
    ),
    ("1...............................................................................1", 1, (44, 43, 43, 1)),
    (
        "1...............................................................................1",
        50,
        (141, 46, 91, 50),
    ),
    (BLANK, 1, (48, 47, 47, 1)),
    (BLANK, 50, (142, 48, 92, 50)),
    // All solutions.
    (
        "..7....2.6.....94....724.1...54..1....1.8.....4.......2..6...71573.....4.6..7...3",
        u64::MAX,
        (1541, 15, 770, 769),
    ),
];

#[test]
fn figures_are_those_of_his_program() {
    for (puzzle, solutions, expected) in NORVIG {
        let (answer, _) = all("norvig", &cells(puzzle), solutions);
        assert_eq!(figures(answer), expected, "{puzzle}, limit {solutions}");
    }
    let first = "123456789456789123789123456231674895875912364694538217317265948542897631968341572";
    assert_eq!(all("norvig", &[0; 81], 1).1, cells(first), "the notebook prints it");
}

/// Calls, depth, guesses and solutions summed over his own files, up to the first solution of each puzzle.
#[test]
fn figures_of_his_files_are_those_of_his_program() {
    let files = [
        ("top95.txt", [(6_222, 760, 3_221, 95), (8_174, 804, 4_197, 95)]),
        ("hardest.txt", [(110, 43, 60, 11), (110, 43, 60, 11)]),
    ];
    for (file, expected) in files {
        let Some(text) = large_set_text(file) else { continue };
        for (name, expected) in ["norvig", "reduce"].into_iter().zip(expected) {
            let mut sums = (0, 0, 0, 0);
            for puzzle in text.lines().map(cells) {
                let (calls, depth, guesses, solutions) = figures(all(name, &puzzle, 1).0);
                sums = (sums.0 + calls, sums.1 + depth, sums.2 + guesses, sums.3 + solutions);
            }
            assert_eq!(sums, expected, "{name}, {file}");
        }
    }
}

/// His program: `assign` and `eliminate`, which call each other, and the search.
struct Plain {
    units: Vec<[usize; 9]>,
    /// The peers of each cell in an arbitrary order, because his are sets.
    peers: Vec<Vec<usize>>,
}

/// The figures and solutions of a search by [`Plain`].
#[derive(Default)]
struct Found {
    effort: Effort,
    solutions: Vec<Cells>,
}

type Values = [u16; 81];

impl Plain {
    /// `seed` chooses the order of the peers.
    fn new(seed: usize) -> Plain {
        let mut units = units();
        let mut peers = peers(&units);
        // His columns come before the rows.
        units[..18].rotate_left(9);
        for peers in &mut peers {
            peers.sort_by_key(|peer| (peer + 1) * (2 * seed + 1) * 7919 % 83);
        }
        Plain { units, peers }
    }

    fn parse(&self, puzzle: &Cells) -> Option<Values> {
        let mut values = [0b1_1111_1111; 81];
        let mut clues = puzzle.iter().enumerate().filter(|&(_, &digit)| digit != 0);
        clues.all(|(cell, &digit)| self.assign(&mut values, cell, 1 << (digit - 1))).then_some(values)
    }

    fn assign(&self, values: &mut Values, cell: usize, digit: u16) -> bool {
        let others = values[cell] & !digit;
        (0..9)
            .map(|place| 1 << place)
            .filter(|other| others & other != 0)
            .all(|other| self.eliminate(values, cell, other))
    }

    fn eliminate(&self, values: &mut Values, cell: usize, digit: u16) -> bool {
        if values[cell] & digit == 0 {
            return true;
        }
        values[cell] &= !digit;
        let left = values[cell];
        if left == 0 {
            return false;
        }
        if left.count_ones() == 1 && !self.peers[cell].iter().all(|&peer| self.eliminate(values, peer, left))
        {
            return false;
        }
        self.units.iter().filter(|unit| unit.contains(&cell)).all(|unit| {
            let places: Vec<usize> =
                unit.iter().copied().filter(|&place| values[place] & digit != 0).collect();
            match places[..] {
                [] => false,
                [place] => self.assign(values, place, digit),
                _ => true,
            }
        })
    }

    /// Whether the search is over.
    fn search(&self, values: Option<Values>, depth: u32, limit: usize, found: &mut Found) -> bool {
        found.effort.calls += 1;
        found.effort.depth = found.effort.depth.max(depth);
        let Some(values) = values else { return false };
        let several = (0..81).filter(|&cell| values[cell].count_ones() > 1);
        let Some(cell) = several.min_by_key(|&cell| (values[cell].count_ones(), cell)) else {
            found.solutions.push(values.map(|digit| digit.trailing_zeros() as u8 + 1));
            return found.solutions.len() >= limit;
        };
        for digit in (0..9).map(|place| 1 << place).filter(|digit| values[cell] & digit != 0) {
            let is_last = values[cell] >> 1 < digit;
            found.effort.guesses += u64::from(!is_last);
            let mut copy = values;
            let next = self.assign(&mut copy, cell, digit).then_some(copy);
            if self.search(next, depth + 1, limit, found) {
                return true;
            }
        }
        false
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Every figure is the same, and every solution in order, for any order of the peers.
    #[test]
    fn the_search_is_that_of_the_plain_program(
        order in Just((0..81).collect::<Vec<usize>>()).prop_shuffle(),
        clues in 20_usize..40,
        wrong in any::<bool>(),
        seed in 0_usize..40,
    ) {
        let puzzle = thinned(&order, clues, wrong);
        let plain = Plain::new(seed);
        let values = plain.parse(&puzzle);
        prop_assert_eq!(values.map(|values| values.map(u64::from).to_vec()), candidates(&Rules::default(), &puzzle));
        // Engines keep the first solution only. Equal figures at each further one show that the order is the same.
        for limit in 1..=5 {
            let mut found = Found::default();
            plain.search(values, 0, limit, &mut found);
            let (answer, first) = all("norvig", &puzzle, limit as u64);
            prop_assert_eq!(answer.effort, found.effort);
            prop_assert_eq!(answer.solutions, found.solutions.len() as u64);
            prop_assert!(found.solutions.first().is_none_or(|solution| *solution == first));
        }
    }

    /// All three infer the same: the same cells are settled, no solution is missed, and `reduce` calls no less often.
    #[test]
    fn logic_candidates_and_reduce_agree(
        order in Just((0..81).collect::<Vec<usize>>()).prop_shuffle(),
        clues in 20_usize..40,
        wrong in any::<bool>(),
    ) {
        let puzzle = thinned(&order, clues, wrong);
        let (answer, grid) = all("logic", &puzzle, 2);
        prop_assert_eq!(answer.effort, Effort::default());
        match candidates(&Rules::default(), &puzzle) {
            None => prop_assert_eq!(answer.status(Limits::UNIQUE), Status::None),
            Some(values) => {
                let settled = values.iter().map(|&values| match values.count_ones() {
                    1 => values.trailing_zeros() as u8 + 1,
                    _ => 0,
                });
                prop_assert!(settled.eq(grid));
                let status = if grid.contains(&0) { Status::Stuck } else { Status::Solved };
                prop_assert_eq!(answer.status(Limits::UNIQUE), status);
                prop_assert_eq!((answer.solutions == 0, answer.gave_up()), (answer.is_stuck(), answer.is_stuck()));
            }
        }
        for solutions in [1, 20] {
            let (norvig, first) = all("norvig", &puzzle, solutions);
            let (reduce, same) = all("reduce", &puzzle, solutions);
            let (dlx, _) = all("dlx", &puzzle, solutions);
            prop_assert_eq!(norvig.solutions, dlx.solutions);
            prop_assert_eq!(reduce.solutions, dlx.solutions);
            prop_assert!(norvig.solutions == 0 || first == same);
            prop_assert!(reduce.effort.calls >= norvig.effort.calls);
        }
    }
}

#[test]
fn a_limit_on_guesses_cuts_the_same_search_short() {
    let puzzle = cells(NORVIG[1].0);
    for name in ["norvig", "reduce"] {
        let whole = all(name, &puzzle, 1).0;
        let mut calls = 0;
        for guesses in 0..whole.effort.guesses {
            let cut = solve(name, &puzzle, Limits::ANY.with_guesses(guesses)).0;
            assert_eq!((cut.gave_up(), cut.solutions, cut.effort.guesses), (true, 0, guesses), "{name}");
            assert!(cut.effort.calls >= calls && cut.effort.calls < whole.effort.calls, "{name} {cut:?}");
            calls = cut.effort.calls;
        }
        let limits = Limits::ANY.with_guesses(whole.effort.guesses);
        assert_eq!(solve(name, &puzzle, limits).0, whole, "{name}");
    }
}

#[test]
fn logic_finishes_what_singles_finish() {
    let (answer, grid) = all("logic", &cells(NORVIG[0].0), 2);
    assert_eq!((answer.status(Limits::UNIQUE), answer.solutions), (Status::Solved, 1));
    assert_eq!(grid[..9], [4, 8, 3, 9, 2, 1, 6, 5, 7]);
    // His second example: three cells are found besides the seventeen clues, as his display shows.
    let (answer, grid) = all("logic", &cells(NORVIG[1].0), 1);
    assert_eq!((answer.is_stuck(), answer.gave_up(), answer.solutions), (true, true, 0));
    assert_eq!(grid.iter().filter(|&&digit| digit != 0).count(), 20);
    assert_eq!((grid[9 * 5 + 1], grid[9 * 6 + 8], grid[9 * 7 + 2]), (4, 0, 3));
    // A stuck puzzle does not disturb the next one.
    let puzzles = [cells(NORVIG[1].0), cells(SOLUTION), [9; 81], cells(NORVIG[0].0)];
    let found = solve_with(new(named("logic")).as_mut(), &puzzles, Limits::UNIQUE);
    let statuses: Vec<Status> = found.iter().map(|(answer, _)| answer.status(Limits::UNIQUE)).collect();
    assert_eq!(statuses, [Status::Stuck, Status::Solved, Status::None, Status::Solved]);
}

#[test]
fn candidates_need_a_puzzle_of_the_rules() {
    let rules = Rules::default();
    assert_eq!(candidates(&rules, &[0; 81]), Some(vec![0o777; 81]));
    for wrong in [&[0; 80][..], &[], &[10; 81], &[255; 81], &[1; 81]] {
        assert_eq!(candidates(&rules, wrong), None);
    }
}

/// Singles finish 21,905 of Royle's 49,151 puzzles with 17 clues: less than half.
#[test]
fn singles_finish_less_than_half_of_the_17_clue_puzzles() {
    let Some(text) = large_set_text("17_clue.txt") else { return };
    let puzzles: Vec<Cells> = text.lines().map(cells).collect();
    let found = solve_with(new(named("logic")).as_mut(), &puzzles, Limits::UNIQUE);
    let of = |status| found.iter().filter(|(answer, _)| answer.status(Limits::UNIQUE) == status).count();
    assert_eq!((of(Status::Solved), of(Status::Stuck)), (21_905, 27_246));
}
