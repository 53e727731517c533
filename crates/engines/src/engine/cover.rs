//! Any engine of exact cover as an engine for puzzles: `dlx`, `hybrid`, `hybrid-links`, and for problems `masks`, `wide`,
//! `sparse` and `planes`.
//!
//! The problem is built once. Each puzzle only assumes what is known of it, its clues or choices, or what the bitboard
//! makes of the clues:
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
//! | `masks`, `wide`, `sparse`, `planes` | the engine of that name | | the choices |
//! | `hybrid` | option masks | bitboard | what is placed is chosen; it need not know what is eliminated |
//! | `hybrid-links` | dancing links | bitboard | likewise, and what is eliminated is forbidden, so that the links are built of the few dozen options left |
//!
//! Not built: records of a problem that begin with the same choices, sorted within a chunk, so that the common choices
//! are assumed once. Assumptions take 8 % of the time of a sudoku with 17 clues as a problem (`masks`), and neighbours
//! of 512 sorted records share 17 % of their choices: 1.4 % at most. 30 queens 5 % of 5 %, pentominoes (`wide`) 12 % of
//! 0.1 %, a timetable (`wide`) 5 % of 2 %, Latin squares of 20x20 with 240 cells (`sparse`) 0.4 % of 21 %.
//!
//! Time of `hybrid` divided by the time of `hybrid-links` (`galop compare`, 10,000 puzzles of each set, first solution,
//! Zen 4). 17 clues 0.58, sampled without bias 0.42, the hardest for backtrackers (`forum_hardest_1905`) 0.36, several
//! solutions 0.30.

use galop_cover::ItemId;
use galop_cover::engine::{self as cover_engine, CoverEntry, Step, Stepper, Unsuitable};
use galop_cover::{Assumptions, ExactCover, OptionId};

use super::account::Account;
use super::bitboard::{self, Board};
use super::coding::Coding;
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::grid::Rules;
use crate::puzzle::{Answer, Limits};

pub(super) const DLX: Entry = Entry {
    alias: Some("links"),
    about: "dancing links on the exact cover matrix: any rules",
    accepts: accept_links,
    // The most that any of 300,000 one-solution puzzles needed to the proof was 1,893 (17 clues); the hardest
    // for backtrackers on average 366. A million are about two seconds.
    max_guesses: 1_000_000,
    ..Entry::new("dlx", |rules, isa| engine(rules, Front::Clues, &cover_engine::LINKS, rules.cover(), isa))
};

/// Accepts grids, and the problems that links can hold.
fn accept_links(rules: &Rules) -> Result<(), Unsupported> {
    if rules.choices().is_none() { Ok(()) } else { accept_problem(rules, cover_engine::LINKS.name) }
}

/// A row for problems: the engine of exact cover with this name.
macro_rules! for_problems {
    ($name:literal, $about:literal) => {
        Entry {
            about: $about,
            accepts: |rules| accept_problem(rules, $name),
            ..Entry::new($name, |rules, isa| problem_engine(rules, $name, isa))
        }
    };
}

pub(super) const MASKS: Entry = for_problems!("masks", "problems: option masks, up to 31 options per item");
pub(super) const WIDE: Entry =
    for_problems!("wide", "problems: option masks for items of any number of options");
pub(super) const SPARSE: Entry = for_problems!("sparse", "problems: sparse sets");
pub(super) const PLANES: Entry =
    for_problems!("planes", "problems: bit planes, items covered several times as well");

/// Accepts problems that the engine of exact cover can hold.
fn accept_problem(rules: &Rules, name: &str) -> Result<(), Unsupported> {
    entry_for(rules, name)?.check(rules.cover()).map_err(|why| unsuitable(rules, why))
}

/// The engine of exact cover with this name, if the rules are a problem.
fn entry_for(rules: &Rules, name: &str) -> Result<&'static CoverEntry, Unsupported> {
    let entry = cover_engine::by_name(name).filter(|_| rules.choices().is_some());
    entry
        .ok_or_else(|| Unsupported::Rules { accepts: "exact cover problems", rules: rules.name().to_owned() })
}

/// The engine for `rules`, which are a problem, that searches by the engine of exact cover with this name.
fn problem_engine(rules: &Rules, name: &str, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    engine(rules, Front::Clues, entry_for(rules, name)?, rules.cover(), isa)
}

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
    /// Nothing: they are chosen. [`Coding`] says which option a symbol in a cell is.
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
    let (stepper, assumptions) = (stepper(rules, entry, cover, isa)?, Assumptions::default());
    let (stride, coding) = (rules.stride(), Coding::of(rules));
    Ok(Box::new(Each(CoverSearch { stepper, front, assumptions, stride, coding })))
}

fn stepper(rules: &Rules, entry: &CoverEntry, cover: &ExactCover, isa: Isa) -> Result<Stepper, Unsupported> {
    Stepper::new(cover, entry, isa).map_err(|why| unsuitable(rules, why))
}

fn unsuitable(rules: &Rules, why: Unsuitable) -> Unsupported {
    match why {
        Unsuitable::MissingIsa(missing) => missing.into(),
        why => Unsupported::Cover { rules: rules.name().to_owned(), why },
    }
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
    stride: usize,
    coding: Coding,
}

impl Search for CoverSearch {
    fn cells(&self) -> usize {
        self.stride
    }

    fn is_slow(&self) -> bool {
        matches!(self.coding, Coding::Options)
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let answer = match self.front {
            Front::Clues if self.coding.assume(puzzle, &mut self.assumptions) => None,
            Front::Clues => Some(Answer::complete(0)),
            Front::Placed | Front::Eliminated => self.assume_propagated(puzzle, solution),
        };
        answer.unwrap_or_else(|| self.search_cover(limits, solution))
    }
}

impl CoverSearch {
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
        chosen.clear();
        forbidden.clear();
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

    /// Writes the solution to the bytes of the answer.
    fn write(&self, cells: &mut [u8]) {
        let solution = self.stepper.solution();
        match self.front {
            Front::Clues | Front::Placed => self.coding.write(solution, cells),
            Front::Eliminated => {
                for (cell, symbol) in solution.iter().map(|&option| bitboard::candidate(option.0)) {
                    cells[cell] = symbol;
                }
            }
        }
    }
}
