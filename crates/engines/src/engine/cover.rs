//! Any engine of exact cover as an engine for grids: `dlx`, `hybrid`, `hybrid-links`.
//!
//! The problem is built once. Each puzzle only assumes what is known of it, its clues, or what the bitboard makes of
//! them:
//!
//! ```text
//! clues ----------------------------------------------> assumptions: search
//! clues -> Board: propagate to a fixed point -> solved? done
//!                                            -> open:   assumptions: search
//! ```
//!
//! | row | engine | in front | what it assumes |
//! |---|---|---|---|
//! | `dlx` | dancing links | | the clues are chosen |
//! | `hybrid` | option masks | bitboard | what is placed is chosen; it need not know what is eliminated |
//! | `hybrid-links` | dancing links | bitboard | likewise, and what is eliminated is forbidden, so that the links are built of the few dozen options left |
//!
//! Time of `hybrid` divided by the time of `hybrid-links` (`galop compare`, 10,000 puzzles of each set, first solution,
//! Zen 4). 17 clues 0.58, sampled without bias 0.42, the hardest for backtrackers (`forum_hardest_1905`) 0.36, several
//! solutions 0.30.

use galop_cover::ItemId;
use galop_cover::engine::{self as cover_engine, CoverEntry, Step, Stepper, Unsuitable};
use galop_cover::{Assumptions, ExactCover, OptionId};

use super::account::Account;
use super::bitboard::{self, Board};
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::grid::Rules;
use crate::puzzle::{Answer, Limits};

pub(super) const DLX: Entry = Entry {
    about: "dancing links on the exact cover matrix: any rules",
    // The most that any of 300,000 one-solution puzzles needed to the proof was 1,893 (17 clues); the hardest
    // for backtrackers on average 366. A million are about two seconds.
    max_guesses: 1_000_000,
    ..Entry::new("dlx", |rules, isa| engine(rules, Front::Clues, &cover_engine::LINKS, rules.cover(), isa))
};

pub(super) const HYBRID: Entry = Entry {
    about: "9x9 sudoku: bitboard propagation first, exact cover by option masks on what it leaves open",
    // Hundreds of times the most of any puzzle in our files, as with links.
    max_guesses: 1_000_000,
    accepts: bitboard::accept,
    ..Entry::new("hybrid", |rules, isa| {
        bitboard::accept(rules)?;
        engine(rules, Front::Placed, &cover_engine::MASKS, rules.cover(), isa)
    })
};

pub(super) const HYBRID_LINKS: Entry = Entry {
    about: "9x9 sudoku: bitboard propagation first, dancing links on what it leaves open",
    // 450 times the most of any puzzle in our files (17_clue, at limit 2: 2,139).
    max_guesses: 1_000_000,
    accepts: bitboard::accept,
    ..Entry::new("hybrid-links", |rules, isa| {
        bitboard::accept(rules)?;
        engine(rules, Front::Eliminated, &cover_engine::LINKS, &in_board_order(rules.cover()), isa)
    })
};

/// What is done with the clues before the search.
#[derive(Clone, Copy, Debug)]
enum Front {
    /// Nothing: they are chosen. A symbol in a cell is option `cell * symbols + symbol - 1`.
    Clues,
    /// The bitboard propagates, and what it placed is chosen. Options as before.
    Placed,
    /// The same, and what it eliminated is forbidden. Options are numbered as the bitboard numbers its candidates.
    Eliminated,
}

/// The engine for `rules` that searches `cover` by `entry`.
fn engine(
    rules: &Rules,
    front: Front,
    entry: &CoverEntry,
    cover: &ExactCover,
    isa: Isa,
) -> Result<Box<dyn Engine>, Unsupported> {
    let accepts = "grids whose cover has few enough options";
    let stepper = Stepper::new(cover, entry, isa).map_err(|unsuitable| match unsuitable {
        Unsuitable::MissingIsa(missing) => missing.into(),
        _ => Unsupported::Rules { accepts, rules: rules.name().to_owned() },
    })?;
    let assumptions = Assumptions::default();
    let (cells, symbols) = (rules.grid().cells(), usize::from(rules.grid().symbols()));
    Ok(Box::new(Each(CoverSearch { stepper, front, assumptions, cells, symbols })))
}

