//! The first step: all puzzles of a chunk are answered, and their answers are handed out one by one.

use std::ops::Range;

use super::{ChunkJob, Failure, SolveOptions};
use crate::engine::{Engine, Entry, Stopwatch, Unanswered, Work};
use crate::error::{Error, ErrorKind};
use crate::figures::Point;
use crate::grid::Rules;
use crate::puzzle::{Answer, Limits, Puzzles, Status};

/// Points that a chunk gives to the outcome at most.
const MAX_POINTS: usize = 1024;

/// Answers puzzles.
pub(super) struct Answerer {
    pub(super) name: &'static str,
    pub(super) engine: Box<dyn Engine>,
    pub(super) limits: Limits,
    /// Solutions of a puzzle that are printed at most; a puzzle with more gets the status [`Status::Limit`].
    pub(super) most: u64,
    /// The solutions of the chunk, flat cells.
    solutions: Vec<u8>,
    /// The answers of the chunk. Each is cleared as soon as it is used, so that all are unanswered before the next
    /// chunk. (Clearing all of them before a chunk takes puzzles and solutions out of the second-level cache.)
    answers: Vec<Answer>,
    /// The answers of searches that end at the first solution, if their guesses are printed.
    first: Option<Vec<Answer>>,
}

/// The answer to one puzzle.
pub(super) struct PuzzleAnswer<'a> {
    pub(super) answer: &'a Answer,
    /// The first solution; the cells that were filled if the engine was stuck.
    pub(super) cells: &'a [u8],
    pub(super) status: Status,
    /// Guesses before the first solution, if there is one and they are printed.
    pub(super) guesses_first: Option<u64>,
}

impl Answerer {
    pub(super) fn new(
        rules: &Rules,
        engine: &Entry,
        searches_first: bool,
        options: &SolveOptions<'_>,
    ) -> Result<Answerer, Error> {
        let made = (engine.make)(rules, options.isa).map_err(ErrorKind::from)?;
        Ok(Answerer {
            name: engine.name,
            engine: if options.times { Box::new(Stopwatch(made)) } else { made },
            // One more shows that there are more.
            limits: if options.all { one_more(options.limits) } else { options.limits },
            most: if options.all { options.limits.max_solutions() } else { u64::MAX },
            solutions: Vec::new(),
            answers: Vec::new(),
            first: searches_first.then(Vec::new),
        })
    }

    /// What the engine has done.
    pub(super) fn work(&self) -> Option<Work> {
        self.engine.work()
    }

    /// Answers all puzzles of `chunk`.
    pub(super) fn answer(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        chunk.solve(&mut *self.engine, self.limits, &mut self.solutions, &mut self.answers)?;
        if self.first.is_some() { self.search_first(chunk) } else { Ok(()) }
    }

    /// Answers other puzzles than those of `chunk`, or some of them, in one batch.
    pub(super) fn answer_others(
        &mut self,
        chunk: &ChunkJob<'_>,
        puzzles: Puzzles<'_>,
    ) -> Result<(), Failure> {
        chunk.solve_batch(&mut *self.engine, puzzles, self.limits, &mut self.solutions, &mut self.answers)
    }

    /// Finds the guesses before the first solution of each puzzle. A search for one solution ends with it. The engines
    /// do not keep these guesses in a longer search, so that each puzzle is then searched again.
    #[cold]
    fn search_first(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        let Some(first) = &mut self.first else { return Ok(()) };
        if self.limits.solutions() == Some(1) {
            first.clone_from(&self.answers);
            return Ok(());
        }
        let mut limits = Limits::ANY;
        if let Some(guesses) = self.limits.guesses() {
            limits = limits.with_guesses(guesses);
        }
        first.clear();
        chunk.solve(&mut *self.engine, limits, &mut Vec::new(), first)
    }

    /// Some of the puzzles of the chunk, evenly spread.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        let step = self.answers.len().div_ceil(MAX_POINTS).max(1);
        self.answers.iter().step_by(step).map(|answer| Point::of(answer.effort))
    }

    /// The answer to the puzzle at `place`, which is in the line `line` of the chunk. Once it is used, it must be
    /// [cleared](Answerer::clear).
    #[inline(always)]
    pub(super) fn get(&self, place: usize, cells: usize, line: u64) -> Result<PuzzleAnswer<'_>, Failure> {
        let solution = self.solutions.get(place * cells..(place + 1) * cells);
        let (Some(solution), Some(answer)) = (solution, self.answers.get(place)) else {
            return Err(unanswered(self.name, line));
        };
        let status = if answer.solutions > self.most { Status::Limit } else { answer.status(self.limits) };
        if status == Status::Unanswered {
            return Err(unanswered(self.name, line));
        }
        let first = self.first.as_ref().and_then(|first| first.get(place));
        let guesses_first = first.filter(|first| first.solutions > 0).map(|first| first.effort.guesses);
        Ok(PuzzleAnswer { answer, cells: solution, status, guesses_first })
    }

    /// The solutions, flat, and the answers of the first puzzles at `places`, up to the first one that is not solved.
    pub(super) fn solved(&mut self, places: Range<usize>, cells: usize) -> (&[u8], &mut [Answer]) {
        let (start, limits) = (places.start, self.limits);
        let answers = self.answers.get_mut(places).unwrap_or_default();
        let is_solved = |answer: &&Answer| answer.status(limits) == Status::Solved;
        let count = answers.iter().take_while(is_solved).count();
        let solutions = self.solutions.get(start * cells..(start + count) * cells);
        (solutions.unwrap_or_default(), &mut answers[..count])
    }

    /// Makes `place` unanswered for the next chunk.
    #[inline(always)]
    pub(super) fn clear(&mut self, place: usize) {
        if let Some(answer) = self.answers.get_mut(place) {
            answer.clear();
        }
    }
}

#[cold]
fn unanswered(engine: &'static str, line: u64) -> Failure {
    Failure::in_line(line, Unanswered { engine })
}

/// The same limits with one solution more.
fn one_more(limits: Limits) -> Limits {
    let more = Limits::count(limits.max_solutions().saturating_add(1));
    limits.guesses().map_or(more, |guesses| more.with_guesses(guesses))
}
