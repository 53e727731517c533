//! Another program in a comparison on puzzles: puzzles in, a line each; answers out, a line each.
//!
//! A line of its output has the solution as one of its fields; a line without one means that it found none. Every
//! solution is verified, as the engines' solutions are. Right before, it is run on an empty input, to learn what its
//! start takes. Times of single puzzles are not known; the number of guesses of the whole run is, if it prints it.

use std::io;

use crate::clock::TimeSpent;
use crate::patterns::Patterns;
use crate::shell::{Printed, Shell};
use galop_engines::grid::{Alphabet, Rules};
use galop_engines::puzzle::{Answer, Answers, Puzzles};

/// A program, and how puzzles are written for it.
pub(super) struct Program {
    shell: Shell,
    patterns: Patterns,
    alphabet: Alphabet,
}

/// What a program said of some puzzles beside their answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramFigures {
    /// The time of the whole run.
    pub(super) spent: TimeSpent,
    /// That of a run on an empty input; `None` if it failed.
    pub(super) start: Option<TimeSpent>,
    /// Guesses of the whole run, if it prints them.
    pub(super) guesses: Option<u64>,
}

impl Program {
    /// Runs `command` on puzzles of `rules`.
    pub(super) fn new(command: &str, patterns: &Patterns, rules: &Rules) -> Program {
        Program { shell: Shell::new(command), patterns: patterns.clone(), alphabet: rules.alphabet().clone() }
    }

    /// Has the program answer `puzzles`, after an empty input; `None` if it was stopped.
    ///
    /// # Errors
    /// The program cannot be run, fails, or prints something else than a line for each puzzle.
    pub(super) fn solve(
        &self,
        puzzles: Puzzles<'_>,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<Option<ProgramFigures>> {
        let start = match self.shell.run(b"", is_stopped) {
            Ok(None) => return Ok(None),
            Ok(Some(printed)) => Some(printed.spent),
            Err(_) => None,
        };
        let mut text = Vec::with_capacity(puzzles.len() * (puzzles.stride() + 1));
        for puzzle in puzzles.iter() {
            text.extend(puzzle.iter().map(|&cell| self.alphabet.character(cell)));
            text.push(b'\n');
        }
        let Some(Printed { out, err, spent }) = self.shell.run(&text, is_stopped)? else { return Ok(None) };
        self.read(&out, answers)?;
        // The lines of the output are puzzles and solutions, so a number of guesses is on standard error.
        let guesses = self.patterns.guesses(&String::from_utf8_lossy(&err));
        Ok(Some(ProgramFigures { spent, start, guesses }))
    }

    /// Reads the answers from the lines of the output.
    fn read(&self, out: &[u8], answers: &mut Answers<'_>) -> io::Result<()> {
        let lines: Vec<&[u8]> = out.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
        let lines = lines.strip_suffix(&[&b""[..]]).unwrap_or(&lines);
        if lines.len() != answers.len() {
            let (found, wanted) = (lines.len(), answers.len());
            return Err(io::Error::other(format!("{found} lines of output for {wanted} puzzles")));
        }
        for (line, (solution, answer)) in lines.iter().zip(answers.iter_mut()) {
            let fields = line.split(|byte| matches!(byte, b',' | b' ' | b'\t' | b':' | b';'));
            let found = fields.rev().find(|field| self.is_solution(field, solution.len()));
            if let Some(found) = found {
                for (cell, &byte) in solution.iter_mut().zip(found) {
                    *cell = self.alphabet.cell(byte).unwrap_or(0);
                }
            }
            *answer = Answer::complete(u64::from(found.is_some()));
        }
        Ok(())
    }

    fn is_solution(&self, field: &[u8], cells: usize) -> bool {
        let is_symbol = |&byte: &u8| self.alphabet.cell(byte).is_some_and(|cell| cell > 0);
        field.len() == cells && field.iter().all(is_symbol)
    }
}
