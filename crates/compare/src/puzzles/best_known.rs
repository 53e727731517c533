//! What is known of the solutions of a puzzle from the answers of the engines so far.
//!
//! Of two answers that agree, the one that says more is kept: an exact number, or else the higher lower bound. An
//! answer that contradicts one of them contradicts the one kept, so each answer is compared with that one only.

use galop_batch::error::ErrorKind;
use galop_batch::input::Notation;
use galop_batch::pipeline::Disagreement;
use galop_batch::pipeline::{agree, claim, in_words, opinion};
use galop_engines::puzzle::{Answer, Limits};

/// One engine's answer to one puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct EngineAnswer<'a> {
    /// The puzzle's place in the pass.
    pub(super) place: usize,
    /// The engine's name.
    pub(super) engine: &'a str,
    /// How puzzles are written.
    pub(super) notation: &'a Notation,
    /// The puzzle.
    pub(super) puzzle: &'a [u8],
    /// Its first solution, if it has one.
    pub(super) solution: &'a [u8],
    /// The answer.
    pub(super) answer: Answer,
}

/// What is known of one puzzle; nothing at first.
#[derive(Clone, Debug, Default)]
pub(super) struct BestKnown(Option<KeptAnswer>);

/// The answer that says most.
#[derive(Clone, Debug)]
struct KeptAnswer {
    engine: String,
    solutions: u64,
    gave_up: bool,
    solution: Box<[u8]>,
}

impl KeptAnswer {
    fn answer(&self) -> Answer {
        if self.gave_up { Answer::limited(self.solutions) } else { Answer::complete(self.solutions) }
    }
}

impl BestKnown {
    /// Compares an answer to the puzzle as it was read with what is known, and keeps it if it says more.
    pub(super) fn learn(&mut self, said: &EngineAnswer<'_>, limits: Limits) -> Result<(), ErrorKind> {
        self.compare(said, limits, true, |cells| cells.to_vec())?;
        let says_more = self.0.as_ref().is_none_or(|kept| {
            let (known, new) = (claim(kept.answer(), limits), claim(said.answer, limits));
            let is_exact = new.start() == new.end() && known.start() < known.end();
            is_exact || known.start() < known.end() && new.start() > known.start()
        });
        if says_more {
            let solution = if said.answer.solutions > 0 { said.solution.into() } else { [].into() };
            let (solutions, gave_up) = (said.answer.solutions, said.answer.gave_up());
            self.0 = Some(KeptAnswer { engine: said.engine.to_owned(), solutions, gave_up, solution });
        }
        Ok(())
    }

    /// Compares the number of solutions in an answer to the puzzle under a symmetry with what is known. `undo` undoes
    /// the symmetry.
    pub(super) fn check(
        &self,
        said: &EngineAnswer<'_>,
        limits: Limits,
        undo: impl Fn(&[u8]) -> Vec<u8>,
    ) -> Result<(), ErrorKind> {
        self.compare(said, limits, false, undo)
    }

    fn compare(
        &self,
        said: &EngineAnswer<'_>,
        limits: Limits,
        solutions_too: bool,
        undo: impl Fn(&[u8]) -> Vec<u8>,
    ) -> Result<(), ErrorKind> {
        let Some(kept) = &self.0 else { return Ok(()) };
        let claims = [claim(kept.answer(), limits), claim(said.answer, limits)];
        if agree(&claims, limits, !solutions_too || *kept.solution == *said.solution) {
            return Ok(());
        }
        let solution = if said.answer.solutions > 0 { undo(said.solution) } else { Vec::new() };
        let opinions = [
            opinion(&kept.engine, kept.answer(), &kept.solution, said.notation),
            opinion(said.engine, said.answer, &solution, said.notation),
        ];
        Err(Disagreement { puzzle: in_words(&undo(said.puzzle), said.notation), opinions }.into())
    }
}
