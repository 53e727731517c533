//! The symmetries of a puzzle: what changes its looks and not its solutions.
//!
//! ```text
//! digits 9!   bands 3!   rows within a band 3!^3   stacks 3!   columns within a stack 3!^3   transposition 2
//! ```
//! These are all the symmetries of the 9x9 sudoku (Russell and Jarvis, "Mathematics of Sudoku II", 2006):
//! 3,359,232 of the grid times 362,880 relabellings. A puzzle of other rules is relabelled only: every rule that
//! units make is blind to names of symbols, and which cells may change places depends on the units.

use crate::generate::dice::Dice;
use crate::rules::{Grid, Rules};

/// One symmetry: where each cell goes, and what each symbol is called then.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    /// Cell `c` goes to `cells[c]`.
    cells: Vec<u16>,
    symbols: [u8; 256],
}

impl Symmetry {
    /// The one that changes nothing.
    pub(super) fn none(grid: &Grid) -> Symmetry {
        let cells = (0..grid.cells() as u16).collect();
        Symmetry { cells, symbols: std::array::from_fn(|symbol| symbol as u8) }
    }

    /// Draws another one, each equally likely.
    pub(super) fn draw(&mut self, grid: &Grid, is_nine: bool, dice: &mut Dice) {
        // 0 stays a blank, and what is no symbol stays what it is.
        for symbol in 1..=grid.symbols() {
            self.symbols[usize::from(symbol)] = symbol;
        }
        dice.shuffle(&mut self.symbols[1..=usize::from(grid.symbols())]);
        if is_nine {
            let (rows, columns) = (lines(dice), lines(dice));
            let is_transposed = dice.below(2) == 1;
            for (cell, to) in self.cells.iter_mut().enumerate() {
                let (row, column) = (rows[cell / 9], columns[cell % 9]);
                *to = if is_transposed { 9 * column + row } else { 9 * row + column };
            }
        }
    }

    /// Writes `puzzle` as this symmetry has it to `out`, of the same length.
    pub(super) fn apply(&self, puzzle: &[u8], out: &mut [u8]) {
        for (&cell, &symbol) in self.cells.iter().zip(puzzle) {
            out[usize::from(cell)] = self.symbols[usize::from(symbol)];
        }
    }

    /// What `cells` were before [`apply`](Self::apply).
    pub(super) fn undo(&self, cells: &[u8]) -> Vec<u8> {
        let before = |symbol: u8| self.symbols.iter().position(|&now| now == symbol).unwrap_or(0) as u8;
        self.cells.iter().map(|&cell| before(cells[usize::from(cell)])).collect()
    }
}

/// Where nine rows or columns go: threes among each other, and lines within their three.
fn lines(dice: &mut Dice) -> [u16; 9] {
    let mut lines = [0; 9];
    let mut threes = [0, 3, 6];
    dice.shuffle(&mut threes);
    for (three, start) in threes.into_iter().enumerate() {
        let mut within = [0, 1, 2];
        dice.shuffle(&mut within);
        for (line, to) in within.into_iter().enumerate() {
            lines[3 * three + line] = start + to;
        }
    }
    lines
}

