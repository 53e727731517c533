//! The kinds against the engine `grid` and against pencil marks, on every instruction set.

use galop_simd::{Isa, Simd, Vector};
use galop_testing::chance::Chance;

use super::super::kind::Kind;
use super::super::on_every_isa::on_every_isa;
use super::super::state::{self, Chunk};
use super::super::trend::Round;
use super::Any;
use crate::engine::{Entry, GRID, LANES, tests};
use crate::grid::{
    DIAGONAL, JIGSAW, KINDS, LATIN, Regions, Rules, SUDOKU, Variant, Verifier, WINDOKU, candidates,
};
use crate::puzzle::{Answer, Limits};

/// Rules of every form and of several sizes.
fn all_rules() -> Vec<Rules> {
    let map = Regions::read(include_bytes!("../../../../../../data/jigsaw.map")).unwrap();
    let small = Regions::read(b"aaabbb aaabbb cccddd cccddd eeefff eeefff").unwrap();
    let plain = [
        (SUDOKU, 4),
        (SUDOKU, 6),
        (SUDOKU, 12),
        (DIAGONAL, 4),
        (DIAGONAL, 6),
        (DIAGONAL, 9),
        (DIAGONAL, 12),
        (WINDOKU, 9),
        (LATIN, 4),
        (LATIN, 5),
        (LATIN, 9),
        (LATIN, 11),
        (SUDOKU, 8),
        (SUDOKU, 10),
    ];
    let plain = plain.into_iter().map(|(kind, side)| Rules::new(kind, side, None).unwrap());
    let more = [
        ("anti-knight", 6),
        ("anti-knight", 9),
        ("anti-king", 9),
        ("non-consecutive", 9),
        ("latin+non-consecutive", 5),
        ("diagonal+anti-knight", 9),
    ];
    let more = more.into_iter().map(|(names, side)| names.parse::<Variant>().unwrap().rules(side).unwrap());
    let jigsaws = [map, small].map(|map| Rules::new(JIGSAW, map.side(), Some(&map)).unwrap());
    plain.chain(jigsaws).chain(more).collect()
}

/// What a new engine answers, with its solutions.
fn solve(entry: &Entry, isa: Isa, rules: &Rules, puzzles: &[u8], limits: Limits) -> Vec<(Answer, Vec<u8>)> {
    tests::solve((entry.make)(rules, isa).unwrap().as_mut(), puzzles, rules.grid().cells(), limits)
}

/// Puzzles with no solution, one, and many: solutions of grids with random clues, without some of their clues, and with
/// a clue changed in some; and the solutions.
fn puzzles(rules: &Rules, count: usize) -> (Vec<u8>, Vec<u8>) {
    let (grid, mut chance) = (rules.grid(), Chance::new(7));
    let (cells, symbols) = (grid.cells(), usize::from(grid.symbols()));
    let mut starts = vec![0; cells * 40];
    for start in starts.chunks_mut(cells) {
        for _ in 0..symbols {
            start[chance.below(cells)] = chance.below(symbols) as u8 + 1;
        }
    }
    let solved = solve(GRID, Isa::best(), rules, &starts, Limits::ANY);
    let solved: Vec<Vec<u8>> =
        solved.into_iter().filter(|(answer, _)| answer.solutions > 0).map(|(_, solution)| solution).collect();
    assert!(!solved.is_empty(), "{}", rules.name());
    // Where symbols exclude each other, few clues leave one solution.
    let most = if grid.exclusive().is_empty() { cells } else { 3 * cells / 2 };
    let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
    for number in 0..count {
        let solution = &solved[number % solved.len()];
        let mut puzzle = solution.clone();
        for _ in 0..cells / 2 + chance.below(most) {
            puzzle[chance.below(cells)] = 0;
        }
        if number % 4 == 3 {
            puzzle[chance.below(cells)] = chance.below(symbols) as u8 + 1;
        }
        puzzles.extend(puzzle);
        solutions.extend(solution);
    }
    (puzzles, solutions)
}

