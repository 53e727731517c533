//! Random symmetries of any grid.
//!
//! Puzzles of the 9x9 sudoku get all its symmetries. Puzzles of other rules are only relabelled: which cells may change
//! places depends on the units. Even the symbols stay if some exclude each other, such as consecutive ones.
//!
//! The 9x9 sudoku has 1.2 * 10^12 symmetries, so one random number of 64 bits gives all choices of one: no symmetry is
//! likelier than another by more than 7 * 10^-8. This costs a fifth of drawing a number for each choice.

use galop_engines::chance::Chance;
use galop_engines::grid::Grid;

/// The symmetries of the puzzles of one grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    cells: u16,
    symbols: u8,
    /// Whether cells may change places: the grid is that of the 9x9 sudoku.
    moves_cells: bool,
    /// Whether symbols may change names.
    renames_symbols: bool,
}

/// One symmetry of any grid: the new place of each cell, and the new name of each symbol.
///
/// ```text
/// 9 x 9        the cell in row r, column c goes to down[r] + across[c]; if transposed, down counts columns
/// other grids  cell c stays: down[c] = c, and across has the one element 0
/// ```
#[derive(Clone, Debug)]
pub(super) struct Rearrangement {
    down: Vec<u16>,
    across: Vec<u16>,
    symbols: [u8; 256],
}

impl Group {
    /// The symmetries of puzzles on `grid`.
    pub(super) fn of(grid: &Grid) -> Group {
        Group {
            cells: grid.cells() as u16,
            symbols: grid.symbols(),
            moves_cells: grid.is_nine(),
            renames_symbols: grid.exclusive().is_empty(),
        }
    }

    /// The symmetry that changes nothing.
    pub(super) fn identity(&self) -> Rearrangement {
        let down = (0..self.cells).collect();
        Rearrangement { down, across: vec![0], symbols: std::array::from_fn(|symbol| symbol as u8) }
    }
}

impl Rearrangement {
    /// Writes the image of `puzzle` to `out`, of the same length.
    pub(super) fn apply(&self, puzzle: &[u8], out: &mut [u8]) {
        for (row, &down) in puzzle.chunks_exact(self.across.len()).zip(&self.down) {
            for (&symbol, &across) in row.iter().zip(&self.across) {
                out[usize::from(down + across)] = self.symbols[usize::from(symbol)];
            }
        }
    }

    /// The cells whose image is `cells`: the inverse of [`apply`](Self::apply).
    pub(super) fn undo(&self, cells: &[u8]) -> Vec<u8> {
        let before = |symbol: u8| self.symbols.iter().position(|&now| now == symbol).unwrap_or(0) as u8;
        let places = self.down.iter().flat_map(|down| self.across.iter().map(move |across| down + across));
        places.map(|cell| before(cells[usize::from(cell)])).collect()
    }
}

impl Group {
    /// Replaces `symmetry` by a random one, each equally likely.
    pub(super) fn draw(&self, chance: &mut Chance, symmetry: &mut Rearrangement) {
        // 0 stays a blank, and bytes that are not symbols stay what they are.
        for symbol in 1..=self.symbols {
            symmetry.symbols[usize::from(symbol)] = symbol;
        }
        let symbols = &mut symmetry.symbols[1..=usize::from(self.symbols)];
        if !self.renames_symbols {
            return;
        }
        if !self.moves_cells {
            return chance.shuffle(symbols);
        }
        let mut digits = Digits(chance.seed());
        digits.shuffle(symbols);
        let (rows, columns) = (lines(&mut digits), lines(&mut digits));
        let (row, column) = if digits.below(2) == 1 { (1, 9) } else { (9, 1) };
        symmetry.down.clear();
        symmetry.down.extend(rows.map(|to| row * to));
        symmetry.across.clear();
        symmetry.across.extend(columns.map(|to| column * to));
    }
}

/// A random number, read as a fraction from 0 to 1: a stream of digits, each in a radix of the caller's choice.
struct Digits(u64);

