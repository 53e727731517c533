//! How far naked and hidden singles alone lead: many puzzles at once where the rules allow it.
//!
//! A naked single is a cell with one candidate, a hidden single a symbol with one cell in a unit. Both are applied
//! until neither changes anything. The order does not change the result
//! ([`grid::candidates`](crate::grid::candidates)).

use super::{Isa, Pass, Reach, Remainder, bitboard, lanes};
use crate::grid::{ExactCover, OptionId, Rules, candidates};
use crate::puzzle::{CHOSEN, Puzzles};

/// Finds out how far naked and hidden singles lead. Sudokus of 9x9 take 256 lanes of vectors, other puzzles one after
/// the other.
///
/// ```
/// use galop_engines::Rules;
/// use galop_engines::engine::{Isa, Remainder, SinglesPass};
/// use galop_engines::puzzle::Puzzles;
///
/// let puzzle: Vec<u8> = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///     .bytes().map(|byte| byte.saturating_sub(b'0') % 10).collect();
/// let mut left = Vec::new();
/// SinglesPass::new(&Rules::default(), Isa::best()).run(Puzzles::new(&puzzle, 81)?, &mut left);
/// assert_eq!(left, [Remainder::Blanks(0)]);
/// # Ok::<(), galop_engines::engine::WrongLength>(())
/// ```
pub struct SinglesPass {
    rules: Rules,
    /// `None`: one puzzle after the other.
    sliced: Option<Box<dyn Pass>>,
}

impl SinglesPass {
    /// For puzzles of `rules`. On a machine without `isa` the puzzles are taken one after the other.
    pub fn new(rules: &Rules, isa: Isa) -> SinglesPass {
        let sliced =
            if bitboard::accept(rules).is_ok() { lanes::rating_pass(isa, Reach::Singles) } else { None };
        SinglesPass { rules: rules.clone(), sliced }
    }

    /// The same for the techniques up to `reach`. If they do not suffice, the number of blanks may be too low: a naked
    /// single counts as filled. `None` if the rules or the machine do not allow many puzzles at once.
    pub fn up_to(rules: &Rules, isa: Isa, reach: Reach) -> Option<SinglesPass> {
        bitboard::accept(rules).ok()?;
        Some(SinglesPass { rules: rules.clone(), sliced: Some(lanes::rating_pass(isa, reach)?) })
    }

    /// Replaces `left` by what singles leave of each puzzle.
    pub fn run(&mut self, puzzles: Puzzles<'_>, left: &mut Vec<Remainder>) {
        left.clear();
        left.resize(puzzles.len(), Remainder::Contradiction);
        match &mut self.sliced {
            Some(sliced) if puzzles.stride() == self.rules.grid().cells() => sliced.run(puzzles, left),
            _ => {
                for (puzzle, left) in puzzles.iter().zip(left) {
                    *left = left_of(&self.rules, puzzle);
                }
            }
        }
    }
}

impl std::fmt::Debug for SinglesPass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SinglesPass").field("is_sliced", &self.sliced.is_some()).finish_non_exhaustive()
    }
}

/// What singles leave of one puzzle.
fn left_of(rules: &Rules, puzzle: &[u8]) -> Remainder {
    if rules.choices().is_some() {
        return left_of_problem(rules.cover(), puzzle);
    }
    match candidates(rules, puzzle) {
        Some(marks) => Remainder::Blanks(marks.iter().filter(|mark| mark.count_ones() > 1).count() as u16),
        None => Remainder::Contradiction,
    }
}

