//! Sweeps against lists, and short runs against dancing links.

use std::cell::Cell;

use galop_simd::{Portable, Simd};
use galop_testing::puzzles::{LONG_TAILS, cells};
use proptest::prelude::*;

use super::blocks::{Blocks, Large, Small};
use super::infer::{Contradiction, Infer};
use super::lists::Lists;
use super::sweep::Sweeps;
use super::word::Word;
use super::*;
use crate::engine::{DLX, Search, Stopwatch};
use crate::grid::{JIGSAW, KINDS, Regions, Verifier, WINDOKU};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Every kind of grid of these sides.
fn rules(sides: &[usize]) -> Vec<Rules> {
    let maps = [
        "aabbaabbccddccdd",
        "aaabbaabbbccdddcccddeeeee",
        "aabbbccccaabbbccccaabbbddcfaaadddddfeeegggdffeeegggdffeeeggghffiiiihhhhfiiiiihhhh",
    ];
    let mut all = Vec::new();
    for kind in KINDS {
        for side in kind.sides().into_iter().filter(|side| sides.contains(side)) {
            let map =
                maps.iter().map(|map| Regions::read(map.as_bytes()).unwrap()).find(|map| map.side() == side);
            all.extend(Rules::new(kind, side, map.as_ref()));
        }
    }
    all
}

/// A solution with its symbols and, seldom, a cell changed, of which the cells are kept that `keep` has.
fn puzzle(rules: &Rules, keep: &[bool], shift: u8, wrong: Option<usize>) -> Vec<u8> {
    let cells = rules.grid().cells();
    let mut solution = vec![0; cells];
    let found = lists(rules, restart::first_run(cells)).search(&vec![0; cells], Limits::ANY, &mut solution);
    assert_eq!(found.solutions, 1, "{}", rules.name());
    let symbols = rules.grid().symbols();
    let mut puzzle: Vec<u8> =
        solution.iter().map(|&symbol| (symbol - 1 + shift % symbols) % symbols + 1).collect();
    if let Some(wrong) = wrong {
        puzzle[wrong % cells] = puzzle[(wrong + 1) % cells];
    }
    puzzle.iter_mut().zip(keep.iter().cycle()).for_each(|(symbol, &keep)| *symbol *= u8::from(keep));
    puzzle
}

/// What lists and sweeps infer from the same clues.
fn infer_alike<S: Simd, B: Blocks, const W: usize, const H: usize, const N: usize>(puzzle: &[u8]) {
    let rules = Rules::sudoku(N).unwrap();
    let all = u32::MAX >> (32 - N);
    let bits = |symbol: u8| if symbol == 0 { all } else { 1 << (symbol - 1) };

    let mut lists = Lists::<Portable>::new(rules.grid());
    let mut listed = vec![all; N * N];
    listed.iter_mut().zip(puzzle).for_each(|(values, &symbol)| *values = bits(symbol));
    lists.start(&listed);
    let is_possible = lists.propagate(&mut listed).is_ok();

    let mut sweeps = Sweeps::<S, B, W, H, N>::new(&[]);
    let cells = Sweeps::<S, B, W, H, N>::cells();
    let mut swept = vec![B::Word::default(); Sweeps::<S, B, W, H, N>::SLOTS];
    cells
        .iter()
        .zip(puzzle)
        .for_each(|(&slot, &symbol)| swept[usize::from(slot)] = B::Word::of(bits(symbol)));
    // Two cells settled alike are seen at once by lists, later by sweeps.
    assert!(sweeps.propagate(&mut swept).is_ok() || !is_possible, "{puzzle:?}");
    if is_possible {
        let swept: Vec<u32> = cells.iter().map(|&slot| swept[usize::from(slot)].into()).collect();
        assert_eq!(swept, listed, "{puzzle:?}");
        let mut pairs = Vec::new();
        let words: Vec<B::Word> = vec![B::Word::of(all); B::LANES * N];
        assert!(!sweeps.pairs(&words, &mut pairs));
    }
}

/// With every instruction set of this machine.
fn infer_alike_everywhere<const W: usize, const H: usize, const N: usize>(puzzle: &[u8]) {
    struct Test<'a, const W: usize, const H: usize, const N: usize>(&'a [u8]);

    impl<const W: usize, const H: usize, const N: usize> Job for Test<'_, W, H, N> {
        type Output = ();

        fn run<S: Simd>(self) {
            if N <= 16 {
                infer_alike::<S, Small<S::Quad>, W, H, N>(self.0);
            } else {
                infer_alike::<S, Large<S::Quad>, W, H, N>(self.0);
            }
        }
    }

    for isa in galop_testing::available::isas() {
        assert_eq!(isa.run(Test::<W, H, N>(puzzle)), Ok(()));
    }
}