/// Whether cells may change places: in the 9x9 sudoku only.
pub(super) fn is_nine(rules: &Rules) -> bool {
    rules.grid() == Rules::sudoku().grid()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::{Isa, engine};
    use crate::puzzle::{Answer, Answers, Limits, Puzzles};
    use crate::rules::{KINDS, Kind};

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn cells(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
    }

    fn drawn(seed: u64, place: u64, puzzle: &[u8]) -> (Symmetry, Vec<u8>) {
        let rules = Rules::sudoku();
        let mut symmetry = Symmetry::none(rules.grid());
        symmetry.draw(rules.grid(), true, &mut Dice::new(seed, place));
        let mut out = vec![0; 81];
        symmetry.apply(puzzle, &mut out);
        (symmetry, out)
    }

    fn solutions(puzzle: &[u8], limit: u64) -> u64 {
        let mut engine = (engine("bitboard").unwrap().make)(&Rules::sudoku(), Isa::best()).unwrap();
        let (mut cells, mut answer) = ([0; 81], [Answer::default()]);
        let limits = Limits { solutions: limit, guesses: u64::MAX };
        engine.solve(Puzzles::new(puzzle, 81), limits, &mut Answers::new(&mut cells, &mut answer, 81));
        answer[0].solutions
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

        /// Blank some more cells, so that there are several solutions, or write another clue, so that there is none.
        #[test]
        fn the_number_of_solutions_stays(
            seed in proptest::prelude::any::<u64>(),
            place in proptest::prelude::any::<u64>(),
            blank in proptest::collection::vec(0usize..81, 0..30),
            (wrong_at, wrong) in (0usize..81, 0u8..10),
        ) {
            let mut puzzle = cells(PUZZLE);
            blank.iter().for_each(|&cell| puzzle[cell] = 0);
            puzzle[wrong_at] = wrong;
            let (symmetry, permuted) = drawn(seed, place, &puzzle);
            proptest::prop_assert_eq!(solutions(&puzzle, 50), solutions(&permuted, 50));
            proptest::prop_assert_eq!(symmetry.undo(&permuted), puzzle);
        }
    }

    /// Where the first cell goes and what its symbol becomes: all 81 cells, and all 9 symbols; the same draw again
    /// is the same.
    #[test]
    fn symmetries_are_really_drawn() {
        let mut puzzle = vec![0; 81];
        puzzle[0] = 1;
        let (mut seen_cells, mut seen_symbols, mut seen) = (HashSet::new(), HashSet::new(), HashSet::new());
        let whole: Vec<u8> = (0..81).map(|cell| 1 + cell / 9).collect();
        for place in 0..2_000 {
            let (_, permuted) = drawn(7, place, &puzzle);
            let at = permuted.iter().position(|&symbol| symbol > 0).unwrap();
            seen_cells.insert(at);
            seen_symbols.insert(permuted[at]);
            assert_eq!(permuted, drawn(7, place, &puzzle).1);
            seen.insert(drawn(7, place, &whole).1);
        }
        assert_eq!((seen_cells.len(), seen_symbols.len()), (81, 9));
        assert!(seen.len() > 1_990, "{}", seen.len());
    }

    /// Rows stay rows or become columns: nothing is torn.
    #[test]
    fn units_stay_units() {
        let rules = Rules::sudoku();
        let units: HashSet<Vec<usize>> = rules.grid().units().iter().cloned().map(sorted).collect();
        for place in 0..200 {
            let (symmetry, _) = drawn(1, place, &[0; 81]);
            for unit in rules.grid().units() {
                let there = unit.iter().map(|&cell| usize::from(symmetry.cells[cell])).collect();
                assert!(units.contains(&sorted(there)));
            }
        }
    }

    fn sorted(mut unit: Vec<usize>) -> Vec<usize> {
        unit.sort_unstable();
        unit
    }

    #[test]
    fn other_rules_are_only_relabelled() {
        fn grid() -> Grid {
            (KINDS[0].grid)()
        }
        assert!(is_nine(&Rules::new(&Kind { name: "same", about: "", grid })));
        let rules = Rules::sudoku();
        let mut symmetry = Symmetry::none(rules.grid());
        symmetry.draw(rules.grid(), false, &mut Dice::new(3, 3));
        let puzzle = cells(PUZZLE);
        let mut out = vec![0; 81];
        symmetry.apply(&puzzle, &mut out);
        assert!(puzzle.iter().zip(&out).all(|(before, after)| (*before == 0) == (*after == 0)));
        assert_ne!(puzzle, out);
    }

    /// Bytes that are no symbols of the rules stay what they are, and so stay wrong.
    #[test]
    fn what_is_no_symbol_stays() {
        let mut puzzle = cells(PUZZLE);
        puzzle[5] = 200;
        let (symmetry, permuted) = drawn(1, 1, &puzzle);
        assert_eq!(permuted[usize::from(symmetry.cells[5])], 200);
    }
}
