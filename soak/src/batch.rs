//! One batch answered by two engines, and what they contradict each other about.

use galop_engines::grid::Verifier;
use galop_engines::puzzle::{Answer, Limits, Status};
use galop_engines::{Engine, Rules};
use galop_testing::engines::solve_flat;

use crate::Disagreement;
use crate::shrink::shrink;
use galop_testing::chance::Chance;

/// An engine and its name.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) engine: Box<dyn Engine>,
    /// Guesses after which it gives a puzzle up, which is no disagreement; `None`: never.
    pub(crate) guesses: Option<u64>,
}

/// What an engine made of a batch.
pub(crate) struct Answered {
    pub(crate) solutions: Vec<u8>,
    pub(crate) answers: Vec<Answer>,
}

/// Has `engine` answer a batch of flat puzzles.
pub(crate) fn answer(engine: &mut Named, puzzles: &[u8], cells: usize, limits: Limits) -> Answered {
    let limits = engine.guesses.map_or(limits, |guesses| limits.with_guesses(guesses));
    let (answers, solutions) = solve_flat(&mut *engine.engine, cells, puzzles, limits);
    Answered { solutions, answers }
}

/// What a batch is solved under.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) verifier: &'a Verifier,
    pub(crate) limits: Limits,
}

impl Case<'_> {
    fn cells(&self) -> usize {
        self.rules.grid().cells()
    }

    /// Has `engine` answer a batch of flat puzzles.
    pub(crate) fn answer(&self, engine: &mut Named, puzzles: &[u8]) -> Answered {
        answer(engine, puzzles, self.cells(), self.limits)
    }

    /// The same, with the puzzles in a random order and cut into a few batches.
    pub(crate) fn answer_in_parts(
        &self,
        engine: &mut Named,
        puzzles: &[u8],
        chance: &mut Chance,
    ) -> Answered {
        let cells = self.cells();
        let mut order: Vec<usize> = (0..puzzles.len() / cells).collect();
        chance.shuffle(&mut order);
        let mut answered =
            Answered { solutions: vec![0; puzzles.len()], answers: vec![Answer::default(); order.len()] };
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            let len = 1 + chance.below(rest.len());
            // Small batches take long: there are few of them.
            let (part, later) = rest.split_at(if len < 500 { rest.len() } else { len });
            rest = later;
            let shuffled: Vec<u8> =
                part.iter().flat_map(|&place| &puzzles[place * cells..][..cells]).copied().collect();
            let by_part = self.answer(engine, &shuffled);
            for (index, &place) in part.iter().enumerate() {
                answered.answers[place] = by_part.answers[index];
                answered.solutions[place * cells..][..cells]
                    .copy_from_slice(&by_part.solutions[index * cells..][..cells]);
            }
        }
        answered
    }

    /// Compares the answers of two engines to `puzzles`; reduces what they contradict each other about.
    pub(crate) fn agree(
        &self,
        puzzles: &[u8],
        (one, by_one): (&mut Named, &Answered),
        (other, by_other): (&mut Named, &Answered),
    ) -> Result<(), Disagreement> {
        let compared = self.compare(puzzles, (&one.name, by_one), (&other.name, by_other));
        let Err((place, why)) = compared else { return Ok(()) };
        let least = shrink(puzzles, self.cells(), place, &mut |puzzles| {
            let (by_one, by_other) = (self.answer(one, puzzles), self.answer(other, puzzles));
            self.compare(puzzles, (&one.name, &by_one), (&other.name, &by_other)).is_err()
        });
        Err(self.describe(&why, &least))
    }

    /// The first puzzle to which two engines gave answers that cannot both be right, and why.
    ///
    /// An engine that reached a limit on guesses says less than the other, which is no contradiction.
    fn compare(
        &self,
        puzzles: &[u8],
        (one, by_one): (&str, &Answered),
        (other, by_other): (&str, &Answered),
    ) -> Result<(), (usize, String)> {
        let (cells, limits) = (self.cells(), self.limits);
        for (place, puzzle) in puzzles.chunks_exact(cells).enumerate() {
            let at = place * cells..(place + 1) * cells;
            let (first, second) = (&by_one.answers[place], &by_other.answers[place]);
            let statuses = (first.status(limits), second.status(limits));
            for (name, by, answer) in [(one, by_one, first), (other, by_other, second)] {
                if answer.status(limits) == Status::Unanswered {
                    return Err((place, format!("{name} leaves the puzzle unanswered")));
                }
                if answer.solutions > 0
                    && let Err(violation) = self.verifier.check(puzzle, &by.solutions[at.clone()])
                {
                    return Err((place, format!("{name} gives a wrong solution: {violation}")));
                }
            }
            if statuses.0 == Status::Limit || statuses.1 == Status::Limit {
                continue;
            }
            if statuses.0 != statuses.1 || first.solutions != second.solutions {
                let (has, instead) = ((statuses.0, first.solutions), (statuses.1, second.solutions));
                return Err((place, format!("{one} says {has:?}, {other} says {instead:?}")));
            }
            let is_only = first.solutions == 1 && limits.solutions() != Some(1);
            if is_only && by_one.solutions[at.clone()] != by_other.solutions[at] {
                return Err((place, format!("{one} and {other} have different only solutions")));
            }
        }
        Ok(())
    }

    /// The text of a disagreement: why, which limits, and the puzzles, with `.` for a blank and `1-9A-Z` for symbols.
    pub(crate) fn describe(&self, why: &str, puzzles: &[u8]) -> Disagreement {
        let mut text = format!("{why}\n# rules: {}, limits: {:?}\n", self.rules.name(), self.limits);
        for puzzle in puzzles.chunks_exact(self.cells()) {
            text.extend(puzzle.iter().map(|&symbol| {
                char::from(b".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[usize::from(symbol).min(35)])
            }));
            text.push('\n');
        }
        Disagreement(text)
    }
}
