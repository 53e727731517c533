//! The peers behind one interface: it takes a text line, returns the count of solutions and keeps the first one.
//!
//! Each peer is called as its own documentation shows, with the fastest call that answers the question.

use dlx::choose::{mrv_chooser, no_tiebreak, prefer_any};
use dlx::x::{Problem, make_problem};
use dlx::{OptOrder, Solver, Uint};

/// Crate `sudoku` (a Rust JCZSolve by Emerentius).
pub struct Sudoku {
    solution: [[u8; 81]; 1],
}

impl Default for Sudoku {
    fn default() -> Self {
        Sudoku { solution: [[0; 81]] }
    }
}

impl Sudoku {
    /// Counts the solutions of `line` up to `limit`.
    pub fn count(&mut self, line: &[u8], limit: u64) -> u64 {
        let text = std::str::from_utf8(line).expect("the lines are ASCII");
        let Ok(puzzle) = sudoku::Sudoku::from_str_line(text) else { return 0 };
        puzzle.solutions_up_to_buffer(&mut self.solution, limit as usize) as u64
    }
}

/// Crate `dlx` (Ed McCardell): Algorithm X, which branches on the item with the fewest options. Its 32-bit links and
/// unchecked indexing are on. It gets only the items and options that the clues leave.
#[derive(Default)]
pub struct Dlx {
    options: Vec<Vec<Uint>>,
    solution: Vec<u32>,
}

impl Dlx {
    /// Counts the solutions of `line` up to `limit`.
    pub fn count(&mut self, line: &[u8], limit: u64) -> u64 {
        let Some((mut problem, clues)) = self.problem(line) else { return 0 };
        if clues == 81 {
            return 1;
        }
        let mut chooser = mrv_chooser(prefer_any(), no_tiebreak());
        let mut solver = Solver::new(&mut problem);
        let mut count = 0;
        while count < limit && solver.next_solution(&mut chooser) {
            if count == 0 {
                self.solution.clear();
                self.solution.extend(solver.fmt_solution().iter().map(|&option| option as u32));
            }
            count += 1;
        }
        count
    }

    /// The problem that the clues leave, and the number of clues; `None` if the clues contradict each other.
    fn problem(&mut self, line: &[u8]) -> Option<(Problem, usize)> {
        // The four items of an option: a cell; and a digit in a row, in a column and in a block.
        let items = |cell: usize, digit: usize| {
            let (row, column) = (cell / 9, cell % 9);
            let block = row / 3 * 3 + column / 3;
            [cell, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * block + digit]
        };
        let (mut is_covered, mut clues) = ([false; 324], 0);
        for (cell, &byte) in line.iter().enumerate() {
            if let digit @ b'1'..=b'9' = byte {
                clues += 1;
                for item in items(cell, usize::from(digit - b'1')) {
                    if std::mem::replace(&mut is_covered[item], true) {
                        return None;
                    }
                }
            }
        }
        let (mut numbers, mut count) = ([0; 324], 0);
        for (number, _) in numbers.iter_mut().zip(is_covered).filter(|(_, is_covered)| !is_covered) {
            *number = count;
            count += 1;
        }
        self.options.clear();
        for cell in (0..81).filter(|&cell| !is_covered[cell]) {
            for digit in 0..9 {
                let items = items(cell, digit);
                if items.iter().all(|&item| !is_covered[item]) {
                    self.options.push(items.map(|item| numbers[item]).to_vec());
                }
            }
        }
        Some((make_problem(count, 0, &self.options, OptOrder::Seq), clues))
    }
}

/// The median of `values`. If their number is even, the upper one of the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
