//! The small independent check that every solution passes before it leaves the program.
//!
//! It knows only the units and the pairs of the rules: it has no candidates, no search and no code of any engine, and
//! it is small enough to be read and trusted. It checks cells, or the text that is about to be written.
//!
//! There are four checks with the same result: one for any rules, unit by unit, and three faster ones for the 9x9 sudoku,
//! which almost all puzzles are: in vectors of [64 bytes](super::nine_verifier) where the machine has AVX-512, of
//! [32](super::nine_pairs) where it has AVX2, else by tables. A unit has as many cells as there are symbols: if it holds
//! every symbol, it holds each of them once. A solution that fails is checked unit by unit, which finds what is wrong.
//!
//! # What was tried
//! Nanoseconds per solution, for 10,000 different ones, clues included (Zen 4 at 2.2 GHz, no `target-cpu`; in brackets
//! compiled for AVX2):
//!
//! | way | ns |
//! |---|---|
//! | unit by unit, indices from the rules, the loops of nine unrolled | 130 |
//! | no two peers alike: 22 distances between cells, compared 32 cells at a time | 50 (35) |
//! | bits of all cells by vector shifts, then units picked from ors of three neighbours | 41 (32) |
//! | the same, sixteen solutions at a time in flat passes | 52 (26) |
//! | bits of three cells side by side in a word, from tables, folded for each unit | 33 (33) |
//! | **bits for row, column and block in one word, from tables** | **25** |
//! | **units picked from two vectors of 64 bytes (AVX-512)** | **5** |
//!
//! With two rows in a vector of 32 bytes (AVX2), a check takes 148 instructions instead of the 301 of the tables, `galop
//! verify` on a million solved lines takes 0.77 of the time, and `galop solve` on a million easy puzzles 0.96 (Zen 3).
//!
//! The tables need no vectors, so they are equally fast on every machine. Their two loads per cell are their limit: the
//! processor makes three loads per cycle. Reading eight cells with one load did not help.

use std::ops::BitOr;
use std::slice;

use super::Alphabet;
use super::Rules;
use super::error::Fault;
use super::names::{Cell, UnitName};
use super::nine_verifier::{Check, in_vectors};
use super::problem_verifier::ProblemVerifier;
use crate::puzzle::Puzzles;

/// Checks solutions against the rules.
#[derive(Clone, Debug)]
pub struct Verifier {
    cells: usize,
    /// Bit `s` for each symbol `s`.
    all: u64,
    symbols: usize,
    /// The cells of all units, one unit after the other, `symbols` cells each.
    units: Vec<u16>,
    unit_names: Vec<UnitName>,
    /// Pairs of cells that differ.
    different: Vec<[usize; 2]>,
    /// Pairs of a symbol in a cell that are not in one solution.
    exclusive: Vec<[(usize, u8); 2]>,
    /// The checks of the 9x9 sudoku, if these are its rules.
    nine: Option<NineChecks>,
    alphabet: Alphabet,
    /// The check of a problem, if the rules are one.
    problem: Option<Box<ProblemVerifier>>,
}

/// The checks of the 9x9 sudoku.
#[derive(Clone, Copy, Debug)]
struct NineChecks {
    cells: Check,
    text: Check,
}

impl Verifier {
    /// A verifier for `rules`.
    pub fn new(rules: &Rules) -> Verifier {
        let grid = rules.grid();
        let all = (1..=grid.symbols()).fold(0, |all, symbol| all | 1 << symbol);
        let units = grid.units().iter().flatten().map(|&cell| cell as u16).collect();
        let nine = NineChecks {
            cells: in_vectors::<0>().unwrap_or(are_right::<0>),
            text: in_vectors::<b'0'>().unwrap_or(are_right::<b'0'>),
        };
        let symbols = usize::from(grid.symbols()).max(1);
        let of = |pair: &[usize; 2]| pair.map(|candidate| grid.cell_and_symbol(candidate));
        Verifier {
            cells: grid.cells(),
            all,
            symbols,
            units,
            unit_names: (0..grid.units().len()).map(|unit| grid.unit_name(unit)).collect(),
            different: grid.different().to_vec(),
            exclusive: grid.exclusive().iter().map(of).collect(),
            nine: grid.is_nine().then_some(nine),
            alphabet: rules.alphabet().clone(),
            problem: rules.choices().map(|choices| Box::new(ProblemVerifier::new(choices))),
        }
    }

