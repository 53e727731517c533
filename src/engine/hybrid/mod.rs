//! Bitboard in front, exact cover behind: what singles and locked candidates solve never becomes a cover.
//!
//! ```text
//! clues -> Board: propagate to a fixed point -> solved? done
//!                                            -> open: what is placed -> a Rest searches what is left
//! ```
//! There are two of those, each in a file and a row of its own: option masks, which take what is placed as
//! assumptions on the one table of the whole cover, and dancing links, built anew for what is left open.
//!
//! Time of masks by that of links (`galop compare`, 10,000 puzzles of each set, first solution, Zen 4): 17 clues
//! 0.58, sampled without bias 0.42, the hardest for backtrackers (`forum_hardest_1905`) 0.36, several solutions 0.30.

mod links;
mod masks;

use super::bitboard::Board;
use super::{Each, Engine, Search};
use crate::puzzle::{Answer, Limits};

pub(super) use links::ENTRY as LINKS;
pub(super) use masks::ENTRY as MASKS;

/// What answers for the cells that the front end leaves open.
trait Rest: Send {
    /// Searches the solutions of `board`, a fixed point that is not solved, and writes the first to `solution`.
    fn search(&mut self, board: &Board, limits: Limits, solution: &mut [u8]) -> Answer;
}

/// The front end, and what comes behind it.
struct Hybrid<R>(R);

fn engine<R: Rest + 'static>(rest: R) -> Box<dyn Engine> {
    Box::new(Each(Hybrid(rest)))
}

impl<R: Rest> Search for Hybrid<R> {
    fn cells(&self) -> usize {
        81
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let Ok(puzzle) = puzzle.try_into() else { return Answer::default() };
        let Ok(mut board) = Board::new(puzzle) else { return Answer::complete(0) };
        if board.propagate().is_err() {
            return Answer::complete(0);
        }
        if board.is_solved() {
            board.write(solution);
            return Answer::complete(1);
        }
        self.0.search(&board, limits, solution)
    }
}
