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
    let entry = entry_for(rules, name)?;
    stepper(rules, entry, rules.cover(), Isa::best()).map(|_| ())
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
    Stepper::new(cover, entry, isa).map_err(|unsuitable| match unsuitable {
        Unsuitable::MissingIsa(missing) => missing.into(),
        why => Unsupported::Cover { rules: rules.name().to_owned(), why },
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::engine::tests::solve;
    use crate::engine::{BACKTRACK, PROBLEM_ENGINES, compared_for, default_for, second_for};
    use crate::grid::{Fault, JIGSAW, LATIN, Regions, Verifier};
    use crate::puzzle::Status;
    use galop_cover::problem::CoverViolation;

    fn answer(engine: &mut dyn Engine, puzzle: &[u8], limits: Limits) -> (Answer, Vec<u8>) {
        solve(engine, puzzle, puzzle.len(), limits).remove(0)
    }

    /// A byte an option for the symbols of a grid.
    fn options(rules: &Rules, cells: &[u8]) -> Vec<u8> {
        let mut options = vec![0; rules.cover().option_count()];
        for (cell, &symbol) in cells.iter().enumerate().filter(|(_, symbol)| **symbol != 0) {
            options[rules.grid().candidate(cell, symbol)] = 1;
        }
        options
    }

    #[test]
    fn grids_and_their_problems_have_the_same_answers() {
        let map = Regions::read(b"aaabb aabbb cccdd ccddd eeeee".as_slice()).unwrap();
        let jigsaw = Rules::new(JIGSAW, 5, Some(&map)).unwrap();
        let grids = [
            Rules::sudoku(4).unwrap(),
            Rules::sudoku(6).unwrap(),
            Rules::default(),
            Rules::new(LATIN, 5, None).unwrap(),
            jigsaw,
        ];
        let mut chance = Chance::new(3, 0);
        for rules in &grids {
            let problem = Rules::problem(rules.cover().clone());
            let mut oracle = (BACKTRACK.make)(rules, Isa::best()).unwrap();
            let mut engines: Vec<_> = PROBLEM_ENGINES
                .iter()
                .chain([&DLX])
                .filter_map(|entry| Some((entry.name, (entry.make)(&problem, Isa::best()).ok()?)))
                .collect();
            assert!(engines.len() > 2, "{}", rules.name());
            let (grid_verifier, verifier) = (Verifier::new(rules), Verifier::new(&problem));
            let mut seen = [0; 3];
            let (cells, symbols) = (rules.grid().cells(), u32::from(rules.grid().symbols()));
            let empty = answer(&mut *oracle, &vec![0; cells], Limits::ANY).1;
            for number in 0..60 {
                // Some symbols of a solution, and sometimes another one.
                let blanks = 1 + chance.below(cells as u32 * 5 / 4) as usize;
                let mut puzzle = empty.clone();
                (0..blanks).for_each(|_| puzzle[chance.below(cells as u32) as usize] = 0);
                if number % 3 == 0 {
                    puzzle[chance.below(cells as u32) as usize] = chance.below(symbols) as u8 + 1;
                }
                let limits = [Limits::ANY, Limits::UNIQUE, Limits::count(100)][number % 3];
                let (expected, _) = answer(&mut *oracle, &puzzle, limits);
                seen[expected.solutions.min(2) as usize] += 1;
                let choices = options(rules, &puzzle);
                for (name, engine) in &mut engines {
                    let (found, solution) = answer(&mut **engine, &choices, limits);
                    assert_eq!(found.solutions, expected.solutions, "{name} {} {puzzle:?}", rules.name());
                    assert_eq!(found.status(limits), expected.status(limits));
                    if found.solutions > 0 {
                        let mut cells = vec![0; cells];
                        for (option, _) in (0..).zip(&solution).filter(|(_, byte)| **byte == 1) {
                            let (cell, symbol) = rules.grid().cell_and_symbol(option);
                            cells[cell] = symbol;
                        }
                        assert_eq!(verifier.check(&choices, &solution), Ok(()));
                        assert_eq!(grid_verifier.check(&puzzle, &cells), Ok(()));
                    }
                }
            }
            assert!(seen.iter().all(|&count| count > 1), "{} {seen:?}", rules.name());
        }
    }

    #[test]
    fn choices_that_are_forbidden_are_not_in_a_solution() {
        let rules = Rules::problem("a b c\na\nb\nc\na b\nb c\n".parse::<ExactCover>().unwrap());
        let verifier = Verifier::new(&rules);
        for entry in compared_for(&rules).iter().filter(|entry| (entry.accepts)(&rules).is_ok()) {
            let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
            let mut count = |puzzle: &[u8]| answer(&mut *engine, puzzle, Limits::ALL).0.solutions;
            assert_eq!(count(&[0; 5]), 3, "{}", entry.name);
            assert_eq!(count(&[2, 0, 0, 0, 0]), 1);
            assert_eq!(count(&[1, 0, 0, 0, 0]), 2);
            assert_eq!(count(&[1, 0, 0, 0, 2]), 1);
            assert_eq!(
                (count(&[1, 0, 0, 1, 0]), count(&[2, 0, 0, 2, 0]), count(&[7, 0, 0, 0, 0])),
                (0, 0, 0)
            );
        }
        let forbidden = Fault::Cover(CoverViolation::Assumption { option: OptionId(1) });
        assert_eq!(verifier.check(&[0, 2, 0, 0, 0], &[1, 1, 1, 0, 0]), Err(forbidden));
        assert_eq!(verifier.check_text(&[0; 5], b"a b | c"), Ok(()));
        assert!(matches!(verifier.check_text(&[0; 5], b"a b"), Err(Fault::Cover(_))));
        assert!(matches!(verifier.check_text(&[0; 5], b"x"), Err(Fault::Choice(_))));
        assert_eq!(verifier.check(&[0; 4], &[0; 4]), Err(Fault::Length { found: 4, expected: 5 }));
        assert_eq!(verifier.check(&[3; 5], &[1; 5]), Err(Fault::Byte { found: 3, option: 0 }));
    }

    #[test]
    fn items_that_are_covered_several_times_have_their_engines() {
        let rules = Rules::problem("2|a 0:2|b c\na\na b\na c\nb c\n".parse::<ExactCover>().unwrap());
        let first = default_for(&rules);
        assert_eq!((first.name, second_for(&rules, first).name), ("dlx", "planes"));
        let mut counts = [first, second_for(&rules, first)].map(|entry| {
            let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
            answer(&mut *engine, &[0; 4], Limits::ALL).0.solutions
        });
        counts.sort_unstable();
        assert_eq!(counts, [3, 3]);
        let status = |puzzle: &[u8]| {
            let mut engine = (first.make)(&rules, Isa::best()).unwrap();
            answer(&mut *engine, puzzle, Limits::UNIQUE).0.status(Limits::UNIQUE)
        };
        assert_eq!((status(&[0; 4]), status(&[2, 0, 0, 0])), (Status::Multiple, Status::Solved));
    }
}