/// The cover of the 9x9 sudoku with its options in the order of [`bitboard::candidate`].
fn in_board_order(cover: &ExactCover) -> ExactCover {
    let mut builder = ExactCover::builder();
    for item in 0..cover.item_count() as u32 {
        builder.primary(cover.item_name(ItemId(item)));
    }
    for (cell, digit) in (0..729).map(bitboard::candidate) {
        let option = OptionId((9 * cell + usize::from(digit) - 1) as u32);
        builder.option(cover.option(option).iter().map(|term| term.item));
    }
    // The items and options come from a cover, so there is no error.
    builder.finish().unwrap_or_default()
}

struct CoverSearch {
    stepper: Stepper,
    front: Front,
    assumptions: Assumptions,
    cells: usize,
    symbols: usize,
}

impl Search for CoverSearch {
    fn cells(&self) -> usize {
        self.cells
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        self.assumptions.chosen.clear();
        self.assumptions.forbidden.clear();
        let answer = match self.front {
            Front::Clues => self.assume_clues(puzzle),
            Front::Placed | Front::Eliminated => self.assume_propagated(puzzle, solution),
        };
        answer.unwrap_or_else(|| self.search_cover(limits, solution))
    }
}

impl CoverSearch {
    /// Assumes the clues; the answer if they are not all symbols of the rules.
    fn assume_clues(&mut self, puzzle: &[u8]) -> Option<Answer> {
        let is_possible = choose_clues(puzzle, self.symbols, &mut self.assumptions.chosen);
        (!is_possible).then(|| Answer::complete(0))
    }

    /// Assumes what the bitboard makes of the clues; the answer if that is all of it.
    fn assume_propagated(&mut self, puzzle: &[u8], solution: &mut [u8]) -> Option<Answer> {
        let Ok(puzzle) = puzzle.try_into() else { return Some(Answer::default()) };
        let Ok(mut board) = Board::new(puzzle) else { return Some(Answer::complete(0)) };
        if board.propagate().is_err() {
            return Some(Answer::complete(0));
        }
        if board.is_solved() {
            board.write(solution);
            return Some(Answer::complete(1));
        }
        let Assumptions { chosen, forbidden } = &mut self.assumptions;
        if let Front::Eliminated = self.front {
            board.placed(|candidate| chosen.push(OptionId(candidate)));
            board.eliminated(|candidate| forbidden.push(OptionId(candidate)));
        } else {
            board.placed(|candidate| {
                let (cell, digit) = bitboard::candidate(candidate);
                chosen.push(OptionId((9 * cell + usize::from(digit) - 1) as u32));
            });
        }
        None
    }

    fn search_cover(&mut self, limits: Limits, solution: &mut [u8]) -> Answer {
        let mut account = Account::new(limits, solution);
        self.stepper.start(&self.assumptions, limits.max_guesses());
        let mut step = self.stepper.next(u64::MAX);
        while step == Step::Solution && account.solution(|cells| self.write(cells)).is_continue() {
            step = self.stepper.next(u64::MAX);
        }
        account.close_with(self.stepper.guesses(), step == Step::Stopped)
    }

    /// Writes the options of the solution as symbols: every cell has one.
    fn write(&self, cells: &mut [u8]) {
        let solution = self.stepper.solution();
        match self.front {
            Front::Clues | Front::Placed => write_options(solution, self.symbols, cells),
            Front::Eliminated => {
                for (cell, symbol) in solution.iter().map(|&option| bitboard::candidate(option.0)) {
                    cells[cell] = symbol;
                }
            }
        }
    }
}

/// Chooses the options of the clues; false if they are not all among the symbols.
pub(super) fn choose_clues(puzzle: &[u8], symbols: usize, chosen: &mut Vec<OptionId>) -> bool {
    for (cell, &symbol) in puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0) {
        if usize::from(symbol) > symbols {
            return false;
        }
        chosen.push(OptionId((cell * symbols + usize::from(symbol) - 1) as u32));
    }
    true
}

/// Writes the options of a solution as symbols: every cell has one.
pub(super) fn write_options(solution: &[OptionId], symbols: usize, cells: &mut [u8]) {
    for &option in solution {
        cells[option.index() / symbols] = (option.index() % symbols + 1) as u8;
    }
}
