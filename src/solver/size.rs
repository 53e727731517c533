//! Puzzles of one size: their texts read into a batch, the batch solved and checked, the solutions written as text.

use std::num::NonZero;
use std::ops::Range;

use galop_cover::threads;

use super::batch::{BatchSolver, FEWEST_BLOCKS, SMALLEST_BATCH, block};
use super::{Solution, SolveError};
use galop_engines::engine::{Engine, Entry, Isa, Unsupported, default_for};
use galop_engines::grid::{Alphabet, Characters, Checker, Impossible, Rules, UnclearAlphabet, Verifier};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// What serves the puzzles of one size: their rules, an engine, and one batch.
pub(super) struct SizeSolver {
    pub(super) rules: Rules,
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    threads: Option<NonZero<usize>>,
    /// Made for the first call with enough puzzles for several threads.
    batch_solver: Option<BatchSolver>,
    verifier: Verifier,
    /// Made for the first puzzle without a solution.
    checker: Option<Checker>,
    /// What the texts of a call are written in, if their alphabet must be found out.
    characters: Option<Characters>,
    alphabet: Result<Alphabet, UnclearAlphabet>,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

impl SizeSolver {
    pub(super) fn new(
        rules: Rules,
        engine: Option<&'static Entry>,
        threads: Option<NonZero<usize>>,
        finds_alphabet: bool,
    ) -> Result<SizeSolver, Unsupported> {
        let entry = engine.unwrap_or_else(|| default_for(&rules));
        let engine = (entry.make)(&rules, Isa::best())?;
        let side = rules.grid().side();
        let characters = (finds_alphabet && side > 9).then(|| Characters::new(side));
        let (verifier, alphabet) = (Verifier::new(&rules), Ok(rules.alphabet().clone()));
        let (puzzles, solutions, answers) = (Vec::new(), Vec::new(), Vec::new());
        Ok(SizeSolver {
            rules,
            entry,
            engine,
            threads,
            batch_solver: None,
            verifier,
            checker: None,
            characters,
            alphabet,
            puzzles,
            solutions,
            answers,
        })
    }

    /// Starts a new batch.
    pub(super) fn clear(&mut self) {
        self.puzzles.clear();
        if let Some(characters) = &mut self.characters {
            *characters = Characters::new(self.rules.grid().side());
            self.alphabet = Ok(self.rules.alphabet().clone());
        }
    }

    /// Takes in the characters of a text.
    pub(super) fn see(&mut self, text: &str) {
        if let Some(characters) = &mut self.characters {
            let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            if characters.add(&bytes) {
                self.alphabet = characters.alphabet();
            }
        }
    }

    /// Appends the puzzle `text` to the batch. Returns its place.
    pub(super) fn read(&mut self, text: &str) -> Result<usize, SolveError> {
        let alphabet = self.alphabet.as_ref().map_err(Clone::clone)?;
        let (start, cells) = (self.puzzles.len(), self.rules.grid().cells());
        self.puzzles.resize(start + cells, 0);
        let puzzle = &mut self.puzzles[start..];
        let is_read = if text.len() == cells {
            alphabet.read(text.as_bytes(), puzzle)
        } else {
            let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            alphabet.read(&bytes, puzzle)
        };
        if is_read {
            return Ok(start / cells);
        }
        self.puzzles.truncate(start);
        Err(SolveError::unexpected(text, alphabet).unwrap_or(SolveError::Unanswered))
    }

    /// Solves the batch.
    pub(super) fn solve_all(&mut self, limits: Limits) -> Result<(), SolveError> {
        let cells = self.rules.grid().cells();
        let puzzles = std::mem::take(&mut self.puzzles);
        let (mut solutions, mut answers) =
            (std::mem::take(&mut self.solutions), std::mem::take(&mut self.answers));
        solutions.resize(puzzles.len(), 0);
        answers.clear();
        answers.resize(puzzles.len() / cells, Answer::default());
        let batch = Puzzles::new(&puzzles, cells)?;
        let solved = self.solve_blocks(batch, limits, &mut solutions, &mut answers);
        (self.puzzles, self.solutions, self.answers) = (puzzles, solutions, answers);
        solved
    }

    /// Solves `puzzles` in blocks, on several threads if there are enough puzzles.
    fn solve_blocks(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        solutions: &mut [u8],
        answers: &mut [Answer],
    ) -> Result<(), SolveError> {
        let is_batched = self.engine.is_batched();
        let few = if is_batched { SMALLEST_BATCH } else { FEWEST_BLOCKS };
        if puzzles.len() > few && threads::count(self.threads).get() > 1 {
            let solver = match &mut self.batch_solver {
                Some(solver) => solver,
                none => none.insert(BatchSolver::new(&self.rules, self.entry, self.threads)?),
            };
            return solver.answer(puzzles, limits, solutions, answers);
        }
        // The same blocks, so that the results are the same.
        let block = block(puzzles.len(), is_batched);
        let mut places = Answers::new(solutions, answers, puzzles.stride())?;
        (0..puzzles.len()).step_by(block).try_for_each(|start| {
            let at: Range<usize> = start..start + block;
            self.solve(puzzles.slice(at.clone()), limits, &mut places.slice(at))
        })
    }

    /// Solves `puzzles` and checks the solutions.
    pub(super) fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), SolveError> {
        self.engine.solve(puzzles, limits, answers)?;
        for (puzzle, (solution, answer)) in puzzles.iter().zip(answers.iter_mut()) {
            if answer.solutions > 0
                && let Err(violation) = self.verifier.check(puzzle, solution)
            {
                return Err(SolveError::WrongSolution { engine: self.entry.name, violation });
            }
        }
        Ok(())
    }

    /// The solutions found for the puzzle at `place`; an error if there may be more of them, up to the limit.
    pub(super) fn count(&self, place: usize, limits: Limits) -> Result<u64, SolveError> {
        let answer = self.answers[place];
        match answer.status(limits) {
            Status::Limit => Err(SolveError::Limit { guesses: answer.effort.guesses }),
            Status::Stuck => Err(SolveError::Stuck { engine: self.entry.name }),
            Status::Unanswered => Err(SolveError::Unanswered),
            _ => Ok(answer.solutions),
        }
    }

    /// The solution of the puzzle at `place`.
    pub(super) fn solution(&mut self, place: usize, limits: Limits) -> Result<Solution, SolveError> {
        let cells = self.rules.grid().cells();
        let at = place * cells..(place + 1) * cells;
        let alphabet = self.alphabet.as_ref().map_err(Clone::clone)?;
        let written = |symbol| char::from(alphabet.character(symbol));
        match self.count(place, limits)? {
            0 => {
                let checker = self.checker.get_or_insert_with(|| Checker::new(&self.rules));
                let reason = checker.check(&self.puzzles[at]).err();
                let in_words = |reason: Impossible| reason.in_words(|symbol| written(symbol).to_string());
                Err(SolveError::NoSolution { reason, words: reason.map_or(String::new(), in_words) })
            }
            _ if self.answers[place].status(limits) == Status::Multiple => Err(SolveError::Multiple),
            _ => {
                let cells = self.solutions[at].to_vec();
                let text = cells.iter().map(|&symbol| written(symbol)).collect();
                Ok(Solution { text, cells, guesses: self.answers[place].effort.guesses })
            }
        }
    }
}