impl Digits {
    /// The next digit in radix `bound`.
    fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.0) * bound as u128;
        self.0 = product as u64;
        (product >> u64::BITS) as usize
    }

    /// As [`Chance::shuffle`].
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// New places of nine rows or columns: the three chutes are shuffled, and the three lines within each chute.
fn lines(digits: &mut Digits) -> [u16; 9] {
    let mut lines = [0; 9];
    let mut chutes = [0, 3, 6];
    digits.shuffle(&mut chutes);
    for (chute, start) in chutes.into_iter().enumerate() {
        let mut within = [0, 1, 2];
        digits.shuffle(&mut within);
        for (line, to) in within.into_iter().enumerate() {
            lines[3 * chute + line] = start + to;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use galop_engines::engine::{Isa, named};
    use galop_engines::grid::{Rules, kind};
    use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    fn cells(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect()
    }

    impl Rearrangement {
        /// The new place of `cell`.
        fn place(&self, cell: usize) -> usize {
            let width = self.across.len();
            usize::from(self.down[cell / width] + self.across[cell % width])
        }
    }

    fn sudoku() -> Group {
        Group::of(Rules::default().grid())
    }

    fn drawn(group: &Group, seed: u64, place: u64, puzzle: &[u8]) -> (Rearrangement, Vec<u8>) {
        let mut symmetry = group.identity();
        group.draw(&mut Chance::new(seed, place), &mut symmetry);
        let mut out = vec![0; 81];
        symmetry.apply(puzzle, &mut out);
        (symmetry, out)
    }

    fn solutions(puzzle: &[u8], limit: u64) -> u64 {
        let mut engine = (named("bitboard").unwrap().make)(&Rules::default(), Isa::best()).unwrap();
        let (mut cells, mut answer) = ([0; 81], [Answer::default()]);
        let mut places = Answers::new(&mut cells, &mut answer, 81).unwrap();
        engine.solve(Puzzles::new(puzzle, 81).unwrap(), Limits::count(limit), &mut places).unwrap();
        answer[0].solutions
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

        /// Puzzles with more blanks have several solutions, and puzzles with another clue have none.
        #[test]
        fn symmetries_keep_the_number_of_solutions(
            seed in proptest::prelude::any::<u64>(),
            place in proptest::prelude::any::<u64>(),
            blank in proptest::collection::vec(0usize..81, 0..30),
            (wrong_at, wrong) in (0usize..81, 0u8..10),
        ) {
            let mut puzzle = cells(PUZZLE);
            blank.iter().for_each(|&cell| puzzle[cell] = 0);
            puzzle[wrong_at] = wrong;
            let (symmetry, permuted) = drawn(&sudoku(), seed, place, &puzzle);
            proptest::prop_assert_eq!(solutions(&puzzle, 50), solutions(&permuted, 50));
            proptest::prop_assert_eq!(symmetry.undo(&permuted), puzzle);
        }
    }

    /// The first cell goes to each of the 81 cells and its symbol becomes each of the 9. The same seed and place give
    /// the same symmetry.
    #[test]
    fn symmetries_vary() {
        let mut puzzle = vec![0; 81];
        puzzle[0] = 1;
        let (mut seen_cells, mut seen_symbols, mut seen) = (HashSet::new(), HashSet::new(), HashSet::new());
        let group = sudoku();
        let whole: Vec<u8> = (0..81).map(|cell| 1 + cell / 9).collect();
        for place in 0..2_000 {
            let (_, permuted) = drawn(&group, 7, place, &puzzle);
            let at = permuted.iter().position(|&symbol| symbol > 0).unwrap();
            seen_cells.insert(at);
            seen_symbols.insert(permuted[at]);
            assert_eq!(permuted, drawn(&group, 7, place, &puzzle).1);
            seen.insert(drawn(&group, 7, place, &whole).1);
        }
        assert_eq!((seen_cells.len(), seen_symbols.len()), (81, 9));
        assert!(seen.len() > 1_990, "{}", seen.len());
    }

    /// Every digit gets every name, and every line gets every place, about equally often.
    #[test]
    fn all_symmetries_are_equally_likely() {
        let group = sudoku();
        let mut symmetry = group.identity();
        let (mut names, mut places, mut turned) = ([[0; 9]; 9], [[0; 9]; 9], 0);
        for place in 0..9_000 {
            group.draw(&mut Chance::new(11, place), &mut symmetry);
            turned += usize::from(symmetry.down[8].max(symmetry.down[7]) < 9);
            for index in 0..9 {
                names[index][usize::from(symmetry.symbols[index + 1]) - 1] += 1;
                let to = symmetry.down[index];
                places[index][usize::from(if to >= 9 { to / 9 } else { to % 9 })] += 1;
            }
        }
        // 1,000 are expected for each; five standard deviations are 150.
        let fair = |counts: &[[i32; 9]; 9]| counts.iter().flatten().all(|count| (850..1150).contains(count));
        assert!(fair(&names) && fair(&places), "{names:?} {places:?}");
        assert!((4_260..4_740).contains(&turned), "{turned}");
    }

    /// Rows stay rows or become columns, and blocks stay blocks.
    #[test]
    fn units_stay_units() {
        let (rules, group) = (Rules::default(), sudoku());
        let units: HashSet<Vec<usize>> = rules.grid().units().iter().cloned().map(sorted).collect();
        for place in 0..200 {
            let (symmetry, _) = drawn(&group, 1, place, &[0; 81]);
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
    fn symbols_that_exclude_each_other_keep_their_names() {
        let group = Group::of(Rules::new(kind("non-consecutive").unwrap(), 9, None).unwrap().grid());
        let mut symmetry = group.identity();
        group.draw(&mut Chance::new(3, 3), &mut symmetry);
        let (puzzle, mut out) = (cells(PUZZLE), vec![0; 81]);
        symmetry.apply(&puzzle, &mut out);
        assert_eq!(out, puzzle);
    }

    #[test]
    fn other_rules_are_only_relabelled() {
        assert!(!Rules::sudoku(4).unwrap().grid().is_nine());
        let group = Group::of(Rules::new(kind("latin").unwrap(), 9, None).unwrap().grid());
        let mut symmetry = group.identity();
        group.draw(&mut Chance::new(3, 3), &mut symmetry);
        let puzzle = cells(PUZZLE);
        let mut out = vec![0; 81];
        symmetry.apply(&puzzle, &mut out);
        assert!(puzzle.iter().zip(&out).all(|(before, after)| (*before == 0) == (*after == 0)));
        assert_ne!(puzzle, out);
    }

    /// Bytes that are not symbols of the rules stay what they are, and so stay wrong.
    #[test]
    fn other_bytes_stay() {
        let mut puzzle = cells(PUZZLE);
        puzzle[5] = 200;
        let (symmetry, permuted) = drawn(&sudoku(), 1, 1, &puzzle);
        assert_eq!(permuted[symmetry.place(5)], 200);
    }
}
