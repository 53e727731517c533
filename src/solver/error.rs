//! Why a text has no solution: it is not a puzzle, its puzzle cannot be solved, or the engine gave up.

use galop_cover::text::ChoiceError;
use galop_cover::threads::ThreadsError;

use galop_engines::engine::{Unsupported, WrongLength};
use galop_engines::grid::{Alphabet, AlphabetName, Fault, UnclearAlphabet};

/// Why a text has no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A character is neither a symbol nor a blank.
    #[error("{}unexpected `{}` (cells are {alphabet}, a blank is one of {})", place(*line, *column), character.escape_debug(), alphabet.blanks())]
    Character {
        /// The line of the text, from 1.
        line: usize,
        /// The column in the line, from 1, in characters.
        column: usize,
        /// The character.
        character: char,
        /// The symbols of the puzzle.
        alphabet: AlphabetName,
    },
    /// A choice names no option of the problem, or excludes another one.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// Too few or too many cells.
    #[error("{found} cell{} (a puzzle has {}, one character per cell)", if *found == 1 { "" } else { "s" }, alternatives(expected))]
    Length {
        /// Cells of the text or of the batch.
        found: usize,
        /// The possible numbers of cells, ascending.
        expected: Vec<usize>,
    },
    /// A slice for the results of a batch has another number of places than the puzzles need.
    #[error("the results have {found} {slice} where the puzzles need {expected}")]
    Places {
        /// What the places are for: `statuses`.
        slice: &'static str,
        /// The places.
        found: usize,
        /// The places for these puzzles.
        expected: usize,
    },
    /// The symbols fit several alphabets, or none. [`Rules::written_in`](crate::Rules::written_in) chooses one.
    #[error(transparent)]
    Alphabet(#[from] UnclearAlphabet),
    /// The engine does not accept the rules.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Puzzles, or places for their answers, have another length than the rules.
    #[error(transparent)]
    WrongLength(#[from] WrongLength),
    /// The puzzle has no solution.
    #[error("no solution{}{words}", if words.is_empty() { "" } else { ": " })]
    NoSolution {
        /// Two clues that [clash](crate::grid::Grid::check_clues), if that is why.
        reason: Option<Fault>,
        /// The reason in words, with the symbols as the puzzle writes them. Empty without a reason.
        words: String,
    },
    /// The puzzle has several solutions, and [`SolverBuilder::unique`](crate::SolverBuilder::unique) asks for one only.
    #[error("more than one solution")]
    Multiple,
    /// The engine gave up at the limit on guesses.
    #[error("gave up after {guesses} guesses")]
    Limit {
        /// The guesses it made.
        guesses: u64,
    },
    /// The engine never guesses and could infer nothing more.
    #[error("the engine `{engine}` never guesses and cannot finish this puzzle")]
    Stuck {
        /// The engine.
        engine: &'static str,
    },
    /// The caller stopped the call.
    #[error("stopped before the end; the results are not complete")]
    Stopped,
    /// The worker threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The engine returned no answer, which is a bug in galop.
    #[error("the engine left the puzzle unanswered; please report this bug in galop")]
    Unanswered,
    /// The engine returned a wrong solution, which is a bug in galop.
    #[error("the engine `{engine}` returned a wrong solution: {violation}; please report this bug in galop")]
    WrongSolution {
        /// The engine.
        engine: &'static str,
        /// What is wrong with the solution.
        violation: Fault,
    },
}

/// Numbers as text: `16, 36 or 81`.
fn alternatives(numbers: &[usize]) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match &texts[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

/// The place of a character, for the beginning of a message.
fn place(line: usize, column: usize) -> String {
    if line == 1 { format!("column {column}: ") } else { format!("line {line}, column {column}: ") }
}

impl SolveError {
    /// The error for the first character of `text` that is not a cell in `alphabet`.
    pub(super) fn unexpected(text: &str, alphabet: &Alphabet) -> Option<SolveError> {
        let is_cell = |character: char| {
            character.is_ascii_whitespace()
                || u8::try_from(character).is_ok_and(|byte| alphabet.cell(byte).is_some())
        };
        text.lines().zip(1..).find_map(|(content, line)| {
            let (character, column) = content.chars().zip(1..).find(|&(character, _)| !is_cell(character))?;
            Some(SolveError::Character { line, column, character, alphabet: alphabet.name() })
        })
    }
}