    /// Checks that `solution` keeps the clues of `puzzle`, holds every symbol once in every unit, and breaks no pair.
    ///
    /// Both are flat cells: 0 blank, 1..=n.
    ///
    /// # Errors
    /// The first [`Fault`] found.
    #[inline]
    pub fn check(&self, puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        self.check_from::<0>(puzzle, solution)
    }

    /// The same for a `solution` as text: one character per cell, in the alphabet of the rules.
    ///
    /// # Errors
    /// The first [`Fault`] found.
    #[inline]
    pub fn check_text(&self, puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        if let Some(problem) = &self.problem {
            return problem.check_text(puzzle, solution);
        }
        if self.alphabet.is_digits() {
            return self.check_from::<b'0'>(puzzle, solution);
        }
        let cells: Vec<u8> = solution.iter().map(|&byte| self.alphabet.cell(byte).unwrap_or(0)).collect();
        self.check_units(0, puzzle, &cells)
    }

    /// Whether all `solutions` pass [`check`](Self::check), flat as the puzzles. It takes half of the time.
    pub fn are_right(&self, puzzles: Puzzles<'_>, solutions: &[u8]) -> bool {
        let nine = self.nine.map(|nine| nine.cells);
        self.are_right_by(nine, |puzzle, solution| self.check(puzzle, solution), puzzles, solutions)
    }

    /// Whether all `solutions` pass [`check_text`](Self::check_text), flat as the puzzles.
    pub fn are_right_texts(&self, puzzles: Puzzles<'_>, solutions: &[u8]) -> bool {
        let nine = self.nine.map(|nine| nine.text);
        self.are_right_by(nine, |puzzle, solution| self.check_text(puzzle, solution), puzzles, solutions)
    }

    fn are_right_by(
        &self,
        nine: Option<Check>,
        check: impl Fn(&[u8], &[u8]) -> Result<(), Fault>,
        puzzles: Puzzles<'_>,
        solutions: &[u8],
    ) -> bool {
        if let Some(are_right) = nine {
            let ((puzzles, []), (solutions, [])) = (puzzles.bytes().as_chunks(), solutions.as_chunks())
            else {
                return false;
            };
            return are_right(puzzles, solutions);
        }
        let cells = puzzles.stride();
        let mut pairs = puzzles.iter().zip(solutions.chunks_exact(cells));
        solutions.len() == puzzles.len() * cells
            && pairs.all(|(puzzle, solution)| check(puzzle, solution).is_ok())
    }

    /// The check of a solution in which symbol `s` is byte `ZERO + s`.
    #[inline]
    fn check_from<const ZERO: u8>(&self, puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        if let Some(nine) = &self.nine
            && let (Ok(one), Ok(other)) = (puzzle.try_into(), solution.try_into())
            && (if ZERO == 0 { nine.cells } else { nine.text })(slice::from_ref(one), slice::from_ref(other))
        {
            return Ok(());
        }
        self.check_units(ZERO, puzzle, solution)
    }

