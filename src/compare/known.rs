//! What is known of the solutions of a puzzle, from all that the engines said of it so far.
//!
//! Of two things said that fit together the one that says more is kept: an exact number, or else the higher lower
//! bound. Whatever contradicts one of them contradicts the one kept, so each answer is held against that alone.

use crate::pipeline::Disagreement;
use crate::pipeline::crosscheck::{agree, claim, opinion};
use crate::puzzle::{Answer, Limits};

/// What one engine says of one puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    /// The puzzle's place in the pass.
    pub(super) place: usize,
    /// The engine's name.
    pub(super) engine: &'static str,
    /// The puzzle.
    pub(super) puzzle: &'a [u8],
    /// Its first solution, if it has one.
    pub(super) solution: &'a [u8],
    /// The answer.
    pub(super) answer: Answer,
}

/// What is known of one puzzle; nothing at first.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(Option<Word>);

/// The answer that says most.
#[derive(Clone, Debug)]
struct Word {
    engine: &'static str,
    solutions: u64,
    gave_up: bool,
    solution: Box<[u8]>,
}

impl Word {
    fn answer(&self) -> Answer {
        if self.gave_up { Answer::limited(self.solutions) } else { Answer::complete(self.solutions) }
    }
}

impl Known {
    /// Takes in what is said of the puzzle as it was read.
    pub(super) fn hear(&mut self, said: &Said<'_>, limits: Limits) -> Result<(), Box<Disagreement>> {
        self.compare(said, limits, true, |cells| cells.to_vec())?;
        let tells_more = self.0.as_ref().is_none_or(|word| {
            let (known, new) = (claim(word.answer(), limits), claim(said.answer, limits));
            let is_exact = new.start() == new.end() && known.start() < known.end();
            is_exact || known.start() < known.end() && new.start() > known.start()
        });
        if tells_more {
            let solution = if said.answer.solutions > 0 { said.solution.into() } else { [].into() };
            let (solutions, gave_up) = (said.answer.solutions, said.answer.gave_up());
            self.0 = Some(Word { engine: said.engine, solutions, gave_up, solution });
        }
        Ok(())
    }

    /// Holds what is said of the puzzle under a symmetry, which `undo` undoes, against what is known: the numbers
    /// of solutions.
    pub(super) fn check(
        &self,
        said: &Said<'_>,
        limits: Limits,
        undo: impl Fn(&[u8]) -> Vec<u8>,
    ) -> Result<(), Box<Disagreement>> {
        self.compare(said, limits, false, undo)
    }

    fn compare(
        &self,
        said: &Said<'_>,
        limits: Limits,
        solutions_too: bool,
        undo: impl Fn(&[u8]) -> Vec<u8>,
    ) -> Result<(), Box<Disagreement>> {
        let Some(word) = &self.0 else { return Ok(()) };
        let claims = [claim(word.answer(), limits), claim(said.answer, limits)];
        if agree(&claims, limits, !solutions_too || *word.solution == *said.solution) {
            return Ok(());
        }
        let solution = if said.answer.solutions > 0 { undo(said.solution) } else { Vec::new() };
        let opinions = [
            opinion(word.engine, word.answer(), &word.solution),
            opinion(said.engine, said.answer, &solution),
        ];
        Err(Box::new(Disagreement {
            puzzle: crate::pipeline::crosscheck::digits(&undo(said.puzzle)),
            opinions,
        }))
    }
}