fn clues() -> impl Strategy<Value = Vec<bool>> {
    (2_u32..9)
        .prop_flat_map(|of_ten| prop::collection::vec(prop::bool::weighted(f64::from(of_ten) / 10.0), 641))
}

/// One in four puzzles has a wrong cell.
fn wrong() -> impl Strategy<Value = Option<usize>> {
    prop::option::weighted(0.25, 0..625_usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sweeps_infer_what_lists_infer(keep in clues(), shift in 0_u8..25, wrong in wrong()) {
        infer_alike_everywhere::<2, 2, 4>(&puzzle(&Rules::sudoku(4).unwrap(), &keep, shift, wrong));
        infer_alike_everywhere::<3, 2, 6>(&puzzle(&Rules::sudoku(6).unwrap(), &keep, shift, wrong));
        infer_alike_everywhere::<3, 3, 9>(&puzzle(&Rules::sudoku(9).unwrap(), &keep, shift, wrong));
        infer_alike_everywhere::<4, 3, 12>(&puzzle(&Rules::sudoku(12).unwrap(), &keep, shift, wrong));
        infer_alike_everywhere::<4, 4, 16>(&puzzle(&Rules::sudoku(16).unwrap(), &keep, shift, wrong));
    }
}

#[test]
fn large_grids_are_inferred_alike() {
    let rules = Rules::sudoku(25).unwrap();
    for (step, of) in [(3, 10), (7, 10), (11, 17), (5, 8)] {
        let keep: Vec<bool> = (0..625).map(|cell| cell * step % of < of / 2 + 1).collect();
        for wrong in [None, Some(step * 31)] {
            let puzzle = puzzle(&rules, &keep, step as u8, wrong);
            infer_alike_everywhere::<5, 5, 25>(&puzzle);
        }
    }
}

/// The cells of rows and columns 1, 5 and 9 hold every symbol once.
#[test]
fn windows_imply_further_units() {
    type Windows = Sweeps<Portable, Small<<Portable as Simd>::Quad>, 3, 3, 9>;
    let rules = Rules::new(WINDOKU, 9, None).unwrap();
    let (mut sweeps, cells) = (Windows::new(&rules.grid().units()[27..]), Windows::cells());
    let mut words = vec![0; Windows::SLOTS];
    cells.iter().for_each(|&slot| words[usize::from(slot)] = 0o777);
    for cell in [0, 4, 8, 36, 44, 72, 76, 80] {
        words[usize::from(cells[cell])] = 0o776;
    }
    let centre = usize::from(cells[40]);
    let mut without = words.clone();
    without[centre] = 0o776;
    for _ in 0..2 {
        let mut words = words.clone();
        assert_eq!((sweeps.propagate(&mut words), words[centre]), (Ok(()), 1));
        let contradiction = Err(Contradiction::Cell(usize::from(cells[0])));
        assert_eq!(sweeps.propagate(&mut without.clone()), contradiction);
        assert_eq!(sweeps.propagate(&mut without.clone()), contradiction, "whatever was asked before");
    }
}

/// Two rows leave one cell of two regions, which leave one cell of the third row.
#[test]
fn leftovers_of_lines_and_regions_have_the_same_candidates() {
    let regions = Regions::read(b"aaababbcdbccdddc").unwrap();
    let rules = Rules::new(JIGSAW, 4, Some(&regions)).unwrap();
    let mut lists = Lists::<Portable>::new(rules.grid());
    let mut values = vec![0o17; 16];
    values[7] = 0o3;
    lists.start(&values);
    assert_eq!(lists.propagate(&mut values), Ok(()));
    assert_eq!((values[7], values[9]), (0o3, 0o3));
}

/// The engine for grids without the units of a sudoku, with a first run of that many guesses.
fn lists(rules: &Rules, first_run: u64) -> Solver<u32> {
    lists_for(rules, first_run, Isa::best())
}

/// The same on this instruction set, for what is handed over.
fn lists_for(rules: &Rules, first_run: u64, isa: Isa) -> Solver<u32> {
    let cells = (0..rules.grid().cells() as u16).collect();
    let plan = Plan::new(rules.grid(), cells, rules.grid().cells()).unwrap();
    let hand_over = HandOver::new(rules, isa);
    Solver::new(plan, Box::new(Lists::<Portable>::new(rules.grid())), hand_over).with_first_run(first_run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// However short the runs are, and whenever the puzzle is handed over: no solution is lost and none is counted twice.
    #[test]
    fn restarts_change_no_count(
        keep in clues(),
        shift in 0_u8..9,
        wrong in wrong(),
        first_run in 1_u64..4,
        patience in prop::sample::select(vec![0, 1, 2, 5, u64::MAX]),
        most in prop::sample::select(vec![1, 2, 40, 400]),
    ) {
        let limits = Limits::count(most);
        for rules in rules(&[4, 5, 6, 9]) {
            let puzzle = puzzle(&rules, &keep, shift, wrong);
            let (mut expected, mut solution) = (Answer::default(), vec![0; puzzle.len()]);
            let places = &mut Answers::one(&mut solution, &mut expected);
            (DLX.make)(&rules, Isa::best()).unwrap().solve(Puzzles::one(&puzzle), limits, places).unwrap();
            let mut solver = lists(&rules, first_run).with_patience(patience);
            let found = solver.search(&puzzle, limits, &mut solution);
            prop_assert_eq!(found.status(limits), expected.status(limits), "{} {:?}", rules.name(), &puzzle);
            prop_assert_eq!(found.solutions, expected.solutions, "{} {:?}", rules.name(), &puzzle);
            if found.solutions > 0 {
                prop_assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()));
            }
        }
    }
}