    /// The check for any rules, which also finds what is wrong.
    #[inline(never)]
    fn check_units(&self, zero: u8, puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        if let Some(problem) = &self.problem {
            return problem.check(puzzle, solution);
        }
        for len in [puzzle.len(), solution.len()] {
            if len != self.cells {
                return Err(Fault::Length { found: len, expected: self.cells });
            }
        }
        let symbols = || solution.iter().map(|&byte| byte.wrapping_sub(zero));
        let is_lost = |(&clue, symbol): (&u8, u8)| (clue != 0) & (clue != symbol);
        if let Some(cell) = puzzle.iter().zip(symbols()).position(is_lost) {
            let found = solution[cell].wrapping_sub(zero);
            return Err(Fault::Clue { cell: self.cell(cell), clue: puzzle[cell], found });
        }
        let bits: Vec<u64> = symbols().map(|symbol| BITS[usize::from(symbol)]).collect();
        let seen = |unit: &[u16]| unit.iter().map(|&cell| bits[usize::from(cell)]).fold(0, BitOr::bitor);
        let unfilled = self.units.chunks_exact(self.symbols).position(|unit| seen(unit) != self.all);
        if let Some(unit) = unfilled {
            return Err(self.violated(unit, &symbols().collect::<Vec<_>>()));
        }
        let symbol = |cell: usize| solution[cell].wrapping_sub(zero);
        if let Some(&cells) = self.different.iter().find(|[one, other]| symbol(*one) == symbol(*other)) {
            let symbol = symbol(cells[0]);
            return Err(Fault::Different { symbol, cells: cells.map(|cell| self.cell(cell)) });
        }
        let is_broken = |pair: &&[(usize, u8); 2]| pair.iter().all(|&(cell, held)| symbol(cell) == held);
        if let Some(pair) = self.exclusive.iter().find(is_broken) {
            let cells = pair.map(|(cell, _)| self.cell(cell));
            return Err(Fault::Exclusive { symbols: pair.map(|(_, symbol)| symbol), cells });
        }
        Ok(())
    }

    /// What is wrong in `unit`, which lacks a symbol or has another byte: the first cell that holds no symbol, or one
    /// that an earlier cell holds. (A unit has as many cells as there are symbols, so there is such a cell.)
    #[cold]
    fn violated(&self, unit: usize, solution: &[u8]) -> Fault {
        let cells = &self.units[unit * self.symbols..][..self.symbols];
        let symbol = |at: usize| solution[usize::from(cells[at])];
        let is_wrong = |seen: &mut u64, at: usize| {
            let bit = BITS[usize::from(symbol(at))] & self.all;
            let is_wrong = bit == 0 || *seen & bit != 0;
            *seen |= bit;
            is_wrong
        };
        let mut seen = 0;
        let wrong = (0..cells.len()).find(|&at| is_wrong(&mut seen, at)).unwrap_or_default();
        let (found, cell) = (symbol(wrong), |at: usize| self.cell(usize::from(cells[at])));
        match (0..wrong).find(|&earlier| symbol(earlier) == found) {
            Some(earlier) => {
                let unit = self.unit_names[unit];
                Fault::Twice { symbol: found, unit, cells: [cell(earlier), cell(wrong)] }
            }
            None => Fault::Symbol { found, cell: cell(wrong) },
        }
    }

    fn cell(&self, cell: usize) -> Cell {
        Cell { row: cell / self.symbols + 1, column: cell % self.symbols + 1 }
    }
}

/// Bit `s` for each symbol `s`; no bit for 0 and for bytes from 64.
const BITS: [u64; 256] = {
    let mut bits = [0; 256];
    let mut symbol = 1;
    while symbol < 64 {
        bits[symbol] = 1 << symbol;
        symbol += 1;
    }
    bits
};

/// Whether these are solutions of 9x9 sudokus, by tables.
fn are_right<const ZERO: u8>(puzzles: &[[u8; 81]], solutions: &[[u8; 81]]) -> bool {
    let mut pairs = puzzles.iter().zip(solutions);
    puzzles.len() == solutions.len()
        && pairs.all(|(puzzle, solution)| is_kept::<ZERO>(puzzle, solution) && is_filled::<ZERO>(solution))
}

/// Whether the solution keeps every clue. The loop has no branch per cell, because clues and blanks have no pattern
/// that a processor could predict.
#[inline]
fn is_kept<const ZERO: u8>(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
    let mut is_lost = false;
    for cell in 0..81 {
        is_lost |= (puzzle[cell] != 0) & (puzzle[cell] != solution[cell].wrapping_sub(ZERO));
    }
    !is_lost
}

