//! The kernels against pencil marks, on every instruction set.

use galop_simd::{Simd, Vector};
use galop_testing::rules::{FORMS, Form, form, thinned};

use super::super::kind::Kind;
use super::super::on_every_isa::on_every_isa;
use super::super::state::{self, Chunk};
use super::super::trend::Round;
use super::Any;
use crate::grid::{JIGSAW, Regions, Rules, Variant, candidates};

/// The rules of a form. (`galop_testing` makes rules of another build of this package.)
fn rules((names, side, map): Form) -> Rules {
    match map {
        Some(map) => Rules::new(JIGSAW, side, Some(&Regions::read(map.as_bytes()).unwrap())).unwrap(),
        None => names.parse::<Variant>().unwrap().rules(side).unwrap(),
    }
}

/// After some rounds the candidates are among the pencil marks, which follow from singles alone, and the solution is
/// among the candidates. Clues that contradict each other are found.
fn candidates_are_right<S: Simd, V: Vector>() {
    for described in FORMS {
        let rules = rules(described);
        let grid = rules.grid();
        let (cells, symbols) = (grid.cells(), usize::from(grid.symbols()));
        let (puzzles, solutions) = thinned(&form(described), V::BITS);
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
