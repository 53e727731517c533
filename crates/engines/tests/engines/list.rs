//! The solutions of a puzzle, one after the other.

use std::collections::BTreeSet;

use galop_engines::Rules;
use galop_engines::engine::{BACKTRACK, Lister, NextSolution};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::Limits;
use galop_testing::engines::solve_one;

fn list(rules: &Rules, lister: &mut Lister, puzzle: &[u8]) -> Vec<Vec<u8>> {
    let (mut found, mut cells) = (Vec::new(), vec![0; puzzle.len()]);
    lister.start(puzzle);
    while lister.next(&mut cells, || false) == NextSolution::Solution {
        assert!(Verifier::new(rules).check(puzzle, &cells).is_ok());
        found.push(cells.clone());
    }
    assert_eq!(lister.next(&mut cells, || false), NextSolution::End);
    found
}

#[test]
fn every_solution_is_listed_once_in_the_same_order() {
    let rules = Rules::sudoku(4).unwrap();
    let mut lister = Lister::new(&rules).unwrap();
    assert_eq!(list(&rules, &mut lister, &[0; 16]).len(), 288);
    let mut counts = BTreeSet::new();
    for number in 0..400u32 {
        let mut puzzle = [0; 16];
        for clue in 0..number % 5 {
            let drawn = number.wrapping_mul(2_654_435_761).rotate_left(7 * clue);
            puzzle[drawn as usize % 16] = (drawn >> 8) as u8 % 4 + 1;
        }
        let listed = list(&rules, &mut lister, &puzzle);
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "distinct");
        let (expected, _) = solve_one(&BACKTRACK, &rules, &puzzle, Limits::ALL);
        assert_eq!(listed.len() as u64, expected.solutions);
        // The order does not depend on what was searched before.
        assert_eq!(list(&rules, &mut Lister::new(&rules).unwrap(), &puzzle), listed);
        counts.insert(listed.len());
    }
    assert!(counts.contains(&0) && counts.contains(&1) && counts.len() > 5, "{counts:?}");
    assert_eq!(list(&rules, &mut lister, &[9; 16]), Vec::<Vec<u8>>::new());
}