/// Whether rows, columns and blocks hold every digit.
///
/// Each place in a block has a table. The entry of a cell's digit is or-ed to the word of the block:
///
/// ```text
/// the digits seen in  | the block | column 2, 1, 0 of the block | row 2, 1, 0 of the block |
///   nine bits each      54..63      27..54                        0..27
/// ```
/// The or of the three words of a band has the digits of whole rows, the or of a stack has the digits of whole columns.
#[inline]
fn is_filled<const ZERO: u8>(solution: &[u8; 81]) -> bool {
    let tables = const { &tables(ZERO) };
    let (mut rows, mut blocks, mut columns) = (ROWS, BLOCK, [0; 3]);
    for band in solution.as_chunks::<27>().0 {
        let mut words = [0; 3];
        for (row, tables) in band.as_chunks::<9>().0.iter().zip(tables) {
            for (block, &[left, middle, right]) in row.as_chunks::<3>().0.iter().enumerate() {
                words[block] |= tables[0][usize::from(left)];
                words[block] |= tables[1][usize::from(middle)];
                words[block] |= tables[2][usize::from(right)];
            }
        }
        rows &= words.into_iter().fold(0, BitOr::bitor);
        blocks &= words[0] & words[1] & words[2];
        for stack in 0..3 {
            columns[stack] |= words[stack];
        }
    }
    (rows, blocks) == (ROWS, BLOCK) && columns[0] & columns[1] & columns[2] & COLUMNS == COLUMNS
}

/// All nine digits in three rows, in three columns and in a block.
const ROWS: u64 = (1 << 27) - 1;
const COLUMNS: u64 = ROWS << 27;
const BLOCK: u64 = 0o777 << 54;

