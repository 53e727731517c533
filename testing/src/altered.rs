//! Engines that do not tell the truth: the bitboard engine, whose answers are changed.

use galop_engines::engine::{Each, Isa, Search, Unsupported};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
use galop_engines::{Engine, Rules};

use crate::engines::named;

/// What is done to an answer: the puzzle, the solution, the answer.
pub type Change = fn(&[u8], &mut [u8], &mut Answer);

struct Altered {
    engine: Box<dyn Engine>,
    change: Change,
}

impl Search for Altered {
    fn cells(&self) -> usize {
        81
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut answer = Answer::default();
        let mut places = Answers::one(solution, &mut answer);
        self.engine.solve(Puzzles::one(puzzle), limits, &mut places).unwrap();
        (self.change)(puzzle, solution, &mut answer);
        answer
    }
}

/// The bitboard engine with changed answers.
pub fn altered(rules: &Rules, isa: Isa, change: Change) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(Box::new(Each(Altered { engine: bitboard(rules, isa)?, change })))
}

/// The bitboard engine.
pub fn bitboard(rules: &Rules, isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    (named("bitboard").make)(rules, isa)
}
