//! Bitboard: 27 words hold the places of nine digits in three bands. For 9x9 grids only.
//!
//! Place the clues. Settle every digit by itself, then compare the digits cell by cell, until nothing changes. Split
//! the state in two: go on with one half and push the other one on a stack.
//!
//! 1. The state is small (176 bytes). Every split copies it, so nothing is ever undone ([`board`]).
//! 2. The bits of a band are numbered so that two shifts give the minirows, and two the minicolumns ([`tables`]).
//! 3. A digit is settled in all 81 cells at once: every locked candidate and hidden single ([`settle`]).
//! 4. A split gives each half one of the two configurations of a digit in a band or stack ([`branch`]).
//! 5. Two bands share a machine word ([`bands`]).
//!
//! Tried and lost (`17_clue`, limit 1, speed relative to crate `sudoku`, 1.31 as it is). Settling without the second
//! filter of the rows, 1.14; digits from 9 down to 1, 1.22; a light check instead of settling once all cells are
//! placed, no difference.

mod bands;
mod board;
mod branch;
mod settle;
mod tables;

use super::account::Account;
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::grid::Rules;
use crate::puzzle::{Answer, Limits};

pub(super) use board::{Board, candidate};

/// Guesses without a solution after which the search starts again and splits by units.
///
/// If a few clues contradict each other in one corner, splits by configurations waste their guesses elsewhere:
/// Norvig's impossible puzzle took over a million guesses, and takes 11 with splits by units. Few puzzles of our files
/// reach this limit, and those take no longer (500 and 2,000 measured the same except for that puzzle).
const PATIENCE: u64 = 500;

pub(super) const ENTRY: Entry = Entry {
    about: "9x9 sudoku on 27 words: locked candidates and singles, then guesses; fastest for one hard puzzle",
    // 650 times the maximum of all puzzles in our files (`forum_hardest_1905_11plus`, at limit 2: 1,525).
    max_guesses: 1_000_000,
    accepts: accept,
    ..Entry::new("bitboard", make)
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    accept(rules)?;
    Ok(make_engine())
}

/// The engine, for 9x9 sudoku.
pub(super) fn make_engine() -> Box<dyn Engine> {
    Box::new(Each(Bitboard { stack: Vec::with_capacity(128) }))
}

/// Accepts the rules that a [`Board`] can solve: 9x9 sudoku.
pub(super) fn accept(rules: &Rules) -> Result<(), Unsupported> {
    if rules.grid().is_nine() {
        Ok(())
    } else {
        Err(Unsupported::Rules { accepts: "9x9 sudoku", rules: rules.name().to_owned() })
    }
}

struct Bitboard {
    /// The second halves of the splits above the current board, not yet tried.
    stack: Vec<Board>,
}

impl Search for Bitboard {
    fn cells(&self) -> usize {
        81
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let Ok(puzzle) = puzzle.try_into() else { return Answer::default() };
        let Ok(start) = Board::new(puzzle) else { return Answer::complete(0) };
        let mut account = Account::new(limits, solution);
        let mut board = start;
        self.stack.clear();
        loop {
            let is_consistent = board.propagate().is_ok();
            if is_consistent && !board.is_solved() {
                if account.guess().is_break() {
                    return account.close();
                }
                if account.guesses() < PATIENCE {
                    self.stack.push(board.split());
                } else if account.guesses() == PATIENCE && account.solutions() == 0 {
                    // No solution was counted yet, so the new start counts none twice.
                    board = start;
                    self.stack.clear();
                } else {
                    self.stack.push(board.split_unit());
                }
                continue;
            }
            if is_consistent && account.solution(|solution| board.write(solution)).is_break() {
                return account.close();
            }
            match self.stack.pop() {
                Some(other) => board = other,
                None => return account.close(),
            }
        }
    }
}
