//! The engine `lanes` for all kinds, against the engine `grid`.

use galop_engines::Rules;
use galop_engines::engine::{GRID, Isa, LANES};
use galop_engines::grid::{KINDS, Verifier};
use galop_engines::puzzle::Limits;
use galop_testing::available::isas;
use galop_testing::rules::{FORMS, form, thinned};

use crate::solve_new;

#[test]
fn every_kind_answers_as_grid_does_and_alike_on_every_instruction_set() {
    for rules in FORMS.map(form) {
        let (cells, verifier) = (rules.grid().cells(), Verifier::new(&rules));
        let (mut puzzles, solutions) = thinned(&rules, 300);
        // A full grid, and puzzles with a byte that is no symbol of the rules.
        puzzles[..cells].copy_from_slice(&solutions[..cells]);
        let foreign = [rules.grid().symbols() + 1, 16, 127, 128, 255];
        let places = [0, cells / 2, cells - 1].into_iter().flat_map(|cell| foreign.map(|byte| (cell, byte)));
        for ((cell, byte), puzzle) in places.zip(puzzles.chunks_mut(cells).skip(1)) {
            puzzle[cell] = byte;
        }
        for solutions in [1, 2, 30] {
            // `grid` hands one puzzle over to exact cover, whose nodes count as four guesses: 1.2 million in all.
            let limits = Limits::count(solutions).with_guesses(2_000_000);
            let found = solve_new(LANES, Isa::Portable, &rules, &puzzles, limits);
            let expected = solve_new(GRID, Isa::Portable, &rules, &puzzles, limits);
            for (number, ((answer, solution), (other, _))) in found.iter().zip(&expected).enumerate() {
                assert!(!answer.gave_up() && !other.gave_up(), "{} {number}", rules.name());
                assert_eq!(answer.solutions, other.solutions, "{} {number}", rules.name());
                if answer.solutions > 0 {
                    assert_eq!(verifier.check(&puzzles[number * cells..][..cells], solution), Ok(()));
                }
            }
            let count = |wanted: u64| found.iter().filter(|(answer, _)| answer.solutions == wanted).count();
            assert!(solutions != 2 || [0, 1, 2].iter().all(|&wanted| count(wanted) > 0), "{}", rules.name());
            for isa in isas() {
                let same = solve_new(LANES, isa, &rules, &puzzles, limits);
                assert!(same == found, "{} {}", rules.name(), isa.name());
            }
        }
    }
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
