//! Option masks for what the front end leaves open.
//!
//! The table of masks is that of the whole cover, 729 options by 324 items, built once: what is placed is assumed,
//! an AND a cell, and nothing has to be undone after a puzzle. Candidates that only locked candidates strike are
//! not told to the masks.

use super::super::{Engine, Entry, Isa, Unsupported, bitboard};
use super::{Rest, engine};
use crate::engine::bitboard::Board;
use crate::grid::Rules;
use crate::puzzle::{Answer, Effort, Limits};
use galop_cover::engine::{Event, Meter};
use galop_cover::{Assumptions, OptionId};

pub(in crate::engine) const ENTRY: Entry = Entry {
    about: "9x9 sudoku: bitboard propagation first, exact cover by option masks on what it leaves open",
    // The limit is hundreds of times the most of any puzzle in our files, as with links.
    max_guesses: 1_000_000,
    accepts: bitboard::accept,
    ..Entry::new("hybrid", make)
};

fn make(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    bitboard::accept(rules)?;
    isa.check()?;
    let masks = galop_cover::engine::by_name("masks").and_then(|entry| (entry.make)(rules.cover(), isa).ok());
    let masks = masks
        .ok_or(Unsupported::Rules { accepts: "covers that option masks can hold", rules: rules.name() })?;
    let (assumptions, meter) = (Assumptions::default(), Meter::new(u64::MAX, None, None));
    Ok(engine(Masked { masks, assumptions, meter }))
}

struct Masked {
    masks: Box<dyn galop_cover::engine::CoverEngine>,
    assumptions: Assumptions,
    meter: Meter<'static>,
}

impl Rest for Masked {
    fn search(&mut self, board: &Board, limits: Limits, solution: &mut [u8]) -> Answer {
        let Masked { masks, assumptions, meter } = self;
        assumptions.chosen.clear();
        board.placed_options(|option| assumptions.chosen.push(option));
        masks.start(assumptions);
        meter.begin(limits.max_guesses());
        let (mut solutions, mut gave_up) = (0, false);
        while solutions < limits.max_solutions() {
            match masks.next(meter) {
                Event::Solution => {
                    if solutions == 0 {
                        let write =
                            |&option: &OptionId| solution[option as usize / 9] = (option % 9 + 1) as u8;
                        masks.solution().iter().for_each(write);
                    }
                    solutions += 1;
                }
                Event::End => break,
                Event::Stopped(_) => {
                    gave_up = true;
                    break;
                }
            }
        }
        let ended = if gave_up { Answer::limited } else { Answer::complete };
        ended(solutions).with_effort(Effort { guesses: meter.guesses, ..Effort::default() })
    }
}
