//! Lanes: many puzzles at once, one bit of a vector each. (In the making.)

#![allow(clippy::needless_range_loop, reason = "kernels loop over indices: see `vector`")]

mod cheap;
mod choice;
mod filter;
mod machine;
#[cfg(test)]
mod oracle;
mod planes;
mod pool;
mod singles;
mod slice;
mod split;
#[cfg(test)]
mod states;
mod strong;
mod sweep;
mod tally;
mod transpose;
mod triads;
mod vector;

use machine::{Machine, Portable};
use pool::Pool;

use super::{Engine, Entry, Isa, Unsupported, Work, bitboard};
use crate::puzzle::{Answers, Limits, Puzzles};
use crate::rules::Rules;

pub(super) const ENTRY: Entry = Entry {
    name: "lanes",
    about: "9x9 sudoku, up to 256 puzzles at once, a bit of a vector each; fastest for many puzzles",
    max_guesses: 1_000_000,
    make,
};

/// Batches of fewer puzzles go to `bitboard`.
const FEWEST: usize = 16;

fn make(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    bitboard::accept(rules)?;
    let isa = if isa.is_available() { isa } else { Isa::best() };
    let few = (bitboard::ENTRY.make)(rules, isa)?;
    Ok(match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => lanes(machine::Avx512::find(), few),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => lanes(machine::Avx2::find(), few),
        Isa::Portable128 => lanes(Portable::<2>::find(), few),
        _ => lanes(Portable::<1>::find(), few),
    })
}

/// The engine on `machine`; `few` alone if this computer is no such machine.
fn lanes<M: Machine>(machine: Option<M>, few: Box<dyn Engine>) -> Box<dyn Engine> {
    match machine {
        Some(machine) => Box::new(Lanes { pool: Pool::new(machine), few }),
        None => few,
    }
}

struct Lanes<M: Machine> {
    pool: Pool<M>,
    /// What answers batches too small for lanes.
    few: Box<dyn Engine>,
}

impl<M: Machine> Engine for Lanes<M> {
    fn solve(&mut self, puzzles: Puzzles<'_>, limits: Limits, answers: &mut Answers<'_>) {
        let count = puzzles.len().min(answers.len());
        let puzzles = puzzles.slice(0..count);
        let is_wrong =
            puzzles.stride() != 81 || answers.get_mut(0).is_none_or(|(places, _)| places.len() != 81);
        if count < FEWEST || is_wrong {
            self.few.solve(puzzles, limits, answers);
            for (_, answer) in answers.iter_mut().filter(|_| !is_wrong) {
                answer.effort.cost = 1 + answer.effort.guesses;
            }
            return;
        }
        let machine = self.pool.machine();
        machine.run(&mut self.pool, puzzles, limits, &mut answers.slice(0..count));
    }

    fn is_batched(&self) -> bool {
        true
    }

    fn work(&self) -> Option<Work> {
        Some(self.pool.work)
    }
}
