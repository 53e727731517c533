//! Puzzles whose clues are in given cells.
//!
//! Full grids are drawn until the puzzle with these clues has one solution. Most 9x9 grids need no search for that: the
//! puzzle has a second solution if an unavoidable set that [`cycles`](super::cycles) finds has no clue.

use super::GenerateError;
use super::thinning::Order;
use crate::grid::Grid;

/// Reads a pattern: whether each cell has a clue. `.` and `0` are blanks, white space is skipped, and any other
/// character is a clue. So a puzzle is the pattern of its clues, in one line or in one line for each row.
pub fn read_pattern(text: &[u8]) -> Vec<bool> {
    let text = String::from_utf8_lossy(text);
    text.chars().filter(|char| !char.is_whitespace()).map(|char| char != '.' && char != '0').collect()
}

/// # Errors
/// [`GenerateError::PatternCells`] if the pattern has not the cells of the grid, [`GenerateError::PatternClues`] if it
/// has too few clues for one solution.
pub(super) fn check(pattern: &[bool], grid: &Grid, fewest: usize) -> Result<(), GenerateError> {
    let (found, cells, clues) = (pattern.len(), grid.cells(), count(pattern));
    match () {
        () if found != cells => Err(GenerateError::PatternCells { found, cells }),
        () if clues < fewest => Err(GenerateError::PatternClues { clues, fewest }),
        () => Ok(()),
    }
}

/// The number of clues of a pattern.
pub(super) fn count(pattern: &[bool]) -> usize {
    pattern.iter().filter(|&&has_clue| has_clue).count()
}

/// All clues of a full grid that are not in the pattern are removed together.
pub(super) fn order(pattern: &[bool]) -> Order {
    let cells = |has_clue| (0..pattern.len() as u32).filter(move |&cell| pattern[cell as usize] == has_clue);
    let end = cells(false).count() as u32;
    Order { cells: cells(false).chain(cells(true)).collect(), ends: vec![end] }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::{Generator, Recipe, Wish};
    use super::*;
    use crate::engine::{Isa, prover_for};
    use crate::generate::judge::Judge;
    use crate::generate::thinning::Thinning;
    use crate::grid::Rules;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn judge(rules: &Rules) -> Judge {
        let engine = (prover_for(rules).make)(rules, Isa::best()).unwrap();
        Judge::new(engine, rules.stride(), u64::MAX)
    }

    #[test]
    fn patterns_are_read() {
        assert_eq!(read_pattern(b"1.0\r\n #x.\n"), [true, false, false, true, true, false]);
        assert_eq!(read_pattern("\u{2588}.".as_bytes()), [true, false]);
        assert!(read_pattern(b"").is_empty());
    }

    /// Exactly the cells of the pattern have clues, and the puzzle has one solution.
    #[test]
    fn clues_are_those_of_the_pattern() {
        for rules in [Rules::default(), Rules::sudoku(6).unwrap()] {
            let cells = rules.stride();
            let some = Recipe::of(rules.clone(), 2, Wish::Clues(cells * 4 / 9..=cells * 4 / 9));
            let (made, _) = Generator::new(&some).unwrap().make(0..3, &GO_ON);
            for pattern in
                made.iter().map(|made| made.puzzle.iter().map(|&clue| clue != 0).collect::<Vec<_>>())
            {
                let recipe = Recipe::of(rules.clone(), 3, Wish::Pattern(pattern.clone()));
                let (made, outcome) = Generator::new(&recipe).unwrap().make(0..2, &GO_ON);
                outcome.unwrap();
                assert_ne!(made[0].grid, made[1].grid);
                for made in made {
                    assert!(made.puzzle.iter().map(|&clue| clue != 0).eq(pattern.iter().copied()));
                    assert_eq!(judge(&rules).only_solution(&made.puzzle), Some(made.grid));
                }
            }
        }
    }

    /// What is known without a search is what the search finds.
    #[test]
    fn open_puzzles_have_several_solutions() {
        let full = Recipe::new(5, Wish::Clues(81..=81));
        let some = Recipe::new(6, Wish::Clues(40..=40));
        let grids = Generator::new(&full).unwrap().make(0..300, &GO_ON).0;
        let patterns = Generator::new(&some).unwrap().make(0..300, &GO_ON).0;
        let (mut judge, mut counts) = (judge(&full.rules), [0; 2]);
        for (made, pattern) in grids.into_iter().zip(patterns) {
            let pattern: Vec<bool> = pattern.puzzle.iter().map(|&clue| clue != 0).collect();
            let mut thinning = Thinning::new(made.grid, order(&pattern), count(&pattern));
            let puzzle: Vec<u8> = pattern
                .iter()
                .zip(thinning.grid())
                .map(|(&has_clue, clue)| clue * u8::from(has_clue))
                .collect();
            thinning.add_cycles();
            let may_be_one = thinning.try_next();
            let is_one = judge.is_unique(&puzzle);
            assert!(may_be_one || !is_one);
            counts[usize::from(is_one)] += 1;
            counts[0] -= i32::from(may_be_one && !is_one);
        }
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    #[test]
    fn patterns_that_cannot_be_are_refused_or_given_up() {
        let error = |pattern: Vec<bool>| {
            let recipe = Recipe::new(1, Wish::Pattern(pattern));
            Generator::new(&recipe).err().unwrap().fact::<GenerateError>().unwrap().clone()
        };
        assert_eq!(error(vec![true; 80]), GenerateError::PatternCells { found: 80, cells: 81 });
        let few = (0..81).map(|cell| cell < 16).collect();
        assert_eq!(error(few), GenerateError::PatternClues { clues: 16, fewest: 17 });
        // Two empty rows of a band can change places.
        let recipe = Recipe::new(1, Wish::Pattern((0..81).map(|cell| cell >= 18).collect()));
        let mut generator = Generator::new(&recipe).unwrap();
        generator.batch.making.max_tries = 2;
        let error = generator.make(0..1, &GO_ON).1.unwrap_err();
        assert_eq!(error.fact(), Some(&GenerateError::NoPattern { clues: 63, tries: 2 }));
    }
}