#[test]
fn every_kind_answers_as_grid_does_and_alike_on_every_instruction_set() {
    for rules in all_rules() {
        let (cells, verifier) = (rules.grid().cells(), Verifier::new(&rules));
        let (mut puzzles, solutions) = puzzles(&rules, 300);
        // A full grid, and puzzles with a byte that is no symbol of the rules.
        puzzles[..cells].copy_from_slice(&solutions[..cells]);
        let foreign = [rules.grid().symbols() + 1, 16, 127, 128, 255];
        let places = [0, cells / 2, cells - 1].into_iter().flat_map(|cell| foreign.map(|byte| (cell, byte)));
        for ((cell, byte), puzzle) in places.zip(puzzles.chunks_mut(cells).skip(1)) {
            puzzle[cell] = byte;
        }
        for solutions in [1, 2, 30] {
            let limits = Limits::count(solutions).with_guesses(100_000);
            let found = solve(LANES, Isa::Portable, &rules, &puzzles, limits);
            let expected = solve(GRID, Isa::Portable, &rules, &puzzles, limits);
            for (number, ((answer, solution), (other, _))) in found.iter().zip(&expected).enumerate() {
                assert!(!answer.gave_up() && !other.gave_up());
                assert_eq!(answer.solutions, other.solutions, "{} {number}", rules.name());
                if answer.solutions > 0 {
                    assert_eq!(verifier.check(&puzzles[number * cells..][..cells], solution), Ok(()));
                }
            }
            let count = |wanted: u64| found.iter().filter(|(answer, _)| answer.solutions == wanted).count();
            assert!(solutions != 2 || [0, 1, 2].iter().all(|&wanted| count(wanted) > 0), "{}", rules.name());
            for isa in galop_testing::available::isas() {
                let same = solve(LANES, isa, &rules, &puzzles, limits);
                assert!(same == found, "{} {}", rules.name(), isa.name());
            }
        }
    }
}

/// After some rounds the candidates are among the pencil marks, which follow from singles alone, and the solution is
/// among the candidates. Clues that contradict each other are found.
fn candidates_are_right<S: Simd, V: Vector>() {
    for rules in all_rules() {
        let grid = rules.grid();
        let (cells, symbols) = (grid.cells(), usize::from(grid.symbols()));
        let (puzzles, solutions) = puzzles(&rules, V::BITS);
        let mut kind = Any::<V>::new::<S>(grid).unwrap();
        let size = Kind::<S, V>::size(&kind);
        let mut lanes = vec![Chunk::NONE; size * V::BITS];
        for (lane, puzzle) in puzzles.chunks(cells).enumerate() {
            assert!(Kind::<S, V>::read(&kind, puzzle, state::at_mut(&mut lanes, lane, size)));
        }
        let empty = vec![0; V::WORDS];
        let mut contradictory = V::ZERO;
        for round in 0..40 {
            Kind::<S, V>::propagate(&mut kind, &mut lanes, &empty, round == 0, Round::STEADY);
            contradictory |= Kind::<S, V>::flags(&kind).contradictory;
        }
        for (lane, (puzzle, solution)) in puzzles.chunks(cells).zip(solutions.chunks(cells)).enumerate() {
            let place = format!("{} lane {lane}", rules.name());
            let is_contradictory = contradictory.word(lane / 64) >> (lane % 64) & 1 == 1;
            let is_damaged = puzzle.iter().zip(solution).any(|(&clue, &symbol)| clue != 0 && clue != symbol);
            assert!(is_damaged || !is_contradictory, "{place}");
            let Some(marks) = candidates(&rules, puzzle) else {
                assert!(is_contradictory, "{place}");
                continue;
            };
            if is_contradictory {
                continue;
            }
            for (cell, mark) in marks.into_iter().enumerate() {
                let state = state::at(&lanes, lane, size);
                let bit = |symbol: usize| state::at_bit::get(state, cells * symbol + cell) & 1;
                let found = (0..symbols).fold(0, |found, symbol| found | bit(symbol) << symbol);
                assert_eq!(found & !mark, 0, "{place} cell {cell}");
                assert!(is_damaged || found >> (solution[cell] - 1) & 1 == 1, "{place} cell {cell}");
            }
        }
    }
}

#[test]
fn candidates_are_within_pencil_marks_and_hold_the_solution() {
    on_every_isa!(candidates_are_right);
}

#[test]
fn grids_without_a_kind_are_refused() {
    for side in [16, 25] {
        assert!((LANES.accepts)(&Rules::sudoku(side).unwrap()).is_err());
    }
    for (kind, side) in KINDS.iter().flat_map(|kind| kind.sides().into_iter().map(move |side| (kind, side))) {
        if let Ok(rules) = Rules::new(kind, side, None) {
            assert_eq!((LANES.accepts)(&rules).is_ok(), side < 16, "{}", rules.name());
        }
    }
}
