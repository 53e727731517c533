//! Bitboard: nine digits in 27 words, filtered to a fixed point; what stays open is split in two.
mod bands;
mod board;
mod branch;
mod settle;
mod tables;

use super::{Each, Engine, Entry, Search, Unsupported};
use crate::puzzle::{Answer, Limits};
use crate::rules::Rules;

pub(super) use board::Board;

pub(super) const ENTRY: Entry = Entry {
    name: "bitboard",
    about: "9x9 sudoku on 27 words: locked candidates and singles, then guesses; fastest for one puzzle",
    max_guesses: 1_000_000,
    make,
};

fn make(rules: &Rules) -> Result<Box<dyn Engine>, Unsupported> {
    accept(rules)?;
    Ok(Box::new(Each(Bitboard { stack: Vec::with_capacity(128) })))
}

/// Whether these are the rules that a [`Board`] knows.
pub(super) fn accept(rules: &Rules) -> Result<(), Unsupported> {
    if rules.grid() == Rules::sudoku().grid() {
        Ok(())
    } else {
        Err(Unsupported { accepts: "9x9 sudoku", rules: rules.name() })
    }
}

struct Bitboard {
    /// The other halves of the splits above, still to be tried.
    stack: Vec<Board>,
}

impl Search for Bitboard {
    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut answer = Answer::default();
        let (Ok(puzzle), Ok(solution)) = (puzzle.try_into(), <&mut [u8; 81]>::try_from(solution)) else {
            return answer;
        };
        let Ok(mut board) = Board::new(puzzle) else { return answer };
        self.stack.clear();
        loop {
            let is_consistent = board.propagate().is_ok();
            if is_consistent && !board.is_solved() {
                if answer.effort.guesses == limits.guesses {
                    answer.gave_up = true;
                    return answer;
                }
                answer.effort.guesses += 1;
                self.stack.push(board.split());
                continue;
            }
            if is_consistent {
                if answer.solutions == 0 {
                    board.write(solution);
                }
                answer.solutions += 1;
                if answer.solutions == limits.solutions {
                    return answer;
                }
            }
            match self.stack.pop() {
                Some(other) => board = other,
                None => return answer,
            }
        }
    }
}