/// For each place in a block, row by row, the bits of byte `zero + d` for d = 1..=9; no bit for other bytes.
const fn tables(zero: u8) -> [[[u64; 256]; 3]; 3] {
    let mut tables = [[[0; 256]; 3]; 3];
    let mut at = 0;
    while at < 81 {
        let (place, digit) = (at / 9, at % 9);
        let (row, column) = (place / 3, place % 3);
        let bits = (1 << (9 * row)) + (1 << (27 + 9 * column)) + (1 << 54);
        tables[row][column][zero as usize + 1 + digit] = bits << digit;
        at += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::grid::Variant;
    use crate::grid::nine_verifier::checks;
    use galop_testing::puzzles::{SOLUTION, cells};

    fn cell_name(cell: usize) -> Cell {
        Cell { row: cell / 9 + 1, column: cell % 9 + 1 }
    }

    fn twice(symbol: u8, unit: UnitName, cells: [usize; 2]) -> Fault {
        Fault::Twice { symbol, unit, cells: cells.map(cell_name) }
    }

    fn right() -> Vec<u8> {
        cells(SOLUTION).to_vec()
    }

    #[test]
    fn accepts_a_solution_and_names_what_is_wrong_with_others() {
        let verifier = Verifier::new(&Rules::default());
        let (solution, blank) = (right(), vec![0; 81]);
        assert_eq!(verifier.check(&blank, &solution), Ok(()));
        assert_eq!(verifier.check(&solution, &solution), Ok(()));

        let mut swapped = solution.clone();
        swapped.swap(0, 1);
        let lost = Fault::Clue { cell: cell_name(0), clue: 4, found: 1 };
        assert_eq!(verifier.check(&solution, &swapped), Err(lost));
        assert_eq!(
            (lost.to_string(), lost.cell()),
            ("row 1, column 1 holds 1, but the clue is 4".into(), Some(cell_name(0)))
        );
        let twice = twice(1, UnitName::Column(1), [0, 72]);
        assert_eq!(verifier.check(&blank, &swapped), Err(twice));
        let words = "1 occurs twice in column 1: in row 1, column 1 and in row 9, column 1";
        assert_eq!((twice.to_string(), twice.cell()), (words.into(), Some(cell_name(72))));
        let length = Fault::Length { found: 80, expected: 81 };
        assert_eq!(verifier.check(&blank, &solution[1..]), Err(length));
        assert_eq!((length.to_string(), length.cell()), ("80 cells where the rules have 81".into(), None));
    }

    #[test]
    fn broken_pairs_are_named() {
        let solution = right();
        let check = |kinds: &str| {
            let rules = kinds.parse::<Variant>().unwrap().rules(9).unwrap();
            Verifier::new(&rules).check(&[0; 81], &solution).unwrap_err()
        };
        let knight = check("anti-knight");
        assert_eq!(knight, Fault::Different { symbol: 1, cells: [1, 12].map(cell_name) });
        let words = "1 is in row 1, column 2 and in row 2, column 4, which must differ";
        assert_eq!((knight.to_string(), knight.cell()), (words.into(), Some(cell_name(12))));
        let neighbours = check("non-consecutive");
        assert_eq!(neighbours, Fault::Exclusive { symbols: [6, 5], cells: [4, 13].map(cell_name) });
        assert_eq!(neighbours.to_string(), "6 in row 1, column 5 excludes 5 in row 2, column 5");
    }

    /// The result of both checks, for cells and for text. They must be equal.
    fn check(puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        static NINE: LazyLock<Verifier> = LazyLock::new(|| Verifier::new(&Rules::default()));
        let verifier = &*NINE;
        assert!(verifier.nine.is_some());
        let long = verifier.check_units(0, puzzle, solution);
        let text: Vec<u8> = solution.iter().map(|&cell| cell.wrapping_add(b'0')).collect();
        assert_eq!(verifier.check_units(b'0', puzzle, &text), long);
        assert_eq!(verifier.check_text(puzzle, &text), long);
        assert_eq!(verifier.check(puzzle, solution), long);
        let are_right = verifier.are_right(Puzzles::one(puzzle), solution);
        assert_eq!(are_right, long.is_ok(), "{solution:?}");
        let (Ok(puzzle), Ok(solution)) = (puzzle.try_into(), solution.try_into()) else { return long };
        let text: [u8; 81] = text.try_into().unwrap();
        // The damaged one is the first, in the middle and the last of its batch.
        let right: [u8; 81] = cells(SOLUTION);
        let right_text = right.map(|cell| cell + b'0');
        let puzzles = [right, right, puzzle, right, puzzle];
        for (from, to) in [(0, 5), (2, 3), (2, 4), (1, 3)] {
            let is_right = |check: Check, solution: [u8; 81], right: [u8; 81]| {
                check(&puzzles[from..to], &[right, right, solution, right, solution][from..to])
            };
            for check in checks::<0>().into_iter().chain([super::are_right::<0> as Check]) {
                assert_eq!(is_right(check, solution, right), long.is_ok(), "{solution:?}");
            }
            for check in checks::<b'0'>().into_iter().chain([super::are_right::<b'0'> as Check]) {
                assert_eq!(is_right(check, text, right_text), long.is_ok(), "{text:?}");
            }
        }
        long
    }

    #[test]
    fn a_digit_has_one_bit_for_its_row_one_for_its_column_and_one_for_its_block() {
        for (zero, first) in [(0, 1), (b'0', usize::from(b'1'))] {
            let tables = tables(zero);
            for (place, byte) in (0..9).flat_map(|place| (0..256_usize).map(move |byte| (place, byte))) {
                let (row, column) = (place / 3, place % 3);
                let bits = match byte.checked_sub(first) {
                    Some(digit @ 0..9) => [9 * row, 27 + 9 * column, 54].map(|at| at + digit),
                    _ => [64; 3],
                };
                let word = tables[row][column][byte];
                assert!((0..64).all(|at| (word >> at & 1 == 1) == bits.contains(&at)), "{place} {byte}");
            }
        }
    }

    /// Every change of one cell is found, every exchange of two different cells, and a lost clue.
    #[test]
    fn no_wrong_grid_passes() {
        let (right, blank) = (right(), [0; 81]);
        assert_eq!(check(&blank, &right), Ok(()));
        assert_eq!(check(&right, &right), Ok(()));
        for cell in 0..81 {
            let mut wrong = right.clone();
            for symbol in (0..=255).filter(|&symbol| symbol != right[cell]) {
                wrong[cell] = symbol;
                let violation = check(&blank, &wrong).unwrap_err();
                match violation {
                    Fault::Twice { symbol: found, cells, .. } => {
                        assert!(found == symbol && cells.contains(&cell_name(cell)) && cells[0] != cells[1]);
                    }
                    _ => {
                        assert_eq!(violation, Fault::Symbol { found: symbol, cell: cell_name(cell) });
                        assert_eq!(violation.cell(), Some(cell_name(cell)));
                    }
                }
                let lost = Fault::Clue { cell: cell_name(cell), clue: right[cell], found: symbol };
                assert_eq!(check(&right, &wrong), Err(lost));
            }
            for other in (0..cell).filter(|&other| right[other] != right[cell]) {
                let mut wrong = right.clone();
                wrong.swap(cell, other);
                assert!(matches!(check(&blank, &wrong), Err(Fault::Twice { .. })));
            }
            let mut clue = blank;
            clue[cell] = right[cell] % 9 + 1;
            let lost = Fault::Clue { cell: cell_name(cell), clue: clue[cell], found: right[cell] };
            assert_eq!(check(&clue, &right), Err(lost));
        }
    }

    /// Two columns of different stacks are exchanged, or two rows of different bands: rows and columns are right, and
    /// so are the blocks of the third stack or band.
    #[test]
    fn every_block_is_checked() {
        let right = right();
        for (one, other) in (0..9).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let exchanged = |line: usize| match line {
                _ if line == one => other,
                _ if line == other => one,
                _ => line,
            };
            let is_right = one / 3 == other / 3;
            let columns: Vec<u8> = (0..81).map(|at| right[at / 9 * 9 + exchanged(at % 9)]).collect();
            let rows: Vec<u8> = (0..81).map(|at| right[exchanged(at / 9) * 9 + at % 9]).collect();
            for grid in [columns, rows] {
                let found = check(&[0; 81], &grid);
                assert_eq!(found.is_ok(), is_right, "{one} {other}");
                assert!(matches!(found, Ok(()) | Err(Fault::Twice { unit: UnitName::Block(_), .. })));
            }
        }
    }

    /// Grids in which only the rows, the columns or the blocks are right.
    #[test]
    fn every_type_of_unit_is_checked() {
        let digit = |number: usize| (number % 9 + 1) as u8;
        let grid = |cell: fn(usize, usize) -> usize| -> Vec<u8> {
            (0..81).map(|at| digit(cell(at / 9, at % 9))).collect()
        };
        let wrong = |cell, symbol, unit, cells| {
            assert_eq!(check(&[0; 81], &grid(cell)), Err(twice(symbol, unit, cells)));
        };
        wrong(|_, column| column, 1, UnitName::Column(1), [0, 9]); // Rows are right.
        wrong(|row, _| row, 1, UnitName::Row(1), [0, 1]); // Columns are right.
        wrong(|row, column| 3 * (row % 3) + column % 3, 1, UnitName::Row(1), [0, 3]); // Blocks are right.
        wrong(|row, column| row + column, 2, UnitName::Block(1), [1, 9]); // Rows and columns are right.
        assert_eq!(check(&[0; 81], &grid(|row, column| 3 * row + row / 3 + column)), Ok(()));
    }

    proptest::proptest! {
        /// Both checks agree on right grids with a few changed cells, and on any bytes.
        #[test]
        fn both_checks_agree(
            changes in proptest::collection::vec((0usize..81, proptest::prelude::any::<u8>()), 0..4),
            swaps in proptest::collection::vec((0usize..81, 0usize..81), 0..4),
            clues in proptest::collection::vec((0usize..81, 0u8..=9), 0..4),
        ) {
            let (mut solution, mut puzzle) = (right(), vec![0; 81]);
            swaps.iter().for_each(|&(one, other)| solution.swap(one, other));
            changes.iter().for_each(|&(cell, symbol)| solution[cell] = symbol);
            clues.iter().for_each(|&(cell, symbol)| puzzle[cell] = symbol);
            check(&puzzle, &solution).ok();
        }
    }
}
