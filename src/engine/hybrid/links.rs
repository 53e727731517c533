//! Dancing links for what the front end leaves open.
//!
//! A fixed point leaves a few dozen of the 729 options, so the links are built anew for each puzzle instead of
//! being danced down from the whole matrix.

use super::super::links::Links;
use super::super::{Engine, Entry, Isa, Unsupported, bitboard};
use super::{Rest, engine};
use crate::engine::bitboard::Board;
use crate::grid::Rules;
use crate::puzzle::{Answer, Limits};
use galop_cover::{ExactCover, ItemId, OptionId};

pub(in crate::engine) const ENTRY: Entry = Entry {
    about: "9x9 sudoku: bitboard propagation first, dancing links on what it leaves open",
    // The limit is 450 times the most of any puzzle in our files (17_clue, at limit 2: 2,139).
    max_guesses: 1_000_000,
    accepts: bitboard::accept,
    ..Entry::new("hybrid-links", make)
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    bitboard::accept(rules)?;
    let cover = rules.cover().clone();
    Ok(engine(Linked {
        links: Links::new(&cover),
        items: Vec::with_capacity(cover.item_count()),
        options: Vec::with_capacity(cover.option_count()),
        cover,
    }))
}

struct Linked {
    cover: ExactCover,
    links: Links,
    /// The items that the front end left open.
    items: Vec<ItemId>,
    /// The options that it left possible.
    options: Vec<OptionId>,
}

impl Rest for Linked {
    fn search(&mut self, board: &Board, limits: Limits, solution: &mut [u8]) -> Answer {
        self.link(board);
        let answer = self.links.search(limits);
        if answer.solutions > 0 {
            let mut write = |option: OptionId| solution[option as usize / 9] = (option % 9 + 1) as u8;
            board.placed_options(&mut write);
            self.links.solution().iter().copied().for_each(write);
        }
        answer
    }
}

impl Linked {
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
