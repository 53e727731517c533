//! Puzzles of one size: their texts read into a batch, the batch solved and checked, the solutions written as text.

use std::num::NonZero;

use galop_cover::Assumptions;
use galop_engines::Control;
use galop_engines::engine::{Entry, Unsupported, default_for};
use galop_engines::grid::{Alphabet, Characters, Fault, Rules, UnclearAlphabet};
use galop_engines::puzzle::{Limits, Puzzles, Status, read_options, write_options};

use super::workers::{Given, Workers};
use super::{Results, Solution, SolveError};

/// What serves the puzzles of one size: their rules, workers, and one batch.
pub(super) struct SizeSolver {
    pub(super) rules: Rules,
    workers: Workers,
    /// What the texts of a call are written in, if their alphabet must be found out.
    characters: Option<Characters>,
    alphabet: Result<Alphabet, UnclearAlphabet>,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    statuses: Vec<Status>,
    counts: Vec<u64>,
    guesses: Vec<u64>,
}

impl SizeSolver {
    pub(super) fn new(
        rules: Rules,
        engine: Option<&'static Entry>,
        threads: Option<NonZero<usize>>,
        finds_alphabet: bool,
    ) -> Result<SizeSolver, Unsupported> {
        let workers = Workers::new(&rules, engine.unwrap_or_else(|| default_for(&rules)), threads)?;
        let side = rules.grid().side();
        Ok(SizeSolver {
            characters: (finds_alphabet && side > 9).then(|| Characters::new(side)),
            alphabet: Ok(rules.alphabet().clone()),
            rules,
            workers,
            puzzles: Vec::new(),
            solutions: Vec::new(),
            statuses: Vec::new(),
            counts: Vec::new(),
            guesses: Vec::new(),
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
        if let Some(choices) = self.rules.choices() {
            let mut assumptions = Assumptions::default();
            choices.read(text.as_bytes(), &mut assumptions)?;
            let (start, options) = (self.puzzles.len(), self.rules.stride());
            self.puzzles.resize(start + options, 0);
            write_options(&assumptions, &mut self.puzzles[start..]);
            return Ok(start / options);
        }
        let alphabet = self.alphabet.as_ref().map_err(Clone::clone)?;
        let (start, cells) = (self.puzzles.len(), self.rules.stride());
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
    pub(super) fn solve_batch(&mut self, limits: Limits) -> Result<(), SolveError> {
        let puzzles = Puzzles::new(&self.puzzles, self.rules.stride())?;
        self.solutions.resize(self.puzzles.len(), 0);
        self.statuses.resize(puzzles.len(), Status::Unanswered);
        self.counts.resize(puzzles.len(), 0);
        self.guesses.resize(puzzles.len(), 0);
        let results =
            Results::new(&mut self.solutions, &mut self.statuses, &mut self.counts, &mut self.guesses);
        let control = Control::default();
        let given = Given::Beside(puzzles);
        if self.workers.are_few(puzzles.len()) {
            self.workers.solve_here(&self.rules, given, limits, results, &control)
        } else {
            self.workers.solve(&self.rules, given, limits, results, &control)
        }
    }

    /// Solves the puzzles that are `given`. `results` have the places for them.
    pub(super) fn solve(
        &mut self,
        given: Given<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        self.workers.solve(&self.rules, given, limits, results, control)
    }

    /// The solutions found for the puzzle at `place`; an error if there may be more of them, up to the limit.
    pub(super) fn count(&self, place: usize) -> Result<u64, SolveError> {
        match self.statuses[place] {
            Status::Limit => Err(SolveError::Limit { guesses: self.guesses[place] }),
            Status::Stuck => Err(SolveError::Stuck { engine: self.workers.entry.name }),
            Status::Unanswered => Err(SolveError::Unanswered),
            _ => Ok(self.counts[place]),
        }
    }

    /// The solution of the puzzle at `place`.
    pub(super) fn solution(&mut self, place: usize) -> Result<Solution, SolveError> {
        let cells = self.rules.stride();
        let at = place * cells..(place + 1) * cells;
        let alphabet = self.alphabet.as_ref().map_err(Clone::clone)?;
        let written = |symbol| char::from(alphabet.character(symbol));
        match self.count(place)? {
            0 => {
                let reason = self.rules.grid().check_clues(&self.puzzles[at]).err();
                let in_words = |reason: Fault| reason.in_words(|symbol| written(symbol).to_string());
                Err(SolveError::NoSolution { reason, words: reason.map_or(String::new(), in_words) })
            }
            _ if self.statuses[place] == Status::Multiple => Err(SolveError::Multiple),
            _ => {
                let cells = self.solutions[at].to_vec();
                let text = match self.rules.choices() {
                    Some(choices) => {
                        let (mut assumptions, mut text) = (Assumptions::default(), Vec::new());
                        read_options(&cells, &mut assumptions);
                        choices.write(&assumptions, &mut text);
                        String::from_utf8_lossy(&text).into_owned()
                    }
                    None => cells.iter().map(|&symbol| written(symbol)).collect(),
                };
                Ok(Solution { text, cells, guesses: self.guesses[place] })
            }
        }
    }
}
