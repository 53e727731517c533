//! How far singles and locked candidates alone lead, for many puzzles at once.

use super::{Isa, Pass, Reach, Remainder, bitboard, lanes};
use crate::grid::Rules;
use crate::puzzle::Puzzles;

/// Finds out how far the usual techniques up to one of them lead, for 9x9 sudokus in the lanes of vectors.
///
/// ```
/// use galop_engines::Rules;
/// use galop_engines::engine::{Isa, Reach, Remainder, SinglesPass};
/// use galop_engines::puzzle::Puzzles;
///
/// let puzzle: Vec<u8> = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///     .bytes().map(|byte| byte.saturating_sub(b'0') % 10).collect();
/// let mut left = Vec::new();
/// let mut pass = SinglesPass::new(&Rules::default(), Isa::best(), Reach::Singles).expect("a 9x9 sudoku");
/// pass.run(Puzzles::new(&puzzle, 81)?, &mut left);
/// assert_eq!(left, [Remainder::Nothing]);
/// # Ok::<(), galop_engines::engine::WrongLength>(())
/// ```
pub struct SinglesPass(Box<dyn Pass>);

impl SinglesPass {
    /// For puzzles of `rules` and the techniques up to `reach`. `None` if the rules or the machine do not allow many
    /// puzzles at once.
    pub fn new(rules: &Rules, isa: Isa, reach: Reach) -> Option<SinglesPass> {
        bitboard::accept(rules).ok()?;
        lanes::rating_pass(isa, reach).map(SinglesPass)
    }

    /// Replaces `left` by what the techniques leave of each puzzle. Without hidden singles for all cells, a naked single
    /// counts as filled.
    pub fn run(&mut self, puzzles: Puzzles<'_>, left: &mut Vec<Remainder>) {
        left.clear();
        left.resize(puzzles.len(), Remainder::Contradiction);
        self.0.run(puzzles, left);
    }
}

impl std::fmt::Debug for SinglesPass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SinglesPass")
    }
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
                let is_filled = marks.iter().all(|marks| marks.count_ones() == 1);
                return if is_filled { Remainder::Nothing } else { Remainder::Blanks };
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
            solved.push(share(|left| *left == Remainder::Nothing));
            if reach == Reach::Singles {
                assert!(solved[1] > 400 && share(|left| *left == Remainder::Contradiction) > 400);
                assert!(share(|left| *left == Remainder::Blanks) > 400);
            }
            for isa in isas() {
                let mut pass = SinglesPass::new(&rules, isa, reach).unwrap();
                let mut left = Vec::new();
                for count in [puzzles.len(), 300, 1, 0] {
                    pass.run(puzzles.slice(0..count), &mut left);
                    for (place, (&left, &expected)) in left.iter().zip(&expected).enumerate() {
                        assert_eq!(left, expected, "{isa:?} {reach:?} {:?}", puzzles.get(place));
                    }
                    assert_eq!(left.len(), count);
                }
            }
        }
        assert!(solved.is_sorted_by(|one, other| one < other), "each technique solves more: {solved:?}");
        let small = Rules::sudoku(4).unwrap();
        assert!(SinglesPass::new(&small, Isa::best(), Reach::Pointing).is_none());
    }
}
