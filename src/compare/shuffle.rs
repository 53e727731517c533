//! The symmetries of a puzzle: what changes its looks and not its solutions.
//!
//! ```text
//! digits 9!   bands 3!   rows within a band 3!^3   stacks 3!   columns within a stack 3!^3   transposition 2
//! ```
//! These are all the symmetries of the 9x9 sudoku (Russell and Jarvis, "Mathematics of Sudoku II", 2006):
//! 3,359,232 of the grid times 362,880 relabellings. A puzzle of other rules is relabelled only: every rule that
//! units make is blind to names of symbols, and which cells may change places depends on the units.

use crate::generate::dice::Dice;
use crate::grid::Grid;

/// One symmetry: where each cell goes, and what each symbol is called then.
///
/// ```text
/// 9 x 9        the cell in row r, column c goes to down[r] + across[c]; transposed, down counts columns
/// other grids  cell c stays: down[c] = c, across is 0 alone
/// ```
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    down: Vec<u16>,
    across: Vec<u16>,
    symbols: [u8; 256],
}

impl Symmetry {
    /// The one that changes nothing.
    pub(super) fn none(grid: &Grid) -> Symmetry {
        let down = (0..grid.cells() as u16).collect();
        Symmetry { down, across: vec![0], symbols: std::array::from_fn(|symbol| symbol as u8) }
    }

    /// Draws another one, each equally likely.
    ///
    /// Those of nine by nine are 1.2 * 10^12: one random number has chance enough for all of it (no symmetry is
    /// likelier than another by more than 7 * 10^-8), and costs a fifth of a number for each choice.
    pub(super) fn draw(&mut self, grid: &Grid, is_nine: bool, dice: &mut Dice) {
        // 0 stays a blank, and what is no symbol stays what it is.
        for symbol in 1..=grid.symbols() {
            self.symbols[usize::from(symbol)] = symbol;
        }
        let symbols = &mut self.symbols[1..=usize::from(grid.symbols())];
        if !is_nine {
            return dice.shuffle(symbols);
        }
        let mut chance = Chance(dice.seed());
        chance.shuffle(symbols);
        let (rows, columns) = (lines(&mut chance), lines(&mut chance));
        let (row, column) = if chance.below(2) == 1 { (1, 9) } else { (9, 1) };
        self.down.clear();
        self.down.extend(rows.map(|to| row * to));
        self.across.clear();
        self.across.extend(columns.map(|to| column * to));
    }

    /// Writes `puzzle` as this symmetry has it to `out`, of the same length.
    pub(super) fn apply(&self, puzzle: &[u8], out: &mut [u8]) {
        for (row, &down) in puzzle.chunks_exact(self.across.len()).zip(&self.down) {
            for (&symbol, &across) in row.iter().zip(&self.across) {
                out[usize::from(down + across)] = self.symbols[usize::from(symbol)];
            }
        }
    }

    /// What `cells` were before [`apply`](Self::apply).
    pub(super) fn undo(&self, cells: &[u8]) -> Vec<u8> {
        let before = |symbol: u8| self.symbols.iter().position(|&now| now == symbol).unwrap_or(0) as u8;
        let places = self.down.iter().flat_map(|down| self.across.iter().map(move |across| down + across));
        places.map(|cell| before(cells[usize::from(cell)])).collect()
    }
}

/// A random number, read as a fraction: its digits in whatever radix is asked for.
struct Chance(u64);

impl Chance {
    /// The next digit, in radix `bound`.
    fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.0) * bound as u128;
        self.0 = product as u64;
        (product >> u64::BITS) as usize
    }

    /// As [`Dice::shuffle`].
    fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// Where nine rows or columns go: threes among each other, and lines within their three.
fn lines(chance: &mut Chance) -> [u16; 9] {
    let mut lines = [0; 9];
    let mut threes = [0, 3, 6];
    chance.shuffle(&mut threes);
    for (three, start) in threes.into_iter().enumerate() {
        let mut within = [0, 1, 2];
        chance.shuffle(&mut within);
        for (line, to) in within.into_iter().enumerate() {
            lines[3 * three + line] = start + to;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::{Isa, engine};
    use crate::grid::{KINDS, Kind, Rules};
    use crate::puzzle::{Answer, Answers, Limits, Puzzles};

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn cells(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
    }

    impl Symmetry {
        /// Where `cell` goes.
        fn place(&self, cell: usize) -> usize {
            let width = self.across.len();
            usize::from(self.down[cell / width] + self.across[cell % width])
        }
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
        let mut places = Answers::new(&mut cells, &mut answer, 81);
        engine.solve(Puzzles::new(puzzle, 81), Limits::count(limit), &mut places).unwrap();
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

    /// Every digit is called every name, every line goes to every place, about equally often.
    #[test]
    fn no_symmetry_is_preferred() {
        let rules = Rules::sudoku();
        let mut symmetry = Symmetry::none(rules.grid());
        let (mut names, mut places, mut turned) = ([[0; 9]; 9], [[0; 9]; 9], 0);
        for place in 0..9_000 {
            symmetry.draw(rules.grid(), true, &mut Dice::new(11, place));
            turned += usize::from(symmetry.down[8].max(symmetry.down[7]) < 9);
            for index in 0..9 {
                names[index][usize::from(symmetry.symbols[index + 1]) - 1] += 1;
                let to = symmetry.down[index];
                places[index][usize::from(if to >= 9 { to / 9 } else { to % 9 })] += 1;
            }
        }
        // A thousand each; five standard deviations are 150. Row 0 is no multiple of anything.
        let fair = |counts: &[[i32; 9]; 9]| counts.iter().flatten().all(|count| (850..1150).contains(count));
        assert!(fair(&names) && fair(&places), "{names:?} {places:?}");
        assert!((4_260..4_740).contains(&turned), "{turned}");
    }

    /// Rows stay rows or become columns: nothing is torn.
    #[test]
    fn units_stay_units() {
        let rules = Rules::sudoku();
        let units: HashSet<Vec<usize>> = rules.grid().units().iter().cloned().map(sorted).collect();
        for place in 0..200 {
            let (symmetry, _) = drawn(1, place, &[0; 81]);
            for unit in rules.grid().units() {
                let there = unit.iter().map(|&cell| symmetry.place(cell)).collect();
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
        assert!(Rules::new(&Kind { name: "same", ..KINDS[0] }, 9, None).unwrap().grid().is_nine());
        assert!(!Rules::new(&KINDS[0], 4, None).unwrap().grid().is_nine());
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
        assert_eq!(permuted[symmetry.place(5)], 200);
    }
}