/// The primary items that the choices of `puzzle` leave uncovered: singles are rules of grids.
fn left_of_problem(problem: &ExactCover, puzzle: &[u8]) -> Remainder {
    let mut is_open = vec![true; problem.primary_count()];
    for (option, _) in (0..).zip(puzzle).filter(|&(_, &byte)| byte == CHOSEN) {
        for term in problem.option(OptionId(option)) {
            if let Some(is_open) = is_open.get_mut(term.item.index()) {
                *is_open = false;
            }
        }
    }
    let open = is_open.into_iter().filter(|&is_open| is_open).count();
    Remainder::Blanks(open.try_into().unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use galop_testing::available::isas;
    use galop_testing::puzzles::damaged;

    use super::*;

    /// What is left by the techniques up to `reach`, found as the definitions say, one at a time.
    fn plainly_left(rules: &Rules, puzzle: &[u8], reach: Reach) -> Remainder {
        let (grid, bit) = (rules.grid(), |symbol: u8| 1_u16 << (symbol - 1));
        if puzzle.iter().any(|&clue| clue > 9) {
            return Remainder::Contradiction;
        }
        let mut marks = [0x1FF_u16; 81];
        let mut placed: Vec<(usize, u16)> = Vec::new();
        for (cell, &clue) in puzzle.iter().enumerate().filter(|(_, clue)| **clue != 0) {
            marks[cell] &= bit(clue);
            placed.push((cell, bit(clue)));
        }
        loop {
            let before = (marks, placed.len());
            for &(cell, symbol) in &placed {
                grid.peers(cell).iter().for_each(|&peer| marks[peer] &= !symbol);
            }
            for (number, unit) in grid.units().iter().enumerate() {
                for symbol in (1..=9).map(bit) {
                    let cells: Vec<usize> =
                        unit.iter().copied().filter(|&cell| marks[cell] & symbol != 0).collect();
                    match cells[..] {
                        [] => return Remainder::Contradiction,
                        [cell] => {
                            marks[cell] &= symbol;
                            placed.push((cell, symbol));
                        }
                        _ => {}
                    }
                    let may_lock =
                        if number < 18 { reach >= Reach::Claiming } else { reach >= Reach::Pointing };
                    for other in grid.units().iter().filter(|_| may_lock && cells.len() > 1) {
                        if cells.iter().all(|cell| other.contains(cell)) {
                            let rest = other.iter().filter(|cell| !unit.contains(cell));
                            rest.for_each(|&cell| marks[cell] &= !symbol);
                        }
                    }
                }
            }
            for (cell, &marks) in marks.iter().enumerate() {
                match marks.count_ones() {
                    0 => return Remainder::Contradiction,
                    1 if reach >= Reach::Singles => placed.push((cell, marks)),
                    _ => {}
                }
            }
            placed.sort_unstable();
            placed.dedup();
            if (marks, placed.len()) == before {
                return Remainder::Blanks(marks.iter().filter(|marks| marks.count_ones() > 1).count() as u16);
            }
        }
    }

    #[test]
    fn every_pass_goes_as_far_as_the_techniques_it_names() {
        let rules = Rules::default();
        let puzzles = damaged(4_000);
        let puzzles = Puzzles::new(&puzzles, 81).unwrap();
        let mut solved = Vec::new();
        for reach in [Reach::HiddenSingles, Reach::Singles, Reach::Pointing, Reach::Claiming] {
            let expected: Vec<Remainder> =
                puzzles.iter().map(|puzzle| plainly_left(&rules, puzzle, reach)).collect();
            let share = |of: fn(&Remainder) -> bool| expected.iter().filter(|left| of(left)).count();
            solved.push(share(|left| *left == Remainder::Blanks(0)));
            let mut passes: Vec<SinglesPass> =
                isas().into_iter().map(|isa| SinglesPass::up_to(&rules, isa, reach).unwrap()).collect();
            if reach == Reach::Singles {
                assert!(solved[1] > 400 && share(|left| *left == Remainder::Contradiction) > 400);
                assert!(share(|left| matches!(left, Remainder::Blanks(2..))) > 400);
                passes.push(SinglesPass::new(&rules, Isa::best()));
                passes.push(SinglesPass { rules: rules.clone(), sliced: None });
            }
            for pass in &mut passes {
                let mut left = Vec::new();
                for count in [puzzles.len(), 300, 1, 0] {
                    pass.run(puzzles.slice(0..count), &mut left);
                    for (place, (&left, &expected)) in left.iter().zip(&expected).enumerate() {
                        assert_eq!(left, expected, "{pass:?} {reach:?} {:?}", puzzles.get(place));
                    }
                    assert_eq!(left.len(), count);
                }
            }
        }
        assert!(solved.is_sorted_by(|one, other| one < other), "each technique solves more: {solved:?}");
        let small = Rules::sudoku(4).unwrap();
        assert!(SinglesPass::up_to(&small, Isa::best(), Reach::Pointing).is_none());
    }

    #[test]
    fn other_rules_are_passed_one_after_the_other() {
        let rules = Rules::sudoku(4).unwrap();
        let puzzles = [[1, 2, 3, 0, 3, 4, 0, 2, 2, 0, 4, 3, 0, 3, 2, 1], [0; 16], [1; 16]].concat();
        let mut left = Vec::new();
        SinglesPass::new(&rules, Isa::best()).run(Puzzles::new(&puzzles, 16).unwrap(), &mut left);
        assert_eq!(left, [Remainder::Blanks(0), Remainder::Blanks(16), Remainder::Contradiction]);
    }
}