/// Neither blame nor runs of the puzzles before change an answer.
#[test]
fn long_tails_are_cut_and_leave_no_trace() {
    for (map, puzzles) in LONG_TAILS {
        let rules = Rules::new(JIGSAW, 9, Regions::read(map.as_bytes()).ok().as_ref()).unwrap();
        let new = || lists(&rules, restart::first_run(81));
        let mut kept = new();
        for text in puzzles {
            for limits in [Limits::ANY, Limits::UNIQUE] {
                let limits = limits.with_guesses(5_000);
                let answer = |engine: &mut Solver<u32>| {
                    let mut solution = [0; 81];
                    (engine.search(&cells(text), limits, &mut solution), solution)
                };
                let found = answer(&mut new());
                assert_eq!(Some(found.0.solutions), limits.solutions(), "{text}");
                assert_eq!(Verifier::new(&rules).check(&cells(text), &found.1), Ok(()), "{text}");
                assert_eq!(answer(&mut kept), found, "{text}");
            }
        }
    }
}

/// An empty grid has more solutions than anybody counts.
#[test]
fn limits_and_stops_end_a_puzzle_that_was_handed_over() {
    let rules = Rules::default();
    let verifier = Verifier::new(&rules);
    let answer = |patience, most, isa| {
        let (limits, mut solution) = (Limits::ALL.with_guesses(most), vec![0; 81]);
        let mut solver = lists_for(&rules, 100, isa).with_patience(patience);
        let answer = solver.search(&[0; 81], limits, &mut solution);
        assert_eq!(answer.status(limits), Status::Limit);
        assert_eq!(verifier.check(&[0; 81], &solution).is_ok(), answer.solutions > 0);
        (answer, solution)
    };
    for (patience, most, guesses) in [(0, 4_001, 4_000), (3, 3, 3), (3, 4, 3), (3, 404, 403), (400, 300, 300)]
    {
        let all = galop_testing::available::isas().into_iter().map(|isa| answer(patience, most, isa));
        let all: Vec<_> = all.collect();
        assert_eq!(all[0].0.effort.guesses, guesses, "{patience} {most}");
        assert!(all.iter().all(|other| *other == all[0]));
    }

    let asked = Cell::new(0);
    let is_stopped = || asked.replace(asked.get() + 1) >= 3;
    let (mut solutions, mut answers) = (vec![0; 162], [Answer::complete(7); 2]);
    let places = &mut Answers::new(&mut solutions, &mut answers, 81).unwrap();
    let mut engine = Stopwatch(Box::new(Each(lists(&rules, 100).with_patience(0))));
    engine.solve_until(Puzzles::new(&[0; 162], 81).unwrap(), Limits::ALL, places, &is_stopped).unwrap();
    assert!(answers.iter().all(|answer| answer.status(Limits::ALL) == Status::Unanswered));
    assert!(asked.get() < 9);
}
