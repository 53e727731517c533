//! Bitboard in front, dancing links behind: what singles and locked candidates solve never becomes a link.
//!
//! ```text
//! clues -> Board: propagate to a fixed point -> solved? done
//!                                            -> open: the items still to cover, the options still possible
//!                                                     -> Links, built of those alone -> Algorithm X
//! ```
//!
//! A fixed point leaves a few dozen of the 729 options, so the links are built anew for each puzzle instead of
//! being danced down from the whole matrix.

use super::bitboard::Board;
use super::links::Links;
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::puzzle::{Answer, Limits};
use crate::rules::{ExactCover, ItemId, OptionId, Rules};

pub(super) const ENTRY: Entry = Entry {
    name: "hybrid",
    about: "9x9 sudoku: bitboard propagation first, dancing links on what it leaves open",
    // 450 times the most of any puzzle in our files (17_clue, at limit 2: 2,139).
    max_guesses: 1_000_000,
    make,
    ..Entry::PLAIN
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    super::bitboard::accept(rules)?;
    let cover = rules.cover().clone();
    Ok(Box::new(Each(Hybrid {
        links: Links::new(&cover),
        items: Vec::with_capacity(cover.item_count()),
        options: Vec::with_capacity(cover.option_count()),
        cover,
    })))
}

struct Hybrid {
    cover: ExactCover,
    links: Links,
    /// The items that the front end left open.
    items: Vec<ItemId>,
    /// The options that it left possible.
    options: Vec<OptionId>,
}

impl Search for Hybrid {
    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let (Ok(puzzle), Ok(solution)) = (puzzle.try_into(), <&mut [u8; 81]>::try_from(solution)) else {
            return Answer::default();
        };
        let Ok(mut board) = Board::new(puzzle) else { return Answer::default() };
        if board.propagate().is_err() {
            return Answer::default();
        }
        if board.is_solved() {
            board.write(solution);
            return Answer { solutions: 1, ..Answer::default() };
        }
        self.link(&board);
        let answer = self.links.search(limits);
        if answer.solutions > 0 {
            let mut write = |option: OptionId| solution[option as usize / 9] = (option % 9 + 1) as u8;
            board.placed_options(&mut write);
            self.links.solution().iter().copied().for_each(write);
        }
        answer
    }
}

impl Hybrid {
    /// Builds the links of what `board` leaves open.
    fn link(&mut self, board: &Board) {
        self.options.clear();
        board.open_options(|option| self.options.push(option));
        let mut is_open = [false; 324];
        for &option in &self.options {
            for term in self.cover.option(option) {
                is_open[term.item as usize % 324] = true;
            }
        }
        self.items.clear();
        self.items.extend((0..324).filter(|&item| is_open[item as usize]));
        self.links.rebuild(&self.cover, self.items.iter().copied(), self.options.iter().copied());
    }
}
